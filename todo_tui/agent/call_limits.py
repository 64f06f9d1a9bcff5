"""Tool calls that nobody could keep or send as a model wrote them: cut, with the reason."""

from __future__ import annotations

import json
from dataclasses import replace

from todo_tui.domain.conversation import Message, Part, ToolCall
from todo_tui.domain.text import plain_line, whole_characters

LONGEST_NAME = 64
"""Characters that servers take for the name of a tool."""
LONGEST_ARGUMENTS = 100_000
"""Characters of the arguments of one call: more than any model writes on purpose."""
_LONGEST_QUOTE = 200
_NO_NAME = "(no name)"


def within_limits(message: Message) -> tuple[Message, tuple[str, ...]]:
    """Return the message with such calls cut, and why each of its calls may not run.

    The reason is empty for a call that may. A name that was cut is none that a tool has.
    """
    reasons: list[str] = []
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            reasons.append(_reason(part))
            part = _cut(part) if reasons[-1] else part
        parts.append(part)
    return replace(message, parts=tuple(parts)) if any(reasons) else message, tuple(reasons)


def quoted_arguments(arguments: str) -> str:
    """Return a JSON object that quotes the beginning of arguments which are none."""
    quote = arguments[:_LONGEST_QUOTE]
    cut = "…" if len(arguments) > _LONGEST_QUOTE else ""
    return json.dumps({"unreadable": whole_characters(quote) + cut}, ensure_ascii=False)


def _reason(call: ToolCall) -> str:
    if not call.name.strip():
        return "The call names no tool, so nothing was done. Call again with a tool's name."
    if len(call.name) > LONGEST_NAME or not call.name.isprintable():
        return (
            f"No tool has a name of more than {LONGEST_NAME} characters or with control "
            "characters, so nothing was done. Call again with a tool's name."
        )
    if len(call.arguments) > LONGEST_ARGUMENTS:
        return (
            f"The arguments are {len(call.arguments):,} characters long, and at most "
            f"{LONGEST_ARGUMENTS:,} are read; nothing was done. Call again with less."
        )
    return ""


def _cut(call: ToolCall) -> ToolCall:
    name, arguments = call.name, call.arguments
    if not name.strip():
        name = _NO_NAME
    elif len(name) > LONGEST_NAME or not name.isprintable():
        name = f"{plain_line(name[:LONGEST_NAME])[: LONGEST_NAME - 1]}…"
    if len(arguments) > LONGEST_ARGUMENTS:
        arguments = quoted_arguments(arguments)
    return replace(call, name=name, arguments=arguments)
