"""What the pane says of undo and redo."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.rows import each_row
from todo_tui.domain.changes import ChangeContext, ChangeKind, FieldConflict, TaskChange, UndoReport
from todo_tui.domain.task import Actor, Task
from todo_tui.tui.task_list.notices import fit_on_one_line, join_titles, short_title
from todo_tui.tui.task_list.notices import undo_message as message_at

AT = datetime(2026, 11, 18, tzinfo=UTC)


def undo_message(report: UndoReport, *, redo: bool = False) -> str:
    return message_at(report, AT, redo=redo)


def changed(kind: ChangeKind, *titles: str) -> tuple[TaskChange, ...]:
    context = ChangeContext(Actor.USER, "batch")
    return tuple(
        TaskChange(kind, Task(number, str(number), title, AT, AT), context)
        for number, title in enumerate(titles, 1)
    )


@each_row(
    ("kind", "undone", "redone"),
    [
        (ChangeKind.ADDED, "removed", "added"),
        (ChangeKind.DELETED, "restored", "deleted"),
        (ChangeKind.RESTORED, "deleted", "restored"),
        (ChangeKind.REOPENED, "completed", "reopened"),
        (ChangeKind.COMPLETED, "reopened", "completed"),
        (ChangeKind.CANCELLED, "reopened", "cancelled"),
        (ChangeKind.UPDATED, "changes to", "changes to"),
        (ChangeKind.PURGED, "added", "removed"),
    ],
)
def test_an_undo_of_one_task_names_what_was_undone(
    kind: ChangeKind, undone: str, redone: str
) -> None:
    report = UndoReport(changed(kind, "Milk"))
    assert undo_message(report) == f"Undone: {undone} Milk."
    assert undo_message(report, redo=True) == f"Redone: {redone} Milk."


@each_row(
    ("was", "kind", "undone"),
    [
        ("done", ChangeKind.REOPENED, "completed"),
        ("cancelled", ChangeKind.REOPENED, "cancelled"),
        ("todo", ChangeKind.COMPLETED, "reopened"),
        ("cancelled", ChangeKind.COMPLETED, "cancelled"),
        ("done", ChangeKind.CANCELLED, "completed"),
        ("doing", ChangeKind.CANCELLED, "reopened"),
    ],
)
def test_an_undo_knows_the_status_that_was_undone(was: str, kind: ChangeKind, undone: str) -> None:
    report = UndoReport(changed(kind, "Milk"), values={1: {"status": (was, "any")}})
    assert undo_message(report) == f"Undone: {undone} Milk."


def test_an_undo_of_many_names_two() -> None:
    report = UndoReport(changed(ChangeKind.REOPENED, "Milk", "Bread", "Eggs", "Tea"))
    assert undo_message(report) == "Undone: completed Milk, Bread and 2 more."
    moved = UndoReport(changed(ChangeKind.UPDATED, "Milk", "Bread"))
    assert undo_message(moved) == "Undone: changes to Milk and Bread."


def test_an_undo_of_a_change_says_of_which_fields() -> None:
    changes = changed(ChangeKind.UPDATED, "Milk", "Bread")
    for fields, what in (
        ({"due", "due_zone"}, "due date of "),
        ({"tags", "priority"}, "priority and tags of "),
        ({"recurrence", "repeat_from", "series", "slot"}, "recurrence of "),
        ({"title", "notes", "project"}, "changes to "),
    ):
        report = UndoReport(changes, (), {change.task.id: fields for change in changes})
        assert undo_message(report) == f"Undone: {what}Milk and Bread."
        assert undo_message(report, redo=True) == f"Redone: {what}Milk and Bread."


def test_an_undo_of_one_field_says_its_values() -> None:
    (one,) = changes = changed(ChangeKind.UPDATED, "Milk")
    for values, undone, redone in (
        ({"due": ("2026-11-30", "2026-11-27")},
         "due date back to Fri 27 Nov", "due date: Mon 30 Nov → Fri 27 Nov"),
        ({"due": ("2026-11-19T10:00", None), "due_zone": ("UTC", None)},
         "due date back to none", "due date: tomorrow 10:00 → none"),
        ({"priority": (None, "high")}, "priority back to high", "priority: none → high"),
        ({"notes": ("1 l", None)}, "notes", "notes"),
    ):  # fmt: skip
        report = UndoReport(changes, (), {one.task.id: {*values}}, {one.task.id: values})
        assert undo_message(report) == f"Undone: Milk · {undone}."
        assert undo_message(report, redo=True) == f"Redone: Milk · {redone}."
    both = {"due": ("2026-11-30", None), "priority": ("low", "high")}
    report = UndoReport(changes, (), {one.task.id: {*both}}, {one.task.id: both})
    assert undo_message(report) == "Undone: due date and priority of Milk."


def test_an_undo_of_several_kinds_only_names_them() -> None:
    both = changed(ChangeKind.REOPENED, "Milk") + changed(ChangeKind.DELETED, "Bread")
    assert undo_message(UndoReport(both)) == "Undone: changes to Milk and Bread."


def test_an_undone_occurrence_is_named_once() -> None:
    both = changed(ChangeKind.REOPENED, "Water") + changed(ChangeKind.PURGED, "Water")
    assert undo_message(UndoReport(both)) == "Undone: completed Water."
    again = changed(ChangeKind.COMPLETED, "Water") + changed(ChangeKind.ADDED, "Water")
    assert undo_message(UndoReport(again), redo=True) == "Redone: completed Water."


def test_an_empty_change_is_described_as_none() -> None:
    assert undo_message(UndoReport()) == "Nothing to undo."
    assert undo_message(UndoReport(), redo=True) == "Nothing to redo."


def test_what_was_left_alone_is_named_with_its_field() -> None:
    one, other = FieldConflict(1, "Milk", "due"), FieldConflict(1, "Milk", "title")
    assert (
        undo_message(UndoReport(conflicts=(one,))) == "Not undone: due date of Milk changed since."
    )
    both = undo_message(UndoReport(changed(ChangeKind.UPDATED, "Bread"), (one, other)))
    assert both == (
        "Undone: changes to Bread. Not undone: due date of Milk and 1 more changed since."
    )
    for parts in (("due", "due_zone"), ("completed_at", "status")):
        conflicts = tuple(FieldConflict(1, "Milk", each) for each in parts)
        assert " and 1 more" not in undo_message(UndoReport(conflicts=conflicts)), "one thing"


def test_titles_in_sentences_are_short_and_plain() -> None:
    assert join_titles(["a\x1b[31mb\nc"]) == "ab c"
    assert len(join_titles(["x" * 500])) == 32


@pytest.mark.parametrize(
    ("room", "words"),
    [
        (60, "Undone: Renew the passport in town is open again."),
        (45, "Undone: Renew the passport in… is open again."),
        (30, "Undone: Renew the passport in town is open again."),
    ],
)
def test_a_title_is_cut_where_that_keeps_a_sentence_on_one_line(room: int, words: str) -> None:
    def sentence(cells: int) -> str:
        return f"Undone: {short_title('Renew the passport in town', cells)} is open again."

    assert fit_on_one_line(sentence, room) == words
