"""Tests of dates as text."""

from __future__ import annotations

from datetime import date, datetime

from tests.rows import each_row
from todo_tui.domain.dates.text import date_facts, format_due, format_when
from todo_tui.domain.when import When

NOW = datetime(2026, 11, 18, 14, 30, 20)


@each_row(
    ("when", "words"),
    [
        ("2026-11-18", "today"),
        ("2026-11-18T17:00", "today 17:00"),
        ("2026-11-19", "tomorrow"),
        ("2026-11-19T17:00", "tomorrow 17:00"),
        ("2026-11-17", "yesterday"),
        ("2026-11-20", "Fri 20 Nov"),
        ("2026-11-20T09:00", "Fri 20 Nov 09:00"),
        ("2026-01-05", "Mon 5 Jan"),
        ("2027-01-05", "5 Jan 2027"),
        ("2027-01-05T08:15", "5 Jan 2027 08:15"),
    ],
)
def test_moment_is_formatted(when: str, words: str) -> None:
    assert format_when(When.parse(when), NOW) == words


@each_row(
    ("due", "words"),
    [
        ("2026-11-18", "today"),
        ("2026-11-18T14:30", "today 14:30"),
        ("2026-11-18T17:00", "today 17:00"),
        ("2026-11-20", "Fri 20 Nov"),
        ("2026-11-17", "1 day late"),
        ("2026-11-17T23:00", "1 day late"),
        ("2026-11-16T09:00", "2 days late"),
        ("2026-10-01", "48 days late"),
        ("2026-11-18T11:30", "3 h late"),
        ("2026-11-18T13:30", "1 h late"),
        ("2026-11-18T13:31", "59 min late"),
        ("2026-11-04", "14 days late"),
        ("2025-11-18", "365 days late"),
        ("2026-11-18T14:20", "10 min late"),
        ("2026-11-18T14:29", "1 min late"),
    ],
)
def test_overdue_moment_shows_how_late(due: str, words: str) -> None:
    assert format_due(When.parse(due), NOW) == words


@each_row(
    ("now", "words"),
    [
        ("2026-11-18T23:30", "30 min late"),
        ("2026-11-19T00:10", "1 h late"),
        ("2026-11-19T10:59", "11 h late"),
        ("2026-11-19T11:00", "1 day late"),
        ("2026-11-20T01:00", "2 days late"),
    ],
)
def test_midnight_alone_does_not_count_as_a_day(now: str, words: str) -> None:
    assert format_due(When.parse("2026-11-18T23:00"), datetime.fromisoformat(now)) == words


def test_all_day_due_is_late_after_midnight() -> None:
    assert format_due(When.parse("2026-11-18"), datetime(2026, 11, 18, 23, 59)) == "today"
    assert format_due(When.parse("2026-11-18"), datetime(2026, 11, 19, 0, 0)) == "1 day late"


@each_row(
    ("text", "expected"),
    [
        ("Added Buy milk · tomorrow 17:00", "Added Buy milk · Thu 19 Nov 17:00"),
        ("Added Water plants · today · every day", "Added Water plants · Wed 18 Nov · every day"),
        ("Moved Rent · 1 day late → tomorrow", "Moved Rent · Tue 17 Nov → Thu 19 Nov"),
        (
            "Moved A · today → no date; B is unchanged",
            "Moved A · Wed 18 Nov → no date; B is unchanged",
        ),
        ("Changed 9 tasks · due → yesterday 09:00", "Changed 9 tasks · due → Tue 17 Nov 09:00"),
        ("Changed A · hidden until tomorrow", "Changed A · hidden until Thu 19 Nov"),
        ("Completed A; next tomorrow 09:00", "Completed A; next on Thu 19 Nov 09:00"),
        (
            "- A · tomorrow (#2)\n- B (#3) · due today",
            "- A · Thu 19 Nov (#2)\n- B (#3) · due Wed 18 Nov",
        ),
        ("Add “Dinner”, tomorrow 19:00? [yes/no]", "Add “Dinner”, Thu 19 Nov 19:00? [yes/no]"),
        ("Milk (#1) is open: due tomorrow.", "Milk (#1) is open: due Thu 19 Nov."),
        (
            "A (#1) is done already, completed today.",
            "A (#1) is done already, completed Wed 18 Nov.",
        ),
        ("A (#1) was done yesterday.", "A (#1) was done Tue 17 Nov."),
        ("A (#1) is done (today).", "A (#1) is done (Wed 18 Nov)."),
        ("No tasks due tomorrow (Thu 19 Nov).", "No tasks due Thu 19 Nov."),
        ("2 tasks due today (Wed 18 Nov) in work:", "2 tasks due Wed 18 Nov in work:"),
        (
            "No tasks due this week (Mon 16 – Sun 22 Nov).",
            "No tasks due this week (Mon 16 – Sun 22 Nov).",
        ),
        # Titles and filters, and what was a fact of that day.
        ("Added Say today what is for tomorrow", "Added Say today what is for tomorrow"),
        ("Found 3 tasks · due:today", "Found 3 tasks · due:today"),
        ("No tasks matching “due today”.", "No tasks matching “due today”."),
        ("You completed 1 task today:", "You completed 1 task today:"),
        ("Moved A · Fri 20 Nov → 5 Jan 2027", "Moved A · Fri 20 Nov → 5 Jan 2027"),
    ],
)
def test_facts_of_another_day_have_dates(text: str, expected: str) -> None:
    written = date(2026, 11, 18)
    assert date_facts(text, written, date(2026, 11, 21)) == expected
    assert date_facts(text, written, written) == text
