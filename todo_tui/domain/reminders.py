"""Reminders: at which moment a task asks for attention, and for how long it can be put off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.reminder_rules import ReminderRules
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.domain.zones import living_zone


class Occasion(StrEnum):
    """What a reminder is about."""

    DUE = "due"
    START = "start"
    SNOOZED = "snoozed"


@dataclass(frozen=True, slots=True)
class Reminder:
    """A task that asks for attention, since the instant `at` (UTC)."""

    task: Task
    occasion: Occasion
    at: datetime

    def words(self, now: datetime) -> str:
        """`due 17:00`, `starts today`: what it is about; `now` is local."""
        task = self.task
        if self.occasion is Occasion.START and task.start is not None:
            return f"starts {when_words(task.start, now)}"
        if task.due is not None:
            words = due_words(task.due, now)
            return words if words.endswith("late") else f"due {words}"
        return "put off until now"

    @property
    def title(self) -> str:
        """The title on one plain line."""
        return plain_line(self.task.title)


class Snooze(StrEnum):
    """For how long a reminder is put off."""

    TEN_MINUTES = "10 min"
    HOUR = "1 hour"
    TOMORROW = "tomorrow"

    def until(self, now: datetime, zone: str, rules: ReminderRules) -> datetime:
        """The instant at which it comes again; `now` is aware."""
        match self:
            case Snooze.TEN_MINUTES:
                return now + timedelta(minutes=10)
            case Snooze.HOUR:
                return now + timedelta(hours=1)
            case Snooze.TOMORROW:
                tomorrow = now.astimezone(ZoneInfo(zone)).date() + timedelta(days=1)
                return _instant(datetime.combine(tomorrow, rules.all_day_at), zone)


def reminder_instant(
    when: When, zone: str | None, home: str, rules: ReminderRules
) -> datetime | None:
    """When a moment of a task asks for attention; None where the calendar ends."""
    try:
        if when.at is None:
            return _instant(datetime.combine(when.day, rules.all_day_at), home)
        local = datetime.combine(when.day, when.at)
        return _instant(local, living_zone(zone, home)) - rules.before
    except (OverflowError, ValueError):
        return None


def task_moments(
    task: Task, home: str, rules: ReminderRules
) -> Iterator[tuple[Occasion, datetime]]:
    """The instants at which a task asks for attention, each with what it is about.

    Who sets a moment that is nearer than they want to be told before it is told at
    the moment itself.
    """
    for occasion, when, zone in (
        (Occasion.DUE, task.due, task.due_zone),
        (Occasion.START, task.start, task.start_zone),
    ):
        at = None if when is None else reminder_instant(when, zone, home, rules)
        if when is not None and at is not None and rules.before and at < task.updated_at:
            at = reminder_instant(when, zone, home, replace(rules, before=timedelta()))
        if at is not None:
            yield occasion, at


def _instant(local: datetime, zone: str) -> datetime:
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
