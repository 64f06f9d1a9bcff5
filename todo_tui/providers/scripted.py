"""Scripted provider for tests and the demo; sample tasks and conversation of the demo."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta

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
from todo_tui.domain.task import JsonValue, Priority, Status, TaskFields
from todo_tui.domain.when import NewId, When, random_id


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


def demo_tasks(today: date) -> tuple[TaskFields, ...]:
    """Return the sample tasks in the order of their ids, starting with #1."""

    def due(days: int, at: time | None = None) -> When:
        return When(today + timedelta(days), at)

    high, medium = Priority.HIGH, Priority.MEDIUM
    return (
        {"title": "Call the dentist", "due": due(-1)},
        {"title": "Water the plants", "due": due(0), "recurrence": "FREQ=DAILY;INTERVAL=3"},
        {"title": "Pay rent", "due": due(2), "priority": high, "project": "home"},
        {
            "title": "Write the quarterly report",
            "due": due(9),
            "priority": medium,
            "project": "work",
        },
        {"title": "Book a table for Saturday", "due": due(1, time(18, 0)), "tags": ("family",)},
        {"title": "Fix the dripping tap", "project": "home"},
        {"title": "Renew the passport", "due": due(25), "tags": ("errands",)},
        {
            "title": "Return the library books",
            "due": due(-2),
            "tags": ("errands",),
            "status": Status.DONE,
        },
    )


DEMO_LINES: tuple[str, ...] = (
    "add buy milk tomorrow 5pm and call mom on friday",
    "what should I do first?",
    "I called the dentist",
    "undo that",
)
"""Messages to type, in this order, for the script to make sense."""
_THINKING = Pause(0.4)
_WORD = 0.03
_USAGE = Usage(input_tokens=1450, cached_tokens=1280, output_tokens=60)


def demo_round(request: Request) -> Round:
    """Choose the round by the number of user messages and the tool results since the last."""
    spoken = [at for at, each in enumerate(request.messages) if each.role is Role.USER]
    since = request.messages[spoken[-1] :] if spoken else ()
    rounds_played = sum(each.role is Role.ASSISTANT for each in since)
    turn = _TURNS[len(spoken) - 1] if 0 < len(spoken) <= len(_TURNS) else _FINAL_ROUND
    return (_THINKING, *turn[min(rounds_played, len(turn) - 1)])


_TURNS: tuple[tuple[Round, ...], ...] = (
    (
        calls(
            call("add_task", title="Buy milk", details="tomorrow 5pm"),
            call("add_task", title="Call mom", details="friday"),
            usage=_USAGE,
        ),
        answer(
            "Both are on your list: **Buy milk** tomorrow at 17:00 and **Call mom** on Friday.",
            pause=_WORD,
            usage=_USAGE,
        ),
    ),
    (
        calls(call("list_tasks", filter="overdue or today"), usage=_USAGE),
        answer(
            "Start with what is late:\n\n"
            "1. **Call the dentist**, a day late and done in five minutes.\n"
            "2. **Water the plants**, due today.\n\n"
            "*Pay rent* can wait until it is due, but not longer.",
            pause=_WORD,
            usage=_USAGE,
        ),
    ),
    (
        calls(call("complete_task", task_ids=[1]), usage=_USAGE),
        answer("Done. Nothing is overdue any more.", pause=_WORD, usage=_USAGE),
    ),
    (
        calls(call("undo"), usage=_USAGE),
        answer("**Call the dentist** is open again.", pause=_WORD, usage=_USAGE),
    ),
)
_FINAL_ROUND: tuple[Round, ...] = (
    answer(
        "That was the whole demo, and none of it was kept. Quit with Ctrl+Q and run "
        "`todo-tui` to begin a list of your own.",
        pause=_WORD,
    ),
)
