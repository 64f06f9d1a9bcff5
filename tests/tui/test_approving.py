"""A turn that waits for approval: the card, its keys, and what is being written meanwhile."""

from __future__ import annotations

import asyncio

from textual import events

from tests.scripted import (
    Round,
    ScriptedProvider,
    answer,
    call,
    calls,
    in_order,
)
from tests.tui.conftest import NARROW, AppOpener, AppSetup, OpenApp
from tests.tui.driving import wait_until_idle
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.messages import Provider, TurnStatus, Usage
from todo_tui.domain.task import Actor, JsonValue
from todo_tui.tui.chat.approval import ApprovalCard
from todo_tui.tui.key_queue import REPEAT_SECONDS
from todo_tui.tui.textual_fixes import shown_notices
from todo_tui.tui.widgets.choice_row import ChoiceRow

DONE = "As you say."


def ask_before_writes(app_setup: AppSetup, *titles: str, then: Round | None = None) -> None:
    """A turn that wants to delete tasks of these titles, and has to ask."""
    by = app_setup.store.new_change_context(Actor.USER)
    for title in titles or ("Buy milk",):
        app_setup.store.tasks.add({"title": title}, by=by)
    ids: list[JsonValue] = [task.id for task in app_setup.store.tasks.list().tasks]
    app_setup.changes["approvals"] = ApprovalSettings(ask=ApprovalMode.WRITES)
    app_setup.script(calls(call("delete_task", task_ids=ids)), then or answer(DONE))


def ask_about_each(app_setup: AppSetup, count: int) -> list[str]:
    """A turn that asks about one task after the other; returns their titles."""
    names = [f"Task {number}" for number in range(count)]
    ask_before_writes(app_setup, *names)
    ids = [task.id for task in app_setup.store.tasks.list().tasks]
    app_setup.script(*(calls(call("delete_task", task_ids=[each])) for each in ids), answer(DONE))
    return names


async def ask(running: OpenApp, text: str = "delete it all") -> None:
    """Say something and wait for the card."""
    running.composer.insert(text)
    await running.press("enter")
    await running.until(lambda: running.screen.query(ApprovalCard))


async def outlast_grace(running: OpenApp) -> None:
    """Let the moment pass in which the card takes no yes."""
    running.screen.query_one(ChoiceRow).end_grace()
    await wait_until_idle()


async def hold_grace(running: OpenApp) -> None:
    """Make that moment longer than a busy machine needs to press some keys."""
    running.screen.query_one(ChoiceRow).start_grace(3600.0)


async def ask_and_wait(running: OpenApp, text: str = "delete it all") -> None:
    await ask(running, text)
    await outlast_grace(running)


def titles(app_setup: AppSetup) -> list[str]:
    return [task.title for task in app_setup.store.tasks.list().tasks]


def card_is_open(running: OpenApp) -> bool:
    return bool(running.screen.query(ApprovalCard))


async def test_the_card_shows_what_would_change_and_how_to_answer(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup, "Buy milk", "Call mom")
    async with open_app() as running:
        await ask(running)
        shown = running.shown()
        assert "Buy milk" in shown
        assert "Call mom" in shown
        assert "Allow once" in shown
        assert "Allow for this conversation" in shown
        assert "Deny and say why" in shown
        assert "Tab answer · Esc deny" in shown
        assert "needs approval" in shown
        assert running.writes(), "the card takes no focus by itself"
        await running.press("tab")
        for words in ("y Allow once", "a Allow for", "n Deny", "w Deny and", "← → choose · Enter"):
            assert words in running.shown()
        assert "Tab answer" not in running.shown()
        # Arrows move between the lines of choices.
        row = running.screen.query_one(ChoiceRow)
        seen = [row.marked]
        for key in ("right", "down", "left", "up", "up", "left", "left"):
            await running.press(key)
            seen.append(row.marked)
        assert seen == [
            "approve", "approve_always", "explain", "deny", "approve", "deny",
            "approve_always", "approve",
        ]  # fmt: skip
        await running.press("escape")
        await running.settle()
        assert "Enter send · Ctrl+J new line" in running.shown()
    assert titles(app_setup) == ["Buy milk", "Call mom"]


async def test_nothing_typed_or_pasted_in_the_box_answers_and_other_messages_wait(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask_and_wait(running)
        for text in ("yesterday I", "no", "Y", "1"):
            await running.type(text)
            assert running.composer.text == text
            assert card_is_open(running)
            await running.press("ctrl+u")

        # A paste.
        running.app.post_message(events.Paste("y\n"))
        await running.until(lambda: running.composer.text == "y\n")
        assert card_is_open(running)
        running.composer.text = ""

        # Esc and a letter that reach the app as one key: so a terminal without the kitty
        # protocol sends Alt+Y, and Esc followed fast by y.
        for letter in "yY":
            running.app.post_message(events.Key(f"alt+{letter}", letter))
        await running.until_keys_are_handled()
        assert card_is_open(running)
        running.composer.text = ""

        # Enter without words, and with some: they wait for the turn.
        await running.press("enter", "enter")
        assert card_is_open(running)
        for text in ("yesterday", "yes, but not that one", "no idea", "y/n", "ok", "yes\nno"):
            await running.type(text.replace("\n", "\\\n"))
            await running.press("enter", "enter")
            assert card_is_open(running)
            assert running.composer.text == ""
        assert "next (+5): yesterday" in running.shown(), "they wait for the turn"
        assert running.notified[-1] == "Queued. To answer, type yes or no, or press Tab."
        await running.press("ctrl+c")
        await running.settle()
    assert titles(app_setup) == ["Buy milk"]


async def test_a_plain_yes_or_no_sent_from_the_box_or_a_key_that_types_nothing_answers_the_card(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    typed = {"yes": True, " n ": False, "NO!": False}
    pressed = {"f10": True, "escape": False}
    names = ask_about_each(app_setup, len(typed) + len(pressed))
    async with open_app() as running:
        await ask(running)
        card = None
        for text in typed:
            card = await next_card(running, card)
            assert "Type yes or no · Tab answer · Esc deny" in running.shown()
            await running.type(text)
            assert card_is_open(running)
            await running.press("enter")
        assert running.composer.text == ""
        await running.type("no")
        for key in pressed:
            card = await next_card(running, card)
            await running.press(key)
        await running.settle()
        assert DONE in running.shown()
        assert "next:" not in running.shown(), "an answer is not a message"
        assert running.composer.text == "no"
    answers = {**typed, **pressed}.values()
    kept = [name for name, yes in zip(names, answers, strict=True) if not yes]
    assert titles(app_setup) == kept


ANSWERS = (
    ("y", True),
    ("n", False),
    ("enter", True),
    ("down enter", False),
)


async def next_card(running: OpenApp, before: ApprovalCard | None) -> ApprovalCard:
    """Wait for a card that is not the one before, and for the end of its grace."""
    await running.until(lambda: before is None or not before.is_attached)
    await running.until(lambda: card_is_open(running))
    await outlast_grace(running)
    return running.screen.query_one(ApprovalCard)


async def test_on_the_card_arrows_and_enter_or_its_letters_answer(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    names = ask_about_each(app_setup, len(ANSWERS))
    async with open_app() as running:
        await ask(running)
        await running.type("hm")
        card = None
        for keys, _ in ANSWERS:
            card = await next_card(running, card)
            assert running.writes(), "the card takes no focus by itself"
            await running.press("tab")
            assert not running.writes()
            await running.press(*keys.split())
            assert running.writes(), "keys go to the message box again"
        await running.settle()
        assert DONE in running.shown()
        await running.type("!")
        assert running.composer.text == "hm!"
    kept = [name for name, (_, approves) in zip(names, ANSWERS, strict=True) if not approves]
    assert titles(app_setup) == kept


async def click(running: OpenApp, label: str) -> None:
    """Click on text of the screen."""
    lines = running.shown().splitlines()
    row = next(number for number, line in enumerate(lines) if label in line)
    await running.pilot.click(offset=(lines[row].index(label), row))
    await wait_until_idle()


async def test_tab_and_a_click_beside_the_choices_only_go_to_the_card_and_the_list(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask_and_wait(running)
        await running.press("tab")
        assert running.screen.query("ChoiceRow:focus")
        await running.press("shift+tab")
        assert running.writes()
        await running.press("tab", "tab")
        assert running.screen.query("TaskList:focus")
        await running.press("y", "n")
        assert card_is_open(running), "letters belong to the list"
        await running.press("tab")
        assert running.writes()
        assert titles(app_setup) == ["Buy milk"]

        # A click beside the choices.
        await running.pilot.click(ApprovalCard, offset=(4, 1))
        assert running.screen.query_one(ChoiceRow).has_focus
        await running.pilot.click(ChoiceRow, offset=(53, 0))
        assert card_is_open(running)
        await running.press("y")
        await running.settle()
    assert titles(app_setup) == []


async def test_esc_denies_wherever_the_focus_is_and_the_next_one_stops_the_turn(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(
        app_setup, then=answer("Once upon a time there was a list " * 400, pause=0.05)
    )
    async with open_app() as running:
        await ask(running)
        await running.press("tab", "tab", "a")
        await running.press("escape")
        await running.until(lambda: "Once upon" in running.shown())
        assert not card_is_open(running)
        assert running.screen.chat.session.busy
        # The box of the list has its own Esc when nothing asks.
        await running.press("escape")
        # A second one at once would be a key held down.
        await asyncio.sleep(2 * REPEAT_SECONDS)
        await running.press("escape")
        await running.settle()
        assert "Stopped. Partial" in running.shown()
    assert titles(app_setup) == ["Buy milk"]


async def test_an_esc_that_is_held_down_denies_and_does_not_stop_the_turn(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup, then=answer("Once upon a time. " * 400, pause=0.02))
    async with open_app() as running:
        await ask(running)
        for _ in range(12):
            running.app.post_message(events.Key("escape", "\x1b"))
        await running.until(lambda: "Once upon" in running.shown())
        await asyncio.sleep(2 * REPEAT_SECONDS)
        assert running.screen.chat.session.busy
        await running.press("ctrl+c")
        await running.settle()
    assert titles(app_setup) == ["Buy milk"]


async def test_a_key_pressed_as_the_card_appears_approves_nothing(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask(running)
        await hold_grace(running)
        # A yes that was begun before is a message.
        await running.type("yes\n")
        assert card_is_open(running)
        assert "next: yes" in running.shown()
        await running.press("f10", "tab", "y", "enter", "f10", "y")
        assert card_is_open(running)
        await running.pilot.click(ChoiceRow, offset=(3, 0))
        assert card_is_open(running)
        await outlast_grace(running)
    # Nor does leaving the app.
    assert titles(app_setup) == ["Buy milk"]


async def test_the_key_that_answered_one_card_does_not_answer_the_next(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_about_each(app_setup, 2)
    async with open_app() as running:
        await ask_and_wait(running)
        first = running.screen.query_one(ApprovalCard)
        await running.press("tab", "enter")
        await running.until(
            lambda: card_is_open(running) and running.screen.query_one(ApprovalCard) is not first
        )
        await hold_grace(running)
        assert running.writes()
        await running.press("enter", "y", "backspace", "enter", "tab", "enter", "y")
        assert card_is_open(running)
        await running.press("n")
        await running.settle()
        assert DONE in running.shown()
    assert titles(app_setup) == ["Task 1"]


async def test_the_open_card_can_be_answered_by_a_command(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_about_each(app_setup, 2)
    async with open_app() as running:
        for command in ("approve", "deny"):
            await running.send(f"/{command}")
            assert f"Nothing to {command}." in running.shown()
        await running.type("/")
        assert "/rename" in running.shown()
        assert "/approve" not in running.shown(), "it is suggested only while a card is open"
        await running.press("backspace")
        await ask(running)
        card = running.screen.query_one(ApprovalCard)
        needed = "Answer the request first: press F10 to approve or Esc to deny."
        for command in ("/undo", "/compare groq", "/new"):
            running.notified.clear()
            await running.type(f"{command}\n")
            await running.until(lambda: needed in running.notified)
            running.composer.clear_text()
        assert card_is_open(running)
        await running.type("/ap")
        assert "/approve    Approve" in running.shown()
        await running.press("tab")
        assert running.composer.text == "/approve", "Tab completes before it leaves the box"
        await running.press("enter")
        await next_card(running, card)
        await running.send("/Deny")
        assert DONE in running.shown()
        assert running.composer.text == ""
        assert len(running.transcript.turns) == 1, "commands are not messages"
    assert titles(app_setup) == ["Task 1"]


async def test_keys_of_ones_own_answer_nothing_from_the_box_either(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keymap = {"chat.yes": "y,Y,alt+y,full_stop", "chat.no": "escape,n,space,enter"}
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask_and_wait(running)
        await running.type("jk yn YN. ")
        assert running.composer.text == "jk yn YN. "
        await running.press("enter", "enter")
        assert card_is_open(running)
        await running.press("tab", "down", "enter")
        await running.until(lambda: not card_is_open(running))
    assert titles(app_setup) == ["Buy milk"]


async def test_the_card_and_the_box_name_keys_of_ones_own(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keymap = {"card.approve": "j", "chat.to_card": "f5", "chat.no": "ctrl+l"}
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask_and_wait(running)
        assert "F5 answer · Ctrl+L deny" in running.shown()
        await running.press("f5")
        assert "j Allow once" in running.shown()
        await running.press("j")
        await running.settle()
    assert titles(app_setup) == []


async def test_the_budget_is_asked_about_in_the_same_way(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async def price(_provider: Provider, _usage: Usage) -> float:
        return 1.0

    app_setup.changes |= {"pricing": price, "daily_budget_usd": 0.0}
    app_setup.provider = ScriptedProvider(in_order(answer("Hello."), answer("Again.")), local=False)
    async with open_app() as running:
        await running.type("hello")
        await running.press("enter")
        await running.until(lambda: card_is_open(running))
        await outlast_grace(running)
        assert "Today's budget" in running.shown()
        await running.type("what for?")
        await running.press("enter")
        assert card_is_open(running)
        assert running.composer.text == ""
        (notice,) = shown_notices(running.app)
        assert notice.message == "Queued. To answer, type yes or no, or press Tab."
        await running.press("up")
        assert running.composer.text == "what for?", "it waited for the turn to end"
        await running.press("ctrl+u")
        await running.type("yes\n")
        await running.settle()
        assert "Hello." in running.shown()


async def test_the_card_goes_with_its_turn(app_setup: AppSetup, open_app: AppOpener) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask(running)
        await running.press("tab", "ctrl+c")
        await running.settle()
        assert not card_is_open(running)
        assert not running.screen.chat.session.busy
        await running.type("yn")
        assert running.composer.text == "yn", "keys go to the message box"
    latest = app_setup.store.conversations.latest()
    assert latest is not None
    assert app_setup.store.turns.list(latest.id)[0].status is TurnStatus.CANCELLED
    assert titles(app_setup) == ["Buy milk"]


async def test_a_card_behind_the_list_of_a_narrow_screen_is_answered_by_no_key(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup)
    async with open_app(NARROW) as running:
        await ask_and_wait(running)
        await running.press("tab", "tab")
        assert "needs approval" in running.shown()
        assert not running.screen.query_one(ApprovalCard).region.area, "it is in the other pane"
        await running.press("f10", "escape")
        assert card_is_open(running)
        assert running.screen.chat.session.busy
        assert running.writes(), "Esc leads back to where the card is"
        await running.press("escape")
        await running.settle()
    assert titles(app_setup) == ["Buy milk"]


async def test_question_and_choices_are_in_sight_beside_a_long_draft(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup, *(f"Task {number}" for number in range(30)))
    async with open_app(NARROW) as running:
        await ask(running)
        running.composer.insert("some\n" * 12)
        for size in (NARROW, (60, 16), (40, 12)):
            await running.pilot.resize_terminal(*size)
            await wait_until_idle()
            shown = running.shown()
            assert "Delete 30 tasks?" in shown, size
            assert "Allow once" in shown, size
            assert "Deny" in shown, size
            if size == NARROW:
                assert "▸ 25 more" in shown
                assert "Tab answer · Esc deny" in shown
        await running.press("escape")
        await running.settle()
