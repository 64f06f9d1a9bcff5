"""The occurrences of a task that repeats: the next one, a skipped one, the last one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from todo_tui.domain.coming import (
    Recurrence,
    kept_to_its_day,
    missed_slots,
    next_occurrence,
    occurrence_after_skipping,
)
from todo_tui.domain.errors import Conflict
from todo_tui.domain.rule import parse_rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When
from todo_tui.domain.zones import living_zone
from todo_tui.store.fields import Columns
from todo_tui.store.renewing import renew, shifted
from todo_tui.store.task_records import Record
from todo_tui.store.trash import restore
from todo_tui.store.writing import TaskWriting

_OCCURRENCES = uuid.UUID("6f6a2e0b-5d0c-5b53-9a3f-0c2d7f3a9e51")
"""Namespace of the uuids of occurrences."""

_CARRIED = (
    "title",
    "notes",
    "priority",
    "start_zone",
    "project",
    "repeat_from",
    "series",
    "parent",
    "position",
    "extra",
)
"""Columns that the next occurrence takes over as they are."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The occurrence after one that is done, and its subtasks that are open again."""

    record: Record
    renewed: list[Record] = field(default_factory=list)


def follow(writing: TaskWriting, record: Record, closed_along: set[int]) -> Followed | None:
    """The occurrence after this one: the live one of the series, or a new one.

    The uuid derives from series and slot, so that two devices that complete the
    same occurrence make the same next one. `closed_along` are the rows of subtasks
    that were closed together with it.
    """
    series = record.columns["series"] or record.uuid
    live = writing.live_occurrence(series)
    if live is not None:
        return Followed(live)
    if _was_ended(writing, series, record.columns["slot"] or ""):
        return None
    due = _due_of(writing, record)
    counts_from_now = rhythm_of(record).repeat_from is RepeatFrom.COMPLETION
    said = ""
    while (following := _next_due(writing, record, due)) is not None:
        own_uuid = uuid.uuid5(_OCCURRENCES, f"{series} {following.iso()}{said}").hex
        known = writing.by_uuid(own_uuid)
        if known is None or known.gone:
            made = _occurrence(writing, record, following, own_uuid, known)
            days = (following.day - due.day).days
            renewed = renew(
                writing, record, made, days=days, keep_under=record, closed_along=closed_along
            )
            return Followed(made, renewed)
        if known.is_open:
            return Followed(restore(writing, [known])[0])
        if counts_from_now:
            # Done twice within one interval, it falls on the same day once more.
            said = f" after {known.uuid}"
        else:
            due = following
    return None


def skip(writing: TaskWriting, record: Record, *, missed: bool) -> list[Record]:
    """Go on to the next date without being done; the subtasks that are open again.

    With `missed` past all dates that have gone by.

    Raises:
        Conflict: it is closed, does not repeat, or this is its last occurrence.
    """
    if not record.is_open:
        raise Conflict(f"Task #{record.id} is closed: there is nothing to skip.")
    rhythm, zone = rhythm_of(record), zone_of(writing, record)
    due = _due_of(writing, record)
    following = occurrence_after_skipping(rhythm, due, writing.log.now, zone, missed=missed)
    rule = None if following is None else _counted_down(rhythm, due, following, writing, zone)
    if following is None or rule is None:
        raise Conflict(
            f"This is the last occurrence of #{record.id}: there is none to skip to.",
            hint="Complete it, or delete it.",
        )
    columns = _dates(writing, record, following)
    columns["recurrence"] = rule
    writing.change(record, columns)
    days = (following.day - due.day).days
    return renew(writing, record, record, days=days, keep_under=None, closed_along=set())


def end_series(writing: TaskWriting, record: Record) -> None:
    """Let this occurrence be the last one; it stays what it is in all else.

    Raises:
        Conflict: it does not repeat.
    """
    rhythm_of(record)
    writing.change(record, {"recurrence": None})


def rhythm_of(record: Record) -> Recurrence:
    """How a task repeats.

    Raises:
        Conflict: it does not.
    """
    rule = record.columns["recurrence"]
    if rule is None:
        raise Conflict(f"Task #{record.id} does not repeat.")
    return Recurrence(rule, RepeatFrom(record.columns["repeat_from"] or "due"))


def zone_of(writing: TaskWriting, record: Record) -> str:
    """The zone in which its dates are counted."""
    return living_zone(record.columns["due_zone"], writing.zone)


def _was_ended(writing: TaskWriting, series: str, slot: str) -> bool:
    """Whether a later occurrence of the series was the last one."""
    writing.flush()
    found = writing.database.execute(
        "SELECT 1 FROM tasks WHERE series = ? AND slot > ? AND recurrence IS NULL"
        " AND user = ? AND gone = 0 LIMIT 1",
        (series, slot, writing.user),
    ).fetchone()
    return found is not None


def _occurrence(
    writing: TaskWriting, record: Record, due: When, own_uuid: str, known: Record | None
) -> Record:
    rhythm, zone = rhythm_of(record), zone_of(writing, record)
    columns: Columns = {name: record.columns[name] for name in _CARRIED}
    columns |= _dates(writing, record, due)
    columns["recurrence"] = _counted_down(rhythm, _due_of(writing, record), due, writing, zone)
    if known is not None:
        writing.forget(known)
    return writing.create(
        columns, record.tags, uuid=own_uuid, task_id=None if known is None else known.id
    )


def _dates(writing: TaskWriting, record: Record, due: When) -> Columns:
    """The dates of a later occurrence; its start as many days before as now."""
    before = _due_of(writing, record)
    has_due = record.columns["due"] is not None
    start = shifted(record.columns["start"], (due.day - before.day).days) if has_due else None
    return {
        "due": due.iso(),
        "due_zone": None if due.at is None else record.columns["due_zone"] or writing.zone,
        "start": start,
        "slot": due.iso(),
    }


def _next_due(writing: TaskWriting, record: Record, due: When) -> When | None:
    rhythm, zone = rhythm_of(record), zone_of(writing, record)
    following = next_occurrence(rhythm, due, writing.log.now, zone)
    if following is None:
        return None
    left = _counted_down(rhythm, _due_of(writing, record), following, writing, zone)
    return None if left is None else following


def _counted_down(
    rhythm: Recurrence, due: When, following: When, writing: TaskWriting, zone: str
) -> str | None:
    """The rule of a later occurrence, with as many less to come; None after the last one."""
    kept = kept_to_its_day(rhythm, due)
    rule = parse_rule(kept.rule)
    if rule.times is None:
        return kept.rule
    passed = 1
    if rhythm.repeat_from is not RepeatFrom.COMPLETION:
        at = following.local()
        passed = max(missed_slots(kept, due, at, zone, most=rule.times), 1)
    left = rule.times - passed
    return rule._replace(times=left).text() if left > 0 else None


def _due_of(writing: TaskWriting, record: Record) -> When:
    """Its due moment; of a task without one the day on which it is done."""
    due = record.columns["due"]
    if due is not None:
        return When.parse(due)
    here = writing.clock.now()
    return When(here.date())
