"""Commands that set a field by its name, or close a task, in many forms of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.providers.offline.conftest import Begin
from tests.rows import each_row
from todo_tui.domain.when import When

TASKS = ("add prepare slides 3 dec 9:00 #work @q3", "add plan trip #home")
"""Tasks 1 and 2, on Wed 18 Nov."""
REFERENCES = ("#1", "task 1", "the slides", "prepare slides")


@each_row(
    ("field", "value", "forms"),
    [
        ("due", "2026-11-23T09:00", (
            "set the due date of {} to monday", "change {}'s due date to monday",
            "due date of {}: monday", "set a due date for {}: monday",
            "add due date monday to {}", "i want {} to be due monday",
        )),
        ("due", "2026-12-03T15:00", (
            "set the time of {} to 15:00", "add time 3pm to {}", "change {}'s time to 15:00",
        )),
        ("due", None, (
            "clear {}'s due date", "set the due date of {} to none", "make {} undated",
        )),
        ("priority", "high", (
            "set the priority of {} to high", "change {}'s priority to high",
            "raise the priority of {}", "add high priority to {}", "priority of {}: high",
            "make {} a priority", "assign high priority to {}",
        )),
        ("project", "home", (
            "set the project of {} to home", "change {}'s project to home",
            "{} is part of home", "{} should go in home",
        )),
        ("tags", ["q3", "q4"], (
            "add a q4 tag to {}", "add q4 tag to {}", "give {} the tag q4",
            "{} gets the tag q4", "set the tags of {} to q4", "tag {} q4",
        )),
        ("recurrence", "FREQ=WEEKLY", (
            "set the recurrence of {} to weekly", "let {} repeat weekly",
        )),
        ("status", "done", ("wrap up {}", "resolve {}", "x {}")),
        ("status", "cancelled", ("{} is off", "{} has been called off", "{} is not happening")),
        ("status", "trash", (
            "put {} in the trash", "move {} to the trash", "cross {} out", "rm {}",
        )),
    ],
)  # fmt: skip
async def test_each_form_of_a_command_sets_its_field(
    begin: Begin, field: str, value: str | list[str] | None, forms: Sequence[str]
) -> None:
    harness = await begin(*TASKS)
    wrong: dict[str, Any] = {}
    for form in forms:
        for reference in REFERENCES:
            harness.conversation_id = None
            message = form.format(reference)
            await harness.finished(message)
            task = harness.store.tasks.get(1)
            found: Any = "trash" if task.deleted_at else getattr(task, field)
            found = found.iso() if isinstance(found, When) else found
            found = sorted(found) if isinstance(found, list | tuple | frozenset) else found
            if found != value:
                wrong[message] = found
            await harness.finished("undo")

    assert not wrong
