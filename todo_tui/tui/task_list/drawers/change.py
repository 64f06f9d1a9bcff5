"""Changing tasks: the drawer for change words with its preview, the input for a title in place."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from textual import events, on
from textual.content import Content
from textual.widgets import Input

from todo_tui.domain.change_words.reader import ChangeWords, read_change_words
from todo_tui.domain.dates.text import notes_beside
from todo_tui.domain.errors import DateNotUnderstood, TodoError
from todo_tui.domain.task import Status, Task, TaskFields
from todo_tui.domain.text import plain_line
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.drawers.base import (
    ChangeRequested,
    Drawer,
    DrawerClosed,
    RenameRequested,
)
from todo_tui.tui.task_list.notices import task_or_count
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.text import display_line

_EXAMPLES = {
    False: "friday #home -@old !high, no date",
    True: "tomorrow 5pm, every friday, no date",
}


class ChangeDrawer(Drawer):
    """Drawer for change words, with a preview of the changes and the number of tasks."""

    def __init__(self, services: AppServices) -> None:
        super().__init__("set-box", "=", LineInput(), keys="Enter apply · {box.leave} close")
        self._services = services
        self._dates_only = False
        self._tasks: tuple[Task, ...] = ()
        self._refused: tuple[str, TodoError] | None = None
        """Words that could not be applied, and why; shown until they are edited."""

    def open_for(self, tasks: tuple[Task, ...], *, dates_only: bool) -> None:
        """Open the drawer for these tasks, optionally for due dates only."""
        self._tasks = tasks
        self._dates_only = dates_only
        self.box.placeholder = _EXAMPLES[dates_only]
        self.open()
        self._show_reading()

    def put_back(self, tasks: tuple[Task, ...], text: str, error: TodoError) -> None:
        """Restore change words that could not be applied, with the error."""
        if self.is_open and self.box.value.strip():
            # Never overwrite newer input.
            return
        self._tasks = tasks
        self._refused = text, error
        # The list has had the focus since Enter; in any other place somebody goes on.
        focused = self.app.focused
        is_list = focused is not None and focused.parent is self.parent
        self.open(text, focus=is_list and not isinstance(focused, Input))
        self._show_reading()

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_change(self, event: Input.Submitted) -> None:
        event.stop()
        text, self._refused = self.box.value, None
        read = partial(self._read, text, dates_only=self._dates_only)
        if not text.strip():
            self.leave()
        elif read(self._tasks).changes_something:
            self.post_message(ChangeRequested(self._tasks, read, text.strip()))
            self.leave()

    def _read(self, text: str, tasks: Sequence[Task], *, dates_only: bool) -> ChangeWords:
        """Read change words; of several tasks each can get another first date."""
        now, style = self._services.clock.now(), self._services.style
        task = tasks[0] if len(tasks) == 1 else None
        return read_change_words(text, now, style, dates_only=dates_only, task=task)

    def _show_reading(self) -> None:
        is_done = all(each.recurrence and each.status is Status.DONE for each in self._tasks)
        state = "completed " if is_done else ""
        target = Content.styled(f"edit {state}{task_or_count(self._tasks)}", MUTED)
        if not self.box.value.strip():
            self.below.put(target)
            return
        if self._refused is not None and self.box.value == self._refused[0]:
            self.say_error(self._refused[1])
            return
        self._refused = None
        words = self._read(self.box.value, self._tasks, dates_only=self._dates_only)
        pieces = [Content.styled(display_line(each), "$text-accent") for each in words.summary]
        if words.unknown:
            unread = f"Could not understand “{display_line(words.unknown)}”"
            pieces.append(Content.styled(unread, "$text-error"))
        notes = notes_beside(words.summary, words.notes)
        pieces += [Content.styled(plain_line(note), "$text-warning") for note in notes]
        if words.changes_something and any(_is_refused(words, task) for task in self._tasks):
            refusal = "This occurrence is no longer open"
            pieces.append(Content.styled(refusal, "$text-error"))
        elif words.changes_something:
            pieces.append(target)
        elif words.unknown and not words.notes:
            pieces.append(Content.styled(f"try {_EXAMPLES[self._dates_only]}", MUTED))
        self.below.put(Content.styled(" · ", MUTED).join(pieces))


def _is_refused(words: ChangeWords, task: Task) -> bool:
    """Return True if the words move a closed occurrence, which the store refuses."""
    if task.recurrence is None or task.status.is_open or "status" in words.fields:
        return False
    fields: TaskFields = {}
    with suppress(DateNotUnderstood):  # Enter says why
        fields = words.fields_of(task)
    present = {"due": task.due, "recurrence": task.recurrence, "repeat_from": task.repeat_from}
    return words.skip or any(fields.get(name, value) != value for name, value in present.items())


class RenameInput(LineInput):
    """Input for one title, over its row."""

    def __init__(self) -> None:
        super().__init__(id="rename")
        self.task_id: int | None = None
        """The task being renamed; None while the input is closed."""
        self._before = ""

    def open(self, task_id: int, title: str) -> None:
        """Show a title for editing, with the whole text as typed."""
        self.task_id = task_id
        self.put(title)
        self._before = self.value
        self.add_class("-open")
        self.focus(scroll_visible=False)

    def close(self) -> None:
        """Hide the input."""
        self.task_id = None
        self.remove_class("-open")

    @on(Input.Submitted)
    def _rename(self, event: Input.Submitted) -> None:
        event.stop()
        title = event.value.strip()
        if self.task_id is None or not title or title == self._before:
            self.post_message(DrawerClosed(self))
        else:
            self.post_message(RenameRequested(self.task_id, title))

    @on(LineInput.Cancelled)
    def _leave(self, event: LineInput.Cancelled) -> None:
        event.stop()
        self.post_message(DrawerClosed(self))

    def on_blur(self, _event: events.Blur) -> None:
        """Close an unchanged title when the focus leaves."""
        if self.task_id is not None and self.value == self._before:
            self.post_message(DrawerClosed(self))
