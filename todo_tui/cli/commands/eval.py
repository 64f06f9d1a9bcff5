"""`todo-tui eval`: run scenarios against providers; print verdicts, calls, tokens and cost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.files import read_text
from todo_tui.cli.options import json_option
from todo_tui.cli.output.messages import print_error, print_json, print_note, print_result
from todo_tui.cli.output.progress import progress_bar
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.wiring.clients import ProviderClients
from todo_tui.cli.wiring.providers import find_provider_row
from todo_tui.cli.wiring.run_config import build_limits
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.settings import Settings
from todo_tui.domain.errors import NotFound, TodoError
from todo_tui.domain.messages import Provider
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count, format_dollars, plain_line
from todo_tui.evaluation.runner import EvaluationReport, ScenarioResult, Verdict, run_scenarios
from todo_tui.evaluation.scenarios import Scenario, read_scenarios, read_shipped_scenarios
from todo_tui.store.store import Store

_BUILT_IN = "offline"
_LARGEST_FILE = 16 * 1024 * 1024
_LONGEST_PROBLEM = 300
_INTERRUPTED = 130
_COLUMNS = (
    TableColumn("Provider", main=True),
    TableColumn("Model", shown_from=100),
    *(
        TableColumn(title, number=True, whole=True, shown_from=room)
        for title, room in {
            "Right": 0, "Safe": 0, "Harmful": 0, "Failed": 0, "Calls": 80, "Tokens": 70,
            "Cost": 60, "Latency": 60,
        }.items()
    ),
)  # fmt: skip
_PROBLEM_COLUMNS = (
    TableColumn("Verdict", whole=True),
    TableColumn("Scenario", whole=True),
    TableColumn("Problem"),
)
_STYLES = {Verdict.SAFE: "yellow", Verdict.HARMFUL: "red", Verdict.FAILED: "red"}


@dataclass(slots=True)
class EvaluationRun:
    """Results so far; an interrupted run keeps them."""

    reports: list[EvaluationReport] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Provider and reason."""
    interrupted: bool = False

    def to_json(self, scenarios: int) -> JsonValue:
        """Return the object that `eval --json` prints."""
        return {
            "scenarios": scenarios,
            "interrupted": self.interrupted,
            "providers": [report.to_json() for report in self.reports],
            "skipped": [{"provider": name, "reason": reason} for name, reason in self.skipped],
        }


@click.command("eval", cls=TodoCommand)
@click.option(
    "--provider",
    "providers",
    multiple=True,
    metavar="ID[:MODEL]",
    help="Provider to evaluate; repeat for several (default: as configured, else built-in).",
)
@click.option(
    "--scenarios",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Scenario file (default: the scenarios of todo-tui).",
)
@click.option("--replay", metavar="ID", help="Open one scenario in the app.")
@json_option
@click.pass_obj
def evaluate(
    session: CliSession,
    providers: tuple[str, ...],
    file: Path | None,
    replay: str | None,
    as_json: bool,
) -> int:
    """Evaluate providers with test scenarios.

    Each scenario is a short conversation with a temporary to-do list; your tasks are neither
    read nor changed. Right: as expected. Safe: not as expected, but nothing wrong was changed.
    Harmful: something else was changed. Failed: no answer. A hosted provider charges for the
    model calls.
    """
    if replay is not None and (as_json or len(providers) > 1):
        raise click.UsageError("--replay takes one provider and cannot be combined with --json.")
    scenarios = _read(file)
    chosen = _choose(session, providers)
    if replay is not None:
        return _replay(chosen[0], scenarios, replay)
    run = EvaluationRun()
    try:
        asyncio.run(_evaluate(chosen, scenarios, run))
    except KeyboardInterrupt:
        run.interrupted = True
        print_note("Interrupted. Results so far:")
    if as_json:
        print_json(run.to_json(len(scenarios)))
    else:
        _print_reports(run.reports)
    if run.interrupted:
        return _INTERRUPTED
    return 0 if any(_was_answered(report) for report in run.reports) else 1


def _read(file: Path | None) -> Sequence[Scenario]:
    if file is None:
        return read_shipped_scenarios()
    try:
        return read_scenarios(read_text(file, largest=_LARGEST_FILE))
    except TodoError as error:
        raise type(error)(f"{file}: {error.message}", hint=error.hint) from error


def _choose(session: CliSession, providers: Sequence[str]) -> Sequence[Settings]:
    """Return the settings for each provider, with that provider named."""
    settings = session.settings
    if not providers:
        if settings.provider is None or not settings.provider_named:
            if session.flags.model is not None:
                raise click.UsageError("--model needs --provider ID.")
            settings = replace(settings, provider=_BUILT_IN, provider_named=True)
        return [settings]
    if session.flags.model is not None and len(providers) > 1:
        raise click.UsageError("--model names one model. For several use --provider ID:MODEL.")
    chosen = []
    for name in dict.fromkeys(providers):
        row_id, _, model = name.partition(":")
        chosen.append(session.settings_for(row_id, model or session.flags.model))
    return chosen


async def _evaluate(
    chosen: Sequence[Settings], scenarios: Sequence[Scenario], run: EvaluationRun
) -> None:
    for settings in chosen:
        row = find_provider_row(settings, settings.provider or _BUILT_IN)
        try:
            provider = await _open(settings, row.id)
        except TodoError as error:
            run.skipped.append((row.id, error.message))
            print_error(TodoError(f"{row.label} skipped: {error.message}", hint=error.hint))
            continue
        results: list[ScenarioResult] = []
        try:
            with progress_bar(row.label) as progress:
                progress(0, len(scenarios))
                limits = build_limits(settings, row.id)
                provider_of = partial(_provider_of, settings, provider)
                async with aclosing(run_scenarios(scenarios, provider_of, limits)) as stream:
                    async for result in stream:
                        results.append(result)
                        progress(len(results), len(scenarios))
        finally:
            run.reports.append(EvaluationReport(row.id, provider.model, tuple(results)))
            await provider.aclose()
        if len(results) < len(scenarios):
            print_note(
                f"{row.label} stopped after {format_count(len(results), 'scenario')}: "
                f"{results[-1].problems[-1]}"
            )


async def _open(settings: Settings, row_id: str) -> Provider:
    """Open a provider.

    Raises:
        TodoError: the provider is not ready.
    """
    clients = ProviderClients.with_consents(settings, None)
    readiness = await clients.readiness(row_id)
    if not readiness.ready:
        raise TodoError(f"{readiness.reason}.", hint="Check it with `todo-tui providers --check`.")
    return await asyncio.to_thread(clients.open, row_id)


def _provider_of(settings: Settings, provider: Provider, store: Store) -> Provider:
    """Return the provider; the built-in assistant with the tasks of a store."""
    if provider.id != _BUILT_IN:
        return provider
    return ProviderClients.with_consents(settings, store).open(_BUILT_IN)


def _was_answered(report: EvaluationReport) -> bool:
    return len(report.results) > report.counts[Verdict.FAILED]


def _print_reports(reports: Sequence[EvaluationReport]) -> None:
    """Print the scenarios that are not right, then a row for each provider."""
    for report in reports:
        wrong = [result for result in report.results if result.verdict is not Verdict.RIGHT]
        if wrong:
            name = f"{report.provider}:{report.model}" if report.model else report.provider
            print_result(f"{name}, not right:")
            print_columns(_PROBLEM_COLUMNS, map(_problem_row, wrong))
            print_result("")
    if reports:
        print_columns(_COLUMNS, map(report_row, reports))
    if any(report.counts[Verdict.RIGHT] < len(report.results) for report in reports):
        print_note("Open a scenario in the app with: todo-tui eval --replay ID")


def _problem_row(result: ScenarioResult) -> list[TableCell]:
    problem = plain_line("; ".join(result.problems))
    if len(problem) > _LONGEST_PROBLEM:
        problem = f"{problem[:_LONGEST_PROBLEM]}…"
    return [
        TableCell(result.verdict.value, _STYLES.get(result.verdict, "")),
        TableCell(result.scenario_id),
        TableCell(problem, "dim"),
    ]


def report_row(report: EvaluationReport) -> list[str]:
    """Return the texts of the table's row for a provider."""
    counts, number = report.counts, len(report.results)
    usage, cost, latency = report.usage, report.cost_usd, report.latency_ms(50)
    right = f"{counts[Verdict.RIGHT]} of {number}"
    return [
        report.provider,
        report.model,
        f"{right} ({counts[Verdict.RIGHT] / number:.0%})" if number else right,
        *(str(counts[verdict]) for verdict in (Verdict.SAFE, Verdict.HARMFUL, Verdict.FAILED)),
        f"{report.model_calls:,}",
        f"{usage.input_tokens + usage.output_tokens:,}",
        "–" if cost is None else format_dollars(cost),
        "–" if latency is None else f"{latency / 1000:.2f} s",
    ]


def _replay(settings: Settings, scenarios: Sequence[Scenario], scenario_id: str) -> int:
    scenario = next((scenario for scenario in scenarios if scenario.id == scenario_id), None)
    if scenario is None:
        raise NotFound(
            f"There is no scenario {scenario_id!r}.",
            hint="`todo-tui eval` lists those that are not right.",
        )
    from todo_tui.cli.run_app import require_terminal  # 200 ms: the app

    require_terminal()
    from todo_tui.cli.demo import run_replay

    return run_replay(settings, scenario)
