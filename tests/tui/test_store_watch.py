"""What the open app shows as time goes on."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from tests.moved_clock import moved_clock
from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When
from todo_tui.store.store import open_store


async def test_a_task_becomes_overdue_while_the_app_is_open(
    tmp_path: Path, app_setup: AppSetup, open_app: AppOpener
) -> None:
    clock = moved_clock("Europe/Berlin", datetime(2026, 11, 18, 14, 59))
    with open_store(tmp_path / "clock.db", user="ann", clock=clock) as store:
        app_setup.store, app_setup.clock = store, clock
        due = When.parse("2026-11-18T15:00")
        store.tasks.add({"title": "call", "due": due}, by=store.new_change_context(Actor.USER))
        async with open_app() as running:
            assert "OVERDUE" not in running.shown()
            clock.wall[0] += timedelta(minutes=2)
            await running.until(lambda: "OVERDUE" in running.shown())


async def test_rows_of_the_day_before_have_dates_after_midnight(
    tmp_path: Path, app_setup: AppSetup, open_app: AppOpener
) -> None:
    clock = moved_clock("Europe/Berlin", datetime(2026, 11, 18, 23, 59))
    with open_store(tmp_path / "clock.db", user="ann", clock=clock) as store:
        app_setup.store, app_setup.clock = store, clock
        app_setup.script(
            calls(call("add_task", title="Buy milk", details="tomorrow 5pm")), answer("Added.")
        )
        async with open_app() as running:
            await running.send("milk tomorrow at 5")
            assert "Added Buy milk · tomorrow 17:00" in running.shown()
            clock.wall[0] += timedelta(minutes=2)
            await running.until(lambda: "Added Buy milk · Thu 19 Nov 17:00" in running.shown())
