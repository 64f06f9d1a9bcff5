"""Completion in the message box: ids, projects, tags and commands, and the keys of the list."""

from __future__ import annotations

from textual import events

from tests.scripted import answer
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.pane import add
from todo_tui.tui.chat.completion import ComposerCompletionList


def offered(running: OpenApp) -> list[str]:
    return [each.text for each in running.composer.completions.candidates]


async def type_and_settle(running: OpenApp, text: str) -> None:
    await running.type(text)
    await running.settle()


async def test_ids_projects_and_tags_are_completed_with_titles_beside_the_ids(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "Call the dentist #health", *(f"Errand {n} @shop" for n in range(2, 15)))
    async with open_app() as running:
        before = running.transcript.region
        await type_and_settle(running, "done #1")
        assert offered(running) == ["#1", "#10", "#11", "#12", "#13", "#14"]
        assert "Call the dentist" in running.shown()
        assert running.transcript.region == before
        await running.press("down", "down", "up", "tab")
        assert running.composer.text == "done #10 "
        assert not running.screen.query_one(ComposerCompletionList).display

        # A word of a title finds the id; a project comes before.
        await type_and_settle(running, "and #dent")
        await running.press("tab")
        assert running.composer.text == "done #10 and #1 "
        await type_and_settle(running, "to #hea")
        assert offered(running) == ["#health"]
        await running.press("tab")
        # In the middle of a line what follows stays.
        running.composer.text = "see @s, please"
        running.composer.move_cursor((0, 6))
        await running.settle()
        await running.press("tab")
        assert running.composer.text == "see @shop, please"


async def test_enter_takes_the_beginning_of_a_name_and_sends_what_is_one(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "One #home @ho", "Two #homework", "Ten")
    app_setup.script(*(answer("Fine.") for _ in range(4)))
    async with open_app() as running:
        await type_and_settle(running, "plan #hom")
        await running.press("enter")
        assert running.composer.text == "plan #home "
        assert not running.transcript.turns

        sent = ["move to #home", "finish #1", "no tag @x"]
        for text in sent:
            running.composer.text = ""
            await type_and_settle(running, text)
            await running.press("enter")
            await running.settle()
        assert [each.messages[-1].text for each in app_setup.provider.requests] == sent

        # A command is completed first and run then.
        await type_and_settle(running, "/his")
        await running.press("enter")
        assert running.composer.text == "/history "


async def test_esc_closes_the_list_until_the_next_word_and_gives_the_arrows_back(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "One @home", "Two @homework")
    app_setup.script(answer("Fine."), answer("Fine."))
    async with open_app() as running:
        await running.send("earlier")
        await type_and_settle(running, "buy @ho")
        assert offered(running) == ["@home", "@homework"]
        await running.press("escape", "m")
        await running.settle()
        assert offered(running) == []
        await type_and_settle(running, " @h")
        assert offered(running) == ["@home", "@homework"]
        await running.press("escape", "up")
        assert running.composer.text == "earlier"
        assert running.writes()


async def test_a_tab_that_comes_with_the_word_completes_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "One @groceries")
    async with open_app() as running:
        for letter in "buy @gro":
            running.app.post_message(events.Key(letter, letter))
        running.app.post_message(events.Key("tab", "\t"))
        for letter in "now":
            running.app.post_message(events.Key(letter, letter))
        await running.until_keys_are_handled()
        assert running.composer.text == "buy @groceries now"

        # Where nothing fits, Tab leads to the list as ever.
        await running.type(" @zzz")
        await running.press("tab")
        assert not running.writes()
