"""Tool calls to make, their results, and the tasks in them and in the index."""

import json
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.estimates import parse_estimate
from todo_tui.domain.messages import ToolResult
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import JsonValue
from todo_tui.domain.task_index import IndexedTask
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.providers.offline.language.change_phrases import Dates

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to run; `ordered`: the person's own words ask for exactly this call."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    ordered: bool = False

    def text(self) -> str:
        """The arguments as JSON text."""
        return json.dumps(dict(self.arguments), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as tool results show it; `due_words` and `repeat_words` are ready to be said."""

    id: int
    title: str
    status: str = "todo"
    due: When | None = None
    due_words: str = ""
    overdue: str = ""
    """`2 days late`, of an open task whose moment has passed."""
    priority: str = ""
    project: str = ""
    tags: tuple[str, ...] = ()
    start: When | None = None
    notes: str = ""
    repeat_words: str = ""
    next_dates: tuple[When, ...] = ()
    in_trash: bool = False
    parent: int = 0
    blocked_by: tuple[int, ...] = ()
    blocked: bool = False
    progress: str = ""
    """`1 of 3 done`, of a task with subtasks."""
    remarks: tuple[str, ...] = ()
    estimate: int | None = None
    """Minutes."""
    urgency: float = 0.0
    """Score, of a task listed by urgency."""
    moves: int = 0
    """How often its due date was moved later."""
    done_on: str = ""
    """The day on which it was done, in ISO form."""

    @property
    def below(self) -> int:
        """How many subtasks it has, at any depth."""
        found = re.fullmatch(r"[\d,]+ of ([\d,]+) done", self.progress)
        return int(found[1].replace(",", "")) if found else 0

    @property
    def is_open(self) -> bool:
        """Return True if there is still something to do."""
        return self.status in ("todo", "doing") and not self.in_trash


class Listing(NamedTuple):
    """The first of the tasks that a filter finds, and the number of all; or its error."""

    tasks: tuple[ShownTask, ...] = ()
    total: int = 0
    error: str = ""

    @property
    def is_whole(self) -> bool:
        """True where all tasks found are told."""
        return len(self.tasks) == self.total


def shown_task(indexed: IndexedTask, dates: Dates) -> ShownTask:
    """Return a task of the index as tool results show it."""
    task, zone = indexed.task, dates.style.zone
    due = task.due_in(zone)
    done = task.completed_at.astimezone(ZoneInfo(zone)) if task.completed_at else None
    rule = Recurrence(task.recurrence, task.repeat_from) if task.recurrence else None
    return ShownTask(
        id=task.id,
        title=plain_line(task.title) or "(no title)",
        status=task.status.value,
        due=due,
        due_words=format_when(due, dates.now) if due else "",
        overdue=format_due(due, dates.now) if due and task.is_overdue(dates.now, zone) else "",
        priority=task.priority.value if task.priority else "",
        project=plain_line(task.project or ""),
        tags=tuple(map(plain_line, task.tags)),
        repeat_words=describe_recurrence(rule) if rule else "",
        in_trash=task.deleted_at is not None,
        parent=task.parent or 0,
        start=task.start,
        blocked_by=task.blocked_by,
        blocked=indexed.blocked,
        progress=f"{indexed.subtasks_done} of {indexed.subtasks} done" if indexed.subtasks else "",
        done_on=done.date().isoformat() if done else "",
        estimate=task.estimate,
    )


@dataclass(frozen=True, slots=True)
class Item:
    """How one of several ids fared; `next` is the occurrence that followed a completed one."""

    task: ShownTask | None = None
    next: ShownTask | None = None
    remark: str = ""
    """How the tool read words that can be read in two ways."""
    next_occurrence: str = ""
    """What became of the next occurrence of a reopened task: `next occurrence removed`."""
    is_restored: bool = False
    """True if it was open when it was deleted, and is out of the trash again."""
    before: ShownTask | None = None
    """The task before the change; None where that was not told."""
    is_unchanged: bool = False


class Reversal(NamedTuple):
    """What undo or redo did to a task: the kind of change, the task now, its state before."""

    kind: str
    task: ShownTask
    was: str
    """Empty if that did not change."""


@dataclass(frozen=True)
class Outcome:
    """What a tool answered; `error` is its sentence, empty where it succeeded."""

    name: str
    data: Mapping[str, JsonValue]
    error: str = ""
    summary: str = ""
    """What the user sees of a call that failed."""

    @property
    def shows_error(self) -> bool:
        """True if the user sees all of the error, or there is none."""
        return plain_line(self.error) == self.summary

    @property
    def items(self) -> tuple[Item, ...]:
        """The results item by item."""
        return tuple(_item(each) for each in _objects(self.data.get("results")))

    @cached_property
    def tasks(self) -> tuple[ShownTask, ...]:
        """Every task in it that stands: listed, made or changed, in order."""
        found = [_seen(each) for each in _objects(self.data.get("tasks"))]
        found += [item.task for item in self.items if item.task]
        if (single := self.data.get("task")) and isinstance(single, dict):
            found.append(_seen(single))
        return (*found, *(each.task for each in self.changes))

    @property
    def reasons(self) -> str:
        """Why the first task is urgent, where that was asked for: `due today, high priority`."""
        tasks = _objects(self.data.get("tasks"))
        return _text(tasks[0], "urgency").partition(": ")[2] if tasks else ""

    @property
    def changes(self) -> tuple[Reversal, ...]:
        """What undo or redo did."""
        return tuple(
            Reversal(_text(each, "change"), _seen(task), _text(each, "was"))
            for each in _objects(self.data.get("changes"))
            if isinstance(task := each.get("task"), dict)
        )

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Titles of tasks that undo or redo left alone."""
        return tuple(_text(each, "title") for each in _objects(self.data.get("conflicts")))

    @property
    def open_subtasks(self) -> tuple[ShownTask, ...]:
        """What is open below a task that was to be completed; then nothing was done."""
        return tuple(
            ShownTask(_number(each, "id"), _text(each, "title"))
            for each in _objects(self.data.get("open_subtasks"))
        )

    @property
    def along(self) -> int:
        """How many subtasks went along with the tasks that were named."""
        names = ("also_deleted_total", "also_completed_total", "also_restored_total")
        return sum(_number(self.data, name) for name in names)

    @property
    def succeeded(self) -> int:
        """How many tasks were changed, where a filter chose them."""
        return _number(self.data, "succeeded")

    @property
    def total(self) -> int:
        """Number of tasks found, those included that are not told."""
        return _number(self.data, "total") or len(self.tasks)

    @property
    def groups(self) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
        """Headings with how many tasks are under each, and which of them are told."""
        return tuple(
            (_text(each, "group"), _number(each, "total"), _numbers(each.get("ids")))
            for each in _objects(self.data.get("groups"))
        )


CallRounds = Generator[tuple[Call, ...], tuple[Outcome, ...], T]
"""Work in rounds: yields the calls of a round, is sent their outcomes, returns a value."""


def outcome_of(result: ToolResult) -> Outcome:
    """Read what a tool answered; what cannot be read is an error, never a guess."""
    try:
        answer: JsonValue = json.loads(result.content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        return Outcome(result.name, {}, "The tool result is unreadable.", result.summary)
    data = answer.get("data")
    error = answer.get("error")
    message = _text(error, "message") if isinstance(error, dict) else ""
    if answer.get("status") != "success" and not message:
        message = "The tool failed."
    return Outcome(result.name, data if isinstance(data, dict) else {}, message, result.summary)


def _item(data: Mapping[str, JsonValue]) -> Item:
    task, following, old = data.get("task"), data.get("next"), data.get("before")
    before = _seen({**task, **old}) if isinstance(task, dict) and isinstance(old, dict) else None
    return Item(
        before=before,
        is_unchanged=old == {},
        task=_seen(task) if isinstance(task, dict) else _bare(data),
        next=_seen(following) if isinstance(following, dict) else None,
        remark=_text(data, "understood"),
        next_occurrence=_text(data, "next_occurrence"),
        is_restored=data.get("restored") is True,
    )


def _bare(data: Mapping[str, JsonValue]) -> ShownTask | None:
    """A task of which only id and title were told."""
    title = _text(data, "title")
    return ShownTask(_number(data, "id"), title) if title else None


def _seen(data: Mapping[str, JsonValue]) -> ShownTask:
    return ShownTask(
        id=_number(data, "id"),
        title=_text(data, "title") or "(no title)",
        status=_text(data, "status") or "todo",
        due=_when(data.get("local_due") or data.get("due")),
        due_words=_text(data, "due_words"),
        overdue=_text(data, "overdue"),
        priority=_text(data, "priority"),
        project=_text(data, "project"),
        tags=_texts(data.get("tags")),
        start=_when(data.get("start")),
        notes=str(data.get("notes") or ""),
        repeat_words=_text(data, "repeat_words"),
        next_dates=tuple(filter(None, map(_when, _texts(data.get("next_dates"))))),
        in_trash=data.get("in_trash") is True,
        parent=_number(data, "parent"),
        blocked_by=_numbers(data.get("blocked_by")),
        blocked=data.get("blocked") is True,
        progress=_text(data, "subtasks"),
        remarks=_texts(data.get("annotations")),
        estimate=parse_estimate(_text(data, "estimate").replace(" h ", "h")),
        urgency=_points(data),
        moves=_number(data, "moved"),
        done_on=_text(data, "done"),
    )


def _points(data: Mapping[str, JsonValue]) -> float:
    """Return the score of `10.5: due today`."""
    try:
        return float(_text(data, "urgency").partition(":")[0])
    except ValueError:
        return 0.0


def _when(value: JsonValue | None) -> When | None:
    try:
        return When.parse(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _objects(value: JsonValue | None) -> list[dict[str, JsonValue]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(data: Mapping[str, JsonValue], name: str) -> str:
    value = data.get(name)
    return plain_line(value) if isinstance(value, str) else ""


def _texts(value: JsonValue | None) -> tuple[str, ...]:
    return tuple(plain_line(str(each)) for each in value) if isinstance(value, list) else ()


def _numbers(value: JsonValue | None) -> tuple[int, ...]:
    return tuple(each for each in value if isinstance(each, int)) if isinstance(value, list) else ()


def _number(data: Mapping[str, JsonValue], name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0
