"""Reminder settings, reminder instants, and snoozing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When, effective_zone


class DesktopNotification(StrEnum):
    """Delivery of desktop notifications: by a system program or through the terminal."""

    AUTO = "auto"
    PROGRAM = "program"
    OSC9 = "osc9"
    OSC777 = "osc777"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ReminderSettings:
    """Times and channels of reminders."""

    enabled: bool = True
    desktop: DesktopNotification = DesktopNotification.AUTO
    all_day_at: time = time(9)
    """Time of reminders for all-day tasks."""
    before: timedelta = timedelta()
    """Lead time of reminders for timed tasks."""


class ReminderKind(StrEnum):
    """Subject of a reminder."""

    DUE = "due"
    START = "start"
    SNOOZED = "snoozed"


@dataclass(frozen=True, slots=True)
class Reminder:
    """Reminder for a task, due since the instant `at` (UTC)."""

    task: Task
    occasion: ReminderKind
    at: datetime

    def words(self, now: datetime, zone: str) -> str:
        """Return `due 17:00`, `starts today`; `now` is naive, local in `zone`."""
        start, due = self.task.start_in(zone), self.task.due_in(zone)
        if self.occasion is ReminderKind.START and start is not None:
            return f"starts {format_when(start, now)}"
        if due is not None:
            words = format_due(due, now)
            return words if words.endswith("late") else f"due {words}"
        return "snoozed until now"

    @property
    def title(self) -> str:
        """Title on one plain line."""
        return plain_line(self.task.title)

    def follow(
        self, task: Task, now: datetime, home: str, rules: ReminderSettings
    ) -> Reminder | None:
        """Return the reminder of its changed task; None if that is closed or was moved ahead."""
        if not task.is_open:
            return None
        before, after = (
            (each.due, each.due_zone, each.start, each.start_zone) for each in (self.task, task)
        )
        passed = {occasion for occasion, at in reminder_moments(task, home, rules) if at <= now}
        if before == after or self.occasion in passed:
            return replace(self, task=task)
        return (
            replace(self, task=task) if self.occasion is ReminderKind.SNOOZED and passed else None
        )


class Snooze(StrEnum):
    """Duration for which a reminder is snoozed."""

    TEN_MINUTES = "10 min"
    HOUR = "1 hour"
    TOMORROW = "tomorrow"

    def until(self, now: datetime, zone: str, rules: ReminderSettings) -> datetime:
        """Return the instant at which the reminder repeats; `now` is aware."""
        match self:
            case Snooze.TEN_MINUTES:
                return now + timedelta(minutes=10)
            case Snooze.HOUR:
                return now + timedelta(hours=1)
            case Snooze.TOMORROW:
                tomorrow = now.astimezone(ZoneInfo(zone)).date() + timedelta(days=1)
                return _instant(datetime.combine(tomorrow, rules.all_day_at), zone)


def reminder_instant(
    when: When, zone: str | None, home: str, rules: ReminderSettings
) -> datetime | None:
    """Return the instant of the reminder for a moment; None beyond the end of the calendar."""
    try:
        if when.at is None:
            return _instant(datetime.combine(when.day, rules.all_day_at), home)
        local = datetime.combine(when.day, when.at)
        return _instant(local, effective_zone(zone, home)) - rules.before
    except (OverflowError, ValueError):
        return None


def reminder_moments(
    task: Task, home: str, rules: ReminderSettings
) -> Iterator[tuple[ReminderKind, datetime]]:
    """Yield the reminder instants of a task, each with its kind.

    A moment set closer than the lead time is reminded of at the moment itself.
    """
    for occasion, when, zone in (
        (ReminderKind.DUE, task.due, task.due_zone),
        (ReminderKind.START, task.start, task.start_zone),
    ):
        at = None if when is None else reminder_instant(when, zone, home, rules)
        if when is not None and at is not None and rules.before and at < task.updated_at:
            at = reminder_instant(when, zone, home, replace(rules, before=timedelta()))
        if at is not None:
            yield occasion, at


def _instant(local: datetime, zone: str) -> datetime:
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
