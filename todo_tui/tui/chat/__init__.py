"""Left half of the main screen: conversation, composer, approvals. Start with pane.py."""
