"""Logged changes of a task in words, with values as tasks show them."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from todo_tui.domain.changes import (
    CHANGE_WORDS,
    FIELD_WORDS,
    HIDDEN_FIELDS,
    PART_WORDS,
    ChangeKind,
    HistoryEntry,
    UndoReport,
)
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import Actor, RepeatFrom
from todo_tui.domain.text import plain_line, shorten
from todo_tui.domain.when import When

_COUNTS_FROM = {
    RepeatFrom.DUE: "due date, missed ones too",
    RepeatFrom.NEXT: "due date",
    RepeatFrom.COMPLETION: "completion",
}
_VALUES_UNTOLD = frozenset({"notes", "annotations", "position"})
"""Fields of which a brief text tells no values."""
_LONGEST, _BRIEF = 60, 24
"""Characters of a value."""


def visible_changes(changes: Sequence[HistoryEntry]) -> Iterator[HistoryEntry]:
    """Yield the changes without those that follow from another one.

    A new recurrence is followed by what it counts from, unless it is the usual way.
    """
    modes = {change.batch: change.new for change in changes if change.field == "repeat_from"}
    rules = {change.batch: change for change in changes if change.field == "recurrence"}
    for change in changes:
        match change.field:
            case field if field in HIDDEN_FIELDS:
                continue
            case "due_zone" | "start_zone" if not (change.old and change.new):
                # It comes and goes with a time.
                continue
            case "repeat_from" if (rule := rules.get(change.batch)) and not (rule.old and rule.new):
                continue
            case "recurrence" if not change.old:
                yield change
                mode = modes.get(change.batch, RepeatFrom.DUE)
                if mode != RepeatFrom.NEXT:
                    yield change._replace(field="repeat_from", new=mode)
            case _:
                yield change


def describe_change(change: HistoryEntry, now: datetime, *, brief: bool = False) -> str:
    """Return a change in a few words: `due date: none → Fri 27 Nov`, `restored (undo or redo)`.

    A `brief` text names changed notes and annotations alone. `now` is local.
    """
    field = change.field or ""
    label = PART_WORDS.get(field) or FIELD_WORDS.get(field, field)
    values = (_format(field, change.old, now), _format(field, change.new, now))
    old, new = _shortened(*values, _BRIEF if brief else _LONGEST)
    match change.kind, field:
        case "create", _:
            text = CHANGE_WORDS[ChangeKind.ADDED].done
        case "destroy", _:
            text = CHANGE_WORDS[ChangeKind.PURGED].done
        case "set", "deleted_at":
            kind = ChangeKind.RESTORED if change.new is None else ChangeKind.DELETED
            text = CHANGE_WORDS[kind].done
        case "set", "position":
            text = "reordered"
        case "set", "notes" | "annotations" if brief:
            text = label
        case "set", "annotations":
            remarks = [str(remark["text"]) for remark in json.loads(change.new or "[]")]
            text = f"{label}: {'; '.join(remarks) or 'none'}"
        case "add", _:
            text = f"{label}: added {new}"
        case "remove", _:
            text = f"{label}: removed {old}"
        case _:
            text = f"{label}: {old} → {new}"
    return f"{text} (undo or redo)" if change.undoes else text


def describe_undone(report: UndoReport, task_id: int, now: datetime, *, redo: bool) -> str:
    """Return `due date back to Mon 30 Nov` for a task of which an undo set one field.

    For a redo `due date: Mon 30 Nov → Fri 27 Nov`. Empty if others were changed too, or the log
    names another task. `now` is local.
    """
    values = report.values.get(task_id, {})
    if "parent" in values or {*values} != {*report.fields.get(task_id, ())}:
        return ""
    logged = [
        HistoryEntry(now, Actor.USER, "set", name, old, new, undoes=False, batch="")
        for name, (old, new) in values.items()
    ]
    visible = [*visible_changes(logged)]
    if len(visible) != 1:
        return ""
    (change,) = visible
    field = change.field or ""
    if redo or field in _VALUES_UNTOLD:
        return describe_change(change, now, brief=True)
    _, new = _shortened(_format(field, change.old, now), _format(field, change.new, now), _BRIEF)
    return f"{PART_WORDS.get(field) or FIELD_WORDS.get(field, field)} back to {new}"


def _shortened(old: str, new: str, longest: int) -> tuple[str, str]:
    """Return two values within a length; where that hides the difference, begin at its word."""
    if old != new and shorten(old, longest) == shorten(new, longest):
        places = enumerate(zip(old, new, strict=False))
        differs = next((at for at, (a, b) in places if a != b), min(len(old), len(new)))
        start = old.rfind(" ", 0, differs) + 1
        old, new = f"…{old[start:]}", f"…{new[start:]}"
    return shorten(old, longest) or "none", shorten(new, longest) or "none"


def _format(field: str, logged: str | None, now: datetime) -> str:
    """Return a logged value as tasks show it, on one line; empty for none."""
    match field, logged:
        case _, None | "":
            return ""
        case "due" | "start", _:
            return format_when(When.parse(logged), now)
        case "recurrence", _:
            return describe_recurrence(Recurrence(logged, RepeatFrom.NEXT))  # the rule alone
        case "repeat_from", _:
            return _COUNTS_FROM[RepeatFrom(logged)]
        case "estimate", _:
            return format_estimate(int(logged))
        case "parent" | "blocked_by", _:
            return f"#{logged}"
        case _:
            return plain_line(logged)
