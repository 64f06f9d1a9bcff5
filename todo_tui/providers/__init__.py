"""Model providers. Start with registry.py (rows), factory.py (opening), remote.py (a request).

The protocols that servers speak are in wire_formats.
"""
