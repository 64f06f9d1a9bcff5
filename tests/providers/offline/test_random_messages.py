"""Words thrown together change nothing that they do not name."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.same_thread import use_no_threads
from tests.scenario_files import load
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.events import TurnEnd, TurnFinished
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import Task
from todo_tui.evaluation.scenarios import Scenario, open_database, write_database
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.providers.offline.language.words import alike, is_verb, respelled, stem, tokens
from todo_tui.store.store import Store

_MESSAGES = 150
_MESSAGES_PER_STORE = 50
_WRITES = {"add_task", "update_task", "complete_task", "reopen_task", "delete_task", "undo", "redo"}
_SEED = 20261122
_TASKS: list[dict[str, object]] = [
    {"title": "Pay electricity bill", "project": "home", "due": "2026-11-16", "priority": "high"},
    {"title": "Descale the coffee machine", "project": "home"},
    {"title": "Book MOT for the car", "due": "2026-11-20", "tags": ["car"]},
    {"title": "Grocery run", "due": "2026-11-18", "tags": ["errands"]},
    {"title": "Draft budget proposal", "project": "work", "due": "2026-11-19"},
    {"title": "Review Lena's pull request", "project": "work.code"},
    {"title": "Call grandma", "due": "2026-11-22T17:00"},
    {"title": "Water the basil", "due": "2026-11-18", "recurrence": "FREQ=DAILY"},
    {"title": "Yoga class", "due": "2026-11-23T18:00", "tags": ["health"]},
    {"title": "Clean the oven", "status": "done"},
]
_REFERENCE = re.compile(r"undo|redo|revert|back", re.IGNORECASE)
"""Words for what was done before; each message begins a conversation, so no others bind."""
_GROUP = re.compile(
    r"all|everything|every|each|any|anything|tasks?|todos?|items?|things?|stuff|list|overdue|late|due|today"
    r"|tomorrow|tonight|yesterday|week|weekend|month|year|\w+day|mon|tue|wed|thu|fri|sat|sun|high|low|medium"
    r"|urgent|important|priority|prio|repeat\w*|recurring|daily|weekly|monthly|done|finished|completed|open"
    r"|undated|blocked",
    re.IGNORECASE,
)
"""Words of filters and for tasks as such."""
_ADDITION = re.compile(
    r"\b(?:add?|new|create|remind|remember|task|todo|need|needs|have|has|got|must|should|put|note|list)\b"
    r"|[:;\n]|^\W*[-*]",
    re.IGNORECASE,
)
"""Signs of an addition beside a date: its verbs, a list."""


def test_random_messages_change_only_what_they_name(tmp_path: Path) -> None:
    generator = random.Random(_SEED)  # noqa: S311  # chance is all it needs
    problems: list[str] = []
    messages = list(_random_messages(generator))
    scenario = Scenario.model_validate(
        {"id": "random", "now": "2026-11-18T14:30", "tasks": _TASKS, "say": ["-"], "expect": {}}
    )
    begun = tmp_path / "begun.db"
    write_database(scenario, begun)
    for start in range(0, len(messages), _MESSAGES_PER_STORE):
        database = tmp_path / f"{start}.db"
        shutil.copy(begun, database)
        with open_database(scenario, database) as store:
            said = messages[start : start + _MESSAGES_PER_STORE]
            problems += asyncio.run(_problems(store, said))

    assert not problems, "\n".join(problems)


def _random_messages(generator: random.Random) -> Iterator[str]:
    """Yield messages of the scenarios and titles shuffled, cut, joined and misspelt."""
    said = [
        text
        for name in ("scenarios.json", "wild_scenarios.json")
        for scenario in load(name)
        for text in scenario.say
        if len(text) < 200
    ]
    titles = [str(task["title"]) for task in _TASKS]
    for _ in range(_MESSAGES):
        one, other = generator.choice(said), generator.choice([*said, *titles, *titles])
        words = _mixed(one.split(), other.split(), generator)
        yield " ".join(_misspelt(word, generator) for word in words)


def _mixed(one: list[str], other: list[str], generator: random.Random) -> list[str]:
    way = generator.randrange(4)
    if way == 0:
        words = generator.sample(one, len(one))
    elif way == 1:
        words = one[generator.randrange(len(one)) :] or one
    elif way == 2:
        words = one[: generator.randint(1, len(one))] + other[generator.randrange(len(other)) :]
    else:
        words = generator.sample(one + other, min(len(one + other), generator.randint(1, 9)))
    return words


def _misspelt(word: str, generator: random.Random) -> str:
    if len(word) < 4 or generator.random() > 0.05:
        return word
    at = generator.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


async def _problems(store: Store, messages: list[str]) -> list[str]:
    """Say each message in a conversation of its own; what changed without being named."""
    use_no_threads()
    problems: list[str] = []
    before = _by_id(store)
    for text in messages:
        desk = RunConfig(store, BuiltInAssistant(store.index))
        end = [event async for event in run_turn(text, desk)][-1]
        assert isinstance(end, TurnEnd)
        assert isinstance(end, TurnFinished), text
        if not any(step.name in _WRITES for step in end.outcome.trace):
            continue
        after = _by_id(store)
        for number in before.keys() | after.keys():
            old, new = before.get(number), after.get(number)
            if old is None and new is not None and not _is_asked_to_add(new, text):
                problems.append(f"{text!r} added {new.title!r}")
            elif old is not None and old != new and not _names(text, old):
                problems.append(f"{text!r} changed {old.title!r}")
        before = after
    if before != _by_id(store):
        problems.append("a message changed a task without a tool that writes")
    return problems


def _by_id(store: Store) -> Mapping[int, Task]:
    wanted = parse_query("all", store.clock.now(), store.style).filter
    return {task.id: task for task in store.tasks.list(wanted).tasks}


def _names(text: str, task: Task) -> bool:
    """Return True if a message has a word, number, reference or filter that can mean a task."""
    said = tokens(text)
    named = tokens(f"{task.title} {task.project or ''} {' '.join(task.tags)}")
    stems = {stem(word) for word in named if len(word) > 2}
    return (
        str(task.id) in re.findall(r"\d+", text)
        or any(_REFERENCE.fullmatch(word) or _GROUP.fullmatch(word) for word in said)
        or any(alike(stem(word), other) for word in said for other in stems)
    )


def _is_asked_to_add(task: Task, text: str) -> bool:
    """Return True if a message has the title of an added task, and the shape of an addition."""
    if task.recurrence and task.series:
        return True
    said = set(tokens(respelled(text)))
    has_shape = task.due is not None or _ADDITION.search(text) or any(map(is_verb, said))
    return bool(has_shape) and all(
        any(alike(word, other) for other in said) for word in tokens(task.title)
    )
