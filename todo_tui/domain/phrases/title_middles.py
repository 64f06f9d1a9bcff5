"""Whether a phrase in the middle of a title surely is a date: lunch tomorrow with Ann.

It must name its day or its hour in plain words, or say `every`, and a preposition must
follow it that goes on with what is to be done.
"""

from __future__ import annotations

from todo_tui.domain.phrases.entries import Entry
from todo_tui.domain.phrases.moments import DatePhrase
from todo_tui.domain.phrases.parsing import known_words
from todo_tui.domain.phrases.terms import Moment, NamedDay, RelativeDay, Repeat, Which
from todo_tui.domain.phrases.title_ends import REPEATING, Verdict, is_capitalised, judge_end
from todo_tui.domain.phrases.tokens import Token, Tokens
from todo_tui.domain.phrases.vocabulary import WEEKDAYS

GOES_ON = frozenset({"with", "w", "about", "re", "regarding", "from", "for", "at"})
LEADS_ON = frozenset({"in", "on", "to"})
"""Prepositions that go on with a title only before what is no word of dates: to Berlin."""

BEGINS = frozenset({"start", "starts", "starting", "begins", "beginning"})
OF_TIMES = frozenset({"from", "at"})
AMBIGUOUS = frozenset({"tom", "tod", "sun", "sat", "mon", "wed"})
"""Short names of days that are words or names too."""


def goes_on(after: Tokens) -> bool:
    """Whether these words after a date go on with the title, not with a range of times."""
    if len(after) < 2 or after[0].glued:
        return False
    if after[0].word in LEADS_ON:
        return after[1].is_word and after[1].word not in known_words
    if after[0].word not in GOES_ON:
        return False
    return after[1].number is None or after[0].word not in OF_TIMES


def sure_in_middle(entry: Entry, before: Tokens, phrase: Tokens) -> bool:
    """Whether a phrase after which the title goes on is a date."""
    if isinstance(entry, Repeat):
        own = is_capitalised(phrase[0]) or before[-1].word in GOES_ON | LEADS_ON
        sure = judge_end(entry, before, phrase) is Verdict.SURE
        return phrase[0].word in REPEATING and sure and not own
    if not isinstance(entry, DatePhrase) or not isinstance(entry.term, Moment):
        return False
    if before[-1].word in BEGINS or (len(phrase) == 1 and phrase[0].word in AMBIGUOUS):
        return False
    if is_capitalised(phrase[0]) and phrase[0].word not in WEEKDAYS:
        return False
    return _is_plain(entry, entry.term, phrase[0]) and (
        judge_end(entry, before, phrase) is Verdict.SURE
    )


def _is_plain(phrase: DatePhrase, moment: Moment, first: Token) -> bool:
    clock = None if moment.time is None else moment.time.clock
    match moment.day:
        case RelativeDay():
            return True
        case None:
            return clock is not None and (clock.settled or first.number is None)
        case NamedDay(which=which):
            return which is not Which.LAST and phrase.lead != "for"
        case _:
            return bool(phrase.lead) and phrase.lead != "for"
