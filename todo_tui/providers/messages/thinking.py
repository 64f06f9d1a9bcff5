"""Thinking as Anthropic wants it back: signed, word for word, behind the same words as before.

Follows "Preserved thinking": a block is bound to all that was said before it, and to
the blocks of thinking before it, of which only the first ones may be left out. Within
a turn nothing changes but the window of past turns, so a mark of what lay before the
turn tells whether a block still holds; from turn to turn thinking is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from todo_tui.domain.conversation import Message, Part, Thinking, turn_start
from todo_tui.providers.wire_format import JsonObject

_PREFIX = "prefix"
_REDACTED = "redacted"
_SIGNATURE = "signature"


Mark = Callable[[], str]
"""What stands for all that was said up to the newest message of the user; costs a little."""


def read_thinking(text: str, signature: str, mark: Mark) -> Thinking:
    """Thinking as it arrived; without a signature it is only there to be shown."""
    return Thinking(text, {_SIGNATURE: signature, _PREFIX: mark()} if signature else {})


def redacted_thinking(data: str, mark: Mark) -> Thinking:
    """Thinking that only its own server can read."""
    return Thinking("", {_REDACTED: data, _PREFIX: mark()})


def thinking_block(part: Thinking) -> JsonObject:
    """The block that the part arrived as."""
    if _REDACTED in part.meta:
        return {"type": "redacted_thinking", "data": part.meta[_REDACTED]}
    return {"type": "thinking", "thinking": part.text, "signature": part.meta[_SIGNATURE]}


def with_valid_thinking(messages: Sequence[Message], origin: str, mark: Mark) -> list[Message]:
    """The messages with no thinking but what `origin` thought in this turn, behind that mark.

    `mark` is only called where there is any.
    """
    start = turn_start(messages)
    valid = ""
    kept: list[Message] = []
    for position, message in enumerate(messages):
        own = position >= start and message.origin == origin and _speaks(message)
        if own and not valid and _signed(message):
            valid = mark()
        kept.append(_with_thinking_of(message, valid if own else ""))
    return kept


def without_thinking(messages: Sequence[Message]) -> list[Message]:
    """The messages as they read to everybody else."""
    return [_with_thinking_of(message, "") for message in messages]


def _with_thinking_of(message: Message, mark: str) -> Message:
    """The message with that thinking alone; the same where there is no other."""
    if not any(isinstance(part, Thinking) for part in message.parts):
        return message
    parts = [part for part in message.parts if not _lapsed(part, mark)]
    return replace(message, parts=tuple(parts))


def _lapsed(part: Part, mark: str) -> bool:
    return isinstance(part, Thinking) and (not mark or part.meta.get(_PREFIX) != mark)


def _signed(message: Message) -> bool:
    return any(isinstance(part, Thinking) and _PREFIX in part.meta for part in message.parts)


def _speaks(message: Message) -> bool:
    """Whether it holds more than thinking, of which alone no message may be."""
    return bool(message.tool_calls or message.text.strip())
