"""What stands behind the colon of a filter: priorities, numbers of tasks, fields, orders."""

from __future__ import annotations

import re
from collections.abc import Mapping

from todo_tui.domain.filter_problem import FilterProblem, alike, problem
from todo_tui.domain.filter_query import Grouping, SortField, SortTerm
from todo_tui.domain.filter_terms import (
    PRIORITY_LADDER,
    Filter,
    Has,
    HasId,
    HasIds,
    HasPriority,
    Not,
    PriorityWithin,
    TaskField,
)
from todo_tui.domain.filter_tokens import Word
from todo_tui.domain.filter_vocabulary import (
    FIELDS,
    GROUPINGS,
    NONE,
    PRIORITIES,
    SORT_FIELDS,
    STATES,
    Sense,
)
from todo_tui.domain.task import Priority
from todo_tui.domain.text import folded

MOST_ID = 2**63 - 1
"""The largest number that SQLite can hold; no task will ever have it."""

_PRIORITY_WORDS = "high, medium, low or none"
_STATE_WORDS = "open, todo, doing, done, cancelled or all"
_FIELD_WORDS = "due, start, project, tags, priority, notes, children or parent"
_NO_NUMBER = "names no task: a number such as #12 would fit"
_NUMBERS_HINT = "Several are written as id:3,5,7-9."
_STRETCH = re.compile(r"#?(?P<first>[0-9]+)(?:(?:-|\.\.)#?(?P<last>[0-9]+))?")
_FIELD_NAMES = (
    "due", "start", "project", "tags", "priority", "notes", "repeat", "parent", "children",
    "blockers", "remarks",
)  # fmt: skip
_SEPARATORS = re.compile(r"[,\s]+")
_SORT = re.compile(r"(?P<before>[+-]?)(?P<name>[^\W\d]+)(?P<behind>[+-]?)")


def read_priority(word: Word, name: str) -> Filter:
    """The term of one priority.

    Raises:
        FilterProblem: it is none.
    """
    priority = _priority(word, name)
    return _lacks_priority() if priority is None else HasPriority(priority)


def read_priorities(word: Word, sense: Sense, name: str) -> Filter:
    """The term of all priorities on one side of one; to have none is the lowest.

    Raises:
        FilterProblem: it is none, or nothing lies on that side.
    """
    rank = PRIORITY_LADDER.index(_priority(word, name))
    lowest, highest = {
        Sense.BEFORE: (0, rank - 1),
        Sense.UNTIL: (0, rank),
        Sense.AFTER: (rank + 1, 3),
        Sense.SINCE: (rank, 3),
        Sense.ITSELF: (rank, rank),
    }[sense]
    if lowest > highest:
        beyond = "below none" if sense is Sense.BEFORE else "above high"
        hint = "The order is none, low, medium, high."
        raise problem(word, f"fits no task: there is no priority {beyond}", hint=hint)
    match (lowest, highest):
        case (0, 0):
            return _lacks_priority()
        case (1, 3):
            return Has(TaskField.PRIORITY)
        case (3, 3):
            return HasPriority(Priority.HIGH)
        case _:
            return PriorityWithin(PRIORITY_LADDER[lowest], PRIORITY_LADDER[highest])


def _lacks_priority() -> Filter:
    return Not(Has(TaskField.PRIORITY))


def _priority(word: Word, name: str) -> Priority | None:
    if folded(name) in NONE:
        return None
    priority = PRIORITIES.get(folded(name))
    if priority is None:
        meant = alike(name, ("high", "medium", "low", "none"))
        fits = tuple(_in_place_of(word, name, each) for each in meant)
        complaint = f"names no priority: {_PRIORITY_WORDS} would fit"
        if word.text.startswith("!"):
            hint = f"To leave out a word, write: not {name}"
            raise problem(word, complaint, fits=fits, hint=hint)
        hint = "For example priority:high, or priority.from:medium for high and medium."
        raise problem(word, complaint, fits=fits, hint=hint)
    return priority


def read_number(word: Word, value: str) -> int:
    """The number of one task.

    Raises:
        FilterProblem: it is none.
    """
    digits = value.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise problem(word, _NO_NUMBER, hint="Numbers stand before each task in the list.")
    return _bounded(digits)


def read_numbers(word: Word, value: str) -> Filter:
    """The term of `3,5,7-9`.

    Raises:
        FilterProblem: a part is no number.
    """
    stretches: list[tuple[int, int]] = []
    for part in filter(None, value.split(",")):
        found = _STRETCH.fullmatch(part.strip())
        if found is None:
            raise problem(word, _NO_NUMBER, hint=_NUMBERS_HINT)
        first = _bounded(found["first"])
        last = first if found["last"] is None else _bounded(found["last"])
        stretches.append((min(first, last), max(first, last)))
    if not stretches:
        raise problem(word, _NO_NUMBER, hint=_NUMBERS_HINT)
    joined = tuple(_joined(stretches))
    first, last = joined[0]
    return HasId(first) if len(joined) == 1 and first == last else HasIds(joined)


def _joined(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(stretches):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _bounded(digits: str) -> int:
    return MOST_ID if len(digits.lstrip("0")) > len(str(MOST_ID)) else min(int(digits), MOST_ID)


def read_presence(word: Word, value: str, *, present: bool) -> Filter:
    """The term of a field that is set, or is not.

    Raises:
        FilterProblem: there is no such field.
    """
    field = FIELDS.get(folded(value))
    if field is None:
        fits = tuple(_in_place_of(word, value, each) for each in alike(value, _FIELD_NAMES))
        hint = "For example has:notes, or no:due."
        raise problem(word, f"names no field: {_FIELD_WORDS} would fit", fits=fits, hint=hint)
    return Has(field) if present else Not(Has(field))


def read_state(word: Word, value: str) -> Filter:
    """The term behind `status:` or `is:`.

    Raises:
        FilterProblem: there is no such status.
    """
    state = STATES.get(folded(value).replace("_", " ").replace("-", " "))
    if state is None:
        fits = tuple(_in_place_of(word, value, each) for each in alike(value, STATES))
        hint = "For example is:doing, or not is:done."
        raise problem(word, f"names no status: {_STATE_WORDS} would fit", fits=fits, hint=hint)
    return state


def read_sort(word: Word, value: str) -> tuple[SortTerm, ...]:
    """The terms of `priority,due-`, the weightiest first; a field counts once.

    Raises:
        FilterProblem: a part is no field to sort by.
    """
    terms: dict[SortField, SortTerm] = {}
    for part in filter(None, _SEPARATORS.split(value)):
        found = _SORT.fullmatch(part)
        field = SORT_FIELDS.get(folded(found["name"])) if found else None
        if found is None or field is None or (found["before"] and found["behind"]):
            raise _no_such_name(word, part.strip("+-"), "nothing to sort by", SORT_FIELDS)
        sign = found["before"] or found["behind"]
        descending = sign == "-" if sign else field.highest_first
        terms.setdefault(field, SortTerm(field, descending))
    if not terms:
        raise _no_such_name(word, "", "nothing to sort by", SORT_FIELDS)
    return tuple(terms.values())


def read_grouping(word: Word, value: str) -> Grouping:
    """The headings of `group:`.

    Raises:
        FilterProblem: there are no such headings.
    """
    grouping = GROUPINGS.get(folded(value))
    if grouping is None:
        raise _no_such_name(word, value, "no headings that I know", GROUPINGS)
    return grouping


def _no_such_name(
    word: Word, name: str, lack: str, known: Mapping[str, SortField] | Mapping[str, Grouping]
) -> FilterProblem:
    names = list(dict.fromkeys(each.value for each in known.values()))
    fits = tuple(_in_place_of(word, name, each) for each in alike(name, names)) if name else ()
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    hint = "For example sort:priority,due- or group:project."
    return problem(word, f"names {lack}: {listed} would fit", fits=fits, hint=hint)


def _in_place_of(word: Word, wrong: str, right: str) -> str:
    """The word as it should have been typed."""
    before, found, after = word.raw.rpartition(wrong)
    return f"{before}{right}{after}" if found else right
