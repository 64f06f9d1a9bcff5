"""Built-in assistant: answers messages by rules, without network. Start with assistant.py."""
