"""Agent loop: from a stored user message to a finished turn. Start with loop.py."""
