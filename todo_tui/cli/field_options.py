"""Options for the fields of a task, and how their values are read."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

import click

from todo_tui.cli.completers import (
    ShellCompleter,
    complete_projects,
    complete_tags,
    complete_tasks,
)
from todo_tui.cli.options import TEXT, parse_task_id
from todo_tui.cli.task_scope import TaskScope
from todo_tui.domain.change_words.quick_add import ISO_DAY
from todo_tui.domain.change_words.schedule import Schedule
from todo_tui.domain.dates.moment_grammar import DatePhrase
from todo_tui.domain.dates.reader import DateContext, parse_date
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.estimates import require_estimate
from todo_tui.domain.recurrence.reader import parse_recurrence
from todo_tui.domain.task import Priority, RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.task_text import edit_notes
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import When

PRIORITIES = (*Priority, "none")
_complete_ids = partial(complete_tasks, scope=TaskScope.OPEN)
OptionValues = Mapping[str, Any]
"""Values of options as typed: text, or several texts; None and empty change nothing."""


def _text_option(
    names: str,
    metavar: str,
    text: str,
    completer: ShellCompleter | None = None,
    *,
    multiple: bool = False,
) -> click.Option:
    return click.Option(
        names.split(),
        metavar=metavar,
        help=text,
        type=TEXT,
        multiple=multiple,
        shell_complete=completer,
    )


def _choice_option(name: str, choices: tuple[str, ...], text: str) -> click.Option:
    return click.Option([name], type=click.Choice(choices, case_sensitive=False), help=text)


FIELD_OPTIONS: list[click.Parameter] = [
    _text_option("--title", "TEXT", "Title."),
    _text_option("--due", "WHEN", "Due date: tomorrow 5pm, 1 week later."),
    _text_option("--start", "WHEN", "Start date; the task is hidden until then."),
    _choice_option("--priority", PRIORITIES, "Priority."),
    _text_option("--estimate", "TIME", "Time that the task will take: 30m, 1h30."),
    _text_option("--project", "NAME", "Project; use dots for subprojects.", complete_projects),
    _text_option("--tags", "NAMES", "Replace all tags (comma-separated)."),
    _text_option("--add-tag", "NAME", "Add a tag.", complete_tags, multiple=True),
    _text_option("--remove-tag", "NAME", "Remove a tag.", complete_tags, multiple=True),
    _text_option("--notes", "TEXT", "Replace notes; start with `+ ` to append."),
    _text_option("--annotate", "TEXT", "Add an annotation."),
    _text_option("--repeat --recurrence", "HOW", "Recurrence: every monday, every 2 weeks."),
    _choice_option(
        "--repeat-from",
        tuple(RepeatFrom),
        "Count repeats from the due date, with missed ones (due) or without (next), or from "
        "completion.",
    ),
    _choice_option("--status", tuple(Status), "Status."),
    _text_option("--parent", "ID", "Parent task.", _complete_ids),
    _text_option("--blocked-by", "ID", "Replace all blocking tasks.", _complete_ids, multiple=True),
    _text_option("--add-blocker", "ID", "Add a blocking task.", _complete_ids, multiple=True),
    _text_option("--remove-blocker", "ID", "Remove a blocking task.", _complete_ids, multiple=True),
    _text_option("--position", "PLACE", "Manual order: before 3, after 3."),
    _text_option("--due-zone", "ZONE", "Time zone of the due time, for example Europe/Berlin."),
    _text_option("--start-zone", "ZONE", "Time zone of the start time."),
]
"""Options of `edit`."""
NEW_TASK_OPTIONS: list[click.Parameter] = [
    _text_option("--due", "WHEN", "Due date: tomorrow 5pm."),
    _text_option("--start", "WHEN", "Start date; the task is hidden until then."),
    _text_option("--repeat", "HOW", "Recurrence: every monday, every 2 weeks."),
    _choice_option("--priority", PRIORITIES, "Priority."),
    _text_option("--estimate", "TIME", "Time that the task will take: 30m, 1h30."),
    _text_option("--project", "NAME", "Project; use dots for subprojects.", complete_projects),
    _text_option("--tag", "NAME", "Add a tag (repeatable).", complete_tags, multiple=True),
    _text_option("--parent", "ID", "Parent task.", _complete_ids),
    _text_option(
        "--blocked-by", "ID", "Add a blocking task (repeatable).", _complete_ids, multiple=True
    ),
    _text_option("--notes", "TEXT", "Notes, in Markdown."),
]
"""Options of `add`."""


def read_fields(
    options: OptionValues, task: Task, context: DateContext
) -> tuple[TaskFields, tuple[str, ...]]:
    """Return the fields that the options set, and notes on how they were read.

    Dates may be relative to those of the task. A missing option changes nothing.

    Raises:
        ValidationError: names the text that was not understood, or an option without effect.
    """
    options = defaultdict(lambda: None, options)
    fields, notes = _read_schedule(options, task, context)
    plain = {
        name: convert(options[name])
        for name, convert in (
            ("priority", lambda text: None if _means_none(text) else Priority(text)),
            ("estimate", lambda text: None if _means_none(text) else require_estimate(text)),
            (
                "project",
                lambda text: None if _means_none(text) else text.strip().lstrip("#").strip(),
            ),
            ("notes", lambda text: "" if _means_none(text) else edit_notes(task.notes, text)),
            ("title", str),
            ("tags", parse_names),
            ("repeat_from", RepeatFrom),
            ("status", Status),
            ("due_zone", str),
            ("start_zone", str),
            ("parent", lambda text: next(iter(parse_ids(text)), None)),
        )
        if options[name] is not None
    }
    fields |= cast(TaskFields, plain)
    if options["blocked_by"]:
        fields["blocked_by"] = parse_ids(" ".join(options["blocked_by"]))
    if options["annotate"] is not None and not plain_text(options["annotate"]).strip():
        raise ValidationError("An annotation needs text.")
    for option, zone, when in (
        ("--due", options["due_zone"], fields.get("due", task.due)),
        ("--start", options["start_zone"], fields.get("start", task.start)),
    ):
        if zone and (when is None or when.at is None):
            raise ValidationError(
                f"{option}-zone needs a time of day.",
                hint=f'Add a time, for example {option} "friday 5pm".',
            )
    return fields, notes


def _read_schedule(
    options: OptionValues, task: Task, context: DateContext
) -> tuple[TaskFields, tuple[str, ...]]:
    """Return dates and recurrence, and notes on how ambiguous ones were read."""
    fields, notes = TaskFields(), tuple[str, ...]()
    for name in ("due", "repeat", "start"):
        text = options[name]
        if text is None:
            continue
        if _means_none(text):
            fields |= cast(TaskFields, {"recurrence" if name == "repeat" else name: None})
            continue
        due = fields.get("due")
        schedule_fields, remarks = _parse_schedule(name, text).resolve(
            context, replace(task, due=due) if due else task, keeps_time=not ISO_DAY.search(text)
        )
        if name == "repeat" and due is not None and schedule_fields["due"] is not None:
            # A date of its own stays, also where it is not an occurrence.
            schedule_fields["due"] = When(due.day, due.at or schedule_fields["due"].at)
        fields |= schedule_fields
        notes += remarks
    return fields, notes


def _parse_schedule(name: str, text: str) -> Schedule:
    """Parse one option; `--due "every monday 8pm"` sets both date and recurrence."""
    if name == "start":
        return Schedule(start=parse_date(text))
    if name == "repeat":
        return Schedule(repeat=parse_recurrence(text))
    try:
        return Schedule(DatePhrase(parse_date(text)))
    except DateNotUnderstood as not_a_date:
        try:
            return Schedule(repeat=parse_recurrence(text))
        except DateNotUnderstood:
            raise not_a_date from None


def _means_none(text: str) -> bool:
    return text.strip().lower() in ("", "none")


def parse_names(text: str) -> tuple[str, ...]:
    """Return the tags, split at commas or else at blanks."""
    if _means_none(text):
        return ()
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


def parse_ids(text: str) -> tuple[int, ...]:
    """Return the ids in `#3, 4`.

    Raises:
        ValidationError: names a word that is not an id.
        NotFound: an id is larger than any task has.
    """
    if _means_none(text):
        return ()
    return tuple(map(parse_task_id, text.replace(",", " ").split()))
