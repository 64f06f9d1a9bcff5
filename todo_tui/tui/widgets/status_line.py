"""The line at the top: which model answers, what it is doing, what it has cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import MUTED


class ModelState(StrEnum):
    """What the model does now, in the words that the screen shows."""

    OPENING = "opening"
    READY = "ready"
    THINKING = "thinking"
    ANSWERING = "answering"
    WORKING = "working"
    WAITING = "waiting to try again"
    TROUBLE = "in trouble"


DOING = {
    ModelState.OPENING: "Opening the model…",
    ModelState.THINKING: "Thinking…",
    ModelState.ANSWERING: "Answering…",
    ModelState.WORKING: "Working…",
    ModelState.WAITING: "Waiting…",
}
"""The states in which a turn runs, as a person is told of them."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Which model answers."""

    provider: str = ""
    model: str = ""
    others_ready: bool = False
    """Whether there is another one to switch to."""
    demo: bool = False


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """How the conversation stands; cost is in US dollars."""

    state: ModelState = ModelState.READY
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class PaneFacts:
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
    ModelState.TROUBLE: "$error",
}


class StatusLine(Widget):
    """One row: the app's name, provider · model · state, tokens and cost."""

    ALLOW_SELECT = False

    model: reactive[ModelFacts] = reactive(ModelFacts())
    turn: reactive[TurnFacts] = reactive(TurnFacts())
    panes: reactive[PaneFacts] = reactive(PaneFacts())

    def render(self) -> Content:
        """The name on the left, then the panes; model, tokens, cost and a key on the right."""
        model, turn, width = self.model, self.turn, self.content_size.width
        left = Content.assemble(("▌", "$primary"), ("todo-tui", "bold"))
        if model.demo:
            left += Content.styled(" demo", "$warning")
        left += _panes(self.panes)
        named, spent = _model(model, turn.state), _spent(turn)
        brief = _model(model, turn.state, brief=True)
        for pieces in ((named, spent, _switch_key(model)), (named, spent), (named,), (brief,)):
            right = Content("   ").join(piece for piece in pieces if piece)
            gap = width - left.cell_length - right.cell_length
            if gap >= 2:
                return left + Content(" " * gap) + right
        return left.truncate(width, ellipsis=True)


def _panes(panes: PaneFacts) -> Content:
    if not panes.hidden:
        return Content("")
    mark = Content.styled(" ● changed", "$success") if panes.changed else Content("")
    return (
        Content.assemble("  ", (panes.shown, "bold $primary"), ("  Tab ", MUTED), panes.hidden)
        + mark
    )


def _model(facts: ModelFacts, state: ModelState, *, brief: bool = False) -> Content:
    name = plain_line(facts.provider)
    if facts.model and not brief:
        name += f" · {plain_line(facts.model)}"
    style = _STATE_STYLES[state]
    return Content.assemble(("◆ ", style), name, (" · ", MUTED), (state.value, style))


def _switch_key(facts: ModelFacts) -> Content:
    if not facts.others_ready:
        return Content("")
    return Content.assemble(("Ctrl+T", "bold $primary"), (" switch", MUTED))


def _spent(facts: TurnFacts) -> Content:
    if not facts.tokens:
        return Content("")
    words = f"{facts.tokens:,} tokens"
    if facts.cost_usd:
        words += f" · {cost_words(facts.cost_usd)}"
    return Content.styled(words, MUTED)


def cost_words(cost_usd: float) -> str:
    """`$0.0042` below a cent, `$1.24` above: always two digits that count."""
    return f"${cost_usd:.2f}" if cost_usd >= 0.1 else f"${cost_usd:.4f}"
