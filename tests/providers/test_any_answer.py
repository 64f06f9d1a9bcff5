"""Streams with lost, repeated, swapped or broken events: the message can be stored and sent on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.wire import TOOLS
from tests.rows import each_row
from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import REMOTES, Remote
from todo_tui.domain.errors import ProviderError
from todo_tui.domain.messages import Completed, Message, Request, Role, Text, ToolResult
from todo_tui.domain.task import JsonValue

HALF = "seal \ud83d"
SAID = ModelMessage(
    "One two",
    thinking="Hm, hm.",
    calls=(
        ModelCall.with_arguments("add_task", "call_1", title="Milk"),
        ModelCall.with_arguments("add_task", "call_2", title="Eggs"),
    ),
)
QUESTION = Message(Role.USER, (Text("Add milk and eggs"),))
SPOILT: list[JsonValue] = [
    None, "", 0, -1, 7, 1.5, True, "x", HALF, 10**400, [], {}, [None], [[[]]], {HALF: HALF},
    {"google": {"thought_signature": HALF}}, {"type": "text"},
]  # fmt: skip


@cache
def _events(remote: Remote) -> tuple[JsonValue, ...]:
    lines = b"".join(encoder_of(remote.row)(SAID, HALF)).decode().splitlines()
    data = (line.removeprefix("data: ") for line in lines if line.startswith("data: {"))
    return tuple(json.loads(each) for each in data)


def _read(remote: Remote, events: list[JsonValue]) -> Message:
    """Return the message in the events.

    Raises:
        ProviderError: they are not an answer.
    """
    asked = Request("Be brief.", (QUESTION,), TOOLS)
    reader = remote.wire_format().reader(asked, remote.server(), remote.origin)
    read = [event for each in events for event in reader.read(each)]
    read += reader.finish()
    (completed,) = (event for event in read if isinstance(event, Completed))
    return completed.message


def _check_use(remote: Remote, message: Message) -> None:
    """Check that the message can be stored in a database, and sent back."""
    calls = message.tool_calls
    results = Message(Role.TOOL, tuple(ToolResult(call.id, call.name, "{}") for call in calls))
    told = (QUESTION, message, *([results] if calls else []), QUESTION)
    body = remote.wire_format().body(Request("", told), remote.server(), remote.origin)
    kept = [dict(part.meta) for part in message.parts if not isinstance(part, ToolResult)]
    for each in (body, kept, message.text, [call.arguments for call in calls]):
        json.dumps(each, ensure_ascii=False, allow_nan=False).encode()


def _places(
    value: JsonValue, so_far: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    if so_far:
        yield so_far
    inner = value.items() if isinstance(value, dict) else ()
    for key, each in inner if not isinstance(value, list) else enumerate(value):
        yield from _places(each, (*so_far, key))


def _spoil(event: JsonValue, place: tuple[str | int, ...], value: JsonValue) -> JsonValue:
    spoilt = target = deepcopy(event)
    for key in place[:-1]:
        target = target[key]  # type: ignore[index]  # a place that it has
    target[place[-1]] = value  # type: ignore[index]  # as above
    return spoilt


@each_row("remote", REMOTES)
def test_what_only_its_server_reads_is_kept_in_whole_characters(remote: Remote) -> None:
    _check_use(remote, _read(remote, list(_events(remote))))


@settings(max_examples=50)
@given(st.sampled_from(REMOTES), st.data())
def test_whatever_becomes_of_events_they_are_an_answer_or_an_error(
    remote: Remote, data: st.DataObject
) -> None:
    events = list(_events(remote))
    for _ in range(data.draw(st.integers(1, 4))):
        at, other = (data.draw(st.integers(0, len(events) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(("lose", "double", "swap", "spoil", "spoil"))):
            case "lose" if len(events) > 1:
                del events[at]
            case "double":
                events.insert(other, events[at])
            case "swap":
                events[at], events[other] = events[other], events[at]
            case "spoil" if places := list(_places(events[at])):
                place = data.draw(st.sampled_from(places))
                events[at] = _spoil(events[at], place, data.draw(st.sampled_from(SPOILT)))
            case _:
                pass
    try:
        message = _read(remote, events)
    except ProviderError as error:
        str(error).encode()
    else:
        _check_use(remote, message)
