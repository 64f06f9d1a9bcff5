"""Base of modal screens that reload when tasks change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual import on
from textual.screen import ModalScreen

from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.messages import StoreChangedElsewhere, TasksChanged
from todo_tui.tui.services import AppServices

if TYPE_CHECKING:
    from todo_tui.domain.changes import TaskChange


ScreenResult = TypeVar("ScreenResult")


class LiveScreen(ModalScreen[ScreenResult]):
    """Reads when it opens, and again whenever this process or another one wrote tasks."""

    def __init__(self, workbench: AppServices) -> None:
        super().__init__()
        self._store = workbench.store
        self._unsubscribe: Callable[[], None] | None = None

    async def load(self) -> None:
        """Read what is shown, and show it."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Read, and listen to the store."""
        self._unsubscribe = self._store.tasks.subscribe(self._post_changes)
        self.read()

    def on_unmount(self) -> None:
        """Stop listening to the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @on(TasksChanged)
    @on(StoreChangedElsewhere)
    def read(self) -> None:
        """Read anew; of several calls the last one shows what it finds."""
        self.run_worker(LazyCoroutine(self.load), group="reading", exclusive=True)

    def _post_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Called on whichever thread wrote."""
        self.post_message(TasksChanged(changes))
