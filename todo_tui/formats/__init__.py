"""Import and export formats. Start with registry.py; all share parsed_file.py and entry.py."""
