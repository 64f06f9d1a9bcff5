"""Everything about the task under the cursor, below the list."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.errors import StoreError, ValidationError
from todo_tui.domain.recurrence import Recurrence, dates_after, recurrence_told
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.domain.zones import living_zone
from todo_tui.tui.later import Later
from todo_tui.tui.theme import MUTED
from todo_tui.tui.views.why import why
from todo_tui.tui.widgets.cell_text import steady
from todo_tui.tui.widgets.markdown_text import Links, linked, markdown_content
from todo_tui.tui.widgets.task_relatives import Relatives, read_relatives, relatives_lines

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.tasks import TaskStore

_DATES_AHEAD = 3
_PAUSE_SECONDS = 0.05

_log = logging.getLogger(__name__)


class TaskDetail(VerticalScroll, can_focus=False):
    """A panel that follows the cursor while it is open; addresses in it open by a click.

    What hangs on the task is read in a thread, once the cursor rests.
    """

    def __init__(self, tasks: TaskStore) -> None:
        super().__init__()
        self._tasks = tasks
        self._text = Static(markup=False, id="detail-text")
        self._links = Links()
        self._task_id: int | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._text

    @property
    def is_open(self) -> bool:
        """Whether it is seen."""
        return self.has_class("-open")

    def show(self, task: Task | None, now: datetime, zone: str) -> None:
        """Open it with a task; without one it is empty."""
        self.add_class("-open")
        task_id = None if task is None else task.id
        if task_id != self._task_id:
            self._task_id = task_id
            self.scroll_home(animate=False)
        self._draw(task, Relatives(), now, zone)
        if task is not None:
            self.run_worker(Later(self._read_more, task, now, zone), group="detail", exclusive=True)

    def close(self) -> None:
        """Put it away."""
        self.remove_class("-open")

    def action_open_link(self, number: int) -> None:
        """Open an address that was clicked."""
        self.app.open_url(self._links.url(number))

    async def _read_more(self, task: Task, now: datetime, zone: str) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        try:
            relatives = await asyncio.to_thread(read_relatives, self._tasks, task)
        except StoreError:
            _log.warning("what hangs on a task cannot be read", exc_info=True)
            return
        if self.is_open:
            self._draw(task, relatives, now, zone)

    def _draw(self, task: Task | None, relatives: Relatives, now: datetime, zone: str) -> None:
        self._links = Links()
        if task is None:
            self._text.update(Content(""))
            return
        self._text.update(described(task, relatives, now, zone, self._links))


def described(task: Task, relatives: Relatives, now: datetime, zone: str, links: Links) -> Content:
    """All that a row has no room for: the whole title, facts in words, notes, remarks, others."""
    paragraphs = [
        linked(_plain(task.title), links, "bold"),
        Content.styled(" · ".join(_facts(task, relatives, now, zone)), MUTED),
    ]
    coming = coming_words(task, now, zone)
    if coming:
        paragraphs.append(Content.styled(coming, MUTED))
    urgency = why(task, relatives.blockers, now).sentence
    if urgency:
        paragraphs.append(Content.styled(urgency, MUTED))
    if task.notes:
        paragraphs.append(markdown_content(task.notes, links))
    for remark in task.annotations:
        day = when_words(When(remark.at.astimezone(ZoneInfo(zone)).date()), now)
        paragraphs.append(Content.styled(f"{day}: ", MUTED) + linked(_plain(remark.text), links))
    paragraphs += relatives_lines(relatives, now, zone)
    return Content("\n").join(paragraphs)


def coming_words(task: Task, now: datetime, zone: str) -> str:
    """The dates of what repeats that follow the present one; empty without any."""
    if task.recurrence is None or task.due is None or not task.is_open:
        return ""
    recurrence = Recurrence(task.recurrence, task.repeat_from)
    try:
        there = living_zone(task.due_zone, zone)
        dates = dates_after(recurrence, task.due, now, _DATES_AHEAD, there)
    except ValidationError:
        return ""
    return f"then {', '.join(when_words(each, now) for each in dates)}" if dates else ""


def _facts(task: Task, relatives: Relatives, now: datetime, zone: str) -> Iterator[str]:
    yield f"#{task.id}"
    yield from _state(task, now, zone)
    yield from _days(task, now)
    if task.priority is not None:
        yield f"{task.priority.value} priority"
    if task.project:
        yield f"in {_plain(task.project)}"
    if task.tags:
        yield " ".join(f"@{_plain(tag)}" for tag in task.tags)
    if task.blocked_by and not relatives.blockers:
        yield "waits for " + ", ".join(f"#{blocker}" for blocker in task.blocked_by)


def _state(task: Task, now: datetime, zone: str) -> Iterator[str]:
    if task.deleted_at is not None:
        yield "in the trash"
    if task.completed_at is not None:
        done_on = task.completed_at.astimezone(ZoneInfo(zone)).date()
        yield f"{task.status.value} {when_words(When(done_on), now)}"
    elif task.status is not Status.TODO:
        yield task.status.value


def _days(task: Task, now: datetime) -> Iterator[str]:
    if task.due is not None:
        yield f"due {when_words(task.due, now)}"
        if task.is_overdue(now):
            yield due_words(task.due, now)
    if task.recurrence is not None:
        yield recurrence_told(Recurrence(task.recurrence, task.repeat_from))
    if task.start is not None:
        yield f"starts {when_words(task.start, now)}"


def _plain(text: str) -> str:
    return steady(plain_line(text))
