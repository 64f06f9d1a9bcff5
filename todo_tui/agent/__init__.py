"""The agent loop: from a stored message to a finished turn."""
