"""`views` and `view`: filters under names, from the shell."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import on_terminal


def test_a_view_is_saved_shown_listed_and_forgotten(shell: Shell) -> None:
    shell.done("add", "Call mom friday @phone")
    shell.done("add", "Call the bank tomorrow @phone !high")
    shell.done("add", "Buy milk")
    saved = shell.done("views", "save", "my calls", "@phone", "sort:due-", "--key", "C")
    assert saved.out == "Saved view my calls (key c).\n"
    assert [task["id"] for task in shell.done("view", "my", "calls", "--json").tasks] == [1, 2]
    assert [
        task["id"] for task in shell.done("list", 'view:"my calls"', "!high", "--json").tasks
    ] == [2]
    assert shell.done("views").out == ("Key  View      Filter\nc    my calls  @phone sort:due-\n")
    assert shell.done("views", "--json").json == [
        {"name": "my calls", "filter": "@phone sort:due-", "key": "c", "problem": None}
    ]
    gone = shell.done("views", "delete", "MY CALLS")
    assert gone.out == "Deleted view my calls (filter: @phone sort:due-)\n"
    assert shell.done("views", "--json").json == []
    assert "No saved views" in shell.done("views").err


def test_views_are_renamed_keyed_and_put_in_order(shell: Shell) -> None:
    for name in ("a", "b", "c"):
        shell.done("views", "save", name, "today")
    assert shell.done("views", "rename", "b", "the second").out == ("Renamed view to the second.\n")
    assert shell.done("views", "key", "the second", "7").out == (
        "Set shortcut of the second (key 7).\n"
    )
    assert shell.done("views", "key", "the second").out == "Removed shortcut of the second.\n"
    assert shell.done("views", "order", "c", "the second").out == (
        "View order: c, the second, a.\n"
    )


def test_headings_of_a_view_are_shown(shell: Shell) -> None:
    shell.done("add", "Write report #work")
    shell.done("views", "save", "all", "group:project")
    assert shell.done("view", "all").out.splitlines()[0] == "work · 1"


def test_days_are_commands_and_more_words_narrow_them(shell: Shell) -> None:
    shell.done("add", "Late yesterday #work")
    shell.done("add", "Milk today !low")
    shell.done("add", "Bread tomorrow")
    shell.done("add", "Cake in 3 weeks !high")
    shell.done("add", "Some day #work")
    for command, ids in {
        "today": [1, 2],
        "tomorrow": [3],
        "overdue": [1],
        "week": [1, 2, 3],
        "next": [1, 2, 3, 4, 5],
        "today #work": [1],
        "week sort:due-": [3, 2, 1],
        "next #work": [1, 5],
        "tomorrow #work": [],
    }.items():
        assert [task["id"] for task in shell.done(*command.split(), "--json").tasks] == ids
    assert shell.done("week").out.startswith("yesterday · ")
    assert "“tomorrow #work”" in shell.done("tomorrow", "#work").err
    assert "due:fooday" in shell.fails("today", "due:fooday").err


def test_what_cannot_be_saved_says_why(shell: Shell) -> None:
    outcome = shell.fails("views", "save", "x", "milk", "due:fooday")
    assert outcome.err.splitlines()[1:3] == ["  milk due:fooday", "       ^^^^^^^^^^"]
    assert "one digit or letter" in shell.fails("views", "save", "x", "today", "--key", "ab").err
    assert "Remove them" in shell.fails("views", "save", 'a"b', "today").err
    shell.fails("views", "save", "x", status=2)
    shell.fails("views", "bogus", status=2)
    assert shell.done("views", "--json").json == []


def test_a_view_that_is_not_there_is_named_with_what_was_perhaps_meant(shell: Shell) -> None:
    shell.done("views", "save", "calls", "@phone")
    assert shell.fails("view", "cals").err == (
        "todo-tui: No view named “cals”.\n  Did you mean calls?\n"
    )
    assert "Did you mean view:calls?" in shell.fails("list", "view:cals").err


def test_the_views_of_the_app_are_there_in_the_shell_too(shell: Shell) -> None:
    for line in ("Someday", "Late monday", "Ready today !high", "Later 24 dec", "Waits"):
        shell.done("add", line)
    shell.done("edit", "5", "--blocked-by", "1")
    shell.done("done", "2")

    def titles(name: str) -> list[object]:
        return [task["title"] for task in shell.done("view", name, "--json").tasks]

    assert titles("Next")[0] == "Ready"
    assert "Waits" not in titles("next")
    assert titles("today") == ["Ready"]
    assert titles("upcoming") == ["Ready", "Later"]
    assert titles("done") == ["Late"]
    assert len(titles("projects")) == 4
    assert titles("trash") == []
    shell.done("views", "save", "next", "later")
    assert titles("next") == ["Later"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("today", "Nothing is overdue, due today or started.\n"),
        ("Upcoming", "Nothing is overdue or due later.\n"),
        ("next", "No task is actionable now.\n"),
        ("done", "No task is done yet.\n"),
        ("trash", "The trash is empty.\n"),
        ("calls", "No task is in the view “Calls” (filter: @phone). Did you mean @phones?\n"),
        ("milk", "No task is in the view “milk” (filter: bread). List all tasks with"
         " `todo-tui list all`.\n"),
    ],
)  # fmt: skip
def test_a_view_without_tasks_says_so_in_words(shell: Shell, name: str, said: str) -> None:
    shell.done("add", "Get phones", "@phones", "starts friday")
    shell.done("views", "save", "Calls", "@phone")
    shell.done("views", "save", "milk", "bread")
    assert shell.done("view", name).err == said


def test_a_filter_that_is_nested_too_deeply_is_refused_in_shell_and_views(shell: Shell) -> None:
    for text in ("(" * 11 + "a" + ")" * 11, "not (" * 50 + "a" + ")" * 50):
        assert "nested too deeply" in shell.fails("list", text).err
        assert "nested too deeply" in shell.fails("views", "save", "deep", text).err
    shell.done("list", "not " * 60 + "today")
    shell.done("views", "save", "v0", "a or not b")
    for number in range(1, 10):
        shell.done("views", "save", f"v{number}", f"c or not view:v{number - 1}")
    shell.done("view", "v9")
    shell.done("views", "save", "v10", "view:v9")
    assert "nested too deeply" in shell.fails("list", "view:v10").err


def test_a_view_says_when_its_filter_can_be_read_no_more(shell: Shell) -> None:
    shell.done("views", "save", "inner", "@phone")
    shell.done("views", "save", "outer", "view:inner", "today")
    shell.done("views", "delete", "inner")
    assert "is not a saved view" in shell.done("views").out
    assert any("is not a saved" in line for line in on_terminal(120, "views"))
    assert "is not a saved view" in shell.fails("view", "outer").err
