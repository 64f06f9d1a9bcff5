"""Another user's task does not exist for any command."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell


@pytest.mark.parametrize(
    "args",
    [
        ("show", "2"),
        ("done", "2"),
        ("reopen", "2"),
        ("delete", "2"),
        ("edit", "2", "--title", "stolen"),
        ("edit", "1", "--parent", "2"),
        ("edit", "1", "--blocked-by", "2"),
        ("undo",),
        ("redo",),
    ],
)
def test_no_command_reaches_the_tasks_of_another_user(shell: Shell, args: tuple[str, ...]) -> None:
    shell.done("add", "mine", "--user", "ben")
    shell.done("undo", "--user", "ben")
    shell.done("redo", "--user", "ben")
    for title in ("hers", "hers too"):
        shell.done("add", title, "--user", "anna")
    before = shell.done("export", "--user", "anna").out
    if args in (("undo",), ("redo",)):
        shell.run(*args, "--user", "ben")
    else:
        assert "There is no task #2." in shell.fails(*args, "--user", "ben").err
    assert shell.done("export", "--user", "anna").out == before


def test_lists_searches_and_exports_hold_only_ones_own(shell: Shell) -> None:
    shell.done("add", "secret plan #work @x", "--user", "anna")
    for args in (("list", "all"), ("list", "secret"), ("list", "#1"), ("export",)):
        assert "secret" not in shell.done(*args, "--user", "ben").out


def test_ids_count_for_each_user_alone(shell: Shell) -> None:
    shell.done("add", "hers", "--user", "anna")
    assert shell.done("add", "his", "--user", "ben", "--json").task["id"] == 1


def test_the_uuid_of_another_users_task_is_neither_used_nor_revealed(shell: Shell) -> None:
    shell.done("add", "hers", "--user", "anna")
    exported = shell.done("export", "--user", "anna").out.encode()
    outcome = shell.done("import", "-", "--user", "ben", stdin=exported)
    assert outcome.out == "Imported 1 task\n"
    again = shell.done("import", "-", "--user", "ben", stdin=exported)
    assert again.out == "Imported 0 tasks; 1 task already exists, skipped\n"
    hers = shell.done("list", "--json", "--user", "anna").task
    his = shell.done("list", "--json", "--user", "ben").task
    assert hers["title"] == his["title"]
    assert hers["uuid"] != his["uuid"]
