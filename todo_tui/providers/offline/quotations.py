"""Answer questions from documents, by quoting the passages that fit best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from todo_tui.domain.knowledge.answer_quality import evidence_sentences
from todo_tui.domain.knowledge.content_words import STOP_WORDS, stem, words_of
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence, evidence_in
from todo_tui.domain.text import plain_text
from todo_tui.providers.offline import phrases, replies, rules
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.reader import Reader
from todo_tui.providers.offline.tool_results import Call, CallRounds, ShownTask
from todo_tui.providers.offline.words import NUMBERS, base_form, peeled, surely_verb


def _stems(text: str) -> set[str]:
    """Return the stems of the words with a meaning; `paid` has that of `pay`."""
    return {stem(base_form(word)) for word in words_of(text) if word not in STOP_WORDS}


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
_ASKS_DURATION = regex(r"\bhow many (more )?(minute|hour|day|week|month|year)s\b")
_NUMBERS = "|".join(NUMBERS)
_DURATION = regex(
    rf"(\d|\b({_NUMBERS}|half|an?)\b)[- ](\w+[- ])?(minute|hour|day|week|month|year)s?\b"
)
_NUMBER = regex(rf"\d|\b({_NUMBERS}|half|once|twice|daily|weekly|monthly|WEEKDAY)\b")
_ASKS_FACT = regex(
    r"(?P<who>who|whom|whose)\b"
    r"|(?P<where>where)\b(?!('s| is| are)? (my|that|this|those)\b)|how (?!about|come)\w+\b"
    r"|what (do|does|did|will|would|is|are)\b.*\b(cost|price of)\b"
)
"""Beginnings of questions that no date of a task answers."""
_NOT_OF_TASKS = regex(
    r"(who|whom|whose|where|how much)\b|what (do|does|did|will|would|is|are)\b.*\b(cost|price of)\b"
)
"""Beginnings of questions that nothing of a task answers, unless they are about oneself."""
_ASKS_LEAVE = regex(
    r"(is|are|am|was|were|do|does|did)\b.*"
    r"\b(allowed|forbidden|included|permission|permitted|prohibited)\b|may (i|we)\b"
)
_ASKS_IF = regex(
    r"(is|are|am|was|were|do|does|did|has|have|can|could|may|must|will|would|should)\b(?! you\b)"
)
_JOINS = regex(
    r"\b(about|after|at|because|before|by|during|for|from|if|in|inside|of|on|outside|over|since"
    r"|to (?=(an?|the|my|our)\b)|under|until|when|while|with|within|without)\b"
)
"""Words after which a question says less what it is about."""
_NAMES_THING = frozenset(
    "a an any her his its my no our some the their these this those your".split()
)
"""Words before a thing, though it may have the form of a deed: `the deposit`."""
_LIGHT = frozenset("bring buy come find get give keep leave make put show take use".split())
"""Deeds of which an answer may say nothing: `may I keep a dog?`."""
_MY = regex(r"\b(my|our)\b")
_ASKS_WHEN = regex(r"when\b|what (time|day|date)\b|.*\bnext\b")
_ASKS_WHO = regex(r"who\b")
_PASSIVE = r"\b(am|are|be|been|being|is|was|were)( not)?( \w+ly)? {deed}\b(?! by\b)"
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

_GENERIC = _stems(
    "according big check deep describe docs documents explain far fast files find heavy high large"
    " long look mean mention notes often old papers pdfs quote read search show summarise summarize"
    " tall wide"
)
"""Words of questions that are about no subject."""
_SAID_OTHERWISE = _GENERIC | _stems(
    "allowed amount back cheap child children clock consent cost currently date day expensive"
    " forbidden happen hello hey hi hour include kind knowledge last manual minute month name next"
    " number okay people per permission permitted person possible price somebody sort start time"
    " today tomorrow total use week year"
)
"""Words of questions that an answer need not have."""
_OF_DAYS = _stems(
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
    if (asked := _stems(text) - _GENERIC) and asked <= _OF_DAYS:
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
    own = _stems(" ".join((task.title, task.project, *task.tags)))
    return any(
        len(words & own) >= _ANSWERS * len(words)
        for words in (asked.subject - _OF_DAYS, asked.wanted - _OF_DAYS)
    )


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


def quote(question: str, found: OnList) -> CallRounds[str]:
    """Return an answer in quotations, or that no document says it; empty if neither is sure.

    What is found on the list gives way only to an answer that has all that is asked for, or to
    none at all if no task can say it.
    """
    (outcome,) = yield (Call(RETRIEVAL_TOOL, {"query": question}),)
    passages = evidence_in(outcome.data)
    asked = _Asked.read(question, passages)
    relevant = _relevant(asked, passages)
    headed = asked.words & {word for each in passages for word in _stems(each.place)}
    answers = [_answering(asked, each) for each in relevant or passages]
    best = max(
        answers,
        # A passage without a word that heads another one is about something else.
        key=lambda each: each.score - len(headed - _stems(each.passage.searchable)),
        default=None,
    )
    is_long = len(asked.words) >= _FEWEST
    says_if_none = is_of_no_task(question) or (found is OnList.NOTHING and is_long)
    if best is None or not best.score:
        return replies.IN_NO_DOCUMENT if says_if_none else ""
    is_weak = len(asked.words) > 1 and best.share < _ANSWERS
    is_said = best.has_subject and not is_weak and asked.is_answered(best, found)
    if not relevant or not is_said or _has_unsaid(question, passages):
        if not says_if_none or asked.is_number:
            return ""
        # Tasks about the same thing come nearer.
        names_tasks = found is not OnList.NOTHING and not _asks_leave(question)
        if names_tasks or not best.has_subject:
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
        for word, is_deed in _words_and_deeds(question):
            for each in _stems(word) - _GENERIC:
                is_loose = each in _SAID_OTHERWISE or each.isdigit()
                weight = _LOOSE if is_loose else _VERB if is_deed else _NOUN
                weights[each] = max(weight, weights.get(each, 0))
        most = max(weights.values(), default=0)
        subject = frozenset(word for word, weight in weights.items() if weight == most)
        counts = Counter(
            word
            for each in passages
            for sentence in evidence_sentences(plain_text(each.text))
            for word in _stems(sentence) & weights.keys()
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
    def things(self) -> Set[str]:
        return {word for word, weight in self.weights.items() if weight >= _NOUN}

    @property
    def topic(self) -> Set[str]:
        """What has to be said in an answer by yes or no, or in one to `who`."""
        question = peeled(self.question.strip())
        if not _ASKS_IF.match(question):
            return self.deed & self.wanted
        beginning = words_of(_JOINS.split(question, maxsplit=1)[0])
        heavy = " ".join(word for word in beginning if base_form(word) not in _LIGHT)
        return _stems(heavy) & self.wanted

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
        if not score:
            return 0
        number = _DURATION if _ASKS_DURATION.search(self.question) else _NUMBER
        if _WANTS_NUMBER.search(self.question) and number.search(sentence):
            score += _NEAR
        return score + _NEAR * self._has_doer(sentence)

    @property
    def deed(self) -> Set[str]:
        """What somebody does, or is, of whom a question with `who` asks."""
        question = peeled(self.question.strip())
        words = words_of(question) if _ASKS_WHO.match(question) else []
        return next((found for word in words if (found := _stems(word) & self.words)), set())

    def _has_doer(self, sentence: str) -> bool:
        """Return True if a sentence says who does what a question with `who` is about."""
        done = [word for word in words_of(sentence) if _stems(word) & self.deed]
        return bool(done) and not any(
            regex(_PASSIVE.format(deed=re.escape(word))).search(sentence) for word in done
        )

    def is_answered(self, answer: _Answer, found: OnList) -> bool:
        """Return True if an answer says what is asked, better than what is found on the list."""
        has = _stems(f"{answer.text} {answer.passage.place}")
        unsaid = self.topic - has
        heads = self.things & _stems(answer.passage.place)
        if unsaid and (unsaid & self.things or len(heads) < _FEWEST):
            return False
        if found is OnList.NOTHING:
            return True
        # `next week` is not answered by what is always so.
        wanted = self.words if is_about_own_days(self.question) else self.wanted
        if is_of_no_task(self.question):
            wanted = self.things or self.wanted
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
    around = asked.words & _stems(passage.place)
    sentences = [" ".join(each.split()) for each in evidence_sentences(plain_text(passage.text))]
    found = [asked.words & _stems(each) for each in sentences]
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
    """Return True if no passage has a thing that is asked about; deeds may be said otherwise."""
    said = _SAID_OTHERWISE.union(*(_stems(each.searchable) for each in passages))
    return any(
        word.isalpha() and not _stems(word) <= said and word not in NUMBERS and not is_deed
        for word, is_deed in _words_and_deeds(question)
    )


def _words_and_deeds(question: str) -> list[tuple[str, bool]]:
    """Return the words of a question; True for those of deeds."""
    return [
        (word, surely_verb(base_form(word)) and before not in _NAMES_THING)
        for before, word in pairwise(("", *words_of(question)))
    ]


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
        if len(has := asked.words & _stems(each.searchable)) >= min(2, len(asked.subject))
    }
    best = max(shared.values(), default=0)
    least = max(least, best * _NEARLY_AS_GOOD)
    return [each for each in passages if shared.get(each.number, 0) >= least][:_MAX_QUOTED]
