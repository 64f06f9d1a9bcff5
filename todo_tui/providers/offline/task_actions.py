"""Change existing tasks and report the result; link tasks as blockers and subtasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dates import bare_date
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.intents import Act, Deed
from todo_tui.providers.offline.references import (
    ById,
    ByKind,
    ByName,
    ByPointing,
    BySubtree,
    find_strictly,
    read_reference,
)
from todo_tui.providers.offline.replies import (
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
from todo_tui.providers.offline.resolver import CLOSED, OPEN, TRASH, refreshed, resolve
from todo_tui.providers.offline.session import Session, decline, group_named
from todo_tui.providers.offline.tool_results import (
    Call,
    Found,
    Item,
    Nothing,
    Outcome,
    Plan,
    Resolved,
    Seen,
    Several,
)

Arguments = dict[str, JsonValue]
_STEPS = ("none", "low", "medium", "high")
_UNTIL = re.compile(r" until [^,]+?(?=,| after completion|$)")
_DONE_UNASKED = 3
"""How many tasks are done on `everything` or a group's name; more, and it is asked first."""
_DELETED_UNASKED = 3
"""How many tasks are deleted on one word; more, and the person is asked first."""
_STATED = re.compile(r"\b(?:is|are|takes place|happens|starts)\b|'s ", re.IGNORECASE)
"""How a date is told rather than wished: `the rent is due on the first`."""
_ARTICLE = re.compile(r"^(?:the|my|our) ", re.IGNORECASE)
Calls = list[tuple[tuple[int, ...], Arguments]]
LINKED = frozenset({Deed.NEST, Deed.BLOCK, Deed.UNBLOCK, Deed.PLACE})
_BARE = ("none", "*", "top", "bottom")
"""Values that name no other task."""
_BESIDE = re.compile(r"(?P<word>before|after) (?P<other>.+)", re.IGNORECASE | re.DOTALL)
_CLAUSES = {
    Deed.NEST: "make {} a subtask of {}",
    Deed.BLOCK: "make {} wait for {}",
    Deed.UNBLOCK: "make {} no longer wait for {}",
}


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


def act(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Find the tasks, ask where it is unclear, else change them and say so."""
    scopes: tuple[str, ...] = CLOSED if intent.deed is Deed.REOPEN else OPEN
    if intent.deed is Deed.REOPEN and intent.value == TRASH:
        scopes = (TRASH,)
    resolved = yield from resolve(session, intent.ref, scopes)
    match resolved:
        case Found():
            yield from act_on(session, intent, resolved, clause)
        case Several():
            ask_which(session, intent, resolved, clause)
        case Nothing():
            say_nothing_fits(session, resolved, clause, intent)
        case _:
            assert_never(resolved)


def act_on(session: Session, intent: Act, found: Found, clause: str) -> Plan[None]:
    """Change tasks that are found.

    Many are not deleted unasked, and one name is not given to several.
    """
    known = found.tasks
    if intent.deed is Deed.DELETE or session.past.deed == Deed.DELETE.value:
        known = yield from refreshed(session, known)
    tasks = _unsettled(session, intent.deed, known)
    if intent.deed is Deed.RENAME and len(tasks) > 1:
        ask_which(session, intent, Several(intent.ref, tasks), clause)
    elif intent.deed is Deed.DUE and not intent.value:
        ask_when(session, intent.ref, tasks)
    elif tasks and _must_confirm(session, intent, found):
        _confirm(session, intent, tasks, clause, found.beyond)
    elif found.filter and _is_alike_for_all(intent):
        yield from _change_all(session, intent, found, clause)
        return
    else:
        yield from _change(session, intent, tasks, clause)
    if found.beyond and not session.speech.question:
        session.speech.say(f"There are {found.beyond:,} more; I take {len(tasks)} at a time.")
    if found.missing:
        said = " or ".join(replies.quoted(session.shown(each)) for each in found.missing)
        session.speech.say(f"I found nothing that fits {said}.")


def _is_alike_for_all(intent: Act) -> bool:
    """Return True if it asks the same of every task, whatever that is like now."""
    by_steps = intent.value in ("raise", "lower")
    return not DEEDS[intent.deed].looks or (intent.deed is Deed.PRIORITY and not by_steps)


def ask_which(session: Session, intent: Act, several: Several, clause: str) -> None:
    """Ask which of several tasks is meant; nothing is changed."""
    words = session.shown(several.words)
    question = Question("which", session.kept(clause), words, several.tasks)
    said = f"Which one do you mean? {len(several.tasks)} tasks fit {replies.quoted(words)}"
    if isinstance(read_reference(several.words, session.dates), ByPointing):
        said = "Which of these do you mean? I named them last"
    listed = replies.lines(several.tasks)
    session.speech.ask(f"{said}, and nothing is changed yet:\n\n{listed}", question, several.tasks)


def ask_when(session: Session, ref: str, tasks: Sequence[Seen]) -> None:
    """Ask for the date that a command lacks."""
    question = Question("fill", f"move {session.kept(ref)} to {{}}")
    session.speech.ask(f"When shall {replies.names(tasks)} be due?", question, tasks)


def say_nothing_fits(session: Session, nothing: Nothing, clause: str, intent: Act) -> None:
    """Say that nothing was found; where one task is near, ask whether it is meant."""
    if nothing.sentence:
        session.speech.say(nothing.sentence)
        return
    said = (
        f"I found no task that fits {replies.quoted(session.shown(nothing.words))}, "
        "so nothing was changed."
    )
    if not nothing.near:
        if _STATED.search(clause) and intent.deed in (Deed.DUE, Deed.REPEAT) and intent.value:
            adding = (
                f"add {session.kept(_ARTICLE.sub('', intent.ref))} {session.kept(intent.value)}"
            )
            session.speech.ask(f"{said} Shall I add it?", Question("confirm", adding))
            return
        session.speech.say(said)
        return
    kind = "confirm" if len(nothing.near) == 1 else "which"
    question = Question(kind, session.kept(clause), session.shown(intent.ref), nothing.near)
    near = replies.names(nothing.near, "or", ids=True)
    session.speech.ask(f"{said} Did you mean {near}?", question, nothing.near)


def _change(session: Session, intent: Act, tasks: Sequence[Seen], clause: str) -> Plan[None]:
    doing = DEEDS[intent.deed]
    if doing.looks:
        tasks = yield from refreshed(session, tasks)
    calls = _calls(session, intent, doing, tasks)
    if not calls:
        return
    # In one message, so that what needs approval is asked about once and before any of it.
    outcomes = yield tuple(
        Call(doing.tool, {"task_ids": list(ids), **arguments}) for ids, arguments in calls
    )
    for outcome in outcomes:
        if outcome.open_subtasks:
            _ask_about_subtasks(session, intent, tasks, outcome, clause)
            return
    _tell(session, intent, tasks, outcomes)


def _change_all(session: Session, intent: Act, found: Found, clause: str) -> Plan[None]:
    """Change more tasks than are seen at once: all that the filter finds."""
    doing, text = DEEDS[intent.deed], session.shown(intent.value)
    value = Value(text, quoted=text != intent.value, other=intent.other)
    arguments = doing.arguments(found.tasks[0], value)
    if isinstance(arguments, str):
        session.speech.say(arguments)
        return
    if intent.deed is Deed.COMPLETE and session.subtasks:
        arguments["subtasks"] = session.subtasks
    outcome = yield from session.call(doing.tool, {"filter": found.filter, **arguments})
    session.forget()
    if outcome.open_subtasks:
        _ask_about_subtasks(session, intent, found.tasks, outcome, clause)
    else:
        _tell(session, intent, found.tasks, [outcome])


def _ask_about_subtasks(
    session: Session, intent: Act, tasks: Sequence[Seen], outcome: Outcome, clause: str
) -> None:
    """Ask what becomes of open subtasks; the tool has left all as it was."""
    below = outcome.open_subtasks
    total = outcome.data.get("total")
    count = total if isinstance(total, int) else len(below)
    names = replies.names(below[: replies.MOST_NAMED], ids=True)
    if count > replies.MOST_NAMED:
        first = below[: replies.MOST_NAMED]
        names = f"{', '.join(map(replies.numbered, first))} and {count - len(first):,} more"
    some = f"{count:,} open subtask{'' if count == 1 else 's'}"
    have = "has" if len(tasks) == 1 else "have"
    parent = "parent" if len(tasks) == 1 else "parents"
    question = Question("subtasks", session.kept(clause), session.shown(intent.ref), tuple(tasks))
    session.speech.ask(
        f"{replies.names(tasks)} {have} {some}: {names}. Nothing is changed yet. Complete "
        f"{'it' if count == 1 else 'them'} too? Say “yes, all of them”, or “just the {parent}”.",
        question,
        tasks,
    )


def _calls(session: Session, intent: Act, doing: Doing, tasks: Sequence[Seen]) -> Calls:
    """The calls that do it: one for all tasks where the arguments are the same.

    A single task that was found by its name goes with its title, which guards the id.
    """
    text = session.shown(intent.value)
    if intent.deed is Deed.COMPLETE and session.subtasks:
        text = session.subtasks
    value = Value(text, quoted=text != intent.value, other=intent.other)
    calls: Calls = []
    for task in tasks:
        arguments = doing.arguments(task, value)
        if isinstance(arguments, str):
            session.speech.say(arguments)
            continue
        same = next((at for at, (_, others) in enumerate(calls) if others == arguments), None)
        if same is None:
            calls.append(((task.id,), arguments))
        else:
            calls[same] = ((*calls[same][0], task.id), arguments)
    if len(tasks) == 1 and calls and tasks[0].title and tasks[0] not in session.past.focus:
        calls = [(calls[0][0], {"title": tasks[0].title, **calls[0][1]})]
    return calls


def _tell(
    session: Session, intent: Act, tasks: Sequence[Seen], outcomes: Sequence[Outcome]
) -> None:
    """Say what the tools answered: what has changed, how words were read, what went wrong."""
    items = [item for outcome in outcomes for item in outcome.items]
    changed = _changed(tasks, items)
    session.learn(changed)
    if changed:
        done = Done(
            changed,
            items,
            replies.escaped(session.shown(intent.value)),
            session.dates.now,
            intent.other,
            sum(outcome.along for outcome in outcomes),
            sum(outcome.succeeded for outcome in outcomes),
        )
        said = DEEDS[intent.deed].told(done)
        if len(changed) > replies.MOST_NAMED and "\n- " not in said:
            said += f"\n\n{replies.lines(changed, done.count or None)}"
        session.say(said, changed, deed=intent.deed.value)
        session.speech.value = session.kept(intent.value)
    session.speech.remark(each for item in items for each in item.remarks)
    problems = [item.error for item in items if item.error]
    problems += [outcome.error for outcome in outcomes if outcome.error and not outcome.items]
    for problem in dict.fromkeys(problems):
        session.speech.say(replies.escaped(problem))


def _changed(tasks: Sequence[Seen], items: Sequence[Item]) -> list[Seen]:
    """The tasks as the tools left them; those of which they tell little, as they were known."""
    known = {task.id: task for task in tasks}
    return [
        item.task or known[item.id]
        for item in items
        if not item.error and (item.task or item.id in known)
    ]


def _unsettled(session: Session, deed: Deed, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks for which there is something to do; of the others it is said that they are so."""
    settled: list[Seen] = []
    state = ""
    if deed is Deed.COMPLETE:
        settled = [task for task in tasks if task.status == "done" and not task.in_trash]
        state = "already done"
    elif deed is Deed.REOPEN:
        remembered = session.past.focus
        settled = [task for task in tasks if task.title and task.is_open and task not in remembered]
        state = "already open"
    else:
        settled = [task for task in tasks if task.in_trash]
        state = (
            "already in the trash" if deed is Deed.DELETE else "in the trash and stays as it was"
        )
    if settled:
        are = "is" if len(settled) == 1 else "are"
        session.say(f"{replies.names(settled)} {are} {state}.", settled)
    return tuple(task for task in tasks if task not in settled)


def _must_confirm(session: Session, intent: Act, found: Found) -> bool:
    if session.confirmed or intent.deed not in (Deed.DELETE, Deed.COMPLETE):
        return False
    if intent.deed is Deed.COMPLETE:
        return found.everything and len(found.tasks) > _DONE_UNASKED
    several = len(found.tasks) > 1
    count = len(found.tasks) + sum(task.below for task in found.tasks)
    return intent.ask or count > _DELETED_UNASKED or (found.everything and several)


def _confirm(
    session: Session, intent: Act, tasks: Sequence[Seen], clause: str, beyond: int
) -> None:
    # Too many to be remembered one by one are looked up again after the yes.
    settled = () if beyond else tuple(tasks)
    words = "" if beyond else session.shown(intent.ref)
    question = Question("confirm", session.kept(clause), words, settled)
    if len(tasks) == 1:
        below = tasks[0].below
        along = f" with its {below:,} subtask{'' if below == 1 else 's'}" if below else ""
        session.speech.ask(f"Shall I delete {replies.numbered(tasks[0])}{along}?", question, tasks)
        return
    total = len(tasks) + beyond
    number = replies.tasks_word(total)
    would, shall = ("delete", "delete them")
    if intent.deed is Deed.COMPLETE:
        would, shall = ("complete", "mark them as done")
    said = f"That would {would} {number}:\n\n{replies.lines(tasks, total)}"
    session.speech.ask(f"{said}\n\nShall I {shall}? Say yes or no.", question, tasks)


def link(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Find the tasks at both ends, ask where one is unclear, else do it."""
    mine = yield from resolve(session, intent.ref)
    if not isinstance(mine, Found):
        if isinstance(mine, Nothing) and (yield from _is_talk(session, intent)):
            decline(session)
            return
        _say_unclear(session, intent, mine, clause)
        return
    if intent.deed in (Deed.NEST, Deed.PLACE):
        mine = _without_what_comes_along(session, intent.ref, mine)
    if intent.value in _BARE:
        yield from _unlink(session, intent, mine, clause)
        return
    yield from _link_to(session, intent, mine)


def _without_what_comes_along(session: Session, words: str, mine: Found) -> Found:
    """Only the topmost of tasks that are moved: what is below them stays below them.

    Tasks that were each named are all moved.
    """
    reference = read_reference(words, session.dates)
    if isinstance(reference, ById | ByName):
        return mine
    moved = {task.id for task in mine.tasks}
    tops = tuple(task for task in mine.tasks if task.parent not in moved)
    beyond = 0 if isinstance(reference, BySubtree) else mine.beyond
    return replace(mine, tasks=tops, beyond=beyond)


def _unlink(session: Session, intent: Act, mine: Found, clause: str) -> Plan[None]:
    """Do what names no other task; of many, those that wait for nothing are left out."""
    if intent.deed is Deed.UNBLOCK and len(mine.tasks) > 1:
        mine = replace(mine, tasks=tuple(task for task in mine.tasks if task.blocked_by))
    if not mine.tasks:
        session.speech.say("None of these waits for anything, so nothing was changed.")
        return
    yield from act_on(session, intent, mine, clause)


def _link_to(session: Session, intent: Act, mine: Found) -> Plan[None]:
    """Find the task at the other end, ask where it is unclear, else do it."""
    words = intent.value
    if intent.deed is Deed.PLACE and (match := _BESIDE.fullmatch(words)):
        words = match["other"]
    # Who picks one of several at this end shall not be asked of the other end again.
    settled = _said_by_number(intent, mine.tasks, words)
    found = yield from resolve(session, words)
    if isinstance(found, Nothing) and not found.near and _is_vague(session, intent.ref):
        decline(session)
        return
    if not isinstance(found, Found):
        _say_unclear(session, replace(intent, ref=words), found, settled)
        return
    alone = intent.deed in (Deed.NEST, Deed.PLACE)
    if alone and len(found.tasks) > 1:
        _say_unclear(session, replace(intent, ref=words), Several(words, found.tasks), settled)
        return
    ends = {task.id for task in found.tasks} & {task.id for task in mine.tasks}
    if ends and len(mine.tasks) > len(ends):
        # Of many, the one at the other end is left out: `all work tasks wait for the budget`.
        mine = replace(mine, tasks=tuple(task for task in mine.tasks if task.id not in ends))
        settled = _said_by_number(intent, mine.tasks, words)
    elif ends:
        session.speech.say("Both ends are the same task, so nothing was changed.")
        return
    yield from act_on(session, replace(intent, other=found.tasks), mine, settled)


def unnest(session: Session, intent: Act, clause: str) -> Plan[bool]:
    """`take the cake out of plan party`: out of that task; False where it is none of its."""
    mine = yield from resolve(session, intent.ref)
    if not isinstance(mine, Found) or not all(task.parent for task in mine.tasks):
        return False
    wanted = " or ".join(f"#{task.parent}" for task in mine.tasks)
    parents = (yield from session.look(wanted)).tasks
    words = intent.value.replace("-", " ")
    if len(find_strictly(words, parents)) != 1:
        return False
    yield from act_on(session, Act(Deed.NEST, intent.ref, "none"), mine, clause)
    return True


def _said_by_number(intent: Act, tasks: Sequence[Seen], words: str) -> str:
    """The command with the tasks of its first end by their numbers."""
    numbers = " and ".join(f"#{task.id}" for task in tasks)
    if intent.deed is Deed.PLACE:
        return f"put {numbers} {intent.value.split(' ', 1)[0]} {words}"
    return _CLAUSES[intent.deed].format(numbers, words)


def _is_vague(session: Session, words: str) -> bool:
    """Return True if words are a common start of a sentence: `it depends on the weather`."""
    return isinstance(read_reference(words, session.dates), ByKind | ByPointing)


def _is_talk(session: Session, intent: Act) -> Plan[bool]:
    """Return True if neither end is a task: `my mother waits for the bus`."""
    ends = (intent.ref, intent.value)
    if not all(isinstance(read_reference(end, session.dates), ByName) for end in ends):
        return False
    other = yield from resolve(session, intent.value)
    return isinstance(other, Nothing) and not other.near


def _say_unclear(session: Session, intent: Act, resolved: Resolved, clause: str) -> None:
    match resolved:
        case Several():
            ask_which(session, intent, resolved, clause)
        case Nothing():
            say_nothing_fits(session, resolved, clause, intent)
        case Found():
            pass
        case _:
            assert_never(resolved)
