"""Pictures of choosing models and of turns that meet trouble; each was looked at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.tui.conftest import NARROW, WIDE, AppOpener, Bench, OpenApp
from tests.tui.test_approving import ask_and_wait, ask_before_writes
from tests.tui.test_pictures import seed
from tests.tui.test_thinking import thinking
from tests.tui.test_trouble import take_over
from tests.tui.test_usage_and_log import LOG, priced
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ModelInfo, Usage
from todo_tui.providers.readiness import CheckResult
from todo_tui.providers.scripted import answer, call, calls
from todo_tui.tui.chat.rows import ThinkingRow
from todo_tui.tui.chat.turn_view import RetryCountdown

Compare = Callable[[OpenApp], None]
CompareBoth = Callable[[OpenApp], Awaitable[None]]

both_sizes = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["120x36", "80x24"])

GROQ_MODELS = (
    ModelInfo("openai/gpt-oss-120b", 131_072),
    ModelInfo("openai/gpt-oss-20b", 131_072),
    ModelInfo("qwen/qwen3.8-27b", 262_144),
    ModelInfo("groq/compound", 131_072, calls_tools=False),
)


def set_up(bench: Bench) -> None:
    """Groq is agreed to and lists its models, Ollama runs, Gemini's package is missing."""
    bench.keys |= {"groq", "anthropic", "gemini-native"}
    bench.store.consents.give("api.groq.com")
    bench.store.memory.set("recent_models", '["ollama:qwen3.5:4b", "groq:qwen/qwen3.8-27b"]')
    bench.lists["groq"] = GROQ_MODELS
    bench.running["ollama"] = ("qwen3.5:4b", "tiny:1b")
    bench.lists["ollama"] = (
        ModelInfo("qwen3.5:4b", 32_768),
        ModelInfo("tiny:1b", 8_192, {}, False),
    )
    bench.missing["gemini-native"] = "pip install 'todo-tui[gemini]'"


async def test_picker(bench: Bench, open_app: AppOpener, snap_both_sizes: CompareBoth) -> None:
    set_up(bench)
    async with open_app() as running:
        await running.press("f2")
        await running.settle()
        running.still()
        await running.pilot.pause()
        await snap_both_sizes(running)


@pytest.mark.parametrize(
    ("name", "typed", "told"),
    [
        ("works", "gpt-oss-120b", CheckResult(True, 812)),
        ("no-tools", "compound", CheckResult(False, 1204)),
        (
            "refused",
            "gpt-oss-20b",
            ProviderError(
                ProviderErrorKind.RATE_LIMIT, "Groq is over its rate limit.", hint="Wait a minute."
            ),
        ),
    ],
    ids=["works", "no-tools", "refused"],
)
async def test_tested(
    bench: Bench,
    open_app: AppOpener,
    snap_compare: Compare,
    name: str,
    typed: str,
    told: CheckResult | ProviderError,
) -> None:
    set_up(bench)
    for model in GROQ_MODELS:
        bench.checks[f"groq:{model.name}"] = told
    async with open_app() as running:
        await running.press("f2")
        await running.settle()
        await running.type(typed)
        await running.press("ctrl+e")
        await running.until(lambda: bench.checked)
        running.still()
        await running.settle()
        snap_compare(running)


async def test_name_that_no_list_has(
    bench: Bench, open_app: AppOpener, snap_compare: Compare
) -> None:
    set_up(bench)
    async with open_app(NARROW) as running:
        await running.press("f2")
        await running.settle()
        await running.type("claude-opus-9")
        running.still()
        await running.settle()
        snap_compare(running)


@both_sizes
async def test_command_hints(
    bench: Bench, open_app: AppOpener, snap_compare: Compare, size: tuple[int, int]
) -> None:
    set_up(bench)
    seed(bench)
    bench.script(answer("You have five open tasks."))
    async with open_app(size) as running:
        await running.send("what's open?")
        await running.type("/model q" if size == WIDE else "/")
        await running.settle()
        running.still()
        await running.pilot.pause()
        snap_compare(running)


async def test_approval(bench: Bench, open_app: AppOpener, snap_both_sizes: CompareBoth) -> None:
    seed(bench)
    bench.changes["approvals"] = ApprovalSettings(ask=ApprovalMode.WRITES)
    bench.script(calls(call("complete_task", task_ids=[1, 2, 3])), answer("As you say."))
    async with open_app() as running:
        await ask_and_wait(running)
        running.still()
        await running.pilot.pause()
        await snap_both_sizes(running)
        await running.press("escape")
        await running.settle()


async def test_approval_with_the_focus(
    bench: Bench, open_app: AppOpener, snap_both_sizes: CompareBoth
) -> None:
    ask_before_writes(bench, *(f"Return parcel {number}" for number in range(1, 13)))
    async with open_app() as running:
        await ask_and_wait(running)
        await running.press("tab", "right")
        running.still()
        await running.pilot.pause()
        await snap_both_sizes(running)
        await running.press("escape")
        await running.settle()


async def test_thinking(bench: Bench, open_app: AppOpener, snap_both_sizes: CompareBoth) -> None:
    seed(bench)
    bench.script(
        thinking(
            "The dentist is a day late, so that comes first. ",
            "Watering the plants is due today and takes five minutes. ",
            "Rent is high priority but only due on Friday.",
            then=answer("**Call the dentist** first: it is a day late. Then water the plants."),
        )
    )
    async with open_app() as running:
        await running.send("what should I do first?")
        await running.press("ctrl+o")
        for row in running.screen.query(ThinkingRow):
            row.seconds = 2.3
        running.still()
        await running.settle()
        await snap_both_sizes(running)


@both_sizes
async def test_taken_over(
    bench: Bench, open_app: AppOpener, snap_compare: Compare, size: tuple[int, int]
) -> None:
    seed(bench)
    take_over(bench, calls(call("complete_task", task_ids=[1])), answer("The dentist is done."))
    bench.script([ProviderError(ProviderErrorKind.QUOTA, "Groq's quota is used up.")])
    async with open_app(size) as running:
        await running.send("I called the dentist")
        running.still()
        await running.settle()
        snap_compare(running)


async def test_summed_up(bench: Bench, open_app: AppOpener, snap_compare: Compare) -> None:
    from tests.tui.test_trouble import TOO_LONG
    from todo_tui.agent.config import Fallback
    from todo_tui.domain.messages import Provider
    from todo_tui.providers.scripted import ScriptedProvider, in_order

    async def opened() -> Provider:
        summary = (
            "The user planned a weekend in Rome.\n- Booked: train on Friday (task #4).\n"
            "- Open: a hotel near the station, at most 120 a night."
        )
        return ScriptedProvider(in_order(answer(summary)))

    bench.changes["summarizer"] = Fallback("gemini", "Gemini", opened)
    bench.script(answer("Booked."), [TOO_LONG], answer("A hotel is still to be found."))
    async with open_app() as running:
        await running.send("book the train to rome on friday")
        await running.send("what is still open for rome?")
        await running.press("ctrl+o")
        running.still()
        await running.settle()
        snap_compare(running)


async def test_failed_with_another_model_ready(
    bench: Bench,
    open_app: AppOpener,
    snap_both_sizes: CompareBoth,
    tmp_path: Path,
) -> None:
    seed(bench)
    set_up(bench)
    bench.log_path = tmp_path / "log"
    bench.log_path.write_text(LOG)
    bench.script(
        [
            ProviderError(
                ProviderErrorKind.QUOTA,
                "Groq's quota is used up.",
                hint="See your plan at console.groq.com.",
            )
        ]
    )
    async with open_app() as running:
        await running.send("what's due this week?")
        running.still()
        await running.settle()
        await snap_both_sizes(running)


async def test_waiting_to_retry(bench: Bench, open_app: AppOpener, snap_compare: Compare) -> None:
    seed(bench)
    set_up(bench)
    busy = ProviderError(
        ProviderErrorKind.RATE_LIMIT, "Groq is over its rate limit.", retry_after=12
    )
    bench.script(calls(call("list_tasks")), [busy], answer("never"))
    async with open_app() as running:
        await running.type("what's due this week?")
        await running.press("enter")
        await running.until(lambda: running.screen.query(RetryCountdown))
        running.still()
        await running.pilot.pause()
        snap_compare(running)
        await running.press("escape")
        await running.settle()


async def test_usage(bench: Bench, open_app: AppOpener, snap_both_sizes: CompareBoth) -> None:
    seed(bench)
    bench.changes["pricing"] = priced(0.0123)
    bench.budget = 1.0
    bench.script(
        answer("One.", usage=Usage(18_301, 12_000, 431, 212)),
        answer("Two.", usage=Usage(20_010, 17_000, 90)),
    )
    async with open_app() as running:
        await running.send("what's due this week?")
        await running.send("and next week?")
        await running.press("f3")
        await running.settle()
        running.still()
        await running.pilot.pause()
        await snap_both_sizes(running)


async def test_log(
    bench: Bench,
    open_app: AppOpener,
    snap_both_sizes: CompareBoth,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A path that is the same in every picture.
    monkeypatch.chdir(tmp_path)
    bench.log_path = Path("todo-tui.log")
    bench.log_path.write_text(LOG)
    async with open_app() as running:
        await running.press("f8")
        await running.until(lambda: "a turn broke" in running.shown())
        running.still()
        await running.pilot.pause()
        await snap_both_sizes(running)
