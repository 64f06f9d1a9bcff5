"""What may be written into a task's fields: checked, made plain, turned into columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import TaskFields
from todo_tui.domain.text import plain_line, plain_text, whole_characters
from todo_tui.domain.when import When
from todo_tui.domain.zones import is_zone, living_zone
from todo_tui.store.rows import annotations_text, extra_text

TITLE_LIMIT = 10_000
NOTES_LIMIT = 1_000_000
LABEL_LIMIT = 500
"""Characters of a title, of notes and other long text, of a project or tag."""

_ZONE_SHOWN = 60
_REMEMBERED = 1024
"""Projects, tags and due moments of which is remembered what became of them."""

Columns = dict[str, str | None]


def columns_of(fields: TaskFields, present: Mapping[str, str | None], zone: str) -> Columns:
    """The columns that a write sets, without tags, parent and blockers.

    Args:
        fields: what the caller wants.
        present: the columns as they stand, for what depends on them.
        zone: for timed moments without one of their own.

    Raises:
        ValidationError: a field cannot hold what was asked.
    """
    columns: Columns = {}
    _add_words(columns, fields)
    _add_marks(columns, fields)
    if "due" in fields or "due_zone" in fields:
        due = fields["due"] if "due" in fields else _when(present["due"])
        columns["due"], columns["due_zone"] = _moment(due, fields.get("due_zone"), zone)
    if "start" in fields or "start_zone" in fields:
        start = fields["start"] if "start" in fields else _when(present["start"])
        columns["start"], columns["start_zone"] = _moment(start, fields.get("start_zone"), zone)
    if fields.get("recurrence"):
        columns["recurrence"] = _rule_that_comes(fields["recurrence"] or "", {**present, **columns})
    return columns


def _add_words(columns: Columns, fields: TaskFields) -> None:
    if "title" in fields:
        columns["title"] = clean_title(fields["title"])
    if "notes" in fields:
        columns["notes"] = clean_notes(fields["notes"] or "", "notes")
    if "project" in fields:
        columns["project"] = clean_project(fields["project"])
    if "annotations" in fields:
        columns["annotations"] = annotations_text(fields["annotations"])
    if "extra" in fields:
        columns["extra"] = extra_text(fields["extra"])


def _add_marks(columns: Columns, fields: TaskFields) -> None:
    if "status" in fields:
        columns["status"] = str(fields["status"])
    if "priority" in fields:
        priority = fields["priority"]
        columns["priority"] = None if priority is None else str(priority)
    if "recurrence" in fields:
        columns["recurrence"] = fields["recurrence"] or None
    if "repeat_from" in fields:
        columns["repeat_from"] = str(fields["repeat_from"])
    if "position" in fields:
        columns["position"] = clean_label(fields["position"], "position")


def clean_title(title: str) -> str:
    """A title on one line, without what a terminal would act on.

    Raises:
        ValidationError: empty, or longer than the limit.
    """
    cleaned = _line(title)
    if not cleaned:
        raise ValidationError(
            "A task needs a title.", hint="Say in a few words what is to be done."
        )
    return _within(cleaned, TITLE_LIMIT, "title")


def clean_notes(text: str, name: str) -> str:
    """Longer text, in which newlines and tabs may stay.

    Raises:
        ValidationError: longer than the limit.
    """
    return _within(plain_text(whole_characters(text)), NOTES_LIMIT, name) if text else ""


def clean_label(text: str, name: str) -> str:
    """A short word or phrase on one line.

    Raises:
        ValidationError: longer than the limit.
    """
    return _within(_line(text), LABEL_LIMIT, name)


# The same projects and tags come with most tasks of a long file.
@lru_cache(maxsize=_REMEMBERED)
def clean_project(project: str | None) -> str | None:
    """A dotted path without the `#` that people type before it, or None."""
    return clean_label((project or "").strip().removeprefix("#"), "project") or None


@lru_cache(maxsize=_REMEMBERED)
def clean_tag(tag: str) -> str:
    """A tag without the `@` that people type before it.

    Raises:
        ValidationError: nothing is left of it, or it is too long.
    """
    cleaned = clean_label(tag.strip().removeprefix("@"), "tag")
    if not cleaned:
        raise ValidationError("A tag needs a name.", hint="Write it as @home.")
    return cleaned


def sort_instant(columns: Columns, zone: str) -> int | None:
    """Seconds since 1970 by which due moments of all zones sort; None without a due moment.

    Raises:
        ValidationError: a day at the end of the calendar, beyond what UTC can say.
    """
    due = columns["due"]
    return None if due is None else _instant_of(due, columns["due_zone"], zone)


@lru_cache(maxsize=_REMEMBERED)
def _instant_of(due: str, due_zone: str | None, home: str) -> int:
    try:
        return int(When.parse(due).instant(living_zone(due_zone, home)).timestamp())
    except (OverflowError, ValueError) as error:
        raise ValidationError(
            f"{due} is too far away.", hint="Choose a day between the years 2 and 9998."
        ) from error


def _line(text: str) -> str:
    # What can be printed needs nothing else, and that is nearly all there is.
    return text.strip() if text.isprintable() else plain_line(whole_characters(text)).strip()


def _rule_that_comes(rule: str, columns: Columns) -> str:
    """The rule itself, once it is known that completing the task will understand it.

    Raises:
        RuleProblem: it cannot be read, or names days that never come.
    """
    # Most tasks do not repeat, and are saved without the import.
    from todo_tui.domain.coming import Recurrence, refuse_never

    cleaned = clean_label(rule, "repeat rule").removeprefix("RRULE:")
    refuse_never(Recurrence(cleaned), _when(columns["due"]))
    return cleaned


def _moment(when: When | None, zone: str | None, home: str) -> tuple[str | None, str | None]:
    """A moment and its zone as they are stored."""
    if when is None:
        return None, None
    if when.at is None:
        return when.iso(), None
    return when.iso(), _known_zone(zone) if zone else home


def _known_zone(zone: str) -> str:
    if not is_zone(zone):
        raise ValidationError(
            f"There is no time zone {plain_line(zone)[:_ZONE_SHOWN]!r}.",
            hint="Write it as Europe/Berlin.",
        )
    return zone


def _when(text: str | None) -> When | None:
    return None if text is None else When.parse(text)


def _within(text: str, limit: int, name: str) -> str:
    if len(text) > limit:
        raise ValidationError(
            f"The {name} is too long: {len(text):,} characters, at most {limit:,} are kept.",
            hint="Shorten it, or put the rest into the notes." if name == "title" else None,
        )
    return text
