"""The README says what the code does."""

from __future__ import annotations

import re

from tests.readme_tables import README, block, keys_table, providers_table
from todo_tui.cli.program import COMMANDS

_README = README.read_text("utf-8")


async def test_the_table_of_keys_is_that_of_the_bindings() -> None:
    assert block(_README, "keys") == await keys_table()


def test_the_table_of_models_is_that_of_the_registry() -> None:
    assert block(_README, "providers") == providers_table()


def test_every_command_of_the_readme_exists_and_the_main_ones_are_shown() -> None:
    shown = set(re.findall(r"^    todo-tui ([a-z]+)", _README, re.MULTILINE))
    known = {row.name for row in COMMANDS}
    assert shown <= known
    assert {"add", "list", "done", "edit", "undo", "ask", "export", "doctor"} <= shown


def test_every_picture_of_the_readme_is_in_the_repository() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", _README)
    assert pictures
    for picture in pictures:
        assert (README.parent / picture).is_file()
