"""Choice of provider and model: selection, catalog, picker. Start with switch.py."""
