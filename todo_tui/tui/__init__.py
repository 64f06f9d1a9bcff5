"""Terminal app on Textual.

Start with screens/main.py, then chat/pane.py and task_list/pane.py.
"""
