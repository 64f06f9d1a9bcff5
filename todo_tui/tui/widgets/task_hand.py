"""What a person's keys do to tasks: each press one gesture, written in the order pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from todo_tui.domain.changes import Children, TaskChange
from todo_tui.domain.errors import OpenSubtasks, TodoError
from todo_tui.domain.task import Priority, Status, Task, TaskFields
from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.widgets.pane_question import Answer, Question
from todo_tui.tui.widgets.task_sentences import (
    along,
    counted,
    no_more,
    series_sentence,
    skip_sentence,
    subtasks_question,
    task_or_count,
    undo_sentence,
)
from todo_tui.tui.widgets.task_writes import Failed, Gestures, Listener, TaskWrites

if TYPE_CHECKING:
    from todo_tui.domain.set_words import SetWords

    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.workspace import Store


class TaskHand:
    """Calls the store's own methods, the same that tools call.

    Every gesture takes all its tasks at once, as one step of undo. What it changes comes
    back as TaskChange, like the changes of everyone else.
    """

    def __init__(
        self, store: Store, writes: TaskWrites, listener: Listener, key_names: KeyNames
    ) -> None:
        self._store = store
        self._tasks = store.tasks
        self._gestures = Gestures(store, writes, listener)
        self._listener = listener
        self._undo_hint = f" · {key_names.first('list.undo')} undo"
        self._tick_key = key_names.first("list.tick")

    def followed(self, changes: Iterable[TaskChange]) -> list[Task]:
        """The tasks of these changes to which the cursor should go, told once."""
        return self._gestures.followed(changes)

    def tick(self, *tasks: Task) -> bool:
        """Complete what is open; else open what is closed, else take it out of the trash.

        Answers whether it is being completed. Tasks that are being written already are
        left alone.
        """
        free = self._gestures.free(tasks)
        present = [task for task in free if task.deleted_at is None]
        still_open = [task for task in present if task.status.is_open]
        if still_open:
            self.complete(still_open)
            return True
        if present:
            ids = _ids(present)
            self._gestures.write(lambda by: self._tasks.reopen(ids, by=by), held=ids)
        elif free:
            self.restore(free)
        return False

    def complete(self, tasks: Sequence[Task], children: Children = Children.ASK) -> None:
        """Mark tasks as done; asks what becomes of their open subtasks."""
        ids = _ids(self._gestures.free(tasks))

        def ask(error: TodoError) -> None:
            self._ask_about_subtasks(error, tasks, self.complete)

        def tell(_done: object) -> None:
            if len(ids) > 1:
                self._listener.say(f"Done: {task_or_count(tasks)}{self._undo_hint}")

        if ids:
            self._gestures.write(
                lambda by: self._tasks.complete(ids, by=by, children=children),
                tell,
                failed=ask,
                held=ids,
            )

    def begin(self, tasks: Sequence[Task]) -> None:
        """Mark open tasks as begun; where all of them are, put them back."""
        wanted = self._still_open(tasks)
        begun = all(task.status is Status.DOING for task in wanted)
        fields = TaskFields(status=Status.TODO if begun else Status.DOING)
        ids = _ids(wanted)
        if ids:
            self._gestures.write(
                lambda by: self._tasks.update(ids, fields, by=by), held=ids, follow=True
            )

    def cancel(self, tasks: Sequence[Task], children: Children = Children.ASK) -> None:
        """Close open tasks as what will not be done; asks what becomes of their open subtasks."""
        wanted = self._still_open(tasks)
        fields = TaskFields(status=Status.CANCELLED)
        ids = _ids(wanted)

        def ask(error: TodoError) -> None:
            self._ask_about_subtasks(error, wanted, self.cancel)

        if ids:
            self._gestures.write(
                lambda by: self._tasks.update(ids, fields, by=by, children=children),
                lambda _tasks: self._listener.say(
                    f"Cancelled {task_or_count(wanted)}{no_more(wanted)}{self._undo_hint}"
                ),
                failed=ask,
                held=ids,
            )

    def _still_open(self, tasks: Sequence[Task]) -> list[Task]:
        """Those that can be begun or cancelled; says so where none can."""
        free = self._gestures.free(tasks)
        wanted = [task for task in free if task.is_open]
        if free and not wanted:
            is_gone = free[0].deleted_at is not None
            where = "in the trash" if is_gone else "closed already"
            back = "takes it out" if is_gone else "opens it again"
            self._listener.say(f"It is {where}. {self._tick_key} {back}.")
        return wanted

    def delete(self, *tasks: Task) -> None:
        """Move tasks to the trash."""
        wanted = [task for task in self._gestures.free(tasks) if task.deleted_at is None]
        ids = _ids(wanted)
        if ids:
            self._gestures.write(
                lambda by: self._tasks.delete(ids, by=by),
                lambda gone: self._listener.say(
                    lambda cells: (
                        f"Deleted {task_or_count(wanted, cells)}"
                        f"{along(len(gone) - len(ids))}{self._undo_hint}"
                    )
                ),
                held=ids,
            )
        elif any(task.deleted_at is not None for task in tasks):
            self._listener.say(f"It is in the trash already. {self._tick_key} takes it out.")

    def restore(self, tasks: Sequence[Task]) -> None:
        """Take tasks out of the trash."""
        wanted = [task for task in self._gestures.free(tasks) if task.deleted_at is not None]
        ids = _ids(wanted)
        if not ids:
            self._listener.say("It is not in the trash.")
            return
        self._gestures.write(
            lambda by: self._tasks.restore(ids, by=by),
            lambda back: self._listener.say(
                lambda cells: (
                    f"Back from the trash: {task_or_count(wanted, cells)}"
                    f"{along(len(back) - len(ids))}{self._undo_hint}"
                )
            ),
            held=ids,
        )

    def purge(self, tasks: Sequence[Task]) -> None:
        """Erase tasks of the trash for good, once the person has said so."""
        wanted = [task for task in tasks if task.deleted_at is not None]
        ids = _ids(wanted)
        if not ids:
            self._listener.say("Only what is in the trash can be erased for good.")
            return

        def erase() -> None:
            self._gestures.write(
                lambda by: self._tasks.purge(ids, by=by),
                lambda gone: self._listener.say(f"Erased {counted(len(gone))} for good."),
                held=ids,
            )

        words = f"Erase {task_or_count(wanted)} for good? No undo brings it back"
        self._listener.ask(Question(words, (Answer("y", "erase", erase),), ids[0]))

    def add(self, fields: TaskFields, failed: Failed) -> None:
        """Make a task and go to it."""
        self._gestures.write(lambda by: self._tasks.add(fields, by=by), failed=failed, follow=True)

    def add_many(self, made: Callable[[], Sequence[TaskFields]], failed: Failed) -> None:
        """Make several tasks in one go, as one step for undo."""
        self._gestures.write(
            lambda by: self._tasks.add_many(made(), by=by),
            lambda tasks: self._listener.say(f"Added {counted(len(tasks))}{self._undo_hint}"),
            failed=failed,
            follow=True,
        )

    def rename(self, task_id: int, title: str, done: Callable[[], None]) -> None:
        """Give a task another title."""
        fields = TaskFields(title=title)
        self._gestures.write(
            lambda by: self._tasks.update([task_id], fields, by=by), lambda _tasks: done()
        )

    def prioritise(self, tasks: Sequence[Task], priority: Priority | None) -> None:
        """Give tasks another priority."""
        ids = [task.id for task in tasks if task.priority is not priority]
        if ids:
            fields = TaskFields(priority=priority)
            self._gestures.write(lambda by: self._tasks.update(ids, fields, by=by))

    def change(
        self,
        tasks: Sequence[Task],
        words: SetWords,
        failed: Callable[[TodoError], None] | None = None,
    ) -> None:
        """Change what a line of words says, of all tasks alike."""
        ids = _ids(tasks)
        if ids and words.changes_something:
            said = ", ".join(words.summary)
            self._gestures.write(
                lambda by: self._tasks.update(
                    ids,
                    words.fields,
                    by=by,
                    add_tags=words.add_tags,
                    remove_tags=words.remove_tags,
                ),
                lambda _tasks: self._listener.say(
                    lambda cells: f"{task_or_count(tasks, cells)}: {said}{self._undo_hint}"
                ),
                failed=failed,
                follow=len(ids) == 1,
            )

    def skip(self, tasks: Sequence[Task]) -> None:
        """Let repeating tasks go on to their next date without being done."""
        ids = _ids(self._gestures.free(tasks))
        now = self._store.clock.now()
        if ids:
            self._gestures.write(
                lambda by: self._tasks.skip(ids, by=by),
                lambda skips: self._listener.say(skip_sentence([skip.task for skip in skips], now)),
                held=ids,
                follow=True,
            )

    def end_series(self, tasks: Sequence[Task]) -> None:
        """Let these occurrences be the last ones, once the person has said so."""
        wanted = [task for task in tasks if task.recurrence is not None]
        ids = _ids(wanted)
        if not ids:
            self._listener.say("It does not repeat.")
            return

        def end() -> None:
            self._gestures.write(
                lambda by: self._tasks.end_series(ids, by=by),
                lambda ended: self._listener.say(series_sentence(ended) + self._undo_hint),
                held=ids,
            )

        words = f"{task_or_count(wanted)}: let this be the last time?"
        self._listener.ask(Question(words, (Answer("y", "end the series", end),), ids[0]))

    def move(
        self,
        tasks: Sequence[Task],
        *,
        before: int | None = None,
        after: int | None = None,
        under: int | None = None,
        top: bool = False,
    ) -> None:
        """Move tasks in the manual order, into another task or out of it."""
        ids = _ids(tasks)
        if ids:
            self._gestures.write(
                lambda by: self._tasks.move(
                    ids, by=by, before=before, after=after, under=under, top=top
                ),
                follow=True,
            )

    def undo(self) -> None:
        """Take back the last change, whoever made it, and go where it was."""
        self._gestures.write(
            lambda by: self._tasks.undo(by=by),
            lambda report: self._listener.say(lambda cells: undo_sentence(report, cells=cells)),
            follow=True,
        )

    def redo(self) -> None:
        """Do again what was undone last, and go where it is."""
        self._gestures.write(
            lambda by: self._tasks.redo(by=by),
            lambda report: self._listener.say(
                lambda cells: undo_sentence(report, redo=True, cells=cells)
            ),
            follow=True,
        )

    def _ask_about_subtasks(
        self,
        error: TodoError,
        tasks: Sequence[Task],
        again: Callable[[Sequence[Task], Children], None],
    ) -> None:
        if not isinstance(error, OpenSubtasks):
            self._listener.say_error(error)
            return
        self._listener.ask(
            Question(
                subtasks_question(tasks, len(error.subtasks)),
                (
                    Answer("y", "close them too", lambda: again(tasks, Children.CLOSE)),
                    Answer("l", "leave them", lambda: again(tasks, Children.LEAVE)),
                ),
                error.parents[0],
            )
        )


def _ids(tasks: Iterable[Task]) -> list[int]:
    return [task.id for task in tasks]
