"""Proposals: changes of agents that wait for a person."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.store.database import Repository
from todo_tui.store.operations.oplog import OPS_OF_TASKS
from todo_tui.store.rows import utc_text

MAX_WAITING = 100
"""Proposals that wait at the same time; more would be read by nobody."""
_SELECT = (
    "SELECT id, agent, created_at, calls, expected, state, decided_at, batch"
    " FROM proposals WHERE user = ?"
)
_LAST_OPS = (
    f"{OPS_OF_TASKS} SELECT o.task_uuid, max(o.seq) FROM own JOIN ops o ON o.seq = own.seq"  # noqa: S608
    " WHERE o.user = ? GROUP BY o.task_uuid"
)


class ProposalState(StrEnum):
    """What became of a proposal."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    DROPPED = "dropped"
    OUTDATED = "outdated"
    """The tasks changed before it was accepted."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that an agent proposed; instants are aware, UTC."""

    id: int
    agent: str
    created_at: datetime
    calls: tuple[tuple[str, Mapping[str, JsonValue]], ...]
    """Name and arguments of the tool calls that make the change."""
    expected: Mapping[str, int]
    """Position in the log of the last operation of each task that would change, by its uuid."""
    state: ProposalState = ProposalState.WAITING
    decided_at: datetime | None = None
    batch: str | None = None
    """Undo batch that made the change."""


class ProposalStore(Repository):
    """Proposals of one user. Methods raise NotFound for an unknown id."""

    def add(
        self,
        agent: str,
        calls: Sequence[tuple[str, Mapping[str, JsonValue]]],
        expected: Mapping[str, int],
    ) -> int:
        """Store a proposal and return its id; an equal one that waits is not stored twice.

        Raises:
            Conflict: Too many wait.
        """
        texts = (
            repair_surrogates(json.dumps([{"name": n, "arguments": dict(a)} for n, a in calls])),
            json.dumps(dict(sorted(expected.items()))),
        )
        with self._db.file.writing() as database:
            present = database.execute(
                "SELECT id FROM proposals WHERE user = ? AND state = 'waiting'"
                " AND agent = ? AND calls = ? AND expected = ?",
                (self._db.user, agent, *texts),
            ).fetchone()
            if present is not None:
                return int(present[0])
            (waiting,) = database.execute(
                "SELECT count(*) FROM proposals WHERE user = ? AND state = 'waiting'",
                (self._db.user,),
            ).fetchone()
            if waiting >= MAX_WAITING:
                raise Conflict(
                    f"{waiting} proposals wait already; nothing was proposed.",
                    hint="The user decides them in the app or with `todo-tui proposals`.",
                )
            row = database.execute(
                "INSERT INTO proposals (user, agent, created_at, calls, expected)"
                " VALUES (?, ?, ?, ?, ?) RETURNING id",
                (self._db.user, agent, utc_text(self._db.clock.utc()), *texts),
            ).fetchone()
            return int(row[0])

    def get(self, number: int) -> Proposal:
        """Return the proposal of that id."""
        for row in self._db.rows(f"{_SELECT} AND id = ?", self._db.user, number):
            return _proposal(*row)
        raise NotFound(f"There is no proposal {number}.", hint="`todo-tui proposals` lists them.")

    def waiting(self) -> tuple[Proposal, ...]:
        """Return the proposals that wait, oldest first."""
        rows = self._db.rows(f"{_SELECT} AND state = 'waiting' ORDER BY id", self._db.user)
        return tuple(_proposal(*row) for row in rows)

    def decide(self, number: int, state: ProposalState, batch: str | None = None) -> None:
        """Store what became of a proposal.

        Raises:
            Conflict: It does not wait any more.
        """
        at = utc_text(self._db.clock.utc())
        with self._db.file.writing() as database:
            changed = database.execute(
                "UPDATE proposals SET state = ?, decided_at = ?, batch = ?"
                " WHERE user = ? AND id = ? AND state = 'waiting'",
                (state.value, at, batch, self._db.user, number),
            )
            is_waiting = changed.rowcount == 1
        if not is_waiting:
            raise Conflict(f"Proposal {number} is {self.get(number).state} already.")

    def last_operations(self, uuids: Sequence[str]) -> dict[str, int]:
        """Return the position in the log of the last operation of each task, by its uuid."""
        return dict(self._db.rows(_LAST_OPS, json.dumps(list(uuids)), self._db.user))


def _proposal(
    number: int,
    agent: str,
    created_at: str,
    calls: str,
    expected: str,
    state: str,
    decided_at: str | None,
    batch: str | None,
) -> Proposal:
    return Proposal(
        number,
        agent,
        datetime.fromisoformat(created_at),
        tuple((call["name"], call["arguments"]) for call in json.loads(calls)),
        json.loads(expected),
        ProposalState(state),
        datetime.fromisoformat(decided_at) if decided_at else None,
        batch,
    )
