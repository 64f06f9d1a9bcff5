"""Views of the task list: definition, order and sections; the tree of projects."""
