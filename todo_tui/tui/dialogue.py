"""The conversation as it is held: what is sent, what waits, what a turn leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.screen import Screen

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import ProviderErrorKind, TodoError
from todo_tui.domain.events import (
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from todo_tui.tui.action_keys import hint
from todo_tui.tui.conversation_log import ConversationLog, Page
from todo_tui.tui.conversation_naming import ConversationNaming
from todo_tui.tui.live_turn import LiveTurn
from todo_tui.tui.messages import TurnBroke
from todo_tui.tui.outbox import Outbox
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.provider_words import model_lines
from todo_tui.tui.slash_commands import as_typed
from todo_tui.tui.standing import Standing
from todo_tui.tui.tally import Tally
from todo_tui.tui.trouble_help import trouble_keys
from todo_tui.tui.turn_runner import Selection, TurnRunner
from todo_tui.tui.turn_undo import TurnUndo
from todo_tui.tui.widgets.chat_pane import ChatPane
from todo_tui.tui.widgets.status_line import ModelState, TurnFacts
from todo_tui.tui.widgets.transcript import Transcript
from todo_tui.tui.widgets.turn_view import TroubleKeys
from todo_tui.tui.wishes import Wish
from todo_tui.tui.workbench import Workbench


class Dialogue:
    """Carries messages between the runner of turns, the store's log and the chat pane.

    `changed` is called when its facts differ or what can be done now.
    """

    def __init__(
        self,
        screen: Screen[None],
        workbench: Workbench,
        switch: ProviderSwitch,
        chat: ChatPane,
        selection: Callable[[], Selection],
        changed: Callable[[], None],
    ) -> None:
        self._workbench = workbench
        self._switch = switch
        self._runner = TurnRunner(screen, switch)
        self._chat = chat
        self._selection = selection
        self._log = ConversationLog(workbench)
        self._naming = ConversationNaming(workbench, self._log, chat.title)
        self._outbox = Outbox(chat)
        self._standing = Standing(workbench, changed)
        self.transcript = Transcript(id="transcript")
        self._undo = TurnUndo(workbench.store, self.transcript, changed)
        self._live: LiveTurn | None = None
        self._resend = False

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self._runner.busy

    @property
    def conversation_id(self) -> str | None:
        """The conversation on screen; None before its first message."""
        return self._log.conversation_id

    @property
    def tally(self) -> Tally:
        """What the conversation has used so far."""
        return self._standing.tally

    @property
    def waits_to_retry(self) -> bool:
        """Whether the turn only waits until it may ask its model again."""
        return self._standing.state is ModelState.WAITING

    @property
    def has_failed(self) -> bool:
        """Whether the newest turn has failed and can be tried again."""
        return self._standing.failed and self.can(Wish.RETRY)

    @property
    def facts(self) -> TurnFacts:
        """What the status line shows of it."""
        return self._standing.facts

    def can(self, wish: Wish) -> bool:
        """Whether it would do something now.

        Undo of a turn must take back just that turn, so nobody may have written since.
        """
        match wish:
            case Wish.STOP:
                return self.busy
            case Wish.RETRY:
                return bool(self._standing.unfinished) and not self.busy
            case Wish.UNDO_TURN:
                return self._undo.offered and not self.busy
            case _:
                return True

    async def fulfil(self, wish: Wish) -> None:
        """Do what a key asks for."""
        match wish:
            case Wish.STOP:
                self._runner.stop()
            case Wish.RETRY if self.can(wish):
                await self.send(self._standing.unfinished)
            case Wish.UNDO_TURN if self.can(wish):
                await self._undo_turn()
            case Wish.ANEW:
                await self._start_anew()
            case Wish.CALLS | Wish.PAGE_UP | Wish.PAGE_DOWN | Wish.NEWEST | Wish.OLDEST:
                self.transcript.show_part(wish)

    @property
    def live(self) -> LiveTurn:
        """The turn that runs, if any; needs a transcript that is on screen."""
        if self._live is None:
            self._live = LiveTurn(self.transcript, self._chat.activity, self._workbench.clock.now)
        return self._live

    async def open_latest(self) -> None:
        """Put the last conversation on screen; runs in a worker, after the first frame."""
        await self._chat.place.mount(self.transcript)
        try:
            page = await asyncio.to_thread(self._log.open_latest)
        except TodoError as error:
            self._complain(error)
            page = Page()
        # What was sent before the conversation could be read goes on top of nothing.
        if not self.busy and not self.transcript.turns:
            await self._show(page)

    async def show_reopened(self) -> None:
        """Put the last conversation of the database on screen that was opened now.

        A message that did not get its answer before goes back to the composer, unless it
        is in that conversation.
        """
        unfinished = self._standing.unfinished
        self._undo.forget()
        self._log.leave()
        try:
            page = await asyncio.to_thread(self._log.open_latest)
        except TodoError as error:
            self._complain(error)
            page = Page()
        await self._show(page)
        if unfinished and unfinished != self._standing.unfinished:
            self._chat.composer.put_back(as_typed(unfinished))

    async def show_earlier(self) -> None:
        """Put the turns before the oldest that is shown above it."""
        turns = self.transcript.turns
        if not turns:
            return
        try:
            page = await asyncio.to_thread(self._log.earlier, turns[0].turn_id)
        except TodoError as error:
            self.transcript.stop_asking()
            self._complain(error)
            return
        await self.transcript.show_earlier(page.turns, before=turns[0], more=page.more)

    async def _start_anew(self) -> None:
        """A new conversation; the one before stays in the store."""
        if self.busy:
            self._say(hint(self.transcript.app, "{chat.stop} stops the turn first."))
            return
        self._log.leave()
        self._undo.forget()
        await self._show(Page())

    async def _show(self, page: Page) -> None:
        self._standing.opened(page)
        self._naming.opened(page)
        self.transcript.welcome.newcomer = page.newcomer
        await self.transcript.show_conversation(page.turns, more=page.more, keys=self._keys)
        if page.turns:
            self._chat.composer.remember_sent([as_typed(turn.asked) for turn in page.turns])

    async def send(self, text: str) -> None:
        """Begin a turn with the message, or line it up behind the one that runs."""
        if self.busy:
            self._outbox.put(text)
            return
        self._undo.forget()
        # Drawn once: a client may be loading meanwhile, which every drawing holds up.
        with self._chat.app.batch_update():
            if self.transcript.newest is not None:
                await self.transcript.newest.retire()
            await self.live.begin(text, keys=self._keys)
            self._standing.begun()
        self._runner.start(text, self._log.conversation_id, self._selection())

    def resend(self) -> None:
        """Stop a turn that only waits to try again, and ask the model that is chosen now."""
        self._resend = True
        self._runner.stop()

    def take_queued_back(self) -> None:
        """Return the message that was lined up last to the composer."""
        self._outbox.take_back()

    def models_changed(self) -> None:
        """Another model answers, or another one has become ready: say so where it helps."""
        welcome = self.transcript.welcome
        welcome.offline = not self._switch.option.host
        welcome.model_lines = model_lines(self._switch)
        if self._standing.failed and self.transcript.newest is not None:
            self.transcript.newest.offer_help()

    def other_chosen(self) -> None:
        """Another model answers from now on."""
        if not self.busy:
            self._standing.other_chosen()

    async def _undo_turn(self) -> None:
        try:
            kept = await self._undo.take()
        except TodoError as error:
            self._complain(error)
            return
        for sentence in kept:
            self._say(sentence)

    async def tasks_changed(self, changes: tuple[TaskChange, ...]) -> None:
        """After any write."""
        if not self.busy:
            await self._undo.tasks_changed(changes)

    async def withdraw_undo(self) -> None:
        """Another process may have written since the last turn."""
        if not self.busy:
            await self._undo.withdraw()

    async def progressed(self, event: TurnEvent) -> None:
        """Show what the running turn reports; when it has ended, go on with what waits."""
        await self.live.show(event)
        self._standing.progressed(event)
        if isinstance(event, TurnStarted) and self._log.conversation_id is None:
            self._log.conversation_id = event.conversation_id
            self._naming.begun()
        elif isinstance(event, TurnEnd):
            await self._ended(event)

    async def broke(self, event: TurnBroke) -> None:
        """The turn has no last event: show why, and return to the box what is not stored."""
        error = event.error
        if event.stored:
            told = TurnError("internal", error.message, error.hint) if error else None
            await self.live.break_off(told)
        else:
            await self.live.drop()
            self._chat.composer.put_back(as_typed(event.text))
            if error is not None:
                self._complain(error)
        self._outbox.take_all_back()
        unfinished = event.text if event.stored else ""
        self._standing.ended(unfinished, finished=False, failed=error is not None)

    async def wind_up(self, *, interrupted: bool = False) -> None:
        """Stop the turn and wait until the store has what is kept of it."""
        self._runner.stop(interrupted=interrupted)
        await self._runner.wait()

    async def _ended(self, event: TurnEnd) -> None:
        await self._runner.wait()
        asked = self.transcript.newest.asked if self.transcript.newest else ""
        finished, failed = isinstance(event, TurnFinished), isinstance(event, TurnFailed)
        self._learn_from(event)
        self._standing.ended(asked, finished=finished, failed=failed)
        await self._undo.offer(event.outcome)
        resend, self._resend = self._resend, False
        waiting = self._outbox.next() if finished else None
        if resend and not finished:
            await self.send(asked)
        elif waiting is not None:
            await self.send(waiting)
        else:
            self._outbox.take_all_back()

    def _learn_from(self, event: TurnEnd) -> None:
        """What the end of a turn says of its model, and whether the talk can have a name."""
        if isinstance(event, TurnFinished):
            self._switch.note_answer()
            self._naming.finished()
        elif (
            isinstance(event, TurnFailed)
            and event.error.kind == ProviderErrorKind.TOOLS_UNSUPPORTED
        ):
            self._switch.note_no_tools()

    def _keys(self) -> TroubleKeys:
        return trouble_keys(self._workbench, self._switch)

    def _complain(self, error: TodoError) -> None:
        words = f"{error.message} {error.hint}" if error.hint else error.message
        self._chat.app.notify(words, title="That did not work", severity="error", markup=False)

    def _say(self, words: str) -> None:
        self._chat.app.notify(words, markup=False)
