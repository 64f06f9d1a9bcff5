"""Tool calls that a model sends malformed: without a usable id or name, too long, not JSON.

They get valid ids and are cut; why they are not run goes back to the model.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.messages import (
    LONGEST_TOOL_NAME,
    Message,
    MessagePart,
    ToolCall,
    unique_call_id,
)
from todo_tui.domain.text import plain_line, repair_surrogates

_LONGEST_ARGUMENTS = 100_000
"""Characters of the arguments of one call: more than any model writes on purpose."""
_LONGEST_QUOTE = 200
_NO_NAME = "(no name)"


def with_valid_calls(
    message: Message, taken: set[str], new_id: Callable[[], str]
) -> tuple[Message, dict[str, str]]:
    """Give calls valid ids and cut oversized ones, whose names then match no tool.

    Also return the reasons why calls may not run, by call id.
    """
    refused: dict[str, str] = {}
    parts: list[MessagePart] = []
    for part in with_unique_call_ids(message, taken, new_id).parts:
        if isinstance(part, ToolCall):
            part, reason = _within_limits(part)
            if reason:
                refused[part.id] = reason
        parts.append(part)
    return message.with_parts(tuple(parts)), refused


def with_unique_call_ids(message: Message, taken: set[str], new_id: Callable[[], str]) -> Message:
    """Replace call ids that are missing, malformed or in `taken`; add the ids to `taken`."""
    parts = (
        replace(part, id=unique_call_id(part.id, taken, new_id))
        if isinstance(part, ToolCall)
        else part
        for part in message.parts
    )
    return message.with_parts(tuple(parts))


def _within_limits(call: ToolCall) -> tuple[ToolCall, str]:
    """Return the call, cut if necessary, and the reason why it may not run."""
    name, arguments, reason = call.name, call.arguments, ""
    if len(arguments) > _LONGEST_ARGUMENTS:
        reason = (
            f"The arguments are {len(arguments):,} characters long, and at most "
            f"{_LONGEST_ARGUMENTS:,} are read; nothing was done. Call again with less."
        )
        arguments = _quoted_arguments(arguments)
    if not name.strip():
        reason = "The call names no tool, so nothing was done. Call again with a tool's name."
        name = _NO_NAME
    elif len(name) > LONGEST_TOOL_NAME or not name.isprintable():
        reason = (
            f"No tool has a name of more than {LONGEST_TOOL_NAME} characters or with control "
            "characters, so nothing was done. Call again with a tool's name."
        )
        name = f"{plain_line(name[:LONGEST_TOOL_NAME])[: LONGEST_TOOL_NAME - 1]}…"
    return replace(call, name=name, arguments=arguments) if reason else call, reason


def _quoted_arguments(arguments: str) -> str:
    """Return a JSON object that quotes the beginning of invalid arguments."""
    quote = arguments[:_LONGEST_QUOTE]
    cut = "…" if len(arguments) > _LONGEST_QUOTE else ""
    return json.dumps({"unreadable": repair_surrogates(quote) + cut}, ensure_ascii=False)


def replayable_arguments(arguments: str) -> str:
    """Return arguments that are a JSON object: some servers reject any other forever."""
    arguments = arguments or "{}"
    if len(arguments) <= _LONGEST_ARGUMENTS:
        with suppress(ValueError):
            if isinstance(parse_json(arguments), dict):
                return repair_surrogates(arguments)
    return _quoted_arguments(arguments)
