"""The transactions in which tasks are written, and who hears of them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from sqlite3 import Connection
from threading import Lock

from todo_tui.domain.changes import Gesture, TaskChange, UndoReport
from todo_tui.domain.clock import Clock, NewId
from todo_tui.store.database import DatabaseFile
from todo_tui.store.task_reader import TaskReader
from todo_tui.store.writing import TaskWriting

Subscriber = Callable[[tuple[TaskChange, ...]], None]


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

    def _open_writing(self, database: Connection, by: Gesture) -> TaskWriting:
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
