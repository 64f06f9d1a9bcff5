"""Built-in assistant: answers messages about tasks by rules, without network. Start with assistant.py."""
