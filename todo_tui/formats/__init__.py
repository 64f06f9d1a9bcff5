"""Import and export, one file a format."""
