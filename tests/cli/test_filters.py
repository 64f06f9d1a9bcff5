"""Filters in the shell: order, headings, and mistakes that are shown where they are."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import on_terminal
from todo_tui.domain.filters.lexer import QUOTE_HINT


@pytest.fixture
def chores(shell: Shell) -> Shell:
    shell.done("add", "Pay rent tomorrow #home @bills !high")
    shell.done("add", "Write report friday #work @office @writing")
    shell.done("add", "Buy milk @home")
    shell.done("add", "[red] plan #work.client !low")
    return shell


def ids(shell: Shell, *words: str) -> list[object]:
    return [task["id"] for task in shell.done("list", *words, "--json").tasks]


def test_the_order_is_that_of_the_filter_also_for_programs(chores: Shell) -> None:
    assert ids(chores) == [1, 2, 3, 4]
    assert ids(chores, "sort:title") == [4, 3, 1, 2]
    assert ids(chores, "sort:due-") == [2, 1, 3, 4]
    assert ids(chores, "sort:priority,title") == [1, 4, 3, 2]
    assert ids(chores, "sort:-id", "#work") == [4, 2]
    assert ids(chores, "group:tag", "sort:id-") == [4, 3, 2, 1]
    lines = chores.done("list", "sort:id-").out.splitlines()
    assert [line[:2] for line in lines] == ["#4", "#3", "#2", "#1"]


def test_headings_stand_above_their_tasks_and_count_them(chores: Shell) -> None:
    assert chores.done("list", "group:tag", "sort:title").out == (
        "@bills · 1\n"
        "#1  ○  Pay rent      tomorrow    !high  #home         @bills\n"
        "\n@home · 1\n"
        "#3  ○  Buy milk                                       @home\n"
        "\n@office · 1\n"
        "#2  ○  Write report  Fri 20 Nov         #work         @office @writing\n"
        "\n@writing · 1\n"
        "#2  ○  Write report  Fri 20 Nov         #work         @office @writing\n"
        "\nno tag · 1\n"
        "#4  ○  [red] plan                !low   #work.client\n"
    )


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("due", "next 7 days · 2|no due date · 2"),
        ("day", "tomorrow · Thu 19 Nov · 1|Fri 20 Nov · 1|no due date · 2"),
        ("project", "home · 1|work · 1|work.client · 1|no project · 1"),
        ("priority", "high priority · 1|low priority · 1|no priority · 2"),
        ("status", "to do · 4"),
        ("done", "not done · 4"),
        ("none", ""),
    ],
)
def test_headings_come_in_an_order_of_their_own(chores: Shell, group: str, expected: str) -> None:
    lines = chores.done("list", f"group:{group}").out.splitlines()
    assert "|".join(line for line in lines if line and line[0] != "#") == expected


def test_done_tasks_are_listed_by_the_day_on_which_they_were_done(shell: Shell) -> None:
    for number, (command, day) in enumerate((("done", 18), ("done", 17), ("cancel", 16)), 1):
        shell.set(TODO_TUI_NOW="2026-11-10T09:00")
        shell.done("add", f"Task {number}", "--due", f"2026-12-{number:02}")
        shell.set(TODO_TUI_NOW=f"2026-11-{day}T09:00")
        shell.done(command, str(number))
    shell.set(TODO_TUI_NOW="2026-11-18T14:30")
    for words, days in (
        ("done group:day", ["today · Wed 18 Nov · 1", "yesterday · Tue 17 Nov · 1"]),
        ("done or cancelled group:day",
         ["today · Wed 18 Nov · 1", "yesterday · Tue 17 Nov · 1", "Mon 16 Nov · 1"]),
        ("all group:day", ["Tue 1 Dec · 1", "Wed 2 Dec · 1", "Thu 3 Dec · 1"]),
    ):  # fmt: skip
        lines = shell.done("list", words).out.splitlines()
        assert [line for line in lines if line and line[0] != "#"] == days, words
    shell.done("edit", "1", "--due", "2026-12-24")
    for words, ids in (
        ("done", [1, 2]),
        ('done:"this week"', [1, 2, 3]),
        ("done sort:due", [2, 1]),
    ):
        assert [task["id"] for task in shell.done("list", words, "--json").tasks] == ids, words


def test_headings_stand_in_the_column_of_the_tasks_on_a_terminal(chores: Shell) -> None:
    lines = on_terminal(100, "list", "group:project", "home")
    start = lines[0].index("Task")
    assert [line[start:].split("  ")[0].strip() for line in lines] == [
        "Task", "home · 1", "Pay rent", "", "no project · 1", "Buy milk",
    ]  # fmt: skip


def test_tasks_that_wait_for_others_are_marked(chores: Shell) -> None:
    chores.done("edit", "2", "--add-blocker", "1")
    assert "#2  ⊘  Write report" in chores.done("list").out
    assert ids(chores, "ready") == [1, 3, 4]
    assert ids(chores, "blocking") == [1]
    chores.done("done", "1")
    assert "#2  ○  Write report" in chores.done("list").out


def test_a_mistake_is_shown_where_it_is_with_what_would_fit(chores: Shell) -> None:
    assert chores.fails("list", "日本", "due.befor:friday", "milk").err.splitlines() == [
        "todo-tui: “due.befor:friday” is unknown; use due.before, .after, .by or .since.",
        "  日本 due.befor:friday milk",
        "       ^^^^^^^^^^^^^^^^",
        "  Did you mean due.before:friday? Examples: due.before:friday, done.since:monday,"
        " due:2026-12-01.",
    ]


def test_a_mistake_that_is_the_whole_filter_is_not_shown_twice(chores: Shell) -> None:
    assert chores.fails("list", "projct:work").err.splitlines() == [
        "todo-tui: “projct:work” has an unknown key: projct.",
        "  Did you mean project:work? Put words in quotes to search for them literally.",
    ]


def test_an_unknown_key_is_a_mistake_that_lists_the_keys(chores: Shell) -> None:
    assert chores.fails("list", "@home", "foo:bar").err.splitlines() == [
        "todo-tui: “foo:bar” has an unknown key: foo.",
        "  @home foo:bar",
        "        ^^^^^^^",
        "  Use due:, project:, tag:, priority:, estimate:, status:, has:, no:, id:, under:,"
        f" parent:, view:, start:, done:, created:, updated:, sort: or group:. {QUOTE_HINT}",
    ]
    for command in (("export",), ("stats",), ("views", "save", "x")):
        assert "unknown key: foo" in chores.fails(*command, "foo:bar").err


def test_times_links_and_quoted_words_with_a_colon_are_searched(shell: Shell) -> None:
    words = ("10:30", "https://example.org/a", '"foo:bar"', "C:\\notes", "Note:", "a:b", "std::map")
    titles = (*words[:2], "foo:bar", "C:\\notes", "Note: x", "“a:b”", "std::map")
    for title in titles:
        shell.done("add", "--words-only", title)
    for number, word in enumerate(words, start=1):
        quoted = f'"{word}"' if word == "a:b" else word
        assert ids(shell, quoted) == [number]


def test_a_name_that_no_task_has_is_no_mistake_but_remarked_on(chores: Shell) -> None:
    outcome = chores.done("list", "#wrok", "@bils")
    assert outcome.out == ""
    assert (
        outcome.err == "No task matches “#wrok @bils”. Did you mean #work? Did you mean @bills?\n"
    )
    assert chores.done("list", "#wrok", "--json").json == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("due<=friday & priority>=medium", [1]),
        ("@home | !low", [3, 4]),
        ("!@home !#work", [1]),
        ("id:1-2,4", [1, 2, 4]),
        ("created:today sort:id", [1, 2, 3, 4]),
        ("7 days", [1, 2]),
        ("done today", []),
    ],
)
def test_signs_work_in_quotes(chores: Shell, text: str, expected: list[int]) -> None:
    assert ids(chores, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("estimate<=30m or estimate:1h", [1, 3]),
        ("estimate > 30m sort:estimate", [3, 2]),
        ("estimate.from:1h sort:estimate-", [2, 3]),
        ("estimate<30m", []),
        ("est!=1h", [1, 2, 4]),
        ("no estimate", [4]),
        ("estimate:none", [4]),
        ("has:estimate sort:id", [1, 2, 3]),
    ],
)
def test_estimates_are_compared(chores: Shell, text: str, expected: list[int]) -> None:
    for number, estimate in enumerate(("~30m", "~1h30", "~60 min"), start=1):
        chores.done("edit", str(number), estimate)
    assert ids(chores, *text.split()) == expected
    assert "is not an estimate" in chores.fails("list", "estimate<soon").err
    assert "2 h" not in chores.done("show", "2").out
    assert chores.done("list", "#home @bills", "group:priority").out == (
        "high priority · 1 · 30 min\n#1  ○  Pay rent  tomorrow  !high  #home  @bills  30 min\n"
    )
    assert "estimate   1 h 30" in chores.done("show", "2").out


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["today"], "Nothing is overdue, due today or started."),
        (["tomorrow"], "Nothing is due tomorrow."),
        (["week"], "Nothing is overdue or due this week."),
        (["overdue"], "Nothing is overdue."),
        (["tomorrow", "tents"], "No task matches “tomorrow tents”."),
        (["export", "this week", "--plain"], "No task matches “this week”."),
        (["export", "this week", "--format", "csv"], "No task matches “this week”."),
    ],
)
def test_a_list_without_tasks_says_of_which_there_are_none(
    shell: Shell, words: list[str], note: str
) -> None:
    shell.done("add", "Buy milk")
    assert shell.done(*words).err.startswith(note)
    shell.done("done", "1", "--last")
    assert shell.done("next").err == "No task is actionable now.\n"
