"""Tests of urgency."""

from __future__ import annotations

from datetime import UTC, datetime

from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.urgency import explain_urgency
from todo_tui.domain.when import When

NOW = datetime(2026, 11, 18, 14, 30)


def task(number: int, title: str, due: str | None = None, **fields: object) -> Task:
    at = datetime(2026, 11, 1, tzinfo=UTC)
    when = None if due is None else When.parse(due)
    return Task(number, str(number), title, at, at, due=when, **fields)  # type: ignore[arg-type] # as given


def test_overdue_is_first_and_blocked_last() -> None:
    tasks = [
        task(10, "today and important", "2026-11-18", priority=Priority.HIGH),
        task(3, "late", "2026-11-15"),
        task(4, "today", "2026-11-18"),
        task(5, "important", priority=Priority.HIGH),
        task(9, "begun", status=Status.DOING),
        task(2, "next week", "2026-11-25"),
        task(1, "some day"),
        task(6, "blocked", "2026-11-18", blocked_by=(1,)),
        task(7, "waits", "2026-11-20", start=When.parse("2026-11-19")),
    ]
    scores = [
        sum(
            part.points
            for part in explain_urgency(each, NOW, "Europe/Berlin", blocked=bool(each.blocked_by))
        )
        for each in tasks
    ]
    assert scores == sorted(scores, reverse=True)


def test_reasons_are_strongest_first() -> None:
    def reasons(each: Task, *, blocked: bool = False) -> list[str]:
        return [
            part.reason for part in explain_urgency(each, NOW, "Europe/Berlin", blocked=blocked)
        ]

    pressing = task(1, "a", "2026-11-16", priority=Priority.HIGH)
    assert reasons(pressing) == ["2 days late", "high priority"]
    assert reasons(task(2, "b", "2026-11-18T09:00")) == ["overdue"]
    assert reasons(task(3, "c", "2026-11-19")) == ["due tomorrow"]
    assert reasons(task(4, "d", "2026-11-22"), blocked=True) == [
        "blocked by another task",
        "due in 4 days",
    ]
    assert reasons(task(5, "e")) == []
