"""The conversations of one user: messages, turns, and the trace of each turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.clock import Clock, NewId
from todo_tui.domain.conversation import Message, TurnStatus
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.events import TraceStep, TurnError
from todo_tui.domain.text import plain_line, whole_characters
from todo_tui.domain.usage import Usage
from todo_tui.store.branch import read_history, recollect
from todo_tui.store.database import DatabaseFile
from todo_tui.store.message_json import context_text, parts_text
from todo_tui.store.processes import Process
from todo_tui.store.records import (
    Conversation,
    ModelCall,
    Recollection,
    StoredTurn,
    Summary,
    TurnRecord,
)
from todo_tui.store.rows import utc_text
from todo_tui.store.traces import insert_calls, insert_steps, insert_summary, read_calls
from todo_tui.store.transcript import read_turns

TITLE_LENGTH = 80
"""Characters of the first message that name a conversation until it is renamed."""

_COLUMNS = "id, title, created_at, updated_at"


def first_words(said: str) -> str:
    """What a conversation that begins with these words is called until it is renamed."""
    return " ".join(plain_line(whole_characters(said)).split())[:TITLE_LENGTH]


class ConversationStore:
    """The only owner of conversations; every query is bound to one user.

    Each write is one transaction; it raises StoreError where the file cannot be
    written, and NotFound for a conversation or turn of nobody or somebody else.
    """

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock, new_id: NewId) -> None:
        self._file = file
        self._user = user
        self._clock = clock
        self._new_id = new_id
        self._process = Process.current()

    def start(self) -> Conversation:
        """Begin an empty conversation."""
        conversation_id, now = self._new_id(), self._now()
        with self._file.writing() as database:
            database.execute(
                "INSERT INTO conversations (id, user, created_at, updated_at, newest_message)"
                " VALUES (?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM messages))",
                (conversation_id, self._user, now, now),
            )
        return _conversation((conversation_id, "", now, now))

    def latest(self) -> Conversation | None:
        """The one that was spoken in, or begun, last."""
        newest = self.list(limit=1)
        return newest[0] if newest else None

    def list(self, limit: int = 50) -> tuple[Conversation, ...]:
        """Conversations, the one spoken in, or begun, last first."""
        with self._file.reading() as database:
            rows = database.execute(
                f"SELECT {_COLUMNS} FROM conversations WHERE user = ?"  # noqa: S608 - our columns
                " ORDER BY newest_message DESC, rowid DESC LIMIT ?",
                (self._user, limit),
            ).fetchall()
        return tuple(_conversation(row) for row in rows)

    def get(self, conversation_id: str) -> Conversation:
        """The conversation of that id.

        Raises:
            NotFound: this user has none.
        """
        with self._file.reading() as database:
            return self._find(database, conversation_id)

    def rename(
        self, conversation_id: str, title: str, *, instead_of: str | None = None
    ) -> Conversation:
        """Give it another title; with `instead_of` only if it still has that one.

        Raises:
            NotFound: this user has no such conversation.
            ValidationError: the title is empty.
        """
        cleaned = plain_line(whole_characters(title)).strip()
        if not cleaned:
            raise ValidationError("A conversation needs a title.")
        with self._file.writing() as database:
            self._find(database, conversation_id)
            database.execute(
                "UPDATE conversations SET title = ? WHERE id = ? AND title = coalesce(?, title)",
                (cleaned, conversation_id, instead_of),
            )
            return self._find(database, conversation_id)

    def delete(self, conversation_id: str) -> None:
        """Erase it with all messages and traces; the tasks that came of it stay.

        So does what it has cost.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._file.writing() as database:
            self._find(database, conversation_id)
            # What was spent is not forgotten; what a server said of it is.
            database.execute(
                "UPDATE model_calls SET error = NULL WHERE turn_id IN"
                " (SELECT id FROM turns WHERE conversation_id = ?)",
                (conversation_id,),
            )
            database.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
        self._file.forget_erased_text()

    def open_turn(
        self, conversation_id: str, user_message: Message, *, provider: str, model: str
    ) -> StoredTurn:
        """Store what the person said and begin the turn, in one transaction.

        Raises:
            NotFound: this user has no such conversation.
        """
        turn_id, now = self._new_id(), self._now()
        with self._file.writing() as database:
            conversation = self._find(database, conversation_id)
            (head,) = database.execute(
                "SELECT head FROM conversations WHERE id = ?", (conversation_id,)
            ).fetchone()
            message_id = self._insert(database, turn_id, conversation_id, head, user_message)
            database.execute(
                "INSERT INTO turns (id, conversation_id, user_message_id, status, provider, model,"
                " owner_pid, owner_started, started_at) VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?)",
                (
                    turn_id, conversation_id, message_id, provider, model,
                    self._process.pid, self._process.started, now,
                ),
            )  # fmt: skip
            if not conversation.title:
                database.execute(
                    "UPDATE conversations SET title = ? WHERE id = ?",
                    (first_words(user_message.text), conversation_id),
                )
        return StoredTurn(turn_id, conversation_id, message_id, datetime.fromisoformat(now))

    def append(self, turn_id: str, message: Message) -> str:
        """Add a message of the assistant or of its tools to a turn; the message's id."""
        return self.append_round(turn_id, (message,))[0]

    def record_call(self, turn_id: str, call: ModelCall) -> None:
        """Add a model call to a turn's trace."""
        self.append_round(turn_id, (), calls=(call,))

    def record_step(self, turn_id: str, step: TraceStep) -> None:
        """Add a tool call to a turn's trace."""
        self.append_round(turn_id, (), steps=(step,))

    def append_round(
        self,
        turn_id: str,
        messages: Sequence[Message],
        *,
        calls: Sequence[ModelCall] = (),
        steps: Sequence[TraceStep] = (),
        summary: Summary | None = None,
    ) -> tuple[str, ...]:
        """Add what one round of a turn brought, in one transaction; the messages' ids.

        A `summary` stands for all that was said before the turn from now on.
        """
        with self._file.writing() as database:
            return self._append(database, turn_id, messages, calls, steps, summary)

    def close_turn(
        self,
        turn_id: str,
        status: TurnStatus,
        *,
        messages: Sequence[Message] = (),
        calls: Sequence[ModelCall] = (),
        steps: Sequence[TraceStep] = (),
        summary: Summary | None = None,
        error: TurnError | None = None,
        answered_by: tuple[str, str] | None = None,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        latency_ms: float | None = None,
        model_calls: int = 0,
    ) -> tuple[str, ...]:
        """End a turn with its last messages, partial ones too; their ids.

        `answered_by` is provider and model of who answered last, where that is not who
        was asked first.
        """
        spent = usage or Usage()
        failure = error or TurnError("", "")
        with self._file.writing() as database:
            ids = self._append(database, turn_id, messages, calls, steps, summary)
            database.execute(
                "UPDATE turns SET status = ?, ended_at = ?, error_kind = ?, error_message = ?,"
                " error_hint = ?, provider = coalesce(?, provider), model = coalesce(?, model),"
                " input_tokens = ?, cached_tokens = ?, cache_written_tokens = ?,"
                " output_tokens = ?, thinking_tokens = ?, cost_usd = ?, latency_ms = ?,"
                " model_calls = ? WHERE id = ?",
                (
                    status.value, self._now(), failure.kind or None,
                    whole_characters(failure.message) or None, failure.hint,
                    *(answered_by or (None, None)),
                    spent.input_tokens, spent.cached_tokens, spent.cache_written_tokens,
                    spent.output_tokens, spent.thinking_tokens, cost_usd, latency_ms,
                    model_calls, turn_id,
                ),
            )  # fmt: skip
        return ids

    def history(self, conversation_id: str, limit: int | None = 50) -> tuple[Message, ...]:
        """The active branch, oldest first, beginning with a user message.

        At most `limit` messages, or more where the newest turn alone is longer.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._file.reading() as database:
            self._find(database, conversation_id)
            return read_history(database, conversation_id, limit)

    def recollect(self, conversation_id: str, limit: int = 50) -> Recollection:
        """As `history`, less what a summary covers, with that summary and what lies between.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._file.reading() as database:
            self._find(database, conversation_id)
            return recollect(database, conversation_id, limit)

    def turns(
        self, conversation_id: str, limit: int = 20, before: str | None = None
    ) -> tuple[TurnRecord, ...]:
        """The newest turns, newest last; with `before`, those older than that turn.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._file.reading() as database:
            self._find(database, conversation_id)
            return read_turns(database, conversation_id, limit=limit, before=before)

    def calls(self, turn_id: str) -> tuple[ModelCall, ...]:
        """The model calls of a turn in the order made; none for a turn of somebody else."""
        with self._file.reading() as database:
            return read_calls(database, self._user, turn_id)

    def recover(self) -> int:
        """Mark running turns of dead processes as interrupted; how many there were."""
        with self._file.reading() as database:
            running = database.execute(
                "SELECT t.id, t.owner_pid, t.owner_started FROM turns t"
                " JOIN conversations c ON c.id = t.conversation_id"
                " WHERE t.status = 'running' AND c.user = ?",
                (self._user,),
            ).fetchall()
        dead = [turn for turn, pid, started in running if not Process(pid, started).is_alive()]
        if dead:
            with self._file.writing() as database:
                database.executemany(
                    "UPDATE turns SET status = 'interrupted', ended_at = ?"
                    " WHERE id = ? AND status = 'running'",
                    [(self._now(), turn) for turn in dead],
                )
        return len(dead)

    def _append(
        self,
        database: Connection,
        turn_id: str,
        messages: Sequence[Message],
        calls: Sequence[ModelCall],
        steps: Sequence[TraceStep],
        summary: Summary | None,
    ) -> tuple[str, ...]:
        conversation_id, parent = self._turn_end(database, turn_id)
        now = self._now()
        if summary is not None:
            insert_summary(database, self._new_id(), turn_id, now, summary)
        ids = []
        for message in messages:
            parent = self._insert(database, turn_id, conversation_id, parent, message)
            ids.append(parent)
        insert_calls(database, self._user, turn_id, now, calls)
        insert_steps(database, turn_id, now, steps)
        return tuple(ids)

    def _insert(
        self,
        database: Connection,
        turn_id: str,
        conversation_id: str,
        parent: str | None,
        message: Message,
    ) -> str:
        message_id, now = self._new_id(), self._now()
        cursor = database.execute(
            "INSERT INTO messages (id, conversation_id, turn_id, parent_id, depth, summary_id,"
            " role, parts, origin, context, created_at)"
            " SELECT ?, ?, ?, p.id, 1 + coalesce(p.depth, 0), p.summary_id, ?, ?, ?, ?, ?"
            " FROM (SELECT ? AS id) AS parent LEFT JOIN messages AS p ON p.id = parent.id",
            (
                message_id, conversation_id, turn_id, message.role.value,
                parts_text(message.parts), message.origin, context_text(message.context), now,
                parent,
            ),
        )  # fmt: skip
        database.execute(
            "UPDATE conversations SET head = ?, updated_at = ?, newest_message = ? WHERE id = ?",
            (message_id, now, cursor.lastrowid, conversation_id),
        )
        return message_id

    def _turn_end(self, database: Connection, turn_id: str) -> tuple[str, str]:
        """Conversation of a turn and its last message, to which the next one belongs."""
        row = database.execute(
            "SELECT m.conversation_id, m.id FROM messages m"
            " JOIN conversations c ON c.id = m.conversation_id"
            " WHERE m.turn_id = ? AND c.user = ? ORDER BY m.seq DESC LIMIT 1",
            (turn_id, self._user),
        ).fetchone()
        if row is None:
            raise NotFound("There is no such turn.")
        return row[0], row[1]

    def _find(self, database: Connection, conversation_id: str) -> Conversation:
        row = database.execute(
            f"SELECT {_COLUMNS} FROM conversations WHERE user = ? AND id = ?",  # noqa: S608
            (self._user, conversation_id),
        ).fetchone()
        if row is None:
            raise NotFound("There is no such conversation.")
        return _conversation(row)

    def _now(self) -> str:
        return utc_text(self._clock.utc())


def _conversation(row: tuple[str, str, str, str]) -> Conversation:
    conversation_id, title, created_at, updated_at = row
    return Conversation(
        conversation_id,
        title,
        datetime.fromisoformat(created_at),
        datetime.fromisoformat(updated_at),
    )
