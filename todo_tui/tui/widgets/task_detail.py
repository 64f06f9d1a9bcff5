"""Everything about the task under the cursor, below the list."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.recurrence import Recurrence, recurrence_words
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.domain.when import When
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.cell_text import steady


class TaskDetail(Static):
    """A panel that follows the cursor while it is open."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    @property
    def is_open(self) -> bool:
        """Whether it is seen."""
        return self.has_class("-open")

    def show(self, task: Task | None, now: datetime, zone: str) -> None:
        """Open it with a task; without one it is empty."""
        self.add_class("-open")
        self.update(Content("") if task is None else described(task, now, zone))

    def close(self) -> None:
        """Put it away."""
        self.remove_class("-open")


def described(task: Task, now: datetime, zone: str) -> Content:
    """All that a row has no room for: the whole title, facts in words, notes, remarks."""
    paragraphs = [
        Content.styled(_plain(task.title), "bold"),
        Content.styled(" · ".join(_facts(task, now, zone)), MUTED),
    ]
    if task.notes:
        paragraphs.append(Content(steady(plain_text(task.notes))))
    for remark in task.annotations:
        day = when_words(When(remark.at.astimezone(ZoneInfo(zone)).date()), now)
        paragraphs.append(Content(f"{day}: {_plain(remark.text)}"))
    return Content("\n").join(paragraphs)


def _facts(task: Task, now: datetime, zone: str) -> Iterator[str]:
    yield f"#{task.id}"
    yield from _state(task, now, zone)
    yield from _days(task, now)
    if task.priority is not None:
        yield f"{task.priority.value} priority"
    if task.project:
        yield f"in {_plain(task.project)}"
    if task.tags:
        yield " ".join(f"@{_plain(tag)}" for tag in task.tags)
    if task.blocked_by:
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
        yield recurrence_words(Recurrence(task.recurrence, task.repeat_from))
    if task.start is not None:
        yield f"starts {when_words(task.start, now)}"


def _plain(text: str) -> str:
    return steady(plain_line(text))
