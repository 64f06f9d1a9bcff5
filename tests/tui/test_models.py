"""Choosing who answers: shortcuts, picker, consent, and what is remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual import events

from tests.scripted import answer
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.cli.wiring.providers import choose_first_model
from todo_tui.config.settings import ModelName
from todo_tui.tui.models.catalog import ModelCatalog
from todo_tui.tui.models.picker import ModelPicker
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.screens.consent import ConsentScreen
from todo_tui.tui.widgets.choice_row import ChoiceRow

GROQ_HOST = "api.groq.com"


async def test_the_app_opens_on_the_built_in_assistant_even_with_a_key(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    app_setup.script(answer("Hello."))
    async with open_app() as running:
        assert "Built-in · ready" in running.shown()
        assert "Groq is ready: type /model 3 to switch." in running.shown()
        await running.send("hello")
    assert {row_id for row_id, _ in app_setup.opened} == {"offline"}


async def open_consent(running: OpenApp) -> None:
    """Wait until the question about a host is open and takes a yes."""
    await running.until(lambda: isinstance(running.app.screen, ConsentScreen))
    running.app.screen.query_one(ChoiceRow).end_grace()


async def test_consent_takes_nothing_that_was_typed_for_the_message_box(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    # Consent to one host does not hold for another.
    app_setup.store.consents.give("elsewhere.example")
    async with open_app() as running:
        await running.press("alt+3")
        await open_consent(running)
        assert GROQ_HOST in running.shown()
        assert "Tab answer · Esc cancel" in running.shown()
        await running.type("yesterday I\n")
        await running.press("left", "right", "enter")
        running.app.post_message(events.Paste("y!"))
        await running.until(lambda: running.composer.text == "yesterday Iy!")
        assert isinstance(running.app.screen, ConsentScreen)
        await running.press("escape")
        await running.settle()
        assert running.writes()
        assert "Built-in · ready" in running.shown()
    assert "groq" not in {row_id for row_id, _ in app_setup.opened}, "no client is opened"
    assert not app_setup.store.consents.covers(GROQ_HOST)


async def test_consent_is_given_on_its_choices_and_cancel_is_marked_first(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    agreeing = "left enter"
    async with open_app() as running:
        for keys in ("enter", "n", agreeing):
            await running.press("alt+3")
            await open_consent(running)
            await running.press("tab", *keys.split())
            await running.settle()
            assert not isinstance(running.app.screen, ConsentScreen)
            assert running.composer.text == ""
            assert app_setup.store.consents.covers(GROQ_HOST) is (keys == agreeing)


async def test_consent_takes_no_key_and_no_click_that_came_as_it_opened(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    async with open_app() as running:
        await running.press("alt+3")
        await running.until(lambda: isinstance(running.app.screen, ConsentScreen))
        # Longer than a busy machine needs to press some keys.
        running.app.screen.query_one(ChoiceRow).start_grace(3600.0)
        await running.press("tab", "y", "enter", "left", "enter")
        await running.pilot.click(ChoiceRow, offset=(4, 0))
        assert isinstance(running.app.screen, ConsentScreen)
        await open_consent(running)
        await running.pilot.click("#consent", offset=(4, 1))
        assert isinstance(running.app.screen, ConsentScreen)
        await running.pilot.click(ChoiceRow, offset=(4, 0))
        await running.settle()
    assert app_setup.store.consents.covers(GROQ_HOST)


async def test_consent_and_choice_are_remembered(app_setup: AppSetup, open_app: AppOpener) -> None:
    app_setup.keys.add("groq")
    app_setup.script(answer("Hello from afar."), answer("Hello again."))
    async with open_app() as running:
        await running.press("alt+3")
        await open_consent(running)
        await running.press("tab", "y")
        await running.settle()
        assert "Groq · " in running.shown()
        await running.send("hello")
    app_setup.opened.clear()
    async with open_app() as running:
        assert "Groq · " in running.shown()
        await running.send("hello again")
        assert not isinstance(running.app.screen, ConsentScreen)
    assert {row_id for row_id, _ in app_setup.opened} == {"groq"}


async def test_a_provider_that_was_named_needs_no_consent(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    app_setup.named = ModelName("groq", "some/model")
    async with open_app() as running:
        assert "Groq" in running.shown()
    assert app_setup.opened == [("groq", "some/model")]


async def test_a_remembered_provider_without_its_key_gives_way_and_says_so(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.app_state.set("provider", "groq")
    app_setup.store.consents.give(GROQ_HOST)
    async with open_app() as running:
        assert "Built-in · ready" in running.shown()
        assert "Groq is unavailable" in running.shown()


@pytest.mark.parametrize("found", [True, False])
async def test_a_remembered_provider_waits_for_what_the_keyring_says(
    app_setup: AppSetup, found: bool
) -> None:
    app_setup.store.app_state.set("provider", "groq")
    app_setup.store.consents.give(GROQ_HOST)
    before = app_setup.services()
    options = [replace(each, asks_keyring=each.row.id == "groq") for each in before.options]
    # Whoever is asked looks into the keyring too.
    app_setup.keys.update(["groq"] if found else [])
    first = choose_first_model(before.settings, options, app_setup.store.app_state)
    services = replace(before, options=tuple(options), first=first)
    switch = ProviderSwitch(services)
    assert switch.choice.provider == "groq"
    await switch.check_local_readiness()
    assert switch.choice.provider == ("groq" if found else "offline")
    assert switch.missed == ("" if found else "Groq")
    rows = ModelCatalog(services, switch).rows()
    states = {row.option.row.id: row.state for row in rows}
    assert states["groq"] == ("ready" if found else "set GROQ_API_KEY")


async def test_a_named_provider_that_cannot_answer_says_so_until_it_does(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.named = ModelName("ollama", "qwen3.5:4b")
    app_setup.script(answer("Hello."))
    async with open_app() as running:
        await running.until(lambda: "◆ Ollama · qwen3.5:4b · not running" in running.shown())
        await running.send("hello")
        await running.until(lambda: "◆ Ollama · qwen3.5:4b · ready" in running.shown())


async def test_keys_and_picker_choose_what_is_ready_and_say_what_the_others_need(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen3.5:4b", "llama3.3:70b")
    async with open_app() as running:
        # What answers is loaded once, and before the first message.
        await running.until(lambda: app_setup.opened)
        await running.type("hello")
        await running.settle()
        assert len(app_setup.opened) == 1
        await running.press("ctrl+u")

        # Ctrl+T goes through those that are ready.
        await running.press("ctrl+t")
        await running.until(lambda: "◆ Ollama" in running.shown())
        await running.press("ctrl+t")
        await running.until(lambda: "◆ Built-in" in running.shown())

        # The picker filters and chooses a listed model.
        await running.press("f2")
        await running.settle()
        await running.until(lambda: isinstance(running.app.screen, ModelPicker))
        await running.type("llama3")
        assert "Gemini" not in running.shown()
        await running.press("enter")
        await running.settle()
        assert "Ollama" in running.shown()
        assert app_setup.opened[-1] == ("ollama", "llama3.3:70b")
        assert app_setup.store.app_state.get("model") == "llama3.3:70b"
        await running.press("ctrl+t")
        await running.until(lambda: "◆ Built-in" in running.shown())

        # It does not choose what is not ready.
        await running.press("f2")
        await running.settle()
        await running.type("gemini")
        await running.press("enter")
        await running.until(lambda: isinstance(running.app.screen, ModelPicker))
        assert "aistudio.google.com" in running.shown()
        await running.press("escape")
        await running.settle()
        assert not isinstance(running.app.screen, ModelPicker)

        # A provider that is not ready says what it needs.
        await running.press("alt+4")
        await running.settle()
        assert "set GEMINI_API_KEY" in running.shown()
        assert "Built-in · ready" in running.shown()
