"""What of a turn the store does not have yet, and what its model calls have cost so far."""

from __future__ import annotations

from collections.abc import Sequence

from todo_tui.domain.conversation import Message, TurnStatus
from todo_tui.domain.events import TraceStep, TurnError, TurnOutcome
from todo_tui.domain.usage import Usage
from todo_tui.store.conversations import ConversationStore
from todo_tui.store.records import ModelCall, Summary


class Ledger:
    """Collects messages, steps and calls until they are stored, all in one transaction."""

    def __init__(self, conversations: ConversationStore, turn_id: str) -> None:
        self._conversations = conversations
        self._turn_id = turn_id
        self._messages: list[Message] = []
        self._steps: list[TraceStep] = []
        self._calls: list[ModelCall] = []
        self._summary: Summary | None = None
        self._summary_holds = False
        self.usage = Usage()
        self.cost_usd: float | None = 0.0
        """None where the price of a call is not known."""

    @property
    def unstored_usd(self) -> float:
        """What the calls have cost that the store does not know of."""
        return sum(call.cost_usd or 0.0 for call in self._calls)

    def add_message(self, message: Message) -> None:
        """Something was said."""
        self._messages.append(message)

    def add_steps(self, steps: Sequence[TraceStep]) -> None:
        """Something was done."""
        self._steps += steps

    def add_call(self, call: ModelCall) -> None:
        """A model was called, well or not."""
        self._calls.append(call)
        self.usage += call.usage
        if call.cost_usd is not None:
            self.cost_usd = None if self.cost_usd is None else self.cost_usd + call.cost_usd
        elif call.status == "finished" or call.usage != Usage():
            self.cost_usd = None

    def propose_summary(self, summary: Summary, *, certain: bool) -> None:
        """Older turns were summed up; if not `certain`, it waits until that proved right."""
        self._summary = summary
        self._summary_holds = certain

    def confirm_summary(self) -> None:
        """With the summary in place of older turns the model has answered."""
        self._summary_holds = True

    def write(self) -> None:
        """Write what is not in the store yet; blocks.

        Raises:
            StoreError: it could not be written.
        """
        if not (self._messages or self._calls or self._steps):
            return
        self._conversations.append_round(
            self._turn_id,
            self._messages,
            calls=self._calls,
            steps=self._steps,
            summary=self._summary if self._summary_holds else None,
        )
        self._forget()

    def close(self, status: TurnStatus, error: TurnError | None, outcome: TurnOutcome) -> None:
        """Write the rest, and how the turn ended; blocks.

        Raises:
            StoreError: it could not be written.
        """
        self._conversations.close_turn(
            self._turn_id,
            status,
            messages=self._messages,
            calls=self._calls,
            steps=self._steps,
            summary=self._summary if self._summary_holds else None,
            error=error,
            answered_by=(outcome.provider, outcome.model),
            usage=outcome.usage,
            cost_usd=outcome.cost_usd,
            latency_ms=outcome.latency_ms,
            model_calls=outcome.model_calls,
        )
        self._forget()

    def _forget(self) -> None:
        self._messages = []
        self._steps = []
        self._calls = []
        self._summary = None
