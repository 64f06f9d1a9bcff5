"""The tasks of one user: every query, every write, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from sqlite_utils import Database

from todo_tui.domain.changes import ChangeKind, Gesture, TaskChange, UndoReport
from todo_tui.domain.clock import Clock, NewId
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Annotation, Status, Task, TaskFields
from todo_tui.store.database import DatabaseFile
from todo_tui.store.fields import clean_notes
from todo_tui.store.lifecycle import add_task, apply_fields, out_of_trash, set_status
from todo_tui.store.rows import annotations_from_text, annotations_text
from todo_tui.store.writing import TaskWriting, no_such_task

if TYPE_CHECKING:
    from todo_tui.domain.draft import TaskDraft
    from todo_tui.domain.filter_terms import Filter
    from todo_tui.store.importing import ImportReport, Progress
    from todo_tui.store.outline import OutlineRow
    from todo_tui.store.queries import TaskQueries
    from todo_tui.store.results import Completion, TaskCounts, TaskPage


def _unwatched(_entries: int) -> None:
    """The progress of what nobody watches."""


Subscriber = Callable[[tuple[TaskChange, ...]], None]


class TaskStore:
    """The only owner of tasks; every query is bound to one user.

    Each write is one transaction, takes the gesture that it belongs to, and is
    announced to the subscribers once it is committed. Writes raise StoreError
    where the file cannot be written; then nothing of them was kept.
    """

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock, new_id: NewId) -> None:
        self._file = file
        self._user = user
        self._clock = clock
        self._new_id = new_id
        self._subscribers: list[Subscriber] = []
        self._subscribers_lock = Lock()

    def get(self, task_id: int) -> Task:
        """The task of that id, also one in the trash.

        Raises:
            NotFound: this user has none.
        """
        task = self._queries.get(task_id)
        if task is None:
            raise no_such_task(task_id)
        return task

    def list(
        self, wanted: Filter | None = None, *, limit: int | None = None, offset: int = 0
    ) -> TaskPage:
        """Tasks that a filter holds for; without one, the open tasks.

        By due moment, those without one last; then by manual order.
        """
        return self._queries.page(wanted, limit=limit, offset=offset)

    def outline(self, wanted: Filter | None = None) -> tuple[OutlineRow, ...]:
        """A light row for each task that a filter holds for, group by group."""
        return self._queries.outline(wanted)

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

    def add(self, fields: TaskFields, *, by: Gesture) -> Task:
        """Make one task.

        Raises:
            ValidationError: a field cannot hold what was asked.
        """
        return self.add_many([fields], by=by)[0]

    def add_many(self, many: Sequence[TaskFields], *, by: Gesture) -> tuple[Task, ...]:
        """Make several tasks in one transaction, ids in the order given.

        Raises:
            ValidationError: a field of one of them cannot hold what was asked; none was made.
        """
        with self._writing(by) as writing:
            records = [add_task(writing, fields) for fields in many]
        return tuple(writing.finished[record.row] for record in records)

    def import_drafts(
        self, drafts: Sequence[TaskDraft], *, by: Gesture, progress: Progress = _unwatched
    ) -> ImportReport:
        """Make tasks of a file's entries in one transaction; those that are here stay as they are.

        Raises:
            ValidationError: a field of one of them cannot hold what was asked; none was made.
        """
        from todo_tui.store.importing import Importing, ImportReport

        with self._writing(by) as writing:
            importing = Importing(writing)
            importing.run(drafts, progress)
        added = tuple(writing.finished[record.row] for record in importing.added)
        return ImportReport(added, importing.skipped, tuple(importing.remarks))

    def update(
        self,
        ids: Sequence[int],
        fields: TaskFields,
        *,
        by: Gesture,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        add_blockers: Sequence[int] = (),
        remove_blockers: Sequence[int] = (),
    ) -> tuple[Task, ...]:
        """Set the same fields of several tasks, all or nothing.

        A status of done completes them, with the next occurrence of what repeats.

        Raises:
            NotFound: this user has none of the first unknown id.
            ValidationError: a field cannot hold what was asked.
            Conflict: one of them is in the trash.
        """
        with self._writing(by) as writing:
            records = [out_of_trash(record) for record in writing.records(ids)]
            for record in records:
                apply_fields(writing, record, fields)
                writing.remove_tags(record, remove_tags)
                writing.add_tags(record, add_tags)
                writing.remove_blockers(record, writing.records(remove_blockers))
                writing.add_blockers(record, writing.records(add_blockers))
        return tuple(writing.finished[record.row] for record in records)

    def complete(self, ids: Sequence[int], *, by: Gesture) -> tuple[Completion, ...]:
        """Mark tasks as done; of what repeats, the next occurrence is made with it.

        A task that is done already stays as it is.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one of them is in the trash.
        """
        # Starting up is most of the time that `todo-tui add` takes: what it does
        # not need is imported where it is needed, here and below.
        from todo_tui.store.results import Completion

        with self._writing(by) as writing:
            pairs = [
                (record, set_status(writing, record, Status.DONE))
                for record in map(out_of_trash, writing.records(ids))
            ]
        return tuple(
            Completion(
                writing.finished[record.row],
                None if following is None else writing.finished[following.row],
            )
            for record, following in pairs
        )

    def reopen(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Take tasks back among the open ones.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one of them is in the trash.
        """
        with self._writing(by) as writing:
            records = [out_of_trash(record) for record in writing.records(ids)]
            for record in records:
                if not record.is_open:
                    set_status(writing, record, Status.TODO)
        return tuple(writing.finished[record.row] for record in records)

    def delete(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Move tasks to the trash.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        with self._writing(by) as writing:
            records = writing.records(ids)
            for record in records:
                if record.columns["deleted_at"] is None:
                    writing.change(record, {"deleted_at": writing.stamp})
        return tuple(writing.finished[record.row] for record in records)

    def restore(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Take tasks out of the trash.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        with self._writing(by) as writing:
            records = writing.records(ids)
            for record in records:
                writing.change(record, {"deleted_at": None})
        return tuple(writing.finished[record.row] for record in records)

    def annotate(self, task_id: int, text: str, *, by: Gesture) -> Task:
        """Add a remark, dated now.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the remark is empty or too long.
            Conflict: it is in the trash.
        """
        remark = clean_notes(text, "remark").strip()
        if not remark:
            raise ValidationError("A remark needs some words.")
        with self._writing(by) as writing:
            record = out_of_trash(writing.record(task_id))
            present = annotations_from_text(record.columns["annotations"] or "[]")
            added = (*present, Annotation(writing.log.now, remark))
            writing.change(record, {"annotations": annotations_text(added)})
        return writing.finished[record.row]

    def undo(self, *, by: Gesture) -> UndoReport:
        """Take back the newest batch that stands, whole; again for the one before it.

        Fields that were changed since are left alone and reported. The report is
        empty where there is nothing to undo.
        """
        from todo_tui.store.undoing import undo

        return self._travel(by, undo)

    def redo(self, *, by: Gesture) -> UndoReport:
        """Take back the newest undo, as long as nothing new was done since."""
        from todo_tui.store.undoing import redo

        return self._travel(by, redo)

    def purge(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Erase tasks and all text of them, from log and traces too; for good.

        Answers with their last state. Their ids are never given again.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        from todo_tui.store.purging import purge_tasks

        with self._file.writing() as database:
            changes = purge_tasks(self._open_writing(database, by), ids)
        self._file.forget_erased_text()
        self._announce(changes)
        return tuple(change.task for change in changes if change.kind is ChangeKind.PURGED)

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

    @cached_property
    def _queries(self) -> TaskQueries:
        # Filters are the largest part that `todo-tui add` does without.
        from todo_tui.store.queries import TaskQueries

        return TaskQueries(self._file, user=self._user, clock=self._clock)

    @contextmanager
    def _writing(self, by: Gesture) -> Iterator[TaskWriting]:
        with self._file.writing() as database:
            writing = self._open_writing(database, by)
            yield writing
            changes = writing.finish()
        self._announce(changes)

    def _travel(self, by: Gesture, step: Callable[[TaskWriting], UndoReport | None]) -> UndoReport:
        """Undo or redo, on past batches of which others have left nothing to take back."""
        while True:
            with self._file.writing() as database:
                report = step(self._open_writing(database, by))
            if report is None:
                return UndoReport()
            if report.changes or report.conflicts:
                self._announce(report.changes)
                return report

    def _open_writing(self, database: Database, by: Gesture) -> TaskWriting:
        return TaskWriting(
            database, user=self._user, clock=self._clock, new_id=self._new_id, gesture=by
        )

    def _announce(self, changes: tuple[TaskChange, ...]) -> None:
        if not changes:
            return
        with self._subscribers_lock:
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            subscriber(changes)
