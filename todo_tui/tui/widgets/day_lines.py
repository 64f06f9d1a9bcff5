"""The tasks of one day of the calendar, in lines."""

from __future__ import annotations

from datetime import date, datetime

from textual.content import Content

from todo_tui.domain.date_text import DAY_NAMES
from todo_tui.domain.phrases.spoken import day_words
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.views.month import DayPage
from todo_tui.tui.widgets.cell_text import steady

_MARKS = {Priority.HIGH: " !!!", Priority.MEDIUM: " !!", Priority.LOW: " !"}


def day_lines(page: DayPage, day: date, now: datetime) -> Content:
    """The day in words, its tasks, then dimly what will come again on it."""
    lines = [_head(page, day, now.date())]
    lines += [_line(task, now) for task in page.tasks]
    if page.due > len(page.tasks):
        lines.append(Content.styled(f"  {page.due - len(page.tasks):,} more · Enter", MUTED))
    lines += [Content.styled(f"↻ {_title(task)}", FAINT) for task in page.coming]
    if page.coming:
        lines.append(Content.styled("  when the one before is done", FAINT))
    if len(lines) == 1:
        lines.append(Content.styled("Nothing is due.", MUTED))
    return Content("\n").join(lines)


def _head(page: DayPage, day: date, today: date) -> Content:
    name = DAY_NAMES.get((day - today).days)
    words = day_words(day, today)
    facts = [
        *([f"{page.due:,} due"] if page.due else []),
        *([f"{page.done:,} done"] if page.done else []),
    ]
    head = f"{name.capitalize()} · {words}" if name else words
    return Content.assemble((head, "bold"), (f"\n{' · '.join(facts)}\n" if facts else "", MUTED))


def _line(task: Task, now: datetime) -> Content:
    due = task.due
    at = "" if due is None or due.at is None else f"{due.at:%H:%M} "
    circle = "◐" if task.status is Status.DOING else "○"
    style = "$text-error" if task.is_overdue(now) else ""
    mark = "" if task.priority is None else _MARKS[task.priority]
    return Content.assemble(
        (f"{circle} ", MUTED), (at, "$text-accent"), (_title(task), style), (mark, "bold")
    )


def _title(task: Task) -> str:
    return steady(plain_line(task.title))
