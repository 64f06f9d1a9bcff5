"""The scenarios that come with the package: enough of them, and of many kinds."""

from __future__ import annotations

import re
from collections import Counter

from todo_tui.evaluation.scenarios import Expectation, Scenario, read_shipped_scenarios

SCENARIOS = read_shipped_scenarios()
_MAX_OF_ONE_PATTERN = 3


def test_there_are_150_and_50_of_them_blind() -> None:
    assert len(SCENARIOS) >= 150
    assert sum(scenario.blind for scenario in SCENARIOS) >= 50


def test_ids_are_a_pattern_and_a_number_up_to_three() -> None:
    assert [each.id for each in SCENARIOS if not re.fullmatch(r"[a-z0-9-]+-[1-3]", each.id)] == []


def test_at_most_three_begin_alike_and_expect_changes_of_the_same_fields() -> None:
    shapes = Counter(_shape(scenario) for scenario in SCENARIOS)
    assert [each for each in shapes.items() if each[1] > _MAX_OF_ONE_PATTERN] == []


def test_no_message_opens_two_scenarios_with_the_same_tasks() -> None:
    openings = Counter((each.say, each.tasks) for each in SCENARIOS)
    assert [each for each, times in openings.items() if times > 1] == []


def _shape(scenario: Scenario) -> tuple[object, ...]:
    words = re.findall(r"[a-z']+", scenario.say[0].casefold())
    return (*words[:2], len(scenario.say), _changed(scenario.expect))


def _changed(expected: Expectation) -> frozenset[str]:
    """Return the fields of tasks and other changes that an expectation names."""
    named = {name for entry in expected.tasks for name in entry} - {"title"}
    for option in expected.any:
        named |= _changed(option)
    named |= {each for each in ("unchanged", "trash", "lacks") if getattr(expected, each)}
    return frozenset(named)
