"""The widgets of the app; none of them owns data."""
