"""Tasks with a past, as an import brings them: when they came in and when they were done."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Actor, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.store import Store

_PROJECTS = (None, "home", "work", "work.reports", None, "garden")


def at(text: str, zone: str = "Europe/Berlin") -> datetime:
    """A local moment from its ISO form, as an aware instant."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def closed(
    done_at: datetime,
    *,
    created_at: datetime | None = None,
    status: Status = Status.DONE,
    due: str | None = None,
    due_zone: str | None = None,
    project: str | None = None,
    tags: tuple[str, ...] = (),
) -> ImportEntry:
    """A task that was done, or cancelled, at that instant; an hour after it came in if not told."""
    fields = TaskFields(title="a", status=status, project=project, tags=tags)
    if due is not None:
        fields["due"] = When.parse(due)
        fields["due_zone"] = due_zone
    return ImportEntry(
        fields, created_at=created_at or done_at - timedelta(hours=1), completed_at=done_at
    )


def still_open(title: str, *, project: str | None = None, due: str | None = None) -> ImportEntry:
    """A task that has just come in."""
    fields = TaskFields(title=title, status=Status.TODO, project=project)
    if due is not None:
        fields["due"] = When.parse(due)
    return ImportEntry(fields)


def bring(store: Store, drafts: Iterable[ImportEntry]) -> None:
    """Put the tasks into the store."""
    store.tasks.import_entries(list(drafts), by=store.new_change_context(Actor.IMPORT))


def busy_year(today: date) -> list[ImportEntry]:
    """Four hundred days of somebody who has quiet weekends, a holiday, and one wild day."""
    dice = Random(4)  # noqa: S311 - the same each time
    drafts: list[ImportEntry] = []
    for back in range(400):
        day = today - timedelta(days=back)
        count = dice.choice((0, 0, 0, 1, 2) if day.weekday() >= 5 else (0, 1, 2, 2, 3, 4, 6))
        if 100 <= back < 121:
            count = 0
        if back == 60:
            count = 40
        drafts += [_of_day(day, back, number) for number in range(count)]
    return drafts


def _of_day(day: date, back: int, number: int) -> ImportEntry:
    seed = back * 31 + number
    done_at = datetime.combine(day, time(7 + seed * 5 % 12, seed % 60), ZoneInfo("Europe/Berlin"))
    due = (day + timedelta(days=seed % 5 - 1)).isoformat() if seed % 4 else None
    return closed(
        done_at.astimezone(UTC),
        created_at=done_at.astimezone(UTC) - timedelta(hours=seed * seed % 400),
        due=due,
        project=_PROJECTS[seed % len(_PROJECTS)],
    )
