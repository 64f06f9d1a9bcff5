"""The plan of a turn: what is said read clause by clause, done in order, told in one answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.acting import act, act_on, ask_which
from todo_tui.providers.offline.adding import add, offer
from todo_tui.providers.offline.answering import (
    ask,
    doubt,
    list_groups,
    show,
    step_back,
    tell_time,
    unknown,
    what_next,
)
from todo_tui.providers.offline.choices import No, Picked, Yes, read_choice
from todo_tui.providers.offline.clauses import has_joint, split_clauses
from todo_tui.providers.offline.dating import bare_date
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.grammar import Reading
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    BadDate,
    Claim,
    Deed,
    Groups,
    Help,
    Incomplete,
    Intent,
    Leave,
    Move,
    Offer,
    Shape,
    Show,
    StepBack,
    Talk,
    TellTime,
    Unknown,
    WhatNext,
)
from todo_tui.providers.offline.matching import find_exactly, find_strictly, reported, touched
from todo_tui.providers.offline.offers import sounds_like_task
from todo_tui.providers.offline.quoted import hide_quoted
from todo_tui.providers.offline.references import (
    ByName,
    ByPlace,
    ByPointing,
    parts_of,
    read_reference,
)
from todo_tui.providers.offline.resolving import Found, Nothing, Several, resolve
from todo_tui.providers.offline.session import Session, group_named
from todo_tui.providers.offline.toolwork import Plan, Seen
from todo_tui.providers.offline.verbs import GENERIC_DEEDS, is_verb
from todo_tui.providers.offline.words import alike, folded

_ALSO = re.compile(
    r"(?:and|also|plus|oh and|and also|oh,? also) (?P<item>.+?)(?: too| as well| also)?"
    r"|(?P<late>.+?),? (?:too|as well|also)",
    re.IGNORECASE,
)
_APP_VERBS = re.compile(
    r"(?:please )?(?:complete|tick|delete|remove|erase|reschedule|postpone|snooze)\b", re.IGNORECASE
)
"""Verbs that speak of a task on the list rather than of a deed in the world."""

_MOST_MENTIONED = 4
_WHAT = re.compile(
    r"(?:and )?(?:(?:what(?:'s| is| about)|how about) )?(?:(?:my|the|our|your) )?", re.IGNORECASE
)
_DAYS = (
    "monday tuesday wednesday thursday friday saturday sunday tomorrow today january february "
    "march april june july august september october november december"
).split()


def respond(session: Session) -> Plan[None]:
    """Answer the message: as what the last question waits for, else clause by clause."""
    text = session.quoted.text
    if session.past.question is not None:
        answered = yield from _answer_question(session, session.past.question, text)
        if answered:
            return
    clauses = yield from _clauses(session, text)
    understood = 0
    declined = ""
    for clause in clauses:
        readings = session.grammar.read(clause)
        if len(clauses) > 1 and _is_aside(readings):
            continue
        if all(isinstance(reading.intent, Unknown) for reading in readings) and not _continues(
            session, clause
        ):
            if len(clauses) == 1 and (yield from _mentioned(session, clause)):
                return
            declined = declined or clause
            continue
        yield from _follow(session, readings, clause)
        understood += 1
    if not understood:
        unknown(session, text)
    elif declined:
        session.speech.paragraphs.append(
            f"I did not understand {replies.quoted(session.shown(declined))}."
        )


def _clauses(session: Session, text: str) -> Plan[tuple[str, ...]]:
    """The clauses; where one may be an item or a command, or a title may be cut, the list decides."""
    clauses = split_clauses(text, session.grammar)
    certain = clauses == split_clauses(text, session.grammar, lambda _: True)
    if certain and (not has_joint(text) or all(map(session.grammar.only_adds, clauses))):
        return clauses
    tasks = yield from session.pool(session.shown(text))
    session.quoted = session.quoted.with_titles(
        [task.title for task in tasks if has_joint(task.title)]
    )

    def fits(clause: str) -> bool:
        if not _APP_VERBS.match(clause) or find_exactly(session.shown(clause), tasks):
            return False
        acts = [each.intent for each in session.grammar.read(clause)]
        return any(
            isinstance(act, Act) and find_strictly(session.shown(act.ref), tasks) for act in acts
        )

    return split_clauses(session.quoted.text, session.grammar, fits)


def _is_aside(readings: tuple[Reading, ...]) -> bool:
    return all(isinstance(reading.intent, Talk) for reading in readings)


def _continues(session: Session, clause: str) -> bool:
    return session.past.deed == "add" and _ALSO.fullmatch(clause.strip(" .!")) is not None


def _follow(session: Session, readings: tuple[Reading, ...], clause: str) -> Plan[None]:
    """Do what a clause asks for; of several readings, the first whose tasks are found."""
    match = _ALSO.fullmatch(clause.strip(" .!"))
    intent = readings[0].intent
    if session.past.deed == "add" and match and isinstance(intent, Unknown | Offer):
        yield from add(session, Add(match["item"] or match["late"]))
        return
    if len(readings) > 1:
        intent = yield from _likeliest(session, [reading.intent for reading in readings])
    yield from _do(session, intent, clause)


def _likeliest(session: Session, intents: Sequence[Intent]) -> Plan[Intent]:
    """Of several readings, the one that names a task by its title; else the first that names one."""
    acts = [intent for intent in intents if isinstance(intent, Act)]
    tasks = yield from session.pool(session.shown(" ".join(act.ref for act in acts)))
    for fits in (find_exactly, find_strictly):
        for act in acts:
            if fits(session.shown(act.ref), tasks):
                return act
    for intent in acts:
        found = yield from resolve(session, intent.ref)
        if isinstance(found, Found):
            return intent
    return intents[0]


def _do(session: Session, intent: Intent, clause: str) -> Plan[None]:
    match intent:
        case Act(otherwise=title) if title:
            found = yield from resolve(session, intent.ref)
            if isinstance(found, Nothing):
                yield from add(session, Add(title))
            else:
                yield from act(session, intent, clause)
        case Act():
            yield from act(session, intent, clause)
        case Move():
            yield from _move(session, intent, clause)
        case Claim():
            yield from _claim(session, intent)
        case Add():
            yield from add(session, intent)
        case Offer():
            offer(session, intent)
        case Ask():
            yield from ask(session, intent)
        case Show():
            yield from show(session, intent)
        case Groups():
            yield from list_groups(session, intent)
        case WhatNext():
            yield from what_next(session)
        case StepBack():
            yield from step_back(session, intent)
        case TellTime():
            yield from tell_time(session, intent)
        case Help(topic):
            session.speech.say(
                (replies.help_on(topic) if topic else None)
                or (replies.DECLINE if topic else replies.HELP)
            )
        case Talk(kind):
            session.speech.say(replies.TALK[kind])
        case Leave():
            session.speech.say("All right, I left that as it is. Nothing was changed.")
        case Incomplete():
            yield from _fill_in(session, intent, clause)
        case BadDate(words):
            session.speech.say(
                f"I did not understand {replies.quoted(session.shown(words))} as a date, so "
                f"nothing was changed. "
                "Try “friday 9am”, “in 3 days” or “2026-12-24”."
            )
        case Unknown():
            unknown(session, intent.text)
        case _:
            assert_never(intent)


def _fill_in(session: Session, intent: Incomplete, clause: str) -> Plan[None]:
    """Ask for what a command lacks, if there is a task to do it to."""
    template = intent.template
    if intent.ref:
        resolved = yield from resolve(session, intent.ref)
        if (
            isinstance(resolved, Nothing)
            and not resolved.sentence
            and sounds_like_task(clause, session.dates)
        ):
            offer(session, Offer(clause))
            return
        if not isinstance(resolved, Found):
            yield from act(session, Act(Deed.BEGIN, intent.ref), clause)
            return
        session.focus = resolved.tasks
        session.speech.named.update({task.id: task for task in resolved.tasks})
    if template:
        session.speech.ask(intent.question, Question("fill", session.kept(template)))
    else:
        session.speech.say(intent.question)


def _mentioned(session: Session, clause: str) -> Plan[bool]:
    """Show the task that a word or two, with no verb to them, name; False if there is none."""
    words = _WHAT.sub("", session.shown(clause))
    if isinstance(read_reference(words, session.dates), ByPlace | ByPointing):
        yield from show(session, Show(words))
        return True
    if len(words.split()) > _MOST_MENTIONED:
        return False
    tasks = yield from session.pool(words)
    if any(group_named(words, groups) for groups in session.known_groups(tasks)):
        yield from ask(session, Ask(Shape.LIST, words))
    elif find_strictly(words, tasks):
        yield from show(session, Show(words))
    else:
        return False
    return True


def _move(session: Session, intent: Move, clause: str) -> Plan[None]:
    """To a project, where there is one of that name; else ask, or say that it is no date."""
    resolved = yield from resolve(session, intent.ref)
    if not isinstance(resolved, Found):
        yield from act(session, Act(Deed.FILE, intent.ref, intent.place), clause)
        return
    place = session.shown(intent.place)
    listing = yield from session.look()
    projects, _ = session.known_groups(listing.tasks)
    if project := group_named(
        re.sub(r"^(?:the|my|our) ", "", place, flags=re.IGNORECASE), projects
    ):
        yield from act_on(session, Act(Deed.FILE, intent.ref, project), resolved, clause)
        return
    bare = re.sub(r"^(?:the|my|our) ", "", place, flags=re.IGNORECASE)
    if len(bare.split()) > 2 or any(letter.isdigit() for letter in bare) or _like_a_day(bare):
        yield from _do(session, BadDate(intent.place), clause)
        return
    name = bare.replace(" ", "-").lstrip("#")
    kept = f"put {session.kept(intent.ref)} in project {name}"
    doubt(
        session,
        f"There is no project {replies.quoted(name)} yet. Shall I make it and put "
        f"{replies.names(resolved.tasks)} there?",
        kept,
        resolved.tasks,
        session.shown(intent.ref),
    )


def _like_a_day(word: str) -> bool:
    plain = word.casefold()
    return plain.endswith("day") or any(alike(plain, day) for day in _DAYS)


def _claim(session: Session, intent: Claim) -> Plan[None]:
    """A deed that was reported: complete what it did, if that is on the list."""
    said = session.shown(intent.object)
    if intent.undone:
        yield from _undone(session, intent, said)
        return
    resolved = yield from _reported(session, intent)
    if isinstance(resolved, Found):
        if intent.others or (resolved.everything and len(resolved.tasks) > 1):
            _doubt_done(session, intent, resolved)
            return
        yield from act_on(
            session,
            Act(Deed.COMPLETE, intent.object),
            resolved,
            f"complete {session.kept(intent.object)}",
        )
        return
    if isinstance(resolved, Several):
        ask_which(
            session,
            Act(Deed.COMPLETE, intent.object),
            resolved,
            f"complete {session.kept(intent.object)}",
        )
        return
    open_tasks = yield from session.pool(said)
    verb = f"{intent.verb} {said}"
    done = reported(intent.verb, said, (yield from session.pool(verb, "done")))
    if done:
        session.say(
            f"{replies.names(done)} {'is' if len(done) == 1 else 'are'} already done.", done
        )
        return
    near = touched(said, open_tasks) if is_verb(intent.verb) and not intent.others else ()
    if near:
        _doubt_done(session, intent, Found(near))
        return
    if not intent.others and (is_verb(intent.verb) or intent.verb in GENERIC_DEEDS):
        session.speech.say(
            f"I found no open task that fits {replies.quoted(session.shown(intent.text))}, "
            f"so nothing was changed."
        )
    else:
        unknown(session, intent.text)


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


def _answer_question(session: Session, question: Question, text: str) -> Plan[bool]:
    """Take the message as the answer that a question waits for; False where it is none."""
    choice = read_choice(session.shown(text), question, session.dates)
    match choice:
        case No():
            session.speech.say("All right, nothing was changed.")
            return True
        case Yes():
            session.settled[folded(question.words)] = question.tasks
            yield from _resume(session, question.clause)
            return True
        case Picked(tasks):
            session.settled[folded(question.words)] = tasks
            yield from _resume(session, question.clause)
            return True
        case None:
            pass
        case _:
            assert_never(choice)
    if question.kind == "fill" and _fills(session, text):
        yield from _resume(session, question.clause.replace("{}", session.kept(text).strip()))
        return True
    return False


def _fills(session: Session, text: str) -> bool:
    """Whether a message is the part that a command lacked, and not a command of its own."""
    if session.dates.is_when(bare_date(text)):
        return True
    return not session.grammar.is_command(text) and not _is_aside(session.grammar.read(text))


def _resume(session: Session, clause: str) -> Plan[None]:
    """Do the command that waited."""
    session.quoted = hide_quoted(clause)
    session.confirmed = True
    yield from _follow(session, session.grammar.read(session.quoted.text), session.quoted.text)


def _doubt_done(session: Session, intent: Claim, found: Found) -> None:
    words = session.shown(intent.object)
    kept = f"complete {session.kept(intent.object)}"
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
