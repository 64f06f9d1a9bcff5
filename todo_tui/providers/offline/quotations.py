"""Answer questions from documents, by quoting the passages that fit best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto

from todo_tui.domain.knowledge.answer_quality import evidence_sentences
from todo_tui.domain.knowledge.content_words import content_words, words_of
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence, evidence_in
from todo_tui.domain.text import plain_text
from todo_tui.providers.offline import phrases, replies, rules
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.reader import Reader
from todo_tui.providers.offline.tool_results import Call, CallRounds, ShownTask
from todo_tui.providers.offline.words import NUMBERS, base_form, peeled, surely_verb

_MAX_QUOTED = 3
_RELEVANT = 0.5
"""Share of what is asked for that a passage has to have."""
_ANSWERS = 0.5
"""Part of what is asked for that a sentence with its heading, or a task, has to have."""
_FEWEST = 2
"""Words asked for from which on it is said that no document answers."""
_NOUN, _VERB, _LOOSE = 1, 0.75, 0.5
"""Weights of the words asked for: of things, of deeds, and of what is often said otherwise."""
_RARE = 0.25
"""Weight that is shared by the sentences with a word: a rare one says more."""
_NEAR = 0.5
"""Weight of a word in the heading, beside one in the sentence; and of a number asked for."""
_MAX_BETWEEN = 2
"""Places between a sentence and one that has what it lacks of the question."""
_BEFORE, _AFTER = 1, 2
"""Sentences around the answer that are quoted too."""
_WANTS_NUMBER = regex(
    r"\b(how (long|much|many|old|far|fast|often|big|late|early|soon|quickly)|when"
    r"|what (time|date|day|age|number)|which (day|date|month|year))\b"
)
_NUMBER = regex(rf"\d|\b({'|'.join(NUMBERS)}|half|once|twice|daily|weekly|monthly|WEEKDAY)\b")
_ASKS_FACT = regex(
    r"(?P<who>who|whom|whose)\b"
    r"|(?P<where>where)\b(?!('s| is| are)? (my|that|this|those)\b)|how (?!about|come)\w+\b"
)
"""Beginnings of questions that no date of a task answers."""
_PLACE = regex(r"\b(at|behind|by|from|in|inside|near|next to|on|outside|over|to|under)\b")
_ITEM = re.compile(r"([-*+•|]|\d{1,3}[.)])\s")
_NAME = re.compile(r"(?<=\s)[^\W\d_a-z]\w+")
_OWN = regex(r"\b(i|i'm|me|my|we|our|us)\b")
_A_DAY = regex(r"\b(today|tonight|tomorrow|WEEKDAY|(this|next) (morning|week(end)?|month))\b")
_NEARLY_AS_GOOD = 0.75
"""Share of the best passage's matching words from which on another one is quoted too."""
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
_ABOUT_TASKS = regex(
    r"\b((sub-?)?tasks?|to-?dos?|((to do|this|the|my) list)|my (agenda|calendar)|overdue|trash)\b"
)

_GENERIC = content_words(
    "according big check deep describe docs documents explain far fast files find heavy high large"
    " long look mean mention notes often old papers pdfs quote read search show summarise summarize"
    " tall wide"
)
"""Words of questions that are about no subject."""
_SAID_OTHERWISE = _GENERIC | content_words(
    "allowed amount back cheap child children clock consent cost currently date day expensive"
    " forbidden happen hello hey hi hour kind knowledge last manual minute month name next number"
    " okay people per permission permitted person possible price somebody sort start time today"
    " tomorrow total use week year"
)
"""Words of questions that an answer need not have."""
_OF_DAYS = content_words(
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
    if (asked := content_words(text) - _GENERIC) and asked <= _OF_DAYS:
        return False
    parts = (part.strip() for step in reader.read() for part in re.split("[,;]", step.clause))
    return not any(map(_is_command, map(peeled, parts)))


def _is_command(words: str) -> bool:
    return rules.is_command(words) and not _QUESTION.match(words)


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
    own = content_words(" ".join((task.title, task.project, *task.tags)))
    return any(
        len(words & own) >= _ANSWERS * len(words)
        for words in (asked.subject - _OF_DAYS, asked.wanted - _OF_DAYS)
    )


def is_about_own_days(question: str) -> bool:
    """Return True for a question such as `when do I work next week?`."""
    return bool(_OWN.search(question)) and bool(_A_DAY.search(question))


def quote(question: str, found: OnList) -> CallRounds[str]:
    """Return an answer in quotations; empty for words that are no question about a text.

    If nothing is found on the list, it may be that no document says so either. What is found there
    gives way only to an answer that has all that is asked for.
    """
    (outcome,) = yield (Call(RETRIEVAL_TOOL, {"query": question}),)
    passages = evidence_in(outcome.data)
    asked = _Asked.read(question, passages)
    relevant = _relevant(asked, passages)
    headed = asked.words & {word for each in passages for word in content_words(each.place)}
    answers = [_answering(asked, each) for each in relevant or passages]
    best = max(
        answers,
        # A passage without a word that heads another one is about something else.
        key=lambda each: each.score - len(headed - content_words(each.passage.searchable)),
        default=None,
    )
    says_if_none = found is OnList.NOTHING
    if best is None or not best.score:
        return replies.IN_NO_DOCUMENT if says_if_none and len(asked.words) >= _FEWEST else ""
    is_weak = len(asked.words) > 1 and best.share < _ANSWERS
    is_said = best.has_subject and not is_weak and asked.is_answered(best, found)
    if not relevant or not is_said or _has_unsaid(question, passages):
        if not says_if_none or len(asked.words) < _FEWEST or asked.is_number:
            return ""
        if not best.has_subject:
            return replies.IN_NO_DOCUMENT
        place, sentence = best.passage.place, best.sentences[best.first]
        return replies.not_in_documents(place, sentence, best.passage.number)
    others = [each for each in answers if each is not best and each.has_subject]
    return "\n\n".join([best.quotation(), *map(_Answer.mention, others)])


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words that a question asks for, by their weights."""

    question: str
    weights: Mapping[str, float]
    subject: frozenset[str]
    """Words of things; of deeds if there are none, or else all."""
    rarity: Mapping[str, float]
    """More weight for a word in a sentence, the fewer sentences have it."""

    @classmethod
    def read(cls, question: str, passages: Sequence[Evidence] = ()) -> _Asked:
        """Read a question, and how rare its words are in the passages found."""
        weights: dict[str, float] = {}
        for word in words_of(question):
            for stem in content_words(word) - _GENERIC:
                is_verb = surely_verb(base_form(word))
                is_loose = stem in _SAID_OTHERWISE or stem.isdigit()
                weight = _LOOSE if is_loose else _VERB if is_verb else _NOUN
                weights[stem] = max(weight, weights.get(stem, 0))
        most = max(weights.values(), default=0)
        subject = frozenset(word for word, weight in weights.items() if weight == most)
        counts = Counter(
            word
            for each in passages
            for sentence in evidence_sentences(plain_text(each.text))
            for word in content_words(sentence) & weights.keys()
        )
        rarity = {word: _RARE / count for word, count in counts.items()}
        return cls(question, weights, subject, rarity)

    @property
    def words(self) -> Set[str]:
        return self.weights.keys()

    @property
    def wanted(self) -> Set[str]:
        """The words of things and of deeds."""
        return {word for word, weight in self.weights.items() if weight > _LOOSE}

    @property
    def is_number(self) -> bool:
        return all(word.isdigit() for word in self.weights)

    def weight(self, words: Set[str]) -> float:
        """Return the weight of those of the words that are asked for."""
        return sum(self.weights.get(word, 0) for word in words)

    def score(self, words: Set[str], around: Set[str], sentence: str) -> float:
        """Return how well a sentence fits; what the heading says of it counts less.

        A question for an amount, a number or a time is answered by a sentence that has one.
        """
        score = self.weight(words) + _NEAR * self.weight(around - words)
        score += sum(self.rarity.get(word, 0) for word in words)
        has_number = _WANTS_NUMBER.search(self.question) and _NUMBER.search(sentence)
        return score + _NEAR if score and has_number else score

    def is_answered(self, answer: _Answer, found: OnList) -> bool:
        """Return True if an answer says what is asked, better than what is found on the list."""
        has = content_words(f"{answer.text} {answer.passage.place}")
        # `next week` is not answered by what is always so.
        wanted = self.words if is_about_own_days(self.question) else self.wanted
        if found is OnList.NOTHING:
            return True
        # A single deed may be the person's: `who do I call?`.
        is_about_thing = _NOUN in self.weights.values() or len(self.wanted) > 1
        if not is_about_thing or not wanted <= has:
            return False
        if found is OnList.SIMILAR:
            return True
        kind = _ASKS_FACT.match(peeled(self.question.strip()))
        if kind is None:
            return False
        if kind["who"]:
            return wanted != self.subject or bool(_NAME.search(answer.text))
        return bool((_PLACE if kind["where"] else _NUMBER).search(answer.text))


@dataclass(frozen=True, slots=True)
class _Answer:
    """The sentences of a passage that fit a question best, from the `first` to the `last`."""

    passage: Evidence
    sentences: Sequence[str] = ()
    score: float = 0
    share: float = 0
    """Part of what is asked for that they have, together with their heading."""
    has_subject: bool = False
    first: int = 0
    last: int = 0

    @property
    def text(self) -> str:
        """The sentence, and the one that says what it lacks."""
        joint = " " if self.last - self.first <= 1 else " … "
        return joint.join(self.sentences[each] for each in sorted({self.first, self.last}))

    def mention(self) -> str:
        """Quote the sentences with their place."""
        text, number = replies.escaped(self.text), self.passage.number
        return f"> {text} [{number}]  \n> — {replies.escaped(self.passage.place)}"

    def quotation(self) -> str:
        """Quote the sentences in bold, then those around them, then their place."""
        before = self._others(range(max(self.first - _BEFORE, 0), self.first))
        after = self._others(range(self.last + 1, self.last + 1 + _AFTER))
        around = [*before, *(["…"] if before else []), *after]
        lines = [
            replies.answered_by(self.text, self.passage.number),
            *([f"> {_joined(around)}"] if around else []),
            f"> — {replies.escaped(self.passage.place)}",
        ]
        return "  \n".join(lines)

    def _others(self, places: range) -> list[str]:
        """Return the sentences at these places, without headings."""
        headings = {self.passage.heading, *self.passage.place.split(", ")}
        found = (self.sentences[each] for each in places if each < len(self.sentences))
        return [each for each in found if each.strip("# ") not in headings]


def _joined(sentences: Sequence[str]) -> str:
    """Join sentences; items of a list are lines of their own."""
    joint = "  \n> " if any(_ITEM.match(each) for each in sentences) else " "
    return joint.join(map(replies.escaped, sentences))


def _answering(asked: _Asked, passage: Evidence) -> _Answer:
    """Return the sentence with most of what is asked for; headings and titles help.

    What it lacks of the subject may be in a sentence near it.
    """
    around = asked.words & content_words(passage.place)
    sentences = [" ".join(each.split()) for each in evidence_sentences(plain_text(passage.text))]
    found = [asked.words & content_words(each) for each in sentences]
    scores = [
        asked.score(words, around, sentence)
        for words, sentence in zip(found, sentences, strict=True)
    ]
    if not any(scores):
        return _Answer(passage)
    best = scores.index(max(scores))
    lacks = asked.subject - found[best] - around
    nearest = max(
        (at for at in range(len(found)) if 0 < abs(at - best) <= _MAX_BETWEEN),
        # A text goes on about the same thing more often than it began with it.
        key=lambda at: (len(found[at] & lacks), at > best, -abs(at - best)),
        default=best,
    )
    other = nearest if found[nearest] & lacks else best
    has = found[best] | found[other] | around
    return _Answer(
        passage,
        sentences,
        scores[best],
        asked.weight(has) / asked.weight(asked.words),
        bool(has & asked.subject),
        *sorted((best, other)),
    )


def _has_unsaid(question: str, passages: Sequence[Evidence]) -> bool:
    """Return True if no passage has a thing that is asked about; verbs may be said otherwise."""
    said = _SAID_OTHERWISE.union(*(content_words(each.searchable) for each in passages))
    return any(
        word.isalpha()
        and not content_words(word) <= said
        and word not in NUMBERS
        and not surely_verb(base_form(word))
        for word in words_of(question)
    )


def _relevant(asked: _Asked, passages: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages with most of what is asked for, and nearly as much as the best one.

    A search also finds passages that share a single word of several, which may be about anything.
    """
    if asked.is_number:
        return []
    least = _RELEVANT * asked.weight(asked.words)
    shared = {
        each.number: asked.weight(has)
        for each in passages
        if len(has := asked.words & content_words(each.searchable)) >= min(2, len(asked.subject))
    }
    best = max(shared.values(), default=0)
    least = max(least, best * _NEARLY_AS_GOOD)
    return [each for each in passages if shared.get(each.number, 0) >= least][:_MAX_QUOTED]
