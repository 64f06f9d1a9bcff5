"""Repeats: what their words mean, and when they fall due first, next and after that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time
from typing import NamedTuple

from todo_tui.domain.coming import (
    Recurrence,
    dates_after,
    missed_slots,
    next_occurrence,
    occurrence_after_skipping,
    refuse_never,
    upcoming,
)
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.phrases.parsing import Parser
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.reading import complaint, phrase_tokens
from todo_tui.domain.phrases.repeat_changes import beside, changed
from todo_tui.domain.phrases.repeats import days_phrase, repeat_phrase
from todo_tui.domain.phrases.resolve_moments import Frame, Remarks
from todo_tui.domain.phrases.resolve_repeats import resolve_repeat
from todo_tui.domain.phrases.terms import Repeat
from todo_tui.domain.repeat_words import rule_told, rule_words
from todo_tui.domain.rule import Rule, RuleProblem, parse_rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import DateStyle, When

whole_repeat: Parser[Repeat] = repeat_phrase | days_phrase
REPEAT_EXAMPLES = "“every monday 8pm”, “every 3 days”, “monthly on the 15th” or “weekdays at 9”"


class RecurrenceReading(NamedTuple):
    """What a phrase was read as, with the first moment it falls due.

    `note` is for the person: how an ambiguous phrase was read.
    """

    recurrence: Recurrence
    first: When
    note: str | None
    ambiguous: bool


def read_recurrence(text: str, now: datetime, style: DateStyle) -> RecurrenceReading:
    """Read a text that is one repeating phrase, or an RRULE, and nothing else.

    `now` is local. The first occurrence is never before it.

    Raises:
        DateNotUnderstood: the text is no repeat, or one that never happens.
    """
    repeat = _ruled(text) if _is_rule(text) else whole_repeat.whole(phrase_tokens(text))
    if repeat is None:
        raise DateNotUnderstood(complaint(text, "a repeat", REPEAT_EXAMPLES, repeat_phrase))
    return reading_of(repeat, Frame(now, style))


def reading_of(repeat: Repeat, frame: Frame) -> RecurrenceReading:
    """The reading of a repeat that was found in a longer text.

    Raises:
        DateNotUnderstood: it never happens, or ends before it begins.
    """
    remarks = Remarks()
    resolved = resolve_repeat(repeat, frame, remarks)
    recurrence = Recurrence(resolved.rule.text(), resolved.repeat_from)
    return RecurrenceReading(recurrence, resolved.first, remarks.text, remarks.doubtful)


def first_occurrence(recurrence: Recurrence, now: datetime, at: time | None = None) -> When | None:
    """The first moment from now on, today included; None when it never comes."""
    rule = parse_rule(recurrence.rule)
    repeat = Repeat(rule)
    try:
        resolved = resolve_repeat(repeat, Frame(now, DateStyle()), Remarks(), at)
    except ValidationError:
        return None
    return resolved.first


def recurrence_words(recurrence: Recurrence) -> str:
    """`every Monday`, `every 3 days after completion`; words that can be read again.

    A rule that has no words, or cannot be read, is given as it is.
    """
    return _in_words(recurrence, rule_words)


def recurrence_told(recurrence: Recurrence) -> str:
    """As `recurrence_words`, to be read by people alone: `every day, 5 times in all`.

    Where other programs have ended a rule in a way that our words cannot, it is told.
    """
    return _in_words(recurrence, rule_told)


def _in_words(recurrence: Recurrence, worded: Callable[[Rule], str | None]) -> str:
    try:
        words = worded(parse_rule(recurrence.rule)) or recurrence.rule
    except RuleProblem:
        return recurrence.rule
    match recurrence.repeat_from:
        case RepeatFrom.COMPLETION:
            return f"{words} after completion"
        case RepeatFrom.NEXT:
            return words
        case RepeatFrom.DUE:
            return f"{words}, missed ones too"


def _is_rule(text: str) -> bool:
    return text.strip().upper().startswith(("FREQ=", "RRULE:"))


def _ruled(text: str) -> Repeat | None:
    """An RRULE with the words that may follow it: a time, a start, `after completion`."""
    head, _, tail = text.strip().partition(" ")
    try:
        rule = parse_rule(head)
    except RuleProblem as problem:
        raise DateNotUnderstood(problem.message) from problem
    changes = beside.whole(phrase_tokens(tail))
    return None if changes is None else changed(Repeat(rule), changes)


__all__ = [
    "Recurrence",
    "RecurrenceReading",
    "dates_after",
    "first_occurrence",
    "missed_slots",
    "next_occurrence",
    "occurrence_after_skipping",
    "read_recurrence",
    "reading_of",
    "recurrence_told",
    "recurrence_words",
    "refuse_never",
    "upcoming",
]
