"""Days that are told by the day of a task: `buy flowers the day before the tasting`."""

from datetime import timedelta

from todo_tui.domain.dates.text import month_name
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.reference_resolver import Resolver
from todo_tui.providers.offline.title_matching import find_strictly
from todo_tui.providers.offline.words import NUMBERS

_BESIDE = regex(
    r"(?P<lead>\b(on|to|for|by|till|until|from) )?"
    r"((the|a|an|one) |(?P<count>\d{1,2}|two|three|four) )"
    r"(?P<unit>day|week|morning|afternoon|evening|night)s? (?P<side>before|after)"
    r" (the |my |our |his |her )?(?!(tomorrow|next|that|this|it|them|last)\b)"
    r"(?P<title>[^\s,.;:!?]+( [^\s,.;:!?]+){0,4})"
)


def with_days_of_tasks(text: str, resolver: Resolver) -> str:
    """Return a text with the date that is meant where a day is told by that of one task."""
    match = _BESIDE.search(text)
    if match is None:
        return text
    words, pool = match["title"].split(), resolver.pool(match["title"])
    for count in range(len(words), 0, -1):
        found = find_strictly(" ".join(words[:count]), pool)
        if len(found) != 1 or found[0].due is None:
            continue
        said, unit = (match["count"] or "one").casefold(), match["unit"].casefold()
        days = (NUMBERS.get(said) or int(said)) * (7 if unit == "week" else 1)
        sign = -1 if match["side"].casefold() == "before" else 1
        part = {"day": "", "week": "", "night": " in the evening"}.get(unit, f" in the {unit}")
        day = found[0].due.day + sign * timedelta(days)
        told = f"{match['lead'] or 'on '}{day.day} {month_name(day.month)} {day.year}{part}"
        return " ".join(
            filter(None, (text[: match.start()], told, *words[count:], text[match.end() :]))
        )
    return text
