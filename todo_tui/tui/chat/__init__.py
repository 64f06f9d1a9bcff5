"""Left half of the main screen: conversation, composer, approvals. Start with controller.py."""
