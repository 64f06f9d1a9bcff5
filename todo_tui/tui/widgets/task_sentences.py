"""What the pane says after a write: which tasks, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from todo_tui.domain.changes import ChangeKind, FieldConflict, TaskChange, UndoReport
from todo_tui.domain.date_text import when_words
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.widgets.cell_text import clip, steady, width_of

TITLE_CELLS = 32
"""What a title takes of a sentence at the most."""
_SHORTEST_TITLE_CELLS = 12
_NAMED_AT_MOST = 2

Sentence = Callable[[int], str]
"""Words in which a title takes at most so many cells."""

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


def on_one_line(sentence: Sentence, room: int) -> str:
    """With the longest titles that leave it on one line; if none do, with long ones on two."""
    longest = sentence(TITLE_CELLS)
    shorter = map(sentence, range(TITLE_CELLS - 1, _SHORTEST_TITLE_CELLS - 1, -1))
    return next((words for words in (longest, *shorter) if width_of(words) <= room), longest)


def short_title(title: str, cells: int = TITLE_CELLS) -> str:
    """A title that leaves room for the rest of a sentence."""
    return clip(steady(plain_line(title)), cells)


def named(titles: Sequence[str], cells: int = TITLE_CELLS) -> str:
    """`Buy milk`, `Buy milk and Call mom`, `Buy milk, Call mom and 3 more`."""
    shown = [short_title(title, cells) for title in titles[:_NAMED_AT_MOST]]
    if len(titles) > _NAMED_AT_MOST:
        return f"{', '.join(shown)} and {len(titles) - _NAMED_AT_MOST:,} more"
    return " and ".join(shown)


def undo_sentence(report: UndoReport, *, redo: bool = False, cells: int = TITLE_CELLS) -> str:
    """What an undo or a redo did, with the fields that it left alone."""
    verb = "Redone" if redo else "Undone"
    if not report.changes and not report.conflicts:
        return "Nothing to redo." if redo else "Nothing to undo."
    sentences = [f"{verb}: {_changed(report.changes, cells, redo=redo)}."] if report.changes else []
    if report.conflicts:
        sentences.append(f"{_left_alone(report.conflicts)}.")
    return " ".join(sentences)


def _changed(changes: Sequence[TaskChange], cells: int, *, redo: bool) -> str:
    changes = _without_occurrences_made(changes)
    kinds = {change.kind for change in changes}
    names = named([change.task.title for change in changes], cells)
    if len(kinds) > 1:
        return names
    kind = kinds.pop()
    if redo and kind is ChangeKind.UPDATED:
        return names
    state = _STATES[kind]
    return f"{names} {state if len(changes) == 1 else _of_several(state)}"


def _without_occurrences_made(changes: Sequence[TaskChange]) -> Sequence[TaskChange]:
    """Without the next occurrence of what is open or done again: it came and goes with that."""
    turned = (ChangeKind.REOPENED, ChangeKind.COMPLETED)
    titles = {change.task.title for change in changes if change.kind in turned}
    return [each for each in changes if each.kind in turned or each.task.title not in titles]


def _of_several(state: str) -> str:
    return state.replace("is ", "are ", 1).replace("it was", "they were")


def _left_alone(conflicts: Sequence[FieldConflict]) -> str:
    first = conflicts[0]
    field = _FIELD_WORDS.get(first.field, first.field)
    more = f", and {len(conflicts) - 1:,} more," if len(conflicts) > 1 else ""
    verb = "were" if more else "was"
    return f"The {field} of {short_title(first.title)}{more} {verb} changed since and stayed"


def counted(count: int, what: str = "task") -> str:
    """`1 task`, `1,234 tasks`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def subtasks_question(parents: Sequence[Task], count: int) -> str:
    """What is asked before a task with open subtasks is closed."""
    whose = f"{short_title(parents[0].title)} has" if len(parents) == 1 else "They have"
    return f"{whose} {counted(count, 'open subtask')}"


def skip_sentence(tasks: Sequence[Task], now: datetime) -> str:
    """What was skipped, and when it comes again."""
    if len(tasks) == 1 and tasks[0].due is not None:
        again = when_words(tasks[0].due, now)
        return f"Skipped {short_title(tasks[0].title)}: it comes again {again}"
    return f"Skipped {named([task.title for task in tasks])}"


def series_sentence(tasks: Sequence[Task]) -> str:
    """Which tasks come no more."""
    verb = "repeats" if len(tasks) == 1 else "repeat"
    return f"{named([task.title for task in tasks])} {verb} no more"


def task_or_count(tasks: Sequence[Task], cells: int = TITLE_CELLS) -> str:
    """The title of one task, the number of several."""
    return short_title(tasks[0].title, cells) if len(tasks) == 1 else counted(len(tasks))


def along(count: int) -> str:
    """` with 3 subtasks` that went along with their task; nothing for none."""
    return f" with {counted(count, 'subtask')}" if count > 0 else ""


def no_more(tasks: Sequence[Task]) -> str:
    """What cancelling means for tasks that repeat; nothing for others."""
    if not any(task.recurrence for task in tasks):
        return ""
    return ", it comes no more" if len(tasks) == 1 else ", what repeats comes no more"
