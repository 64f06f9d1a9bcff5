"""Menu of all views with counts, searchable by name; saved ones are edited and deleted here."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.filters.views import SavedView
from todo_tui.domain.text import fold_case, plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import VIEW_MENU
from todo_tui.tui.errors import shows_errors
from todo_tui.tui.fuzzy_search import rank_matches
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.views import ALL, View, ViewKind, all_views, saved_view
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.row_list import RowList
from todo_tui.tui.widgets.text import StableStatic, display_line, pad_or_clip

_NAME, _COUNT = 18, 7


class ViewForm(Vertical):
    """Inputs for name, filter and shortcut of a saved view."""

    def __init__(self) -> None:
        self._name_box = LineInput(placeholder="View name", id="view-name")
        self._filter_box = LineInput(placeholder="Filter", id="view-filter")
        self._key_box = LineInput(placeholder="–", id="view-key")
        self._fields = {
            "Name": self._name_box,
            "Filter": self._filter_box,
            "Shortcut": self._key_box,
        }
        self._below = StableStatic()
        rows = (
            Horizontal(Static(label, markup=False, classes="view-label"), box, classes="view-row")
            for label, box in self._fields.items()
        )
        super().__init__(*rows, self._below)
        self.display = False
        self.view: View | None = None
        """View that is edited."""

    def open(self, view: View) -> None:
        """Show the inputs for a saved view."""
        self.view = view
        self._name_box.put(view.name)
        self._filter_box.put(view.text)
        self._key_box.put(view.key or "")
        self._below.put(Content(""))
        self.display = True
        self._name_box.focus()

    def close(self) -> None:
        """Hide the inputs."""
        self.view = None
        self.display = False

    def edited(self) -> SavedView:
        """Return what was typed, which may be invalid."""
        return SavedView(
            self._name_box.value, self._filter_box.value, self._key_box.value.strip() or None
        )

    def say_error(self, error: TodoError) -> None:
        """Show an error and its hint below the inputs."""
        self._below.put(Content.styled(plain_line(error.text), "$text-error"))

    @on(Input.Changed)
    def _keep_last_key(self, event: Input.Changed) -> None:
        event.stop()
        if event.input is self._key_box and len(event.value) > 1:
            # The last typed key replaces the one before.
            self._key_box.put(event.value[-1])


@dataclass(frozen=True, slots=True)
class DeletedView:
    """Deleted view, and the names of all saved views in their order before."""

    view: SavedView
    order: tuple[str, ...]


class ViewMenu(ActionHost, Dialog[View | None]):
    """Returns the chosen view.

    If the shown view was edited or deleted, its replacement is returned in any case.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "#view-search"
    ACTIONS = VIEW_MENU

    def __init__(
        self,
        services: AppServices,
        views: Sequence[View],
        query: ListQuery,
        deleted: list[DeletedView],
    ) -> None:
        super().__init__()
        self._store, self._writer = services.store.views, services.writer
        self._views = tuple(views)
        self._query = query
        self._shown = self._shown_before = query.view
        self._counts: dict[View, str] = {}
        self._fitting = self._views
        self._deleted = deleted
        self._search = LineInput(placeholder="View name or key", id="view-search")
        self._form = ViewForm()
        self._list: RowList[View] = RowList()
        self._list.can_focus = False

    def compose(self) -> ComposeResult:
        """Lay out the search box, the form and the views."""
        with Vertical(id="views"):
            yield self._search
            yield self._form
            yield self._list

    def on_mount(self) -> None:
        """List the views and count their tasks."""
        self._fill(self._shown)
        self._count_all()

    @on(OptionList.OptionHighlighted)
    def _show_keys(self) -> None:
        highlighted = self._list.item
        if self._form.display:
            keys = "Enter save · Tab next field · {views.close} cancel"
        elif highlighted is not None and highlighted.kind is ViewKind.SAVED:
            keys = "Enter show · {views.edit} edit · {views.delete} delete · {views.close} close"
        else:
            keys = "Enter show · {views.close} close"
        if self._deleted and not self._form.display:
            keys = "{views.restore} restore deleted · " + keys
        box = self.query_one("#views")
        box.border_title = "Edit view" if self._form.display else "Views"
        box.border_subtitle = format_hint(self.app, keys)

    @work(group="views", exclusive=True)
    async def _count_all(self) -> None:
        for view in self._views:
            try:
                count = f"{await asyncio.to_thread(self._query.count_of, view):,}"
            except TodoError:
                # A saved filter that no longer parses; opening the view shows why.
                count = "?"
            self._counts[view] = count
            if not self.is_running:
                return
            if view in self._fitting:
                place = self._fitting.index(view)
                self._list.replace_option_prompt_at_index(place, self._line(view))

    @on(Input.Changed, "#view-search")
    def _filter(self) -> None:
        typed = self._search.value.strip()
        for view in self._views:
            if view.key and view.key == fold_case(typed):
                self.dismiss(view)
                return
        self._fill(None if typed else self._list.item)

    def _fill(self, highlighted: View | None) -> None:
        self._fitting = self._views
        if typed := self._search.value.strip():
            found = rank_matches(typed, self._views, lambda view: f"{view.name} {view.text}")
            self._fitting = tuple(found)
        rows = [(view, self._line(view)) for view in self._fitting]
        self._list.fill(rows, highlighted, note="" if rows else "No matching views.")
        self._show_keys()

    def _line(self, view: View) -> Content:
        mark = "●" if view == self._shown else " "
        return Content.assemble(
            (f"{mark} ", "$primary"),
            (f"{view.key or ' '} ", "bold $text-accent"),
            (pad_or_clip(display_line(view.name), _NAME), "bold"),
            (f"{self._counts.get(view, '…'):>{_COUNT}}", MUTED),
            (f"  {display_line(self._query.describe(view))}", FAINT if view.text else MUTED),
        )

    def action_move(self, steps: int) -> None:
        """Move the highlight, also while a name is being typed; in the form, to another input."""
        if self._form.display:
            self.focus_next() if steps > 0 else self.focus_previous()
        else:
            self._list.move(steps)

    @on(Input.Submitted)
    def _choose(self) -> None:
        if self._form.view is not None:
            self._save(self._form.view)
        elif self._list.item is None:
            self.app.bell()
        else:
            self.dismiss(self._list.item)

    @on(OptionList.OptionSelected)
    def _choose_clicked(self, event: OptionList.OptionSelected) -> None:
        if self._fitting and not self._form.display:
            self.dismiss(self._fitting[event.option_index])

    def action_close(self) -> None:
        """Leave the form, or close."""
        if self._form.display:
            self._close_form()
        else:
            self.dismiss(None if self._shown == self._shown_before else self._shown)

    # Editing

    def _saved_view(self) -> View | None:
        view = self._list.item
        if view is None or view.kind is not ViewKind.SAVED:
            self.app.notify("Built-in views cannot be changed. Select one of yours.", timeout=3)
            return None
        return view

    def action_edit(self) -> None:
        """Edit name, filter and shortcut of the saved view."""
        if not self._form.display and (view := self._saved_view()) is not None:
            self._search.display = False
            self._form.open(view)
            self._show_keys()

    def _close_form(self) -> None:
        self._form.close()
        self._search.display = True
        self._search.focus()
        self._show_keys()

    @work(group="writes")
    @shows_errors
    async def _save(self, view: View) -> None:
        edited = self._form.edited()
        try:
            saved = await self._writer.run(self._store.replace, view.name, lambda _: edited)
        except TodoError as error:
            self._form.say_error(error)
            return
        if self._form.edited() == edited:
            self._close_form()
        elif self._form.display:
            # What was typed while the write waited is the next change.
            self._form.view = saved_view(saved)
        await self._read_again(saved.name)
        if view == self._shown:
            self._shown = self._list.item or ALL
            self._fill(self._shown)

    async def action_delete(self) -> None:
        """Delete the saved view; it can be restored until the app closes."""
        if self._form.display or (view := self._saved_view()) is None:
            return
        order = tuple(each.name for each in self._views if each.kind is ViewKind.SAVED)
        self._search.put("")
        deleted = await self._writer.run(self._store.delete, view.name)
        self._deleted.append(DeletedView(deleted, order))
        if view == self._shown:
            self._shown = ALL
        await self._read_again()
        hint = format_hint(self.app, "{views.restore} undo")
        self.app.notify(f"Deleted view “{plain_line(view.name)}”. {hint}", timeout=5)

    async def action_restore(self) -> None:
        """Restore the view deleted last, in its place."""
        if self._form.display or not self._deleted:
            self.app.notify("No view to restore.", timeout=3)
            return
        view, order = self._deleted[-1].view, self._deleted[-1].order
        self._search.put("")
        await self._writer.run(self._restore, view, order)
        self._deleted.pop()
        await self._read_again(view.name)
        self.app.clear_notifications()  # one says that the view is deleted
        self.app.notify(f"Restored view “{plain_line(view.name)}”.", timeout=3)

    def _restore(self, view: SavedView, order: Sequence[str]) -> None:
        self._store.save(view.name, view.filter_text, key=view.key)
        present = {each.name for each in self._store.list()}
        self._store.reorder([name for name in order if name in present])

    async def _read_again(self, name: str = "") -> None:
        """Read the views after a change, and highlight one of yours."""
        place = self._list.highlighted or 0
        self._views = all_views(await asyncio.to_thread(self._store.list))
        mine = (each for each in self._views if each.kind is ViewKind.SAVED and each.name == name)
        self._fill(next(mine, self._views[min(place, len(self._views) - 1)]))
        self._count_all()
