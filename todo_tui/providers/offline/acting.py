"""Acting: what is done to tasks that exist, and how the outcome is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.deeds import DEEDS, Arguments, Doing, Value
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.found import Found, Nothing, Several
from todo_tui.providers.offline.intents import Act, Deed
from todo_tui.providers.offline.references import ByPointing, read_reference
from todo_tui.providers.offline.resolving import CLOSED, OPEN, TRASH, refreshed, resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.told import Done
from todo_tui.providers.offline.toolwork import Call, Item, Outcome, Plan, Seen

_DONE_UNASKED = 3
"""How many tasks are done on `everything` or a group's name; more, and it is asked first."""

_DELETED_UNASKED = 3
"""How many tasks are deleted on one word; more, and the person is asked first."""


_STATED = re.compile(r"\b(?:is|are|takes place|happens|starts)\b|'s ", re.IGNORECASE)
"""How a date is told rather than wished: `the rent is due on the first`."""

_ARTICLE = re.compile(r"^(?:the|my|our) ", re.IGNORECASE)


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
    """Whether it asks the same of every task, whatever that is like now."""
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


Calls = list[tuple[tuple[int, ...], Arguments]]


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
