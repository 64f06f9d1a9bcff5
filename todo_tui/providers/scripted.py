"""Scripted provider for tests and the demo."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    MessagePart,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ToolCall,
    ToolCallStarted,
    Usage,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import NewId, random_id


@dataclass(frozen=True, slots=True)
class Pause:
    """Silence between two steps."""

    seconds: float


Step = StreamEvent | Pause | ProviderError

Round = Sequence[Step]
"""Steps of one model call; a ProviderError is raised at its position."""

Script = Callable[[Request], Round]
"""Function that chooses the round for a request."""


class ScriptedProvider:
    """Plays a script; implements `Provider`.

    Records every request in `requests`. A round without Completed acts as a broken stream.
    """

    def __init__(
        self,
        script: Script,
        *,
        model: str = "script",
        local: bool = True,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.requests: list[Request] = []
        self.closed = False
        self._script = script
        self._model = model
        self._local = local
        self._sleep = sleep

    @property
    def id(self) -> str:
        """Id of the registry row."""
        return "scripted"

    @property
    def model(self) -> str:
        """Model name given to the constructor."""
        return self._model

    @property
    def local(self) -> bool:
        """True if it counts as running on this machine."""
        return self._local

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Play the round that the script has for this request.

        Raises:
            ProviderError: the round says so, or ends without Completed.
        """
        self.requests.append(request)
        for step in self._script(request):
            if isinstance(step, ProviderError):
                raise step
            if isinstance(step, Pause):
                await self._sleep(step.seconds)
                continue
            yield self._signed(step)
            if isinstance(step, Completed):
                return
        raise ProviderError(
            ProviderErrorKind.TRUNCATED, "The script broke off in the middle of its answer."
        )

    async def aclose(self) -> None:
        """Set `closed`."""
        self.closed = True

    def _signed(self, event: StreamEvent) -> StreamEvent:
        if isinstance(event, Completed) and event.message.origin is None:
            origin = f"{self.id}:{self.model}"
            return replace(event, message=replace(event.message, origin=origin))
        return event


@dataclass(slots=True)
class InOrder:
    """Script that plays its rounds in order, for any requests.

    Raises:
        AssertionError: there are more requests than rounds.
    """

    rounds: Sequence[Round]
    _played: int = field(default=0, init=False)

    def __call__(self, request: Request) -> Round:
        """Return the next round."""
        if self._played >= len(self.rounds):
            raise AssertionError(
                f"the script has {len(self.rounds)} rounds, one more was asked for"
            )
        self._played += 1
        return self.rounds[self._played - 1]


def in_order(*rounds: Round) -> InOrder:
    """Return a script that plays each of these rounds once."""
    return InOrder(rounds)


def call(name: str, /, *, new_id: NewId = random_id, **arguments: JsonValue) -> ToolCall:
    """Build a tool call as a model would write it, with an id of its own."""
    return ToolCall(f"call_{new_id()[:24]}", name, json.dumps(arguments, ensure_ascii=False))


def calls(*asked: ToolCall, text: str = "", usage: Usage | None = None) -> Round:
    """Build a round that requests tools, after optional text."""
    parts: tuple[MessagePart, ...] = (Text(text),) if text else ()
    message = Message(Role.ASSISTANT, (*parts, *asked))
    started = (ToolCallStarted(each.name) for each in asked)
    return (*_spoken(text), *started, Completed(message, StopReason.TOOL_CALLS, usage))


def answer(text: str, *, pause: float = 0.0, usage: Usage | None = None) -> Round:
    """Build a round that streams a text word by word, with a pause before each."""
    message = Message(Role.ASSISTANT, (Text(text),))
    spoken: Iterator[Step] = _spoken(text)
    if pause:
        spoken = (step for delta in _spoken(text) for step in (Pause(pause), delta))
    return (*spoken, Completed(message, StopReason.END, usage))


def _spoken(text: str) -> Iterator[TextDelta]:
    return (TextDelta(word) for word in re.findall(r"\A\s++\S++\s*+|\S++\s*+", text))
