"""The questions of a running turn: puts them on screen, brings them the person's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from todo_tui.tui.messages import ApprovalSettled, ApprovalWanted
from todo_tui.tui.widgets.chat_pane import ChatPane

if TYPE_CHECKING:
    # Loaded with the first question.
    from todo_tui.tui.widgets.approval_card import ApprovalCard


class Approvals:
    """At most one card is open at a time; `changed` is called when keys change.

    The card never takes the focus by itself: the person may be typing, and what is typed
    into the composer answers nothing. Only a card that is on screen can be answered by a key.
    """

    def __init__(self, chat: ChatPane, changed: Callable[[], None]) -> None:
        self._chat = chat
        self._changed = changed
        self._card: ApprovalCard | None = None

    @property
    def is_open(self) -> bool:
        """Whether a card waits for an answer."""
        return self._card is not None and not self._card.is_answered

    @property
    def has_focus(self) -> bool:
        """Whether keys go to the card."""
        return self._card is not None and self._card.has_focus_within

    def can_answer(self, yes: bool) -> bool:
        """Return whether a key may answer: with yes only when the card could be read."""
        return (
            self._card is not None
            and self.is_open
            and self._chat.display
            and not (yes and self._card.choices.in_grace)
        )

    def answer(self, yes: bool) -> None:
        """Answer the open card, if any; the next key goes to the composer again."""
        if self._card is not None:
            self._card.answer(yes)
            self._give_focus_back(self._card)

    def focus(self) -> None:
        """Let the keys go to the open card."""
        if self._card is not None:
            self._card.choices.focus(scroll_visible=False)

    async def show(self, event: ApprovalWanted) -> None:
        """Ask, above what is being written."""
        from todo_tui.tui.widgets.approval_card import ApprovalCard  # rarely wanted

        if event.answer.done():
            return
        await self._drop()
        self._card = ApprovalCard(event.question, event.answer)
        await self._chat.mount(self._card, before=self._chat.activity)
        self._chat.composer.stand_below_card(True)
        self._changed()

    async def settle(self, event: ApprovalSettled) -> None:
        """Close the card when its question is answered, or its turn is over."""
        if self._card is not None and self._card.belongs_to(event.answer):
            await self._drop()
            self._changed()

    async def _drop(self) -> None:
        card, self._card = self._card, None
        if card is not None:
            self._give_focus_back(card)
            self._chat.composer.stand_below_card(False)
            await card.remove()

    def _give_focus_back(self, card: ApprovalCard) -> None:
        if card.has_focus_within:
            self._chat.composer.focus(scroll_visible=False)
