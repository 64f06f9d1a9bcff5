"""The store as one user holds it: tasks, conversations and memory over one file."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from todo_tui.domain.changes import Gesture
from todo_tui.domain.clock import Clock, NewId
from todo_tui.domain.task import Actor
from todo_tui.domain.text import folded
from todo_tui.domain.when import DateStyle
from todo_tui.store.consents import HostConsents
from todo_tui.store.database import DatabaseFile
from todo_tui.store.memory import Memory
from todo_tui.store.tasks import TaskStore

if TYPE_CHECKING:
    from todo_tui.domain.filter_names import FilterNames
    from todo_tui.domain.filter_query import Query
    from todo_tui.store.agenda import Agenda
    from todo_tui.store.conversations import ConversationStore
    from todo_tui.store.reminders import ReminderStore
    from todo_tui.store.results import UndoPreview
    from todo_tui.store.spending import SpendingStore
    from todo_tui.store.statistics import StatisticsStore
    from todo_tui.store.views import ViewStore


class Store:
    """Everything of one user; safe to use from several threads.

    Made by `todo_tui.store.opening.open_store`.
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
        self.memory = Memory(file, user=user)
        self.consents = HostConsents(self.memory)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._file.path

    @cached_property
    def conversations(self) -> ConversationStore:
        """Conversations; turns of dead processes are marked as interrupted at first use."""
        # `todo-tui add` never speaks: it does without the import and the look.
        from todo_tui.store.conversations import ConversationStore

        conversations = ConversationStore(
            self._file, user=self.user, clock=self.clock, new_id=self._new_id
        )
        if not self._file.is_read_only:
            conversations.recover()
        return conversations

    @cached_property
    def spending(self) -> SpendingStore:
        """What models were used for."""
        # As above: most commands never ask.
        from todo_tui.store.spending import SpendingStore

        return SpendingStore(self._file, user=self.user, clock=self.clock)

    @cached_property
    def statistics(self) -> StatisticsStore:
        """What was done, day by day."""
        from todo_tui.store.statistics import StatisticsStore  # as above

        return StatisticsStore(self._file, user=self.user, clock=self.clock)

    @cached_property
    def reminders(self) -> ReminderStore:
        """Which tasks ask for attention, and which have."""
        from todo_tui.store.reminders import ReminderStore  # as above

        return ReminderStore(self._file, user=self.user, clock=self.clock)

    @cached_property
    def views(self) -> ViewStore:
        """Saved views."""
        from todo_tui.store.views import ViewStore  # as above

        return ViewStore(self._file, user=self.user, clock=self.clock, style=self.style)

    @cached_property
    def agenda(self) -> Agenda:
        """Counts by day and by project."""
        from todo_tui.store.agenda import Agenda  # as above

        return Agenda(self._file, user=self.user, clock=self.clock)

    def read_query(self, text: str) -> Query:
        """Read a filter as this user means it now, saved views included.

        Raises:
            FilterProblem: it cannot be read.
        """
        from todo_tui.domain.filter_query import Query

        if not text.strip():
            return Query()
        # What follows takes its time to load, and a list without a filter does without.
        from todo_tui.domain.filter_grammar import parse_query

        return parse_query(text, self.clock.now(), self.style, self.views_mentioned(text))

    def views_mentioned(self, text: str) -> FilterNames:
        """The names without which a filter cannot be read: those of views, if it has any."""
        from todo_tui.domain.filter_names import FilterNames

        # Most filters mention no view, and do without a look at them.
        return FilterNames(views=self.views.texts() if "view" in folded(text) else {})

    def filter_names(self) -> FilterNames:
        """What there is for filters to mention: projects, tags and views."""
        from todo_tui.domain.filters import FilterNames

        return FilterNames(self.tasks.projects(), self.tasks.tag_names(), self.views.texts())

    def gesture(self, actor: Actor, turn_id: str | None = None) -> Gesture:
        """A new batch: what is written with it is undone together."""
        return Gesture(actor, self._new_id(), turn_id)

    def preview_undo(self, turn_id: str | None, *, redo: bool = False) -> UndoPreview | None:
        """Return what the next undo, or redo, would touch, as a turn's conversation sees it."""
        from todo_tui.store.previewing import preview_undo

        return preview_undo(self._file, self.user, turn_id, redo=redo)

    def poll(self) -> bool:
        """Whether another process changed the file since the last poll; cheap, never waits.

        Raises:
            StoreReplaced: the file was deleted, replaced or overwritten; `reopen` goes on.
        """
        return self._file.changed_by_others()

    def reopen(self) -> None:
        """Go on with the file that lies at the path now; no file is made.

        Raises:
            StoreError: it cannot be used; nothing was written.
        """
        from todo_tui.store.opening import reopen_database  # imports this module

        reopen_database(self._file)
        self.tasks.forget_held()
        if "conversations" in self.__dict__ and not self._file.is_read_only:
            self.conversations.recover()

    def problems(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the file; empty where it is sound."""
        return self._file.problems()

    def close(self) -> None:
        """Close the file; the store is not used afterwards."""
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
