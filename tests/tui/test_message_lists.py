"""Lists of messages: searching those that were sent, changing those that wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, ComparePicture
from tests.tui.driving import wait_until_idle
from tests.tui.pane import add_titles
from tests.tui.test_turns_on_screen import held_tool
from todo_tui.domain.messages import Request, StreamEvent
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.tui.chat.message_lists import QueueScreen, SentMessagesScreen


async def test_sent_messages_of_all_conversations_are_searched_and_esc_changes_nothing(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(*(answer("Fine.") for _ in range(3)))
    async with open_app() as running:
        await running.send("pay the rent\non Friday")
        await running.press("ctrl+n")
        await running.send("//model is a word")
        await running.send("buy milk")
        await running.type("my draft")
        await running.press("ctrl+s")
        await running.until(lambda: "buy milk" in running.shown())
        await running.type("RENT pay")
        assert "pay the rent on Friday" in running.shown()
        await running.press("escape")
        assert running.composer.text == "my draft"

        # Letters that come with the key are part of the search.
        await running.press("ctrl+s", "r", "e", "n", "enter")
        await running.until(lambda: not isinstance(running.app.screen, SentMessagesScreen))
        assert running.composer.text == "pay the rent\non Friday"
        await running.press("ctrl+z")
        assert running.composer.text == "my draft"
        await running.press("ctrl+u")

        await running.send("/history")
        await running.until(lambda: isinstance(running.app.screen, SentMessagesScreen))
        await running.settle()
        await running.press("down", "enter")
        assert running.composer.text == "//model is a word"


async def test_picture_of_the_search(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
) -> None:
    long = "what did we say about the deposit and when will the landlord pay back the rent? " * 4
    app_setup.script(answer("Fine."), answer("Fine."), answer("Fine."))
    async with open_app() as running:
        for text in ("move the rent to friday", long, "buy milk"):
            await running.send(text)
        await running.press("ctrl+s")
        await running.until(lambda: "buy milk" in running.shown())
        await running.type("rent")
        await running.settle()
        await snap_both_sizes(running)


async def test_picture_of_the_queue(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: ComparePicture,
) -> None:
    with held_tool(app_setup) as release:
        app_setup.script(calls(call("wait_here")), *(answer("Fine.") for _ in range(3)))
        async with open_app() as running:
            await running.type("wait\n")
            await running.until(lambda: "Waiting for the test" in running.shown())
            await running.type("and buy milk\n")
            await running.type("call mom on friday\n")
            await running.press("ctrl+l", "down")
            running.still()
            await wait_until_idle()
            await snap_both_sizes(running)
            release.set()


async def test_queued_messages_are_moved_deleted_and_edited(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    with held_tool(app_setup) as release:
        app_setup.script(calls(call("wait_here")), *(answer("Fine.") for _ in range(4)))
        async with open_app() as running:
            await running.send("/queue")
            await running.until(lambda: "No queued messages." in running.shown())
            await running.type("wait")
            await running.press("enter")
            await running.until(lambda: "Waiting for the test" in running.shown())
            for text in ("one", "two", "three", "four"):
                await running.type(f"{text}\n")
            assert "next (+3): one  Ctrl+L edit" in running.shown()
            await running.press("ctrl+l", "down", "down", "down", "t")
            assert "next (+3): four" in running.shown()
            await running.press("down", "d", "down", "enter")
            await running.until(lambda: not isinstance(running.app.screen, QueueScreen))
            assert running.composer.text == "three"
            assert "next (+1): four" in running.shown()
            await running.type(" times\n")

            # The list follows the queue while it is open.
            await running.press("ctrl+l")
            release.set()
            await running.until(lambda: len(running.transcript.turns) == 4)
            await running.press("enter", "escape")
            assert running.composer.text == ""
            await running.settle()
        asked = [each.messages[-1].text for each in app_setup.provider.requests]
    assert asked[-3:] == ["four", "two", "three times"]


async def test_a_yes_typed_before_a_question_does_not_answer_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_titles(app_setup.store, "Milk", "Bread")
    asked = asyncio.Event()

    class Slow(BuiltInAssistant):
        async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
            await asked.wait()
            async for event in super().stream(request):
                yield event

    app_setup.open_provider = lambda *_: Slow(app_setup.store.index)
    async with open_app() as running:
        for text in ("delete all tasks", "yes", "add eggs"):
            await running.type(f"{text}\n")
        await running.until(lambda: "next (+1): yes" in running.shown())
        asked.set()
        await running.settle()
        assert "Delete these 2 tasks? [yes/no]" in running.shown()
        assert running.composer.text == "yes\nadd eggs"
        assert len(app_setup.store.tasks.find()) == 2
        assert "needs an answer" in running.shown()
        running.composer.replace_text("")
        await running.press("shift+tab", "enter")
        assert len(app_setup.store.tasks.find()) == 2, "a key on the question answers nothing"
        await running.press("escape")
        await running.send("yes")
        assert app_setup.store.tasks.find() == ()
        assert "needs an answer" not in running.shown()


async def test_a_question_is_answered_by_a_row_below_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_titles(app_setup.store, "Milk", "Bread")
    app_setup.open_provider = lambda *_: BuiltInAssistant(app_setup.store.index)
    async with open_app() as running:
        await running.send("delete all tasks")
        await running.type("draft")
        await running.press("shift+tab", "down", "down")
        assert "Enter send" in running.shown()
        await running.press("enter")
        assert running.writes()
        assert running.composer.text == "draft", "what is typed stays"
        assert "▸ yes" not in running.shown()
        assert len(app_setup.store.tasks.find()) == 2
        assert len(running.transcript.turns) == 2

        running.composer.text = ""
        await running.send("delete all tasks")
        await running.press("shift+tab", "down", "down", "enter", "enter")
        assert len(running.transcript.turns) == 4

        # What is said behind the question does not hide that it is one.
        await running.send("weekly review")
        await running.send("delete all tasks")
        assert "left the review" in running.shown()
        assert "▸ no" in running.shown()
    # The rows are there again when the app is, and a click answers too.
    async with open_app() as running:
        await running.click("▸ yes")
        assert app_setup.store.tasks.find() == ()
        assert "▸ no" not in running.shown()


async def test_a_row_answers_while_a_message_is_edited(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_titles(app_setup.store, "Milk", "Bread")
    app_setup.open_provider = lambda *_: BuiltInAssistant(app_setup.store.index)
    async with open_app() as running:
        await running.send("delete all tasks")
        await running.press("shift+tab", "e")
        await running.click("▸ no")
        await running.until(lambda: len(running.transcript.turns) == 2)
        assert "OK, nothing changed." in running.shown()
        assert running.composer.text == "delete all tasks", "what is typed stays"
        assert len(app_setup.store.tasks.find()) == 2
        assert "Edit message" not in running.shown()
