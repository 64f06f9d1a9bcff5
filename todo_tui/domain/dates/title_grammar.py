"""Grammar of the phrases in a title: dates, recurrences, starts; ranges, which are not one date."""

from typing import NamedTuple

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import (
    Parser,
    Tokens,
    alternatives,
    digits,
    optional,
    words,
)
from todo_tui.domain.dates.day_grammar import anchor_day, month_day
from todo_tui.domain.dates.moment_grammar import (
    DatePhrase,
    bare_clock,
    clock,
    date_phrase,
    plain_term,
)
from todo_tui.domain.dates.recurrence_grammar import repeat_phrase, title_days


class StartPhrase(NamedTuple):
    """Start of a task, which stays hidden until then.

    With a recurrence, `starting friday` is its first day unless it is `explicit`
    (`start:friday`).
    """

    term: terms.DateTerm
    explicit: bool = False


TitlePhrase = DatePhrase | terms.RepeatTerm | StartPhrase
start_phrase: Parser[StartPhrase] = (
    words(
        "starting", "starting on", "starting from", "starting at", "starts", "starts on",
        "not before", "hide until", "hidden until", "defer until", "deferred until",
    )
    >> plain_term
).map(StartPhrase)  # fmt: skip
title_phrase: Parser[TitlePhrase] = alternatives(
    repeat_phrase, title_days, start_phrase, date_phrase
)
bare_start: Parser[StartPhrase] = (words("start", "start on") >> plain_term).map(StartPhrase)
until = words("-", "to", "until", "till", "through")
between = until | words("or", "and", "&")
beside = optional(words(",", "on"))
a_clock, month_number = alternatives(clock, bare_clock), digits(1, 31, {1, 2})
opening = optional(words("from", "between", "at", "@"))
# One of the times says that it is one, unless a day stands beside them: chapters 5-7, 5-7pm.
clear_clocks = (a_clock >> between >> clock) | (clock >> between >> a_clock)
clocks = opening >> (clear_clocks | (a_clock >> between >> a_clock))
several_moments: Parser[object] = optional(words("from", "between", "on")) >> (
    (anchor_day >> beside >> clocks)
    | (opening >> clear_clocks >> beside >> anchor_day)
    | (repeat_phrase >> words("and", "&", "or") >> title_phrase)
    | (repeat_phrase >> clear_clocks)
    | (opening >> clear_clocks)
    | (month_number >> between >> month_day)
    | (month_day >> until >> month_number)
    | (anchor_day >> until >> anchor_day)
    # Two digits that may be a year.
    | (month_day >> digits(24, 99, {2}))
)
"""Ranges and two moments, which are not one date."""
LONGEST_CLAIM = 8
"""Tokens before `start` in which a longer date may begin that ends behind it."""


def start_beside_due(tokens: Tokens, at: int) -> tuple[StartPhrase, int] | None:
    """Return `start 4 jan` where another date of the line is the due date, and where it ends.

    Without one, or after other words of a title, it is the title: start friday's report.
    """
    found = bare_start.longest(tokens, at)
    if found is None or (isinstance(found[0].term, terms.Moment) and found[0].term.day is None):
        return None
    ends = [
        end
        for place in range(max(at - LONGEST_CLAIM, 0), at)
        for _, end in title_phrase.read(tokens, place)
    ]
    if any(end > at for end in ends):
        return None  # The words before claim it: every month start 4 jan.
    is_due_named = any(
        token.word == "due" and date_phrase.longest(tokens, place) is not None
        for place, token in enumerate(tokens)
    )
    return found if is_due_named or at in ends else None
