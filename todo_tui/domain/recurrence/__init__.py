"""Recurrence rules (RRULE) and next occurrences. Start with rrule.py."""
