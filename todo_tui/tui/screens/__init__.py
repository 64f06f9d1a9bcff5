"""Main screen and the modal screens that a key opens. Start with main.py."""
