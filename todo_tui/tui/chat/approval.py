"""Approval of tool calls: the card that asks, and the approver of a turn that shows it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.choice_row import CONSENT, ChoiceRow, key_hint

if TYPE_CHECKING:
    from todo_tui.agent.approver import ApprovalQuestion

_MOST_DETAILS = 8
_APPROVAL = ("Approve", "Deny")


class ApprovalController:
    """Asks on a card above the composer, one at a time; implements `Approver`.

    Calls `changed` when the enabled keys change. The card never takes the focus by itself: the user
    may be typing, and text typed into the composer answers nothing. Only a card that is on screen
    can be answered by a key.
    """

    def __init__(self, chat: ChatPane, changed: Callable[[], None]) -> None:
        self._chat = chat
        self._changed = changed
        self._card: ApprovalCard | None = None

    @property
    def is_open(self) -> bool:
        """True if a card is waiting for an answer."""
        return self._card is not None and not self._card.decision.done()

    @property
    def has_focus(self) -> bool:
        """True if the card has the focus."""
        return self._card is not None and self._card.has_focus_within

    def can_answer(self, yes: bool) -> bool:
        """Return whether a key may answer now; approving takes a card that could be read."""
        return (
            self._card is not None
            and self.is_open
            and self._chat.display
            and not (yes and self._card.choices.in_grace)
        )

    def answer(self, yes: bool) -> None:
        """Answer the open card, if any, and return the focus to the composer."""
        if self._card is not None:
            self._card.answer(yes)
            self._give_focus_back(self._card)

    def focus(self) -> None:
        """Focus the open card."""
        if self._card is not None:
            self._card.choices.focus(scroll_visible=False)

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Ask and wait for the answer; cancelled when the turn is stopped."""
        card = ApprovalCard(question, asyncio.get_running_loop().create_future())
        # The pane mounts and removes it, as the task of the turn may be cancelled at any time.
        self._chat.call_later(self._open, card)
        try:
            return await card.decision
        finally:
            self._chat.call_later(self._close, card)

    async def _open(self, card: ApprovalCard) -> None:
        if not card.decision.done():
            if self._card is not None:
                await self._close(self._card)
            self._card = card
            await self._chat.mount(card, before=self._chat.activity)
            self._chat.composer.set_below_card(True)
            self._changed()

    async def _close(self, card: ApprovalCard) -> None:
        if card is self._card:
            self._card = None
            self._give_focus_back(card)
            self._chat.composer.set_below_card(False)
            await card.remove()
            self._changed()

    def _give_focus_back(self, card: ApprovalCard) -> None:
        if card.has_focus_within:
            self._chat.composer.focus(scroll_visible=False)


class ApprovalCard(Vertical):
    """Card above the composer, shown until it is answered or the turn ends."""

    # Mounted with the first question, so it is not part of the first frame's style sheets.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def __init__(self, question: ApprovalQuestion, decision: asyncio.Future[bool]) -> None:
        super().__init__()
        self._question = question
        self.decision = decision
        # Sending cannot be undone, so a question about a host marks the safe choice.
        labels = CONSENT if question.host else _APPROVAL
        self.choices = ChoiceRow(labels, marks_yes=not question.host)

    def compose(self) -> ComposeResult:
        """Lay out the question, the preview of changed rows, and the choices."""
        words = (plain_line(self._question.words), "bold")
        yield Static(Content.assemble(("◆ ", "$text-warning"), words), markup=False)
        details = self._question.details
        lines = [Content.styled(f"  {plain_line(each)}", MUTED) for each in details[:_MOST_DETAILS]]
        if len(details) > _MOST_DETAILS:
            lines.append(Content.styled(f"  … and {len(details) - _MOST_DETAILS} more", FAINT))
        if lines:
            yield Static(Content("\n").join(lines), markup=False, classes="details")
        yield self.choices

    def answer(self, yes: bool) -> None:
        """Resolve the future; a second answer is ignored."""
        if not self.decision.done():
            self.decision.set_result(yes)

    def on_click(self) -> None:
        """Focus the choices: a click beside them answers nothing."""
        self.choices.focus(scroll_visible=False)

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _show_key_hints(self) -> None:
        # Without the focus the composer shows its own.
        yes, no = ("allow", "cancel") if self._question.host else ("approve", "deny")
        self.border_subtitle = key_hint(self.app, yes, no) if self.choices.has_focus else ""
