"""New tasks of a message in free form: what is told around a day, what has to be done, and why.

Clauses that only tell why or what happened are left out; a day belongs to the clause before it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import ChangeReader
from todo_tui.providers.offline.language.clauses import Clause, Word, clauses, spans_of, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    ARTICLES,
    LINKS,
    is_past,
    is_verb,
    peeled,
    surely_verb,
    word_set,
)
from todo_tui.providers.offline.reading.write_gate import DAY

_SUBJECTS = word_set("subjects")
_REASONS = word_set("reason_words")
_EMPTY = word_set("small_words") | word_set("fillers") | ARTICLES | LINKS
"""Words that make no title."""
_MUST = regex(
    r"((i|we|someone|somebody)('ve|'d| have| had)?( really| also| still| just| probably)* )?"
    r"(i guess i (should|need to|have to)|needs? to|need|have to|has to|must( to)?|should|gotta"
    r"|'ve to|got to|ought to|(am|are|is|'m|'re) supposed to|better|want to|would like to"
    r"|'d like to|(am |'m )?going to|mustn't forget to|can't forget to|don't forget to"
    r"|keep forgetting (to|about)|keep meaning to|(have been|'ve been|been) meaning to"
    r"|(am|'m) to|remind me to|remember to|remind me( that)?"
    r"|(don't|do not) let me forget( to| about)?)"
    r"( also| really| still)? (?!(not|never)\b)(?P<rest>\w.*)"
)
_LACKS = regex(
    r"(we|i)('re| are|'m| am|'ve| have| just)*( nearly| almost)?( run| running| ran)?"
    r" (out of|low on) (?P<what>\w.*)"
)
"""What is used up: something to buy."""
_NEEDS = regex(
    r"(?P<who>[\w' ]{1,30}?)"
    r"('s got| has| have| needs?| wants?|'ve got|('re| are|'m| am| is) having)( to have)?"
    r" (?P<what>(an? |some |new |the |another )\w.*|.*\w)"
)
"""Somebody who needs or has something: a task where it is dated, or somebody else needs it."""
_ARTICLE = regex(r"^(an?|some|the) ")
_LEAD = regex(
    r"^((ok|okay|omg|so|well|oh|hey|ugh|(i )?(almost |nearly |totally )?forgot( about| that)?"
    r"|and|also|but|then|just|please|kindly|maybe|perhaps|probably|um|uh|right|yeah|like|plus"
    r"|there's( also)?( an?)?|there is( also)?( an?)?|there will be( an?)?"
    r"|(put|write|note|jot|add)( (down|in))? that|put in|i have|i've got|i got|we have"
    r"|we've got|got|in the|on the|the thing is|new|add|put down|note)\b[,:]? )+"
)
"""What leads to a title."""
_EDGE = regex(
    r"( (on|at|by|for|in|the|and|from|is|are|with|of|maybe|around|starting|start|then|due|before"
    r"|it))+$"
)
"""Small words that a day leaves at the end of a title."""
_BEING = regex(r",? (is|are|will be)(?= (at|in|with|on|from|by) )|, is(?= \w+ing\b)")
"""What states where something is."""
_SPEAKER = regex(r"^(i|we)('m| am|'re| are|'ve|'ve got( to)?|'ll) ")
"""Who tells what is to be noted down."""
_PERSONS = frozenset({"him", "her", "them", "it"})
_POINTING = frozenset({"it", "they", "these", "those"})
"""What points at a task of the turn before."""
_STATIVE = word_set("stative_verbs")
_HAVING = frozenset({"has", "have", "had"})
_UNTIL = regex(r"^(until|till) ")
_CLOCK = re.compile(r"\d{1,2}[.:]\d\d|\d{1,2} ?[ap]\.?m|\d{3,4}\b")
_MONTH_DAY = re.compile(r"\d{1,2}(st|nd|rd|th)\b|\d{1,2}[./]\d{1,2}\.?")
_LONGEST_TITLE = 12
_LONGEST_PLAIN = 8
_MAX_CLAUSES = 12
_PLAIN = frozenset({"thing", "date"})


@dataclass(frozen=True, slots=True)
class Draft:
    """Lines of quick add, one a task; `dropped` are clauses that were left out."""

    lines: tuple[str, ...]
    dropped: tuple[str, ...]
    is_dated: bool
    is_plain: bool
    """True for one short title with a day, and nothing else."""
    is_ordered: bool = False
    """True where it was asked for, whatever it looks like."""


def draft(text: str, changes: ChangeReader) -> Draft | None:
    """Return what a message in free form is as new tasks; None for what has no title."""
    words = words_of(text)
    spans = [
        span
        for span in spans_of(words, changes)
        if span.change and _is_moment(words[span.start : span.end])
    ]
    found = clauses(words, spans)
    if not words or len(found) > _MAX_CLAUSES:
        return None
    pieces = _Pieces(is_ordered=any(map(_is_order, found)))
    for clause in found:
        pieces.add(clause)
    return pieces.draft()


@dataclass(slots=True)
class _Piece:
    """A new task as it grows."""

    title: str
    days: list[str]


@dataclass(slots=True)
class _Pieces:
    """New tasks of the clauses read so far."""

    is_ordered: bool = False
    """True where a clause asks for what is told to be noted down: `put it in`."""
    tasks: list[_Piece] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    """Days said before any task."""
    kinds: set[str] = field(default_factory=set)

    def add(self, clause: Clause) -> None:
        """Work a clause in."""
        kind, title = _kind(clause)
        days = [
            _UNTIL.sub("by ", " ".join(_typed(clause.typed[span.start : span.end])))
            for span in clause.spans
        ]
        last = self.tasks[-1] if self.tasks else None
        if kind == "aside" and self.is_ordered and clause.spans:
            kind, title = "thing", _SPEAKER.sub("", title)
        elif last and kind == "must" and not (clause.spans or _PERSONS.isdisjoint(clause.words)):
            kind = "aside"
        self.kinds.add(kind)
        if kind == "aside":
            self.dropped.append(" ".join(clause.typed))
        elif kind == "date":
            (last.days if last else self.early).extend(days)
        elif last and kind in ("thing", "need") and _goes_on(clause, last):
            last.title += f"{' and ' if clause.words[0] == 'and' else ', '}{title.lstrip('& ')}"
            last.days += days
        else:
            self.tasks.append(_Piece(title, [*self.early, *days]))
            self.early = []

    def draft(self) -> Draft | None:
        """Return the tasks, if each has a title that is not too long."""
        lengths = [len(task.title.split()) for task in self.tasks]
        if not lengths or min(lengths) < 1 or max(lengths) > _LONGEST_TITLE:
            return None
        self.tasks[0].days += self.early
        lines = [
            " ".join((_BEING.sub("", task.title, count=1), *task.days)) if task.days else task.title
            for task in self.tasks
        ]
        is_dated = any(task.days for task in self.tasks)
        is_short = lengths[0] <= _LONGEST_PLAIN and len(lines) == 1
        is_plain = is_dated and is_short and self.kinds <= _PLAIN
        return Draft(tuple(lines), tuple(self.dropped), is_dated, is_plain, self.is_ordered)


def _goes_on(clause: Clause, last: _Piece) -> bool:
    """Return True for a further part of the title before; each task has one day."""
    return clause.pause != "." and not (clause.spans and last.days)


def _typed(words: Sequence[str]) -> list[str]:
    return [word.strip(",;()!?:").rstrip(".") for word in words]


def _is_moment(words: Sequence[Word]) -> bool:
    """Return True for words that name a day or a time; `weekly` may be part of a title."""
    said = " ".join(word.said for word in words)
    return (
        any(DAY.fullmatch(word.low) for word in words)
        or bool(_CLOCK.search(said) or _MONTH_DAY.search(said))
        or (len(words) > 1 and words[0].low in ("every", "each", "next", "at", "by", "in", "until"))
    )


def _kind(clause: Clause) -> tuple[str, str]:
    """Return what sort of clause it is, and its title without its days."""
    typed = [word for at, word in enumerate(clause.typed) if not clause.is_in_span(at)]
    low = [word for at, word in enumerate(clause.words) if not clause.is_in_span(at)]
    said = " ".join(_typed(typed))
    is_empty = (
        all(word in _EMPTY for word in low) or _is_order(clause) or not _LEAD.sub("", f"{said} ")
    )
    if clause.spans and is_empty:
        return "date", ""
    title = _trimmed(" ".join(typed))
    if clause.spans and title and low[0] in ("there", "there's"):
        # `there is a staff meeting on monday`
        return "need", title
    return _owed(said, clause, low) or (_shape(low, is_empty=is_empty or not title), title)


def _is_order(clause: Clause) -> bool:
    """Return True for an order to note down what was said before."""
    typed = [word for at, word in enumerate(clause.typed) if not clause.is_in_span(at)]
    return bool(phrases.NOTED.fullmatch(peeled(" ".join(_typed(typed)))))


def _owed(said: str, clause: Clause, low: Sequence[str]) -> tuple[str, str] | None:
    """Return what has to be done, or what somebody needs."""
    bare = _LEAD.sub("", said)
    match = _MUST.search(said) or _MUST.match(bare)
    lead = match.string[: match.start()].casefold().split() if match else []
    if match and all(word in _EMPTY - _POINTING for word in lead):
        is_state = not clause.spans and match["rest"].split()[0].casefold() in _STATIVE
        return "aside" if is_state else "must", _ARTICLE.sub("", _trimmed(match["rest"]))
    if lacks := _LACKS.fullmatch(bare):
        return "need", _ARTICLE.sub("", _trimmed(lacks["what"]))
    is_told = low[:1] and (low[0] in _SUBJECTS or _is_told(low))
    needs = _NEEDS.fullmatch(said) if clause.spans or not is_told else None
    what = _ARTICLE.sub("", _trimmed(needs["what"])) if needs else ""
    if needs and what and (clause.spans or " " in what):
        who = needs["who"].strip()
        return "need", what if is_told or " " in who else f"{what} for {who}"
    return None


def _shape(low: Sequence[str], *, is_empty: bool) -> str:
    """Return what the words of a clause without its days are."""
    if is_empty or low[0] in _REASONS | _SUBJECTS:
        return "aside"
    first = next((word for word in low if word not in _EMPTY), "")
    if surely_verb(first) or (is_verb(first) and len(low) > 1):
        return "do"
    return "aside" if _is_told(low) else "thing"


def _is_told(low: Sequence[str]) -> bool:
    """Return True for `Alfie has now decided …`, which is over."""
    return any(is_past(word) and not is_verb(word) for word in low[1:3]) or any(
        word in _HAVING and any(map(is_past, low[at + 1 : at + 3])) for at, word in enumerate(low)
    )


def _trimmed(title: str) -> str:
    """Return a title without what leads to it, and without the sign or small word at its end."""
    title = peeled(_LEAD.sub("", title.strip(" ,;-–—")))
    return _EDGE.sub("", _LEAD.sub("", title).strip(" ,;:-–—!.")).strip(" ,;:-–—!.")
