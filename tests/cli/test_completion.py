"""Shell completion: what each shell is told, and a real bash, zsh and fish that ask."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.cli.conftest import Shell
from tests.cli.interactive import InteractiveShell
from todo_tui.cli.main import COMMANDS
from todo_tui.cli.shell_completion import SHELLS

_PROBE = """
import json, os, sys
from todo_tui.cli.main import main
main()
print(json.dumps(sorted(sys.modules)), file=sys.__stderr__)
"""
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")


@pytest.fixture
def tasks(shell: Shell) -> Shell:
    shell.done("add", "Buy milk, eggs (fresh) #home @shop")
    shell.done("add", "--words-only", "Pay $HOME * `rm` 'x' \u202e日本")
    shell.done("add", "Plan #work.client @büro", "--tag", "deep work,")
    shell.done("done", "3")
    shell.done("views", "save", "my calls", "@phone")
    return shell


def in_bash(shell: Shell, line: str, word: str | None = None, menu: bool = False) -> list[str]:
    """Return what bash would list; `word` is what it would replace."""
    return shell.completions(
        _TODO_TUI_COMPLETE="bash_complete",
        COMP_LINE=f"todo-tui {line}",
        COMP_WORD=line.rpartition(" ")[2] if word is None else word,
        COMP_TYPE="37" if menu else "9",
    )


def in_zsh(shell: Shell, *words: str) -> list[tuple[str, str, str]]:
    lines = shell.completions(
        _TODO_TUI_COMPLETE="zsh_complete",
        COMP_WORDS=" ".join(("todo-tui", *words)),
        COMP_CWORD=str(len(words)),
    )
    return list(zip(lines[::3], lines[1::3], lines[2::3], strict=True))


def in_fish(shell: Shell, *words: str) -> list[str]:
    return shell.completions(
        _TODO_TUI_COMPLETE="fish_complete",
        COMP_WORDS=" ".join(("todo-tui", *words)),
        COMP_CWORD=words[-1],
    )


# --- commands and options ---------------------------------------------------------------


def test_commands_are_completed_with_their_summaries(shell: Shell) -> None:
    names = [line.removeprefix("plain,") for line in in_bash(shell, "")]
    assert names == [*(row.name for row in COMMANDS), "help"]
    assert in_zsh(shell, "don") == [("plain", "done", "Complete tasks.")]
    assert in_fish(shell, "don") == ["plain,done\tComplete tasks."]
    assert in_bash(shell, "conversations ex") == ["plain,export"]


def test_help_completes_commands(shell: Shell) -> None:
    assert in_bash(shell, "help conv") == ["plain,conversations"]
    assert in_bash(shell, "help views re") == ["plain,rename"]
    assert len(in_bash(shell, "help ")) == len(COMMANDS) + 1


def test_options_are_completed_but_not_those_given(shell: Shell) -> None:
    assert in_bash(shell, "list --js") == ["plain,--json"]
    assert in_bash(shell, "list --json --js") == []
    assert in_bash(shell, "add --priority h") == ["plain,high"]
    assert in_bash(shell, "--provider gro") == ["plain,groq"]
    assert in_bash(shell, "keys set gro") == ["plain,groq"]
    assert in_bash(shell, "export --format mark") == ["plain,markdown"]
    assert in_bash(shell, "completions z") == ["plain,zsh"]


def test_files_are_left_to_the_shell(shell: Shell) -> None:
    for line in ("import x", "--db x", "list --config x", "export --output x"):
        assert [each.split(",")[0] for each in in_bash(shell, line)] == ["file"]


# --- tasks, projects, tags, views ---------------------------------------------------------


def test_ids_are_completed_with_their_titles(tasks: Shell) -> None:
    assert in_bash(tasks, "done ") == [
        "plain,1  (Buy milk, eggs (fresh))",
        "plain,2  (Pay $HOME * `rm` 'x' 日本)",
    ]
    assert in_bash(tasks, "done 2") == ["plain,2"]
    assert in_bash(tasks, "done '#2", "#2") == ["plain,#2"]
    assert in_bash(tasks, "done ", menu=True) == ["plain,1", "plain,2"]
    assert in_bash(tasks, "done milk") == []
    assert in_zsh(tasks, "done", "1") == [("plain", "1", "Buy milk, eggs (fresh)")]
    assert in_fish(tasks, "show", "1") == ["plain,1\tBuy milk, eggs (fresh)"]
    assert in_bash(tasks, "add x --parent 1") == ["plain,1"]


def test_each_command_completes_its_own_tasks(tasks: Shell) -> None:
    tasks.done("delete", "1")
    assert in_bash(tasks, "done ") == ["plain,2"]
    assert in_bash(tasks, "restore ") == ["plain,1"]
    assert [line[:8] for line in in_bash(tasks, "reopen ")] == ["plain,3 ", "plain,1 "]
    assert len(in_bash(tasks, "show ")) == 3
    assert in_bash(tasks, "skip ") == []


def test_projects_and_tags_are_completed_as_the_shell_can_take_them(tasks: Shell) -> None:
    assert in_bash(tasks, "list #ho") == ["plain,\\#home"]
    assert in_bash(tasks, "list '#ho", "#ho") == ["plain,#home"]
    assert in_bash(tasks, 'add milk "#wor', "#wor") == ["plain,#work", "plain,#work.client"]
    assert in_bash(tasks, "list project:ho", "ho") == ["plain,home"]
    assert in_bash(tasks, "list project:ho", "project:ho") == ["plain,project:home"]
    assert in_bash(tasks, "list tag:", "") == [
        "plain,büro",
        'plain,\\"deep\\ work\\"',
        "plain,shop",
    ]
    assert in_bash(tasks, "list @sh") == ["plain,@shop"]
    assert in_bash(tasks, "edit 1 @sh") == ["plain,@shop"]
    assert in_bash(tasks, "stats project:wo", "wo") == ["plain,work", "plain,work.client"]
    assert in_bash(tasks, "edit 1 --add-tag sh") == ["plain,shop"]
    assert in_bash(tasks, "add x --project ho") == ["plain,home"]
    assert in_zsh(tasks, "list", "project:ho") == [("plain", "project:home", "_")]
    assert in_fish(tasks, "list", "@sh") == ["plain,@shop"]


def test_filter_words_and_views_are_completed(tasks: Shell) -> None:
    assert in_bash(tasks, "list over") == ["plain,overdue"]
    assert in_bash(tasks, "list due.bef") == ["plain,due.before:"]
    assert in_bash(tasks, "list priority:h", "h") == ["plain,high"]
    assert in_bash(tasks, "view my") == ["plain,my\\ calls"]
    assert in_bash(tasks, "view upc") == ["plain,upcoming"]
    assert in_bash(tasks, "views delete m") == ["plain,my\\ calls"]
    assert in_fish(tasks, "view", "my") == ["plain,my calls\t@phone"]


def test_conversations_are_completed_with_their_titles(tasks: Shell) -> None:
    tasks.done("ask", "what is due today?")
    ((_, conversation, title),) = in_zsh(tasks, "conversations", "show", '""')
    assert tasks.done("conversations", "show", conversation).out.startswith(title)


def test_the_user_and_the_database_of_the_line_are_used(tasks: Shell) -> None:
    tasks.done("add", "Hers", "--user", "anna")
    assert in_bash(tasks, "--user anna done ") == ["plain,1"]
    assert in_bash(tasks, "done --user anna ") == ["plain,1"]


# --- nothing else ------------------------------------------------------------------------


@pytest.mark.usefixtures("no_database")
def test_completion_writes_nothing_and_never_complains(shell: Shell) -> None:
    config = shell.folder / "config/todo-tui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("theme = [\n")
    for line in (
        "done ", "list @", "view ", "show 'x", "conversations show ", "zzz ", "list --jsn ",
        "keys set groq sk-secret ", "done 99999999999999999999 ", 'list "', "help zzz ", "views x ",
    ):  # fmt: skip
        in_bash(shell, line, "")
    assert not (shell.folder / "tasks.db").exists()
    config.write_text("")
    (shell.folder / "tasks.db").write_bytes(b"no database")
    assert in_bash(shell, "done ") == []


@pytest.mark.parametrize("line", ["done ", "list @", "--provider "])
def test_completion_loads_nothing_slow(tasks: Shell, line: str) -> None:
    environ = {"_TODO_TUI_COMPLETE": "bash_complete", "COMP_WORD": "", "COMP_TYPE": "9"}
    run = subprocess.run(
        [sys.executable, "-c", _PROBE],
        env={**os.environ, **environ, "COMP_LINE": f"todo-tui {line}"},
        capture_output=True,
        check=True,
    )
    loaded = set(json.loads(run.stderr))
    assert run.stdout
    assert loaded & {"sqlite_utils", "pydantic", "rich", "asyncio", "textual", "openai"} == set()


# --- the shells --------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHELLS)
def test_the_script_of_each_shell_is_valid(shell: Shell, name: str) -> None:
    script = shell.done("completions", name).out
    assert f"_TODO_TUI_COMPLETE={name}_complete" in script
    if shutil.which(name):
        subprocess.run([name, "-n"], input=script.encode(), check=True)


def test_an_unknown_shell_is_refused(shell: Shell) -> None:
    assert "'bash', 'zsh', 'fish'" in shell.fails("completions", "tcsh", status=2).err
    shell.fails("completions", status=2)


@needs_bash
def test_bash_completes(tasks: Shell, tmp_path: Path) -> None:
    (tmp_path / "file.md").touch()
    with InteractiveShell("bash", tmp_path, os.environ) as bash:
        for typed, completed in {
            "todo-tui list --js": "todo-tui list --json ",
            "todo-tui list project:ho": "todo-tui list project:home ",
            "todo-tui list '#ho": "todo-tui list '#home' ",
            "todo-tui view my\\ c": "todo-tui view my\\ calls ",
            "todo-tui list 'tag:\"dee": "todo-tui list 'tag:\"deep work\"' ",
            "todo-tui add y --tag=sh": "todo-tui add y --tag=shop ",
            "true; todo-tui view my": "true; todo-tui view my\\ calls ",
            "todo-tui export --output=fi": "todo-tui export --output=file.md ",
            "todo-tui zzz --zzz": "todo-tui zzz --zzz",
        }.items():
            assert bash.complete(typed) == completed
            bash.clear()
        bash.press("todo-tui done \t\t")
        bash.expect("1  (Buy milk, eggs (fresh))")


# --- the manual page ---------------------------------------------------------------------


def test_the_manual_page_has_every_command_and_option(shell: Shell) -> None:
    page = shell.done("man").out
    plain = page.replace("\\-", "-")
    assert plain.startswith(".TH TODO-TUI 1 ")
    for row in COMMANDS:
        assert f'.SS "{row.name}' in plain
    for words in ("views save", "conversations export", "--leave-children", "--limit N", "TASK"):
        assert words in plain
    assert page.isascii()
    assert plain.count("--db PATH") == 1


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
@pytest.mark.parametrize("device", ["utf8", "ascii", "ps"])
def test_groff_formats_the_manual_page_without_a_warning(shell: Shell, device: str) -> None:
    page = shell.done("man").out.encode()
    run = subprocess.run(
        ["groff", "-man", "-ww", f"-T{device}"], input=page, capture_output=True, check=True
    )
    assert run.stderr == b""
    assert len(run.stdout) > 10_000


@pytest.mark.skipif(shutil.which("man") is None, reason="no man here")
def test_man_shows_the_manual_page(shell: Shell) -> None:
    path = shell.folder / "todo-tui.1"
    path.write_text(shell.done("man").out)
    run = subprocess.run(
        ["man", "--warnings", "-l", str(path)],
        capture_output=True,
        check=True,
        env={**os.environ, "MANWIDTH": "80", "PAGER": "cat", "MANPAGER": "cat"},
    )
    assert run.stderr == b""
    text = run.stdout.decode()
    assert "--with-children" in text
    assert 'eval "$(todo-tui completions bash)"' in text


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_odd_characters_of_a_help_text_are_shown_as_they_are() -> None:
    from todo_tui.cli.commands.shell import write_manual

    odd = ".start 'quote' \"double\" \\fBslash\\fP ~ ^ `bold.` “日本” – 100% \\"
    program = click.Group("todo-tui", help=odd, commands=[click.Command("x", help=f"'{odd}")])
    page = "\n".join(write_manual(click.Context(program, info_name="todo-tui")))
    run = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-c"],
        input=f"{page}\n".encode(),
        capture_output=True,
        check=True,
        env={**os.environ, "GROFF_NO_SGR": "1"},
    )
    assert run.stderr == b""
    shown = " ".join(run.stdout.decode().replace("\x08", "").split())
    assert ".start 'quote' \"double\" \\fBslash\\fP ~ ^" in shown
    assert "“日本” – 100% \\" in shown
