"""The moments at which a rule falls due, computed from near the moment that is asked for."""

from __future__ import annotations

from datetime import MAXYEAR, date, datetime, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.phrases.calendar_days import month_length
from todo_tui.domain.rule import Freq, Rule

STEP = {
    Freq.MINUTELY: timedelta(minutes=1),
    Freq.HOURLY: timedelta(hours=1),
    Freq.DAILY: timedelta(days=1),
    Freq.WEEKLY: timedelta(weeks=1),
}
HORIZON = {
    Freq.MINUTELY: timedelta(days=400),
    Freq.HOURLY: timedelta(days=400),
    Freq.DAILY: timedelta(days=366 * 30),
    Freq.WEEKLY: timedelta(days=366 * 30),
    Freq.MONTHLY: timedelta(days=366 * 60),
    Freq.YEARLY: timedelta(days=366 * 100),
}
"""How far to look for an occurrence before a rule counts as one that never comes."""
SAFE_DAY = 28
"""Every month has it."""
LAST_MOMENT = datetime(MAXYEAR - 1, 12, 31)


def slot_after(
    rule: Rule, anchor: datetime, after: datetime, *, clamp: bool = True
) -> datetime | None:
    """The first occurrence after a moment, None when there is none.

    `anchor` is an occurrence (or the start) that fixes the phase of every other
    week. With `clamp` a day that a month is too short for falls on its last day;
    without, such months are passed over, as RFC 5545 has it.
    """
    pinned = _pinned(rule, anchor)
    try:
        slots = [_slot_of(part, anchor, after) for part in _parts(pinned, clamp=clamp)]
    except (OverflowError, ValueError):
        return None
    return min((slot for slot in slots if slot is not None), default=None)


def has_ended(rule: Rule, slot: datetime, zone: str | None = None) -> bool:
    """Whether a moment lies after the rule's last day."""
    until = rule.until
    if until is None:
        return False
    if not isinstance(until, datetime):
        return slot.date() > until
    if until.tzinfo is not None and zone is not None:
        until = until.astimezone(ZoneInfo(zone))
    return slot > until.replace(tzinfo=None)


def _pinned(rule: Rule, anchor: datetime) -> Rule:
    """A monthly or yearly rule with the day of its anchor written into it."""
    if rule.by_day or rule.by_month_day:
        return rule
    match rule.freq:
        case Freq.MONTHLY:
            return rule._replace(by_month_day=(anchor.day,))
        case Freq.YEARLY:
            months = rule.by_month or (anchor.month,)
            return rule._replace(by_month=months, by_month_day=(anchor.day,))
        case _:
            return rule


def _parts(rule: Rule, *, clamp: bool) -> list[Rule]:
    """Rules whose occurrences together are the rule's, late days of months clamped.

    A late day becomes the last one of those from the 28th on to it, a form that
    holds in every month; it works for one day (and one month of a year) at a time.
    """
    late = [day for day in rule.by_month_day if day > SAFE_DAY]
    counts_months = rule.freq in (Freq.MONTHLY, Freq.YEARLY)
    if not (clamp and late and counts_months) or rule.by_day or rule.by_set_pos:
        return [rule]
    early = tuple(day for day in rule.by_month_day if day <= SAFE_DAY)
    parts = [rule._replace(by_month_day=early)] if early else []
    yearly = rule.freq is Freq.YEARLY
    months = [(month,) for month in rule.by_month or range(1, 13)] if yearly else [rule.by_month]
    for by_month in months:
        for day in late:
            days = tuple(range(SAFE_DAY, day + 1))
            parts.append(rule._replace(by_month=by_month, by_month_day=days, by_set_pos=(-1,)))
    return parts


def _slot_of(rule: Rule, anchor: datetime, after: datetime) -> datetime | None:
    # dateutil's rules cost milliseconds to import; adding a plain task needs none.
    from dateutil import rrule

    start = _near(rule, anchor, after)
    slots = rrule.rrule(
        getattr(rrule, rule.freq.value),
        dtstart=start,
        interval=rule.interval,
        wkst=rule.week_start,
        until=start + min(_reach(rule), LAST_MOMENT - start),
        bymonth=rule.by_month or None,
        bymonthday=rule.by_month_day or None,
        byweekday=[rrule.weekday(day.weekday, day.nth or None) for day in rule.by_day] or None,
        bysetpos=rule.by_set_pos or None,
    )
    return slots.after(after)


def _reach(rule: Rule) -> timedelta:
    if rule.freq in STEP:
        return HORIZON[rule.freq] + STEP[rule.freq] * rule.interval * 3
    return HORIZON[rule.freq] * rule.interval


def _near(rule: Rule, anchor: datetime, after: datetime) -> datetime:
    """A start in the anchor's phase, at most two intervals before `after`."""
    if after <= anchor:
        return anchor
    if rule.freq in STEP:
        step = STEP[rule.freq] * rule.interval
        return anchor + max((after - anchor) // step - 1, 0) * step
    months = rule.interval * (12 if rule.freq is Freq.YEARLY else 1)
    passed = (after.year - anchor.year) * 12 + after.month - anchor.month
    ahead = max(passed // months - 1, 0) * months
    if not ahead:
        return anchor
    index = anchor.year * 12 + anchor.month - 1 + ahead
    first = anchor.replace(year=index // 12, month=index % 12 + 1, day=1)
    return first if rule.freq is Freq.MONTHLY else first.replace(month=1)


def shifted_by(rule: Rule, day: date) -> date:
    """A day one interval of a rule in days, weeks, months or years later, clamped."""
    if rule.freq in STEP:
        return day + STEP[rule.freq] * rule.interval
    index = day.year * 12 + day.month - 1
    index += rule.interval * (12 if rule.freq is Freq.YEARLY else 1)
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, month_length(year, month)))
