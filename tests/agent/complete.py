"""Check that every provider accepts a list of messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from todo_tui.agent.history import MessageHistory
from todo_tui.agent.run_config import ContextWindow
from todo_tui.domain.messages import CALL_ID, Message, Role
from todo_tui.store.conversations.records import ModelHistory, Summary


def assert_complete(messages: Sequence[Message]) -> None:
    """Check for a user message first, alternating roles, paired calls and no empty message."""
    assert messages[0].role is Role.USER
    seen: set[str] = set()
    for number, message in enumerate(messages):
        assert message.parts
        message.text.encode()
        called = [call.id for call in message.tool_calls]
        assert all(CALL_ID.fullmatch(each) for each in called)
        assert not seen & set(called)
        assert len(called) == len(set(called))
        seen |= set(called)
        for call in message.tool_calls:
            assert call.arguments == "{}" or isinstance(json.loads(call.arguments), dict)
        if called:
            assert [r.call_id for r in messages[number + 1].tool_results] == called
        if message.role is Role.TOOL:
            assert messages[number - 1].tool_calls
        if message.role is Role.USER and number:
            assert messages[number - 1].role is Role.ASSISTANT


def prepare_history(
    history: Sequence[Message],
    *,
    origin: str,
    window: ContextWindow,
    before: int = 0,
    summary: str = "",
) -> tuple[Message, ...]:
    """Return what is sent of a stored history."""
    stored = ModelHistory(tuple(history), before, Summary(summary, "any") if summary else None)
    return MessageHistory(stored, window).messages(origin)
