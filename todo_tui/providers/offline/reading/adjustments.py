"""Requests adjusted to the task that they change, once it is found.

An hour is in the half of the day in which the task is, a task is not due before it starts, a date
from now on is that of the rule, and what was closed is reopened before it gets a date.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from todo_tui.domain.dates.text import format_ordinal, weekday_name
from todo_tui.domain.when import When
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import ChangeReader, is_time
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import base_form, tokens, word_set
from todo_tui.providers.offline.reading.reference_resolver import Resolver
from todo_tui.providers.offline.reading.title_matching import find_exactly
from todo_tui.providers.offline.requests import Change, FoundTasks, TaskRequest, Verb
from todo_tui.providers.offline.tool_results import ShownTask

_DAY_OF_RULE = regex(r"\b((?P<weekday>WEEKDAY)|\d+(st|nd|rd|th))\b")
"""The day that a recurrence names."""
_START = regex(r"start(s|ing)( from| on)? (?P<days>.+)")


def adjusted(
    ready: Sequence[TaskRequest], resolver: Resolver, changes: ChangeReader
) -> list[TaskRequest]:
    """Return requests with their details adjusted to the tasks."""
    return [_adjusted(each, resolver, changes) for each in ready]


def with_reopened(
    ready: Sequence[TaskRequest], resolver: Resolver, changes: ChangeReader
) -> Iterator[TaskRequest]:
    """Yield requests, before the new date of a closed task its reopening.

    Of a recurring task that is done, the date is that of its next occurrence.
    """
    for each in ready:
        change, task = each.request, _only_task(each, resolver)
        is_closed = task is not None and not (task.is_open or task.in_trash)
        if task and is_closed and isinstance(change, Change) and changes.due(change.details):
            if following := _next_of(task, resolver):
                yield replace(each, found=FoundTasks(following))
                continue
            yield TaskRequest(Change(Verb.REOPEN, change.tasks), each.found)
        yield each


def _next_of(task: ShownTask, resolver: Resolver) -> tuple[ShownTask, ...]:
    """Return the open occurrence of a recurring task that is done; none for another task."""
    same = find_exactly(task.title, resolver.pool(task.title)) if task.repeat_words else ()
    return same if len(same) == 1 and same[0].repeat_words else ()


def _only_task(ready: TaskRequest, resolver: Resolver) -> ShownTask | None:
    """Return all that is known of the one task of a request; None for any other number."""
    ids = [task.id for task in ready.found.tasks] if ready.found else []
    (task,) = resolver.list_ids(ids).tasks or (None,) if len(ids) == 1 else (None,)
    return task


_FROM_NOW_ON = regex(r"\b(from now on|(every time )?from (here|then) on|for good|permanently)\b")
"""What makes a new date of a recurring task its rule."""


def _adjusted(ready: TaskRequest, resolver: Resolver, changes: ChangeReader) -> TaskRequest:
    change, task = ready.request, _only_task(ready, resolver)
    if not isinstance(change, Change) or not change.details or task is None or task.due is None:
        return ready
    details = change.details
    if starts := _START.fullmatch(details):
        details = _starting(starts, task, task.due, resolver)
    elif task.due.at is not None:
        details = changes.near_time(details, task.due.at)
    if task.repeat_words and ends_rule(details, resolver.message, changes):
        details = f"{task.repeat_words} until {_UNTIL.sub('', details).strip()}"
    elif task.repeat_words and _FROM_NOW_ON.search(resolver.message):
        details = _as_rule(details, task.repeat_words, changes)
    return replace(ready, request=replace(change, details=details))


_UNTIL = regex(r"\b(until|till)\b")
_MOVES = word_set("moving_verbs") | {"wait", "hide", "skip", "leave", "pause", "hold"}


def ends_rule(details: str, message: str, changes: ChangeReader) -> bool:
    """Return True for `until christmas`, where no verb moves the task until then."""
    is_day = changes.is_date(details) and not (is_time(details) or changes.repeats(details))
    is_end = is_day and _UNTIL.search(message) is not None
    return is_end and _MOVES.isdisjoint(map(base_form, tokens(message)))


def _starting(starts: re.Match[str], task: ShownTask, due: When, resolver: Resolver) -> str:
    """Return a start with the due date that cannot be before it, or the rule from then on."""
    days = resolver.dates.stretch(starts["days"])
    if days is None or due.day >= days.first:
        return starts[0]
    if task.repeat_words:
        time = f" at {due.at:%H:%M}" if due.at is not None else ""
        return f"{task.repeat_words}{time} starting {days.first} start:{days.first}"
    return f"{starts[0]} {replace(due, day=days.first).iso().replace('T', ' ')}"


def _as_rule(details: str, repeats: str, changes: ChangeReader) -> str:
    """Return change words for all later occurrences: `to sunday from now on`."""
    due = changes.due(details)
    if due is None or changes.repeats(details) or phrases.SHIFT.fullmatch(details):
        return details
    rule, count = repeats, 1
    if not is_time(details):
        weekday, day = weekday_name(due.day.weekday()), format_ordinal(due.day.day)
        rule, count = _DAY_OF_RULE.subn(lambda match: weekday if match["weekday"] else day, rule)
    time = f" at {due.at:%H:%M}" if due.at is not None else ""
    # Of several days nobody knows which one becomes another.
    return (changes.words(f"{rule}{time}") if count == 1 else None) or details
