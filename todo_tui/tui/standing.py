"""How the conversation stands: what the model does, what was spent, what did not finish."""

from __future__ import annotations

from collections.abc import Callable

from todo_tui.domain.conversation import TurnStatus
from todo_tui.domain.events import (
    ApprovalAsked,
    BudgetNeared,
    CallRestarted,
    HistoryShortened,
    Retrying,
    TakenOver,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    TurnCancelled,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from todo_tui.tui.conversation_log import Page
from todo_tui.tui.tally import Tally
from todo_tui.tui.widgets.status_line import ModelState, StandIn, TurnFacts
from todo_tui.tui.workbench import Workbench

_DOES = {
    TurnStarted: ModelState.THINKING,
    ThinkingDelta: ModelState.THINKING,
    TextDelta: ModelState.ANSWERING,
    ToolStarted: ModelState.WORKING,
    ToolFinished: ModelState.THINKING,
    CallRestarted: ModelState.THINKING,
    Retrying: ModelState.WAITING,
    ApprovalAsked: ModelState.ASKING,
    TakenOver: ModelState.THINKING,
    HistoryShortened: ModelState.THINKING,
}
"""What the model does after an event."""


class Standing:
    """Follows the turns of the conversation on screen; `changed` is called when it differs."""

    def __init__(self, workbench: Workbench, changed: Callable[[], None]) -> None:
        self._workbench = workbench
        self._changed = changed
        self._stand_in: StandIn | None = None
        self.state = ModelState.READY
        self.tally = Tally()
        self.unfinished = ""
        """The message of the newest turn where that did not finish; else empty."""
        self.failed = False
        """Whether the newest turn has failed, which is worse than being stopped."""

    @property
    def facts(self) -> TurnFacts:
        """What the status line shows of it."""
        return TurnFacts(self.state, self.tally, self._stand_in, has_failed=self.failed)

    def opened(self, page: Page) -> None:
        """Another conversation is on screen."""
        last = page.turns[-1] if page.turns else None
        stopped = last is not None and last.status not in (TurnStatus.FINISHED, TurnStatus.RUNNING)
        self.tally = page.tally
        self.unfinished = last.asked if last is not None and stopped else ""
        self.failed = last is not None and last.status is TurnStatus.FAILED
        self._stand_in = None
        self._be(ModelState.READY)

    def begun(self) -> None:
        """A message was sent."""
        self.unfinished, self.failed = "", False
        self._stand_in = None
        self._be(ModelState.OPENING)

    def progressed(self, event: TurnEvent) -> None:
        """The turn that runs reports something."""
        match event:
            case UsageReported():
                self.tally = self.tally.plus(event.usage, event.cost_usd)
                self._changed()
            case TakenOver():
                option = self._workbench.option(event.provider)
                label = option.row.label if option is not None else event.provider
                self._stand_in = StandIn(label, event.model)
                self._be(ModelState.THINKING)
            case BudgetNeared() | TurnFinished() | TurnFailed() | TurnCancelled():
                return
            case _:
                state = _DOES[type(event)]
                if state is not self.state:
                    self._be(state)

    def ended(self, asked: str, *, finished: bool, failed: bool) -> None:
        """The turn is over, and with it what it did; `asked` is its message."""
        self.unfinished = "" if finished else asked
        self.failed = failed
        self._be(ModelState.TROUBLE if failed else ModelState.READY)

    def other_chosen(self) -> None:
        """Another model answers from now on: it is not the one that was in trouble."""
        self._stand_in = None
        self._be(ModelState.READY)

    def _be(self, state: ModelState) -> None:
        self.state = state
        self._changed()
