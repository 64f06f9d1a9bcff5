"""The writes of the pane: one by one, in the order pressed, away from the screen's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from textual.widget import Widget

from todo_tui.domain.changes import Gesture, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor, Task
from todo_tui.tui.widgets.pane_question import Question
from todo_tui.tui.widgets.task_sentences import Sentence

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.workspace import Store

Result = TypeVar("Result")
Failed = Callable[[TodoError], None]

_log = logging.getLogger(__name__)


class TaskWrites:
    """Runs writes in threads, so that a database that is slow or busy stops no key."""

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        # asyncio's lock is fair: who asked first writes first.
        self._turn = asyncio.Lock()

    def start(
        self,
        write: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Failed,
    ) -> None:
        """Write after all earlier ones; then call `done` or `failed` on the screen's thread."""
        self._owner.run_worker(
            self._write(write, done, failed), group="task-writes", name="task write"
        )

    async def _write(
        self,
        write: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Failed,
    ) -> None:
        async with self._turn:
            try:
                result = await asyncio.to_thread(write)
            except TodoError as error:
                failed(error)
                return
            except Exception as error:
                _log.exception("a write of the task pane broke")
                failed(TodoError(f"That did not work ({type(error).__name__}). The log has more."))
                return
        done(result)


class Listener(Protocol):
    """Who is told how a gesture went."""

    said: int
    """How many sentences were said so far."""

    def say(self, sentence: str | Sentence) -> None:
        """Something happened that is worth a sentence."""

    def say_error(self, error: TodoError) -> None:
        """It did not happen."""

    def forgive(self, said: int) -> None:
        """Something worked: an error is old, and what was said when it was begun."""

    def ask(self, question: Question) -> None:
        """It happens once the person has decided how."""


class Gestures:
    """Makes each press of a key one step of undo, and lets a task take one at a time."""

    def __init__(self, store: Store, writes: TaskWrites, listener: Listener) -> None:
        self._store = store
        self._writes = writes
        self._listener = listener
        self._held: set[int] = set()
        self._followed: str | None = None

    def free(self, tasks: Iterable[Task]) -> list[Task]:
        """Those that are not being written."""
        return [task for task in tasks if task.id not in self._held]

    def followed(self, changes: Iterable[TaskChange]) -> list[Task]:
        """The tasks of these changes to which the cursor should go, told once."""
        tasks = [change.task for change in changes if change.gesture.batch == self._followed]
        if tasks:
            self._followed = None
        return tasks

    def write(
        self,
        write: Callable[[Gesture], Result],
        done: Callable[[Result], None] | None = None,
        failed: Failed | None = None,
        *,
        held: Sequence[int] = (),
        follow: bool = False,
    ) -> None:
        """Write after all earlier gestures; tasks that are `held` take no other meanwhile.

        With `follow` the cursor goes to what has changed.
        """
        by = self._store.gesture(Actor.USER)
        if follow:
            self._followed = by.batch
        self._held.update(held)
        said = self._listener.said

        def succeed(result: Result) -> None:
            self._held.difference_update(held)
            self._listener.forgive(said)
            if done is not None:
                done(result)

        def fail(error: TodoError) -> None:
            self._held.difference_update(held)
            (failed or self._listener.say_error)(error)

        self._writes.start(lambda: write(by), succeed, fail)
