"""Conversation view: title and turns of the conversation on screen, and what is done to a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from textual import work
from textual.containers import Vertical
from textual.timer import Timer

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import NotFound, StoreError, TodoError
from todo_tui.domain.messages import TurnStatus
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.background import run_in_background
from todo_tui.tui.chat.conversation_page import ConversationPage, read_page
from todo_tui.tui.chat.conversation_title import ConversationTitle
from todo_tui.tui.chat.outbox import Outbox
from todo_tui.tui.chat.recovery import RecoveryHints
from todo_tui.tui.chat.session import ChatSession, SessionChanged
from todo_tui.tui.chat.turn_undo import mark_undone_turns
from todo_tui.tui.errors import show_error
from todo_tui.tui.models.controller import ready_model_lines
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import AppServices

if TYPE_CHECKING:
    from todo_tui.store.conversations.records import TurnMatch
    from todo_tui.tui.chat.transcript import Transcript
    from todo_tui.tui.chat.turn_view import TurnView, TurnViews

_STOPPED = (TurnStatus.CANCELLED, TurnStatus.INTERRUPTED)
_RETRY_SECONDS = 0.5


class ConversationView(Vertical):
    """The conversation on screen; its transcript is mounted after the first frame."""

    def __init__(
        self, services: AppServices, switch: ProviderSwitch, session: ChatSession, outbox: Outbox
    ) -> None:
        super().__init__(id="conversation")
        self._services = services
        self._switch = switch
        self._session = session
        self._outbox = outbox
        self.title_line = ConversationTitle(services, session, outbox)
        """Laid out above by the chat pane."""
        self.transcript: Transcript | None = None
        self.views: TurnViews
        """Makes views for the transcript, once there is one."""
        self._retry: Timer | None = None
        """Runs while what another process wrote cannot be shown yet."""

    async def load(self, conversation_id: str | None) -> bool:
        """Show a conversation, or the latest, in a new transcript; False on exit."""
        # 60 ms, after the first frame and while keys are read.
        await asyncio.to_thread(import_module, "todo_tui.tui.chat.transcript")
        from todo_tui.tui.chat.transcript import Transcript
        from todo_tui.tui.chat.turn_view import TurnLabels, TurnViews

        page = await self._read(conversation_id)
        if not self.is_running:
            return False
        labels = TurnLabels(self._services.clock, self._services.model_label)
        self.views = TurnViews(labels, RecoveryHints(self._services, self._switch))
        self.transcript = Transcript()
        with self.app.batch_update():
            await self.mount(self.transcript)
            await self.show(page)
        return True

    # Pages

    async def open(self, conversation_id: str, found: TurnMatch | None = None) -> None:
        """Show a conversation, or the turn in it that a search found, on its branch."""
        if reason := self._session.why_busy:
            self.app.notify(format_hint(self.app, reason))
            return
        is_reading = self.has_focus_within
        if conversation_id != self._session.conversation_id or found is not None:
            await self.show_stored(conversation_id, found.turn_id if found is not None else None)
        if found is None or self.transcript is None:
            return
        self.transcript.show_found(found, focuses=is_reading)
        if not found.is_shown:
            text = "Shown in another version: {chat.read_back} then {steps.branch_after} goes on."
            self.app.notify(format_hint(self.app, text), timeout=5)

    def unmark_found(self) -> None:
        """Remove the mark of what a search has found."""
        if self.transcript is not None:
            self.transcript.unmark_found()

    async def show_stored(
        self, conversation_id: str | None = None, turn_id: str | None = None
    ) -> None:
        """Show the end of a conversation, or a turn in it; the latest if none is named."""
        await self.show(await self._read(conversation_id, turn_id))
        if turn_id is not None and self.transcript is not None:
            self.transcript.go_to_turn(turn_id)

    async def _read(
        self, conversation_id: str | None, turn_id: str | None = None, *, is_first: bool = False
    ) -> ConversationPage:
        """Return a page of a conversation; an empty one, and an error shown, if that fails."""
        store, unsaved = self._services.store, self._outbox.unsaved
        try:
            return await asyncio.to_thread(
                read_page,
                store,
                conversation_id,
                around=turn_id,
                is_first=is_first,
                unsaved=unsaved,
            )
        except TodoError as error:
            show_error(self.app, error)
            return ConversationPage()

    async def begin_new(self) -> None:
        """Show a new conversation, unless a turn runs."""
        if reason := self._session.why_busy:
            self.app.notify(format_hint(self.app, reason))
        else:
            await self.show(ConversationPage())

    async def show_newest(self) -> None:
        """Show the end of the conversation; a reader goes on from there."""
        transcript = self.transcript
        if transcript is None:
            return
        is_reading = transcript.has_focus_within
        if transcript.is_end:
            transcript.go_to_newest()
        else:
            await self.show_stored(self._session.conversation_id)
        if is_reading:
            transcript.cursor.focus_visible_part()

    async def show_oldest(self) -> None:
        """Show the first message of the conversation; a reader goes on from there.

        Of a long one the first page takes the place of the shown turns, unless one of them runs.
        """
        transcript, session = self.transcript, self._session
        if transcript is None:
            return
        is_reading = transcript.has_focus_within
        if transcript.has_earlier:
            await self._show_earlier(transcript)
        while transcript.has_earlier and session.busy and await self._show_earlier(transcript):
            pass
        if transcript.has_earlier and not session.busy:
            page = await self._read(session.conversation_id, is_first=True)
            if not page.turns or session.busy:
                return
            await self.show(page)
            transcript.go_to_turn(page.turns[0].id)
            if is_reading:
                transcript.focus_turn(page.turns[0].id, answer=False)
            return
        transcript.go_to_oldest()

    async def show_turn(self, turn_id: str) -> None:
        """Show a turn of this conversation, with its branch, unless it is among the shown ones."""
        transcript = self.transcript
        if transcript is not None and turn_id in (turn.turn_id for turn in transcript.turns):
            transcript.go_to_turn(turn_id)
        else:
            await self.show_stored(self._session.conversation_id, turn_id)

    async def show(self, page: ConversationPage) -> None:
        """Show a page of a conversation, and its draft."""
        if self.transcript is None:
            return
        self._outbox.end_edit()
        self._outbox.show_draft(page)
        self._session.show(page)
        self.title_line.title = page.title
        self.post_message(SessionChanged())
        self.transcript.welcome.is_first = page.is_first
        if page.counts is not None:
            self.transcript.welcome.counts = page.counts
        elif not page.turns:
            await self._greet()
        self.views.evidence.clear()
        self.views.evidence.update((each.number, each) for each in page.evidence)
        views = self.views.stored(page.turns, is_end=page.is_end)
        await self.transcript.show_turns(views, more=page.more, is_end=page.is_end)
        self._outbox.remember_sent(page)

    @work(group="conversation")
    async def on_transcript_earlier_requested(self) -> None:
        """Show the turns before the first one."""
        if self.transcript is not None:
            await self._show_earlier(self.transcript)

    async def _show_earlier(self, transcript: Transcript) -> bool:
        """Show the page before the first turn; False if there is none or it cannot be read."""
        page, store, turns = ConversationPage(more=True), self._services.store, transcript.turns
        if not turns:
            return False
        oldest = turns[0].turn_id
        try:
            page = await asyncio.to_thread(read_page, store, self._session.conversation_id, oldest)
        except TodoError as error:
            show_error(self.app, error)
        views = self.views.stored(page.turns, rich=0)
        await transcript.show_earlier(oldest, views, more=page.more)
        return bool(views)

    async def _greet(self) -> None:
        """Greet with the numbers of tasks as they are now."""
        if self.transcript is not None:
            with suppress(StoreError):
                counts = await asyncio.to_thread(self._services.store.tasks.counts)
                self.transcript.welcome.counts = counts

    # Other processes, other databases

    async def show_reopened(self) -> None:
        """Show the latest conversation of the database that was opened now.

        An unanswered message goes back to the composer, unless it is in that conversation.
        """
        if self.transcript is None:
            return
        unfinished, self._session.conversation_id = self._session.unfinished, None
        await self.show_stored()
        if unfinished != self._session.unfinished:
            self._outbox.put_back(unfinished)

    async def _follow_others(self) -> None:
        """Show what another process wrote, as soon as that disturbs neither turn nor reader."""
        self._retry = None
        if not await self._show_new_turns() and self._retry is None:
            self._retry = self.set_timer(_RETRY_SECONDS, self._follow_others)

    async def _show_new_turns(self) -> bool:
        """Show what another process did to this conversation; False if it has to wait."""
        transcript, conversation_id = self.transcript, self._session.conversation_id
        if transcript is None or conversation_id is None:
            return True
        if self._session.busy:
            return False
        store = self._services.store
        try:
            stored = await asyncio.to_thread(store.turns.list, conversation_id, limit=1)
        except NotFound:
            return await self.show_deletion(conversation_id)
        except TodoError:
            return False
        if self._session.busy or conversation_id != self._session.conversation_id:
            return False
        newest, shown = stored[-1] if stored else None, transcript.newest
        if newest is None or (
            transcript.is_end
            and shown is not None
            and (newest.id, newest.status) == (shown.turn_id, shown.status)
        ):
            return True
        if not transcript.is_idle or self._outbox.edited is not None:
            return False
        page = await asyncio.to_thread(read_page, store, conversation_id)
        await self.show(page._replace(draft=self._outbox.text))
        return True

    async def show_deletion(self, conversation_id: str) -> bool:
        """Say that another process deleted the conversation on screen; False while a turn runs.

        What is in the box stays there, and a message without an answer returns there.
        """
        if self._session.busy or conversation_id != self._session.conversation_id:
            return False
        text, unfinished = self._outbox.text, self._session.unfinished
        await self.show(ConversationPage())
        self._outbox.replace_text(text)
        self._outbox.put_back(unfinished)
        self.app.notify(
            "This conversation was deleted in another window. Your next message begins a new one.",
            severity="warning",
        )
        return True

    # Models

    def show_models(self) -> None:
        """Update the welcome text and the recovery hints for the selectable models."""
        if self.transcript is None:
            return
        self.transcript.welcome.offline = not self._switch.option.host
        self.transcript.welcome.model_lines = ready_model_lines(
            self._switch, format_hint(self.app, "{app.pick_model}")
        )
        if self._session.state.has_failed and self.transcript.newest is not None:
            self.transcript.newest.update_recovery_keys()

    # The turn to act on

    @property
    def _turn(self) -> TurnView | None:
        """Turn to act on: the focused one, else the newest; None while one runs."""
        transcript = self.transcript
        turn = transcript.current if transcript is not None and not self._session.busy else None
        return turn if turn is not None and turn.turn_id else None

    @property
    def _edited_turn(self) -> TurnView | None:
        """Turn whose versions are shown: the focused one, else the newest in view that has some."""
        turn, transcript = self._turn, self.transcript
        if turn is None or transcript is None:
            return None
        edited = [each for each in transcript.turns_in_view if each.version[1] > 1]
        if edited and not (turn in edited and turn.has_focus_within):
            return edited[-1]
        return turn

    def _reach(self, turn: TurnView | None) -> TurnView | None:
        if turn is None or self.transcript is None or self.transcript.cursor.return_to_focus():
            return None
        return turn

    @property
    def reachable_turn(self) -> TurnView | None:
        """Turn to act on now; None also if the view is scrolled back to it first."""
        return self._reach(self._turn)

    @property
    def reachable_edited_turn(self) -> TurnView | None:
        """Turn whose versions can be shown now."""
        return self._reach(self._edited_turn)

    def is_newest(self, turn: TurnView) -> bool:
        """Return whether a turn is the newest one shown."""
        return self.transcript is not None and turn is self.transcript.newest

    @property
    def has_turn(self) -> bool:
        """True if there is a turn to act on."""
        return self._turn is not None

    @property
    def has_changes(self) -> bool:
        """True if the turn to act on changed tasks, and that is not undone."""
        return self._turn is not None and self._turn.undone is False

    @property
    def has_turns(self) -> bool:
        """True if there is something to read."""
        return self.transcript is not None and self.transcript.newest is not None

    @property
    def has_evidence(self) -> bool:
        """True if the focused turn, else the newest, cites documents."""
        current = self.transcript.current if self.transcript is not None else None
        return current is not None and bool(current.sources)

    @property
    def can_continue(self) -> bool:
        """True if the newest answer was stopped, and its model can go on."""
        turn, transcript = self._turn, self.transcript
        if turn is None or transcript is None or turn is not transcript.newest:
            return False
        # The built-in assistant answers at once, and knows no half answer.
        return bool(self._switch.option.host) and turn.status in _STOPPED

    def has_version(self, step: int) -> bool:
        """Return whether the message has a version before (-1) or after (1) the shown one."""
        if (turn := self._edited_turn) is None:
            return False
        number, count = turn.version
        return 1 <= number + step <= count

    def copy(self, part: str = "") -> None:
        """Copy the newest answer, or its newest code block if `part` is `code`."""
        if self.transcript is None:
            return
        if part.casefold() == "code":
            self.transcript.cursor.copy_code()
        else:
            self.transcript.cursor.copy()

    # Writes

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """Withdraw the offer to undo after a write by others than the turn; greet with the news."""
        if self.transcript is None:
            return
        # A turn that runs can undo an earlier one.
        newest = None if self._session.busy else self.transcript.newest
        turn_id = newest.turn_id if newest is not None else ""
        if any(change.context.turn_id != turn_id for change in changes):
            await self.withdraw_offer()
        if self.transcript.welcome.display:
            await self._greet()

    async def store_changed(self) -> None:
        """Show what another process wrote."""
        await self._greet()
        await self._follow_others()

    def show_day(self, before: date) -> None:
        """Give dates to the rows that said today or tomorrow on the day `before`."""
        today = self._services.clock.now().date()
        for turn in self.transcript.turns if self.transcript is not None else ():
            turn.show_day(before, today)

    async def withdraw_offer(self) -> None:
        """Withdraw the offer to undo after a write by others, and mark the turns undone by it."""
        if self.transcript is None:
            return
        if turns := [turn for turn in self.transcript.turns if turn.turn_id and turn.rows]:
            marking = partial(self._mark_undone, turns)
            run_in_background(self, marking, group="undone", exclusive=True)
        if self.transcript.newest is not None:
            await self.transcript.newest.offer_undo(False)

    async def _mark_undone(self, turns: Sequence[TurnView]) -> None:
        if await mark_undone_turns(self._services.store, turns):
            self.post_message(SessionChanged())
