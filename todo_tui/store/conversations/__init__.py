"""Conversations, turns, branches, search, model calls and their cost. Start with turns.py."""
