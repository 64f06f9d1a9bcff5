"""The scenarios, through the real loop with the built-in assistant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.scenarios import run_scenario
from todo_tui.providers.offline.assistant import BuiltInAssistant

SCENARIOS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "scenarios.json").read_text("utf-8")
)["scenarios"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["id"]))
async def test_the_built_in_assistant_passes_the_scenario(
    scenario: dict[str, Any], tmp_path: Path
) -> None:
    assert await run_scenario(scenario, tmp_path / "tasks.db", BuiltInAssistant()) == []
