"""Tasks and conversations in one SQLite file. Start with store.py, then database.py."""
