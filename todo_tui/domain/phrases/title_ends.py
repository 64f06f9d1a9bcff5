"""Whether a phrase at the end of a title surely is a date, judged by the words before it.

Nearly every phrase is one, unless the word before takes it as its own (the friday,
black friday, chapter 1/2) or it only goes on from other dates (monday, friday).
"""

from __future__ import annotations

from enum import Enum, auto
from itertools import pairwise, takewhile

from todo_tui.domain.phrases.entries import Beginning, Entry
from todo_tui.domain.phrases.moments import LEADS_OF_POINTS, DatePhrase
from todo_tui.domain.phrases.parsing import known_words
from todo_tui.domain.phrases.terms import (
    CalendarDay,
    DayTerm,
    Edge,
    Elapsed,
    Moment,
    Moved,
    NamedDay,
    Period,
    Repeat,
    Shifted,
    Side,
    SlashedDay,
    Weekend,
    Which,
)
from todo_tui.domain.phrases.title_words import (
    AT_ONCE,
    BEFORE_FEASTS,
    DATED_NAMES,
    NAMES_WITH_DAYS,
    NOT_BEFORE_A_DATE,
    NUMBERED,
    SPEAKS_TO,
    may_last,
)
from todo_tui.domain.phrases.tokens import Token, Tokens
from todo_tui.domain.phrases.vocabulary import MONTHS, PARTS, RELATIVE_DAYS, UNITS, WEEKDAYS

BETWEEN_DATES = frozenset({",", "-", "/"})
DATE_WORDS = WEEKDAYS.keys() | MONTHS.keys() | RELATIVE_DAYS.keys()
AFTER_NUMBERS = frozenset({"am", "pm", "h", "th", "st", "nd", "rd"})
NAMED_DAYS = WEEKDAYS.keys() | {"noon", "today"}
HOLIDAYS = frozenset({"christmas", "xmas", "halloween", "nye", "valentine's", "valentines"})
THE = frozenset({"the", "over", "during"})
TIMES = frozenset({"twice", "thrice", "times", "x"})
REPEATING = frozenset({"every", "each", "ev"})
SMALL_WORDS = frozenset("the a an his her my our their of in on is was and for to with".split())
"""Written small except in names."""
TIMES_OF_DAY = PARTS.keys() | {"noon", "midnight"}
STARS = frozenset({"sun", "sat"})
"""Short names of days that are words too: the midnight sun."""


class Verdict(Enum):
    """What a phrase at the end of a title is."""

    SURE = auto()
    """A date."""
    LITERAL = auto()
    """Words of the title."""
    PART = auto()
    """The end of a longer date that is not understood as a whole."""
    BORROWED = auto()
    """Its first word belongs to the title; what follows may be a date."""


def judge_end(entry: Entry, before: Tokens, phrase: Tokens) -> Verdict:
    """What a phrase is that ends a title, judged by the words before it."""
    if not before:
        return Verdict.SURE
    if isinstance(entry, DatePhrase) and _goes_on_from(entry, before, phrase):
        return Verdict.PART
    if not _is_plainly_dated(before[-1], phrase) and _lends_its_first_word(before[-1], phrase):
        return Verdict.BORROWED
    if _is_taken(before[-1], phrase) or _is_name(before, phrase):
        return Verdict.LITERAL
    return Verdict.SURE if _may_end(entry, before, phrase) else Verdict.LITERAL


def _may_end(entry: Entry, before: Tokens, phrase: Tokens) -> bool:
    match entry:
        case Repeat():
            return before[-1].word not in TIMES
        case Beginning():
            return True
        case DatePhrase(term=Elapsed(plain=True)):
            return _happens_at_once(before)
        case DatePhrase(lead="") if phrase[0].word in HOLIDAYS:
            return before[-1].word not in BEFORE_FEASTS
        case DatePhrase():
            return may_stand_in_title(entry, phrase)


def _happens_at_once(title: Tokens) -> bool:
    """Whether an amount of hours after a title tells when, not how long: call Zoe 2 hours."""
    words = [token.word for token in title if token.is_word]
    things = words[1:] if words and words[0] in AT_ONCE else words
    return bool(words) and not any(may_last(word) for word in things)


def _is_taken(before: Token, phrase: Tokens) -> bool:
    """Whether the word before makes the phrase its own: the friday, black friday."""
    if before.word in NOT_BEFORE_A_DATE or before.word.endswith(("'s", "s'")):
        return True
    if before.word in NAMES_WITH_DAYS and phrase[0].word in NAMED_DAYS:
        return True
    return before.word in UNITS and phrase[0].word in ("before", "by")


def _lends_its_first_word(before: Token, phrase: Tokens) -> bool:
    first = phrase[0]
    for word_before, token in ((before, first), *pairwise(phrase[:2])):
        if token.word == "tom":
            return word_before.word in SPEAKS_TO or token.text == "Tom"
    return first.number is not None and (before.number is not None or before.word in NUMBERED)


def _is_plainly_dated(before: Token, phrase: Tokens) -> bool:
    """Whether a number that begins a phrase is of the date, whatever is numbered before it.

    After a number so is `12 dec` or `14:30`; after `invoice` only a date with a year.
    """
    if len(phrase) < 2:
        return False
    number, second = phrase[0], phrase[1]
    if len(number.text) == 4 and second.word == "-" and second.glued:
        return before.word not in DATED_NAMES
    return before.number is not None and (second.word in MONTHS or second.word == ":")


def _is_name(before: Tokens, phrase: Tokens) -> bool:
    """Whether it is written like a name: The Day After Tomorrow, His Girl Friday."""
    words = [token for token in phrase if token.is_word]
    if not words or not all(is_capitalised(token) for token in words):
        return False
    if all(is_capitalised(token) for token in before):
        return False
    if len(words) > 2:
        return True
    run = takewhile(is_capitalised, reversed(before))
    return any(token.word in SMALL_WORDS for token in run)


def _goes_on_from(entry: DatePhrase, before: Tokens, phrase: Tokens) -> bool:
    """Whether the words before are a date too, so that this is part of a list or range."""
    if before[-1].word in TIMES_OF_DAY and phrase[0].word in WEEKDAYS:
        return True
    if before[-1].word in WEEKDAYS and before[-1].glued:
        return True
    run = takewhile(lambda token: token.word in known_words, reversed(before))
    if any(token.word in REPEATING for token in run):
        return True
    if entry.lead:
        return False
    last = before[-1]
    if last.word not in BETWEEN_DATES:
        first = phrase[0]
        goes_on = first.word == "the" or first.number is not None or first.word in WEEKDAYS
        return last.word in WEEKDAYS.keys() - STARS and goes_on
    index = len(before) - 1
    while index > 0 and before[index].word in BETWEEN_DATES:
        index -= 1
    number_before = before[index].number is not None or before[index].word in AFTER_NUMBERS
    return before[index].word in DATE_WORDS or (number_before and last.word != ",")


def may_stand_in_title(phrase: DatePhrase, tokens: Tokens) -> bool:
    """Whether a phrase may be a date in a title; alone it may be one all the same.

    Measures (20 minutes, a week), the past (last week) and feasts are too often
    part of what is to be done.
    """
    term = phrase.term
    match term:
        case Elapsed():
            return bool(term.duration) and not term.plain
        case Moved():
            return False
        case Moment(day=Shifted() as day) if day.plain:
            return phrase.lead not in LEADS_OF_POINTS and tokens[0].word not in ("a", "an", "half")
        case Moment(day=Shifted() as day) if day.sign < 0 and day.origin is None:
            return bool(phrase.lead)
        case Moment():
            return _sure_moment_at_end(phrase, term, tokens)


def _sure_moment_at_end(phrase: DatePhrase, term: Moment, tokens: Tokens) -> bool:
    day = term.day
    if phrase.lead == "for" and isinstance(day, Edge | Weekend | Shifted):
        return False
    if not phrase.lead and (tokens[0].word in HOLIDAYS or _is_new_year(day, tokens)):
        return False
    if tokens[-1].word in STARS and term.time is not None and not _has_number(tokens):
        return False
    match day:
        case SlashedDay(24, 7, None):
            return bool(phrase.lead)
        case NamedDay(which=Which.LAST) | Edge(side=Side.BARE, stretch=Period(offset=-1)):
            return bool(phrase.lead) and phrase.lead != "for"
        case Weekend(which=Which.BARE):
            return bool(phrase.lead) or tokens[0].word in THE or term.time is not None
        case _:
            return True


def _is_new_year(day: DayTerm | None, tokens: Tokens) -> bool:
    """Whether it is said as in `happy new year`."""
    return isinstance(day, CalendarDay) and tokens[-1].word in ("year", "years")


def _has_number(tokens: Tokens) -> bool:
    return any(token.number is not None for token in tokens)


def is_capitalised(token: Token) -> bool:
    """Written like a name: a capital and then small letters."""
    return token.text[:1].isupper() and not token.text.isupper()
