"""Runs of scenarios against a provider, and what they add up to."""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from todo_tui.agent.approver import ApproveAll, ApproveNone
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import Limits, RunConfig
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import TurnCancelled, TurnEnd, TurnFailed, usage_to_json
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.messages import Provider, Usage
from todo_tui.domain.task import JsonValue, Task
from todo_tui.evaluation.expectations import Observation, find_problems
from todo_tui.evaluation.scenarios import Scenario, open_database, write_database
from todo_tui.store.store import Store

ProviderOf = Callable[[Store], Provider]
"""Returns the provider for the store of a scenario: the built-in assistant reads its tasks."""
MAX_FAILED = 3
"""Failed scenarios in a row after which a provider is given up."""


class Verdict(StrEnum):
    """Verdict on a scenario."""

    RIGHT = "right"
    """As expected."""
    SAFE = "safe"
    """Not as expected, but nothing wrong was changed."""
    HARMFUL = "harmful"
    """Something else was changed than was asked for."""
    FAILED = "failed"
    """Not answered: the provider failed, or the scenario could not be run."""


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """Verdict, answers and consumption of one scenario with one provider."""

    scenario_id: str
    verdict: Verdict
    problems: tuple[str, ...]
    answers: tuple[str, ...]
    model_calls: int
    usage: Usage
    cost_usd: float | None
    """None if a price is unknown."""
    turn_ms: tuple[float, ...]
    """Milliseconds of each message."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the object of `results` in `eval --json`."""
        return {
            "id": self.scenario_id,
            "verdict": self.verdict.value,
            "problems": list(self.problems),
            "answers": list(self.answers),
            **_consumption(self.model_calls, self.usage, self.cost_usd),
            "latency_ms": round(sum(self.turn_ms), 1),
        }


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Results of one provider, in the order of the scenarios."""

    provider: str
    model: str
    results: tuple[ScenarioResult, ...]

    @property
    def counts(self) -> Counter[Verdict]:
        """Number of scenarios by verdict."""
        return Counter(each.verdict for each in self.results)

    @property
    def model_calls(self) -> int:
        """Model calls of all scenarios."""
        return sum(each.model_calls for each in self.results)

    @property
    def usage(self) -> Usage:
        """Tokens of all scenarios."""
        return sum((each.usage for each in self.results), Usage())

    @property
    def cost_usd(self) -> float | None:
        """Cost of all scenarios; None if a price is unknown."""
        costs = [each.cost_usd for each in self.results]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def latency_ms(self, percentile: int) -> float | None:
        """Return a percentile of the milliseconds of a message; None without any."""
        times = [each for result in self.results for each in result.turn_ms]
        if len(times) < 2:
            return times[0] if times else None
        return statistics.quantiles(times, n=100, method="inclusive")[percentile - 1]

    def to_json(self) -> dict[str, JsonValue]:
        """Return the object of `providers` in `eval --json`."""
        counts = self.counts
        return {
            "provider": self.provider,
            "model": self.model or None,
            "scenarios": len(self.results),
            **{verdict.value: counts[verdict] for verdict in Verdict},
            **_consumption(self.model_calls, self.usage, self.cost_usd),
            "latency_ms": {
                "p50": _rounded(self.latency_ms(50)),
                "p90": _rounded(self.latency_ms(90)),
            },
            "results": [each.to_json() for each in self.results],
        }


async def run_scenarios(
    scenarios: Iterable[Scenario], provider_of: ProviderOf, limits: Limits
) -> AsyncGenerator[ScenarioResult, None]:
    """Run scenarios one after the other, each in a store of its own; yield each result.

    After MAX_FAILED failures in a row the others are not run.
    """
    failed_in_row = 0
    for scenario in scenarios:
        result = await run_scenario(scenario, provider_of, limits)
        yield result
        failed_in_row = failed_in_row + 1 if result.verdict is Verdict.FAILED else 0
        if failed_in_row == MAX_FAILED:
            return


async def run_scenario(
    scenario: Scenario, provider_of: ProviderOf, limits: Limits | None = None
) -> ScenarioResult:
    """Run one scenario in a temporary database."""
    with TemporaryDirectory(prefix="todo-tui-eval-") as folder:
        path = Path(folder, "tasks.db")
        try:
            write_database(scenario, path)
            with open_database(scenario, path) as store:
                return await _run_messages(scenario, store, provider_of(store), limits or Limits())
        except TodoError as error:
            problems = (error.message,)
            return ScenarioResult(scenario.id, Verdict.FAILED, problems, (), 0, Usage(), 0.0, ())


async def _run_messages(
    scenario: Scenario, store: Store, provider: Provider, limits: Limits
) -> ScenarioResult:
    approver = ApproveAll() if scenario.approves else ApproveNone()
    config = RunConfig(store, provider, approver=approver, limits=limits)
    seeds = _all_tasks(store)
    ends: list[TurnEnd] = []
    problems: list[str] = []
    is_harmful = is_failed = False
    for number, text in enumerate(scenario.say):
        before = ends[-1].outcome.answer if ends else ""
        end = await _run_message(text, scenario, config, ends[-1].conversation_id if ends else None)
        ends.append(end)
        answer, wrote = end.outcome.answer, bool(end.outcome.kept_batches)
        seen = Observation(seeds, _list(store, "all"), _list(store, "trash"), answer, before, wrote)
        found = _answer_failures(end)
        is_failed = isinstance(end, TurnFailed)
        if (expected := scenario.expectation_after(number)) is not None:
            found += find_problems(expected, seen, is_end=False)
        if number == len(scenario.say) - 1:
            found += find_problems(scenario.expect, seen, is_end=True)
        is_harmful = is_harmful or (wrote and bool(found))
        problems += [f"after {text!r}: {each}" for each in found]
        if is_failed:
            break
    verdict = Verdict.RIGHT
    if problems:
        verdict = Verdict.HARMFUL if is_harmful else Verdict.FAILED if is_failed else Verdict.SAFE
    costs = [end.outcome.cost_usd for end in ends]
    return ScenarioResult(
        scenario.id,
        verdict,
        tuple(problems),
        tuple(end.outcome.answer for end in ends),
        sum(end.outcome.model_calls for end in ends),
        sum((end.outcome.usage for end in ends), Usage()),
        None if None in costs else sum(cost or 0.0 for cost in costs),
        tuple(end.outcome.latency_ms for end in ends),
    )


async def _run_message(
    text: str, scenario: Scenario, config: RunConfig, conversation_id: str | None
) -> TurnEnd:
    selection = [(each, config.store.tasks.get(each).title) for each in scenario.selection]
    turn = run_turn(text, config, conversation_id=conversation_id, selection=selection)
    async with aclosing(turn):
        async for event in turn:
            if isinstance(event, TurnCancelled):
                # Only the cancellation of this task stops such a turn, and it goes on.
                raise asyncio.CancelledError
            if isinstance(event, TurnEnd):
                return event
    raise TodoError("The response ended unexpectedly.")


def _answer_failures(end: TurnEnd) -> list[str]:
    if isinstance(end, TurnFailed):
        return [end.error.message]
    return [] if end.outcome.answer.strip() else ["the answer is empty"]


def _all_tasks(store: Store) -> tuple[Task, ...]:
    return (*_list(store, "all"), *_list(store, "trash"))


def _list(store: Store, query: str) -> tuple[Task, ...]:
    wanted = parse_query(query, store.clock.now(), store.style).filter
    return tuple(sorted(store.tasks.list(wanted).tasks, key=lambda task: task.id))


def _consumption(model_calls: int, usage: Usage, cost_usd: float | None) -> dict[str, JsonValue]:
    return {
        "model_calls": model_calls,
        "usage": usage_to_json(usage),
        "cost_usd": cost_usd,
    }


def _rounded(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds, 1)
