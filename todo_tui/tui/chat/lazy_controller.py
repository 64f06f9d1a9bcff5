"""Lazy loader of the chat controller; keeps messages sent before it is loaded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.screen import Screen

from todo_tui.tui.actions import ChatAction
from todo_tui.tui.widgets.status_bar import TurnState

if TYPE_CHECKING:
    from todo_tui.domain.changes import TaskChange
    from todo_tui.tui.chat.controller import ChatController


class LazyChatController:
    """Loads the chat controller after the first frame; queues messages until then.

    `make` creates it from its class, whose import is not part of the first frame.
    """

    def __init__(
        self, screen: Screen[None], make: Callable[[type[ChatController]], ChatController]
    ) -> None:
        self._screen = screen
        self._make = make
        self._controller: ChatController | None = None
        self._sent_early: list[str] | None = []
        """Messages sent before the conversation was on screen; None afterwards."""

    async def open(self) -> bool:
        """Load the controller, open the latest conversation, send early messages; False on exit."""
        controller_class = await asyncio.to_thread(_load_chat_controller)
        if not self._screen.is_running:
            return False
        self._controller = self._make(controller_class)
        await self._controller.open_latest()
        # In order, including those that arrive meanwhile.
        while self._sent_early:
            await self._controller.send(self._sent_early.pop(0))
        self._sent_early = None
        return True

    @property
    def controller(self) -> ChatController:
        """Loaded controller, for handlers of messages that only it causes."""
        assert self._controller is not None  # noqa: S101  # only its widgets post these
        return self._controller

    @property
    def is_open(self) -> bool:
        """True if the controller is loaded."""
        return self._controller is not None

    @property
    def busy(self) -> bool:
        """True if a turn runs."""
        return self._controller is not None and self._controller.busy

    @property
    def has_failed(self) -> bool:
        """True if the newest turn failed and can be retried."""
        return self._controller is not None and self._controller.has_failed

    @property
    def turn_state(self) -> TurnState:
        """State shown in the status bar."""
        return self._controller.turn_state if self._controller is not None else TurnState()

    @property
    def conversation_id(self) -> str | None:
        """Id of the conversation on screen; None before its first message."""
        return self._controller.conversation_id if self._controller is not None else None

    def can_perform(self, action: ChatAction) -> bool:
        """Return whether the action would do something now."""
        return self._controller is not None and self._controller.can_perform(action)

    async def perform(self, action: ChatAction) -> None:
        """Perform the action of a key."""
        if self._controller is not None:
            await self._controller.perform(action)

    async def send(self, text: str) -> None:
        """Start a turn with the message, or queue it."""
        if self._sent_early is not None:
            self._sent_early.append(text)
        else:
            await self.controller.send(text)

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Pass on changes written by this process."""
        if self._controller is not None:
            await self._controller.tasks_changed(changes)

    async def store_changed(self) -> None:
        """Withdraw the undo offer after a write by another process."""
        if self._controller is not None:
            await self._controller.withdraw_undo()

    def models_changed(self) -> None:
        """Pass on that the selected model or its readiness changed."""
        if self._controller is not None:
            self._controller.models_changed()

    def model_switched(self) -> None:
        """Pass on that another model was selected."""
        if self._controller is not None:
            self._controller.model_switched()

    def retry_now_if_waiting(self) -> bool:
        """Retry at once with the selected model if a turn is waiting to retry."""
        if self._controller is None or not self._controller.waits_to_retry:
            return False
        self._controller.resend()
        return True

    async def show_reopened(self) -> None:
        """Show the conversation of the database that was opened now."""
        if self._controller is not None:
            await self._controller.show_reopened()

    async def shut_down(self, *, interrupted: bool = False) -> None:
        """Stop the turn and wait until it is stored."""
        if self._controller is not None:
            await self._controller.shut_down(interrupted=interrupted)


def _load_chat_controller() -> type[ChatController]:
    """Import the controller and its widgets, which takes half as long as the first frame."""
    from todo_tui.tui.chat.controller import ChatController

    return ChatController
