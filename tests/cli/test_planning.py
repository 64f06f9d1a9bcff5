"""`plan`, `review` and `dump` in the shell."""

from __future__ import annotations

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal


@pytest.fixture
def busy(shell: Shell) -> Shell:
    """Nine tasks of today, one of them overdue, one at a time of day, one with an estimate."""
    lines = ["Late due:2026-11-16", "Meet today 3pm ~45m", *(f"Today {n} today" for n in range(7))]
    shell.done("add", "-", stdin="\n".join(lines).encode())
    return shell


def test_a_plan_is_an_order_and_an_offer_to_move(busy: Shell) -> None:
    outcome = busy.done("plan")
    assert outcome.out.splitlines()[:4] == [
        "Today · 7 tasks · 45 min", "  1. #1 Late · 2 days late", "  2. #2 Meet · 15:00 · 45 min",
        "  3. #3 Today 0",
    ]  # fmt: skip
    assert outcome.out.splitlines()[-3:] == [
        "Does not fit:", "  #8 Today 5 · today → tomorrow", "  #9 Today 6 · today → tomorrow",
    ]  # fmt: skip
    assert outcome.err == "Move 2 tasks with: todo-tui plan day --apply\n"
    assert [task["due"] for task in busy.done("list", "id:8-9", "--json").tasks] == [
        "2026-11-18", "2026-11-18",
    ]  # fmt: skip
    plan = busy.done("plan", "week", "--json").json
    assert isinstance(plan, dict)
    assert [move["id"] for move in plan["moves"]] == [8, 9]  # type: ignore[index, union-attr, call-overload]
    assert len(plan["days"]) == 7  # type: ignore[arg-type]


def test_moving_is_one_batch(busy: Shell) -> None:
    assert "Would move 2 tasks.\n" in busy.done("plan", "--dry-run").err
    assert busy.done("list", "due:tomorrow", "--json").tasks == []
    assert "Moved 2 tasks" in busy.done("plan", "--apply").err
    assert len(busy.done("list", "due:tomorrow", "--json").tasks) == 2
    assert "Does not fit" not in busy.done("plan").out
    busy.done("undo")
    assert busy.done("list", "due:tomorrow", "--json").tasks == []


def test_what_fits_into_some_minutes(busy: Shell) -> None:
    assert busy.done("plan", "--in", "1h").out == "#2 Meet · 45 min\n"
    assert [task["id"] for task in busy.done("plan", "--in", "45 min", "--json").tasks] == [2]
    assert "No task with an estimate" in busy.done("plan", "--in", "30").err
    assert "is not an estimate" in busy.fails("plan", "--in", "soon").err
    assert busy.done("plan").status == 0


def test_tomorrow_has_what_is_left_of_today(busy: Shell) -> None:
    lines = busy.done("plan", "tomorrow").out.splitlines()
    assert lines[0] == "Tomorrow · 7 tasks · 45 min"
    assert lines[1] == "  1. #1 Late · 2 days late"


def test_help_says_which_week_is_meant(shell: Shell) -> None:
    for command, days in (("plan", "seven days from today"), ("week", "the calendar week")):
        assert days in " ".join(shell.done(command, "--help").out.split())


def test_an_empty_list_has_an_empty_plan(shell: Shell) -> None:
    assert shell.done("plan").out == "Today · free\n"


@pytest.fixture
def slipping(shell: Shell) -> Shell:
    """One task of each kind that a review asks about, and one that it leaves alone."""
    shell.set(TODO_TUI_NOW="2026-10-01T09:00")
    shell.done("add", "Renew passport 1 dec")
    shell.set(TODO_TUI_NOW="2026-11-18T14:30")
    for line in ("Pay rent due:2026-11-16", "Read book", "Launch after #3", "Buy milk tomorrow"):
        shell.done("add", line)
    return shell


def test_a_review_without_a_terminal_lists_what_it_would_ask(slipping: Shell) -> None:
    assert slipping.done("review").out.splitlines() == [
        "0 tasks done in the last 7 days; 1 overdue, 1 without a date, 1 unchanged for 30 days"
        " and 1 blocked.",
        "1/4 #2 Pay rent · Mon 16 Nov", "2/4 #3 Read book", "3/4 #1 Renew passport · Tue 1 Dec",
        "4/4 #4 Launch · blocked by #3",
    ]  # fmt: skip
    groups = slipping.done("review", "--json").json
    assert isinstance(groups, dict)
    assert [len(tasks) for tasks in groups.values() if isinstance(tasks, list)] == [1, 1, 1, 1]
    assert slipping.done("review").status == 0


def test_a_review_counts_what_was_done_and_not_what_was_cancelled(shell: Shell) -> None:
    shell.done("add", "One")
    shell.done("add", "Two")
    shell.done("done", "1")
    shell.done("cancel", "2")
    assert shell.done("review").out.startswith("1 task done in the last 7 days")


def test_a_review_asks_one_question_each_and_saves_each_answer(slipping: Shell) -> None:
    review = at_a_terminal("review")
    for question, choices, answer in (
        ("1/4 #2 Pay rent", "a date, [n]o date, ", "someday maybe"),
        ("is not an answer. Type ? for help.", "a date, [n]o date, ", "t"),
        ("2/4 #3 Read book", "a date, [x] delete", "s"),
        ("“s” is not an answer", "a date, [x] delete", "?"),
        ("[x] delete  move the task to the trash", "a date, [x] delete", "friday !high"),
        ("3/4 #1 Renew", "", "d"),
        ("4/4 #4 Launch", "", "q"),
    ):
        review.expect_exact(question)
        review.expect_exact(choices)
        review.expect_exact("[q]uit, [?] help:")
        review.sendline(answer)
    review.expect(pexpect.EOF)
    tasks = {task["id"]: task for task in slipping.done("list", "all", "--json").tasks}
    assert [tasks[number]["due"] for number in (2, 3)] == ["2026-11-18", "2026-11-20"]
    assert [tasks[number]["status"] for number in (1, 4)] == ["done", "todo"]
    slipping.done("undo")
    assert slipping.done("show", "1", "--json").json["status"] == "todo"  # type: ignore[call-overload, index]


def test_a_review_offers_to_skip_a_recurring_task_and_breaks_lines_between_words(
    shell: Shell,
) -> None:
    title = "Water the plants in all of the rooms and on the balcony of the neighbours"
    shell.set(TODO_TUI_NOW="2026-11-16T09:00")
    shell.done("add", f"{title} every day at 11:00")
    shell.set(TODO_TUI_NOW="2026-11-18T14:30")
    review = at_a_terminal("review")
    review.expect_exact("a date, [n]o date, [s]kip, [x] delete")
    rows = str(review.before).splitlines()
    assert not any(row[-1:].isdigit() and row[-2:-1] == ":" for row in rows), "times are whole"
    review.sendline("s")
    review.expect(pexpect.EOF)
    (task,) = shell.done("list", "--json").tasks
    assert task["due"] == "2026-11-19T11:00"


DUMPED = b"buy milk tomorrow, call mom on friday and pay rent ~10m\n\nIdeas for the party\n"


def test_a_dump_is_previewed_and_added_as_one_batch(shell: Shell) -> None:
    outcome = shell.fails("dump", stdin=DUMPED)
    assert outcome.err.splitlines()[:4] == [
        "  1. buy milk · tomorrow", "  2. call mom · Fri 20 Nov", "  3. pay rent · 10 min",
        "  4. Ideas for the party (maybe not a task)",
    ]  # fmt: skip
    assert "--yes" in outcome.err
    assert "Would add 4 tasks.\n" in shell.done("dump", "--dry-run", stdin=DUMPED).out
    assert shell.done("list", "--json").tasks == []
    assert "Added 4 tasks" in shell.done("dump", "--yes", stdin=DUMPED).out
    assert [task["title"] for task in shell.done("list", "sort:id", "--json").tasks] == [
        "buy milk", "call mom", "pay rent", "Ideas for the party",
    ]  # fmt: skip
    shell.done("undo")
    assert shell.done("list", "--json").tasks == []
    assert "Nothing was added" in shell.done("dump", stdin=b"\n ...\n").err


def test_a_dump_is_written_in_the_editor_and_can_be_edited_again(shell: Shell) -> None:
    editor = shell.folder / "editor"
    editor.write_text(
        '#!/bin/sh\nprintf "buy milk\\nread\\n" | cat - "$1" > "$1.new"\nmv "$1.new" "$1"\n'
    )
    editor.chmod(0o755)
    shell.set(VISUAL=str(editor), EDITOR=str(editor))
    dump = at_a_terminal("dump")
    dump.expect_exact("Add 2 tasks?")
    dump.sendline("e")
    dump.expect_exact("Add 4 tasks?")
    dump.sendline("y")
    dump.expect_exact("Added 4 tasks.")
    dump.expect(pexpect.EOF)
    assert len(shell.done("list", "--json").tasks) == 4


def test_a_week_names_what_comes_again_and_no_free_days(shell: Shell) -> None:
    shell.done("add", "gym every wed and sat")
    assert shell.done("plan", "week").out.splitlines() == [
        "Today · 1 task", "  1. #1 gym", "Coming repeats:", "  #1 gym · Sat 21 Nov",
    ]  # fmt: skip


def test_only_open_blockers_are_named(shell: Shell) -> None:
    for words in ("Glossary", "Outline", "Draft after #1 after #2"):
        shell.done("add", words)
    shell.done("done", "1")
    assert "#3 Draft · blocked by #2\n" in shell.done("review").out
    shell.done("delete", "2")
    assert "#3 Draft\n" in shell.done("review").out
    assert shell.done("edit", "3", "!high").out == "#3 Draft · high priority\n"
