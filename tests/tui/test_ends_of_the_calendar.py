"""The app at the first and the last moment at which its clock may stand."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

import pytest
from textual import events

from tests.blank import blank
from tests.tui.conftest import WIDE, AppSetup, OpenApp
from tests.tui.pane import add
from todo_tui.domain.when import CLOCK_YEARS, Clock
from todo_tui.store.store import open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.task_list.widget import TaskList

FIRST = datetime(CLOCK_YEARS[0], 1, 1)
LAST = datetime(CLOCK_YEARS[-1], 12, 31, 23, 59)
SCREENS = ("E", "c", "f3", "f4")
DATES = ("2 weeks earlier", "every day", "in 3 months")
FILTERS = ("overdue", "due.before:friday")


# In UTC the first moment lies in the year before, the last one in the year after.
@pytest.mark.parametrize(
    ("now", "zone"), [(FIRST, "Pacific/Auckland"), (LAST, "America/Los_Angeles")]
)
async def test_every_screen_view_and_date_works(
    tmp_path: Path, now: datetime, zone: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    clock = Clock(zone, now)
    with open_store(blank(tmp_path / "tasks.db"), user="ann", clock=clock) as store:
        add(store, "plain", "Call today 5pm", "Rent yesterday every month", "Walk in 3 years")
        app = TodoApp(AppSetup(store, clock).services())
        app.animation_level = "none"
        async with app.run_test(size=WIDE, notifications=True) as pilot:
            running = OpenApp(app, pilot)
            await running.until(lambda: running.screen.query(Transcript))
            tasks = running.screen.query_one(TaskList)
            for key in SCREENS:
                tasks.focus()
                await running.press(key)
                await running.settle()
                while app.screen is not running.screen:
                    await running.press("escape")
            for key, texts in (("s", DATES), ("slash", FILTERS)):
                for text in texts:
                    tasks.focus()
                    await running.press("home", "down", key)
                    # As pasted: each letter would be a frame.
                    app.post_message(events.Paste(text))
                    await running.press("enter")
                    await running.settle()
                    await running.press("escape")
            tasks.focus()
            await running.press(*["right_square_bracket"] * 9, "home", "space", "u", "U")
            await running.settle()
            assert tasks.has_focus
            await app.action_quit()
            assert app.leaving is not None
            await app.leaving
    assert caplog.text == ""
