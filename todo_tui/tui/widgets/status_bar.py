"""Status bar at the top: model, its state, tokens and cost of the conversation."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from todo_tui.domain.messages import NO_USAGE, UsageSum
from todo_tui.domain.metrics_text import format_cost
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions.action import perform_text
from todo_tui.tui.actions.hints import NEXT_MODEL, app_key_names
from todo_tui.tui.actions.keys import display_key
from todo_tui.tui.theme import MUTED


class ModelState(StrEnum):
    """Activity of the model; the values are shown on screen."""

    OPENING = "starting"
    READY = "ready"
    THINKING = "thinking"
    ANSWERING = "answering"
    WORKING = "working"
    WAITING = "retrying"
    ASKING = "needs approval"
    QUESTION = "needs an answer"
    FAILED = "error"


STATE_TEXTS: Mapping[ModelState, str] = {
    state: f"{state.capitalize()}…"
    for state in ModelState
    if state not in (ModelState.READY, ModelState.ASKING, ModelState.QUESTION, ModelState.FAILED)
}
"""Texts of the states in which a turn runs."""


@dataclass(frozen=True, slots=True)
class ActiveModel:
    """Selected model as the status bar shows it."""

    provider: str = ""
    model: str = ""
    others_ready: bool = False
    demo: bool = False
    missing_text: str = ""
    """Missing requirement in two words; empty if nothing is known to be missing."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """State of the conversation as the status bar shows it."""

    state: ModelState = ModelState.READY
    totals: UsageSum = NO_USAGE
    fallback: tuple[str, str] | None = None
    """Provider and model that answer the turn in place of the selected one."""
    has_failed: bool = False
    """True if the newest turn failed, so that switching retries it."""


_STATE_STYLES = {
    ModelState.OPENING: MUTED,
    ModelState.READY: MUTED,
    ModelState.WAITING: "$warning",
    ModelState.ASKING: "$warning",
    ModelState.QUESTION: "$warning",
    ModelState.FAILED: "$error",
}
"""Styles of the states; the others have the accent."""


class StatusBar(Widget):
    """Top line: app name, provider · model · state, tokens and cost."""

    ALLOW_SELECT = False

    model: reactive[ActiveModel] = reactive(ActiveModel())
    turn: reactive[TurnState] = reactive(TurnState())
    shows_tasks: reactive[bool | None] = reactive[bool | None](None)
    """Which pane is shown alone; None where both are."""
    is_unread: reactive[bool] = reactive(False)

    def render(self) -> Content:
        """Draw the app name and panes on the left; model, tokens, cost and a key on the right."""
        model, turn, width = self.model, self.turn, self.content_size.width
        names = app_key_names(self.app)
        left = Content.assemble(("▌", "$primary"), ("todo-tui", "bold"))
        if model.demo:
            left += Content.styled(" demo", "$warning")
        if self.shows_tasks is not None:
            left += Content("  ") + self._tabs(shows_tasks=self.shows_tasks)
        named, spent = _model(model, turn), _spent(turn.totals)
        brief, switch = _model(model, turn, brief=True), Content("")
        if model.others_ready:
            key = names.first("app.next_provider")
            what = f" {NEXT_MODEL}{' and retry' * turn.has_failed}"
            switch = Content.assemble((key, "bold $primary"), (what, MUTED))
        for pieces in ((named, spent, switch), (named, spent), (named,), (brief,)):
            right = Content("   ").join(piece for piece in pieces if piece)
            gap = width - left.cell_length - right.cell_length
            if gap >= 2:
                return left + Content(" " * gap) + right
        return left.truncate(width, ellipsis=True)

    def _tabs(self, *, shows_tasks: bool) -> Content:
        """Draw a tab for each pane; the hidden one has its key, and says that it changed."""
        names = app_key_names(self.app)
        news = Content.styled("● changed ", "$success") if self.is_unread else Content("")
        tabs = []
        for tasks, label, action in (
            (False, "Chat", "app.to_chat"),
            (True, "Tasks", "app.to_list"),
        ):
            tab = Content.styled(f" {label} ", "bold reverse $primary")
            if tasks is not shows_tasks:
                # The first key of the message box, Esc, clears a filter before it leads there. A
                # card that asks is on the way to the tasks.
                is_asking = self.turn.state is ModelState.ASKING
                key = "" if is_asking else f" {display_key(names.keys(action)[-1])}"
                tab = Content.assemble((key, "bold $primary"), (f" {label} ", MUTED), news)
            tabs.append(tab.stylize(Style.from_meta({"action": action})))
        return Content("").join(tabs)

    async def on_click(self, event: events.Click) -> None:
        """Show the pane of the clicked tab."""
        if (action := event.style.meta.get("action")) is not None:
            await self.run_action(perform_text(action, "screen"))


def _model(model: ActiveModel, turn: TurnState, *, brief: bool = False) -> Content:
    name, of = plain_line(model.provider), model.model
    if turn.fallback is not None:
        provider, of = turn.fallback
        name = f"{plain_line(provider)} for {name}"
    if of and not brief:
        name += f" · {plain_line(of)}"
    text, style = turn.state.value, _STATE_STYLES.get(turn.state, "$accent")
    if turn.state is ModelState.READY and model.missing_text:
        text, style = model.missing_text, "$warning"
    return Content.assemble(("◆ ", style), name, (" · ", MUTED), (text, style))


def _spent(totals: UsageSum) -> Content:
    tokens = totals.usage.input_tokens + totals.usage.output_tokens
    if not tokens:
        return Content("")
    is_free = not (totals.cost_usd or totals.unpriced_calls)
    text = f"{tokens:,} tokens" + ("" if is_free else f" · {format_cost(totals)}")
    return Content.styled(text, MUTED)
