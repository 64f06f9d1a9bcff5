"""The settings (F11): found, explained, changed in place and written to the file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from tests.config.home import Home
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.task import Actor
from todo_tui.domain.text import plain_line
from todo_tui.tui.widgets.row_list import RowList


@pytest.fixture
def home(tmp_path: Path, app_setup: AppSetup) -> Home:
    """A configuration with a comment, which the app can change."""
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    home.write('# mine\ntheme = "dark"  # at night\n\n[limits]\ntimeout = 40\n')
    app_setup.read_configuration = home.configuration
    return home


async def change(running: OpenApp, name: str, *keys: str) -> str:
    """Find a setting, press keys on it and return the screen."""
    running.app.screen.query_one("#settings-search", Input).value = name
    await running.settle()
    await running.press(*keys)
    await running.settle()
    return " ".join(running.shown().split())


async def until_shown(running: OpenApp, *texts: str) -> None:
    await running.until(lambda: all(text in running.shown() for text in texts))


async def test_settings_are_changed_in_place_and_keys_remapped(
    app_setup: AppSetup, open_app: AppOpener, home: Home
) -> None:
    async with open_app() as running:
        await running.press("f11")
        await running.until(lambda: "max_iterations" in running.shown())

        # The highlight stays on a row that Enter changes, at the ends too.
        await running.press("pageup")
        rows = running.app.screen.query_one(RowList)
        assert rows.item is not None
        await running.press(*["pagedown"] * 20)
        assert rows.item is not None

        # Names come before descriptions, actions on tasks before others, bare keys last.
        for typed, first in [
            ("before", "before "), ("theme", "theme "), ("complete", "Complete or reopen task "),
            ("delete", "Delete task "), ("undo", "Undo "), ("add", "Add task "),
            ("copy", "Copy task titles "), ("rename", "Rename task "), ("move", "Move task "),
            ("close list", "Close completions "),
        ]:  # fmt: skip
            await change(running, typed)
            options = running.app.screen.query_one(OptionList)
            line = options.get_option_at_index(options.highlighted or 0).prompt
            assert str(line).strip().startswith(first), typed

        # A value that was only looked at is not written.
        before = home.file.read_text()
        for name in ("limits.retries", "approvals.ask"):
            assert "Takes effect" not in await change(running, name, "enter", "enter")
        assert "Enter change" in running.shown()
        assert home.file.read_text() == before

        # A number is typed, a mistake is explained and changes nothing.
        assert " 40 line 5" in await change(running, "limits.timeout")
        assert "Stream timeout in seconds." in await change(running, "limits.timeout")
        shown = await change(running, "limits.timeout", "enter", "x", "enter")
        assert "limits.timeout cannot be “x”" in shown
        await running.press("ctrl+u", "6", "0", "enter")
        await running.until(lambda: "Takes effect at the next start." in running.shown())
        # The row has the new value as soon as the line below says so.
        assert " 60 line 5" in " ".join(running.shown().split())
        assert "timeout = 60\n" in home.file.read_text()

        # Of a few words one is chosen; yes or no changes with Enter; F8 is the default.
        await change(running, "approvals.ask", "enter", "down", "enter")
        await running.until(lambda: 'ask = "writes"' in home.file.read_text())
        await change(running, "reminders.enabled", "enter")
        await running.until(lambda: "enabled = false" in home.file.read_text())
        await change(running, "approvals.ask", "f8")
        await running.until(lambda: "ask =" not in home.file.read_text())

        # A theme is shown as one moves and kept on Enter; its line keeps its comment.
        await change(running, "theme", "enter", "down")
        await running.until(lambda: not running.is_dark())
        menu = running.app.screen.query_one(OptionList)
        for keys, name in [
            ("d", "dracula"),
            ("dr", "dracula"),
            ("n", "nord"),
            ("zz", "nord"),
            ("k", "monokai"),
            ("tok", "tokyo-night"),
            ("l", "light"),
        ]:
            await running.press(*keys)
            assert menu.highlighted is not None
            assert str(menu.get_option_at_index(menu.highlighted).prompt).split()[0] == name, keys
        await running.press("enter")
        await running.until(lambda: '# mine\ntheme = "light"  # at night' in home.file.read_text())
        await running.until(lambda: not running.is_dark())

        # A theme that is chosen elsewhere is written too, as the file counts at the next start.
        await running.press("escape", "f9", "d", "enter")
        await running.until(
            lambda: '# mine\ntheme = "dracula"  # at night' in home.file.read_text()
        )
        await running.press("f11")

        # A key that another action has is refused; a free one works at once.
        shown = await change(running, "list.redo", "enter", "ctrl+u", "u", "enter")
        assert "it is the key of `list.undo`" in shown
        await running.press("ctrl+u", "y", "enter")
        await running.until(lambda: '"list.redo" = "y"' in home.file.read_text())
        await running.press("escape")
        await running.press("tab", "y")
        await running.until(lambda: "Nothing to redo" in running.shown())

        # All that names keys has the new ones, without a restart, and the default ones again.
        app_setup.store.tasks.add(
            {"title": "Buy milk"}, by=app_setup.store.new_change_context(Actor.CLI)
        )
        for given, tick, new_line in (
            (("ctrl+d,f6", "alt+n"), "Ctrl+D complete", "Alt+N new line"),
            (("", ""), "Space complete", "Ctrl+J new line"),
        ):
            await running.press("f11")
            for name, key in zip(("list.tick", "write.new_line"), given, strict=True):
                if key:
                    await change(running, name, "enter", "ctrl+u")
                    await running.type(f"{key}\n")
                else:
                    await change(running, name, "f8")
                await until_shown(running, f": {key or 'default'}. ")
                assert "next start" not in running.shown()
            await running.press("escape")
            await until_shown(running, tick, new_line)
            for opening in ("f1", "ctrl+p"):
                await running.press(opening, *"complete")
                await until_shown(running, tick.removesuffix(" complete"))
                await running.press("escape")
    assert plain_line(home.file.read_text()).startswith("# mine")


async def test_the_source_of_a_setting_is_shown_whole_on_a_narrow_terminal(
    open_app: AppOpener, home: Home
) -> None:
    home.file.write_text("user = 'me'\n" + "#\n" * 9 + "[limits]\nretries = 2\n")
    async with open_app((80, 24)) as running:
        await running.press("f11")
        # The whole list has a scroll bar.
        await until_shown(running, " me ", "line 1")
        await change(running, "retries")
        await running.until(lambda: "retries" in running.shown())
        assert "line 12" in running.shown()


async def test_a_typed_key_replaces_the_present_one(open_app: AppOpener, home: Home) -> None:
    async with open_app() as running:
        await running.press("f11")
        await change(running, "list.tick", "enter", "m", "enter")
        await running.until(lambda: "Complete or reopen task: m." in running.shown())
        assert '"list.tick" = "m"' in home.file.read_text()


async def test_keys_that_changed_places_are_reset_together(open_app: AppOpener, home: Home) -> None:
    home.write('# mine\n[keys]\n"list.rename" = "E"\n"list.edit" = "e"\n"list.redo" = "y"\n')
    async with open_app() as running:
        await running.press("f11")
        await change(running, "list.rename", "f8")
        await running.until(lambda: "Rename task and Edit task: default." in running.shown())
        assert home.file.read_text() == '# mine\n[keys]\n"list.redo" = "y"\n'


async def test_a_long_value_is_shown_whole_below_the_list(open_app: AppOpener, home: Home) -> None:
    path = "/long/folder" * 12 + "/tasks.db"
    home.file.write_text(f'db = "{path}"\ntheme = "dark"\n')
    async with open_app((80, 24)) as running:
        await running.press("f11")
        for size in ((80, 24), (120, 36)):
            await running.pilot.resize_terminal(*size)
            await change(running, "general db")
            await running.until(lambda: "Now:" in running.shown())
            assert "/tasks.db" in running.shown(), size
            assert "retries" in await change(running, "retries"), size
            assert "Now:" not in running.shown(), size


async def test_without_a_file_to_change_it_says_so(open_app: AppOpener) -> None:
    async with open_app() as running:
        await running.send("/settings")
        await running.until(lambda: "The demo has no settings" in running.shown())


async def test_the_settings_look_as_their_picture(
    open_app: AppOpener, home: Home, snap_both_sizes: Callable[[OpenApp], Awaitable[None]]
) -> None:
    async with open_app() as running:
        await running.press("f11")
        await running.until(lambda: "max_iterations" in running.shown())
        await change(running, "limits")
        await snap_both_sizes(running)
