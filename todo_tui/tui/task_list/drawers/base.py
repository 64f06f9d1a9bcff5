"""Base class of the drawers and the messages that they post."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive, reactive
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task, TaskFields
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.widgets.line_input import CompletionInput, LineInput
from todo_tui.tui.widgets.text import StableStatic

if TYPE_CHECKING:
    from todo_tui.domain.change_words.reader import ChangeWords
    from todo_tui.domain.filters.views import SavedView


class DrawerMessage(Message):
    """Base of all messages from drawers."""


@dataclass
class DrawerClosed(DrawerMessage):
    """Close a drawer, or the input of a title, and return to the list."""

    drawer: Drawer | LineInput


@dataclass
class AddRequested(DrawerMessage):
    """Add a task for each line, below a parent if any; `build_fields` is slow for many lines."""

    lines: tuple[str, ...]
    build_fields: Callable[[], Sequence[TaskFields]]
    parent: int | None


@dataclass
class FilterChanged(DrawerMessage):
    """The filter's text changed."""

    text: str


@dataclass
class SaveViewRequested(DrawerMessage):
    """Save a filter as a view."""

    text: str


@dataclass
class ViewSaved(DrawerMessage):
    """A view was added, or its filter or key replaced."""

    view: SavedView


@dataclass
class ChangeRequested(DrawerMessage):
    """Apply change words to tasks; `text` is the input, to be restored if that fails.

    `read` reads it for some tasks.
    """

    tasks: tuple[Task, ...]
    read: Callable[[Sequence[Task]], ChangeWords]
    text: str


@dataclass
class RenameRequested(DrawerMessage):
    """Set the title of a task."""

    task_id: int
    title: str


class Drawer(Vertical):
    """Input that opens below the list without moving the list's lines."""

    # Textual's own declaration lays out and repaints the screen once more on each change.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)
    is_open: reactive[bool] = reactive(False, toggle_class="-open", repaint=False)

    def __init__(
        self,
        id: str,
        sign: str,
        box: LineInput,
        *beside: Widget,
        keys: str,
    ) -> None:
        self.box = box
        self.below = StableStatic(classes="drawer--understood")
        self.key_line = StableStatic(classes="drawer--keys")
        self._keys = keys
        mark = Static(sign, markup=False, classes="drawer--sign")
        super().__init__(
            *([box.candidates] if isinstance(box, CompletionInput) else []),
            Horizontal(mark, box, *beside, classes="drawer--line"),
            self.below,
            self.key_line,
            id=id,
        )

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show the drawer with a text in its input."""
        self.key_line.put(Content(format_hint(self.app, self._keys)))
        self.box.put(text)
        self.is_open = True
        if focus:
            self.box.focus(scroll_visible=False)

    def close(self) -> None:
        """Hide the drawer and clear its input."""
        self.is_open = False
        self.box.put("")
        self.below.put(Content(""))

    @on(LineInput.Cancelled)
    def _leave(self, event: LineInput.Cancelled) -> None:
        event.stop()
        self.leave()

    def leave(self) -> None:
        """Request to be closed."""
        self.post_message(DrawerClosed(self))

    def say_error(self, error: TodoError) -> None:
        """Show an error and its hint below the input."""
        self.below.put(Content.styled(plain_line(error.text), "$text-error"))
