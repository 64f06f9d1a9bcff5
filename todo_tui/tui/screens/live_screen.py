"""Base of modal screens that reload when tasks change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from textual import on, work
from textual.screen import ModalScreen

from todo_tui.tui.messages import StoreChangedElsewhere, TasksChanged, post_task_changes
from todo_tui.tui.services import AppServices

ScreenResult = TypeVar("ScreenResult")


class LiveScreen(ModalScreen[ScreenResult]):
    """Screen that reads when it opens, and again after a write by any process."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self.services = services
        self._unsubscribe: Callable[[], None] | None = None

    async def load(self) -> None:
        """Read and show the content."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Read the content and subscribe to the store."""
        self._unsubscribe = post_task_changes(self.services.store, self)
        self.read()

    def on_unmount(self) -> None:
        """Unsubscribe from the store."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @on(TasksChanged)
    @on(StoreChangedElsewhere)
    @work(group="reading", exclusive=True)
    async def read(self) -> None:
        """Read again; a newer call replaces one that is still running."""
        await self.load()
