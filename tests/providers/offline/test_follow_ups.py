"""Messages that refer to the turn before: one task, two tasks, a list, what was just done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from tests.agent.conftest import Harness
from tests.providers.offline.conftest import Begin
from tests.rows import each_row
from todo_tui.domain.task import TaskFields
from todo_tui.domain.when import When

TASKS: tuple[TaskFields, ...] = (
    {"title": "Prepare slides", "due": When(date(2026, 12, 3)), "project": "work"},
    {"title": "Send invoice", "due": When(date(2026, 11, 30)), "project": "work"},
    {"title": "Call dentist", "due": When(date(2026, 12, 2), time(9, 30)), "project": "home"},
)
"""Tasks 1 to 3, on Wed 18 Nov; a further one is 4."""
FIELDS = ("title", "due", "priority", "project", "tags", "recurrence", "estimate", "status")
MILK = "add buy milk"
TWO = "add milk and eggs"
WORK = "what is in work?"
MOVED = "move the slides to 23 nov"
RENAMED = "rename slides to prepare deck"
BOTH = "move slides and invoice to 23 nov"
FRIDAY = {"due": "2026-11-20"}
HIGH = {"priority": "high"}
LOW = {"priority": "low"}
HOME = {"project": "home"}
Q4 = {"tags": ("q4",)}
DONE = {"status": "done"}
TRASH = {"status": "trash"}
DECK = {"title": "Finish deck"}
NOTE = {"notes": "ask Kim"}
UNDATED = {"due": None}


def _rows(harness: Harness) -> dict[int, dict[str, Any]]:
    store = harness.store
    tasks = (
        task
        for words in ("all", "trash")
        for task in store.tasks.list(store.read_query(words)).tasks
    )
    return {
        task.id: {
            **{field: getattr(task, field) for field in FIELDS},
            "due": task.due.iso() if task.due else None,
            "tags": tuple(sorted(task.tags)),
            "notes": task.notes,
            "status": "trash" if task.deleted_at else task.status.value,
        }
        for task in tasks
    }


@each_row(
    ("first", "wanted", "forms"),
    [
        (MILK, {4: FRIDAY}, (
            "has to be friday", "the task is due friday", "due date: friday", "sry friday",
            "add a due date: friday",
        )),
        (MILK, {4: HIGH}, ("raise its priority", "and high please")),
        (MILK, {4: LOW}, ("not that important",)),
        (MILK, {4: HOME}, ("project: home", "set its project to home", "add it to home")),
        (MILK, {4: Q4}, ("add tag q4", "add a q4 tag", "tag q4", "set its tag to q4")),
        (MILK, {4: NOTE}, ("note: ask Kim", "add the note ask Kim", "add ask Kim as a note")),
        (MILK, {4: {"estimate": 60}}, ("for an hour", "60 min")),
        (MILK, {4: DECK}, ("rename to Finish deck", "the title should be Finish deck")),
        (MILK, {4: {"status": "cancelled"}}, ("that one is cancelled",)),
        (MILK, {}, (
            "hold on", "delete the project", "actually the invoice", "add q4 to the first one",
            "no problem", "sorry, wrong chat", "i meant it", "no, all good",
        )),
        (MILK, {5: {"title": "Buy milk", "due": "2026-11-23"}}, (
            "add one for monday too", "one more for monday please",
        )),
        (MILK, {5: {"title": "Eggs"}}, ("another one for eggs",)),
        ("show slides", {1: {"estimate": 30}}, ("~30m",)),
        (MOVED, {}, ("add another for monday", "remove the tag", "no, home")),
        (MOVED, {1: UNDATED}, ("no date", "drop the deadline")),
        (RENAMED, {1: DECK}, ("it should say finish deck",)),
        (RENAMED, {}, ("no, finish deck",)),
        ("put slides in home", {1: {"project": "work"}}, ("no, work", "work, not home")),
        ("set slides to low priority", {1: HIGH}, ("high, not low",)),
        ("set slides to low priority", {1: {**FRIDAY, **HIGH}}, ("friday, high",)),
        ("slides", {1: FRIDAY}, ("friday",)),
        ("complete the slides", {}, ("friday", "move it to friday")),
        ("complete the slides", {1: {"status": "todo"}, 2: DONE}, (
            "the invoice, not the slides", "no, task 2", "actually the invoice",
        )),
        ("find zebra", {}, ("delete it",)),
        (TWO, {5: HIGH}, ("make the second one high", "the second high", "the latter high")),
        (TWO, {4: FRIDAY}, ("and the first on friday",)),
        (TWO, {4: HOME, 5: HOME}, ("both in home",)),
        (TWO, {}, ("the second", "the first")),
        (WORK, {1: HIGH}, ("make all but the first high",)),
        (WORK, {1: DONE}, ("only the second is done",)),
        (BOTH, {2: {"due": "2026-11-30"}}, (
            "only the first", "just the first one", "except the second one", "the slides only",
        )),
        (BOTH, {1: {"due": "2026-12-03"}}, ("only the latter",)),
    ],
)  # fmt: skip
async def test_a_follow_up_does_what_is_meant(
    begin: Begin, first: str, wanted: Mapping[int, Mapping[str, Any]], forms: Sequence[str]
) -> None:
    wrong: dict[str, Any] = {}
    before = _rows(await begin(first, tasks=TASKS))
    for form in forms:
        harness = await begin(first, tasks=TASKS)
        await harness.finished(form)
        changed = {
            at: {field: value for field, value in row.items() if value != before[at][field]}
            if at in before
            else {field: row[field] for field in wanted.get(at, row)}
            for at, row in _rows(harness).items()
            if row != before.get(at)
        }
        if changed != wanted:
            wrong[form] = changed

    assert not wrong


@each_row(
    ("dialog", "wanted"),
    [
        ((TWO, "make the second one high", "and the first"), {4: HIGH}),
        (("add call Ann", "add call Bo", "make the first one high"), {4: HIGH}),
        (("add vacuum every saturday", "complete vacuum", "move it to monday"),
         {5: {"due": "2026-11-23"}}),
        (("complete the slides", "move it to friday", "yes"), {1: {**FRIDAY, "status": "todo"}}),
    ],
)  # fmt: skip
async def test_a_third_message_does_what_is_meant(
    begin: Begin, dialog: Sequence[str], wanted: Mapping[int, Mapping[str, Any]]
) -> None:
    harness = await begin(*dialog[:-1], tasks=TASKS)
    before = _rows(harness)
    await harness.finished(dialog[-1])
    rows = _rows(harness)
    assert {
        at: {field: value for field, value in row.items() if value != before[at][field]}
        for at, row in rows.items()
        if row != before[at]
    } == wanted
