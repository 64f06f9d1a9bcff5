"""Commands that write tasks to the store, one undo batch per key press."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence, Sized
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.widget import Widget

from todo_tui.domain.changes import ChangeContext, SubtaskPolicy, TaskChange
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import OpenSubtasks, TodoError
from todo_tui.domain.recurrence.next_occurrence import upcoming_dates
from todo_tui.domain.task import Actor, Priority, Status, Task, TaskFields
from todo_tui.domain.text import format_count
from todo_tui.domain.when import When
from todo_tui.store.backups import backups_with
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.background import run_in_background
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.notices import (
    AnswerKey,
    NoticeLine,
    NoticeQuestion,
    join_titles,
    next_date,
    short_title,
    skip_message,
    task_or_count,
    undo_message,
)

if TYPE_CHECKING:
    from todo_tui.domain.change_words.reader import ChangeWords
    from todo_tui.store.tasks.results import CompletionResult, ReopenResult

Result = TypeVar("Result")
Report = Callable[[Result, int], str]
"""Message from a result and the maximum width of a title; empty for none."""
OnFailed = Callable[[TodoError], None]
_log = logging.getLogger(__name__)


class TaskCommands:
    """Store commands of the task list, the same methods that tools call.

    Each command is one undo batch for all its tasks. Results come back as TaskChange, like any
    other change. A task takes one write at a time.
    """

    def __init__(self, services: AppServices, owner: Widget, notice: NoticeLine) -> None:
        self._store, self._writer = services.store, services.writer
        self._tasks = services.store.tasks
        self._owner = owner
        self._busy: set[int] = set()
        self._followed_batch: str | None = None
        self._last_batch: str | None = None
        self._notice = notice

    @property
    def _undo_hint(self) -> str:
        return format_hint(self._owner.app, " · {list.undo} undo")

    @property
    def _tick_key(self) -> str:
        return format_hint(self._owner.app, "{list.tick}")

    def tick(self, tasks: Sequence[Task]) -> bool:
        """Complete open tasks; else reopen closed ones; else restore from the trash.

        Returns True if tasks are being completed. Tasks already being written are skipped.
        """
        free = self._free(tasks)
        present = [task for task in free if task.deleted_at is None]
        still_open = [task for task in present if task.status.is_open]
        if still_open:
            self.complete(still_open)
            return True
        if present:
            self._write(present, self._tasks.reopen, self._describe_reopened, locks=True)
        elif free:
            self.restore(free)
        return False

    def _describe_reopened(self, results: Sequence[ReopenResult], cells: int) -> str:
        """Return what became of next occurrences; nothing without any."""
        remarks = dict.fromkeys(each.remark.capitalize() for each in results if each.remark)
        reopened = f"Reopened {task_or_count([each.task for each in results], cells)}"
        return f"{'. '.join((reopened, *remarks))}{self._undo_hint}" if remarks else ""

    def complete(self, tasks: Sequence[Task], children: SubtaskPolicy = SubtaskPolicy.ASK) -> None:
        """Complete tasks; ask about their open subtasks.

        Tells of blockers that are still open, and of the next date of a recurring task.
        """
        targets = self._free(tasks)

        def report(results: Sequence[CompletionResult], cells: int) -> str:
            blockers = {task.id: task.title for each in results for task in each.open_blockers}
            blocked = f" though blocked by {join_titles([*blockers.values()], cells)}"
            following = [each.next for each in results if each.next is not None]
            again = next_date(following, self._store.clock) if len(targets) == 1 else ""
            if len(targets) < 2 and not blockers and not again:
                return ""
            completed = f"Completed {task_or_count(tasks, cells)}"
            return f"{completed}{blocked if blockers else ''}{again}{self._undo_hint}"

        self._write(
            targets,
            partial(self._tasks.complete, children=children),
            report,
            failed=lambda error: self._ask_about_subtasks(error, tasks, self.complete),
            locks=True,
        )

    def begin(self, tasks: Sequence[Task]) -> None:
        """Set open tasks to doing; back to todo if all of them are doing."""
        targets = self._still_open(tasks)
        begun = all(task.status is Status.DOING for task in targets)
        fields = TaskFields(status=Status.TODO if begun else Status.DOING)
        write = partial(self._tasks.update, fields=fields)
        self._write(targets, write, locks=True, follow=True)

    def cancel(self, tasks: Sequence[Task], children: SubtaskPolicy = SubtaskPolicy.ASK) -> None:
        """Cancel open tasks, skip recurring ones; ask about their open subtasks."""
        targets = self._still_open(tasks)
        fields = TaskFields(status=Status.CANCELLED)
        self._write(
            targets,
            partial(self._tasks.update, fields=fields, children=children),
            lambda tasks, _: (
                skip_message(tasks, self._store.clock)
                if all(task.is_open for task in tasks)
                else f"Cancelled {task_or_count(targets)}{self._undo_hint}"
            ),
            failed=lambda error: self._ask_about_subtasks(error, targets, self.cancel),
            locks=True,
        )

    def _still_open(self, tasks: Sequence[Task]) -> list[Task]:
        """Return the open tasks; show a notice if there are none."""
        free = self._free(tasks)
        targets = [task for task in free if task.is_open]
        if free and not targets:
            is_gone = free[0].deleted_at is not None
            state = "deleted" if is_gone else "completed" if free[0].completed_at else "cancelled"
            back = "restores" if is_gone else "reopens"
            self._notice.say(f"This task is already {state}. {self._tick_key} {back} the task.")
        return targets

    def delete(self, tasks: Sequence[Task]) -> None:
        """Move tasks to the trash."""
        targets = [task for task in self._free(tasks) if task.deleted_at is None]
        self._write_subtrees("Deleted", targets, self._tasks.delete)
        if not targets and any(task.deleted_at is not None for task in tasks):
            self._notice.say(f"This task is already deleted. {self._tick_key} restores the task.")

    def restore(self, tasks: Sequence[Task]) -> None:
        """Restore tasks from the trash."""
        targets = [task for task in self._free(tasks) if task.deleted_at is not None]
        self._write_subtrees("Restored", targets, self._tasks.restore)
        if not targets:
            self._notice.say("This task is not in the trash.")

    def _write_subtrees(
        self, verb: str, targets: Sequence[Task], write: Callable[..., Sized]
    ) -> None:
        def report(written: Sized, cells: int) -> str:
            count = len(written) - len(targets)
            subtasks = f" with {format_count(count, 'subtask')}" if count > 0 else ""
            return f"{verb} {task_or_count(targets, cells)}{subtasks}{self._undo_hint}"

        self._write(targets, write, report, locks=True)

    def purge(self, tasks: Sequence[Task]) -> None:
        """Erase tasks from the trash after confirmation."""
        targets = [task for task in tasks if task.deleted_at is not None]
        if not targets:
            self._notice.say("Delete the task first, then delete it permanently.")
            return

        backups: list[Path] = []

        def write(ids: Sequence[int], *, by: ChangeContext) -> tuple[Task, ...]:
            gone = self._tasks.purge(ids, by=by)
            backups.extend(backups_with(self._store.path, *(task.uuid for task in gone)))
            return gone

        def report(gone: Sized, _cells: int) -> str:
            kept = " A backup still contains the text: see todo-tui doctor." if backups else ""
            return f"Permanently deleted {format_count(len(gone), 'task')}.{kept}"

        words = f"Permanently delete {task_or_count(targets)}? This cannot be undone."
        self._confirm(words, "delete permanently", targets, write, report)

    def add(self, build_fields: Callable[[], Sequence[TaskFields]], failed: OnFailed) -> None:
        """Add tasks and move the cursor there; `build_fields` is called in the writing thread."""
        self._write(
            None,
            lambda by: self._tasks.add_many(build_fields(), by=by),
            lambda tasks, _: (
                f"Added {format_count(len(tasks), 'task')}{self._undo_hint}"
                if len(tasks) > 1
                else ""
            ),
            failed=failed,
            follow=True,
        )

    def rename(self, task_id: int, title: str, done: Callable[[], None]) -> None:
        """Set the title of a task."""

        def report(_tasks: object, _cells: int) -> str:
            done()
            return ""

        write = partial(self._tasks.update, [task_id], TaskFields(title=title))
        self._write(None, write, report)

    def prioritise(self, tasks: Sequence[Task], priority: Priority | None) -> None:
        """Set the priority of tasks."""
        targets = [task for task in tasks if task.priority is not priority]
        self._write(targets, partial(self._tasks.update, fields=TaskFields(priority=priority)))

    def change(
        self, tasks: Sequence[Task], words: ChangeWords, failed: OnFailed | None = None
    ) -> None:
        """Apply change words to all given tasks."""
        summary = ", ".join(words.summary)
        self._write(
            tasks if words.changes_something else (),
            partial(self._tasks.change, words=words, keeps_completed_due=True),
            lambda changed, cells: (
                f"{task_or_count(tasks, cells)}: {summary}{self._then(tasks, changed)}"
                f"{self._undo_hint}"
            ),
            failed=failed,
            follow=len(tasks) == 1,
        )

    def reschedule(self, task: Task, due: When) -> None:
        """Set the due date of a task."""
        when = format_when(due, self._store.clock.now())
        self._write(
            (task,) if due != task.due else (),
            partial(self._tasks.update, fields=TaskFields(due=due), keeps_completed_due=True),
            lambda moved, cells: (
                f"{short_title(task.title, cells)}: {when}{self._then((task,), moved)}"
                f"{self._undo_hint}"
            ),
        )

    def _then(self, before: Sequence[Task], after: Sequence[Task]) -> str:
        """Return `, then Mon 7 Dec 20:00` for one recurring task that was moved.

        Of several, return how many repeat: `, 2 repeat as before`.
        """
        moved = [each for each in zip(before, after, strict=True) if each[0].due != each[1].due]
        if len(before) > 1:
            kept = [new for old, new in moved if old.recurrence == new.recurrence is not None]
            return f", {len(kept)} repeat{'s' * (len(kept) == 1)} as before" if kept else ""
        if not moved:
            return ""
        clock = self._store.clock
        dates = upcoming_dates(after[0], clock.now(), clock.zone, 1)
        return f", then {format_when(dates[0], clock.now())}" if dates else ""

    def skip(self, tasks: Sequence[Task]) -> None:
        """Skip the current occurrence of recurring tasks."""
        self._write(
            self._free(tasks),
            self._tasks.skip,
            lambda skips, _: skip_message([skip.task for skip in skips], self._store.clock),
            locks=True,
            follow=True,
        )

    def end_series(self, tasks: Sequence[Task]) -> None:
        """End the series of recurring tasks after confirmation."""
        targets = [task for task in tasks if task.recurrence is not None]

        def report(ended: Sequence[Task], _cells: int) -> str:
            titles = join_titles([task.title for task in ended])
            return f"{titles}. Recurrence ended{self._undo_hint}"

        if not any(task.is_open for task in targets):
            # Nothing to confirm: the store names the open occurrence, or says that none recurs.
            self._write(targets or tasks, self._tasks.end_series)
            return
        words = f"End recurrence of {task_or_count(targets)}?"
        self._confirm(words, "end recurrence", targets, self._tasks.end_series, report)

    def _confirm(
        self,
        words: str,
        label: str,
        targets: Sequence[Task],
        write: Callable[..., Result],
        report: Report[Result],
    ) -> None:
        answer = AnswerKey("y", label, lambda: self._write(targets, write, report, locks=True))
        self._notice.ask(NoticeQuestion(words, (answer,), targets[0].id))

    def move(
        self,
        tasks: Sequence[Task],
        *,
        before: int | None = None,
        after: int | None = None,
        under: int | None = None,
        top: bool = False,
    ) -> None:
        """Move tasks in the manual order, below a parent or to the top level."""
        move = partial(self._tasks.move, before=before, after=after, under=under, top=top)
        self._write(tasks, move, follow=True)

    def undo(self, *, redo: bool = False) -> None:
        """Undo or redo the last change, by whatever actor, and move the cursor there."""
        self._write(
            None,
            self._tasks.redo if redo else self._tasks.undo,
            lambda report, cells: undo_message(
                report, self._store.clock.now(), redo=redo, cells=cells
            ),
            follow=True,
        )

    def _ask_about_subtasks(
        self,
        error: TodoError,
        tasks: Sequence[Task],
        again: Callable[[Sequence[Task], SubtaskPolicy], None],
    ) -> None:
        if not isinstance(error, OpenSubtasks):
            self._notice.say_error(error)
            return
        whose = f"{short_title(tasks[0].title)} has" if len(tasks) == 1 else "These tasks have"
        self._notice.ask(
            NoticeQuestion(
                f"{whose} {format_count(len(error.subtasks), 'open subtask')}",
                (
                    AnswerKey("y", "complete them too", lambda: again(tasks, SubtaskPolicy.CLOSE)),
                    AnswerKey("l", "leave them open", lambda: again(tasks, SubtaskPolicy.LEAVE)),
                ),
                error.parents[0],
            )
        )

    def _free(self, tasks: Iterable[Task]) -> list[Task]:
        return [task for task in tasks if task.id not in self._busy]

    def cursor_targets(self, changes: Iterable[TaskChange]) -> list[Task]:
        """Return changed tasks that the cursor should move to, once per followed write."""
        tasks = [change.task for change in changes if change.context.batch == self._followed_batch]
        if tasks:
            self._followed_batch = None
        return tasks

    def wrote(self, changes: Iterable[TaskChange]) -> bool:
        """Return True if all changes are of the last write of the pane."""
        return all(change.context.batch == self._last_batch for change in changes)

    def _write(
        self,
        tasks: Sequence[Task] | None,
        write: Callable[..., Result],
        report: Report[Result] | None = None,
        failed: OnFailed | None = None,
        *,
        locks: bool = False,
        follow: bool = False,
    ) -> None:
        """Queue a write to these tasks, if there are any; None stands for no given tasks.

        `write` is called with the ids of the tasks and, as `by`, the context of the change. With
        `locks` the tasks accept no other write meanwhile; with `follow` the cursor moves to the
        changed task.
        """
        if tasks is not None and not tasks:
            return
        ids = [task.id for task in tasks or ()]
        given = () if tasks is None else (ids,)
        busy = ids if locks else []
        by = self._store.new_change_context(Actor.USER)
        self._last_batch = by.batch
        if follow:
            self._followed_batch = by.batch
        self._busy.update(busy)
        message_count = self._notice.message_count

        async def run() -> None:
            try:
                result = await self._writer.run(write, *given, by=by)
            except Exception as error:
                if not isinstance(error, TodoError):
                    _log.error("internal error in a write of the task pane", exc_info=error)
                    told = f"Internal error ({type(error).__name__}). Open the log for details."
                    error = TodoError(told)
                (failed or self._notice.say_error)(error)
                return
            finally:
                self._busy.difference_update(busy)
            self._notice.clear(message_count)
            if report is not None:
                self._notice.say(lambda cells: report(result, cells))

        run_in_background(self._owner, run, group="task-writes", name="task write")
