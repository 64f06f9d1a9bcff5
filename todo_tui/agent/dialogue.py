"""What a model is told: the past as it may see it, then what this turn has brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from todo_tui.agent.context import (
    Window,
    as_of_another,
    current_turn,
    prepare,
    visible_to,
    without_foreign_text,
)
from todo_tui.domain.conversation import Message, Role, ToolResult
from todo_tui.store.records import Recollection


class Dialogue:
    """The messages of the requests of one turn, all but the last of them the same each time.

    They change as a whole when another provider is told them, or when the past does
    not fit. What this turn has brought is never left out.
    """

    def __init__(self, told: Recollection, *, window: Window, origin: str) -> None:
        # All of it is from earlier turns but for the message that opens this one.
        self._told = replace(told, messages=without_foreign_text(told.messages))
        self._window = window
        self._origin = origin
        self._earlier = told.summary.text if told.summary else ""
        self._shortened = False
        self._said: list[Message] = []
        self._unfinished: Message | None = None
        self._past = self._prepared()

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is sent, oldest first."""
        unfinished = () if self._unfinished is None else (self._unfinished,)
        return (*self._past, *self._said, *unfinished)

    @property
    def earlier(self) -> str:
        """The summary that stands before the messages; empty where none does."""
        return self._earlier

    @property
    def older(self) -> tuple[Message, ...]:
        """The messages of older turns that may still be sent."""
        if self._shortened:
            return ()
        messages = self._told.messages
        return messages[: len(messages) - len(current_turn(messages))]

    def add(self, message: Message) -> None:
        """The assistant has spoken; it is sent back as it will be in later turns."""
        self._said += visible_to(message.origin or "", [message])
        self._unfinished = None

    def answer(self, results: tuple[ToolResult, ...]) -> None:
        """Tools have answered; the model sees the results of one of its messages together."""
        if self._said and self._said[-1].role is Role.TOOL:
            results = (*self._said.pop().tool_results, *results)
        self._said.append(Message(Role.TOOL, results))

    def hold(self, message: Message) -> None:
        """The assistant has spoken so far, and goes on when it is sent that."""
        self._unfinished = message

    def continued(self, message: Message) -> Message:
        """A message with what was held before it."""
        held = self._unfinished
        if held is None:
            return message
        return Message(message.role, (*held.parts, *message.parts), message.origin or held.origin)

    def hand_over(self, origin: str) -> None:
        """Tell it to somebody else from now on; a message that is not finished begins anew."""
        self._origin = origin
        self._past = self._prepared()
        self._said = list(visible_to(origin, self._said))
        self._unfinished = None

    def shorten(self, earlier: str = "") -> None:
        """Leave out all older turns, or tell them by this summary."""
        self._earlier = earlier
        self._shortened = True
        self._past = self._prepared()
        # Thinking may be bound to what stood before it.
        self._said = list(as_of_another(self._said))
        if self._unfinished is not None:
            (self._unfinished,) = as_of_another((self._unfinished,)) or (None,)

    def _prepared(self) -> tuple[Message, ...]:
        messages: Sequence[Message] = self._told.messages
        if not messages:
            return ()
        before = self._told.before
        if self._shortened:
            messages, before = current_turn(messages), 0
        return prepare(
            messages,
            origin=self._origin,
            window=self._window,
            before=before,
            earlier=self._earlier,
        )
