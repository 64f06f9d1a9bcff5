"""Days that are told by another day: `the day before the tasting`, `that morning`.

The other day is that of a task, or a date in the same message, or that of the tasks of the turn
before.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from todo_tui.domain.dates.text import WEEKDAY_NAMES, month_name
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.clauses import spans_of, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import LINKS, NUMBERS, peeled, tokens
from todo_tui.providers.offline.reading.reader import Reader
from todo_tui.providers.offline.reading.reference_resolver import Resolver
from todo_tui.providers.offline.reading.title_matching import find_strictly, mentioned, stems
from todo_tui.providers.offline.reading.write_gate import is_function
from todo_tui.providers.offline.requests import FoundTasks
from todo_tui.providers.offline.tool_results import ShownTask

_LEAD = r"(?P<lead>\b(on|in|to|for|by|till|until|from|at|make it) )?"
_BESIDE = regex(
    rf"{_LEAD}((?P<count>the|a|an|one|\d{{1,2}}|two|three|four) )"
    r"(?P<unit>day|week|morning|afternoon|evening|night|WEEKDAY)s? (?P<side>before|after)\b"
    r"(?P<anchor>( (?!(tomorrow|next|this|last)\b)[^\s,.;:!?]+){0,9})"
)
_SAME = regex(
    rf"{_LEAD}(that|the same|that same|the(?= \w+ of\b)|same(?= \w+ (as|with)\b)) "
    r"(?P<unit>day|date|morning|afternoon|evening|night)\b"
    r"(?! (before|after|was|is|when|we|i|you)\b)"
    r"(?P<anchor> (as|with|of)( [^\s,.;:!?]+){1,5})?"
)
_SWAP = regex(
    r"((can|could) you )?(please )?(swap|switch|exchange|trade)"
    r"( the)?( (due )?(dates?|days?|deadlines?))?( of| for)?"
    r" (the |my )?(?P<one>.+?) (and|with|for) (the |my )?(?P<other>.+?)( (around|round|over))?"
)
"""An order to give each of two tasks the day of the other."""
_ARTICLES = regex(r"((as|with|of|the|my|our|his|her) )+")
_POINTER = regex(r"(that|it|this|then)(( is|'s|s)( due)?| due)?\b|its due\b")
_GOES_ON = regex(r"(at|around|about|and|but|so|because|if|please|pls|too|instead|in|with|to)\b.*")
"""What may stand behind a day whose anchor was named before."""
_AT = regex(r"^((at|around|about) \d[\d:.]*( ?[ap]m)?)?")
_SUBJECT = regex(r"(i|we|you|he|she|they|i'm|we're)\b.*")
_PARTS = {"night": "evening"} | {each: each for each in ("morning", "afternoon", "evening")}


def with_told_days(text: str, resolver: Resolver, reader: Reader) -> str:
    """Return a text with the date in place of words that tell it by another day."""
    if match := _SWAP.fullmatch(text.strip(" .!?")):
        return _swapped(match, resolver) or text
    for pattern in (_BESIDE, _SAME):
        for match in pattern.finditer(text):
            day, behind = _anchor(match, text, resolver, reader)
            if day is None or (pattern is _SAME and phrases.QUESTION.match(peeled(text))):
                continue
            if pattern is _BESIDE:
                day = _beside(day, match)
            part = _PARTS.get(match["unit"].casefold(), "")
            if part:
                # `at 8 in the evening`
                behind = _AT.sub(rf"\g<0> in the {part} ", behind, count=1).strip()
            lead = match["lead"] or "on "
            words = (
                text[: match.start()],
                f"{'on ' if lead == 'in ' else lead}{_spelled(day)}",
                behind,
                text[match.end() :],
            )
            return re.sub(r" (?=[,.;:!?])", "", " ".join(each.strip() for each in words if each))
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


def _beside(day: date, match: re.Match[str]) -> date:
    """Return the day that lies as far before or after another as a match of `_BESIDE` says."""
    count, unit = match["count"].casefold(), match["unit"].casefold()
    sign = -1 if match["side"].casefold() == "before" else 1
    if unit in WEEKDAY_NAMES:
        return next(
            each
            for each in (day + timedelta(sign * days) for days in range(1, 8))
            if WEEKDAY_NAMES[each.weekday()] == unit
        )
    number = int(count) if count.isdigit() else NUMBERS.get(count, 1)
    return day + timedelta(sign * number * (7 if unit == "week" else 1))


def _anchor(
    match: re.Match[str], text: str, resolver: Resolver, reader: Reader
) -> tuple[date | None, str]:
    """Return the other day, and the words behind it that do not tell it."""
    words = _ARTICLES.sub("", (match["anchor"] or "").strip(), count=1)
    before = text[: match.start()]
    points = _POINTER.match(words)
    if points or not words or _GOES_ON.match(words):
        behind = words[points.end() :].strip() if points else words
        day = _spoken_of(before, resolver, reader)
        return day, behind
    pool = resolver.pool(words)
    if _SUBJECT.fullmatch(words):
        return _day_of(_named_in(words, pool)), ""
    said = words.split()
    for count in range(len(said), 0, -1):
        name, behind = " ".join(said[:count]), " ".join(said[count:])
        if said[count - 1].casefold() in LINKS:
            continue
        found = find_strictly(name, pool)
        if len(found) == 1 and found[0].due is not None:
            return found[0].due.day, behind
        days = reader.dates.stretch(name)
        if days is not None and days.first == days.last:
            return days.first, behind
    return None, ""


def _spoken_of(before: str, resolver: Resolver, reader: Reader) -> date | None:
    """Return the day that was spoken of last: a date, that of a task, or of the turn before."""
    for span in reversed(tuple(spans_of(words_of(before), reader.changes))):
        days = reader.dates.stretch(span.change) if reader.changes.is_date(span.change) else None
        if days is not None and days.first == days.last:
            return days.first
    if found := _named_in(before, resolver.pool(before)):
        return _day_of(found)
    return _day_of(resolver.list_ids(task.id for task in resolver.focus).tasks)


def _named_in(words: str, pool: Iterable[ShownTask]) -> tuple[ShownTask, ...]:
    """Return the tasks all of whose telling words are among these."""
    said = {name for word in tokens(words) for name in stems(word)}
    tasks = mentioned(tokens(words), tuple(pool))[0]
    return tuple(
        task
        for task in tasks
        if {name for name in stems(task.title) if not is_function(name)} <= said
    )


def _day_of(tasks: tuple[ShownTask, ...]) -> date | None:
    """Return the day on which these tasks are due, if all are due on one."""
    days = {task.due.day if task.due else None for task in tasks}
    return days.pop() if len(days) == 1 else None
