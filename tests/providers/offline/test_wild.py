"""Messages as people type them: most are carried out, and none changes what was not meant."""

from __future__ import annotations

from tests.scenario_files import load, run
from todo_tui.evaluation.runner import Verdict

_STEP = 2
"""Every other message is tried here; those of the random messages are made of all."""
_FEWEST_RIGHT = 0.95
"""Share of messages that must be carried out; the others are declined or asked about."""


async def test_most_messages_are_carried_out_and_none_does_harm() -> None:
    scenarios = load("wild_scenarios.json")[::_STEP]
    harmful: dict[str, object] = {}
    missed: dict[str, object] = {}
    for scenario in scenarios:
        result = await run(scenario)
        if result.verdict is not Verdict.RIGHT:
            kind = missed if result.verdict is Verdict.SAFE else harmful
            kind[scenario.id] = (scenario.say, result.problems)

    assert harmful == {}
    assert len(missed) <= (1 - _FEWEST_RIGHT) * len(scenarios), missed
