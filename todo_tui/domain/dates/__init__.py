"""The date grammar, from a phrase to a date. Start with reader.py, then terms.py."""
