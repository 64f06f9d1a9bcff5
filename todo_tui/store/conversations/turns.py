"""Turns of conversations: written as they run, read by branch; and the history sent to a model."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.errors import NotFound
from todo_tui.domain.events import TraceStep, TurnError, TurnOutcome
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence, read_evidence
from todo_tui.domain.messages import Message, Role, Text, TurnStatus
from todo_tui.domain.text import plain_line, repair_surrogates, shorten
from todo_tui.store.conversations.branch_queries import (
    ids_beside,
    ids_of_branch,
    leaf_shown_last,
    parent_of_turn,
    read_history,
)
from todo_tui.store.conversations.queries import (
    TOKENS,
    find_conversation,
    read_changing,
    read_turns,
)
from todo_tui.store.conversations.records import (
    ModelCall,
    ModelHistory,
    Process,
    StoredTurn,
    Summary,
    TurnRecord,
    context_to_json,
    parts_to_json,
)
from todo_tui.store.database import Repository, UserDatabase
from todo_tui.store.rows import utc_text

_NEXT_SHOWN = "(SELECT coalesce(max(shown), 0) + 1 FROM turns)"
TITLE_LENGTH = 80
"""Characters of the first message that are the default title."""


def default_title(text: str) -> str:
    """Derive the title of a conversation from its first message."""
    return shorten(" ".join(plain_line(repair_surrogates(text)).split()), TITLE_LENGTH)


def create_conversation(database: Connection, db: UserDatabase) -> str:
    """Insert an empty conversation and return its id."""
    conversation_id, now = db.new_id(), utc_text(db.clock.utc())
    database.execute(
        "INSERT INTO conversations (id, user, created_at, updated_at, newest_message)"
        " VALUES (?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM messages))",
        (conversation_id, db.user, now, now),
    )
    return conversation_id


class TurnStore(Repository):
    """Reads and writes of the turns of a user's conversations; every query is bound to one user.

    Each write is one transaction. It raises StoreError if the file cannot be written, and
    NotFound for an unknown conversation or turn, or one of another user.
    """

    def open(
        self,
        conversation_id: str | None,
        user_message: Message,
        *,
        provider: str,
        model: str,
        replaces: str | None = None,
        gives_up: Callable[[], bool] = lambda: False,
    ) -> StoredTurn:
        """Store the user message and a running turn in one transaction.

        Without `conversation_id` a new conversation is created in it. With `replaces`, the id
        of a turn of the conversation, the new turn follows the same message as that one, as
        another branch, which becomes the active one. `gives_up` ends a wait for other processes.

        Raises:
            NotFound: the conversation or the replaced turn does not exist.
        """
        process = Process.current()
        with self._db.file.writing(gives_up) as database:
            conversation_id = conversation_id or create_conversation(database, self._db)
            turn_id, now = self._db.new_id(), self._now()
            conversation = find_conversation(database, self._db.user, conversation_id)
            (parent,) = database.execute(
                "SELECT head FROM conversations WHERE id = ?", (conversation_id,)
            ).fetchone()
            if replaces is not None:
                parent = parent_of_turn(database, conversation_id, replaces)
            message_id = self._insert_message(
                database, turn_id, conversation_id, parent, user_message
            )
            self._move_head(database, conversation_id, message_id)
            database.execute(
                "INSERT INTO turns (id, conversation_id, user_message_id, status, provider, model,"  # noqa: S608
                " owner_pid, owner_started, started_at, shown)"
                f" VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, {_NEXT_SHOWN})",
                (
                    turn_id, conversation_id, message_id, provider, model,
                    process.pid, process.started, now,
                ),
            )  # fmt: skip
            if not conversation.title:
                database.execute(
                    "UPDATE conversations SET title = ? WHERE id = ?",
                    (default_title(user_message.text), conversation_id),
                )
        return StoredTurn(turn_id, conversation_id, datetime.fromisoformat(now))

    def append_round(
        self,
        turn_id: str,
        messages: Sequence[Message],
        *,
        calls: Sequence[ModelCall] = (),
        steps: Sequence[TraceStep] = (),
        summary: Summary | None = None,
    ) -> None:
        """Append the results of one round of a turn in one transaction.

        A `summary` replaces everything before the turn from now on.
        """
        with self._db.file.writing() as database:
            self._append(database, turn_id, messages, calls, steps, summary)

    def close(
        self,
        turn_id: str,
        status: TurnStatus,
        *,
        messages: Sequence[Message] = (),
        calls: Sequence[ModelCall] = (),
        steps: Sequence[TraceStep] = (),
        summary: Summary | None = None,
        error: TurnError | None = None,
        outcome: TurnOutcome | None = None,
    ) -> None:
        """End a turn with its last, maybe partial messages."""
        failure = error or TurnError("", "")
        with self._db.file.writing() as database:
            self._append(database, turn_id, messages, calls, steps, summary)
            database.execute(
                "UPDATE turns SET status = ?, ended_at = ?,"
                " error_kind = ?, error_message = ?, error_hint = ? WHERE id = ?",
                (
                    status.value, self._now(), failure.kind or None,
                    repair_surrogates(failure.message) or None, failure.hint, turn_id,
                ),
            )  # fmt: skip
            if outcome is not None:
                database.execute(
                    f"UPDATE turns SET provider = ?, model = ?, ({TOKENS}) = (?, ?, ?, ?, ?),"  # noqa: S608
                    " cost_usd = ?, latency_ms = ?, model_calls = ?, first_token_ms = ?,"
                    " retries = ?, failovers = ?, quality_score = ? WHERE id = ?",
                    (
                        outcome.provider, outcome.model, *astuple(outcome.usage),
                        outcome.cost_usd, outcome.latency_ms, outcome.model_calls,
                        outcome.first_token_ms, outcome.retries, outcome.failovers,
                        outcome.quality.score if outcome.quality else None, turn_id,
                    ),
                )  # fmt: skip

    def save_partial(self, turn_id: str, text: str) -> None:
        """Store the answer of a running turn as far as it has come, in case the process dies."""
        with self._db.file.writing() as database:
            self._conversation_of_turn(database, turn_id)
            database.execute(
                "UPDATE turns SET partial = ? WHERE id = ? AND status = 'running'",
                (repair_surrogates(text), turn_id),
            )

    def recover(self) -> int:
        """Mark running turns of dead processes as interrupted; return their number.

        The answer of each, as far as it was saved, becomes its last message. Raises StoreBusy at
        once while another process holds the lock.
        """
        running = self._db.rows(
            "SELECT t.id, t.owner_pid, t.owner_started FROM turns t"
            " JOIN conversations c ON c.id = t.conversation_id"
            " WHERE t.status = 'running' AND c.user = ?",
            self._db.user,
        )
        dead = [turn for turn, pid, started in running if not Process(pid, started).is_alive()]
        if dead:
            now = self._now()
            with self._db.file.writing(gives_up=lambda: True) as database:
                for turn_id in dead:
                    ended = database.execute(
                        "UPDATE turns SET status = 'interrupted', ended_at = ? WHERE id = ?"
                        " AND status = 'running' RETURNING partial, provider || ':' || model",
                        (now, turn_id),
                    ).fetchone()
                    if ended is not None and ended[0]:
                        answer = Message(Role.ASSISTANT, (Text(ended[0]),), origin=ended[1])
                        self._append(database, turn_id, [answer], (), (), None)
        return len(dead)

    def _now(self) -> str:
        return utc_text(self._db.clock.utc())

    def _append(
        self,
        database: Connection,
        turn_id: str,
        messages: Iterable[Message],
        calls: Iterable[ModelCall],
        steps: Iterable[TraceStep],
        summary: Summary | None,
    ) -> None:
        # Each turn begins with a message.
        last = database.execute(
            "SELECT m.conversation_id, m.id FROM messages m"
            " JOIN conversations c ON c.id = m.conversation_id"
            " WHERE m.turn_id = ? AND c.user = ? ORDER BY m.seq DESC LIMIT 1",
            (turn_id, self._db.user),
        ).fetchone()
        if last is None:
            raise NotFound("Turn not found.")
        conversation_id, parent = last
        (is_active,) = database.execute(
            "SELECT head = ? FROM conversations WHERE id = ?", (parent, conversation_id)
        ).fetchone()
        now = self._now()
        if summary is not None:
            self._insert_summary(database, turn_id, now, summary)
        for message in messages:
            parent = self._insert_message(database, turn_id, conversation_id, parent, message)
        database.execute("UPDATE turns SET partial = NULL WHERE id = ?", (turn_id,))
        # Another turn may follow already, opened in another window, or another branch be shown.
        if is_active:
            self._move_head(database, conversation_id, parent)
        database.executemany(
            f"INSERT INTO model_calls (user, turn_id, at, provider, model, {TOKENS}, cost_usd,"  # noqa: S608
            " milliseconds, status, error, error_kind, first_token_ms)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    self._db.user, turn_id, now, call.provider, repair_surrogates(call.model),
                    *astuple(call.usage), call.cost_usd, call.milliseconds, call.status,
                    None if call.error is None else repair_surrogates(call.error),
                    call.error_kind, call.first_token_ms,
                )
                for call in calls
            ],
        )  # fmt: skip
        database.executemany(
            "INSERT INTO tool_calls (turn_id, at, call_id, name, summary, arguments, result,"
            " status, milliseconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    turn_id, now, step.call_id, repair_surrogates(step.name),
                    repair_surrogates(step.summary), repair_surrogates(step.arguments),
                    repair_surrogates(step.result), step.status.value, step.milliseconds,
                )
                for step in steps
            ],
        )  # fmt: skip

    def _insert_message(
        self,
        database: Connection,
        turn_id: str,
        conversation_id: str,
        parent: str | None,
        message: Message,
    ) -> str:
        message_id, now = self._db.new_id(), self._now()
        cursor = database.execute(
            "INSERT INTO messages (id, conversation_id, turn_id, parent_id, depth, summary_id,"
            " role, parts, origin, context, created_at)"
            " SELECT ?, ?, ?, p.id, 1 + coalesce(p.depth, 0), p.summary_id, ?, ?, ?, ?, ?"
            " FROM (SELECT ? AS id) AS parent LEFT JOIN messages AS p ON p.id = parent.id",
            (
                message_id, conversation_id, turn_id, message.role.value,
                parts_to_json(message.parts), message.origin, context_to_json(message.context), now,
                parent,
            ),
        )  # fmt: skip
        database.execute(
            "UPDATE conversations SET updated_at = ?, newest_message = ? WHERE id = ?",
            (now, cursor.lastrowid, conversation_id),
        )
        return message_id

    def _move_head(self, database: Connection, conversation_id: str, message_id: str) -> None:
        database.execute(
            "UPDATE conversations SET head = ? WHERE id = ?", (message_id, conversation_id)
        )

    def _insert_summary(
        self, database: Connection, turn_id: str, at: str, summary: Summary
    ) -> None:
        """Insert a summary of everything before the turn.

        The messages of the turn refer to it, as later ones will. Nothing is inserted before the
        first turn of a conversation, which has nothing to summarize.
        """
        summary_id = self._db.new_id()
        cursor = database.execute(
            "INSERT INTO summaries (id, conversation_id, turn_id, message_id, depth, text, origin,"
            " created_at) SELECT ?, t.conversation_id, t.id, last.id, last.depth, ?, ?, ?"
            " FROM turns t JOIN messages asked ON asked.id = t.user_message_id"
            " JOIN messages last ON last.id = asked.parent_id WHERE t.id = ?",
            (summary_id, repair_surrogates(summary.text), summary.origin, at, turn_id),
        )
        if cursor.rowcount:
            database.execute(
                "UPDATE messages SET summary_id = ? WHERE turn_id = ?", (summary_id, turn_id)
            )

    # History and branches

    def model_history(
        self, conversation_id: str, limit: int = 50, *, turn_id: str | None = None
    ) -> ModelHistory:
        """Return the active branch without what a summary covers, and that summary.

        With `turn_id`, the branch up to that turn. The messages begin with one of the user: at
        most `limit`, or more if the newest turn alone is longer.
        """
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            return read_history(database, conversation_id, turn_id, limit)

    def retrieved(self, conversation_id: str) -> tuple[Evidence, ...]:
        """Return the passages that a conversation has retrieved, oldest first, of all branches.

        In a conversation of an older version one number may stand for several.
        """
        rows = self._db.rows(
            "SELECT s.result FROM turns t JOIN conversations c ON c.id = t.conversation_id"
            " JOIN tool_calls s ON s.turn_id = t.id"
            " WHERE c.user = ? AND c.id = ? AND s.name = ? ORDER BY s.seq",
            self._db.user, conversation_id, RETRIEVAL_TOOL,
        )  # fmt: skip
        return tuple(each for (result,) in rows for each in read_evidence(result))

    def have_foreign_text(self, conversation_id: str) -> bool:
        """Return True if any message of the conversation, on any branch, has text of others."""
        rows = self._db.rows(
            "SELECT EXISTS (SELECT 1 FROM messages m JOIN conversations c"
            " ON c.id = m.conversation_id WHERE c.id = ? AND c.user = ? AND CASE m.role"
            " WHEN 'user' THEN json_extract(m.context, '$.foreign')"
            " WHEN 'tool' THEN EXISTS (SELECT 1 FROM json_each(m.parts)"
            " WHERE json_array_length(value, '$.foreign')) END)",
            conversation_id,
            self._db.user,
        )
        return bool(rows[0][0])

    def list(
        self, conversation_id: str, limit: int = 20, before: str | None = None
    ) -> tuple[TurnRecord, ...]:
        """Return the newest turns of the active branch, or those before `before`, newest last."""
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            ids = ids_of_branch(database, conversation_id, limit, before)
            return read_turns(database, ids, self._db.clock)

    def list_first(
        self, conversation_id: str, limit: int = 20
    ) -> tuple[tuple[TurnRecord, ...], bool]:
        """Return the oldest turns of the active branch, oldest first.

        The second value is True if the newest turn is among them.
        """
        ids = self._branch(conversation_id)
        with self._db.file.reading() as database:
            return read_turns(database, ids[:limit], self._db.clock), limit >= len(ids)

    def list_around(
        self, conversation_id: str, turn_id: str, limit: int = 20
    ) -> tuple[tuple[TurnRecord, ...], bool]:
        """Return turns of the active branch with this one in their middle, oldest first.

        The second value is True if the newest turn is among them. If the turn is on another
        branch, that one becomes the active one first. 10,000 turns take 30 ms.

        Raises:
            NotFound: the conversation has no such turn.
        """
        ids = self._branch(conversation_id)
        if turn_id not in ids:
            self.select_branch(turn_id)
            ids = self._branch(conversation_id)
        if turn_id not in ids:
            raise NotFound("Turn not found.")
        end = ids.index(turn_id) + limit // 2
        with self._db.file.reading() as database:
            found = read_turns(database, ids[max(end - limit, 0) : end], self._db.clock)
        return found, end >= len(ids)

    def _branch(self, conversation_id: str) -> Sequence[str]:
        """Return the turns of the active branch, oldest first."""
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            return ids_of_branch(database, conversation_id)

    def changing(self, turn_ids: Sequence[str]) -> dict[str, bool]:
        """Return those of the turns that changed tasks; True if all of its changes are undone."""
        with self._db.file.reading() as database:
            return read_changing(database, json.dumps(turn_ids))

    def branches(self, turn_id: str) -> tuple[TurnRecord, ...]:
        """Return the turns that follow the same message as this one, itself included, in order."""
        with self._db.file.reading() as database:
            self._conversation_of_turn(database, turn_id)
            return read_turns(database, ids_beside(database, turn_id), self._db.clock)

    def select_branch(self, turn_id: str) -> None:
        """Make a branch that contains the turn the active one: the one that was so last."""
        with self._db.file.writing() as database:
            conversation_id = self._conversation_of_turn(database, turn_id)
            leaf, message_id = leaf_shown_last(database, turn_id)
            database.execute(f"UPDATE turns SET shown = {_NEXT_SHOWN} WHERE id = ?", (leaf,))  # noqa: S608
            self._move_head(database, conversation_id, message_id)

    def _conversation_of_turn(self, database: Connection, turn_id: str) -> str:
        row = database.execute(
            "SELECT conversation_id FROM turns WHERE id = ?", (turn_id,)
        ).fetchone()
        if row is None:
            raise NotFound("Turn not found.")
        return find_conversation(database, self._db.user, row[0]).id
