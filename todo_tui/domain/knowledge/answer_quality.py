"""Quality of an answer: how well the passages that it cites carry what it says.

An answer is split into sentences; those that state something are its claims. A claim is carried
if most of its content words, and all of its numbers and dates, occur in the passages that it
cites, or that another citation in its paragraph names. The score is the mean over the claims,
by their lengths. It compares words, not meanings: a translation scores low.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from todo_tui.domain.knowledge.content_words import content_words, stem, words_of
from todo_tui.domain.knowledge.evidence import CITATION, cited_numbers
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import join_words, plain_line, shorten, strip_markdown

LOW_SCORE = 0.5
"""Scores below it are shown as low."""
_CARRIED = 0.5
"""Share of content words that the passages have to contain."""
_UNCITED = 0.5
"""Worth of a claim that passages carry, but that does not cite them."""
_OPPOSITE = 0.3
"""Worth of a claim that negates the clause that it resembles, or leaves its negation out."""
_RESEMBLES = 0.8
"""Share of the words of a claim that are in one clause of a passage."""
_LEAST_WORDS = 2
"""Content words of a claim without a number; a shorter sentence claims nothing."""
_LONGEST_ANSWER = 20_000
_LONGEST_OTHER = 20_000
"""Characters that are read; what is behind is not judged."""
_MOST_WORDS_NAMED = 5
_QUOTE = 80
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]++\*\*:?+$|[\s:|-]++$")
"""Headings, lines of bold text, rules of tables; without blanks around them."""
_TABLE_RULE = re.compile(r"\|[\s:|-]++$")
_LIST_MARK = re.compile(r"^\s*(?:>\s?)*(?:[-*+•]|\d{1,3}[.)])\s+|^\s*(?:>\s?)+")
_SENTENCE_END = re.compile(
    # Citations behind the stop belong to the sentence before it.
    r"(?<!\b[A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bapprox)(?<!\b[DMS]r)(?<!\bNo)"
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
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|without|cannot|\w+n['’]t)\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[;:] |, (?=(?:and|but|while|or|so)\b)")
_RESTRICTION = re.compile(
    r"\b(?:only|unless|except|but|until|before|after|if|otherwise)\b", re.IGNORECASE
)
"""Words with which a negated sentence can say what a plain one says."""
_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH_NUMBERS = {name: place for place, name in enumerate(_MONTHS, 1)} | {
    name[:3]: place for place, name in enumerate(_MONTHS, 1)
}
_MONTH = rf"(?:{'|'.join(_MONTHS)}|(?:{'|'.join(name[:3] for name in _MONTHS)}|sept)\.?)"
_PLAIN_MONTH = "|".join(name for name in _MONTHS if name not in ("march", "may", "august"))
"""Month names that are no other words."""
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), 2
    )
}
_FACT_WORDS = {stem(word) for word in (*_MONTHS, *_WEEKDAYS.split("|"), *_NUMBER_WORDS, "am", "pm")}
_FACT = re.compile(
    rf"""
    (?=\d|(?<!\w)[adefjmnostw])(?:  # first letters of all words below: half the time
    (?P<year>\b\d{{4}})-(?P<month>\d\d?)-(?P<day>\d\d?)\b
    | \b(?P<first>\d\d?)(?P<joint>[./])(?P<second>\d\d?)(?P=joint)(?P<last>\d{{4}}|\d\d)\b
    | \b(?P<hour>\d\d?)(?:[:.](?P<minute>\d\d))?\s?(?P<half>[ap])\.?m\b
    | \b(?P<hours>[01]?\d|2[0-4]):(?P<minutes>[0-5]\d)\b
    | (?<=\d\s)(?P<after>{_MONTH})\b | (?<=(?:st|nd|rd|th)\s)(?P<later>{_MONTH})\b
    | (?<=\sof\s)(?P<of>{_MONTH})\b | \b(?P<before>{_MONTH})(?=\s\d) | \b(?P<alone>{_PLAIN_MONTH})\b
    | \b(?P<weekday>{_WEEKDAYS})s?\b
    | (?P<number>\d+(?:[.,’'\u00a0\u202f]\d+)*)
    | \b(?P<word>{"|".join(_NUMBER_WORDS)})\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that states something, with what the passages do not carry of it.

    `score` is 1 if they carry all of it, 0 if nothing.
    """

    text: str
    citations: tuple[int, ...]
    score: float
    problem: str = ""
    """What is wrong, as the end of `“The rent is 900 euros”`: ` has 900, …`; empty if nothing."""
    weight: int = 1


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
        """What lowers the score, as the end of a sentence: `2 of 3 claims are not in …`."""
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
    """Content words and facts of a text that may carry claims."""

    def __init__(self, text: str = "") -> None:
        self.clauses = [
            (clause, _words_of(clause))
            for sentence in _sentences(" ".join(text.split()))
            for clause in _CLAUSE_END.split(sentence)
        ]
        self.words = set[str]().union(*(words for _, words in self.clauses))
        self.facts = facts_of(text, is_evidence=True)

    @classmethod
    def union(cls, sources: Iterable[_Source]) -> _Source:
        """Return a source with the words and facts of all."""
        whole = cls()
        for each in sources:
            whole.clauses += each.clauses
            whole.words |= each.words
            whole.facts |= each.facts
        return whole

    def carries(self, claim: _Statement) -> bool:
        """Return True if it has most words and all facts of a claim."""
        return _share(claim.words, self.words) >= _CARRIED and claim.facts <= self.facts


class _Sources:
    """All that may carry the claims of an answer."""

    def __init__(self, evidence: Mapping[int, str], other: str) -> None:
        self.passages = {number: _Source(text) for number, text in evidence.items()}
        self.all = _Source.union(self.passages.values())
        self.known = _Source(other[:_LONGEST_OTHER])
        self._cited: dict[tuple[int, ...], _Source] = {}

    def cited(self, numbers: tuple[int, ...]) -> _Source | None:
        """Return the passages of these numbers and what else is known; None without passages."""
        real = [self.passages[number] for number in numbers if number in self.passages]
        if real and numbers not in self._cited:
            self._cited[numbers] = _Source.union([*real, self.known])
        return self._cited.get(numbers)


class _Statement(NamedTuple):
    """A sentence of an answer that states something, with its content words and facts."""

    text: str
    citations: tuple[int, ...]
    words: set[str]
    facts: set[str]


def assess_answer(answer: str, evidence: Mapping[int, str], other: str = "") -> AnswerQuality:
    """Score an answer by the passages, by their numbers, that it may cite.

    `other` is whatever else was known, such as results about tasks: what it carries needs no
    citation. An answer that only says that nothing was found is good, an empty one is not.
    """
    if not answer.strip():
        return AnswerQuality(0.0, ("The answer is empty.",))
    sources, answer = _Sources(evidence, other), answer[:_LONGEST_ANSWER]
    claims = tuple(_assess_claim(each, sources) for each in _statements(answer))
    unreal = [number for number in cited_numbers(answer) if number not in evidence]
    problems = [
        f"“{shorten(each.text, _QUOTE)}” {each.problem}."
        for each in sorted(claims, key=lambda each: each.score)
        if each.problem
    ]
    if unreal:
        named = join_words([f"[{number}]" for number in unreal[:_MOST_WORDS_NAMED]], "and")
        problems.insert(0, f"No passage has the number {named}.")
    weight = sum(each.weight for each in claims)
    score = sum(each.score * each.weight for each in claims) / weight if weight else 1.0
    if unreal:
        # Each claim with no real citation scores low already; this is for the others.
        score *= 1 - 0.5 * len(unreal) / len(cited_numbers(answer))
    return AnswerQuality(round(score, 3), tuple(problems), claims)


def facts_of(text: str, *, is_evidence: bool = False) -> set[str]:
    """Return the numbers, dates, times and weekdays of a text, each in one form.

    In evidence, either part of `3/4/2026` may be the month.
    """
    facts: set[str] = set()
    for found in _FACT.finditer(CITATION.sub(" ", text)):
        facts |= _facts_of(found, is_evidence=is_evidence)
    return facts


def _facts_of(found: re.Match[str], *, is_evidence: bool) -> set[str]:
    part = found.groupdict()
    if part["year"]:
        return {part["year"], f"month {int(part['month'])}", str(int(part["day"]))}
    if part["joint"]:
        first, second = int(part["first"]), int(part["second"])
        year = part["last"] if len(part["last"]) == 4 else f"20{part['last']}"
        if is_evidence:
            either = {str(first), str(second), f"month {first}", f"month {second}"}
            return {year, *either}
        if part["joint"] == "." or first > 12:
            return {year, str(first), f"month {second}"}
        return {year, *({str(second), f"month {first}"} if second > 12 else set())}
    if part["hour"]:
        hour = int(part["hour"]) % 12 + (12 if part["half"].lower() == "p" else 0)
        return {f"{hour}:{part['minute'] or '00'}"}
    if part["hours"]:
        return {f"{int(part['hours'])}:{part['minutes']}"}
    if part["weekday"]:
        return {part["weekday"].lower()}
    if part["word"]:
        return {_NUMBER_WORDS[part["word"].lower()]}
    if part["number"]:
        return {_plain_number(part["number"])}
    name = next(part[each] for each in ("after", "later", "of", "before", "alone") if part[each])
    return {f"month {_MONTH_NUMBERS[name.lower().rstrip('.')[:3]]}"}


def _plain_number(written: str) -> str:
    """Return `1234.5` for `1,234.5` and `1.234,5`; zeros at either end do not count."""
    whole, mark, rest = re.fullmatch(r"(.*?)(?:([.,])(\d+))?", written).groups()  # type: ignore[union-attr]  # matches anything
    digits = re.sub(r"\D", "", whole)
    if mark and len(rest) == 3 and (mark == "," or re.search(r"\D", whole)):
        digits, rest = digits + rest, ""
    decimals = (rest or "").rstrip("0")
    return f"{digits.lstrip('0') or '0'}{f'.{decimals}' if decimals else ''}"


def _statements(answer: str) -> Iterator[_Statement]:
    """Yield the statements of an answer with the passages that each cites.

    One without a citation has that of the next sentence in its paragraph with one, or else of
    the last.
    """
    for paragraph in _paragraphs(_CODE.sub("\n\n", answer)):
        sentences = [(each, tuple(cited_numbers(each))) for each in _sentences(paragraph)]
        groups = [cited for _, cited in sentences if cited]
        last = groups[-1] if groups else ()
        for sentence, cited in sentences:
            if cited:
                groups.pop(0)
            if cited or not _is_talk(sentence):
                plain = plain_line(strip_markdown(CITATION.sub("", sentence))).strip(" .\t")
                words, facts = _words_of(plain), facts_of(plain)
                if len(words) >= _LEAST_WORDS or facts:
                    shared = cited or (groups[0] if groups else last)
                    yield _Statement(plain, shared, words, facts)


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
    text, cited, words, facts = claim

    def scored(score: float, problem: str = "") -> Claim:
        return Claim(text, cited, min(score, 1.0), problem, len(words) + len(facts))

    present = sources.cited(cited)
    if present is None:
        if sources.known.carries(claim):
            return scored(1.0)
        if cited:
            return scored(0.0, "cites no passage that was retrieved")
        if sources.all.carries(claim):
            return scored(_UNCITED, "cites no passage")
        return scored(0.0, "is in no passage")
    if missing := sorted(facts - present.facts):
        named = join_words([_fact_words(each) for each in missing[:_MOST_WORDS_NAMED]], "and")
        return scored(0.0, f"has {named}, which the cited passage does not")
    share = _share(words | facts, present.words | present.facts)
    if share < _CARRIED:
        missing = [word for word in words_of(text) if stem(word) in words - present.words]
        named = join_words([*dict.fromkeys(missing)][:_MOST_WORDS_NAMED], "and")
        return scored(share, f"is not in the cited passage ({named})")
    if _is_opposite(claim, present):
        return scored(_OPPOSITE, "says the opposite of the cited passage")
    return scored(1.0)


def _share(words: set[str], present: set[str]) -> float:
    return len(words & present) / len(words) if words else 1.0


def _is_opposite(claim: _Statement, source: _Source) -> bool:
    """Return True if the clause that has most words of the claim differs in its negation."""
    alike, found = max(
        ((_share(claim.words, words), clause) for clause, words in source.clauses),
        default=(0.0, ""),
    )
    if alike < _RESEMBLES or _RESTRICTION.search(claim.text) or _RESTRICTION.search(found):
        return False
    return bool(_NEGATION.search(claim.text)) != bool(_NEGATION.search(found))


def _words_of(text: str) -> set[str]:
    """Return the content words without those that are facts."""
    return {
        word for word in content_words(text) if not word[0].isdigit() and word not in _FACT_WORDS
    }


def _fact_words(fact: str) -> str:
    return _MONTHS[int(fact[6:]) - 1].capitalize() if fact.startswith("month ") else fact
