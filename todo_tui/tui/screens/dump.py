"""Brain dump: rows of a text as tasks, to edit, drop and merge before they are added."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.text import format_count, plain_text, repair_surrogates
from todo_tui.providers.offline.reading.dump import PLAIN, DumpRow, read_row, read_rows
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import DUMP
from todo_tui.tui.task_list.drawers.quick_add import render_preview
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from todo_tui.tui.services import AppServices

_HINT = (
    "{dump.add} add all · {dump.edit} edit · {dump.drop} drop · {dump.merge} merge"
    " · {dump.more} add · {dump.close} close"
)
_SCROLL_BAR = 2
_FIRST_HINT = "Enter next · {dump.close} close"
_EMPTY_HINT = "{dump.close} close"
_EDIT_HINT = "Enter done · {dump.close} back"
_MORE_HINT = "Enter next · Enter without text reviews them · {dump.close} back"
_MORE = "Next task, or several sentences"
_EMPTY = "Type or paste tasks, one a line or sentence."


class RowInput(Input):
    """Input that reports several pasted lines, and takes Ctrl+J as Enter."""

    @dataclass
    class LinesPasted(Message):
        """Several lines were pasted."""

        text: str

    async def on_key(self, event: events.Key) -> None:
        """Take a line feed as Enter."""
        if event.key == "ctrl+j":
            event.stop()
            event.prevent_default()
            await self.action_submit()

    def on_paste(self, event: events.Paste) -> None:
        """Report several lines in place of inserting the first."""
        text = plain_text(repair_surrogates(event.text)).strip()
        if "\n" in text:
            event.prevent_default()
            self.post_message(self.LinesPasted(text))


class DumpScreen(ActionHost, Dialog[str]):
    """Lists what was read of each row; Enter adds all of them as one batch.

    The result is the text of the rows that were not added; empty once they are.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = None
    ACTIONS = DUMP

    def __init__(self, services: AppServices, text: str = "") -> None:
        super().__init__()
        self._services = services
        self._text = text
        self._rows: list[DumpRow] = []
        self._edited: int | None = None
        """Index of the row in the input; None for new ones."""
        self._list = OptionList()
        self._input = RowInput(compact=True, select_on_focus=False)

    def compose(self) -> ComposeResult:
        """Lay out the rows above the input."""
        with Vertical(id="dump"):
            yield self._list
            yield Static(id="note", markup=False)
            yield self._input

    def on_mount(self) -> None:
        """Show the rows of the text, or the input for the first ones."""
        self._input.display = False
        self._put_rows(0, 0, self._text)
        if self._rows:
            self._list.focus()
        else:
            self.action_more()

    def _put_rows(self, first: int, stop: int, text: str, *, splits: bool = True) -> None:
        """Replace rows by those of a text."""
        now, style = self._services.clock.now(), self._services.style
        try:
            read = read_rows(text, now, style) if splits else [read_row(text, now, style)]
        except TodoError as error:
            self.app.notify(error.text, severity="warning", markup=False)
            return
        self._rows[first:stop] = [row for row in read if row.text]
        self._show(first)

    def _show(self, highlighted: int) -> None:
        box = self.query_one("#dump")
        box.border_title = f"Brain dump · {format_count(len(self._rows), 'task')}"
        hint = _HINT
        if not self._rows:
            hint = _FIRST_HINT if self._input.display else _EMPTY_HINT
        elif self._input.display:
            hint = _MORE_HINT if self._edited is None else _EDIT_HINT
        box.border_subtitle = format_hint(self.app, hint)
        note = "" if self._rows else _EMPTY
        self.query_one("#note", Static).update(Content.styled(note, MUTED))
        self._list.display = bool(self._rows)
        self._list.set_options(self._line(n, row) for n, row in enumerate(self._rows, 1))
        self._list.highlighted = highlighted

    @on(events.Resize)
    def _fit(self) -> None:
        if self._rows:
            self._show(self._list.highlighted or 0)

    def _line(self, number: int, row: DumpRow) -> Content:
        plain = Content.styled(f" · {PLAIN}", FAINT) if row.is_plain else Content("")
        mark = Content.styled(f"{number:>2}  ", MUTED)
        room = self.query_one("#dump").content_size.width - _SCROLL_BAR
        width = room - mark.cell_length - plain.cell_length
        return mark + render_preview(row.read, self._services.clock, {}, max(width, 0)) + plain

    # Editing

    @property
    def has_rows(self) -> bool:
        """True if a row can be edited now."""
        return bool(self._rows) and not self._input.display

    def action_edit(self) -> None:
        """Edit the highlighted row as a line of quick add."""
        self._edited = self._list.highlighted or 0
        self._open_input(self._rows[self._edited].text)

    def action_more(self) -> None:
        """Add rows."""
        self._edited = None
        self._open_input("")

    def action_drop(self) -> None:
        """Drop the highlighted row."""
        place = self._list.highlighted or 0
        del self._rows[place]
        self._show(place)

    def action_merge(self) -> None:
        """Join the highlighted row with the one before it."""
        place = self._list.highlighted or 0
        if not place:
            self.app.bell()
            return
        one, other = self._rows[place - 1 : place + 1]
        self._put_rows(place - 1, place + 1, f"{one.text} {other.text}", splits=False)

    def _open_input(self, text: str) -> None:
        self._input.display = True
        self._input.placeholder = _MORE if self._edited is None else ""
        self._input.value = text
        self._input.cursor_position = len(text)
        self._input.focus()
        self._show(self._list.highlighted or 0)

    def _close_input(self) -> None:
        self._input.display = False
        self._list.focus()
        self._show(self._list.highlighted or 0)

    @on(Input.Submitted)
    def _take_input(self, event: Input.Submitted) -> None:
        text, place = event.value.strip(), self._edited
        if place is None and text:
            self._put_rows(len(self._rows), len(self._rows), text)
            self._input.value = ""
            return
        if place is not None:
            self._put_rows(place, place + 1, text, splits=False)
        self._close_input()

    @on(RowInput.LinesPasted)
    def _take_lines(self, event: RowInput.LinesPasted) -> None:
        self._put_rows(len(self._rows), len(self._rows), event.text)
        self._close_input()

    # Leaving

    def action_close(self) -> None:
        """Leave the input, or the screen; what was not added is its result.

        A line that is being typed becomes a row.
        """
        if self._input.display and self._edited is None and (text := self._input.value.strip()):
            self._put_rows(len(self._rows), len(self._rows), text)
            self._input.value = ""
        if self._input.display and self._rows:
            self._close_input()
        else:
            self.dismiss("\n".join(row.text for row in self._rows))

    @on(OptionList.OptionSelected)
    def _enter_in_list(self) -> None:
        self.action_add()

    def action_add(self) -> None:
        """Add all rows as one undo batch."""
        if self._rows and not self._input.display:
            self._add([row.read.task_fields() for row in self._rows])

    @work(group="writes", exclusive=True)
    async def _add(self, fields: list[TaskFields]) -> None:
        store = self._services.store
        by = store.new_change_context(Actor.USER)
        try:
            tasks = await self._services.writer.run(store.tasks.add_many, fields, by=by)
        except TodoError as error:
            self.app.notify(error.text, title="Nothing was added", severity="error", markup=False)
            return
        undo = format_hint(self.app, "Undo with {list.undo} in the task list.")
        self.app.notify(f"Added {format_count(len(tasks), 'task')}. {undo}", markup=False)
        self.dismiss("")
