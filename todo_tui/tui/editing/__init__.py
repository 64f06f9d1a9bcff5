"""Editing all of a task: what stands in its form, and how that is read."""
