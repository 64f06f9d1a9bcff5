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
