"""What is typed with a slash: commands, explanations, and messages that only look like one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.app import App

from tests.rows import each_row
from tests.scripted import answer
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.errors import StoreError
from todo_tui.domain.task import Actor
from todo_tui.tui.actions.action import Action, ActionHost
from todo_tui.tui.actions.hints import perform_or_explain
from todo_tui.tui.actions.registry import SLASH_COMMANDS, TABLES
from todo_tui.tui.chat.completion import ComposerCompletionList
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.slash_commands import (
    CommandCall,
    escape_message,
    parse_message,
)
from todo_tui.tui.models.picker import ModelPicker
from todo_tui.tui.screens.changes import ChangesScreen
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.screens.log_file import LogFileScreen
from todo_tui.tui.screens.usage import UsageScreen
from todo_tui.tui.widgets.line_input import LineInput

MESSAGES = (
    "/etc/hosts is broken",
    "/etc/hosts",
    "/etc/",
    "/etc.d is empty",
    "/var/log\nis full",
    "/a\\b",
    "/2nd of may",
    "/ is a slash",
    "/model/x is broken",
    " /model",
    "see /model",
    "// a comment",
    "",
)


def test_what_only_begins_like_a_command_is_a_message() -> None:
    assert [text for text in MESSAGES if parse_message(text) != text] == []


@each_row(
    ("text", "name", "argument"),
    [
        ("/model", "model", ""),
        ("/model  groq:x ", "model", "groq:x"),
        ("/Model x", "model", "x"),
        ("/model\nx", "model", "x"),
        ("/new", "new", ""),
    ],
)
def test_known_words_are_commands(text: str, name: str, argument: str) -> None:
    reading = parse_message(text)
    assert isinstance(reading, CommandCall)
    assert reading.command is not None
    assert (reading.command.name, reading.argument) == (name, argument)


@each_row(
    ("text", "word", "argument"),
    [
        ("/foo", "foo", ""),
        ("/", "", ""),
        ("/home ", "home", ""),
        ("/udno 2", "udno", "2"),
        ("/exprot now", "exprot", "now"),
        ("/Undoo\nthat", "Undoo", "that"),
        ("/models are nice", "models", "are nice"),
        ("/srv is full", "srv", "is full"),
        ("/undo, please", "undo", ", please"),
        ("/undo.", "undo", "."),
    ],
)
def test_a_word_that_is_no_command_is_not_sent(text: str, word: str, argument: str) -> None:
    assert parse_message(text) == CommandCall(word, None, argument)


async def test_what_was_undone_is_redone_by_a_command(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tasks, by = app_setup.store.tasks, app_setup.store.new_change_context(Actor.USER)
    tasks.add({"title": "Apples"}, by=by)
    tasks.undo(by=app_setup.store.new_change_context(Actor.USER))
    async with open_app() as running:
        assert "Apples" not in running.shown()
        await running.type("/redo\n")
        await running.until(lambda: "Apples" in running.shown())
        assert running.writes()


async def test_a_misspelt_command_with_words_is_answered_with_the_nearest(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.type("/udno 2\n")
        await until_said(running, "Did you mean /undo?")
        await until_said(running, "type //udno …")
        assert running.composer.text == "/udno 2"
        assert app_setup.store.conversations.list() == ()


@each_row(
    ("typed", "sent"),
    [
        ("//model x", "/model x"),
        ("//foo", "/foo"),
        ("//srv is full", "/srv is full"),
        ("//udno 2", "/udno 2"),
        ("// a comment", "// a comment"),
        ("//etc/hosts is broken", "//etc/hosts is broken"),
        ("//", "/"),
        ("///", "//"),
    ],
)
def test_a_second_slash_makes_a_message_of_a_command(typed: str, sent: str) -> None:
    assert parse_message(typed) == sent


@settings(max_examples=200)
@given(st.text(alphabet="/model x\nfoo1", max_size=12))
def test_every_message_can_be_typed(message: str) -> None:
    assert parse_message(escape_message(message)) == message


def test_every_command_has_a_name_of_its_own_and_says_what_it_does() -> None:
    slashes = {row.slash for table in TABLES for row in table if row.slash is not None}
    assert sorted(slash.name for slash in slashes) == sorted(SLASH_COMMANDS)
    assert all(command.summary for command in SLASH_COMMANDS.values())


async def until_open(running: OpenApp, screen: type) -> None:
    await running.until(lambda: isinstance(running.app.screen, screen))


async def until_said(running: OpenApp, words: str) -> None:
    await running.until(lambda: words in " ".join(running.shown().split()))


async def test_the_conversation_is_renamed_pinned_and_exported_by_commands(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app_setup.script(answer("Hm."))
    conversations = app_setup.store.conversations
    async with open_app() as running:
        await running.type("/pin\n")
        await until_said(running, "No conversation yet.")
        await running.send("hello")
        await running.type("/rename\n")
        await running.until(lambda: running.composer.text == "/rename hello")
        await running.type(" world\n")
        await until_said(running, "Renamed to “hello world”.")
        await running.type("/pin\n")
        await running.until(lambda: conversations.list()[0].pinned)
        assert conversations.list()[0].title == "hello world"
        umask = os.umask(0o022)
        await running.type("/export\n")
        await running.until(lambda: (tmp_path / "hello-world.md").exists())
        os.umask(umask)
        # The full path is told, and can be chosen: a folder or a new file.
        (tmp_path / "talks").mkdir()
        for typed, path in {
            "": "hello-world.md",
            " talks": "talks/hello-world.md",
            " talks/mine.md": "talks/mine.md",
        }.items():
            if typed:
                await running.type(f"/export{typed}")
                await running.press("escape", "enter")
            told = f"Exported to {tmp_path / path}."
            await running.until(lambda: told in running.notified)  # noqa: B023 - awaited
        await running.until(lambda: (tmp_path / "talks" / "mine.md").exists())
        for path, reason in {
            "talks/mine.md": "exists",
            "none/x.md": f"no folder {tmp_path}/none.",
        }.items():
            await running.type(f"/export {path}")
            await running.press("escape", "enter")
            await running.until(lambda: reason in running.notified[-1])  # noqa: B023 - awaited
            assert running.composer.text == f"/export {path}"
            running.composer.text = ""
    assert (tmp_path / "hello-world.md").stat().st_mode & 0o777 == 0o600


async def test_ctrl_c_clears_a_message_and_keeps_it_when_the_app_quits(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.type("a long\\\nmessage")
        await running.press("ctrl+c")
        assert running.composer.text == ""
        await running.press("up")
        assert running.composer.text == "a long\nmessage"
        for _ in range(2):
            # At once: a second Ctrl+C counts for two seconds only.
            running.app.post_message(events.Key("ctrl+c", None))
        await running.until(lambda: running.app._exit)
    async with open_app() as running:
        assert running.composer.text == "a long\nmessage"


OFFER = "Press Ctrl+C again to quit."


def notices(running: OpenApp) -> str:
    return "\n".join(notice.message for notice in running.app._notifications)


async def test_any_other_key_withdraws_the_offer_to_quit(open_app: AppOpener) -> None:
    async with open_app() as running:
        for keys in (("s",), ("tab", "a", "m")):
            running.notified.clear()
            await running.type("first thing")
            await running.press("ctrl+c")
            assert OFFER in running.notified[-1]
            await running.press(*keys)
            assert OFFER not in notices(running)
            await running.press("ctrl+c")
            assert not running.app._exit
            assert running.composer.text == ""
            assert OFFER in running.notified[-1]
            assert len(running.notified) == 2


async def test_the_offer_to_quit_ends_with_its_notice(open_app: AppOpener) -> None:
    async with open_app() as running:
        await running.press("ctrl+c")
        await running.until(lambda: OFFER not in notices(running))
        await running.press("ctrl+c")
        assert not running.app._exit
        assert OFFER in running.notified[-1]


SCREENS = {
    "/model": ModelPicker,
    "/help": HelpScreen,
    "/changes": ChangesScreen,
    "/log": LogFileScreen,
}


async def test_a_command_opens_its_screen_and_is_never_sent_and_an_unknown_one_is_explained(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Hm."))
    async with open_app() as running:
        for typed, screen in SCREENS.items():
            await running.type(typed)
            await running.press("enter")
            await until_open(running, screen)
            await running.press("escape")
            await running.settle()
            assert running.composer.text == ""
            assert not running.transcript.turns

        # An unknown word stays in the box.
        await running.send("/modle")
        assert "Unknown command /modle. Did you mean /model?" in " ".join(running.shown().split())
        assert running.composer.text == "/modle"
        await running.press("ctrl+u")

        # A command without arguments keeps the words behind it.
        await running.send("/new shoes for the kids")
        assert running.composer.text == "/new shoes for the kids"
        assert "/new takes no arguments." in running.shown()
        await running.press("ctrl+u")
        assert not app_setup.provider.requests

        # Without a slash Tab leads to the list.
        await running.type("/mo")
        for _ in range(3):
            await running.press("backspace")
        await running.press("tab")
        assert not running.writes()
        await running.press("tab")

        # A path is sent as it is.
        await running.send("/etc/hosts is broken")

        # A search opens with the words behind its command, and with its matches.
        for command, found in {
            "/find hosts": "1 turn", "/history broken": "/etc/hosts is broken",
            "/conversations hosts": "1 found", "/help tool details": "Show/hide tool details",
        }.items():  # fmt: skip
            await running.send(command)
            words = command.split(" ", 1)[1]
            await running.until(lambda: found in running.shown())  # noqa: B023 - awaited at once
            assert running.app.screen.query(LineInput).first().value == words
            while len(running.app.screen_stack) > 1:
                await running.press("escape")
    assert app_setup.provider.requests[0].messages[-1].text == "/etc/hosts is broken"


async def test_models_and_providers_are_chosen_by_name_and_a_mistake_says_what_is_near(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("openai")
    app_setup.running["ollama"] = ("qwen3.5:4b", "llama3.2:3b", "llama3.3:70b")
    app_setup.running["local"] = ("tiny-b",)

    async with open_app() as running:
        # A server without a configured model has the first that it names.
        await running.send("/provider local")
        await running.until(lambda: "◆ Local server · tiny-b" in running.shown())

        # A name that several models have opens the list of them.
        await running.send("/model llama3")
        await running.until(lambda: isinstance(running.app.screen, ModelPicker))
        await running.press("down", "enter")
        await running.until(lambda: "◆ Ollama · llama3.3:70b" in running.shown())

        # A number is that of the list, as with Alt.
        await running.send("/model 1")
        await running.until(lambda: "◆ Built-in" in running.shown())

        # One that a single model has chooses it at once.
        await running.send("/model qwen3")
        await running.until(lambda: "◆ Ollama · qwen3.5:4b" in running.shown())
        assert app_setup.store.app_state.get("model") == "qwen3.5:4b"

        # A provider.
        await running.send("/provider offline")
        await running.until(lambda: "◆ Built-in" in running.shown())
        await running.send("/provider olla")
        await running.until(lambda: "◆ Ollama" in running.shown())

        # A name with its provider is used as it is typed.
        await running.send("/model ollama:brand-new")
        await running.until(lambda: "◆ Ollama · brand-new" in running.shown())

        # An unknown one says what is near, one without a key what it needs.
        for typed, told in (
            ("/model gpt-6-lunna", "Did you mean gpt-6-luna"),
            ("/provider anthropic", "Anthropic needs an API key."),
            ("/model groq", "Groq needs an API key. Get a key at"),
            ("/provider antropic", "Did you mean anthropic"),
            ("/model 99", "There is no model 99."),
        ):
            await running.send(typed)
            await until_said(running, told)
            assert running.composer.text == typed
            await running.press("ctrl+u")
        assert not app_setup.provider.requests

        # Hints follow what is typed, and Tab completes.
        await running.send("/provider offline")
        await running.until(lambda: "◆ Built-in" in running.shown())
        await running.type("/mo")
        await running.until(lambda: "Choose model" in running.shown())
        await running.press("tab")
        assert running.composer.text == "/model "
        await running.type("llama3.3")
        await running.until(lambda: "/model ollama:llama3.3:70b" in running.shown())
        await running.press("tab")
        assert running.composer.text == "/model ollama:llama3.3:70b"
        await running.press("enter")
        await running.until(lambda: "◆ Ollama · llama3.3:70b" in running.shown())
        assert not running.screen.query_one(ComposerCompletionList).display


async def test_a_message_that_looks_like_a_command_comes_back_so_that_it_stays_a_message(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Fine."), answer("Fine again."))
    async with open_app() as running:
        await running.send("//help")
    async with open_app() as running:
        await running.press("up")
        assert running.screen.query_one(Composer).text == "//help"
        await running.press("enter")
        await running.settle()
    assert [request.messages[-1].text for request in app_setup.provider.requests] == [
        "/help",
        "/help",
    ]


async def test_commands_work_while_a_turn_runs(app_setup: AppSetup, open_app: AppOpener) -> None:
    app_setup.script(answer("Once upon a time there was a list " * 400, pause=0.05))
    async with open_app() as running:
        await running.type("tell me a story")
        await running.press("enter")
        await running.until(lambda: "Once upon" in running.shown())
        # One that cannot run now stays in the box.
        await running.type("/compare groq\n")
        await until_said(running, "Stop the response first: press Esc.")
        assert running.composer.text == "/compare groq"
        await running.press("ctrl+u")
        await running.type("/usage")
        await running.press("enter")
        await running.until(lambda: isinstance(running.app.screen, UsageScreen))
        await running.press("escape")
        await running.press("escape")
        await running.settle()


class FailingApp(ActionHost, App[None]):
    """App whose action raises."""

    ACTIONS = (Action("app.help", "Fail", "f1", lambda app: app.fail()),)

    async def fail(self) -> None:
        raise StoreError("The database is gone.", hint="Look in the trash.")


async def test_an_action_that_fails_says_why_by_its_key_and_by_its_name() -> None:
    app = FailingApp()
    async with app.run_test(notifications=True) as pilot:
        await pilot.press("f1")
        assert not await perform_or_explain(app, FailingApp.ACTIONS[0])
        await pilot.pause()
        shown = [(each.title, each.message) for each in app._notifications]
    assert shown == [("Error", "The database is gone. Look in the trash.")] * 2
