"""Runs one turn at a time: posts the agent's events to the screen from a worker."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.screen import Screen
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import TurnEnd, TurnFailed, TurnStarted
from todo_tui.tui.messages import TurnBroke, TurnProgressed
from todo_tui.tui.person_approver import PersonApprover
from todo_tui.tui.provider_switch import ProviderSwitch

if TYPE_CHECKING:
    from todo_tui.agent.handle import TurnHandle

Selection = tuple[tuple[int, str], ...]
"""(id, title) of the tasks that are marked in the list."""

_log = logging.getLogger(__name__)


class TurnRunner:
    """At most one turn; nothing of a turn is kept here once it has ended."""

    def __init__(self, screen: Screen[None], switch: ProviderSwitch) -> None:
        self._screen = screen
        self._switch = switch
        self._approver = PersonApprover(screen)
        self._worker: Worker[None] | None = None
        self._handle: TurnHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether a turn runs, from the moment it is started to its last event."""
        return self._worker is not None and not self._worker.is_finished

    def start(self, text: str, conversation_id: str | None, selection: Selection) -> None:
        """Send a message: TurnProgressed follows for each event, or one TurnBroke."""
        self._worker = self._screen.run_worker(
            self._run(text, conversation_id, selection), name="turn", group="turn"
        )

    def stop(self, *, interrupted: bool = False) -> None:
        """Let the turn end as cancelled; its last event still arrives."""
        if self._handle is not None:
            self._handle.stop(interrupted=interrupted)
        elif self._worker is not None:
            # A worker that is cancelled before its first step never counts as finished.
            asyncio.get_running_loop().call_soon(self._worker.cancel)

    async def wait(self) -> None:
        """Until the turn has ended and the store has what is kept of it."""
        if self._worker is None or self._worker.is_finished:
            return
        try:
            await self._worker.wait()
        except (WorkerCancelled, WorkerFailed):
            # Textual takes a cancellation of whoever waits for one of the worker.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError from None

    async def _run(self, text: str, conversation_id: str | None, selection: Selection) -> None:
        stored = ended = False
        try:
            desk = await self._switch.desk()
            # Loaded by the thread that opened the desk; not before the first frame.
            from todo_tui.agent.handle import TurnHandle
            from todo_tui.agent.loop import run_turn

            self._handle = TurnHandle()
            turn = run_turn(
                text,
                replace(desk, approver=self._approver),
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
                    self._screen.post_message(TurnProgressed(event))
        except asyncio.CancelledError:
            if not ended:
                self._screen.post_message(TurnBroke(text, None, stored=stored))
            raise
        except TodoError as error:
            self._screen.post_message(TurnBroke(text, error, stored=stored))
        except Exception as error:
            _log.exception("a turn broke")
            wrapped = TodoError(
                f"Something went wrong inside todo-tui ({type(error).__name__}).",
                hint="The log has the details.",
            )
            self._screen.post_message(TurnBroke(text, wrapped, stored=stored))
        finally:
            self._handle = None
