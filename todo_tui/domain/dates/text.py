"""Dates as text for people: weekday and month names, `tomorrow 17:00`, `2 days late`."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.when import Clock, When

WEEKDAY_NAMES = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip
MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
HALF_A_DAY = 12 * 60
"""Minutes overdue that are shown in hours even across midnight: due 23:00, 2 h late at 1:00."""
DAY_NAMES = {-1: "yesterday", 0: "today", 1: "tomorrow"}
FIRST_OCCURRENCE = "first occurrence "
_DATED_NOTES = ("read as ", FIRST_OCCURRENCE)
_DAYS_AWAY = {name: away for away, name in DAY_NAMES.items()}
_RELATIVE_DAY = re.compile(
    r"(?:(?<= [·→] )|(?P<next>(?<=; next ))|(?<=Next: )|(?<=until )|(?<= due )|(?<=”, )"
    r"|(?<=occurrence )|(?<=, completed )|(?<= was done )|(?<= is done \())"
    r"(?P<day>yesterday|today|tomorrow|(?P<late>\d+) days? late)"
    r"(?: \((?:\w{3} )?\d+ \w{3}(?: \d{4})?\)|(?=(?: \d\d:\d\d)?(?:[.,;?)]|$| [·→(])))",
    re.MULTILINE,
)
"""Relative day of a fact in an answer of ours, such as `Buy milk · tomorrow 17:00`.

Its date beside it belongs to it: `due tomorrow (Thu 19 Nov)`.
"""


def weekday_name(weekday: int) -> str:
    """Return `Monday` for 0."""
    return WEEKDAY_NAMES[weekday].capitalize()


def month_name(month: int) -> str:
    """Return `January` for 1."""
    return MONTH_NAMES[month - 1].capitalize()


def format_ordinal(number: int) -> str:
    """Return `1st`, `22nd`, `13th`."""
    teens = 10 < number % 100 < 20
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def format_day(day: date, today: date) -> str:
    """Return `Fri 20 Nov`, or `5 Jan 2027` for another year than that of `today`."""
    date_part = f"{day.day} {month_name(day.month)[:3]}"
    if day.year != today.year:
        return f"{date_part} {day.year}"
    return f"{weekday_name(day.weekday())[:3]} {date_part}"


def date_facts(text: str, written: date, today: date) -> str:
    """Return an answer of ours with dates for its relative days if it was not written today.

    `Moved Buy milk · tomorrow → Mon 23 Nov`: `Moved Buy milk · Fri 20 Nov → Mon 23 Nov`.
    """
    if written == today:
        return text

    def name(match: re.Match[str]) -> str:
        away = -int(match["late"]) if match["late"] else _DAYS_AWAY[match["day"]]
        on = "on " if match["next"] is not None else ""
        return on + format_day(written + timedelta(days=away), today)

    return _RELATIVE_DAY.sub(name, text)


def format_instant(at: datetime, clock: Clock) -> str:
    """Return the clock's local time of an instant: `Fri 20 Nov 15:00`, `5 Jan 2027 09:00`."""
    local = at.astimezone(ZoneInfo(clock.zone))
    return f"{format_day(local.date(), clock.now().date())} {local:%H:%M}"


def full_day(day: date, today: date) -> str:
    """Return the date of a day that `format_when` names, such as tomorrow; else empty."""
    return format_day(day, today) if (day - today).days in DAY_NAMES else ""


def notes_beside(shown: Iterable[str], notes: Iterable[str]) -> list[str]:
    """Return the notes on a reading without `read as Fri 4 Dec` beside a text that shows that.

    `first occurrence tomorrow` is left out likewise, also in a note of several parts.
    """
    texts = list(shown)

    def is_shown(part: str) -> bool:
        start = next((each for each in _DATED_NOTES if part.startswith(each)), None)
        return start is not None and any(part.removeprefix(start) in text for text in texts)

    parts = ([part for part in note.split("; ") if not is_shown(part)] for note in notes)
    return ["; ".join(each) for each in parts if each]


def format_when(when: When, now: datetime) -> str:
    """Return `today`, `tomorrow 17:00`, `Fri 20 Nov 09:00`, `5 Jan 2027`; `now` is local."""
    today = now.date()
    away = (when.day - today).days
    day = DAY_NAMES.get(away) or format_day(when.day, today)
    return day if when.at is None else f"{day} {when.at:%H:%M}"


def format_due(when: When, now: datetime) -> str:
    """Format like `format_when`, but overdue as `2 days late`, `3 h late` or `10 min late`."""
    wall = now.replace(tzinfo=None)
    if when.local() >= wall.replace(second=0, microsecond=0):
        return format_when(when, now)
    days = (wall.date() - when.day).days
    minutes = int((wall - when.local()).total_seconds()) // 60
    if days and (when.at is None or minutes >= HALF_A_DAY):
        return f"{days} day{'s' if days > 1 else ''} late"
    return f"{minutes // 60} h late" if minutes >= 60 else f"{max(minutes, 1)} min late"
