"""Menu of all views with counts, searchable by name."""

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import fold_case
from todo_tui.tui.actions import bind, format_hint
from todo_tui.tui.fuzzy_search import rank_matches
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.views.views import View
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.text import display_line, pad_or_clip

_NAME, _COUNT = 18, 7


class ViewMenu(ModalScreen[View | None]):
    """Returns the chosen view; `count` reads the number of tasks in one, and may raise."""

    CSS_PATH = "view_menu.tcss"
    AUTO_FOCUS = "LineInput"
    BINDING_GROUP_TITLE = "Views"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("views.close", "dismiss(None)", "close", show=True),
        bind("views.down", "move(1)", "Down"),
        bind("views.up", "move(-1)", "Up"),
    ]

    def __init__(self, views: Sequence[View], shown: View, count: Callable[[View], int]) -> None:
        super().__init__()
        self._views = tuple(views)
        self._shown = shown
        self._count = count
        self._counts: dict[View, str] = {}
        self._fitting = self._views
        self._list = OptionList()
        self._list.can_focus = False

    def compose(self) -> ComposeResult:
        """Lay out the search box and the views."""
        with Vertical(id="views") as box:
            box.border_title = "Views"
            box.border_subtitle = format_hint(self.app, "Enter show · {views.close} close")
            yield LineInput(placeholder="View name or key")
            yield self._list

    def on_mount(self) -> None:
        """List the views and count their tasks."""
        self._fill(self._shown)
        self._count_all()

    @work(group="views")
    async def _count_all(self) -> None:
        for view in self._views:
            try:
                count = f"{await asyncio.to_thread(self._count, view):,}"
            except TodoError:
                # A saved filter that no longer parses; opening the view shows why.
                count = "?"
            self._counts[view] = count
            if not self.is_running:
                return
            if view in self._fitting:
                place = self._fitting.index(view)
                self._list.replace_option_prompt_at_index(place, self._line(view))

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        typed = event.value.strip()
        for view in self._views:
            if view.key and view.key == fold_case(typed):
                self.dismiss(view)
                return
        before = self._highlighted
        self._fitting = self._views
        if typed:
            found = rank_matches(typed, self._views, lambda view: f"{view.name} {view.text}")
            self._fitting = tuple(found)
        self._fill(None if typed else before)

    def _fill(self, highlighted: View | None) -> None:
        none = Option(Content.styled(" No matching views.", MUTED), disabled=True)
        self._list.clear_options()
        self._list.add_options([Option(self._line(view)) for view in self._fitting] or [none])
        if self._fitting:
            place = self._fitting.index(highlighted) if highlighted in self._fitting else 0
            self._list.highlighted = place

    @property
    def _highlighted(self) -> View | None:
        place = self._list.highlighted
        return self._fitting[place] if place is not None and self._fitting else None

    def _line(self, view: View) -> Content:
        mark = "●" if view == self._shown else " "
        return Content.assemble(
            (f"{mark} ", "$primary"),
            (f"{view.key or ' '} ", "bold $text-accent"),
            (pad_or_clip(display_line(view.name), _NAME), "bold"),
            (f"{self._counts.get(view, '…'):>{_COUNT}}", MUTED),
            (f"  {display_line(view.about)}", FAINT if view.text else MUTED),
        )

    def action_move(self, steps: int) -> None:
        """Move the highlight, also while a name is being typed."""
        if steps > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    @on(Input.Submitted)
    def _choose(self) -> None:
        if self._highlighted is None:
            self.app.bell()
        else:
            self.dismiss(self._highlighted)

    @on(OptionList.OptionSelected)
    def _choose_clicked(self, event: OptionList.OptionSelected) -> None:
        if self._fitting:
            self.dismiss(self._fitting[event.option_index])

    @on(LineInput.Cancelled)
    def _close(self) -> None:
        self.dismiss(None)
