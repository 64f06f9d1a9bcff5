"""Drawer that saves the current filter as a view with name and key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.filters.views import SavedView, clean_view_key, clean_view_name
from todo_tui.domain.text import fold_case, plain_line
from todo_tui.tui.actions import KeyNames, bind
from todo_tui.tui.task_list.drawers.base import Drawer, ViewSaved
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import LineInput

if TYPE_CHECKING:
    from todo_tui.store.views import ViewStore


class SaveViewDrawer(Drawer):
    """Drawer that names a view, warning about the name or key that it would replace."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("box.next_field", "next_field", "Key"),
    ]

    def __init__(self, views: ViewStore, keys: KeyNames, *, id: str | None = None) -> None:
        self._name_box = LineInput(placeholder="Its name", id="view-name")
        self._key_box = LineInput(placeholder="–", id="view-key")
        across, leave = keys.first("box.next_field"), keys.first("box.leave")
        hint = f"Enter save · {across} key · {leave} leave"
        super().__init__("☆", self._name_box, hint, id=id)
        self._menu = keys.first("list.views")
        self._views = views
        self._known: tuple[SavedView, ...] = ()
        self._text = ""

    def compose_line(self) -> ComposeResult:
        """Yield name and key inputs on one line."""
        yield from super().compose_line()
        yield Static("key ", markup=False, classes="drawer--label")
        yield self._key_box

    def action_next_field(self) -> None:
        """Switch between name and key; elsewhere Tab leaves the pane."""
        box = self._name_box if self._key_box.has_focus else self._key_box
        box.focus(scroll_visible=False)

    def open_for(self, filter_text: str, name: str = "") -> None:
        """Open the drawer for a filter."""
        self._text = filter_text
        self._key_box.put("")
        self.open(name)
        self.run_worker(self._load_views(), group="names", exclusive=True)

    async def _load_views(self) -> None:
        try:
            self._known = await asyncio.to_thread(self._views.list)
        except TodoError as error:
            self.say_error(error)
            return
        self._show_reading()

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input is self._key_box and len(event.value) > 1:
            # The last typed key replaces the one before.
            self._key_box.put(event.value[-1])
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_save(self, event: Input.Submitted) -> None:
        event.stop()
        self.run_worker(self._save(), group="save-view", exclusive=True)

    async def _save(self) -> None:
        name, key = self._name_box.value, self._key_box.value.strip() or None
        try:
            view = await asyncio.to_thread(self._views.save, name, self._text, key=key)
        except TodoError as error:
            self.say_error(error)
            return
        self.post_message(ViewSaved(view))

    def _show_reading(self) -> None:
        if not self._name_box.value.strip():
            self.say_below(Content.styled(f"For {plain_line(self._text)}", MUTED))
            return
        try:
            name = clean_view_name(self._name_box.value)
            key = clean_view_key(self._key_box.value.strip())
        except ValidationError as error:
            self.say_error(error)
            return
        self.say_below(self._clashes(name, key))

    def _clashes(self, name: str, key: str | None) -> Content:
        """Return a warning about views that saving would change, else a hint."""
        warnings = []
        for view in self._known:
            if fold_case(view.name) == fold_case(name):
                warnings.append(
                    f"“{view.name}” is there with {view.filter_text}: this replaces it."
                )
            elif key is not None and view.key == key:
                warnings.append(f"{key} opens “{view.name}” now: it will open this one instead.")
        if warnings:
            return Content.styled(plain_line(" ".join(warnings)), "$text-warning")
        how = f"{self._menu} {key} opens it" if key else f"{self._menu} lists it"
        return Content.styled(f"{how} · view:{name} in a filter", MUTED)
