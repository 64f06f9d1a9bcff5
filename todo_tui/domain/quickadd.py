"""Quick add: a line of text in, a title and what was surely meant beside it out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.dates import reading_of as date_reading
from todo_tui.domain.phrases.entries import Beginning, Entry
from todo_tui.domain.phrases.moments import DatePhrase
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.repeat_changes import with_time
from todo_tui.domain.phrases.resolve_moments import Frame
from todo_tui.domain.phrases.terms import DateTerm, Moment, Part, Repeat, TimeOfDay
from todo_tui.domain.phrases.times import leaning
from todo_tui.domain.phrases.title_words import part_spoken_of
from todo_tui.domain.phrases.vocabulary import RELATIVE_DAYS
from todo_tui.domain.quick_marks import Span, SpanKind, priority_of
from todo_tui.domain.quick_text import Found, QuickText
from todo_tui.domain.recurrence import Recurrence
from todo_tui.domain.recurrence import reading_of as repeat_reading
from todo_tui.domain.task import Priority, TaskFields
from todo_tui.domain.when import DateStyle, When

__all__ = ["QuickAdd", "Span", "read_quick_add"]

LONGEST = 2000
"""Longer texts are titles as they stand."""
MOST_PHRASES = 4


class QuickAdd(NamedTuple):
    """What a line was understood as.

    `notes` say what was ambiguous or not understood; `spans` are the pieces of the
    text that became something else than title, in order.
    """

    title: str
    due: When | None = None
    recurrence: Recurrence | None = None
    priority: Priority | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    start: When | None = None
    notes: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()

    def task_fields(self) -> TaskFields:
        """What the store is to write."""
        fields = TaskFields(
            title=self.title,
            due=self.due,
            start=self.start,
            priority=self.priority,
            project=self.project,
            tags=self.tags,
        )
        if self.recurrence is not None:
            fields["recurrence"] = self.recurrence.rule
            fields["repeat_from"] = self.recurrence.repeat_from
        return fields


class Schedule(NamedTuple):
    """The date words of a line, put together."""

    due: DatePhrase | None = None
    repeat: Repeat | None = None
    start: DateTerm | None = None

    @property
    def lacks_day(self) -> bool:
        """Whether it has a time, but of no day; `by 5pm` is today's all the same."""
        match self.due:
            case DatePhrase(term=Moment(day=None), lead="" | "at"):
                return self.repeat is None
            case _:
                return False

    def joined(self, entry: Entry) -> Schedule | None:
        """With one more entry; None when it says something else than is said already."""
        match entry:
            case DatePhrase():
                return self._with_due(entry)
            case Repeat():
                return self._with_repeat(entry)
            case Beginning():
                return self._with_start(entry)

    def leaning(self, part: Part | None) -> Schedule:
        """With times that the title settles: dinner at 8 is in the evening."""
        due, repeat = self.due, self.repeat
        if due is not None and isinstance(due.term, Moment):
            due = due._replace(term=due.term._replace(time=_towards(due.term.time, part)))
        if repeat is not None:
            repeat = repeat._replace(time=_towards(repeat.time, part))
        return self._replace(due=due, repeat=repeat)

    def _with_due(self, entry: DatePhrase) -> Schedule | None:
        if self.repeat is not None:
            repeat = _repeat_at(self.repeat, entry.term)
            return None if repeat is None else self._replace(repeat=repeat)
        if self.due is None:
            return self._replace(due=entry)
        both = _day_and_time(self.due.term, entry.term)
        return None if both is None else self._replace(due=DatePhrase(both, entry.lead))

    def _with_repeat(self, repeat: Repeat) -> Schedule | None:
        if self.repeat is not None:
            return None
        if self.due is not None:
            timed = _repeat_at(repeat, self.due.term)
            return None if timed is None else self._replace(due=None, repeat=timed)
        return self._replace(repeat=repeat)

    def _with_start(self, beginning: Beginning) -> Schedule | None:
        if self.repeat is not None and not beginning.explicit:
            if self.repeat.start is not None:
                return None
            return self._replace(repeat=self.repeat._replace(start=beginning.term))
        return None if self.start is not None else self._replace(start=beginning.term)


def _towards(time: TimeOfDay | None, part: Part | None) -> TimeOfDay | None:
    return time if time is None or part is None else leaning(time, part)


def _repeat_at(repeat: Repeat, term: DateTerm) -> Repeat | None:
    """A repeat that also has the time, or begins on the day, of a date term."""
    if isinstance(term, Moment) and term.day is None:
        return None if term.time is None else with_time(repeat, term.time)
    return repeat._replace(start=term) if repeat.start is None else None


def _day_and_time(one: DateTerm, other: DateTerm) -> Moment | None:
    """A day and a time that were said apart: tomorrow call bob at 5pm."""
    if not (isinstance(one, Moment) and isinstance(other, Moment)):
        return None
    if one.day is not None and one.time is None and other.day is None:
        return one._replace(time=other.time)
    if other.day is not None and other.time is None and one.day is None:
        return other._replace(time=one.time)
    return None


def read_quick_add(
    text: str,
    now: datetime,
    style: DateStyle,
    *,
    words_only: bool = False,
    literals: Sequence[tuple[int, int]] = (),
) -> QuickAdd:
    """Read a line of quick add.

    Only what surely is a date is taken out of the title, at its end or beginning;
    with `words_only` nothing is, and nothing of the `literals`, which are stretches
    (start, end) of the text. The title is never empty unless the text is.
    """
    if words_only or len(text) > LONGEST:
        return QuickAdd(" ".join(text.split()))
    return _Reader(text, Frame(now, style), literals).read()


class _Reader:
    """Takes a line apart: signs first, then fields, then the ends of what is left."""

    def __init__(self, text: str, frame: Frame, literals: Sequence[tuple[int, int]]) -> None:
        self.line = QuickText(text, literals)
        self.frame = frame
        self.schedule = Schedule()
        self.notes: list[str] = []

    def read(self) -> QuickAdd:
        """The whole line."""
        self._read_fields()
        if self._read_end():
            self._take_if(self.line.at_start(hour_known=self.schedule.lacks_day))
            self._take_if(self.line.in_middle())
        try:
            return self._quick_add()
        except DateNotUnderstood as problem:
            return self._signs_only()._replace(notes=(*self.notes, problem.message))

    def _read_fields(self) -> None:
        index = 0
        while (found := self.line.field_from(index)) is not None:
            taken = self._take(found)
            index = found.first if taken else found.stop

    def _read_end(self) -> bool:
        """Take phrases from the end; False when the line is nothing but dates.

        Two that do not fit together are both put back.
        """
        tokens, schedule = self.line.tokens, self.schedule
        for taken in range(MOST_PHRASES):
            found = self.line.at_end()
            is_all = found is not None and self.line.is_all(found.first, found.stop)
            if found is not None and not is_all and self._take(found):
                continue
            name = found is not None and self.line.is_one_word(found)
            if taken and (is_all or self.line.ends_in_part or not (found is None or name)):
                self.line.put_back(tokens)
                self.schedule = schedule
                self.notes.append("these dates do not fit together: they stay in the title")
                return False
            return not is_all
        return True

    def _take_if(self, found: Found | None) -> None:
        if found is not None:
            self._take(found)

    def _take(self, found: Found) -> bool:
        """Take an entry's tokens out of the title, if it can be resolved and joined."""
        entry, first, stop = found
        if self.line.is_all(first, stop):
            return False
        try:
            kind = self._kind_of(entry)
        except DateNotUnderstood as problem:
            self.notes.append(problem.message)
            return False
        joined = self.schedule.joined(entry)
        if joined is None:
            return False
        self.schedule = joined
        self.line.cut(first, stop, kind)
        return True

    def _kind_of(self, entry: Entry) -> SpanKind:
        """What an entry sets, after making sure that it can be resolved."""
        match entry:
            case DatePhrase():
                date_reading(entry.term, self.frame)
                return SpanKind.DUE
            case Repeat():
                repeat_reading(entry, self.frame)
                return SpanKind.RECURRENCE
            case Beginning():
                date_reading(entry.term, self.frame)
                return SpanKind.START

    def _signs_only(self) -> QuickAdd:
        line, priority, project = self.line, None, None
        tags: list[str] = []
        for sign in line.signs:
            match sign.span.kind:
                case SpanKind.PRIORITY:
                    priority = priority_of(sign.value)
                case SpanKind.PROJECT:
                    project = sign.value
                case _:
                    tags.append(sign.value)
        return QuickAdd(
            line.title(dates=False),
            priority=priority,
            project=project,
            tags=tuple(dict.fromkeys(tags)),
            spans=tuple(sign.span for sign in line.signs),
        )

    def _quick_add(self) -> QuickAdd:
        notes, title = self.notes, self.line.title()
        schedule = self.schedule.leaning(part_spoken_of(title))
        due, start, recurrence = None, None, None
        if schedule.repeat is not None:
            repeat = repeat_reading(schedule.repeat, self.frame)
            recurrence, due = repeat.recurrence, repeat.first
            notes += [repeat.note] if repeat.note else []
        if schedule.due is not None:
            date = date_reading(schedule.due.term, self.frame)
            due = date.when
            notes += [date.note] if date.note else []
        if schedule.start is not None:
            start = date_reading(schedule.start, self.frame).when
        notes += self._left_over(title)
        return self._signs_only()._replace(
            title=title,
            due=due,
            recurrence=recurrence,
            start=start,
            notes=tuple(notes),
            spans=tuple(sorted(self.line.spans, key=lambda span: span.start)),
        )

    def _left_over(self, title: str) -> list[str]:
        """A remark when a date was taken but another day stands in the title."""
        if self.schedule == Schedule():
            return []
        days = [word for word in title.lower().split() if word in RELATIVE_DAYS and word != "tom"]
        return [f"“{days[0]}” is left in the title"] if days else []
