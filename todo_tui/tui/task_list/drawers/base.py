"""Base class of the drawers and the messages that they post."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Static

from todo_tui.domain.task import Task, TaskFields
from todo_tui.tui.widgets.line_input import CompletionList, LineInput
from todo_tui.tui.widgets.text import StableStatic

if TYPE_CHECKING:
    from todo_tui.domain.change_words.reader import ChangeWords
    from todo_tui.domain.filters.views import SavedView


class DrawerMessage(Message):
    """Anything that a box of the pane says."""


class AddRequested(DrawerMessage):
    """A task is to be made; `text` is what was typed, for when that fails."""

    def __init__(self, fields: TaskFields, text: str) -> None:
        super().__init__()
        self.fields = fields
        self.text = text


class AddManyRequested(DrawerMessage):
    """A task is to be made of each line; `read` makes the tasks of them, off the event loop."""

    def __init__(self, lines: tuple[str, ...], read: Callable[[], Sequence[TaskFields]]) -> None:
        super().__init__()
        self.lines = lines
        self.read = read


class QuickAddClosed(DrawerMessage):
    """Nothing more is to be added."""


class FilterChanged(DrawerMessage):
    """The filter's text changed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class FilterApplied(DrawerMessage):
    """The filter stays on and the list is wanted back."""


class FilterCleared(DrawerMessage):
    """No filter is wanted any more."""


class SaveViewRequested(DrawerMessage):
    """A filter is to be saved as a view."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class ViewSaved(DrawerMessage):
    """A view was saved: it is new, or has another filter or key."""

    def __init__(self, view: SavedView) -> None:
        super().__init__()
        self.view = view


class SaveViewClosed(DrawerMessage):
    """No view is to be saved."""


class ChangeRequested(DrawerMessage):
    """Tasks are to change as a line of words says."""

    def __init__(self, tasks: tuple[Task, ...], words: ChangeWords, text: str) -> None:
        """Keep what was read and, for putting it back into the box, what was typed."""
        super().__init__()
        self.tasks = tasks
        self.words = words
        self.text = text


class ChangeClosed(DrawerMessage):
    """Nothing more is to change."""


class RenameRequested(DrawerMessage):
    """A task is to have another title."""

    def __init__(self, task_id: int, title: str) -> None:
        super().__init__()
        self.task_id = task_id
        self.title = title


class RenameClosed(DrawerMessage):
    """The title stays as it is."""


class Drawer(Vertical):
    """A box that opens under the list; the lines of the list stay where they are."""

    # The base class lays the screen out and draws it once more when this changes.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(
        self,
        sign: str,
        box: LineInput,
        keys: str,
        *,
        above: CompletionList | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.box = box
        self._above = above
        self._sign = sign
        self._keys = keys
        self._below = StableStatic(classes="drawer--understood")

    def compose(self) -> ComposeResult:
        """Candidates, the sign and the box, what was understood, the keys that work in it."""
        if self._above is not None:
            yield self._above
        with Horizontal(classes="drawer--line"):
            yield from self.compose_line()
        yield self._below
        yield Static(self._keys, markup=False, classes="drawer--keys")

    def compose_line(self) -> ComposeResult:
        """What stands on the line of the box."""
        yield Static(self._sign, markup=False, classes="drawer--sign")
        yield self.box

    @property
    def is_open(self) -> bool:
        """Whether it is seen."""
        return self.has_class("-open")

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show it with a text in the box."""
        self.box.put(text)
        self.add_class("-open")
        if focus:
            self.box.focus(scroll_visible=False)

    def close(self) -> None:
        """Put it away with what was typed."""
        self.remove_class("-open")
        self.box.put("")
        self.say_below(Content(""))

    def say_below(self, words: Content, *, keep_lines: bool = False) -> None:
        """Show what was made of the text; `keep_lines`: until `fit_below`, if it needs fewer."""
        self._below.put(words, keep_lines=keep_lines)

    def fit_below(self) -> None:
        """Give back lines that what was made of the text does not need."""
        self._below.fit()
