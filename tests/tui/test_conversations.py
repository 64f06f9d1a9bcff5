"""The list of conversations: search, opening, and what can be done with one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.scripted import Pause, answer
from tests.tui.conftest import NARROW, WIDE, AppOpener, AppSetup, OpenApp
from tests.tui.test_conversations_kept import tell
from todo_tui.tui.screens.conversations import ConversationsScreen
from todo_tui.tui.widgets.line_input import LineInput


async def _talk(app_setup: AppSetup, running: OpenApp, *asked: str) -> None:
    for text in asked:
        await running.press("ctrl+n")
        await running.send(text)


@pytest.fixture
def three(app_setup: AppSetup) -> AppSetup:
    app_setup.script(
        answer("The deposit is three months' rent."),
        answer("Nine hundred for rent, sixty for power."),
        answer("Milk and bread."),
        answer("More."),
    )
    return app_setup


async def _open_list(running: OpenApp, typed: str = "") -> None:
    await running.press("f5")
    await running.until(lambda: isinstance(running.app.screen, ConversationsScreen))
    await running.type(typed)


async def test_they_are_listed_newest_first_and_found_by_their_messages(
    three: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await _talk(three, running, "plan the move", "plan the budget", "what to buy")
        await _open_list(running)
        await running.until(lambda: "what to buy" in running.shown())
        shown = running.shown()
        assert shown.index("what to buy") < shown.index("plan the budget")
        assert shown.index("plan the budget") < shown.index("plan the move")
        await running.type("rent")
        await running.until(lambda: "2 found" in running.shown())
        assert "three months' rent" in running.shown()
        assert "Nine hundred for rent" in running.shown()
        await running.press("down", "enter")
        await running.until(lambda: running.app.screen is running.screen)
        await running.until(lambda: "The deposit is" in running.shown())
        # What was found is marked until the next key.
        assert len(running.screen.query(".-found")) == 1
        await running.press("a")
        assert not running.screen.query(".-found")
        await running.press("backspace")
        await running.send("and then?")
        (first, *_) = three.store.conversations.list()
        assert first.title == "plan the move"
        assert first.turns == 2


async def test_one_is_renamed_pinned_exported_deleted_and_restored(
    three: AppSetup, open_app: AppOpener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    conversations = three.store.conversations
    async with open_app() as running:
        await _talk(three, running, "one", "two", "three")
        await _open_list(running)
        await running.press("down", "r")
        await running.press("ctrl+u")
        await running.type("Second")
        await running.press("enter")
        await running.until(lambda: "Second" in running.shown())
        await running.press("p")
        await running.until(lambda: conversations.list()[0].title == "Second")
        await running.press("e", "e")
        await running.until(lambda: len(list(tmp_path.glob("*.md"))) == 2)
        await running.press("d")
        await running.until(lambda: "Second" not in [each.title for each in conversations.list()])
        await running.press("u")
        await running.until(lambda: conversations.list()[0].title == "Second")
        await running.press("escape")
        assert running.writes()
    _assert_exported(tmp_path)


def _assert_exported(folder: Path) -> None:
    first, second = sorted(folder.glob("*.md"))
    assert "> two" in first.read_text()
    assert first.read_text() == second.read_text()


async def test_a_deleted_one_is_restored_after_the_list_was_closed(
    three: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await _talk(three, running, "one", "two")
        await _open_list(running)
        await running.press("tab", "d")
        await running.until(lambda: "restore deleted" in running.shown())
        await running.press("escape", "f5")
        await running.until(lambda: isinstance(running.app.screen, ConversationsScreen))
        # The search box, which has the focus, names the key and takes it, whatever it holds.
        await running.until(lambda: "Ctrl+Z restore deleted" in running.shown())
        await running.press("z", "ctrl+z")
        await running.until(lambda: len(three.store.conversations.list()) == 2)
        await running.until(lambda: "Restored “" in running.shown())
        assert "Deleted “" not in running.shown()
        await running.until(lambda: "restore deleted" not in running.shown())
        await running.press("ctrl+z")
        await running.until(lambda: "No conversation to restore." in running.notified)
        await running.press("escape", "tab", "d")
        await running.until(lambda: "Ctrl+Z restores it until you quit." in running.shown())
        await running.press("u")
        await running.until(lambda: len(three.store.conversations.list()) == 2)
        await running.press("escape")


async def test_a_deletion_names_the_backup_that_still_contains_the_conversation(
    three: AppSetup, open_app: AppOpener
) -> None:
    backup = three.store.path.with_name("tasks.db.format11-20260101-000000.bak")
    async with open_app() as running:
        await _talk(three, running, "plan the move")
        with (
            closing(sqlite3.connect(three.store.path)) as database,
            closing(sqlite3.connect(backup)) as target,
        ):
            database.backup(target)
        await _talk(three, running, "plan the budget")
        await _open_list(running)
        await running.press("f8")
        await running.until(lambda: len(running.notified) == 1)
        await running.press("f8")
        await running.until(lambda: len(running.notified) == 2)
        newer, older = running.notified
        assert "A backup" not in newer
        left = f"A backup still contains the deleted text. To remove the backup: rm {backup}"
        assert left in older


async def test_the_words_that_were_found_are_in_view_in_a_narrow_list_too(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Somewhere behind a good many other words is the plumber, at last."))
    async with open_app(NARROW) as running:
        await _talk(app_setup, running, "whom do I call?")
        await _open_list(running)
        await running.type("plumber")
        await running.until(lambda: "1 found" in running.shown())
        assert any("whom do" in line and "plumber" in line for line in running.shown().splitlines())


async def test_one_is_renamed_and_deleted_with_the_search_box_in_focus(
    three: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await _talk(three, running, "plan the move", "plan the budget", "what to buy")
        await _open_list(running)
        await running.type("plan the budget")
        await running.until(lambda: "1 found" in running.shown())
        await running.press("f2", "f8")
        assert "Rename conversation" in running.shown()
        await running.type(" 2028\n")
        await running.until(lambda: "2028" in running.shown())
        await running.press("f8")
        await running.until(lambda: "Deleted “" in running.shown())
        await running.press("u")
        await running.until(lambda: "Restored “" in running.shown())


async def test_no_other_one_is_opened_while_an_answer_runs(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("First."), (Pause(20.0), *answer("Late.")))
    async with open_app() as running:
        await _talk(app_setup, running, "one")
        await running.press("ctrl+n")
        await running.type("two")
        await running.press("enter")
        await running.until(lambda: running.screen.chat.session.busy)
        await _open_list(running)
        # Nor is the one on screen deleted.
        await running.press("tab", "d")
        await running.until_keys_are_handled()
        assert len(app_setup.store.conversations.list()) == 2
        await running.press("down", "enter")
        await running.until(lambda: "Stop the response first" in " ".join(running.notified))
        assert isinstance(running.app.screen, ConversationsScreen)
        await running.press("escape", "escape")


async def test_a_search_leads_past_the_one_on_screen(three: AppSetup, open_app: AppOpener) -> None:
    async with open_app() as running:
        await _talk(three, running, "plan the move", "plan the budget")
        await _open_list(running)
        # What is typed in the list goes to the search.
        await running.press("tab")
        await running.type("move")
        await running.until(lambda: "1 found" in running.shown())
        assert running.app.screen.query_one("#search", LineInput).value == "move"
        await running.press("ctrl+u")
        await running.type("plan")
        await running.until(lambda: "2 found" in running.shown())
        await running.press("enter")
        await running.until(lambda: "The deposit is" in running.shown())


async def test_a_match_in_a_long_message_is_scrolled_to(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    lines = [f"line {number} of many" for number in range(300)]
    app_setup.script(answer("Noted."), answer("Yes."))
    async with open_app() as running:
        running.composer.replace_text("\n".join([*lines, "the needle", *lines]))
        await running.press("enter")
        await running.settle()
        await running.send("another")
        await _open_list(running, "needle")
        await running.until(lambda: "1 found" in running.shown())
        await running.press("enter")
        await running.until(lambda: "the needle" in running.shown())


async def test_restoring_the_one_that_was_on_screen_shows_it_again(
    three: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await _talk(three, running, "plan the move")
        await _open_list(running)
        await running.press("tab", "p")
        await running.until(lambda: "●★ plan the move" in running.shown())
        await running.press("d")
        await running.until(lambda: "restore deleted" in running.shown())
        await running.press("u")
        await running.until(lambda: "restore deleted" not in running.shown())
        await running.press("escape")
        await running.until(lambda: "The deposit is" in running.shown())
        # Deleted for good, it leaves an empty one.
        await _open_list(running)
        await running.press("down", "d", "escape")
        await running.until(lambda: "New conversation." in running.shown())


async def test_a_match_far_back_is_shown_and_the_next_message_goes_to_the_end(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 45, "The needle is number")
    app_setup.script(answer("Yes."))
    async with open_app() as running:
        await _open_list(running, "number 0")
        await running.until(lambda: "1 found" in running.shown())
        await running.press("enter")
        await running.until(lambda: "The needle is number 0" in running.shown())
        assert running.transcript.turns[0].user_text == "question 0"
        await running.send("one more")
        await running.until(lambda: "one more" in running.shown())
        asked = [turn.user_text for turn in running.transcript.turns]
        assert asked[-2:] == ["question 44", "one more"]


async def test_times_are_not_cut_beside_a_scroll_bar(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    for _ in range(40):
        tell(app_setup, 1)
    async with open_app() as running:
        await _open_list(running)
        for size in (WIDE, NARROW):
            await running.pilot.resize_terminal(*size)
            await running.settle()
            rows = [line for line in running.shown().splitlines() if "question 0" in line]
            assert len(rows) > 3
            assert all(" 14:30 " in line for line in rows if line.count("│") > 1), size


async def test_a_notice_covers_neither_the_keys_of_a_window_nor_those_below_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    for _ in range(40):
        tell(app_setup, 1)
    title = "the deposit and all that was said about it in the letters of the landlord"
    app_setup.store.conversations.rename(app_setup.store.conversations.list()[0].id, title)
    async with open_app(NARROW) as running:
        await _open_list(running)
        await running.press("f8")
        await running.until(lambda: "Deleted “the deposit" in running.shown())
        await running.settle()
        assert " · Esc close ─╯" in running.shown()
        assert "Ctrl+Q quit" in running.shown().splitlines()[-1]
