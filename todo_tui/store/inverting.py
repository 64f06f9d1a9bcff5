"""The inverse of a batch of operations, with respect for what was changed since."""

from __future__ import annotations

import json
from dataclasses import dataclass

from todo_tui.domain.changes import FieldConflict
from todo_tui.store.circles import would_contain_itself, would_wait_for_itself
from todo_tui.store.oplog import Op, OpKind
from todo_tui.store.task_ops import OPS_OF_TASKS
from todo_tui.store.task_records import Record
from todo_tui.store.writing import BLOCKED_BY, TAGS, TaskWriting

_KINDS = {kind.value: kind for kind in OpKind}
_ELEMENTS = (OpKind.ADD, OpKind.REMOVE)
_READ = "o.seq, o.op_id, o.task_uuid, o.kind, o.field, o.old, o.new, o.undoes"
_FEW = 100
"""Tasks for each of which the log is asked alone."""


@dataclass(frozen=True, slots=True)
class LoggedOp:
    """An operation of the log with its place there."""

    seq: int
    op_id: str
    op: Op


def operations_of(writing: TaskWriting, batch: str, first_op: int, last_op: int) -> list[LoggedOp]:
    """The operations of a batch, which lie between these, oldest first."""
    return _read(
        writing,
        f"SELECT {_READ} FROM ops o"  # noqa: S608 - a constant
        " WHERE o.seq BETWEEN ? AND ? AND o.batch = ? AND o.user = ? ORDER BY o.seq",
        (first_op, last_op, batch, writing.user),
    )


def _operations_since(writing: TaskWriting, made: LoggedOp) -> list[LoggedOp]:
    """All operations on a task since it was made."""
    return _read(
        writing,
        f"{OPS_OF_TASKS} SELECT {_READ} FROM own JOIN ops o ON o.seq = own.seq"  # noqa: S608
        " WHERE o.seq > ? AND o.user = ? ORDER BY o.seq",
        (json.dumps([made.op.task_uuid]), made.seq, writing.user),
    )


def _read(writing: TaskWriting, query: str, values: tuple[str | int, ...]) -> list[LoggedOp]:
    rows = writing.database.execute(query, values)
    return [
        LoggedOp(seq, op_id, Op(uuid, _KINDS[kind], field, old, new, undoes))
        for seq, op_id, uuid, kind, field, old, new, undoes in rows
    ]


class Inverting:
    """Applies the inverse of a batch, newest operation first.

    Each inverse names in `undoes` what it takes back. Where a field was changed
    since, or a task is no more, a SKIP stands for the inverse. A task that the batch
    made goes as a whole, or stays as a whole if others wrote into it since.
    """

    def __init__(self, writing: TaskWriting, logged: list[LoggedOp]) -> None:
        self.conflicts: list[FieldConflict] = []
        self._writing = writing
        self._logged = logged
        self._own = {each.op_id for each in logged}
        self._made = {each.op.task_uuid for each in logged if each.op.kind is OpKind.CREATE}
        self._kept: set[str] = set()

    def run(self) -> None:
        """Apply all inverses to the tasks of the open transaction."""
        self._writing.look_up({each.op.task_uuid for each in self._logged})
        written_since = self._written_since()
        for each in self._logged:
            if each.op.kind is OpKind.CREATE and each.op.task_uuid in written_since:
                self._keep_if_changed_since(each)
        for each in reversed(self._logged):
            record = self._writing.by_uuid(each.op.task_uuid)
            if record is None or each.op.task_uuid in self._kept:
                self._skip(each)
            elif each.op.kind is OpKind.CREATE or each.op.task_uuid not in self._made:
                self._invert(each, record)

    def _written_since(self) -> set[str]:
        """Tasks into which others may have written since the batch made them."""
        if len(self._made) <= _FEW:
            return self._made
        rows = self._writing.database.execute(
            "SELECT op_id, task_uuid FROM ops WHERE seq > ? AND user = ?",
            (self._logged[0].seq, self._writing.user),
        )
        return {uuid for op_id, uuid in rows if op_id not in self._own}

    def _keep_if_changed_since(self, made: LoggedOp) -> None:
        record = self._writing.by_uuid(made.op.task_uuid)
        if record is None:
            return
        later = _operations_since(self._writing, made)
        changed = [
            name
            for name in dict.fromkeys(
                each.op.field or "" for each in later if each.op_id not in self._own
            )
            if self._changed_since(record, name, later)
        ]
        if changed:
            self._kept.add(record.uuid)
            self._report(record, *changed)

    def _changed_since(self, record: Record, name: str, later: list[LoggedOp]) -> bool:
        """Whether others left another value in a field than this batch, or than it had before."""
        ops = [each for each in later if each.op.field == name]
        if name in (TAGS, BLOCKED_BY):
            elements = {each.op.new or each.op.old for each in ops if each.op.kind in _ELEMENTS}
            return any(
                _before_others(
                    [each for each in ops if element in (each.op.new, each.op.old)], self._own
                )
                != (element if self._has(record, name, element or "") else None)
                for element in elements
            )
        written = [each for each in ops if each.op.kind is OpKind.SET]
        return bool(written) and _before_others(written, self._own) != record.columns[name]

    def _invert(self, each: LoggedOp, record: Record) -> None:
        op, writing = each.op, self._writing
        match op.kind:
            case OpKind.CREATE if not record.gone:
                writing.set_gone(record, True, each.op_id)
            case OpKind.DESTROY if record.gone:
                writing.set_gone(record, False, each.op_id)
            case OpKind.SET if not record.gone:
                self._invert_set(each, record)
            case OpKind.ADD | OpKind.REMOVE if not record.gone:
                self._invert_element(each, record)
            case _:
                self._skip(each)

    def _invert_set(self, each: LoggedOp, record: Record) -> None:
        name = each.op.field or ""
        current = record.columns[name]
        circle = name == "parent" and would_contain_itself(self._writing, record, each.op.old)
        if current == each.op.new and current != each.op.old and not circle:
            self._writing.change(record, {name: each.op.old}, each.op_id)
            return
        self._skip(each)
        if current != each.op.old:
            self._report(record, name)

    def _invert_element(self, each: LoggedOp, record: Record) -> None:
        name, wanted = each.op.field or "", each.op.kind is OpKind.REMOVE
        element = (each.op.old if wanted else each.op.new) or ""
        if self._has(record, name, element) is wanted:
            self._skip(each)
        elif name == TAGS:
            change = self._writing.add_tags if wanted else self._writing.remove_tags
            change(record, [element], each.op_id)
        else:
            self._invert_blocker(each, record, element, wanted=wanted)

    def _invert_blocker(self, each: LoggedOp, record: Record, uuid: str, *, wanted: bool) -> None:
        blocker = self._writing.by_uuid(uuid)
        if blocker is None:
            self._skip(each)
        elif not wanted:
            self._writing.remove_blockers(record, [blocker], each.op_id)
        elif would_wait_for_itself(self._writing, record, blocker):
            self._skip(each)
            self._report(record, BLOCKED_BY)
        else:
            self._writing.add_blockers(record, [blocker], each.op_id)

    def _has(self, record: Record, name: str, element: str) -> bool:
        if name == TAGS:
            return element in record.tags
        blocker = self._writing.by_uuid(element)
        return blocker is not None and blocker.row in self._writing.blockers(record)

    def _skip(self, each: LoggedOp) -> None:
        self._writing.log.append(
            Op(each.op.task_uuid, OpKind.SKIP, each.op.field, undoes=each.op_id)
        )

    def _report(self, record: Record, *names: str) -> None:
        for name in names:
            conflict = FieldConflict(record.id, record.title, name)
            if conflict not in self.conflicts:
                self.conflicts.append(conflict)


def _before_others(ops: list[LoggedOp], own: set[str]) -> str | None:
    """The value that a field had when this batch wrote it last, or when others first did."""
    last_own = max((at for at, each in enumerate(ops) if each.op_id in own), default=None)
    return ops[0].op.old if last_own is None else ops[last_own].op.new
