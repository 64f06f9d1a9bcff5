"""Browsing the conversation with keys, and copying from it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.test_conversations_kept import tell
from todo_tui.tui.chat.answer import StreamingAnswer

ANSWER = "Run this:\n\n```python\nprint('milk')\n```\n\nThat is all."


def _notices(running: OpenApp) -> str:
    return "\n".join(running.notified)


async def test_message_call_answer_and_code_are_walked_and_copied(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(calls(call("add_task", title="Buy milk")), answer(ANSWER))
    async with open_app() as running:
        await running.send("add buy milk")
        await running.press("shift+tab", "c")
        assert running.app.clipboard == ANSWER
        assert "↓ then c copies only its code block." in _notices(running)
        await running.press("down", "c")
        assert running.app.clipboard == "print('milk')"
        await running.press("k", "y")
        assert running.app.clipboard == ANSWER
        await running.press("up", "c")
        assert running.app.clipboard.startswith("Added Buy milk")
        assert "add_task" in running.app.clipboard
        await running.press("up", "c")
        assert running.app.clipboard == "add buy milk"
        await running.press("down", "down", "down", "c")
        assert running.app.clipboard == "print('milk')"
        assert "Sent the code block to the terminal's clipboard." in _notices(running)
        await running.press("shift+tab")
        assert running.writes()


async def test_an_animated_scroll_may_reach_the_end_with_a_jump(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    """At the end the viewport follows again, which stops the animation from within its step."""
    tell(app_setup, 4, "line\n\n" * 9 + "end of")
    app_setup.script(answer("Yes."))
    async with open_app() as running:
        await running.press("shift+tab", *(["shift+up"] * 3), "escape")
        running.app.animation_level = "full"
        transcript = running.transcript
        transcript.scroll_home(animate=False)
        await running.until(lambda: transcript.scroll_y == 0)
        transcript.scroll_to(y=transcript.max_scroll_y, duration=0.5)
        while transcript.scroll_y == 0:  # noqa: ASYNC110 - steps tell nobody
            await asyncio.sleep(0.01)
        # As on a machine that is busy with something else.
        time.sleep(0.6)  # noqa: ASYNC251
        await running.until(lambda: transcript.is_idle)
        await running.send("question 4")


async def test_browsing_goes_on_where_it_was_left_with_the_whole_turn_in_view(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 6, "line\n\n" * 6 + "end of")
    async with open_app() as running:
        await running.press("shift+tab", *(["shift+up"] * 3))
        await running.until(lambda: "question 2" in running.shown())
        assert "end of 2" in running.shown()
        await running.press("shift+tab", "shift+tab")
        turn = running.transcript.turns[2]
        assert turn.query_one(StreamingAnswer).has_focus
        first, *_, newest = running.transcript.turns
        await running.press("end")
        await running.until(lambda: newest.query_one(StreamingAnswer).has_focus)
        assert "end of 5" in running.shown()
        assert running.transcript.is_vertical_scroll_end
        await running.press("home")
        await running.until(lambda: first.parts[0].has_focus)
        assert "question 0" in running.shown()
        await running.press("end")
        # Somewhere else the first part in view is meant.
        await running.press("shift+tab", "ctrl+home")
        await running.until(lambda: "question 0" in running.shown())
        await running.press("shift+tab")
        assert running.transcript.turns[0].parts[0].has_focus
        # Esc returns to the newest messages.
        await running.press("escape")
        await running.until(lambda: running.transcript.is_idle)
        assert running.writes()
        await running.press("shift+tab")
        assert running.transcript.turns[-1].query_one(StreamingAnswer).has_focus


async def test_no_key_acts_on_a_part_that_was_scrolled_out_of_view(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(call("add_task", title="Buy milk")),
        *(answer("line\n\n" * 12 + f"end of {n}") for n in range(4)),
    )
    store = app_setup.store
    async with open_app() as running:
        for number in range(4):
            await running.send(f"question {number}")
        running.transcript.turns[0].parts[0].focus()
        await running.settle()
        running.transcript.scroll_end(animate=False)
        await running.settle()
        await running.press("u")
        assert "Scrolled back to the selected part." in _notices(running)
        assert len(store.tasks.list().tasks) == 1
        assert "question 0" in running.shown()
        await running.press("u")
        await running.until(lambda: not store.tasks.list().tasks)


async def test_an_edit_that_is_left_comes_back_with_up(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("One."))
    async with open_app() as running:
        await running.send("first")
        await running.press("shift+tab", "e")
        await running.type(" and more")
        await running.press("escape")
        assert running.composer.text == ""
        await running.press("up")
        assert running.composer.text == "first and more"


async def test_a_click_on_an_answer_leaves_the_focus_in_the_message_box(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer(ANSWER))
    async with open_app() as running:
        await running.send("how?")
        assert "you · 14:30" in running.shown()
        assert "scripted · rules · 14:30" in running.shown()
        for part in running.transcript.turns[-1].parts:
            await running.pilot.click(part)
            assert running.writes()


CONTROLS = "rm x\x1b[201~\r\x07echo \x9b1mone\r\n\x00two\u202e\tthree \x1b]52;c;eA==\x07four"
WITHOUT_CONTROLS = "rm x\necho one\ntwo\tthree four"


async def test_no_control_character_is_copied(app_setup: AppSetup, open_app: AppOpener) -> None:
    app_setup.script(answer(f"{CONTROLS}\n\n```sh\n{CONTROLS}\n```"))
    async with open_app() as running:

        def is_copied(text: str) -> bool:
            return running.app.clipboard == text

        await running.send(f"why {CONTROLS}")
        ways = {
            "/copy": f"{WITHOUT_CONTROLS}\n\n```sh\n{WITHOUT_CONTROLS}\n```",
            "/copy code": WITHOUT_CONTROLS,
        }
        for command, copied in ways.items():
            await running.type(f"{command}\n")
            await running.until(partial(is_copied, copied))
        await running.press("shift+tab", "c")
        await running.until(lambda: running.app.clipboard == ways["/copy"])
        # What Textual's own widgets and a selection with the mouse call.
        running.app.copy_to_clipboard(CONTROLS)
        await running.until(lambda: running.app.clipboard == WITHOUT_CONTROLS)


async def test_a_long_text_is_saved_without_control_characters(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("word\x1b[201~\r" * 30_000))
    async with open_app() as running:
        await running.send("write a lot")
        await running.type("/copy\n")
        await running.until(lambda: "Saved to" in _notices(running))
        path = Path(_notices(running).partition("Saved to ")[2].removesuffix("."))
    assert_saved(path, "word\n" * 30_000)


def assert_saved(path: Path, text: str) -> None:
    assert path.read_text() == text
    assert path.stat().st_mode & 0o777 == 0o600
    path.unlink()


async def test_a_message_is_edited_and_its_versions_are_walked(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(*map(answer, ("One.", "Two.", "Three.", "Four.")))
    async with open_app() as running:
        await running.send("first")
        await running.send("second")
        await running.type("draft")
        # The parts of the newest turn are its answer and its message.
        await running.press("shift+tab", "up", "e")
        assert running.composer.text == "second"
        await running.press("escape")
        assert running.composer.text == "draft"
        await running.press("shift+tab", "up", "e")
        await running.type(" thought")
        await running.press("enter")
        await running.settle()
        assert asked(running) == ["first", "second thought"]
        assert "version 2 of 2" in running.shown()
        assert running.composer.text == "draft"
        await running.press("shift+tab", "left_square_bracket")
        await running.until(lambda: "version 1 of 2" in running.shown())
        assert "Two." in running.shown()
        await running.press("right_square_bracket")
        await running.until(lambda: "Three." in running.shown())


def asked(running: OpenApp) -> list[str]:
    """Messages on screen."""
    return [turn.user_text for turn in running.transcript.turns]


async def test_versions_of_one_message_are_walked_from_anywhere(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(*map(answer, "123456"))
    async with open_app() as running:
        for text in ("first", "second"):
            await running.send(text)
        await running.press("shift+tab", "up", "up", "up", "e", *"!", "enter")
        await running.settle()
        said = "Version 1 and 1 later message are kept: press Shift+Tab then [."
        assert said in _notices(running)
        await running.send("third")
        await running.press("shift+tab", "up", "e", *"!", "enter")
        await running.settle()
        assert asked(running) == ["first!", "third!"]
        running.transcript.turns[0].parts[0].focus()
        await running.press("left_square_bracket")
        await running.until(lambda: asked(running) == ["first", "second"])
        await running.press("right_square_bracket")
        await running.until(lambda: asked(running) == ["first!", "third!"])
        await running.press("escape")
        await running.send("fourth")
        await running.press("shift+tab", "left_square_bracket")
        await running.until(lambda: asked(running) == ["first!", "third"])


async def test_a_new_version_says_that_the_changes_of_the_former_one_stay(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(call("add_task", title="Buy milk")), answer("Added."),
        calls(call("add_task", title="Buy oat milk")), answer("Added."), answer("Never mind."),
    )  # fmt: skip
    said = "Its task changes stay; u there undoes them."
    async with open_app() as running:
        await running.send("add milk")
        await running.press("shift+tab", "e", "enter")
        await running.until(lambda: said in _notices(running))
        await running.press("shift+tab", "left_square_bracket", "u")
        await running.until(lambda: "↺ undone" in running.shown())
        assert [task.title for task in app_setup.store.tasks.find()] == ["Buy oat milk"]
        running.notified.clear()
        await running.press("e", "enter")
        await running.settle()
        assert "Version 1 is kept: press Shift+Tab then [ (2 times)." in _notices(running)
        assert said not in _notices(running)


async def test_an_answer_that_changed_tasks_is_repeated_once_that_is_undone(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    milk = calls(call("add_task", title="Milk"))
    app_setup.script(milk, answer("Added."), milk, answer("Added again."))
    async with open_app() as running:
        await running.send("add milk")
        await running.press("shift+tab", "a")
        said = "Undo this answer's changes first (u): a new one repeats them."
        await running.until(lambda: said in _notices(running))
        assert app_setup.store.tasks.list().total == 1
        await running.press("u")
        await running.until(lambda: "↺ undone" in running.shown())
        await running.press("a")
        await running.until(lambda: "Added again." in running.shown())
        assert "version 2 of 2" in running.shown()
        assert app_setup.store.tasks.list().total == 1


_LINK_TABLES = """
import todo_tui.tui.chat.answer
from mdurl._decode import decode_cache
from mdurl._encode import encode_cache
assert encode_cache and decode_cache
"""


def test_the_tables_for_links_are_filled_before_answers_are_parsed_in_threads() -> None:
    subprocess.run([sys.executable, "-c", _LINK_TABLES], check=True)
