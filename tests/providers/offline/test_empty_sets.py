"""Commands about a set that has no task change nothing, whatever was spoken of before."""

from __future__ import annotations

from tests.providers.offline.conftest import Begin
from tests.rows import each_row
from todo_tui.agent.approver import ApproveAll
from todo_tui.domain.task import TaskFields
from todo_tui.domain.when import When

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


@each_row("before", ["what's due next week?", "call the plumber on monday"])
@each_row("command", COMMANDS)
async def test_what_is_said_of_no_task_changes_none(
    begin: Begin, before: str, command: str
) -> None:
    harness = await begin(before, tasks=TASKS)
    harness.changes["approver"] = ApproveAll()
    tasks = harness.store.tasks.find()
    await harness.finished(command)
    assert harness.store.tasks.find() == tasks
