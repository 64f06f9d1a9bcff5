"""Stored conversation as the transcript shows it, read page by page. The functions block."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from todo_tui.domain.messages import TurnStatus
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.status_bar import UsageAndCost

if TYPE_CHECKING:
    from todo_tui.domain.events import TraceStep, TurnError

PAGE_TURNS = 20
"""Number of turns loaded at a time."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """Stored turn as the transcript shows it; `at` is naive local time."""

    turn_id: str
    at: datetime
    asked: str
    answer: str
    steps: tuple[TraceStep, ...]
    status: TurnStatus
    error: TurnError | None = None
    thinking: str = ""


@dataclass(frozen=True, slots=True)
class RecoveryKeys:
    """Recovery hints such as `Ctrl+R retry`: after a failure, and while waiting to retry."""

    failed: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Turns of a conversation, oldest first; `more` is set when there are earlier ones."""

    conversation_id: str | None = None
    turns: tuple[PastTurn, ...] = ()
    more: bool = False
    title: str = ""
    totals: UsageAndCost = field(default_factory=UsageAndCost)
    """Usage and cost of the whole conversation."""
    is_first: bool = False
    """True if no conversation was ever stored."""

    @property
    def is_answered(self) -> bool:
        """True if any turn of the conversation has finished."""
        return self.more or any(turn.status is TurnStatus.FINISHED for turn in self.turns)


def read_latest(services: AppServices) -> HistoryPage:
    """Return the newest turns of the latest conversation.

    Raises:
        StoreError: it cannot be read.
    """
    latest = services.store.conversations.latest()
    return HistoryPage(is_first=True) if latest is None else read_page(services, latest.id)


def read_page(
    services: AppServices, conversation_id: str, before: str | None = None
) -> HistoryPage:
    """Return the newest turns of a conversation, or those before a turn.

    Raises:
        StoreError: it cannot be read.
    """
    store, zone = services.store, ZoneInfo(services.clock.zone)
    records = store.conversations.turns(conversation_id, limit=PAGE_TURNS + 1, before=before)
    spent = store.usage.conversation(conversation_id)
    turns = tuple(
        PastTurn(
            turn_id=record.id,
            at=record.started_at.astimezone(zone).replace(tzinfo=None),
            asked=record.user_text,
            answer=record.answer,
            steps=record.steps,
            status=record.status,
            error=record.error,
        )
        for record in records[-PAGE_TURNS:]
    )
    return HistoryPage(
        conversation_id,
        turns,
        more=len(records) > PAGE_TURNS,
        title=read_title(services, conversation_id),
        totals=UsageAndCost(spent.usage, spent.cost_usd, spent.unpriced_calls, spent.model_calls),
    )


def read_title(services: AppServices, conversation_id: str) -> str:
    """Return the title of a conversation, which its first message sets.

    Raises:
        StoreError: it cannot be read.
    """
    return services.store.conversations.get(conversation_id).title
