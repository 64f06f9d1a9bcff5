"""TaskStore: every read and write of a user's tasks.

Each write is one transaction and is announced to subscribers once it is committed. The functions
on a unit of work raise as the methods of TaskStore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeContext, ChangeKind, SubtaskPolicy, TaskChange, UndoReport
from todo_tui.domain.errors import Conflict, ValidationError
from todo_tui.domain.task import Annotation, Status, Task, TaskFields
from todo_tui.domain.task_text import clean_notes, clean_tag, clean_title
from todo_tui.domain.text import fold_case
from todo_tui.store.database import UserDatabase
from todo_tui.store.operations.purge import purge_tasks
from todo_tui.store.operations.undo import invert_batch, invert_next_batch, invert_turn
from todo_tui.store.rows import EMPTY, Columns, annotations_from_text, annotations_text, to_columns
from todo_tui.store.tasks.completion import (
    ReopenedTask,
    close_tasks,
    require_open_occurrence,
    set_open,
    set_status,
)
from todo_tui.store.tasks.hierarchy import move_to_trash, restore_tasks
from todo_tui.store.tasks.positions import move_tasks
from todo_tui.store.tasks.reader import TaskReader
from todo_tui.store.tasks.results import CompletionResult, ReopenResult, SkipResult
from todo_tui.store.tasks.unit_of_work import (
    TaskRecord,
    UnitOfWork,
    require_not_in_trash,
    require_recurring,
)

if TYPE_CHECKING:
    from datetime import datetime

    from todo_tui.domain.change_words.reader import ChangeWords
    from todo_tui.domain.import_entry import ImportEntry
    from todo_tui.store.tasks.import_batch import ImportProgress, ImportReport

_DAY = len("2026-11-27")
Subscriber = Callable[[tuple[TaskChange, ...]], None]


def create_task(work: UnitOfWork, fields: TaskFields) -> TaskRecord:
    """Create a task."""
    columns = to_columns(fields, dict(EMPTY), work.zone)
    columns["title"] = clean_title(fields.get("title", ""))
    if columns.get("status") in ("done", "cancelled"):
        columns["completed_at"] = work.stamp
    own_uuid = work.new_id()
    if columns.get("recurrence"):
        columns |= {"series": own_uuid, "slot": _slot(columns.get("due"), work)}
    parent = fields.get("parent")
    if parent is not None:
        columns["parent"] = require_not_in_trash(work.record(parent)).uuid
    record = work.create(columns, fields.get("tags", ()), uuid=own_uuid)
    if fields.get("blocked_by"):
        work.add_blockers(record, work.records(fields["blocked_by"]))
    return record


def set_fields(
    work: UnitOfWork, record: TaskRecord, fields: TaskFields, *, keeps_completed_due: bool = False
) -> None:
    """Set the given fields, except the status; as `TaskStore.update`."""
    columns = to_columns(fields, record.columns, work.zone)
    status = columns.pop("status", None)
    if record.columns["recurrence"] and status not in ("todo", "doing"):
        fixed = ("recurrence", "repeat_from", *(("due",) if keeps_completed_due else ()))
        if any(name in columns and columns[name] != record.columns[name] for name in fixed):
            require_open_occurrence(work, record)
    if columns.get("recurrence") and record.columns["series"] is None:
        columns["series"] = record.uuid
    if _sets_slot(record.columns, columns):
        columns["slot"] = _slot(columns.get("due", record.columns["due"]), work)
    work.change(record, columns)
    if "tags" in fields:
        wanted = {fold_case(clean_tag(tag)) for tag in fields["tags"]}
        work.remove_tags(record, [tag for tag in record.tags if fold_case(tag) not in wanted])
        work.add_tags(record, fields["tags"])
    if "parent" in fields:
        parent = fields["parent"]
        above = None if parent is None else require_not_in_trash(work.record(parent))
        work.set_parent(record, above)
    if "blocked_by" in fields:
        blockers = work.records(fields["blocked_by"])
        kept = {blocker.row for blocker in blockers}
        dropped = [row for row in work.blockers(record) if row not in kept]
        work.remove_blockers(record, work.by_rows(dropped))
        work.add_blockers(record, blockers)


def _sets_slot(present: Columns, columns: Columns) -> bool:
    """Return True if the later occurrences of a task follow its changed dates.

    They do with a new rule, a rule that comes with a due date, a first due date, another zone and
    a time that is added or cleared. All else moves this occurrence alone.
    """
    rule = columns.get("recurrence", present["recurrence"])
    due, before = columns.get("due"), present["due"]
    if rule is None or (due is None and rule == present["recurrence"]):
        return False
    if rule != present["recurrence"] or "recurrence" in columns or due is None or before is None:
        return True
    if columns["due_zone"] and present["due_zone"]:
        return bool(columns["due_zone"] != present["due_zone"])
    return bool(before == present["slot"] and due[:_DAY] == before[:_DAY])


def _slot(due: str | None, work: UnitOfWork) -> str:
    return due or work.clock.now().date().isoformat()


class TaskStore(TaskReader):
    """Reads and writes of a user's tasks; the only owner of tasks.

    Each write is one transaction with a change context, announced to the subscribers after
    the commit. Writes raise NotFound for the first id that is unknown to this user, Conflict for
    a task in the trash, ValidationError for an invalid value and for a task that would be its own
    ancestor or wait for itself, OpenSubtasks if tasks to close have open ones and `children` is to
    be asked, and StoreError if the file cannot be written; then nothing was stored.
    """

    def __init__(self, db: UserDatabase) -> None:
        super().__init__(db)
        self._subscribers: list[Subscriber] = []

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call back after each write of this process, on the writing thread.

        Returns a function that ends the subscription. An exception of a callback reaches the
        writer although the write is committed, so a callback should raise none.
        """
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._subscribers.remove(callback)

        return unsubscribe

    @contextmanager
    def _transaction(self, by: ChangeContext) -> Iterator[UnitOfWork]:
        with self._db.file.writing() as database:
            work = UnitOfWork(database, self._db, by)
            yield work
            changes = work.finish()
        self._announce(changes)

    def _announce(self, changes: tuple[TaskChange, ...]) -> None:
        if changes:
            self._db.file.after_commit(lambda: self._notify(changes))

    def _notify(self, changes: tuple[TaskChange, ...]) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(changes)

    def add(self, fields: TaskFields, *, by: ChangeContext) -> Task:
        """Create one task."""
        return self.add_many([fields], by=by)[0]

    def add_many(self, many: Iterable[TaskFields], *, by: ChangeContext) -> tuple[Task, ...]:
        """Create several tasks in one transaction, with ids in the given order."""
        with self._transaction(by) as work:
            records = [create_task(work, fields) for fields in many]
        return work.tasks(records)

    def import_entries(
        self,
        entries: Sequence[ImportEntry],
        *,
        by: ChangeContext,
        skip_bad: bool = False,
        dry_run: bool = False,
        with_tasks: bool = True,
        progress: ImportProgress | None = None,
    ) -> ImportReport:
        """Create the tasks of file entries in one transaction; existing ones are left unchanged.

        A bad entry stops the import unless `skip_bad` is set; the report names it. A dry run
        stores nothing and reports the result without the bad entries. Without `with_tasks` the
        report has only counts, which is faster.
        """
        from todo_tui.store.tasks.import_batch import ImportBatch, ImportRolledBack

        try:
            with self._db.file.writing() as database:
                batch = ImportBatch(UnitOfWork(database, self._db, by))
                report, changes = batch.run(
                    entries, progress, with_tasks=with_tasks or bool(self._subscribers)
                )
                if dry_run or (report.bad and not skip_bad):
                    raise ImportRolledBack
        except ImportRolledBack:
            return report if dry_run else replace(report, count=0, added=(), remarks=())
        self._announce(changes)
        return report

    def update(
        self,
        ids: Sequence[int],
        fields: TaskFields | Callable[[Task], TaskFields],
        *,
        by: ChangeContext,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        add_blockers: Sequence[int] = (),
        remove_blockers: Sequence[int] = (),
        children: SubtaskPolicy = SubtaskPolicy.ASK,
        keeps_completed_due: bool = False,
    ) -> tuple[Task, ...]:
        """Set the same fields of several tasks, or those that a function returns; all or nothing.

        The status is the same for all. Done completes them and creates the next occurrence of
        recurring ones; cancelled skips the occurrence of recurring ones that have a next date.
        `children` is the policy for open subtasks of a closed task. A new parent moves the whole
        subtree.

        Raises:
            Conflict: the recurrence of a completed occurrence is to change, or with
                `keeps_completed_due` its due date.
        """
        with self._transaction(by) as work:
            records = work.records_outside_trash(ids)
            added, removed = work.records(add_blockers), work.records(remove_blockers)
            if callable(fields):
                # Nobody else writes until the transaction ends.
                tasks = {task.id: task for task in self.rows(ids)}
                of_each = [fields(tasks[record.id]) for record in records]
            else:
                of_each = [fields] * len(records)
            for record, own in zip(records, of_each, strict=True):
                set_fields(work, record, own, keeps_completed_due=keeps_completed_due)
                work.remove_tags(record, remove_tags)
                work.add_tags(record, add_tags)
                work.remove_blockers(record, removed)
                work.add_blockers(record, added)
            if records and "status" in of_each[0]:
                set_status(work, records, of_each[0]["status"], children)
        return work.tasks(records)

    def change(
        self,
        ids: Sequence[int],
        words: ChangeWords,
        *,
        by: ChangeContext,
        children: SubtaskPolicy = SubtaskPolicy.ASK,
        more: Callable[[Task], TaskFields] | None = None,
        keeps_completed_due: bool = False,
    ) -> tuple[Task, ...]:
        """Apply change words, and the fields that `more` returns for a task; all or nothing.

        Raises:
            ValidationError: a task has no date that the words are relative to.
            Conflict: a task cannot be skipped, or as `update`.
        """
        if words.skip:
            return tuple(skipped.task for skipped in self.skip(ids, by=by))
        return self.update(
            ids,
            lambda task: words.fields_of(task) | (more(task) if more else {}),
            by=by,
            add_tags=words.add_tags,
            remove_tags=words.remove_tags,
            add_blockers=words.add_blockers,
            remove_blockers=words.remove_blockers,
            children=children,
            keeps_completed_due=keeps_completed_due,
        )

    def complete(
        self,
        ids: Sequence[int],
        *,
        by: ChangeContext,
        children: SubtaskPolicy = SubtaskPolicy.ASK,
        last: bool = False,
    ) -> tuple[CompletionResult, ...]:
        """Complete tasks and create the next occurrence of recurring ones.

        A task that is done already is left unchanged. With `last` a recurring task ends. The
        subtasks of a recurring task are recreated as open ones under its next occurrence.
        """
        with self._transaction(by) as work:
            records = work.records_outside_trash(ids)
            if last:
                for record in records:
                    work.change(record, {"recurrence": None})
            closed = close_tasks(work, records, Status.DONE, children)
        return tuple(
            CompletionResult(
                work.tasks([each.record])[0],
                next(iter(work.tasks(each.following)), None),
                work.tasks(each.children),
                work.tasks(each.reopened_subtasks),
                work.tasks(each.unblocked),
                work.tasks(each.open_blockers),
            )
            for each in closed
        )

    def reopen(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[ReopenResult, ...]:
        """Reopen closed tasks; those that are open are left unchanged.

        The next occurrence that completing a recurring task created is removed, unless it or one
        of its subtasks was changed since.
        """
        with self._transaction(by) as work:
            reopened = [
                ReopenedTask(record) if record.is_open else set_open(work, record, Status.TODO)
                for record in work.records_outside_trash(ids)
            ]
        return tuple(
            ReopenResult(
                work.tasks([each.record])[0],
                *(next(iter(work.tasks(filter(None, [one]))), None) for one in each[1:]),
            )
            for each in reopened
        )

    def skip(
        self, ids: Sequence[int], *, by: ChangeContext, missed: bool = False
    ) -> tuple[SkipResult, ...]:
        """Advance recurring tasks to their next date without completing them.

        With `missed`, advance past all dates that have gone by.

        Raises:
            Conflict: one is closed, does not recur, or this is its last occurrence; then none
                was skipped.
        """
        from todo_tui.store.tasks.occurrences import skip_occurrence

        with self._transaction(by) as work:
            records = work.records_outside_trash(ids)
            renewed = [skip_occurrence(work, record, missed=missed) for record in records]
        return tuple(
            SkipResult(task, work.tasks(again))
            for task, again in zip(work.tasks(records), renewed, strict=True)
        )

    def end_series(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Make these occurrences the last ones; they stay open and no longer recur.

        Raises:
            Conflict: one is closed or does not recur; then none was ended.
        """
        with self._transaction(by) as work:
            records = work.records_outside_trash(ids)
            for record in records:
                require_recurring(record)
                require_open_occurrence(work, record)
                work.change(record, {"recurrence": None})
        return work.tasks(records)

    def move(
        self,
        ids: Sequence[int],
        *,
        by: ChangeContext,
        before: int | None = None,
        after: int | None = None,
        under: int | None = None,
        top: bool = False,
    ) -> tuple[Task, ...]:
        """Move tasks with their subtrees, in the order given.

        `before` or `after` another task changes the manual order only; `under` makes them
        subtasks, placed last by default; `top` moves them to the top level. A place and a parent
        can be combined.

        Raises:
            ValidationError: no target or contradictory targets, or a place beside itself.
        """
        with self._transaction(by) as work:
            records = work.records_outside_trash(ids)
            move_tasks(work, records, before=before, after=after, under=under, top=top)
        return work.tasks(records)

    def delete(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Move tasks with their subtrees to the trash.

        Returns the tasks of the ids, then the others that were moved along. Those in the trash
        stay there.
        """
        with self._transaction(by) as work:
            records = move_to_trash(work, work.records(ids))
        return work.tasks(records)

    def restore(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Restore tasks from the trash, with the descendants that were deleted along.

        Returns the tasks of the ids, then the others.
        """
        with self._transaction(by) as work:
            records = restore_tasks(work, work.records(ids))
        return work.tasks(records)

    def annotate(
        self,
        task_id: int,
        text: str | None,
        *,
        by: ChangeContext,
        present: Annotation | None = None,
    ) -> Task:
        """Add an annotation dated now, or replace the text of a present one, which keeps its date.

        Without a text, delete the present one.

        Raises:
            ValidationError: the text is empty or too long.
            Conflict: the task no longer has this annotation.
        """
        with self._transaction(by) as work:
            records = work.records_outside_trash([task_id])
            record = records[0]
            before = annotations_from_text(record.columns["annotations"] or "[]")
            if present is not None and present not in before:
                raise Conflict(
                    f"This annotation of #{record.id} changed or was removed.",
                    hint="Open the task again.",
                )
            annotations = _annotated(before, present, text, work.log.now)
            work.change(record, {"annotations": annotations_text(annotations)})
        return work.tasks(records)[0]

    def undo(self, *, by: ChangeContext, only: str | None = None) -> UndoReport:
        """Undo the newest batch that is not undone yet; call again for the one before it.

        Fields changed since are left alone and reported; batches of which they leave nothing to
        undo are passed over. The report has no changes if there is nothing to undo, or if the next
        batch is not `only`.
        """
        return self._invert_next(by, only, redo=False)

    def redo(self, *, by: ChangeContext, only: str | None = None) -> UndoReport:
        """Redo the newest undo, unless something was changed since; `only` as in `undo`."""
        return self._invert_next(by, only, redo=True)

    def undo_turn(
        self, turn_id: str, *, by: ChangeContext, preview: bool = False, overwrite: bool = False
    ) -> UndoReport:
        """Undo all changes of one turn, also if others followed.

        Fields changed since are left alone and reported, and so are tasks that the turn added
        if they were changed since; with `overwrite` they are undone too. The report is empty if
        nothing of the turn is left. Redo takes it back. A `preview` returns the same report and
        writes nothing.
        """
        return self._invert(
            lambda work: invert_turn(work, turn_id, overwrite=overwrite), by, preview=preview
        )

    def undo_batch(self, batch: str, *, by: ChangeContext) -> UndoReport:
        """Undo one batch, whatever came after it; like `undo_turn`.

        The report is empty if it is undone already.

        Raises:
            NotFound: the user has no such batch.
        """
        return self._invert(lambda work: invert_batch(work, batch), by, preview=False)

    def undo_batches(
        self, batches: Sequence[str], *, by: Callable[[], ChangeContext], preview: bool = False
    ) -> UndoReport:
        """Undo batches one after the other, in one transaction; each with a context of its own."""
        reports = []
        with self._db.file.transaction(dry_run=preview):
            for batch in batches:
                reports.append(self.undo_batch(batch, by=by()))
        return UndoReport(
            tuple(change for report in reports for change in report.changes),
            tuple(conflict for report in reports for conflict in report.conflicts),
        )

    def _invert(
        self, invert: Callable[[UnitOfWork], UndoReport], by: ChangeContext, *, preview: bool
    ) -> UndoReport:
        with self._db.file.writing() as database:
            database.execute("SAVEPOINT before")
            report = invert(UnitOfWork(database, self._db, by))
            if preview or not report.changes:
                database.execute("ROLLBACK TO before")
        if not preview:
            self._announce(report.changes)
        return report

    def _invert_next(self, by: ChangeContext, only: str | None, *, redo: bool) -> UndoReport:
        with self._db.file.writing() as database:
            _, report = invert_next_batch(database, self._db, by, redo=redo, only=only)
        self._announce(report.changes)
        return report

    def purge(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Erase tasks and all their text, in log and traces too; this cannot be undone.

        Returns their last state. Their ids are never reused.
        """
        with self._db.file.writing() as database:
            changes = purge_tasks(UnitOfWork(database, self._db, by), ids)
        self._db.file.truncate_wal()
        self._announce(changes)
        return tuple(change.task for change in changes if change.kind is ChangeKind.PURGED)


def _annotated(
    before: tuple[Annotation, ...], present: Annotation | None, text: str | None, now: datetime
) -> tuple[Annotation, ...]:
    """Return annotations with a new one, or with another text, or none, for one of them.

    Raises:
        ValidationError: the text is empty.
    """
    place = len(before) if present is None else before.index(present)
    kept = before[place + 1 :]
    if text is None:
        return (*before[:place], *kept)
    cleaned = clean_notes(text, "annotation").strip()
    if not cleaned:
        raise ValidationError("An annotation needs text.")
    return (*before[:place], Annotation(present.at if present else now, cleaned), *kept)
