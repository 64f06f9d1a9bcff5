"""Messages as JSON text and back, nothing lost."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache
from typing import assert_never

from todo_tui.domain.conversation import (
    Message,
    Part,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    TurnContext,
)
from todo_tui.domain.errors import StoreUnreadable
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import DateStyle
from todo_tui.store.rows import json_text

_FOREIGN_BEFORE = ("notes", "annotations")
"""Foreign text in results that were stored before results named it."""


def parts_text(parts: tuple[Part, ...]) -> str:
    """The parts of a message as a JSON array; halves of characters are made whole."""
    return json_text([_part_to_json(part) for part in parts])


def context_text(context: TurnContext | None) -> str | None:
    """The context of a user message as a JSON object."""
    if context is None:
        return None
    return json_text(
        {
            "now": context.now.isoformat(),
            "zone": context.zone,
            "open_tasks": context.open_tasks,
            "overdue_tasks": context.overdue_tasks,
            "due_today": context.due_today,
            "selection": [list(task) for task in context.selection],
            "day_first": context.date_style.day_first,
            "week_start": context.date_style.week_start,
        }
    )


# Each turn reads again what the one before it read, all but its newest rows.
@lru_cache(maxsize=128)
def message_from_texts(role: str, parts: str, origin: str | None, context: str | None) -> Message:
    """The message of one row.

    Raises:
        StoreUnreadable: the texts were not written by us.
    """
    try:
        return Message(
            role=Role(role),
            parts=tuple(_part_from_json(part) for part in json.loads(parts)),
            origin=origin,
            context=None if context is None else _context_from_json(json.loads(context)),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreUnreadable(
            "A stored message cannot be read.", hint="Run todo-tui doctor."
        ) from error


def _part_to_json(part: Part) -> dict[str, JsonValue]:
    match part:
        case Text():
            return {"type": "text", "text": part.text, **_meta(part)}
        case Thinking():
            return {"type": "thinking", "text": part.text, **_meta(part)}
        case ToolCall():
            return {
                "type": "tool_call",
                "id": part.id,
                "name": part.name,
                "arguments": part.arguments,
                **_meta(part),
            }
        case ToolResult():
            return {
                "type": "tool_result",
                "call_id": part.call_id,
                "name": part.name,
                "content": part.content,
                "is_error": part.is_error,
                "foreign": list(part.foreign),
            }
        case _:
            assert_never(part)


def _meta(part: Text | Thinking | ToolCall) -> dict[str, JsonValue]:
    return {"meta": dict(part.meta)} if part.meta else {}


def _part_from_json(stored: dict[str, object]) -> Part:
    fields = {name: value for name, value in stored.items() if name != "type"}
    match stored["type"]:
        case "text":
            return Text(**fields)  # type: ignore[arg-type] # a wrong shape raises TypeError
        case "thinking":
            return Thinking(**fields)  # type: ignore[arg-type] # as above
        case "tool_call":
            return ToolCall(**fields)  # type: ignore[arg-type] # as above
        case "tool_result":
            foreign = tuple(fields.pop("foreign", _FOREIGN_BEFORE))  # type: ignore[arg-type, var-annotated] # as above
            return ToolResult(**fields, foreign=foreign)  # type: ignore[arg-type] # as above
        case unknown:
            raise ValueError(f"unknown part {unknown!r}")


def _context_from_json(stored: dict[str, object]) -> TurnContext:
    fields = dict(stored)
    now = datetime.fromisoformat(str(fields.pop("now")))
    selection = fields.pop("selection")
    style = DateStyle(day_first=fields.pop("day_first"), week_start=fields.pop("week_start"))  # type: ignore[arg-type] # as above
    return TurnContext(
        now=now,
        selection=tuple((task_id, title) for task_id, title in selection),  # type: ignore[attr-defined] # as above
        date_style=style,
        **fields,  # type: ignore[arg-type] # as above
    )
