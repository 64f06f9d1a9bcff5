"""Actions of the app: one row each, in the table of the place that performs it.

Read `action.py` first. The tables are in `main.py`, `chat.py`, `task_list.py` and `screens.py`;
bindings, key bar, palette, slash commands, help and `[keys]` are views of them.
"""
