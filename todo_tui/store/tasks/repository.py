"""TaskStore: every read and write of a user's tasks.

Each write is one transaction and is announced to subscribers once it is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from sqlite3 import Connection
from threading import Lock
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeContext, ChangeKind, SubtaskPolicy, TaskChange, UndoReport
from todo_tui.domain.task import Annotation, Status, Task, TaskFields
from todo_tui.domain.text import fold_case
from todo_tui.store.database import UserDatabase
from todo_tui.store.rows import EMPTY, clean_tag, clean_title, to_columns
from todo_tui.store.tasks.unit_of_work import (
    TaskRecord,
    UnitOfWork,
    require_not_in_trash,
    task_not_found,
)

if TYPE_CHECKING:
    from todo_tui.domain.filters.terms import Filter, Query
    from todo_tui.domain.import_entry import ImportEntry
    from todo_tui.store.tasks.hierarchy import StoredTaskRelations
    from todo_tui.store.tasks.import_batch import ImportProgress, ImportReport
    from todo_tui.store.tasks.queries import TaskQueries
    from todo_tui.store.tasks.select import (
        CompletionResult,
        DependencyStatus,
        Descendant,
        HistoryEntry,
        PlainTaskRow,
        SkipResult,
        TaskCounts,
        TaskPage,
    )
    from todo_tui.store.tasks.sorting import GroupedRow, OutlineRow

Subscriber = Callable[[tuple[TaskChange, ...]], None]


def add_task(writing: UnitOfWork, fields: TaskFields) -> TaskRecord:
    """Create a task.

    Raises:
        ValidationError: a field has an invalid value.
        NotFound: parent or blocker is unknown.
        Conflict: the parent is in the trash.
    """
    columns = to_columns(fields, dict(EMPTY), writing.zone)
    columns["title"] = clean_title(fields.get("title", ""))
    if columns.get("status") in ("done", "cancelled"):
        columns["completed_at"] = writing.stamp
    own_uuid = writing.new_id()
    if columns.get("recurrence"):
        columns |= {"series": own_uuid, "slot": _slot(columns.get("due"), writing)}
    parent = fields.get("parent")
    if parent is not None:
        columns["parent"] = require_not_in_trash(writing.record(parent)).uuid
    record = writing.create(columns, fields.get("tags", ()), uuid=own_uuid)
    if fields.get("blocked_by"):
        writing.add_blockers(record, writing.records(fields["blocked_by"]))
    return record


def apply_fields(writing: UnitOfWork, record: TaskRecord, fields: TaskFields) -> None:
    """Set the given fields, except the status.

    Raises:
        ValidationError: a field has an invalid value.
        NotFound: parent or blocker is unknown.
        Conflict: the parent is in the trash.
    """
    columns = to_columns(fields, record.columns, writing.zone)
    columns.pop("status", None)
    if columns.get("recurrence") and record.columns["series"] is None:
        due = columns.get("due", record.columns["due"])
        columns |= {"series": record.uuid, "slot": _slot(due, writing)}
    writing.change(record, columns)
    if "tags" in fields:
        wanted = {fold_case(clean_tag(tag)) for tag in fields["tags"]}
        writing.remove_tags(record, [tag for tag in record.tags if fold_case(tag) not in wanted])
        writing.add_tags(record, fields["tags"])
    if "parent" in fields:
        parent = fields["parent"]
        above = None if parent is None else require_not_in_trash(writing.record(parent))
        writing.set_parent(record, above)
    if "blocked_by" in fields:
        blockers = writing.records(fields["blocked_by"])
        kept = {blocker.row for blocker in blockers}
        dropped = [row for row in writing.blockers(record) if row not in kept]
        writing.remove_blockers(record, writing.by_rows(dropped))
        writing.add_blockers(record, blockers)


def _slot(due: str | None, writing: UnitOfWork) -> str:
    return due or writing.clock.now().date().isoformat()


class TaskReader:
    """Reads tasks; every query is bound to one user.

    Deferred imports in this module save startup time of `todo-tui add`.
    """

    def __init__(self, db: UserDatabase) -> None:
        self._db = db

    def get(self, task_id: int) -> Task:
        """Return the task of that id, also one in the trash.

        Raises:
            NotFound: this user has none.
        """
        task = self._queries.get(task_id)
        if task is None:
            raise task_not_found(task_id)
        return task

    def list(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> TaskPage:
        """Return a page of the matching tasks and their total number; default: the open tasks.

        Ordered as the query says; else by due moment with undated tasks last, then by manual
        order.
        """
        return self._queries.page(wanted, limit=limit, offset=offset)

    def find(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Task, ...]:
        """Return a page as `list` does, without counting, for the first page of a long list."""
        return self._queries.find(wanted, limit=limit, offset=offset)

    def plain_rows(self, wanted: Filter | Query | None = None) -> Sequence[PlainTaskRow]:
        """Return all matching tasks with a few fields as stored, for long lists in a pipe."""
        return self._queries.plain_rows(wanted)

    def count(self, wanted: Filter | Query | None = None) -> int:
        """Count the matching tasks."""
        return self._queries.count(wanted)

    def outline(self, wanted: Filter | None = None) -> Iterator[OutlineRow]:
        """Yield a light row for each matching task, in no particular order.

        Rows are streamed because a long list takes much memory: do not read anything else from
        the store until the iterator is exhausted.

        Raises:
            StoreError: with the first row or a later one.
        """
        return self._queries.outline(wanted)

    def grouped_rows(self, query: Query) -> tuple[GroupedRow, ...]:
        """Return light rows in the order and under the headings of the query.

        A task has one row for each of its headings: one per tag under `group:tag`.
        """
        rows = self._queries.unsorted_grouped_rows(query)
        return tuple(sorted(rows, key=lambda row: (row.heading.order, row.key)))

    def unsorted_grouped_rows(self, query: Query) -> Iterator[GroupedRow]:
        """Yield the rows of `grouped_rows` unsorted, for callers that sort them anyway."""
        return self._queries.unsorted_grouped_rows(query)

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """Return the tasks of these ids, in the given order; unknown ids are left out."""
        return self._queries.rows(ids)

    def counts(self) -> TaskCounts:
        """Count the open, overdue and due-today tasks, without those that wait for their start."""
        return self._queries.counts()

    def projects(self) -> tuple[str, ...]:
        """Return the projects of tasks outside the trash, by name."""
        return self._queries.projects()

    def tags(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash, by name."""
        return self._queries.tags()

    def tag_names(self) -> tuple[str, ...]:
        """Return the same tags, each in the spelling found first; fast with many tasks."""
        return self._queries.tag_names()

    def prepare_search(self) -> None:
        """Load all texts into memory, for fast text search in a long-running program.

        May be called from any thread; takes a while.
        """
        self._queries.prepare_search()

    def dependency_status(self, ids: Sequence[int]) -> dict[int, DependencyStatus]:
        """Return for each task if it is blocked, and the progress of its subtasks.

        Query again after any write: it depends on other tasks and is not announced.
        """
        from todo_tui.store.tasks.hierarchy import read_dependency_status

        with self._db.file.reading() as database:
            return read_dependency_status(database, self._db.user, ids)

    def parents(self) -> dict[int, int]:
        """Map the id of every subtask outside the trash to the id of its parent."""
        from todo_tui.store.tasks.hierarchy import read_parents

        with self._db.file.reading() as database:
            return read_parents(database, self._db.user)

    def blocked_ids(self) -> frozenset[int]:
        """Return the ids of all open tasks that wait for another open one."""
        from todo_tui.store.tasks.hierarchy import read_blocked

        with self._db.file.reading() as database:
            return read_blocked(database, self._db.user)

    def waiting_for(self, task_id: int) -> tuple[Task, ...]:
        """Return the open tasks that wait for this one, by id."""
        from todo_tui.store.tasks.hierarchy import read_waiting_tasks

        with self._db.file.reading() as database:
            return read_waiting_tasks(database, self._db.user, task_id)

    def subtree(self, task_id: int, *, deleted_along: bool = False) -> tuple[Descendant, ...]:
        """Return all descendants outside the trash in depth-first and manual order.

        With `deleted_along`, those of a task in the trash that were deleted with it.
        """
        from todo_tui.store.tasks.hierarchy import read_subtree

        with self._db.file.reading() as database:
            return read_subtree(database, self._db.user, task_id, deleted_along=deleted_along)

    def history(self, task_id: int) -> tuple[HistoryEntry, ...]:
        """Return every change of a task, oldest first."""
        from todo_tui.store.operations.undo import read_task_history

        with self._db.file.reading() as database:
            return read_task_history(database, self._db.user, task_id)

    @cached_property
    def relations(self) -> StoredTaskRelations:
        """Relations between tasks, for matching a filter against one task."""
        from todo_tui.store.tasks.hierarchy import StoredTaskRelations

        return StoredTaskRelations(self._db.file, user=self._db.user)

    def clear_cache(self) -> None:
        """Drop cached data after the file was reopened."""
        self.__dict__.pop("_queries", None)

    @cached_property
    def _queries(self) -> TaskQueries:
        # Filters are the largest import that `todo-tui add` does not need.
        from todo_tui.store.tasks.queries import TaskQueries

        return TaskQueries(self._db.file, user=self._db.user, clock=self._db.clock)


class TaskTransactions(TaskReader):
    """Runs each write in one transaction and announces its changes after the commit."""

    def __init__(self, db: UserDatabase) -> None:
        super().__init__(db)
        self._subscribers: list[Subscriber] = []
        self._subscribers_lock = Lock()

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call back after each write of this process, on the writing thread.

        Returns a function that ends the subscription. An exception of a callback reaches the
        writer although the write is committed, so a callback should raise none.
        """
        with self._subscribers_lock:
            self._subscribers.append(callback)

        def unsubscribe() -> None:
            with self._subscribers_lock:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return unsubscribe

    @contextmanager
    def _writing(self, by: ChangeContext) -> Iterator[UnitOfWork]:
        with self._db.file.writing() as database:
            writing = self._open_writing(database, by)
            yield writing
            changes = writing.finish()
        self._announce(changes)

    def _undo_or_redo(
        self, by: ChangeContext, step: Callable[[UnitOfWork], UndoReport | None]
    ) -> UndoReport:
        """Run undo or redo, passing over batches that later changes leave without effect."""
        while True:
            with self._db.file.writing() as database:
                report = step(self._open_writing(database, by))
            if report is None:
                return UndoReport()
            if report.changes or report.conflicts:
                self._announce(report.changes)
                return report

    def _open_writing(self, database: Connection, by: ChangeContext) -> UnitOfWork:
        return UnitOfWork(database, self._db, by)

    def _announce(self, changes: tuple[TaskChange, ...]) -> None:
        if not changes:
            return
        with self._subscribers_lock:
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            subscriber(changes)


def _no_progress(_entries: int) -> None:
    """Ignore the progress."""


class TaskStore(TaskTransactions):
    """Reads and writes of a user's tasks; the only owner of tasks.

    Each write is one transaction with a change context, announced to the subscribers after
    the commit. Writes raise StoreError if the file cannot be written; then nothing was
    stored.
    """

    def add(self, fields: TaskFields, *, by: ChangeContext) -> Task:
        """Create one task.

        Raises:
            ValidationError: a field has an invalid value.
        """
        return self.add_many([fields], by=by)[0]

    def add_many(self, many: Sequence[TaskFields], *, by: ChangeContext) -> tuple[Task, ...]:
        """Create several tasks in one transaction, with ids in the given order.

        Raises:
            ValidationError: a field of one of them has an invalid value; none was created.
        """
        with self._writing(by) as writing:
            records = [add_task(writing, fields) for fields in many]
        return tuple(writing.finished[record.row] for record in records)

    def import_entries(
        self,
        entries: Sequence[ImportEntry],
        *,
        by: ChangeContext,
        skip_bad: bool = False,
        dry_run: bool = False,
        with_tasks: bool = True,
        progress: ImportProgress = _no_progress,
    ) -> ImportReport:
        """Create the tasks of file entries in one transaction; existing ones are left unchanged.

        A bad entry stops the import unless `skip_bad` is set; the report names it. A dry run
        stores nothing and reports the result without the bad entries. Without `with_tasks` the
        report has only counts, which is faster.
        """
        from todo_tui.store.tasks.import_batch import ImportRolledBack, write_import

        seen = with_tasks or bool(self._subscribers)
        try:
            with self._db.file.writing() as database:
                writing = self._open_writing(database, by)
                report, changes = write_import(
                    writing, entries, progress, skip_bad=skip_bad, with_tasks=seen
                )
                if dry_run or (report.bad and not skip_bad):
                    raise ImportRolledBack(report)
        except ImportRolledBack as rolled_back:
            return rolled_back.report if dry_run else rolled_back.report.without_changes()
        self._announce(changes)
        return report

    def update(
        self,
        ids: Sequence[int],
        fields: TaskFields,
        *,
        by: ChangeContext,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        add_blockers: Sequence[int] = (),
        remove_blockers: Sequence[int] = (),
        children: SubtaskPolicy = SubtaskPolicy.ASK,
    ) -> tuple[Task, ...]:
        """Set the same fields of several tasks, all or nothing.

        Status done completes them and creates the next occurrence of recurring ones; `children`
        is the policy for open subtasks of a closed task. A new parent moves the whole subtree.

        Raises:
            NotFound: names the first id that is unknown to this user.
            ValidationError: a field has an invalid value; a task would be its own ancestor,
                or wait for itself.
            Conflict: one of them is in the trash.
            OpenSubtasks: `children` is to be asked.
        """
        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            added, removed = writing.records(add_blockers), writing.records(remove_blockers)
            for record in records:
                apply_fields(writing, record, fields)
                writing.remove_tags(record, remove_tags)
                writing.add_tags(record, add_tags)
                writing.remove_blockers(record, removed)
                writing.add_blockers(record, added)
            if "status" in fields:
                from todo_tui.store.tasks.completion import set_status

                set_status(writing, records, fields["status"], children)
        return self._results(writing, records)

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

        Raises:
            NotFound: names the first id that is unknown to this user.
            Conflict: one of them is in the trash.
            OpenSubtasks: some have open subtasks and `children` is to be asked.
        """
        # Deferred here and below: startup is most of the time that `todo-tui add` takes.
        from todo_tui.store.tasks.completion import close_tasks, completion_result

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            if last:
                for record in records:
                    writing.change(record, {"recurrence": None})
            closed = close_tasks(writing, records, Status.DONE, children)
        return tuple(completion_result(writing, each) for each in closed)

    def reopen(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Reopen closed tasks.

        Raises:
            NotFound: names the first id that is unknown to this user.
            Conflict: one of them is in the trash.
        """
        from todo_tui.store.tasks.completion import reopen_tasks

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            reopen_tasks(writing, [record for record in records if not record.is_open])
        return self._results(writing, records)

    def skip(
        self, ids: Sequence[int], *, by: ChangeContext, missed: bool = False, times: int = 1
    ) -> tuple[SkipResult, ...]:
        """Advance recurring tasks to their next date without completing them.

        With `missed`, advance past all dates that have gone by; with `times`, by so many dates.

        Raises:
            NotFound: names the first id that is unknown to this user.
            Conflict: one is closed or in the trash, does not recur, or this is its last
                occurrence; then none was skipped.
        """
        from todo_tui.store.tasks.recurrence import skip_occurrence
        from todo_tui.store.tasks.select import SkipResult

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            renewed = [
                [
                    again
                    for _ in range(times)
                    for again in skip_occurrence(writing, record, missed=missed)
                ]
                for record in records
            ]
        return tuple(
            SkipResult(task, self._results(writing, again))
            for task, again in zip(self._results(writing, records), renewed, strict=True)
        )

    def end_series(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Make these occurrences the last ones; they stay open and no longer recur.

        Raises:
            NotFound: names the first id that is unknown to this user.
            Conflict: one is in the trash or does not recur; then none was ended.
        """
        from todo_tui.store.tasks.recurrence import end_series

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            for record in records:
                end_series(writing, record)
        return self._results(writing, records)

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
            NotFound: names the first id that is unknown to this user.
            Conflict: one of them, or the new parent, is in the trash.
            ValidationError: no target or contradictory targets; a task would be placed beside
                itself, or become its own descendant.
        """
        from todo_tui.store.tasks.edits import MoveTarget, move_tasks

        wanted = MoveTarget(before=before, after=after, under=under, top=top)
        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            move_tasks(writing, records, wanted)
        return self._results(writing, records)

    def delete(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Move tasks with their subtrees to the trash.

        Returns the tasks of the ids, then the others that were moved along.

        Raises:
            NotFound: names the first id that is unknown to this user.
        """
        from todo_tui.store.tasks.hierarchy import move_to_trash

        with self._writing(by) as writing:
            records = move_to_trash(writing, writing.records(ids))
        return self._results(writing, records)

    def restore(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Restore tasks from the trash, with the descendants that were deleted along.

        Returns the tasks of the ids, then the others.

        Raises:
            NotFound: names the first id that is unknown to this user.
        """
        from todo_tui.store.tasks.hierarchy import restore_tasks

        with self._writing(by) as writing:
            records = restore_tasks(writing, writing.records(ids))
        return self._results(writing, records)

    def annotate(self, task_id: int, text: str, *, by: ChangeContext) -> Task:
        """Add an annotation dated now.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the text is empty or too long.
            Conflict: the task is in the trash.
        """
        from todo_tui.store.tasks.edits import add_annotation

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            add_annotation(writing, record, text)
        return writing.finished[record.row]

    def edit_annotation(
        self, task_id: int, annotation: Annotation, text: str, *, by: ChangeContext
    ) -> Task:
        """Replace the text of an annotation; its date stays.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the text is empty or too long.
            Conflict: the task is in the trash, or no longer has this annotation.
        """
        from todo_tui.store.tasks.edits import edit_annotation

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            edit_annotation(writing, record, annotation, text)
        return writing.finished[record.row]

    def remove_annotation(self, task_id: int, annotation: Annotation, *, by: ChangeContext) -> Task:
        """Delete an annotation.

        Raises:
            NotFound: this user has no such task.
            Conflict: the task is in the trash, or no longer has this annotation.
        """
        from todo_tui.store.tasks.edits import delete_annotation

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            delete_annotation(writing, record, annotation)
        return writing.finished[record.row]

    def undo(self, *, by: ChangeContext, only: str | None = None) -> UndoReport:
        """Undo the newest batch that is not undone yet; call again for the one before it.

        Fields changed since are left alone and reported. The report is empty if there is nothing
        to undo, or if the next batch is not `only`.
        """
        from todo_tui.store.operations.undo import undo

        return self._undo_or_redo(by, partial(undo, only=only))

    def redo(self, *, by: ChangeContext, only: str | None = None) -> UndoReport:
        """Redo the newest undo, unless something was changed since; `only` as in `undo`."""
        from todo_tui.store.operations.undo import redo

        return self._undo_or_redo(by, partial(redo, only=only))

    def log_position(self) -> int:
        """Return a number that grows with every write to tasks, by any process."""
        with self._db.file.reading() as database:
            found = database.execute("SELECT coalesce(max(seq), 0) FROM ops").fetchone()
        return int(found[0])

    def purge(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Erase tasks and all their text, in log and traces too; this cannot be undone.

        Returns their last state. Their ids are never reused.

        Raises:
            NotFound: names the first id that is unknown to this user.
        """
        from todo_tui.store.operations.purge import purge_tasks

        with self._db.file.writing() as database:
            changes = purge_tasks(self._open_writing(database, by), ids)
        self._db.file.truncate_wal()
        self._announce(changes)
        return tuple(change.task for change in changes if change.kind is ChangeKind.PURGED)

    @staticmethod
    def _outside_trash(writing: UnitOfWork, ids: Sequence[int]) -> list[TaskRecord]:
        return [require_not_in_trash(record) for record in writing.records(ids)]

    @staticmethod
    def _results(writing: UnitOfWork, records: Sequence[TaskRecord]) -> tuple[Task, ...]:
        return tuple(writing.finished[record.row] for record in records)
