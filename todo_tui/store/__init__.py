"""SQLite, the only owner of tasks and conversations."""
