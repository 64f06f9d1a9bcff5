"""Values and rules of the to-do list, without input or output. Start with task.py and errors.py."""
