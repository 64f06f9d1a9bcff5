"""Thinking as Anthropic wants it back: signed, word for word, behind the same words as before.

Follows "Preserved thinking": a block is bound to all that was said before it, and to
the blocks of thinking before it, of which only the first ones may be left out. Within
a turn nothing changes but the window of past turns, so a mark of what lay before the
turn tells whether a block still holds; from turn to turn thinking is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from todo_tui.domain.conversation import Message, Part, Role, Thinking
from todo_tui.providers.wire_format import JsonObject

_PREFIX = "prefix"
_REDACTED = "redacted"
_SIGNATURE = "signature"


def signed_thinking(text: str, signature: str, mark: str) -> Thinking:
    """Thinking as it arrived; `mark` stands for what was said before its turn."""
    return Thinking(text, {_SIGNATURE: signature, _PREFIX: mark})


def redacted_thinking(data: str, mark: str) -> Thinking:
    """Thinking that only its own server can read."""
    return Thinking("", {_REDACTED: data, _PREFIX: mark})


def thinking_block(part: Thinking) -> JsonObject:
    """The block that the part arrived as."""
    if _REDACTED in part.meta:
        return {"type": "redacted_thinking", "data": part.meta[_REDACTED]}
    return {"type": "thinking", "thinking": part.text, "signature": part.meta[_SIGNATURE]}


def turn_start(messages: Sequence[Message]) -> int:
    """How many messages there are up to the newest of the user, itself included."""
    for position in range(len(messages), 0, -1):
        if messages[position - 1].role is Role.USER:
            return position
    return 0


def with_valid_thinking(
    messages: Sequence[Message], origin: str, mark: Callable[[], str]
) -> list[Message]:
    """The messages with no thinking but what `origin` thought in this turn, behind that mark.

    `mark` is only called where there is any.
    """
    start = turn_start(messages)
    valid = ""
    kept: list[Message] = []
    for position, message in enumerate(messages):
        parts = message.parts
        if any(isinstance(part, Thinking) for part in parts):
            own = position >= start and message.origin == origin
            if own and not valid:
                valid = mark()
            parts = tuple(part for part in parts if not _lapsed(part, valid if own else ""))
            message = replace(message, parts=parts)
        kept.append(message)
    return kept


def _lapsed(part: Part, mark: str) -> bool:
    return isinstance(part, Thinking) and (not mark or part.meta.get(_PREFIX) != mark)
