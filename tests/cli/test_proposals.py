"""`todo-tui proposals`: list, accept, drop."""

from __future__ import annotations

import pytest

from tests.cli.conftest import NOW, Outcome, Shell
from todo_tui.agent.proposals import propose
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.task import JsonValue
from todo_tui.tools.registry import TOOLS


def proposed(shell: Shell, name: str, **arguments: JsonValue) -> str:
    """Store a proposal of claude-code; return its id."""
    session = CliSession({**shell.environment(), "PATH": ""})
    tool = next(tool for tool in TOOLS if tool.name == name)
    preview = tool.preview(session.store, "", arguments, None)
    number = propose(session.store, "claude-code", tool, arguments, preview)
    session.close()
    return str(number)


@pytest.mark.usefixtures("no_database")
def test_proposals_are_listed_accepted_and_dropped(shell: Shell) -> None:
    assert "No database" in shell.done("proposals").err
    for title in ("Old receipts", "Return parcel due:friday", "Buy milk"):
        shell.done("add", title)
    assert shell.done("proposals").err == "No proposals.\n"
    deleting = proposed(shell, "delete_task", task_ids=[1, 2])
    moving = proposed(shell, "update_task", filter="milk", details="tomorrow !high")
    adding = proposed(shell, "add_task", title="New", details="friday")
    stale = proposed(shell, "complete_task", task_ids=[1])
    listed = shell.done("proposals")
    assert listed == shell.done("proposals", "list")
    assert listed.out == (
        f"{deleting}  claude-code proposes: delete 2 tasks\n"
        "   #1 Old receipts\n"
        "   #2 Return parcel · Fri 20 Nov\n"
        f"{moving}  claude-code proposes: change “Buy milk”\n"
        "   due → tomorrow · high priority\n"
        "   #3 Buy milk\n"
        f"{adding}  claude-code proposes: add “New”\n"
        "   due → Fri 20 Nov\n"
        f"{stale}  claude-code proposes: complete “Old receipts”\n"
        "   #1 Old receipts\n"
    )
    (row, *_) = shell.done("proposals", "--json").tasks
    assert row["state"] == "waiting"
    assert row["changes"] == ["#1 Old receipts", "#2 Return parcel · Fri 20 Nov"]
    assert str(row["created_at"]).startswith(NOW[:10])

    accepted = shell.done("proposals", "accept", moving, adding)
    assert accepted.out.startswith(f"Accepted {moving}: Changed Buy milk")
    assert shell.done("proposals", "drop", deleting).out == f"Dropped {deleting}\n"
    assert shell.done("list").out.count("New") == 1
    shell.done("edit", "1", "--priority", "high")
    problem = shell.fails("proposals", "accept", stale)
    assert "outdated: the tasks changed since. Nothing was changed." in problem.err
    assert shell.done("list").out.count("Old receipts") == 1
    for number in (moving, deleting, stale):
        assert "already" in shell.fails("proposals", "accept", number).err
        assert "already" in shell.fails("proposals", "drop", number).err
    (state,) = shell.done("proposals", "drop", proposed(shell, "undo"), "--json").tasks
    assert (state["state"], state["batch"]) == ("dropped", None)
    history = shell.done("log", "3").out
    assert "an MCP client" in history
    shell.done("undo")
    shell.done("undo")
    assert shell.done("list").out.count("New") == 0


def test_calls_of_another_version_are_listed_and_refused(shell: Shell) -> None:
    shell.done("add", "one")
    session = CliSession({**shell.environment(), "PATH": ""})
    for name, arguments in (("teleport", {}), ("delete_task", {"where": "all"})):
        session.store.proposals.add("claude-code", [(name, arguments)], {})
    session.close()
    assert shell.done("proposals").out.count("another version of todo-tui wrote it.") == 2
    for number in ("1", "2"):
        assert "is outdated" in shell.fails("proposals", "accept", number).err
    assert shell.done("proposals").out == ""


@pytest.mark.parametrize("arguments", [("accept", "99"), ("drop", "99")])
def test_unknown_proposals_are_refused(shell: Shell, arguments: tuple[str, ...]) -> None:
    shell.done("add", "one")
    outcome: Outcome = shell.fails("proposals", *arguments)
    assert "There is no proposal 99." in outcome.err
