"""The stored conversation as the screen shows it: its tail first, earlier turns on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from todo_tui.domain.conversation import TurnStatus
from todo_tui.store.records import TurnRecord
from todo_tui.tui.tally import Tally
from todo_tui.tui.widgets.turn_view import PastTurn
from todo_tui.tui.workbench import Workbench

TAIL_TURNS = 20
"""How many turns are loaded at a time."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some turns of a conversation, oldest first; `more` says that there are earlier ones."""

    turns: tuple[PastTurn, ...] = ()
    more: bool = False
    title: str = ""
    tally: Tally = field(default_factory=Tally)
    """Of the whole conversation."""
    newcomer: bool = False
    """Whether there was never a conversation."""

    @property
    def answered(self) -> bool:
        """Whether any turn of the conversation has finished."""
        return self.more or any(turn.status is TurnStatus.FINISHED for turn in self.turns)


class ConversationLog:
    """Which conversation is on screen; reads it from the store and holds none of it.

    Its methods block and are called in a thread.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._store = workbench.store
        self._zone = ZoneInfo(workbench.clock.zone)
        self.conversation_id: str | None = None
        """None until the first message of a new conversation is stored."""

    def open_latest(self) -> Page:
        """Go on with the last conversation; its newest turns.

        Raises:
            StoreError: it cannot be read.
        """
        latest = self._store.conversations.latest()
        if latest is None:
            return Page(newcomer=True)
        self.conversation_id = latest.id
        return self._page(before=None)

    def earlier(self, before: str) -> Page:
        """The turns that came before the turn of that id."""
        return self._page(before=before)

    def leave(self) -> None:
        """Begin anew: the next message starts a conversation."""
        self.conversation_id = None

    def title(self) -> str:
        """What the conversation is called; empty before its first message."""
        if self.conversation_id is None:
            return ""
        return self._store.conversations.get(self.conversation_id).title

    def _page(self, before: str | None) -> Page:
        if self.conversation_id is None:
            return Page()
        records = self._store.conversations.turns(
            self.conversation_id, limit=TAIL_TURNS + 1, before=before
        )
        more = len(records) > TAIL_TURNS
        spent = self._store.spending.conversation(self.conversation_id)
        return Page(
            turns=tuple(self._past(record) for record in records[-TAIL_TURNS:]),
            more=more,
            title=self.title(),
            tally=Tally(spent.usage, spent.cost_usd, spent.unpriced_calls, spent.model_calls),
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
