"""The built-in assistant through the real loop, store and tools, as people talk to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.providers.offline.scenarios import Json, load, problems_of

SCENARIOS = [
    *load("more_scenarios.json"),
    *load("structure_scenarios.json"),
    *load("wish_scenarios.json"),
]


@pytest.mark.parametrize("scenario", [pytest.param(each, id=each["id"]) for each in SCENARIOS])
async def test_the_scenario_holds(scenario: Json, tmp_path: Path) -> None:
    assert await problems_of(scenario, tmp_path) == []
