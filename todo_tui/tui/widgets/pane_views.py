"""Which view the list shows: gone to by key, by name or by mouse, and remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from todo_tui.domain.errors import StoreError
from todo_tui.tui.views.view import ALL, View, all_views, remembered
from todo_tui.tui.widgets.live_list import LiveList
from todo_tui.tui.widgets.task_contents import TaskContents

if TYPE_CHECKING:
    # Whoever opens the app has opened the store.
    from todo_tui.store.workspace import Store

_REMEMBERED = "list.view"


class PaneViews:
    """The view of one pane; `read_anew` is called when the list is to be read."""

    def __init__(
        self, store: Store, contents: TaskContents, live: LiveList, read_anew: Callable[[], None]
    ) -> None:
        self._store = store
        self._contents = contents
        self._live = live
        self._read_anew = read_anew

    @property
    def is_elsewhere(self) -> bool:
        """Whether another view than that of all tasks is shown."""
        return self._contents.view != ALL

    @property
    def memento(self) -> str:
        """What was shown when the app was left; empty for all tasks."""
        try:
            return self._store.memory.get(_REMEMBERED) or ""
        except StoreError:
            return ""

    async def come_back(self, memento: str) -> None:
        """Show what was shown last time."""
        view = remembered(memento, await self.all())
        if view == ALL:
            self._read_anew()
        else:
            self._go_to(view)

    async def all(self) -> tuple[View, ...]:
        """Every view there is, the person's own after the others."""
        try:
            return all_views(await asyncio.to_thread(self._store.views.list))
        except StoreError:
            return all_views(())

    async def step(self, steps: int) -> None:
        """Go on by so many views, round and round."""
        views = await self.all()
        present = self._contents.view
        place = views.index(present) if present in views else 0
        await self.show(views[(place + steps) % len(views)])

    async def show(self, view: View) -> None:
        """Show a view, and again at the next start."""
        if view == self._contents.view:
            return
        self._go_to(view)
        try:
            memento = None if view == ALL else view.memento
            await asyncio.to_thread(self._store.memory.set, _REMEMBERED, memento)
        except StoreError:
            # It is shown all the same; the next start begins with another one.
            return

    def _go_to(self, view: View) -> None:
        self._live.leave()
        self._contents.view = view
        self._live.announce()
        self._read_anew()
