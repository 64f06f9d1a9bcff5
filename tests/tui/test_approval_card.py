"""The card about all calls of a message: its rows, the reason of a denial, and the settings."""

from __future__ import annotations

import json

from textual.widget import Widget

from tests.scripted import answer, call, calls
from tests.tui.conftest import NARROW, AppOpener, AppSetup, OpenApp
from tests.tui.driving import wait_until_idle
from tests.tui.test_approving import (
    DONE,
    ask,
    ask_about_each,
    ask_and_wait,
    ask_before_writes,
    card_is_open,
    click,
    next_card,
    outlast_grace,
    titles,
)
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.messages import Role
from todo_tui.domain.task import Actor
from todo_tui.tui.chat.approval import ApprovalCard
from todo_tui.tui.screens.consent import ApprovalSettingsScreen


def error_of_the_last_call(app_setup: AppSetup) -> str:
    """What the model was told of it."""
    results = [each for each in app_setup.provider.requests[-1].messages if each.role is Role.TOOL]
    error = json.loads(results[-1].tool_results[-1].content)["error"]
    assert error["type"] == "unauthorized"
    return str(error["message"])


async def test_rows_that_do_not_fit_are_opened_by_a_key_or_a_click(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup, *(f"Return parcel {number}" for number in range(1, 31)))
    async with open_app() as running:
        await ask_and_wait(running)
        assert "▸ 22 more lines  Tab Space" in running.shown()
        await running.press("space")
        assert running.composer.text == " ", "a space belongs to the message"
        await running.press("tab")
        assert (await running.help_sections())[:2] == ["Approval cards", "Most used"]
        await running.press("space")
        assert "#12 Return parcel 12" in running.shown()
        await running.press(*["pagedown"] * 5)
        assert "#30 Return parcel 30" in running.shown()
        assert "Allow once" in running.shown(), "the choices stay"
        await click(running, "▾ fewer")
        await running.press("pageup")
        assert "▸ 22 more lines  Space" in running.shown()
        await running.press("n")
        await running.settle()
    assert len(titles(app_setup)) == 30


async def test_every_choice_can_be_clicked(app_setup: AppSetup, open_app: AppOpener) -> None:
    ask_before_writes(app_setup, "Buy milk", "Call mom")
    app_setup.script(
        calls(call("complete_task", task_ids=[1])),
        calls(call("delete_task", task_ids=[1])),
        calls(call("delete_task", task_ids=[2])),
        answer(DONE),
    )
    async with open_app() as running:
        await ask(running, "do all of that")
        card = await next_card(running, None)
        await click(running, "Deny and say why")
        assert card.reason.has_focus
        await running.type("not yet")
        await running.press("enter")
        card = await next_card(running, card)
        assert running.writes()
        assert error_of_the_last_call(app_setup).endswith("Reason: not yet")
        await click(running, "Allow for this conversation")
        await running.settle()
        assert DONE in running.shown()
    assert titles(app_setup) == []


async def test_the_reason_of_a_denial_is_written_on_the_card_beside_a_draft(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask_and_wait(running)
        await running.type("my draft")
        await running.press("tab", "down", "right", "enter")
        await running.type("yes, but no: I need it")
        await running.press("f10")
        assert card_is_open(running), "letters are text here, and no key approves"
        assert "Enter deny" in running.shown()
        await running.press("shift+tab")
        assert running.writes()
        await running.type("!")
        await running.pilot.resize_terminal(*NARROW)
        await running.press("tab")
        assert running.screen.query_one(ApprovalCard).reason.has_focus
        await running.press("enter")
        await running.settle()
        assert running.composer.text == "my draft!"
        assert error_of_the_last_call(app_setup).endswith("yes, but no: I need it")
    assert titles(app_setup) == ["Buy milk"]


async def test_escape_leaves_the_reason_and_then_denies_without_one(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await ask_and_wait(running)
        await running.press("tab", "w")
        await running.type("because of")
        await running.press("escape")
        await wait_until_idle()
        assert card_is_open(running)
        assert "because of" not in running.shown()
        await running.press("w")
        assert "because of" in running.shown(), "it can still be used"
        await running.press("escape", "escape")
        await running.settle()
        assert "because of" not in error_of_the_last_call(app_setup)
    assert titles(app_setup) == ["Buy milk"]


async def test_a_command_denies_with_a_reason(app_setup: AppSetup, open_app: AppOpener) -> None:
    ask_before_writes(app_setup)
    async with open_app() as running:
        await running.send("/deny because")
        assert "Nothing to deny." in running.shown()
        assert running.composer.text == "/deny because"
        await running.press("ctrl+u")
        await ask(running)
        await running.type('/deny because "it\'s" \\ mine')
        await running.press("enter")
        await running.settle()
        assert error_of_the_last_call(app_setup).endswith('because "it\'s" \\ mine')
        assert len(running.transcript.turns) == 1
    assert titles(app_setup) == ["Buy milk"]


async def test_changes_after_reading_text_of_others_are_allowed_for_a_conversation(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    by = app_setup.store.new_change_context(Actor.USER)
    app_setup.store.tasks.add({"title": "Buy milk", "notes": "ORDER"}, by=by)
    app_setup.script(
        calls(call("list_tasks", filter="#1")),
        calls(call("complete_task", task_ids=[1])),
        calls(call("add_task", title="Buy bread")),
        answer(DONE),
    )
    async with open_app() as running:
        await ask_and_wait(running, "milk is done")
        assert "has read notes" in running.shown()
        assert "Allow once" in running.shown()
        assert "Allow for this conversation" in running.shown()
        await running.press("tab", "a")
        await running.until(lambda: DONE in running.shown())
        assert not card_is_open(running)
    assert titles(app_setup) == ["Buy bread"]


async def choose(running: OpenApp, *keys: str) -> None:
    await running.until(lambda: isinstance(running.app.screen, ApprovalSettingsScreen))
    await running.press(*keys)
    await running.until(lambda: running.app.screen is running.screen)


async def test_the_settings_are_on_a_key_and_hold_at_once(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    names = ask_about_each(app_setup, 2)
    app_setup.changes.clear()
    async with open_app() as running:
        await running.press("shift+tab", "p")
        assert "more than 5 tasks changed, more than 20 added" in running.shown()
        await choose(running, "down", "enter")
        await running.press("shift+tab")
        await ask(running)
        await running.press("shift+tab", "p")
        assert "● All changes" in running.shown()
        await choose(running, "end", "enter")
        await outlast_grace(running)
        await running.press("f10")
        await running.settle()
        assert DONE in running.shown(), "the next call is not asked about"
    assert titles(app_setup) == [name for name in names if name not in ("Task 0", "Task 1")]


async def test_the_chosen_settings_are_remembered_unless_configured(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.send("/approvals")
        await choose(running, "down", "enter")
    async with open_app() as running:
        await running.send("/approvals")
        await running.until(lambda: "● All changes" in running.shown())
        await choose(running, "enter")
    ask_before_writes(app_setup)
    app_setup.changes.clear()
    app_setup.approvals = ApprovalSettings(ApprovalMode.NEVER, tools=("undo",))
    app_setup.script(calls(call("delete_task", task_ids=[1])), answer(DONE))
    async with open_app() as running:
        await running.press("shift+tab", "p")
        assert "● Nothing" in running.shown()
        assert "Always ask before: Undo." in running.shown()
        assert "“never” from the configuration applies" in running.shown()
        await choose(running, "escape")
        await running.press("shift+tab")
        await running.send("delete milk")
        assert DONE in running.shown()
    assert titles(app_setup) == []


async def test_notices_cover_no_card_no_completions_and_no_window(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    ask_before_writes(app_setup, "Buy milk")
    app_setup.script(calls(call("delete_task", task_ids=[1])), answer(DONE))
    async with open_app(NARROW) as running:
        await ask_and_wait(running, "delete it")
        running.app.notify("A notice with more words than one line of it has room for, in all.")

        async def is_clear_of(kind: str) -> None:
            await wait_until_idle()
            shown = running.app.screen
            toast, other = shown.query_one("Toast"), shown.query(kind).first(Widget)
            assert toast.region
            assert other.region
            assert not toast.region.overlaps(other.region)

        await is_clear_of("ApprovalCard")
        await running.press("f2")
        await is_clear_of("#picker")
        await running.press("escape")
        await running.type("no\n")
        await running.settle()
        await running.type("/m")
        await is_clear_of("ComposerCompletionList")
