"""The plan of a turn: what is said read clause by clause, done in order, told in one answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from todo_tui.providers.offline import replies, wording
from todo_tui.providers.offline.acting import act
from todo_tui.providers.offline.adding import add
from todo_tui.providers.offline.answering import ask, list_groups, show, what_next
from todo_tui.providers.offline.asides import decline, explain
from todo_tui.providers.offline.choices import Family, No, Picked, Yes, read_choice
from todo_tui.providers.offline.claiming import claim
from todo_tui.providers.offline.dating import bare_date
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.found import Found, Nothing
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    BadDate,
    Change,
    Claim,
    Deed,
    Enquiry,
    Groups,
    Help,
    Incomplete,
    Intent,
    Leave,
    Links,
    Move,
    Offer,
    Regroup,
    RestoreLast,
    Show,
    Step,
    StepBack,
    Swap,
    Talk,
    TellTime,
    Unknown,
    WhatNext,
    Why,
)
from todo_tui.providers.offline.linking import LINKED, link, unnest
from todo_tui.providers.offline.matching import find_exactly, find_strictly
from todo_tui.providers.offline.moments import step_back, tell_time
from todo_tui.providers.offline.quoted import hide_quoted
from todo_tui.providers.offline.references import ByName, read_reference
from todo_tui.providers.offline.regrouping import regroup
from todo_tui.providers.offline.relating import explain_urgency, restore_last, tell_links
from todo_tui.providers.offline.resolving import resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.skipping import skip
from todo_tui.providers.offline.steps import Clause, read_step, read_steps
from todo_tui.providers.offline.swapping import trade
from todo_tui.providers.offline.toolwork import Plan
from todo_tui.providers.offline.wishes import consider, fill_in, mention, move, say_bad_date
from todo_tui.providers.offline.words import folded

_JOINT = re.compile(r" (to|with|until|for|as) $", re.IGNORECASE)
"""The word before a part that was asked for, which the answer may begin with."""

_MOST_STEPS = 9
"""Steps of one message: a turn has only so many rounds."""


def respond(session: Session) -> Plan[None]:
    """Answer the message: as what the last question waits for, else clause by clause."""
    text = session.quoted.text
    if session.past.question is not None:
        answered = yield from _answer_question(session, session.past.question, text)
        if answered:
            return
    steps = yield from read_steps(session, text)
    alone = len(steps) == 1
    strange = [step for step in steps if step.means_nothing]
    if alone and strange and (yield from mention(session, steps[0].clause)):
        return
    plain = [step for step in steps if step not in strange and (alone or not step.is_aside)]
    for each in plain[:_MOST_STEPS]:
        yield from _follow(session, each)
    if len(plain) > _MOST_STEPS:
        left = replies.quoted(session.shown(plain[_MOST_STEPS].clause))
        session.speech.say(f"That was a lot at once: I stopped before {left}.")
    if not plain:
        decline(session)
    elif strange:
        session.speech.say(
            f"I did not understand {replies.quoted(session.shown(strange[0].clause))}."
        )


def _follow(session: Session, step: Clause) -> Plan[None]:
    """Do what a clause asks for."""
    if step.additions:
        yield from add(session, step.additions)
        return
    intent = step.intents[0]
    if len(step.intents) > 1:
        intent = yield from _likeliest(session, step.intents)
    yield from _do(session, intent, step.clause)


def _likeliest(session: Session, intents: Sequence[Intent]) -> Plan[Intent]:
    """Of several readings, the one that names a task by its title; else one that names any."""
    acts = [intent for intent in intents if isinstance(intent, Act)]
    if acts and not isinstance(read_reference(acts[0].ref, session.dates), ByName):
        return acts[0]
    tasks = yield from session.pool(session.shown(" ".join(intent.ref for intent in acts)))
    for fits in (find_exactly, find_strictly):
        for intent in acts:
            if fits(session.shown(intent.ref), tasks):
                return intent
    for intent in acts:
        found = yield from resolve(session, intent.ref)
        if isinstance(found, Found):
            return intent
    return intents[0]


def _do(session: Session, intent: Intent, clause: str) -> Plan[None]:
    match intent:
        case Act() | Move() | Claim() | Add() | Offer() | Incomplete() | BadDate() | RestoreLast():
            yield from _change(session, intent, clause)
        case Ask() | Groups() | Show() | WhatNext() | TellTime() | Links() | Why():
            yield from _answer(session, intent)
        case Swap() | Step():
            yield from trade(session, intent, clause)
        case Regroup():
            yield from regroup(session, intent, clause)
        case StepBack():
            yield from step_back(session, intent)
        case Help(topic):
            explain(session, topic)
        case Talk(kind):
            session.speech.say(wording.talk(kind, session.past.deed))
        case Leave():
            session.speech.say("All right, I left that as it is. Nothing was changed.")
        case Unknown():
            decline(session)
        case _:
            assert_never(intent)


def _change(session: Session, intent: Change, clause: str) -> Plan[None]:
    match intent:
        case Act():
            yield from _act_or_add(session, intent, clause)
        case Move():
            yield from move(session, intent, clause)
        case Claim():
            yield from claim(session, intent)
        case Add():
            yield from add(session, (intent,))
        case Offer():
            yield from consider(session, intent)
        case Incomplete():
            yield from fill_in(session, intent, clause)
        case BadDate():
            say_bad_date(session, intent)
        case RestoreLast():
            yield from restore_last(session)
        case _:
            assert_never(intent)


def _act_or_add(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Change a task; where none fits and the words may as well be a new one, add it."""
    if intent.deed in LINKED:
        yield from link(session, intent, clause)
        return
    if intent.deed in (Deed.SKIP, Deed.ENDING, Deed.CANCEL):
        yield from skip(session, intent, clause)
        return
    if intent.deed is Deed.UNFILE and (yield from unnest(session, intent, clause)):
        return
    if intent.otherwise:
        resolved = yield from resolve(session, intent.ref)
        if isinstance(resolved, Nothing):
            yield from add(session, (Add(intent.otherwise),))
            return
    yield from act(session, intent, clause)


def _answer(session: Session, intent: Enquiry) -> Plan[None]:
    match intent:
        case Ask():
            yield from ask(session, intent)
        case Groups():
            yield from list_groups(session, intent)
        case Show():
            yield from show(session, intent)
        case WhatNext():
            yield from what_next(session)
        case TellTime():
            yield from tell_time(session, intent)
        case Links():
            yield from tell_links(session, intent)
        case Why():
            yield from explain_urgency(session, intent)
        case _:
            assert_never(intent)


def _answer_question(session: Session, question: Question, text: str) -> Plan[bool]:
    """Take the message as the answer that a question waits for; False where it is none."""
    choice = read_choice(session.shown(text), question, session.dates)
    match choice:
        case No():
            session.speech.say("All right, nothing was changed.")
            return True
        case Yes():
            session.approved = True
            if question.tasks:
                session.settled[folded(question.words)] = question.tasks
            yield from _resume(session, question.clause)
            return True
        case Family(subtasks):
            session.approved = True
            session.subtasks = subtasks
            session.settled[folded(question.words)] = question.tasks
            yield from _resume(session, question.clause)
            return True
        case Picked(tasks):
            session.approved = True
            session.settled[folded(question.words)] = tasks
            yield from _resume(session, question.clause)
            return True
        case None:
            pass
        case _:
            assert_never(choice)
    if question.kind == "fill" and _fills(session, text):
        before, _, after = question.clause.rpartition("{}")
        said = session.kept(text).strip()
        if joint := _JOINT.search(before):
            said = re.sub(rf"^{joint[1]} (?=\S)", "", said, flags=re.IGNORECASE)
        yield from _resume(session, f"{before}{said}{after}")
        return True
    return False


def _fills(session: Session, text: str) -> bool:
    """Whether a message is the part that a command lacked, and not a command of its own."""
    if session.dates.is_when(bare_date(text)):
        return True
    return not session.grammar.is_command(text) and not read_step(session, text).is_aside


def _resume(session: Session, clause: str) -> Plan[None]:
    """Do the command that waited."""
    session.quoted = hide_quoted(clause)
    session.confirmed = True
    yield from _follow(session, read_step(session, session.quoted.text))
