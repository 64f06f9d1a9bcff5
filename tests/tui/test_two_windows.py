"""Two windows on one conversation."""

from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.agent.config import RunConfig
from todo_tui.agent.loop import run_turn
from todo_tui.providers.scripted import ScriptedProvider, answer, in_order
from todo_tui.store.store import Store, open_store


async def say(store: Store, text: str, told: str, conversation_id: str) -> None:
    """Run a turn in the other window."""
    config = RunConfig(store, ScriptedProvider(in_order(answer(told))))
    async for _ in run_turn(text, config, conversation_id=conversation_id):
        pass


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
            await say(other, "two", "Second.", latest.id)
            await running.until(lambda: "Second." in running.shown())
            assert "First." in running.shown()
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
            other.memory.set("anything", "more")
            await running.settle()
            for _ in range(20):
                await running.pilot.pause(0.05)
            assert running.app.focused is part
