"""What every request carries before anything is said: system prompt and tools, as sent."""

from __future__ import annotations

import json

from todo_tui.agent.prompt import SYSTEM_PROMPT
from todo_tui.tools.registry import TOOLS


def fixed_bytes() -> tuple[int, int]:
    """Bytes of the system prompt and of the tools in the OpenAI chat form."""
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.spec.name,
                "description": tool.spec.description,
                "parameters": tool.spec.parameters,
            },
        }
        for tool in TOOLS
    ]
    sent = json.dumps(tools, separators=(",", ":"), ensure_ascii=False)
    return len(SYSTEM_PROMPT.encode()), len(sent.encode())
