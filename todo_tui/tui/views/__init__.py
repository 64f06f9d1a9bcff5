"""Views of the task list: definition, order and sections, switching. Start with views.py."""
