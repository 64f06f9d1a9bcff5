"""Replies: what the assistant says, as Markdown in which titles are never markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from todo_tui.domain.when import When
from todo_tui.providers.offline.toolwork import Seen

MOST_SHOWN = 25
"""Lines of a list in an answer; the task list beside it has the rest."""

MOST_NAMED = 3
"""Tasks that a sentence names one by one."""

_ACTIVE = re.compile(r"[\\`*<>\[\]~|]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|!(?=\[)|\$(?=\$)")
_LEADING = re.compile(r"^(\s*\d{0,9})((?<!\d)[-+#=]|(?<=\d)[.)](?=\s|$))")


def escaped(text: str) -> str:
    """Text in which no character is markup."""
    return _LEADING.sub(r"\1\\\2", _ACTIVE.sub(r"\\\g<0>", text))


def name(task: Seen) -> str:
    """A task in a sentence: its title, bold."""
    return f"**{escaped(task.title)}**"


def numbered(task: Seen) -> str:
    """A task in a sentence, with its number."""
    return f"{name(task)} (#{task.id})"


def line(task: Seen) -> str:
    """A task in a list: title, due, priority, project, tags, number."""
    parts = [escaped(task.title)]
    if not task.is_open and task.status != "todo":
        parts.append(task.status)
    if when := task.overdue or task.due_words:
        parts.append(when)
    if task.repeat_words:
        parts.append(task.repeat_words)
    if task.blocked:
        parts.append(f"waits for {', '.join(f'#{each}' for each in task.blocked_by)}")
    if task.progress:
        parts.append(task.progress)
    if task.priority:
        parts.append(f"{task.priority} priority")
    if task.project:
        parts.append(f"#{escaped(task.project)}")
    parts += [f"@{escaped(tag)}" for tag in task.tags]
    return f"- {' · '.join(parts)} (#{task.id})"


def lines(tasks: Sequence[Seen], total: int | None = None) -> str:
    """A Markdown list of tasks; says how many more there are than it shows."""
    shown = tasks[:MOST_SHOWN]
    more = (len(tasks) if total is None else total) - len(shown)
    rows = [line(task) for task in shown]
    if more > 0:
        rows.append(f"- …and {more:,} more")
    return "\n".join(rows)


def names(tasks: Sequence[Seen], joint: str = "and", *, ids: bool = False) -> str:
    """Tasks in a sentence: `**A**, **B** and **C**`."""
    each = [numbered(task) if ids else name(task) for task in tasks]
    if len(each) < 2:
        return "".join(each)
    return f"{', '.join(each[:-1])} {joint} {each[-1]}"


def tasks_word(number: int, kind: str = "") -> str:
    """`1 task`, `5 open tasks`."""
    words = f"{kind} " if kind else ""
    return f"{number:,} {words}task{'' if number == 1 else 's'}"


def facts(task: Seen, known: Mapping[int, Seen] = MappingProxyType({})) -> str:
    """What a task has, in words: due, repeat, priority, project, tags.

    Its parent is named by its title where it is `known`.
    """
    parts = []
    if task.due_words:
        parts.append(f"due {task.due_words}" + (f", {task.overdue}" if task.overdue else ""))
    if task.repeat_words:
        parts.append(f"repeats {task.repeat_words}")
    if task.parent:
        parent = known.get(task.parent)
        parts.append(f"part of {numbered(parent) if parent else f'#{task.parent}'}")
    if task.progress:
        parts.append(f"subtasks: {task.progress}")
    if task.blocked:
        parts.append(f"waits for {', '.join(f'#{each}' for each in task.blocked_by)}")
    if task.priority:
        parts.append(f"{task.priority} priority")
    if task.project:
        parts.append(f"in project {escaped(task.project)}")
    if task.tags:
        parts.append("tagged " + ", ".join(escaped(tag) for tag in task.tags))
    return ", ".join(parts)


def days(moments: Sequence[When], now: datetime) -> str:
    """Moments in a sentence: `tomorrow 17:00, Fri 4 Dec 17:00 and 1 Jan 2027`; `now` is local."""
    from todo_tui.domain.dates.text import format_when

    words = [format_when(each, now) for each in moments]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1] if words else "")))


def quoted(words: str) -> str:
    """The person's words, in quotes, as text and not too long."""
    plain = " ".join(words.split()).rstrip(".")
    return f"“{escaped(plain if len(plain) <= 80 else plain[:79] + '…')}”"


def sentence(remark: str) -> str:
    """A remark of the date grammar as a sentence of its own, as text."""
    plain = escaped(remark.strip())
    return f"{plain[:1].upper()}{plain[1:].rstrip('.')}."
