"""What the tabs of the usage screen look like, with a month of turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.blank import blank
from tests.tui.conftest import NOW, AppOpener, AppSetup, ComparePicture, OpenApp
from todo_tui.domain.events import StepStatus, TraceStep, TurnError, TurnOutcome
from todo_tui.domain.messages import Message, Role, Text, TurnStatus, Usage
from todo_tui.domain.when import Clock
from todo_tui.store.conversations.records import ModelCall
from todo_tui.store.store import open_store
from todo_tui.tui.screens.usage import UsageScreen

REFUSED = '{"status": "error", "error": {"type": "not_found", "message": "No."}}'
TOOLS = ("list_tasks", "add_task", "update_task")


@pytest.fixture
def app_setup(tmp_path: Path) -> Iterator[AppSetup]:
    """The app after a month of turns, more of them and slower towards its end.

    Opened after all of it, so that the app sees no writes of others.
    """
    path = tmp_path / "tasks.db"
    path.write_bytes(_month())
    clock = Clock("Europe/Berlin", NOW)
    with open_store(path, user="ann", clock=clock) as store:
        yield AppSetup(store, clock)


@cache
def _month() -> bytes:
    """The file after that month; made once, as it takes longer than to draw it."""
    with TemporaryDirectory() as folder:
        path = blank(Path(folder, "month.db"))
        _fill(path)
        return path.read_bytes()


def _fill(path: Path) -> None:
    for days_ago in range(29, -1, -1):
        if days_ago % 7 in (4, 5):
            continue
        clock = Clock("Europe/Berlin", NOW - timedelta(days=days_ago, hours=2))
        with open_store(path, user="ann", clock=clock) as store:
            for number in range(1 + (29 - days_ago) // 5):
                said = Message(Role.USER, (Text("hello"),))
                turn = store.turns.open(None, said, provider="groq", model="oss")
                ms = 900.0 + 40 * (29 - days_ago) + 350 * number
                failed = days_ago % 9 == 0 and number == 0
                usage = Usage(2400 + 100 * number, 1200, 140)
                cost = 0.0004 * (1 + number)
                store.turns.close(
                    turn.id,
                    TurnStatus.FAILED if failed else TurnStatus.FINISHED,
                    calls=_calls(ms, usage, cost, failed=failed),
                    steps=_steps(number),
                    error=TurnError("rate_limit", "Too many requests.") if failed else None,
                    outcome=TurnOutcome(
                        "", (), "groq", "openai/gpt-oss-120b", usage, cost, 2, ms,
                        first_token_ms=ms / 3, retries=int(failed),
                    ),
                )  # fmt: skip


def _calls(ms: float, usage: Usage, cost: float, *, failed: bool) -> Sequence[ModelCall]:
    status = "failed" if failed else "finished"
    kind = "rate_limit" if failed else None
    first = ModelCall(
        "groq", "openai/gpt-oss-120b", usage, cost, ms / 2, status,
        error_kind=kind, first_token_ms=None if failed else ms / 4,
    )  # fmt: skip
    second = ModelCall("ollama", "qwen3:8b", Usage(300, 0, 20), 0.0, 400.0, first_token_ms=90.0)
    return first, second


def _steps(number: int) -> Sequence[TraceStep]:
    return [
        TraceStep(
            f"c{at}", name, name, "{}", REFUSED if number == 2 + at else "{}",
            StepStatus.ERROR if number == 2 + at else StepStatus.SUCCESS, 2.0 + at + number,
        )
        for at, name in enumerate(TOOLS[: 1 + number % 3])
    ]  # fmt: skip


async def open_usage(running: OpenApp, *keys: str) -> None:
    await running.press("f3", *keys)
    await running.until(lambda: isinstance(running.app.screen, UsageScreen))
    await running.settle()


async def test_turns(
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
) -> None:
    async with open_app() as running:
        await open_usage(running, "2")
        await running.until(lambda: "Cost by day" in running.shown())
        assert "Latency by day: ● median, ▲ p90" in running.shown()
        await snap_both_sizes(running)


async def test_tools(
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
) -> None:
    async with open_app() as running:
        await open_usage(running, "3")
        await running.until(lambda: "list_tasks: not_found" in running.shown())
        await snap_both_sizes(running)


async def test_tokens(
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
) -> None:
    async with open_app() as running:
        await open_usage(running)
        await running.until(lambda: "Last turn" in running.shown())
        assert "Mon 16 Nov" in running.shown()
        await snap_both_sizes(running)
