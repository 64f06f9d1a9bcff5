"""Check that every provider accepts a list of messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from todo_tui.agent.history import CALL_ID
from todo_tui.domain.messages import Message, Role


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
