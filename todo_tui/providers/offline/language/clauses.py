"""Words of a message and its clauses: where one may end, and which words set a value.

Words are cleaned for reading only; titles of new tasks are made from what was typed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from todo_tui.providers.offline.language.change_phrases import WEEKDAYS, ChangeReader, is_time
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.phrases import SHIFT, SHIFTING, in_order
from todo_tui.providers.offline.language.words import (
    NUMBERS,
    is_past,
    is_verb,
    patterns,
    respelled_whole,
    with_months,
    word_set,
    word_table,
)

_TOLD = tuple((regex(pattern), plain) for pattern, plain in patterns("told"))
_JOINING = word_set("joining_words")
_SIGNS = '.,!?;:()[]{}"“”…–—-*~>'
_STOPS = re.compile(r"[.!?;…]+[)\"”]*$")
_PAUSES = re.compile(r"[,:)–—-]+$")
WEEKDAY_AFTER = regex(
    r"((to|on|till|until|by|for) )?(the )?(WEEKDAY|mon|tues?|wed|thur?s?|fri|sat|sun) after( that)?"
)
_HOUR = re.compile(r"1?\d|2[0-4]")
_ISH = re.compile(r"\d{1,2}([.:]\d\d)?-?ish")
_STARTS = re.compile(r"^start(?:s|ing)? ")
_NUMBER = re.compile(r"\(?\d{1,2}\)|[-*•]")
"""Stands before each item of a list."""
_LONGEST_CHANGE = 8
_CLOCK = re.compile(r"\d{1,2}[.:]\d\d")
GONE = "’"
"""Stands where an expression of several words was made one."""
PLACES = {word: int(place) for word, place in word_table("places").items()}
"""Places in a list, from 0; negative ones count from its end."""
CORRECTING = word_set("correcting_words")
WAITING = word_set("waiting_words")
"""Words behind which somebody waits, and corrects nothing."""
_SOONER = word_set("sooner_words")
_DUE_WORDS = frozenset({"deadline", "due", "date"})
_OTHERS = frozenset({"he", "she", "it", "they"})
_ANEW = word_set("subjects") | {"is", "are", "the", "my", "our"}
"""Words before which a day belongs to what follows."""
_NO_SPAN = CORRECTING | {"now"}
"""Words that begin no value."""
_NO_CHANGES = frozenset({"todo", "to do", "doing", "started", "in progress"})


class Word(NamedTuple):
    """A word as it is read; `pause` is the sign before it: `.`, `,` or none."""

    low: str
    said: str
    """With its possessive ending, as dates need it: `new year's eve`."""
    typed: str
    pause: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Words that set a value, as change words."""

    start: int
    end: int
    change: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A run of words, those that set values, and the mark of a correction before it."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    typed: tuple[str, ...] = ()
    pause: str = ""

    def without(self, leading: frozenset[str]) -> "Clause | None":
        """Return the clause without words that lead to it; None if it has no others."""
        cut = next((at for at, word in enumerate(self.words) if word not in leading), 0)
        if not cut:
            return None
        spans = tuple(Span(span.start - cut, span.end - cut, span.change) for span in self.spans)
        return replace(self, words=self.words[cut:], spans=spans, typed=self.typed[cut:])

    def is_in_span(self, at: int) -> bool:
        """Return True for a word that sets a value."""
        return any(span.start <= at < span.end for span in self.spans)


def words_of(text: str) -> list[Word]:
    """Return the words of a message, expressions that tell what became of a task made one."""
    words: list[Word] = []
    pause = ""
    for typed in respelled_whole(with_months(text)).split():
        if _NUMBER.fullmatch(typed):
            pause = "."
            continue
        said = "and" if typed in ("&", "n", "+") else typed.strip(_SIGNS).casefold()
        if typed[0] == "~" and said[:1].isdigit():
            # An estimate is no time from now.
            said = f"~{said}"
        low = said.removesuffix("'s").removesuffix("s'")
        if low == "got" and words and words[-1].typed.casefold().endswith(("'s", "'ve", "s'")):
            # `Fiona's got flu`
            low = "has"
        mark = "." if _STOPS.search(typed) else "," if _PAUSES.search(typed) else ""
        if not any(letter.isalnum() for letter in low):
            pause = pause or ("," if mark or typed[0] in "-–—(" else "")
            continue
        if typed[0] in '("“' and words:
            pause = pause or ","
        heading = ":" if typed.rstrip(")").endswith(":") else ""
        words.append(Word(low + heading, said, typed, pause))
        pause = mark
    return _told(words)


def _told(words: list[Word]) -> list[Word]:
    """Put a word in place of each expression of `told`; its other words say nothing."""
    for pattern, plain in _TOLD:
        joined = " ".join(word.low for word in words)
        for match in pattern.finditer(joined):
            lead = len(match[0]) - len(match[0].lstrip(" ,"))
            first = joined.count(" ", 0, match.start() + lead)
            last = first + match[0].strip(" ,").count(" ")
            words[first] = words[first]._replace(low=plain or GONE)
            for at in range(first + 1, last + 1):
                words[at] = words[at]._replace(low=GONE)
    return words


_UNIT = regex(r"(minute|min|hour|hr|day|week|month|year)s?|m|h")
_TIME_LATER = regex(r"(?P<count>\d+) ?(?P<unit>[mh])(in(ute)?|(ou)?r)?s? later")
_RESERVING = word_set("reserving_verbs")
_COUNT = regex(rf"\d+|{'|'.join(NUMBERS)}")


def spans_of(words: Sequence[Word], changes: ChangeReader) -> Iterator[Span]:
    """Yield the longest changes of fields in words.

    A length of time is an estimate behind `for` and `block`; elsewhere its change is empty.
    """
    said = [GONE if word.low == GONE else word.said for word in words]
    shifts = bool(SHIFTING.search(" ".join(word.low for word in words)))
    tells = any(is_past(word.low) and not is_verb(word.low) for word in words)
    at = 0
    while at < len(words):
        span = _span_at(words, said, at, changes)
        further = _span_at(words, said, at + 1, changes) if span else None
        is_named = said[at] in _DUE_WORDS and further and SHIFT.fullmatch(further.change)
        # `better saturday, friday I have to work`
        is_apart = span and further and further.start == span.end and words[span.end].pause
        is_day = is_apart and span and changes.is_date(span.change)
        if span is None or is_named or (further and further.end > span.end and not is_day):
            # Of `deadline three days earlier` and `deadline a week`, the length of time.
            at += 1
            continue
        change = span.change
        if SHIFT.fullmatch(change) and not _SOONER.isdisjoint(said):
            change = change.replace("later", "earlier")
        if SHIFT.fullmatch(change) and not shifts:
            lasts = said[at] == "for" or not _RESERVING.isdisjoint(said[max(at - 2, 0) : at])
            time = _TIME_LATER.fullmatch(change) if lasts and not tells else None
            change = f"~{time['count']}{time['unit']}" if time else ""
        yield replace(span, change=change)
        at = span.end


def _span_at(
    words: Sequence[Word], said: Sequence[str], at: int, changes: ChangeReader
) -> Span | None:
    """Return the longest change of a field that begins with a word."""
    for end in range(min(len(words), at + _LONGEST_CHANGE), at, -1):
        phrase = " ".join(said[at:end])
        behind = words[end].low if end < len(words) else ""
        is_place = words[end - 1].low in PLACES and (
            behind in ("one", "task", "time", "thing") or NUMBERS.get(behind, 0) > 1
        )
        is_count = _UNIT.fullmatch(behind) and _COUNT.fullmatch(said[end - 1])
        if (
            is_place
            or is_count
            or said[at] in _NO_SPAN
            or any(word.typed == "Tom" for word in words[at:end])
            or GONE in said[at:end]
            or phrase in _NO_CHANGES
        ):
            # `the second one` is no day, `about 3 hours` no time, and Tom a person.
            continue
        if behind in _ANEW and WEEKDAYS.fullmatch(phrase):
            # `the vet is on tuesday and thursday I am away`
            continue
        if WEEKDAY_AFTER.fullmatch(phrase):
            return Span(at, end, " ".join(said[end - 2 : end]))
        is_corrected = (
            at > 0 and words[at - 1].low in CORRECTING - {"no"} and _HOUR.fullmatch(phrase)
        )
        if _ISH.fullmatch(phrase):
            phrase = f"at {phrase.removesuffix('ish').strip('-')}"
        is_hour = is_corrected or _is_hour(said[at:end]) or _CLOCK.fullmatch(phrase)
        read = changes.words(in_order(phrase)) or (
            changes.words(f"at {said[end - 1]}") if is_hour else None
        )
        if not read and (end == len(words) or words[end].pause):
            # `yoga tue, thu`, but not `yoga is on tuesday, thursday is the vet`
            listed = "".join(f"{word.pause} {word.said}" for word in words[at:end])
            days = WEEKDAYS.fullmatch(listed.lstrip(" ,."))
            read = changes.words(days[0]) if days else None
        if read:
            # `starts at 8` tells when it is, not from when it is shown.
            begins = _STARTS.sub("", read)
            return Span(at, end, begins if is_time(begins) else read)
    return None


def _is_hour(words: Sequence[str]) -> bool:
    """Return True for `to 4`, which is a time where something is moved."""
    return (
        len(words) == 2
        and words[0] in ("to", "till", "until", "at")
        and (
            words[1].isdigit()
            or bool(_CLOCK.fullmatch(words[1]))
            or NUMBERS.get(words[1], 13) <= 12
        )
    )


def clauses(words: Sequence[Word], spans: Sequence[Span]) -> list[Clause]:
    """Split words where a clause may begin, but never within a value."""
    starts = [0]
    begins = {span.start for span in spans}
    inside = {at for span in spans for at in range(span.start + 1, span.end)}
    # `can't do saturday she's coming in sunday`
    follow = {span.end for span in spans} & {
        at for at, word in enumerate(words) if word.low in _OTHERS and word.said != word.low
    }
    corrected = False
    for at, word in enumerate(words):
        follows = " ".join(each.low for each in words[at + 1 : at + 2])
        was_corrected = corrected
        corrects = corrected = (
            word.low in CORRECTING
            and WAITING.isdisjoint(each.low for each in words[max(0, at - 2) : at])
            and (word.low != "no" or follows in CORRECTING or at + 1 in begins)
        )
        is_range = word.low == "and" and words[at - 1].low[:1].isdigit() and follows[:1].isdigit()
        if (
            at
            and at not in inside
            and (word.pause or corrects or word.low in _JOINING or at in follow)
            and not (is_range or was_corrected)
        ):
            starts.append(at)
    ends = [*starts[1:], len(words)]
    return [
        Clause(
            tuple(word.low for word in words[start:end]),
            tuple(
                Span(span.start - start, span.end - start, span.change)
                for span in spans
                if start <= span.start < end
            ),
            tuple(word.typed for word in words[start:end]),
            words[start].pause,
        )
        for start, end in zip(starts, ends, strict=True)
        if start < end
    ]
