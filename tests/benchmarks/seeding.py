"""Lists of made-up tasks, the same each time: in a store, and as files to import."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path

from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Actor, Priority, Status, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import open_store

_PRIORITIES = (None, Priority.LOW, None, Priority.MEDIUM, None, Priority.HIGH)
_PROJECTS = (None, "home", "home.garden", "work.reports", "work.meetings", "errands", None)
_TAGS = ((), ("chores",), ("phone", "quick"), (), ("office",), ())
_DEEDS = ("call the dentist", "write the report", "buy milk", "water the plants", "book a train")
_kept = tempfile.TemporaryDirectory(prefix="todo-tui-benchmarks-")
_NOTES = "What was said on the phone:\n\n- bring the papers\n- ask for **Anna**"


@dataclass(frozen=True, slots=True)
class MadeUpTask:
    """A task as any list would keep it: most are open, a fifth is done, some are subtasks."""

    number: int
    uuid: str
    title: str
    priority: Priority | None
    project: str | None
    tags: tuple[str, ...]
    due: date | None
    created_at: datetime
    completed_at: datetime | None
    parent: int | None
    notes: str

    @property
    def hyphened(self) -> str:
        """The uuid as most programs write it."""
        digits = self.uuid
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def made_up_tasks(count: int) -> Iterator[MadeUpTask]:
    """So many tasks, numbered from 1, due around today."""
    chosen = random.Random(1)  # noqa: S311 - made-up uuids are not secrets
    now = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for number in range(1, count + 1):
        is_done = number % 5 == 4
        yield MadeUpTask(
            number=number,
            uuid=f"{chosen.getrandbits(128):032x}",
            title=f"Seeded task {number}: {_DEEDS[number % len(_DEEDS)]}",
            priority=_PRIORITIES[number % len(_PRIORITIES)],
            project=_PROJECTS[number % len(_PROJECTS)],
            tags=_TAGS[number % len(_TAGS)],
            due=None if number % 3 == 0 else (now + timedelta(days=number % 90 - 2)).date(),
            created_at=now - timedelta(days=1 + number % 400, seconds=number),
            completed_at=now - timedelta(days=number % 200, seconds=number) if is_done else None,
            parent=number - 1 if number % 10 == 3 else None,
            notes=_NOTES if number % 20 == 0 else "",
        )


def seed_tasks(database: Path, count: int) -> None:
    """Make the file with `count` tasks of the usual user."""
    shutil.copyfile(_seeded(count), database)


@cache
def _seeded(count: int) -> Path:
    """A file to copy: an import of a hundred thousand takes its time, and is needed often."""
    database = Path(_kept.name) / f"{count}.db"
    _seed(database, count)
    return database


def _seed(database: Path, count: int) -> None:
    with open_store(database, user="me", clock=Clock("UTC")) as store:
        store.tasks.import_entries(
            [_draft(task) for task in made_up_tasks(count)],
            by=store.new_change_context(Actor.IMPORT),
        )


def _draft(task: MadeUpTask) -> ImportEntry:
    return ImportEntry(
        fields=TaskFields(
            title=task.title,
            notes=task.notes,
            priority=task.priority,
            project=task.project,
            tags=task.tags,
            due=None if task.due is None else When(task.due),
            status=Status.TODO if task.completed_at is None else Status.DONE,
        ),
        id=task.number,
        uuid=task.uuid,
        parent=task.parent,
        created_at=task.created_at,
        completed_at=task.completed_at,
    )


def write_json(path: Path, count: int) -> None:
    """The tasks as our own JSON has them."""
    entries = [
        {
            "id": task.number,
            "uuid": task.uuid,
            "title": task.title,
            "notes": task.notes,
            "priority": task.priority,
            "project": task.project,
            "tags": task.tags,
            "due": None if task.due is None else task.due.isoformat(),
            "status": "todo" if task.completed_at is None else "done",
            "parent": task.parent,
            "created_at": task.created_at.isoformat(),
            "completed_at": None if task.completed_at is None else task.completed_at.isoformat(),
        }
        for task in made_up_tasks(count)
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")


def write_taskwarrior_json(path: Path, count: int) -> None:
    """The same tasks for `task import`, but for what it does not have: subtasks, notes."""
    path.write_text(
        json.dumps([_taskwarrior_entry(task) for task in made_up_tasks(count)]), encoding="utf-8"
    )


def _taskwarrior_entry(task: MadeUpTask) -> dict[str, object]:
    entry: dict[str, object] = {
        "uuid": task.hyphened,
        "description": task.title,
        "status": "pending" if task.completed_at is None else "completed",
        "entry": f"{task.created_at:%Y%m%dT%H%M%SZ}",
    }
    if task.tags:
        # Of an empty list, which its own exports never have, it makes far more work.
        entry["tags"] = list(task.tags)
    if task.priority is not None:
        entry["priority"] = task.priority.value[0].upper()
    if task.project is not None:
        entry["project"] = task.project
    if task.due is not None:
        entry["due"] = f"{task.due:%Y%m%dT000000Z}"
    if task.completed_at is not None:
        entry["end"] = f"{task.completed_at:%Y%m%dT%H%M%SZ}"
    return entry
