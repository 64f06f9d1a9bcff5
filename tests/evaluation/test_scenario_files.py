"""Scenario files of anyone: what is read, and what is refused with its place named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.errors import ValidationError
from todo_tui.evaluation.scenarios import read_scenarios

ONE: dict[str, object] = {
    "id": "one",
    "now": "2026-11-18T14:30",
    "tasks": [{"title": "Buy milk", "due": "2026-11-20"}],
    "say": ["hello"],
    "expect": {"unchanged": True},
}


def text(*scenarios: object, **others: object) -> str:
    return json.dumps({"scenarios": scenarios, **others})


def test_a_seed_gives_fields_that_the_scenario_may_replace() -> None:
    seeds = {"milk": {"now": ONE["now"], "tasks": ONE["tasks"]}}
    entry = {"id": "x", "seed": "milk", "say": ["a"], "expect": {}}
    first, second = read_scenarios(text(entry, {**entry, "id": "y", "tasks": []}, seeds=seeds))
    assert [task.title for task in first.tasks] == ["Buy milk"]
    assert second.tasks == ()


def test_steps_stand_beside_or_in_the_expectation() -> None:
    steps = [{"total": 1}]
    beside, inside = read_scenarios(
        text({**ONE, "steps": steps}, {**ONE, "id": "two", "expect": {"steps": steps}})
    )
    assert beside.expectation_after(0) == inside.expectation_after(0)
    assert beside.expectation_after(1) is None


@each_row(
    ("wrong", "named"),
    [
        ("", "Not valid JSON"),
        ("[" * 9_000, "Not valid JSON"),
        ("{}", "No scenarios"),
        ('{"scenarios": []}', "No scenarios"),
        (text("hello"), "Scenario 1 is not an object"),
        (text(ONE, ONE), "the id 'one'"),
        (text({**ONE, "say": []}), "Scenario 1 (one): say"),
        (text({**ONE, "say": "hello"}), "say"),
        (text({**ONE, "now": "soon"}), "now"),
        (text({**ONE, "now": "2026-11-18T14:30+01:00"}), "UTC offset"),
        (text({**ONE, "seed": "nowhere"}), "no seed 'nowhere'"),
        (text({**ONE, "tasks": [{"due": "2026-11-20"}]}), "tasks.0.title"),
        (text({**ONE, "tasks": [{"title": "a", "due": "friday"}]}), "tasks.0.due"),
        (text({**ONE, "tasks": [{"title": "a", "status": "open"}]}), "tasks.0.status"),
        (text({**ONE, "expect": {"totall": 1}}), "expect.totall"),
        (text({**ONE, "expect": {"tasks": [{"colour": "red"}]}}), "unknown field 'colour'"),
        (text({**ONE, "expect": {"done_nth": 0}}), "expect.done_nth"),
    ],
)
def test_a_bad_file_is_refused_with_the_place_named(wrong: str, named: str) -> None:
    with pytest.raises(ValidationError) as error:
        read_scenarios(wrong)
    assert named in error.value.message
    assert len(error.value.message) < 2_000


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*ONE, "any", "steps", "seed"]), inner, max_size=4)
        ),
    )
)
def test_any_json_is_read_or_refused(value: object) -> None:
    for entry in (value, {**ONE, "expect": value}, {**ONE, "tasks": value}, {**ONE, "say": value}):
        try:
            read_scenarios(text(entry))
        except ValidationError:
            continue
