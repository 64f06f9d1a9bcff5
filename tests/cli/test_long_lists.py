"""The list in a pipe has a quick way of its own, and says the same as the slow one."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.cli.conftest import NOW, Shell
from todo_tui.cli.commands.list import print_plain_list
from todo_tui.cli.output.tables import print_table
from todo_tui.domain.filters.terms import Query, TaskState
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store

_LINES = (
    "buy milk tomorrow 5pm #home @shop @quick !high",
    "日本語のタイトル #仕事 @急ぎ",
    "pay rent every month #home.bills !low",
    "family 👨‍👩‍👧 photo @ünïcode",
    "no more than this",
    "late yesterday !medium",
)


def test_a_list_in_a_pipe_is_what_the_table_would_be(
    shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in _LINES:
        shell.done("add", line)
    shell.done("done", "5")
    shell.done("edit", "1", "--add-blocker", "2")
    now = datetime.fromisoformat(NOW)
    with open_store(shell.folder / "tasks.db", user="me", clock=Clock("UTC", now)) as store:
        query = Query(TaskState.ANY)
        capsys.readouterr()
        blocked = store.tasks.blocked_ids()
        print_plain_list(store.tasks.plain_rows(query), blocked, now)
        quick = capsys.readouterr().out
        print_table([("", store.tasks.find(query))], now, blocked=blocked, no_color=True)
    assert quick == capsys.readouterr().out
    assert len(quick.splitlines()) == len(_LINES)


def test_a_limit_shows_the_first_tasks_and_says_how_many_there_are(shell: Shell) -> None:
    for number in range(1, 6):
        shell.done("add", f"task {number} @{'even' if number % 2 == 0 else 'odd'}")
    outcome = shell.done("list", "--limit", "2", "sort:id-")
    assert [line[:2] for line in outcome.out.splitlines()] == ["#5", "#4"]
    assert outcome.err == "Showing 2 of 5 tasks.\n"
    outcome = shell.done("list", "@odd", "--limit", "1", "--json")
    assert [task["id"] for task in outcome.tasks] == [1]
    assert outcome.err == "Showing 1 of 3 tasks.\n"
    lines = shell.done("list", "--limit", "3", "group:tag").out.splitlines()
    assert [line[:2] for line in lines if line] == ["@e", "#2", "@o", "#1", "#3"]
    for enough in ("5", "6"):
        assert shell.done("list", "--limit", enough).err == ""
    assert "No task matches" in shell.done("list", "--limit", "1", "zzz").err


@pytest.mark.parametrize("number", ["0", "-1", "many", "1.5", ""])
def test_a_limit_is_a_whole_number_from_one(shell: Shell, number: str) -> None:
    assert "--limit" in shell.fails("list", "--limit", number, status=2).err
