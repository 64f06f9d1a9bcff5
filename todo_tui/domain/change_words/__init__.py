"""The words that add and change tasks. Start with quick_add.py."""
