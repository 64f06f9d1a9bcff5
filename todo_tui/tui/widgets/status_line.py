"""The line at the top: which model answers, what it is doing, what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.request import Usage
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
class StatusFacts:
    """What the line shows; `other_pane` is the hidden one of a narrow screen, else empty."""

    provider: str = ""
    model: str = ""
    state: ModelState = ModelState.READY
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0
    others_ready: bool = False
    """Whether there is another model to switch to."""
    demo: bool = False
    pane: str = ""
    other_pane: str = ""
    other_changed: bool = False


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

    facts: reactive[StatusFacts] = reactive(StatusFacts())

    def render(self) -> Content:
        """The name on the left, then the model; tokens, cost and the other pane right."""
        facts = self.facts
        width = self.content_size.width
        left = Content.assemble(("▌", "$primary"), ("todo-tui", "bold"))
        if facts.demo:
            left += Content.styled(" demo", "$warning")
        if facts.other_pane:
            left += Content.assemble("  ", (facts.pane, "bold $primary"), ("  Tab ", MUTED))
            mark = Content.styled(" ● changed", "$success") if facts.other_changed else Content("")
            left += Content(facts.other_pane) + mark
        model = _model(facts)
        spent = _spent(facts)
        brief = _model(facts, brief=True)
        for pieces in ((model, spent, _switch_key(facts)), (model, spent), (model,), (brief,)):
            right = Content("   ").join(piece for piece in pieces if piece)
            gap = width - left.cell_length - right.cell_length
            if gap >= 2:
                return left + Content(" " * gap) + right
        return left.truncate(width, ellipsis=True)


def _model(facts: StatusFacts, *, brief: bool = False) -> Content:
    name = plain_line(facts.provider)
    if facts.model and not brief:
        name += f" · {plain_line(facts.model)}"
    style = _STATE_STYLES[facts.state]
    return Content.assemble(("◆ ", style), name, (" · ", MUTED), (facts.state.value, style))


def _switch_key(facts: StatusFacts) -> Content:
    if not facts.others_ready:
        return Content("")
    return Content.assemble(("Ctrl+T", "bold $primary"), (" switch", MUTED))


def _spent(facts: StatusFacts) -> Content:
    tokens = facts.usage.input_tokens + facts.usage.output_tokens
    if not tokens:
        return Content("")
    words = f"{tokens:,} tokens"
    if facts.cost_usd:
        words += f" · {cost_words(facts.cost_usd)}"
    return Content.styled(words, MUTED)


def cost_words(cost_usd: float) -> str:
    """`$0.0042` below a cent, `$1.24` above: always two digits that count."""
    return f"${cost_usd:.2f}" if cost_usd >= 0.1 else f"${cost_usd:.4f}"
