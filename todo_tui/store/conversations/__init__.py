"""Conversations, turns, model calls and their cost. Start with repository.py."""
