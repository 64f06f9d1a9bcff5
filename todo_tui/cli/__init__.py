"""The command line. Start with main.py, which has the command table, then base.py, session.py."""
