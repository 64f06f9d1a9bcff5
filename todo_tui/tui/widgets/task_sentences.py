"""What the pane says after a write: which tasks, in words."""

from __future__ import annotations

from collections.abc import Sequence

from todo_tui.domain.changes import ChangeKind, FieldConflict, TaskChange, UndoReport
from todo_tui.domain.text import plain_line
from todo_tui.tui.widgets.cell_text import clip, steady

_TITLE_CELLS = 32
_NAMED_AT_MOST = 2

_STATES = {
    ChangeKind.ADDED: "is back",
    ChangeKind.UPDATED: "is as it was",
    ChangeKind.COMPLETED: "is done again",
    ChangeKind.REOPENED: "is open again",
    ChangeKind.DELETED: "is in the trash again",
    ChangeKind.RESTORED: "is back",
    ChangeKind.PURGED: "is gone again",
}
_FIELD_WORDS = {
    "due": "due date",
    "due_zone": "due date",
    "start_zone": "start",
    "recurrence": "repeat",
    "repeat_from": "repeat",
    "blocked_by": "blockers",
    "completed_at": "status",
    "deleted_at": "place in the trash",
}


def short_title(title: str) -> str:
    """A title that leaves room for the rest of a sentence."""
    return clip(steady(plain_line(title)), _TITLE_CELLS)


def named(titles: Sequence[str]) -> str:
    """`Buy milk`, `Buy milk and Call mom`, `Buy milk, Call mom and 3 more`."""
    shown = [short_title(title) for title in titles[:_NAMED_AT_MOST]]
    if len(titles) > _NAMED_AT_MOST:
        return f"{', '.join(shown)} and {len(titles) - _NAMED_AT_MOST} more"
    return " and ".join(shown)


def undo_sentence(report: UndoReport, *, redo: bool = False) -> str:
    """What an undo or a redo did, with the fields that it left alone."""
    verb = "Redone" if redo else "Undone"
    if not report.changes and not report.conflicts:
        return "Nothing to redo." if redo else "Nothing to undo."
    sentences = [f"{verb}: {_changed(report.changes, redo=redo)}."] if report.changes else []
    if report.conflicts:
        sentences.append(f"{_left_alone(report.conflicts)}.")
    return " ".join(sentences)


def _changed(changes: Sequence[TaskChange], *, redo: bool) -> str:
    kinds = {change.kind for change in changes}
    names = named([change.task.title for change in changes])
    if len(kinds) > 1:
        return names
    kind = kinds.pop()
    if redo and kind is ChangeKind.UPDATED:
        return names
    state = _STATES[kind]
    return f"{names} {state if len(changes) == 1 else state.replace('is ', 'are ', 1)}"


def _left_alone(conflicts: Sequence[FieldConflict]) -> str:
    first = conflicts[0]
    field = _FIELD_WORDS.get(first.field, first.field)
    more = f", and {len(conflicts) - 1} more," if len(conflicts) > 1 else ""
    verb = "were" if more else "was"
    return f"The {field} of {short_title(first.title)}{more} {verb} changed since and stayed"
