"""New tasks of a message in free form: what is told around a day, what has to be done, and why.

Clauses that only tell why or what happened are left out; a day belongs to the clause before it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.providers.offline import phrases
from todo_tui.providers.offline.changes import ChangeReader
from todo_tui.providers.offline.clauses import Clause, Word, clauses, spans_of, words_of
from todo_tui.providers.offline.gate import DAY
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.words import (
    ARTICLES,
    LINKS,
    is_past,
    is_verb,
    peeled,
    surely_verb,
    word_set,
)

_SUBJECTS = word_set("subjects")
_REASONS = word_set("reason_words")
_EMPTY = word_set("small_words") | word_set("fillers") | ARTICLES | LINKS
"""Words that make no title."""
_MUST = regex(
    r"((i|we|someone|somebody)('ve|'d| have| had)?( really| also| still| just| probably)* )?"
    r"(i guess i (should|need to|have to)|need(s)? to|need|have to|has to|must( to)?|should|gotta|'ve to"
    r"|got to|ought to|(am|are|is|'m|'re) supposed to|better|want to|would like to|'d like to|am going to|'m going to"
    r"|going to|mustn't forget to|can't forget to|don't forget to|remind me to"
    r"|remember to|remind me( that)?|(don't|do not|dont) let me forget( to| about)?)( also| really| still)? (?P<rest>\w.*)"
)
_NEEDS = regex(
    r"(?P<who>[\w' ]{1,30}?)('s got| has| have| needs?| wants?|'ve got)( to have)?"
    r" (?P<what>(an? |some |new |the |another )\w.*|.*\w)"
)
"""Somebody who needs or has something: a task where it is dated, or somebody else needs it."""
_ARTICLE = regex(r"^(an?|some|the) ")
_LEAD = regex(
    r"^((ok|okay|omg|so|well|oh|hey|ugh|i forgot( about| that)?|forgot( about)?|and|also|but|then|just|please|maybe|perhaps|probably|um|uh"
    r"|right|yeah|like|plus|there's|there is|put in( that)?|note( down)? that|add that|write down that|i have|i've got|i got|we have|we've got|got"
    r"|in the|on the|the thing is|new|add|put down|note)\b[,:]? )+"
)
_EDGE = regex(
    r"( (on|at|by|for|in|the|and|from|is|are|with|of|maybe|around|starting|start|then|due|before|it))+$"
)
_CLOCK = re.compile(r"\d{1,2}[.:]\d\d|\d{1,2} ?[ap]\.?m|\d{3,4}\b")
_MONTH_DAY = re.compile(r"\d{1,2}(st|nd|rd|th)\b|\d{1,2}[./]\d{1,2}\.?")
_LONGEST_TITLE = 12
_LONGEST_PLAIN = 8
_MOST_CLAUSES = 12
_PLAIN = frozenset({"thing", "date"})


@dataclass(frozen=True, slots=True)
class Draft:
    """Lines of quick add, one a task; `dropped` are clauses that were left out."""

    lines: tuple[str, ...]
    dropped: tuple[str, ...]
    is_dated: bool
    is_plain: bool
    """True for one short title with a day, and nothing else."""


def draft(text: str, changes: ChangeReader) -> Draft | None:
    """Return what a message in free form is as new tasks; None for what has no title."""
    words = words_of(text)
    spans = [
        span
        for span in spans_of(words, changes)
        if span.change and _is_moment(words[span.start : span.end])
    ]
    found = clauses(words, spans)
    if not words or len(found) > _MOST_CLAUSES:
        return None
    pieces: list[tuple[list[str], list[str]]] = []
    dropped: list[str] = []
    early: list[str] = []
    common: list[str] = []
    kinds: set[str] = set()
    for clause in found:
        kind, title = _kind(clause)
        kinds.add(kind)
        if kind == "heading":
            common += [
                " ".join(_typed(clause.typed[span.start : span.end])) for span in clause.spans
            ]
            continue
        days = [" ".join(_typed(clause.typed[span.start : span.end])) for span in clause.spans]
        if kind == "date":
            if pieces:
                pieces[-1][1].extend(days)
            else:
                early += days
        elif kind == "aside":
            dropped.append(" ".join(clause.typed))
        elif (
            kind in ("thing", "need")
            and pieces
            and clause.pause != "."
            and not (days and pieces[-1][1])
        ):
            joint = " and " if clause.words[0] == "and" else ", "
            pieces[-1][0].append(f"{joint}{title}")
            pieces[-1][1].extend(days)
        else:
            pieces.append(([title], [*early, *days]))
            early = []
    if early and pieces:
        pieces[0][1].extend(early)
    lines = []
    for titles, days in pieces:
        title = "".join(titles)
        if not 0 < len(title.split()) <= _LONGEST_TITLE:
            return None
        lines.append(f"{title} {' '.join(days or common)}".strip())
    if not lines:
        return None
    is_dated = any(days for _, days in pieces)
    is_short = len(lines) == 1 and len("".join(pieces[0][0]).split()) <= _LONGEST_PLAIN
    return Draft(tuple(lines), tuple(dropped), is_dated, is_dated and is_short and kinds <= _PLAIN)


def _typed(words: Sequence[str]) -> list[str]:
    return [word.strip(",;()!?:").rstrip(".") for word in words]


def _is_moment(words: Sequence[Word]) -> bool:
    """Return True for words that name a day or a time; `weekly` and `soon` may be part of a title."""
    said = " ".join(word.said for word in words)
    return (
        any(DAY.fullmatch(word.low) for word in words)
        or bool(_CLOCK.search(said) or _MONTH_DAY.search(said))
        or (len(words) > 1 and words[0].low in ("every", "each", "next", "at", "by", "in", "until"))
    )


def _kind(clause: Clause) -> tuple[str, str]:
    """Return what sort of clause it is, and its title without its days."""
    kept = [typed for at, typed in enumerate(clause.typed) if not clause.is_in_span(at)]
    low = [word for at, word in enumerate(clause.words) if not clause.is_in_span(at)]
    title = _trimmed(" ".join(kept))
    if all(word in _EMPTY for word in low) and clause.spans:
        return "date", ""
    said = " ".join(_typed(kept))
    if clause.words[-1].endswith(":"):
        return "heading", title
    if phrases.NOTED.fullmatch(peeled(said)):
        return ("date" if clause.spans else "aside"), ""
    if match := _MUST.search(said):
        before = said[: match.start()].strip()
        if all(word.casefold() in _EMPTY for word in before.split()):
            return "must", _trimmed(match["rest"])
    if (needs := _NEEDS.fullmatch(said)) and (clause.spans or low[0] not in _SUBJECTS):
        what, who = _trimmed(needs["what"]), needs["who"].strip()
        if what and (clause.spans or len(what.split()) > 1):
            is_named = low[0] not in _SUBJECTS and " " not in who
            bare = _ARTICLE.sub("", what)
            return "need", f"{bare} for {who}" if is_named else bare
    if low and low[0] in _REASONS | _SUBJECTS:
        return "aside", title
    if not title or all(word in _EMPTY for word in low):
        return "aside", title
    first = title.split()[0].casefold()
    if surely_verb(first) or (is_verb(first) and len(low) > 1):
        return "do", title
    if any(is_past(word) and not is_verb(word) for word in low[1:3]):
        return "aside", title
    return "thing", title


def _trimmed(title: str) -> str:
    """Return a title without what leads to it, and without the sign or small word at its end."""
    title = peeled(_LEAD.sub("", title.strip(" ,;-–—")))
    return _EDGE.sub("", _LEAD.sub("", title).strip(" ,;:-–—!.")).strip(" ,;:-–—!.")
