"""The line at the top: which model answers, what it is doing, what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.action_keys import names_of
from todo_tui.tui.tally import Tally, cost_words
from todo_tui.tui.theme import MUTED


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
    lacks: str = ""
    """What keeps it from answering, in two words; empty: nothing that is known of."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """A model that answers a turn in place of the one that was chosen."""

    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """How the conversation stands."""

    state: ModelState = ModelState.READY
    tally: Tally = field(default_factory=Tally)
    stand_in: StandIn | None = None
    has_failed: bool = False
    """Whether the newest turn has failed, so that switching asks again at once."""


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
    ModelState.ASKING: "$warning",
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
        names = names_of(self.app)
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


def _panes(panes: PaneFacts, key: str) -> Content:
    if not panes.hidden:
        return Content("")
    mark = Content.styled(" ● changed", "$success") if panes.changed else Content("")
    return (
        Content.assemble("  ", (panes.shown, "bold $primary"), (f"  {key} ", MUTED), panes.hidden)
        + mark
    )


def _model(model: ModelFacts, turn: TurnFacts, *, brief: bool = False) -> Content:
    """Who answers; a stand-in with the one in whose place it does."""
    name, of = plain_line(model.provider), model.model
    if turn.stand_in is not None:
        name = f"{plain_line(turn.stand_in.provider)} for {name}"
        of = turn.stand_in.model
    if of and not brief:
        name += f" · {plain_line(of)}"
    words, style = turn.state.value, _STATE_STYLES[turn.state]
    if turn.state is ModelState.READY and model.lacks:
        words, style = model.lacks, "$warning"
    return Content.assemble(("◆ ", style), name, (" · ", MUTED), (words, style))


def _switch_key(model: ModelFacts, turn: TurnFacts, key: str) -> Content:
    if not model.others_ready:
        return Content("")
    what = "switch and retry" if turn.has_failed else "switch"
    return Content.assemble((key, "bold $primary"), (f" {what}", MUTED))


def _spent(tally: Tally) -> Content:
    if not tally.tokens:
        return Content("")
    cost = cost_words(tally.cost_usd, tally.unpriced)
    words = f"{tally.tokens:,} tokens" + (f" · {cost}" if cost else "")
    return Content.styled(words, MUTED)
