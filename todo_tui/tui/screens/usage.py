"""Usage (F3): tokens and cost, latency and errors of turns, tool calls."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from threading import Lock

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.dates.text import format_when, month_name
from todo_tui.domain.messages import NO_USAGE, UsageSum
from todo_tui.domain.metrics import DayMetrics
from todo_tui.domain.metrics_text import (
    TextTable,
    day_table,
    error_table,
    format_cost,
    format_milliseconds,
    model_table,
    tool_error_table,
    tool_table,
    turn_facts,
)
from todo_tui.domain.text import format_dollars
from todo_tui.domain.when import When
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import join_hints
from todo_tui.tui.actions.screens import USAGE
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.tab_bar import TabBar
from todo_tui.tui.widgets.text import display_line, pad_or_clip

_TABS = ("Tokens", "Turns", "Tools")
_TOKENS, _TURNS, _TOOLS = range(3)
_DAYS = 8
_PERIOD = 30
"""Days of turns and tools."""
_LABEL = 18
_COLUMNS = {"Input": 10, "Cached": 9, "Output": 9, "Thinking": 10, "Calls": 6, "Cost": 10}
_NOTES = (
    "Input includes cached tokens; output includes thinking.",
    "Calls include those of the built-in assistant, which uses no tokens.",
    "– = price unknown, + = partly unknown",
)
_KEYS = ("1 – 3 tab", "↑ ↓ scroll", "{usage.close} close")
_FRAME = 8
"""Cells of the border line beside the key hints."""
_WIDTH = 72
"""Columns of the box beside a scroll bar, in a terminal that is wide enough."""
_LEFT_OUT = ("Cached", "Thinking", "Calls", "Input", "Output")
"""Columns that a narrow terminal has no room for, in that order."""
_FACT = 14
_SHORTEST_NAME = 8
"""Cells that the first column of a table keeps."""
_PLOT_HEIGHT = 8
_DATE_TICKS = (0, 7, 14, 21, _PERIOD - 1)
_MEDIAN, _P90 = "●", "▲"
_PLOTEXT = Lock()
"""Held while plotting: plotext has one figure for all threads."""
UsageRow = tuple[str, UsageSum]
"""Label and totals of a row of the table."""


class UsageScreen(ActionHost, LiveScreen[None]):
    """Usage of turn, conversation and recent days; metrics of turns and tools."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ERROR_PLACE = "#numbers"
    ACTIONS = USAGE

    def __init__(self, services: AppServices, conversation_id: str | None) -> None:
        super().__init__(services)
        self._conversation_id = conversation_id
        self._bar = TabBar(_TABS)

    def compose(self) -> ComposeResult:
        """Lay out a box with its final size before the numbers are known."""
        with VerticalScroll(id="usage") as box:
            box.border_title = "Usage"
            yield self._bar
            yield Static(id="numbers", markup=False)

    @on(events.Resize)
    def _name_keys(self) -> None:
        line = join_hints(self.app, _KEYS, self.size.width - _FRAME)
        self.query_one("#usage").border_subtitle = line
        self.call_after_refresh(self.read)

    @property
    def _width(self) -> int:
        return min(self.query_one("#usage").scrollable_content_region.width, _WIDTH) or _WIDTH

    async def load(self) -> None:
        """Read the numbers of the chosen tab."""
        read = (self._read_tokens, self._read_turns, self._read_tools)[self._bar.chosen]
        parts = await asyncio.to_thread(read)
        self.query_one("#numbers", Static).update(Content("\n\n").join(parts))

    def action_choose(self, place: int) -> None:
        """Choose the tab at that index."""
        if place != self._bar.chosen:
            self._bar.chosen = place
            self.query_one("#usage", VerticalScroll).scroll_home(animate=False)
            self.read()

    def action_next(self, step: int) -> None:
        """Choose the next tab."""
        self.action_choose((self._bar.chosen + step) % len(_TABS))

    def _read_tokens(self) -> Sequence[Content]:
        """Return the rows: turn, conversation, today, then earlier days; blocks."""
        store, now = self.services.store, self.services.clock.now()
        turn = conversation = NO_USAGE
        if self._conversation_id is not None:
            for last in store.turns.list(self._conversation_id, limit=1)[-1:]:
                unpriced = int(last.cost_usd is None)
                turn = UsageSum(last.usage, last.cost_usd or 0.0, unpriced, last.model_calls)
            conversation = store.usage.conversation(self._conversation_id)
        today = store.usage.today()
        present = [("Last turn", turn), ("This conversation", conversation), ("Today", today)]
        days = [each for each in store.usage.days(_DAYS) if each.day < now.date()]
        names = [format_when(When(each.day), now) for each in days]
        earlier = [
            (name[:1].upper() + name[1:], each) for name, each in zip(names, days, strict=True)
        ]
        budget = self.services.settings.limits.daily_budget_usd
        return [_format_tokens(present, earlier, budget, self._width)]

    def _read_turns(self) -> Sequence[Content]:
        """Return facts, plots and tables about turns; blocks."""
        now = self.services.clock.now()
        metrics = self.services.store.metrics.turns(_PERIOD)
        if not metrics.days:
            return [Content.styled(f"No messages in the last {_PERIOD} days.", MUTED)]
        parts = [Content.styled(f"Last {_PERIOD} days", "bold")]
        if metrics.total.turns:
            facts = turn_facts(metrics.total)
            lines = [Content.assemble((f"{name:<{_FACT}}", MUTED), value) for name, value in facts]
            parts = [Content("\n").join([*parts, *lines])]
        tables = (
            model_table(metrics.models, self.services.model_label),
            error_table(metrics.errors),
            day_table(metrics.days, now),
        )
        width = self._width
        plots = _draw_plots(metrics.days, now.date(), width)
        return [*parts, *plots, *(_align(table, width) for table in tables if table.rows)]

    def _read_tools(self) -> Sequence[Content]:
        """Return tables about tool calls; blocks."""
        tools = self.services.store.metrics.tools(_PERIOD)
        if not tools:
            return [Content.styled(f"No tool calls in the last {_PERIOD} days.", MUTED)]
        tables = (tool_table(tools), tool_error_table(tools))
        heading = Content.styled(f"Last {_PERIOD} days", "bold")
        return [heading, *(_align(table, self._width) for table in tables if table.rows)]


def _format_tokens(
    present: Sequence[UsageRow], days: Sequence[UsageRow], budget: float | None, width: int
) -> Content:
    columns = dict(_COLUMNS)
    for name in _LEFT_OUT:
        if _LABEL + sum(columns.values()) > width:
            del columns[name]
    head = "".join(f"{name:>{cells}}" for name, cells in columns.items())
    lines = [Content.styled(f"{'':{_LABEL}}{head}", FAINT)]
    lines += [_format_row(row, columns) for row in present]
    if budget is not None:
        _, today = present[-1]
        spent = f"{format_dollars(today.cost_usd)} of {format_dollars(budget)}"
        style = "$text-warning" if today.cost_usd >= budget else ""
        lines += [Content(""), Content.styled(f"Today's budget: {spent} used", style)]
    if days:
        lines += [Content(""), *(_format_row(row, columns) for row in days)]
    lines += [Content(""), *(Content.styled(note, MUTED) for note in _NOTES)]
    return Content("\n").join(lines)


def _format_row(row: UsageRow, columns: Mapping[str, int]) -> Content:
    name, totals = row
    label = f"{name:<{_LABEL}}"
    if not totals.model_calls:
        return Content.assemble(label, (f"{'none yet':>{_COLUMNS['Input'] + 2}}", MUTED))
    texts = _texts(totals)
    return Content(label + "".join(f"{texts[name]:>{cells}}" for name, cells in columns.items()))


def _texts(totals: UsageSum) -> Mapping[str, str]:
    """Return the numbers of a row by the names of their columns."""
    tokens = totals.usage
    counts = tokens.input_tokens, tokens.cached_tokens, tokens.output_tokens, tokens.thinking_tokens
    texts = [f"{count:,}" for count in (*counts, totals.model_calls)]
    texts.append(format_cost(totals))
    return dict(zip(_COLUMNS, texts, strict=True))


def _align(table: TextTable, width: int) -> Content:
    """Return the table with aligned columns, its titles faint."""
    rows = [table.titles, *((display_line(row[0]), *row[1:]) for row in table.rows)]
    first, *widths = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    first = max(min(first, width - sum(cells + 2 for cells in widths)), _SHORTEST_NAME)
    lines = []
    for row in rows:
        numbers = (f"{text:>{cells + 2}}" for text, cells in zip(row[1:], widths, strict=True))
        line = Content(pad_or_clip(row[0], first) + "".join(numbers))
        lines.append(line.truncate(width, ellipsis=True))
    return Content("\n").join([lines[0].stylize(FAINT), *lines[1:]])


def _draw_plots(days: Sequence[DayMetrics], today: date, width: int) -> list[Content]:
    """Return the plots of latency and cost by day; without data there is none."""
    places = {today - timedelta(days=_PERIOD - 1 - place): place for place in range(_PERIOD)}
    known = [each for each in days if each.day in places]
    latencies = {places[each.day]: each.turns.latency for each in known}
    spreads = {place: spread for place, spread in latencies.items() if spread is not None}
    costs = {places[each.day]: each.usage.cost_usd for each in known if each.usage.cost_usd}
    labels = [
        f"{day.day} {month_name(day.month)[:3]}"
        for day, place in places.items()
        if place in _DATE_TICKS
    ]
    plots = []
    if spreads:
        series = {
            _P90: {place: spread.p90 for place, spread in spreads.items()},
            _MEDIAN: {place: spread.median for place, spread in spreads.items()},
        }
        top = max(series[_P90].values())
        ticks = ["0", format_milliseconds(top / 2), format_milliseconds(top)]
        plots.append((f"Latency by day: {_MEDIAN} median, {_P90} p90", series, top, ticks))
    if costs:
        top = max(costs.values())
        ticks = [format_dollars(value) for value in (0, top / 2, top)]
        plots.append(("Cost by day", {"": costs}, top, ticks))
    with _PLOTEXT:
        return [
            Content.assemble(title, "\n", _draw_plot(series, top, ticks, labels, width))
            for title, series, top, ticks in plots
        ]


def _draw_plot(
    series: Mapping[str, Mapping[int, float]],
    top: float,
    ticks: Sequence[str],
    labels: Sequence[str],
    width: int,
) -> Content:
    """Draw values by day, each series with its marker, without one as bars.

    `ticks` label 0, the middle and the top.
    """
    import plotext  # type: ignore[import-untyped]  # no stubs; 55 ms: this tab alone

    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, _PLOT_HEIGHT)
    for marker, values in series.items():
        if marker:
            plotext.scatter(list(values), list(values.values()), marker=marker)
        else:
            plotext.bar(list(values), list(values.values()), marker="hd", width=0.2)
    plotext.xlim(-0.5, _PERIOD - 0.5)
    plotext.ylim(0, top)
    plotext.xticks(_DATE_TICKS, labels)
    plotext.yticks([0, top / 2, top], ticks)
    drawn = Content(plotext.uncolorize(plotext.build()).rstrip("\n"))
    drawn = drawn.highlight_regex(r"[┌┐└┘─│┤┬]+", style=FAINT)
    return drawn.highlight_regex(f"[▀-▟{_MEDIAN}]+", style="$text-success").highlight_regex(
        f"{_P90}+", style="$text-warning"
    )
