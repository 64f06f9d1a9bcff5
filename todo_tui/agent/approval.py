"""Approver protocol, and the question for tool calls: affected tasks and arguments in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import NobodyToAsk, NotFound, TodoError, ValidationError
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import Descendant, UndoPreview
from todo_tui.tools.arguments import parse_object
from todo_tui.tools.base import Tool
from todo_tui.tools.targets import MAX_TASKS, matching_tasks
from todo_tui.tools.undo_redo import UNDOING, made_words

_VERBS = {
    "add_task": "Add",
    "update_task": "Change",
    "complete_task": "Complete",
    "reopen_task": "Reopen",
    "delete_task": "Delete",
}
_SENTENCES = {
    "undo": "Undo the last change?",
    "redo": "Redo the last change?",
    "list_tasks": "Look at the tasks?",
    "current_time": "Look at the clock?",
}
_LABELS = {
    "new_title": "new title",
    "start": "hidden until",
    "repeat": "repeats",
    "add_tags": "tags added",
    "remove_tags": "tags removed",
    "annotation": "remark",
    "parent": "part of",
    "blocked_by": "waits for",
    "add_blockers": "waits for",
    "remove_blockers": "waits no more for",
    "position": "place",
    "subtasks": "open subtasks",
    "last": "comes no more",
}
_MAX_VALUE_LENGTH = 120
_MAX_QUESTION_LINES = 40


@dataclass(frozen=True, slots=True)
class ApprovalQuestion:
    """A question for the user; all text is plain lines.

    `call_id` is empty if it is not about a tool call; `details` say what would change.
    `host` is set for consent to send messages there. Sent data cannot be taken back, so
    only the answer of a person, or naming the host, is a yes.
    """

    words: str
    details: tuple[str, ...] = ()
    call_id: str = ""
    host: str = ""


class Approver(Protocol):
    """Asks the user; all approvals go through it."""

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Wait for the answer; cancelled when the turn is stopped.

        Raises:
            NobodyToAsk: There is nobody to answer.
        """
        ...


async def is_approved(approver: Approver, question: ApprovalQuestion) -> bool:
    """Wait for the answer; False if there is nobody to ask."""
    try:
        return await approver.decide(question)
    except NobodyToAsk:
        return False


class ApproveAll:
    """Approves everything but consent without asking, for `--yes`."""

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Approve, except for sending messages to another host."""
        return not question.host


class ApproveNone:
    """Refuses everything, where there is nobody to ask."""

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Refuse.

        Raises:
            NobodyToAsk: Always.
        """
        raise NobodyToAsk


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """A call that may need approval; `arguments` are as the tool reads them."""

    call: ToolCall
    tool: Tool
    arguments: Mapping[str, object]
    task_count: int
    """Number of tasks it would add or change, including subtasks."""
    ids: tuple[int, ...] = ()
    """Tasks that it names or that its filter finds."""
    descendants: Mapping[int, tuple[Descendant, ...]] = field(default_factory=dict)
    """Descendants changed with a task, by its id."""
    preview: UndoPreview | None = None
    """Batch that an undo or redo would revert."""

    @property
    def is_undo_or_redo(self) -> bool:
        """True for undo and redo."""
        return self.tool.name in UNDOING

    @property
    def changed(self) -> frozenset[int]:
        """Ids of the tasks it would change or delete."""
        below = (each.task.id for descendants in self.descendants.values() for each in descendants)
        return frozenset((*self.ids, *below))

    @property
    def unnamed_changes(self) -> int:
        """Number of changes without a known task id."""
        return 0 if self.ids or self.is_undo_or_redo else self.task_count - self.added

    @property
    def added(self) -> int:
        """Number of tasks it would add."""
        return self.task_count if self.tool.name == "add_task" else 0

    @property
    def approved_ids(self) -> frozenset[int] | None:
        """Tasks that an approval covers, if a filter chose them."""
        return frozenset(self.ids) if self.arguments.get("filter") else None


def preview_call(call: ToolCall, tool: Tool, store: Store, turn_id: str) -> ProposedCall | None:
    """Work out the effect of a call; None if its arguments are invalid. Blocks."""
    try:
        written = parse_object(call.arguments)
        values = tool.signature.read(written)
    except TodoError:
        return None
    arguments = {name: values[name] for name in written if name in values}
    if tool.reads_only:
        return ProposedCall(call, tool, arguments, 0)
    if tool.name in UNDOING:
        preview = store.preview_undo(turn_id, redo=tool.name == "redo")
        ids = tuple(task_id for task_id, _, _ in preview.tasks) if preview else ()
        return ProposedCall(call, tool, arguments, len(ids), ids, preview=preview)
    try:
        ids = _ids(arguments, store)
    except TodoError:
        return None
    descendants = _affected_descendants(tool, arguments, ids, store)
    below = {each.task.id for descendants in descendants.values() for each in descendants}
    task_count = len(below.union(ids)) if ids else 1
    return ProposedCall(call, tool, arguments, task_count, ids, descendants)


def _ids(arguments: Mapping[str, object], store: Store) -> tuple[int, ...]:
    """Return the ids of the tasks of a call.

    Raises:
        TodoError: Too many tasks, or a filter that is invalid or matches none.
    """
    named, words = arguments.get("task_ids"), arguments.get("filter")
    if isinstance(named, list):
        if len(named) > MAX_TASKS:
            raise ValidationError(f"One call changes at most {MAX_TASKS:,} tasks.")
        return tuple(named)
    if isinstance(words, str) and words.strip():
        return tuple(task.id for task in matching_tasks(store, words))
    return ()


def _affected_descendants(
    tool: Tool, arguments: Mapping[str, object], ids: Sequence[int], store: Store
) -> dict[int, tuple[Descendant, ...]]:
    """Return the descendants that the call would close, restore or delete too."""
    closes, restores = arguments.get("subtasks") == "close", tool.name == "reopen_task"
    if tool.name != "delete_task" and not (closes or restores):
        return {}
    found: dict[int, tuple[Descendant, ...]] = {}
    seen = set(ids)
    for task_id in ids:
        try:
            below = store.tasks.subtree(task_id, deleted_along=restores)
        except NotFound:
            continue
        fresh = tuple(
            each
            for each in below
            if each.task.id not in seen
            and (not closes or each.task.is_open)
            and (not restores or each.task.deleted_at is not None)
        )
        seen.update(each.task.id for each in fresh)
        if fresh:
            found[task_id] = fresh
    return found


def build_question(
    proposals: Sequence[ProposedCall], store: Store, why: str = ""
) -> ApprovalQuestion:
    """Build the question for these calls, with `why` as its first detail. Blocks."""
    lines = [why] if why else []
    lines += [
        line
        for proposal in proposals
        for line in _details(proposal, store, alone=len(proposals) == 1)
    ]
    if len(lines) > _MAX_QUESTION_LINES:
        lines = [
            *lines[: _MAX_QUESTION_LINES - 1],
            f"… and {len(lines) - _MAX_QUESTION_LINES + 1:,} more lines",
        ]
    return ApprovalQuestion(_question_text(proposals, store), tuple(lines), proposals[0].call.id)


def _question_text(proposals: Sequence[ProposedCall], store: Store) -> str:
    names = {proposal.tool.name for proposal in proposals}
    task_count = sum(proposal.task_count for proposal in proposals)
    first = proposals[0]
    if len(names) > 1:
        return f"Make {len(proposals)} changes to {task_count:,} tasks?"
    if first.tool.name in _SENTENCES:
        return _SENTENCES[first.tool.name]
    verb = _VERBS.get(first.tool.name)
    if verb is None:
        return f"Run {_value_text(first.tool.name)}?"
    return f"{verb} {_title_text(first, store) if task_count == 1 else f'{task_count:,} tasks'}?"


def _title_text(proposal: ProposedCall, store: Store) -> str:
    """Return the quoted title of the only task."""
    if not proposal.ids:
        return f"“{_value_text(proposal.arguments.get('title', ''))}”"
    try:
        return f"“{_value_text(store.tasks.get(proposal.ids[0]).title)}”"
    except NotFound:
        return f"#{proposal.ids[0]}"


def _details(proposal: ProposedCall, store: Store, *, alone: bool) -> Iterator[str]:
    """Yield the rows that would change, then the arguments."""
    name = proposal.tool.name
    if proposal.preview is not None:
        made = made_words(store, proposal.preview)
        yield f"{made[:1].upper()}{made[1:]}"
        yield from (
            f"{verb} #{task_id} {_value_text(title)}"
            for task_id, title, verb in proposal.preview.tasks
        )
        return
    verb = "" if alone else f"{_VERBS.get(name, _value_text(name))} "
    for task_id in proposal.ids:
        yield f"{verb}{_row(task_id, store)}"
        for below in proposal.descendants.get(task_id, ()):
            yield f"{'  ' * below.depth}#{below.task.id} {_value_text(below.task.title)}"
    if not alone and not proposal.ids:
        yield f"{verb}{_value_text(proposal.arguments.get('title', ''))}".rstrip()
    for argument, value in proposal.arguments.items():
        # The title is shown already, or only a check.
        is_shown = argument == "task_ids" or (argument == "title" and name in _VERBS)
        if not is_shown and value is not None:
            label = _LABELS.get(argument, argument.replace("_", " "))
            yield f"{label}: {_value_text(value) or 'none'}"


def _row(task_id: int, store: Store) -> str:
    """Return a row such as `#3 Buy milk · tomorrow 17:00`."""
    try:
        task = store.tasks.get(task_id)
    except NotFound:
        return f"#{task_id} (there is no such task)"
    due = f" · {format_when(task.due, store.clock.now())}" if task.due else ""
    return f"#{task_id} {_value_text(task.title)}{due}"


def _value_text(value: object) -> str:
    """Return a value as one plain line, cut if very long."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    text = plain_line(str(value)).strip()
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[: _MAX_VALUE_LENGTH - 1]}…"
