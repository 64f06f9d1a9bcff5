"""Scenario files of the tests, run with the built-in assistant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.same_thread import use_no_threads
from todo_tui.evaluation.runner import ScenarioResult, run_scenario
from todo_tui.evaluation.scenarios import Scenario, read_scenarios
from todo_tui.providers.offline.assistant import BuiltInAssistant

DATA = Path(__file__).parent / "data"
_MAX_CALLS = 8
"""Model calls for one message, at most."""


def load(name: str) -> Sequence[Scenario]:
    """Return the scenarios of a file of `tests/data`."""
    return read_scenarios((DATA / name).read_text(encoding="utf-8"))


async def run(scenario: Scenario) -> ScenarioResult:
    """Run a scenario with the built-in assistant."""
    use_no_threads()
    result = await run_scenario(scenario, lambda store: BuiltInAssistant(store.index))
    assert result.model_calls <= _MAX_CALLS * len(scenario.say), scenario.id
    return result
