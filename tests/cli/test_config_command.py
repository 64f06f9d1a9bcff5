"""todo-tui config: where the file is, what holds and why, what is wrong, and an editor."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell


@pytest.fixture
def file(shell: Shell) -> Path:
    """Where the configuration file is looked for; its folder is there, it is not."""
    folder = shell.folder / "config" / "todo-tui"
    folder.mkdir(parents=True)
    return folder / "config.toml"


@pytest.fixture
def editor(shell: Shell) -> Path:
    """A program that writes what `WRITTEN` holds over the file it is given, and tells it."""
    script = shell.folder / "my editor.py"
    script.write_text(
        "import os, sys\n"
        "path = sys.argv[-1]\n"
        "before = open(path, encoding='utf-8').read()\n"
        "open(os.environ['SEEN'], 'w', encoding='utf-8').write(repr(sys.argv[1:]) + before)\n"
        "open(path, 'w', encoding='utf-8').write(os.environ.get('WRITTEN', before))\n"
        "sys.exit(int(os.environ.get('STATUS', '0')))\n"
    )
    shell.set(SEEN=str(shell.folder / "seen"), EDITOR=f"{sys.executable} '{script}' --wait")
    return shell.folder / "seen"


def test_path_tells_where_the_file_is_whether_or_not_it_is_there(shell: Shell) -> None:
    usual = shell.folder / "config/todo-tui/config.toml"
    assert shell.done("config", "path").out == f"{usual}\n"
    shell.set(TODO_TUI_CONFIG="/elsewhere/c.toml")
    assert shell.done("config", "path").out == "/elsewhere/c.toml\n"
    assert shell.done("config", "path", "--config", "/c.toml").out == "/c.toml\n"
    assert shell.done("--config", "/c.toml", "config", "path").out == "/c.toml\n"
    shell.set(TODO_TUI_NOW="noon")
    assert shell.done("config", "path").out == "/elsewhere/c.toml\n"


def test_show_tells_what_holds_and_where_it_comes_from(shell: Shell, file: Path) -> None:
    file.write_text('theme = "dark"\n[providers.groq]\napi_key = "gsk_secret"\n')
    file.chmod(0o600)
    shell.set(GEMINI_API_KEY="AIza_secret")
    outcome = shell.done("config", "show", "--user", "anna")
    lines = {line.split()[0]: line.split() for line in outcome.out.splitlines()}
    assert lines["user"] == ["user", "anna", "--user"]
    assert lines["db"][2] == "TODO_TUI_DB"
    assert lines["theme"] == ["theme", "dark", "line", "1"]
    assert lines["limits.retries"] == ["limits.retries", "4", "default"]
    assert lines["providers.groq.api_key"][2:] == ["line", "3"]
    assert lines["providers.gemini.api_key"][2:] == ["GEMINI_API_KEY"]
    assert "secret" not in outcome.out + outcome.err


def test_show_is_json_for_programs(shell: Shell, file: Path) -> None:
    file.write_text('fallback = ["gemini"]\nusr = 1\n')
    outcome = shell.done("config", "show", "--json", "--model", "claude-haiku-5-5")
    shown = json.loads(outcome.out)
    assert shown["path"] == str(file)
    assert shown["settings"]["fallback"] == {
        "value": ["gemini"],
        "from": "file",
        "name": str(file),
        "line": 1,
    }
    assert shown["settings"]["provider"]["value"] == "anthropic"
    assert shown["settings"]["provider"]["from"] == "flag"
    assert shown["settings"]["roles.title"]["value"] is None
    assert [problem["line"] for problem in shown["problems"]] == [2]
    assert outcome.err == ""


def test_show_tells_mistakes_apart_from_what_holds(shell: Shell, file: Path) -> None:
    file.write_text("usr = 1\n")
    outcome = shell.done("config", "show")
    assert "usr" not in outcome.out
    assert "line 1: `usr`" in outcome.err
    shell.set(TODO_TUI_TIMEOUT="soon")
    outcome = shell.run("config", "show")
    assert outcome.status == 2
    assert "TODO_TUI_TIMEOUT" in outcome.err
    assert "limits.timeout" in outcome.out


def test_check_says_so_where_all_is_well(shell: Shell, file: Path) -> None:
    assert "using defaults" in shell.done("config", "check").out
    file.write_text('theme = "dark"\n[approvals]\ntools = ["delete_task"]\n')
    assert shell.done("config", "check").out == f"No problems found: {file}\n"


def test_check_tells_every_mistake_with_line_and_cure(shell: Shell, file: Path) -> None:
    file.write_text(
        'timeout = "pink"\nuser = 3\n[approvals]\ntools = [\n  "delete_task",\n  "rm",\n]\n'
    )
    shell.set(TODO_TUI_MAX_ITERATIONS="many", GROQ_API_KEY="a\nb")
    outcome = shell.run("config", "check")
    assert outcome.status == 1
    for words in (
        f"{file}: line 1: `timeout` has an invalid value.",
        "a number of seconds above 0",
        f"{file}: line 2: `user` has an invalid value.",
        "line 4: unknown tool “rm”",
        "delete_task",
        "Invalid value “many” in TODO_TUI_MAX_ITERATIONS",
        "GROQ_API_KEY has an invalid value.",
        "5 problems found.",
    ):
        assert words in outcome.out
    assert outcome.err == ""
    problems = json.loads(shell.run("config", "check", "--json").out)
    assert [problem["line"] for problem in problems] == [1, 2, None, None, 4]


def test_an_unknown_theme_is_a_mistake_and_cannot_be_set(shell: Shell, file: Path) -> None:
    refused = shell.run("config", "set", "theme", "blurple")
    assert refused.status == 2
    assert refused.err.startswith("todo-tui: Unknown theme “blurple”.\n  Available: dark, light, ")
    assert not file.exists()
    file.write_text('theme = "blurple"\n')
    found = shell.run("config", "check")
    assert found.status == 1
    assert f"{file}: line 1: unknown theme “blurple”." in found.out


def test_a_file_that_is_named_and_missing_is_wrong(shell: Shell) -> None:
    outcome = shell.run("config", "check", "--config", str(shell.folder / "none.toml"))
    assert outcome.status == 1
    assert "File not found" in outcome.out


def test_edit_begins_with_every_setting_explained(shell: Shell, file: Path, editor: Path) -> None:
    file.parent.rmdir()
    outcome = shell.done("config", "edit")
    assert outcome.out == f"No problems found: {file}\n"
    seen = editor.read_text()
    assert seen.startswith(repr(["--wait", str(file)]))
    assert "#daily_budget_usd = 2.5" in seen
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_edit_keeps_what_is_there_and_checks_what_was_written(
    shell: Shell, file: Path, editor: Path
) -> None:
    file.write_text('user = "anna"\n')
    shell.set(WRITTEN='user = "anna"\ntimeout = "pink"\n')
    outcome = shell.run("config", "edit")
    assert 'user = "anna"' in editor.read_text()
    assert outcome.status == 1
    assert "line 2: `timeout`" in outcome.out
    assert file.read_text() == 'user = "anna"\ntimeout = "pink"\n'


def test_visual_is_asked_before_editor(shell: Shell, editor: Path) -> None:
    shell.set(VISUAL=os.environ["EDITOR"] + " --visual", EDITOR="/nowhere")
    shell.done("config", "edit")
    assert "--visual" in editor.read_text()


def test_an_editor_that_ends_badly_is_reported(shell: Shell, file: Path, editor: Path) -> None:
    shell.set(STATUS="3")
    outcome = shell.done("config", "edit")
    assert "status 3" in outcome.err
    assert editor.exists()
    assert file.exists()


@pytest.mark.parametrize("command", ["/nowhere/ed", "'unclosed"])
def test_an_editor_that_cannot_be_started_is_reported_with_the_remedy(
    shell: Shell, command: str
) -> None:
    shell.set(EDITOR=command)
    assert "EDITOR=nano" in shell.fails("config", "edit").err


def test_without_an_editor_one_that_is_there_is_taken(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = shell.folder / "bin"
    programs.mkdir()
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    shell.set(PATH=str(programs))
    assert "No editor found" in shell.fails("config", "edit").err
    (programs / "vi").write_text('#!/bin/sh\necho \'user = "vi"\' > "$1"\n')
    (programs / "vi").chmod(0o755)
    shell.done("config", "edit")
    assert file.read_text() == 'user = "vi"\n'


def test_a_place_where_no_file_can_be_made_is_reported(shell: Shell) -> None:
    (shell.folder / "taken").write_text("")
    shell.set(EDITOR="true")
    outcome = shell.fails("config", "edit", "--config", str(shell.folder / "taken/c.toml"))
    assert "Cannot write" in outcome.err


@pytest.mark.parametrize("args", [(), ("frobnicate",), ("show", "x"), ("path", "--json")])
def test_wrong_usage_is_reported(shell: Shell, args: tuple[str, ...]) -> None:
    assert "config" in shell.fails("config", *args, status=2).err


def test_keys_that_change_places_are_set_together_or_not_at_all(shell: Shell, file: Path) -> None:
    down, mark = ("keys.list.move_down", "shift+down"), ("keys.list.mark_down", "J")
    for name, key in (down, mark):
        assert "is the key of" in shell.fails("config", "set", name, key, status=2).err
    shell.fails("config", "set", *down, *mark, "limits.timeout", "soon", status=2)
    shell.fails("config", "set", *down, "keys.list.mark_down", "d", status=2)
    assert "keys.list.mark_down" in shell.fails("config", "set", *down, mark[0], status=2).err
    assert "has no key" in shell.fails("config", "set", down[0], "", status=2).err
    shell.done("config", "set", *down, *mark, "--dry-run")
    assert not file.exists()
    assert shell.done("config", "set", *down, *mark).out.count("Set keys.list.") == 2
    assert "No problems" in shell.done("config", "check").out
    both = f"{down[0]} {mark[0]}"
    refused = shell.fails("config", "unset", down[0], status=2).err
    assert "`list.move_down` cannot be reset alone" in refused
    assert f"todo-tui config unset {both}" in " ".join(refused.split())
    assert shell.done("config", "unset", *both.split()).out.count("Reset keys.list.") == 2
    assert file.read_text() == ""


def test_one_setting_is_set_and_reset(shell: Shell, file: Path) -> None:
    file.write_text("# mine\n[limits]\ntimeout = 30 # s\n")
    outcome = shell.done("config", "set", "limits.timeout", "60")
    assert outcome.out.startswith("Set limits.timeout")
    assert outcome.err == "An open app takes it at its next start.\n"
    assert file.read_text() == "# mine\n[limits]\ntimeout = 60 # s\n"
    shell.done("config", "set", "keys.list.tick", "space,ctrl+d")
    assert "space,ctrl+d" in shell.done("config", "show").out
    shell.done("config", "set", "keys.list.view_before", "[,ctrl+left_square_bracket")
    for command in ("show", "keys"):
        assert "[,ctrl+[" in shell.done("config", command).out
    shell.done("config", "unset", "keys.list.view_before")
    refused = shell.fails("config", "set", "keys.list.tick", "d", status=2)
    assert "key of `list.delete`" in refused.err
    assert "Unknown action" in shell.fails("config", "set", "keys.list.tck", "d", status=2).err
    assert "“soon”" in shell.fails("config", "set", "limits.timeout", "soon", status=2).err
    shell.set(TODO_TUI_TIMEOUT="50")
    assert "TODO_TUI_TIMEOUT" in shell.done("config", "unset", "limits.timeout").err
    shell.done("config", "unset", "keys.list.tick")
    assert file.read_text() == "# mine\n[limits]\n"
    assert file.stat().st_mode & 0o077 == 0


def test_approvals_tightened_by_a_mistake_are_said_to_be(shell: Shell, file: Path) -> None:
    file.write_text('[approvals]\nask = "never"\nmore_than = "many"\n')
    shown = shell.done("config", "show")
    (row,) = (line for line in shown.out.splitlines() if line.startswith("approvals.ask"))
    assert row.split(maxsplit=2)[1:] == ["writes", "mistake in the file"]
    assert "every change needs approval" in shown.err
    assert "every change needs approval" in shell.run("doctor").out
    outcome = shell.done("config", "set", "approvals.ask", "risky")
    assert "until the mistake in the file is corrected" in outcome.err
