"""Tools offered to the model, as typed functions. Start with base.py and registry.py."""
