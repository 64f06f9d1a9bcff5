"""Keeps the list true: what the store announces, what a filter asks, what was just done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from textual.timer import Timer

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.urgency import TaskGroup
from todo_tui.tui.views.section import SECTIONS
from todo_tui.tui.widgets.afterglow import Afterglow
from todo_tui.tui.widgets.task_contents import Places, TaskContents
from todo_tui.tui.widgets.task_header import HeaderFacts
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_outline import TaskOutline

JUST_DONE_SECONDS = 1.6
"""How long a task that was completed keeps its row, struck and green."""
MARK_SECONDS = 10.0
"""How long a changed row stays marked."""

_NOTHING_YET = (
    "Nothing here yet.",
    "Press a, or tell the assistant: add buy milk tomorrow 5pm.",
)
_ALL_DONE = ("All done. Enjoy the quiet.",)


class LiveList:
    """What stands between the store's news and the widget that draws.

    `facts_changed` is called whenever the counts or the filter may have changed.
    """

    def __init__(
        self,
        view: TaskList,
        outline: TaskOutline,
        contents: TaskContents,
        facts_changed: Callable[[HeaderFacts], None],
    ) -> None:
        self._view = view
        self._outline = outline
        self._contents = contents
        self._facts_changed = facts_changed
        self._afterglow = Afterglow()
        self._trouble: TodoError | None = None
        self._news = 0
        self._fading: Timer | None = None

    def load(self) -> None:
        """Read the list; blocks for a few milliseconds with a thousand tasks."""
        try:
            self._show(self._contents.read())
        except TodoError as error:
            self._show_trouble(error)

    async def load_in_background(self, pause: float) -> None:
        """After a pause in seconds read the list in a thread, again where tasks changed then."""
        await asyncio.sleep(pause)
        while True:
            news = self._news
            wanted = self._contents.text
            try:
                places = await asyncio.to_thread(self._contents.read)
            except TodoError as error:
                self._show_trouble(error)
                return
            if news == self._news and wanted == self._contents.text:
                self._show(places)
                return

    def take(self, changes: tuple[TaskChange, ...], *, follow: bool) -> None:
        """Bring changed tasks up to date and mark them; `follow`: scroll to them too."""
        self._news += 1
        self._afterglow.take(changes)
        self._view.know(change.task for change in changes)
        with self._view.rearranging() as outline:
            for change in changes:
                self._place(change, outline)
        self._view.show_just_done(self._afterglow.just_done)
        self._view.mark(self._afterglow.marks)
        self._tell()
        if follow:
            self._view.bring_into_view(change.task.id for change in changes)
        if self._fading is not None:
            self._fading.stop()
        self._fading = self._view.set_timer(MARK_SECONDS, self._fade)

    def settle(self, task_ids: Iterable[int]) -> None:
        """Let tasks that were completed go where they belong; the cursor stays behind."""
        leaving = [each for each in task_ids if each in self._afterglow.just_done]
        if not leaving:
            return
        self._afterglow.settle(leaving)
        with self._view.rearranging(leaving=leaving) as outline:
            for task_id in leaving:
                task = self._view.task_of(task_id)
                outline.put(task_id, *(() if task is None else self._contents.places(task)))
        self._view.show_just_done(self._afterglow.just_done)
        self._tell()

    def _place(self, change: TaskChange, outline: TaskOutline) -> None:
        task = change.task
        present = outline.place_of(task.id)
        if (
            change.kind is ChangeKind.COMPLETED
            and present is not None
            and not present.section.is_closed
        ):
            self._afterglow.just_done.add(task.id)
            self._view.set_timer(JUST_DONE_SECONDS, lambda: self.settle([task.id]))
            return
        self._afterglow.just_done.discard(task.id)
        # What is purged is told of in its last state, in which it would still fit.
        is_gone = change.kind is ChangeKind.PURGED
        outline.put(task.id, *(() if is_gone else self._contents.places(task)))

    def _show(self, places: Places) -> None:
        self._trouble = None
        self._afterglow.just_done.clear()
        self._view.show_just_done(())
        with self._view.rearranging() as outline:
            outline.load(places)
        self._view.forget()
        self._tell()

    def _show_trouble(self, error: TodoError) -> None:
        self._trouble = error
        self._tell()

    def _fade(self) -> None:
        self._afterglow.fade()
        self._view.mark({})

    def _tell(self) -> None:
        self._view.teach(self._lesson())
        just_done = map(self._outline.place_of, self._afterglow.just_done)
        overdue_done = sum(place is not None and place.section.is_late for place in just_done)
        self._facts_changed(
            HeaderFacts(
                open=self._open_count() - len(self._afterglow.just_done),
                overdue=self._outline.count(SECTIONS[TaskGroup.OVERDUE]) - overdue_done,
                closed=self._closed_count() if self._contents.text else 0,
                filter_name=self._contents.text,
            )
        )

    def _open_count(self) -> int:
        return len(self._outline) - self._closed_count()

    def _closed_count(self) -> int:
        return sum(count for section, count in self._outline.sections if section.is_closed)

    def _lesson(self) -> tuple[str, ...]:
        if self._trouble is not None:
            return tuple(filter(None, (self._trouble.message, self._trouble.hint)))
        if self._open_count() or (self._contents.text and len(self._outline)):
            return ()
        if self._contents.text:
            instead = self._contents.suggestion
            return (
                f"Nothing fits “{self._contents.text}”.",
                *([f"{instead} shows what is due then."] if instead else []),
                "Esc shows all tasks again.",
            )
        return _ALL_DONE if len(self._outline) else _NOTHING_YET
