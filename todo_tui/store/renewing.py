"""The subtasks of a repeating task, open again under its next occurrence.

What was done stays done where it is, so that it keeps its day in the history; it comes
again as a copy. What is still open goes along. A subtask with a rhythm of its own
goes by that.
"""

from __future__ import annotations

import json
import uuid
from datetime import timedelta

from todo_tui.domain.when import When
from todo_tui.store.circles import would_contain_itself
from todo_tui.store.family import descendants
from todo_tui.store.fields import Columns
from todo_tui.store.task_records import Record
from todo_tui.store.writing import TaskWriting

_COPIES = uuid.UUID("c0a1f6de-7f0b-5d7e-8d55-21c1c5a4e0b3")
"""Namespace of the uuids of subtasks that come again."""

_CARRIED = ("title", "notes", "priority", "due_zone", "start_zone", "project", "position", "extra")
"""Columns that a copy takes over as they are."""


def renew(
    writing: TaskWriting,
    root: Record,
    into: Record,
    *,
    days: int,
    keep_under: Record | None,
    closed_along: set[int],
) -> list[Record]:
    """Open the subtasks of `root` again under `into`, their dates `days` later.

    `into` may be `root` itself. What is done stays under `keep_under`. Answers with
    the subtasks that were made anew.
    """
    below = descendants(writing, [root])
    return _Renewal(writing, root, into, days, keep_under, closed_along).run(below)


def shifted(moment: str | None, days: int) -> str | None:
    """A due or start moment so many days later."""
    if moment is None:
        return None
    when = When.parse(moment)
    try:
        return When(when.day + timedelta(days=days), when.at).iso()
    except OverflowError:
        return moment


class _Renewal:
    def __init__(
        self,
        writing: TaskWriting,
        root: Record,
        into: Record,
        days: int,
        keep_under: Record | None,
        closed_along: set[int],
    ) -> None:
        self._writing = writing
        self._days = days
        self._closed_along = closed_along
        self._again: dict[int, Record] = {root.row: into}
        """By row, what stands for a task in the next occurrence."""
        self._kept: dict[int, Record | None] = {root.row: keep_under}
        """By row, what the done subtasks of a task stay under."""
        self._copies: list[Record] = []

    def run(self, below: dict[int, tuple[Record, Record]]) -> list[Record]:
        for record, parent in below.values():
            if parent.row not in self._again:
                continue  # below a task that goes by a rhythm of its own
            if record.is_open:
                self._take_along(record, parent)
            elif record.columns["recurrence"] is None:
                self._copy(record, parent)
            elif record.row in self._closed_along:
                self._follow(record, parent)
        self._tie(below)
        return self._copies

    def _take_along(self, record: Record, parent: Record) -> None:
        self._again[record.row] = record
        self._kept[record.row] = self._kept[parent.row]
        columns: Columns = {"parent": self._again[parent.row].uuid}
        if record.columns["recurrence"] is None:
            columns["due"] = shifted(record.columns["due"], self._days)
            columns["start"] = shifted(record.columns["start"], self._days)
        self._writing.change(record, columns)

    def _copy(self, record: Record, parent: Record) -> None:
        above = self._again[parent.row]
        columns: Columns = {name: record.columns[name] for name in _CARRIED}
        columns["parent"] = above.uuid
        columns["due"] = shifted(record.columns["due"], self._days)
        columns["start"] = shifted(record.columns["start"], self._days)
        own_uuid = uuid.uuid5(_COPIES, f"{above.uuid} {record.uuid}").hex
        known = self._writing.by_uuid(own_uuid)
        if known is not None and not known.gone:
            # It was made before and outlived an undo, because it was worked on.
            self._writing.change(known, {"parent": above.uuid})
            copy = known
        else:
            if known is not None:
                self._writing.forget(known)
            copy = self._writing.create(
                columns,
                record.tags,
                uuid=own_uuid,
                task_id=None if known is None else known.id,
            )
        self._again[record.row] = copy
        self._kept[record.row] = record
        self._copies.append(copy)
        kept_under = self._kept[parent.row]
        if kept_under is not parent:
            self._writing.change(
                record, {"parent": None if kept_under is None else kept_under.uuid}
            )

    def _follow(self, record: Record, parent: Record) -> None:
        from todo_tui.store.repeating import follow

        followed = follow(self._writing, record, self._closed_along)
        above = self._again[parent.row]
        # An occurrence may have been put under another one of the same series.
        if followed is not None and not would_contain_itself(
            self._writing, followed.record, above.uuid
        ):
            self._writing.change(followed.record, {"parent": above.uuid})
            self._copies += [followed.record, *followed.renewed]

    def _tie(self, below: dict[int, tuple[Record, Record]]) -> None:
        """Let what comes again wait for what comes again, as it was before."""
        rows = json.dumps(list(below))
        pairs = self._writing.database.execute(
            "SELECT task, blocker FROM task_blockers WHERE gone = 0"
            " AND task IN (SELECT value FROM json_each(?))"
            " AND blocker IN (SELECT value FROM json_each(?))",
            (rows, rows),
        ).fetchall()
        for task, blocker in pairs:
            waiting, awaited = self._again.get(task), self._again.get(blocker)
            if waiting is None or awaited is None:
                continue
            if waiting.row == task and awaited.row != blocker:
                self._writing.remove_blockers(waiting, [below[blocker][0]])
            self._writing.add_blockers(waiting, [awaited])
