"""History as a request may carry it: the window, complete pairs, what a provider may see."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from todo_tui.agent.call_limits import LONGEST_ARGUMENTS, quoted_arguments
from todo_tui.domain.conversation import (
    Message,
    Part,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.text import whole_characters
from todo_tui.tools.response import ToolErrorType, ToolResponse, without_fields

CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
INTERRUPTED = ToolResponse.failed(
    ToolErrorType.INTERNAL_ERROR, "Interrupted: the turn ended before this ran."
).text()
NO_ANSWER = "(The turn ended before an answer.)"
EARLIER = "Summary of the earlier part of this conversation, which is not repeated here:\n\n"
NOTED = "Noted; I go on from there."

_CHARACTERS_PER_TOKEN = 4
_STEPS = 4
"""The window loses a quarter at a time, so that its beginning stays the same for a while."""


@dataclass(frozen=True, slots=True)
class Window:
    """How much of the past a request carries; the current turn is never cut."""

    messages: int = 50
    tokens: int = 24_000


def prepare(
    history: Sequence[Message],
    *,
    origin: str,
    window: Window,
    before: int = 0,
    earlier: str = "",
) -> tuple[Message, ...]:
    """Make any history fit for any provider; pure, and the same for the same history.

    `history` is oldest first and ends with the message of the current turn; `before`
    older messages were left out of it already, and `earlier` sums up what came before
    all of them. `origin` is who will be asked, as `provider:model`. The answer opens
    with a user message, each call has its one result right after it, ids are valid and
    unique, and nothing in it is empty.
    """
    opening = _summed_up(earlier)
    room = replace(window, tokens=window.tokens - sum(map(_size, opening)))
    kept = _within(history, room, before)
    return (*opening, *_answered(_paired(_visible(kept, origin))))


def visible_to(origin: str, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages within a turn as `origin` may see them: calls and results are kept as they are."""
    parts = (_parts(message, own=message.origin == origin) for message in messages)
    shown = zip(messages, parts, strict=True)
    return tuple(_with_parts(message, kept) for message, kept in shown if kept)


def as_of_another(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages as if nobody known had said them, so that nothing is replayed in his name."""
    return visible_to("", [replace(message, origin=None) for message in messages])


def without_foreign_text(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages of earlier turns without what others may have written in tool results.

    Orders in such text then reach a model only in the turn that has read it, in which
    changes need approval.
    """
    return tuple(_with_parts(each, tuple(map(_own_text, each.parts))) for each in messages)


def _own_text(part: Part) -> Part:
    if not isinstance(part, ToolResult) or not part.foreign:
        return part
    content = without_fields(part.content, part.foreign)
    return part if content == part.content else replace(part, content=content)


def current_turn(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Only what began with the newest user message."""
    return tuple(messages[_turn_starts(messages)[-1] :])


def with_own_ids(message: Message, taken: set[str], mint: Iterator[str]) -> Message:
    """The message with a fresh id for each call whose own is missing, odd or in `taken`.

    The ids that it ends up with are added to `taken`.
    """
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            if part.id in taken or not CALL_ID.fullmatch(part.id):
                part = replace(part, id=next(mint))
            taken.add(part.id)
        parts.append(part)
    return _with_parts(message, tuple(parts))


def _within(history: Sequence[Message], window: Window, before: int) -> Sequence[Message]:
    starts = _turn_starts(history)
    most = before + len(history) - window.messages
    first = _stepped(most, window.messages // _STEPS) - before
    start = _first_from(starts, first)
    sizes = [_size(message) for message in history]
    surplus = _stepped(sum(sizes[start:]) - window.tokens, window.tokens // _STEPS)
    while surplus > 0 and start < starts[-1]:
        following = _first_from(starts, start + 1)
        surplus -= sum(sizes[start:following])
        start = following
    return history[start:]


def _turn_starts(history: Sequence[Message]) -> list[int]:
    return [index for index, message in enumerate(history) if message.role is Role.USER]


def _first_from(starts: Sequence[int], least: int) -> int:
    return next((start for start in starts if start >= least), starts[-1])


def _stepped(amount: int, step: int) -> int:
    """The amount rounded up to whole steps; nothing for nothing."""
    step = max(step, 1)
    return -(-amount // step) * step if amount > 0 else 0


def _size(message: Message) -> int:
    """About how many tokens it is."""
    characters = 0
    for part in message.parts:
        match part:
            case Text() | Thinking():
                characters += len(part.text)
            case ToolCall():
                characters += len(part.name) + len(part.arguments)
            case ToolResult():
                characters += len(part.content)
    return characters // _CHARACTERS_PER_TOKEN + 1


def _visible(history: Sequence[Message], origin: str) -> list[Message]:
    """Messages without what `origin` may not see, and without what is empty."""
    visible: list[Message] = []
    for message in history:
        parts = _parts(message, own=message.origin == origin)
        # What opens a request is a user's message, even where the first ones were empty.
        if parts and (visible or message.role is Role.USER):
            visible.append(_with_parts(message, parts))
    return visible


def _with_parts(message: Message, parts: tuple[Part, ...]) -> Message:
    """The same message where the parts are the same: most of a history needs no change."""
    return message if parts == message.parts else replace(message, parts=parts)


def _parts(message: Message, *, own: bool) -> tuple[Part, ...]:
    return tuple(shown for part in message.parts if (shown := _part(part, own=own)))


def _part(part: Part, *, own: bool) -> Part | None:
    match part:
        case Text():
            if not part.text.strip():
                return None
            text = whole_characters(part.text)
            return part if own and text is part.text else Text(text, part.meta if own else {})
        case Thinking():
            return part if own and (part.text or part.meta) else None
        case ToolCall():
            arguments = _replayable(part.arguments)
            if own and arguments is part.arguments:
                return part
            return ToolCall(part.id, part.name, arguments, part.meta if own else {})
        case ToolResult():
            return part


def _replayable(arguments: str) -> str:
    """Arguments that are a JSON object: some servers fail for good on any other."""
    try:
        fits = len(arguments) <= LONGEST_ARGUMENTS and isinstance(
            parse_json(arguments or "{}"), dict
        )
    except ValueError:
        fits = False
    if fits:
        return whole_characters(arguments) if arguments else "{}"
    return quoted_arguments(arguments)


def _paired(history: Sequence[Message]) -> list[Message]:
    """Each call with its one result in the very next message; no result without a call."""
    taken: set[str] = set()
    paired: list[Message] = []
    for index, message in enumerate(history):
        if message.role is Role.TOOL:
            continue
        if message.role is Role.USER or not (calls := message.tool_calls):
            paired.append(message)
            continue
        asked = with_own_ids(message, taken, _derived_ids(calls, len(taken)))
        results = _results_after(history, index)
        answers = tuple(
            _result_of(results.get(old.id), new)
            for old, new in zip(calls, asked.tool_calls, strict=True)
        )
        paired += [asked, Message(Role.TOOL, answers)]
    return paired


def _result_of(result: ToolResult | None, call: ToolCall) -> ToolResult:
    if result is None:
        return ToolResult(call.id, call.name, INTERRUPTED, is_error=True)
    return result if result.call_id == call.id else replace(result, call_id=call.id)


def _results_after(history: Sequence[Message], index: int) -> dict[str, ToolResult]:
    results: dict[str, ToolResult] = {}
    for message in history[index + 1 :]:
        if message.role is not Role.TOOL:
            break
        for result in message.tool_results:
            results.setdefault(result.call_id, result)
    return results


def _derived_ids(calls: Sequence[ToolCall], number: int) -> Iterator[str]:
    """Ids that come out the same whenever the same history is prepared."""
    for each in count():
        seed = f"{number}:{each}:{[call.id for call in calls]}"
        yield "call_" + hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:24]


def _summed_up(earlier: str) -> tuple[Message, ...]:
    """What stands for the summary of older turns: a turn of its own."""
    if not earlier:
        return ()
    told = Message(Role.USER, (Text(EARLIER + earlier),))
    return told, Message(Role.ASSISTANT, (Text(NOTED),))


def _answered(history: Sequence[Message]) -> tuple[Message, ...]:
    """A word in place of each answer that never came: some models insist on taking turns."""
    answered: list[Message] = []
    for message in history:
        waiting = bool(answered) and answered[-1].role is not Role.ASSISTANT
        if message.role is Role.USER and waiting:
            answered.append(Message(Role.ASSISTANT, (Text(NO_ANSWER),)))
        answered.append(message)
    return tuple(answered)
