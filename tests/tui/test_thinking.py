"""What a model thinks: a quiet line that opens, streams, and closes when the answer begins."""

from __future__ import annotations

import asyncio

from tests.scripted import (
    Pause,
    Round,
    ScriptedProvider,
    answer,
    call,
    calls,
    in_order,
)
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ThinkingDelta
from todo_tui.tui.chat.answer import StreamingAnswer
from todo_tui.tui.chat.trace_rows import LIVE_LINES, ThinkingRow


def thinking(*thoughts: str, then: Round = ()) -> Round:
    """A round that thinks before it does something."""
    return (*(ThinkingDelta(thought) for thought in thoughts), *then)


def row_of(running: OpenApp) -> ThinkingRow:
    return running.screen.query_one(ThinkingRow)


async def test_thinking_is_one_line_that_opens_and_closes(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(thinking("Milk is white. ", "So is \x1b[31m[b]snow[/].", then=answer("Yes.")))
    async with open_app() as running:
        await running.send("is milk white?")
        assert "∴ Thought" in running.shown()
        assert "So is" not in running.shown()
        await running.press("ctrl+o")
        assert "Milk is white. So is [b]snow[/]." in running.shown()
        assert "\x1b" not in running.shown()
        await running.press("ctrl+o")
        assert "So is" not in running.shown()
        await running.press("shift+tab", "up", "enter")
        assert "Milk is white. So is [b]snow[/]." in running.shown()


async def test_it_can_be_read_as_it_comes_and_closes_when_the_answer_begins(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    thoughts = [f"Thought number {number} goes here. " for number in range(60)]
    looked_at = asyncio.Event()

    async def sleep(_: float) -> None:
        await looked_at.wait()

    rounds = in_order([*thinking(*thoughts), Pause(1), *answer("Done thinking.")])
    app_setup.provider = ScriptedProvider(rounds, sleep=sleep)
    async with open_app() as running:
        await running.type("think")
        await running.press("enter")
        await running.until(lambda: running.screen.query(ThinkingRow))
        assert "Thinking…" in running.shown()
        await running.press("ctrl+o")
        await running.until(lambda: "Thought number" in running.shown())
        assert row_of(running).size.height == LIVE_LINES + 1
        looked_at.set()
        await running.until(lambda: "Done" in running.shown())
        assert row_of(running).size.height == 1
        await running.settle()
        assert row_of(running).text == "".join(thoughts)


async def test_thinking_is_laid_out_no_more_often_than_the_line_opens(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(thinking(*("word " for _ in range(3000)), then=answer("Done.")))
    async with open_app() as running:
        layouts = 0

        def count(_: object) -> None:
            nonlocal layouts
            layouts += 1

        running.screen.screen_layout_refresh_signal.subscribe(running.transcript, count)
        await running.send("think")
        assert layouts < 60


async def test_each_model_call_of_a_turn_has_its_own_thoughts(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        thinking("First I add it.", then=calls(call("add_task", title="Buy milk"))),
        thinking("Now I say so.", then=answer("It is on your list.")),
    )
    async with open_app() as running:
        await running.send("add buy milk")
        kinds = [type(row).__name__ for row in running.transcript.turns[0].rows]
        assert kinds == ["ThinkingRow", "TraceRow", "ThinkingRow"]


async def test_thoughts_of_a_broken_stream_give_way_to_those_that_come_anew(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async def no_wait(_seconds: float) -> None:
        return

    app_setup.changes["sleep"] = no_wait
    broken = ProviderError(ProviderErrorKind.NETWORK, "It broke off.")
    app_setup.script(
        (*thinking("Half a thought", then=answer("Half a")[:-1]), broken),
        thinking("A whole thought.", then=answer("A whole answer.")),
    )
    async with open_app() as running:
        await running.send("think")
        assert [row.text for row in running.screen.query(ThinkingRow)] == ["A whole thought."]
        assert [view.source for view in running.screen.query(StreamingAnswer)] == [
            "A whole answer."
        ]


async def test_a_turn_that_is_stopped_while_it_thinks_thinks_no_more(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(thinking("One thing. ", "Another. ", then=[Pause(3600)]))
    async with open_app() as running:
        await running.type("think")
        await running.press("enter")
        await running.until(lambda: running.screen.query(ThinkingRow))
        await running.press("escape")
        await running.settle()
        assert row_of(running).seconds is not None
        assert "Stopped." in running.shown()
        assert "Partial" not in running.shown()
