"""Import and export formats. Start with registry.py; all share parsed_file.py and entry.py.

What a format cannot hold is written beside each task: remainder.py.
"""
