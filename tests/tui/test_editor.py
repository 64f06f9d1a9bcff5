"""The editor of a task: every field, read in place, saved as one change."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, time

import pytest
from textual.widgets import Input, TextArea

from tests.tui.conftest import AppSetup
from tests.tui.pane import OpenPane, add, open_pane
from todo_tui.domain.task import Actor, Priority, RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.when import DateStyle, When
from todo_tui.tui.screens import task_editor
from todo_tui.tui.screens.task_editor import ChoiceInput, TaskEditorScreen
from todo_tui.tui.screens.task_fields import FormField, FormParser, format_fields

SCREEN = (100, 50)


@asynccontextmanager
async def editing(
    app_setup: AppSetup, task: int = 1, size: tuple[int, int] = SCREEN
) -> AsyncIterator[OpenPane]:
    """The editor, open on the first task of the list."""
    async with open_pane(app_setup, size) as running:
        running.task_list.move_cursor_to(task)
        await running.press("E")
        await running.until(lambda: isinstance(running.app.screen, TaskEditorScreen))
        await running.settle()
        yield running


def field(running: OpenPane, name: str) -> Input:
    return running.app.screen.query_one(f"#field-{name}", Input)


async def put(running: OpenPane, name: str, text: str) -> None:
    box = field(running, name)
    box.focus()
    box.value = ""
    await running.settle()
    await running.write(text)


def closed(running: OpenPane) -> bool:
    return not isinstance(running.app.screen, TaskEditorScreen)


async def save(running: OpenPane) -> None:
    await running.press("ctrl+s")


def task(app_setup: AppSetup, task_id: int = 1) -> Task:
    return app_setup.store.tasks.get(task_id)


async def test_every_field_is_saved_as_one_change_that_one_undo_takes_back(
    app_setup: AppSetup,
) -> None:
    before = add(app_setup.store, "Pay rent", "Find the contract", "Move house")[0]
    async with editing(app_setup) as running:
        await put(running, "title", "Pay the rent")
        await put(running, "due", "1 dec 9am Europe/London")
        await put(running, "start", "25 nov")
        await put(running, "repeat", "every month on the 1st")
        await put(running, "project", "home.flat")
        await put(running, "tags", "@bank, @long name")
        await put(running, "parent", "move house")
        await put(running, "blocked-by", "contract")
        running.app.screen.query_one("#field-priority", ChoiceInput).value = "high"
        running.app.screen.query_one("#field-status", ChoiceInput).value = "doing"
        running.app.screen.query_one("#field-notes", TextArea).text = "Keep **all** of it\nsafe"
        await save(running)
        assert closed(running)
    after = task(app_setup)
    assert after.title == "Pay the rent"
    assert (after.due, after.due_zone) == (When(date(2026, 12, 1), time(9)), "Europe/London")
    assert (after.start, after.start_zone) == (When(date(2026, 11, 25)), None)
    assert after.recurrence == "FREQ=MONTHLY;BYMONTHDAY=1"
    assert (after.project, after.tags) == ("home.flat", ("bank", "long name"))
    assert (after.parent, after.blocked_by) == (3, (2,))
    assert (after.priority, after.status) == (Priority.HIGH, Status.DOING)
    assert after.notes == "Keep **all** of it\nsafe"
    app_setup.store.tasks.undo(by=app_setup.store.new_change_context(Actor.USER))
    undone = task(app_setup)
    assert (undone.title, undone.due, undone.tags, undone.parent, undone.notes) == (
        before.title, None, (), None, "",
    )  # fmt: skip


async def test_dates_are_read_as_they_are_typed_and_mistakes_said_in_place(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Water the plants")
    async with editing(app_setup) as running:
        await put(running, "due", "friday 5pm")
        assert "Fri 20 Nov 17:00" in running.shown()
        assert "Europe/Berlin" not in running.shown(), "the own zone is not named"
        field(running, "title").focus()
        await running.press("tab", "tab")
        await running.write("sat 5pm")
        assert field(running, "due").value == "sat 5pm"
        await put(running, "due", "friday 5pm")
        await put(running, "repeat", "every! 3 days")
        assert "every 3 days after completion: Fri 20 Nov 17:00, " in running.shown()
        await put(running, "start", "30 feb")
        assert "30" in running.line_with("no ")
        await save(running)
        assert not closed(running)
        assert field(running, "start").has_focus
        await put(running, "start", "")
        await save(running)
    assert (task(app_setup).recurrence, task(app_setup).repeat_from) == (
        "FREQ=DAILY;INTERVAL=3",
        RepeatFrom.COMPLETION,
    )


async def test_a_field_that_somebody_else_changed_too_is_reported_before_it_is_written(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Else it may be told, on a slow machine, before anybody saves.
    monkeypatch.setattr(task_editor, "_POLL_INTERVAL_SECONDS", 3600.0)
    add(app_setup.store, "Pay rent friday #home")
    async with editing(app_setup) as running:
        await put(running, "title", "Mine")
        theirs = TaskFields(title="Theirs", project="flat", notes="by hand")
        by = app_setup.store.new_change_context(Actor.CLI)
        app_setup.store.tasks.update([1], theirs, by=by)
        await save(running)
        assert not closed(running)
        assert "now: Theirs" in running.shown()
        assert task(app_setup).title == "Theirs"
        await save(running)
        assert closed(running)
    after = task(app_setup)
    # What was not changed here is not written.
    assert (after.title, after.project, after.notes) == ("Mine", "flat", "by hand")


async def test_esc_leaves_at_once_and_with_something_unsaved_asks(app_setup: AppSetup) -> None:
    add(app_setup.store, "Pay rent")
    async with editing(app_setup) as running:
        await running.press("escape")
        assert closed(running)
        await running.press("E")
        await running.until(lambda: not closed(running))
        await put(running, "title", "Other")
        await running.press("escape")
        assert "Not saved: title" in running.shown()
        assert not closed(running)
        await running.press("escape")
        assert closed(running)
    assert task(app_setup).title == "Pay rent"


async def test_unknown_tasks_are_refused_in_place_and_circles_on_saving(
    app_setup: AppSetup,
) -> None:
    one, two = add(app_setup.store, "House", "Roof")
    by = app_setup.store.new_change_context(Actor.CLI)
    app_setup.store.tasks.update([two.id], TaskFields(parent=one.id, blocked_by=(one.id,)), by=by)
    async with editing(app_setup) as running:
        await put(running, "parent", "#99")
        assert "There is no task #99." in running.shown()
        await put(running, "parent", "roof")
        await save(running)
        assert "Task #1 cannot be a subtask of #2: #1 contains #2." in running.shown()
        await put(running, "parent", "")
        await put(running, "blocked-by", "#2")
        await save(running)
        assert "Task #1 cannot be blocked by #2" in running.shown()
        assert not closed(running)


async def test_tab_completes_names_and_titles_and_then_goes_on(app_setup: AppSetup) -> None:
    add(app_setup.store, "Mow", "Buy oat milk #home.kitchen @shop")
    async with editing(app_setup) as running:
        await put(running, "project", "kit")
        await running.press("tab")
        assert field(running, "project").value.strip() == "home.kitchen"
        await running.press("tab")
        assert field(running, "tags").has_focus
        await put(running, "blocked-by", "oat")
        assert "▸ #2  Buy oat milk" in running.shown()
        await running.press("tab")
        assert field(running, "blocked-by").value == "#2 "
        await save(running)
    assert (task(app_setup).project, task(app_setup).blocked_by) == ("home.kitchen", (2,))


async def test_remarks_are_added_changed_and_removed(app_setup: AppSetup) -> None:
    add(app_setup.store, "Pay rent")
    for text in ("keep", "change", "remove"):
        app_setup.store.tasks.annotate(1, text, by=app_setup.store.new_change_context(Actor.CLI))
    async with editing(app_setup) as running:
        boxes = {box.value: box for box in running.app.screen.query(Input)}
        boxes["change"].value = "changed"
        boxes["remove"].value = ""
        (new,) = (
            box for box in running.app.screen.query(Input) if "Add annotation" in box.placeholder
        )
        new.value = "new"
        await save(running)
        assert closed(running)
    assert [remark.text for remark in task(app_setup).annotations] == ["keep", "changed", "new"]


async def test_closing_a_parent_asks_about_its_subtasks(app_setup: AppSetup) -> None:
    add(app_setup.store, "House", "Roof")
    app_setup.store.tasks.update(
        [2], TaskFields(parent=1), by=app_setup.store.new_change_context(Actor.CLI)
    )
    async with editing(app_setup) as running:
        running.app.screen.query_one("#field-status", ChoiceInput).value = "done"
        await save(running)
        assert "1 open subtask: #2 Roof" in running.shown()
        assert not closed(running)
        await running.press("ctrl+l")
        assert closed(running)
    assert (task(app_setup).status, task(app_setup, 2).status) == (Status.DONE, Status.TODO)


async def test_it_scrolls_on_a_small_screen_and_shows_hostile_text_as_text(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "[bold]Not bold[/] 日本語 https://example.com/a")
    notes = TaskFields(notes="# [red]x[/]\x1b[31m\nhttps://example.org")
    app_setup.store.tasks.update([1], notes, by=app_setup.store.new_change_context(Actor.CLI))
    async with editing(app_setup, size=(80, 24)) as running:
        assert "[bold]Not bold[/] 日本語" in running.shown()
        for _ in range(13):
            await running.press("tab")
        assert "https://example.org" in running.shown()
        assert "\x1b" not in running.shown()
        await running.press("escape")
        assert closed(running)


def test_a_task_that_has_its_date_is_not_said_to_begin_on_another_one(app_setup: AppSetup) -> None:
    (task,) = add(app_setup.store, "Standup tomorrow every weekday")
    reader = FormParser(task, app_setup.clock, DateStyle(), app_setup.store.tasks)
    texts = format_fields(task, app_setup.clock)
    assert reader.read(FormField.REPEAT, texts).doubt == ""
    assert reader.read(FormField.REPEAT, texts).words.startswith("Next: tomorrow, Fri 20 Nov")
    assert "today" in reader.read(FormField.REPEAT, {**texts, FormField.DUE: ""}).doubt


@pytest.mark.parametrize(
    ("due", "text"),
    [
        ("2026-12-01T15:00", "Tue 1 Dec 15:00"),
        ("2026-01-02", "Fri 2 Jan"),
        ("2027-01-05T09:00", "5 Jan 2027 09:00"),
        ("1999-12-31", "31 Dec 1999"),
    ],
)
def test_a_date_is_shown_as_everywhere_and_reads_back(
    app_setup: AppSetup, due: str, text: str
) -> None:
    by = app_setup.store.new_change_context(Actor.USER)
    task = app_setup.store.tasks.add({"title": "Rent", "due": When.parse(due)}, by=by)
    texts = format_fields(task, app_setup.clock)
    assert texts[FormField.DUE] == text
    reader = FormParser(task, app_setup.clock, DateStyle(), app_setup.store.tasks)
    assert reader.read(FormField.DUE, texts).fields["due"] == task.due
