"""Terminal app on Textual.

Start with screens/main.py, then chat/controller.py and task_list/pane.py.
"""
