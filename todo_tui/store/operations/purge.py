"""Purging: erases tasks and their text from tables, log and traces."""

import json
import re
from collections.abc import Callable, Sequence
from sqlite3 import Connection

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.task import JsonValue
from todo_tui.store.operations.oplog import OPS_OF_TASKS, OpKind
from todo_tui.store.rows import json_text, tasks_by_row
from todo_tui.store.tasks.hierarchy import with_deleted_subtasks
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

ERASED = "(erased)"
"""Replaces the text of a purged task in traces."""
_TEXT_FIELDS = ("title", "notes", "annotations", "extra")
"""Fields with the task's own text; projects and tags are shared with other tasks."""
_SHORT = 3
"""Shorter texts are erased only where they are a whole string."""
_QUOTED = 40
"""Characters of a line from which on it is erased if it is a part of a text."""


def purge_tasks(work: UnitOfWork, ids: Sequence[int]) -> tuple[TaskChange, ...]:
    """Erase tasks within the open transaction; return their last state, then changed referrers.

    Descendants that were deleted along with them are erased too.

    Raises:
        NotFound: names the first id that is unknown to the user.
    """
    records = with_deleted_subtasks(work, work.records(ids))
    last_states = tasks_by_row(work.database, [record.row for record in records])
    for record in records:
        _release(work, record)
    uuids = json.dumps([record.uuid for record in records])
    texts = _texts(work.database, uuids)
    for record in records:
        work.forget(record)
        work.log.append(record.uuid, OpKind.PURGE)
    others = work.finish(kind=None)
    work.database.execute(
        f"{OPS_OF_TASKS} UPDATE ops SET old = NULL, new = NULL WHERE seq IN (SELECT seq FROM own)",  # noqa: S608
        (uuids,),
    )
    # What agents proposed about them, or what became of that, has their text too.
    work.database.execute(
        f"{OPS_OF_TASKS} UPDATE proposals SET calls = '[]',"  # noqa: S608
        " state = CASE state WHEN 'waiting' THEN 'outdated' ELSE state END WHERE user = ?"
        " AND (batch IN (SELECT o.batch FROM own JOIN ops o ON o.seq = own.seq) OR EXISTS"
        "  (SELECT 1 FROM json_each(expected) e JOIN own ON own.task_uuid = e.key))",
        (uuids, work.user),
    )
    # Undo passes over batches without remaining tasks.
    work.database.execute(
        f"{OPS_OF_TASKS} DELETE FROM batches WHERE user = ? AND batch IN (SELECT o.batch"  # noqa: S608
        "  FROM own JOIN ops o ON o.seq = own.seq)"
        " AND NOT EXISTS (SELECT 1 FROM ops o JOIN tasks t ON t.uuid = o.task_uuid"
        "  WHERE o.seq BETWEEN batches.first_op AND batches.last_op"
        "  AND o.user = batches.user AND o.batch = batches.batch)",
        (uuids, work.user),
    )
    _erase_traces(work, texts)
    # The search index keeps deleted words until it is merged: 0.3 s for 100,000 passages.
    work.database.execute("INSERT INTO passage_words (passage_words) VALUES ('optimize')")
    purged = (
        TaskChange(ChangeKind.PURGED, last_states[record.row], work.context) for record in records
    )
    return (*purged, *others)


def _release(work: UnitOfWork, record: TaskRecord) -> None:
    """Remove references to the task from other tasks, as logged changes."""
    children = work.database.execute(
        "SELECT row FROM tasks WHERE user = ? AND parent = ?", (work.user, record.uuid)
    ).fetchall()
    for (row,) in children:
        work.change(work.by_row(row), {"parent": None})
    waiting = work.database.execute(
        "SELECT task FROM task_blockers WHERE blocker = ?", (record.row,)
    ).fetchall()
    for (row,) in waiting:
        work.remove_blockers(work.by_row(row), [record])


def _texts(database: Connection, uuids: str) -> set[str]:
    """Collect every text of the tasks from the log."""
    rows = database.execute(
        f"{OPS_OF_TASKS} SELECT old, new, field FROM own JOIN ops o ON o.seq = own.seq",  # noqa: S608
        (uuids,),
    )
    texts: set[str] = set()

    def collect(text: str) -> str:
        texts.add(text)
        return text

    for old, new, field in rows:
        if field not in _TEXT_FIELDS:
            continue
        for value in (old, new):
            if field in ("annotations", "extra"):
                _map_strings(json.loads(value or "null"), collect)
            elif value:
                texts.update((value, *value.splitlines()))
    return {text.strip() for text in texts if text.strip()}


def _map_strings(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    """Return a JSON value with each of its strings changed, but not the names in objects."""
    match value:
        case str():
            return change(value)
        case list():
            return [_map_strings(item, change) for item in value]
        case dict():
            return {name: _map_strings(item, change) for name, item in value.items()}
        case _:
            return value


def _erase_traces(work: UnitOfWork, texts: set[str]) -> None:
    """Erase the texts in tool calls, their copies in messages, and summaries.

    Words of the user or of a model stay until the conversation is deleted.
    """
    database = work.database
    for table, columns, more in _TRACES:
        names = ", ".join(f"x.{name}" for name in columns)
        rows = database.execute(
            f"SELECT x.seq, {names} FROM {table} x JOIN turns u ON u.id = x.turn_id"  # noqa: S608
            f" JOIN conversations c ON c.id = u.conversation_id WHERE c.user = ?{more}",
            (work.user,),
        ).fetchall()
        for seq, *held in rows:
            erased = [
                erase(text, texts) for erase, text in zip(columns.values(), held, strict=True)
            ]
            if erased != held:
                assigned = ", ".join(f"{name} = ?" for name in columns)
                database.execute(f"UPDATE {table} SET {assigned} WHERE seq = ?", (*erased, seq))  # noqa: S608


def _parts_without(parts: str, texts: set[str]) -> str:
    cleaned = json.loads(parts)
    for part in cleaned:
        for name in ("arguments", "content"):
            if isinstance(part.get(name), str):
                part[name] = _json_without(part[name], texts)
        if part.get("summary"):
            part["summary"] = _without(part["summary"], texts)
    return json_text(cleaned)


def _json_without(text: str, texts: set[str]) -> str:
    """Erase the texts in every string of a JSON text; text that is not JSON as a whole."""
    try:
        value = parse_json(text)
    except ValueError:
        return _without(text, texts)
    cleaned = _map_strings(value, lambda each: _without(each, texts))
    return text if cleaned == value else json_text(cleaned)


def _without(text: str, texts: set[str]) -> str:
    """Replace each of `texts` where it occurs as whole words, the longest first."""
    if text.strip() in texts:
        return ERASED
    for erased in sorted(texts, key=len, reverse=True):
        if len(erased) >= _SHORT and erased.casefold() in text.casefold():
            pattern = rf"(?<!\w){re.escape(erased)}(?!\w)"
            text = re.sub(pattern, ERASED, text, flags=re.IGNORECASE)
    # Of long notes a search quotes a part.
    return "\n".join(
        ERASED if len(line) >= _QUOTED and any(line.strip() in each for each in texts) else line
        for line in text.split("\n")
    )


_TRACES: tuple[tuple[str, dict[str, Callable[[str, set[str]], str]], str], ...] = (
    ("tool_calls", {"summary": _without, "arguments": _json_without, "result": _json_without}, ""),
    ("summaries", {"text": _without}, ""),
    ("messages", {"parts": _parts_without}, " AND x.parts LIKE '%\"tool_%'"),
)
"""Tables with copies of task texts, the function that erases them in each column, a condition."""
