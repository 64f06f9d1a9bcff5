"""The screen that shows what was done."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from textual.screen import Screen

from tests.past import at, bring, busy_year, closed
from tests.tui.conftest import NARROW, NOW, WIDE, AppOpener, AppSetup, ComparePicture, OpenApp
from tests.tui.pane import add
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.screens.statistics import HeatMapGrid, StatisticsScreen
from todo_tui.tui.widgets.tab_bar import TabBar

TODAY = NOW.date()
CLOCK = Clock("Europe/Berlin", NOW)


@pytest.fixture(scope="session")
def year_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year, and a few tasks that are open, in a file of its own."""
    path = tmp_path_factory.mktemp("year") / "tasks.db"
    with open_store(path, user="ann", clock=CLOCK) as store:
        bring(store, busy_year(TODAY))
        add(store, "Pay rent friday #home", "Call mom yesterday", "Fix the tap #work")
    return path


@pytest.fixture
def busy(tmp_path: Path, year_file: Path) -> Iterator[AppSetup]:
    """What the app is opened with after that year."""
    path = tmp_path / "year.db"
    shutil.copy(year_file, path)
    with open_store(path, user="ann", clock=CLOCK) as store:
        yield AppSetup(store, CLOCK)


class Nothing(Screen[None]):
    """Stands where the conversation and the list take their time to open."""

    def __init__(self, ready: Callable[[], object]) -> None:
        super().__init__()
        self._ready = ready

    def on_mount(self) -> None:
        self._ready()


class ScreenAlone(TodoApp):
    """The app with nothing below the screen that is tested."""

    def get_default_screen(self) -> Screen[None]:
        return Nothing(self._keys.open)


@asynccontextmanager
async def statistics(app_setup: AppSetup, size: tuple[int, int] = WIDE) -> AsyncIterator[OpenApp]:
    """The screen with everything counted."""
    app = ScreenAlone(app_setup.services())
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        app.push_screen(StatisticsScreen(app.services))
        running = OpenApp(app, pilot)
        await running.settle()
        yield running


def is_open(running: OpenApp) -> bool:
    return isinstance(running.app.screen, StatisticsScreen)


async def until_read(running: OpenApp, day: str) -> None:
    await running.until(lambda: words(running) == day)


def map_of(running: OpenApp) -> HeatMapGrid:
    return running.app.screen.query_one(HeatMapGrid)


def words(running: OpenApp) -> str:
    """What is said beside the map's legend."""
    return map_of(running).render().plain.splitlines()[-1].partition("more")[2].strip()


async def test_an_empty_one_names_the_key_that_ticks(app_setup: AppSetup) -> None:
    app_setup.keymap = {"list.tick": "f5"}
    async with statistics(app_setup, NARROW) as running:
        assert "Press F5 in the task list" in running.shown()


async def test_a_year(busy: AppSetup, snap_both_sizes: ComparePicture) -> None:
    async with statistics(busy) as running:
        assert "tasks completed in 365 days" in running.shown()
        await snap_both_sizes(running)


async def test_nothing_done_yet(app_setup: AppSetup, snap_compare: ComparePicture) -> None:
    add(app_setup.store, "Pay rent friday #home")
    async with statistics(app_setup, NARROW) as running:
        assert "No completed tasks yet." in running.shown()
        await snap_compare(running)


async def test_a_month_in_the_light(busy: AppSetup, snap_compare: ComparePicture) -> None:
    busy.theme = "light"
    async with statistics(busy) as running:
        await running.press("1", "left", "left")
        await running.settle()
        await snap_compare(running)


async def test_without_colour_the_map_can_be_read(
    busy: AppSetup, snap_compare: ComparePicture
) -> None:
    busy.no_color = True
    async with statistics(busy, NARROW) as running:
        await running.press("2", "up")
        await running.settle()
        await snap_compare(running)


async def test_the_period_changes_by_number_by_tab_and_by_mouse(app_setup: AppSetup) -> None:
    ago = [NOW - timedelta(days=days) for days in (3, 60, 200, 399)]
    bring(app_setup.store, [closed(at(moment.isoformat())) for moment in ago])
    async with statistics(app_setup) as running:
        assert "3 tasks completed in 365 days" in running.shown()
        await running.press("1")
        await running.until(lambda: "1 task completed in 30 days" in running.shown())
        await running.press("tab")
        await running.until(lambda: "2 tasks completed in 90 days" in running.shown())
        await running.press("shift+tab", "shift+tab")
        await running.until(lambda: "4 tasks completed in 400 days" in running.shown())
        await running.pilot.click(TabBar, offset=(5, 0))
        await running.until(lambda: "1 task completed in 30 days" in running.shown())


async def test_keys_and_the_mouse_read_one_day_after_the_other_and_escape_goes_back(
    app_setup: AppSetup,
) -> None:
    bring(app_setup.store, [closed(at("2026-11-17T10:00")), closed(at("2026-11-10T10:00"))])
    async with statistics(app_setup) as running:
        assert words(running) == "busiest Tue 17 Nov: 1"
        # The day below the mouse is read.
        day_map = map_of(running)
        picture = day_map.picture
        assert picture is not None
        newest = 5 + (len(picture.weeks) - 1) * day_map.cell_width
        await running.pilot.hover(HeatMapGrid, offset=(newest, 2))
        assert words(running) == "Tue 17 Nov: 1 completed"
        await running.pilot.hover(HeatMapGrid, offset=(newest, 7))
        assert words(running) == "Tue 17 Nov: 1 completed", "days to come cannot be read"

        for key, read in (
            ("end", "Wed 18 Nov: none completed"),
            ("up", "Tue 17 Nov: 1 completed"),
            ("left", "Tue 10 Nov: 1 completed"),
            ("down", "Wed 11 Nov: none completed"),
            ("end", "Wed 18 Nov: none completed"),
            ("right", "Wed 18 Nov: none completed"),
        ):
            await running.press(key)
            await until_read(running, read)

        await running.press("escape")
        assert not is_open(running)
        add(app_setup.store, "what is written now is nobody's business any more")
        await running.settle()


async def test_moving_back_turns_to_the_year_before_as_far_as_there_is_anything(
    app_setup: AppSetup,
) -> None:
    bring(app_setup.store, [closed(at("2026-07-15T10:00")), closed(at("2026-11-17T10:00"))])
    async with statistics(app_setup, (22, 24)) as running:
        shown = map_of(running).picture
        assert shown is not None
        await running.press(*["left"] * len(shown.weeks))
        await running.until(lambda: map_of(running).picture != shown)
        earlier = map_of(running).picture
        assert earlier is not None
        assert earlier.period.last < TODAY
        day = map_of(running).day
        assert day is not None
        assert day in earlier.period
        assert "◆" in running.shown()
        await running.press(*["left"] * 10)
        assert map_of(running).day == date(2026, 7, 15)
        await running.press("end")
        assert map_of(running).picture == shown


async def test_what_changes_meanwhile_is_counted(app_setup: AppSetup, open_app: AppOpener) -> None:
    (task,) = add(app_setup.store, "Pay rent")
    async with open_app() as running:
        await running.press("f4")
        await running.until(lambda: "No completed tasks yet." in running.shown())
        app_setup.store.tasks.complete(
            [task.id], by=app_setup.store.new_change_context(Actor.ASSISTANT)
        )
        await running.until(lambda: "1 task completed in 365 days" in running.shown())
        app_setup.store.tasks.undo(by=app_setup.store.new_change_context(Actor.USER))
        await running.until(lambda: "No completed tasks yet." in running.shown())


async def test_a_narrow_screen_scrolls_to_what_does_not_fit(busy: AppSetup) -> None:
    async with statistics(busy, NARROW) as running:
        assert "work.reports" not in running.shown()
        await running.press("pagedown")
        await running.until(lambda: "work.reports" in running.shown())
        await running.press("pageup")
        await running.until(lambda: "365 days" in running.shown())


@pytest.mark.parametrize("size", [(20, 8), (200, 60)])
async def test_any_size_will_do(app_setup: AppSetup, size: tuple[int, int]) -> None:
    bring(app_setup.store, [closed(at("2026-11-17T10:00"), project="work")])
    async with statistics(app_setup, size) as running:
        await running.press("left", "4", "end", "pagedown", "pageup")
        await running.settle()
        assert is_open(running)


async def test_names_of_projects_are_shown_as_they_are(app_setup: AppSetup) -> None:
    done_at = at("2026-11-17T10:00")
    bring(
        app_setup.store,
        [
            closed(done_at, project="[red]a[/red]"),
            closed(done_at, project="名前" * 30),
            closed(done_at, created_at=done_at - timedelta(days=3), project="💪🏽 sport"),
        ],
    )
    async with statistics(app_setup) as running:
        assert "[red]a[/red]" in running.shown()
        assert "名前名前名前名前…" in running.shown()


def test_the_app_opens_without_it() -> None:
    code = "import sys, todo_tui.tui.app; print('todo_tui.domain.statistics' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout.strip() == "False"
