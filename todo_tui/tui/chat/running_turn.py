"""The running turn.

Worker that runs the agent loop, its view, and the turn status shown in the status bar.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import (
    ApprovalAsked,
    BudgetWarning,
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
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.messages import TextDelta, ThinkingDelta, TurnStatus
from todo_tui.tui.chat.approval import ScreenApprover
from todo_tui.tui.chat.history import HistoryPage
from todo_tui.tui.chat.pane import ActivityLine
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.chat.turn_view import RecoveryKeys, TurnView
from todo_tui.tui.messages import TurnCrashed, TurnEventReceived
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.status_bar import ActiveFallback, ModelState, TurnState, UsageAndCost
from todo_tui.tui.widgets.text import SPIN_SECONDS

if TYPE_CHECKING:
    from todo_tui.agent.cancellation import TurnHandle

_STATE_AFTER = {
    TurnStarted: ModelState.THINKING,
    ThinkingDelta: ModelState.THINKING,
    TextDelta: ModelState.ANSWERING,
    ToolStarted: ModelState.WORKING,
    ToolFinished: ModelState.THINKING,
    CallRestarted: ModelState.THINKING,
    Retrying: ModelState.WAITING,
    ApprovalAsked: ModelState.ASKING,
    FailedOver: ModelState.THINKING,
    HistoryTruncated: ModelState.THINKING,
}
"""Model state after each event."""
Selection = tuple[tuple[int, str], ...]
"""(id, title) of the tasks selected in the list."""
_log = logging.getLogger(__name__)


class RunningTurnView:
    """View of the running turn, if any; the view stays in the transcript when it has ended."""

    def __init__(
        self, transcript: Transcript, activity: ActivityLine, now: Callable[[], datetime]
    ) -> None:
        self._transcript = transcript
        self._activity = activity
        self._now = now
        self._view: TurnView | None = None
        self._spinner_timer: Timer = transcript.set_interval(SPIN_SECONDS, self._tick, pause=True)
        self._ticks = 0

    async def begin(self, text: str, *, keys: Callable[[], RecoveryKeys]) -> None:
        """Add the turn to the transcript; `keys` returns the hints shown on failure."""
        self._view = await self._transcript.begin(text, self._now(), keys=keys)
        # With animations off the spinner stands still.
        if self._transcript.app.animation_level != "none":
            self._spinner_timer.resume()

    async def show(self, event: TurnEvent) -> None:
        """Draw an event; the last event of the turn stops the spinner."""
        if self._view is None:
            return
        await self._transcript.show_event(self._view, event, time.monotonic())
        if isinstance(event, TurnFinished | TurnFailed | TurnCancelled):
            self._stop_spinning()
            await self._transcript.unmount_far_turns()

    async def drop(self) -> None:
        """Remove the view of a turn that was not stored."""
        view = self._view
        self._stop_spinning()
        if view is not None:
            await self._transcript.drop(view)

    async def end_early(self, error: TurnError | None) -> None:
        """End the view without a last event."""
        if self._view is not None:
            await self._view.end_early(error)
        self._stop_spinning()

    def _stop_spinning(self) -> None:
        self._view = None
        self._spinner_timer.pause()

    def _tick(self) -> None:
        self._ticks += 1
        self._activity.tick = self._ticks
        if self._view is not None:
            self._view.tick(self._ticks, time.monotonic())


class TurnStateTracker:
    """Tracks the state of the conversation's newest turn; calls `changed` when it differs."""

    def __init__(self, services: AppServices, changed: Callable[[], None]) -> None:
        self._services = services
        self._changed = changed
        self._fallback: ActiveFallback | None = None
        self.state = ModelState.READY
        self.totals = UsageAndCost()
        self.unfinished = ""
        """Message of the newest turn if that did not finish; else empty."""
        self.failed = False
        """True if the newest turn failed, as opposed to being cancelled."""

    @property
    def turn_state(self) -> TurnState:
        """State shown in the status bar."""
        return TurnState(self.state, self.totals, self._fallback, has_failed=self.failed)

    def conversation_opened(self, page: HistoryPage) -> None:
        """Take the state of the conversation that was opened."""
        last = page.turns[-1] if page.turns else None
        stopped = last is not None and last.status not in (TurnStatus.FINISHED, TurnStatus.RUNNING)
        self.totals = page.totals
        self.unfinished = last.asked if last is not None and stopped else ""
        self.failed = last is not None and last.status is TurnStatus.FAILED
        self._fallback = None
        self._set_state(ModelState.READY)

    def message_sent(self) -> None:
        """Reset the state for a new turn."""
        self.unfinished, self.failed = "", False
        self._fallback = None
        self._set_state(ModelState.OPENING)

    def apply_event(self, event: TurnEvent) -> None:
        """Update the state for an event of the running turn."""
        match event:
            case UsageReported():
                self.totals = self.totals.plus(event.usage, event.cost_usd)
                self._changed()
            case FailedOver():
                option = self._services.option(event.provider)
                label = option.row.label if option is not None else event.provider
                self._fallback = ActiveFallback(label, event.model)
                self._set_state(ModelState.THINKING)
            case BudgetWarning() | TurnFinished() | TurnFailed() | TurnCancelled():
                return
            case _:
                state = _STATE_AFTER[type(event)]
                if state is not self.state:
                    self._set_state(state)

    def turn_ended(self, asked: str, *, finished: bool, failed: bool) -> None:
        """Record how the turn ended; `asked` is its message."""
        self.unfinished = "" if finished else asked
        self.failed = failed
        self._set_state(ModelState.FAILED if failed else ModelState.READY)

    def model_switched(self) -> None:
        """Reset the state of the previous model."""
        self._fallback = None
        self._set_state(ModelState.READY)

    def _set_state(self, state: ModelState) -> None:
        self.state = state
        self._changed()


class TurnRunner:
    """Runs one turn at a time in a worker and posts its events to the screen."""

    def __init__(self, screen: Screen[None], switch: ProviderSwitch) -> None:
        self._screen = screen
        self._switch = switch
        self._approver = ScreenApprover(screen)
        self._worker: Worker[None] | None = None
        self._handle: TurnHandle | None = None

    @property
    def busy(self) -> bool:
        """True if a turn runs, from its start to its last event."""
        return self._worker is not None and not self._worker.is_finished

    def start(self, text: str, conversation_id: str | None, selection: Selection) -> None:
        """Start a turn; posts TurnEventReceived per event, or one TurnCrashed."""
        self._worker = self._screen.run_worker(
            self._run(text, conversation_id, selection), name="turn", group="turn"
        )

    def stop(self, *, interrupted: bool = False) -> None:
        """Request the turn to end as cancelled; its last event still arrives."""
        if self._handle is not None:
            self._handle.stop(interrupted=interrupted)
        elif self._worker is not None:
            # A worker that is cancelled before its first step never counts as finished.
            asyncio.get_running_loop().call_soon(self._worker.cancel)

    async def wait(self) -> None:
        """Wait until the turn has ended and is stored."""
        if self._worker is None or self._worker.is_finished:
            return
        try:
            await self._worker.wait()
        except (WorkerCancelled, WorkerFailed):
            # Textual takes a cancellation of the waiting task for one of the worker.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError from None

    async def _run(self, text: str, conversation_id: str | None, selection: Selection) -> None:
        stored = ended = False
        try:
            config = await self._switch.run_config()
            # Imported by the thread that opened the client; not before the first frame.
            from todo_tui.agent.cancellation import TurnHandle
            from todo_tui.agent.loop import run_turn

            self._handle = TurnHandle()
            turn = run_turn(
                text,
                replace(config, approver=self._approver),
                conversation_id=conversation_id,
                selection=selection,
                handle=self._handle,
            )
            async with aclosing(turn):
                async for event in turn:
                    stored = stored or isinstance(event, TurnStarted)
                    if isinstance(event, TurnFailed) and not stored:
                        raise TodoError(event.error.message, hint=event.error.hint)
                    ended = isinstance(event, TurnEnd)
                    self._screen.post_message(TurnEventReceived(event))
        except asyncio.CancelledError:
            if not ended:
                self._screen.post_message(TurnCrashed(text, None, stored=stored))
            raise
        except TodoError as error:
            self._screen.post_message(TurnCrashed(text, error, stored=stored))
        except Exception as error:
            _log.exception("a turn broke")
            wrapped = TodoError(
                f"Something went wrong inside todo-tui ({type(error).__name__}).",
                hint="The log has the details.",
            )
            self._screen.post_message(TurnCrashed(text, wrapped, stored=stored))
        finally:
            self._handle = None
