"""Verdicts on scenarios, with a provider that does right, wrong, nothing, or fails."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.rows import each_row
from tests.scripted import Round, ScriptedProvider
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Limits
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    Request,
    Role,
    StopReason,
    Text,
    ToolCall,
    Usage,
)
from todo_tui.evaluation.runner import (
    MAX_FAILED,
    EvaluationReport,
    ProviderOf,
    ScenarioResult,
    Verdict,
    run_scenario,
    run_scenarios,
)
from todo_tui.evaluation.scenarios import Scenario

TASKS: list[dict[str, object]] = [
    {"title": "Buy milk", "tags": ["errands"]},
    {"title": "Pay rent", "due": "2026-11-20"},
    {"title": "Old list", "trashed": True},
]
REFUSED = ProviderError(ProviderErrorKind.AUTH, "The key was refused.")


def scenario(*say: str, **fields: object) -> Scenario:
    given = {"id": "s", "now": "2026-11-18T14:30", "tasks": TASKS, "say": say, "expect": {}}
    return Scenario.model_validate({**given, **fields})


def provider(*entries: str | tuple[str, dict[str, object]] | ProviderError) -> ProviderOf:
    """Any store's provider: it plays texts, tool calls and errors, one a model call."""
    rounds = [_round(entry) for entry in entries]

    def script(request: Request) -> Round:
        return rounds.pop(0) if len(rounds) > 1 else rounds[0]

    played = ScriptedProvider(script)
    return lambda _: played


def _round(entry: str | tuple[str, dict[str, object]] | ProviderError) -> Round:
    if isinstance(entry, ProviderError):
        return [entry]
    part, stop = (
        (Text(entry), StopReason.END)
        if isinstance(entry, str)
        else (ToolCall("c1", entry[0], json.dumps(entry[1])), StopReason.TOOL_CALLS)
    )
    return [Completed(Message(Role.ASSISTANT, (part,)), stop, Usage(100, 0, 10))]


def complete(*ids: int) -> tuple[str, dict[str, object]]:
    return "complete_task", {"task_ids": list(ids)}


async def verdict(expect: dict[str, Any], *entries: Any) -> Verdict:  # noqa: ANN401  # as above
    result = await run_scenario(scenario("milk is bought", expect=expect), provider(*entries))
    assert bool(result.problems) is (result.verdict is not Verdict.RIGHT)
    return result.verdict


MILK_DONE = {"tasks": [{"title": "Buy milk", "status": "done"}], "total": 2, "trash": 1}


async def test_the_expected_change_is_right_whatever_is_said() -> None:
    assert await verdict(MILK_DONE, complete(1), "Done.") is Verdict.RIGHT


async def test_an_answer_without_the_change_is_safe() -> None:
    assert await verdict(MILK_DONE, "Which task?") is Verdict.SAFE


async def test_another_change_beside_the_expected_one_is_harmful() -> None:
    assert await verdict(MILK_DONE, complete(1, 2), "Done.") is Verdict.HARMFUL
    tagged = ("update_task", {"task_ids": [1, 2], "details": "@shop"})
    assert await verdict({"tasks": [{"title": "Buy milk", "tags": ["shop"]}]}, tagged, "Done.") is (
        Verdict.HARMFUL
    )


async def test_a_change_where_none_is_wanted_is_harmful() -> None:
    assert await verdict({"unchanged": True}, complete(1), "Done.") is Verdict.HARMFUL
    assert await verdict({"unchanged": True}, "Nothing to do.") is Verdict.RIGHT


async def test_erasing_a_task_for_which_only_counts_are_given_is_noticed() -> None:
    deleted = ("delete_task", {"task_ids": [1]})
    assert await verdict({"answer_has": ["done"]}, deleted, "Done.") is Verdict.HARMFUL


@each_row(
    ("expected", "answer", "right"),
    [
        ({"answer_has": ["milk"]}, "Buy **milk**!", True),
        ({"answer_has": [["beer", "milk"]]}, "- Milk", True),
        ({"answer_has": ["milk"]}, "milkshake", False),
        ({"answer_has": ["5"]}, "#5", False),
        ({"answer_lacks": ["rent"]}, "milk and rent", False),
        ({"answer_has": ["c_d"]}, r"a c\_d", False),
        ({"confirm_or_done": 2}, "Both of them?", True),
        ({"confirm_or_done": 2}, "No.", False),
        ({"any": [{"total": 9}, {"unchanged": True}]}, "No.", True),
        ({"any": [{"total": 9}, {"trash": 0}]}, "No.", False),
        ({"lacks": ["Buy milk."]}, "No.", False),
    ],
)
async def test_answers_and_alternatives(
    expected: dict[str, object], answer: str, right: bool
) -> None:
    assert await verdict(expected, answer) is (Verdict.RIGHT if right else Verdict.SAFE)


async def test_each_entry_needs_a_task_of_its_own() -> None:
    tasks = [{"title": f"Task {number}"} for number in range(20)]
    any_task = {"status": "todo"}
    found = []
    for entries in ([any_task] * 21, [*[any_task] * 19, {"title": "Task 0"}]):
        asked = scenario("a", tasks=tasks, expect={"tasks": entries})
        found.append((await run_scenario(asked, provider("Hi."))).verdict)
    assert found == [Verdict.SAFE, Verdict.RIGHT]


async def test_a_tag_may_only_go_where_that_is_expected() -> None:
    untag = ("update_task", {"task_ids": [1], "details": "-@errands"})
    assert await verdict({"tasks": [{"title": "Buy milk", "tags": []}]}, untag, "Done.") is (
        Verdict.HARMFUL
    )
    gone = {"tasks": [{"title": "Buy milk", "tags_lack": ["errands"]}]}
    assert await verdict(gone, untag, "Done.") is Verdict.RIGHT
    assert await verdict(gone, "No.") is Verdict.SAFE


async def test_a_wrong_change_by_an_earlier_message_is_harmful() -> None:
    steps = [{"unchanged": True}]
    asked = scenario("a", "b", steps=steps, expect={"may_change": ["status"]})
    result = await run_scenario(asked, provider(complete(1), "Done.", "Fine."))
    assert result.verdict is Verdict.HARMFUL


async def test_the_nth_task_of_the_answer_before() -> None:
    asked = scenario("list", "the second is done", expect={"done_nth": 2})
    shown = "1. Pay rent\n2. Buy milk"
    right = await run_scenario(asked, provider(shown, complete(1), "Done."))
    wrong = await run_scenario(asked, provider(shown, complete(2), "Done."))
    assert (right.verdict, wrong.verdict) == (Verdict.RIGHT, Verdict.HARMFUL)


async def test_a_failed_answer_is_failed_and_three_in_a_row_end_the_run() -> None:
    limits = Limits(retry=RetryPolicy(tries=1))
    asked = [scenario("hello", id=f"s{number}") for number in range(9)]
    found = [each async for each in run_scenarios(asked, provider(REFUSED), limits)]
    assert [each.verdict for each in found] == [Verdict.FAILED] * MAX_FAILED
    assert found[0].problems == ("after 'hello': The key was refused.",)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"tasks": [{"title": "a", "parent": 7}]}, "cannot be stored"),
        ({"views": {"a": "due:nonsense"}}, "cannot be stored"),
        ({"selection": [70]}, "#70"),
    ],
)
async def test_a_scenario_that_cannot_be_run_fails_alone(
    fields: dict[str, object], named: str
) -> None:
    broken = scenario("hello", **fields)
    found = [
        each async for each in run_scenarios([broken, scenario("b")], provider("Hi."), Limits())
    ]
    assert [each.verdict for each in found] == [Verdict.FAILED, Verdict.RIGHT]
    assert named in found[0].problems[0]


async def test_approval_is_given_only_where_the_scenario_says_so() -> None:
    tasks = [{"title": f"Task {number}"} for number in range(8)]
    expect = {"done_count": 8}
    results = [
        await run_scenario(
            scenario("all done", tasks=tasks, approves=approves, expect=expect),
            provider(complete(*range(1, 9)), "As you say."),
        )
        for approves in (True, False)
    ]
    assert [each.verdict for each in results] == [Verdict.RIGHT, Verdict.SAFE]


async def test_calls_tokens_and_milliseconds_add_up() -> None:
    asked = scenario("milk is bought", "thanks")
    result = await run_scenario(asked, provider(complete(1), "Done.", "Welcome."))
    assert result.model_calls == 3
    assert result.usage == Usage(300, 0, 30)
    assert len(result.turn_ms) == 2
    assert result.answers == ("Done.", "Welcome.")


def _result(number: int, verdict: Verdict, cost: float | None, *times: float) -> ScenarioResult:
    return ScenarioResult(f"s{number}", verdict, (), (), 1, Usage(10, 0, 1), cost, times)


def _report(results: Sequence[ScenarioResult]) -> EvaluationReport:
    return EvaluationReport("groq", "m", tuple(results))


def test_a_report_counts_verdicts_and_knows_no_cost_where_one_is_unknown() -> None:
    some = [_result(1, Verdict.RIGHT, 0.5, 100.0, 300.0), _result(2, Verdict.SAFE, 0.25, 200.0)]
    report = _report(some)
    assert report.cost_usd == 0.75
    assert report.latency_ms(50) == 200.0
    data = report.to_json()
    assert (data["right"], data["safe"], data["harmful"], data["failed"]) == (1, 1, 0, 0)
    assert data["model_calls"] == 2
    assert _report([*some, _result(3, Verdict.RIGHT, None)]).cost_usd is None
    assert _report([]).latency_ms(50) is None
