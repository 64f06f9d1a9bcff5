"""Answer questions from documents, by quoting the passages that fit best."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from todo_tui.domain.knowledge.answer_quality import evidence_sentences
from todo_tui.domain.knowledge.content_words import STOP_WORDS, words_of
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence, evidence_in
from todo_tui.domain.text import plain_text
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.answering.answer_kinds import DETERMINERS, kind_asked_for, stems
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import base_form, peeled, surely_verb
from todo_tui.providers.offline.reading import command_rules
from todo_tui.providers.offline.reading.reader import Reader
from todo_tui.providers.offline.tool_results import Call, CallRounds, ShownTask

_MAX_QUOTED = 3
_SHARE = 0.5
"""Part of the words asked for that a task or the nearest sentence has to have."""
_MIN_LONG = 2
"""Words asked for from which on it is said that no document answers."""
_ASKS_FACT = regex(
    r"(who|whom|whose)\b"
    r"|where\b(?!('s| is| are)? (my|that|this|those)\b)|how (?!about|come)\w+\b"
    r"|what (do|does|did|will|would|is|are)\b.*\b(cost|price of)\b"
)
"""Beginnings of questions that no date of a task answers."""
_NOT_OF_TASKS = regex(
    r"(who|whom|whose|where|how much)\b|what (do|does|did|will|would|is|are)\b.*\b(cost|price of)\b"
)
"""Beginnings of questions that nothing of a task answers, unless they are about oneself."""
_ASKS_WHO = regex(r"(who|whom|whose|where)\b")
"""Beginnings of questions for no day: `who is the planner?`."""
_ASKS_LEAVE = regex(
    r"(is|are|am|was|were|do|does|did)\b.*"
    r"\b(allowed|forbidden|included|permission|permitted|prohibited)\b|may (i|we)\b"
)
_LIGHT = frozenset("bring buy come find get give keep leave make put show take use".split())
"""Deeds of which an answer may say nothing: `may I keep a dog?`."""
_MY = regex(r"\b(my|our)\b")
_ASKS_WHEN = regex(r"when\b|what (time|day|date)\b|.*\bnext\b")
_REFERS = regex(r"\b(he|him|it|its|ones?|she|that|their|them|these|they|this|those)\b")
_ONE_OF_TWO = regex(r"\w+ (&|and|or) \w+")
"""In a heading: which of them a sentence below it is about, it does not say."""
_OWN = regex(r"\b(i|i'm|me|my|we|our|us)\b")
_A_DAY = regex(r"\b(today|tonight|tomorrow|WEEKDAY|(this|next) (morning|week(end)?|month))\b")
_QUESTION = regex(
    r"(tell me (about|of|more|what|when|who|how|why|where|which)|explain|describe|summari[sz]e"
    r"|according to|i('d| would) like to know|do you know|(\w+ ){0,3}(what|which|whom|whose"
    r"|how (many|much|long|often|far|big))|(can|may|must|could|will) (?!you\b)\w+)\b"
)
_EXCLAIMS = regex(r"what an? ")
_TO_ASSISTANT = regex(r"((what|who|how|why|where|when) )?(are|do|did|have|were|can|will) you\b")
_SEARCH = regex(
    r"(search|find|look( up| for)?|check|read|quote|what|where|which|show)\b.*"
    r"\b(my|the|these|those) (documents?|docs|papers|files|pdfs?|notes|knowledge|manuals?)\b"
)
"""Orders to search documents."""
_BEHIND_LIST = rf"({'|'.join(sorted(STOP_WORDS))}|to(day|morrow|night)|WEEKDAY)\b"
"""What follows a list of tasks in a question; `the list price` is another thing."""
_ABOUT_TASKS = regex(
    r"\b((sub-?)?tasks?|to-?dos?|my (agenda|calendar)|overdue|trash"
    rf"|(to do|this|the|my) list(?! (?!{_BEHIND_LIST})\w))\b"
)

_GENERIC = stems(
    "according big check deep describe docs documents explain far fast files find heavy high large"
    " long look mean mention notes often old papers pdfs quote read search show summarise summarize"
    " tall wide"
)
"""Words of questions that are about no subject."""
_SAID_OTHERWISE = _GENERIC | stems(
    "allowed amount cheap clock consent cost currently date day expensive forbidden happen hello"
    " hey hi hour include kind knowledge last manual minute month name next number okay people"
    " per permission permitted person possible price somebody sort time today tomorrow total use"
    " week year"
)
"""Words of questions that an answer need not have."""
_OF_DAYS = stems(
    "afternoon busier busiest busy coming date day due empty evening fit free full happen hour last"
    " left light lightest minute monday month morning need next night noon occupied packed plan"
    " planned quiet quieter quietest friday saturday spare sunday take thursday time today tomorrow"
    " tonight tuesday wednesday week weekend"
)
"""Words of questions about days of the person, which are for the list."""


def is_question(reader: Reader, text: str) -> bool:
    """Return True for a question that may be for documents, unless it may be about the list."""
    words = peeled(text.strip())
    if _ABOUT_TASKS.search(words) or _TO_ASSISTANT.match(words):
        return False
    if _SEARCH.match(words):
        return True
    asks = words.endswith("?") or text.rstrip().endswith("?")
    if _EXCLAIMS.match(words) and not asks:
        return False
    if not (asks or phrases.QUESTION.match(words) or _QUESTION.match(words)):
        return False
    is_of_others = _ASKS_WHO.match(words) and not _OWN.search(words)
    if not is_of_others and (asked := stems(text) - _GENERIC) and asked <= _OF_DAYS:
        return False
    parts = (part.strip() for step in reader.read() for part in re.split("[,;]", step.clause))
    return not any(map(_is_command, map(peeled, parts)))


def _is_command(words: str) -> bool:
    return command_rules.is_command(words) and not _QUESTION.match(words)


def asks_fact(text: str) -> bool:
    """Return True for a question such as `how much is …`, which no date of a task answers."""
    return bool(_ASKS_FACT.match(peeled(text.strip())))


class OnList(Enum):
    """What the list has for a question: nothing, tasks with words of it, or an answer."""

    NOTHING = auto()
    SIMILAR = auto()
    ANSWER = auto()


def is_about(question: str, task: ShownTask) -> bool:
    """Return True if a task has half of the things asked for, or of the things and deeds."""
    asked = _Asked.read(question)
    own = _stems_of(task)
    return any(
        len(words & own) >= _SHARE * len(words)
        for words in ((asked.things or asked.needed) - _OF_DAYS, asked.needed - _OF_DAYS)
    )


def _stems_of(task: ShownTask) -> set[str]:
    return stems(" ".join((task.title, task.project, *task.tags)))


def is_of_no_task(question: str) -> bool:
    """Return True for a question such as `who is Ann's lawyer?`, to which no task knows more."""
    words = peeled(question.strip())
    is_fact = _NOT_OF_TASKS.match(words) and not _OWN.search(words)
    return bool(is_fact) or _asks_leave(question)


def _asks_leave(question: str) -> bool:
    return bool(_ASKS_LEAVE.match(peeled(question.strip())))


def is_about_own_tasks(question: str) -> bool:
    """Return True for a question to which a task could say more than a document."""
    words = peeled(question.strip())
    return bool(_MY.search(words) or _ASKS_WHEN.match(words))


def is_about_own_days(question: str) -> bool:
    """Return True for a question such as `when do I work next week?`."""
    return bool(_OWN.search(question)) and bool(_A_DAY.search(question))


def quote(question: str, found: OnList, tasks: Iterable[ShownTask] = ()) -> CallRounds[str]:
    """Return an answer in quotations, or that no document says it; empty if neither is sure.

    What is found on the list gives way only to an answer, to none at all if no task can say it,
    and, where `tasks` are only similar, to a passage with more of the words.
    """
    (outcome,) = yield (Call(RETRIEVAL_TOOL, {"query": question}),)
    asked = _Asked.read(question)
    statements = [each for passage in evidence_in(outcome.data) for each in _statements(passage)]
    answers: dict[int, _Statement] = {}
    for each in sorted(filter(asked.is_answered, statements), key=asked.rank):
        answers.setdefault(each.passage.number, each)
    if answers and asked.outdoes(found):
        best, *others = [*answers.values()][:_MAX_QUOTED]
        return "\n\n".join([best.quotation(), *(each.mention() for each in others)])
    is_long = len(asked.words) >= _MIN_LONG
    shares = [asked.share_of_task(each) for each in tasks] if found is OnList.SIMILAR else []
    fuller = [each for each in statements if shares and asked.share_around(each) > max(shares)]
    is_unknown = found is OnList.NOTHING and (is_long or asks_fact(question))
    if not (is_of_no_task(question) or is_unknown or fuller) or asked.is_number:
        return ""
    nearest = min(fuller or statements, key=asked.distance, default=None)
    # Tasks about the same thing come nearer.
    names_tasks = not (found is OnList.NOTHING or fuller or _asks_leave(question))
    if names_tasks or nearest is None or asked.share(nearest) < _SHARE:
        return replies.IN_NO_DOCUMENT
    place, number = nearest.passage.place, nearest.passage.number
    # What follows may answer in other words.
    return replies.not_in_documents(place, f"{nearest.text} {nearest.after}".strip(), number)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence of a passage, the one before it if it refers to that, and the one after it."""

    passage: Evidence
    sentence: str
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        return f"{self.before} {self.sentence}".strip()

    def quotation(self) -> str:
        """Quote the statement in bold, then its place."""
        answer = replies.answered_by(self.text, self.passage.number)
        return f"{answer}  \n> — {replies.escaped(self.passage.place)}"

    def mention(self) -> str:
        """Quote the statement with its place."""
        text, number = replies.escaped(self.text), self.passage.number
        return f"> {text} [{number}]  \n> — {replies.escaped(self.passage.place)}"


def _statements(passage: Evidence) -> Iterator[_Statement]:
    """Yield the sentences of a passage without its headings, alone and after what they refer to."""
    headings = {passage.heading, *passage.place.split(", ")}
    lines = (" ".join(each.split()) for each in evidence_sentences(plain_text(passage.text)))
    sentences = [each for each in lines if each.strip("# ") not in headings]
    for before, sentence, after in zip(
        ["", *sentences], sentences, [*sentences[1:], ""], strict=False
    ):
        if not (before and _REFERS.match(sentence)):
            yield _Statement(passage, sentence, after=after)
        if before and _REFERS.search(sentence):
            yield _Statement(passage, sentence, before, after)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks for, as stems."""

    question: str
    words: Set[str]
    needed: Set[str]
    """Words that an answer has, in the sentence or above it."""
    things: Set[str]
    """Needed words that are not of deeds."""

    @classmethod
    def read(cls, question: str) -> _Asked:
        question = peeled(question.strip())
        is_of_any_kind = kind_asked_for(question) is None
        words, needed, things = set[str](), set[str](), set[str]()
        for before, word in pairwise(("", *words_of(question))):
            own = stems(word) - _GENERIC
            words |= own
            if is_of_any_kind and base_form(word) in _LIGHT:
                continue
            needed |= own - _SAID_OTHERWISE
            if not surely_verb(base_form(word)) or before in DETERMINERS:
                things |= own - _SAID_OTHERWISE
        return cls(question, words, needed or words, things)

    @property
    def is_number(self) -> bool:
        return all(word.isdigit() for word in self.words)

    def share(self, statement: _Statement) -> float:
        """Return the part of the needed words that a statement has, or the headings above it."""
        own, above = stems(statement.text), stems(statement.passage.place)
        return len(self.needed & (own | above)) / max(len(self.needed), 1)

    def share_around(self, statement: _Statement) -> float:
        """Return the part of the needed words that the passage of a statement has."""
        passage = statement.passage
        return len(self.needed & stems(f"{passage.text} {passage.place}")) / len(self.needed)

    def share_of_task(self, task: ShownTask) -> float:
        """Return the part of the needed words that a task has."""
        return len(self.needed & _stems_of(task)) / len(self.needed)

    def has_kind(self, statement: _Statement) -> bool:
        """Return True if a sentence says the kind of thing that is asked for."""
        says_kind = kind_asked_for(self.question)
        order = [each for word in words_of(self.question) for each in stems(word)]
        return says_kind is None or says_kind(statement.sentence, order)

    def rank(self, statement: _Statement) -> tuple[int, bool]:
        """Return a key by which the statements that fit best come first."""
        own = stems(statement.sentence)
        return -len(self.words & own), bool(statement.before)

    def distance(self, statement: _Statement) -> tuple[float, ...]:
        """Return a key by which statements that do not answer come in order, the nearest first."""
        words, has_before = self.rank(statement)
        things = len(self.things & stems(f"{statement.text} {statement.passage.place}"))
        is_other = not self.has_kind(statement)
        return -self.share(statement), words, -things, is_other, has_before

    def outdoes(self, found: OnList) -> bool:
        """Return True if an answer from documents says more than what is found on the list."""
        # A single deed may be the person's: `who do I call?`.
        return found is OnList.NOTHING or bool(self.things) or len(self.needed) > 1

    def is_answered(self, statement: _Statement) -> bool:
        """Return True if a statement has all that is needed, and the kind of thing asked for."""
        own = stems(statement.text)
        # `next week` is not answered by what is always so.
        needed = self.words if is_about_own_days(self.question) else self.needed
        above = stems(_ONE_OF_TWO.sub("", statement.passage.place))
        if not needed or not needed <= own | above:
            return False
        if "without" in words_of(self.question) and "without" not in words_of(statement.text):
            return False
        is_of_any_kind = kind_asked_for(self.question) is None
        return is_of_any_kind or (bool(self.needed & own) and self.has_kind(statement))
