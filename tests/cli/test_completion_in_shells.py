"""Completion in a real bash, zsh and fish, of names that would be commands if not quoted."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.cli.interactive import InteractiveShell
from tests.cli.test_completion import in_bash, in_fish, in_zsh

QUOTES = ("", '"', "'")
NAMES = (
    "two words",
    "it's mine",
    "ends with '",
    "$(touch x)",
    "`touch x`",
    "\\'",
    "\\$(touch x)",
    'say "hi"',
    "a\\",
    "a; touch x",
    "a | touch x & touch x > x",
    "!touch",
    "wow!!",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "~",
    "~root",
    "-x",
    "--db=x",
    "$HOME",
    "a=b@c:d,e%f",
    "^a^b",
    "=ls",
    "büro 🎉 日本",
    "a\u00a0b\u3000c",
    "long " * 60 + "$(touch x)",
)
"""Names of projects, each a different trap."""
EVERYTHING = "a $(touch x) `touch x` \\' \"; touch x; !! * ~ & | < > # {b,c} $HOME -x"
"""A name that has them all."""
EXPANDED = set('$`"\\!')


def needs(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(name) is None, reason=f"no {name} here")


each_shell = pytest.mark.parametrize(
    "name", [pytest.param(each, marks=needs(each)) for each in ("bash", "zsh", "fish")]
)


def add_projects(shell: Shell, db: str, names: Sequence[str]) -> None:
    tasks = [{"title": f"{name} #{at}", "project": name} for at, name in enumerate(names)]
    file = shell.folder / "tasks.json"
    file.write_text(json.dumps(tasks))
    shell.done("import", str(file), "--db", str(shell.folder / db))


def enter(shell: Shell, name: str) -> InteractiveShell:
    folder = shell.folder / "here"
    folder.mkdir()
    return InteractiveShell(name, folder, os.environ)


@needs("bash")
@pytest.mark.parametrize("quote", QUOTES)
def test_bash_reads_what_is_offered_as_the_name(shell: Shell, quote: str, tmp_path: Path) -> None:
    add_projects(shell, "tasks.db", NAMES)
    line = f"add y --project {quote}"
    replies = [each.removeprefix("plain,") for each in in_bash(shell, line, "", menu=True)]
    # As readline does: it closes the quote, but not behind one.
    words = [f"{quote}{each}{'' if quote and each.endswith(quote) else quote}" for each in replies]
    script = "".join(f"printf '%s\\0' {word}\n" for word in words)
    run = subprocess.run(
        ["bash"], input=script.encode(), capture_output=True, check=True, cwd=tmp_path
    )
    unsafe = {name for name in NAMES if EXPANDED & set(name)} if quote == '"' else set()
    assert sorted(run.stdout.decode().split("\0")[:-1]) == sorted({*NAMES} - unsafe)
    assert run.stderr == b""
    assert not (tmp_path / "x").exists()


@each_shell
def test_a_completed_name_is_one_word_and_runs_nothing(shell: Shell, name: str) -> None:
    add_projects(shell, "tasks.db", [EVERYTHING])
    with enter(shell, name) as terminal:
        for form, quotes in {"add y --project ": QUOTES, "add y --project=": '"'}.items():
            for quote in quotes:
                typed = f"todo-tui {form}{quote}"
                line = terminal.complete(typed)
                if name == "bash" and quote == '"':
                    assert line == typed
                    terminal.clear()
                    continue
                assert line != typed
                option = "--project=" if form.endswith("=") else ""
                assert terminal.run()[-1] == f"{option}{EVERYTHING}"
        assert not (terminal.folder / "x").exists()


@each_shell
def test_a_completed_view_filter_and_tag_are_words(shell: Shell, name: str) -> None:
    shell.done("add", "Milk", "--project", "$(touch x)", "--tag", "it's;touch")
    shell.done("views", "save", "my $(touch x) view's", "@phone")
    cases = {
        "view my": "my $(touch x) view's",
        "view 'm": "my $(touch x) view's",
        'add y --tag="it': "--tag=it's;touch",
        "list 'project:": 'project:"$(touch x)"',
    }
    with enter(shell, name) as terminal:
        for typed, argument in cases.items():
            terminal.complete(f"todo-tui {typed}")
            assert terminal.run()[-1] == argument
        assert not (terminal.folder / "x").exists()


@needs("bash")
def test_what_several_names_begin_with_is_quoted_in_bash(shell: Shell) -> None:
    add_projects(shell, "tasks.db", ["$(touch x) a", "$(touch x) b"])
    with enter(shell, "bash") as terminal:
        assert terminal.complete("todo-tui add y --project ").endswith(r" \$\(touch\ x\)\ ")
        assert terminal.run()[-1] == "$(touch x) "
        assert terminal.complete("todo-tui add y --project '").endswith(" '$(touch x) ")
        terminal.press("a'")
        assert terminal.run()[-1] == "$(touch x) a"
        # What is before the cursor would be run, so that nothing is put behind it.
        for typed in ('--project "$(to', "--project $(to", "--project `to"):
            assert terminal.complete(f"todo-tui add y {typed}") == f"todo-tui add y {typed}"
            terminal.clear()
        assert not (terminal.folder / "x").exists()


@each_shell
def test_titles_beside_ids_are_never_typed(shell: Shell, name: str) -> None:
    add_projects(shell, "tasks.db", ["$(touch x)", "`touch x`"])
    for _ in range(2):
        shell.done("ask", "$(touch x)")
    with enter(shell, name) as terminal:
        for typed in ("done ", "conversations show "):
            line = terminal.complete(f"todo-tui {typed}\t")
            assert "touch" not in line
            terminal.clear()
        assert not (terminal.folder / "x").exists()


def test_a_positional_value_is_never_an_option(shell: Shell) -> None:
    shell.done("views", "save", "--", "--db=x", "@phone")
    assert "--db=x" not in {value for _, value, _ in in_zsh(shell, "view", "''")}
    assert "plain,--db=x" not in {line.partition("\t")[0] for line in in_fish(shell, "view", "")}
    assert "plain,--db=x" not in in_bash(shell, "view ", menu=True)


def test_fish_expands_no_name(shell: Shell) -> None:
    add_projects(shell, "tasks.db", ["~", "~root", "a~"])
    assert in_fish(shell, "add", "y", "--project", "") == ["plain,a~"]


def test_names_with_control_characters_are_not_offered(shell: Shell) -> None:
    shell.done("add", "Milk", "--project", "home")
    with closing(sqlite3.connect(shell.folder / "tasks.db")) as database, database:
        # As another program may leave it: the store cleans names.
        database.execute("UPDATE tasks SET project = ?", ("a\nplain,$(touch x)\x1b[201~",))
    for line in ("add y --project ", "add y --project '", "list #a", "list project:"):
        assert in_bash(shell, line, "") == []
    assert in_zsh(shell, "add", "y", "--project", "''") == []
    assert in_fish(shell, "add", "y", "--project", "") == []
