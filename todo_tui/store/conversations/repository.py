"""Conversations, their messages and turns, and the history sent to a model."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from datetime import datetime, timedelta
from sqlite3 import Connection

from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.events import TraceStep, TurnError, TurnOutcome
from todo_tui.domain.messages import Message, Role, Text, TurnStatus
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.store.conversations.branches import (
    ids_beside,
    ids_of_branch,
    leaf_shown_last,
    parent_of_turn,
    read_history,
)
from todo_tui.store.conversations.records import (
    Conversation,
    ConversationEntry,
    ConversationMatch,
    ModelCall,
    ModelHistory,
    Process,
    StoredTurn,
    Summary,
    TurnMatch,
    TurnRecord,
    context_to_json,
    message_from_json,
    parts_to_json,
)
from todo_tui.store.conversations.search import find_turns, read_entries, search
from todo_tui.store.conversations.select import (
    COLUMNS,
    TOKENS,
    conversation_values,
    find_conversation,
    read_turns,
)
from todo_tui.store.database import Repository, UserDatabase
from todo_tui.store.rows import utc_text

_ALL = -1
_NEXT_SHOWN = "(SELECT coalesce(max(shown), 0) + 1 FROM turns)"
RESTORABLE = timedelta(hours=24)
"""Time after which a deleted conversation is erased at the latest."""
TITLE_LENGTH = 80
"""Characters of the first message that are the default title."""


def default_title(text: str) -> str:
    """Derive the title of a conversation from its first message."""
    return " ".join(plain_line(repair_surrogates(text)).split())[:TITLE_LENGTH]


class ConversationStore(Repository):
    """Reads and writes of a user's conversations; every query is bound to one user.

    Each write is one transaction. It raises StoreError if the file cannot be written, and
    NotFound for an unknown conversation or turn, or one of another user.
    """

    def __init__(self, db: UserDatabase) -> None:
        super().__init__(db)
        self._deleted: set[str] = set()
        """Conversations deleted by this process, which are erased when it ends."""

    # Conversations

    def start(self) -> Conversation:
        """Create an empty conversation."""
        with self._db.file.writing() as database:
            return find_conversation(database, self._db.user, self._insert_conversation(database))

    def _insert_conversation(self, database: Connection) -> str:
        conversation_id, now = self._db.new_id(), self._now()
        database.execute(
            "INSERT INTO conversations (id, user, created_at, updated_at, newest_message)"
            " VALUES (?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM messages))",
            (conversation_id, self._db.user, now, now),
        )
        return conversation_id

    def latest(self) -> Conversation | None:
        """Return the conversation with the newest message, or the newest one."""
        rows = self._db.rows(
            f"SELECT {COLUMNS} FROM conversations c WHERE c.user = ? AND c.deleted_at IS NULL"  # noqa: S608 - our columns
            " ORDER BY c.newest_message DESC, c.rowid DESC LIMIT 1",
            self._db.user,
        )
        return Conversation(*conversation_values(rows[0])) if rows else None

    def list(self, limit: int = 50, before: str | None = None) -> tuple[ConversationEntry, ...]:
        """Return conversations, pinned ones first, each part by newest message or creation.

        With `before`, the id of the last one of a page, return the page after it. A
        conversation that is pinned or gets a message between two pages may be missing or twice.
        """
        with self._db.file.reading() as database:
            rows = database.execute(
                "SELECT id FROM conversations WHERE user = ? AND deleted_at IS NULL"
                " AND (? IS NULL OR (pinned, newest_message, rowid) <"
                "  (SELECT pinned, newest_message, rowid FROM conversations WHERE id = ?))"
                " ORDER BY pinned DESC, newest_message DESC, rowid DESC LIMIT ?",
                (self._db.user, before, before, limit),
            )
            return read_entries(database, [conversation_id for (conversation_id,) in rows])

    def search(self, text: str, limit: int = 50) -> tuple[ConversationMatch, ...]:
        """Return conversations with all words of the text in a message or in the title.

        Newest conversation first, without ranking. Words match as a whole, without regard to
        case and accents, and the last one also as the beginning of a word, so that each typed
        letter narrows the result; without a letter or digit nothing matches. Searched are the
        words of the user and of the models, on all branches, not tool calls. At most the
        `MAX_HITS` newest matching messages are read: words that are in more of them find only
        the conversations of these.
        """
        with self._db.file.reading() as database:
            return search(database, self._db.user, text, limit)

    def find_turns(
        self, conversation_id: str, text: str, limit: int = 100
    ) -> tuple[TurnMatch, ...]:
        """Return the turns of a conversation with all words in one message, newest first.

        Words match as in `search`; other branches are searched too.
        """
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            return find_turns(database, conversation_id, text, limit)

    def find(self, prefix: str) -> Conversation:
        """Return the conversation whose id begins so.

        Raises:
            NotFound: there is none.
            ValidationError: there are several.
        """
        rows = self._db.rows(
            f"SELECT {COLUMNS} FROM conversations c"  # noqa: S608 - our columns
            " WHERE c.user = ? AND c.deleted_at IS NULL AND substr(c.id, 1, ?) = ? LIMIT 2",
            self._db.user,
            len(prefix),
            prefix,
        )
        if not rows or not prefix:
            raise NotFound(f"No conversation matches “{plain_line(prefix)}”.")
        if len(rows) > 1:
            raise ValidationError(
                f"Several conversations match “{plain_line(prefix)}”.",
                hint="Type more of the id.",
            )
        return Conversation(*conversation_values(rows[0]))

    def get(self, conversation_id: str) -> Conversation:
        """Return the conversation of that id."""
        with self._db.file.reading() as database:
            return find_conversation(database, self._db.user, conversation_id)

    def rename(
        self, conversation_id: str, title: str, *, instead_of: str | None = None
    ) -> Conversation:
        """Set the title; with `instead_of` only if it still has that title.

        Raises:
            ValidationError: the title is empty.
        """
        cleaned = plain_line(repair_surrogates(title)).strip()
        if not cleaned:
            raise ValidationError("A conversation needs a title.")
        with self._db.file.writing() as database:
            find_conversation(database, self._db.user, conversation_id)
            database.execute(
                "UPDATE conversations SET title = ? WHERE id = ? AND title = coalesce(?, title)",
                (cleaned, conversation_id, instead_of),
            )
            return find_conversation(database, self._db.user, conversation_id)

    def set_pinned(self, conversation_id: str, pinned: bool) -> Conversation:
        """List the conversation before those that are not pinned, or no longer."""
        with self._db.file.writing() as database:
            find_conversation(database, self._db.user, conversation_id)
            database.execute(
                "UPDATE conversations SET pinned = ? WHERE id = ?", (int(pinned), conversation_id)
            )
            return find_conversation(database, self._db.user, conversation_id)

    def delete(self, conversation_id: str) -> None:
        """Hide a conversation from every read until `restore`, or `erase_deleted`.

        A turn that runs in it is stored to its end.
        """
        with self._db.file.writing() as database:
            find_conversation(database, self._db.user, conversation_id)
            database.execute(
                "UPDATE conversations SET deleted_at = ? WHERE id = ?",
                (self._now(), conversation_id),
            )
        self._deleted.add(conversation_id)

    def restore(self, conversation_id: str) -> Conversation:
        """Show a deleted conversation again.

        Raises:
            NotFound: it was erased.
        """
        with self._db.file.writing() as database:
            database.execute(
                "UPDATE conversations SET deleted_at = NULL WHERE id = ? AND user = ?",
                (conversation_id, self._db.user),
            )
            restored = find_conversation(database, self._db.user, conversation_id)
        self._deleted.discard(conversation_id)
        return restored

    def erase(self, conversation_id: str) -> None:
        """Erase a conversation at once, with its messages and traces; tasks and costs stay."""
        with self._db.file.writing() as database:
            find_conversation(database, self._db.user, conversation_id)
            self._erase(database, [conversation_id])
        self._db.file.truncate_wal()

    def erase_deleted(self, *, closing: bool = False) -> int:
        """Erase what was deleted `RESTORABLE` ago; if `closing`, all that this store deleted.

        The app calls it after its start, each hour, and when it closes. What another process
        deleted stays restorable there. Returns the number of conversations.
        """
        limit = utc_text(self._db.clock.utc() - RESTORABLE)
        query = (
            "SELECT id FROM conversations WHERE user = ? AND deleted_at IS NOT NULL"
            " AND (deleted_at <= ? OR id IN (SELECT value FROM json_each(?)))"
        )
        own = json.dumps(sorted(self._deleted) if closing else [])
        values = (self._db.user, limit, own)
        if not self._db.rows(query, *values):
            return 0
        with self._db.file.writing() as database:
            ids = [conversation_id for (conversation_id,) in database.execute(query, values)]
            self._erase(database, ids)
        self._db.file.truncate_wal()
        self._deleted.difference_update(ids)
        return len(ids)

    def _erase(self, database: Connection, ids: Sequence[str]) -> None:
        listed = json.dumps(ids)
        # Costs are kept; the error texts of servers are erased.
        database.execute(
            "UPDATE model_calls SET error = NULL WHERE turn_id IN (SELECT id FROM turns"
            " WHERE conversation_id IN (SELECT value FROM json_each(?)))",
            (listed,),
        )
        database.execute(
            "DELETE FROM conversations WHERE id IN (SELECT value FROM json_each(?))", (listed,)
        )
        database.execute(
            "DELETE FROM memory WHERE user = ? AND key IN"
            " (SELECT 'draft:' || value FROM json_each(?))",
            (self._db.user, listed),
        )
        # The index keeps the words of deleted texts until it is merged: half a second for
        # 100,000 messages. Its own `secure-delete` makes files that SQLite 3.41 cannot read.
        database.execute("INSERT INTO message_words (message_words) VALUES ('optimize')")

    def _now(self) -> str:
        return utc_text(self._db.clock.utc())

    def sent_texts(self, limit: int) -> Sequence[str]:
        """Return the texts of the newest messages of the user, newest first, each once."""
        rows = self._db.rows(
            "SELECT m.role, m.parts, m.origin, NULL FROM turns t"
            " JOIN conversations c ON c.id = t.conversation_id"
            " JOIN messages m ON m.id = t.user_message_id"
            " WHERE c.user = ? AND c.deleted_at IS NULL ORDER BY t.seq DESC LIMIT ?",
            self._db.user,
            limit,
        )
        return tuple(dict.fromkeys(message_from_json(*row).text for row in rows))

    # Turns

    def open_turn(
        self,
        conversation_id: str | None,
        user_message: Message,
        *,
        provider: str,
        model: str,
        replaces: str | None = None,
    ) -> StoredTurn:
        """Store the user message and a running turn in one transaction.

        Without `conversation_id` a new conversation is created in it. With `replaces`, the id
        of a turn of the conversation, the new turn follows the same message as that one, as
        another branch, which becomes the active one.

        Raises:
            NotFound: the conversation or the replaced turn does not exist.
        """
        process = Process.current()
        with self._db.file.writing() as database:
            conversation_id = conversation_id or self._insert_conversation(database)
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

        The answer of each, as far as it was saved, becomes its last message.
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
            with self._db.file.writing() as database:
                for turn_id in dead:
                    ended = database.execute(
                        "UPDATE turns SET status = 'interrupted', ended_at = ? WHERE id = ?"
                        " AND status = 'running' RETURNING partial, provider || ':' || model",
                        (now, turn_id),
                    ).fetchone()
                    if ended is not None and ended[0]:
                        said = Message(Role.ASSISTANT, (Text(ended[0]),), origin=ended[1])
                        self._append(database, turn_id, [said], (), (), None)
        return len(dead)

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

    def turns(
        self, conversation_id: str, limit: int = 20, before: str | None = None
    ) -> tuple[TurnRecord, ...]:
        """Return the newest turns of the active branch, or those before `before`, newest last."""
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            ids = ids_of_branch(database, conversation_id, limit, before)
            return read_turns(database, ids)

    def turns_around(
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
            found = read_turns(database, ids[max(end - limit, 0) : end])
        return found, end >= len(ids)

    def _branch(self, conversation_id: str) -> Sequence[str]:
        """Return the turns of the active branch, oldest first."""
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            return ids_of_branch(database, conversation_id, _ALL, None)

    def branches(self, turn_id: str) -> tuple[TurnRecord, ...]:
        """Return the turns that follow the same message as this one, itself included, in order."""
        with self._db.file.reading() as database:
            self._conversation_of_turn(database, turn_id)
            return read_turns(database, ids_beside(database, turn_id))

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
