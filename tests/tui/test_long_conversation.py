"""A session of many turns: those far from the reader are unmounted and come back on demand."""

from __future__ import annotations

import asyncio
from itertools import product

import pytest

from tests.scripted import Pause, ScriptedProvider, answer, call, calls, in_order
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.test_conversations_kept import tell
from tests.tui.test_turns_on_screen import REFUSED
from todo_tui.tui.chat.turn_view import PlainAnswer

MAX_MOUNTED = 24
MARKDOWN = "1. **Collect** the numbers\n2. *Write*\n\n```text\nDear Ann\n```\n\nanswer"


async def say(running: OpenApp, text: str) -> None:
    running.composer.insert(text)
    await running.press("enter")
    await running.settle()


async def test_the_newest_turn_can_be_retried_and_undone_after_far_ones_are_unmounted(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 20)
    said = [answer("Yes.") for _ in range(4)]
    app_setup.script(
        *said, [REFUSED], calls(call("add_task", title="Buy milk")), answer("It is on your list.")
    )
    async with open_app() as running:
        for number in range(5):
            await say(running, f"go {number}")
        assert len(running.transcript.turns) == 20
        await running.press("ctrl+r")
        await running.settle()
        assert "It is on your list." in running.shown()
        await running.press("alt+u")
        await running.settle()
        assert "undone" in running.shown()
        assert not app_setup.store.tasks.list().tasks


async def test_a_reader_who_scrolled_up_sees_the_same_when_turns_above_go(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 20)
    scrolled = asyncio.Event()

    async def sleep(_: float) -> None:
        await scrolled.wait()

    told = answer("And so it went on. " * 40)
    rounds = [answer("Yes.") for _ in range(4)]
    app_setup.provider = ScriptedProvider(
        in_order(*rounds, [*told[:20], Pause(1), *told[20:]]), sleep=sleep
    )
    async with open_app() as running:
        for number in range(4):
            await say(running, f"go {number}")
        running.composer.insert("go on")
        await running.press("enter")
        await running.until(lambda: "And so it went on." in running.shown())
        await running.press("pageup", "pageup")
        seen = [
            turn.user_text
            for turn in running.transcript.turns
            if _is_visible(running, turn.user_text)
        ]
        place = running.transcript.turns[-4].region
        scrolled.set()
        await running.settle()
        assert len(running.transcript.turns) < 25
        assert running.transcript.turns[-4].region == place
        assert all(_is_visible(running, asked) for asked in seen)


@pytest.mark.parametrize("count", [3, 20, 45])
async def test_one_key_reaches_the_first_message_and_one_the_last(
    app_setup: AppSetup, open_app: AppOpener, count: int
) -> None:
    tell(app_setup, count)
    async with open_app() as running:
        running.composer.insert("not sent yet")
        for is_reading, before in product((False, True), ("pageup", "pagedown")):
            if is_reading and running.writes():
                await running.press("shift+tab")
            await running.press(before, "ctrl+home")
            await running.settle()
            assert _is_visible(running, "question 0")
            assert running.transcript.has_focus_within is is_reading
            await running.press("pageup", "ctrl+end")
            await running.settle()
            assert f"answer {count - 1} " in running.shown()
            assert running.transcript.has_focus_within is is_reading
        assert running.composer.text == "not sent yet"


async def test_the_first_message_is_reached_while_an_answer_comes_in(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 45)
    goes_on = asyncio.Event()

    async def sleep(_: float) -> None:
        await goes_on.wait()

    app_setup.provider = ScriptedProvider(in_order([Pause(1), *answer("It went on.")]), sleep=sleep)
    async with open_app() as running:
        running.composer.insert("go")
        await running.press("enter", "ctrl+home")
        await running.until(lambda: _is_visible(running, "question 0"))
        goes_on.set()
        await running.settle()
        await running.press("ctrl+end")
        await running.settle()
        assert "It went on." in running.shown()


async def test_older_answers_near_the_viewport_are_drawn_as_markdown(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 24, MARKDOWN)
    async with open_app() as running:
        assert "**" not in running.shown()
        for key in ("pageup", "ctrl+home", "pageup"):
            await running.press(key)
            await running.settle()
            shown = running.shown()
            assert "Collect the numbers" in shown
            assert "**" not in shown
            assert "```" not in shown
        plain = running.transcript.query(PlainAnswer)
        assert len(plain) > 4
        assert not any("**" in str(answer.render()) for answer in plain)


async def test_a_reader_sees_the_same_lines_while_answers_above_are_drawn(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 12, MARKDOWN)
    async with open_app() as running:
        for _ in range(4):
            await running.press("pageup")
            places = {turn: turn.region.bottom for turn in running.transcript.turns}
            await running.settle()
            seen = [turn for turn in places if 0 < places[turn] <= 28 and not turn.is_plain]
            assert [turn for turn in seen if turn.region.bottom == places[turn]]


async def test_a_turn_that_has_the_focus_stays(app_setup: AppSetup, open_app: AppOpener) -> None:
    tell(app_setup, 24)
    focused = asyncio.Event()

    async def sleep(_: float) -> None:
        await focused.wait()

    app_setup.provider = ScriptedProvider(
        in_order([Pause(1), *answer("Yes.")], *(answer("Yes.") for _ in range(6))), sleep=sleep
    )
    async with open_app() as running:
        await running.press("ctrl+home")
        await running.until(lambda: len(running.transcript.turns) == MAX_MOUNTED)
        running.composer.insert("go")
        await running.press("enter")
        oldest = running.transcript.turns[0]
        oldest.rows[0].focus(scroll_visible=False)
        focused.set()
        await running.settle()
        assert len(running.transcript.turns) == MAX_MOUNTED + 1
        running.composer.focus()
        await say(running, "go")
        assert running.transcript.turns[0] is not oldest


async def test_a_request_carries_the_window_and_not_the_whole_conversation(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 60)
    app_setup.script(answer("Yes."))
    async with open_app() as running:
        await say(running, "go")
    assert len(app_setup.provider.requests[0].messages) <= 50


def _is_visible(running: OpenApp, words: str) -> bool:
    return f" {words} " in running.shown()
