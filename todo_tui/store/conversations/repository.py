"""Conversations: list, search, title, pin, deletion."""

import json
from collections.abc import Sequence
from datetime import timedelta
from sqlite3 import Connection

from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.store.conversations.branch_queries import ids_of_branch
from todo_tui.store.conversations.queries import COLUMNS, conversation_values, find_conversation
from todo_tui.store.conversations.records import (
    Conversation,
    ConversationEntry,
    ConversationMatch,
    TurnMatch,
    message_from_json,
)
from todo_tui.store.conversations.search import find_turns, read_entries, search
from todo_tui.store.conversations.turns import TurnStore, create_conversation
from todo_tui.store.database import Repository, UserDatabase
from todo_tui.store.rows import utc_text

RESTORABLE = timedelta(hours=24)
"""Time after which a deleted conversation is erased at the latest."""


class ConversationStore(Repository):
    """Reads and writes of a user's conversations; every query is bound to one user.

    Each write is one transaction. It raises StoreError if the file cannot be written, and
    NotFound for an unknown conversation or turn, or one of another user.
    """

    def __init__(self, db: UserDatabase) -> None:
        super().__init__(db)
        self.turns = TurnStore(db)
        self._deleted: set[str] = set()
        """Conversations deleted by this process, which are erased when it ends."""

    # Conversations

    def start(self) -> Conversation:
        """Create an empty conversation."""
        with self._db.file.writing() as database:
            return find_conversation(
                database, self._db.user, create_conversation(database, self._db)
            )

    def latest(self) -> Conversation | None:
        """Return the conversation with the newest message, or the newest one."""
        return self._first("c.deleted_at IS NULL ORDER BY c.newest_message DESC, c.rowid DESC")

    def _first(self, condition: str) -> Conversation | None:
        query = f"SELECT {COLUMNS} FROM conversations c WHERE c.user = ? AND {condition} LIMIT 1"  # noqa: S608 - our columns
        rows = self._db.rows(query, self._db.user)
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

        Words match as in `search`; other branches are searched too. 10,000 turns take 30 ms.
        """
        with self._db.file.reading() as database:
            find_conversation(database, self._db.user, conversation_id)
            found = find_turns(database, conversation_id, text, limit)
            shown = set(ids_of_branch(database, conversation_id) if found else ())
            return tuple(each._replace(is_shown=each.turn_id in shown) for each in found)

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
                (utc_text(self._db.clock.utc()), conversation_id),
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

    def deleted_last(self) -> Conversation | None:
        """Return the conversation that was deleted last and can still be restored, if any."""
        return self._first("c.deleted_at IS NOT NULL ORDER BY c.deleted_at DESC")

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
