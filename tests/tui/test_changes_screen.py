"""The screen of all changes: who made them, filters, undo of any."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path

from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store
from todo_tui.tui.screens.changes import ChangesScreen


def add(setup: AppSetup, actor: Actor, *titles: str, agent: str | None = None) -> None:
    by = setup.store.new_change_context(actor, agent=agent)
    setup.store.tasks.add_many([{"title": title} for title in titles], by=by)


async def test_changes_of_all_hands_are_listed_filtered_and_undone(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: Callable[[OpenApp], Awaitable[None]],
) -> None:
    add(app_setup, Actor.USER, "Buy milk", "Call mom")
    add(app_setup, Actor.MCP, "Injected", "[bold]Old receipts", agent="claude-code")
    add(app_setup, Actor.CLI, "Pay rent")
    app_setup.store.tasks.complete([1], by=app_setup.store.new_change_context(Actor.ASSISTANT))
    async with open_app() as running:
        await running.press("alt+l")
        await running.until(lambda: "Changes · everyone · all time" in running.shown())
        assert "Added Buy milk, Call mom" in running.shown()
        await snap_both_sizes(running)
        await running.press("a", "a", "a", "t")
        await running.until(lambda: "Changes · agents · today" in running.shown())
        assert "claude-code" in running.shown()
        assert "Added Buy milk" not in running.shown()
        assert "u undo · a who" in running.shown()
        await running.press("u")
        await running.until(lambda: "Undone: " in running.shown())
        await running.until(lambda: "undone · Added Injected" in running.shown())
        assert [task.title for task in app_setup.store.tasks.find()] == ["Call mom", "Pay rent"]
        await running.until(lambda: "u undo" not in running.shown())
        await running.press("u")
        await running.until(lambda: "Nothing to undo." in running.shown())
        # A write of anybody is shown at once.
        add(app_setup, Actor.MCP, "New", agent="vibe")
        await running.until(lambda: "Added New" in running.shown())
        await running.press("a", "u")
        await running.until(lambda: "Changes · sync" in running.shown())
        assert "No changes." in running.shown()
        await running.press("escape")
        assert not isinstance(running.app.screen, ChangesScreen)


async def test_time_and_actor_stand_apart_however_long_they_are(
    tmp_path: Path, app_setup: AppSetup, open_app: AppOpener
) -> None:
    last_year = Clock("Europe/Berlin", datetime(2025, 3, 10, 9))
    with open_store(tmp_path / "tasks.db", user="ann", clock=last_year) as store:
        for actor, agent in ((Actor.CLI, None), (Actor.MCP, "an-agent-with-a-long-name")):
            store.tasks.add_many(
                [{"title": "Buy milk"}], by=store.new_change_context(actor, agent=agent)
            )
    async with open_app() as running:
        await running.press("alt+l")
        await running.until(lambda: "10 Mar 2025 09:00  shell" in running.shown())
        assert "…  Added Buy milk" in running.shown()
