"""add, list, show, done, reopen, delete, edit, undo and redo."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Shell


def test_add_says_what_was_understood(shell: Shell) -> None:
    outcome = shell.done("add", "Pay", "rent", "tomorrow", "5pm", "!high", "#home", "@bills")
    assert outcome.out == "Added #1 Pay rent · tomorrow 17:00 · high priority · #home · @bills\n"
    assert outcome.err == ""


def test_add_prints_the_task_as_json(shell: Shell) -> None:
    task = shell.done("add", "Pay rent tomorrow 5pm !high #home @bills", "--json").task
    assert task["id"] == 1
    assert task["title"] == "Pay rent"
    assert task["due"] == "2026-11-19T17:00"
    assert task["due_zone"] == "Europe/Berlin"
    assert task["priority"] == "high"
    assert task["project"] == "home"
    assert task["tags"] == ["bills"]
    assert task["status"] == "todo"
    assert task["notes"] is None


def test_add_reads_a_repeat(shell: Shell) -> None:
    task = shell.done("add", "Water plants every monday", "--json").task
    assert task["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
    assert task["due"] == "2026-11-23"
    assert task["title"] == "Water plants"


def test_words_only_leaves_every_word_in_the_title(shell: Shell) -> None:
    task = shell.done("add", "--words-only", "Watch #9 tomorrow", "--json").task
    assert task["title"] == "Watch #9 tomorrow"
    assert task["due"] is None


def test_a_title_may_begin_with_a_dash(shell: Shell) -> None:
    assert shell.done("add", "- buy milk", "--json").task["title"] == "- buy milk"
    assert shell.done("add", "-5 degrees", "--json").task["title"] == "-5 degrees"
    assert shell.done("add", "--json", "--", "--flag").task["title"] == "--flag"


def test_a_past_date_is_done_with_a_warning(shell: Shell) -> None:
    outcome = shell.done("add", "Send card on 2026-11-01", "--json")
    assert outcome.task["due"] == "2026-11-01"
    assert outcome.err


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_adding_nothing_is_wrong_usage(shell: Shell, text: str) -> None:
    shell.fails("add", text, status=2)
    assert shell.done("list", "--json").json == []


def test_text_of_the_shell_that_is_no_utf8_is_kept_readable(shell: Shell) -> None:
    assert shell.done("add", "caf\udce9", "--json").task["title"] == "caf�"


def test_list_shows_what_is_open_in_aligned_columns(shell: Shell) -> None:
    shell.done("add", "Buy milk tomorrow 5pm @errands")
    shell.done("add", "日本語のタスク !high")
    shell.done("add", "Call mom yesterday")
    shell.done("done", "2")
    outcome = shell.done("list", "all")
    assert outcome.out.splitlines() == [
        "#3  ○  Call mom        1 day late",
        "#1  ○  Buy milk        tomorrow 17:00         @errands",
        "#2  ✓  日本語のタスク                  !high",
    ]
    assert "日本語" not in shell.done("list").out


def test_words_of_a_filter_join(shell: Shell) -> None:
    for text in ("Report friday #work", "Milk @home", "Call mom friday"):
        shell.done("add", text)
    found = shell.done("list", "#work", "or", "@home", "--json").tasks
    assert [task["title"] for task in found] == ["Report", "Milk"]
    (found_one,) = shell.done("list", "due.before:saturday", "not", "#work", "--json").tasks
    assert found_one["title"] == "Call mom"


def test_a_filter_that_is_not_understood_is_a_sentence(shell: Shell) -> None:
    outcome = shell.fails("list", "(milk")
    assert outcome.err.startswith("todo-tui: ")


def test_an_empty_list_teaches(shell: Shell) -> None:
    outcome = shell.done("list")
    assert outcome.out == ""
    assert "todo-tui add" in outcome.err
    shell.done("add", "milk")
    assert "“bread”" in shell.done("list", "bread").err
    assert shell.done("list", "bread", "--json").json == []


def test_a_list_of_nothing_but_waiting_tasks_says_so(shell: Shell) -> None:
    shell.done("add", "later")
    shell.done("edit", "1", "--start", "next week")
    assert "1 task is hidden until later" in shell.done("list").err
    assert "later" in shell.done("list", "waiting").out


def test_show_says_once_when_a_task_is_due(shell: Shell) -> None:
    shell.done("add", "call", "--due", "today 14:30")
    for now, due in (
        ("14:20:00", "today 14:30 ("),
        ("14:30:40", "today 14:30 ("),
        ("14:35:40", "today 14:30, 5 min late ("),
    ):
        shell.set(TODO_TUI_NOW=f"2026-11-18T{now}")
        assert f"due        {due}" in shell.done("show", "1").out


def test_show_tells_everything_about_a_task(shell: Shell) -> None:
    shell.done("add", "Parent")
    shell.done("add", "Pay rent yesterday #home.money @bills !low")
    shell.done("edit", "2", "--notes", "by transfer\nnot cash", "--parent", "#1")
    shell.done("edit", "2", "--annotate", "called the bank")
    lines = shell.done("show", "2").out.splitlines()
    assert lines[0] == "#2 Pay rent"
    shown = "\n".join(lines)
    for words in ("1 day late", "(Tue 17 Nov)", "home.money", "bills", "#1 Parent", "low"):
        assert words in shown
    assert "             not cash" in lines
    assert "Wed 18 Nov 14:30 called the bank" in shown
    outcome = shell.done("show", "#2", "--json")
    assert isinstance(outcome.json, dict)
    assert outcome.json["id"] == 2


def test_ids_are_taken_with_and_without_their_sign(shell: Shell) -> None:
    for title in ("a", "b", "c"):
        shell.done("add", title)
    assert shell.done("done", "#1", "2", "1").out == "Done #1 a\nDone #2 b\n"
    assert [task["id"] for task in shell.done("delete", "#3", "--json").tasks] == [3]


@pytest.mark.parametrize("command", ["done", "reopen", "delete"])
def test_several_ids_are_all_or_nothing(shell: Shell, command: str) -> None:
    shell.done("add", "a")
    before = shell.done("list", "all", "--json").out
    outcome = shell.fails(command, "1", "999")
    assert outcome.err == "todo-tui: There is no task #999.\n"
    assert shell.done("list", "all", "--json").out == before


@pytest.mark.parametrize(
    "args",
    [
        ("show", "999"),
        ("done", "99999999999999999999999"),
        ("delete", "0"),
        ("edit", "999", "--title", "x"),
        ("reopen", "#9"),
    ],
)
def test_an_unknown_id_fails_with_a_sentence(shell: Shell, args: tuple[str, ...]) -> None:
    assert "There is no task #" in shell.fails(*args).err


@pytest.mark.parametrize("word", ["milk", "-1", "#", "1.5", "²"])
def test_what_is_no_id_is_a_title(shell: Shell, word: str) -> None:
    assert f"No open task matches “{word}”." in shell.fails("done", word).err


def test_an_empty_title_is_wrong_usage(shell: Shell) -> None:
    shell.done("add", "milk")
    for command in ("done", "show", "purge"):
        shell.fails(command, " ", status=2)


def test_what_is_done_is_not_said_to_be_done_anew(shell: Shell) -> None:
    shell.done("add", "Water plants every day")
    assert shell.done("done", "1").out == "Done #1 Water plants · next #2: tomorrow\n"
    assert shell.done("done", "1").out == "Already completed: #1 Water plants\n"


def test_done_of_a_repeating_task_touches_the_next_one_too(shell: Shell) -> None:
    shell.done("add", "Water plants every monday")
    done, following = shell.done("done", "1", "--json").tasks
    assert (done["id"], done["status"]) == (1, "done")
    assert (following["id"], following["due"], following["status"]) == (2, "2026-11-30", "todo")
    shell.done("undo")
    assert "next #" in shell.done("done", "1").out


def test_reopen_takes_a_task_out_of_the_trash_too(shell: Shell) -> None:
    shell.done("add", "a")
    shell.done("add", "b")
    shell.done("done", "1")
    shell.done("delete", "2")
    assert shell.done("list", "--json").json == []
    reopened = shell.done("reopen", "1", "2", "--json").tasks
    assert [(task["status"], task["deleted_at"]) for task in reopened] == [("todo", None)] * 2


def test_reopen_says_what_became_of_the_next_occurrence(shell: Shell) -> None:
    shell.done("add", "a today every month")
    shell.done("done", "1")
    assert shell.done("reopen", "1").out == "Reopened #1 a today · next occurrence removed\n"
    shell.done("done", "1")
    shell.done("edit", "2", "!high")
    assert shell.done("reopen", "1").out == "Reopened #1 a today · its next occurrence #2 stays\n"
    shell.done("add", "b every day")
    shell.done("done", "3")
    assert [task["id"] for task in shell.done("reopen", "3", "--json").tasks] == [3, 4]


def test_undo_and_redo_take_whole_commands_across_runs(shell: Shell) -> None:
    for title in ("a", "b"):
        shell.done("add", title)
    shell.done("delete", "1", "2")
    assert shell.done("undo").out == "Restored #1 a\nRestored #2 b\n"
    assert len(shell.done("list", "--json").tasks) == 2
    assert [task["id"] for task in shell.done("redo", "--json").tasks] == [1, 2]
    assert shell.done("list", "--json").json == []
    for _ in range(3):
        shell.done("undo")
    assert "Nothing to undo" in shell.fails("undo").err


def test_redo_without_an_undo_has_nothing_to_do(shell: Shell) -> None:
    assert "Nothing to redo" in shell.fails("redo").err


def test_an_empty_list_says_why_it_is_empty(shell: Shell) -> None:
    assert "No tasks yet." in shell.done("list", "all").err
    assert "Nothing completed yet. Add a task:" in shell.done("stats").err
    shell.done("add", "Paint the fence starting next month")
    assert "1 task is hidden until later" in shell.done("list").err
    for words, hint in (
        ("milk", "List all tasks with `todo-tui list all`."),
        ("tuesday", "By due date: todo-tui list due:tuesday"),
        ("on monday", "By due date: todo-tui list due:monday"),
        ("9 dec", "By due date: todo-tui list due:9 dec"),
        ("due:9 dec", "List all tasks with `todo-tui list all`."),
        ("call friday", "List all tasks with `todo-tui list all`."),
    ):
        assert shell.done("list", *words.split()).err == f"No task matches “{words}”. {hint}\n"
    shell.done("delete", "1")
    for command in (("list",), ("list", "all"), ("today",)):
        assert shell.done(*command).err == (
            "No tasks; 1 in the trash. List the trash with: todo-tui list trash\n"
        )
    shell.done("purge", "--all", "--yes")
    assert "No tasks yet." in shell.done("list").err


def test_undo_and_redo_say_which_way_they_went(shell: Shell) -> None:
    shell.done("add", "milk")
    shell.done("edit", "1", "--title", "oat milk")
    back = "title: oat milk → milk"
    assert shell.done("undo", "--dry-run").out == f"Would revert #1 milk · {back}\n"
    assert shell.done("undo").out == f"Reverted #1 milk · {back}\n"
    assert shell.done("redo").out == "Changed #1 oat milk · title: milk → oat milk\n"
    shell.done("delete", "1")
    shell.done("undo")
    assert shell.done("redo").out == "Deleted #1 oat milk\n"
    shell.done("restore", "1")
    assert shell.done("undo").out == "Deleted #1 oat milk\n"


def test_undo_and_redo_say_each_change_with_its_values(shell: Shell) -> None:
    shell.done("add", "Pay rent", "friday", "#home")
    shell.done("add", "Call mom")
    for words, undone, redone in (
        (["monday"], ["due date: Mon 23 Nov → Fri 20 Nov"], ["due date: Fri 20 Nov → Mon 23 Nov"]),
        (
            ["every week", "!high", "@bank"],
            ["tags: removed bank", "recurrence: every week → none", "priority: high → none"],
            ["tags: added bank", "recurrence: none → every week", "priority: none → high"],
        ),
        (["after #2"], ["blockers: removed #2"], ["blockers: added #2"]),
    ):
        shell.done("edit", "1", *words)
        for command, verb, changes in (("undo", "Reverted", undone), ("redo", "Changed", redone)):
            first, *others = shell.done(command).out.rstrip("\n").split(" · ")
            assert first == f"{verb} #1 Pay rent"
            assert sorted(others) == sorted(changes)


def test_standard_input_is_one_task_a_line_and_one_undo(shell: Shell) -> None:
    text = "buy milk tomorrow #home\n\n  \n- call bob !high\r\n2. pay rent on the 1st\n"
    outcome = shell.done("add", "-", "--tag", "x", stdin=text.encode())
    assert [line.split(" · ")[0] for line in outcome.out.splitlines()] == [
        "Added #1 buy milk",
        "Added #2 call bob",
        "Added #3 pay rent",
    ]
    tasks = json.loads(shell.done("list", "--json").out)
    assert {task["title"] for task in tasks} == {"buy milk", "call bob", "pay rent"}
    assert all(task["tags"] == ["x"] for task in tasks)
    shell.done("undo")
    assert json.loads(shell.done("list", "--json").out) == []


def test_lines_of_standard_input_as_json_with_notes_by_line(shell: Shell) -> None:
    outcome = shell.done("add", "--json", "-", stdin=b"milk\n\npay on 31 feb\n")
    assert [task["title"] for task in json.loads(outcome.out)] == ["milk", "pay on 31 feb"]
    assert "Note: line 3: There is no 31 February" in outcome.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"milk\nbread under #99\neggs\n", "Line 2: "),
        (b"milk\n\n" + b"x" * 100_000 + b"\n", "Line 3: "),
        (b"milk\n\xff\n", "line 2"),
        (b"\n \n", "no tasks"),
        (b"", "no tasks"),
    ],
)
def test_a_line_that_cannot_be_added_is_named_and_nothing_is_added(
    shell: Shell, text: bytes, words: str
) -> None:
    outcome = shell.run("add", "-", stdin=text)
    assert outcome.status != 0
    assert outcome.out == ""
    assert words in outcome.err
    assert json.loads(shell.done("list", "--json").out) == []


def test_a_dash_in_quotes_is_a_title(shell: Shell) -> None:
    shell.done("add", '"-"')
    shell.done("add", "-", "5", "degrees")
    titles = [task["title"] for task in json.loads(shell.done("list", "--json").out)]
    assert titles == ["-", "- 5 degrees"]


def test_times_of_other_zones_are_listed_where_they_are_here(shell: Shell) -> None:
    """It is Wednesday 18 November, 14:30 in Berlin."""
    tasks = [
        ("late", "2026-11-18T22:00", "Asia/Tokyo"),
        ("today", "2026-11-19T01:00", "Asia/Tokyo"),
        ("tonight", "2026-11-18T17:30", "America/New_York"),
        ("tomorrow", "2026-11-18T18:00", "America/New_York"),
        ("monday", "2026-11-22T23:00", "UTC"),
        ("own", "2026-11-18T16:00", "Europe/Berlin"),
        ("daily", "2026-11-18T01:00", "Asia/Tokyo"),
    ]
    entries = [{"title": title, "due": due, "due_zone": zone} for title, due, zone in tasks]
    entries[-1]["recurrence"] = "FREQ=DAILY"
    shell.done("import", "-", "--format", "json", stdin=json.dumps(entries).encode())

    def titles(*command: str) -> list[str]:
        return [str(task["title"]) for task in shell.done(*command, "--json").tasks]

    for command, wanted in (
        (("overdue",), ["daily", "late"]),
        (("today",), ["daily", "late", "own", "today", "tonight"]),
        (("week",), ["daily", "late", "own", "today", "tonight", "tomorrow"]),
        (("list", "due:tomorrow"), ["tomorrow"]),
        (("list", "due:monday"), ["monday"]),
        (("next",), ["daily", "late", "own", "today", "tonight", "tomorrow", "monday"]),
    ):
        assert titles(*command) == wanted, command
    assert [line.split(maxsplit=3)[2:] for line in shell.done("list").out.splitlines()] == [
        ["daily", "1 day late, every day, missed ones too"], ["late", "30 min late"],
        ["own", "today 16:00"], ["today", "today 17:00"], ["tonight", "today 23:30"],
        ["tomorrow", "tomorrow 00:00"], ["monday", "Mon 23 Nov 00:00"],
    ]  # fmt: skip
    week = shell.done("week").out.splitlines()
    assert [line for line in week if " · " in line] == [
        "yesterday · Tue 17 Nov · 1", "today · Wed 18 Nov · 4", "tomorrow · Thu 19 Nov · 1",
    ]  # fmt: skip
    plan = shell.done("plan").out.splitlines()
    assert [line.split(" ", 4)[4] for line in plan[1:6]] == [
        "daily · 1 day late", "late · 14:00", "own · 16:00", "today · 17:00", "tonight · 23:30",
    ]  # fmt: skip
    shown = shell.done("show", "today").out
    assert "today 17:00 (Wed 18 Nov, tomorrow 01:00 Asia/Tokyo)" in shown


def test_what_a_task_is_already_is_not_said_to_be_done_again(shell: Shell) -> None:
    shell.done("add", "one")
    shell.done("add", "two")
    for command, first, again in (
        ("cancel", "Cancelled #1 one", "Already cancelled: #1 one"),
        ("reopen", "Reopened #1 one", "Already open: #1 one"),
        ("done", "Done #1 one", "Already completed: #1 one"),
        ("delete", "Deleted #1 one", "Already deleted: #1 one"),
    ):
        assert shell.done(command, "1").out == f"{first}\n"
        assert shell.done(command, "1").out == f"{again}\n"
    assert shell.done("delete", "1", "2").out == "Deleted #2 two\nAlready deleted: #1 one\n"
