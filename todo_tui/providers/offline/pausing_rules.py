"""The grammar of a series that pauses, or comes so many times more."""

from __future__ import annotations

import re

from todo_tui.providers.offline.builders import lacks
from todo_tui.providers.offline.intents import Act, Deed, Intent
from todo_tui.providers.offline.pattern import Build, Rule, Slots

_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "twice": 2, "thrice": 3, "couple": 2, "couple of": 2,
}  # fmt: skip
_NUMBER = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_TIMES = (
    r"(?:sessions?|classes|lessons?|occurrences?|dates?|times|ones|instances?|rounds?|turns?"
    r"|repeats|repetitions)"
)
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_FAR = rf"(?:{_MONTHS}(?:,? \d\d\d\d)?|\d\d\d\d)"
"""A month or a year, which are no days by themselves."""

_PAUSE = (
    r"(?:pause|suspend|halt|interrupt|freeze|put on hold|put on pause|put on ice|stop|skip"
    r"|leave out|sit out|drop|hold off(?: on)?|hold off with|take a break from|take time off"
    r"|break from)"
)
_LEAD = re.compile(r"^(?:until|till|til|on|by|to) ", re.IGNORECASE)
_UNTIL = r"(?:until|till|til|up to)"


def _count(slots: Slots) -> int:
    word = (slots["n"] or "").casefold()
    return _COUNTS.get(word) or int(word)


def _skip_some(slots: Slots) -> Intent | None:
    number = _count(slots)
    return Act(Deed.SKIP, slots["ref"], f"{number} times") if number else None


def _pause_until(*, ask: bool = False) -> Build:
    def build(slots: Slots) -> Intent:
        day = slots.get("when") or _first_of(slots["far"])
        return Act(Deed.SKIP, slots["ref"], f"until {_LEAD.sub('', day)}", ask=ask)

    return build


def _pause_for(*, ask: bool = False) -> Build:
    def build(slots: Slots) -> Intent:
        span = re.sub(r"^(?:the )?next ", "", slots["span"], flags=re.IGNORECASE)
        return Act(Deed.SKIP, slots["ref"], f"until in {span}", ask=ask)

    return build


def _first_of(words: str) -> str:
    """The first day of a month or a year in words."""
    return f"1 january {words}" if words.isdecimal() else f"1 {words}"


def _ending_with(*, ask: bool = False) -> Build:
    """The last date is one of the month that was named: `after december`."""

    def build(slots: Slots) -> Intent:
        month = re.sub(r"^(?:the )?(?:end of )?(?:the )?(?:month of )?", "", slots["end"])
        return Act(Deed.ENDING, slots["ref"], f"until the end of {month}", ask=ask)

    return build


def _ending_on(*, ask: bool = False) -> Build:
    return lambda slots: Act(Deed.ENDING, slots["ref"], f"until {slots['when']}", ask=ask)


def _ending_after(*, ask: bool = False) -> Build:
    def build(slots: Slots) -> Intent | None:
        number = _count(slots)
        return Act(Deed.ENDING, slots["ref"], f"{number} times", ask=ask) if number else None

    return build


_MORE = rf"{_NUMBER} (?:more )?(?:{_TIMES}|more)(?: more)?"
_STOP = r"(?:end|stop|finish|terminate|cancel|discontinue|close|quit)"
_SERIES_OF = r"(?:the )?(?:series|repeats?|repeating|recurring|repetition|recurrence)(?: of| for)?"
_THEN_STOP = (
    r"(?:,? (?:and )?then (?:stop|end|no more|never again|be done|it's over|it ends)(?: it)?)"
)

PAUSING = (
    Rule(
        rf"(?:skip|leave out|miss out on|pass on|sit out)(?: the| my)? (?:next|following|coming) "
        rf"{_NUMBER} {_TIMES} (?:of|for) {{ref}}",
        _skip_some,
    ),
    Rule(
        rf"(?:skip|leave out|miss out on|pass on|sit out)(?: the| my)? (?:next|following|coming) "
        rf"{_NUMBER} {{ref}}(?: {_TIMES})?",
        _skip_some,
    ),
    Rule(
        rf"(?:skip|leave out|pass on|sit out) {{ref}} (?:for )?(?:the )?(?:next )?"
        rf"(?P<n>twice|thrice|(?:\d{{1,3}}|{'|'.join(_COUNTS)})(?= (?:more )?{_TIMES}))"
        rf"(?: (?:more )?{_TIMES})?(?: in a row)?",
        _skip_some,
    ),
    Rule(rf"{_PAUSE} {{ref}} (?:for )?(?:the )?(?:next )?{{span}}", _pause_for()),
    Rule(
        r"(?:put|set|place) {ref} on (?:hold|pause|ice) (?:for )?(?:the )?(?:next )?{span}",
        _pause_for(),
    ),
    Rule(
        rf"(?:pause|suspend|skip|leave out|sit out|freeze|take a break from|hold off(?: on)?)"
        rf" {{ref}} {_UNTIL} {{when}}",
        _pause_until(),
    ),
    Rule(
        rf"(?:pause|suspend|skip|leave out|sit out|freeze|take a break from|hold off(?: on)?)"
        rf" {{ref}} {_UNTIL} (?P<far>{_FAR})",
        _pause_until(),
    ),
    Rule(
        rf"(?:put|set|place) {{ref}} on (?:hold|pause|ice) {_UNTIL} {{when}}",
        _pause_until(),
    ),
    Rule(
        rf"(?:put|set|place) {{ref}} on (?:hold|pause|ice) {_UNTIL} (?P<far>{_FAR})",
        _pause_until(),
    ),
    Rule(
        rf"no {{ref}} (?:{_UNTIL}|before) (?P<far>{_FAR})",
        _pause_until(ask=True),
        strong=False,
    ),
    Rule(rf"no {{ref}} (?:{_UNTIL}|before) {{when}}", _pause_until(ask=True), strong=False),
    Rule(r"no {ref} for (?:the )?(?:next )?{span}", _pause_for(ask=True), strong=False),
    Rule(
        r"(?:pause|suspend|freeze|put on hold|take a break from) {ref}",
        lacks("Until when?", "pause {ref} until {blank}"),
        strong=False,
    ),
    Rule(
        r"(?:put|set|place) {ref} on (?:hold|pause|ice)",
        lacks("Until when?", "pause {ref} until {blank}"),
        strong=False,
    ),
)

ENDING = (
    Rule(rf"{_STOP} (?:{_SERIES_OF} )?{{ref}} after (?:the )?(?:next )?{_MORE}", _ending_after()),
    Rule(
        rf"{{ref}},? (?:only |just )?(?:for )?{_NUMBER} more(?: {_TIMES})?{_THEN_STOP}?",
        _ending_after(ask=True),
        strong=False,
    ),
    Rule(
        rf"(?:let|make|have) {{ref}} (?:repeat|recur|come|happen|go on)(?: only| just)?"
        rf"(?: for)? {_MORE}",
        _ending_after(),
    ),
    Rule(rf"(?:repeat|do) {{ref}} (?:only |just )?(?:for )?{_MORE}{_THEN_STOP}?", _ending_after()),
    Rule(
        rf"{_STOP} (?:{_SERIES_OF} )?{{ref}} (?:after|at|with|on|by) "
        rf"(?P<end>(?:the )?(?:end of )?(?:the )?(?:month of )?{_MONTHS}(?:,? \d\d\d\d)?)",
        _ending_with(),
    ),
    Rule(rf"{_STOP} (?:{_SERIES_OF} ){{ref}} (?:after|at|with|on|by|from) {{when}}", _ending_on()),
    Rule(
        rf"{_STOP} (?:the )?{{ref}}(?:'s)? (?:series|repetition|recurrence|repeats?)"
        rf" (?:after|on|at|with|by|from) {{when}}",
        _ending_on(),
    ),
    Rule(rf"{_STOP} (?:the )?{{ref}} after {{when}}", _ending_on()),
    Rule(
        rf"no(?: more)? {{ref}} (?:any ?more )?(?:after|past) (?P<end>{_MONTHS}(?:,? \d\d\d\d)?)",
        _ending_with(ask=True),
        strong=False,
    ),
    Rule(r"no more {ref} (?:after|past) {when}", _ending_on(ask=True), strong=False),
    Rule(
        rf"(?:let|make|have) {{ref}} (?:repeat |recur |go on |run )?(?:only )?(?:end|stop|finish)?"
        rf"(?: only)? (?:{_UNTIL}|after|through|on|at) (?P<end>(?:the )?(?:end of )?{_MONTHS})",
        _ending_with(),
    ),
    Rule(
        rf"(?:let|make|have|set) {{ref}} (?:to )?(?:(?:repeat|recur|go on|run)(?: only)? {_UNTIL}"
        rf"|(?:end|stop|finish)(?: after| on| at| by)?) {{when}}",
        _ending_on(),
    ),
    Rule(rf"(?:repeat|continue) {{ref}} (?:only )?{_UNTIL} {{when}}", _ending_on()),
    Rule(rf"{{ref}} (?:only|just) {_UNTIL} {{when}}", _ending_on(ask=True), strong=False),
    Rule(
        rf"{{ref}} (?:should |shall |must |will |is to )?(?:repeats?|recurs?|goes on|go on|ends?"
        rf"|stops?)(?: only)? (?:{_UNTIL}|after|on|at) {{when}}",
        _ending_on(ask=True),
        strong=False,
    ),
    Rule(
        r"(?:set|change|make|move|put) (?:the )?(?:end|last date|end date) (?:of|for) {ref}"
        r"(?: series)? (?:to|on|at|as) {when}",
        _ending_on(),
    ),
)

STOPPING = (
    Rule(
        r"(?:end|stop|quit|discontinue) {ref}",
        lambda slots: Act(Deed.ENDING, slots["ref"], "now", ask=True),
        strong=False,
    ),
)
"""What may mean a series, or a deed of its own: it is tried last."""
