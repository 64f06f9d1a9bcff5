"""Import and export formats. Start with registry.py; reader.py and entry.py are shared by all."""
