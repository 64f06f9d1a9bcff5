"""F2: every provider and model, whether it is ready, and if not what it needs."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import FuzzySearch
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from todo_tui.domain.text import plain_line
from todo_tui.tui.model_rows import ModelRow, model_rows, price_words
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.theme import MUTED
from todo_tui.tui.workbench import ProviderChoice, ProviderOption

_NAME, _MODEL = 13, 26


class ModelPicker(ModalScreen[ProviderChoice | None]):
    """A list with a filter box; what is learned of servers fills in as it arrives."""

    CSS_PATH = "model_picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "dismiss(None)", "close", tooltip="Leave everything as it is"),
        Binding("down", "move(1)", "Down", show=False, tooltip="To the next model"),
        Binding("up", "move(-1)", "Up", show=False, tooltip="To the model above"),
    ]

    def __init__(self, switch: ProviderSwitch) -> None:
        super().__init__()
        self._switch = switch
        self._rows: list[ModelRow] = []
        self._prices: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """Filter, list, and how to set up what is highlighted."""
        with Vertical(id="picker") as box:
            box.border_title = "Model"
            box.border_subtitle = "Enter choose · Esc close"
            yield Input(placeholder="Type to filter", compact=True)
            yield OptionList(markup=False, compact=True)
            yield Static(id="setup", markup=False)

    def on_mount(self) -> None:
        """Show what is known, and ask about the rest."""
        self.query_one(OptionList).can_focus = False
        self._fill()
        for option in self._switch.options:
            self.run_worker(self._learn(option), group="readiness")
        self.run_worker(self._price(), group="prices")

    async def _price(self) -> None:
        self._prices = await price_words(self._switch)
        self._fill()

    async def _learn(self, option: ProviderOption) -> None:
        await self._switch.learn(option)
        self._fill()

    @on(Input.Changed)
    def _fill(self) -> None:
        """The rows that fit the filter, the best first; the highlight stays on its row."""
        wanted = self.query_one(Input).value.strip()
        list_view = self.query_one(OptionList)
        before = self._highlighted()
        rows = model_rows(self._switch, self._prices)
        if wanted:
            search = FuzzySearch()
            scored = [(search.match(wanted, row.searched)[0], row) for row in rows]
            rows = [row for score, row in sorted(scored, key=lambda s: -s[0]) if score > 0]
        self._rows = rows
        list_view.clear_options()
        list_view.add_options([Option(_words(row)) for row in rows])
        list_view.highlighted = self._place(before if not wanted else None)
        self._show_setup()

    def _highlighted(self) -> ModelRow | None:
        place = self.query_one(OptionList).highlighted
        return self._rows[place] if place is not None and place < len(self._rows) else None

    def _place(self, before: ModelRow | None) -> int | None:
        """The row that was highlighted, else the model that answers now, else the first."""
        if before is not None:
            for place, row in enumerate(self._rows):
                if row.choice == before.choice:
                    return place
        current = [place for place, row in enumerate(self._rows) if row.current]
        if self.query_one(Input).value.strip() or not current:
            return 0 if self._rows else None
        return current[0]

    def action_move(self, direction: int) -> None:
        """Up and down work while the filter is being typed."""
        list_view = self.query_one(OptionList)
        if direction > 0:
            list_view.action_cursor_down()
        else:
            list_view.action_cursor_up()

    @on(OptionList.OptionHighlighted)
    def _show_setup(self) -> None:
        row = self._highlighted()
        setup = self.query_one("#setup", Static)
        if row is None:
            setup.update(Content.styled("Nothing fits this filter.", MUTED))
            return
        key = f"Alt+{row.number}" if row.number <= 9 else ""
        about = plain_line(row.option.row.about)
        words = [Content.assemble((key, "bold $primary"), (f"  {about}", MUTED))]
        if row.ready:
            where = (
                f"Messages are sent to {plain_line(row.option.host)}."
                if row.option.remote
                else "Nothing leaves this machine."
            )
            words.append(Content(where))
        else:
            words.append(Content(f"{_sentence(row.state)} {plain_line(row.option.row.setup)}"))
        setup.update(Content("\n").join(words))

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        """Enter, or a click: only what is ready can be chosen."""
        row = self._highlighted()
        if row is None:
            return
        if row.ready:
            self.dismiss(row.choice)
        else:
            self.app.bell()


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def _words(row: ModelRow) -> Content:
    """Columns: mark, provider, model, state, cost."""
    name = Content(plain_line(row.option.row.label)).truncate(_NAME, ellipsis=True, pad=True)
    model = Content(plain_line(row.model) or "–").truncate(_MODEL, ellipsis=True, pad=True)
    quiet = "" if row.ready else MUTED
    state_style = "$text-success" if row.state == "ready" else "$text-warning"
    return Content.assemble(
        ("● " if row.current else "  ", "$primary"),
        name.stylize("bold" if row.ready else quiet),
        " ",
        model.stylize(quiet),
        " ",
        (row.state, state_style),
        (f"  {row.cost}" if row.ready else "", MUTED),
    )
