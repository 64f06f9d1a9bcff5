"""Undo and redo: the inverse of a batch as a new batch, with conflicts reported; its preview."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.changes import CHANGE_WORDS, ChangeContext, FieldConflict, UndoReport
from todo_tui.domain.errors import NotFound
from todo_tui.domain.task import Actor
from todo_tui.store.database import UserDatabase
from todo_tui.store.operations.oplog import OPS_OF_TASKS, BatchKind, OpKind, net_changed_tasks
from todo_tui.store.tasks.cycles import creates_blocker_cycle, creates_parent_cycle
from todo_tui.store.tasks.results import Origin, UndoPreview
from todo_tui.store.tasks.unit_of_work import BLOCKED_BY, TAGS, TaskRecord, UnitOfWork

_ELEMENTS = (OpKind.ADD, OpKind.REMOVE)
READ_OP = "o.seq, o.op_id, o.task_uuid, o.kind, o.field, o.old, o.new"
_BATCH = "SELECT batch, kind, target, first_op, last_op FROM batches WHERE user = ?"
_INVERSES = """
WITH RECURSIVE inverse (batch, kind, target, first_op, last_op) AS (
    SELECT batch, kind, target, first_op, last_op FROM batches INDEXED BY batches_by_target
        WHERE user = ?1 AND target IN (SELECT value FROM json_each(?2))
    UNION
    SELECT b.batch, b.kind, b.target, b.first_op, b.last_op FROM inverse
        JOIN batches b INDEXED BY batches_by_target
        ON b.user = ?1 AND b.target = inverse.batch
) SELECT * FROM inverse ORDER BY last_op DESC
"""
_ORIGINS = {
    Actor.USER: Origin.APP,
    Actor.CLI: Origin.SHELL,
    Actor.MCP: Origin.MCP,
    Actor.SYNC: Origin.SYNC,
    Actor.IMPORT: Origin.IMPORT,
}
_OF_USER = frozenset({Origin.APP, Origin.SHELL, Origin.OTHER_CONVERSATION})
VERBS = """CASE min(CASE
    WHEN o.kind = 'create' THEN 1
    WHEN o.kind = 'destroy' THEN 2
    WHEN o.field = 'deleted_at' AND o.new IS NOT NULL THEN 3
    WHEN o.field = 'deleted_at' THEN 4
    WHEN o.field = 'status' AND o.new = 'done' THEN 5
    WHEN o.field = 'status' AND o.new = 'cancelled' THEN 6
    WHEN o.field = 'status' AND o.old IN ('done', 'cancelled') THEN 7
    ELSE 8 END)
    WHEN 1 THEN '{added}' WHEN 2 THEN '{purged}' WHEN 3 THEN '{deleted}' WHEN 4 THEN '{restored}'
    WHEN 5 THEN '{completed}' WHEN 6 THEN '{cancelled}' WHEN 7 THEN '{reopened}'
    ELSE '{updated}' END
    """.format(**{kind: words.done.capitalize() for kind, words in CHANGE_WORDS.items()})
"""Verb for the change of a task by a batch: the first that applies."""


class LoggedOp(NamedTuple):
    """An operation and its position in the log, as `READ_OP` selects it."""

    seq: int
    op_id: str
    task_uuid: str
    kind: str
    field: str | None
    old: str | None
    new: str | None


class LoggedBatch(NamedTuple):
    """A batch; `target` is the batch that it inverted itself."""

    id: str
    kind: str
    target: str | None
    first_op: int
    last_op: int


class Inverter:
    """Applies the inverse of operations, given in order, newest first.

    Each inverse names the inverted operation in `undoes`. If a field was changed since, or
    the task no longer exists, a SKIP is logged instead. A task that the operations created is
    removed as a whole, or kept as a whole if others changed it since. With `overwrite`, values
    set since are replaced, and such tasks removed. Without `is_undo` the inverses are changes of
    their own, which name and skip nothing.
    """

    def __init__(
        self,
        work: UnitOfWork,
        logged: list[LoggedOp],
        *,
        overwrite: bool = False,
        is_undo: bool = True,
    ) -> None:
        self.conflicts: list[FieldConflict] = []
        self.fields: defaultdict[int, set[str]] = defaultdict(set)
        """Fields that were changed, by task id."""
        self.values: defaultdict[int, dict[str, tuple[str | None, str | None]]] = defaultdict(dict)
        """Values before and after of the fields that were set, by task id."""
        self._overwrite = overwrite
        self._is_undo = is_undo
        self._work = work
        self._logged = logged
        self._own = {each.op_id for each in self._logged}
        self._created = {each.task_uuid: each for each in self._logged if each.kind == "create"}
        self._kept: set[str] = set()

    def run(self) -> None:
        """Apply all inverses to the tasks of the open transaction."""
        self._work.look_up(each.task_uuid for each in self._logged)
        if self._created and not self._overwrite:
            since = self._work.database.execute(
                "SELECT op_id, task_uuid FROM ops WHERE seq > ? AND user = ?",
                (self._logged[0].seq, self._work.user),
            )
            by_others = {uuid for op_id, uuid in since.fetchall() if op_id not in self._own}
            for uuid, creation in self._created.items():
                record = self._work.by_uuid(uuid)
                if record is not None and uuid in by_others:
                    self._keep_if_changed_since(record, creation)
        for each in reversed(self._logged):
            if self._is_undo:
                self._work.log.undoes = each.op_id
            record = self._work.by_uuid(each.task_uuid)
            if record is None or each.task_uuid in self._kept:
                self._skip(each)
            elif each.kind == OpKind.CREATE or each.task_uuid not in self._created:
                self._invert(each, record)

    def _keep_if_changed_since(self, record: TaskRecord, creation: LoggedOp) -> None:
        rows = self._work.database.execute(
            f"{OPS_OF_TASKS} SELECT {READ_OP} FROM own JOIN ops o ON o.seq = own.seq"  # noqa: S608
            " WHERE o.seq > ? AND o.user = ? ORDER BY o.seq",
            (json.dumps([record.uuid]), creation.seq, self._work.user),
        )
        later = [LoggedOp(*row) for row in rows]
        fields = dict.fromkeys(each.field or "" for each in later if each.op_id not in self._own)
        changed = [name for name in fields if self._changed_since(record, name, later)]
        if changed:
            self._kept.add(record.uuid)
            self._report(record, *changed)

    def _changed_since(self, record: TaskRecord, name: str, later: list[LoggedOp]) -> bool:
        """Return True if others left a value other than the last one and the one before all."""
        ops = [each for each in later if each.field == name]
        if name in (TAGS, BLOCKED_BY):
            elements = {each.new or each.old for each in ops if each.kind in _ELEMENTS}
            return any(
                _before_others([each for each in ops if element in (each.new, each.old)], self._own)
                != (element if self._has(record, name, element or "") else None)
                for element in elements
            )
        written = [each for each in ops if each.kind == OpKind.SET]
        return bool(written) and _before_others(written, self._own) != record.columns[name]

    def _invert(self, each: LoggedOp, record: TaskRecord) -> None:
        match each.kind:
            case OpKind.CREATE if not record.gone:
                self._work.set_gone(record, True)
            case OpKind.DESTROY if record.gone:
                self._work.set_gone(record, False)
            case OpKind.SET if not record.gone:
                self._invert_set(each, record)
            case OpKind.ADD | OpKind.REMOVE if not record.gone:
                self._invert_element(each, record)
            case _:
                self._skip(each)

    def _invert_set(self, each: LoggedOp, record: TaskRecord) -> None:
        name = each.field or ""
        current = record.columns[name]
        is_cycle = name == "parent" and creates_parent_cycle(self._work, record, each.old)
        may_set = current == each.new or self._overwrite
        if may_set and current != each.old and not is_cycle:
            self._work.change(record, {name: each.old})
            self.fields[record.id].add(name)
            values = self.values[record.id]
            values[name] = (values.get(name, (current, None))[0], each.old)
            return
        self._skip(each)
        if current != each.old:
            self._report(record, name)

    def _invert_element(self, each: LoggedOp, record: TaskRecord) -> None:
        name, wanted = each.field or "", each.kind == OpKind.REMOVE
        element = (each.old if wanted else each.new) or ""
        if self._has(record, name, element) is wanted:
            self._skip(each)
        elif name == TAGS:
            change = self._work.add_tags if wanted else self._work.remove_tags
            change(record, [element])
            self.fields[record.id].add(name)
        elif (blocker := self._work.by_uuid(element)) is None:
            self._skip(each)
        elif not wanted:
            self._work.remove_blockers(record, [blocker])
            self.fields[record.id].add(name)
        elif creates_blocker_cycle(self._work, record, blocker):
            self._skip(each)
            self._report(record, BLOCKED_BY)
        else:
            self._work.add_blockers(record, [blocker])
            self.fields[record.id].add(name)

    def _has(self, record: TaskRecord, name: str, element: str) -> bool:
        if name == TAGS:
            return element in record.tags
        blocker = self._work.by_uuid(element)
        return blocker is not None and blocker.row in self._work.blockers(record)

    def _skip(self, each: LoggedOp) -> None:
        if self._is_undo:
            self._work.log.append(each.task_uuid, OpKind.SKIP, each.field)

    def _report(self, record: TaskRecord, *names: str) -> None:
        for name in names:
            conflict = FieldConflict(record.id, record.title, name)
            if conflict not in self.conflicts:
                self.conflicts.append(conflict)


def _before_others(ops: list[LoggedOp], own: set[str]) -> str | None:
    """Return the value after the last own write, or before the first write of others."""
    last_own = max((at for at, each in enumerate(ops) if each.op_id in own), default=None)
    return ops[0].old if last_own is None else ops[last_own].new


def _in_effect(batches: Iterable[LoggedBatch]) -> Iterator[LoggedBatch]:
    """Yield those of the batches, newest first, that no batch in effect among them inverts."""
    inverted: set[str] = set()
    for batch in batches:
        if batch.id not in inverted:
            if batch.target is not None:
                inverted.add(batch.target)
            yield batch


def _all_in_effect(database: Connection, user: str) -> Iterator[LoggedBatch]:
    rows = database.execute(f"{_BATCH} ORDER BY last_op DESC", (user,))
    return _in_effect(LoggedBatch(*row) for row in rows)


def _next_batches(database: Connection, user: str, *, redo: bool) -> Iterator[LoggedBatch]:
    """Yield the batches to invert next, in order.

    Undo inverts the user's newest batch that is not undone; redo the newest undo, of whatever
    batch, unless something was changed since.
    """
    passed = BatchKind.REDO if redo else BatchKind.UNDO
    for batch in _all_in_effect(database, user):
        if redo and batch.kind == BatchKind.DO:
            return
        if batch.kind != passed:
            yield batch


def invert_next_batch(
    database: Connection,
    db: UserDatabase,
    by: ChangeContext,
    *,
    redo: bool,
    only: str | None = None,
) -> tuple[LoggedBatch | None, UndoReport]:
    """Undo or redo the next batch within the open transaction; return it, too.

    Batches of which later changes leave nothing to invert are passed over, and nothing is written
    for them. If there is no other, or if the next one is not `only`, the batch is None; the report
    then has the conflicts alone.
    """
    conflicts: dict[FieldConflict, None] = {}
    for batch in _next_batches(database, db.user, redo=redo):
        database.execute("SAVEPOINT before_batch")
        report = _invert(UnitOfWork(database, db, by), [batch])
        if report.changes and only in (None, batch.id):
            return batch, report
        database.execute("ROLLBACK TO before_batch")
        if report.changes:
            return None, UndoReport()
        conflicts |= dict.fromkeys(report.conflicts)
    return None, UndoReport(conflicts=tuple(conflicts))


def _invert(
    work: UnitOfWork, batches: Sequence[LoggedBatch], *, overwrite: bool = False
) -> UndoReport:
    """Invert batches, given newest first, each as a step of undo, or of redo if it is an undo.

    Tasks that a batch left as they were are not inverted. Nothing is written for a batch whose
    inverse changes no task.
    """
    conflicts: dict[FieldConflict, None] = {}
    changed: set[str] = set()
    fields = defaultdict[int, set[str]](set)
    values = defaultdict[int, dict[str, tuple[str | None, str | None]]](dict)
    for batch in batches:
        rows = work.database.execute(
            f"SELECT {READ_OP} FROM ops o"  # noqa: S608 - a constant
            " WHERE o.seq BETWEEN ? AND ? AND o.batch = ? AND o.user = ? ORDER BY o.seq",
            (batch.first_op, batch.last_op, batch.id, work.user),
        )
        logged = [LoggedOp(*row) for row in rows]
        lasting = net_changed_tasks(each[2:] for each in logged)
        logged = [each for each in logged if each.task_uuid in lasting]
        inverter = Inverter(work, logged, overwrite=overwrite)
        inverter.run()
        conflicts |= dict.fromkeys(inverter.conflicts)
        by_batch = work.log.changed_tasks()
        if not by_batch:
            work.log.discard()
            continue
        changed |= by_batch
        for task_id, names in inverter.fields.items():
            fields[task_id] |= names
        for task_id, set_values in inverter.values.items():
            for name, (old, new) in set_values.items():
                values[task_id][name] = (values[task_id].get(name, (old, None))[0], new)
        kind = BatchKind.REDO if batch.kind == BatchKind.UNDO else BatchKind.UNDO
        work.log.write(kind, _last_inverse(work, batch))
    changes = tuple(each for each in work.finish() if each.task.uuid in changed)
    return UndoReport(changes, tuple(conflicts), fields, values)


def _last_inverse(work: UnitOfWork, batch: LoggedBatch) -> str:
    """Return what is to be inverted so that the batch has no effect: its last redo, or itself."""
    inverses = _inverses(work.database, work.user, [batch.id])
    is_undone = any(each.target == batch.id for each in _in_effect(inverses))
    return inverses[0].id if inverses and not is_undone else batch.id


def invert_batch(work: UnitOfWork, batch_id: str) -> UndoReport:
    """Undo a batch within the open transaction, whatever came after it; redo it if it is an undo.

    The report is empty if it is undone.

    Raises:
        NotFound: the user has no such batch.
    """
    row = work.database.execute(f"{_BATCH} AND batch = ?", (work.user, batch_id)).fetchone()
    if row is None:
        raise NotFound(f"There is no change {batch_id[:40]}.", hint="`todo-tui log` lists them.")
    if undone_batches(work.database, work.user, [batch_id]):
        return UndoReport()
    return _invert(work, [LoggedBatch(*row)])


def _inverses(database: Connection, user: str, batches: Sequence[str]) -> list[LoggedBatch]:
    """Return the inverses of the batches, their inverses and so on, newest first."""
    rows = database.execute(_INVERSES, (user, json.dumps(list(batches))))
    return [LoggedBatch(*row) for row in rows]


def undone_batches(database: Connection, user: str, batches: Sequence[str]) -> set[str]:
    """Return those of the batches that were undone, and not redone since."""
    inverses = _in_effect(_inverses(database, user, batches))
    return {each.target for each in inverses if each.target}.intersection(batches)


def invert_turn(work: UnitOfWork, turn_id: str, *, overwrite: bool = False) -> UndoReport:
    """Undo the batches of a turn within the open transaction, whatever came after them.

    What it undid of others is redone; what it undid of its own stays undone.
    """
    rows = work.database.execute(
        f"{_BATCH} AND batch IN (SELECT batch FROM ops WHERE turn_id = ? AND user = ?)"  # noqa: S608
        " ORDER BY last_op DESC",
        (work.user, turn_id, work.user),
    )
    batches = [LoggedBatch(*row) for row in rows]
    own = {each.id for each in batches}
    left = [each for each in _in_effect(batches) if each.target not in own]
    return _invert(work, left, overwrite=overwrite)


def preview_undo(
    db: UserDatabase, turn_id: str | None, *, redo: bool, after: int = 0
) -> UndoPreview | None:
    """Return the next batch as seen from the conversation of a turn; None if there is none.

    With `after`, the one after as many undos, or redos, of the conversation. Without a turn, or
    with one that is not stored, only changes of that very turn count as the conversation's own.
    """
    by = ChangeContext(Actor.USER, db.new_id())
    with db.file.transaction(dry_run=True), db.file.writing() as database:
        database.execute("SAVEPOINT before_preview")
        batch, _report = invert_next_batch(database, db, by, redo=redo)
        for _ in range(after):
            if batch is not None:
                batch, _report = invert_next_batch(database, db, by, redo=redo)
        database.execute("ROLLBACK TO before_preview")
        if batch is None:
            return None
        conversation = _Conversation(database, db.user, turn_id)
        at, origin = conversation.made(batch.first_op)
        is_last = after > 0 or not conversation.changed_elsewhere()
        expected = origin is Origin.CONVERSATION and is_last
        if redo and origin in _OF_USER and batch.target is not None:
            # The user undid by hand what the conversation did; nothing was changed after that.
            expected = conversation.made_batch(batch.target)
        users = origin in _OF_USER and conversation.has_only_undone()
        # A redo does again what its batch took back.
        done = "o.task_uuid = b.task_uuid AND o.op_id = b.undoes" if redo else "o.seq = b.seq"
        rows = database.execute(
            f"SELECT t.id, t.title, {VERBS} FROM ops b JOIN ops o ON {done}"  # noqa: S608 - constants
            " JOIN tasks t ON t.uuid = o.task_uuid"
            " WHERE b.seq BETWEEN ? AND ? AND b.user = ? AND b.batch = ?"
            " GROUP BY t.id ORDER BY t.id",
            (batch.first_op, batch.last_op, db.user, batch.id),
        ).fetchall()
        return UndoPreview(batch.id, at, origin, expected, users, tuple(rows))


class _Conversation:
    """The conversation of a turn and the batches of its turns."""

    def __init__(self, database: Connection, user: str, turn_id: str | None) -> None:
        self._database = database
        self._user = user
        self._turn_id = turn_id
        row = database.execute(
            "SELECT conversation_id FROM turns WHERE id = ?", (turn_id,)
        ).fetchone()
        self._id: str | None = row[0] if row else None

    def made(self, op: int) -> tuple[datetime, Origin]:
        """Return instant and origin of the operation at that position, and so of its batch."""
        at, actor, turn_id, conversation_id = self._database.execute(
            "SELECT o.at, o.actor, o.turn_id, t.conversation_id FROM ops o"
            " LEFT JOIN turns t ON t.id = o.turn_id WHERE o.seq = ?",
            (op,),
        ).fetchone()
        origin = _ORIGINS.get(Actor(actor), Origin.OTHER_CONVERSATION)
        if turn_id is not None:
            same = conversation_id is not None and conversation_id == self._id
            own = turn_id == self._turn_id or same
            origin = Origin.CONVERSATION if own else Origin.OTHER_CONVERSATION
        return datetime.fromisoformat(at), origin

    def has_only_undone(self) -> bool:
        """Return True if each earlier turn of the conversation made an undo or redo."""
        row = self._database.execute(
            "SELECT 1 FROM turns t WHERE t.conversation_id = ? AND t.id <> ? AND NOT EXISTS"
            " (SELECT 1 FROM ops o WHERE o.turn_id = t.id AND o.undoes IS NOT NULL) LIMIT 1",
            (self._id, self._turn_id),
        ).fetchone()
        return row is None

    def changed_elsewhere(self) -> bool:
        """Return True if the last change came from elsewhere and was not undone there."""
        for batch in _all_in_effect(self._database, self._user):
            if self._owns(batch.first_op):
                return False
            if batch.target is None or self.made_batch(batch.target):
                return True
        return False

    def made_batch(self, batch: str) -> bool:
        """Return True if the conversation made a batch."""
        row = self._database.execute(f"{_BATCH} AND batch = ?", (self._user, batch)).fetchone()
        return self._owns(LoggedBatch(*row).first_op)

    def _owns(self, op: int) -> bool:
        return self.made(op)[1] is Origin.CONVERSATION
