"""Fields of the task editor: their texts for a task, parsing of what is typed."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.dates.text import format_day, format_when, full_day
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.estimates import format_estimate, require_estimate
from todo_tui.domain.filters.terms import ContainsText, Not, TaskState, all_of
from todo_tui.domain.recurrence.next_occurrence import Recurrence, first_occurrences
from todo_tui.domain.recurrence.reader import format_recurrence, read_recurrence
from todo_tui.domain.task import Priority, Status, Task, TaskFields
from todo_tui.domain.text import fold_case, plain_line, plain_text, shorten
from todo_tui.domain.when import Clock, DateStyle, When, is_known_zone
from todo_tui.store.tasks.repository import TaskStore

DATES_AHEAD = 3
NO_PRIORITY = "none"
_EMPTY_WORDS = frozenset(("", "none", "no date", "never", "-", "–"))
MAX_MATCHES = 6
_NUMBER = re.compile(r"(?<!\S)#?(\d+)(?=[\s,;]|$)")
_SEPARATOR = re.compile(r"[,;]|(?<!\S)#?\d+(?=[\s,;]|$)")
"""End of a phrase in a list of tasks: a comma, a semicolon or an id."""
_SHOWN = 40


class FormField(Enum):
    """The fields of the form in their order, each with its label and an example."""

    TITLE = ("Title", "")
    STATUS = ("Status", "")
    DUE = ("Due", "e.g. friday 5pm")
    START = ("Starts", "Hide until")
    REPEAT = ("Repeats", "e.g. every monday at 9")
    PRIORITY = ("Priority", "")
    ESTIMATE = ("Estimate", "e.g. 45m or 1h30")
    PROJECT = ("Project", "e.g. work.clients")
    TAGS = ("Tags", "e.g. @home @phone")
    PARENT = ("Parent", "Task title or #12")
    BLOCKED_BY = ("Blocked by", "Task titles or #3 #5")
    NOTES = ("Notes", "")

    @property
    def label(self) -> str:
        """Label of the row."""
        return self.value[0]


REFERENCE_FIELDS = (FormField.PARENT, FormField.BLOCKED_BY)
"""Fields that name other tasks; reading them takes milliseconds of the store."""


@dataclass(frozen=True, slots=True)
class ParsedField:
    """Parsed value of a field, with its description."""

    fields: TaskFields
    words: str = ""
    doubt: str = ""


def format_fields(task: Task, clock: Clock) -> dict[FormField, str]:
    """Return the texts of a task's fields as they can be typed."""
    rule = task.recurrence
    return {
        FormField.TITLE: plain_line(task.title),
        FormField.STATUS: task.status.value,
        FormField.DUE: _format_moment(task.due, task.due_zone, clock),
        FormField.START: _format_moment(task.start, task.start_zone, clock),
        FormField.REPEAT: format_recurrence(Recurrence(rule, task.repeat_from)) if rule else "",
        FormField.PRIORITY: task.priority.value if task.priority else NO_PRIORITY,
        FormField.ESTIMATE: format_estimate(task.estimate) if task.estimate else "",
        FormField.PROJECT: plain_line(task.project or ""),
        FormField.TAGS: _format_tags(task.tags),
        FormField.PARENT: "" if task.parent is None else f"#{task.parent}",
        FormField.BLOCKED_BY: " ".join(f"#{blocker}" for blocker in task.blocked_by),
        FormField.NOTES: plain_text(task.notes),
    }


def _format_moment(when: When | None, zone: str | None, clock: Clock) -> str:
    """Return `Fri 27 Nov 17:00 Europe/Berlin`; the clock's zone is left out."""
    if when is None:
        return ""
    day = format_day(when.day, clock.now().date())
    if when.at is None:
        return day
    return f"{day} {when.at:%H:%M}{f' {zone}' if zone and zone != clock.zone else ''}"


def _format_tags(tags: Iterable[str]) -> str:
    """Return the tags separated by spaces, or by commas if a tag contains a space."""
    names = [f"@{plain_line(tag)}" for tag in tags]
    if any(" " in name for name in names):
        return ", ".join(names) if len(names) > 1 else f"{names[0]},"
    return " ".join(names)


def _parse_tags(text: str) -> TaskFields:
    pieces = text.split(",") if "," in text else text.split()
    names = (piece.strip().removeprefix("@").strip() for piece in pieces)
    return TaskFields(tags=tuple(dict.fromkeys(filter(None, names))))


def _parse_title(text: str) -> TaskFields:
    if not text.strip():
        raise ValidationError("A task needs a title.")
    return TaskFields(title=text.strip())


def _parse_estimate(text: str) -> TaskFields:
    if text.strip().casefold() in _EMPTY_WORDS:
        return TaskFields(estimate=None)
    return TaskFields(estimate=require_estimate(text))


_LITERAL_PARSERS: dict[FormField, Callable[[str], TaskFields]] = {
    FormField.TITLE: _parse_title,
    FormField.STATUS: lambda text: TaskFields(status=Status(text)),
    FormField.PRIORITY: lambda text: TaskFields(
        priority=None if text == NO_PRIORITY else Priority(text)
    ),
    FormField.ESTIMATE: _parse_estimate,
    FormField.PROJECT: lambda text: TaskFields(project=text.strip().removeprefix("#") or None),
    FormField.TAGS: _parse_tags,
    FormField.NOTES: lambda text: TaskFields(notes=text),
}


@dataclass(frozen=True, slots=True)
class FormParser:
    """Parses the field texts of one task; looks up its parent and blockers, thread-safe.

    Looking up tasks may raise StoreError.
    """

    task: Task
    clock: Clock
    style: DateStyle
    tasks: TaskStore

    def read(self, field: FormField, texts: Mapping[FormField, str]) -> ParsedField:
        """Parse the text of a field; ValidationError where it is invalid."""
        text = texts[field]
        match field:
            case FormField.DUE:
                when, zone, words, doubt = self._moment(text, self.task.due)
                return ParsedField(TaskFields(due=when, due_zone=zone), words, doubt)
            case FormField.START:
                when, zone, words, doubt = self._moment(text, self.task.start)
                return ParsedField(TaskFields(start=when, start_zone=zone), words, doubt)
            case FormField.REPEAT:
                return self._repeat(text, texts[FormField.DUE])
            case FormField.PARENT | FormField.BLOCKED_BY:
                tasks = self._named_tasks(field, text)
                ids = tuple(each.id for each in tasks)
                fields = TaskFields(blocked_by=ids)
                if field is FormField.PARENT:
                    fields = TaskFields(parent=ids[0] if ids else None)
                return ParsedField(fields, " · ".join(map(_numbered_title, tasks)))
            case _:
                return ParsedField(_LITERAL_PARSERS[field](text))

    def _moment(self, text: str, current: When | None) -> tuple[When | None, str | None, str, str]:
        """Return date, zone, description and warning."""
        phrase, zone = _split_zone(text)
        if phrase.casefold() in _EMPTY_WORDS:
            return None, None, "", ""
        now = self.clock.now()
        reading = read_date(phrase, now, self.style, current)
        when = reading.when
        note, day = reading.note or "", full_day(when.day, now.date())
        facts = [format_when(when, now), "" if day in note else day, zone if when.at else ""]
        zone = (zone or self.clock.zone) if when.at is not None else None
        return when, zone, " · ".join(filter(None, facts)), note

    def _repeat(self, text: str, due_text: str) -> ParsedField:
        if text.strip().casefold() in _EMPTY_WORDS:
            return ParsedField(TaskFields(recurrence=None))
        now = self.clock.now()
        reading = read_recurrence(text, now, self.style)
        recurrence = reading.recurrence
        fields = TaskFields(recurrence=recurrence.rule, repeat_from=recurrence.repeat_from)
        try:
            due = self._moment(due_text, self.task.due)[0]
        except ValidationError:
            due = None
        first = due or reading.first
        dates = first_occurrences(recurrence, first, DATES_AHEAD, self.clock.zone)
        read = format_recurrence(recurrence)
        head = "Next" if fold_case(text.strip()) == fold_case(read) else read
        words = f"{head}: {', '.join(format_when(d, now) for d in dates)}"
        if due is not None:
            # A note on the first date of the rule is irrelevant for a task with a due date.
            return ParsedField(fields, words)
        fields["due"] = first
        return ParsedField(fields, f"{words} · due on the first", reading.note or "")

    def find(self, words: str) -> tuple[Task, ...]:
        """Find some tasks by words of their title, without the task itself; open ones first."""
        parts = [ContainsText(word) for word in words.split()]
        if not parts:
            return ()
        wanted = all_of(TaskState.ANY, Not(TaskState.IN_TRASH), *parts)
        found = [
            each
            for each in self.tasks.find(wanted, limit=4 * MAX_MATCHES)
            if each.id != self.task.id
            and all(fold_case(word) in fold_case(each.title) for word in words.split())
        ]
        found.sort(key=lambda each: (not each.is_open, fold_case(each.title) != fold_case(words)))
        return tuple(found[:MAX_MATCHES])

    def _named_tasks(self, field: FormField, text: str) -> tuple[Task, ...]:
        named = [self._numbered(number) for number in _NUMBER.findall(text)]
        phrases = (" ".join(each.split()) for each in _SEPARATOR.split(text))
        named += [self._titled(words) for words in phrases if words]
        found = tuple({task.id: task for task in named}.values())
        if field is FormField.PARENT and len(found) > 1:
            raise ValidationError("A task can have only one parent.")
        return found

    def _numbered(self, number: str) -> Task:
        try:
            task = self.tasks.get(int(number[:18]))
        except NotFound as error:
            raise ValidationError(error.message) from error
        if task.deleted_at is not None:
            raise ValidationError(f"#{task.id} is in the trash.")
        return task

    def _titled(self, words: str) -> Task:
        found = self.find(words)
        exact = [each for each in found if fold_case(each.title) == fold_case(words)]
        if len(found) == 1 or len(exact) == 1:
            return (exact or found)[0]
        if not found:
            raise ValidationError(f"No task matches “{words}”.")
        some = ", ".join(map(_numbered_title, found[:3]))
        raise ValidationError(f"“{words}” matches several tasks: {some}.")


def _split_zone(text: str) -> tuple[str, str | None]:
    phrase = text.strip()
    head, _, last = phrase.rpartition(" ")
    if ("/" in last or last == "UTC") and head and not last[:1].isdigit() and is_known_zone(last):
        return head.strip(), last
    return phrase, None


def shorten_title(task: Task) -> str:
    """Return the beginning of a title."""
    return shorten(plain_line(task.title), _SHOWN)


def _numbered_title(task: Task) -> str:
    return f"#{task.id} {shorten_title(task)}"


def phrase_before_cursor(text: str, cursor: int) -> tuple[int, str]:
    """Return start and text of the phrase that ends at the cursor; empty right after an id."""
    words = _SEPARATOR.split(text[:cursor])[-1].lstrip()
    return cursor - len(words), " ".join(words.split())
