"""F2: every provider and model, whether it is ready, and if not what it needs."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.tui.action_keys import bind, hint
from todo_tui.tui.model_catalog import ModelCatalog, Verdict
from todo_tui.tui.model_rows import (
    ModelRow,
    Tone,
    fitting_rows,
    model_rows,
    recent_rows,
    typed_rows,
)
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.provider_words import destination
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_box import LineBox
from todo_tui.tui.widgets.model_table import Line, ModelTable
from todo_tui.tui.workbench import ProviderChoice, ProviderOption

_RECENT, _ALL = "used last", "all models"


class ModelPicker(ModalScreen[ProviderChoice | None]):
    """A list with a filter box; what is learned of servers fills in as it arrives."""

    CSS_PATH = "model_picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("picker.close", "dismiss(None)", "close", show=True),
        bind("picker.down", "move(1)", "Down"),
        bind("picker.up", "move(-1)", "Up"),
        bind("picker.page_down", "page(1)", "Page down"),
        bind("picker.page_up", "page(-1)", "Page up"),
        bind("picker.test", "test", "test", show=True, priority=True),
    ]

    def __init__(self, switch: ProviderSwitch, catalog: ModelCatalog, *, typed: str = "") -> None:
        """`typed` stands in the filter box to begin with."""
        super().__init__()
        self._switch = switch
        self._catalog = catalog
        self._box = LineBox(placeholder="Type to filter, or a model's name", id="filter")
        self._box.value = typed
        self._table = ModelTable()
        self._setup = Static(id="setup", markup=False)
        self._provider = switch.option.row.id
        self._pricing = False

    def compose(self) -> ComposeResult:
        """Filter, list, and how to set up what is highlighted."""
        with Vertical(id="picker") as box:
            box.border_title = "Model"
            test = "{picker.test} test · " if self._catalog.can_test else ""
            box.border_subtitle = hint(self.app, f"Enter choose · {test}{{picker.close}} close")
            yield self._box
            yield self._table
            yield self._setup

    def on_mount(self) -> None:
        """Show what is known, and ask about the rest."""
        self._fill()
        for option in self._switch.options:
            self.run_worker(self._ask(option), group="models")

    async def _ask(self, option: ProviderOption) -> None:
        await self._catalog.ask(option)
        self._refill()

    def _refill(self) -> None:
        """Something was learned: the highlight stays where it is."""
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
            fitting = fitting_rows(rows, recent, typed)
            offered = typed_rows(self._switch, self._catalog, rows, typed, self._provider)
            self._table.show([*fitting, *offered], keep=keep)
        else:
            others = [row for row in rows if row not in recent]
            lines: list[Line] = [_RECENT, *recent, _ALL, *others] if recent else [_ALL, *others]
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
            Content("\n").join(_about(row, self._switch, self._catalog)), layout=False
        )
        self._look_up_prices()

    def _look_up_prices(self) -> None:
        """Of the rows in view; the others when they come into it."""
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
        told = [row for row in self._table.in_view if row.ready or row is self._table.row]
        return self._catalog.unpriced((row.option, row.model) for row in told)

    def action_move(self, steps: int) -> None:
        """Up and down work while the filter is being typed."""
        self._table.move(steps)

    def action_page(self, direction: int) -> None:
        """So do whole pages."""
        self._table.page(direction)

    def action_test(self) -> None:
        """Ask the highlighted model for a sign of life; at a new host, after a yes."""
        row = self._table.row
        if row is None or not row.ready or not self._catalog.can_test:
            self.app.bell()
            return
        self.run_worker(self._test(row.option, row.model), group="model")

    async def _test(self, option: ProviderOption, model: str) -> None:
        if not self._switch.agreed(option):
            from todo_tui.tui.screens.consent import ConsentScreen  # wanted once for each host

            if not await self.app.push_screen_wait(ConsentScreen(option, model)):
                return
            try:
                self._switch.agree(option)
            except TodoError as error:
                self.notify(error.message, severity="warning", markup=False)
                return
            self.run_worker(self._list(option), group="models")
        test = self._catalog.test(option, model)
        # Drawn as soon as it is under way.
        self.call_next(self._refill)
        await test
        self._refill()

    async def _list(self, option: ProviderOption) -> None:
        await self._catalog.ask_for_models(option)
        self._refill()

    @on(Input.Submitted)
    @on(ModelTable.Chosen)
    def _choose(self) -> None:
        """Enter, or a click: only what is ready can be chosen."""
        row = self._table.row
        if row is None or not row.ready:
            self.app.bell()
        else:
            self.dismiss(row.choice)

    @on(LineBox.Left)
    def _close(self) -> None:
        self.dismiss(None)


def _about(row: ModelRow, switch: ProviderSwitch, catalog: ModelCatalog) -> list[Content]:
    """What to know of a row, or to do before it can be chosen; three lines at most."""
    option = row.option
    key = f"Alt+{row.number}" if row.number <= 9 else ""
    facts = [plain_line(option.row.about), plain_line(row.model)]
    if row.typed:
        facts.append("no list has it")
    if not row.ready:
        # Its column tells what is missing.
        facts.append(row.cost)
    first = Content.assemble(
        (key, "bold $primary"), (f"{'  ' if key else ''}{' · '.join(filter(None, facts))}", MUTED)
    )
    if not row.ready and row.tone is Tone.ASKING:
        return [first, Content.styled("Whether it is there will be known in a moment.", MUTED)]
    if not row.ready:
        return [first, Content(_cure(row, switch))]
    lines = [first, Content(destination(option))]
    verdict, trouble = catalog.verdict(option, row.model), catalog.trouble(option)
    if verdict is not None:
        lines.append(_verdict(verdict))
    elif row.toolless:
        words = "It cannot call tools, so it can talk about your list and not change it."
        lines.append(Content.styled(words, "$text-warning"))
    elif trouble:
        lines.append(
            Content.styled(f"Its other models are not listed: {trouble}.", "$text-warning")
        )
    return lines


def _cure(row: ModelRow, switch: ProviderSwitch) -> str:
    if cure := switch.cure(row.option):
        return f"Its Python package is missing. Run {plain_line(cure)}."
    return f"{_sentence(row.state)} {plain_line(row.option.row.setup)}"


def _verdict(verdict: Verdict) -> Content:
    if not verdict.words:
        return Content.styled("One small request is on its way…", MUTED)
    if verdict.works:
        return Content.styled(f"✓ {verdict.words}", "$text-success")
    if verdict.answered:
        return Content.styled(f"✗ {verdict.words}", "$text-warning")
    return Content.styled(f"✗ {verdict.words}", "$text-error")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
