"""Recurrence rules (RRULE) and next occurrences. Start with rule.py."""
