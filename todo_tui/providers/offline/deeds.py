"""Deeds: for each thing that can be done to tasks, the tool that does it and what is said after."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dating import bare_date
from todo_tui.providers.offline.intents import Deed
from todo_tui.providers.offline.session import group_named
from todo_tui.providers.offline.told import (
    Done,
    blocked_told,
    completed_told,
    deleted_told,
    due_told,
    filed_told,
    nested_told,
    noted_told,
    placed_told,
    repeat_told,
    skipped_told,
    started_told,
    tagged_told,
    unblocked_told,
    weighed_told,
)
from todo_tui.providers.offline.toolwork import Seen

Arguments = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Value:
    """What the deed is done with: the person's words, and whether they were quoted."""

    text: str
    quoted: bool = False
    other: tuple[Seen, ...] = ()
    """The tasks at the other end of a link."""


@dataclass(frozen=True, slots=True)
class Doing:
    """How a deed is done.

    `arguments` are those of the tool besides the ids; a sentence instead says why there
    is nothing to change. `looks` where the task's present state decides on them.
    """

    arguments: Callable[[Seen, Value], Arguments | str]
    told: Callable[[Done], str]
    tool: str = "update_task"
    looks: bool = False


_STEPS = ("none", "low", "medium", "high")
_UNTIL = re.compile(r" until [^,]+?(?=,| after completion|$)")


def _bare(_: Seen, __: Value) -> Arguments:
    return {}


def _given(name: str) -> Callable[[Seen, Value], Arguments]:
    return lambda _, value: {name: value.text}


def _dated(name: str) -> Callable[[Seen, Value], Arguments]:
    return lambda _, value: {name: bare_date(value.text)}


def _without_hour(task: Seen, _: Value) -> Arguments | str:
    if task.due is None or task.due.at is None:
        return f"{replies.name(task)} has no time of day."
    return {"due": task.due.day.isoformat()}


def _retitled(task: Seen, value: Value) -> Arguments:
    """The new title, with a capital where the old one has it and no quotes say otherwise."""
    plain = value.quoted or not task.title[:1].isupper()
    if plain or not value.text.split(" ", 1)[0].islower():
        return {"new_title": value.text}
    return {"new_title": value.text[:1].upper() + value.text[1:]}


def _weighed(task: Seen, value: Value) -> Arguments:
    if value.text not in ("raise", "lower"):
        return {"priority": value.text}
    at = _STEPS.index(task.priority) if task.priority in _STEPS else 0
    if value.text == "raise":
        return {"priority": _STEPS[min(at + 1, 3)] if at else "high"}
    return {"priority": _STEPS[max(at - 1, 1)] if at else "low"}


def _tagged(_: Seen, value: Value) -> Arguments:
    return {"add_tags": list(value.text.split(","))}


def _untagged(task: Seen, value: Value) -> Arguments | str:
    if value.text == "*":
        gone = list(task.tags)
    else:
        have = {tag.casefold(): tag for tag in task.tags}
        gone = [have[name] for name in value.text.casefold().split(",") if name in have]
    if gone:
        return {"remove_tags": list(gone)}
    named = "no tags" if value.text == "*" else f"no tag {replies.quoted(value.text)}"
    return f"{replies.name(task)} has {named}."


def _unfiled(task: Seen, value: Value) -> Arguments | str:
    if task.project and group_named(value.text, {task.project.casefold(): task.project}):
        return {"project": "none"}
    if tag := group_named(value.text, {tag.casefold(): tag for tag in task.tags}):
        return {"remove_tags": [tag]}
    return f"{replies.name(task)} is not in {replies.quoted(value.text)}, so nothing was changed."


def _noted(_: Seen, value: Value) -> Arguments:
    return {"notes": f"+ {value.text}" if value.text else "none"}


def _remarked(_: Seen, value: Value) -> Arguments:
    return {"annotation": value.text}


def _finished(_: Seen, value: Value) -> Arguments:
    if value.text == "last":
        return {"last": True}
    return {"subtasks": value.text} if value.text in ("close", "leave") else {}


def _nested(task: Seen, value: Value) -> Arguments | str:
    if value.other:
        return {"parent": value.other[0].id}
    if not task.parent:
        return f"{replies.name(task)} is no part of another task."
    return {"parent": 0}


def _blocked(_: Seen, value: Value) -> Arguments:
    return {"add_blockers": [task.id for task in value.other]}


def _unblocked(task: Seen, value: Value) -> Arguments | str:
    if not task.blocked_by:
        return f"{replies.name(task)} waits for nothing."
    if not value.other:
        return {"remove_blockers": list(task.blocked_by)}
    gone = [each.id for each in value.other if each.id in task.blocked_by]
    if not gone:
        return f"{replies.name(task)} does not wait for {replies.names(value.other, 'or')}."
    return {"remove_blockers": list(gone)}


def _placed(_: Seen, value: Value) -> Arguments:
    if value.other:
        return {"position": f"{value.text.split(' ', 1)[0].casefold()} {value.other[0].id}"}
    return {"position": value.text}


def _skipped(_: Seen, value: Value) -> Arguments:
    return {"repeat": f"skip {value.text}".strip()}


def _ended(task: Seen, value: Value) -> Arguments | str:
    """The rhythm with an end; a number of times counts from the present date."""
    if not task.repeat_words:
        return f"{replies.name(task)} does not repeat, so there is no series to end."
    rhythm = _UNTIL.sub("", task.repeat_words)
    if value.text.endswith("times") and task.due is not None:
        rhythm = f"{rhythm} starting {task.due.iso()[:10]}"
    return {"repeat": f"{rhythm} {value.text}"}


def _begun(_: Seen, __: Value) -> Arguments:
    return {"status": "doing"}


DEEDS: Mapping[Deed, Doing] = {
    Deed.COMPLETE: Doing(_finished, completed_told, "complete_task"),
    Deed.REOPEN: Doing(
        _bare, lambda done: f"{done.who}{done.family} {done.are} open again.", "reopen_task"
    ),
    Deed.DELETE: Doing(_bare, deleted_told, "delete_task"),
    Deed.RENAME: Doing(
        _retitled, lambda done: f"Renamed: it is now {replies.numbered(done.tasks[0])}."
    ),
    Deed.DUE: Doing(_dated("due"), due_told),
    Deed.ALL_DAY: Doing(_without_hour, due_told, looks=True),
    Deed.SHIFT: Doing(_given("due"), due_told),
    Deed.START: Doing(_dated("start"), started_told),
    Deed.PRIORITY: Doing(_weighed, weighed_told, looks=True),
    Deed.TAG: Doing(_tagged, tagged_told),
    Deed.UNTAG: Doing(_untagged, lambda done: f"Removed the tag from {done.who}.", looks=True),
    Deed.FILE: Doing(_given("project"), filed_told),
    Deed.UNFILE: Doing(
        _unfiled, lambda done: f"{done.who} {done.are} not in {done.value} any more.", looks=True
    ),
    Deed.NOTE: Doing(_noted, noted_told),
    Deed.REPEAT: Doing(_given("repeat"), repeat_told),
    Deed.SKIP: Doing(_skipped, skipped_told),
    Deed.ENDING: Doing(_ended, repeat_told, looks=True),
    Deed.REMARK: Doing(_remarked, lambda done: f"Added to {done.who}, dated today: {done.value}"),
    Deed.NEST: Doing(_nested, nested_told, looks=True),
    Deed.BLOCK: Doing(_blocked, blocked_told),
    Deed.UNBLOCK: Doing(_unblocked, unblocked_told, looks=True),
    Deed.PLACE: Doing(_placed, placed_told),
    Deed.CALL_OFF: Doing(
        lambda _, __: {"status": "cancelled"}, lambda done: f"{done.who} {done.are} cancelled."
    ),
    Deed.BEGIN: Doing(_begun, lambda done: f"{done.who} {done.are} in progress."),
}
