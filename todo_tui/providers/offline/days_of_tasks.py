"""Days that are told by the day of a task: `buy flowers the day before the tasting`."""

import re
from datetime import date, timedelta

from todo_tui.domain.dates.text import month_name
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.reference_resolver import Resolver
from todo_tui.providers.offline.requests import FoundTasks
from todo_tui.providers.offline.title_matching import find_strictly
from todo_tui.providers.offline.words import NUMBERS

_BESIDE = regex(
    r"(?P<lead>\b(on|to|for|by|till|until|from) )?"
    r"(((the|a|an|one) |(?P<count>\d{1,2}|two|three|four) )"
    r"(?P<unit>day|week|morning|afternoon|evening|night)s? (?P<side>before|after)"
    r"|(the )?same (day|date) (as|with))"
    r" (the |my |our |his |her )?(?!(tomorrow|next|that|this|it|them|last)\b)"
    r"(?P<title>[^\s,.;:!?]+( [^\s,.;:!?]+){0,4})"
)

_SWAP = regex(
    r"((can|could) you )?(please )?(swap|switch|exchange|trade)"
    r"( the)?( (due )?(dates?|days?|deadlines?))?( of| for)?"
    r" (the |my )?(?P<one>.+?) (and|with|for) (the |my )?(?P<other>.+?)( (around|round|over))?"
)
"""An order to give each of two tasks the day of the other."""


def with_days_of_tasks(text: str, resolver: Resolver) -> str:
    """Return a text with the date that is meant where a day is told by that of one task."""
    if match := _SWAP.fullmatch(text.strip(" .!?")):
        return _swapped(match, resolver) or text
    match = _BESIDE.search(text)
    if match is None:
        return text
    words, pool = match["title"].split(), resolver.pool(match["title"])
    for count in range(len(words), 0, -1):
        found = find_strictly(" ".join(words[:count]), pool)
        if len(found) != 1 or found[0].due is None:
            continue
        said, unit = (match["count"] or "one").casefold(), (match["unit"] or "").casefold()
        days = (NUMBERS.get(said) or int(said)) * (7 if unit == "week" else 1)
        sign = {"before": -1, "after": 1}.get((match["side"] or "").casefold(), 0)
        part = {"": "", "day": "", "week": "", "night": " in the evening"}.get(
            unit, f" in the {unit}"
        )
        told = (
            f"{match['lead'] or 'on '}{_spelled(found[0].due.day + sign * timedelta(days))}{part}"
        )
        return " ".join(
            filter(None, (text[: match.start()], told, *words[count:], text[match.end() :]))
        )
    return text


def _swapped(match: re.Match[str], resolver: Resolver) -> str:
    """Return the order to move two tasks to each other's days; empty where one has none."""
    both = [resolver.resolve(match[name]) for name in ("one", "other")]
    tasks = [found.tasks[0] for found in both if isinstance(found, FoundTasks) and found.tasks]
    days = [_spelled(task.due.day) for task in tasks if task.due]
    if len(tasks) + len(days) != 2 * len(both):
        return ""
    return f"move #{tasks[0].id} to {days[1]} and #{tasks[1].id} to {days[0]}"


def _spelled(day: date) -> str:
    return f"{day.day} {month_name(day.month)} {day.year}"
