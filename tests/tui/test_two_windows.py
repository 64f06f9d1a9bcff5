"""Two windows on one conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scripted import Pause, ScriptedProvider, answer, call, calls, in_order
from tests.tui.conftest import NARROW, AppOpener, AppSetup, OpenApp
from tests.tui.driving import press_keys
from tests.tui.pane import add_titles
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.store.store import Store, open_store

DELETED = "This conversation was deleted in another window."


async def say(
    store: Store, text: str, told: str, conversation_id: str, replaces: str | None = None
) -> None:
    """Run a turn in the other window."""
    config = RunConfig(store, ScriptedProvider(in_order(answer(told))))
    async for _ in run_turn(text, config, conversation_id=conversation_id, replaces=replaces):
        pass


def latest_of(app_setup: AppSetup) -> str:
    """The id of the conversation on screen."""
    latest = app_setup.store.conversations.latest()
    assert latest is not None
    return latest.id


def slow_second_answer(app_setup: AppSetup) -> asyncio.Event:
    """Let the model answer thrice; the second answer waits for the event that is returned."""
    ended = asyncio.Event()

    async def wait(_seconds: float) -> None:
        await ended.wait()

    rounds = in_order(answer("First."), (Pause(1), *answer("Second.")), answer("Third."))
    app_setup.provider = ScriptedProvider(rounds, sleep=wait)
    return ended


def told(running: OpenApp) -> list[str]:
    return running.notified


def delete(store: Store, conversation_id: str) -> None:
    store.conversations.delete(conversation_id)


def erase(store: Store, conversation_id: str) -> None:
    store.conversations.erase(conversation_id)


async def test_a_turn_of_another_window_appears_and_nothing_typed_is_lost(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.script(answer("First."), answer("Third."))
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            latest = app_setup.store.conversations.latest()
            assert latest is not None
            await running.type("half a mess")
            await running.pilot.resize_terminal(*NARROW)
            await say(other, "two", "Second.", latest.id)
            await running.until(lambda: "Second." in running.shown())
            assert "First." in running.shown()
            # The hidden list has no news before a task is written.
            assert "● changed" not in running.shown()
            add_titles(other, "Milk")
            await running.until(lambda: "● changed" in running.shown())
            assert running.composer.text == "half a mess"
            await running.type("age\n")
            await running.until(lambda: "Third." in running.shown())
            turns = app_setup.store.turns.list(latest.id)
            assert [turn.user_text for turn in turns] == ["one", "two", "half a message"]
            request = app_setup.provider.requests[-1]
            assert "Second." in [message.text for message in request.messages]


async def test_a_reader_is_left_where_they_are(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.script(answer("First."))
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            latest = app_setup.store.conversations.latest()
            assert latest is not None
            await running.press("shift+tab", "up")
            part = running.app.focused
            await say(other, "two", "Second.", latest.id)
            other.app_state.set("anything", "more")
            await running.settle()
            for _ in range(20):
                await asyncio.sleep(0.05)
            assert running.app.focused is part


@pytest.mark.parametrize(
    ("place", "remove"),
    [("writing", erase), ("editing", delete)],
)
async def test_a_conversation_deleted_elsewhere_is_said_once_and_what_was_typed_stays(
    app_setup: AppSetup,
    open_app: AppOpener,
    tmp_path: Path,
    remove: Callable[[Store, str], None],
    place: str,
) -> None:
    app_setup.script(answer("First."), answer("Second."))
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            deleted = latest_of(app_setup)
            await running.type("half a mess")
            if place == "editing":
                await running.press("shift+tab", "up", "e")
                await running.type(" more")
            box = running.composer.text
            remove(other, deleted)
            await running.until(lambda: any(DELETED in each for each in told(running)))
            await running.settle()
            assert "First." not in running.shown()
            assert running.composer.text == box
            other.app_state.set("anything", "more")
            running.composer.focus()
            await running.press("end")
            await running.type("age\n")
            await running.until(lambda: "Second." in running.shown())
            assert len(told(running)) == 1
            assert latest_of(app_setup) != deleted


async def test_a_message_to_a_conversation_that_is_gone_returns_to_the_box(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.script(answer("First."), answer("Second."))
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            erase(other, latest_of(app_setup))
            await running.send("two")
            await running.until(lambda: any(DELETED in each for each in told(running)))
            await running.until(lambda: running.composer.text == "two")
            assert len(told(running)) == 1
            assert "First." not in running.shown()
            await running.press("enter")
            await running.until(lambda: "Second." in running.shown())


async def test_a_message_under_way_as_its_conversation_is_erased_is_not_lost(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    ended = slow_second_answer(app_setup)
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            deleted = latest_of(app_setup)
            running.composer.insert("two")
            await running.press("enter")
            await running.until(lambda: len(app_setup.store.turns.list(deleted)) == 2)
            erase(other, deleted)
            await running.until(lambda: running.screen.chat.session.busy)
            ended.set()
            await running.until(lambda: any(DELETED in each for each in told(running)))
            await running.settle()
            assert "Second." not in running.shown()
            assert running.composer.text == "two"


async def test_an_edit_elsewhere_appears_once_the_turn_here_has_ended(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    ended = slow_second_answer(app_setup)
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            shown = latest_of(app_setup)
            (first,) = app_setup.store.turns.list(shown)
            running.composer.insert("two")
            await running.press("enter")
            await running.until(lambda: len(app_setup.store.turns.list(shown)) == 2)
            await say(other, "uno", "Primo.", shown, replaces=first.id)
            ended.set()
            await running.until(lambda: "Primo." in running.shown())
            assert "Second." not in running.shown()
            await running.send("three")
            turns = app_setup.store.turns.list(shown)
            assert [turn.user_text for turn in turns] == ["uno", "three"]


async def test_an_edit_elsewhere_leaves_an_edit_here_alone(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.script(answer("First."), answer("Second."))
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            await running.send("one")
            shown = latest_of(app_setup)
            (first,) = app_setup.store.turns.list(shown)
            await running.press("shift+tab", "up", "e")
            await say(other, "uno", "Primo.", shown, replaces=first.id)
            await running.settle()
            await running.type(" again\n")
            await running.until(lambda: "Second." in running.shown())
            turns = app_setup.store.turns.list(shown)
            assert [turn.user_text for turn in turns] == ["one again"]
            assert len(app_setup.store.turns.branches(turns[0].id)) == 3


async def test_no_key_fails_on_a_conversation_that_is_gone(
    app_setup: AppSetup,
    open_app: AppOpener,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    # Of each kind one: of a part, of its turn, what asks the model, a list, a screen.
    keys = ("u", "e", "a", "slash", "f3")
    milk = calls(call("add_task", title="Milk"))
    app_setup.script(*[milk, answer("First.")] * len(keys))
    with open_store(tmp_path / "tasks.db", user="ann", clock=app_setup.clock) as other:
        async with open_app() as running:
            for key in keys:
                running.notified.clear()
                running.composer.text = ""
                running.composer.focus()
                await running.send("one")
                await running.press("shift+tab", "up")
                erase(other, latest_of(app_setup))
                await press_keys(running.app, [key])
                await running.until(lambda: any(DELETED in each for each in told(running)))
                await running.settle()
                await running.press("escape", "escape")
                assert len(told(running)) <= 2, key
                assert running.app.screen is running.screen, key
    assert "Traceback" not in caplog.text
