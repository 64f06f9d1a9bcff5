"""Acting: what is done to tasks that exist, and how the outcome is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dating import bare_date
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.intents import Act, Deed
from todo_tui.providers.offline.references import ByPointing, read_reference
from todo_tui.providers.offline.resolving import CLOSED, OPEN, Found, Nothing, Several, resolve
from todo_tui.providers.offline.session import Session, group_named
from todo_tui.providers.offline.toolwork import Item, Outcome, Plan, Seen

_DELETED_UNASKED = 3
"""How many tasks are deleted on one word; more, and the person is asked first."""

_STEPS = ("none", "low", "medium", "high")
_TOOLS = {
    Deed.COMPLETE: "complete_task",
    Deed.REOPEN: "reopen_task",
    Deed.DELETE: "delete_task",
}


def act(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Find the tasks, ask where it is unclear, else change them and say so."""
    resolved = yield from resolve(session, intent.ref, _scopes(intent.deed))
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
    """Change tasks that are found; ask before many are deleted or one name is given to many."""
    tasks = _unsettled(session, intent.deed, found.tasks)
    if intent.deed is Deed.DUE and not intent.value:
        question = Question("fill", f"move {session.kept(intent.ref)} to {{}}")
        session.speech.ask(f"When shall {replies.names(tasks)} be due?", question, tasks)
        return
    if tasks and _must_confirm(session, intent, found):
        _confirm(session, intent, tasks, clause)
        return
    if intent.deed is Deed.RENAME and len(tasks) > 1:
        ask_which(session, intent, Several(intent.ref, tasks), clause)
        return
    outcomes: list[Outcome] = []
    for ids, arguments in _calls(session, intent, tasks):
        outcome = yield from session.call(
            _TOOLS.get(intent.deed, "update_task"), {"task_ids": list(ids), **arguments}
        )
        outcomes.append(outcome)
    if outcomes:
        tell(session, intent, tasks, outcomes)
    if found.missing:
        said = " or ".join(replies.quoted(session.shown(each)) for each in found.missing)
        session.speech.say(f"I found nothing that fits {said}.")


def ask_which(session: Session, intent: Act, several: Several, clause: str) -> None:
    """Ask which of several tasks is meant; nothing is changed."""
    question = Question("which", session.kept(clause), session.shown(several.words), several.tasks)
    words = replies.quoted(session.shown(several.words))
    said = (
        f"Which one do you mean? {len(several.tasks)} tasks fit {words}, and nothing is changed "
        f"yet:"
    )
    if isinstance(read_reference(several.words, session.dates), ByPointing):
        said = "Which of these do you mean? Nothing is changed yet:"
    listed = replies.lines(several.tasks[: replies.MOST_SHOWN], len(several.tasks))
    session.speech.ask(f"{said}\n\n{listed}", question, several.tasks)


def say_nothing_fits(session: Session, nothing: Nothing, clause: str, intent: Act) -> None:
    """Say that nothing was found; where one task is near, ask whether it is meant."""
    if nothing.sentence:
        session.speech.say(nothing.sentence)
        return
    words = replies.quoted(session.shown(nothing.words))
    said = f"I found no task that fits {words}, so nothing was changed."
    if len(nothing.near) == 1 and session.shown(nothing.words):
        task = nothing.near[0]
        question = Question("confirm", session.kept(clause), session.shown(intent.ref), (task,))
        session.speech.ask(f"{said} Did you mean {replies.numbered(task)}?", question, (task,))
    elif nothing.near:
        question = Question("which", session.kept(clause), session.shown(intent.ref), nothing.near)
        session.speech.ask(
            f"{said} Did you mean {replies.names(nothing.near, 'or', ids=True)}?",
            question,
            nothing.near,
        )
    else:
        session.speech.say(said)


def tell(session: Session, intent: Act, tasks: Sequence[Seen], outcomes: Sequence[Outcome]) -> None:
    """Say what the tools answered."""
    items = [item for outcome in outcomes for item in outcome.items]
    titles = {task.id: task for task in tasks}
    changed = [
        item.task or titles[item.id]
        for item in items
        if not item.error and (item.task or item.id in titles)
    ]
    session.learn(changed)
    if changed:
        session.say(_sentence(intent, changed, items, session), changed, deed=intent.deed.value)
    for remark in dict.fromkeys(each for item in items for each in item.remarks):
        if replies.worth_saying(remark, session.speech.text):
            session.speech.say(replies.sentence(remark))
    problems = replies.errors(items) or [
        replies.escaped(outcome.error)
        for outcome in outcomes
        if outcome.error and not outcome.items
    ]
    for problem in dict.fromkeys(problems):
        session.speech.say(problem)
    for outcome in outcomes:
        if outcome.error and not outcome.items and not problems:
            session.speech.say(replies.escaped(outcome.error))


def _scopes(deed: Deed) -> Sequence[str]:
    return CLOSED if deed is Deed.REOPEN else OPEN


def _unsettled(session: Session, deed: Deed, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks for which there is something to do; of the others it is said that they are so."""
    if deed is Deed.COMPLETE:
        settled = [task for task in tasks if task.status == "done" and not task.in_trash]
        state = "already done"
    elif deed is Deed.REOPEN and len(tasks) > 0:
        settled = [
            task
            for task in tasks
            if task.title and task.is_open and task.due_words is not None and _listed(session, task)
        ]
        state = "already open"
    elif deed is Deed.DELETE:
        settled = [task for task in tasks if task.in_trash]
        state = "already in the trash"
    else:
        return tuple(tasks)
    if settled:
        verb = "is" if len(settled) == 1 else "are"
        session.say(f"{replies.names(settled)} {verb} {state}.", settled)
    return tuple(task for task in tasks if task not in settled)


def _listed(session: Session, task: Seen) -> bool:
    """Whether the task's state is what a tool said in this turn, not remembered from before."""
    return task not in session.past.focus


def _must_confirm(session: Session, intent: Act, found: Found) -> bool:
    if session.confirmed or intent.deed is not Deed.DELETE:
        return False
    if intent.ask:
        return True
    return len(found.tasks) > _DELETED_UNASKED or (found.everything and len(found.tasks) > 1)


def _confirm(session: Session, intent: Act, tasks: Sequence[Seen], clause: str) -> None:
    question = Question("confirm", session.kept(clause), session.shown(intent.ref), tuple(tasks))
    if len(tasks) == 1:
        session.speech.ask(f"Shall I delete {replies.numbered(tasks[0])}?", question, tasks)
        return
    said = f"That would delete {replies.tasks_word(len(tasks))}:\n\n{replies.lines(tasks)}"
    session.speech.ask(f"{said}\n\nShall I delete them? Say yes or no.", question, tasks)


Calls = list[tuple[tuple[int, ...], dict[str, JsonValue]]]


def _calls(session: Session, intent: Act, tasks: Sequence[Seen]) -> Calls:
    """The calls that do it: one for all tasks where the arguments are the same."""
    calls: Calls = []
    for task in tasks:
        arguments = _arguments(session, intent, task)
        if arguments is None:
            continue
        same = next((at for at, (_, others) in enumerate(calls) if others == arguments), None)
        if same is None:
            calls.append(((task.id,), arguments))
        else:
            calls[same] = ((*calls[same][0], task.id), arguments)
    if (
        len(tasks) == 1
        and len(calls) == 1
        and tasks[0].title
        and tasks[0] not in session.past.focus
    ):
        calls = [(calls[0][0], {"title": tasks[0].title, **calls[0][1]})]
    return calls


def _arguments(session: Session, intent: Act, task: Seen) -> dict[str, JsonValue] | None:
    """What the tool is called with besides the ids; None where there is nothing to change."""
    value = session.shown(intent.value)
    match intent.deed:
        case Deed.COMPLETE | Deed.REOPEN | Deed.DELETE:
            return {}
        case Deed.RENAME:
            return {"new_title": _retitled(task.title, value, quoted=value != intent.value)}
        case Deed.DUE:
            return {"due": bare_date(value)}
        case Deed.SHIFT:
            return {"due": value}
        case Deed.START:
            return {"start": bare_date(value)}
        case Deed.PRIORITY:
            return {"priority": _level(value, task)}
        case Deed.TAG:
            return {"add_tags": list(value.split(","))}
        case Deed.UNTAG:
            return _untagging(session, task, value)
        case Deed.FILE:
            return {"project": value}
        case Deed.UNFILE:
            return _unfiling(session, task, value)
        case Deed.NOTE:
            return {"notes": f"+ {value}" if value else "none"}
        case Deed.REPEAT:
            return {"repeat": value}
        case Deed.BEGIN:
            return {"status": "doing"}
        case _:
            assert_never(intent.deed)


def _retitled(old: str, new: str, *, quoted: bool) -> str:
    """The new title, with a capital where the old one has it and no quotes say otherwise."""
    if quoted or not old[:1].isupper() or not new.split(" ", 1)[0].islower():
        return new
    return new[:1].upper() + new[1:]


def _level(value: str, task: Seen) -> str:
    if value not in ("raise", "lower"):
        return value
    at = _STEPS.index(task.priority) if task.priority in _STEPS else 0
    if value == "raise":
        return _STEPS[min(at + 1, 3)] if at else "high"
    return _STEPS[max(at - 1, 1)] if at else "low"


def _untagging(session: Session, task: Seen, value: str) -> dict[str, JsonValue] | None:
    have = {tag.casefold(): tag for tag in task.tags}
    gone = (
        list(task.tags)
        if value == "*"
        else [have[tag.casefold()] for tag in value.split(",") if tag.casefold() in have]
    )
    if not gone:
        named = "no tags" if value == "*" else f"no tag {replies.quoted(value)}"
        session.speech.say(f"{replies.name(task)} has {named}.")
        return None
    return {"remove_tags": list(gone)}


def _unfiling(session: Session, task: Seen, value: str) -> dict[str, JsonValue] | None:
    if task.project and group_named(value, {task.project.casefold(): task.project}):
        return {"project": "none"}
    if tag := group_named(value, {tag.casefold(): tag for tag in task.tags}):
        return {"remove_tags": [tag]}
    session.speech.say(
        f"{replies.name(task)} is not in {replies.quoted(value)}, so nothing was changed."
    )
    return None


def _sentence(intent: Act, tasks: Sequence[Seen], items: Sequence[Item], session: Session) -> str:
    """What was done, with what the tools made of it."""
    who = replies.names(tasks) if len(tasks) <= 3 else replies.tasks_word(len(tasks))
    are = "is" if len(tasks) == 1 else "are"
    have = "has" if len(tasks) == 1 else "have"
    task = tasks[0]
    value = replies.escaped(session.shown(intent.value))
    match intent.deed:
        case Deed.COMPLETE:
            said = f"Done: {who}.{_following(items)}"
        case Deed.REOPEN:
            said = f"{who} {are} open again."
        case Deed.DELETE:
            said = f"Deleted {who}. “Undo that” brings {'it' if len(tasks) == 1 else 'them'} back."
        case Deed.RENAME:
            said = f"Renamed: it is now {replies.numbered(task)}."
        case Deed.DUE | Deed.SHIFT:
            same = len({each.due_words for each in tasks}) == 1
            if not task.due_words and same:
                said = f"{who} {have} no due date any more."
            elif same:
                said = (
                    f"{who} {are} now due "
                    f"{task.due_words}{f' ({task.overdue})' if task.overdue else ''}."
                )
            else:
                return f"Moved {replies.tasks_word(len(tasks))}:\n\n{replies.lines(tasks)}"
        case Deed.START:
            said = f"{who} {are} hidden until {value}."
        case Deed.PRIORITY:
            levels = {each.priority for each in tasks}
            level = task.priority or "no"
            said = (
                f"{who} {have} {level} priority now."
                if len(levels) == 1
                else f"Changed the priority of {who}."
            )
        case Deed.TAG:
            said = f"{who} {are} tagged {', '.join('@' + tag for tag in value.split(','))} now."
        case Deed.UNTAG:
            said = f"Removed the tag from {who}."
        case Deed.FILE:
            said = (
                f"{who} {are} in project #{value} now."
                if value != "none"
                else f"{who} {are} in no project any more."
            )
        case Deed.UNFILE:
            said = f"{who} {are} not in {value} any more."
        case Deed.NOTE:
            said = f"Noted on {who}: {value}" if value else f"{who} {have} no notes any more."
        case Deed.REPEAT:
            said = _repeat_sentence(tasks, who)
        case Deed.BEGIN:
            said = f"{who} {are} in progress."
        case _:
            assert_never(intent.deed)
    return said if len(tasks) <= 3 else f"{said}\n\n{replies.lines(tasks)}"


def _repeat_sentence(tasks: Sequence[Seen], who: str) -> str:
    task = tasks[0]
    if not task.repeat_words:
        return f"{who} {'does' if len(tasks) == 1 else 'do'} not repeat any more."
    next_due = f", next {task.due_words}" if task.due_words else ""
    return f"{who} {'repeats' if len(tasks) == 1 else 'repeat'} {task.repeat_words}{next_due}."


def _following(items: Sequence[Item]) -> str:
    nexts = [item.next for item in items if item.next and item.next.due_words]
    return "".join(f" {replies.name(each)} comes round again {each.due_words}." for each in nexts)
