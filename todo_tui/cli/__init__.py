"""The command line. Start with program.py, which has the command table, then session.py."""
