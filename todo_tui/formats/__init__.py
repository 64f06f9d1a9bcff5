"""Import and export formats. Start with registry.py; parsed_file.py and entry.py are shared by all."""
