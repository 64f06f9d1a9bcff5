"""The list of models: what was used last, what servers list, tests, names that no list has."""

from __future__ import annotations

import re

from textual.widgets import Input

from tests.growth import CallCounter
from tests.rows import each_row
from tests.scripted import ScriptedProvider, answer, in_order
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.driving import wait_until_idle
from todo_tui.config.provider_row import ProviderOption
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ModelInfo
from todo_tui.providers.readiness import CheckResult
from todo_tui.providers.registry import provider_row
from todo_tui.tui.models.picker import ModelPicker, ModelTable, describe_destination
from todo_tui.tui.screens.consent import ConsentScreen
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.widgets.choice_row import ChoiceRow

GROQ_HOST = "api.groq.com"


async def open_picker(running: OpenApp) -> ModelTable:
    await running.press("f2")
    await running.until(lambda: isinstance(running.app.screen, ModelPicker))
    await settled(running)
    return running.app.screen.query_one(ModelTable)


async def settled(running: OpenApp) -> None:
    """Until nothing is asked or looked up any more; the picker itself waits for a person."""
    await running.until(
        lambda: all(worker.is_finished or worker.group == "model" for worker in running.app.workers)
    )


async def until_shown(running: OpenApp, words: str) -> None:
    await running.until(lambda: words in running.shown())


def highlighted(running: OpenApp) -> tuple[str, str]:
    row = running.app.screen.query_one(ModelTable).row
    assert row is not None
    return row.option.row.id, row.model


def agree_to_groq(app_setup: AppSetup) -> None:
    app_setup.keys.add("groq")
    app_setup.store.consents.give(GROQ_HOST)


@each_row(
    ("row_id", "host", "words"),
    [
        ("offline", "", "Nothing leaves this machine."),
        ("local", "[::1]:8080", "Nothing leaves this machine."),
        ("local", "box.lan:8080", "Messages are sent to box.lan:8080, in your own network."),
        ("local", "127.0.0.1:8080 or 127.0.0.1:1234", "Nothing leaves this machine."),
        ("local", "localhost.lan", "Messages are sent to localhost.lan, in your own network."),
        ("local", "127.0.0.1.lan", "Messages are sent to 127.0.0.1.lan, in your own network."),
        ("groq", GROQ_HOST, f"Messages are sent to {GROQ_HOST}."),
    ],
)
def test_the_picker_shows_where_messages_go(row_id: str, host: str, words: str) -> None:
    option = ProviderOption(provider_row(row_id), "m", host, key_found=True, remote=False)
    assert describe_destination(option) == words


async def test_the_picker_tells_prices_what_is_missing_who_has_no_tools_and_offers_new_names(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("gemini-native")
    app_setup.missing["gemini-native"] = "pip install 'todo-tui[gemini]'"
    app_setup.running["ollama"] = ("tiny:1b", "qwen3.5:4b")
    app_setup.lists["ollama"] = (ModelInfo("tiny:1b", calls_tools=False), ModelInfo("qwen3.5:4b"))
    app_setup.store.app_state.set("models_without_tools", '["offline:rules"]')
    async with open_app() as running:
        # A model that cannot call tools stays marked.
        table = await open_picker(running)
        marked = [row.model for row in table.in_view if row.state == "no tools"]
        assert marked == ["rules", "tiny:1b"]
        assert "Enter choose · Ctrl+E test" in running.shown()

        # The price is known before there is a key.
        await running.type("claude-haiku")
        await running.until(lambda: "claude-haiku-5-5 · $0.10 / $0.50 per M" in running.shown())
        await running.press("ctrl+u")

        # What lacks a package or a key says what to do.
        await running.type("native")
        assert "not installed" in running.shown()
        assert "Run pip install 'todo-tui[gemini]'." in running.shown()
        await running.press("enter")
        assert isinstance(running.app.screen, ModelPicker)
        for _ in "native":
            await running.press("backspace")
        await running.type("anthropic")
        missing = "Get a key at console.anthropic.com and set ANTHROPIC_API_KEY"
        assert missing in running.shown()
        assert "Set ANTHROPIC_API_KEY." not in running.shown()
        # It can be neither chosen nor tested: no key is named, and those say why.
        assert "Enter choose" not in running.shown()
        for key in ("enter", "ctrl+e"):
            await running.press(key)
            assert running.notified.pop().startswith(missing), key
        await running.press("escape")

        # A name like those of one provider is offered for it.
        app_setup.keys.add("anthropic")
        await open_picker(running)
        await running.type("claude-opus-9")
        assert highlighted(running) == ("anthropic", "claude-opus-9")
        await running.press("escape")

        # One that no list has is offered for the highlighted provider.
        await open_picker(running)
        while highlighted(running)[0] != "ollama":
            await running.press("down")
        await running.type("brand-new:9b")
        assert highlighted(running) == ("ollama", "brand-new:9b")
        assert "not in the provider's model list" in running.shown()
        await running.press("enter")
        await running.until(lambda: "◆ Ollama · brand-new:9b" in running.shown())


async def test_the_picker_names_each_model_so_that_the_command_finds_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    for provider in ("ollama", "local"):
        app_setup.running[provider] = ("twin:1b", f"{provider}-own")
    async with open_app() as running:
        table, main = await open_picker(running), running.app.screen_stack[0]
        assert isinstance(main, MainScreen)
        for provider in ("ollama", "local"):
            for model in ("twin:1b", f"{provider}-own"):
                await running.press("ctrl+u")
                await running.type(f"{provider} {model}")
                row = table.row
                assert row is not None
                assert row.key == (provider, model)
                before = running.shown().split(row.option.row.label)[0]
                # The number chooses what the server lists first.
                assert (str(row.number) in before.splitlines()[-1]) == (model == "twin:1b")
                name = running.shown().split("/model ")[1].split()[0]
                if not name.isdecimal():
                    found = main.models.catalog.find_model(name)
                    assert [each.key for each in found] == [row.key], name


async def test_a_list_that_fails_and_a_test_request_are_told_and_block_nothing(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    agree_to_groq(app_setup)
    app_setup.lists["groq"] = ProviderError(ProviderErrorKind.NETWORK, "Groq cannot be reached.")
    refused = ProviderError(ProviderErrorKind.AUTH, "Groq rejected the API key.", hint="Check it.")
    async with open_app() as running:
        await open_picker(running)
        await running.type("groq")
        assert "Could not list other models: Groq cannot be reached." in running.shown()

        # A test request tells what the model can.
        for told, words, state in (
            (CheckResult(True, 812), "Answers in 0.81 s. Supports tools.", "answers"),
            (CheckResult(False, 1200), "Answers in 1.2 s. No tool support.", "no tools"),
            (refused, "✗ Groq rejected the API key. Check it.", "failed"),
        ):
            app_setup.checks["groq:openai/gpt-oss-120b"] = told
            await running.press("ctrl+e")
            await until_shown(running, words)
            assert re.search(rf"openai/gpt-oss-120b +{state}", running.shown())
        assert app_setup.checked == ["groq:openai/gpt-oss-120b"] * 3

        await running.press("enter")
        await running.until(lambda: "◆ Groq" in running.shown())


async def test_the_models_used_last_come_first_and_survive_a_restart(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen3.5:4b", "llama3.3:70b", "gemma4:12b")
    async with open_app() as running:
        for name in ("llama3", "gemma4"):
            await open_picker(running)
            await running.type(name)
            await running.press("enter")
            await running.settle()
        await running.press("alt+1")
        await running.settle()
    async with open_app() as running:
        table = await open_picker(running)
        names = [(row.option.row.id, row.model) for row in table.in_view[:4]]
        assert names == [
            ("offline", "rules"),
            ("ollama", "gemma4:12b"),
            ("ollama", "llama3.3:70b"),
            ("openai", "gpt-6-luna"),
        ]
        assert highlighted(running) == ("offline", "rules")


async def test_a_model_is_used_when_a_turn_has_finished_and_marked_when_it_had_no_tools(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    agree_to_groq(app_setup)
    without_tools = ProviderError(ProviderErrorKind.TOOLS_UNSUPPORTED, "It cannot call tools.")
    app_setup.provider = ScriptedProvider(
        in_order([without_tools], answer("Hello.")), model="openai/gpt-oss-120b"
    )
    async with open_app() as running:
        await running.press("alt+3")
        await running.settle()
        await running.send("hello")
        await open_picker(running)
        assert "no tools" in running.shown()
        await running.press("escape")
        await running.send("hello again")
    assert "groq:openai/gpt-oss-120b" in (app_setup.store.app_state.get("recent_models") or "")


async def test_no_request_goes_to_a_host_before_consent(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    app_setup.lists["groq"] = (ModelInfo("openai/gpt-oss-20b"),)
    app_setup.checks["groq:openai/gpt-oss-120b"] = CheckResult(True, 100)
    async with open_app() as running:
        await open_picker(running)
        await running.type("groq")
        await running.press("ctrl+e")
        await running.until(lambda: isinstance(running.app.screen, ConsentScreen))
        assert GROQ_HOST in running.shown()
        await running.press("escape")
        await settled(running)
        assert (app_setup.checked, app_setup.listed) == ([], [])
        await running.press("ctrl+e")
        await running.until(lambda: isinstance(running.app.screen, ConsentScreen))
        running.app.screen.query_one(ChoiceRow).end_grace()
        await running.type(" oss")
        await running.press("tab", "y")
        await running.until(lambda: "Supports tools" in running.shown())
        await running.until(lambda: "gpt-oss-20b" in running.shown())
        box = running.app.screen.query_one(Input)
        assert box.value == "groq oss", "what was typed meanwhile went into the filter"
    assert (app_setup.checked, app_setup.listed) == (["groq:openai/gpt-oss-120b"], ["groq"])


async def test_what_arrives_leaves_the_highlight_where_it_is(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    agree_to_groq(app_setup)
    async with open_app() as running:
        await open_picker(running)
        while highlighted(running)[0] != "anthropic":
            await running.press("down")
        row = next(
            y for y, line in enumerate(running.shown().splitlines()) if "▌   6 Anthropic" in line
        )
        app_setup.lists["groq"] = tuple(ModelInfo(f"model-{number}") for number in range(40))
        picker = running.app.screen
        assert isinstance(picker, ModelPicker)
        groq = next(each for each in app_setup.services().options if each.row.id == "groq")
        await picker._ask(groq).wait()
        await wait_until_idle()
        assert highlighted(running)[0] == "anthropic"
        assert "▌   6 Anthropic" in running.shown().splitlines()[row]
        await running.type("model-39")
        assert highlighted(running) == ("groq", "model-39")


async def test_hundreds_of_models_stay_fast(app_setup: AppSetup, open_app: AppOpener) -> None:
    agree_to_groq(app_setup)
    app_setup.lists["groq"] = tuple(
        ModelInfo(f"vendor/model-{number}-instruct") for number in range(500)
    )
    async with open_app() as running:
        await open_picker(running)
        with CallCounter() as calls:
            await running.type("499")
        assert highlighted(running) == ("groq", "vendor/model-499-instruct")
        assert calls.count / len("499") < 400_000
