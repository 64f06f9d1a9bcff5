"""The command line. Start with main.py, which has the command table, then base.py.

The store is opened and models are chosen in wiring.
"""
