"""Provenance of names: the titles, projects and tags that others wrote last, from the log."""

import json
from collections.abc import Iterable
from sqlite3 import Connection

from todo_tui.domain.task import OWN_ACTORS, Actor, Task
from todo_tui.store.operations.oplog import OPS_OF_TASKS

NAMES = ("title", "project", "tags")
"""Fields of a task whose text is shown with every task."""
# The inverse of an operation brings a text back; it is still the text of whoever wrote it.
_WRITTEN = (
    f"{OPS_OF_TASKS} SELECT o.task_uuid, o.field, o.new, o.actor,"  # noqa: S608 - constants
    " CASE o.actor WHEN 'mcp' THEN"
    " (SELECT agent FROM batches b WHERE b.user = o.user AND b.batch = o.batch) END"
    " FROM own JOIN ops o ON o.seq = own.seq"
    f" WHERE o.user = ? AND o.field IN {NAMES} AND o.kind IN ('set', 'add')"
    " AND o.undoes IS NULL ORDER BY o.seq"
)
_NAMED_BY_OTHERS = (
    "SELECT EXISTS (SELECT 1 FROM ops WHERE user = ? AND field IN ('project', 'tags')"  # noqa: S608
    f" AND actor NOT IN {tuple(sorted(each.value for each in OWN_ACTORS))})"
)
ForeignNames = dict[tuple[str, str, str], Actor]
"""Writer of a text, by uuid of the task, field and text."""


def foreign_names(
    database: Connection, user: str, uuids: Iterable[str], agent: str | None = None
) -> ForeignNames:
    """Return the names of these tasks, past ones too, that were written last by others.

    An `agent` is not another one to itself.
    """
    written = database.execute(_WRITTEN, (json.dumps(list(uuids)), user))
    last = {(uuid, field, text): (actor, by) for uuid, field, text, actor, by in written}
    return {
        name: Actor(actor)
        for name, (actor, by) in last.items()
        if actor not in OWN_ACTORS and (agent is None or by != agent)
    }


def fields_with_foreign_names(
    database: Connection, user: str, tasks: Iterable[Task], agent: str | None = None
) -> frozenset[str]:
    """Return those of `NAMES` in which one of the tasks has a text that others wrote.

    An `agent` is not another one to itself.
    """
    present = {
        (task.uuid, field, text)
        for task in tasks
        for field, texts in (
            ("title", (task.title,)),
            ("project", (task.project or "",)),
            ("tags", task.tags),
        )
        for text in texts
    }
    found = foreign_names(database, user, {uuid for uuid, _, _ in present}, agent)
    return frozenset(field for _, field, _ in present & found.keys())


def have_others_named(database: Connection, user: str) -> bool:
    """Return True if others ever wrote a project or tag."""
    return bool(database.execute(_NAMED_BY_OTHERS, (user,)).fetchone()[0])
