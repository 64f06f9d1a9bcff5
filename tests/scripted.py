"""Scripted provider: plays the answers that a test writes down."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace

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
    new_call_id,
    origin_of,
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
        self.local = local
        """True if it counts as running on this machine."""
        self._script = script
        self._model = model
        self._sleep = sleep

    @property
    def id(self) -> str:
        """Id of the registry row."""
        return "scripted"

    @property
    def model(self) -> str:
        """Model name given to the constructor."""
        return self._model

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
            if isinstance(step, Completed):
                message = step.message
                origin = message.origin or origin_of(self)
                yield replace(step, message=replace(message, origin=origin))
                return
            yield step
        raise ProviderError(
            ProviderErrorKind.TRUNCATED, "The script broke off in the middle of its answer."
        )

    async def aclose(self) -> None:
        """Set `closed`."""
        self.closed = True


def in_order(*rounds: Round) -> Script:
    """Return a script that plays each of these rounds once, for any requests.

    Raises:
        AssertionError: there are more requests than rounds.
    """
    left = iter(rounds)

    def play(request: Request) -> Round:
        following = next(left, None)
        if following is None:
            raise AssertionError(f"the script has {len(rounds)} rounds, one more was asked for")
        return following

    return play


def call(name: str, /, *, new_id: NewId = random_id, **arguments: JsonValue) -> ToolCall:
    """Build a tool call as a model would write it, with an id of its own."""
    return ToolCall(new_call_id(new_id), name, json.dumps(arguments, ensure_ascii=False))


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
