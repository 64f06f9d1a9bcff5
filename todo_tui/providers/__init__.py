"""Model providers. Start with registry.py (rows), base.py (interfaces), factory.py (opening)."""
