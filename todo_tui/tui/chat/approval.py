"""Approval of tool calls: the card that asks, and the approver of a turn that shows it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static

from todo_tui.agent.approver import (
    ApprovalAnswer,
    SessionApprovals,
    remember_mode,
    with_last_mode,
)
from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.domain.text import format_count, plain_line
from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.chat import APPROVAL_CARD
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.main import BACK_TO_BOX
from todo_tui.tui.errors import shows_errors
from todo_tui.tui.screens.consent import ApprovalSettingsScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.choice import Choice
from todo_tui.tui.widgets.choice_row import CONSENT, ChoiceRow, key_hint
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.text import hang

if TYPE_CHECKING:
    from todo_tui.agent.approver import ApprovalQuestion
    from todo_tui.config.settings import ApprovalMode
    from todo_tui.store.proposals import Proposal
    from todo_tui.store.store import Store

_log = logging.getLogger(__name__)
_MIN_ROWS = 6
_ROW = ("#", " ")
"""Beginnings of the lines of tasks."""
_CALL_CHOICES = {
    Choice.APPROVE: "Allow once",
    Choice.APPROVE_ALWAYS: "Allow for this conversation",
    Choice.DENY: "Deny",
    Choice.EXPLAIN: "Deny and say why",
}
_PROPOSAL_CHOICES = {Choice.APPROVE: "Accept", Choice.DENY: "Drop"}
_YES_OR_NO = {Choice.APPROVE: "Approve", Choice.DENY: "Deny"}


class ApprovalArea(Vertical):
    """Place above the composer for a card that asks, one at a time; implements `Approver`.

    The card never takes the focus by itself: the user may be typing. Of what is sent from the
    composer only a plain yes or no answers it (`read_typed_answer`).
    """

    class Opened(Message):
        """Posted when a card is shown."""

    @dataclass
    class Closed(Message):
        """Posted when the card is removed."""

        had_focus: bool
        unsent_reason: str
        """Reason of a denial that was typed, but not given before the turn was stopped."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self._card: ApprovalCard | None = None
        self._store, self._writer = services.store, services.writer
        self._settings, self._decisions = services.settings.approvals, services.store.decisions
        self._offered: Proposal | None = None
        """Proposal of an agent whose card is open."""
        self._is_deciding = False
        """True while a decision on a proposal is written."""
        self.session = SessionApprovals()

    @property
    def is_open(self) -> bool:
        """True if a card is waiting for an answer."""
        return self._card is not None and not self._card.decision.done()

    @property
    def holds_turn(self) -> bool:
        """True if a turn waits for the answer to the open card."""
        return self.is_open and self._offered is None

    def can_answer(self, yes: bool) -> bool:
        """Return whether a key may answer now; approving takes a card that could be read.

        A proposal came by itself, so that no key that has other uses drops it.

        While the reason of a denial is typed, no key approves, and the one for no goes back to the
        choices.
        """
        return (
            self._card is not None
            and not self._card.reason.has_focus
            and (self.is_open if yes else self.holds_turn)
            and not (yes and self._card.choices.in_grace)
        )

    def note_typing(self) -> None:
        """Prolong the grace of a card: text that was begun before it does not answer it."""
        if self._card is not None:
            self._card.choices.prolong_grace()

    def choose(self, choice: Choice, reason: str = "") -> bool:
        """Answer as on the open card, if any; True if that had the focus and needs it no more.

        Asks for the reason of a denial if that is to be given.
        """
        card = self._card
        if card is None:
            return False
        if choice is Choice.EXPLAIN:
            card.ask_why()
            return False
        card.answer(choice, reason)
        return card.has_focus_within

    def open_settings(self) -> None:
        """Open the choice of calls that need approval."""
        last = with_last_mode(self._settings, self._decisions)
        screen = ApprovalSettingsScreen(self._settings, self.session.apply(last).ask)
        self.app.push_screen(screen, self._choose_mode)

    def _choose_mode(self, mode: ApprovalMode | None) -> None:
        if mode is not None:
            self.session.choose(mode)
            self._remember_mode(mode)

    @work(group="approval mode")
    @shows_errors
    async def _remember_mode(self, mode: ApprovalMode) -> None:
        await asyncio.to_thread(remember_mode, mode, self._decisions)

    def focus_card(self) -> None:
        """Focus the open card."""
        if self._card is not None:
            self._card.focus_answers()

    # Proposals of agents

    def withdraw_proposal(self) -> None:
        """Close the card of a proposal, which goes on waiting; one that is decided is written."""
        if not self._is_deciding:
            self.workers.cancel_group(self, "proposal")

    @work(group="proposals", exclusive=True)
    async def offer_proposals(self) -> None:
        """Open a card for the oldest proposal that waits, unless it has one."""
        try:
            waiting = await asyncio.to_thread(self._store.proposals.waiting)
            if self._offered in waiting or self._is_deciding:
                # What is decided is offered no more, and the next is offered after it.
                return
            self.withdraw_proposal()
            if waiting:
                question = await asyncio.to_thread(_proposal_question, self._store, waiting[0])
                self._offer(waiting[0], question)
        except StoreError as error:
            _log.warning("proposals cannot be read: %s", error.message)

    @work(group="proposal", exclusive=True)
    async def _offer(self, proposal: Proposal, question: ApprovalQuestion) -> None:
        self._offered = proposal
        try:
            answer = await self.decide(question)
            self._is_deciding = True
            done = await self._writer.run(
                _decide_proposal, self._store, proposal.id, accepts=answer.approves
            )
            if answer.approves:
                done += format_hint(self.app, " · {list.undo} in the list undoes it")
            self.app.notify(done, markup=False)
        except TodoError as error:
            self.app.notify(error.text, severity="error", markup=False)
        finally:
            self._is_deciding = False
            if self._offered is proposal:
                self._offered = None
        self.offer_proposals()

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Ask and wait for the answer; cancelled when the turn is stopped."""
        card = ApprovalCard(question, asyncio.get_running_loop().create_future())
        # Mounted and removed here, as the task of the turn may be cancelled at any time.
        self.call_later(self._open, card)
        try:
            return await card.decision
        finally:
            self.call_later(self._close, card)

    async def _open(self, card: ApprovalCard) -> None:
        if not card.decision.done():
            if self._card is not None:
                await self._close(self._card)
            self._card = card
            await self.mount(card)
            self.post_message(self.Opened())

    async def _close(self, card: ApprovalCard) -> None:
        if card is self._card:
            self._card = None
            unsent = card.reason.value if card.decision.cancelled() else ""
            self.post_message(self.Closed(card.has_focus_within, unsent.strip() and unsent))
            await card.remove()


def _proposal_question(store: Store, proposal: Proposal) -> ApprovalQuestion:
    from todo_tui.agent.proposals import describe, title  # 80 ms: the tools, in a thread

    question = describe(store, proposal)
    return replace(question, words=title(proposal, question), call_id="", is_proposal=True)


def _decide_proposal(store: Store, number: int, *, accepts: bool) -> str:
    """Accept or drop a proposal; return the notice about that."""
    from todo_tui.agent.proposals import accept, drop  # as above

    if accepts:
        return " · ".join(accept(store, number).summaries)
    drop(store, number)
    return "Dropped the proposal."


class ApprovalRows(Static):
    """Rows that would change: as many as fit a quarter of the screen, all once they are opened."""

    is_open: reactive[bool] = reactive(False, layout=True)
    shows_key: reactive[bool] = reactive(False)
    """True while the card has the focus, so that its keys work at once."""

    def __init__(self, rows: tuple[str, ...]) -> None:
        super().__init__(markup=False)
        self._rows = rows

    @property
    def _room(self) -> int:
        return max(self.app.size.height // 4, _MIN_ROWS)

    @property
    def can_open(self) -> bool:
        """True if not all rows fit."""
        return len(self._rows) > self._room

    def render(self) -> Content:
        """Draw the rows, and how many more there are."""
        shown = self._rows if self.is_open or not self.can_open else self._rows[: self._room - 1]
        # Rows are muted, and what changes in all of them is not.
        lines = [self._line(each) for each in shown]
        if self.can_open:
            keys = "{card.details}" if self.shows_key else "{chat.to_card} {card.details}"
            key = format_hint(self.app, keys)
            more = (
                "▾ fewer"
                if self.is_open
                else f"▸ {format_count(len(self._rows) - len(shown), 'more line')}"
            )
            lines.append(Content.assemble((more, "$text-accent"), (f"  {key}", MUTED)))
        return Content("\n").join(lines)

    def _line(self, row: str) -> Content:
        style, text = MUTED if row.startswith(_ROW) else "", f"  {plain_line(row)}"
        title = text.lstrip()
        title = title.partition(" ")[2] if title.startswith("#") else title
        mark = Content.styled(text.removesuffix(title), style)
        return hang(mark, Content.styled(title, style), self.content_size.width)

    def on_resize(self) -> None:
        """Wrap long rows for the new width."""
        self.refresh(layout=True)

    def toggle(self) -> None:
        """Show all rows, or fewer."""
        self.is_open = self.can_open and not self.is_open

    def on_click(self) -> None:
        """Show all rows, or fewer."""
        self.toggle()


class ApprovalCard(ActionHost, Vertical):
    """Card above the composer, shown until it is answered or the turn ends."""

    # Mounted with the first question, so it is not part of the first frame's style sheets.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ACTIONS = APPROVAL_CARD
    BINDINGS = bindings(APPROVAL_CARD) + bindings([BACK_TO_BOX], "screen")

    def __init__(
        self, question: ApprovalQuestion, decision: asyncio.Future[ApprovalAnswer]
    ) -> None:
        super().__init__()
        self._question = question
        self.decision = decision
        self._rows = ApprovalRows(question.details[question.reasons :])
        labels = _YES_OR_NO
        if question.host:
            labels = CONSENT
        elif question.is_proposal:
            labels = _PROPOSAL_CHOICES
        elif question.call_id:
            labels = {
                choice: label
                for choice, label in _CALL_CHOICES.items()
                if question.allowable or choice is not Choice.APPROVE_ALWAYS
            }
        # Sending cannot be undone, so a question about a host marks the safe choice.
        self.choices = ChoiceRow(labels, marked=Choice.DENY if question.host else Choice.APPROVE)
        self.reason = LineInput(placeholder="Why not? The assistant reads this.")
        self.reason.display = False

    def compose(self) -> ComposeResult:
        """Lay out the question, the rows that would change, and the answers."""
        words = (plain_line(self._question.words), "bold")
        yield Static(Content.assemble(("◆ ", "$text-warning"), words), markup=False)
        for why in self._question.details[: self._question.reasons]:
            yield Static(Content(plain_line(why)), markup=False, classes="why")
        if len(self._question.details) > self._question.reasons:
            yield self._rows
        with Vertical(classes="answers"):
            yield self.choices
            yield self.reason

    def on_mount(self) -> None:
        """Show how the keys of the choices are reached."""
        self._show_key_hints()

    def action_toggle_rows(self) -> None:
        """Show all rows, or fewer."""
        self._rows.toggle()

    def answer(self, choice: Choice, reason: str = "") -> None:
        """Resolve the future; a second answer is ignored.

        A denial has the reason that is in its input, however it is given.
        """
        if not self.decision.done():
            self.decision.set_result(
                ApprovalAnswer(
                    choice.approves,
                    for_conversation=choice is Choice.APPROVE_ALWAYS,
                    reason="" if choice.approves else reason or self._typed_reason,
                )
            )

    @property
    def _typed_reason(self) -> str:
        return self.reason.value if self.reason.display else ""

    def ask_why(self) -> None:
        """Open the input for the reason of a denial."""
        self.reason.display = True
        self.focus_answers()

    @on(LineInput.Cancelled)
    def _close_reason(self, event: LineInput.Cancelled) -> None:
        event.stop()
        self.reason.display = False
        self.focus_answers()

    def focus_answers(self) -> None:
        """Focus the input for the reason if it is open, else the choices."""
        target = self.reason if self.reason.display else self.choices
        target.focus(scroll_visible=False)

    @on(Input.Submitted)
    def _deny(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(ChoiceRow.Chosen(Choice.DENY))

    def on_click(self) -> None:
        """Focus the answers: a click beside them answers nothing."""
        self.focus_answers()

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _show_key_hints(self) -> None:
        self._rows.shows_key = self.choices.has_focus
        hint = format_hint(self.app, "{chat.to_card}, then a key")
        if self.reason.has_focus:
            hint = format_hint(self.app, "Enter deny with this reason · {chat.no} back")
        elif self.choices.has_focus:
            hint = key_hint(self.app)
        self.border_subtitle = hint
