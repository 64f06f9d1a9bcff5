"""Titles in place of ids: `todo-tui done buy milk`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from tests.cli.test_what_is_imported import loaded_by


def add(shell: Shell, *titles: str) -> None:
    for title in titles:
        shell.done("add", "--words-only", "--", title)


def statuses(shell: Shell) -> dict[object, object]:
    return {task["id"]: task["status"] for task in shell.done("list", "all", "--json").tasks}


def everything(shell: Shell) -> str:
    """Return all tasks with all fields."""
    return shell.done("list", "all", "--json").out + shell.done("list", "trash", "--json").out


@pytest.mark.parametrize(
    "words",
    [
        ("milk",),
        ("Buy milk",),
        ("buy", "milk"),
        ("MILK", "buy"),
        ("  buy   milk ",),
        ("buy\tmilk",),
    ],
)
def test_words_of_the_title_name_a_task(shell: Shell, words: tuple[str, ...]) -> None:
    add(shell, "Buy milk", "Milkshake recipe")
    assert shell.done("done", *words).out == "Done #1 Buy milk\n"


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Café bezahlen", "cafe"),
        ("Cafe bezahlen", "CAFÉ"),
        ("Straße fegen", "STRASSE"),
        ("Cafe\u0301 zahlen", "café"),
        ("Learn C++ (again)", "c++"),
        ("Call mom 🎉", "🎉"),
        ("What's up?", "what's"),
        ("50% off", "50%"),
        ("-5 degrees", "-5 degrees"),
        ("牛乳を買う", "牛乳"),
        ("우유를 사다", "우유"),
        ("[red] plan", "[red]"),
        ("a (b", "(b"),
        ("12 monkeys", "12 monkeys"),
        ("Pay\u200b rent", "rent"),
    ],
)
def test_case_accents_and_signs_do_not_matter(shell: Shell, title: str, typed: str) -> None:
    add(shell, title, "Other")
    assert shell.done("done", typed, "--json").task["id"] == 1


def test_the_exact_title_goes_first(shell: Shell) -> None:
    add(shell, "Buy milk today", "Buy milk", "Buy milk and eggs")
    assert shell.done("done", "buy", "milk").out == "Done #2 Buy milk\n"


def test_ids_and_ranges_stay_ids(shell: Shell) -> None:
    add(shell, "one", "two", "three", "four", "5 of five")
    assert shell.done("done", "#1", "2-3", "3").out == "Done #1 one\nDone #2 two\nDone #3 three\n"
    assert shell.done("reopen", "3-#2").out == "Reopened #2 two\nReopened #3 three\n"
    # With a word among them the whole is a title.
    assert "“4 two”" in shell.fails("done", "4", "two").err
    assert shell.done("done", "5", "of", "five").out == "Done #5 5 of five\n"


def test_a_range_with_a_missing_task_writes_nothing(shell: Shell) -> None:
    add(shell, "one", "two")
    assert "There is no task #3." in shell.fails("done", "1-3").err
    assert "more than 1,000 ids" in shell.fails("done", "1-99999999").err
    assert statuses(shell) == {1: "todo", 2: "todo"}


def test_several_matches_are_listed_and_nothing_is_written(shell: Shell) -> None:
    add(shell, *(f"Buy milk {number}" for number in range(1, 8)))
    before = everything(shell)
    assert shell.fails("done", "milk").err.splitlines() == [
        "todo-tui: “milk” matches 7 tasks: #1 Buy milk 1, #2 Buy milk 2, #3 Buy milk 3,"
        " #4 Buy milk 4, #5 Buy milk 5, 2 more.",
        "  Use an id: todo-tui done 1",
    ]
    assert everything(shell) == before
    add(shell, "Milk", "milk")
    assert "#8 Milk, #9 milk." in shell.fails("delete", "milk").err


def test_no_match_quotes_the_words_with_a_similar_title(shell: Shell) -> None:
    add(shell, "Buy milk", "Pay rent")
    assert shell.fails("done", "mlik").err.splitlines() == [
        "todo-tui: No open task matches “mlik”.",
        "  Did you mean #1 Buy milk?",
    ]
    err = shell.fails("done", "zzz").err
    assert "No open task matches “zzz”." in err
    assert "todo-tui list all" in err


def test_no_match_names_the_task_in_another_state(shell: Shell) -> None:
    add(shell, "Buy milk", "Pay rent")
    shell.done("done", "1")
    assert "#1 Buy milk is completed." in shell.fails("done", "milk").err
    assert "#2 Pay rent is open." in shell.fails("reopen", "rent").err
    shell.done("delete", "2")
    assert "#2 Pay rent is in the trash." in shell.fails("done", "rent").err
    assert "#1 Buy milk is completed." in shell.fails("restore", "milk").err


def test_escapes_and_long_texts_are_quoted_safely(shell: Shell) -> None:
    add(shell, "x" * 900 + " milk", "y\u202e milk")
    err = shell.fails("done", "milk").err
    assert "\u202e" not in err
    assert len(err) < 300
    assert len(shell.fails("done", "\x1b[31m" + "z" * 5000).err) < 300
    shell.fails("done", "\u0301")  # nothing is left of it, which is not every task
    assert set(statuses(shell).values()) == {"todo"}


def test_each_command_looks_among_its_own_tasks(shell: Shell) -> None:
    add(shell, "Buy milk", "Buy milk", "Buy milk")
    shell.done("done", "1")
    shell.done("delete", "2")
    assert shell.done("done", "buy milk").out == "Done #3 Buy milk\n"
    shell.done("undo")
    assert shell.done("reopen", "milk").out == "Reopened #1 Buy milk\n"
    shell.done("undo")
    assert shell.done("restore", "milk").out == "Restored #2 Buy milk\n"
    shell.done("undo")
    assert shell.done("purge", "milk", "--yes").out == "Permanently deleted #2 Buy milk\n"
    assert shell.done("cancel", "milk").out == "Cancelled #3 Buy milk\n"
    shell.done("undo")
    assert shell.done("rm", "milk").out == "Deleted #3 Buy milk\n"
    assert shell.done("rm", "milk").out == "Deleted #1 Buy milk\n"


def test_skip_and_end_look_among_recurring_tasks(shell: Shell) -> None:
    shell.done("add", "Buy plants")
    shell.done("add", "Water plants every monday")
    assert "Skipped to #2 Water plants" in shell.done("skip", "plants").out
    assert shell.done("end", "plants").out == "Ended recurrence: #2 Water plants\n"
    assert "#1 Buy plants is not recurring." in shell.fails("skip", "buy").err


def test_hidden_tasks_are_open_too(shell: Shell) -> None:
    shell.done("add", "Renew passport starts next month")
    assert shell.done("done", "passport").out == "Done #1 Renew passport\n"


def test_move_takes_a_title(shell: Shell) -> None:
    add(shell, "Trip", "Buy milk")
    out = shell.done("move", "buy", "milk", "--under", "1").out
    assert out == "Moved #2 Buy milk under #1 Trip\n"


def test_show_edit_annotate_and_log_take_a_title_in_one_argument(shell: Shell) -> None:
    add(shell, "Buy milk", "Pay rent")
    assert shell.done("annotate", "buy milk", "oat").out == "Annotated #1 Buy milk: oat\n"
    assert "#home" in shell.done("edit", "Milk", "#home").out
    assert shell.done("show", "milk", "--json").json["id"] == 1  # type: ignore[index,call-overload]
    assert "annotations: oat" in shell.done("log", "buy milk").out
    shell.done("done", "1")
    shell.done("delete", "2")
    assert shell.done("show", "milk").out.startswith("#1 Buy milk\n")
    assert shell.done("show", "rent").out.startswith("#2 Pay rent\n")
    assert "No task matches “bread”." in shell.fails("show", "bread").err
    add(shell, "More milk")
    assert shell.done("show", "milk").out.startswith("#3 More milk\n")
    shell.fails("show", "buy", "milk", status=2)


def test_tasks_of_other_users_are_not_found(shell: Shell) -> None:
    shell.done("add", "Buy milk", "--user", "anna")
    assert "milk #" not in shell.fails("done", "milk").err


def test_completing_by_title_loads_nothing_slow(shell: Shell) -> None:
    add(shell, "Buy milk")
    (loaded,) = loaded_by(("done", "buy", "milk"))
    assert loaded & {"pydantic", "rich", "asyncio", "sqlite_utils"} == set()
