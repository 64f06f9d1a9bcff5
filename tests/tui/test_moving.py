"""Moving, indenting, repeats, the trash, copying and links, by keys over a real store."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path

import pytest
from textual.widgets.markdown import MarkdownBlock

from tests.scripted import answer
from tests.tui.conftest import AppOpener, AppSetup
from tests.tui.pane import OpenPane, add, add_titles, open_pane
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When
from todo_tui.store.store import Store
from todo_tui.tui.links import open_link
from todo_tui.tui.textual_fixes import shown_notices


def order(running: OpenPane) -> list[str]:
    """The titles of the list, from the top."""
    return [line.split("○")[1].strip("▾▸ ").split()[0] for line in running.lines() if "○" in line]


def parents(store: Store) -> dict[str, str | None]:
    """The title of the parent of each open task."""
    tasks = {task.id: task for task in store.tasks.list().tasks}
    return {
        task.title: tasks[task.parent].title if task.parent else None for task in tasks.values()
    }


async def test_j_and_k_in_capitals_change_places_and_undo_takes_it_back(
    app_setup: AppSetup,
) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("J")
        assert order(running) == ["two", "one", "three"]
        assert running.cursor_title() == "one"
        await running.press("alt+down", "K")
        assert order(running) == ["two", "one", "three"]
        await running.press("u", "u", "u")
        assert order(running) == ["one", "two", "three"]


async def test_marked_tasks_move_together(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two", "three", "four")
    async with open_pane(app_setup) as running:
        await running.press("x", "x", "J")
        assert order(running) == ["three", "one", "two", "four"]
        await running.press("J", "alt+up")
        assert order(running) == ["three", "one", "two", "four"]


async def test_tasks_of_another_date_are_not_passed(app_setup: AppSetup) -> None:
    add(app_setup.store, "one tomorrow", "two friday")
    async with open_pane(app_setup) as running:
        await running.press("J")
        assert order(running) == ["one", "two"]
        assert "Sorted: press O" in running.shown()


async def test_greater_and_less_make_subtasks_and_take_them_out(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("greater_than_sign")
        assert "No task above" in running.shown()
        await running.press("j", "greater_than_sign", "j", "alt+right")
        assert parents(app_setup.store) == {"one": None, "two": "one", "three": "one"}
        await running.press("greater_than_sign")
        assert parents(app_setup.store)["three"] == "two"
        await running.press("less_than_sign")
        assert parents(app_setup.store)["three"] == "one"
        await running.press("alt+left")
        assert parents(app_setup.store)["three"] is None
        assert order(running) == ["one", "two", "three"]
        await running.press("less_than_sign")
        assert "This task is not a subtask." in running.shown()


async def test_a_subtree_moves_as_one(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two", "three")
    async with open_pane(app_setup) as running:
        await running.press("j", "greater_than_sign")
        await running.press("g", "J")
        assert order(running) == ["three", "one", "two"]
        assert parents(app_setup.store)["two"] == "one"


async def test_capital_s_skips_an_occurrence_once_however_long_it_is_held(
    app_setup: AppSetup,
) -> None:
    (plants,) = add(app_setup.store, "Water every wednesday")
    async with open_pane(app_setup) as running:
        for _ in range(15):
            await running.press("S")
            running.moments.now += 0.03
        assert app_setup.store.tasks.get(plants.id).due == When(date(2026, 11, 25))
        assert "Skipped Water. Next:" in running.shown()
        await running.press("u")
        assert app_setup.store.tasks.get(plants.id).due == When(date(2026, 11, 18))


async def test_capital_q_asks_and_ends_the_series(app_setup: AppSetup) -> None:
    (plants,) = add(app_setup.store, "Water every wednesday")
    async with open_pane(app_setup) as running:
        await running.press("Q")
        assert "End recurrence of" in " ".join(running.shown().split())
        await running.press("escape")
        assert app_setup.store.tasks.get(plants.id).recurrence
        await running.press("Q", "y")
        assert not app_setup.store.tasks.get(plants.id).recurrence
        assert "Water. Recurrence ended" in running.shown()
        await running.press("u")
        assert app_setup.store.tasks.get(plants.id).recurrence


async def test_what_does_not_repeat_says_so(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one")
    async with open_pane(app_setup) as running:
        await running.press("Q")
        assert " is not recurring." in running.shown()
        await running.press("S")
        assert "not recurring" in running.shown()


async def test_the_trash_restores_and_purges_after_confirmation(app_setup: AppSetup) -> None:
    one, two, three = add_titles(app_setup.store, "one", "two", "three")
    by = app_setup.store.new_change_context(Actor.CLI)
    app_setup.store.tasks.delete([one.id, two.id, three.id], by=by)
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("trash")
        await running.press("enter", "R")
        assert [task.title for task in app_setup.store.tasks.list().tasks] == ["one"]
        assert "Restored one" in running.shown()
        await running.press("X", "P")
        assert "Permanently delete 2 tasks?" in running.shown()
        await running.press("escape")
        await running.press("P", "y")
        assert "Permanently deleted 2 tasks." in running.shown()
        assert app_setup.store.tasks.rows([two.id, three.id]) == ()
        await running.press("escape", "escape")
        await running.press("P")
        assert "Delete the task first" in running.shown()


async def test_capital_c_copies_the_titles_through_the_terminal(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two")
    async with open_pane(app_setup) as running:
        await running.press("X", "C")
        assert running.app.clipboard == "one\ntwo"


async def test_the_report_of_a_change_is_replaced_by_that_of_the_next(app_setup: AppSetup) -> None:
    add_titles(app_setup.store, "one", "two")
    async with open_pane(app_setup) as running:
        await running.press("less_than_sign")
        assert "This task is not a subtask." in running.shown()
        await running.press("1")
        assert "This task is not a subtask." not in running.shown()
        await running.press("d")
        assert "Deleted one" in running.shown()
        await running.press("1")
        assert "Deleted one" not in running.shown()


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desktop whose opener writes down what it is given."""
    programs = tmp_path / "bin"
    programs.mkdir()
    log = tmp_path / "opened"
    opener = programs / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" >> "{log}"\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("DISPLAY", ":9")
    log.touch()
    return log


def opened(desktop: Path) -> str:
    """What was opened there, an address a line."""
    return desktop.read_text(encoding="utf-8")


async def test_o_opens_the_one_address_of_a_task(app_setup: AppSetup, desktop: Path) -> None:
    add_titles(app_setup.store, "Read https://example.com/a?b=c.")
    async with open_pane(app_setup) as running:
        await running.press("o")
        assert opened(desktop).split() == ["https://example.com/a?b=c"]
        assert "Opened example.com/a?b=c" in running.shown()


async def test_of_several_addresses_a_number_chooses(app_setup: AppSetup, desktop: Path) -> None:
    add_titles(app_setup.store, "See https://a.example and mailto:bob@b.example")
    async with open_pane(app_setup) as running:
        await running.press("o")
        assert "Open which link? 1 a.example" in " ".join(running.shown().split())
        await running.press("2")
        assert opened(desktop).split() == ["mailto:bob@b.example"]


async def test_only_addresses_of_the_web_and_of_mail_are_opened(
    app_setup: AppSetup, desktop: Path
) -> None:
    add_titles(app_setup.store, "tel:12345 file:///etc/passwd javascript:alert(1)")
    async with open_pane(app_setup) as running:
        await running.press("o")
        assert "No link in this task" in running.shown()
        assert opened(desktop) == ""


async def test_without_a_desktop_the_address_is_named(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    add_titles(app_setup.store, "Read https://example.com")
    async with open_pane(app_setup) as running:
        await running.press("o")
        assert "No browser found to open https://example.com" in " ".join(running.shown().split())


@pytest.mark.parametrize("has_desktop", [True, False])
async def test_a_click_on_a_link_of_an_answer_starts_nothing_in_this_terminal(
    app_setup: AppSetup,
    open_app: AppOpener,
    desktop: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_desktop: bool,
) -> None:
    text_browser = desktop.parent / "bin" / "www-browser"
    text_browser.write_text(f'#!/bin/sh\necho "started $1" >> "{desktop}"\n')
    text_browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", "www-browser")
    if not has_desktop:
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
            monkeypatch.delenv(name, raising=False)
    links = {
        "web": "https://a.example/b?c=d",
        "mail": "mailto:bob@b.example",
        "script": "javascript:alert(1)",
        "file": "file:///etc/passwd",
        "dash": "-x",
    }
    app_setup.script(answer("\n\n".join(f"[{label}]({href})" for label, href in links.items())))
    async with open_app() as running:
        await running.send("links?")
        for block in running.app.query(MarkdownBlock):
            for href in {*re.findall(r"link\('(.*?)'\)", repr(block._content.spans))}:
                await block.run_action(f"link({href!r})")
        await running.settle()
        await running.until(lambda: not list(running.app.workers))
        if has_desktop:
            assert sorted(opened(desktop).split()) == [links["web"], links["mail"]]
        else:
            assert opened(desktop) == ""
            notices = [each.message for each in shown_notices(running.app)]
            for name in ("web", "mail"):
                assert any(f"No browser found to open {links[name]}." in each for each in notices)
            assert running.app.clipboard in (links["web"], links["mail"])


@pytest.mark.parametrize("variable", ["SSH_CONNECTION", "SSH_TTY"])
def test_over_ssh_a_link_opens_on_a_forwarded_display_only(
    desktop: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    environ = {"PATH": os.environ["PATH"], variable: "x"}
    with pytest.raises(TodoError, match="No browser found"):
        open_link("https://a.example", environ)
    open_link("https://a.example", {**environ, "DISPLAY": ":9"})
    for odd in ("https://a.example --x", "https://a.example\n", "ftp://a.example", "/etc/passwd"):
        with pytest.raises(TodoError, match="Not a web or mail link"):
            open_link(odd, {**environ, "DISPLAY": ":9"})
    assert opened(desktop).split() == ["https://a.example"]
