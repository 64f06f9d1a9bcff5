"""Run scenarios: seeded tasks, messages through the real loop, then expectations.

The `format` of scenarios.json documents the keys of an expectation.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from todo_tui.agent.config import RunConfig
from todo_tui.agent.loop import run_turn
from todo_tui.domain.events import TurnEnd, TurnFinished
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.messages import Provider
from todo_tui.domain.task import Actor, Priority, Status, Task, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import Store, open_store

Json = dict[str, Any]

_OUTER = " \t\"'“”‘’`.,;:!?…*_"
_KEPT = (
    "title", "notes", "status", "priority", "due", "start", "project", "tags", "recurrence",
    "deleted_at",
)  # fmt: skip
_FIELD_OF = {"notes_has": "notes"}


@dataclass(frozen=True, slots=True)
class Observation:
    """State after a message: tasks, answer, writes."""

    tasks: tuple[Task, ...]
    trash: tuple[Task, ...]
    answer: str
    answer_before: str
    wrote: bool

    @property
    def done(self) -> tuple[Task, ...]:
        return tuple(task for task in self.tasks if task.status is Status.DONE)

    @property
    def all(self) -> tuple[Task, ...]:
        return (*self.tasks, *self.trash)


async def run_scenario(scenario: Json, path: Path, provider: Provider) -> list[str]:
    """Return the failed expectations; empty if the scenario passes."""
    problems: list[str] = []
    clock = Clock("Europe/Berlin", datetime.fromisoformat(scenario["now"]))
    with open_store(path, user="ann", clock=clock) as store:
        seeds = _seed(store, scenario["tasks"])
        expectations = [*scenario.get("steps", ())]
        expectations += [{}] * (len(scenario["say"]) - len(expectations))
        conversation: str | None = None
        answer = ""
        for said, expected in zip(scenario["say"], expectations, strict=True):
            before, written = answer, _operations(store)
            end = await _turn(store, provider, said, conversation)
            conversation, answer = end.conversation_id, end.outcome.answer
            wrote = _operations(store) != written
            observation = Observation(*_tasks(store), answer, before, wrote)
            if not isinstance(end, TurnFinished) or not answer.strip():
                problems.append(f"{said!r} was not answered: {end}")
            problems += [
                f"after {said!r}: {each}"
                for each in failed_expectations(expected, observation, seeds)
            ]
        problems += failed_expectations(scenario["expect"], observation, seeds)
        problems += _unexpected_changes(scenario["expect"], observation, seeds)
    return problems


def failed_expectations(
    expected: Json, observation: Observation, seeds: Sequence[Task]
) -> list[str]:
    """Return the failures of one expectation."""
    checks: dict[str, Callable[[Any, Observation, Sequence[Task]], str | None]] = {
        "tasks": _lists,
        "total": lambda count, now, _: _counts("total", count, now.tasks),
        "trash": lambda count, now, _: _counts("trash", count, now.trash),
        "done_count": lambda count, now, _: _counts("done_count", count, now.done),
        "unchanged": lambda _, now, __: "something was written" if now.wrote else None,
        "answer_has": _has,
        "answer_lacks": _lacks_words,
        "lacks": _lacks_titles,
        "any": _any,
        "confirm_or_done": _confirms,
        "done_nth": _done_nth,
    }
    found = (checks[key](value, observation, seeds) for key, value in expected.items())
    return [problem for problem in found if problem]


def _lists(entries: list[Json], observation: Observation, _: Sequence[Task]) -> str | None:
    if _match_tasks(entries, observation.tasks) is not None:
        return None
    shown = [json.dumps(task.to_json()) for task in observation.tasks]
    return f"no tasks that match {entries} among {shown}"


def _counts(name: str, wanted: int, found: Sequence[Task]) -> str | None:
    return None if len(found) == wanted else f"{name} is {len(found)}, not {wanted}"


def _has(groups: list[Any], observation: Observation, _: Sequence[Task]) -> str | None:
    missing = [group for group in groups if not _says_any(observation.answer, group)]
    return f"the answer lacks {missing}: {observation.answer!r}" if missing else None


def _lacks_words(groups: list[Any], observation: Observation, _: Sequence[Task]) -> str | None:
    there = [group for group in groups if _says_any(observation.answer, group)]
    return f"the answer has {there}: {observation.answer!r}" if there else None


def _lacks_titles(titles: list[str], observation: Observation, _: Sequence[Task]) -> str | None:
    present = {_plain(task.title) for task in observation.tasks}
    there = [title for title in titles if _plain(title) in present]
    return f"there is still {there}" if there else None


def _any(options: list[Json], observation: Observation, seeds: Sequence[Task]) -> str | None:
    problems = [failed_expectations(option, observation, seeds) for option in options]
    return f"none holds: {problems}" if all(problems) else None


def _confirms(count: int, observation: Observation, _: Sequence[Task]) -> str | None:
    if len(observation.done) == count or ("?" in observation.answer and not observation.wrote):
        return None
    return f"{len(observation.done)} are done and nothing was asked: {observation.answer!r}"


def _done_nth(number: int, observation: Observation, seeds: Sequence[Task]) -> str | None:
    named = [task.id for task in _in_order(observation.answer_before, seeds)]
    if named[number - 1 : number] == [task.id for task in observation.done]:
        return None
    return f"number {number} of {named} is not what is done: {[t.id for t in observation.done]}"


def _unexpected_changes(
    expected: Json, observation: Observation, seeds: Sequence[Task]
) -> Iterator[str]:
    """Yield fields of seeded tasks that changed without being named in the expectation."""
    matched = _match_tasks(expected.get("tasks", []), observation.tasks) or {}
    now = {task.id: task for task in observation.all}
    for seed in seeds:
        task = now[seed.id]
        named = _expected_fields(expected, seed, matched)
        if not set(seed.tags) <= set(task.tags):
            yield f"{seed.title!r} lost tags: {seed.tags} → {task.tags}"
        for field in _KEPT:
            old, new = getattr(seed, field), getattr(task, field)
            if field not in named and old != new:
                yield f"{field} of {seed.title!r} was changed: {old!r} → {new!r}"


def _expected_fields(expected: Json, seed: Task, matched: dict[int, Json]) -> set[str]:
    """Return the fields of a seeded task that an expectation names."""
    named = {_FIELD_OF.get(key, key) for key in matched.get(seed.id, {})}
    if {"done_nth", "confirm_or_done"} & set(expected):
        named.add("status")
    if _plain(seed.title) in {_plain(title) for title in expected.get("lacks", [])}:
        named.add("deleted_at")
    return named


def _seed(store: Store, tasks: Sequence[Json]) -> tuple[Task, ...]:
    fields = [_fields(task) for task in tasks]
    return store.tasks.add_many(fields, by=store.new_change_context(Actor.USER)) if fields else ()


def _fields(task: Json) -> TaskFields:
    fields: TaskFields = {"title": task["title"]}
    if task.get("due"):
        fields["due"] = When.parse(task["due"])
    if task.get("start"):
        fields["start"] = When.parse(task["start"])
    if task.get("priority"):
        fields["priority"] = Priority(task["priority"])
    if task.get("status"):
        fields["status"] = Status(task["status"])
    fields["project"] = task.get("project")
    fields["tags"] = tuple(task.get("tags") or ())
    fields["notes"] = task.get("notes") or ""
    fields["recurrence"] = task.get("recurrence")
    return fields


async def _turn(
    store: Store, provider: Provider, text: str, conversation_id: str | None
) -> TurnEnd:
    config = RunConfig(store, provider)
    async for event in run_turn(text, config, conversation_id=conversation_id):
        if isinstance(event, TurnEnd):
            return event
    raise AssertionError("a turn without an end")


def _tasks(store: Store) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    now, style = store.clock.now(), store.style
    scopes = (parse_query("all", now, style).filter, parse_query("trash", now, style).filter)
    present, trash = (store.tasks.list(scope).tasks for scope in scopes)
    return present, trash


def _operations(store: Store) -> int:
    with closing(sqlite3.connect(store.path)) as database:
        count: int = database.execute("SELECT count(*) FROM ops").fetchone()[0]
    return count


def _match_tasks(entries: Sequence[Json], tasks: Sequence[Task]) -> dict[int, Json] | None:
    """Match each entry to a distinct task, by id; None if that is impossible."""
    if not entries:
        return {}
    for task in tasks:
        if _fits(entries[0], task):
            rest = _match_tasks(entries[1:], [each for each in tasks if each is not task])
            if rest is not None:
                return {task.id: entries[0], **rest}
    return None


def _fits(entry: Json, task: Task) -> bool:
    found = task.to_json()
    for key, wanted in entry.items():
        match key:
            case "title":
                fits = _plain(task.title) in {_plain(title) for title in _options(wanted)}
            case "tags":
                fits = set(wanted) <= set(task.tags)
            case "notes_has":
                fits = wanted in task.notes
            case _:
                fits = found[key] in _options(wanted)
        if not fits:
            return False
    return True


def _in_order(answer: str, tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks named in an answer, in its order."""
    text = _stripped(answer)
    places = [(text.find(task.title.casefold()), task) for task in tasks]
    return [task for place, task in sorted(places, key=lambda pair: pair[0]) if place >= 0]


def _options(value: Any) -> list[Any]:  # noqa: ANN401  # JSON of any shape
    return value if isinstance(value, list) else [value]


def _plain(title: str) -> str:
    return title.casefold().strip(_OUTER)


def _says_any(answer: str, words: Any) -> bool:  # noqa: ANN401  # a word or a list of them
    text = _stripped(answer)
    patterns = (rf"(?<![\w#]){re.escape(word.casefold())}(?!\w)" for word in _options(words))
    return any(re.search(pattern, text) for pattern in patterns)


def _stripped(answer: str) -> str:
    """Return an answer without Markdown markup."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", answer)
    text = re.sub(r"(?m)^\s*(?:[-*+>]|#{1,6}|\d+[.)])\s+", "", text)
    return re.sub(r"[*_`~]+", "", text).casefold()
