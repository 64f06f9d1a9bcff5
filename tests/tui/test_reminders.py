"""Reminders in the app: told once, put off, gone to, and on the desktop as text."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from textual import events

from tests.moved_clock import MovedClock, moved_clock
from tests.tui.conftest import AppSetup, OpenApp
from todo_tui.config.settings import ReminderTable, Settings
from todo_tui.domain.reminders import DesktopNotification
from todo_tui.domain.task import Actor, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.store import open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.reminders import DesktopNotifier, ReminderCard

DAY = date(2026, 11, 18)
QUIET = ReminderTable(desktop=DesktopNotification.OFF)


@pytest.fixture
def clock() -> MovedClock:
    return moved_clock("Europe/Berlin", datetime.combine(DAY, time(8)))


@pytest.fixture
def moving(tmp_path: Path, clock: MovedClock) -> Iterator[AppSetup]:
    with open_store(tmp_path / "tasks.db", user="ann", clock=clock) as store:
        yield AppSetup(store, clock)


@asynccontextmanager
async def reminding(
    app_setup: AppSetup, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[OpenApp]:
    app = TodoApp(replace(app_setup.services(), settings=Settings(reminders=QUIET)))
    app.animation_level = "none"
    async with app.run_test(size=size, notifications=True) as pilot:
        running = OpenApp(app, pilot)
        await running.until(lambda: running.screen.query(Transcript))
        await running.until(lambda: running.screen.query(ReminderCard))
        await running.settle()
        yield running
        await app.action_quit()
        assert app.leaving is not None
        await app.leaving


def add(app_setup: AppSetup, title: str, hour: int, minute: int = 0) -> int:
    fields = TaskFields(title=title, due=When(DAY, time(hour, minute)))
    return app_setup.store.tasks.add(fields, by=app_setup.store.new_change_context(Actor.CLI)).id


def card(running: OpenApp) -> ReminderCard:
    return running.screen.query_one(ReminderCard)


async def come(running: OpenApp, clock: MovedClock, hour: int, minute: int = 0) -> None:
    """Let that time come."""
    clock.wall[0] = datetime.combine(DAY, time(hour, minute))
    reminders = card(running)
    reminders._on_timer()
    await running.settle()
    await running.until(lambda: reminders._next is None or reminders._next > clock.utc())
    await running.settle()


async def test_a_reminder_is_shown_once_and_typing_goes_on(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving) as running:
        add(moving, "Call [b]mom[/b] 日本", 17)
        await come(running, clock, 16, 59)
        assert not card(running).is_open
        await come(running, clock, 17)
        assert "Call [b]mom[/b] 日本" in running.shown()
        assert "due today 17:00" in running.shown()
        assert running.writes()
        await running.type("z")
        assert running.composer.text == "z"
        await running.press("alt+z", "escape")
        assert not card(running).is_open
        assert running.writes()
        await come(running, clock, 17, 1)
        assert not card(running).is_open

        # It says the time here.
        due = When(date(2026, 11, 19), time(2))
        fields = TaskFields(title="Call Kenji", due=due, due_zone="Asia/Tokyo")
        moving.store.tasks.add(fields, by=moving.store.new_change_context(Actor.CLI))
        await come(running, clock, 18)
        assert "due today 18:00" in running.shown()


async def test_capital_z_in_the_list_puts_it_off_and_it_comes_again(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving) as running:
        add(moving, "Call mom", 17)
        await running.press("tab", "Z")
        await running.until(lambda: "No reminder to snooze." in running.shown())
        await come(running, clock, 17)
        await running.press("Z")
        await running.until(lambda: "10 min" in running.shown())
        await running.press("z")
        await running.settle()
        assert not card(running).is_open
        assert not running.writes()
        await come(running, clock, 17, 9)
        assert not card(running).is_open
        await come(running, clock, 17, 10)
        assert card(running).is_open


async def test_alt_z_in_a_box_of_the_list_asks_too_and_types_nothing(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving) as running:
        add(moving, "Call mom", 17)
        await come(running, clock, 17)
        await running.press("tab", "a")
        await running.type("milk")
        # As a terminal without the kitty protocol sends it: with its letter.
        running.app.post_message(events.Key("alt+z", "z"))
        await running.until(lambda: card(running).has_focus)
        assert "+ milk " in running.shown()
        await running.press("escape")
        assert not card(running).is_open
        await running.type("s")
        assert "+ milks " in running.shown()


async def test_enter_goes_to_the_task(moving: AppSetup, clock: MovedClock) -> None:
    async with reminding(moving) as running:
        add(moving, "Other", 18)
        add(moving, "Call mom", 17)
        await come(running, clock, 17)
        await running.press("alt+z", "enter")
        await running.settle()
        assert running.screen.tasks.selected_tasks == ((2, "Call mom"),)
        assert not running.writes()


async def test_d_completes_the_first_task_and_the_card_is_below_the_rows(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving) as running:
        add(moving, "Call mom", 16)
        add(moving, "Water plants", 17)
        await come(running, clock, 16)
        await come(running, clock, 17)
        # Below the rows of the list, which covers none of them.
        rows = running.screen.tasks.list_region
        assert card(running).region.y == rows.bottom
        assert card(running).region.x >= rows.x
        assert card(running).region.right == 119
        await running.press("alt+z", "d")
        await running.until(lambda: "Call mom" not in str(card(running).content))
        assert card(running).is_open
        assert card(running).has_focus
        await running.press("d")
        await running.until(lambda: not card(running).is_open)
        assert moving.store.tasks.list().total == 0
        assert running.writes()
        await running.until(lambda: running.screen.tasks.list_region.height > rows.height)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (50, 20)])
@pytest.mark.parametrize("count", [1, 3])
async def test_the_card_names_the_keys_that_work_and_what_each_does(
    moving: AppSetup, clock: MovedClock, size: tuple[int, int], count: int
) -> None:
    async with reminding(moving, size) as running:
        for number in range(count):
            add(moving, f"Call {number} " + "on and on " * 9, 17)
        await come(running, clock, 17)
        assert "Esc dismiss" not in running.shown()
        assert ": snooze, done" in running.shown()
        assert not card(running).region.overlaps(running.composer.region)
        if size == (80, 24):
            assert card(running).region.height == 1
        await running.press("alt+z")
        words = " ".join(str(card(running).content).split())
        assert running.screen.region.contains_region(card(running).region)
        # A line breaks between keys, never between a key and its label.
        for pair in ("z 10 min", "2 1 h", "3 tomorrow", "d done", "Enter open", "Esc dismiss"):
            assert pair in running.shown(), pair
        words = words.replace(" · ", " ")
        if count == 1:
            expected = "Snooze: z 10 min 2 1 h 3 tomorrow d done Enter open Esc dismiss"
            assert words.endswith(expected)
        else:
            assert ": d done Enter open Snooze all 3: z 10 min" in words
            assert words.endswith("3 tomorrow Esc dismiss")


async def test_a_click_snoozes_opens_or_completes_and_notices_are_above_the_card(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving) as running:
        add(moving, "Call mom", 9)
        await come(running, clock, 9)
        running.app.notify("A notice")
        await running.until(lambda: "A notice" in running.shown())
        rows = running.shown().splitlines()
        (notice,) = (at for at, line in enumerate(rows) if "A notice" in line)
        assert card(running).region.y - 2 <= notice < card(running).region.y
        assert rows[notice].index("A notice") >= 60
        # The keys work in the card, and are named there.
        assert "2 1 h" not in running.shown()
        await running.click("Alt+Z: snooze, done")
        await running.click("2 1 h")
        await running.until(lambda: not card(running).is_open)
        assert running.writes()
        await come(running, clock, 10)
        await running.press("alt+z")
        await running.click("Enter open")
        assert running.screen.tasks.selected_tasks == ((1, "Call mom"),)
        add(moving, "Water plants", 11)
        await come(running, clock, 11)
        await running.press("alt+z")
        await running.click("d done")
        await running.until(lambda: moving.store.tasks.list().total == 1)
        assert not card(running).is_open


def changes(hour: int) -> tuple[tuple[TaskFields, str], ...]:
    """What is changed of a task that is due then, and what its card says after it."""
    return (
        (TaskFields(due=When(DAY + timedelta(1), time(10))), ""),
        (TaskFields(due=When(DAY, time(hour + 1))), ""),
        (TaskFields(due=None), ""),
        (TaskFields(status=Status.CANCELLED), ""),
        (TaskFields(due=When(DAY, time(hour - 1, 30))), "Call mom · 30 min late"),
        (TaskFields(due=When(DAY - timedelta(1))), "Call mom · 1 day late"),
        (TaskFields(title="Call dad"), f"Call dad · due today {hour}:00"),
    )


@pytest.mark.parametrize("is_other_process", [False, True])
async def test_a_reminder_follows_its_changed_task(
    moving: AppSetup, clock: MovedClock, is_other_process: bool
) -> None:
    async with reminding(moving, (80, 24)) as running:
        with open_store(moving.store.path, user="ann", clock=clock) as other:
            store = other if is_other_process else moving.store
            for hour, at in enumerate(range(len(changes(10))), start=10):
                fields, words = changes(hour)[at]
                task = add(moving, "Call mom", hour)
                await come(running, clock, hour)
                assert card(running).is_open, fields
                store.tasks.update([task], fields, by=store.new_change_context(Actor.CLI))
                await running.until(
                    lambda: words in running.shown() and card(running).is_open == bool(words)  # noqa: B023 - awaited
                )
                # One that is done needs no attention.
                moving.store.tasks.complete([task], by=moving.store.new_change_context(Actor.CLI))
                await running.until(lambda: not card(running).is_open)


async def test_what_was_missed_is_summed_up_once_at_the_next_start(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving):
        for number in range(6):
            add(moving, f"Call {number}", 9, number)
    clock.wall[0] = datetime.combine(DAY, time(20))
    async with reminding(moving) as running:
        assert "6 while you were away" in running.shown()
        assert "and 2 more" in running.shown()
        await running.press("alt+z", "enter")
        await running.settle()
        # The first is opened, the others stay.
        assert running.screen.tasks.selected_tasks == ((1, "Call 0"),)
        assert "5 while you were away" in running.shown()
        assert not card(running).has_focus
    async with reminding(moving) as running:
        assert not card(running).is_open


async def test_a_reminder_of_an_imported_task_is_shown_too(
    moving: AppSetup, clock: MovedClock
) -> None:
    async with reminding(moving) as running:
        with open_store(moving.store.path, user="ann", clock=clock) as other:
            add(AppSetup(other, clock), "From the shell", 17)
        await running.until(lambda: card(running)._next is not None)
        await come(running, clock, 17)
        assert "From the shell" in running.shown()


async def test_no_reminder_is_shown_where_they_are_off(moving: AppSetup, clock: MovedClock) -> None:
    settings = Settings(reminders=replace(QUIET, enabled=False))
    app = TodoApp(replace(moving.services(), settings=settings))
    async with app.run_test(notifications=True) as pilot:
        running = OpenApp(app, pilot)
        await running.until(lambda: running.screen.query(Transcript))
        await running.settle()
        assert not card(running).is_open
        await app.action_quit()
        assert app.leaving is not None
        await app.leaving


# The desktop


def program(folder: Path, name: str) -> Path:
    """A program that writes its arguments down, one a line."""
    told = folder / "told"
    path = folder / name
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{told}"\n')
    path.chmod(0o700)
    return told


async def test_a_desktop_gets_title_and_words_as_text(tmp_path: Path) -> None:
    told = program(tmp_path, "notify-send")
    environ = {**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":9"}
    notifier = DesktopNotifier(DesktopNotification.AUTO, None, environ, "linux")
    await notifier.show("--help $(touch x) <b>\x1b[31m", "due <now> & later")
    assert told.read_text().splitlines() == [
        "--app-name=todo-tui",
        "--",
        "--help $(touch x) <b>",
        "due &lt;now&gt; &amp; later",
    ]


async def test_a_mac_gets_them_as_arguments_of_a_script(tmp_path: Path) -> None:
    told = program(tmp_path, "osascript")
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    await DesktopNotifier(DesktopNotification.AUTO, None, environ, "darwin").show('a" & "b', "due")
    assert told.read_text().splitlines()[-2:] == ['a" & "b', "due"]


@pytest.mark.parametrize("environ", [{"PATH": "/nowhere", "DISPLAY": ":9"}, {"PATH": "/nowhere"}])
async def test_without_a_desktop_it_is_silent(environ: dict[str, str]) -> None:
    written: list[str] = []
    notifier = DesktopNotifier(DesktopNotification.AUTO, written.append, environ, "linux")
    await notifier.show("a", "b")
    assert written == []


async def test_a_terminal_gets_one_sequence_whatever_is_in_the_text() -> None:
    written: list[str] = []
    hostile = "a;b\x07\x1b]52;c;AAAA\x07\x9c"
    await DesktopNotifier(DesktopNotification.OSC777, written.append, {}).show(hostile, "due;now")
    await DesktopNotifier(DesktopNotification.OSC9, written.append, {}).show(hostile, "due")
    assert written == ["\x1b]777;notify;a,b;due;now\x07", "\x1b]9;a;b: due\x07"]


async def test_a_program_that_fails_or_is_no_program_breaks_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "notify-send"
    bad.write_bytes(b"\x00\x01")
    bad.chmod(0o700)
    environ = {"PATH": str(tmp_path), "DISPLAY": ":9"}
    await DesktopNotifier(DesktopNotification.PROGRAM, None, environ, "linux").show("a", "b")
