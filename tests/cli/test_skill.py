"""`todo-tui skill install`: the file follows the commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.cli.conftest import Shell
from todo_tui.cli.base import COMMON_OPTIONS
from todo_tui.cli.commands.skill import _NOT_FOR_AGENTS
from todo_tui.cli.main import COMMANDS, todo_tui

PLACES = {
    "claude-code": ".claude/skills/todo-tui/SKILL.md",
    "codex": ".codex/skills/todo-tui/SKILL.md",
    "gemini": ".gemini/skills/todo-tui/SKILL.md",
    "universal": ".agents/skills/todo-tui/SKILL.md",
}


def commands(parent: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with its words, groups and their commands."""
    for name in parent.list_commands(click.Context(parent)):
        command = parent.get_command(click.Context(parent), name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def usage_of(command: click.Command) -> list[str]:
    pieces = command.collect_usage_pieces(click.Context(command))
    return [piece for piece in pieces if piece != "[OPTIONS]"]


@pytest.mark.parametrize("agent", PLACES)
def test_the_file_is_written_where_the_agent_looks_and_again_after_an_update(
    shell: Shell, agent: str
) -> None:
    path = shell.folder / PLACES[agent]
    dry = shell.done("skill", "install", agent, "--dry-run")
    assert not path.exists()
    assert shell.done("skill", "install", agent).out == f"Wrote {path}\n"
    assert path.read_text(encoding="utf-8") == dry.out
    assert dry.out.startswith("---\nname: todo-tui\ndescription: ")
    path.write_text(dry.out + "older", encoding="utf-8")
    shell.done("skill", "install", agent)
    assert path.read_text(encoding="utf-8") == dry.out
    path.write_text("written by hand", encoding="utf-8")
    assert "someone else" in shell.fails("skill", "install", agent).err
    assert path.read_text(encoding="utf-8") == "written by hand"


def test_a_folder_can_be_chosen_and_one_that_cannot_be_written_is_named(
    shell: Shell, tmp_path: Path
) -> None:
    folder = tmp_path / "project" / "skills"
    shell.done("skill", "install", "universal", "--dir", str(folder))
    assert (folder / "todo-tui" / "SKILL.md").is_file()
    (tmp_path / "file").touch()
    problem = shell.fails("skill", "install", "codex", "--dir", str(tmp_path / "file"))
    assert "could not be written" in problem.err
    shell.fails("skill", "install", "emacs", status=2)


def test_the_file_has_every_command_for_agents_with_its_options(shell: Shell) -> None:
    text = shell.done("skill", "install", "codex", "--dry-run").out
    assert {row.name for row in COMMANDS} >= _NOT_FOR_AGENTS
    common = {name for option in COMMON_OPTIONS for name in option.opts}
    sections = text.partition("## Commands")[2].split("### `")[1:]
    listed: list[str] = []
    for path, command in commands(todo_tui, "todo-tui"):
        if path.split()[1] not in _NOT_FOR_AGENTS:
            usage, section = " ".join((path, *usage_of(command))), sections[len(listed)]
            listed.append(usage)
            assert section.startswith(f"{usage}`"), path
            options = [each for each in command.params if isinstance(each, click.Option)]
            names = {name for option in options for name in option.opts} - common
            assert not [name for name in names if name not in section], path
    assert len(listed) == len(sections)
    assert "!high, #project, @tag" in text
