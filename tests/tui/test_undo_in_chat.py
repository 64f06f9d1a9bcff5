"""An undo in the chat of what was done by key: the card says what, when and from where."""

from __future__ import annotations

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.domain.task import Actor, Priority
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.tui.chat.approval import ApprovalCard
from todo_tui.tui.screens.undo_turn import UndoTurnScreen
from todo_tui.tui.widgets.choice import Choice


async def test_undo_of_a_change_made_in_the_list_is_asked_about(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.tasks.add(
        {"title": "Buy milk"}, by=app_setup.store.new_change_context(Actor.USER)
    )
    app_setup.script(calls(call("undo")), answer("As you say."))
    async with open_app() as running:
        await running.type("undo")
        await running.press("enter")
        await running.until(lambda: running.screen.query(ApprovalCard))
        shown = running.shown()
        assert "Undo the last change?" in shown
        assert "by you in the app" in shown
        assert "Added #1 Buy milk" in shown
        running.screen.query_one(ApprovalCard).answer(Choice.APPROVE)
        await running.settle()
        assert "As you say." in running.shown()
    assert app_setup.store.tasks.list().tasks == ()


async def test_undo_after_a_comparison_is_of_the_turn_before(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen",)
    app_setup.script(
        calls(call("add_task", title="Buy milk")),
        answer("Added."),
        answer("Another answer."),
        calls(call("undo")),
        answer("Undone."),
    )
    async with open_app() as running:
        await running.send("add milk")
        await running.type("/compare qwen\n")
        await running.until(lambda: "Another answer." in running.shown())
        await running.press("escape")
        await running.until(lambda: any("Kept" in notice for notice in running.notified))
        await running.send("undo")
        await running.until(lambda: "Undone." in running.shown())
        assert not running.screen.query(ApprovalCard)
    assert app_setup.store.tasks.list().tasks == ()


async def test_an_error_of_the_built_in_assistant_is_shown_once(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    """While it answers, and when the conversation is opened again."""
    app_setup.open_provider = lambda *_: BuiltInAssistant(app_setup.store.index)
    by = app_setup.store.new_change_context
    async with open_app() as running:
        await running.send("redo")
        app_setup.store.tasks.add({"title": "Buy milk"}, by=by(Actor.MCP))
        for reason in ("", "not yet"):
            await running.type("undo\n")
            await running.until(lambda: running.screen.query(ApprovalCard))
            running.screen.query_one(ApprovalCard).answer(Choice.DENY, reason)
            await running.until(lambda: not running.screen.query(ApprovalCard))
            await running.settle()
        app_setup.conversation_id = running.screen.chat.session.conversation_id
        first = running.shown()
    async with open_app() as running:
        await running.until(lambda: "Nothing to redo." in running.shown())
        for shown in (first, running.shown()):
            assert shown.count("Nothing to redo.") == 1
            assert shown.count("Denied: Undo the last change.") == 2
            assert shown.count("Reason: not yet") == 1


async def test_an_undo_passes_over_what_later_changes_leave_nothing_of(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.open_provider = lambda *_: BuiltInAssistant(app_setup.store.index)

    def titles() -> list[str]:
        return [task.title for task in app_setup.store.tasks.list().tasks]

    async with open_app() as running:
        await running.send("add practise the chorus tomorrow 5pm")
        await running.send("make it high priority")
        await running.send("add buy picks tuesday")
        await running.type("/undo 3\n")
        await running.until(lambda: isinstance(running.app.screen, UndoTurnScreen))
        # All, including later changes: above Cancel, which is the first choice.
        await running.press("up", "enter")
        await running.until(lambda: titles() == ["Buy picks"])
        await running.send("redo")
        await running.type("/undo 3\n")
        await running.until(lambda: app_setup.store.tasks.get(1).priority is None)
        for text in ("redo", "undo", "undo"):
            await running.send(text)
        shown = running.shown()
        assert "Undid the last change: added Buy picks" in shown
        assert "changed since" not in shown
        assert titles() == ["Practise the chorus"]
        await running.send("undo")
        assert titles() == []
        for _ in range(3):
            await running.send("redo")
        assert titles() == ["Practise the chorus", "Buy picks"]
        assert app_setup.store.tasks.get(1).priority is Priority.HIGH
