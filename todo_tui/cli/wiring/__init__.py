"""Composition root: what a command or the app works with, built from the settings.

Start with session.py, which opens settings and store of one run. Models: providers.py (which
there are, keys, consent), clients.py (opening them), run_config.py (a turn). The app:
tui_services.py. They are apart because of what they import: the shell completes names with
providers.py alone, and the first frame needs no agent.
"""
