"""Model providers. Start with registry.py (rows), base.py (interfaces) and remote.py (streaming)."""
