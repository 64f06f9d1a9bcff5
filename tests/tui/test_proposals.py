"""Cards about what agents propose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.test_approving import DONE, ask_and_wait, card_is_open, outlast_grace, titles
from todo_tui.agent import proposals
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.task import Actor
from todo_tui.store.proposals import ProposalState
from todo_tui.tools.registry import TOOLS


def propose(setup: AppSetup, name: str, **arguments: object) -> int:
    tool = next(tool for tool in TOOLS if tool.name == name)
    given = tool.signature.read(arguments)  # type: ignore[arg-type]  # JSON values
    preview = tool.preview(setup.store, "", given, None)
    return proposals.propose(setup.store, "claude-code", tool, arguments, preview)  # type: ignore[arg-type]


def add(setup: AppSetup, *names: str) -> None:
    by = setup.store.new_change_context(Actor.USER)
    setup.store.tasks.add_many([{"title": name} for name in names], by=by)


async def next_proposal(running: OpenApp, words: str) -> None:
    await running.until(lambda: f"claude-code proposes: {words}" in running.shown())
    await outlast_grace(running)


async def test_proposals_are_accepted_and_dropped_by_a_key(
    app_setup: AppSetup,
    open_app: AppOpener,
    snap_both_sizes: Callable[[OpenApp], Awaitable[None]],
) -> None:
    add(app_setup, "Old receipts", "Return parcel", "Call mom", "Pay rent")
    deleting = propose(app_setup, "delete_task", task_ids=[1, 2])
    moving = propose(app_setup, "update_task", task_ids=[3], details="tomorrow")
    adding = propose(app_setup, "add_task", title="New {x} [b]", details="friday")
    state = app_setup.store.proposals.get
    async with open_app() as running:
        await next_proposal(running, "delete 2 tasks")
        assert "#1 Old receipts" in running.shown()
        assert running.writes(), "the card takes no focus by itself"
        await snap_both_sizes(running)
        await running.press("escape", "y", "n")
        assert running.composer.text == "yn"
        assert state(deleting).state is ProposalState.WAITING
        await running.press("tab", "y")
        await next_proposal(running, "change “Call mom”")
        assert titles(app_setup) == ["Call mom", "Pay rent"]
        await running.press("tab", "n")
        await next_proposal(running, "add “New {x} [b]”")
        assert state(moving).state is ProposalState.DROPPED
        await running.press("f10")
        await running.settle()
        assert not card_is_open(running)
        assert state(adding).state is ProposalState.ACCEPTED
        await running.until(lambda: "Added New {x} [b]" in running.shown(), pauses=1)
    entry = app_setup.store.tasks.history(5)[0]
    assert entry.actor is Actor.MCP


async def test_a_proposal_gives_way_to_a_turn_and_ends_when_it_is_decided_elsewhere(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup, "Old receipts", "Return parcel")
    app_setup.approvals = ApprovalSettings(ask=ApprovalMode.WRITES)
    app_setup.script(calls(call("complete_task", task_ids=[1])), answer(DONE))
    async with open_app() as running:
        assert not card_is_open(running)
        number = propose(app_setup, "delete_task", task_ids=[1, 2])
        running.screen.chat.offer_proposals()
        await next_proposal(running, "delete 2 tasks")
        # A yes to the assistant is none to an agent, whose proposal came by itself.
        await ask_and_wait(running, "yes")
        assert "claude-code" not in running.shown()
        await running.press("f10")
        await next_proposal(running, "delete 2 tasks")
        # Completed since.
        await running.press("f10")
        await running.until(lambda: "outdated: the tasks changed since" in running.shown())
        await running.settle()
        assert not card_is_open(running)
        assert app_setup.store.proposals.get(number).state is ProposalState.OUTDATED
        other = propose(app_setup, "delete_task", task_ids=[2])
        running.screen.chat.offer_proposals()
        await next_proposal(running, "delete “Return parcel”")
        proposals.drop(app_setup.store, other)
        running.screen.chat.offer_proposals()
        await running.until(lambda: not card_is_open(running))
    assert titles(app_setup) == ["Return parcel"]
