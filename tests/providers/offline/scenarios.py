"""Conversations from data files: seed a store, say the messages, hold what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.same_thread import use_no_threads
from todo_tui.agent.approver import ApproveAll, ApproveNone
from todo_tui.agent.config import RunConfig
from todo_tui.agent.loop import run_turn
from todo_tui.domain.events import TurnEnd, TurnFinished
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import Actor, Priority, RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.when import Clock, DateStyle, When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

DATA = Path(__file__).parents[2] / "data"
_ZONE = "Europe/Berlin"
_MOST_ROUNDS = 8
WRITES = {"add_task", "update_task", "complete_task", "reopen_task", "delete_task", "undo", "redo"}

Json = Mapping[str, Any]


def load(name: str) -> list[Json]:
    """The scenarios of a file of `tests/data`; they may name one of its `seeds` for tasks."""
    held: Json = json.loads((DATA / name).read_text(encoding="utf-8"))
    seeds: Json = held.get("seeds", {})
    return [{**each, **seeds.get(each.get("seed"), {})} for each in held["scenarios"]]


@dataclass(frozen=True, slots=True)
class Moment:
    """How things stand after a message."""

    answer: str
    answer_before: str
    tasks: tuple[Task, ...]
    before: tuple[Task, ...]
    trash: int
    wrote: bool
    seeded: tuple[Task, ...]


async def problems_of(scenario: Json, folder: Path) -> list[str]:
    """Say all messages of a scenario; what does not hold, in words."""
    problems, _ = await played(scenario, folder)
    return problems


async def played(scenario: Json, folder: Path) -> tuple[list[str], bool]:
    """Say all messages of a scenario; what does not hold, and whether the last one wrote."""
    use_no_threads()
    clock = Clock(_ZONE, datetime.fromisoformat(scenario["now"]))
    problems: list[str] = []
    begun = {name: scenario.get(name, {}) for name in ("now", "tasks", "views")}
    database = folder / "tasks.db"
    database.write_bytes(_seeded(json.dumps(begun)))
    with open_store(database, user="tester", clock=clock) as store:
        seeded = all_tasks(store)
        steps: list[Json] = scenario["expect"].get("steps", [])
        conversation: str | None = None
        answer = ""
        after = seeded
        for number, text in enumerate(scenario["say"]):
            before = after
            end = await _turn(store, text, conversation, scenario)
            conversation = end.conversation_id
            answer_before, answer = answer, end.outcome.answer
            wrote = any(
                step.name in WRITES and step.status.value == "success" for step in end.outcome.trace
            )
            after = all_tasks(store)
            moment = Moment(
                answer=answer,
                answer_before=answer_before,
                tasks=after,
                before=before,
                trash=_trashed(store),
                wrote=wrote,
                seeded=seeded,
            )
            problems += _sane(end, text)
            if number < len(steps):
                problems += [f"after {text!r}: {each}" for each in _unmet(steps[number], moment)]
        problems += _unmet(scenario["expect"], moment)
        problems += _spoiled(scenario, moment)
    return [f"{each}\n    answer: {answer!r}" for each in problems], moment.wrote


async def _turn(store: Store, text: str, conversation: str | None, scenario: Json) -> TurnEnd:
    selection = [(number, _title(store, number)) for number in scenario.get("selection", ())]
    approver = ApproveAll() if scenario.get("approves") else ApproveNone()
    desk = RunConfig(store, BuiltInAssistant(), approver=approver)
    events = [
        event
        async for event in run_turn(text, desk, conversation_id=conversation, selection=selection)
    ]
    end = events[-1]
    assert isinstance(end, TurnEnd)
    return end


def _title(store: Store, number: int) -> str:
    return store.tasks.get(number).title


def _sane(end: TurnEnd, text: str) -> list[str]:
    problems = []
    if not isinstance(end, TurnFinished):
        problems.append(f"the turn of {text!r} ended as {end}")
    if not end.outcome.answer.strip():
        problems.append(f"the answer to {text!r} is empty")
    if end.outcome.model_calls > _MOST_ROUNDS:
        problems.append(f"{text!r} took {end.outcome.model_calls} rounds")
    return problems


@lru_cache(maxsize=16)
def _seeded(begun: str) -> bytes:
    """The file that scenarios begin with: most begin alike, and to write it takes longest."""
    given = json.loads(begun)
    clock = Clock(_ZONE, datetime.fromisoformat(given["now"]))
    with TemporaryDirectory() as folder:
        database = Path(folder, "tasks.db")
        with open_store(database, user="tester", clock=clock) as store:
            seed(store, given["tasks"])
            for name, text in given["views"].items():
                store.views.save(name, text)
        return database.read_bytes()


def seed(store: Store, tasks: Sequence[Json]) -> None:
    for given in tasks:
        task = store.tasks.add(_fields(given), by=store.new_change_context(Actor.USER))
        if given.get("trashed"):
            store.tasks.delete([task.id], by=store.new_change_context(Actor.USER))
        if given.get("status") == "done":
            store.tasks.complete([task.id], by=store.new_change_context(Actor.USER))
        elif given.get("status"):
            store.tasks.update(
                [task.id],
                {"status": Status(given["status"])},
                by=store.new_change_context(Actor.USER),
            )


def _fields(given: Json) -> TaskFields:
    fields: TaskFields = {"title": given["title"]}
    for name in ("project", "notes", "recurrence", "parent"):
        if given.get(name):
            fields[name] = given[name]
    if given.get("due"):
        fields["due"] = When.parse(given["due"])
    if given.get("start"):
        fields["start"] = When.parse(given["start"])
    if given.get("priority"):
        fields["priority"] = Priority(given["priority"])
    if given.get("repeat_from"):
        fields["repeat_from"] = RepeatFrom(given["repeat_from"])
    fields["tags"] = tuple(given.get("tags", ()))
    fields["blocked_by"] = tuple(given.get("blocked_by", ()))
    return fields


def all_tasks(store: Store) -> tuple[Task, ...]:
    wanted = parse_query("all", store.clock.now(), DateStyle()).filter
    return tuple(sorted(store.tasks.list(wanted).tasks, key=lambda task: task.id))


def _trashed(store: Store) -> int:
    return store.tasks.list(parse_query("trash", store.clock.now(), DateStyle()).filter).total


def _unmet(expect: Json, at: Moment) -> list[str]:
    problems = []
    if "any" in expect and all(_unmet(each, at) for each in expect["any"]):
        problems.append(f"none of {expect['any']} holds")
    if "tasks" in expect and (missing := _unmatched(expect["tasks"], at.tasks)):
        problems.append(f"no task is {missing}; there are {[_brief(task) for task in at.tasks]}")
    counts = {
        "total": len(at.tasks),
        "trash": at.trash,
        "done_count": sum(task.status is Status.DONE for task in at.tasks),
    }
    problems += [
        f"{name} is {number}, not {expect[name]}"
        for name, number in counts.items()
        if expect.get(name, number) != number
    ]
    if expect.get("unchanged") and (at.wrote or at.tasks != at.before):
        problems.append("something was written")
    if "lacks" in expect:
        titles = {_plain(task.title) for task in at.tasks}
        problems += [
            f"{title!r} is still there" for title in expect["lacks"] if _plain(title) in titles
        ]
    problems += _unsaid(expect, at.answer)
    if "confirm_or_done" in expect:
        done = counts["done_count"] == expect["confirm_or_done"]
        asked = "?" in at.answer and at.tasks == at.before
        problems += [] if done or asked else ["neither done nor asked"]
    if "done_nth" in expect and (problem := _not_the_nth(expect["done_nth"], at)):
        problems.append(problem)
    return problems


def _unsaid(expect: Json, answer: str) -> list[str]:
    problems = []
    for wanted in expect.get("answer_has", ()):
        words = [wanted] if isinstance(wanted, str) else wanted
        if not any(_says(answer, word) for word in words):
            problems.append(f"the answer lacks {wanted!r}")
    problems += [
        f"the answer has {word!r}" for word in expect.get("answer_lacks", ()) if _says(answer, word)
    ]
    return problems


def _says(answer: str, words: str) -> bool:
    plain = re.sub(r"[*_`~]|\\(?=\W)", "", answer)
    return re.search(rf"(?<![\w#]){re.escape(words)}(?!\w)", plain, re.IGNORECASE) is not None


def _not_the_nth(number: int, at: Moment) -> str:
    answer = re.sub(r"[*_`~\\]", "", at.answer_before).casefold()
    named = [task for task in at.before if task.title.casefold() in answer]
    named.sort(key=lambda task: answer.find(task.title.casefold()))
    done = [task.title for task in at.tasks if task.status is Status.DONE]
    wanted = named[number - 1].title
    return "" if done == [wanted] else f"{done} done, not {wanted!r}"


def _unmatched(wanted: Sequence[Json], tasks: Sequence[Task]) -> Json | None:
    """An expectation that no task of its own meets."""
    free = list(tasks)
    for each in wanted:
        found = next((task for task in free if _meets(each, task)), None)
        if found is None:
            return each
        free.remove(found)
    return None


def _meets(wanted: Json, task: Task) -> bool:
    data = task.to_json()
    for name, value in wanted.items():
        values = value if isinstance(value, list) and name != "tags" else [value]
        if name == "title":
            fits = _plain(task.title) in [_plain(each) for each in values]
        elif name == "tags":
            fits = set(value) <= set(task.tags)
        elif name == "blocked_by":
            fits = set(value) == set(task.blocked_by)
        elif name == "notes_has":
            fits = value.casefold() in task.notes.casefold()
        else:
            fits = data.get(name) in values
        if not fits:
            return False
    return True


def _plain(title: str) -> str:
    return title.casefold().strip(" .,;:!?\"'“”")


def _spoiled(scenario: Json, at: Moment) -> list[str]:
    """Seeded tasks that nobody expected to change, and did."""
    named = scenario["expect"].get("tasks", ())
    free = any(
        name in scenario["expect"]
        for name in ("done_count", "done_nth", "confirm_or_done", "lacks", "trash", "any")
    )
    problems = []
    for before in at.seeded:
        after = next((task for task in at.tasks if task.id == before.id), None)
        if after is None or after == before:
            continue
        told = next((each for each in named if _meets(each, after)), None)
        if told is None and not free:
            problems.append(f"{_brief(before)} became {_brief(after)}")
        allowed = set(told or ()) | {
            "updated_at",
            "completed_at",
            "title",
            "notes",
            "annotations",
            "position",
        }
        if told is not None:
            old, new = before.to_json(), after.to_json()
            problems += [
                f"{name} of {after.title!r} became {new[name]!r}"
                for name in new
                if old[name] != new[name] and name not in allowed and not _goes_with(name, told)
            ]
    return problems


def _goes_with(name: str, told: Json) -> bool:
    """Fields that a change of another one brings along."""
    along = {
        "due_zone": "due",
        "start_zone": "start",
        "repeat_from": "recurrence",
        "series": "recurrence",
        "slot": "recurrence",
        "notes": "notes_has",
    }
    skipped = name in ("series", "slot") and "due" in told
    return along.get(name, "") in told or skipped or (name == "due" and "recurrence" in told)


def _brief(task: Task) -> dict[str, Any]:
    shown = ("id", "title", "status", "due", "priority", "project", "tags", "recurrence", "notes")
    data = task.to_json()
    return {name: data[name] for name in shown if data[name]}
