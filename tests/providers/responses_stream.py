"""Builders of Responses events and items."""

from __future__ import annotations

from todo_tui.config.provider_row import custom_provider
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import Provider
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import PROVIDERS, provider_row

USAGE: JsonValue = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 30},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 5},
    "total_tokens": 120,
}


def event(kind: str, /, **members: JsonValue) -> JsonValue:
    """Build an event named `response.…`."""
    return {"type": f"response.{kind}", "sequence_number": 1, **members}


def added(item: JsonValue, index: JsonValue = 0) -> JsonValue:
    """Build the start of an item."""
    return event("output_item.added", item=item, output_index=index)


def done(item: JsonValue, index: JsonValue = 0) -> JsonValue:
    """Build the end of an item."""
    return event("output_item.done", item=item, output_index=index)


def words(text: str, item_id: str = "msg_1", index: JsonValue = 0) -> JsonValue:
    """Build a text delta."""
    return event(
        "output_text.delta", delta=text, item_id=item_id, output_index=index, content_index=0
    )


def arguments(text: JsonValue, item_id: str = "fc_1", index: JsonValue = 0) -> JsonValue:
    """Build an arguments delta."""
    return event("function_call_arguments.delta", delta=text, item_id=item_id, output_index=index)


def message(text: str, item_id: str = "msg_1", **members: JsonValue) -> JsonValue:
    """Build a complete message item."""
    content: JsonValue = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "type": "message",
        "id": item_id,
        "role": "assistant",
        "status": "completed",
        "content": content,
        **members,
    }


def call(
    name: str = "add_task",
    given: JsonValue = "",
    call_id: JsonValue = "call_a",
    **members: JsonValue,
) -> JsonValue:
    """Build a call item, started or complete."""
    return {
        "type": "function_call",
        "id": "fc_1",
        "call_id": call_id,
        "name": name,
        "arguments": given,
        **members,
    }


def reasoning(
    *summary: str, item_id: str = "rs_1", sealed: JsonValue = "c2VhbGVk", **members: JsonValue
) -> JsonValue:
    """Build a complete reasoning item."""
    return {
        "type": "reasoning",
        "id": item_id,
        "summary": [{"type": "summary_text", "text": text} for text in summary],
        "encrypted_content": sealed,
        **members,
    }


def response(status: str, *output: JsonValue, **members: JsonValue) -> dict[str, JsonValue]:
    """Build the whole response, as in the last event."""
    return {"id": "resp_1", "object": "response", "status": status, "output": [*output], **members}


def end(*output: JsonValue, status: str = "completed", **members: JsonValue) -> JsonValue:
    """Build the last event."""
    return event(status, response=response(status, *output, **members))


def own_provider(url: str, *, key: str | None = None, model: str = "m") -> Provider:
    """Return a user-defined provider of the format."""
    rows = (*PROVIDERS, custom_provider("mine", "Mine", "responses", url))
    settings = ProviderSettings(base_url=url, key=Secret(key) if key else None, model=model)
    return open_provider(provider_row("mine", rows), settings)
