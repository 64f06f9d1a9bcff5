"""Record of what was done or offered, kept with an answer so that later messages can go on from it.

The record of a request has its verb, its slots and its tasks, and no words of the message.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline.requests import (
    Add,
    Change,
    FoundTasks,
    NewTask,
    TaskRequest,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask


def to_json(ready: Iterable[TaskRequest], shown: Callable[[str], str]) -> list[JsonValue]:
    """Return additions and changes as JSON; `shown` opens the quotations of the message."""
    records: list[JsonValue] = []
    for each in ready:
        tasks = each.found.tasks if each.found else ()
        record: dict[str, JsonValue] = {"tasks": pairs(tasks)}
        match each.request:
            case Add(new):
                record["add"] = [
                    [task.title, task.details, task.notes, [list(row) for row in task.subtasks]]
                    for task in new
                ]
            case Change() as change:
                record |= {
                    "verb": change.verb.value,
                    "details": change.details,
                    "title": shown(change.title),
                    "notes": None if change.notes is None else shown(change.notes),
                    "others": pairs(each.other.tasks if each.other else ()),
                    "filter": each.found.filter if each.found else "",
                }
            case _:
                continue
        records.append(record)
    return records


def from_json(value: JsonValue | None) -> tuple[TaskRequest, ...]:
    """Return the requests of a record; what cannot be read is left out."""
    records = value if isinstance(value, list) else []
    read = (_request(each) for each in records if isinstance(each, Mapping))
    return tuple(each for each in read if each is not None)


def _request(record: Mapping[str, JsonValue]) -> TaskRequest | None:
    tasks = tasks_of(record.get("tasks"))
    if isinstance(new := record.get("add"), list):
        rows = [each for each in new if isinstance(each, list) and len(each) in (3, 4)]
        added = tuple(_new_task(*row) for row in rows)
        return TaskRequest(Add(added, is_explicit=True), FoundTasks(tasks) if tasks else None)
    verb, notes = record.get("verb"), record.get("notes")
    if verb not in list(Verb):
        return None
    change = Change(
        Verb(verb),
        "it",
        str(record.get("details") or ""),
        title=str(record.get("title") or ""),
        notes=notes if isinstance(notes, str) else None,
    )
    others = tasks_of(record.get("others"))
    found = FoundTasks(tasks, filter=str(record.get("filter") or ""))
    return TaskRequest(change, found, FoundTasks(others) if others else None)


def _new_task(
    title: JsonValue, details: JsonValue, notes: JsonValue, subtasks: JsonValue = None
) -> NewTask:
    rows = subtasks if isinstance(subtasks, list) else []
    below = tuple(
        (str(row[0]), str(row[1])) for row in rows if isinstance(row, list) and len(row) == 2
    )
    return NewTask(str(title), str(details or ""), str(notes or ""), subtasks=below)


def pairs(tasks: Iterable[ShownTask]) -> list[JsonValue]:
    """Return tasks as pairs of id and title."""
    return [[task.id, task.title] for task in tasks]


def tasks_of(value: JsonValue | None) -> tuple[ShownTask, ...]:
    """Return the tasks of such pairs."""
    rows: Sequence[JsonValue] = value if isinstance(value, list) else []
    return tuple(
        ShownTask(row[0], str(row[1]))
        for row in rows
        if isinstance(row, list) and len(row) == 2 and isinstance(row[0], int)
    )
