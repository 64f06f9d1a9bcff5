"""Subtasks, dependencies, repeats, order, remarks, trash and history from the shell."""

from __future__ import annotations

import subprocess
import sys

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal_in_turn


def family(shell: Shell) -> None:
    """#1 Trip: #2 Pack (#3 Socks), #4 Book; #5 Fly blocked by #4."""
    shell.done("add", "Trip")
    shell.done("add", "Pack", "--parent", "1")
    shell.done("add", "Socks", "--parent", "#2")
    shell.done("add", "Book", "--parent", "1")
    shell.done("add", "Fly", "--blocked-by", "4")


def open_ids(shell: Shell) -> list[object]:
    return [task["id"] for task in shell.done("list", "--json").tasks]


# --- adding -------------------------------------------------------------------------


def test_add_takes_a_parent_blockers_and_notes(shell: Shell) -> None:
    family(shell)
    out = shell.done(
        "add", "Tickets", "--parent", "4", "--blocked-by", "2", "--blocked-by", "#3"
    ).out
    assert out == "Added #6 Tickets · subtask of #4 · blocked by #2, #3\n"
    task = shell.done("add", "Map", "--notes", "# Where\nhere", "--json").task
    assert task["notes"] == "# Where\nhere"
    for args in (("--parent", "99"), ("--blocked-by", "99")):
        assert "There is no task #99." in shell.fails("add", "x", *args).err


def test_a_subtask_is_listed_and_exported_with_the_project_of_its_parent(shell: Shell) -> None:
    shell.done("add", "Renovate hall #home")
    shell.done("add", "Buy paint under #1")
    assert shell.done("list", "#2", "--json").task["project"] is None
    for words in (("project:home",), ("has:project",)):
        assert [task["id"] for task in shell.done("list", *words, "--json").tasks] == [1, 2]
    assert [task["id"] for task in shell.done("export", "project:home").tasks] == [1, 2]
    assert shell.done("list", "group:project").out.startswith("home · 2\n")
    assert shell.done("list", "no", "project", "--json").tasks == []


def test_add_and_edit_show_the_next_dates_of_a_repeat(shell: Shell) -> None:
    out = shell.done("add", "Water plants every monday").out
    assert out == (
        "Added #1 Water plants · Mon 23 Nov · every Monday · then Mon 30 Nov, Mon 7 Dec\n"
    )
    out = shell.done("edit", "1", "--repeat", "every month on the 31st").out
    assert "Thu 31 Dec · every month on the 31st · then 31 Jan 2027, 28 Feb 2027" in out
    out = shell.done("add", "Vote every day until tomorrow starting tomorrow").out
    assert "last occurrence" in out


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("Water every 3 days at 8am", ""),
        ("Water every 3 days", ""),
        ("Water every week", ""),
        (
            "Water every month on the 31st",
            "Note: November has no such day; later ones in shorter months are on the last day.\n",
        ),
    ],
)
def test_a_note_does_not_repeat_the_first_date(shell: Shell, line: str, note: str) -> None:
    assert shell.done("add", line).err == note


@pytest.mark.parametrize(
    ("line", "edits", "later"),
    [
        # Moved earlier, later, and past its next date: what follows comes after both.
        ("bill every month on the 15th", ["12 dec"], ["15 Jan 2027", "15 Feb 2027"]),
        ("bill every month on the 15th", ["18 dec"], ["15 Jan 2027", "15 Feb 2027"]),
        ("bill every month on the 15th", ["20 jan"], ["15 Feb 2027", "15 Mar 2027"]),
        ("x every other monday", ["tuesday"], ["Mon 7 Dec", "Mon 21 Dec"]),
        ("x every other monday", ["1 week later"], ["Mon 7 Dec", "Mon 21 Dec"]),
        # The time of the others stays, be it moved with the day, alone or twice.
        ("x every monday 8pm", ["sunday 6pm"], ["Mon 30 Nov 20:00", "Mon 7 Dec 20:00"]),
        ("x every monday 8pm", ["sunday 6pm", "5pm"], ["Mon 30 Nov 20:00", "Mon 7 Dec 20:00"]),
        ("x every monday 8pm", ["6pm"], ["Mon 30 Nov 20:00", "Mon 7 Dec 20:00"]),
        ("x every monday 8pm", ["11pm"], ["Mon 30 Nov 20:00", "Mon 7 Dec 20:00"]),
        # A plain interval is counted from where it was moved to.
        ("x every 3 days 8am starting monday", ["tuesday 6pm"],
         ["Fri 27 Nov 08:00", "Mon 30 Nov 08:00"]),
        # A time that is added or cleared, and a new rule, are for all.
        ("x every monday", ["7pm"], ["Mon 30 Nov 19:00", "Mon 7 Dec 19:00"]),
        ("x every monday 8pm", ["no time"], ["Mon 30 Nov", "Mon 7 Dec"]),
        ("x every monday 8pm", ["every monday 6pm"], ["Mon 30 Nov 18:00", "Mon 7 Dec 18:00"]),
        ("x every monday 8pm", ["sunday 6pm", "every monday 7pm"],
         ["Mon 30 Nov 19:00", "Mon 7 Dec 19:00"]),
        ("x every monday", ["every friday"], ["Fri 4 Dec", "Fri 11 Dec"]),
        # From completion, at the time of the series.
        ("x every! monday 8pm", ["sunday 6pm"], ["Mon 30 Nov 20:00", "Mon 7 Dec 20:00"]),
    ],
)  # fmt: skip
def test_the_dates_after_a_moved_occurrence_are_those_of_the_rule(
    shell: Shell, line: str, edits: list[str], later: list[str]
) -> None:
    shell.done("add", line)
    for words in edits:
        out = shell.done("edit", "1", words).out
    assert out.rstrip().endswith(f"then {', '.join(later)}")
    assert f"next       {', '.join(later)}" in shell.done("show", "1").out
    skipped = shell.done("skip", "1", "--dry-run").out
    assert f" {later[0]} · " in skipped
    assert shell.done("done", "1").out.rstrip().endswith(f"next #2: {later[0]}")


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("every 30 feb", "There is no 30 February"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "There is no 30 February"),
        ("FREQ=MONTHLY;BYDAY=6MO", "No month has a 6th Monday."),
    ],
)
def test_a_rhythm_that_never_comes_is_refused_by_name(shell: Shell, rule: str, reason: str) -> None:
    shell.done("add", "Task")
    assert reason in shell.fails("edit", "1", "--repeat", rule).err


# --- closing ------------------------------------------------------------------------


def test_done_of_a_parent_wants_to_know_what_becomes_of_its_subtasks(shell: Shell) -> None:
    family(shell)
    outcome = shell.fails("done", "1")
    assert outcome.err.splitlines() == [
        "todo-tui: #1 Trip has 3 open subtasks: #2 Pack, #4 Book, #3 Socks.",
        "  Close subtasks with --with-children, or leave them open with --leave-children.",
    ]
    assert open_ids(shell) == [1, 2, 3, 4, 5]
    outcome = shell.done("done", "1", "--with-children")
    assert outcome.out == "Done #1 Trip with 3 subtasks\nUnblocked: #5 Fly\n"
    shell.done("undo")
    touched = shell.done("done", "1", "--with-children", "--json").tasks
    assert [task["id"] for task in touched] == [1, 2, 4, 3]
    shell.done("undo")
    assert shell.done("done", "5").out == "Done #5 Fly though blocked by #4 Book\n"
    shell.done("undo")
    assert shell.done("done", "1", "--leave-children").out == "Done #1 Trip\n"
    assert open_ids(shell) == [2, 3, 4, 5]


def test_on_a_terminal_it_is_asked(shell: Shell) -> None:
    family(shell)
    done = ["done", "1"]
    child = at_a_terminal_in_turn(done, done, done, ["list", "--quiet"], ["undo"], done)
    for typed, printed in (
        ("n\n", "Nothing changed"),
        ("\4", "Nothing changed"),
        ("y\n", r"with 3 subtasks(?s:.*)\n5\r\n"),
        ("l\n", "Done #1 Trip"),
    ):
        child.expect(r"\[N\]either: ")
        assert open_ids(shell) == [1, 2, 3, 4, 5]
        child.send(typed)
        child.expect(printed)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert open_ids(shell) == [2, 3, 4, 5]


def test_a_status_set_by_edit_closes_a_parent_in_the_same_way(shell: Shell) -> None:
    family(shell)
    assert "--with-children" in shell.fails("edit", "1", "--status", "done", "--title", "x").err
    assert shell.done("show", "1").out.startswith("#1 Trip")
    touched = shell.done("edit", "2", "--status", "cancelled", "--with-children", "--json").tasks
    assert [(task["id"], task["status"]) for task in touched] == [
        (2, "cancelled"),
        (3, "cancelled"),
    ]


def test_a_repeating_parent_has_its_subtasks_again(shell: Shell) -> None:
    shell.done("add", "Clean every monday")
    shell.done("add", "Kitchen", "--parent", "1")
    out = shell.done("done", "1", "--with-children").out
    assert out == "Done #1 Clean with 1 subtask · next #3: Mon 30 Nov, 1 subtask reopened\n"
    (kitchen,) = shell.done("list", "kitchen", "--json").tasks
    assert (kitchen["id"], kitchen["parent"]) == (4, 3)
    shell.done("undo")
    assert open_ids(shell) == [1, 2]


def test_done_for_the_last_time(shell: Shell) -> None:
    shell.done("add", "Clean every monday")
    assert shell.done("done", "1", "--last").out == "Done #1 Clean\n"
    assert open_ids(shell) == []
    shell.done("undo")
    assert shell.done("list", "--json").task["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"


# --- repeats ------------------------------------------------------------------------


def test_skip_goes_on_and_names_what_was_missed(shell: Shell) -> None:
    shell.done("add", "Water every day, missed ones too", "--json")
    shell.set(TODO_TUI_NOW="2026-11-25T10:00")
    outcome = shell.done("done", "1")
    assert "next #2: Thu 19 Nov" in outcome.out
    assert outcome.err == (
        "Note: 6 occurrences were missed; skip with `todo-tui skip 2 --missed`.\n"
    )
    outcome = shell.done("skip", "2")
    assert outcome.out.startswith("Skipped to #2 Water · Fri 20 Nov · every day")
    outcome = shell.done("skip", "2", "--missed")
    assert outcome.out.startswith("Skipped to #2 Water · today · every day")
    assert outcome.err == ""
    assert shell.done("skip", "2", "--json").task["due"] == "2026-11-26"
    for _ in range(3):
        shell.done("undo")
    assert shell.done("list", "--json").task["due"] == "2026-11-19"


def test_an_occurrence_that_was_moved_back_has_missed_none(shell: Shell) -> None:
    shell.done("add", "Tax every month on the 10th, missed ones too")
    outcome = shell.done("edit", "1", "10 sep 2026")
    assert "then 10 Jan 2027" in outcome.out
    assert "missed;" not in outcome.err


def test_after_a_holiday_nothing_has_piled_up(shell: Shell) -> None:
    shell.done("add", "Water every day")
    shell.set(TODO_TUI_NOW="2026-12-09T10:00")
    outcome = shell.done("done", "1")
    assert (outcome.out, outcome.err) == ("Done #1 Water · next #2: tomorrow\n", "")
    assert shell.done("list", "--json").task["due"] == "2026-12-10"


def test_end_lets_a_series_come_no_more(shell: Shell) -> None:
    shell.done("add", "Water every day")
    assert shell.done("end", "1").out == "Ended recurrence: #1 Water\n"
    assert shell.done("done", "1").out == "Done #1 Water\n"
    for command in ("end", "skip"):
        assert "#1" in shell.fails(command, "1").err
    shell.done("undo")
    shell.done("undo")
    assert shell.done("end", "1", "--json").task["recurrence"] is None


# --- fields -------------------------------------------------------------------------


def test_edit_adds_and_removes_blockers_and_moves(shell: Shell) -> None:
    family(shell)
    task = shell.done("edit", "5", "--add-blocker", "1,2", "--remove-blocker", "#4", "--json").task
    assert task["blocked_by"] == [1, 2]
    shell.done("edit", "5", "--position", "before #1", "--parent", "1")
    assert open_ids(shell) == [5, 1, 2, 3, 4]
    for place in ("before 99", "before 5", "first of all", "after", "before 1 2"):
        shell.fails("edit", "5", "--position", place, "--title", "x")
    assert shell.done("show", "5").out.startswith("#5 Fly")
    shell.done("undo")
    assert open_ids(shell) == [1, 2, 3, 4, 5]


def test_circles_are_refused_with_their_path(shell: Shell) -> None:
    family(shell)
    assert "#1 contains #2, which contains #3" in shell.fails("edit", "1", "--parent", "3").err
    err = shell.fails("edit", "4", "--add-blocker", "5").err
    assert "#5 is blocked by #4" in err


def test_move_places_and_nests(shell: Shell) -> None:
    family(shell)
    assert shell.done("move", "5", "--before", "1").out == "Moved #5 Fly before #1 Trip\n"
    assert open_ids(shell) == [5, 1, 2, 3, 4]
    out = shell.done("move", "2", "5", "--under", "4", "--after", "1").out
    assert out.splitlines()[0] == "Moved #2 Pack under #4 Book after #1 Trip"
    assert open_ids(shell) == [1, 2, 5, 3, 4]
    assert shell.done("move", "2", "--top", "--json").task["parent"] is None
    for args in ((), ("--before", "1", "--after", "1"), ("--top", "--under", "1")):
        shell.fails("move", "2", *args, status=2)
    for option, other in (("--before", "2"), ("--under", "3"), ("--after", "99")):
        shell.fails("move", "2", option, other)


def test_remarks_are_added_reworded_and_taken_out(shell: Shell) -> None:
    shell.done("add", "Call mom")
    assert (
        shell.done("annotate", "1", "not", "at home").out == "Annotated #1 Call mom: not at home\n"
    )
    shell.done("annotate", "1", "again")
    task = shell.done("annotate", "1", "--edit", "1", "was out", "--json").task
    assert [remark["text"] for remark in task["annotations"]] == ["was out", "again"]  # type: ignore[union-attr, index, call-overload] # an array of objects
    assert "annotation 2 Wed 18 Nov 14:30 again" in shell.done("show", "1").out
    shell.done("annotate", "1", "--remove", "1")
    assert "was out" not in shell.done("show", "1").out
    assert "no annotation 2" in shell.fails("annotate", "1", "--remove", "2").err
    for args in (
        (),
        ("--remove", "1", "x"),
        ("--edit", "1"),
        ("--edit", "1", "--remove", "1", "x"),
    ):
        shell.fails("annotate", "1", *args, status=2)


# --- trash --------------------------------------------------------------------------


def test_a_subtree_goes_to_the_trash_and_comes_back(shell: Shell) -> None:
    family(shell)
    assert shell.done("delete", "1").out == "Deleted #1 Trip with 3 subtasks\n"
    assert open_ids(shell) == [5]
    assert shell.done("restore", "1").out == "Restored #1 Trip with 3 subtasks\n"
    assert open_ids(shell) == [1, 2, 3, 4, 5]
    assert "not in the trash" in shell.fails("restore", "1").err
    shell.done("delete", "2", "5")
    assert [task["id"] for task in shell.done("reopen", "2", "--json").tasks] == [2, 3]


def test_purge_asks_and_erases_what_is_in_the_trash(shell: Shell) -> None:
    family(shell)
    assert "Delete the task first: todo-tui delete 1" in shell.fails("purge", "1", "--yes").err
    shell.done("delete", "1")
    refused = subprocess.run(
        [sys.executable, "-m", "todo_tui", "purge", "1"], capture_output=True, check=False
    )
    assert refused.returncode == 1
    assert b"--yes" in refused.stderr
    child = at_a_terminal_in_turn(["purge", "1"], ["purge", "1"])
    for typed, told in (
        ("\n", "Nothing deleted."),
        ("y\n", "Permanently deleted #1 Trip with 3 subtasks"),
    ):
        child.expect(r"Permanently delete #1 Trip\? This cannot be undone\. \[y/N\] ")
        child.send(typed)
        child.expect_exact(told)
    child.expect(pexpect.EOF)
    assert shell.done("list", "all or trash", "--json").task["id"] == 5
    shell.done("delete", "5")
    assert shell.done("purge", "--all", "--yes", "--json").task["id"] == 5
    assert shell.done("purge", "--all", "--json").json == []
    for args in ((), ("5", "--all")):
        shell.fails("purge", *args, status=2)


# --- show and log -------------------------------------------------------------------


def test_show_draws_what_is_below_and_who_waits(shell: Shell) -> None:
    family(shell)
    shell.done("done", "3")
    assert shell.done("show", "1").out.splitlines()[-4:] == [
        "  subtasks   1 of 3 done",
        "             ○ #2 Pack",
        "               ✓ #3 Socks",
        "             ○ #4 Book",
    ]
    shell.done("edit", "4", "--blocked-by", "2")
    assert shell.done("show", "1").out.splitlines()[-1] == "             ⊘ #4 Book"
    shell.done("undo")
    assert "  subtask of #1 Trip\n  blocking   #5 Fly\n" in shell.done("show", "4").out
    assert "  blocked by #4 Book\n" in shell.done("show", "5").out
    for command, state in (("done", "done"), ("cancel", "cancelled"), ("delete", "in the trash")):
        if command != "done":
            shell.done("reopen", "4")
        shell.done(command, "4")
        assert f"  unblocked  #4 Book is {state}\n" in shell.done("show", "5").out


def test_show_tells_the_dates_to_come(shell: Shell) -> None:
    shell.done("add", "Water every monday")
    assert "  next       Mon 30 Nov, Mon 7 Dec, Mon 14 Dec\n" in shell.done("show", "1").out
    shell.done("edit", "1", "--repeat", "every monday until 23 nov")
    assert "  next       none, this is the last occurrence\n" in shell.done("show", "1").out


def test_log_tells_what_happened(shell: Shell) -> None:
    family(shell)
    shell.done("edit", "2", "--title", "Pack bags", "--add-tag", "home", "--blocked-by", "4")
    shell.done("edit", "2", "--parent", "4", "--annotate", "no socks", "--remove-tag", "home")
    shell.done("delete", "2")
    shell.done("undo")
    lines = [line.split(maxsplit=5)[5] for line in shell.done("log", "2").out.splitlines()]
    assert lines == [
        "added",
        "title: none → Pack",
        "parent: none → #1",
        "title: Pack → Pack bags",
        "blockers: added #4",
        "tags: added home",
        "parent: #1 → #4",
        "tags: removed home",
        "annotations: no socks",
        "deleted",
        "restored (undo or redo)",
    ]
    entries = shell.done("log", "2", "--json").tasks
    assert entries[2]["field"] == "parent"
    assert entries[2]["new"] == "1"
    assert "There is no task #99." in shell.fails("log", "99").err
    shell.done("add", "Skis")
    shell.done("undo")
    shell.done("redo")
    lines = [line.split(maxsplit=5)[5] for line in shell.done("log", "6").out.splitlines()]
    assert lines[2:] == ["removed (undo or redo)", "added (undo or redo)"]


def test_log_tells_values_in_the_words_of_tasks(shell: Shell) -> None:
    shell.done("add", "Gym every monday 5pm ~30m")
    shell.done("edit", "1", "--repeat", "every! 3 weeks", "--notes", "a\nb" + "c" * 100)
    shell.done("edit", "1", "no repeat", "no estimate", "starts tomorrow")
    shell.done("edit", "1", "--repeat", "every day, missed ones too")
    shell.done("edit", "1", "--repeat-from", "next")
    lines = [line.split(maxsplit=5)[5] for line in shell.done("log", "1").out.splitlines()]
    assert lines == [
        "added",
        "title: none → Gym",
        "due date: none → Mon 23 Nov 17:00",
        "estimate: none → 30 min",
        "recurrence: none → every Monday",
        f"notes: none → a b{'c' * 56}…",
        "recurrence: every Monday → every 3 weeks",
        "repeat counts from: due date → completion",
        "estimate: 30 min → none",
        "recurrence: every 3 weeks → none",
        "start: none → tomorrow",
        "recurrence: none → every day",
        "repeat counts from: none → due date, missed ones too",
        "repeat counts from: due date, missed ones too → due date",
    ]


def test_a_long_undo_is_reported_in_short(shell: Shell) -> None:
    shell.done("add", "Box")
    for number in range(30):
        shell.done("add", f"thing {number}", "--parent", "1")
    shell.done("delete", "1")
    lines = shell.done("undo").out.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "and 11 tasks more"
    assert len(shell.done("redo", "--json").tasks) == 31


def test_a_title_of_100_kilobytes_is_refused_with_its_length(shell: Shell) -> None:
    for args in (("add", "--words-only", "x" * 100_000), ("edit", "1", "--title", "x" * 100_000)):
        shell.done("add", "a")
        assert "too long (100,000 of 10,000 characters)" in shell.fails(*args).err


def test_what_is_closed_is_not_late_and_blocks_nothing(shell: Shell) -> None:
    shell.done("add", "Invoice tomorrow 5pm")
    shell.done("add", "Post it", "--blocked-by", "1")
    shell.done("add", "Gym every tue, thu 18:30")
    shell.done("done", "1")
    shell.set(TODO_TUI_NOW="2026-12-04 10:00")
    assert "late" not in shell.done("list", "done").out
    assert "blocking" not in shell.done("show", "1").out
    # Missed occurrences of a rule that skips them are not announced.
    assert "then Tue 8 Dec 18:30, Thu 10 Dec 18:30" in shell.done("edit", "3", "!high").out
