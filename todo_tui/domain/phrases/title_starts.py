"""Whether a phrase at the beginning of a title surely is a date, judged by what follows.

It is one when it says so itself (a preposition, a time, a date), when punctuation sets
it off, or when what follows does not read as a thing that the phrase describes.
"""

from __future__ import annotations

from todo_tui.domain.phrases.entries import Beginning, Entry
from todo_tui.domain.phrases.moments import DatePhrase
from todo_tui.domain.phrases.terms import (
    CalendarDay,
    DayOfMonth,
    DayTerm,
    Moment,
    NamedDay,
    RelativeDay,
    Repeat,
    Shifted,
    SlashedDay,
)
from todo_tui.domain.phrases.title_ends import is_capitalised, may_stand_in_title
from todo_tui.domain.phrases.title_words import (
    AFTER_A_NOUN,
    GOES_ON_FROM_AN_AMOUNT,
    MEASURES,
    NOT_AFTER_A_DATE,
    NOT_AFTER_SAT,
    NOUN_ENDINGS,
    NOUNS,
    OPENS_AN_OBJECT,
    VERBS,
    VERBS_IN_S,
    VERBS_OR_NOUNS,
    VERBS_WITH_NOUN_ENDINGS,
)
from todo_tui.domain.phrases.tokens import Tokens
from todo_tui.domain.phrases.vocabulary import (
    SEVERAL_WEEKDAYS,
    SMALL_NUMBERS,
    TEENS,
    TENS,
    UNITS,
)

SETS_OFF = frozenset(":;,-|.")
LEADS = frozenset({"in", "during", "by", "at", "before"})
DENOMINATORS = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20})
NUMBERS = SMALL_NUMBERS.keys() | TEENS.keys() | TENS.keys()
ADJECTIVES = frozenset(
    {"daily", "weekly", "monthly", "yearly", "hourly", "quarterly", "nightly", "biweekly", "bi",
     "bimonthly", "fortnightly", "annually", "weekend", "weekday"}
)  # fmt: skip


def sure_at_start(entry: Entry, phrase: Tokens, after: Tokens, *, hour_known: bool) -> bool:
    """Whether a phrase that begins a title is one, judged by what follows it.

    With an `hour_known` that has no day yet, a weekday is its day: sunday dinner at 6.
    """
    if not after or after[0].word in SETS_OFF:
        return True
    if after[0].word in NOT_AFTER_A_DATE or phrase[0].word == "new":
        return False
    if _is_title_case(phrase, after) or _describes(entry, phrase, after[0].word):
        return False
    if len(phrase) == 1 and _is_other_than_a_day(phrase[0].word, after[0].word):
        return False
    if hour_known and _is_weekday(entry):
        return True
    return _stands_alone(entry, phrase, after)


def _stands_alone(entry: Entry, phrase: Tokens, after: Tokens) -> bool:
    """Whether what follows is no thing that the phrase describes: monday notes, daily mail."""
    if phrase[0].word in ADJECTIVES and phrase[-1].word in ADJECTIVES:
        return after[0].is_word and not _is_noun(after) and not _is_verbal_noun(after)
    if isinstance(entry, Repeat) and phrase[0].word in SEVERAL_WEEKDAYS and entry.time is None:
        return not _is_noun(after)
    if phrase[-1].number is not None and (after[0].word in MEASURES or after[0].word in NUMBERS):
        return False
    if _speaks_for_itself(entry, phrase):
        return True
    return not _is_noun(after)


def _is_other_than_a_day(word: str, following: str) -> bool:
    """Whether it is a star, a satellite or an adjective here: sun hat, everyday carry."""
    match word:
        case "sun" | "everyday":
            return following not in VERBS and following not in VERBS_OR_NOUNS
        case "sat":
            return following in NOT_AFTER_SAT
        case _:
            return False


def _is_weekday(entry: Entry) -> bool:
    match entry:
        case DatePhrase(term=Moment(day=NamedDay(), time=None)):
            return True
        case _:
            return False


def _describes(entry: Entry, phrase: Tokens, following: str) -> bool:
    """Whether it reads as a measure of what follows: a 3 day trip, 20 minutes yoga."""
    if not isinstance(entry, DatePhrase):
        return False
    match entry.term:
        case Moment(day=Shifted(plain=True)) if following in GOES_ON_FROM_AN_AMOUNT:
            return True
        case Moment(day=Shifted() as day) if day.plain and day.duration[-1].number > 1:
            unit = phrase[-1].word
            return unit in UNITS and len(unit) > 2 and not unit.endswith("s")
        case _:
            return not may_stand_in_title(entry, phrase)


def _is_title_case(phrase: Tokens, after: Tokens) -> bool:
    """Friday Night Lights: a name, when the phrase is words and all that follows is written so."""
    words = [token for token in phrase if token.is_word]
    return (
        len(words) == len(phrase) <= 2
        and all(is_capitalised(token) for token in (*words, *after[:2]))
        and len(after) > 1
    )


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
    return any(token.number is not None for token in phrase) or phrase[0].word in ("at", "by", "@")


def _names_itself(day: DayTerm) -> bool:
    match day:
        case RelativeDay() | CalendarDay():
            return True
        case Shifted():
            return not day.plain
        case SlashedDay():
            return day.year is not None or not _is_fraction(day)
        case DayOfMonth():
            return False
        case _:
            return False


def _is_fraction(day: SlashedDay) -> bool:
    """Whether 1/2 or 24/7 may as well be a part or a ratio: 1/2 cup, but not 12/25."""
    return day.first >= day.second or day.second in DENOMINATORS


def _is_verbal_noun(after: Tokens) -> bool:
    """Whether a word that may be an order is none here: weekly call with Bob."""
    if after[0].word not in VERBS_OR_NOUNS:
        return False
    if len(after) == 1:
        return True
    return not (after[1].word in OPENS_AN_OBJECT or is_capitalised(after[1]))


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
