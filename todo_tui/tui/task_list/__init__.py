"""Right half of the main screen: the task list and its actions. Start with pane.py."""
