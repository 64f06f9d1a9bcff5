"""The README and the pages under `docs` say what the code does."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.readme_tables import (
    BENCHMARKS,
    KEYS,
    README,
    SETTINGS_PAGE,
    block,
    evaluation_table,
    figures_table,
    first_keys_table,
    keys_table,
    provider_settings_table,
    providers_table,
    settings_table,
)
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.cli.main import ALIASES, COMMANDS
from todo_tui.domain.events import StepStatus, TurnFinished
from todo_tui.domain.task import Actor, Priority, TaskFields
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store

_README = README.read_text("utf-8")


def test_the_tables_of_keys_are_those_of_the_actions() -> None:
    keys = keys_table()
    assert block(KEYS, "keys") == keys
    assert block(README, "keys") == first_keys_table(keys)


def test_the_table_of_models_is_that_of_the_registry() -> None:
    assert block(README, "providers") == providers_table()


async def test_the_table_of_verdicts_is_that_of_the_built_in_assistant() -> None:
    assert block(README, "evaluation") == await evaluation_table()


def test_the_tables_of_settings_are_those_of_their_declarations() -> None:
    assert block(SETTINGS_PAGE, "settings") == settings_table()
    assert block(SETTINGS_PAGE, "provider-settings") == provider_settings_table()


def test_the_figures_of_the_readme_are_among_the_benchmarks() -> None:
    assert block(README, "figures") == figures_table(block(BENCHMARKS, "benchmarks"))


def test_every_command_of_the_readme_exists_and_the_main_ones_are_shown() -> None:
    shown = set(re.findall(r"^    todo-tui ([a-z]+)", _README, re.MULTILINE))
    known = {*(row.name for row in COMMANDS), *ALIASES, "help"}
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


def test_every_module_that_a_page_or_a_docstring_names_exists() -> None:
    root = README.parent
    modules = [*(root / "todo_tui").rglob("*.py"), *(root / "tests").rglob("*.py")]
    known = [f"/{each.relative_to(root).as_posix()}" for each in modules]
    for page in (README, root / "CONTRIBUTING.md", *root.glob("docs/*.md")):
        named = re.findall(r"`([\w/]+\.py)\b", page.read_text("utf-8"))
        assert [each for each in named if not any(p.endswith(f"/{each}") for p in known)] == [], (
            page
        )
    for module in modules:
        docstring = module.read_text("utf-8").partition('"""')[2].partition('"""')[0]
        places = (module.parent, root / "todo_tui", root)
        for each in re.findall(r"[\w/]+\.py\b", docstring):
            assert any((place / each).is_file() for place in places), (module, each)


_TASKS: tuple[TaskFields, ...] = (
    {"title": "Dentist"},
    {"title": "Write the report"},
    {"title": "Water the plants"},
    {"title": "Pay rent"},
    {"title": "Return the library books", "project": "errands"},
)


def _sayings() -> list[str]:
    """Return the messages of the table “What you can say”, in order."""
    table = _README.partition("## What you can say")[2].partition("\n\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)
    return [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]


async def test_the_built_in_assistant_does_what_the_readme_says(
    open_as: Callable[[str], Store],
) -> None:
    store = open_as("ann")
    store.tasks.add_many(_TASKS, by=store.new_change_context(Actor.USER))
    config = RunConfig(store, BuiltInAssistant(store.index))
    conversation: str | None = None
    for text in _sayings():
        events = [event async for event in run_turn(text, config, conversation_id=conversation)]
        end = events[-1]
        assert isinstance(end, TurnFinished)
        conversation = end.conversation_id
        trace = end.outcome.trace
        assert trace, text
        assert all(step.status is StepStatus.SUCCESS for step in trace), text
        looks = text.endswith("?")
        assert (trace[-1].name == "list_tasks") is looks, (text, end.outcome.answer)
    tasks = {task.title: task for task in store.tasks.list().tasks}
    assert {"Call mom", "Water the plants", "Return the library books"}.isdisjoint(tasks)
    assert tasks["Pay rent"].tags == ("home",)
    assert tasks["Pay rent"].priority is Priority.HIGH, "redone"
    assert "Oat milk" in tasks
