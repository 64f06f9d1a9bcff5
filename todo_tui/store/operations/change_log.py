"""Change log: all undo batches of a user, newest first; who changed what, and what is undone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from todo_tui.domain.changes import CHANGE_WORDS, ChangeKind, name_fields
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.task import Actor, JsonValue
from todo_tui.domain.text import format_count, listed_count, plain_line, shorten
from todo_tui.store.database import Repository, SqlValue
from todo_tui.store.operations.undo import VERBS, undone_batches
from todo_tui.store.rows import utc_text

_CHANGED = CHANGE_WORDS[ChangeKind.UPDATED].done.capitalize()
"""The verb that does not say what was changed."""
_NAMED = 3
"""Tasks that a summary names."""
_OPS_READ = 200
"""Operations of a batch among which tasks to name are looked for; an import has many."""
_LONGEST_TITLE = 100
_SHORTEST_BATCH = 4
"""Characters of an id that name a batch."""
_ACTORS: Mapping[str, Sequence[Actor]] = {
    **{actor.value: (actor,) for actor in Actor},
    **dict.fromkeys(("you", "me"), (Actor.USER, Actor.CLI)),
    **dict.fromkeys(("app",), (Actor.USER,)),
    "shell": (Actor.CLI,),
    "agents": (Actor.MCP,),
}
"""Words for actors; any other is the beginning of the name of an agent or a model."""
_ENTRIES = """
SELECT b.batch, b.kind, b.target, b.agent, b.first_op, b.last_op, o.at, o.actor, t.model
    FROM batches b JOIN ops o ON o.seq = b.first_op LEFT JOIN turns t ON t.id = o.turn_id
    WHERE b.user = ? {} ORDER BY b.last_op DESC LIMIT ?
"""
# The plus sign keeps the planner from searching among all tasks of the user.
_TASKS = f"""
SELECT t.id, t.title, {VERBS}, group_concat(DISTINCT o.field) FROM (
    SELECT * FROM ops WHERE seq BETWEEN ? AND ? AND batch = ? ORDER BY seq LIMIT {_OPS_READ}
) o JOIN tasks t ON t.uuid = o.task_uuid WHERE +t.user = ? GROUP BY t.id ORDER BY min(o.seq) LIMIT ?
"""  # noqa: S608 - constants
_COUNT = "SELECT count(DISTINCT task_uuid) FROM ops WHERE seq BETWEEN ? AND ? AND batch = ?"


@dataclass(frozen=True, slots=True)
class ChangeLogEntry:
    """One undo batch; `at` is aware, UTC."""

    batch: str
    at: datetime
    actor: Actor
    kind: str
    """`do`, `undo` or `redo`."""
    agent: str | None
    """Name of the MCP client that wrote it."""
    model: str | None
    """Model of the assistant's turn."""
    target: str | None
    """Batch that it inverts."""
    is_undone: bool
    tasks: tuple[tuple[int, str, str, tuple[str, ...]], ...]
    """(id, title, verb, fields) of its first tasks: (3, "Buy milk", "Changed", ("due",))."""
    count: int
    """Number of its tasks."""

    @property
    def who(self) -> str:
        """Who made it: `you`, `shell`, `assistant (gpt-oss-120b)`, `claude-code`, `sync`."""
        match self.actor:
            case Actor.MCP if self.agent:
                return plain_line(self.agent)
            case Actor.ASSISTANT if self.model:
                return f"assistant ({plain_line(self.model)})"
            case _:
                return self.actor.label

    @property
    def summary(self) -> str:
        """What it changed, in one plain line: `Added Buy milk · Changed due date of Call mom`."""
        named: dict[str, list[str]] = {}
        for _, title, verb, fields in self.tasks:
            if verb == _CHANGED:
                verb = _changed(fields)
            named.setdefault(verb, []).append(shorten(plain_line(title), _LONGEST_TITLE))
        text = " · ".join(f"{verb} {', '.join(titles)}" for verb, titles in named.items())
        if (more := self.count - len(self.tasks)) > 0:
            text += f" and {format_count(more, 'more task')}"
        name = "Redo" if self.kind == "redo" else "Undo" if self.target else ""
        return f"{name}: {text}" if name else text or "Erased tasks"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the JSON form."""
        return {
            "batch": self.batch,
            "at": utc_text(self.at),
            "actor": self.actor.value,
            "agent": self.agent,
            "model": self.model,
            "kind": self.kind,
            "target": self.target,
            "undone": self.is_undone,
            "tasks": [
                {"id": id, "title": title, "change": verb} for id, title, verb, _ in self.tasks
            ],
            "total": self.count,
        }


def _changed(fields: Sequence[str]) -> str:
    """Return `Changed due date and tags of`."""
    words = name_fields(filter(None, fields))
    return f"{_CHANGED} {words} of" if words else _CHANGED


class ChangeLog(Repository):
    """Undo batches of one user."""

    def entries(
        self,
        *,
        actor: str = "",
        since: datetime | None = None,
        batch: str = "",
        limit: int | None = None,
    ) -> tuple[ChangeLogEntry, ...]:
        """Return the batches, newest first.

        `actor` is one of the actors, `you`, `shell`, or the beginning of the name of an agent or
        a model; `since` is aware; `batch` the beginning of an id.
        """
        conditions: list[str] = []
        values: list[SqlValue] = []
        word = actor.strip().casefold()
        if word in _ACTORS:
            wanted = _ACTORS[word]
            conditions.append(f"o.actor IN ({', '.join('?' * len(wanted))})")
            values += [each.value for each in wanted]
        elif word:
            conditions.append(
                "(substr(lower(b.agent), 1, ?) = ? OR substr(lower(t.model), 1, ?) = ?)"
            )
            values += [len(word), word] * 2
        if since is not None:
            conditions.append("o.at >= ?")
            values.append(utc_text(since))
        if batch:
            conditions.append("substr(b.batch, 1, ?) = ?")
            values += [len(batch), batch]
        query = _ENTRIES.format("".join(f" AND {each}" for each in conditions))
        with self._db.file.reading() as database:
            most = -1 if limit is None else limit
            rows = database.execute(query, (self._db.user, *values, most)).fetchall()
            undone = undone_batches(database, self._db.user, [row[0] for row in rows])
            return tuple(self._entry(database, row, undone) for row in rows)

    def _entry(
        self, database: Connection, row: tuple[Any, ...], undone: set[str]
    ) -> ChangeLogEntry:
        batch, kind, target, agent, first, last, at, actor, model = row
        place = (first, last, batch)
        (count,) = database.execute(_COUNT, place).fetchone()
        named = listed_count(count, _NAMED)
        tasks = [
            (task_id, title, verb, tuple((fields or "").split(",")))
            for task_id, title, verb, fields in database.execute(
                _TASKS, (*place, self._db.user, named)
            )
        ]
        return ChangeLogEntry(
            batch, datetime.fromisoformat(at), Actor(actor), kind, agent, model, target,
            batch in undone, tuple(tasks), count,
        )  # fmt: skip

    def find(self, batch: str) -> ChangeLogEntry:
        """Return the batch whose id begins so.

        Raises:
            NotFound: There is none.
            Conflict: There are several.
        """
        found = self.entries(batch=batch, limit=2) if len(batch) >= _SHORTEST_BATCH else ()
        if not found:
            raise NotFound(f"There is no change {batch[:40]!r}.", hint="`todo-tui log` lists them.")
        if len(found) > 1:
            raise Conflict(f"Several changes begin with {batch}.", hint="Type more of the id.")
        return found[0]
