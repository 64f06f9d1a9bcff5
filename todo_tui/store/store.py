"""Store: everything of one user over one database file; `open_store` opens or refuses the file."""

from __future__ import annotations

import sqlite3
import time
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.errors import StoreUnreadable, StoreUnwritable
from todo_tui.domain.task import Actor
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import Clock, DateStyle, NewId, random_id
from todo_tui.store.connection import (
    BUSY_SECONDS,
    connect,
    file_id,
    is_busy,
    is_read_only,
    translate_errors,
)
from todo_tui.store.database import (
    CURRENT_FORMAT,
    FIRST_SCHEMA_VERSION,
    DatabaseFile,
    SchemaFormat,
    create_private_file,
    migrate,
    refuse_foreign_file,
    refuse_missing,
    schema_version,
)
from todo_tui.store.settings import HostConsents, KeyValueStore
from todo_tui.store.tasks.repository import TaskStore

if TYPE_CHECKING:
    from todo_tui.domain.filters.lexer import FilterNames
    from todo_tui.domain.filters.terms import Query
    from todo_tui.store.conversations.repository import ConversationStore
    from todo_tui.store.conversations.usage import UsageStore
    from todo_tui.store.reminders import ReminderStore
    from todo_tui.store.statistics import Agenda, StatisticsStore
    from todo_tui.store.tasks.select import UndoPreview
    from todo_tui.store.views import ViewStore

_CACHE_KILOBYTES = 32_000
_PAGE_BYTES = 16_384
"""Page size of a new file: each page costs two writes besides its bytes, which slows imports."""
_OLDEST_SQLITE = (3, 37, 0)  # STRICT tables


class Store:
    """Tasks, conversations and settings of one user; safe to use from several threads.

    Created by `open_store`.
    """

    def __init__(
        self, file: DatabaseFile, *, user: str, clock: Clock, new_id: NewId, style: DateStyle
    ) -> None:
        self.user = user
        self.clock = clock
        self.style = style
        self._file = file
        self._new_id = new_id
        self.tasks = TaskStore(file, user=user, clock=clock, new_id=new_id)
        self.memory = KeyValueStore(file, user=user)
        self.consents = HostConsents(self.memory)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._file.path

    @cached_property
    def conversations(self) -> ConversationStore:
        """Return the conversations; the first use marks turns of dead processes as interrupted."""
        # Imported at first use, like the stores below: most commands need none of them, and
        # `todo-tui add` also saves the query for interrupted turns.
        from todo_tui.store.conversations.repository import ConversationStore

        conversations = ConversationStore(
            self._file, user=self.user, clock=self.clock, new_id=self._new_id
        )
        if not self._file.is_read_only:
            conversations.recover()
        return conversations

    @cached_property
    def usage(self) -> UsageStore:
        """Token and cost sums of model calls."""
        from todo_tui.store.conversations.usage import UsageStore

        return UsageStore(self._file, user=self.user, clock=self.clock)

    @cached_property
    def statistics(self) -> StatisticsStore:
        """Statistics of completed tasks."""
        from todo_tui.store.statistics import StatisticsStore

        return StatisticsStore(self._file, user=self.user, clock=self.clock)

    @cached_property
    def reminders(self) -> ReminderStore:
        """Due, announced and snoozed reminders."""
        from todo_tui.store.reminders import ReminderStore

        return ReminderStore(self._file, user=self.user, clock=self.clock)

    @cached_property
    def views(self) -> ViewStore:
        """Saved views."""
        from todo_tui.store.views import ViewStore

        return ViewStore(self._file, user=self.user, clock=self.clock, style=self.style)

    @cached_property
    def agenda(self) -> Agenda:
        """Task counts per day and per project."""
        from todo_tui.store.statistics import Agenda

        return Agenda(self._file, user=self.user, clock=self.clock)

    def read_query(self, text: str) -> Query:
        """Parse a filter in the user's date style and at the current time, saved views included.

        Raises:
            FilterProblem: it cannot be read.
        """
        from todo_tui.domain.filters.terms import Query

        if not text.strip():
            return Query()
        # Only a list with a filter loads the parser.
        from todo_tui.domain.filters.parser import parse_query

        return parse_query(text, self.clock.now(), self.style, self.views_mentioned(text))

    def views_mentioned(self, text: str) -> FilterNames:
        """Return the names needed to parse a filter: the saved views, if it mentions any."""
        from todo_tui.domain.filters.lexer import FilterNames

        # Most filters mention no view and need no query.
        return FilterNames(views=self.views.texts() if "view" in fold_case(text) else {})

    def filter_names(self) -> FilterNames:
        """Return the projects, tags and views that a filter can mention."""
        from todo_tui.domain.filters.lexer import FilterNames

        return FilterNames(self.tasks.projects(), self.tasks.tag_names(), self.views.texts())

    def new_change_context(self, actor: Actor, turn_id: str | None = None) -> ChangeContext:
        """Create the context of a new undo batch."""
        return ChangeContext(actor, self._new_id(), turn_id)

    def preview_undo(self, turn_id: str | None, *, redo: bool = False) -> UndoPreview | None:
        """Return what the next undo or redo would change, seen from the conversation of a turn."""
        from todo_tui.store.operations.undo import preview_undo

        return preview_undo(self._file, self.user, turn_id, redo=redo)

    def poll(self) -> bool:
        """Return True if another process changed the file since the last poll; never waits.

        Raises:
            StoreReplaced: the file was deleted, replaced or overwritten; `reopen` goes on.
        """
        return self._file.changed_by_others()

    def reopen(self) -> None:
        """Reopen the path after `StoreReplaced`; creates no file.

        Raises:
            StoreError: it cannot be used; nothing was written.
        """
        reopen_database(self._file)
        self.tasks.clear_cache()
        if "conversations" in self.__dict__ and not self._file.is_read_only:
            self.conversations.recover()

    def problems(self) -> tuple[str, ...]:
        """Return the findings of SQLite's integrity check; empty if the file is sound."""
        return self._file.problems()

    def close(self) -> None:
        """Close the file; the store must not be used afterwards."""
        self._file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def open_store(
    path: Path,
    *,
    user: str,
    clock: Clock,
    new_id: NewId = random_id,
    style: DateStyle | None = None,
    busy_seconds: float = BUSY_SECONDS,
) -> Store:
    """Open the database file for one user; create folder and file if they are missing.

    A read-only file is opened too; then writes raise StoreUnwritable.

    Raises:
        StoreUnreadable: a foreign, newer, older, corrupt or unreadable file; left untouched.
        StoreUnwritable: folder or file cannot be created, or the file not be migrated.
        StoreBusy: another process held the file longer than `busy_seconds`.
    """
    file = open_database(path, busy_seconds=busy_seconds)
    return Store(file, user=user, clock=clock, new_id=new_id, style=style or DateStyle())


def open_database(
    path: Path,
    *,
    wanted: SchemaFormat = CURRENT_FORMAT,
    busy_seconds: float = BUSY_SECONDS,
    may_create: bool = True,
) -> DatabaseFile:
    """Open the file and migrate it to the wanted schema.

    Raises:
        StoreError: as `open_store`; or there is no file and `may_create` is False.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreUnreadable(
            f"This Python comes with SQLite {sqlite3.sqlite_version}; 3.37 or newer is needed.",
            hint="Use a newer Python.",
        )
    if not may_create:
        refuse_missing(path)
    refuse_foreign_file(path)
    given = path
    if path.is_symlink():
        path = path.resolve()
    if may_create:
        create_private_file(path)
    with translate_errors(path):
        try:
            return _open_writable(given, path, wanted, busy_seconds)
        except sqlite3.OperationalError as error:
            if not is_read_only(error):
                raise
            if _log_is_needed(path):
                raise StoreUnwritable(
                    f"{path} cannot be opened where nothing can be written: {path.name}-wal has "
                    "changes that are not in it yet.",
                    hint="Copy both files to a writable folder, and open the copy with --db.",
                ) from error
            read_only = _open_read_only(given, path, wanted.version, busy_seconds)
            if read_only is None:
                raise
            return read_only


def reopen_database(file: DatabaseFile, busy_seconds: float = BUSY_SECONDS) -> None:
    """Reopen the path of `file` after `StoreReplaced`.

    Raises:
        StoreError: as `open_database`; no file is created.
    """
    if not file.is_in_place:
        # Checked while the previous file is still open, so that it stays usable on refusal.
        refuse_missing(file.given)
        refuse_foreign_file(file.given)
    file.reopen(lambda: open_database(file.given, busy_seconds=busy_seconds, may_create=False))


def _open_writable(
    given: Path, path: Path, wanted: SchemaFormat, busy_seconds: float
) -> DatabaseFile:
    database = file_id(path)
    writer = connect(path, busy_seconds=busy_seconds)
    try:
        _set_up(writer)
        found = schema_version(writer)
        _refuse_other_versions(path, found, wanted.version)
        if found < wanted.version:
            migrate(writer, path, wanted, busy_seconds)
        _switch_to_wal(writer, busy_seconds)
        return DatabaseFile(path, writer, busy_seconds, given=given, database=database)
    except BaseException:
        writer.close()
        raise


def _log_is_needed(path: Path) -> bool:
    """Return True if the write-ahead log holds commits that the main file lacks."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _open_read_only(
    given: Path, path: Path, version: int, busy_seconds: float
) -> DatabaseFile | None:
    """Open a file where SQLite cannot create its lock files; None if the schema is older.

    No process with the same permissions can change it, so it is opened as immutable.
    """
    database = file_id(path)
    writer = connect(path, busy_seconds=busy_seconds, access="immutable")
    try:
        found = schema_version(writer)
        _refuse_other_versions(path, found, version)
    except BaseException:
        writer.close()
        raise
    if found < version:
        writer.close()
        return None
    return DatabaseFile(
        path, writer, busy_seconds, access="immutable", given=given, database=database
    )


def _refuse_other_versions(path: Path, found: int, version: int) -> None:
    if found > version:
        raise StoreUnreadable(
            f"{path} was written by a newer todo-tui (format {found}, this one reads {version}).",
            hint="Upgrade todo-tui; the file was left as it is.",
        )
    if 0 < found < FIRST_SCHEMA_VERSION:
        raise StoreUnreadable(
            f"{path} was made by a development version; it was left as it is.",
            hint="Export it with that version, then import.",
        )


def _set_up(writer: sqlite3.Connection) -> None:
    # Takes effect on an empty file only.
    writer.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    # NORMAL: with a write-ahead log a commit is in the kernel's hands when it is
    # confirmed, so no kill of the process can lose it and the file stays sound even
    # when the power fails, which may then cost the last seconds. FULL would wait for
    # the disk at every key press to save those. Checkpoints, the one at the last
    # close too, do wait for the disk.
    writer.execute("PRAGMA synchronous = NORMAL")
    writer.execute("PRAGMA foreign_keys = ON")
    # Purged text is overwritten, not just unlinked.
    writer.execute("PRAGMA secure_delete = ON")
    # The default of 2 MB makes large imports slow; memory is allocated as needed.
    writer.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")


def _switch_to_wal(writer: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to write-ahead logging; SQLite's busy handler does not cover this statement."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            mode = writer.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= deadline:
                raise
        else:
            if mode == "wal" or time.monotonic() >= deadline:
                return
        time.sleep(0.01)
