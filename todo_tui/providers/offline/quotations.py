"""Answer questions from documents, by quoting the passages that fit best."""

import re
from collections.abc import Sequence
from typing import NamedTuple

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
"""Share of the words asked for that a passage has to have."""
_ANSWERS = 0.5
"""Part of the words asked for that a sentence with its heading, or a task, has to have."""
_FEWEST = 2
"""Words asked for from which on it is said that no document answers."""
_NEAR = 0.5
"""Weight of a word in the heading, beside one in the sentence; and of a number asked for."""
_WANTS_NUMBER = regex(
    r"\b(how (long|much|many|old|far|fast|often|big|late|early|soon|quickly)|when"
    r"|what (time|date|day|age|number)|which (day|date|month|year))\b"
)
_NUMBER = regex(rf"\d|\b({'|'.join(NUMBERS)}|half|once|twice|daily|weekly|monthly|WEEKDAY)\b")
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
_ABOUT_TASKS = regex(r"\b((sub-?)?tasks?|to-?dos?|to do list|my (list|agenda)|overdue|trash)\b")


_GENERIC = content_words(
    "according big check deep describe docs documents explain far fast files find heavy high large"
    " long look mean mention notes often old papers pdfs quote read search show summarise summarize"
    " tall wide"
)
"""Words of questions that are about no subject."""
_SAID_OTHERWISE = _GENERIC | content_words(
    "amount cheap child children clock cost currently date day expensive happen hello hey hi hour"
    " kind knowledge manual minute month name number people per person price somebody sort start"
    " time today tomorrow total use week year"
)
"""Words of questions that an answer need not have."""


def is_question(reader: Reader, text: str) -> bool:
    """Return True for a question that no rule answers, unless it may be about the list."""
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
    parts = (part.strip() for step in reader.read() for part in re.split("[,;]", step.clause))
    return not any(map(_is_command, map(peeled, parts)))


def _is_command(words: str) -> bool:
    return rules.is_command(words) and not _QUESTION.match(words)


def is_about(question: str, task: ShownTask) -> bool:
    """Return True if a task has half of the words asked for."""
    asked = content_words(question) - _GENERIC
    own = content_words(" ".join((task.title, task.project, *task.tags)))
    return len(asked & own) >= _ANSWERS * len(asked)


def quote(question: str, *, says_if_none: bool = True) -> CallRounds[str]:
    """Return an answer in quotations; empty for words that are no question about a text.

    With `says_if_none` it may be that no document says so.
    """
    (outcome,) = yield (Call(RETRIEVAL_TOOL, {"query": question}),)
    passages = evidence_in(outcome.data)
    relevant = _relevant(question, passages)
    asked = content_words(question) - _GENERIC
    subject = asked & {word for each in passages for word in content_words(each.place)}
    best = max(
        (_answering(question, asked, each) for each in relevant or passages),
        # A passage without a word that heads another one is about something else.
        key=lambda each: each.score - len(subject - content_words(each.passage.searchable)),
        default=None,
    )
    if best is None or not best.score:
        return replies.IN_NO_DOCUMENT if says_if_none and len(asked) >= _FEWEST else ""
    is_weak = len(asked) > 1 and best.share < _ANSWERS
    if not relevant or is_weak or _has_unsaid(question, passages):
        if not says_if_none or len(asked) < _FEWEST or all(word.isdigit() for word in asked):
            return ""
        return replies.not_in_documents(best.passage.place, best.sentence, best.passage.number)
    others = [each for each in relevant if each is not best.passage]
    answer = replies.answered_by(best.sentence, best.passage.number)
    if not _says_more(best.passage, best.sentence):
        answer = f"{answer}  \n> — {replies.escaped(best.passage.place)}"
        return "\n\n".join([answer, *map(_quotation, others)])
    return "\n\n".join([answer, *map(_quotation, (best.passage, *others))])


def _says_more(passage: Evidence, sentence: str) -> bool:
    """Return True if a passage has more than a sentence and its headings."""
    text = plain_text(passage.text)
    lines = {line.strip("# ") for line in text.splitlines()} & set(passage.place.split(", "))
    found = {" ".join(each.split()) for each in evidence_sentences(text)}
    return any(each != sentence and each.strip("# ") not in lines for each in found)


class _Answer(NamedTuple):
    """The sentence of a passage that fits a question best."""

    score: float
    share: float
    """Part of the words asked for that it has, together with its heading."""
    passage: Evidence
    sentence: str


def _answering(question: str, asked: set[str], passage: Evidence) -> _Answer:
    """Return the sentence with most of the words asked for; headings and titles help.

    A question for an amount, a number or a time is answered by a sentence that has one.
    """
    wants_number = bool(_WANTS_NUMBER.search(question))
    around = asked & content_words(passage.place)
    best = _Answer(0, 0, passage, "")
    for sentence in evidence_sentences(plain_text(passage.text)):
        words = asked & content_words(sentence)
        score = len(words) + _NEAR * len(around - words)
        if wants_number and score and _NUMBER.search(sentence):
            score += _NEAR
        if score > best.score:
            share = len(words | around) / len(asked)
            best = _Answer(score, share, passage, " ".join(sentence.split()))
    return best


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


def _relevant(question: str, passages: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages with most of the words asked for, and nearly as many as the best one.

    A search also finds passages that share a single word of several, which may be about anything.
    """
    asked = content_words(question) - _GENERIC
    if all(word.isdigit() for word in asked):
        return []
    shared = {each.number: len(asked & content_words(each.searchable)) for each in passages}
    least = max(_RELEVANT * len(asked), min(2, len(asked)))
    best = max(shared.values(), default=0)
    return [each for each in passages if shared[each.number] >= max(least, best * _NEARLY_AS_GOOD)][
        :_MAX_QUOTED
    ]


def _quotation(passage: Evidence) -> str:
    lines = [replies.escaped(line.strip()) for line in plain_text(passage.text).splitlines()]
    quoted = "  \n".join(f"> {line}" for line in lines if line)
    return f"**{replies.escaped(passage.place)}**\n\n{quoted} [{passage.number}]"
