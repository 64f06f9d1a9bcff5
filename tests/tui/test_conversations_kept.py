"""What is on screen again after a restart, and how older turns are fetched."""

from __future__ import annotations

import asyncio

import pytest

from tests.scripted import Pause, ScriptedProvider, answer, call, calls, in_order
from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.domain.errors import NotFound
from todo_tui.domain.events import StepStatus, TraceStep, TurnOutcome
from todo_tui.domain.messages import Message, Role, Text, TurnStatus, Usage
from todo_tui.tui.chat.trace_rows import TraceRow


def tell(app_setup: AppSetup, count: int, words: str = "answer") -> None:
    """A conversation of so many finished turns."""
    conversations = app_setup.store.conversations
    conversation = conversations.start()
    for number in range(count):
        question = Message(Role.USER, (Text(f"question {number}"),))
        turn = conversations.turns.open(
            conversation.id, question, provider="offline", model="rules"
        )
        conversations.turns.close(
            turn.id,
            TurnStatus.FINISHED,
            messages=[Message(Role.ASSISTANT, (Text(f"{words} {number}"),))],
            steps=[
                TraceStep(
                    f"call{number}",
                    "list_tasks",
                    f"Found {number} tasks",
                    "{}",
                    '{"status":"success","data":{}}',
                    StepStatus.SUCCESS,
                    3.0,
                )
            ],
            outcome=TurnOutcome(
                provider="offline", model="rules", usage=Usage(10, 0, 1), cost_usd=0.0
            ),
        )


async def test_conversation_traces_and_tasks_are_there_on_the_next_start(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(calls(call("add_task", title="Buy milk")), answer("It is on your list."))
    async with open_app() as running:
        await running.send("add buy milk")
    async with open_app() as running:
        shown = running.shown()
        assert "you · 14:30" in shown
        assert "add buy milk" in shown
        assert "✓ Added Buy milk" in shown
        assert "It is on your list." in shown
        await running.press("ctrl+o")
        assert '{"title": "Buy milk"}' in running.shown()


async def test_a_turn_that_failed_can_be_retried_after_a_restart(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    from tests.tui.test_turns_on_screen import REFUSED

    app_setup.script([REFUSED])
    async with open_app() as running:
        await running.send("hello")
    app_setup.script(answer("Better now."))
    async with open_app() as running:
        assert "Ctrl+R retry" in running.shown()
        await running.press("ctrl+r")
        await running.settle()
        assert "Better now." in running.shown()


async def test_the_newest_turns_are_loaded_and_older_ones_when_the_reader_comes_to_the_top(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 50)
    async with open_app() as running:
        assert len(running.transcript.turns) == 20
        assert "answer 49" in running.shown()
        running.transcript.scroll_home(animate=False)
        await running.until(lambda: len(running.transcript.turns) == 40)
        await running.settle()
        assert "question 30" in running.shown(), "the reader stays where they were"
        running.transcript.scroll_home(animate=False)
        await running.until(lambda: len(running.transcript.turns) == 50)
        await running.settle()
        await running.press("ctrl+home")
        assert "question 0" in running.shown()
        assert "earlier messages" not in running.shown()


async def test_a_new_conversation_begins_empty_and_the_old_one_stays_in_the_store(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 2)
    app_setup.script(answer("A fresh start."))
    async with open_app() as running:
        await running.press("ctrl+n")
        assert "New conversation." in running.shown()
        assert not running.screen.query(TraceRow)
        await running.send("hello")
    assert len(app_setup.store.conversations.list()) == 2
    assert [len(request.messages) for request in app_setup.provider.requests] == [1]


async def test_a_reader_who_scrolled_up_is_never_moved(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 12)
    scrolled = asyncio.Event()

    async def sleep(_: float) -> None:
        await scrolled.wait()

    told = answer("And so it went on. " * 60)
    rounds = [*told[:20], Pause(1), *told[20:]], answer("And so on. " * 100 + "The end.")
    app_setup.provider = ScriptedProvider(in_order(*rounds), sleep=sleep)
    async with open_app() as running:
        await running.type("go on")
        await running.press("enter")
        await running.until(lambda: "And so it went on." in running.shown())
        end = running.transcript.max_scroll_y
        await running.press("pageup")
        looked_at = running.transcript.scroll_y
        scrolled.set()
        await running.settle()
        assert running.transcript.scroll_y == looked_at
        grown = running.transcript.max_scroll_y - end
        assert f"↓ {grown:.0f} new lines" in running.shown()
        await running.press("ctrl+end")
        assert "new lines" not in running.shown()
        assert running.transcript.is_vertical_scroll_end
        # Who is at the bottom follows the answer.
        await running.send("go on")
        assert "The end." in running.shown()
        assert running.transcript.is_vertical_scroll_end


async def test_a_queued_message_moves_no_reader(app_setup: AppSetup, open_app: AppOpener) -> None:
    tell(app_setup, 12)
    scrolled = asyncio.Event()

    async def sleep(_: float) -> None:
        await scrolled.wait()

    rounds = [Pause(1), *answer("One. " * 200)], answer("Two. " * 200)
    app_setup.provider = ScriptedProvider(in_order(*rounds), sleep=sleep)
    async with open_app() as running:
        await running.type("first\n")
        await running.type("second\n")
        await running.press("pageup")
        looked_at = running.transcript.scroll_y
        scrolled.set()
        await running.until(lambda: running.transcript.turns[-1].user_text == "second")
        await running.settle()
        assert running.transcript.scroll_y == looked_at
        assert "new lines" in running.shown()


async def test_the_app_opens_the_conversation_that_it_is_given(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 1)
    (first,) = app_setup.store.conversations.list()
    app_setup.store.conversations.rename(first.id, "The first one")
    tell(app_setup, 2)
    app_setup.conversation_id = first.id
    app_setup.script(answer("Still here."))
    async with open_app() as running:
        assert "The first one" in running.shown()
        await running.send("hello")
    assert len(app_setup.store.turns.list(first.id)) == 2


async def test_a_deleted_conversation_is_erased_when_the_app_closes(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tell(app_setup, 1)
    conversations = app_setup.store.conversations
    (told,) = conversations.list()
    async with open_app() as running:
        conversations.delete(told.id)
        conversations.restore(told.id)
        conversations.delete(told.id)
        await running.press("ctrl+q")
    with pytest.raises(NotFound):
        conversations.restore(told.id)
