"""Question about tool calls: why they need approval, and what they would change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from todo_tui.agent.approver import ALLOWABLE, ApprovalQuestion, ReasonKind
from todo_tui.domain.change_words.reader import require_change_words
from todo_tui.domain.changes import UNDO_TOOLS
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.task import Status, Task, TaskFields
from todo_tui.domain.text import format_count, plain_line, shorten
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store
from todo_tui.tools.base import Tool, ToolPreview
from todo_tui.tools.undo_redo import made_words

_MAX_VALUE_LENGTH = 120
_MAX_QUESTION_LINES = 40
_WRITTEN = {"new_title": "title", "notes": "notes"}
"""Arguments that replace a field of a task, with its name."""
_DUE = "due → "
_ENDED = {Status.DONE: "✓ done", Status.CANCELLED: "cancelled"}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a call needs approval."""

    kind: ReasonKind
    what: str
    """Subject of the refusal if nobody can be asked: `a second undo or redo in one turn`."""
    remedy: str
    """Way to allow it, besides `--yes`."""
    details: str = ""
    """First detail of the question: the limit or setting that asks; an undo says by itself why."""


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """A call that may need approval; `arguments` are as the tool reads them."""

    call: ToolCall
    tool: Tool
    arguments: Mapping[str, object]
    preview: ToolPreview
    undos_before: int = 0
    """Number of undos, or redos, that run before this one and were not run yet."""
    reasons: tuple[Reason, ...] = ()
    """All reasons why it needs approval."""
    approved_for: tuple[Reason, ...] | None = None
    """Reasons for which the user approved it already; None if it is not approved."""

    @property
    def is_undo_or_redo(self) -> bool:
        """True for undo and redo."""
        return self.tool.name in UNDO_TOOLS

    @property
    def counts(self) -> bool:
        """True if its tasks count towards the limits together with those of other calls."""
        return not (self.tool.reads_only or self.is_undo_or_redo)

    @property
    def approved_ids(self) -> frozenset[int] | None:
        """Tasks that an approval covers, if a filter chose them."""
        return frozenset(self.preview.ids) if self.arguments.get("filter") else None

    def covers(self, later: ProposedCall) -> bool:
        """Return whether the same call still affects no other tasks.

        A filter may find more by now, which an approval leaves out.
        """
        ids, preview = self.approved_ids, later.preview
        kept = [task_id for task_id in preview.changing if ids is None or task_id in ids]
        below = (row.task.id for task_id in kept for row in preview.descendants.get(task_id, ()))
        return self.preview.changed.issuperset((*kept, *below))


def build_question(
    proposals: Sequence[ProposedCall],
    store: Store,
    asked_at: datetime | None = None,
) -> ApprovalQuestion:
    """Build the question about these calls; its first details say why. Blocks.

    Date words in the calls are relative to `asked_at`; None: now.
    """
    asked_at = asked_at or store.clock.now()
    reasons = [reason for each in proposals for reason in each.reasons]
    why = list(dict.fromkeys(reason.details for reason in reasons if reason.details))
    lines = [*why]
    changes = [_changes(each, store, asked_at) for each in proposals]
    is_same_change = proposals[0].preview.changing and all(
        (each.tool, made) == (proposals[0].tool, changes[0])
        for each, made in zip(proposals, changes, strict=True)
    )
    if is_same_change:
        lines += changes[0]
    is_alone = is_same_change or len(proposals) == 1 or _are_undos(proposals)
    for proposal, made in zip(proposals, changes, strict=True):
        if made and not is_alone and len(proposal.preview.changing) > 1:
            # Below the last of its tasks the change would seem to be that one's.
            count = format_count(proposal.preview.task_count, "task")
            lines.append(f"{proposal.tool.verb} {count}: {' · '.join(made)}")
            lines += [f"  {row}" for row in _rows(proposal, store, alone=True)]
            continue
        rows = [*_rows(proposal, store, alone=is_alone)]
        if is_alone and proposal.is_undo_or_redo and len(proposals) > 1:
            # Below when and by whom it was changed.
            rows[1:] = [f"  {row}" for row in rows[1:]]
        lines += rows
        indent = "" if len(proposals) == 1 else "  "
        lines += [] if is_same_change else [f"{indent}{each}" for each in made]
    more = len(lines) - _MAX_QUESTION_LINES + 1
    if more > 1:
        lines[-more:] = [f"… and {more:,} more lines"]
    return ApprovalQuestion(
        _question_text(proposals, store),
        tuple(lines),
        proposals[0].call.id,
        reasons=len(why),
        allowable=ALLOWABLE.issuperset(reason.kind for reason in reasons),
    )


def _question_text(proposals: Sequence[ProposedCall], store: Store) -> str:
    count = len(proposals)
    names = {proposal.tool.name for proposal in proposals}
    previews = [proposal.preview for proposal in proposals]
    task_count = len(frozenset().union(*(preview.changed for preview in previews)))
    task_count += sum(preview.added + preview.unnamed_changes for preview in previews)
    tool = proposals[0].tool
    if count > 1 and _are_undos(proposals):
        return f"{tool.name.capitalize()} the last {count:,} changes?"
    if count > 1 and not all(proposal.tool.verb for proposal in proposals):
        return f"Run {count} tool calls?"
    if len(names) > 1:
        return f"Make {count} changes to {format_count(task_count, 'task')}?"
    if tool.question:
        return tool.question
    if not tool.verb:
        return f"Run {_value_text(tool.name)}?"
    if task_count != 1:
        return f"{tool.verb} {task_count:,} tasks?"
    ids, title = previews[0].changing, proposals[0].arguments.get("title", "")
    tasks = store.tasks.rows(ids)
    return f"{tool.verb} “{_value_text(tasks[0].title if tasks else title)}”?"


def _are_undos(proposals: Sequence[ProposedCall]) -> bool:
    """Return True if all are undos, or all are redos."""
    return proposals[0].is_undo_or_redo and len({each.tool.name for each in proposals}) == 1


def describe_call(proposal: ProposedCall, store: Store) -> str:
    """Return what a call would do: `move Buy milk · tomorrow 17:00 → Fri 27 Nov`. Blocks."""
    tool, now = proposal.tool, store.clock.now()
    if not tool.verb:
        return (tool.question or f"run {tool.name}?").removesuffix("?").lower()
    changes = _changes(proposal, store, now)
    ids = proposal.preview.changing
    tasks = store.tasks.rows(ids)
    if len(ids) == 1 and len(tasks) == 1:
        title = _value_text(tasks[0].title)
        if len(changes) == 1 and changes[0].startswith(_DUE) and " · " not in changes[0]:
            due = tasks[0].due_in(store.clock.zone)
            before = format_when(due, now) if due else "no date"
            return f"move {title} · {before} → {changes[0].removeprefix(_DUE)}"
    elif ids:
        title = format_count(proposal.preview.task_count, "task")
    else:
        title = _value_text(proposal.arguments.get("title", ""))
        changes = [each.removeprefix(_DUE) for each in changes]
    return " · ".join([f"{tool.verb.lower()} {title}", *changes])


def _rows(proposal: ProposedCall, store: Store, *, alone: bool) -> Iterator[str]:
    """Yield the rows that would change; of several calls each with its verb."""
    tool, preview = proposal.tool, proposal.preview
    indent = "" if alone else "  "
    if tool.question and not alone:
        yield tool.question.removesuffix("?")
    if preview.undo is not None:
        made = made_words(store, preview.undo)
        yield f"{indent}{made[:1].upper()}{made[1:]}"
        for task_id, title, verb in preview.undo.tasks:
            yield f"{indent}{verb} #{task_id} {_value_text(title)}"
        return
    verb = "" if alone else f"{tool.verb or _value_text(tool.name)} "
    for task in store.tasks.rows(preview.changing):
        yield f"{verb}{_row(task, store.clock)}"
        for below in preview.descendants.get(task.id, ()):
            yield f"{'  ' * below.depth}#{below.task.id} {_value_text(below.task.title)}"
    if not (alone or preview.ids or tool.question):
        yield f"{verb}{_value_text(proposal.arguments.get('title', ''))}".rstrip()


def _changes(proposal: ProposedCall, store: Store, asked_at: datetime) -> list[str]:
    """Return the arguments, change words as they are read: `due → Fri 27 Nov · high priority`."""
    lines: list[str] = []
    for argument, value in proposal.arguments.items():
        is_shown = argument == "task_ids" or (argument == "title" and proposal.tool.verb)
        if is_shown or value is None:
            continue
        text = _value_text(value) or "none"
        if argument == "details":
            lines.append(_read_details(str(value), store, asked_at) or f"details: {text}")
        elif argument in _WRITTEN:
            lines.append(f"{_WRITTEN[argument]} → {text}")
        else:
            lines.append(f"{argument.replace('_', ' ')}: {text}")
    return lines


def _read_details(details: str, store: Store, asked_at: datetime) -> str:
    """Return what change words do to a task; empty if they mean nothing."""
    try:
        words = require_change_words(details, asked_at, store.style)
    except ValidationError:
        # The call itself says what is wrong.
        return ""
    fields: TaskFields = {}
    with suppress(ValidationError):  # A shift needs the task that it moves.
        fields = words.fields_of()
    due = fields.get("due")
    day = format_when(due, asked_at) if due else ""
    return " · ".join(f"{_DUE}{each}" if each == day else each for each in words.summary)


def _row(task: Task, clock: Clock) -> str:
    """Return a row such as `#3 Buy milk · tomorrow 17:00 · ✓ done · ≡ has notes`."""
    facts = [_value_text(task.title)]
    due = task.due_in(clock.zone)
    facts += [format_when(due, clock.now())] if due else []
    facts += ["in the trash"] if task.deleted_at is not None else []
    facts += [_ENDED[task.status]] if task.status in _ENDED else []
    facts += ["≡ has notes"] if task.notes or task.annotations else []
    return f"#{task.id} {' · '.join(facts)}"


def _value_text(value: object) -> str:
    """Return a value as one plain line, cut if very long."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    return shorten(plain_line(str(value)).strip(), _MAX_VALUE_LENGTH)
