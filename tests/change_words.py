"""Table of change words: their effect on one task, and on a new one."""

from __future__ import annotations

from typing import NamedTuple

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.task import JsonValue, Priority, RepeatFrom, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.store import Store

Fields = dict[str, JsonValue]
WEEKLY = "FREQ=WEEKLY;BYDAY=FR"


class Row(NamedTuple):
    """Words, the fields that they change on task 1, and those of a task added with them.

    `added` is None where an existing task is needed.
    """

    words: str
    changed: Fields
    added: Fields | None
    in_title: bool = False
    """True for words that quick add has as part of the title."""


ROWS = (
    Row("friday 5pm", {"due": "2026-11-20T17:00"}, {"due": "2026-11-20T17:00"}),
    Row("due:monday", {"due": "2026-11-23"}, {"due": "2026-11-23"}),
    Row("starts thursday", {"start": "2026-11-19"}, {"start": "2026-11-19"}),
    Row(
        "every monday",
        {"recurrence": "FREQ=WEEKLY;BYDAY=MO", "due": "2026-11-23", "repeat_from": "next"},
        {"recurrence": "FREQ=WEEKLY;BYDAY=MO", "due": "2026-11-23", "repeat_from": "next"},
    ),
    Row(
        "every! 2 weeks",
        {"recurrence": "FREQ=WEEKLY;INTERVAL=2", "repeat_from": "completion"},
        {
            "recurrence": "FREQ=WEEKLY;INTERVAL=2",
            "repeat_from": "completion",
            "due": "2026-11-18",
        },
    ),
    Row("1 week later", {"due": "2026-11-27"}, None),
    Row("2 days earlier", {"due": "2026-11-18"}, None),
    Row("!high", {"priority": "high"}, {"priority": "high"}),
    Row(
        "p1 friday",
        {"priority": "high", "due": "2026-11-20"},
        {"priority": "high", "due": "2026-11-20"},
    ),
    Row("+home", {"tags": ["old", "home"]}, {"tags": ["home"]}),
    Row(
        "mon, wed, fri 7am",
        {"recurrence": "FREQ=WEEKLY;BYDAY=MO,WE,FR", "due": "2026-11-20T07:00"},
        {
            "recurrence": "FREQ=WEEKLY;BYDAY=MO,WE,FR",
            "due": "2026-11-20T07:00",
            "repeat_from": "next",
        },
    ),
    Row("#work", {"project": "work"}, {"project": "work"}),
    Row("@home", {"tags": ["old", "home"]}, {"tags": ["home"]}),
    Row("-@old", {"tags": []}, None),
    Row("~30m", {"estimate": 30}, {"estimate": 30}),
    Row("~1h30", {"estimate": 90}, {"estimate": 90}),
    Row("~1.5 hours", {"estimate": 90}, {"estimate": 90}),
    Row(
        "~2h 15min @home",
        {"estimate": 135, "tags": ["old", "home"]},
        {"estimate": 135, "tags": ["home"]},
    ),
    Row("under #4", {"parent": 4}, {"parent": 4}),
    Row("after #4", {"blocked_by": [3, 4]}, {"blocked_by": [4]}),
    Row("-after #3", {"blocked_by": []}, None),
    Row("doing", {"status": "doing"}, {"status": "doing"}, in_title=True),
    Row("todo", {}, {}, in_title=True),
    Row("cancelled", {"due": "2026-11-27", "start": "2026-11-23"}, None),
    Row("skip", {"due": "2026-11-27", "start": "2026-11-23"}, None),
    Row("no date", {"due": None, "recurrence": None, "repeat_from": None}, None),
    Row("no start", {"start": None}, None),
    Row("no repeat", {"recurrence": None, "repeat_from": None}, None),
    Row("no priority", {"priority": None}, None),
    Row("no estimate", {"estimate": None}, None),
    Row("-~", {"estimate": None}, None),
    Row("no project", {"project": None}, None),
    Row("no tags", {"tags": []}, None),
    Row("no parent", {"parent": None}, None),
    Row("no blockers", {"blocked_by": []}, None),
    Row(
        "tomorrow 9am !high #work @new -@old under #4 after #4 doing no start",
        {
            "due": "2026-11-19T09:00",
            "priority": "high",
            "project": "work",
            "tags": ["new"],
            "parent": 4,
            "blocked_by": [3, 4],
            "status": "doing",
            "start": None,
        },
        None,
    ),
)
NOT_UNDERSTOOD = ("blorp", "friday blorp", "!high blorp no date", "under blorp", "after lunch #4")
"""Lines with a word that is not a change."""


def add_tasks(store: Store, by: ChangeContext) -> None:
    """Add task 1 with every field set, and 2 to 4 for its links."""
    many: list[TaskFields] = [
        {
            "title": "Task",
            "due": When.parse("2026-11-20"),
            "start": When.parse("2026-11-16"),
            "recurrence": WEEKLY,
            "repeat_from": RepeatFrom.NEXT,
            "priority": Priority.LOW,
            "estimate": 45,
            "project": "old",
            "tags": ("old",),
        },
        {"title": "Parent"},
        {"title": "Blocker"},
        {"title": "Other"},
    ]
    store.tasks.add_many(many, by=by)
    store.tasks.update([1], {"parent": 2, "blocked_by": (3,)}, by=by)


def fields_of(store: Store, task_id: int = 1) -> Fields:
    """Return the fields that change words can set, as in JSON."""
    task = store.tasks.get(task_id)
    return {
        "due": task.due.iso() if task.due else None,
        "start": task.start.iso() if task.start else None,
        "recurrence": task.recurrence,
        "repeat_from": task.repeat_from.value if task.recurrence else None,
        "priority": task.priority and task.priority.value,
        "estimate": task.estimate,
        "project": task.project,
        "tags": list(task.tags),
        "parent": task.parent,
        "blocked_by": list(task.blocked_by),
        "status": task.status.value,
    }


BARE: Fields = {
    "due": None, "start": None, "recurrence": None, "repeat_from": None, "priority": None,
    "estimate": None, "project": None, "tags": [], "parent": None, "blocked_by": [],
    "status": "todo",
}  # fmt: skip
