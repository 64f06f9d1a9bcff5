"""Usage (F3): tokens and cost of the last turn, the conversation and recent days."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import format_dollars, plain_text
from todo_tui.domain.when import When
from todo_tui.tui.actions import bind, format_hint
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.status_bar import UsageAndCost, format_cost

_DAYS = 8
_LABEL = 19
_COLUMNS = (
    ("input", 10),
    ("cached", 9),
    ("output", 9),
    ("thinking", 9),
    ("calls", 6),
    ("cost", 10),
)
UsageRow = tuple[str, UsageAndCost | None]
"""Label and totals of a row of the table; without totals it is empty."""


class UsageScreen(ModalScreen[None]):
    """Usage of turn, conversation and recent days, read when it opens."""

    CSS_PATH = "usage.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("usage.close", "dismiss(None)", "close", show=True),
    ]

    def __init__(self, services: AppServices, conversation_id: str | None) -> None:
        super().__init__()
        self._services = services
        self._conversation_id = conversation_id

    def compose(self) -> ComposeResult:
        """Lay out a box with its final size before the numbers are known."""
        with VerticalScroll(id="usage") as box:
            box.border_title = "What was spent"
            box.border_subtitle = format_hint(self.app, "{usage.close} close")
            yield Static(id="numbers", markup=False)

    @on(events.Mount)
    @work(group="usage")
    async def _load(self) -> None:
        """Read the numbers."""
        numbers = self.query_one("#numbers", Static)
        try:
            lines, days = await asyncio.to_thread(self._read)
        except TodoError as error:
            numbers.update(Content.styled(plain_text(error.message), "$text-error"))
            return
        numbers.update(_table(lines, days, self._services.daily_budget_usd))

    def _read(self) -> tuple[list[UsageRow], list[UsageRow]]:
        """Return the rows: turn, conversation, today, then earlier days; blocks."""
        store, now = self._services.store, self._services.clock.now()
        turn = conversation = None
        if self._conversation_id is not None:
            for last in store.conversations.turns(self._conversation_id, limit=1)[-1:]:
                unpriced = int(last.cost_usd is None)
                turn = UsageAndCost(last.usage, last.cost_usd or 0.0, unpriced, last.model_calls)
            conversation = UsageAndCost.of(store.usage.conversation(self._conversation_id))
        today = UsageAndCost.of(store.usage.today())
        present = [("Last turn", turn), ("This conversation", conversation), ("Today", today)]
        days = [each for each in store.usage.days(_DAYS) if each.day < now.date()]
        return present, [
            (format_when(When(each.day), now).capitalize(), UsageAndCost.of(each)) for each in days
        ]


def _table(present: Sequence[UsageRow], days: Sequence[UsageRow], budget: float | None) -> Content:
    head = "".join(f"{name:>{width}}" for name, width in _COLUMNS)
    lines = [Content.styled(f"{'':{_LABEL}}{head}", FAINT), *map(_row, present)]
    if budget is not None:
        _, today = present[-1]
        spent = today.cost_usd if today else 0.0
        text = f"{format_dollars(spent)} of the {format_dollars(budget)} that may be spent today"
        lines += [Content(""), Content.styled(text, "$text-warning" if spent >= budget else "")]
    if days:
        lines += [Content(""), *map(_row, days)]
    lines += [
        Content(""),
        Content.styled("Input includes what was cached, output what was thought.", MUTED),
        Content.styled("A dash means that no price is known, a + that some are not.", MUTED),
    ]
    return Content("\n").join(lines)


def _row(row: UsageRow) -> Content:
    name, totals = row
    label = f"{name:<{_LABEL}}"
    if totals is None or not totals.calls:
        return Content.assemble(label, (f"{'nothing yet':>{_COLUMNS[0][1] + 2}}", MUTED))
    usage = totals.usage
    texts = (
        f"{usage.input_tokens:,}",
        f"{usage.cached_tokens:,}",
        f"{usage.output_tokens:,}",
        f"{usage.thinking_tokens:,}",
        f"{totals.calls:,}",
        format_cost(totals.cost_usd, totals.unpriced) or "free",
    )
    numbers = (f"{text:>{width}}" for text, (_, width) in zip(texts, _COLUMNS, strict=True))
    return Content(label + "".join(numbers))
