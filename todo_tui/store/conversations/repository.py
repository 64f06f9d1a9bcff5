"""ConversationStore: conversations, their messages, and the history sent to a model."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from sqlite3 import Connection

from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.events import StepStatus, TraceStep, TurnError
from todo_tui.domain.messages import Message, Role, TurnStatus, Usage
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.store.conversations.records import (
    Conversation,
    ModelCall,
    ModelHistory,
    Process,
    StoredTurn,
    Summary,
    TurnRecord,
    TurnRows,
    message_from_json,
    read_calls,
)
from todo_tui.store.database import UserDatabase
from todo_tui.store.rows import utc_text

# Newest first and lazily: a sort outside of the recursion would first read the whole
# conversation.
_BRANCH = """
WITH RECURSIVE branch (depth, parent_id, role, parts, origin, context) AS (
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM conversations c JOIN messages m ON m.id = c.head WHERE c.id = ?
    UNION ALL
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM branch b JOIN messages m ON m.id = b.parent_id
    ORDER BY 1 DESC
) SELECT role, parts, origin, context FROM branch
"""
_HEAD = """
SELECT m.depth, s.depth, s.text, s.origin
FROM conversations c
JOIN messages m ON m.id = c.head
LEFT JOIN summaries s ON s.id = m.summary_id
WHERE c.id = ?
"""
TITLE_LENGTH = 80
"""Characters of the first message that are the default title."""
_COLUMNS = "id, title, created_at, updated_at"


def read_branch(
    database: Connection, conversation_id: str, limit: int | None
) -> tuple[Message, ...]:
    """Read the active branch, oldest first, starting with a user message.

    At most `limit` messages, or more if the newest turn alone is longer.
    """
    return _within(_newest_first(database, conversation_id), limit)


def read_model_history(database: Connection, conversation_id: str, limit: int) -> ModelHistory:
    """Read the messages that no summary covers, and the summary of the others."""
    head = database.execute(_HEAD, (conversation_id,)).fetchone()
    if head is None:
        return ModelHistory(())
    depth, covered, text, origin = head
    summary = None if covered is None else Summary(text, origin)
    uncovered = depth - (covered or 0)
    newest_first = islice(_newest_first(database, conversation_id), uncovered)
    messages = _within(newest_first, limit)
    return ModelHistory(messages, uncovered - len(messages), summary)


def _newest_first(database: Connection, conversation_id: str) -> Iterator[Message]:
    rows = database.execute(_BRANCH, (conversation_id,))
    return (message_from_json(*row) for row in rows)


def _within(messages: Iterator[Message], limit: int | None) -> tuple[Message, ...]:
    """Keep the newest messages within the limit, starting with a user message; oldest first."""
    newest_first: list[Message] = []
    opened = False
    for message in messages:
        newest_first.append(message)
        opened = opened or message.role is Role.USER
        if limit is not None and opened and len(newest_first) >= limit:
            break
    users = [at for at, message in enumerate(newest_first) if message.role is Role.USER]
    within = [at for at in users if limit is None or at < limit] or users[:1]
    if not within:
        return ()
    return tuple(reversed(newest_first[: within[-1] + 1]))


def read_turns(
    database: Connection, conversation_id: str, *, limit: int, before: str | None
) -> tuple[TurnRecord, ...]:
    """Read the newest turns before `before`, newest last."""
    rows = database.execute(
        "SELECT id, status, error_kind, error_message, error_hint, provider, model,"
        " input_tokens, cached_tokens, output_tokens, thinking_tokens, cache_written_tokens,"
        " cost_usd, latency_ms, model_calls, started_at, ended_at FROM turns"
        " WHERE conversation_id = ? AND (? IS NULL OR seq < (SELECT seq FROM turns WHERE id = ?))"
        " ORDER BY seq DESC LIMIT ?",
        (conversation_id, before, before, limit),
    ).fetchall()
    ids = json.dumps([row[0] for row in rows])
    texts = _texts(database, ids)
    steps = _steps(database, ids)
    batches = _batches(database, ids)
    return tuple(
        TurnRecord(
            id=turn_id,
            conversation_id=conversation_id,
            user_text="".join(texts[turn_id, Role.USER]),
            answer="\n\n".join(texts[turn_id, Role.ASSISTANT]),
            steps=tuple(steps[turn_id]),
            status=TurnStatus(status),
            error=TurnError(kind or "", message or "", hint) if kind or message else None,
            provider=provider,
            model=model,
            usage=Usage(*tokens),
            cost_usd=cost,
            latency_ms=latency,
            model_calls=calls,
            started_at=datetime.fromisoformat(started_at),
            ended_at=datetime.fromisoformat(ended_at) if ended_at else None,
            batches=tuple(batches[turn_id]),
        )
        for (
            turn_id, status, kind, message, hint, provider, model, *tokens,
            cost, latency, calls, started_at, ended_at,
        ) in reversed(rows)
    )  # fmt: skip


def _texts(database: Connection, ids: str) -> dict[tuple[str, Role], list[str]]:
    """Read the texts of each turn and role, without empty messages."""
    texts: dict[tuple[str, Role], list[str]] = defaultdict(list)
    rows = database.execute(
        "SELECT turn_id, role, parts, origin, context FROM messages"
        " WHERE turn_id IN (SELECT value FROM json_each(?)) AND role <> 'tool' ORDER BY seq",
        (ids,),
    )
    for turn_id, *columns in rows:
        message = message_from_json(*columns)
        if message.text:
            texts[turn_id, message.role].append(message.text)
    return texts


def _steps(database: Connection, ids: str) -> dict[str, list[TraceStep]]:
    steps: dict[str, list[TraceStep]] = defaultdict(list)
    rows = database.execute(
        "SELECT turn_id, call_id, name, summary, arguments, result, status, milliseconds"
        " FROM tool_calls WHERE turn_id IN (SELECT value FROM json_each(?)) ORDER BY seq",
        (ids,),
    )
    for turn_id, call_id, name, summary, arguments, result, status, milliseconds in rows:
        steps[turn_id].append(
            TraceStep(call_id, name, summary, arguments, result, StepStatus(status), milliseconds)
        )
    return steps


def _batches(database: Connection, ids: str) -> dict[str, list[str]]:
    batches: dict[str, list[str]] = defaultdict(list)
    rows = database.execute(
        "SELECT turn_id, batch FROM ops WHERE turn_id IN (SELECT value FROM json_each(?))"
        " GROUP BY turn_id, batch ORDER BY min(seq)",
        (ids,),
    )
    for turn_id, batch in rows:
        batches[turn_id].append(batch)
    return batches


def default_title(text: str) -> str:
    """Derive the title of a conversation from its first message."""
    return " ".join(plain_line(repair_surrogates(text)).split())[:TITLE_LENGTH]


class ConversationStore:
    """Reads and writes of a user's conversations; every query is bound to one user.

    Each write is one transaction. It raises StoreError if the file cannot be written, and
    NotFound for an unknown conversation or turn, or one of another user.
    """

    def __init__(self, db: UserDatabase) -> None:
        self._db = db
        self._process = Process.current()

    def start(self) -> Conversation:
        """Create an empty conversation."""
        conversation_id, now = self._db.new_id(), self._now()
        with self._db.file.writing() as database:
            database.execute(
                "INSERT INTO conversations (id, user, created_at, updated_at, newest_message)"
                " VALUES (?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM messages))",
                (conversation_id, self._db.user, now, now),
            )
        return _conversation((conversation_id, "", now, now))

    def latest(self) -> Conversation | None:
        """Return the conversation with the newest message, or the newest one."""
        newest = self.list(limit=1)
        return newest[0] if newest else None

    def list(self, limit: int = 50) -> tuple[Conversation, ...]:
        """Return conversations by newest message or creation, newest first."""
        with self._db.file.reading() as database:
            rows = database.execute(
                f"SELECT {_COLUMNS} FROM conversations WHERE user = ?"  # noqa: S608 - our columns
                " ORDER BY newest_message DESC, rowid DESC LIMIT ?",
                (self._db.user, limit),
            ).fetchall()
        return tuple(_conversation(row) for row in rows)

    def get(self, conversation_id: str) -> Conversation:
        """Return the conversation of that id.

        Raises:
            NotFound: this user has none.
        """
        with self._db.file.reading() as database:
            return self._find(database, conversation_id)

    def rename(
        self, conversation_id: str, title: str, *, instead_of: str | None = None
    ) -> Conversation:
        """Set the title; with `instead_of` only if it still has that title.

        Raises:
            NotFound: this user has no such conversation.
            ValidationError: the title is empty.
        """
        cleaned = plain_line(repair_surrogates(title)).strip()
        if not cleaned:
            raise ValidationError("A conversation needs a title.")
        with self._db.file.writing() as database:
            self._find(database, conversation_id)
            database.execute(
                "UPDATE conversations SET title = ? WHERE id = ? AND title = coalesce(?, title)",
                (cleaned, conversation_id, instead_of),
            )
            return self._find(database, conversation_id)

    def delete(self, conversation_id: str) -> None:
        """Erase a conversation with its messages and traces; tasks and costs stay.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._db.file.writing() as database:
            self._find(database, conversation_id)
            # Costs are kept; the error texts of servers are erased.
            database.execute(
                "UPDATE model_calls SET error = NULL WHERE turn_id IN"
                " (SELECT id FROM turns WHERE conversation_id = ?)",
                (conversation_id,),
            )
            database.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
        self._db.file.truncate_wal()

    def open_turn(
        self, conversation_id: str, user_message: Message, *, provider: str, model: str
    ) -> StoredTurn:
        """Store the user message and a running turn in one transaction.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._db.file.writing() as database:
            conversation = self._find(database, conversation_id)
            turns = self._turn_rows(database)
            turn = turns.begin(conversation_id, user_message, provider, model, self._process)
            if not conversation.title:
                database.execute(
                    "UPDATE conversations SET title = ? WHERE id = ?",
                    (default_title(user_message.text), conversation_id),
                )
        return turn

    def append(self, turn_id: str, message: Message) -> str:
        """Append a message of the assistant or its tools to a turn; return the message's id."""
        return self.append_round(turn_id, (message,))[0]

    def record_call(self, turn_id: str, call: ModelCall) -> None:
        """Append a model call to a turn's trace."""
        self.append_round(turn_id, (), calls=(call,))

    def record_step(self, turn_id: str, step: TraceStep) -> None:
        """Append a tool call to a turn's trace."""
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
        """Append the results of one round of a turn in one transaction; return the messages' ids.

        A `summary` replaces everything before the turn from now on.
        """
        with self._db.file.writing() as database:
            return self._turn_rows(database).add(turn_id, messages, calls, steps, summary)

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
        """End a turn with its last, maybe partial messages; return their ids.

        `answered_by` is provider and model of the last answer, if they differ from the first.
        """
        with self._db.file.writing() as database:
            turns = self._turn_rows(database)
            ids = turns.add(turn_id, messages, calls, steps, summary)
            turns.end(
                turn_id,
                status,
                error=error,
                answered_by=answered_by,
                usage=usage or Usage(),
                cost_usd=cost_usd,
                latency_ms=latency_ms,
                model_calls=model_calls,
            )
        return ids

    def history(self, conversation_id: str, limit: int | None = 50) -> tuple[Message, ...]:
        """Return the active branch, oldest first, starting with a user message.

        At most `limit` messages, or more if the newest turn alone is longer.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._db.file.reading() as database:
            self._find(database, conversation_id)
            return read_branch(database, conversation_id, limit)

    def model_history(self, conversation_id: str, limit: int = 50) -> ModelHistory:
        """Return the history without what a summary covers, and that summary.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._db.file.reading() as database:
            self._find(database, conversation_id)
            return read_model_history(database, conversation_id, limit)

    def turns(
        self, conversation_id: str, limit: int = 20, before: str | None = None
    ) -> tuple[TurnRecord, ...]:
        """Return the newest turns before `before`, newest last.

        Raises:
            NotFound: this user has no such conversation.
        """
        with self._db.file.reading() as database:
            self._find(database, conversation_id)
            return read_turns(database, conversation_id, limit=limit, before=before)

    def calls(self, turn_id: str) -> tuple[ModelCall, ...]:
        """Return the model calls of a turn in order; none for a turn of another user."""
        with self._db.file.reading() as database:
            return read_calls(database, self._db.user, turn_id)

    def recover(self) -> int:
        """Mark running turns of dead processes as interrupted; return their number."""
        with self._db.file.reading() as database:
            running = database.execute(
                "SELECT t.id, t.owner_pid, t.owner_started FROM turns t"
                " JOIN conversations c ON c.id = t.conversation_id"
                " WHERE t.status = 'running' AND c.user = ?",
                (self._db.user,),
            ).fetchall()
        dead = [turn for turn, pid, started in running if not Process(pid, started).is_alive()]
        if dead:
            with self._db.file.writing() as database:
                self._turn_rows(database).interrupt(dead)
        return len(dead)

    def _turn_rows(self, database: Connection) -> TurnRows:
        return TurnRows(database, user=self._db.user, clock=self._db.clock, new_id=self._db.new_id)

    def _find(self, database: Connection, conversation_id: str) -> Conversation:
        row = database.execute(
            f"SELECT {_COLUMNS} FROM conversations WHERE user = ? AND id = ?",  # noqa: S608
            (self._db.user, conversation_id),
        ).fetchone()
        if row is None:
            raise NotFound("There is no such conversation.")
        return _conversation(row)

    def _now(self) -> str:
        return utc_text(self._db.clock.utc())


def _conversation(row: tuple[str, str, str, str]) -> Conversation:
    conversation_id, title, created_at, updated_at = row
    return Conversation(
        conversation_id,
        title,
        datetime.fromisoformat(created_at),
        datetime.fromisoformat(updated_at),
    )
