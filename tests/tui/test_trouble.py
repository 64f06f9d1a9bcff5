"""When a model fails: everything kept, one key to retry, one to ask another, all of it said."""

from __future__ import annotations

from pathlib import Path

from tests.scripted import Round, ScriptedProvider, answer, call, calls, in_order
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Fallback, Limits
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import Provider, Usage
from todo_tui.tui.screens.log_file import LogFileScreen
from todo_tui.tui.widgets.status_bar import StatusBar

GROQ_HOST = "api.groq.com"
REFUSED = ProviderError(ProviderErrorKind.AUTH, "The key was refused.", hint="Check it.")
TOO_LONG = ProviderError(ProviderErrorKind.CONTEXT_TOO_LONG, "That is too long for this model.")


def agree_to_groq(app_setup: AppSetup) -> None:
    app_setup.keys.add("groq")
    app_setup.store.consents.give(GROQ_HOST)


def status(running: OpenApp) -> str:
    return running.screen.query_one(StatusBar).render().plain


async def test_ctrl_t_after_a_failure_asks_the_next_model_at_once(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    agree_to_groq(app_setup)
    app_setup.script([REFUSED], answer("The other one answers."))
    async with open_app() as running:
        await running.send("hello")
        assert "Ctrl+R retry · Ctrl+T next model and retry" in running.shown()
        assert "Ctrl+T next model and retry" in status(running)
        await running.type("meanwhile")
        await running.press("ctrl+t")
        await running.settle()
        assert "The other one answers." in running.shown()
        assert "◆ Groq · openai/gpt-oss-120b · ready" in status(running)
        assert running.composer.text == "meanwhile"
        assert "Ctrl+T next model and retry" not in running.shown()
    assert app_setup.opened[-1][0] == "groq"
    assert [request.messages[-1].text for request in app_setup.provider.requests] == [
        "hello",
        "hello",
    ]


async def test_a_switch_that_is_not_agreed_to_retries_nothing(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    app_setup.script([REFUSED])
    async with open_app() as running:
        await running.send("hello")
        await running.press("ctrl+t")
        await running.until(lambda: "Send messages to Groq?" in running.shown())
        await running.press("escape")
        await running.settle()
        assert "Ctrl+T next model and retry" in running.shown()
    assert len(app_setup.provider.requests) == 1


async def test_a_model_that_becomes_ready_later_is_offered_too(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script([REFUSED])
    async with open_app() as running:
        await running.send("hello")
        assert "F2 model" in running.shown()
        app_setup.running["ollama"] = ("qwen3.5:4b",)
        await running.press("alt+7")
        await running.settle()
        assert "Ctrl+T next model and retry" in running.shown()


async def test_the_log_is_mentioned_where_there_is_one(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.script([REFUSED], [REFUSED])
    app_setup.log_path = tmp_path / "todo-tui.log"
    async with open_app() as running:
        await running.send("hello")
        assert "F8 log" not in running.shown()
        app_setup.log_path.write_text(
            "2026-11-18 14:30:00,000 WARNING todo_tui.agent.loop it failed\n"
        )
        await running.press("ctrl+r")
        await running.settle()
        assert "F8 log" in running.shown()
        await running.press("f8")
        await running.until(lambda: isinstance(running.app.screen, LogFileScreen))
        await running.until(lambda: "it failed" in running.shown())
        await running.press("escape")


def take_over(app_setup: AppSetup, *rounds: Round) -> None:
    """Groq is chosen and fails; Gemini stands by."""
    agree_to_groq(app_setup)
    app_setup.store.app_state.set("provider", "groq")

    class Gemini(ScriptedProvider):
        @property
        def id(self) -> str:
            return "gemini"

    async def opened() -> Provider:
        return Gemini(in_order(*rounds), model="gemini-3.5-flash-lite")

    app_setup.changes["fallbacks"] = (Fallback("gemini", "Gemini", opened),)


async def test_who_takes_over_is_named_in_the_trace_and_in_the_status_line(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    take_over(app_setup, calls(call("add_task", title="Buy milk")), answer("It is on your list."))
    app_setup.script([ProviderError(ProviderErrorKind.QUOTA, "Groq's quota is used up.")])
    async with open_app() as running:
        await running.send("add buy milk")
        assert "⇄ Groq's quota is used up" in running.shown()
        assert "Gemini for Groq · gemini-3.5-flash-lite · ready" in status(running)
        await running.press("ctrl+o")
        assert "Groq's quota is used up." in running.shown()
    app_setup.script(answer("Groq is back."))
    async with open_app() as running:
        assert "⇄ Groq's quota is used up" in running.shown(), "also when it is drawn again"
        assert "Gemini for Groq" not in status(running)
        await running.send("and now?")
        assert "Groq is back." in running.shown()


async def test_a_shortened_history_is_a_line_that_opens_to_the_summary(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async def opened() -> Provider:
        return ScriptedProvider(in_order(answer("They spoke of milk.\nAnd of bread.")))

    app_setup.changes["summarizer"] = Fallback("gemini", "Gemini", opened)
    app_setup.script(answer("One."), answer("Two."), [TOO_LONG], answer("Three."))
    async with open_app() as running:
        await running.send("first")
        await running.send("second")
        await running.send("third")
        assert "≡ Summarized 4 older messages" in running.shown()
        assert "They spoke of milk." not in running.shown()
        await running.press("ctrl+o")
        assert "They spoke of milk." in running.shown()
        assert "And of bread." in running.shown()
        assert '{"messages"' not in running.shown()
    async with open_app() as running:
        assert "≡ Summarized 4 older messages" in running.shown()
        await running.press("ctrl+o")
        assert "They spoke of milk." in running.shown()


async def test_omitted_older_messages_are_reported(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("One."), [TOO_LONG], answer("Two."))
    async with open_app() as running:
        await running.send("first")
        await running.send("second")
        assert "≡ Left out 2 older messages" in running.shown()
        assert "Two." in running.shown()


async def test_a_budget_that_is_nearly_spent_is_a_quiet_line(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async def price(_provider: Provider, _usage: Usage) -> float | None:
        return 0.0045

    app_setup.changes |= {"pricing": price, "daily_budget_usd": 0.005}
    app_setup.provider = ScriptedProvider(
        in_order(
            calls(call("add_task", title="Buy milk"), usage=Usage(900, 0, 12)),
            answer("Done.", usage=Usage(1000, 0, 5)),
        ),
        local=False,
    )
    async with open_app() as running:
        await running.send("add buy milk")
        assert "◆ $0.0045 of today's $0.0050 budget used." in running.shown()


async def test_after_the_last_try_the_turn_has_failed_and_everything_is_kept(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async def no_wait(_seconds: float) -> None:
        return

    down = ProviderError(ProviderErrorKind.NETWORK, "The server does not answer.")
    app_setup.changes |= {"sleep": no_wait, "limits": Limits(retry=RetryPolicy(tries=2))}
    added = calls(call("add_task", title="Buy milk"))
    app_setup.script(added, [down], [down], answer("Back again."))
    async with open_app() as running:
        await running.send("add buy milk")
        shown = running.shown()
        assert "✓ Added Buy milk" in shown
        assert "✗ The server does not answer." in shown
        assert "· error" in shown
        await running.press("ctrl+r")
        await running.settle()
        assert "Back again." in running.shown()
    assert [task.title for task in app_setup.store.tasks.list().tasks] == ["Buy milk"]
