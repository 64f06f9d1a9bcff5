"""The help over a card, or a screen that asks: it begins with the keys of what is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from tests.scripted import Round, answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.test_dump import paste
from tests.tui.test_proposals import add, next_proposal, propose
from todo_tui.domain.task import Actor
from todo_tui.tui.chat.approval import ApprovalCard
from todo_tui.tui.screens.consent import ConsentScreen
from todo_tui.tui.screens.dump import DumpScreen
from todo_tui.tui.screens.undo_turn import UndoTurnScreen


async def open_approval(_: AppSetup, running: OpenApp) -> None:
    await running.type("undo\n")
    await running.until(lambda: running.screen.query(ApprovalCard))


async def open_proposal(setup: AppSetup, running: OpenApp) -> None:
    propose(setup, "delete_task", task_ids=[1, 2])
    running.screen.chat.offer_proposals()
    await next_proposal(running, "delete 2 tasks")


async def open_consent(_: AppSetup, running: OpenApp) -> None:
    await running.press("alt+7")
    await running.until(lambda: isinstance(running.app.screen, ConsentScreen))


async def open_dump(_: AppSetup, running: OpenApp) -> None:
    await paste(running, "buy milk tomorrow\ncall mom\nread")
    await running.press("alt+d")
    await running.until(lambda: isinstance(running.app.screen, DumpScreen))


async def open_undo(setup: AppSetup, running: OpenApp) -> None:
    await running.send("add milk")
    by = setup.store.new_change_context(Actor.USER)
    setup.store.tasks.update([3], {"title": "Mine"}, by=by)
    await running.settle()
    await running.type("/undo\n")
    await running.until(lambda: isinstance(running.app.screen, UndoTurnScreen))


UNDO = calls(call("undo"))
ADD = calls(call("add_task", title="Milk"))


@pytest.mark.parametrize(
    ("open_card", "says", "section"),
    [
        (open_approval, UNDO, "Approval cards"),
        (open_proposal, UNDO, "Approval cards"),
        (open_consent, UNDO, "Privacy prompt"),
        (open_dump, UNDO, "Brain dump"),
        (open_undo, ADD, "Undo changes"),
    ],
)
async def test_help_over_a_card_begins_with_its_keys(
    app_setup: AppSetup,
    open_app: AppOpener,
    open_card: Callable[[AppSetup, OpenApp], Awaitable[None]],
    says: Round,
    section: str,
) -> None:
    add(app_setup, "Old", "New")
    app_setup.script(says, answer("As you say."))
    app_setup.agreed.clear()
    app_setup.running["ollama"] = ("m",)
    async with open_app() as running:
        await open_card(app_setup, running)
        assert (await running.help_sections())[0] == section
