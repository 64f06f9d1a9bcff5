"""Model picker (F2): table of models with filter and connection test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import bind, format_hint
from todo_tui.tui.models.catalog import (
    ModelCatalog,
    ModelRow,
    ModelTestResult,
    RowTone,
    custom_rows,
    filter_rows,
    model_rows,
    recent_rows,
)
from todo_tui.tui.models.controller import describe_destination
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import ProviderChoice, ProviderOption
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.text import pad_or_clip, strip_unstable

TableLine = ModelRow | str
"""Model, or heading that the highlight skips."""
_MARKS, _NAME, _STATE, _CONTEXT = 5, 14, 10, 5
_SHORTEST_MODEL, _LONGEST_MODEL = 22, 34
_COST, _SHORT_COST = 21, 15
_OF_TOKENS = " per M"
"""Unit of prices, shown where there is room."""
_WHEEL = 3
_TONES = {
    RowTone.GOOD: "$text-success",
    RowTone.CHECKING: MUTED,
    RowTone.LIMITED: "$text-warning",
    RowTone.BAD: "$text-error",
}
_RECENT, _ALL = "used last", "all models"


class ModelTable(Widget):
    """Table of models with one highlighted row, which keeps its place as rows are added."""

    ALLOW_SELECT = False

    @dataclass
    class Highlighted(Message):
        """Posted when another row, or none, is highlighted; `by_hand`: by the user."""

        by_hand: bool

    class RowChosen(Message):
        """Posted when a row was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[TableLine, ...] = ()
        self._cursor = -1
        self._top = 0

    @property
    def row(self) -> ModelRow | None:
        """Highlighted row."""
        return self._at(self._cursor)

    @property
    def count(self) -> int:
        """Number of models listed."""
        return sum(isinstance(line, ModelRow) for line in self._lines)

    def show(self, lines: Sequence[TableLine], *, keep: bool) -> None:
        """Show these lines; `keep` leaves the highlight on its model, else it moves to the top."""
        before, depth = self.row, self._cursor - self._top
        self._lines = tuple(lines)
        self._cursor = self._place_of(before) if keep and before is not None else -1
        if self._cursor < 0:
            self._cursor = self._next(-1, 1)
            self._top = 0
        else:
            self._top = self._cursor - depth
        self._scroll_to_cursor()
        self.refresh()
        self.post_message(self.Highlighted(by_hand=False))

    def move(self, steps: int) -> None:
        """Move the highlight by `steps` rows, stopping at the ends."""
        direction = 1 if steps > 0 else -1
        for _ in range(abs(steps)):
            at = self._next(self._cursor, direction)
            if at < 0:
                break
            self._cursor = at
        self._scroll_to_cursor()
        self.refresh()
        self.post_message(self.Highlighted(by_hand=True))

    def page(self, direction: int) -> None:
        """Move the highlight by one page."""
        self.move(direction * max(self.content_size.height - 1, 1))

    @property
    def in_view(self) -> list[ModelRow]:
        """Models in the viewport."""
        seen = self._lines[self._top : self._top + self.content_size.height]
        return [line for line in seen if isinstance(line, ModelRow)]

    def render(self) -> Content:
        """Draw the lines in the viewport."""
        width, height = self.content_size
        seen = self._lines[self._top : self._top + height]
        columns = _Columns(width)
        return Content("\n").join(
            columns.heading(line)
            if isinstance(line, str)
            else columns.row(line, at, highlighted=at == self._cursor)
            for at, line in enumerate(seen, start=self._top)
        )

    def on_resize(self) -> None:
        """Keep the highlight in the viewport."""
        self._scroll_to_cursor()
        self.post_message(self.Highlighted(by_hand=False))

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked row."""
        at = event.style.meta.get("line")
        if isinstance(at, int) and self._at(at) is not None:
            self._cursor = at
            self.refresh()
            self.post_message(self.Highlighted(by_hand=True))
            self.post_message(self.RowChosen())

    def on_mouse_scroll_down(self) -> None:
        """Move the highlight down."""
        self.move(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        """Move the highlight up."""
        self.move(-_WHEEL)

    def _at(self, place: int) -> ModelRow | None:
        line = self._lines[place] if 0 <= place < len(self._lines) else None
        return line if isinstance(line, ModelRow) else None

    def _next(self, place: int, direction: int) -> int:
        """Return the place of the nearest row in that direction; -1 if there is none."""
        place += direction
        while 0 <= place < len(self._lines):
            if isinstance(self._lines[place], ModelRow):
                return place
            place += direction
        return -1

    def _place_of(self, row: ModelRow) -> int:
        for place, line in enumerate(self._lines):
            if isinstance(line, ModelRow) and _is_same(line, row):
                return place
        return -1

    def _scroll_to_cursor(self) -> None:
        height = max(self.content_size.height, 1)
        # Keep the heading above the first row visible.
        first = self._cursor - 1 if self._next(self._cursor, -1) < 0 else self._cursor
        self._top = max(min(self._top, first), self._cursor - height + 1, 0)


def _is_same(one: ModelRow, other: ModelRow) -> bool:
    return one.option.row.id == other.option.row.id and one.model == other.model


class _Columns:
    """Column positions of a row at a width; less important columns are left out first."""

    def __init__(self, width: int) -> None:
        self._width = width
        fixed = _MARKS + _NAME + 1 + 1 + _STATE
        room = width - fixed
        self._context = room - _CONTEXT - _COST - 3 >= _SHORTEST_MODEL
        self._cost = self._context or room - _SHORT_COST - 2 >= _SHORTEST_MODEL
        taken = (_CONTEXT + 1) * self._context
        if self._cost:
            taken += 2 + (_COST if self._context else _SHORT_COST)
        self._model = max(min(room - taken, _LONGEST_MODEL), 8)

    def heading(self, text: str) -> Content:
        """Draw a heading."""
        return Content.styled(f"   {text}", FAINT)

    def row(self, row: ModelRow, at: int, *, highlighted: bool) -> Content:
        """Draw a row: marks, number, provider, model, state, context, cost."""
        name = pad_or_clip(strip_unstable(plain_line(row.option.row.label)), _NAME)
        model = pad_or_clip(strip_unstable(plain_line(row.model)) or "–", self._model)
        number = str(row.number) if row.number <= 9 else " "
        quiet = "" if row.ready else MUTED
        line = Content.assemble(
            ("▌" if highlighted else " ", "$primary"),
            ("● " if row.current else "  ", "$primary"),
            (f"{number} ", FAINT),
            (name, "bold" if row.ready else quiet),
            " ",
            (model, quiet),
            " ",
            (pad_or_clip(row.state, _STATE) if row.ready else row.state, _TONES[row.tone]),
        )
        if row.ready and self._context:
            line += Content.styled(f" {row.context:>{_CONTEXT}}", MUTED)
        if row.ready and self._cost:
            cost = row.cost if self._context else row.cost.removesuffix(_OF_TOKENS)
            line += Content.styled(f"  {cost}", MUTED)
        line = line.truncate(self._width, ellipsis=True, pad=True)
        line = line.stylize(Style.from_meta({"line": at}))
        return line.stylize_before("on $primary 25%") if highlighted else line


class ModelPicker(ModalScreen[ProviderChoice | None]):
    """Table of models with a filter; fills in as servers answer."""

    CSS_PATH = "picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("picker.close", "dismiss(None)", "close", show=True),
        bind("picker.down", "move(1)", "Down"),
        bind("picker.up", "move(-1)", "Up"),
        bind("picker.page_down", "page(1)", "Page down"),
        bind("picker.page_up", "page(-1)", "Page up"),
        bind("picker.test", "test", "test", show=True, priority=True),
    ]

    def __init__(self, switch: ProviderSwitch, catalog: ModelCatalog, *, typed: str = "") -> None:
        """Create the picker with `typed` in the filter."""
        super().__init__()
        self._switch = switch
        self._catalog = catalog
        self._box = LineInput(placeholder="Type to filter, or a model's name", id="filter")
        self._box.value = typed
        self._table = ModelTable()
        self._setup = Static(id="setup", markup=False)
        self._provider = switch.option.row.id
        self._pricing = False

    def compose(self) -> ComposeResult:
        """Lay out filter, table and the highlighted model's setup notes."""
        with Vertical(id="picker") as box:
            box.border_title = "Model"
            test = "{picker.test} test · " if self._catalog.can_test else ""
            box.border_subtitle = format_hint(
                self.app, f"Enter choose · {test}{{picker.close}} close"
            )
            yield self._box
            yield self._table
            yield self._setup

    def on_mount(self) -> None:
        """Show the known models and fetch the others."""
        self._fill()
        for option in self._switch.options:
            self.run_worker(self._ask(option), group="models")

    async def _ask(self, option: ProviderOption) -> None:
        await self._catalog.ask(option)
        self._refill()

    def _refill(self) -> None:
        """Rebuild the rows; the highlight stays on its model."""
        if self.is_running:
            self._fill(keep=True)

    @on(Input.Changed)
    def _filter(self) -> None:
        self._fill()

    def _fill(self, *, keep: bool = False) -> None:
        rows = model_rows(self._switch, self._catalog)
        recent = recent_rows(self._switch, rows)
        typed = self._box.value.strip()
        if typed:
            fitting = filter_rows(rows, recent, typed)
            offered = custom_rows(self._switch, self._catalog, rows, typed, self._provider)
            self._table.show([*fitting, *offered], keep=keep)
        else:
            others = [row for row in rows if row not in recent]
            lines: list[TableLine] = (
                [_RECENT, *recent, _ALL, *others] if recent else [_ALL, *others]
            )
            self._table.show(lines, keep=keep)

    @on(ModelTable.Highlighted)
    def _show_setup(self, event: ModelTable.Highlighted) -> None:
        row = self._table.row
        if row is None:
            self._setup.update(Content.styled("No model has such a name.", MUTED), layout=False)
            return
        if event.by_hand or not self._box.value:
            self._provider = row.option.row.id
        self._setup.update(
            Content("\n").join(_row_details(row, self._switch, self._catalog)), layout=False
        )
        self._look_up_prices()

    def _look_up_prices(self) -> None:
        """Look up the prices of the rows in the viewport; others when they are scrolled into it."""
        if not self._pricing and self._unpriced():
            self._pricing = True
            self.run_worker(self._price(), group="prices")

    async def _price(self) -> None:
        try:
            while models := self._unpriced():
                await self._catalog.look_up_prices(models)
                self._refill()
        finally:
            self._pricing = False

    def _unpriced(self) -> list[tuple[str, str]]:
        priced = [row for row in self._table.in_view if row.ready or row is self._table.row]
        return self._catalog.unpriced((row.option, row.model) for row in priced)

    def action_move(self, steps: int) -> None:
        """Move the highlight, also while the filter is being typed."""
        self._table.move(steps)

    def action_page(self, direction: int) -> None:
        """Move the highlight by one page."""
        self._table.page(direction)

    def action_test(self) -> None:
        """Test the highlighted model; a new host takes consent first."""
        row = self._table.row
        if row is None or not row.ready or not self._catalog.can_test:
            self.app.bell()
            return
        self.run_worker(self._test(row.option, row.model), group="model")

    async def _test(self, option: ProviderOption, model: str) -> None:
        if not self._switch.has_consent(option):
            from todo_tui.tui.screens.consent import ConsentScreen  # opened once for each host

            if not await self.app.push_screen_wait(ConsentScreen(option, model)):
                return
            try:
                self._switch.give_consent(option)
            except TodoError as error:
                self.notify(error.message, severity="warning", markup=False)
                return
            self.run_worker(self._list(option), group="models")
        test = self._catalog.test(option, model)
        # Show that the test is running.
        self.call_next(self._refill)
        await test
        self._refill()

    async def _list(self, option: ProviderOption) -> None:
        await self._catalog.fetch_models(option)
        self._refill()

    @on(Input.Submitted)
    @on(ModelTable.RowChosen)
    def _choose(self) -> None:
        """Choose the highlighted model if it is ready."""
        row = self._table.row
        if row is None or not row.ready:
            self.app.bell()
        else:
            self.dismiss(row.choice)

    @on(LineInput.Cancelled)
    def _close(self) -> None:
        self.dismiss(None)


def _row_details(row: ModelRow, switch: ProviderSwitch, catalog: ModelCatalog) -> list[Content]:
    """Return notes on a row, or what is missing; at most three lines."""
    option = row.option
    key = f"Alt+{row.number}" if row.number <= 9 else ""
    notes = [plain_line(option.row.about), plain_line(row.model)]
    if row.typed:
        notes.append("no list has it")
    if not row.ready:
        # The state column says what is missing.
        notes.append(row.cost)
    first = Content.assemble(
        (key, "bold $primary"), (f"{'  ' if key else ''}{' · '.join(filter(None, notes))}", MUTED)
    )
    if not row.ready and row.tone is RowTone.CHECKING:
        return [first, Content.styled("Whether it is there will be known in a moment.", MUTED)]
    if not row.ready:
        return [first, Content(_install_hint(row, switch))]
    lines = [first, Content(describe_destination(option))]
    result, list_error = catalog.test_result(option, row.model), catalog.list_error(option)
    if result is not None:
        lines.append(_format_test_result(result))
    elif row.lacks_tools:
        text = "It cannot call tools, so it can talk about your list and not change it."
        lines.append(Content.styled(text, "$text-warning"))
    elif list_error:
        lines.append(
            Content.styled(f"Its other models are not listed: {list_error}.", "$text-warning")
        )
    return lines


def _install_hint(row: ModelRow, switch: ProviderSwitch) -> str:
    if hint := switch.install_hint(row.option):
        return f"Its Python package is missing. Run {plain_line(hint)}."
    return f"{_sentence(row.state)} {plain_line(row.option.row.setup)}"


def _format_test_result(result: ModelTestResult) -> Content:
    if not result.text:
        return Content.styled("One small request is on its way…", MUTED)
    if result.works:
        return Content.styled(f"✓ {result.text}", "$text-success")
    if result.answered:
        return Content.styled(f"✗ {result.text}", "$text-warning")
    return Content.styled(f"✗ {result.text}", "$text-error")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
