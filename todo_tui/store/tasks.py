"""The tasks of one user: every write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeKind, Children, Gesture, UndoReport
from todo_tui.domain.task import Annotation, Status, Task, TaskFields
from todo_tui.store.lifecycle import add_task, apply_fields
from todo_tui.store.task_records import Record, not_in_trash
from todo_tui.store.task_transactions import TaskTransactions
from todo_tui.store.writing import TaskWriting

if TYPE_CHECKING:
    from todo_tui.domain.draft import TaskDraft
    from todo_tui.store.importing import ImportReport, Progress
    from todo_tui.store.results import Completion, Skip


def _unwatched(_entries: int) -> None:
    """The progress of what nobody watches."""


class TaskStore(TaskTransactions):
    """The only owner of tasks; every query is bound to one user.

    Each write is one transaction, takes the gesture that it belongs to, and is
    announced to the subscribers once it is committed. Writes raise StoreError
    where the file cannot be written; then nothing of them was kept.
    """

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
        self,
        drafts: Sequence[TaskDraft],
        *,
        by: Gesture,
        skip_bad: bool = False,
        dry_run: bool = False,
        with_tasks: bool = True,
        progress: Progress = _unwatched,
    ) -> ImportReport:
        """Make tasks of a file's entries in one transaction; those that are here stay as they are.

        A bad entry keeps all of them out, unless it is to be skipped; the report names
        it. A dry run keeps nothing, and reports what comes without the bad ones.
        Without tasks the report only counts them, which is quicker.
        """
        from todo_tui.store.importing import NothingKept, import_drafts

        seen = with_tasks or bool(self._subscribers)
        try:
            with self._file.writing() as database:
                writing = self._open_writing(database, by)
                report, changes = import_drafts(
                    writing, drafts, progress, skip_bad=skip_bad, with_tasks=seen
                )
                if dry_run or (report.bad and not skip_bad):
                    raise NothingKept(report)
        except NothingKept as rolled_back:
            return rolled_back.report if dry_run else rolled_back.report.of_nothing()
        self._announce(changes)
        return report

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
        children: Children = Children.ASK,
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
                from todo_tui.store.closing import set_status

                set_status(writing, records, fields["status"], children)
        return self._results(writing, records)

    def complete(
        self,
        ids: Sequence[int],
        *,
        by: Gesture,
        children: Children = Children.ASK,
        last: bool = False,
    ) -> tuple[Completion, ...]:
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
        from todo_tui.store.closing import close, completion

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            if last:
                for record in records:
                    writing.change(record, {"recurrence": None})
            closed = close(writing, records, Status.DONE, children)
        return tuple(completion(writing, each) for each in closed)

    def reopen(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Take tasks back among the open ones.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one of them is in the trash.
        """
        from todo_tui.store.closing import reopen

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            reopen(writing, [record for record in records if not record.is_open])
        return self._results(writing, records)

    def skip(
        self, ids: Sequence[int], *, by: Gesture, missed: bool = False, times: int = 1
    ) -> tuple[Skip, ...]:
        """Let repeating tasks go on to their next date without being done.

        With `missed` past all dates that have gone by, to the first one that has not;
        with `times` past so many of them.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one is closed or in the trash, does not repeat, or this is its last
                occurrence; then none was skipped.
        """
        from todo_tui.store.repeating import skip
        from todo_tui.store.results import Skip

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            renewed = [
                [again for _ in range(times) for again in skip(writing, record, missed=missed)]
                for record in records
            ]
        return tuple(
            Skip(task, self._results(writing, again))
            for task, again in zip(self._results(writing, records), renewed, strict=True)
        )

    def end_series(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Let these occurrences be the last ones; they stay open and repeat no more.

        Raises:
            NotFound: this user has none of the first unknown id.
            Conflict: one is in the trash or does not repeat; then none was ended.
        """
        from todo_tui.store.repeating import end_series

        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            for record in records:
                end_series(writing, record)
        return self._results(writing, records)

    def move(
        self,
        ids: Sequence[int],
        *,
        by: Gesture,
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
        from todo_tui.store.moving import Move, move

        wanted = Move(before=before, after=after, under=under, top=top)
        with self._writing(by) as writing:
            records = self._outside_trash(writing, ids)
            move(writing, records, wanted)
        return self._results(writing, records)

    def delete(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Move tasks to the trash, with all that is below them.

        Answers with the tasks of the ids, then with the others that went along.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        from todo_tui.store.trash import move_to_trash

        with self._writing(by) as writing:
            records = move_to_trash(writing, writing.records(ids))
        return self._results(writing, records)

    def restore(self, ids: Sequence[int], *, by: Gesture) -> tuple[Task, ...]:
        """Take tasks out of the trash, with those that went there along with them.

        Answers with the tasks of the ids, then with the others that came along.

        Raises:
            NotFound: this user has none of the first unknown id.
        """
        from todo_tui.store.trash import restore

        with self._writing(by) as writing:
            records = restore(writing, writing.records(ids))
        return self._results(writing, records)

    def annotate(self, task_id: int, text: str, *, by: Gesture) -> Task:
        """Add a remark, dated now.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the remark is empty or too long.
            Conflict: the task is in the trash.
        """
        from todo_tui.store.remarks import add_remark

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            add_remark(writing, record, text)
        return writing.finished[record.row]

    def reword_annotation(
        self, task_id: int, annotation: Annotation, text: str, *, by: Gesture
    ) -> Task:
        """Give a remark other words; its date stays.

        Raises:
            NotFound: this user has no such task.
            ValidationError: the words are empty or too long.
            Conflict: the task is in the trash, or has no such remark any more.
        """
        from todo_tui.store.remarks import reword

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            reword(writing, record, annotation, text)
        return writing.finished[record.row]

    def remove_annotation(self, task_id: int, annotation: Annotation, *, by: Gesture) -> Task:
        """Take a remark out.

        Raises:
            NotFound: this user has no such task.
            Conflict: the task is in the trash, or has no such remark any more.
        """
        from todo_tui.store.remarks import remove

        with self._writing(by) as writing:
            (record,) = self._outside_trash(writing, [task_id])
            remove(writing, record, annotation)
        return writing.finished[record.row]

    def undo(self, *, by: Gesture, only: str | None = None) -> UndoReport:
        """Take back the newest batch that stands, whole; again for the one before it.

        Fields that were changed since are left alone and reported. The report is
        empty where there is nothing to undo, or where another batch than `only` is next.
        """
        from todo_tui.store.undoing import undo

        return self._travel(by, partial(undo, only=only))

    def redo(self, *, by: Gesture, only: str | None = None) -> UndoReport:
        """Take back the newest undo, as long as nothing new was done since; `only` as above."""
        from todo_tui.store.undoing import redo

        return self._travel(by, partial(redo, only=only))

    def log_position(self) -> int:
        """Return a number that grows with every write to tasks, by whomever."""
        with self._file.reading() as database:
            found = database.execute("SELECT coalesce(max(seq), 0) FROM ops").fetchone()
        return int(found[0])

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

    @staticmethod
    def _outside_trash(writing: TaskWriting, ids: Sequence[int]) -> list[Record]:
        return [not_in_trash(record) for record in writing.records(ids)]

    @staticmethod
    def _results(writing: TaskWriting, records: Sequence[Record]) -> tuple[Task, ...]:
        return tuple(writing.finished[record.row] for record in records)
