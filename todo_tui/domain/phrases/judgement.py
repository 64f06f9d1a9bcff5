"""Whether a phrase at the end or the beginning of a title surely is a date, not a name.

At the end nearly every phrase is one, unless the word before takes it as its own. At
the beginning it is one when the phrase says so itself (a preposition, a time, a date),
when punctuation sets it off, or when what follows reads as an order.
"""

from __future__ import annotations

from todo_tui.domain.phrases.entries import Beginning, Entry
from todo_tui.domain.phrases.moments import DatePhrase
from todo_tui.domain.phrases.terms import (
    CalendarDay,
    DayOfMonth,
    DayTerm,
    Edge,
    Elapsed,
    Moment,
    Moved,
    NamedDay,
    Period,
    RelativeDay,
    Repeat,
    Shifted,
    Side,
    SlashedDay,
    Weekend,
    Which,
)
from todo_tui.domain.phrases.title_words import (
    AFTER_A_NOUN,
    MEASURES,
    NAMES_WITH_DAYS,
    NOT_AFTER_A_DATE,
    NOT_BEFORE_A_DATE,
    NOUN_ENDINGS,
    NOUNS,
    NUMBERED,
    OPENS_AN_OBJECT,
    SPEAKS_TO,
    VERBS,
    VERBS_IN_S,
    VERBS_OR_NOUNS,
    VERBS_WITH_NOUN_ENDINGS,
)
from todo_tui.domain.phrases.tokens import Token, Tokens
from todo_tui.domain.phrases.vocabulary import (
    MONTHS,
    PARTS,
    RELATIVE_DAYS,
    SEVERAL_WEEKDAYS,
    SMALL_NUMBERS,
    TEENS,
    TENS,
    UNITS,
    WEEKDAYS,
)

BETWEEN_DATES = frozenset({",", "-", "/"})
DATE_WORDS = WEEKDAYS.keys() | MONTHS.keys() | RELATIVE_DAYS.keys()
NAMED_DAYS = WEEKDAYS.keys() | {"noon", "today"}
SETS_OFF = frozenset(":;,-|")
HOLIDAYS = frozenset({"christmas", "xmas", "halloween", "nye", "valentine's", "valentines"})
TIMES_OF_DAY = PARTS.keys() | {"noon", "midnight"}
LEADS = frozenset({"in", "during", "by", "at", "before"})
NUMBERS = SMALL_NUMBERS.keys() | TEENS.keys() | TENS.keys()
NEW_YEAR = frozenset({"new"})
STARS = frozenset({"sun", "sat"})
"""Short names of days that are words too: the midnight sun."""
ADJECTIVES = frozenset(
    {"daily", "weekly", "monthly", "yearly", "hourly", "quarterly", "nightly", "biweekly", "bi",
     "bimonthly", "fortnightly", "annually", "weekend", "weekday"}
)  # fmt: skip


def sure_at_end(entry: Entry, before: Tokens, phrase: Tokens) -> bool:
    """Whether a phrase that ends a title is one, judged by the words before it."""
    if not before:
        return True
    word, first = before[-1].word, phrase[0]
    if word in NOT_BEFORE_A_DATE or word.endswith(("'s", "s'")) or _is_name(before, phrase):
        return False
    if isinstance(entry, DatePhrase) and not entry.lead and _goes_on_from(before, phrase):
        return False
    if word in NAMES_WITH_DAYS and first.word in NAMED_DAYS:
        return False
    if first.number is not None and (before[-1].number is not None or word in NUMBERED):
        return False
    if first.word == "tom" and (word in SPEAKS_TO or first.text == "Tom"):
        return False
    match entry:
        case Repeat() | Beginning():
            return True
        case DatePhrase():
            return _sure_date_at_end(entry, phrase)


def _is_name(before: Tokens, phrase: Tokens) -> bool:
    """Whether it is written like a name: watch The Day After Tomorrow."""
    words = [token for token in phrase if token.is_word]
    return (
        len(words) > 2
        and all(_is_capitalised(token) for token in words)
        and not all(_is_capitalised(token) for token in before)
    )


def _goes_on_from(before: Tokens, phrase: Tokens) -> bool:
    """Whether the words before are a date too, so that this is part of a list or range."""
    if before[-1].word in TIMES_OF_DAY and phrase[0].word in WEEKDAYS:
        return True
    index = len(before) - 1
    while index > 0 and before[index].word in BETWEEN_DATES:
        index -= 1
    if before[-1].word in ("-", "/") and before[index].number is not None:
        return True
    return before[index].word in (WEEKDAYS if index == len(before) - 1 else DATE_WORDS)


def _sure_date_at_end(phrase: DatePhrase, tokens: Tokens) -> bool:
    term = phrase.term
    match term:
        case Elapsed():
            return bool(term.duration) and not term.plain
        case Moved():
            return False
        case Moment(day=Shifted() as day) if day.plain:
            return phrase.lead != "for" and tokens[0].word not in ("a", "an", "half")
        case Moment(day=Shifted() as day) if day.sign < 0 and day.origin is None:
            return bool(phrase.lead)
        case Moment():
            return _sure_moment_at_end(phrase, term, tokens)


def _sure_moment_at_end(phrase: DatePhrase, term: Moment, tokens: Tokens) -> bool:
    day = term.day
    if phrase.lead == "for" and isinstance(day, Edge | Weekend | Shifted):
        return False
    if not phrase.lead and tokens[0].word in HOLIDAYS:
        return False
    if tokens[-1].word in STARS and term.time is not None and not _has_number(tokens):
        return False
    match day:
        case SlashedDay(24, 7, None):
            return bool(phrase.lead)
        case NamedDay(which=Which.LAST) | Edge(side=Side.BARE, stretch=Period(offset=-1)):
            return bool(phrase.lead) and phrase.lead != "for"
        case Weekend(which=Which.BARE):
            return bool(phrase.lead) or tokens[0].word == "the" or term.time is not None
        case _:
            return True


def _has_number(tokens: Tokens) -> bool:
    return any(token.number is not None for token in tokens)


# --- at the beginning ---------------------------------------------------------------


def sure_at_start(entry: Entry, phrase: Tokens, after: Tokens) -> bool:
    """Whether a phrase that begins a title is one, judged by what follows it."""
    if not after or after[0].word in SETS_OFF:
        return True
    if after[0].word in NOT_AFTER_A_DATE:
        return False
    if _is_title_case(phrase, after) or _describes(entry, phrase):
        return False
    if phrase[0].word in NEW_YEAR:
        return False
    if phrase[0].word in ADJECTIVES and phrase[-1].word in ADJECTIVES:
        return after[0].is_word and not _is_noun(after) and not _is_verbal_noun(after)
    if isinstance(entry, Repeat) and phrase[0].word in SEVERAL_WEEKDAYS and entry.time is None:
        return not _is_noun(after)
    if phrase[-1].number is not None and (after[0].word in MEASURES or after[0].word in NUMBERS):
        return False
    if _speaks_for_itself(entry, phrase):
        return True
    if len(phrase) == 1 and phrase[0].word in STARS:
        return after[0].word in VERBS
    return not _is_noun(after)


def _describes(entry: Entry, phrase: Tokens) -> bool:
    """Whether it reads as a measure of what follows: a 3 day trip, 20 minutes yoga."""
    if not isinstance(entry, DatePhrase):
        return False
    match entry.term:
        case Moment(day=Shifted() as day) if day.plain and day.duration[-1].number > 1:
            unit = phrase[-1].word
            return unit in UNITS and len(unit) > 2 and not unit.endswith("s")
        case _:
            return not _sure_date_at_end(entry, phrase)


def _is_title_case(phrase: Tokens, after: Tokens) -> bool:
    """Friday Night Lights: a name, when the phrase is words and all that follows is written so."""
    words = [token for token in phrase if token.is_word]
    return (
        len(words) == len(phrase) <= 2
        and all(_is_capitalised(token) for token in (*words, *after[:2]))
        and len(after) > 1
    )


def _is_capitalised(token: Token) -> bool:
    return token.text[:1].isupper() and not token.text.isupper()


def _speaks_for_itself(entry: Entry, phrase: Tokens) -> bool:
    """Whether the phrase is a date whatever follows: `on friday`, `tomorrow`, `5pm`, `+3d`."""
    match entry:
        case Repeat() | Beginning():
            return True
        case DatePhrase(term=Moment() as term):
            if entry.lead or phrase[0].word in LEADS:
                return True
            if term.time is not None and (term.time.clock is None or term.day is None):
                return _is_clear_time(term, phrase)
            return term.time is not None or (term.day is not None and _names_itself(term.day))
        case DatePhrase():
            return True


def _is_clear_time(term: Moment, phrase: Tokens) -> bool:
    """Not `noon`, `midnight` or `friday evening`, which describe nouns."""
    if term.time is None or term.time.clock is None:
        return isinstance(term.day, RelativeDay) or phrase[0].word in ("in", "at", "by", "before")
    return _has_number(phrase) or phrase[0].word in ("at", "by", "@")


def _names_itself(day: DayTerm) -> bool:
    match day:
        case RelativeDay() | CalendarDay():
            return True
        case Shifted():
            return not day.plain
        case SlashedDay():
            return day.year is not None
        case DayOfMonth():
            return False
        case _:
            return False


def _is_verbal_noun(after: Tokens) -> bool:
    """Whether a word that may be an order is none here: weekly call with Bob."""
    if after[0].word not in VERBS_OR_NOUNS:
        return False
    return len(after) == 1 or after[1].word not in OPENS_AN_OBJECT


def _is_noun(after: Tokens) -> bool:
    """Whether the words read as a thing that the phrase before them would describe."""
    first = after[0].word
    if first in VERBS:
        return False
    if first in VERBS_OR_NOUNS:
        return len(after) == 1 or after[1].word in NOUNS or after[1].word in AFTER_A_NOUN
    if first in NOUNS:
        return True
    if first in VERBS_WITH_NOUN_ENDINGS or first in VERBS_IN_S or not after[0].is_word:
        return False
    return first.endswith(NOUN_ENDINGS) or (len(first) > 3 and first.endswith("s"))
