"""The built-in assistant with more tasks than it can see at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.blank import blank
from tests.conftest import NOW
from todo_tui.agent.approver import ApproveAll, ApproveNone, Approver
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

MANY = 450


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = blank(tmp_path / "tasks.db")
    with open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW)) as store:
        fields: list[TaskFields] = [
            {"title": f"Task {number}", "project": "work", "due": When.parse("2026-11-17")}
            for number in range(MANY)
        ]
        fields.append({"title": "Call mom", "project": "home"})
        store.tasks.add_many(fields, by=store.new_change_context(Actor.USER))
        yield store


async def said(
    store: Store,
    text: str,
    conversation: str | None = None,
    approver: Approver = ApproveNone(),  # noqa: B008  # it has no state
) -> tuple[str, str]:
    """The answer, and the conversation."""
    events = [
        event
        async for event in run_turn(
            text,
            RunConfig(store, BuiltInAssistant(store.index), approver=approver),
            conversation_id=conversation,
        )
    ]
    end = events[-1]
    assert isinstance(end, TurnFinished)
    return end.outcome.answer, end.conversation_id


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ("move all overdue tasks to tomorrow", "tomorrow"),
        ("tag everything in #work with @q4", "@q4"),
        ("set all work tasks to high priority", "!high"),
        ("postpone all work tasks by a week", "due:2026-11-24"),
    ],
)
async def test_all_of_them_are_changed_and_counted(store: Store, wish: str, found: str) -> None:
    answer, _ = await said(store, wish, approver=ApproveAll())

    assert f"{MANY} tasks" in answer
    assert store.tasks.count(store.read_query(found)) == MANY
    assert store.tasks.get(MANY + 1).is_open


async def test_many_are_not_changed_where_nobody_can_approve(store: Store) -> None:
    answer, _ = await said(store, "move all overdue tasks to tomorrow")

    assert "--yes" in answer
    assert "approvals.more_than" in answer
    assert store.tasks.count(store.read_query("tomorrow")) == 0


@pytest.mark.parametrize("wish", ["delete all work tasks", "complete everything overdue"])
async def test_many_are_closed_only_after_a_yes(store: Store, wish: str) -> None:
    answer, conversation = await said(store, wish)
    assert f"{MANY} tasks" in answer
    assert store.tasks.counts().open == MANY + 1

    await said(store, "yes", conversation)

    assert store.tasks.counts().open == 1


async def test_a_list_of_many_is_counted_whole(store: Store) -> None:
    answer, _ = await said(store, "show me only work tasks")

    assert f"{MANY} tasks" in answer


async def test_a_name_that_no_task_has_is_reported_after_few_look_ups(store: Store) -> None:
    wishes = {
        "move task 4 for anna to friday": "I could not use “anna”.",
        "move the call to the dentist to monday": "No task matches",
    }
    for wish, reply in wishes.items():
        answer, _ = await said(store, wish)

        assert answer.startswith(reply)
