"""Plan of a turn: read a message clause by clause, carry it out in order, give one answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline import replies as wording
from todo_tui.providers.offline.answers import (
    ask,
    explain_urgency,
    list_groups,
    restore_last,
    show,
    tell_links,
    what_next,
)
from todo_tui.providers.offline.changes import add, regroup, skip, trade
from todo_tui.providers.offline.clauses import has_joint, split_clauses
from todo_tui.providers.offline.dates import bare_date
from todo_tui.providers.offline.dialogue import Family, No, Picked, Question, Yes, read_choice
from todo_tui.providers.offline.follow_ups import (
    claim,
    consider,
    fill_in,
    mention,
    move,
    say_bad_date,
)
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
from todo_tui.providers.offline.references import (
    ByName,
    find_exactly,
    find_strictly,
    read_reference,
)
from todo_tui.providers.offline.resolver import resolve
from todo_tui.providers.offline.rules.pattern import level_of
from todo_tui.providers.offline.session import Session, decline, explain, step_back, tell_time
from todo_tui.providers.offline.task_actions import LINKED, act, link, unnest
from todo_tui.providers.offline.tool_results import Found, Nothing, Plan
from todo_tui.providers.offline.words import folded, hide_quoted

_ALSO = re.compile(
    r"(?:and|also|plus|oh and|and also|oh,? also) (?P<item>.+?)(?: too| as well| also)?"
    r"|(?P<late>.+?),? (?:too|as well|also)",
    re.IGNORECASE,
)
_REPEATABLE = frozenset(Deed) - {Deed.RENAME, Deed.NOTE, Deed.SHIFT, Deed.REMARK}
"""What is done to one more task at a word."""
_UNFINISHED = frozenset({"add", Deed.DUE, Deed.PRIORITY, Deed.FILE, Deed.TAG, Deed.REPEAT})
"""Deeds after which more may be said of the same task, with no verb."""
_ENDS = re.compile(r"(?:until|till|before|after|since)\b", re.IGNORECASE)
_ASKED = re.compile(r"(?:and|what|how|show|list|anything|everything|any|all)\b", re.IGNORECASE)
_MEANT = re.compile(
    r"(?:(?:no|sorry|oops|wait|whoops|actually)[,.! ]+)+(?:i (?:mean|meant) |rather |not that,? )"
    r"(?P<item>.+)",
    re.IGNORECASE,
)
_HOUR = re.compile(r"^at (\d{1,2})$", re.IGNORECASE)
_FILED = re.compile(
    r"(?:in|into|to|under) (?:the )?project (?P<name>[\w.-]+)|(?:in |to )?#(?P<bare>(?!\d)[\w.-]+)",
    re.IGNORECASE,
)
_WRITES = frozenset({"add", *Deed})
_CALLED_OFF = re.compile(
    r"(?:no,? )?cancel (?:that|it|this|them|those)|(?:go|step) back", re.IGNORECASE
)
"""After a change, it is the change that is called off, and not the task."""
_WRONG = re.compile(r"(?:that|this|it|wrong|i|not)\b", re.IGNORECASE)
"""How an undo begins that is only the reason for the one after it: `that was wrong, undo it`."""
_APP_VERBS = re.compile(
    r"(?:please )?(?:complete|tick|delete|remove|erase|reschedule|postpone|snooze)\b", re.IGNORECASE
)
"""Verbs that speak of a task on the list rather than of a deed in the world."""
_JOINT = re.compile(r" (to|with|until|for|as) $", re.IGNORECASE)
"""The word before a part that was asked for, which the answer may begin with."""
_MOST_STEPS = 9
"""Steps of one message: a turn has only so many rounds."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with its readings; additions that follow each other are one step."""

    clause: str
    intents: tuple[Intent, ...]
    additions: tuple[Add, ...] = ()

    @property
    def means_nothing(self) -> bool:
        """Return True if no reading was found."""
        return all(isinstance(intent, Unknown) for intent in self.intents)

    @property
    def steps_back(self) -> bool:
        """Return True if it is an undo or redo."""
        return all(isinstance(intent, StepBack) for intent in self.intents)

    @property
    def is_aside(self) -> bool:
        """Return True if it is small talk, which goes under where there is something to do."""
        return all(isinstance(intent, Talk) for intent in self.intents)


def read_steps(session: Session, text: str) -> Plan[list[Clause]]:
    """What a message asks for, in order."""
    if corrected := _meant_instead(session, text):
        return corrected
    return _joined(session, (yield from _clauses(session, text)))


def _meant_instead(session: Session, text: str) -> list[Clause]:
    """`no, I meant the bank`: what was done last is undone, and done to that."""
    match = _MEANT.fullmatch(text.strip(" .!"))
    if match is None or session.dates.is_when(bare_date(match["item"])):
        return []
    instead = _one_more(session, match["item"])
    if instead is None:
        return []
    additions = (instead,) if isinstance(instead, Add) else ()
    return [Clause("undo", (StepBack(),)), Clause(match["item"], (instead,), additions)]


def _joined(session: Session, clauses: Sequence[str]) -> list[Clause]:
    steps: list[Clause] = []
    for clause in clauses:
        step = read_step(session, clause, adding=bool(steps and steps[-1].additions))
        if steps and step.steps_back and steps[-1].steps_back and _WRONG.match(steps[-1].clause):
            steps.pop()
        if steps and step.additions and steps[-1].additions:
            last = steps.pop()
            step = replace(last, additions=(*last.additions, *step.additions))
        steps.append(step)
    return steps


def read_step(session: Session, clause: str, *, adding: bool = False) -> Clause:
    """The readings of a clause; after an addition, `and eggs too` is one more."""
    intents = tuple(reading.intent for reading in session.grammar.read(clause))
    match = _ALSO.fullmatch(clause.strip(" .!"))
    if match and isinstance(intents[0], Unknown | Offer):
        words = match["item"] or match["late"]
        intents = (Add(words) if adding else _one_more(session, words) or intents[0],)
    if thought := _afterthought(session, clause.strip(" .!"), intents[0]):
        intents = (thought,)
    if session.past.deed in _WRITES and _CALLED_OFF.fullmatch(clause.strip(" .!")):
        intents = (StepBack(),)
    additions = (intents[0],) if isinstance(intents[0], Add) else ()
    return Clause(clause, intents, additions)


def _afterthought(session: Session, words: str, first: Intent) -> Intent | None:
    """What is still said of the task just added: `tomorrow at 5`, `high priority`, `#errands`."""
    if session.past.deed not in _UNFINISHED or len(session.past.focus) != 1:
        return None
    if not isinstance(first, Ask | Offer | Unknown | Groups) or words.endswith("?"):
        return None
    if _ENDS.match(words) or _ASKED.match(words):
        return None
    day = _HOUR.sub(r"\1 o'clock", words)
    if session.dates.is_when(bare_date(day)):
        return Act(Deed.DUE, "it", day)
    if session.dates.is_rhythm(words):
        return Act(Deed.REPEAT, "it", words)
    if level := level_of(re.sub(r"^(?:with|and) ", "", words)):
        return Act(Deed.PRIORITY, "it", level)
    if match := _FILED.fullmatch(words):
        return Act(Deed.FILE, "it", match["name"] or match["bare"])
    return None


def _one_more(session: Session, words: str) -> Intent | None:
    """What was done last, done to something else as well: `also the plants`."""
    past = session.past
    if past.deed == "add":
        return Add(words)
    if past.deed in _REPEATABLE and not words.endswith("?"):
        return Act(Deed(past.deed), words, past.value)
    return None


def _clauses(session: Session, text: str) -> Plan[tuple[str, ...]]:
    """The clauses; the list decides where one may be an item, or a title may be cut."""
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
        intents = [reading.intent for reading in session.grammar.read(clause)]
        return any(
            isinstance(intent, Act) and find_strictly(session.shown(intent.ref), tasks)
            for intent in intents
        )

    return split_clauses(session.quoted.text, session.grammar, fits)


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
    """Return True if a message is the part that a command lacked, and not a command of its own."""
    if session.dates.is_when(bare_date(text)):
        return True
    return not session.grammar.is_command(text) and not read_step(session, text).is_aside


def _resume(session: Session, clause: str) -> Plan[None]:
    """Do the command that waited."""
    session.quoted = hide_quoted(clause)
    session.confirmed = True
    yield from _follow(session, read_step(session, session.quoted.text))
