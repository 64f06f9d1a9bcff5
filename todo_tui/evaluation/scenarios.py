"""Scenarios: their file format, validation, and the tasks that each begins with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, cast

import pydantic
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.task import Actor, JsonValue, Priority, RepeatFrom, Status, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import Store, open_store

ZONE = "Europe/Berlin"
"""Time zone of every scenario."""
USER = "evaluation"
_MAX_PROBLEMS = 5
_FORMAT_HINT = "The format is described in docs/evaluation.md."


def _one_or_more(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _read_when(value: object) -> object:
    return When.parse(value) if isinstance(value, str) else value


def _read_now(value: object) -> object:
    if not isinstance(value, str):
        return value
    now = datetime.fromisoformat(value)
    if now.tzinfo is not None:
        raise ValueError("a local time without UTC offset is expected")
    return now


WordChoice = Annotated[tuple[str, ...], BeforeValidator(_one_or_more), Field(min_length=1)]
"""Words of which one must be there: one text, or a list."""
_When = Annotated[When, BeforeValidator(_read_when)]
_Now = Annotated[datetime, BeforeValidator(_read_now)]
_TASK_FIELDS = frozenset(
    "title status priority due start project tags tags_lack recurrence notes notes_has parent"
    " blocked_by repeat_from estimate".split()
)


_Scalar = str | int | None
Wanted = _Scalar | list[_Scalar]
"""Expected value of a task's field; of a list, any one."""


def _check_fields(entry: dict[str, Wanted]) -> dict[str, Wanted]:
    if unknown := sorted(entry.keys() - _TASK_FIELDS):
        raise ValueError(f"unknown field {unknown[0]!r}")
    return entry


_ExpectedTask = Annotated[dict[str, Wanted], AfterValidator(_check_fields)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class TaskSeed(_Record):
    """One task that a scenario begins with."""

    title: str
    notes: str = ""
    status: Status = Status.TODO
    priority: Priority | None = None
    due: _When | None = None
    start: _When | None = None
    estimate: int | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    recurrence: str | None = None
    repeat_from: RepeatFrom | None = None
    parent: int | None = None
    blocked_by: tuple[int, ...] = ()
    trashed: bool = False

    def fields(self) -> TaskFields:
        """Return the fields of the task to add; status and trash come after."""
        given = self.model_fields_set - {"status", "trashed"}
        return cast("TaskFields", {name: getattr(self, name) for name in given})


class Expectation(_Record):
    """Conditions on the tasks and the answer after a message; those left out are not checked."""

    tasks: tuple[_ExpectedTask, ...] = ()
    total: int | None = None
    trash: int | None = None
    done_count: int | None = None
    unchanged: bool = False
    answer_has: tuple[WordChoice, ...] = ()
    answer_lacks: tuple[WordChoice, ...] = ()
    lacks: tuple[str, ...] = ()
    may_change: tuple[str, ...] = ()
    confirm_or_done: int | None = None
    done_nth: Annotated[int, Field(ge=1)] | None = None
    any: tuple[Expectation, ...] = ()
    steps: tuple[Expectation, ...] = ()

    def alternatives(self) -> Sequence[Expectation]:
        """Return the expectations of which one must hold, with each option of `any` merged in."""
        if not self.any:
            return [self]
        return [self._merge(option) for each in self.any for option in each.alternatives()]

    def _merge(self, option: Expectation) -> Expectation:
        given = {name: getattr(option, name) for name in option.model_fields_set - {"any"}}
        for name in ("tasks", "answer_has", "answer_lacks", "lacks", "may_change"):
            given[name] = (*getattr(self, name), *getattr(option, name))
        return self.model_copy(update={**given, "any": ()})


class Scenario(_Record):
    """Tasks, messages of one conversation, and the expected outcome."""

    id: Annotated[str, Field(min_length=1)]
    now: _Now
    tasks: tuple[TaskSeed, ...] = ()
    views: dict[str, str] = {}
    selection: tuple[int, ...] = ()
    approves: bool = False
    say: Annotated[tuple[str, ...], Field(min_length=1)]
    expect: Expectation
    steps: tuple[Expectation, ...] = ()
    blind: bool = False

    def expectation_after(self, number: int) -> Expectation | None:
        """Return the expectation after the message of that index, besides the final one."""
        steps = self.steps or self.expect.steps
        return steps[number] if number < len(steps) else None

    @property
    def clock(self) -> Clock:
        """The clock of the scenario, which stands still."""
        return Clock(ZONE, self.now)


def read_shipped_scenarios() -> tuple[Scenario, ...]:
    """Return the scenarios that come with the package."""
    shipped = files("todo_tui.evaluation").joinpath("scenarios.json")
    return read_scenarios(shipped.read_text("utf-8"))


def read_scenarios(text: str) -> tuple[Scenario, ...]:
    """Read the text of a scenario file.

    Raises:
        ValidationError: It has another format; the message names the scenario and the field.
    """
    try:
        held = parse_json(text)
    except ValueError as error:
        raise ValidationError(f"Not valid JSON: {error}.", hint=_FORMAT_HINT) from error
    entries = held.get("scenarios") if isinstance(held, dict) else held
    seeds = held.get("seeds", {}) if isinstance(held, dict) else {}
    if not isinstance(entries, list) or not entries or not isinstance(seeds, dict):
        raise ValidationError("No scenarios found.", hint=_FORMAT_HINT)
    scenarios = tuple(_read_scenario(at, each, seeds) for at, each in enumerate(entries, start=1))
    ids: set[str] = set()
    for scenario in scenarios:
        if scenario.id in ids:
            raise ValidationError(f"Two scenarios have the id {scenario.id!r}.")
        ids.add(scenario.id)
    return scenarios


def _read_scenario(at: int, entry: JsonValue, seeds: dict[str, JsonValue]) -> Scenario:
    place = f"Scenario {at}"
    if not isinstance(entry, dict):
        raise ValidationError(f"{place} is not an object.", hint=_FORMAT_HINT)
    place += f" ({entry['id']})" if isinstance(entry.get("id"), str) else ""
    fields: dict[str, Any] = dict(entry)
    name = fields.pop("seed", None)
    if name is not None:
        seed = seeds.get(name) if isinstance(name, str) else None
        if not isinstance(seed, dict):
            raise ValidationError(f"{place}: there is no seed {name!r}.", hint=_FORMAT_HINT)
        fields = {**seed, **fields}
    try:
        return Scenario.model_validate(fields)
    except pydantic.ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
            for each in error.errors(include_url=False)[:_MAX_PROBLEMS]
        )
        raise ValidationError(f"{place}: {problems}.", hint=_FORMAT_HINT) from error


def write_database(scenario: Scenario, path: Path) -> None:
    """Write a database with the tasks and views of a scenario.

    Raises:
        ValidationError: The tasks cannot be stored as described.
    """
    try:
        data = _database(scenario.now, scenario.tasks, tuple(scenario.views.items()))
    except TodoError as error:
        raise ValidationError(f"The tasks cannot be stored. {error.message}") from error
    path.write_bytes(data)


@lru_cache(maxsize=16)
def _database(
    now: datetime, tasks: tuple[TaskSeed, ...], views: tuple[tuple[str, str], ...]
) -> bytes:
    """Return the file; many scenarios begin alike, and creating it takes longest."""
    with TemporaryDirectory(prefix="todo-tui-") as folder:
        path = Path(folder, "tasks.db")
        with open_store(path, user=USER, clock=Clock(ZONE, now)) as store:
            for each in tasks:
                _add_task(store, each)
            for name, text in views:
                store.views.save(name, text)
        return path.read_bytes()


def _add_task(store: Store, seed: TaskSeed) -> None:
    """Add one task, in batches of its own: an undo takes back no other."""
    task = store.tasks.add(seed.fields(), by=store.new_change_context(Actor.USER))
    context = store.new_change_context(Actor.USER)
    if seed.trashed:
        store.tasks.delete([task.id], by=context)
    elif seed.status is Status.DONE:
        store.tasks.complete([task.id], by=context)
    elif seed.status is not Status.TODO:
        store.tasks.update([task.id], {"status": seed.status}, by=context)


def open_database(scenario: Scenario, path: Path) -> Store:
    """Open a database that `write_database` wrote, at the time of the scenario."""
    return open_store(path, user=USER, clock=scenario.clock)
