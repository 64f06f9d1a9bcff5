"""Model providers. Start with registry.py (rows), base.py (interface) and remote.py (streaming)."""
