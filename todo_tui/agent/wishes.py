"""Tool calls as a person is asked about them: the tasks that they touch, arguments in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.agent.approval import Question
from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.date_text import when_words
from todo_tui.domain.errors import NotFound, TodoError
from todo_tui.domain.text import plain_line
from todo_tui.store.workspace import Store
from todo_tui.tools.arguments import parse_object
from todo_tui.tools.base import Tool

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
_TRAVELS = ("undo", "redo")
_LABELS = {
    "new_title": "new title",
    "start": "hidden until",
    "repeat": "repeats",
    "add_tags": "tags added",
    "remove_tags": "tags removed",
}
_LONGEST = 120
_MOST_LINES = 40


@dataclass(frozen=True, slots=True)
class Wish:
    """A call that may need a yes; `arguments` are as the tool reads them."""

    call: ToolCall
    tool: Tool
    arguments: Mapping[str, object]
    touched: int
    """How many tasks it would change."""

    @property
    def ids(self) -> tuple[int, ...]:
        """The tasks that it names."""
        ids = self.arguments.get("task_ids")
        return tuple(ids) if isinstance(ids, list) else ()


def read_wish(call: ToolCall, tool: Tool, store: Store) -> Wish | None:
    """What a call would do; None where its arguments cannot be read. Blocks."""
    try:
        written = parse_object(call.arguments)
        values = tool.signature.read(written)
    except TodoError:
        return None
    arguments = {name: values[name] for name in written if name in values}
    wish = Wish(call, tool, arguments, 1)
    if tool.reads_only:
        touched = 0
    elif tool.name in _TRAVELS:
        touched = len(store.at_stake(redo=tool.name == "redo"))
    else:
        touched = len(wish.ids) if "task_ids" in arguments else 1
    return Wish(call, tool, arguments, touched)


def question_about(wishes: Sequence[Wish], store: Store) -> Question:
    """The question of whether they may run, in plain lines. Blocks."""
    lines = [line for wish in wishes for line in _details(wish, store, alone=len(wishes) == 1)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"… and {len(lines) - _MOST_LINES + 1:,} more lines"]
    return Question(_words(wishes, store), tuple(lines), wishes[0].call.id)


def _words(wishes: Sequence[Wish], store: Store) -> str:
    names = {wish.tool.name for wish in wishes}
    touched = sum(wish.touched for wish in wishes)
    first = wishes[0]
    if len(names) > 1:
        return f"Make {len(wishes)} changes to {touched:,} tasks?"
    if first.tool.name in _SENTENCES:
        return _SENTENCES[first.tool.name]
    verb = _VERBS.get(first.tool.name)
    if verb is None:
        return f"Run {_line(first.tool.name)}?"
    return f"{verb} {_object(first, store) if touched == 1 else f'{touched:,} tasks'}?"


def _object(wish: Wish, store: Store) -> str:
    """The one task that it is about, by its title."""
    if not wish.ids:
        return f"“{_line(wish.arguments.get('title', ''))}”"
    try:
        return f"“{_line(store.tasks.get(wish.ids[0]).title)}”"
    except NotFound:
        return f"#{wish.ids[0]}"


def _details(wish: Wish, store: Store, *, alone: bool) -> Iterator[str]:
    """The rows that would change, then how."""
    name = wish.tool.name
    if name in _TRAVELS:
        at_stake = store.at_stake(redo=name == "redo")
        yield from (f"#{task_id} {_line(title)}" for task_id, title in at_stake)
        return
    verb = "" if alone else f"{_VERBS.get(name, _line(name))} "
    yield from (f"{verb}{_row(task_id, store)}" for task_id in wish.ids)
    if not alone and not wish.ids:
        yield f"{verb}{_line(wish.arguments.get('title', ''))}".rstrip()
    for argument, value in wish.arguments.items():
        # The title of a task that is there is a check, and that of a new one is said.
        told = argument == "task_ids" or (argument == "title" and name in _VERBS)
        if not told and value is not None:
            label = _LABELS.get(argument, argument.replace("_", " "))
            yield f"{label}: {_line(value) or 'none'}"


def _row(task_id: int, store: Store) -> str:
    """`#3 Buy milk · tomorrow 17:00`."""
    try:
        task = store.tasks.get(task_id)
    except NotFound:
        return f"#{task_id} (there is no such task)"
    due = f" · {when_words(task.due, store.clock.now())}" if task.due else ""
    return f"#{task_id} {_line(task.title)}{due}"


def _line(value: object) -> str:
    """A value in words: one plain line, cut where it is very long."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    text = plain_line(str(value)).strip()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
