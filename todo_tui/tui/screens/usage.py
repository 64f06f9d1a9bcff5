"""Usage (F3): tokens and cost of the last turn, the conversation and recent days."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.messages import NO_USAGE, UsageSum
from todo_tui.domain.text import format_dollars
from todo_tui.domain.when import When
from todo_tui.tui.actions import bind, format_hint
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.status_bar import format_cost

_DAYS = 8
_LABEL = 19
_COLUMNS = {"input": 10, "cached": 9, "output": 9, "reasoning": 10, "calls": 6, "cost": 10}
_NOTES = (
    "Input includes cached tokens; output includes reasoning.",
    "– = price unknown, + = partly unknown",
)
UsageRow = tuple[str, UsageSum]
"""Label and totals of a row of the table."""


class UsageScreen(LiveScreen[None]):
    """Usage of turn, conversation and recent days."""

    CSS_PATH = "usage.tcss"
    ERROR_PLACE = "#numbers"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("usage.close", "dismiss(None)", "close", show=True),
    ]

    def __init__(self, services: AppServices, conversation_id: str | None) -> None:
        super().__init__(services)
        self._conversation_id = conversation_id

    def compose(self) -> ComposeResult:
        """Lay out a box with its final size before the numbers are known."""
        with VerticalScroll(id="usage") as box:
            box.border_title = "Usage"
            box.border_subtitle = format_hint(self.app, "{usage.close} close")
            yield Static(id="numbers", markup=False)

    async def load(self) -> None:
        """Read the numbers."""
        present, days = await asyncio.to_thread(self._read)
        table = _table(present, days, self.services.daily_budget_usd)
        self.query_one("#numbers", Static).update(table)

    def _read(self) -> tuple[list[UsageRow], list[UsageRow]]:
        """Return the rows: turn, conversation, today, then earlier days; blocks."""
        store, now = self.services.store, self.services.clock.now()
        turn = conversation = NO_USAGE
        if self._conversation_id is not None:
            for last in store.conversations.turns(self._conversation_id, limit=1)[-1:]:
                unpriced = int(last.cost_usd is None)
                turn = UsageSum(last.usage, last.cost_usd or 0.0, unpriced, last.model_calls)
            conversation = store.usage.conversation(self._conversation_id)
        today = store.usage.today()
        present = [("Last turn", turn), ("This conversation", conversation), ("Today", today)]
        days = [each for each in store.usage.days(_DAYS) if each.day < now.date()]
        return present, [(format_when(When(each.day), now).capitalize(), each) for each in days]


def _table(present: Sequence[UsageRow], days: Sequence[UsageRow], budget: float | None) -> Content:
    head = "".join(f"{name:>{width}}" for name, width in _COLUMNS.items())
    lines = [Content.styled(f"{'':{_LABEL}}{head}", FAINT), *map(_row, present)]
    if budget is not None:
        _, today = present[-1]
        spent = f"{format_dollars(today.cost_usd)} of {format_dollars(budget)}"
        style = "$text-warning" if today.cost_usd >= budget else ""
        lines += [Content(""), Content.styled(f"Today's budget: {spent} used", style)]
    if days:
        lines += [Content(""), *map(_row, days)]
    lines += [Content(""), *(Content.styled(note, MUTED) for note in _NOTES)]
    return Content("\n").join(lines)


def _row(row: UsageRow) -> Content:
    name, totals = row
    label = f"{name:<{_LABEL}}"
    if not totals.model_calls:
        return Content.assemble(label, (f"{'none yet':>{_COLUMNS['input'] + 2}}", MUTED))
    tokens = totals.usage
    counts = tokens.input_tokens, tokens.cached_tokens, tokens.output_tokens, tokens.thinking_tokens
    texts = [f"{count:,}" for count in (*counts, totals.model_calls)]
    texts.append(format_cost(totals.cost_usd, totals.unpriced_calls) or "free")
    columns = zip(texts, _COLUMNS.values(), strict=True)
    return Content(label + "".join(f"{text:>{width}}" for text, width in columns))
