"""Steps: a message as the things it asks for, each clause with what it can mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from todo_tui.providers.offline.clauses import has_joint, split_clauses
from todo_tui.providers.offline.dating import bare_date
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Deed,
    Groups,
    Intent,
    Offer,
    StepBack,
    Talk,
    Unknown,
)
from todo_tui.providers.offline.matching import find_exactly, find_strictly
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.slot_values import level_of
from todo_tui.providers.offline.toolwork import Plan

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


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with its readings; additions that follow each other are one step."""

    clause: str
    intents: tuple[Intent, ...]
    additions: tuple[Add, ...] = ()

    @property
    def means_nothing(self) -> bool:
        """Whether no reading was found."""
        return all(isinstance(intent, Unknown) for intent in self.intents)

    @property
    def steps_back(self) -> bool:
        """Whether it is an undo or redo."""
        return all(isinstance(intent, StepBack) for intent in self.intents)

    @property
    def is_aside(self) -> bool:
        """Whether it is small talk, which goes under where there is something to do."""
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
