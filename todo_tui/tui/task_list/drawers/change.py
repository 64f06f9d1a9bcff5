"""Drawer that changes the selected tasks by change words, with a preview."""

from __future__ import annotations

from textual import on
from textual.content import Content
from textual.widgets import Input

from todo_tui.domain.change_words.reader import ChangeWords, read_change_words
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import Clock, DateStyle
from todo_tui.tui.actions import KeyNames
from todo_tui.tui.task_list.drawers.base import ChangeRequested, Drawer
from todo_tui.tui.task_list.notices import format_count, short_title
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.text import strip_unstable

_EXAMPLES = {
    False: "friday #home -@old !high, no date",
    True: "tomorrow 5pm, every friday, no date",
}


class ChangeDrawer(Drawer):
    """Drawer for change words, with a preview of the changes and the number of tasks."""

    def __init__(
        self, clock: Clock, style: DateStyle, keys: KeyNames, *, id: str | None = None
    ) -> None:
        leave = keys.first("box.leave")
        super().__init__("=", LineInput(), f"Enter change · {leave} leave", id=id)
        self._clock = clock
        self._style = style
        self._dates_only = False
        self._tasks: tuple[Task, ...] = ()

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
        self.open(text, focus=False)
        words = " ".join(filter(None, (error.message, error.hint)))
        self.call_after_refresh(self.say_below, Content.styled(plain_line(words), "$text-error"))

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_change(self, event: Input.Submitted) -> None:
        event.stop()
        words = self._read()
        if not self.box.value.strip():
            self.leave()
        elif words.changes_something:
            self.post_message(ChangeRequested(self._tasks, words, self.box.value.strip()))
            self.leave()

    def _read(self) -> ChangeWords:
        return read_change_words(
            self.box.value, self._clock.now(), self._style, dates_only=self._dates_only
        )

    def _show_reading(self) -> None:
        count = len(self._tasks)
        target = short_title(self._tasks[0].title) if count == 1 else format_count(count)
        if not self.box.value.strip():
            self.say_below(Content.styled(f"changes {target}", MUTED))
            return
        words = self._read()
        pieces = [
            Content.styled(strip_unstable(plain_line(each)), "$text-accent")
            for each in words.summary
        ]
        if words.unknown:
            unread = f"“{strip_unstable(plain_line(words.unknown))}” changes nothing"
            pieces.append(Content.styled(unread, "$text-error"))
        pieces += [Content.styled(plain_line(note), "$text-warning") for note in words.notes]
        if words.changes_something:
            pieces.append(Content.styled(f"changes {target}", MUTED))
        elif words.unknown and not words.notes:
            pieces.append(Content.styled(f"try {_EXAMPLES[self._dates_only]}", MUTED))
        self.say_below(Content.styled(" · ", MUTED).join(pieces))
