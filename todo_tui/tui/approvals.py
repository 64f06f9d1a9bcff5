"""The questions of a running turn: puts them on screen, brings them the person's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.messages import ApprovalSettled, ApprovalWanted
from todo_tui.tui.widgets.chat_pane import ChatPane

if TYPE_CHECKING:
    # Loaded with the first question.
    from todo_tui.tui.widgets.approval_card import ApprovalCard


class Approvals:
    """At most one question is asked at a time; `changed` is called when keys change.

    Letters answer only while the composer is empty, and only after a moment, so that
    nobody who is writing agrees to anything. What is written stays.
    """

    def __init__(self, chat: ChatPane, changed: Callable[[], None], key_names: KeyNames) -> None:
        self._chat = chat
        self._letters = frozenset(
            key for name in ("chat.yes", "chat.no") for key in key_names.keys(name) if len(key) == 1
        )
        self._changed = changed
        self._card: ApprovalCard | None = None

    @property
    def asked(self) -> bool:
        """Whether a question is on screen."""
        return self._card is not None

    def can_answer(self, yes: bool) -> bool:
        """A no counts at once, a yes only when the question could be read."""
        return self._card is not None and not (yes and self._card.in_grace)

    def answer(self, yes: bool) -> None:
        """The person's word."""
        if self._card is not None and self.can_answer(yes):
            self._card.answer(yes)

    async def show(self, event: ApprovalWanted) -> None:
        """Ask, above what is being written."""
        from todo_tui.tui.widgets.approval_card import ApprovalCard  # rarely wanted

        if event.answer.done():
            return
        await self._drop()
        self._card = ApprovalCard(event.question, event.answer)
        self.written()
        await self._chat.mount(self._card, before=self._chat.activity)
        self._changed()

    async def settle(self, event: ApprovalSettled) -> None:
        """The question is answered, or its turn is over."""
        if self._card is not None and self._card.belongs_to(event.answer):
            await self._drop()
            self._changed()

    def open_to_letters(self) -> None:
        """The question has been there for long enough to be read."""
        if self._card is not None:
            self._chat.composer.lent_keys = self._letters
        self._changed()

    def written(self) -> None:
        """Something may stand in the composer now, or nothing any more."""
        if self._card is not None:
            self._card.by_letter = not self._chat.composer.text
            self._changed()

    async def _drop(self) -> None:
        card, self._card = self._card, None
        self._chat.composer.lent_keys = frozenset()
        if card is not None:
            await card.remove()
