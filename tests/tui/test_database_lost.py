"""The database deleted or replaced under the open app: nothing is shown as saved that is not."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Static

from tests.blank import blank
from tests.scripted import Round, ScriptedProvider, call, calls
from tests.store.opened import add, opened
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.test_locked_database import locked
from todo_tui.domain.messages import Request
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.screens.database_lost import DatabaseLostScreen
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.screens.task_editor import TaskEditorScreen
from todo_tui.tui.store_watch import POLL_SECONDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="open files stay there")


def delete(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


def replace(path: Path) -> None:
    backup(path).replace(path)


def overwrite(path: Path) -> None:
    shutil.copyfile(backup(path), path)


def rename_folder(path: Path) -> None:
    path.parent.rename(away_from(path.parent))


def away_from(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-elsewhere")


def backup(path: Path) -> Path:
    other = path.with_name("backup.db")
    with opened(blank(other)) as store:
        add(store, "From the backup")
    return other


async def lose(running: OpenApp, app_setup: AppSetup, happen: Callable[[Path], None]) -> None:
    """Let it happen, and wait until the app has noticed."""
    happen(app_setup.store.path)
    await running.until(lambda: isinstance(running.app.screen, DatabaseLostScreen))


async def lose_under_write(running: OpenApp, app_setup: AppSetup, key: str) -> None:
    """Press a key that writes, and replace the file before the write has its lock."""
    with locked(app_setup.store) as release:
        await running.press(key)
        replace(app_setup.store.path)
        release()
    await running.until(lambda: isinstance(running.app.screen, DatabaseLostScreen))
    await running.settle()


async def reopen(running: OpenApp) -> None:
    """Press Enter on Reopen, when it shows no press any more: until then it ignores others."""
    await running.until(lambda: not running.app.screen.query_one("#reopen").has_class("-active"))
    await running.press("enter")
    await running.until(lambda: not isinstance(running.app.screen, DatabaseLostScreen))
    await running.settle()


async def test_reopening_shows_the_file_that_lies_there_and_keeps_the_message(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "Old")
    async with open_app() as running:
        await running.type("half a mess")
        await lose(running, app_setup, replace)
        await running.type("xqyn")
        await reopen(running)
        assert running.composer.text == "half a mess"
        shown = running.shown()
        assert "From the backup" in shown
        assert "○   Old" not in shown
    with opened(app_setup.store.path) as store:
        assert store.problems() == ()


async def test_nothing_is_made_where_the_file_was_deleted(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "Old")
    async with open_app() as running:
        await lose(running, app_setup, delete)
        await running.press("enter")
        await running.settle()
        assert "No database found at" in running.shown()
        assert isinstance(running.app.screen, DatabaseLostScreen)
        assert not app_setup.store.path.exists()
        with opened(app_setup.store.path) as store:
            add(store, "Back again")
        await reopen(running)
        assert "Back again" in running.shown()


async def test_quit_leaves_the_file_as_it_is(app_setup: AppSetup, open_app: AppOpener) -> None:
    async with open_app() as running:
        await lose(running, app_setup, overwrite)
        shown = " ".join(running.shown().split())
        assert "was overwritten" in shown
        assert "Reopen" in shown
        assert "Quit" in shown
        assert app_setup.store.path.name in shown
        before = app_setup.store.path.read_bytes()
        await running.press("tab", "enter")
        await running.until(lambda: running.app.return_code == 0)
    app_setup.store.close()
    assert app_setup.store.path.read_bytes() == before


async def test_the_screen_closes_too_if_the_help_was_above_it_when_the_file_came_back(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        folder = app_setup.store.path.parent
        await lose(running, app_setup, rename_folder)
        await running.press("f1")
        await running.until(lambda: isinstance(running.app.screen, HelpScreen))
        away_from(folder).rename(folder)
        await asyncio.sleep(2 * POLL_SECONDS)
        await running.press("escape")
        await running.until(lambda: len(running.app.screen_stack) == 1)


async def test_a_message_that_cannot_be_stored_is_kept(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.type("precious words")
        await lose_under_write(running, app_setup, "enter")
        await reopen(running)
        assert running.composer.text == "precious words"


async def test_a_turn_whose_tool_cannot_write_fails_and_its_message_is_kept(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    other = backup(app_setup.store.path)

    def script(_: Request) -> Round:
        other.replace(app_setup.store.path)
        return calls(call("add_task", title="In no file"))

    app_setup.provider = ScriptedProvider(script)
    async with open_app() as running:
        await running.type("add precious words")
        await running.press("enter")
        await running.until(lambda: isinstance(running.app.screen, DatabaseLostScreen))
        await running.until(lambda: not running.screen.chat.session.busy)
        shown = running.screen.query_one(Transcript).newest
        assert shown is not None
        assert shown.user_text == "add precious words"
        assert "Changes are not saved" in "".join(
            str(each.render()) for each in shown.query("*") if isinstance(each, Static)
        )
        await reopen(running)
        assert running.composer.text == "add precious words"
        assert "In no file" not in running.shown()


async def test_the_form_of_the_editor_is_kept(app_setup: AppSetup, open_app: AppOpener) -> None:
    add(app_setup.store, "Old")
    async with open_app() as running:
        await running.press("tab", "E")
        await running.until(lambda: isinstance(running.app.screen, TaskEditorScreen))
        await running.settle()
        await running.type(" and new")
        await lose_under_write(running, app_setup, "ctrl+s")
        await reopen(running)
        assert isinstance(running.app.screen, TaskEditorScreen)
        assert "Old and new" in running.shown()
