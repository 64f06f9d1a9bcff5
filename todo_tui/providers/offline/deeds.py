"""Deeds: for each thing that can be done to tasks, the tool that does it and what is said after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dating import bare_date
from todo_tui.providers.offline.intents import Deed
from todo_tui.providers.offline.session import group_named
from todo_tui.providers.offline.toolwork import Item, Seen

Arguments = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Value:
    """What the deed is done with: the person's words, and whether they were quoted."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a deed: the tasks as they are now, with the tool's word on each."""

    tasks: Sequence[Seen]
    items: Sequence[Item]
    value: str

    @property
    def who(self) -> str:
        """The tasks by name, or how many they are."""
        if len(self.tasks) > replies.MOST_NAMED:
            return replies.tasks_word(len(self.tasks))
        return replies.names(self.tasks)

    @property
    def are(self) -> str:
        """`is` of one task, `are` of more."""
        return "is" if len(self.tasks) == 1 else "are"

    @property
    def have(self) -> str:
        """`has` of one task, `have` of more."""
        return "has" if len(self.tasks) == 1 else "have"


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


def _bare(_: Seen, __: Value) -> Arguments:
    return {}


def _given(name: str) -> Callable[[Seen, Value], Arguments]:
    return lambda _, value: {name: value.text}


def _dated(name: str) -> Callable[[Seen, Value], Arguments]:
    return lambda _, value: {name: bare_date(value.text)}


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


def _begun(_: Seen, __: Value) -> Arguments:
    return {"status": "doing"}


def _completed_told(done: Done) -> str:
    nexts = [item.next for item in done.items if item.next and item.next.due_words]
    again = "".join(f" {replies.name(each)} comes round again {each.due_words}." for each in nexts)
    return f"Done: {done.who}.{again}"


def _deleted_told(done: Done) -> str:
    them = "it" if len(done.tasks) == 1 else "them"
    return f"Deleted {done.who}. “Undo that” brings {them} back."


def _due_told(done: Done) -> str:
    first = done.tasks[0]
    if len({task.due_words for task in done.tasks}) > 1:
        return f"Moved {done.who}:\n\n{replies.lines(done.tasks)}"
    if not first.due_words:
        return f"{done.who} {done.have} no due date any more."
    late = f" ({first.overdue})" if first.overdue else ""
    return f"{done.who} {done.are} now due {first.due_words}{late}."


def _weighed_told(done: Done) -> str:
    if len({task.priority for task in done.tasks}) > 1:
        return f"Changed the priority of {done.who}."
    return f"{done.who} {done.have} {done.tasks[0].priority or 'no'} priority now."


def _tagged_told(done: Done) -> str:
    return f"{done.who} {done.are} tagged {done.value.replace(',', ', ')} now."


def _filed_told(done: Done) -> str:
    if done.value == "none":
        return f"{done.who} {done.are} in no project any more."
    return f"{done.who} {done.are} in project {done.value.lstrip('#')} now."


def _noted_told(done: Done) -> str:
    if not done.value:
        return f"{done.who} {done.have} no notes any more."
    return f"Noted on {done.who}: {done.value}"


def _repeat_told(done: Done) -> str:
    first = done.tasks[0]
    one = len(done.tasks) == 1
    if not first.repeat_words:
        return f"{done.who} {'does' if one else 'do'} not repeat any more."
    following = f", next {first.due_words}" if first.due_words else ""
    return f"{done.who} {'repeats' if one else 'repeat'} {first.repeat_words}{following}."


DEEDS: Mapping[Deed, Doing] = {
    Deed.COMPLETE: Doing(_bare, _completed_told, "complete_task"),
    Deed.REOPEN: Doing(_bare, lambda done: f"{done.who} {done.are} open again.", "reopen_task"),
    Deed.DELETE: Doing(_bare, _deleted_told, "delete_task"),
    Deed.RENAME: Doing(
        _retitled, lambda done: f"Renamed: it is now {replies.numbered(done.tasks[0])}."
    ),
    Deed.DUE: Doing(_dated("due"), _due_told),
    Deed.SHIFT: Doing(_given("due"), _due_told),
    Deed.START: Doing(
        _dated("start"), lambda done: f"{done.who} {done.are} hidden until {done.value}."
    ),
    Deed.PRIORITY: Doing(_weighed, _weighed_told, looks=True),
    Deed.TAG: Doing(_tagged, _tagged_told),
    Deed.UNTAG: Doing(_untagged, lambda done: f"Removed the tag from {done.who}.", looks=True),
    Deed.FILE: Doing(_given("project"), _filed_told),
    Deed.UNFILE: Doing(
        _unfiled, lambda done: f"{done.who} {done.are} not in {done.value} any more.", looks=True
    ),
    Deed.NOTE: Doing(_noted, _noted_told),
    Deed.REPEAT: Doing(_given("repeat"), _repeat_told),
    Deed.BEGIN: Doing(_begun, lambda done: f"{done.who} {done.are} in progress."),
}
