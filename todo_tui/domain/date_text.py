"""Dates in words for people; the words can be typed back."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.phrases.spoken import day_words
from todo_tui.domain.when import When

HALF_A_DAY = 12 * 60
"""Minutes within which midnight makes no day of it: due 23:00, 2 h late at 1:00."""
DAY_NAMES = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def when_words(when: When, now: datetime) -> str:
    """`today`, `tomorrow 17:00`, `Fri 20 Nov 09:00`, `5 Jan 2027`; `now` is local."""
    today = now.date()
    away = (when.day - today).days
    day = DAY_NAMES.get(away) or day_words(when.day, today)
    return day if when.at is None else f"{day} {when.at:%H:%M}"


def due_words(when: When, now: datetime) -> str:
    """As `when_words`, but `2 days late`, `3 h late` or `10 min late` when overdue."""
    wall = now.replace(tzinfo=None)
    if when.local() >= wall.replace(second=0, microsecond=0):
        return when_words(when, now)
    days = (wall.date() - when.day).days
    minutes = int((wall - when.local()).total_seconds()) // 60
    if days and (when.at is None or minutes >= HALF_A_DAY):
        return f"{days} day{'s' if days > 1 else ''} late"
    return f"{minutes // 60} h late" if minutes >= 60 else f"{max(minutes, 1)} min late"
