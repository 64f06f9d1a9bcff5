"""Messages as people type them: most are carried out, and none changes what was not meant."""

from __future__ import annotations

from pathlib import Path

from tests.providers.offline.scenarios import load, played

_FEWEST_RIGHT = 0.95
"""Share of messages that must be carried out; the others are declined or asked about."""


async def test_most_messages_are_carried_out_and_none_does_harm(tmp_path: Path) -> None:
    scenarios = load("wild_scenarios.json")
    harmful: dict[str, object] = {}
    missed: dict[str, object] = {}
    for scenario in scenarios:
        problems, wrote = await played(scenario, tmp_path)
        if problems:
            (harmful if wrote else missed)[scenario["id"]] = (scenario["say"], problems)

    assert harmful == {}
    assert len(missed) <= (1 - _FEWEST_RIGHT) * len(scenarios), missed
