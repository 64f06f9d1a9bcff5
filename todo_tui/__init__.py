"""A terminal app in which people talk to their to-do list."""
