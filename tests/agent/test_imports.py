"""Modules loaded by importing the agent."""

from __future__ import annotations

import json
import subprocess
import sys

LOADED = """
import json, sys
import todo_tui.agent.loop
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def test_importing_the_agent_loads_neither_screen_nor_sdk_nor_prices_nor_pydantic() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, check=True)

    loaded = set(json.loads(ran.stdout))
    heavy = {
        "textual", "rich", "openai", "groq", "anthropic", "httpx", "httpx2", "genai_prices",
        "pydantic", "opentelemetry", "requests",
    }  # fmt: skip
    assert not loaded & heavy
