"""Filters as text for people, and names as they are typed in a filter."""

import re
from datetime import date
from typing import assert_never

from todo_tui.domain.dates.text import MONTH_NAMES, WEEKDAY_NAMES, format_day, weekday_name
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.filters import terms
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.text import join_words

_NAMES = re.compile(rf"\b({'|'.join((*WEEKDAY_NAMES, *MONTH_NAMES))})\b")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PLAIN_NAME = re.compile(r"[^\W_][\w.-]*")


def describe_filter(condition: terms.Filter, today: date) -> str:
    """Describe a filter for users: `open · due this week · in work`."""
    return _describe(condition, today, top=True)


def describe_tasks(  # noqa: C901 - as below
    total: int, condition: terms.Filter, today: date
) -> str:
    """Return a number of tasks and what they have in common: `3 overdue tasks in #work`.

    What every list has unless it says otherwise, open tasks outside the trash, is not said.
    """
    parts = condition.parts if isinstance(condition, terms.And) else (condition,)
    before, after, having = [], [], []
    for part in parts:
        match part:
            case terms.Not(terms.HasIds()) | terms.TaskState.OPEN | terms.TaskState.ANY:
                continue
            case terms.Not(terms.TaskState.IN_TRASH):
                continue
            case terms.HasStatus(Status.DONE) if any(map(_is_completion_day, parts)):
                continue
            case terms.TaskState.IN_TRASH:
                after.append(_describe(part, today))
            case terms.HasStatus() | terms.TaskState() | terms.HasPriority():
                before.append(_describe(part, today))
            case terms.HasField(terms.TaskField.RECURRENCE):
                before.append(_describe(part, today))
            case terms.InProject(name):
                after.append(f"in {format_project(name)}")
            case terms.HasTag(name):
                after.append(f"tagged {format_tag(name)}")
            case terms.ContainsText() | terms.Not(terms.HasField()):
                having.append(_describe(part, today))
            case _:
                after.append(_describe(part, today))
    if having:
        after.append(f"with {join_words(having, 'and')}")
    noun = "task" if total == 1 else "tasks"
    return " ".join([f"{total:,}" if total else "No", *before, noun, *after])


def _is_completion_day(term: terms.Filter) -> bool:
    return isinstance(term, terms.WithinDays) and term.of is terms.DayField.COMPLETED


def _describe(  # noqa: C901 - one case a kind of term
    term: terms.Filter, today: date, *, top: bool = False
) -> str:
    match term:
        case terms.And(parts):
            return _describe_all(parts, today, top=top)
        case terms.Or(parts):
            texts = " or ".join(_describe(part, today) for part in parts)
            return texts if top else f"({texts})"
        case terms.Not(terms.HasField(field)):
            return f"no {field.value}"
        case terms.Not(part):
            return f"not {_describe(part, today)}"
        case terms.HasIds(ranges):
            return ", ".join(
                f"#{first}" if first == last else f"#{first}–{last}" for first, last in ranges
            )
        case terms.ChildOf(number):
            return f"subtask of #{number}"
        case terms.DescendantOf(number):
            return f"under #{number}"
        case terms.InProject(name):
            return f"in {name}"
        case terms.HasTag(name):
            return f"tagged {name}"
        case terms.HasPriority(priorities):
            names = ["no" if each is None else each.value for each in priorities]
            if Priority.HIGH in priorities:
                names.reverse()
            return f"{' or '.join(names)} priority"
        case terms.EstimateWithin(lowest, highest):
            return f"estimate {_describe_minutes(lowest, highest)}"
        case terms.HasField(field):
            return "recurring" if field is terms.TaskField.RECURRENCE else f"with {field.value}"
        case terms.WithinDays(field, first, last, words):
            return f"{field.value} {_describe_days(first, last, words, today)}"
        case terms.BeforeOrAfter():
            strict, loose = ("before", "by") if term.before else ("after", "since")
            side = loose if term.inclusive else strict
            return f"{term.of.value} {side} {format_day(term.moment, today)} {term.moment:%H:%M}"
        case terms.HasStatus(status):
            return status.value
        case terms.TaskState():
            return term.value
        case terms.ContainsText(words):
            return f"“{words}”"
        case _:
            assert_never(term)


def _describe_all(parts: tuple[terms.Filter, ...], today: date, *, top: bool) -> str:
    # The trash is excluded by default.
    visible = [part for part in parts if part != terms.NOT_IN_TRASH]
    if len(visible) == 1:
        return _describe(visible[0], today, top=top)
    texts = [_describe(part, today) for part in visible]
    return " · ".join(texts) if top else f"({' and '.join(texts)})"


def _describe_minutes(lowest: int | None, highest: int | None) -> str:
    if lowest == highest and lowest is not None:
        return format_estimate(lowest)
    bounds = (f"{word} {format_estimate(minutes)}" for word, minutes in
              (("from", lowest), ("up to", highest)) if minutes is not None)  # fmt: skip
    return " ".join(bounds)


def _describe_days(first: date | None, last: date | None, words: str, today: date) -> str:
    if first is None:
        return "any day" if last is None else f"until {format_day(last, today)}"
    if last is None:
        return f"from {format_day(first, today)}"
    words = "" if _ISO_DAY.search(words) else words
    span = format_day(first, today)
    if first != last:
        span = f"{span} – {format_day(last, today)}"
    elif words.casefold() == weekday_name(first.weekday()).casefold():
        return span
    return f"{_NAMES.sub(lambda match: match[0].capitalize(), words)} ({span})" if words else span


def format_project(name: str) -> str:
    """Return `#work` if that reads back as the name, else `project:"…"`."""
    is_plain = _PLAIN_NAME.fullmatch(name) and not name.isdigit()
    return f"#{name}" if is_plain else f"project:{_quote(name)}"


def format_tag(name: str) -> str:
    """Return `@home` if that reads back as the name, else `tag:"…"`."""
    return f"@{name}" if _PLAIN_NAME.fullmatch(name) else f"tag:{_quote(name)}"


def format_view(name: str) -> str:
    """Return `view:week`, or `view:"my week"`."""
    return f"view:{name if _PLAIN_NAME.fullmatch(name) else _quote(name)}"


def _quote(text: str) -> str:
    escaped = re.sub(r'(["“”]|\\(?=["“”\\]|$))', r"\\\1", text)
    return f'"{escaped}"'
