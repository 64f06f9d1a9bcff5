"""Status bar at the top: model, its state, tokens and cost of the conversation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.messages import Usage
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.tui.actions import app_key_names
from todo_tui.tui.theme import MUTED


@dataclass(frozen=True, slots=True)
class UsageAndCost:
    """Sums of model calls; the cost is in US dollars and leaves out `unpriced` calls."""

    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    unpriced: int = 0
    calls: int = 0

    def plus(self, usage: Usage, cost_usd: float | None) -> UsageAndCost:
        """With one more call; None: its price is not known."""
        return replace(
            self,
            usage=self.usage + usage,
            cost_usd=self.cost_usd + (cost_usd or 0.0),
            unpriced=self.unpriced + (cost_usd is None),
            calls=self.calls + 1,
        )

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.usage.input_tokens + self.usage.output_tokens


def format_cost(cost_usd: float, unpriced: int = 0) -> str:
    """`$0.0042` below ten cents, `$1.24` above; `+` where some calls have no known price.

    A dash where none has; empty where nothing was to be paid.
    """
    if not cost_usd:
        return "–" if unpriced else ""
    amount = format_dollars(cost_usd)
    return f"{amount}+" if unpriced else amount


class ModelState(StrEnum):
    """What the model does now, in the words that the screen shows."""

    OPENING = "opening"
    READY = "ready"
    THINKING = "thinking"
    ANSWERING = "answering"
    WORKING = "working"
    WAITING = "waiting to try again"
    ASKING = "waiting for you"
    TROUBLE = "in trouble"


STATE_TEXTS = {
    ModelState.OPENING: "Opening the model…",
    ModelState.THINKING: "Thinking…",
    ModelState.ANSWERING: "Answering…",
    ModelState.WORKING: "Working…",
    ModelState.WAITING: "Waiting…",
}
"""The states in which a turn runs, as a person is told of them."""


@dataclass(frozen=True, slots=True)
class ActiveModel:
    """Which model answers."""

    provider: str = ""
    model: str = ""
    others_ready: bool = False
    """Whether there is another one to switch to."""
    demo: bool = False
    missing_text: str = ""
    """What keeps it from answering, in two words; empty: nothing that is known of."""


@dataclass(frozen=True, slots=True)
class ActiveFallback:
    """A model that answers a turn in place of the one that was chosen."""

    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class TurnState:
    """How the conversation stands."""

    state: ModelState = ModelState.READY
    tally: UsageAndCost = field(default_factory=UsageAndCost)
    fallback: ActiveFallback | None = None
    has_failed: bool = False
    """Whether the newest turn has failed, so that switching asks again at once."""


@dataclass(frozen=True, slots=True)
class PaneState:
    """On a narrow screen: the pane that is shown, the other one and whether that has news."""

    shown: str = ""
    hidden: str = ""
    changed: bool = False


_STATE_STYLES = {
    ModelState.OPENING: MUTED,
    ModelState.READY: MUTED,
    ModelState.THINKING: "$accent",
    ModelState.ANSWERING: "$accent",
    ModelState.WORKING: "$accent",
    ModelState.WAITING: "$warning",
    ModelState.ASKING: "$warning",
    ModelState.TROUBLE: "$error",
}


class StatusBar(Widget):
    """One row: the app's name, provider · model · state, tokens and cost."""

    ALLOW_SELECT = False

    model: reactive[ActiveModel] = reactive(ActiveModel())
    turn: reactive[TurnState] = reactive(TurnState())
    panes: reactive[PaneState] = reactive(PaneState())

    def render(self) -> Content:
        """The name on the left, then the panes; model, tokens, cost and a key on the right."""
        model, turn, width = self.model, self.turn, self.content_size.width
        left = Content.assemble(("▌", "$primary"), ("todo-tui", "bold"))
        if model.demo:
            left += Content.styled(" demo", "$warning")
        names = app_key_names(self.app)
        left += _panes(self.panes, names.first("app.to_list"))
        named, spent = _model(model, turn), _spent(turn.tally)
        key = _switch_key(model, turn, names.first("app.next_provider"))
        brief = _model(model, turn, brief=True)
        for pieces in ((named, spent, key), (named, spent), (named,), (brief,)):
            right = Content("   ").join(piece for piece in pieces if piece)
            gap = width - left.cell_length - right.cell_length
            if gap >= 2:
                return left + Content(" " * gap) + right
        return left.truncate(width, ellipsis=True)


def _panes(panes: PaneState, key: str) -> Content:
    if not panes.hidden:
        return Content("")
    mark = Content.styled(" ● changed", "$success") if panes.changed else Content("")
    return (
        Content.assemble("  ", (panes.shown, "bold $primary"), (f"  {key} ", MUTED), panes.hidden)
        + mark
    )


def _model(model: ActiveModel, turn: TurnState, *, brief: bool = False) -> Content:
    """Who answers; a stand-in with the one in whose place it does."""
    name, of = plain_line(model.provider), model.model
    if turn.fallback is not None:
        name = f"{plain_line(turn.fallback.provider)} for {name}"
        of = turn.fallback.model
    if of and not brief:
        name += f" · {plain_line(of)}"
    words, style = turn.state.value, _STATE_STYLES[turn.state]
    if turn.state is ModelState.READY and model.missing_text:
        words, style = model.missing_text, "$warning"
    return Content.assemble(("◆ ", style), name, (" · ", MUTED), (words, style))


def _switch_key(model: ActiveModel, turn: TurnState, key: str) -> Content:
    if not model.others_ready:
        return Content("")
    what = "switch and retry" if turn.has_failed else "switch"
    return Content.assemble((key, "bold $primary"), (f" {what}", MUTED))


def _spent(tally: UsageAndCost) -> Content:
    if not tally.tokens:
        return Content("")
    cost = format_cost(tally.cost_usd, tally.unpriced)
    words = f"{tally.tokens:,} tokens" + (f" · {cost}" if cost else "")
    return Content.styled(words, MUTED)
