"""Claiming: a deed that a person reports is held against the list."""

from __future__ import annotations

from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.acting import act_on, ask_which
from todo_tui.providers.offline.asides import decline, doubt
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.found import Found, Nothing, Several
from todo_tui.providers.offline.intents import Act, Claim, Deed
from todo_tui.providers.offline.matching import find_strictly, reported, touched
from todo_tui.providers.offline.references import ByName, parts_of, read_reference
from todo_tui.providers.offline.resolving import resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Plan, Seen
from todo_tui.providers.offline.verbs import is_verb


def claim(session: Session, intent: Claim) -> Plan[None]:
    """A deed that was reported: complete what it did, if that is on the list."""
    if intent.undone:
        yield from _undone(session, intent, session.shown(intent.object))
        return
    resolved = yield from _reported(session, intent)
    complete = Act(Deed.COMPLETE, intent.object)
    match resolved:
        case Found(everything=True, tasks=tasks) if len(tasks) > 1:
            _doubt_done(session, intent, resolved)
        case Found() if intent.others:
            _doubt_done(session, intent, resolved)
        case Found():
            yield from act_on(session, complete, resolved, _as_command(session, intent))
        case Several():
            ask_which(session, complete, resolved, _as_command(session, intent))
        case None:
            yield from _unmatched(session, intent)
        case _:
            assert_never(resolved)


def _as_command(session: Session, intent: Claim) -> str:
    return f"complete {session.kept(intent.object)}"


def _unmatched(session: Session, intent: Claim) -> Plan[None]:
    """No open task is it: it may be done already, or be one that another verb names."""
    said = session.shown(intent.object)
    done = reported(intent.verb, said, (yield from session.pool(said, "done")))
    if done:
        are = "is" if len(done) == 1 else "are"
        session.say(f"{replies.names(done)} {are} already done.", done)
        return
    known = is_verb(intent.verb) and not intent.others
    near = touched(said, (yield from session.pool(said))) if known else ()
    if near:
        _doubt_done(session, intent, Found(near))
    elif known:
        words = replies.quoted(session.shown(intent.text))
        session.speech.say(f"I found no open task that fits {words}, so nothing was changed.")
    else:
        decline(session)


def _reported(session: Session, intent: Claim) -> Plan[Found | Several | None]:
    """The open tasks that a claim is about: by pointing, or by verb and object."""
    if not isinstance(read_reference(intent.object, session.dates), ByName):
        resolved = yield from resolve(session, intent.object)
        return None if isinstance(resolved, Nothing) else resolved
    said = session.shown(intent.object)
    pool = yield from session.pool(f"{intent.verb} {said}")
    parts = parts_of(intent.object)
    whole = reported(intent.verb, said, pool)
    if whole and (len(parts) == 1 or find_strictly(said, whole)):
        return _one_or_several(intent.object, whole)
    tasks: dict[int, Seen] = {}
    for part in parts:
        each = reported(intent.verb, session.shown(part), pool)
        if len(each) > 1:
            return Several(part, each)
        tasks.update({task.id: task for task in each})
    if tasks:
        return Found(tuple(tasks.values()))
    return _one_or_several(intent.object, whole) if whole else None


def _one_or_several(words: str, tasks: tuple[Seen, ...]) -> Found | Several:
    return Found(tasks) if len(tasks) == 1 else Several(words, tasks)


def _undone(session: Session, intent: Claim, said: str) -> Plan[None]:
    """What was not done after all is reopened; what is open anyway stays so."""
    words = f"{intent.verb} {said}"
    still = reported(intent.verb, said, (yield from session.pool(words)))
    if still:
        session.say(
            f"All right, {replies.names(still)} {'stays' if len(still) == 1 else 'stay'} on "
            f"your list.",
            still,
        )
        return
    done = reported(intent.verb, said, (yield from session.pool(words, "done")))
    if not done:
        session.speech.say(
            f"All right. I found no task that fits {replies.quoted(said)}, so nothing was changed."
        )
        return
    found = _one_or_several(intent.object, done)
    clause = f"reopen {session.kept(intent.object)}"
    if isinstance(found, Several):
        ask_which(session, Act(Deed.REOPEN, intent.object), found, clause)
        return
    yield from act_on(session, Act(Deed.REOPEN, intent.object), found, clause)


def _doubt_done(session: Session, intent: Claim, found: Found) -> None:
    words = session.shown(intent.object)
    kept = _as_command(session, intent)
    if len(found.tasks) == 1:
        doubt(
            session,
            f"Does that mean {replies.numbered(found.tasks[0])} is done? Say yes or no.",
            kept,
            found.tasks,
            words,
        )
        return
    if found.everything:
        said = f"Shall I mark all {replies.tasks_word(len(found.tasks))} as done? Say yes or no."
        doubt(session, said, kept, found.tasks, words)
        return
    question = Question("which", kept, words, found.tasks)
    session.speech.ask(
        f"Which of these is done?\n\n{replies.lines(found.tasks)}", question, found.tasks
    )
