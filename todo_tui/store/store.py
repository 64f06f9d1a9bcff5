"""Store: everything of one user over one database file; `open_store` opens or refuses the file."""

from __future__ import annotations

from contextlib import AbstractContextManager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.errors import StoreBusy
from todo_tui.domain.task import Actor
from todo_tui.domain.text import repair_surrogates
from todo_tui.domain.when import Clock, DateStyle, NewId, random_id
from todo_tui.store.backups import copy_database
from todo_tui.store.connection import BUSY_SECONDS
from todo_tui.store.database import Repository, UserDatabase
from todo_tui.store.decisions import Decisions, HostConsents
from todo_tui.store.migrations import open_database, reopen_database
from todo_tui.store.operations.undo import preview_undo
from todo_tui.store.sqlite_errors import translate_errors
from todo_tui.store.tasks.repository import TaskStore

if TYPE_CHECKING:
    from todo_tui.domain.filters.lexer import FilterNames
    from todo_tui.domain.filters.terms import Query
    from todo_tui.store.conversations.metrics import MetricsStore
    from todo_tui.store.conversations.repository import ConversationStore
    from todo_tui.store.conversations.turns import TurnStore
    from todo_tui.store.conversations.usage import UsageStore
    from todo_tui.store.knowledge import KnowledgeStore
    from todo_tui.store.operations.change_log import ChangeLog
    from todo_tui.store.proposals import ProposalStore
    from todo_tui.store.reminders import ReminderStore
    from todo_tui.store.statistics import StatisticsStore
    from todo_tui.store.tasks.index import StoreIndex
    from todo_tui.store.tasks.results import UndoPreview
    from todo_tui.store.vectors import VectorStore
    from todo_tui.store.views import ViewStore


class KeyValueStore(Repository):
    """Text values by key that are kept between runs, separate for each user (table `memory`).

    A failed write raises StoreError.
    """

    def get(self, key: str) -> str | None:
        """Return the stored value, or None."""
        query = "SELECT value FROM memory WHERE user = ? AND key = ?"
        rows = self._db.rows(query, self._db.user, key)
        return str(rows[0][0]) if rows else None

    def set(self, key: str, value: str | None) -> None:
        """Store `value`; None deletes the key."""
        with self._db.file.writing() as database:
            if value is None:
                database.execute(
                    "DELETE FROM memory WHERE user = ? AND key = ?", (self._db.user, key)
                )
            else:
                database.execute(
                    "INSERT OR REPLACE INTO memory (user, key, value) VALUES (?, ?, ?)",
                    (self._db.user, key, repair_surrogates(value)),
                )


class Store:
    """Tasks, conversations and settings of one user; safe to use from several threads.

    Created by `open_store`.
    """

    def __init__(self, db: UserDatabase, state_folder: Path | None) -> None:
        self._db = db
        self.file = db.file
        """The opened file, with its waits and failed writes."""
        self.user, self.clock, self.style = db.user, db.clock, db.style
        self.tasks = TaskStore(db)
        self.app_state = KeyValueStore(db)
        self.decisions = Decisions(db, state_folder)
        self.consents = HostConsents(self.decisions)

    @property
    def path(self) -> Path:
        """The database file."""
        return self.file.path

    @cached_property
    def conversations(self) -> ConversationStore:
        """Return the conversations; the first use marks turns of dead processes as interrupted.

        While another process holds the lock, they stay as they are: reading never waits for that.
        """
        # Imported at first use, like the stores below: `todo-tui add` needs none of them, which
        # take longer to import than the rest of the store, nor the query for interrupted turns.
        from todo_tui.store.conversations.repository import ConversationStore

        conversations = ConversationStore(self._db)
        if not self.file.is_read_only:
            with suppress(StoreBusy):
                conversations.turns.recover()
        return conversations

    @cached_property
    def change_log(self) -> ChangeLog:
        """All changes by undo batch."""
        from todo_tui.store.operations.change_log import ChangeLog

        return ChangeLog(self._db)

    @property
    def turns(self) -> TurnStore:
        """Turns of the conversations."""
        return self.conversations.turns

    @cached_property
    def usage(self) -> UsageStore:
        """Token and cost sums of model calls."""
        from todo_tui.store.conversations.usage import UsageStore

        return UsageStore(self._db)

    @cached_property
    def metrics(self) -> MetricsStore:
        """Latency, outcomes and errors of turns, models and tools."""
        from todo_tui.store.conversations.metrics import MetricsStore

        return MetricsStore(self._db)

    @cached_property
    def statistics(self) -> StatisticsStore:
        """Statistics, counts per day, and the project tree."""
        from todo_tui.store.statistics import StatisticsStore

        return StatisticsStore(self._db)

    @cached_property
    def reminders(self) -> ReminderStore:
        """Due, announced and snoozed reminders."""
        from todo_tui.store.reminders import ReminderStore

        return ReminderStore(self._db)

    @cached_property
    def proposals(self) -> ProposalStore:
        """Changes of agents that wait for the user."""
        from todo_tui.store.proposals import ProposalStore

        return ProposalStore(self._db)

    @cached_property
    def knowledge(self) -> KnowledgeStore:
        """Documents, and the search over them."""
        from todo_tui.store.knowledge import KnowledgeStore

        return KnowledgeStore(self._db)

    @cached_property
    def vectors(self) -> VectorStore:
        """Vectors of the documents' passages."""
        from todo_tui.store.vectors import VectorStore

        return VectorStore(self._db)

    @cached_property
    def views(self) -> ViewStore:
        """Saved views."""
        from todo_tui.store.views import ViewStore

        return ViewStore(self._db)

    @cached_property
    def index(self) -> StoreIndex:
        """The tasks as the built-in assistant may read them."""
        from todo_tui.store.tasks.index import StoreIndex

        return StoreIndex(self.tasks, self.read_query)

    def read_query(self, text: str) -> Query:
        """Parse a filter as `ViewStore.parse`, with the saved views that it mentions."""
        # Only a list with a filter loads the parser.
        from todo_tui.domain.filters.terms import Query

        return self.views.parse(text, self.views.names_in(text)) if text.strip() else Query()

    def filter_names(self) -> FilterNames:
        """Return the projects, tags and views that a filter can mention."""
        return self.views.names(self.tasks.projects(), self.tasks.tags())

    def new_change_context(
        self, actor: Actor, turn_id: str | None = None, *, agent: str | None = None
    ) -> ChangeContext:
        """Create the context of a new undo batch."""
        return ChangeContext(actor, self._db.new_id(), turn_id, agent)

    def preview_undo(
        self, turn_id: str | None, *, redo: bool = False, after: int = 0
    ) -> UndoPreview | None:
        """Return what the next undo or redo would change, seen from the conversation of a turn.

        With `after`, what one would change that follows as many others.
        """
        return preview_undo(self._db, turn_id, redo=redo, after=after)

    def transaction(self, *, dry_run: bool = False) -> AbstractContextManager[None]:
        """Make all reads and writes of this thread one transaction; a dry run writes nothing.

        Changes are announced after the commit, those of a dry run at once. Inside another one it
        is a part of that.
        """
        return self.file.transaction(dry_run=dry_run)

    def copy_to(self, path: Path) -> None:
        """Copy the whole database to a new file with mode 0600.

        Raises:
            StoreError: it cannot be read, or the copy cannot be written.
        """
        with translate_errors(path):
            copy_database(self.path, path)

    def poll(self) -> bool:
        """Return True if another process changed the file since the last poll; never waits.

        Raises:
            StoreReplaced: the file was deleted, replaced or overwritten; `reopen` goes on.
        """
        return self.file.changed_by_others()

    def reopen(self) -> None:
        """Reopen the path after `StoreReplaced`; creates no file.

        Raises:
            StoreError: it cannot be used; nothing was written.
        """
        reopen_database(self.file)
        if "conversations" in self.__dict__ and not self.file.is_read_only:
            with suppress(StoreBusy):
                self.turns.recover()

    def problems(self) -> tuple[str, ...]:
        """Return the findings of SQLite's integrity check; empty if the file is sound."""
        return self.file.problems()

    def close(self) -> None:
        """Close the file; the store must not be used afterwards."""
        self.file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def open_store(
    path: Path,
    *,
    user: str,
    clock: Clock,
    new_id: NewId = random_id,
    style: DateStyle | None = None,
    busy_seconds: float = BUSY_SECONDS,
    state_folder: Path | None = None,
) -> Store:
    """Open the database file for one user; create folder and file if they are missing.

    A read-only file is opened too; then writes raise StoreUnwritable. Without a state folder the
    decisions of the user are forgotten at the end.

    Raises:
        StoreError: it cannot be used; see `open_database`.
    """
    file = open_database(path, busy_seconds=busy_seconds, zone=clock.zone)
    return Store(
        UserDatabase(file, user, clock, new_id, style or DateStyle(zone=clock.zone)), state_folder
    )
