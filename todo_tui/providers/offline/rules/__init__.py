"""Rules that read a clause into intents. Start with pattern.py."""
