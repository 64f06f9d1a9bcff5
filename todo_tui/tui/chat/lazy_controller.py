"""Stand-in for the chat controller until that is imported; keeps messages that arrive earlier."""

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
    """Holds the dialogue; until that is loaded, messages wait and there is nothing to stop.

    `make` makes it of its class, which is not part of the first frame.
    """

    def __init__(
        self, screen: Screen[None], make: Callable[[type[ChatController]], ChatController]
    ) -> None:
        self._screen = screen
        self._make = make
        self._dialogue: ChatController | None = None
        self._sent_early: list[str] | None = []
        """What was sent before the conversation was on screen; None from then on."""

    async def open(self) -> bool:
        """Load it, put the last conversation on screen, send what waits; False: the app is left."""
        dialogue_class = await asyncio.to_thread(_load_chat_controller)
        if not self._screen.is_running:
            return False
        self._dialogue = self._make(dialogue_class)
        await self._dialogue.open_latest()
        # In the order in which they were written, those that come meanwhile too.
        while self._sent_early:
            await self._dialogue.send(self._sent_early.pop(0))
        self._sent_early = None
        return True

    @property
    def controller(self) -> ChatController:
        """The dialogue itself, for what only happens once it is loaded."""
        assert self._dialogue is not None  # noqa: S101  # what was asked comes from its parts
        return self._dialogue

    @property
    def is_open(self) -> bool:
        """Whether it is loaded."""
        return self._dialogue is not None

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._dialogue is not None and self._dialogue.busy

    @property
    def has_failed(self) -> bool:
        """Whether the newest turn has failed and can be tried again."""
        return self._dialogue is not None and self._dialogue.has_failed

    @property
    def turn_state(self) -> TurnState:
        """What the status line shows of it."""
        return self._dialogue.turn_state if self._dialogue is not None else TurnState()

    @property
    def conversation_id(self) -> str | None:
        """The conversation on screen; None before its first message."""
        return self._dialogue.conversation_id if self._dialogue is not None else None

    def can_perform(self, wish: ChatAction) -> bool:
        """Whether it would do something now."""
        return self._dialogue is not None and self._dialogue.can_perform(wish)

    async def perform(self, wish: ChatAction) -> None:
        """Do what a key asks for."""
        if self._dialogue is not None:
            await self._dialogue.perform(wish)

    async def send(self, text: str) -> None:
        """Begin a turn with the message, or line it up."""
        if self._sent_early is not None:
            self._sent_early.append(text)
        else:
            await self.controller.send(text)

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """This process wrote."""
        if self._dialogue is not None:
            await self._dialogue.tasks_changed(changes)

    async def store_changed(self) -> None:
        """Another process did: what the last turn changed can no longer be undone alone."""
        if self._dialogue is not None:
            await self._dialogue.withdraw_undo()

    def models_changed(self) -> None:
        """Another model answers, or another one has become ready."""
        if self._dialogue is not None:
            self._dialogue.models_changed()

    def model_switched(self) -> None:
        """Another model answers from the next message on."""
        if self._dialogue is not None:
            self._dialogue.model_switched()

    def retry_now_if_waiting(self) -> bool:
        """A turn that only waits to try again asks the model that is chosen now."""
        if self._dialogue is None or not self._dialogue.waits_to_retry:
            return False
        self._dialogue.resend()
        return True

    async def show_reopened(self) -> None:
        """Another database is open."""
        if self._dialogue is not None:
            await self._dialogue.show_reopened()

    async def shut_down(self, *, interrupted: bool = False) -> None:
        """End the turn, and wait until the store has what is kept of it."""
        if self._dialogue is not None:
            await self._dialogue.shut_down(interrupted=interrupted)


def _load_chat_controller() -> type[ChatController]:
    """Import all that holds and draws a conversation; as slow as half of the first frame."""
    from todo_tui.tui.chat.controller import ChatController

    return ChatController
