"""Answers made to break the chat: each turn ends, and the app takes the next key."""

from __future__ import annotations

import random

from tests.scripted import Round
from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.domain.messages import (
    Completed,
    Message,
    Role,
    StopReason,
    Text,
    TextDelta,
    ThinkingDelta,
)
from todo_tui.domain.text import plain_text
from todo_tui.tui.chat.answer import StreamingAnswer

INVISIBLE = (
    "\x00", "\x1b[31m", "\x1b[", "31m", "\x1b", "\x9b", "\x9d52;c;eA==\x9c", "\u202e",
    "\x07", "\u200b", "\ufeff", "\n", " ", "\r",
)  # fmt: skip
"""Fragments of which little or nothing is left to draw."""
VISIBLE = (
    "word ", "é", "**", "`", "```", "# ", "- ", "> " * 12, "|a|b|\n|-|-|\n", "[", "[/]", "<b>",
    "\u0300" * 30, "👩👧", "a" * 300, "~~", "[x](javascript:x)", "1. ", "\t" * 5,
)  # fmt: skip


def streamed(*fragments: str) -> Round:
    """A round that answers in exactly these fragments."""
    said = Message(Role.ASSISTANT, (Text("".join(fragments)),))
    return (*map(TextDelta, fragments), Completed(said, StopReason.END, None))


async def test_an_answer_that_begins_with_nothing_to_draw_leaves_the_app_responsive(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    said = Message(Role.ASSISTANT, (Text("Done."),))
    app_setup.script(
        streamed("\x00"),
        streamed("\x1b[3", "1m", "\x07"),
        streamed("\u202e\u202e", "and then words"),
        (
            ThinkingDelta("\x00"), TextDelta("\x00"), ThinkingDelta(" "), TextDelta("Done."),
            Completed(said, StopReason.END, None),
        ),
        streamed("Before \x1b[3", "1mred", " and after."),
    )  # fmt: skip
    async with open_app() as running:
        for shown in ("", "", "and then words", "Done.", "Before red and after."):
            await running.send("go")
            assert running.screen.is_running
            assert shown in running.shown()
        # The first half of an escape sequence is taken back.
        assert running.screen.query(StreamingAnswer)[-1].source == "Before red and after."
        await running.type("xyz")
        assert running.composer.text == "xyz"


async def test_random_fragments_end_every_turn_and_are_drawn_as_they_are_stored(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    dice = random.Random(20)  # noqa: S311 - the same answers each time
    rounds = [
        streamed(*dice.choices(INVISIBLE * 2 + VISIBLE, k=dice.randint(1, 12))) for _ in range(6)
    ]
    app_setup.script(*rounds, streamed("The last answer."))
    async with open_app() as running:
        for number in range(len(rounds)):
            running.composer.insert(f"go {number}")
            await running.press("enter")
            await running.settle()
            assert len(app_setup.provider.requests) == number + 1
            drawn = running.transcript.turns[-1].query(StreamingAnswer)
            assert all(each.source in ("", plain_text(each.text)) for each in drawn)
        await running.send("and now")
        assert "The last answer." in running.shown()
