"""Values behind a filter key: priorities, ids, fields, states, sort fields, groupings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from todo_tui.domain.filters.lexer import (
    FIELDS,
    GROUPINGS,
    NONE,
    SORT_FIELDS,
    STATES,
    ComparisonSense,
    FilterProblem,
    FilterWord,
    close_matches,
    filter_error,
)
from todo_tui.domain.filters.terms import (
    PRIORITY_ORDER,
    Filter,
    Grouping,
    HasField,
    HasId,
    HasIds,
    HasPriority,
    Not,
    PriorityBetween,
    SortField,
    SortTerm,
    TaskField,
)
from todo_tui.domain.task import PRIORITY_WORDS, Priority
from todo_tui.domain.text import fold_case

MAX_ID = 2**63 - 1
"""Largest integer of SQLite."""

_PRIORITY_WORDS = "high, medium, low or none"

_STATE_WORDS = "open, todo, doing, done, cancelled or all"

_FIELD_WORDS = "due, start, project, tags, priority, notes, children or parent"

_NO_NUMBER = "names no task: a number such as #12 would fit"

_NUMBERS_HINT = "Several are written as id:3,5,7-9."

_ID_RANGE = re.compile(r"#?(?P<first>[0-9]+)(?:(?:-|\.\.)#?(?P<last>[0-9]+))?")

_FIELD_NAMES = (
    "due", "start", "project", "tags", "priority", "notes", "repeat", "parent", "children",
    "blockers", "remarks",
)  # fmt: skip

_SEPARATORS = re.compile(r"[,\s]+")

_SORT = re.compile(r"(?P<before>[+-]?)(?P<name>[^\W\d]+)(?P<after>[+-]?)")


def read_priority(word: FilterWord, name: str) -> Filter:
    """Return the term of one priority.

    Raises:
        FilterProblem: the name is unknown.
    """
    priority = _priority(word, name)
    return _lacks_priority() if priority is None else HasPriority(priority)


def read_priorities(word: FilterWord, sense: ComparisonSense, name: str) -> Filter:
    """Return the term of all priorities on one side of one; none is the lowest.

    Raises:
        FilterProblem: the name is unknown, or that side is empty.
    """
    rank = PRIORITY_ORDER.index(_priority(word, name))
    lowest, highest = {
        ComparisonSense.BEFORE: (0, rank - 1),
        ComparisonSense.UNTIL: (0, rank),
        ComparisonSense.AFTER: (rank + 1, 3),
        ComparisonSense.SINCE: (rank, 3),
        ComparisonSense.ITSELF: (rank, rank),
    }[sense]
    if lowest > highest:
        beyond = "below none" if sense is ComparisonSense.BEFORE else "above high"
        hint = "The order is none, low, medium, high."
        raise filter_error(word, f"fits no task: there is no priority {beyond}", hint=hint)
    match (lowest, highest):
        case (0, 0):
            return _lacks_priority()
        case (1, 3):
            return HasField(TaskField.PRIORITY)
        case (3, 3):
            return HasPriority(Priority.HIGH)
        case _:
            return PriorityBetween(PRIORITY_ORDER[lowest], PRIORITY_ORDER[highest])


def _lacks_priority() -> Filter:
    return Not(HasField(TaskField.PRIORITY))


def _priority(word: FilterWord, name: str) -> Priority | None:
    if fold_case(name) in NONE:
        return None
    priority = PRIORITY_WORDS.get(fold_case(name))
    if priority is None:
        meant = close_matches(name, ("high", "medium", "low", "none"))
        suggestions = tuple(_with_value(word, name, each) for each in meant)
        complaint = f"names no priority: {_PRIORITY_WORDS} would fit"
        if word.text.startswith("!"):
            hint = f"To leave out a word, write: not {name}"
            raise filter_error(word, complaint, suggestions=suggestions, hint=hint)
        hint = "For example priority:high, or priority.from:medium for high and medium."
        raise filter_error(word, complaint, suggestions=suggestions, hint=hint)
    return priority


def read_id(word: FilterWord, value: str) -> int:
    """Parse the id of one task.

    Raises:
        FilterProblem: the value is no id.
    """
    digits = value.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise filter_error(word, _NO_NUMBER, hint="Numbers stand before each task in the list.")
    return _clamp_id(digits)


def read_ids(word: FilterWord, value: str) -> Filter:
    """Return the term of `3,5,7-9`.

    Raises:
        FilterProblem: a part is no number.
    """
    ranges: list[tuple[int, int]] = []
    for part in filter(None, value.split(",")):
        found = _ID_RANGE.fullmatch(part.strip())
        if found is None:
            raise filter_error(word, _NO_NUMBER, hint=_NUMBERS_HINT)
        first = _clamp_id(found["first"])
        last = first if found["last"] is None else _clamp_id(found["last"])
        ranges.append((min(first, last), max(first, last)))
    if not ranges:
        raise filter_error(word, _NO_NUMBER, hint=_NUMBERS_HINT)
    joined = tuple(_merge_ranges(ranges))
    first, last = joined[0]
    return HasId(first) if len(joined) == 1 and first == last else HasIds(joined)


def _merge_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _clamp_id(digits: str) -> int:
    return MAX_ID if len(digits.lstrip("0")) > len(str(MAX_ID)) else min(int(digits), MAX_ID)


def read_presence(word: FilterWord, value: str, *, present: bool) -> Filter:
    """Return the term of a field that is set, or not set.

    Raises:
        FilterProblem: the field is unknown.
    """
    field = FIELDS.get(fold_case(value))
    if field is None:
        suggestions = tuple(
            _with_value(word, value, each) for each in close_matches(value, _FIELD_NAMES)
        )
        hint = "For example has:notes, or no:due."
        raise filter_error(
            word, f"names no field: {_FIELD_WORDS} would fit", suggestions=suggestions, hint=hint
        )
    return HasField(field) if present else Not(HasField(field))


def read_state(word: FilterWord, value: str) -> Filter:
    """Return the term of `status:` or `is:`.

    Raises:
        FilterProblem: the status is unknown.
    """
    state = STATES.get(fold_case(value).replace("_", " ").replace("-", " "))
    if state is None:
        suggestions = tuple(_with_value(word, value, each) for each in close_matches(value, STATES))
        hint = "For example is:doing, or not is:done."
        raise filter_error(
            word, f"names no status: {_STATE_WORDS} would fit", suggestions=suggestions, hint=hint
        )
    return state


def read_sort(word: FilterWord, value: str) -> tuple[SortTerm, ...]:
    """Return the terms of `priority,due-`, most significant first; a field counts once.

    Raises:
        FilterProblem: a part is no sort field.
    """
    terms: dict[SortField, SortTerm] = {}
    for part in filter(None, _SEPARATORS.split(value)):
        found = _SORT.fullmatch(part)
        field = SORT_FIELDS.get(fold_case(found["name"])) if found else None
        if found is None or field is None or (found["before"] and found["after"]):
            raise _unknown_name_error(word, part.strip("+-"), "nothing to sort by", SORT_FIELDS)
        sign = found["before"] or found["after"]
        descending = sign == "-" if sign else field.highest_first
        terms.setdefault(field, SortTerm(field, descending))
    if not terms:
        raise _unknown_name_error(word, "", "nothing to sort by", SORT_FIELDS)
    return tuple(terms.values())


def read_grouping(word: FilterWord, value: str) -> Grouping:
    """Return the grouping of `group:`.

    Raises:
        FilterProblem: the grouping is unknown.
    """
    grouping = GROUPINGS.get(fold_case(value))
    if grouping is None:
        raise _unknown_name_error(word, value, "no headings that I know", GROUPINGS)
    return grouping


def _unknown_name_error(
    word: FilterWord, name: str, lack: str, known: Mapping[str, SortField] | Mapping[str, Grouping]
) -> FilterProblem:
    names = list(dict.fromkeys(each.value for each in known.values()))
    suggestions = (
        tuple(_with_value(word, name, each) for each in close_matches(name, names)) if name else ()
    )
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    hint = "For example sort:priority,due- or group:project."
    return filter_error(
        word, f"names {lack}: {listed} would fit", suggestions=suggestions, hint=hint
    )


def _with_value(word: FilterWord, wrong: str, right: str) -> str:
    """Return the word with its value corrected."""
    before, found, after = word.raw.rpartition(wrong)
    return f"{before}{right}{after}" if found else right
