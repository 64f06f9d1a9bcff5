"""Check of the facts of an answer by the passages that it cites.

An answer is split into sentences; those that state something are its claims. The facts of a claim
(numbers, dates, identifiers, names) have to be in the passages that it cites, or that another
citation in its paragraph names, and there beside the same words: a rent that is said to be the
deposit is wrong. A claim without facts needs some of its words there. It compares words, not
meanings: turned statements and false denials are out of its reach.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

from todo_tui.domain.knowledge.content_words import content_words, stem, words_of
from todo_tui.domain.knowledge.evidence import CITATION, cited_numbers
from todo_tui.domain.knowledge.facts import CALENDAR, Fact, FactKind, capitals_in, facts_in
from todo_tui.domain.knowledge.language import is_in_other_language, language_of
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import (
    ends_in_abbreviation,
    fold_case,
    join_words,
    plain_line,
    shorten,
    strip_markdown,
)

LOW_SCORE = 0.5
"""Scores below it are shown as low."""
_CARRIED = 0.34
"""Share of content words that the passages have to contain."""
_UNCITED = 0.5
"""Worth of a claim that passages carry, but that does not cite them."""
_WITH_WRONG_FACT = 0.49
"""Factor for an answer with a fact that the cited passages do not have, or of something else."""
_MIN_RATIO, _MIN_LEAD, _MIN_LEAD_OF_TWO = 0.45, 0.4, 0.6
"""A fact is in the wrong place if it prefers another one clearly: by less than that ratio, and by a
lead, which is larger for two facts that could be swapped."""
_ASKED = 0.5
"""Weight of a word of the question beside a fact."""
_SHORT_LINE = 50
_EMPHASIS = re.compile(r"\*+|~~|\[([^][]*+)\]\([^)]{0,500}+\)")
_MIN_WORDS = 2
"""Content words of a claim without a number; a shorter sentence claims nothing."""
_LONGEST_ANSWER = 20_000
_LONGEST_OTHER = 20_000
"""Characters that are read; what is behind is not judged."""
_MAX_CLAIMS, _MAX_FACTS, _MAX_PLACES, _MAX_RIVALS = 300, 20, 10, 200
"""Claims of an answer and facts of a claim that are checked; places of a fact in the passages, and
other facts that it could be mistaken for, that are looked at."""
_MIN_SUM = 100
"""Least number without a unit that may be the sum of others."""
_MAX_WORDS_NAMED = 5
_QUOTE = 80
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]++\*\*:?+$|[\s:|-]++$|>\s?—\s")
"""Headings, lines of bold text, rules of tables, sources of quotations; without blanks around."""
_TABLE_RULE = re.compile(r"\|[\s:|-]++$")
_FACT_ROW = re.compile(r"[^\W\d][^.!?:]{0,40}:\s+\S")
"""A line such as `Planner: Elise Roth`, which is a statement where the next one begins anew."""
_LIST_MARK = re.compile(r"^\s*(?:>\s?)*(?:[-*+•]|\d{1,3}[.)])\s+|^\s*(?:>\s?)+")
_SENTENCE_END = re.compile(
    # Citations behind the stop belong to the sentence before it.
    r"(?:[.!?…][\"”’)]*+(?:\s*\[[\d,;\s–-]+\])*(?=\s|$)|[。！？])"
)
_ADMISSION = re.compile(
    r"\b(?:no|not|none|nothing|never|neither|cannot|without|lacks?|\w+n['’]t)\b.{0,120}"
    r"\b(?:find|found|mention\w*|sa(?:y|id|ys)|stat\w+|specif\w+|contain\w*|documents?|passages?"
    r"|sources?|notes?|information|know|evidence|answer\w*|cover\w*)\b"
    r"|\b(?:documents?|passages?|sources?|notes?)\b.{0,120}\b(?:no|not|nothing|\w+n['’]t)\b",
    re.IGNORECASE,
)
"""Sentences that say that the documents do not say something."""
_TALK = re.compile(
    r"(?:i|i['’]\w+|let me|let['’]s|would you|do you|shall|should i|if you|please|you can ask"
    r"|feel free|try|press|did you mean|there (?:is|are) no"
    r"|sure|ok|okay|yes|no|here (?:is|are)|these are|sources?|see)\b",
    re.IGNORECASE,
)
"""Beginnings of sentences about the conversation, not about its subject."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that states something, with what the passages do not carry of it.

    `score` is 1 if they carry all of it, 0 if nothing.
    """

    text: str
    citations: tuple[int, ...]
    score: float
    problem: str = ""
    """Mistake, as the end of `“The rent is 900 euros”`: ` has 900, …`; empty if nothing."""
    weight: int = 1
    has_wrong_fact: bool = False


@dataclass(frozen=True, slots=True)
class AnswerQuality:
    """Score of an answer from 0 to 1, and all that lowers it, the worst first."""

    score: float
    problems: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def is_low(self) -> bool:
        """True if the answer should not be trusted."""
        return self.score < LOW_SCORE

    @property
    def reason(self) -> str:
        """Reason for a lower score, as the end of a sentence: `2 of 3 claims are not in …`."""
        failed = sum(bool(each.problem) for each in self.claims)
        if not failed:
            return "".join(self.problems[:1]).rstrip(".")
        if len(self.claims) == 1:
            return "the answer is not in the cited passages"
        verb = "is" if failed == 1 else "are"
        return f"{failed} of {len(self.claims)} claims {verb} not in the cited passages"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the fields for programs and models."""
        return {
            "score": self.score,
            "claims": len(self.claims),
            "carried": sum(not each.problem for each in self.claims),
            "problems": list(self.problems),
        }


class _Source:
    """Words and facts of a text that may carry claims."""

    def __init__(self, text: str = "", names: frozenset[str] | None = None) -> None:
        sentences = [*evidence_sentences(text)]
        self.words = content_words(text)
        self.facts = [
            fact
            for sentence in sentences
            for fact in facts_in(sentence, is_evidence=True, names=names)
        ]
        self.counts = Counter(map(stem, words_of(text)))
        # Identifiers and names can be part of anything, such as of code.
        self.text = _folded(text)

    @classmethod
    def union(cls, sources: Iterable[_Source]) -> _Source:
        """Return a source with the words and facts of all."""
        whole = cls()
        for each in sources:
            whole.words |= each.words
            whole.facts += each.facts
            whole.counts += each.counts
            whole.text += f" {each.text}"
        return whole

    def has(self, fact: Fact) -> bool:
        """Return True if the value of a fact is anywhere in it."""
        if fact.kind in (FactKind.IDENTIFIER, FactKind.NAME):
            return any(_folded(value) in self.text for value in fact.values)
        return any(fact.is_same(each) for each in self.facts)

    def has_kind(self, kind: FactKind) -> bool:
        """Return True if there is a fact of this kind."""
        return any(each.kind is kind for each in self.facts)

    def fits(self, fact: Fact, beside: Sequence[Fact]) -> bool:
        """Return True if it says this of what the claim says it of, and not something else.

        `beside` are the other facts of the claim: it is wrong if one of them has the place of
        this one and this one its place.
        """
        places = [each for each in self.facts if fact.is_same(each)][:_MAX_PLACES]
        others = [each for each in self.facts if not fact.is_same(each)]
        # Without a place it is part of another word or identifier.
        return not places or any(
            not any(
                self._is_beaten(fact, place, rival, beside)
                for rival in others[:_MAX_RIVALS]
                if place.is_alternative(rival)
            )
            for place in places
        )

    def _is_beaten(self, fact: Fact, place: Fact, rival: Fact, beside: Sequence[Fact]) -> bool:
        """Return True if a fact fits the place of a rival better than its own.

        The facts beside it that have the value of the rival have to fit this place better.
        """
        own, other = fact.preference(place, rival, self.counts)
        if not _is_clear(own, other, _MIN_LEAD):
            return False
        for each in beside:
            if each.is_same(rival):
                own_of_rival, other_of_rival = each.preference(rival, place, self.counts)
                if not _is_clear(own + own_of_rival, other + other_of_rival, _MIN_LEAD_OF_TWO):
                    return False
        return True


def _is_clear(own: float, other: float, lead: float) -> bool:
    return own < other * _MIN_RATIO and other - own >= lead


class _Sources:
    """All that may carry the claims of an answer."""

    def __init__(self, evidence: Mapping[int, str], other: str, question: str) -> None:
        whole = "\n".join((*evidence.values(), question))
        # Where nouns are written with a capital, it makes no name.
        has_names = language_of(whole) != "de"
        self.names = capitals_in(whole) if has_names else None
        self.passages = {number: _Source(text, self.names) for number, text in evidence.items()}
        self.all = _Source.union(self.passages.values())
        self.known = _Source(other[:_LONGEST_OTHER], self.names)
        self.question = _Source(question, self.names)
        self._cited: dict[tuple[int, ...], _Source] = {}

    def wrong_of(
        self, claimed: Sequence[Fact], before: Sequence[Fact], passages: _Source
    ) -> list[Fact]:
        """Return the facts of a claim that neither passages nor the question have or make.

        What is right beside a fact, or in the sentence `before`, can be what it is computed from.
        """
        wrong = [each for each in claimed if not self._carries(each, claimed, passages)]
        while found := [
            fact
            for fact in wrong
            if not passages.has(fact)
            and _is_computed(
                fact, [*before, *(each for each in claimed if each not in wrong)], passages.facts
            )
        ]:
            wrong = [each for each in wrong if each not in found]
        return wrong

    def _carries(self, fact: Fact, facts: Sequence[Fact], passages: _Source) -> bool:
        if self.known.has(fact):
            return True
        if passages.has(fact):
            return passages.fits(fact, [each for each in facts if each is not fact])
        if fact.kind in (FactKind.MONTH, FactKind.YEAR) and not passages.has_kind(fact.kind):
            # The title of a document, or another passage, dates it.
            return self.all.has(fact)
        return self.question.has(fact)

    def cited(self, numbers: tuple[int, ...]) -> _Source | None:
        """Return the passages of these numbers; None without any."""
        real = [self.passages[number] for number in numbers if number in self.passages]
        if real and numbers not in self._cited:
            self._cited[numbers] = _Source.union(real)
        return self._cited.get(numbers)


def _is_computed(fact: Fact, right: Sequence[Fact], known: Sequence[Fact]) -> bool:
    """Return True if a claim computes or counts this: "£24, i.e. £19 and £5", "twice €900".

    One operand stands in the claim, the other there or in the passages. Small numbers without a
    unit come out of too many sums: they may only count what the claim lists, or multiply.
    """
    if fact.dimension == FactKind.NUMBER and fact.amount < _MIN_SUM:
        listed = Counter(each.kind for each in right if each.kind is not FactKind.NUMBER)
        bare = [each.amount for each in right if each.dimension == FactKind.NUMBER]
        more = [each.amount for each in known if each.dimension == FactKind.NUMBER]
        return fact.amount in {
            *listed.values(),
            *(last - first + 1 for first, last in pairwise(bare)),
            *(abs(a - b) for a, b in pairwise(more) if a in bare or b in bare),
            *(a * b for a in bare for b in [*bare, *more] if min(a, b) > 1),
        }
    counts = [each.amount if each.dimension == FactKind.NUMBER else 1 for each in right]
    summands = [
        count * each.amount
        for count, each in zip([1, *counts], right, strict=False)
        if each.dimension == fact.dimension
    ]
    return fact.amount in accumulate(reversed(summands)) or any(
        fact.is_computed(one, other)
        for one in right
        for other in [
            *right,
            # A product with any number of the passages would be by chance.
            *(
                each
                for each in known[:_MAX_RIVALS]
                if "percent" in (one.dimension, each.dimension)
                or one.dimension == each.dimension
                or not CALENDAR.keys().isdisjoint((one.kind, each.kind))
            ),
        ]
    )


class _Statement(NamedTuple):
    """A sentence of an answer that states something, with its content words and facts."""

    text: str
    citations: tuple[int, ...]
    words: set[str]
    facts: list[Fact]
    before: list[Fact]
    """Facts of the statement before it in its paragraph."""


def assess_answer(
    answer: str, evidence: Mapping[int, str], other: str = "", question: str = ""
) -> AnswerQuality:
    """Score an answer by the passages, by their numbers, that it may cite.

    `other` is whatever else was known, such as results about tasks: what it has needs no citation,
    and neither do facts of the question. An answer that only says that nothing was found is good,
    an empty one is not.
    """
    if not answer.strip():
        return AnswerQuality(0.0, ("The answer is empty.",))
    sources, answer = _Sources(evidence, other, question), answer[:_LONGEST_ANSWER]
    statements = islice(_statements(answer, sources.names), _MAX_CLAIMS)
    claims = tuple(_assess_claim(each, sources) for each in statements)
    unreal = [number for number in cited_numbers(answer) if number not in evidence]
    problems = [
        f"“{shorten(each.text, _QUOTE)}” {each.problem}."
        for each in sorted(claims, key=lambda each: each.score)
        if each.problem
    ]
    if unreal:
        named = join_words([f"[{number}]" for number in unreal[:_MAX_WORDS_NAMED]], "and")
        problems.insert(0, f"No passage has the number {named}.")
    weight = sum(each.weight for each in claims)
    score = sum(each.score * each.weight for each in claims) / weight if weight else 1.0
    if any(each.has_wrong_fact for each in claims):
        # Nobody is helped by nine right figures and one that is wrong.
        score *= _WITH_WRONG_FACT
    if unreal:
        # Each claim with no real citation scores low already; this is for the others.
        score *= 1 - 0.5 * len(unreal) / len(cited_numbers(answer))
    return AnswerQuality(round(score, 3), tuple(problems), claims)


def is_comparable(answer: str, evidence: Mapping[int, str]) -> bool:
    """Return False if the answer is in another language than the passages that it cites.

    Their words cannot be compared then.
    """
    cited = cited_numbers(answer)
    texts = [text for number, text in evidence.items() if number in cited] or evidence.values()
    plain = plain_line(strip_markdown(CITATION.sub("", answer)))
    return not is_in_other_language(plain, "\n".join(texts))


def _statements(answer: str, names: frozenset[str] | None) -> Iterator[_Statement]:
    """Yield the statements of an answer with the passages that each cites.

    One without a citation has that of the next sentence in its paragraph with one, or else of
    the last.
    """
    for paragraph in _paragraphs(_CODE.sub("\n\n", answer)):
        sentences = [(each, tuple(cited_numbers(each))) for each in _sentences(paragraph)]
        groups = [cited for _, cited in sentences if cited]
        last = groups[-1] if groups else ()
        before: list[Fact] = []
        for sentence, cited in sentences:
            if cited:
                groups.pop(0)
            if cited or not _is_talk(sentence):
                cut = CITATION.sub("", sentence)
                plain = plain_line(strip_markdown(cut)).strip(" .\t")
                # Code spans are marked as such.
                facts = facts_in(plain_line(_EMPHASIS.sub("", cut)).strip(" .\t"), names=names)
                words = content_words(plain)
                if len(words) >= _MIN_WORDS or facts:
                    shared = cited or (groups[0] if groups else last)
                    facts = facts[:_MAX_FACTS]
                    yield _Statement(plain, shared, words, facts, before)
                    before = facts


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs, list items and rows of tables, each on one line, without headings."""
    lines: list[str] = []
    for line, following in pairwise([*text.splitlines(), "", ""]):
        if line.lstrip().startswith("|"):
            if not (_HEADING.match(line.strip()) or _TABLE_RULE.match(following.strip())):
                yield line.replace("|", " ").strip()
            continue
        mark = _LIST_MARK.match(line)
        is_quote = bool(mark) and line.lstrip().startswith(">")
        if lines and (not line.strip() or (mark and not is_quote) or _HEADING.match(line.strip())):
            yield " ".join(lines)
            lines = []
        if line.strip() and not _HEADING.match(line.strip()):
            lines.append(_LIST_MARK.sub("", line).strip())


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(paragraph):
        if ends_in_abbreviation(paragraph, end.start() + 1):
            continue
        yield paragraph[start : end.end()].strip()
        start = end.end()
    if paragraph[start:].strip():
        yield paragraph[start:].strip()


def _is_talk(sentence: str) -> bool:
    """Return True for questions, announcements, and sentences about the conversation."""
    plain = strip_markdown(sentence).strip()
    return (
        plain.endswith(("?", ":"))
        or _TALK.match(plain) is not None
        or _ADMISSION.search(plain) is not None
    )


def _assess_claim(claim: _Statement, sources: _Sources) -> Claim:
    text, cited, words = claim.text, claim.citations, claim.words
    facts = [each.asked_for(sources.question.words, _ASKED) for each in claim.facts]
    present = sources.cited(cited)
    passages = present or sources.all
    wrong = sources.wrong_of(facts, claim.before, passages)
    share = _share(words, passages.words | sources.question.words | sources.known.words)

    def scored(score: float, problem: str = "", *, has_wrong_fact: bool = False) -> Claim:
        return Claim(text, cited, score, problem, len(words) + len(facts), has_wrong_fact)

    if present is None:
        if all(map(sources.known.has, facts)) and _share(words, sources.known.words) >= _CARRIED:
            return scored(1.0)
        if cited:
            return scored(0.0, "cites no passage that was retrieved")
        if wrong or share < _CARRIED:
            return scored(0.0, "is in no passage", has_wrong_fact=bool(wrong))
        return scored(_UNCITED, "cites no passage")
    if wrong:
        named = join_words(
            [*dict.fromkeys(each.written for each in wrong)][:_MAX_WORDS_NAMED], "and"
        )
        what = "says of something else" if all(map(present.has, wrong)) else "does not have"
        problem = f"has {named}, which the cited passage {what}"
        return scored(0.0, problem, has_wrong_fact=True)
    if facts or share >= _CARRIED:
        return scored(1.0)
    missing = [word for word in words_of(text) if stem(word) in words - present.words]
    named = join_words([*dict.fromkeys(missing)][:_MAX_WORDS_NAMED], "and")
    return scored(share, f"is not in the cited passage ({named})")


def _share(words: set[str], present: set[str]) -> float:
    return len(words & present) / len(words) if words else 1.0


def _folded(text: str) -> str:
    return re.sub(r"[\s’'`-]+", "", fold_case(text))


def evidence_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a passage, and its lines where these are not prose."""
    lines: list[str] = []
    for line, following in pairwise([*text.splitlines(), "", ""]):
        if _TABLE_RULE.match(line.strip()) or _TABLE_RULE.match(following.strip()):
            continue
        is_apart = (
            not line.strip() or _LIST_MARK.match(line) or line.lstrip().startswith(("|", "#"))
        )
        if is_apart and lines:
            yield from _sentences(" ".join(lines))
            lines = []
        if line.strip():
            # A short line ends a thought: a heading, or a row of facts.
            lines.append(line.strip() + ("" if len(line) > _SHORT_LINE else " \n"))
        is_row = len(line) <= _SHORT_LINE and _FACT_ROW.match(line.strip())
        if is_row and lines and following.strip()[:1].isupper():
            yield from _sentences(" ".join(lines))
            lines = []
