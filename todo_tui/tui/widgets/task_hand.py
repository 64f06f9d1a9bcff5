"""What a person's keys do to tasks: each press one gesture, written in the order pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TypeVar

from todo_tui.domain.changes import Gesture, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor, Priority, Task, TaskFields
from todo_tui.tui.widgets.task_sentences import short_title, undo_sentence
from todo_tui.tui.widgets.task_writes import TaskWrites

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.workspace import Store

Result = TypeVar("Result")
Failed = Callable[[TodoError], None]


class Listener(Protocol):
    """Who is told how a gesture went."""

    def say(self, sentence: str) -> None:
        """Something happened that is worth a sentence."""

    def say_error(self, error: TodoError) -> None:
        """It did not happen."""

    def forgive(self) -> None:
        """Something worked: an earlier error is old."""


class TaskHand:
    """Calls the store's own methods, the same that tools call.

    What a gesture changes comes back as TaskChange, like the changes of everyone else.
    """

    def __init__(self, store: Store, writes: TaskWrites, listener: Listener) -> None:
        self._store = store
        self._tasks = store.tasks
        self._writes = writes
        self._listener = listener
        self._held: set[int] = set()
        self._followed: str | None = None

    def followed(self, changes: Iterable[TaskChange]) -> list[Task]:
        """The tasks of these changes to which the cursor should go, told once."""
        tasks = [change.task for change in changes if change.gesture.batch == self._followed]
        if tasks:
            self._followed = None
        return tasks

    def tick(self, task: Task) -> bool:
        """Complete an open task; open a closed one, take one out of the trash.

        Answers whether it is being completed. A task that is being written already is
        left alone.
        """
        ids = [task.id]
        if task.id in self._held:
            return False
        if task.deleted_at is not None:
            self._write(lambda by: self._tasks.restore(ids, by=by), held=task.id)
        elif not task.status.is_open:
            self._write(lambda by: self._tasks.reopen(ids, by=by), held=task.id)
        else:
            self._write(lambda by: self._tasks.complete(ids, by=by), held=task.id)
            return True
        return False

    def delete(self, task: Task) -> None:
        """Move a task to the trash."""
        if task.id in self._held:
            return
        if task.deleted_at is not None:
            self._listener.say("It is in the trash already. Space takes it out.")
            return
        self._write(
            lambda by: self._tasks.delete([task.id], by=by),
            lambda _tasks: self._listener.say(f"Deleted {short_title(task.title)} · u undo"),
            held=task.id,
        )

    def add(self, fields: TaskFields, failed: Failed) -> None:
        """Make a task and go to it."""
        self._write(lambda by: self._tasks.add(fields, by=by), failed=failed, follow=True)

    def rename(self, task_id: int, title: str, done: Callable[[], None]) -> None:
        """Give a task another title."""
        fields = TaskFields(title=title)
        self._write(lambda by: self._tasks.update([task_id], fields, by=by), lambda _tasks: done())

    def prioritise(self, task: Task, priority: Priority | None) -> None:
        """Give a task another priority."""
        fields = TaskFields(priority=priority)
        if task.priority is not priority:
            self._write(lambda by: self._tasks.update([task.id], fields, by=by))

    def undo(self) -> None:
        """Take back the last change, whoever made it, and go where it was."""
        self._write(
            lambda by: self._tasks.undo(by=by),
            lambda report: self._listener.say(undo_sentence(report)),
            follow=True,
        )

    def redo(self) -> None:
        """Do again what was undone last, and go where it is."""
        self._write(
            lambda by: self._tasks.redo(by=by),
            lambda report: self._listener.say(undo_sentence(report, redo=True)),
            follow=True,
        )

    def _write(
        self,
        write: Callable[[Gesture], Result],
        done: Callable[[Result], None] | None = None,
        failed: Failed | None = None,
        *,
        held: int | None = None,
        follow: bool = False,
    ) -> None:
        """Write after all earlier gestures; the task that is `held` takes no other meanwhile."""
        by = self._store.gesture(Actor.USER)
        if follow:
            self._followed = by.batch
        if held is not None:
            self._held.add(held)

        def succeed(result: Result) -> None:
            self._release(held)
            self._listener.forgive()
            if done is not None:
                done(result)

        def fail(error: TodoError) -> None:
            self._release(held)
            (failed or self._listener.say_error)(error)

        self._writes.start(lambda: write(by), succeed, fail)

    def _release(self, task_id: int | None) -> None:
        if task_id is not None:
            self._held.discard(task_id)
