"""An action is added in one place: a row of a table, which everything else reads."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import todo_tui

TABLE = "_TASKS: tuple[Action[TaskPane], ...] = (\n"
ROW = """    Action(
        "list.shout",
        "Shout title",
        "ctrl+y",
        lambda pane: pane.app.notify("Shouted."),
        hint="shout",
        words="loud",
        slash=Slash("shout"),
    ),
"""
ROOT = Path(__file__).resolve().parents[2]


def test_a_row_is_found_by_key_command_palette_help_and_configuration(tmp_path: Path) -> None:
    package = tmp_path / "code/todo_tui"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(todo_tui.__path__[0]), package, ignore=ignored)
    module = package / "tui/actions/task_list.py"
    text = module.read_text("utf-8")
    assert text.count(TABLE) == 1
    module.write_text(text.replace(TABLE, TABLE + ROW), "utf-8")
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text('[keys]\n"list.shout" = "f7"\n', "utf-8")
    environ = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(package.parent), str(ROOT)]),
        "TODO_TUI_CONFIG": str(home / "config.toml"),
    }

    def run(*words: str) -> str:
        run = subprocess.run(
            [sys.executable, *words], env=environ, cwd=home, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    keys = json.loads(run("-m", "todo_tui", "config", "keys", "--json"))
    assert keys["list.shout"] == {"keys": ["f7"], "usual": ["ctrl+y"], "about": "Shout title"}

    found = json.loads(run("-m", "tests.tui.new_action_child", str(home), "list.shout"))
    assert found["completions"] == ["/shout"]
    assert found["by command"] == found["by key"] == ["Shouted."]
    assert [each.split() for each in found["palette"]] == (
        [["Shout", "title"], ["Shout", "title", "/shout", "F7"]]
    )
    assert ["F7", "Shout title"] in found["help"]
    assert "F7 shout" in found["hints"]
