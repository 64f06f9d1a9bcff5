"""Conversations and turns as the store hands them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from todo_tui.domain.conversation import Message, TurnStatus
from todo_tui.domain.events import TraceStep, TurnError
from todo_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its messages; `title` is its first words until renamed."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn that has just been opened, its user message stored."""

    id: str
    conversation_id: str
    user_message_id: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the older part of a conversation; `origin` is who wrote it."""

    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class Recollection:
    """What a conversation has to tell a model: messages oldest first, the newest one last.

    `summary` stands for everything before them but for the `before` messages in
    between, which were left out.
    """

    messages: tuple[Message, ...]
    before: int = 0
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a model, complete or failed; `status` is `finished`, `failed` or `cancelled`.

    `error` is a sentence without key; cost is None where the price is not known.
    """

    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    milliseconds: float
    status: str = "finished"
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn as a screen draws it again: question, steps in the order asked, answer."""

    id: str
    conversation_id: str
    user_text: str
    answer: str
    """What the assistant said in all, a paragraph for each of its messages; partial where it
    failed."""
    steps: tuple[TraceStep, ...]
    status: TurnStatus
    error: TurnError | None
    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    latency_ms: float | None
    model_calls: int
    started_at: datetime
    ended_at: datetime | None = None
    batches: tuple[str, ...] = field(default=())
    """Batches of operations that the turn wrote, oldest first, undone or not."""


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens and US dollars of many model calls, failed ones included.

    `cost_usd` leaves out the `unpriced_calls`, whose price is not known.
    """

    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int


@dataclass(frozen=True, slots=True)
class DaySpending:
    """The spending of one local day."""

    day: date
    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int


@dataclass(frozen=True, slots=True)
class ModelSpending:
    """The spending on one model."""

    provider: str
    model: str
    usage: Usage
    cost_usd: float
    unpriced_calls: int
    model_calls: int
