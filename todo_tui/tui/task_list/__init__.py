"""Right half of the main screen: the task list and its actions.

Start with pane.py. What is listed: views.py, query.py, outline.py. When it is read again:
controller.py. Cursor, selection and scroll position, which a reload keeps: widget.py. Keys:
actions.py, targets.py, commands.py.
"""
