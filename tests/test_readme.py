"""The README and the pages under `docs` say what the code does."""

from __future__ import annotations

import re

from tests.readme_tables import (
    BENCHMARKS,
    KEYS,
    README,
    SETTINGS_PAGE,
    block,
    figures_table,
    first_keys_table,
    keys_table,
    provider_settings_table,
    providers_table,
    settings_table,
)
from todo_tui.cli.program import COMMANDS

_README = README.read_text("utf-8")


async def test_the_tables_of_keys_are_those_of_the_bindings() -> None:
    keys = await keys_table()
    assert block(KEYS, "keys") == keys
    assert block(README, "keys") == first_keys_table(keys)


def test_the_table_of_models_is_that_of_the_registry() -> None:
    assert block(README, "providers") == providers_table()


def test_the_tables_of_settings_are_those_of_the_catalogue() -> None:
    assert block(SETTINGS_PAGE, "settings") == settings_table()
    assert block(SETTINGS_PAGE, "provider-settings") == provider_settings_table()


def test_the_figures_of_the_readme_are_among_the_benchmarks() -> None:
    assert block(README, "figures") == figures_table(block(BENCHMARKS, "benchmarks"))


def test_every_command_of_the_readme_exists_and_the_main_ones_are_shown() -> None:
    shown = set(re.findall(r"^    todo-tui ([a-z]+)", _README, re.MULTILINE))
    known = {row.name for row in COMMANDS}
    assert shown <= known
    assert {"add", "list", "done", "edit", "undo", "ask", "export", "doctor"} <= shown


def test_every_picture_and_page_that_a_document_links_to_is_in_the_repository() -> None:
    for document in (README, *README.parent.glob("docs/*.md")):
        linked = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8"))
        assert linked or document is not README
        assert [each for each in linked if not (document.parent / each).is_file()] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    pages = {f"docs/{page.name}" for page in README.parent.glob("docs/*.md")}
    assert pages <= set(re.findall(r"\]\(([^)]+)\)", _README))
