"""todo-tui edit: every field, in words; `none` takes a value away."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from todo_tui.domain.task import JsonValue


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        (("--title", "New [bold] name"), "title", "New [bold] name"),
        (("--due", "next friday 9am"), "due", "2026-11-27T09:00"),
        (("--due", "1 week later"), "due", "2026-11-26"),
        (("--due", "none"), "due", None),
        (("--start", "tomorrow"), "start", "2026-11-19"),
        (("--priority", "HIGH"), "priority", "high"),
        (("--priority", "none"), "priority", None),
        (("--estimate", "1h30"), "estimate", 90),
        (("--estimate", "none"), "estimate", None),
        (("--project", "#work.reports"), "project", "work.reports"),
        (("--project", "none"), "project", None),
        (("--tags", "home, deep work"), "tags", ["home", "deep work"]),
        (("--tags", "none"), "tags", []),
        (("--add-tag", "new", "--remove-tag", "@old"), "tags", ["kept", "new"]),
        (("--notes", "first\nsecond"), "notes", "first\nsecond"),
        (("--notes", "none"), "notes", None),
        (("--repeat", "every 2 weeks"), "recurrence", "FREQ=WEEKLY;INTERVAL=2"),
        (("--recurrence", "FREQ=DAILY"), "recurrence", "FREQ=DAILY"),
        (("--repeat-from", "completion"), "repeat_from", None),
        (("--status", "doing"), "status", "doing"),
        (("--status", "cancelled"), "status", "cancelled"),
        (("--parent", "#2"), "parent", 2),
        (("--parent", "none"), "parent", None),
        (("--blocked-by", "2,3"), "blocked_by", [2, 3]),
        (("--blocked-by", "#2", "--blocked-by", "3"), "blocked_by", [2, 3]),
        (("--blocked-by", "none"), "blocked_by", []),
    ],
)
def test_each_field_can_be_set_and_cleared(
    shell: Shell, options: tuple[str, ...], field: str, value: JsonValue
) -> None:
    shell.done("add", "Task tomorrow !low #old @kept @old")
    shell.done("add", "second")
    shell.done("add", "third")
    assert shell.done("edit", "1", *options, "--json").task[field] == value
    shown = shell.done("show", "1", "--json").json
    assert isinstance(shown, dict)
    assert shown[field] == value


@pytest.mark.parametrize(
    ("option", "field", "value"),
    [("--due", "due", None), ("--project", "project", None), ("--tags", "tags", [])],
)
def test_an_empty_value_takes_the_value_away(
    shell: Shell, option: str, field: str, value: JsonValue
) -> None:
    shell.done("add", "Task tomorrow #old @kept")
    assert shell.done("edit", "1", option, "", "--json").task[field] == value


def test_what_needs_words_is_not_taken_away(shell: Shell) -> None:
    shell.done("add", "Task")
    assert "needs a title" in shell.fails("edit", "1", "--title", "").err
    assert "needs text" in shell.fails("edit", "1", "--title", "New", "--annotate", "").err
    assert shell.done("list", "--json").task["title"] == "Task"


@pytest.mark.parametrize("due", ["", " friday"])
def test_a_zone_without_a_time_of_day_is_refused(shell: Shell, due: str) -> None:
    shell.done("add", f"Task{due}")
    assert "needs a time of day" in shell.fails("edit", "1", "--due-zone", "Asia/Tokyo").err


def test_a_day_that_does_not_exist_is_named_in_one_sentence(shell: Shell) -> None:
    err = shell.done("add", "report on 31 feb").err
    assert err == "Note: There is no 31 February: February has 28 days, 29 in leap years.\n"


def test_an_edit_is_reported_in_one_line(shell: Shell) -> None:
    shell.done("add", "Call mom")
    assert shell.done("edit", "1", "--due", "friday").out == "#1 Call mom · Fri 20 Nov\n"


def test_a_zone_can_be_given(shell: Shell) -> None:
    shell.done("add", "Call mom tomorrow 5pm")
    task = shell.done("edit", "1", "--due-zone", "America/New_York", "--json").task
    assert task["due"] == "2026-11-19T17:00"
    assert task["due_zone"] == "America/New_York"
    assert "Mars/Base" in shell.fails("edit", "1", "--due-zone", "Mars/Base").err


def test_done_by_edit_brings_the_next_occurrence(shell: Shell) -> None:
    shell.done("add", "Water plants every monday")
    done, following = shell.done("edit", "1", "--status", "done", "--json").tasks
    assert done["status"] == "done"
    assert following["due"] == "2026-11-30"
    shell.done("undo")
    assert [task["id"] for task in shell.done("list", "--json").tasks] == [1]


def test_a_date_that_is_not_understood_changes_nothing(shell: Shell) -> None:
    shell.done("add", "Call mom")
    outcome = shell.fails("edit", "1", "--due", "smarch 32nd", "--title", "x")
    assert "smarch 32nd" in outcome.err
    assert shell.done("list", "--json").task["title"] == "Call mom"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ((), 2),
        (("--priority", "urgent"), 2),
        (("--estimate", "soon"), 1),
        (("--status", "open"), 2),
        (("--colour", "red"), 2),
        (("--title", " "), 1),
        (("--parent", "1"), 1),
        (("--parent", "mom"), 1),
        (("--parent", "77"), 1),
        (("--blocked-by", "1"), 1),
        (("--repeat", "sometimes"), 1),
        (("--add-tag", "@"), 1),
    ],
)
def test_what_cannot_be_set_is_refused(shell: Shell, options: tuple[str, ...], status: int) -> None:
    shell.done("add", "Call mom")
    before = shell.done("list", "--json").out
    shell.fails("edit", "1", *options, status=status)
    assert shell.done("list", "--json").out == before


def test_one_undo_takes_a_whole_edit_back(shell: Shell) -> None:
    shell.done("add", "Call mom")
    before = shell.done("show", "1", "--json").json
    shell.done("edit", "1", "--title", "x", "--add-tag", "a", "--annotate", "b", "--due", "friday")
    shell.done("undo")
    after = shell.done("show", "1", "--json").json
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert {**after, "updated_at": None} == {**before, "updated_at": None}


# --- the options of `add` ------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "field", "value"),
    [
        (("--due", "next friday 9am"), "due", "2026-11-27T09:00"),
        (("--due", "every monday 8pm"), "recurrence", "FREQ=WEEKLY;BYDAY=MO"),
        (("--start", "tomorrow"), "start", "2026-11-19"),
        (("--repeat", "every 2 weeks"), "recurrence", "FREQ=WEEKLY;INTERVAL=2"),
        (("--priority", "HIGH"), "priority", "high"),
        (("--priority", "none"), "priority", None),
        (("--estimate", "45 min"), "estimate", 45),
        (("--project", "#work.reports"), "project", "work.reports"),
        (("--tag", "@deep", "--tag", "home, new work"), "tags", ["deep", "home", "new work"]),
        (("--parent", "#1"), "parent", 1),
        (("--blocked-by", "1,2"), "blocked_by", [1, 2]),
        (("--blocked-by", "#1", "--blocked-by", "2"), "blocked_by", [1, 2]),
        (("--notes", "first\nsecond \x1b[31mred"), "notes", "first\nsecond red"),
        (("tomorrow", "--due", "friday"), "due", "2026-11-20"),
        (("5pm", "--due", "friday"), "due", "2026-11-20T17:00"),
        (("tomorrow", "--due", "none"), "due", None),
        (("#home", "--project", "work"), "project", "work"),
        (("@home", "--tag", "new"), "tags", ["home", "new"]),
        (("after #1", "--blocked-by", "2", "--blocked-by", "1"), "blocked_by", [1, 2]),
    ],
)
def test_add_reads_options_as_edit_does(
    shell: Shell, args: tuple[str, ...], field: str, value: JsonValue
) -> None:
    shell.done("add", "first")
    shell.done("add", "second")
    task = shell.done("add", "Report", *args, "--json").task
    assert task[field] == value
    assert str(task["title"]).startswith("Report")


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("--due", "blorp"), "blorp"),
        (("--repeat", "now and then"), "now and then"),
        (("--start", "\x1b[31mred"), "red” as a date"),
        (("--parent", "first"), "“first” is not a task id."),
        (("--parent", "99"), "There is no task #99."),
        (("--blocked-by", "1,99"), "There is no task #99."),
    ],
)
def test_an_option_of_add_that_cannot_be_read_adds_nothing(
    shell: Shell, args: tuple[str, ...], named: str
) -> None:
    shell.done("add", "first")
    assert named in shell.fails("add", "Report", *args).err
    assert len(shell.done("list", "all", "--json").tasks) == 1
    assert "'high', 'medium'" in shell.fails("add", "x", "--priority", "hgh", status=2).err


def test_all_that_add_writes_is_undone_together(shell: Shell) -> None:
    shell.done("add", "Report tomorrow", "--tag", "home", "--repeat", "every day", "--notes", "x")
    shell.done("undo")
    assert shell.done("list", "all", "--json").json == []


def test_how_the_line_was_read_is_not_told_where_an_option_replaces_it(shell: Shell) -> None:
    assert "Note:" in shell.done("add", "Report 5am").err
    assert shell.done("add", "Report 5am", "--due", "friday").err == ""


def test_a_repeat_that_keeps_the_due_date_names_no_other_first_day(shell: Shell) -> None:
    shell.done("add", "Water tomorrow 9am")
    outcome = shell.done("edit", "1", "every day")
    assert "tomorrow 09:00 · every day" in outcome.out
    assert outcome.err == ""
    shell.done("add", "Feed")
    assert "first occurrence today" in shell.done("edit", "2", "every 2 days").err


def test_show_and_move_speak_in_words(shell: Shell) -> None:
    shell.done("add", "Water every monday")
    assert "FREQ" not in shell.done("show", "1").out
    assert shell.done("move", "1", "--top").out == "Moved #1 Water to the top level\n"
