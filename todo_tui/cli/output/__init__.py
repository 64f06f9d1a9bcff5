"""Text, tables and JSON on the two output streams. Start with messages.py."""
