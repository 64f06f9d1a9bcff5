"""Model providers. Start with registry.py (rows), factory.py (opening), remote.py (a request)."""
