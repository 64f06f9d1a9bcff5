"""Record of a turn in the store: messages from a watermark on, trace steps, model calls, usage.

What of a turn is stored, if it is stopped halfway too, decides `Turn.close` in turn.py.
"""

from collections.abc import Sequence

from todo_tui.domain.events import TraceStep, TurnError, TurnOutcome
from todo_tui.domain.messages import Message, TurnStatus, Usage
from todo_tui.store.conversations.records import ModelCall, Summary
from todo_tui.store.conversations.repository import ConversationStore


class TurnWriter:
    """Stores what is new of a turn in one transaction, and adds up its usage.

    `messages` is the turn's own list, which others append to.
    """

    def __init__(
        self, conversations: ConversationStore, turn_id: str, messages: Sequence[Message]
    ) -> None:
        self._conversations = conversations
        self._turn_id = turn_id
        self._messages = messages
        self._stored = 0
        """Number of messages that are stored."""
        self._steps: list[TraceStep] = []
        self._calls: list[ModelCall] = []
        self._unreported: list[ModelCall] = []
        self.summary: Summary | None = None
        """Summary of older turns that is not stored yet."""
        self.trace: list[TraceStep] = []
        self.usage = Usage()
        self.cost_usd: float | None = 0.0
        """None once the price of a call is unknown."""
        self.model_calls = 0
        """Number of messages and summaries requested, retries not counted."""
        self.retries = 0
        self.failovers = 0

    @property
    def unstored_usd(self) -> float:
        """Cost of the model calls that are not stored yet."""
        return sum(call.cost_usd or 0.0 for call in self._calls)

    def add_steps(self, steps: Sequence[TraceStep]) -> None:
        """Add steps to the trace."""
        self.trace += steps
        self._steps += steps

    def add_call(self, call: ModelCall) -> None:
        """Add a model call, successful or not, and its usage."""
        self._calls.append(call)
        self.usage += call.usage
        if call.status == "finished":
            self._unreported.append(call)
        if call.cost_usd is not None:
            self.cost_usd = None if self.cost_usd is None else self.cost_usd + call.cost_usd
        elif call.status == "finished" or call.usage != Usage():
            self.cost_usd = None

    def take_unreported_usage(self) -> tuple[Usage, float | None]:
        """Return usage and cost of the complete calls since the last time."""
        calls, self._unreported = self._unreported, []
        costs = [call.cost_usd for call in calls if call.cost_usd is not None]
        usage = sum((call.usage for call in calls), Usage())
        return usage, sum(costs) if len(costs) == len(calls) else None

    def write(self) -> None:
        """Write what is new; blocks.

        Raises:
            StoreError: The database failed.
        """
        messages = self._messages[self._stored :]
        if not (messages or self._calls or self._steps):
            return
        self._conversations.turns.append_round(
            self._turn_id,
            messages,
            calls=self._calls,
            steps=self._steps,
            summary=self.summary,
        )
        self._stored += len(messages)
        self._steps, self._calls, self.summary = [], [], None

    def close(self, status: TurnStatus, error: TurnError | None, outcome: TurnOutcome) -> None:
        """Write the rest and the end of the turn; blocks.

        Raises:
            StoreError: The database failed.
        """
        self._conversations.turns.close(
            self._turn_id,
            status,
            messages=self._messages[self._stored :],
            calls=self._calls,
            steps=self._steps,
            summary=self.summary,
            error=error,
            outcome=outcome,
        )
