"""Schedule: the date phrases of a line joined to a due date, a start and a recurrence."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time
from typing import NamedTuple

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.moment_grammar import DatePhrase, settle_by_part
from todo_tui.domain.dates.reader import DateContext, resolve_date
from todo_tui.domain.dates.recurrence_grammar import add_time_of_day
from todo_tui.domain.dates.resolution import first_day_of_week
from todo_tui.domain.dates.text import format_day
from todo_tui.domain.dates.title_grammar import StartPhrase, TitlePhrase
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.reader import RecurrenceReading, resolve_recurrence
from todo_tui.domain.recurrence.rrule import Frequency, parse_rule
from todo_tui.domain.task import RepeatFrom, Task, TaskFields
from todo_tui.domain.when import When, effective_zone


class Schedule(NamedTuple):
    """Combined date phrases of a line."""

    due: DatePhrase | None = None
    repeat: terms.RepeatTerm | None = None
    start: terms.DateTerm | None = None
    clears_time: bool = False
    """True for `no time`: the task is due all day."""

    @property
    def lacks_day(self) -> bool:
        """True for a time without a day, except `by 5pm`, which means today."""
        match self.due:
            case DatePhrase(term=terms.Moment(day=None), lead="" | "at"):
                return self.repeat is None
            case _:
                return False

    def with_phrase(self, entry: TitlePhrase) -> Schedule | None:
        """Add a phrase; return None if it contradicts what is already there."""
        match entry:
            case DatePhrase() if self.repeat is not None:
                repeat = _repeat_at(self.repeat, entry.term)
                return None if repeat is None else self._replace(repeat=repeat)
            case DatePhrase() if self.due is not None:
                both = _day_and_time(self.due.term, entry.term)
                return None if both is None else self._replace(due=DatePhrase(both, entry.lead))
            case DatePhrase():
                return self._replace(due=entry)
            case terms.RepeatTerm() if self.repeat is not None:
                return None
            case terms.RepeatTerm() if self.due is not None:
                repeat = _repeat_at(entry, self.due.term)
                return None if repeat is None else self._replace(due=None, repeat=repeat)
            case terms.RepeatTerm():
                return self._replace(repeat=entry)
            case StartPhrase() if self.repeat is not None and not entry.explicit:
                if self.repeat.start is not None:
                    return None
                return self._replace(repeat=self.repeat._replace(start=entry.term))
            case StartPhrase():
                return None if self.start is not None else self._replace(start=entry.term)

    def settle_times(self, part: terms.PartOfDay | None) -> Schedule:
        """Settle open times by the part of day that the title implies: dinner at 8 is evening."""
        due, repeat = self.due, self.repeat
        if due is not None and isinstance(due.term, terms.Moment):
            due = due._replace(term=due.term._replace(time=settle_by_part(due.term.time, part)))
        if repeat is not None:
            repeat = repeat._replace(time=settle_by_part(repeat.time, part))
        return self._replace(due=due, repeat=repeat)

    def resolve(
        self, context: DateContext, task: Task | None = None, *, keeps_time: bool = True
    ) -> tuple[TaskFields, tuple[str, ...]]:
        """Return the date fields to set, and notes on words that can be read in two ways.

        Dates may be relative to those of the task. A day keeps its present time of day with
        `keeps_time`; a recurrence keeps a present due date that is one of its occurrences.

        Raises:
            DateNotUnderstood: there is no such date, or none that the words are relative to.
        """
        fields, notes = TaskFields(), list[str | None]()
        here, present = context.style.zone, None if task is None else task.due
        if task is not None and self.repeat is None:
            # Days are those of the user; a recurrence goes by the zone of its task.
            present = task.due_in(here)
        if self.repeat is not None:
            recurs = task is not None and task.recurrence is not None
            repeat = _resolve_from(present, self.repeat, context, recurs=recurs)
            fields["recurrence"] = repeat.recurrence.rule
            fields["repeat_from"] = _kept_base(task, repeat.recurrence.repeat_from)
            fields["due"] = repeat.first
            notes.append(repeat.note)
        if self.due is not None:
            anchored = _in_month_of(present, self.due.term, context)
            reading = resolve_date(self.due.term, anchored._replace(current=present))
            fields["due"] = reading.when
            if keeps_time and present is not None and reading.when.at is None:
                fields["due"], note = _at_time_of(present, reading.when.day, context)
                notes.append(note)
            if anchored is not context:
                notes.append(f"read as {format_day(reading.when.day, context.now.date())}")
            notes.append(reading.note)
        if self.start is not None:
            current = None if task is None else task.start
            start = resolve_date(self.start, context._replace(current=current))
            fields["start"] = start.when
            notes.append(start.note)
        due = fields.get("due")
        if self.clears_time and (timed := due or present):
            fields["due"] = due = When(timed.day)
        if task and due and present and task.due_zone and due.at == present.at:
            if self.repeat is None:
                fields["due"] = due.moved(here, effective_zone(task.due_zone, here))
            fields["due_zone"] = task.due_zone
        return fields, tuple(filter(None, notes))


def _resolve_from(
    present: When | None, repeat: terms.RepeatTerm, context: DateContext, *, recurs: bool
) -> RecurrenceReading:
    """Resolve a recurrence, from the present due date if it is one of the occurrences.

    One that takes the place of another stays in the week or month that is due: a bill of
    1 February on the 5th is due on 5 February, whatever was paid before.
    """
    if present is None or repeat.start is not None:
        return resolve_recurrence(repeat, context)
    day = present.day
    anchored = repeat._replace(start=terms.Moment(terms.CalendarDay(day.day, day.month, day.year)))
    with suppress(DateNotUnderstood):  # its end may be before the present due date
        on_day = context._replace(now=datetime.combine(day, time()))
        reading = resolve_recurrence(anchored, on_day, present.at)
        if reading.first.day == day:
            return reading
    reading = resolve_recurrence(repeat, context, present.at)
    if recurs:
        in_months = parse_rule(reading.recurrence.rule).freq in (
            Frequency.MONTHLY,
            Frequency.YEARLY,
        )
        since = day.replace(day=1) if in_months else first_day_of_week(day, context.style)
        begins = max(context.now, datetime.combine(since, time()))
        return resolve_recurrence(repeat, context._replace(now=begins), present.at)
    return reading


def _at_time_of(present: When, day: date, context: DateContext) -> tuple[When, str | None]:
    """Return a day at the present time; all day, with a note, where that has passed today."""
    kept = When(day, present.at)
    if present.at is None or day != context.today or kept.local() >= context.now:
        return kept, None
    return When(day), f"{present.at:%H:%M} has passed: due all day"


def _kept_base(task: Task | None, base: RepeatFrom) -> RepeatFrom:
    """Return the base of a new rule: of a bill, missed occurrences stay due with another day."""
    keeps_missed = task is not None and task.recurrence and task.repeat_from is RepeatFrom.DUE
    return RepeatFrom.DUE if keeps_missed and base is RepeatFrom.NEXT else base


def _in_month_of(present: When | None, term: terms.DateTerm, context: DateContext) -> DateContext:
    """Return a context in which `the 5th` of what is due in a later month is in that month."""
    match term:
        case terms.Moment(day=terms.DayOfMonth(month=month, weekday=None)) if present is not None:
            if month is not None and (month.explicit or month.offset):
                return context
            first = datetime.combine(present.day.replace(day=1), time())
            return context._replace(now=first) if first > context.now else context
        case _:
            return context


def _repeat_at(repeat: terms.RepeatTerm, term: terms.DateTerm) -> terms.RepeatTerm | None:
    """Add the time, or the first day, of a date term to a recurrence."""
    if isinstance(term, terms.Moment) and term.day is None:
        return None if term.time is None else add_time_of_day(repeat, term.time)
    return repeat._replace(start=term) if repeat.start is None else None


def _day_and_time(one: terms.DateTerm, other: terms.DateTerm) -> terms.Moment | None:
    """Join a day and a time from different places: tomorrow call bob at 5pm."""
    if not (isinstance(one, terms.Moment) and isinstance(other, terms.Moment)):
        return None
    if one.day is not None and one.time is None and other.day is None:
        return one._replace(time=other.time)
    if other.day is not None and other.time is None and one.day is None:
        return other._replace(time=one.time)
    return None
