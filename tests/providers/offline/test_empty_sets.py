"""Commands about a set that has no task change nothing, whatever was spoken of before."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from todo_tui.agent.approver import ApproveAll
from todo_tui.agent.config import RunConfig
from todo_tui.agent.loop import run_turn
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

TASKS: tuple[TaskFields, ...] = (
    {"title": "Call plumber", "due": When.parse("2026-11-23"), "project": "home"},
    {"title": "Team lunch", "due": When.parse("2026-11-25T12:30"), "project": "work"},
    {"title": "Buy milk"},
)
COMMANDS = """
delete everything overdue
delete everything in garden
delete all in #holiday
delete everything in the garden project
delete everything tagged holiday
delete everything high priority
delete everything due saturday
delete anything due saturday
delete the blocked ones
delete what's overdue
get rid of all the overdue ones
bin anything overdue
drop everything tagged errands
clear everything cancelled
cancel everything overdue
complete everything overdue
complete all the started ones
mark everything overdue as done
mark everything due yesterday done
mark all garden tasks as done
move everything overdue to today
move the urgent ones to today
postpone everything in garden by two days
postpone everything due today to monday
reschedule all overdue tasks for friday
set everything overdue to high priority
tag everything overdue as late
postpone today
delete my errands
delete the last list
high priority stuff first
""".strip().splitlines()


async def say(store: Store, text: str, conversation: str | None) -> str:
    config = RunConfig(store, BuiltInAssistant(store.index), approver=ApproveAll())
    *_, end = [each async for each in run_turn(text, config, conversation_id=conversation)]
    assert isinstance(end, TurnFinished)
    return end.conversation_id


@pytest.mark.parametrize("before", ["what's due next week?", "call the plumber on monday"])
async def test_what_is_said_of_no_task_changes_none(tmp_path: Path, before: str) -> None:
    clock = Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
    with open_store(tmp_path / "tasks.db", user="ann", clock=clock) as store:
        store.tasks.add_many(TASKS, by=store.new_change_context(Actor.USER))
        tasks = store.tasks.find()
        for command in COMMANDS:
            conversation = await say(store, before, None)
            await say(store, command, conversation)
            assert store.tasks.find() == tasks, command
