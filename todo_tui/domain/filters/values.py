"""Readers of filter keys and their values: priorities, estimates, ids, fields, states, orders.

They raise a FilterProblem for a value that is unknown or does not fit.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from todo_tui.domain.estimates import parse_estimate
from todo_tui.domain.filters import terms
from todo_tui.domain.filters.lexer import (
    QUOTE_HINT,
    FilterProblem,
    FilterWord,
    KeyedWord,
    filter_error,
)
from todo_tui.domain.filters.vocabulary import (
    COMPARISONS,
    FIELD_NAMES,
    FIELDS,
    GROUPINGS,
    KEY_ROWS,
    NONE,
    SORT_FIELDS,
    STATES,
    UNEQUAL,
    Comparison,
    KeyRow,
)
from todo_tui.domain.task import MAX_ID, PRIORITY_WORDS, Priority
from todo_tui.domain.text import fold_case, join_words, similar

_NO_NUMBER = "is not a task number such as #12"
_ID_RANGE = re.compile(r"#?(?P<first>[0-9]+)(?:(?:-|\.\.)#?(?P<last>[0-9]+))?")
_SEPARATORS = re.compile(r"[,\s]+")
_SORT = re.compile(r"(?P<before>[+-]?)(?P<name>[^\W\d]+)(?P<after>[+-]?)")
DAY_HINT = "Examples: due.before:friday, done.since:monday, due:2026-12-01."
_PRIORITY_HINT = "Example: priority.from:medium for medium and high."
_ESTIMATE_HINT = "Examples: estimate<=30m, estimate.from:1h."
_TYPO = 0.75
_ORDER_HINT = "Examples: sort:priority,due- and group:project."


def read_priorities(
    word: FilterWord, name: str, comparison: Comparison = Comparison.ITSELF
) -> terms.Filter:
    """Return the term of one priority, or of all on one side of it; none is the lowest."""
    rank = terms.PRIORITY_ORDER.index(_priority(word, name))
    lowest, highest = {
        Comparison.BEFORE: (0, rank - 1),
        Comparison.UNTIL: (0, rank),
        Comparison.AFTER: (rank + 1, 3),
        Comparison.SINCE: (rank, 3),
        Comparison.ITSELF: (rank, rank),
    }[comparison]
    if lowest > highest:
        beyond = "below none" if comparison is Comparison.BEFORE else "above high"
        hint = "Priorities, lowest first: none, low, medium, high."
        raise filter_error(word, f"matches no task: there is no priority {beyond}", hint=hint)
    match (lowest, highest):
        case (0, 0):
            return terms.Not(terms.HasField(terms.TaskField.PRIORITY))
        case (1, 3):
            return terms.HasField(terms.TaskField.PRIORITY)
        case _:
            return terms.HasPriority(terms.PRIORITY_ORDER[lowest : highest + 1])


def _priority(word: FilterWord, name: str) -> Priority | None:
    if fold_case(name) in NONE:
        return None
    priority = PRIORITY_WORDS.get(fold_case(name))
    if priority is None:
        hint = "Examples: priority:high, priority.from:medium for medium and high."
        if word.text.startswith("!"):
            hint = f"To exclude a word, write: not {name}"
        complaint = "is not a priority; use high, medium, low or none"
        raise _unknown(word, name, complaint, ("high", "medium", "low", "none"), hint)
    return priority


def read_estimates(
    word: FilterWord, text: str, comparison: Comparison = Comparison.ITSELF
) -> terms.Filter:
    """Return the term of one estimate, or of all on one side of it."""
    minutes = parse_estimate(text)
    if minutes is None:
        raise filter_error(word, "is not an estimate; use 30m, 1h30 or none", hint=_ESTIMATE_HINT)
    return {
        Comparison.BEFORE: terms.EstimateWithin(None, minutes - 1),
        Comparison.UNTIL: terms.EstimateWithin(None, minutes),
        Comparison.AFTER: terms.EstimateWithin(minutes + 1, None),
        Comparison.SINCE: terms.EstimateWithin(minutes, None),
        Comparison.ITSELF: terms.EstimateWithin(minutes, minutes),
    }[comparison]


ORDERED_READERS = {"priority": read_priorities, "estimate": read_estimates}
"""Readers of compared values by the name of the key, without days."""


def read_id(word: FilterWord, value: str) -> int:
    """Parse the id of one task."""
    digits = value.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise filter_error(word, _NO_NUMBER, hint="The list shows the number of each task.")
    return _clamp_id(digits)


def _read_ids(word: FilterWord, value: str) -> terms.Filter:
    """Return the term of `3,5,7-9`."""
    ranges: list[tuple[int, int]] = []
    for part in filter(None, value.split(",")):
        found = _ID_RANGE.fullmatch(part.strip())
        if found is None:
            ranges.clear()
            break
        first = _clamp_id(found["first"])
        last = first if found["last"] is None else _clamp_id(found["last"])
        ranges.append((min(first, last), max(first, last)))
    if not ranges:
        raise filter_error(word, _NO_NUMBER, hint="For several tasks write id:3,5,7-9.")
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return terms.HasIds(tuple(joined))


def _clamp_id(digits: str) -> int:
    return MAX_ID if len(digits.lstrip("0")) > len(str(MAX_ID)) else min(int(digits), MAX_ID)


def _read_field(word: FilterWord, value: str) -> terms.HasField:
    field = FIELDS.get(fold_case(value))
    if field is None:
        names = join_words(FIELD_NAMES, "or")
        hint = "Examples: has:notes, no:due."
        raise _unknown(word, value, f"is not a field; use {names}", FIELD_NAMES, hint)
    return terms.HasField(field)


def _read_state(word: FilterWord, value: str) -> terms.Filter:
    state = STATES.get(fold_case(value).replace("_", " ").replace("-", " "))
    if state is None:
        complaint = "is not a status; use open, todo, doing, done, cancelled or all"
        hint = "Examples: is:doing, not is:done."
        raise _unknown(word, value, complaint, STATES, hint)
    return state


VALUE_READERS: Mapping[str, Callable[[FilterWord, str], terms.Filter]] = {
    "project": lambda _, name: terms.InProject(name),
    "tag": lambda _, name: terms.HasTag(name),
    **ORDERED_READERS,
    "status": _read_state,
    "id": _read_ids,
    "parent": lambda word, value: terms.ChildOf(read_id(word, value)),
    "under": lambda word, value: terms.DescendantOf(read_id(word, value)),
    "no": lambda word, value: terms.Not(_read_field(word, value)),
    "has": _read_field,
}
"""Readers by the name of the key, without days, views, sort and group."""


def read_sort(word: FilterWord, value: str) -> tuple[terms.SortTerm, ...]:
    """Return the terms of `priority,due-`, most significant first; a field counts once."""
    order: dict[terms.SortField, terms.SortTerm] = {}
    for part in filter(None, _SEPARATORS.split(value)):
        found = _SORT.fullmatch(part)
        field = SORT_FIELDS.get(fold_case(found["name"])) if found else None
        if found is None or field is None or (found["before"] and found["after"]):
            raise _unknown_order(word, part.strip("+-"), "a sort field", SORT_FIELDS)
        sign = found["before"] or found["after"]
        descending = sign == "-" if sign else field.highest_first
        order.setdefault(field, terms.SortTerm(field, descending))
    if not order:
        raise _unknown_order(word, "", "a sort field", SORT_FIELDS)
    return tuple(order.values())


def read_grouping(word: FilterWord, value: str) -> terms.Grouping:
    """Return the grouping of `group:`."""
    grouping = GROUPINGS.get(fold_case(value))
    if grouping is None:
        raise _unknown_order(word, value, "a grouping", GROUPINGS)
    return grouping


def _unknown_order(
    word: FilterWord,
    name: str,
    lack: str,
    known: Mapping[str, terms.SortField] | Mapping[str, terms.Grouping],
) -> FilterProblem:
    names = list(dict.fromkeys(each.value for each in known.values()))
    complaint = f"is not {lack}; use {join_words(names, 'or')}"
    return _unknown(word, name, complaint, names, _ORDER_HINT)


def _unknown(
    word: FilterWord, value: str, complaint: str, known: Iterable[str], hint: str
) -> FilterProblem:
    """Build the error for a value; the word with similar known values is suggested."""
    before, found, after = word.raw.rpartition(value)
    suggestions = (f"{before}{each}{after}" if found else each for each in similar(value, known))
    return filter_error(word, complaint, suggestions=suggestions, hint=hint)


def reject_unknown_key(word: FilterWord, parts: KeyedWord) -> None:
    r"""Reject a word such as `foo:bar`, whose key is unknown.

    Labels (`Note:`), links (`https://…`), paths (`C:\notes`), `std::map`, `main.py:12` and
    `localhost:8080` are searched for.
    """
    is_place = parts.value.isdigit() and (parts.modifier is not None or parts.head == "localhost")
    if parts.sign or not parts.value or parts.value[0] in "/\\:" or is_place:
        return
    rest = word.raw[len(parts.head) :]
    known = (each for row in KEY_ROWS for each in (row.words if row.day else row.words[:1]))
    meant = similar(parts.head, known, likeness=_TYPO)
    keys = join_words([f"{row.name}:" for row in KEY_ROWS], "or")
    raise filter_error(
        word,
        f"has an unknown key: {parts.head}",
        suggestions=[f"{each}{rest}" for each in meant],
        hint=QUOTE_HINT if meant else f"Use {keys}. {QUOTE_HINT}",
    )


def read_comparison(word: FilterWord, parts: KeyedWord, head: str, key: KeyRow) -> Comparison:
    """Return the comparison of `.before` in `due.before:`."""
    if not key.is_ordered:
        raise filter_error(
            word,
            f"cannot be compared; use {head}:{parts.value}",
            hint="Only days, priorities and estimates have comparisons, e.g. due.before:friday.",
        )
    modifier = parts.modifier or ""
    comparison = COMPARISONS.get(modifier)
    if comparison is None or (parts.sign and parts.sign not in ("=", *UNEQUAL)):
        known, hint = (
            (("before", "after", "by", "since"), DAY_HINT)
            if key.day is not None
            else (
                ("above", "below", "from", "to"),
                _PRIORITY_HINT if key.name == "priority" else _ESTIMATE_HINT,
            )
        )
        listed = f"{head}.{', .'.join(known[:-1])} or .{known[-1]}"
        suggestions = (f"{head}.{each}:{parts.value}" for each in similar(modifier, known))
        raise filter_error(word, f"is unknown; use {listed}", suggestions=suggestions, hint=hint)
    return comparison
