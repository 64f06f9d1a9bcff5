"""Model picker (F2): table of models with filter and connection test."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, Static

from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.provider_row import ProviderOption
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import join_hints
from todo_tui.tui.actions.screens import MODEL_PICKER
from todo_tui.tui.models.catalog import ModelCatalog, ModelRow, ModelTestResult, RowTone
from todo_tui.tui.screens.consent import obtain_consent
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.text import column_width, display_line, pad_or_clip

_MARKS, _LONGEST_NAME, _STATE, _CONTEXT = 5, 14, 10, 5
_SHORTEST_MODEL, _LONGEST_MODEL = 22, 34
_COST, _SHORT_COST = 21, 15
_WHEEL = 3
_FRAME = 6
"""Cells of the border line beside the key hints."""


class ModelTable(Widget):
    """Table of models with one highlighted row, which keeps its place as rows are added.

    `is_numbering` shows the numbers that choose a provider's default model.
    """

    ALLOW_SELECT = False

    @dataclass
    class Highlighted(Message):
        """Posted when another row, or none, is highlighted; `by_hand`: by the user."""

        by_hand: bool

    class RowChosen(Message):
        """Posted when a row was clicked."""

    def __init__(self, *, is_numbering: bool) -> None:
        super().__init__()
        self._is_numbering = is_numbering
        self._lines: Sequence[ModelRow | str] = ()
        self._places: list[int] = []
        self._cursor = 0
        self._top = 0
        self._columns = (0, 0)
        """Cells of the names of providers and of models."""

    @property
    def row(self) -> ModelRow | None:
        """Highlighted row."""
        line = self._lines[self._places[self._cursor]] if self._places else None
        return line if isinstance(line, ModelRow) else None

    @property
    def in_view(self) -> list[ModelRow]:
        """Models in the viewport."""
        seen = self._lines[self._top : self._top + self.content_size.height]
        return [line for line in seen if isinstance(line, ModelRow)]

    def show(self, lines: Sequence[ModelRow | str], *, keep: bool) -> None:
        """Show these lines; `keep` leaves the highlight on its model, else it moves to the top."""
        before = self.row if keep else None
        depth = self._places[self._cursor] - self._top if before is not None else 0
        models = [(place, row) for place, row in enumerate(lines) if isinstance(row, ModelRow)]
        self._lines, self._places = lines, [place for place, _ in models]
        self._columns = (
            column_width((display_line(row.option.row.label) for _, row in models), _LONGEST_NAME),
            column_width((display_line(row.model) for _, row in models), _LONGEST_MODEL),
        )
        same = [at for at, (_, row) in enumerate(models) if before and row.key == before.key]
        self._cursor = same[0] if same else 0
        self._top = self._places[self._cursor] - depth if same else 0
        self._show_cursor(by_hand=False)

    def move(self, steps: int) -> None:
        """Move the highlight by `steps` rows, stopping at the ends."""
        self._cursor = max(min(self._cursor + steps, len(self._places) - 1), 0)
        self._show_cursor(by_hand=True)

    def on_resize(self) -> None:
        """Keep the highlight in the viewport."""
        self._show_cursor(by_hand=False)

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked row."""
        place = event.style.meta.get("line")
        if place in self._places:
            self._cursor = self._places.index(place)
            self._show_cursor(by_hand=True)
            self.post_message(self.RowChosen())

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _on_wheel(self, event: events.MouseEvent) -> None:
        self.move(_WHEEL if isinstance(event, events.MouseScrollDown) else -_WHEEL)

    def _show_cursor(self, *, by_hand: bool) -> None:
        height = self._rows
        place = self._places[self._cursor] if self._places else 0
        # Keep the heading above the first row visible.
        first = place - 1 if self._cursor == 0 else place
        self._top = max(min(self._top, first), place - height + 1, 0)
        self.refresh()
        self.post_message(self.Highlighted(by_hand))

    def render(self) -> Content:
        """Draw the lines in the viewport."""
        seen = enumerate(self._lines[self._top : self._top + self._rows], start=self._top)
        drawn = [self._draw(line, place) for place, line in seen]
        below = self._lines[self._top + self._rows :]
        if len(below) == 1 < self.content_size.height:
            drawn.append(self._draw(below[0], self._top + self._rows))
        elif below:
            drawn.append(Content.styled(f"   ↓ {len(below)} more", FAINT))
        return Content("\n").join(drawn)

    @property
    def _rows(self) -> int:
        """Lines that fit; a longer table says in the last one how many are hidden."""
        height = self.content_size.height
        return max(height - (len(self._lines) > height), 1)

    def _draw(self, row: ModelRow | str, place: int) -> Content:
        """Draw marks, number, provider, model, state, context and cost, as many as fit."""
        if isinstance(row, str):
            return Content.styled(f"   {row}", FAINT)
        width = self.content_size.width
        name_cells, model_cells = self._columns
        name_cells = min(name_cells, width // 4)
        room = width - (_MARKS + name_cells + 1 + 1 + _STATE)
        has_context = room - _CONTEXT - _COST - 3 >= _SHORTEST_MODEL
        has_cost = has_context or room - _SHORT_COST - 2 >= _SHORTEST_MODEL
        if has_cost:
            room -= _CONTEXT + 1 + 2 + _COST if has_context else 2 + _SHORT_COST
        name = pad_or_clip(display_line(row.option.row.label), name_cells)
        model = display_line(row.model) or "–"
        highlighted = place == self._places[self._cursor]
        quiet = "" if row.ready else MUTED
        line = Content.assemble(
            ("▌" if highlighted else " ", "$primary"),
            ("● " if row.current else "  ", "$primary"),
            (f"{row.number if self._is_numbering and row.is_default else '':>2} ", FAINT),
            (name, "bold" if row.ready else quiet),
            " ",
            # A reason without a model has the cells of both.
            (
                pad_or_clip(model, max(min(room, model_cells), 8))
                if row.ready or row.model
                else model,
                quiet,
            ),
            " ",
            (pad_or_clip(row.state, _STATE) if row.ready else row.state, row.tone),
        )
        if row.ready and has_context:
            line += Content.styled(f" {row.context:>{_CONTEXT}}", MUTED)
        if row.ready and has_cost:
            cost = row.cost if has_context else row.cost.removesuffix(" per M")
            line += Content.styled(f"  {cost}", MUTED)
        line = line.truncate(width, ellipsis=True, pad=True)
        line = line.stylize(Style.from_meta({"line": place}))
        return line.stylize_before("on $primary 15%") if highlighted else line


class ModelPicker(ActionHost, Dialog[ModelRow | None]):
    """Table of models with a filter; fills in as servers answer.

    `without` is a provider and model that is left out; `command` is the slash command that chooses
    the same.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ACTIONS = MODEL_PICKER

    def __init__(
        self,
        catalog: ModelCatalog,
        *,
        typed: str = "",
        title: str = "Model",
        command: str = "model",
        without: tuple[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._command = command
        self._title = title
        self._without = without
        self._switch = catalog.switch
        self._catalog = catalog
        self._box = LineInput(placeholder="Filter or model name", id="filter")
        self._box.value = typed
        self._table = ModelTable(is_numbering=command == "model")
        self._setup = Static(id="setup", markup=False)
        self._provider = catalog.switch.option.row.id

    def compose(self) -> ComposeResult:
        """Lay out filter, table and the highlighted model's setup notes."""
        with Vertical(id="picker") as box:
            box.border_title = Content(self._title)
            yield self._box
            yield self._table
            yield self._setup

    def on_mount(self) -> None:
        """Show the known models and fetch the others."""
        self._fill()
        for option in self._switch.options:
            self._ask(option)

    @work(group="models")
    async def _ask(self, option: ProviderOption) -> None:
        await self._catalog.ask(option)
        self._refill()

    def _refill(self) -> None:
        if self.is_running:
            self._fill(keep=True)

    @on(Input.Changed)
    def _filter(self) -> None:
        self._fill()

    def _fill(self, *, keep: bool = False) -> None:
        known, without = self._catalog.rows(), self._without
        rows = [row for row in known if without is None or not row.is_model(*without)]
        if typed := self._box.value.strip():
            offered = self._catalog.custom_rows(known, typed, self._provider)
            self._table.show([*self._catalog.filter_rows(rows, typed), *offered], keep=keep)
            return
        recent = self._catalog.recent_rows(rows)
        others = [row for row in rows if row not in recent]
        headed: list[ModelRow | str] = ["Recent", *recent] if recent else []
        self._table.show([*headed, "All models", *others], keep=keep)

    @on(ModelTable.Highlighted)
    def _show_setup(self, event: ModelTable.Highlighted) -> None:
        row = self._table.row
        hints = ("Enter choose", "{picker.test} test") if row is not None and row.ready else ()
        box = self.query_one("#picker")
        room = (box.outer_size.width or self.size.width) - _FRAME
        box.border_subtitle = join_hints(self.app, (*hints, "{picker.close} close"), room)
        if row is None:
            self._setup.update(Content.styled("No matching models.", MUTED), layout=False)
            return
        if event.by_hand or not self._box.value:
            self._provider = row.option.row.id
        self._setup.update(Content("\n").join(self._details(row)), layout=False)
        if self._unpriced():
            self._look_up_prices()

    @work(group="prices", exclusive=True)
    async def _look_up_prices(self) -> None:
        """Look up the prices of the rows in the viewport; others when they are scrolled into it."""
        await self._catalog.look_up_prices(self._unpriced())
        self._refill()

    def _unpriced(self) -> list[ModelRow]:
        rows = (row for row in self._table.in_view if row.ready or row is self._table.row)
        return self._catalog.unpriced(rows)

    def action_move(self, steps: int) -> None:
        """Move the highlight, also while the filter is being typed."""
        self._table.move(steps)

    def action_page(self, direction: int) -> None:
        """Move the highlight by one page."""
        self._table.move(direction * max(self._table.content_size.height - 1, 1))

    async def action_test(self) -> None:
        """Test the highlighted model; a new host takes consent first.

        One that is not ready is checked again first: its server or key may be there by now.
        """
        row = self._table.row
        if row is not None and not row.ready:
            await self._catalog.ask(row.option)
            self._refill()
        row = self._ready_row()
        if row is None:
            return
        if not self._switch.has_consent(row.option):
            if not await obtain_consent(self.app, self._switch, row.option, row.model):
                return
            self._ask(row.option)
        test = self._catalog.test(row.option, row.model)
        # Show that the test is running.
        self.call_next(self._refill)
        await test
        self._refill()

    @on(Input.Submitted)
    @on(ModelTable.RowChosen)
    def _choose(self) -> None:
        if (row := self._ready_row()) is not None:
            self.dismiss(row)

    def _ready_row(self) -> ModelRow | None:
        """Return the highlighted row; say what it lacks and return None if it is not ready."""
        row = self._table.row
        if row is not None and row.ready:
            return row
        self.app.bell()
        if row is not None:
            self.app.notify(self._missing(row).plain, timeout=5)
        return None

    def _details(self, row: ModelRow) -> list[Content]:
        """Return notes on a row, or what is missing; at most three lines."""
        option = row.option
        is_numbered = self._command == "model" and row.is_default
        name = str(row.number) if is_numbered else self._catalog.name_of(row)
        model = "" if name == f"{option.row.id}:{row.model}" else plain_line(row.model)
        notes = [plain_line(option.row.about), model]
        notes.append("not in the provider's model list" if row.typed else "")
        # The column of a row that is ready has its cost.
        notes.append("" if row.ready else row.cost)
        key = f"/{self._command} {display_line(name)}"
        text = "  " + " · ".join(filter(None, notes))
        first = Content.assemble((key, "bold $primary"), (text, MUTED))
        if not row.ready:
            return [first, self._missing(row)]
        lines = [first, Content(describe_destination(option))]
        problem = self._catalog.list_errors.get(option.row.id, "")
        if problem:
            problem = f"Could not list other models: {problem}."
        if row.lacks_tools:
            problem = "No tool support: it can discuss tasks but not change them."
        if result := self._catalog.test_results.get(row.key):
            lines.append(_format_test_result(result))
        elif problem:
            lines.append(Content.styled(problem, "$text-warning"))
        return lines

    def _missing(self, row: ModelRow) -> Content:
        if row.tone is RowTone.CHECKING:
            return Content.styled("Checking…", MUTED)
        if hint := self._switch.install_hint(row.option):
            return Content(f"Python package missing. Run {plain_line(hint)}.")
        setup = plain_line(row.option.row.setup)
        if self._switch.lacks_key(row.option):
            return Content(setup)
        return Content(f"{row.state[:1].upper()}{row.state[1:].rstrip('.')}. {setup}")


def _format_test_result(result: ModelTestResult) -> Content:
    if not result.text:
        return Content.styled("Testing…", MUTED)
    sign = {RowTone.GOOD: "✓", RowTone.LIMITED: "!"}.get(result.tone, "✗")
    return Content.styled(f"{sign} {result.text}", result.tone)


def describe_destination(option: ProviderOption) -> str:
    """Return the sentence that says where messages go."""
    host = plain_line(option.host)
    if option.costs:
        return f"Messages are sent to {host}."
    if not host or all(map(_is_loopback, host.split(" or "))):
        return "Nothing leaves this machine."
    return f"Messages are sent to {host}, in your own network."


def _is_loopback(address: str) -> bool:
    try:
        return parse_endpoint(f"http://{address}", "").is_loopback
    except ConfigError:
        return False
