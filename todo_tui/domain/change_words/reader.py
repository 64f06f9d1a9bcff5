"""Reads change words (`friday #home -@old !high no date`) into the changes of a task."""

import re
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.change_words.quick_add import ISO_DAY, MAX_LINE_LENGTH, QuickAddLine
from todo_tui.domain.change_words.schedule import Schedule
from todo_tui.domain.change_words.signs import RANK, Sign, SpanKind, find_literals, sign_priority
from todo_tui.domain.dates.combinators import Parser, Tokens, alternatives
from todo_tui.domain.dates.moment_grammar import DatePhrase, moved
from todo_tui.domain.dates.reader import DateContext, whole_date
from todo_tui.domain.dates.terms import Moment, ShiftedDue
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.dates.title_grammar import TitlePhrase, title_phrase
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.estimates import format_estimate, parse_estimate
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.recurrence.reader import format_recurrence
from todo_tui.domain.task import RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.text import fold_case, plain_line, shorten
from todo_tui.domain.when import DateStyle

_WORDS = re.compile(
    r"""
    (?<!\S) (?:
        (?: no | without | clear ) [ ]+ (?P<field> [a-z]+ )
      | - [@+] (?P<tag> [^\s@#,;]+ )
      | - after [ ]+ \# (?P<blocker> \d{1,18} )
      | - (?P<sign> [#!~] ) [^\s,;]*
      | (?P<status> doing | todo | cancelled )
      | (?P<skip> skip )
      | \+ (?=@)
    ) (?= [\s,;@] | $ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words that quick add has as part of the title."""
_NO_REPEAT = TaskFields(recurrence=None, repeat_from=RepeatFrom.DUE)
_NO_DUE = TaskFields(due=None, **_NO_REPEAT)
_TIME = "time"
_CLEARED: tuple[tuple[str, TaskFields], ...] = (
    ("date dates day due", _NO_DUE),
    (_TIME, TaskFields()),
    ("start", TaskFields(start=None)),
    ("repeat repeats recurrence", _NO_REPEAT),
    ("project #", TaskFields(project=None)),
    ("priority prio !", TaskFields(priority=None)),
    ("estimate estimates ~", TaskFields(estimate=None)),
    ("tags tag", TaskFields(tags=())),
    ("parent", TaskFields(parent=None)),
    ("blockers blocker", TaskFields(blocked_by=())),
)
"""Words for a field, the first one for display, and the fields to write."""
_DATE_FIELDS = frozenset({"due", "start", "recurrence", "repeat_from"})
_NO_DATE = ("no", "none", "never", "-")
_MAX_QUOTE = 60
_RANKS = {"no": 0, SpanKind.PRIORITY: 1, SpanKind.PROJECT: 2, SpanKind.TAG: 3, "−@": 4}
"""Order of the changes in a summary; all others come last."""
_LAST = 5
_SEPARATORS = frozenset(",;.()[]")
EXAMPLES = (
    "Examples: friday 5pm, starts monday, every friday, 1 week later, !high, "
    "#project, @tag, -@tag, ~30m, under #12, after #3, doing, cancelled, no date."
)
_phrase: Parser[TitlePhrase] = alternatives(title_phrase, moved.map(DatePhrase))


class ChangeWords(NamedTuple):
    """Changes read from a line; `summary` has one readable piece for each change.

    `unknown` are words that mean no change; with any of them nothing is to be written. Fields for
    a task raise DateNotUnderstood if it has no date that the words are relative to.
    """

    context: DateContext
    fields: TaskFields = TaskFields()
    """Fields to set, without the dates of `schedule`."""
    schedule: Schedule = Schedule()
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    add_blockers: tuple[int, ...] = ()
    remove_blockers: tuple[int, ...] = ()
    skip: bool = False
    """True for `skip`: advance a recurring task to its next date."""
    summary: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unknown: str = ""
    only_changes: str = ""
    """First words that an existing task is needed for; empty if a new task can have them all."""
    is_iso_day: bool = False

    @property
    def changes_something(self) -> bool:
        """True if there is at least one change and no unknown word."""
        return bool(self.summary) and not self.unknown

    @property
    def postpones(self) -> bool:
        """True if the due date moves later, by `1 week later` and the like."""
        term = self.schedule.due.term if self.schedule.due else None
        return isinstance(term, ShiftedDue) and term.sign > 0

    def fields_of(self, task: Task | None = None) -> TaskFields:
        """Return the fields to set on a task, or on a new one."""
        return self.resolve(task)[0]

    def resolve(self, task: Task | None = None) -> tuple[TaskFields, tuple[str, ...]]:
        """Return the fields to set, and notes on words that can be read in two ways."""
        schedule = self.schedule
        if "due" in self.fields:  # `no date, no time`
            schedule = schedule._replace(clears_time=False)
        dates, notes = schedule.resolve(self.context, task, keeps_time=not self.is_iso_day)
        return self.fields | dates, notes


def read_change_words(
    text: str,
    now: datetime,
    style: DateStyle,
    *,
    dates_only: bool = False,
    task: Task | None = None,
) -> ChangeWords:
    """Read a line of change words; with `dates_only` only dates and recurrences are known.

    Summary and notes name the dates that `task` gets.
    """
    if dates_only and fold_case(text).strip() in _NO_DATE:
        text = "no date"
    context = DateContext(now, style)
    if len(text) > MAX_LINE_LENGTH:
        return ChangeWords(context, unknown=text)
    return _LineReader(text, context, task).read(dates_only=dates_only)


def require_change_words(text: str, now: datetime, style: DateStyle) -> ChangeWords:
    """Read a line of change words.

    Raises:
        ValidationError: Names the words that mean no change.
    """
    words = read_change_words(text, now, style)
    if words.unknown:
        quoted = plain_line(shorten(words.unknown, _MAX_QUOTE))
        reasons = "".join(f" {plain_line(note).rstrip('.')}." for note in words.notes)
        raise ValidationError(
            f"Could not understand “{quoted}”; nothing was changed.{reasons}", hint=EXAMPLES
        )
    return words


class _LineReader:
    """Reader of one line: words of its own first, then signs, then dates in what remains."""

    def __init__(self, text: str, context: DateContext, task: Task | None) -> None:
        self._text = text
        self._task = task
        self._words = ChangeWords(context, is_iso_day=ISO_DAY.search(text) is not None)
        self._fields = TaskFields()
        self._labels: list[tuple[int, int, str]] = []
        """Rank, position and name of each change that is not a date."""
        self._cleared_dates: list[str] = []
        self._needs_task: list[tuple[int, str]] = []
        self._unknown: list[str] = []
        self._notes: list[str] = []
        self._due_words = ""

    def read(self, *, dates_only: bool) -> ChangeWords:
        """Return the reading of the whole line."""
        line = QuickAddLine(self._without_own_words())
        for sign in line.signs:
            self._read_sign(sign)
        self._read_dates(line)
        labels = [label for _, _, label in sorted(self._labels)]
        dates = [*self._cleared_dates, *self._date_texts()]
        if self._words.skip and (labels != ["skip"] or dates or self._unknown):
            self._unknown.append("skip")
            self._notes.append("“skip” cannot be combined")
        if dates_only:
            self._unknown += labels
        return self._words._replace(
            fields=self._fields,
            summary=(*dates, *labels),
            notes=tuple(self._notes),
            unknown=" ".join(self._unknown),
            only_changes=min(self._needs_task, default=(0, ""))[1],
        )

    def _without_own_words(self) -> str:
        """Read the words that quick add does not have; return the text with blanks for them."""
        literals = find_literals(self._text)

        def take(match: re.Match[str]) -> str:
            # `-@tag` itself looks like an address.
            is_literal = any(start < match.start() < end for start, end in literals)
            return match[0] if is_literal or not self._take(match) else " " * len(match[0])

        # At its end alone quick add reads `p1`, which elsewhere can be part of a title.
        return RANK.sub(r"!\1", _WORDS.sub(take, self._text))

    def _take(self, match: re.Match[str]) -> bool:
        """Read one word; return False if it is not a change."""
        words, label = self._words, match[0].lower()
        if name := match["field"] or match["sign"]:
            cleared = self._clear(name.lower())
            if cleared is None:
                return False
            label = cleared
        elif tag := match["tag"]:
            self._words = words._replace(remove_tags=(*words.remove_tags, tag))
            label = f"−@{tag}"
        elif match["blocker"]:
            blocker = int(match["blocker"])
            self._words = words._replace(remove_blockers=(*words.remove_blockers, blocker))
            label = f"−after #{blocker}"
        elif match["status"]:
            self._fields["status"] = Status(label)
        elif match["skip"]:
            self._words = words._replace(skip=True)
        else:
            return True  # the plus of `+@tag`
        if label not in ("doing", "todo"):
            self._needs_task.append((match.start(), match[0]))
        if label:
            self._labels.append((_RANKS.get(label[:2], _LAST), match.start(), label))
        return True

    def _clear(self, name: str) -> str | None:
        """Clear a field; return its label, empty for a date, or None if there is no such field."""
        row = next((row for row in _CLEARED if name in row[0].split()), None)
        if row is None:
            return None
        self._fields.update(row[1])
        label = f"no {row[0].split()[0]}"
        if row[0] == _TIME:
            schedule = self._words.schedule._replace(clears_time=True)
            self._words = self._words._replace(schedule=schedule)
        if row[1].keys() <= _DATE_FIELDS:
            self._cleared_dates.append(label)
            return ""
        return label

    def _read_sign(self, sign: Sign) -> None:
        """Read a sign that quick add has too."""
        words, value = self._words, sign.value
        match sign.span.kind:
            case SpanKind.PRIORITY:
                self._fields["priority"] = priority = sign_priority(value)
                label = f"{priority.value} priority"
            case SpanKind.PROJECT:
                self._fields["project"] = value
                label = f"#{value}"
            case SpanKind.ESTIMATE:
                self._fields["estimate"] = minutes = parse_estimate(value)
                label = f"~{format_estimate(minutes or 0)}"
            case SpanKind.PARENT:
                self._fields["parent"] = int(value)
                label = f"under #{value}"
            case SpanKind.BLOCKER:
                self._words = words._replace(add_blockers=(*words.add_blockers, int(value)))
                label = f"after #{value}"
            case _:
                self._words = words._replace(add_tags=(*words.add_tags, value))
                label = f"+@{value}"
        self._labels.append((_RANKS.get(sign.span.kind, _LAST), sign.span.start, label))

    def _read_dates(self, line: QuickAddLine) -> None:
        """Read all tokens as dates and recurrences; those that are none are unknown."""
        while (found := line.field_from(0)) is not None:
            tokens = line.tokens[found.first : found.stop]
            line.cut(found.first, found.stop, SpanKind.DUE)
            self._join(found.entry, tokens)
        tokens = line.tokens
        whole = whole_date.whole(tokens) if tokens else None
        if whole is not None:
            self._join(DatePhrase(whole), tokens)
            return
        at = 0
        while at < len(tokens):
            reading = line.longest_from(at, _phrase)
            if reading is not None:
                self._join(reading[0], tokens[at : reading[1]])
                at = reading[1]
                continue
            if tokens[at].word not in _SEPARATORS:
                self._refuse(tokens[at : at + 1])
            at += 1

    def _join(self, entry: TitlePhrase, tokens: Tokens) -> None:
        """Add a phrase to the schedule; its words are unknown if that is not possible."""
        shifts = isinstance(entry, DatePhrase) and isinstance(entry.term, ShiftedDue)
        schedule = self._words.schedule.with_phrase(entry)
        if schedule is None or (shifts and schedule.repeat):
            self._refuse(tokens)
            return
        try:
            if not shifts:
                schedule.resolve(self._words.context)
        except DateNotUnderstood as problem:
            self._notes.append(problem.message)
            self._refuse(tokens)
            return
        self._words = self._words._replace(schedule=schedule)
        if isinstance(entry, DatePhrase):
            self._due_words = _join_tokens(tokens)
        if shifts:
            self._needs_task.append((tokens[0].start, self._due_words))

    def _refuse(self, tokens: Tokens) -> None:
        if tokens[0].glued and self._unknown:
            self._unknown[-1] += _join_tokens(tokens)
        else:
            self._unknown.append(_join_tokens(tokens))

    def _date_texts(self) -> list[str]:
        """Return the dates in words, and keep the notes on them.

        A date relative to that of a task which is not known is returned as typed.
        """
        schedule, now = self._words.schedule, self._words.context.now
        match schedule.due:
            case DatePhrase(term=ShiftedDue() | Moment(day=None)):
                relative = not self._is_resolvable(schedule)
            case _:
                relative = False
        absolute = schedule._replace(due=None) if relative else schedule
        fields, notes = self._resolve(absolute)
        self._notes += () if self._unknown else notes
        texts: list[str] = []
        if rule := fields.get("recurrence"):
            texts.append(format_recurrence(Recurrence(rule, fields["repeat_from"])))
        if due := fields.get("due"):
            due = due.moved(fields.get("due_zone"), self._words.context.style.zone)
            texts.append(f"{'first ' if rule else ''}{format_when(due, now)}")
        if relative:
            texts.append(self._due_words)
        if start := fields.get("start"):
            texts.append(f"from {format_when(start, now)}")
        return texts

    def _is_resolvable(self, schedule: Schedule) -> bool:
        """Return True if the task is known and has the date that these are relative to."""
        if self._task is None:
            return False
        try:
            schedule.resolve(self._words.context, self._task)
        except DateNotUnderstood:
            return False
        return True

    def _resolve(self, schedule: Schedule) -> tuple[TaskFields, tuple[str, ...]]:
        """Resolve the dates named, for the task if it can have them."""
        words = self._words._replace(schedule=schedule)
        if schedule.due is None:  # `no time` names no date
            words = words._replace(schedule=schedule._replace(clears_time=False))
        if self._task is not None:
            with suppress(DateNotUnderstood):  # the change itself says why not
                return words.resolve(self._task)
        return words.resolve()


def _join_tokens(tokens: Tokens) -> str:
    """Return the text of tokens, with a blank between those that are not glued."""
    words = "".join(f"{'' if token.glued else ' '}{token.text}" for token in tokens)
    return words.strip()
