"""A turn that waits for a yes: the card, the keys, and what is being written meanwhile."""

from __future__ import annotations

import pytest

from tests.tui.conftest import NARROW, AppOpener, Bench, OpenApp
from todo_tui.config.settings import ApprovalSettings, Asking
from todo_tui.domain.conversation import TurnStatus
from todo_tui.domain.task import Actor, JsonValue
from todo_tui.providers.scripted import answer, call, calls
from todo_tui.tui.widgets import approval_card
from todo_tui.tui.widgets.approval_card import ApprovalCard


def ask_before_writes(bench: Bench, *titles: str) -> None:
    """A turn that wants to delete tasks of these titles, and has to ask."""
    by = bench.store.gesture(Actor.USER)
    for title in titles or ("Buy milk",):
        bench.store.tasks.add({"title": title}, by=by)
    ids: list[JsonValue] = [task.id for task in bench.store.tasks.list().tasks]
    bench.changes["approvals"] = ApprovalSettings(ask=Asking.WRITES)
    bench.script(calls(call("delete_task", task_ids=ids)), answer("As you say."))


async def ask(running: OpenApp) -> None:
    """Say something and wait for the card."""
    await running.type("delete it all")
    await running.press("enter")
    await running.until(lambda: running.screen.query(ApprovalCard))


async def outlast_grace(running: OpenApp) -> None:
    card = running.screen.query_one(ApprovalCard)
    await running.until(lambda: not card.in_grace)


def titles(bench: Bench) -> list[str]:
    return [task.title for task in bench.store.tasks.list().tasks]


async def test_the_card_shows_what_would_change_and_y_agrees(
    bench: Bench, open_app: AppOpener
) -> None:
    ask_before_writes(bench, "Buy milk", "Call mom")
    async with open_app() as running:
        await ask(running)
        shown = running.shown()
        assert "Buy milk" in shown
        assert "Call mom" in shown
        assert "Y yes · N no · Esc no" in shown
        assert "waiting for you" in shown
        assert titles(bench) == ["Buy milk", "Call mom"]
        await outlast_grace(running)
        await running.press("y")
        await running.settle()
        assert "As you say." in running.shown()
        assert not running.screen.query(ApprovalCard)
        assert running.composer.text == ""
    assert titles(bench) == []


@pytest.mark.parametrize("key", ["n", "N", "alt+n", "escape"])
async def test_no_leaves_everything_as_it_is_and_the_turn_goes_on(
    bench: Bench, open_app: AppOpener, key: str
) -> None:
    ask_before_writes(bench)
    async with open_app() as running:
        await ask(running)
        await outlast_grace(running)
        await running.press(key)
        await running.settle()
        assert "As you say." in running.shown()
        assert not running.screen.query(ApprovalCard)
    assert titles(bench) == ["Buy milk"]


async def test_a_second_esc_stops_the_turn(bench: Bench, open_app: AppOpener) -> None:
    ask_before_writes(bench)
    ids: list[JsonValue] = [task.id for task in bench.store.tasks.list().tasks]
    bench.script(
        calls(call("delete_task", task_ids=ids)),
        answer("Once upon a time there was a list " * 400, pause=0.05),
    )
    async with open_app() as running:
        await ask(running)
        await running.press("escape")
        await running.until(lambda: "Once upon" in running.shown())
        await running.press("escape")
        await running.settle()
        assert "■ Stopped" in running.shown()


async def test_a_key_pressed_as_the_card_appears_agrees_to_nothing(
    bench: Bench, open_app: AppOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Half a second could be over before a busy machine has pressed the key.
    monkeypatch.setattr(approval_card, "GRACE_SECONDS", 3600.0)
    ask_before_writes(bench)
    async with open_app() as running:
        await ask(running)
        card = running.screen.query_one(ApprovalCard)
        assert card.in_grace
        await running.press("y")
        assert running.composer.text == "y", "it goes where it was meant to go"
        card.end_grace()
        await running.press("e", "s")
        assert running.composer.text == "yes"
        assert running.screen.query(ApprovalCard)
        await running.press("escape")
        await running.settle()
        assert running.composer.text == "yes"
    assert titles(bench) == ["Buy milk"]


async def test_letters_belong_to_what_is_being_written_and_alt_y_answers(
    bench: Bench, open_app: AppOpener
) -> None:
    ask_before_writes(bench)
    async with open_app() as running:
        await running.type("delete it all")
        await running.press("enter")
        await running.type("by the way ")
        await running.until(lambda: running.screen.query(ApprovalCard))
        await outlast_grace(running)
        assert "Alt+Y yes · Alt+N no · Esc no" in running.shown()
        await running.type("not yet")
        assert running.composer.text == "by the way not yet"
        assert titles(bench) == ["Buy milk"]
        await running.press("alt+y")
        await running.settle()
        assert running.composer.text == "by the way not yet"
    assert titles(bench) == []


async def test_letters_answer_again_when_what_was_written_is_gone(
    bench: Bench, open_app: AppOpener
) -> None:
    ask_before_writes(bench)
    async with open_app() as running:
        await ask(running)
        await outlast_grace(running)
        await running.type("a")
        await running.press("backspace")
        assert "Y yes · N no" in running.shown()
        await running.press("y")
        await running.settle()
    assert titles(bench) == []


async def test_y_answers_from_the_list_and_not_from_its_boxes(
    bench: Bench, open_app: AppOpener
) -> None:
    ask_before_writes(bench)
    async with open_app() as running:
        await ask(running)
        await outlast_grace(running)
        await running.press("tab", "slash")
        await running.type("y")
        assert getattr(running.app.focused, "value", "") == "y"
        assert running.screen.query(ApprovalCard)
        await running.press("escape", "y")
        await running.settle()
    assert titles(bench) == []


async def test_the_card_goes_with_its_turn(bench: Bench, open_app: AppOpener) -> None:
    ask_before_writes(bench)
    async with open_app() as running:
        await ask(running)
        await running.press("ctrl+c")
        await running.settle()
        assert not running.screen.query(ApprovalCard)
        assert not running.screen.busy
        await running.type("yn")
        assert running.composer.text == "yn", "nothing swallows letters any more"
    latest = bench.store.conversations.latest()
    assert latest is not None
    assert bench.store.conversations.turns(latest.id)[0].status is TurnStatus.CANCELLED
    assert titles(bench) == ["Buy milk"]


async def test_leaving_the_app_is_no(bench: Bench, open_app: AppOpener) -> None:
    ask_before_writes(bench)
    async with open_app() as running:
        await ask(running)
    assert titles(bench) == ["Buy milk"]


async def test_a_narrow_screen_that_shows_the_list_says_that_the_chat_waits(
    bench: Bench, open_app: AppOpener
) -> None:
    ask_before_writes(bench)
    async with open_app(NARROW) as running:
        await running.type("delete it all")
        await running.press("enter", "tab")
        await running.until(lambda: "waiting for you" in running.shown())
        assert not running.screen.query_one(ApprovalCard).region.area, "it is in the other pane"


async def test_many_rows_are_counted_instead_of_filling_the_screen(
    bench: Bench, open_app: AppOpener
) -> None:
    ask_before_writes(bench, *(f"Task {number}" for number in range(30)))
    async with open_app() as running:
        await ask(running)
        card = running.screen.query_one(ApprovalCard)
        assert card.size.height <= 12
        assert "more" in running.shown()
        await running.press("escape")
        await running.settle()
