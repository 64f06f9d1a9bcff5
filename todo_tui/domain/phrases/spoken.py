"""Names of days and months as they are said to a person."""

from __future__ import annotations

from datetime import date

from todo_tui.domain.phrases.calendar_names import MONTH_NAMES, WEEKDAY_NAMES


def weekday_name(weekday: int) -> str:
    """`Monday` for 0."""
    return WEEKDAY_NAMES[weekday].capitalize()


def month_name(month: int) -> str:
    """`January` for 1."""
    return MONTH_NAMES[month - 1].capitalize()


def nth_words(number: int) -> str:
    """`1st`, `22nd`, `13th`."""
    teens = 10 < number % 100 < 20
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def day_words(day: date, today: date) -> str:
    """`Fri 20 Nov`; with the year instead of the weekday when it is another: `5 Jan 2027`."""
    date_part = f"{day.day} {month_name(day.month)[:3]}"
    if day.year != today.year:
        return f"{date_part} {day.year}"
    return f"{weekday_name(day.weekday())[:3]} {date_part}"
