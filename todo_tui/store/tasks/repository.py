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
from todo_tui.domain.when import Clock, NewId
from todo_tui.store.database import DatabaseFile
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
    """Make a task of these fields.

    Raises:
        ValidationError: a field cannot hold what was asked.
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
    """Set the fields that are given, all but the status, and leave the others.

    Raises:
        ValidationError: a field cannot hold what was asked.
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
    """Answers what is asked about tasks; every query is bound to one user.

    What is imported where it is used is what `todo-tui add` does without.
    """

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock

    def get(self, task_id: int) -> Task:
        """The task of that id, also one in the trash.

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
        """Tasks that a filter holds for; without one, the open tasks.

        In the order of the query; else by due moment, those without one last; then by
        manual order.
        """
        return self._queries.page(wanted, limit=limit, offset=offset)

    def find(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Task, ...]:
        """As `list`, without counting those that are left out: a first page at once."""
        return self._queries.find(wanted, limit=limit, offset=offset)

    def plain_rows(self, wanted: Filter | Query | None = None) -> Sequence[PlainTaskRow]:
        """As `some`, with a few fields as they are stored: for long lists in a pipe."""
        return self._queries.plain_rows(wanted)

    def count(self, wanted: Filter | Query | None = None) -> int:
        """How many tasks a filter holds for."""
        return self._queries.count(wanted)

    def outline(self, wanted: Filter | None = None) -> Iterator[OutlineRow]:
        """A light row for each task that a filter holds for, in no order to rely on.

        They come as they are read, since all of a long list at once take much memory:
        whoever takes them reads nothing else of the store until the last one has come.

        Raises:
            StoreError: with the first row or a later one.
        """
        return self._queries.outline(wanted)

    def grouped_rows(self, query: Query) -> tuple[GroupedRow, ...]:
        """As `outline`, in the order and under the headings that the query asks for.

        A task has a row for each of its headings: one for each tag under `group:tag`.
        """
        rows = self._queries.unsorted_grouped_rows(query)
        return tuple(sorted(rows, key=lambda row: (row.heading.order, row.key)))

    def unsorted_grouped_rows(self, query: Query) -> Iterator[GroupedRow]:
        """As `arrangement`, in no order that matters: for those who sort them anyway."""
        return self._queries.unsorted_grouped_rows(query)

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """The tasks of these ids, in the order asked; unknown ones are left out."""
        return self._queries.rows(ids)

    def counts(self) -> TaskCounts:
        """How many tasks are open, overdue and due today; those that wait are left out."""
        return self._queries.counts()

    def projects(self) -> tuple[str, ...]:
        """The projects of tasks outside the trash, by name."""
        return self._queries.projects()

    def tags(self) -> tuple[str, ...]:
        """The tags of tasks outside the trash, by name."""
        return self._queries.tags()

    def tag_names(self) -> tuple[str, ...]:
        """As `tags`, in whichever spelling each is found first; quick with many tasks."""
        return self._queries.tag_names()

    def prepare_search(self) -> None:
        """Make searches for words quick, for a program that stays open.

        Reads all texts into memory, which takes a while; from any thread.
        """
        self._queries.prepare_search()

    def dependency_status(self, ids: Sequence[int]) -> dict[int, DependencyStatus]:
        """Of each of these tasks whether it is blocked, and how far its subtasks are.

        Ask again after any write: it changes with other tasks, which are not announced.
        """
        from todo_tui.store.tasks.hierarchy import read_dependency_status

        with self._file.reading() as database:
            return read_dependency_status(database, self._user, ids)

    def parents(self) -> dict[int, int]:
        """By id of every subtask outside the trash, the id of its parent."""
        from todo_tui.store.tasks.hierarchy import read_parents

        with self._file.reading() as database:
            return read_parents(database, self._user)

    def blocked_ids(self) -> frozenset[int]:
        """The ids of all open tasks that wait for another open one."""
        from todo_tui.store.tasks.hierarchy import read_blocked

        with self._file.reading() as database:
            return read_blocked(database, self._user)

    def waiting_for(self, task_id: int) -> tuple[Task, ...]:
        """The open tasks that wait for this one, by id."""
        from todo_tui.store.tasks.hierarchy import read_waiting_tasks

        with self._file.reading() as database:
            return read_waiting_tasks(database, self._user, task_id)

    def subtree(self, task_id: int, *, deleted_along: bool = False) -> tuple[Descendant, ...]:
        """All subtasks outside the trash, each followed by its own, in manual order.

        Of a task in the trash those that went there with it, if `deleted_along`.
        """
        from todo_tui.store.tasks.hierarchy import read_subtree

        with self._file.reading() as database:
            return read_subtree(database, self._user, task_id, deleted_along=deleted_along)

    def history(self, task_id: int) -> tuple[HistoryEntry, ...]:
        """Every change of a task, oldest first."""
        from todo_tui.store.operations.undo import read_task_history

        with self._file.reading() as database:
            return read_task_history(database, self._user, task_id)

    @cached_property
    def relations(self) -> StoredTaskRelations:
        """How tasks hang together, for filters that are held against one task."""
        from todo_tui.store.tasks.hierarchy import StoredTaskRelations

        return StoredTaskRelations(self._file, user=self._user)

    def forget_held(self) -> None:
        """Drop what is held in memory of the file, after another one was opened."""
        self.__dict__.pop("_queries", None)

    @cached_property
    def _queries(self) -> TaskQueries:
        # Filters are the largest part that `todo-tui add` does without.
        from todo_tui.store.tasks.queries import TaskQueries

        return TaskQueries(self._file, user=self._user, clock=self._clock)


class TaskTransactions(TaskReader):
    """Opens one transaction for each write, and announces what it did once it is committed."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock, new_id: NewId) -> None:
        super().__init__(file, user=user, clock=clock)
        self._new_id = new_id
        self._subscribers: list[Subscriber] = []
        self._subscribers_lock = Lock()

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call back after each write of this process, on the writing thread.

        Answers with a function that ends the subscription. What a callback
        raises reaches the writer although the write stands, so it should not.
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
        with self._file.writing() as database:
            writing = self._open_writing(database, by)
            yield writing
            changes = writing.finish()
        self._announce(changes)

    def _travel(
        self, by: ChangeContext, step: Callable[[UnitOfWork], UndoReport | None]
    ) -> UndoReport:
        """Undo or redo, on past batches of which others have left nothing to take back."""
        while True:
            with self._file.writing() as database:
                report = step(self._open_writing(database, by))
            if report is None:
                return UndoReport()
            if report.changes or report.conflicts:
                self._announce(report.changes)
                return report

    def _open_writing(self, database: Connection, by: ChangeContext) -> UnitOfWork:
        return UnitOfWork(
            database, user=self._user, clock=self._clock, new_id=self._new_id, gesture=by
        )

    def _announce(self, changes: tuple[TaskChange, ...]) -> None:
        if not changes:
            return
        with self._subscribers_lock:
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            subscriber(changes)


def _unwatched(_entries: int) -> None:
    """The progress of what nobody watches."""


class TaskStore(TaskTransactions):
    """The only owner of tasks; every query is bound to one user.

    Each write is one transaction, takes the gesture that it belongs to, and is
    announced to the subscribers once it is committed. Writes raise StoreError
    where the file cannot be written; then nothing of them was kept.
    """

    def add(self, fields: TaskFields, *, by: ChangeContext) -> Task:
        """Make one task.

        Raises:
            ValidationError: a field cannot hold what was asked.
        """
        return self.add_many([fields], by=by)[0]

    def add_many(self, many: Sequence[TaskFields], *, by: ChangeContext) -> tuple[Task, ...]:
        """Make several tasks in one transaction, ids in the order given.

        Raises:
            ValidationError: a field of one of them cannot hold what was asked; none was made.
        """
        with self._writing(by) as writing:
            records = [add_task(writing, fields) for fields in many]
        return tuple(writing.finished[record.row] for record in records)

    def import_entries(
        self,
        drafts: Sequence[ImportEntry],
        *,
        by: ChangeContext,
        skip_bad: bool = False,
        dry_run: bool = False,
        with_tasks: bool = True,
        progress: ImportProgress = _unwatched,
    ) -> ImportReport:
        """Make tasks of a file's entries in one transaction; those that are here stay as they are.

        A bad entry keeps all of them out, unless it is to be skipped; the report names
        it. A dry run keeps nothing, and reports what comes without the bad ones.
        Without tasks the report only counts them, which is quicker.
        """
        from todo_tui.store.tasks.import_batch import ImportRolledBack, write_import

        seen = with_tasks or bool(self._subscribers)
        try:
            with self._file.writing() as database:
                writing = self._open_writing(database, by)
                report, changes = write_import(
                    writing, drafts, progress, skip_bad=skip_bad, with_tasks=seen
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

        A status of done completes them, with the next occurrence of what repeats;
        `children` says what becomes of open subtasks of what is closed. A parent
        moves a task with all that is below it.

        Raises:
            NotFound: this user has none of the first unknown id.
            ValidationError: a field cannot hold what was asked; a task would be part
                of itself, or wait for itself.
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
        """Mark tasks as done; of what repeats, the next occurrence is made with it.

        A task that is done already stays as it is. With `last` what repeats comes no
        more. The subtasks of a repeating task are open again under its next occurrence.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one of them is in the trash.
            OpenSubtasks: some have open subtasks and `children` is to be asked.
        """
        # Starting up is most of the time that `todo-tui add` takes: what it does
        # not need is imported where it is needed, here and below.
        from todo_tui.store.tasks.completion import close_tasks, completion_result

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            if last:
                for record in records:
                    writing.change(record, {"recurrence": None})
            closed = close_tasks(writing, records, Status.DONE, children)
        return tuple(completion_result(writing, each) for each in closed)

    def reopen(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Take tasks back among the open ones.

        Raises:
            NotFound: this user has none of the first unknown id.
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
        """Let repeating tasks go on to their next date without being done.

        With `missed` past all dates that have gone by, to the first one that has not;
        with `times` past so many of them.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one is closed or in the trash, does not repeat, or this is its last
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
        """Let these occurrences be the last ones; they stay open and repeat no more.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one is in the trash or does not repeat; then none was ended.
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
        """Move tasks, in the order given, with all that is below them.

        `before` or `after` another task is a place in the manual order alone; `under`
        puts them into a task, behind its subtasks if no place is given, `top` out of
        any. Places and parents go together.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one of them, or the task to be under, is in the trash.
            ValidationError: nothing or too much was asked; a task would be beside
                itself, or part of itself.
        """
        from todo_tui.store.tasks.edits import MoveTarget, move_tasks

        wanted = MoveTarget(before=before, after=after, under=under, top=top)
        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            move_tasks(writing, records, wanted)
        return self._results(writing, records)

    def delete(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Move tasks to the trash, with all that is below them.

        Answers with the tasks of the ids, then with the others that went along.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        from todo_tui.store.tasks.hierarchy import move_to_trash

        with self._writing(by) as writing:
            records = move_to_trash(writing, writing.records(ids))
        return self._results(writing, records)

    def restore(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Take tasks out of the trash, with those that went there along with them.

        Answers with the tasks of the ids, then with the others that came along.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        from todo_tui.store.tasks.hierarchy import restore_tasks

        with self._writing(by) as writing:
            records = restore_tasks(writing, writing.records(ids))
        return self._results(writing, records)

    def annotate(self, task_id: int, text: str, *, by: ChangeContext) -> Task:
        """Add a remark, dated now.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the remark is empty or too long.
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
        """Give a remark other words; its date stays.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the words are empty or too long.
            Conflict: the task is in the trash, or has no such remark any more.
        """
        from todo_tui.store.tasks.edits import edit_annotation

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            edit_annotation(writing, record, annotation, text)
        return writing.finished[record.row]

    def remove_annotation(self, task_id: int, annotation: Annotation, *, by: ChangeContext) -> Task:
        """Take a remark out.

        Raises:
            NotFound: this user has no such task.
            Conflict: the task is in the trash, or has no such remark any more.
        """
        from todo_tui.store.tasks.edits import delete_annotation

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            delete_annotation(writing, record, annotation)
        return writing.finished[record.row]

    def undo(self, *, by: ChangeContext, only: str | None = None) -> UndoReport:
        """Take back the newest batch that stands, whole; again for the one before it.

        Fields that were changed since are left alone and reported. The report is
        empty where there is nothing to undo, or where another batch than `only` is next.
        """
        from todo_tui.store.operations.undo import undo

        return self._travel(by, partial(undo, only=only))

    def redo(self, *, by: ChangeContext, only: str | None = None) -> UndoReport:
        """Take back the newest undo, as long as nothing new was done since; `only` as above."""
        from todo_tui.store.operations.undo import redo

        return self._travel(by, partial(redo, only=only))

    def log_position(self) -> int:
        """Return a number that grows with every write to tasks, by whomever."""
        with self._file.reading() as database:
            found = database.execute("SELECT coalesce(max(seq), 0) FROM ops").fetchone()
        return int(found[0])

    def purge(self, ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
        """Erase tasks and all text of them, from log and traces too; for good.

        Answers with their last state. Their ids are never given again.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        from todo_tui.store.operations.purge import purge_tasks

        with self._file.writing() as database:
            changes = purge_tasks(self._open_writing(database, by), ids)
        self._file.truncate_wal()
        self._announce(changes)
        return tuple(change.task for change in changes if change.kind is ChangeKind.PURGED)

    @staticmethod
    def _outside_trash(writing: UnitOfWork, ids: Sequence[int]) -> list[TaskRecord]:
        return [require_not_in_trash(record) for record in writing.records(ids)]

    @staticmethod
    def _results(writing: UnitOfWork, records: Sequence[TaskRecord]) -> tuple[Task, ...]:
        return tuple(writing.finished[record.row] for record in records)
