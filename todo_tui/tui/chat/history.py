"""The stored conversation on screen: pages of turns read from the store, and its title."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import TurnStatus
from todo_tui.store.conversations.records import TurnRecord
from todo_tui.tui.chat.pane import ConversationTitle
from todo_tui.tui.chat.turn_view import PastTurn
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.status_bar import UsageAndCost

PAGE_TURNS = 20
"""Number of turns loaded at a time."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Turns of a conversation, oldest first; `more` is set when there are earlier ones."""

    turns: tuple[PastTurn, ...] = ()
    more: bool = False
    title: str = ""
    totals: UsageAndCost = field(default_factory=UsageAndCost)
    """Usage and cost of the whole conversation."""
    is_first: bool = False
    """True if no conversation was ever stored."""

    @property
    def answered(self) -> bool:
        """True if any turn of the conversation has finished."""
        return self.more or any(turn.status is TurnStatus.FINISHED for turn in self.turns)


class ConversationHistory:
    """Reads the conversation on screen from the store, page by page.

    The methods block; call them in a thread.
    """

    def __init__(self, services: AppServices) -> None:
        self._store = services.store
        self._zone = ZoneInfo(services.clock.zone)
        self.conversation_id: str | None = None
        """None until the first message of a new conversation is stored."""

    def open_latest(self) -> HistoryPage:
        """Select the latest conversation and return its newest turns.

        Raises:
            StoreError: it cannot be read.
        """
        latest = self._store.conversations.latest()
        if latest is None:
            return HistoryPage(is_first=True)
        self.conversation_id = latest.id
        return self._page(before=None)

    def earlier(self, before: str) -> HistoryPage:
        """Return the page of turns before that turn."""
        return self._page(before=before)

    def leave(self) -> None:
        """Leave the conversation; the next message starts a new one."""
        self.conversation_id = None

    def title(self) -> str:
        """Return the title; empty before the first message."""
        if self.conversation_id is None:
            return ""
        return self._store.conversations.get(self.conversation_id).title

    def _page(self, before: str | None) -> HistoryPage:
        if self.conversation_id is None:
            return HistoryPage()
        records = self._store.conversations.turns(
            self.conversation_id, limit=PAGE_TURNS + 1, before=before
        )
        more = len(records) > PAGE_TURNS
        spent = self._store.usage.conversation(self.conversation_id)
        return HistoryPage(
            turns=tuple(self._past(record) for record in records[-PAGE_TURNS:]),
            more=more,
            title=self.title(),
            totals=UsageAndCost(
                spent.usage, spent.cost_usd, spent.unpriced_calls, spent.model_calls
            ),
        )

    def _past(self, record: TurnRecord) -> PastTurn:
        return PastTurn(
            turn_id=record.id,
            at=record.started_at.astimezone(self._zone).replace(tzinfo=None),
            asked=record.user_text,
            answer=record.answer,
            steps=record.steps,
            status=record.status,
            error=record.error,
        )


class ConversationTitler:
    """Keeps the title above the conversation up to date.

    A model is asked for a title once, after the first finished turn; on failure the default title
    stays.
    """

    def __init__(
        self, services: AppServices, log: ConversationHistory, title: ConversationTitle
    ) -> None:
        self._ask = services.generate_title
        self._log = log
        self._title = title
        self._unnamed = False

    def conversation_opened(self, page: HistoryPage) -> None:
        """Show the title of the conversation that was opened."""
        self._unnamed = not page.answered
        self._title.title = page.title

    def first_message_stored(self) -> None:
        """Read the default title, which the first stored message sets."""
        self._title.run_worker(self._read(), group="title")

    def turn_finished(self) -> None:
        """Request a generated title after the first finished turn."""
        conversation_id = self._log.conversation_id
        if self._unnamed and self._ask is not None and conversation_id is not None:
            self._unnamed = False
            self._title.run_worker(self._name(conversation_id), group="title")

    async def _read(self) -> None:
        try:
            self._title.title = await asyncio.to_thread(self._log.title)
        except TodoError as error:
            _log.warning("the title of a conversation could not be read: %s", error.message)

    async def _name(self, conversation_id: str) -> None:
        assert self._ask is not None  # noqa: S101 - checked by the caller
        try:
            title = await self._ask(conversation_id)
        except TodoError as error:
            _log.info("a conversation could not be named: %s", error.message)
            return
        if title and conversation_id == self._log.conversation_id:
            self._title.title = title
