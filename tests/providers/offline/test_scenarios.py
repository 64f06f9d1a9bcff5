"""The built-in assistant through the real loop, store and tools, as people talk to it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.scenario_files import load, run
from todo_tui.evaluation.scenarios import Scenario

FILES = (
    "scenarios.json",
    "more_scenarios.json",
    "structure_scenarios.json",
    "wish_scenarios.json",
    "reading_scenarios.json",
    "planning_scenarios.json",
)
_GROUP_SIZE = 40
"""Scenarios a test: an event loop, its threads and a folder for each took a third of the time."""


def groups() -> dict[str, Sequence[Scenario]]:
    """Return the scenarios of each file in groups, by the ids of their first and last."""
    found: dict[str, Sequence[Scenario]] = {}
    for name in FILES:
        scenarios = load(name)
        for start in range(0, len(scenarios), _GROUP_SIZE):
            group = scenarios[start : start + _GROUP_SIZE]
            found[f"{group[0].id}..{group[-1].id}"] = group
    return found


@pytest.mark.parametrize("group", [pytest.param(each, id=name) for name, each in groups().items()])
async def test_scenarios_hold(group: Sequence[Scenario]) -> None:
    results = [await run(scenario) for scenario in group]
    assert {
        each.scenario_id: (each.problems, each.answers) for each in results if each.problems
    } == {}
