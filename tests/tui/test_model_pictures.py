"""Pictures of choosing models and of turns that meet trouble; each was looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, ComparePicture
from tests.tui.test_approving import ask_and_wait, ask_before_writes
from tests.tui.test_pictures import seed
from tests.tui.test_thinking import thinking
from tests.tui.test_usage_and_log import LOG
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ModelInfo
from todo_tui.providers.readiness import CheckResult
from todo_tui.tui.chat.trace_rows import ThinkingRow
from todo_tui.tui.chat.turn_end import RetryCountdown

GROQ_MODELS = (
    ModelInfo("openai/gpt-oss-120b", 131_072),
    ModelInfo("openai/gpt-oss-20b", 131_072),
    ModelInfo("qwen/qwen3.8-27b", 262_144),
    ModelInfo("groq/compound", 131_072, calls_tools=False),
)


def set_up(app_setup: AppSetup) -> None:
    """Groq is agreed to and lists its models, Ollama runs, Gemini's package is missing."""
    app_setup.keys |= {"groq", "anthropic", "gemini-native"}
    app_setup.store.consents.give("api.groq.com")
    app_setup.store.app_state.set("recent_models", '["ollama:qwen3.5:4b", "groq:qwen/qwen3.8-27b"]')
    app_setup.lists["groq"] = GROQ_MODELS
    app_setup.running["ollama"] = ("qwen3.5:4b", "tiny:1b")
    app_setup.lists["ollama"] = (
        ModelInfo("qwen3.5:4b", 32_768),
        ModelInfo("tiny:1b", 8_192, {}, False),
    )
    app_setup.missing["gemini-native"] = "pip install 'todo-tui[gemini]'"


async def test_picker(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    set_up(app_setup)
    async with open_app() as running:
        await running.press("f2")
        await running.settle()
        await snap_both_sizes(running)


TESTED: tuple[tuple[str, str, CheckResult | ProviderError], ...] = (
    ("no-tools", "compound", CheckResult(False, 1204)),
    (
        "refused",
        "gpt-oss-20b",
        ProviderError(
            ProviderErrorKind.RATE_LIMIT, "Groq is over its rate limit.", hint="Wait a minute."
        ),
    ),
)


async def test_tested(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    set_up(app_setup)
    async with open_app() as running:
        await running.press("f2")
        await running.settle()
        for name, typed, told in TESTED:
            for model in GROQ_MODELS:
                app_setup.checks[f"groq:{model.name}"] = told
            app_setup.checked.clear()
            await running.press("ctrl+u")
            await running.type(typed)
            await running.press("ctrl+e")
            await running.until(lambda: app_setup.checked)
            await snap_compare(running, name)


async def test_command_hints(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    set_up(app_setup)
    seed(app_setup)
    app_setup.script(answer("You have five open tasks."))
    async with open_app() as running:
        await running.send("what's open?")
        await running.type("/model q")
        await running.settle()
        await snap_compare(running, "120x36")


async def test_thinking(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    seed(app_setup)
    app_setup.script(
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
        await snap_both_sizes(running)


async def test_failed_with_another_model_ready(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
    tmp_path: Path,
) -> None:
    seed(app_setup)
    set_up(app_setup)
    app_setup.log_path = tmp_path / "log"
    app_setup.log_path.write_text(LOG)
    app_setup.script(
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
        await snap_both_sizes(running)


async def test_waiting_to_retry(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    seed(app_setup)
    set_up(app_setup)
    busy = ProviderError(
        ProviderErrorKind.RATE_LIMIT, "Groq is over its rate limit.", retry_after=12
    )
    app_setup.script(calls(call("list_tasks")), [busy], answer("never"))
    async with open_app() as running:
        await running.type("what's due this week?")
        await running.press("enter")
        await running.until(lambda: running.screen.query(RetryCountdown))
        await snap_compare(running)
        await running.press("escape")
        await running.settle()


async def test_log(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A path that is the same in every picture.
    monkeypatch.chdir(tmp_path)
    app_setup.log_path = Path("todo-tui.log")
    app_setup.log_path.write_text(LOG)
    async with open_app() as running:
        await running.press("f8")
        await running.until(lambda: "internal error in a turn" in running.shown())
        await snap_both_sizes(running)


async def test_approval_of_several_calls(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    seed(app_setup)
    app_setup.changes["approvals"] = ApprovalSettings(ask=ApprovalMode.WRITES)
    app_setup.script(
        calls(
            call("list_tasks", filter="#1"),
            call("add_task", title="Buy oat milk", details="tomorrow 5pm #errands"),
            call("update_task", task_ids=[2, 3], details="friday !high"),
            call("complete_task", task_ids=[1]),
            call("delete_task", task_ids=[4]),
        ),
        answer("As you say."),
    )
    async with open_app() as running:
        await ask_and_wait(running, "do all of that")
        await running.type("and then")
        await snap_both_sizes(running)
        await running.press("escape")
        await running.settle()


async def test_approval_opened_with_a_reason(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    ask_before_writes(app_setup, *(f"Return parcel {number}" for number in range(1, 13)))
    async with open_app() as running:
        await ask_and_wait(running)
        await running.press("tab", "space", "w")
        await running.type("I still wait for number 7")
        await snap_both_sizes(running)
        await running.press("escape", "escape")
        await running.settle()


async def test_approval_settings(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    seed(app_setup)
    app_setup.approvals = ApprovalSettings(ApprovalMode.RISKY, tools=("delete_task",), more_than=3)
    async with open_app() as running:
        await running.press("shift+tab", "p", "down")
        await snap_both_sizes(running)
