"""The drawer at the bottom of the pane: a box, what was understood, the keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Static

from todo_tui.tui.widgets.candidate_list import CandidateList
from todo_tui.tui.widgets.line_box import LineBox
from todo_tui.tui.widgets.words import Words


class TaskDrawer(Vertical):
    """A box that opens under the list; the lines of the list stay where they are."""

    # The base class lays the screen out and draws it once more when this changes.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(
        self,
        sign: str,
        box: LineBox,
        keys: str,
        *,
        above: CandidateList | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.box = box
        self._above = above
        self._sign = sign
        self._keys = keys
        self._below = Words(classes="drawer--understood")

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
