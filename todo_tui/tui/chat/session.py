"""Session: the conversation on screen and the turn that runs in it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from todo_tui.agent.cancellation import TurnHandle
from todo_tui.domain.errors import NotFound, TodoError, error_kind
from todo_tui.domain.events import (
    ApprovalAsked,
    CallRestarted,
    FailedOver,
    HistoryTruncated,
    Retrying,
    ToolFinished,
    ToolStarted,
    TurnCancelled,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnOutcome,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.messages import TextDelta, ThinkingDelta, TurnStatus
from todo_tui.tui.actions.main import ANSWER_FIRST, STOP_FIRST
from todo_tui.tui.widgets.status_bar import ModelState, TurnState

if TYPE_CHECKING:
    from todo_tui.agent.run_config import RunConfig
    from todo_tui.store.conversations.records import ModelCall
    from todo_tui.tui.chat.conversation_page import ConversationPage
    from todo_tui.tui.chat.turn_view import TurnView

Selection = tuple[tuple[int, str], ...]
"""(id, title) of the tasks selected in the list."""
_STATE_AFTER = {
    TurnStarted: ModelState.THINKING,
    ThinkingDelta: ModelState.THINKING,
    TextDelta: ModelState.ANSWERING,
    ToolStarted: ModelState.WORKING,
    ToolFinished: ModelState.THINKING,
    CallRestarted: ModelState.THINKING,
    Retrying: ModelState.WAITING,
    ApprovalAsked: ModelState.ASKING,
    HistoryTruncated: ModelState.THINKING,
    FailedOver: ModelState.THINKING,
}
"""Model state after each event; others do not change it."""
_NO_OUTCOME = TurnOutcome()
_KEPT_CHARACTERS = 4_000_000
_YES_OR_NO = "[yes/no]"
_log = logging.getLogger(__name__)


class RecordedCalls:
    """Model calls of this session with what was sent and received; the oldest are dropped."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str, ModelCall, int]] = deque()
        self._characters = 0

    def add(self, turn_id: str, call: ModelCall) -> None:
        """Record a call of a turn."""
        size = sum(len(each.request) + len(each.response) for each in call.exchanges)
        self._calls.append((turn_id, call, size))
        self._characters += size
        while self._characters > _KEPT_CHARACTERS and len(self._calls) > 1:
            self._characters -= self._calls.popleft()[2]

    def of(self, turn_id: str) -> list[ModelCall]:
        """Return the recorded calls of a turn, oldest first."""
        return [call for owner, call, _ in self._calls if owner == turn_id]


@dataclass(eq=False)
class RunningTurn:
    """The turn in progress: its message, the view that draws it, the worker that runs it."""

    text: str
    replaces: str | None = None
    """Turn whose message it answers in another version."""
    selection: Selection = ()
    """Tasks that the message may be about."""
    view: TurnView = field(init=False)
    worker: Worker[None] | None = None
    is_stored: bool = False
    is_resent: bool = False
    """True if it was stopped to be sent again to another model."""
    problem: TodoError | None = None
    """What ended it without an event."""
    _handle: TurnHandle | None = None
    _last: TurnEvent | None = None

    async def events(
        self, config: RunConfig, conversation_id: str | None
    ) -> AsyncGenerator[TurnEvent, None]:
        """Run the turn and yield its events; TodoError if it could not be stored."""
        from todo_tui.agent.loop import run_turn  # 60 ms, loaded while the model gets ready

        self._handle = TurnHandle()
        turn = run_turn(
            self.text,
            config,
            conversation_id=conversation_id,
            selection=self.selection,
            replaces=self.replaces,
            handle=self._handle,
        )
        async with aclosing(turn):
            async for event in turn:
                self.is_stored = self.is_stored or isinstance(event, TurnStarted)
                if isinstance(event, TurnFailed) and not self.is_stored:
                    is_gone = event.error.kind == error_kind(NotFound(""))
                    error = NotFound if is_gone else TodoError
                    raise error(event.error.message, hint=event.error.hint)
                self._last = event
                yield event

    def fail(self, error: Exception) -> None:
        """Record what has ended the turn."""
        if not isinstance(error, TodoError):
            _log.exception("internal error in a turn", exc_info=error)
            name = type(error).__name__
            error = TodoError(f"Internal error ({name}).", hint="Open the log for details.")
        self.problem = error

    @property
    def ending(self) -> TurnEnd | None:
        """Event that ended the turn; None if it was stopped by the user, or by a problem."""
        if self.problem is None and isinstance(self._last, TurnEnd):
            return self._last
        return None

    def early_end(self, conversation_id: str) -> TurnEnd:
        """Return the event that stands for the end of a turn without one."""
        if self.problem is None:
            return TurnCancelled(self.view.turn_id, conversation_id, _NO_OUTCOME)
        error = TurnError("internal", self.problem.message, self.problem.hint)
        return TurnFailed(self.view.turn_id, conversation_id, _NO_OUTCOME, error)

    def stop(self, *, interrupted: bool = False) -> None:
        """Request the turn to end as cancelled; its last event still arrives."""
        if self._handle is not None:
            self._handle.stop(interrupted=interrupted)
        elif self.worker is not None:
            # A worker that is cancelled before its first step never counts as finished.
            asyncio.get_running_loop().call_soon(self.worker.cancel)

    async def wait(self) -> None:
        """Wait until the worker has ended and the turn is stored."""
        try:
            if self.worker is not None and not self.worker.is_finished:
                await self.worker.wait()
        except (WorkerCancelled, WorkerFailed):
            # Textual takes a cancellation of the waiting task for one of the worker.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError from None


def asks_yes_or_no(answer: str) -> bool:
    """Return True if a stored answer waits for one of these words: its outcome is not stored."""
    return any(line.endswith(_YES_OR_NO) for line in answer.splitlines())


def _state_after(*, asks: bool) -> ModelState:
    return ModelState.QUESTION if asks else ModelState.READY


class SessionChanged(Message):
    """Posted when the state of the chat has changed, or its enabled actions have."""


@dataclass(eq=False)
class ChatSession:
    """State of the chat, changed by the chat pane alone."""

    conversation_id: str | None = None
    """Conversation on screen; None for a new one."""
    turn: RunningTurn | None = None
    """The running turn, from its start until its end is shown."""
    state: TurnState = field(default_factory=TurnState)
    unfinished: str = ""
    """Message of the newest turn if that did not finish."""
    is_untitled: bool = False
    """True until a turn has finished: then a model is asked for a title."""
    calls: RecordedCalls = field(default_factory=RecordedCalls)

    @property
    def busy(self) -> bool:
        """True if a turn runs."""
        return self.turn is not None

    @property
    def is_asking(self) -> bool:
        """True if the running turn waits for approval."""
        return self.busy and self.state.state is ModelState.ASKING

    @property
    def why_busy(self) -> str:
        """Return what the running turn needs before another can be shown; empty without one."""
        return ANSWER_FIRST if self.is_asking else STOP_FIRST if self.busy else ""

    @property
    def unstored(self) -> str:
        """Message of the running turn until that is stored."""
        return self.turn.text if self.turn is not None and not self.turn.is_stored else ""

    @property
    def can_retry(self) -> bool:
        """True if the newest turn did not finish and none runs."""
        return bool(self.unfinished) and not self.busy

    @property
    def has_failed(self) -> bool:
        """True if the newest turn failed and can be retried."""
        return self.state.has_failed and self.can_retry

    def show(self, page: ConversationPage) -> None:
        """Begin with another conversation, or another part of it."""
        statuses = [turn.status for turn in page.turns]
        newest = statuses[-1] if statuses and page.is_end else None
        is_over = newest in (None, TurnStatus.FINISHED, TurnStatus.RUNNING)
        self.conversation_id = page.conversation_id
        self.unfinished = "" if is_over else page.turns[-1].user_text
        self.is_untitled = not page.more and TurnStatus.FINISHED not in statuses
        has_failed = newest is TurnStatus.FAILED
        answer = page.turns[-1].answer if newest is TurnStatus.FINISHED else ""
        state = _state_after(asks=asks_yes_or_no(answer))
        self.state = TurnState(state, page.totals, has_failed=has_failed)

    def begin(self, turn: RunningTurn) -> None:
        """Begin a turn, which opens its model first."""
        self.turn, self.unfinished = turn, ""
        self.state = TurnState(ModelState.OPENING, self.state.totals)

    def follow(self, event: TurnEvent, provider_label: str = "") -> bool:
        """Take over the state that the running turn is in after an event; True if it changed."""
        before = self.state
        match event:
            case UsageReported():
                totals = before.totals.plus(event.usage, event.cost_usd)
                self.state = replace(self.state, totals=totals)
            case FailedOver():
                self.state = replace(self.state, fallback=(provider_label, event.model))
        self.state = replace(self.state, state=_STATE_AFTER.get(type(event), before.state))
        return self.state != before

    def end(self, unfinished: str, *, has_failed: bool, asks: bool = False) -> None:
        """End the running turn; `unfinished` is its message if it is to be sent again."""
        self.turn, self.unfinished = None, unfinished
        state = ModelState.FAILED if has_failed else _state_after(asks=asks)
        self.state = replace(self.state, state=state, has_failed=has_failed)

    def forget_model(self) -> None:
        """Forget the state of the previous model."""
        self.state = replace(self.state, state=ModelState.READY, fallback=None)
