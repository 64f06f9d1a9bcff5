"""Rules for occurrences and series, manual order, and annotations."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.providers.offline.intents import Act, Deed, Incomplete, Intent, Show, Step, Swap
from todo_tui.providers.offline.rules.pattern import Build, Rule, Slots, act, lacks, value

_SWAP = r"(?:swap|exchange|switch|trade|interchange|flip)(?: around)?"
_DATES = r"(?:(?:due )?(?:dates?|days?|times?)|deadlines?)"
_PLACES = r"(?:(?: the)? (?:places?|positions?|order) (?:of|for|between))"
_NUMBERS = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_NUMBER = rf"(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})"
_LINE = r"(?:lines?|places?|spots?|steps?|rows?|positions?)"
_LINES = rf"(?: (?:by )?{_NUMBER}(?: {_LINE})?)?"
_LIST = r"(?: (?:in|on) (?:the |my )?(?:list|order))?"
_VERB = r"(?:move|put|push|shift|bring|pull|take)"
_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "twice": 2, "thrice": 3, "couple": 2, "couple of": 2,
}  # fmt: skip
_SERIES_NUMBER = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
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
_MORE = rf"{_SERIES_NUMBER} (?:more )?(?:{_TIMES}|more)(?: more)?"
_STOP = r"(?:end|stop|finish|terminate|cancel|discontinue|close|quit)"
_SERIES_OF = r"(?:the )?(?:series|repeats?|repeating|recurring|repetition|recurrence)(?: of| for)?"
_THEN_STOP = (
    r"(?:,? (?:and )?then (?:stop|end|no more|never again|be done|it's over|it ends)(?: it)?)"
)
_DAY = (
    r"(?:today|tonight|tomorrow|(?:this |next )?(?:monday|tuesday|wednesday"
    r"|thursday|friday|saturday"
    r"|sunday))"
)
_TIMELY = re.compile(
    rf"^(?:the )?(?:(?P<when>(?:this|next) (?:week|month|time|year|weekend)"
    rf"|{_DAY})(?:'s)? (?:the )?"
    r"|(?:(?:this|next|current|present|coming|upcoming) )?(?:occurrence"
    r"|instance|one|round|time) of "
    r"(?:the )?|(?:this|next|current|present|coming|upcoming) )",
    re.IGNORECASE,
)
_TIMELY_END = re.compile(
    rf"(?: (?:for |just |on )?(?P<when>this (?:time|week|month|year|once|round|weekend)|once|{_DAY}"
    rf"|now|next (?:time|week|month)|just once|one time))+$",
    re.IGNORECASE,
)
_AT_LENGTH = re.compile(
    r" (?:until|till|twice|thrice|for (?:now|a|an|the|some|several|many|\d+)|\w+ times)\b",
    re.IGNORECASE,
)
"""Words for more than one date, which other rules read where they can."""
_MISSED = re.compile(
    r"^(?:all (?:the |of the )?|the |any )?missed (?:(?:occurrences?|ones?|dates?|times?|days?)"
    r" (?:of|for) )?(?:the )?",
    re.IGNORECASE,
)
_NO_NAME = r"(?!(?:one|ones|task|thing|deadline|item|event|to-?do)s?(?: |$))"
_AGAIN = r"(?:again|next(?: time)?|after (?:that|this|today|tomorrow|now)(?: one)?)"
REMARKS = (
    Rule(
        r"(?:annotate|log on|log for|log to|log under|journal on) {ref}(?: with| that|:| -|,) ?"
        r"{note}",
        value(Deed.REMARK, "note"),
    ),
    Rule(
        r"(?:add|attach|write|put|leave|make) (?:an?|the|another)? ?(?:dated )?(?:annotation|remark"
        r"|log(?: entry)?|dated note|journal entry) (?:to|on|for|about|of|in|under) {ref}(?: ?:"
        r"| that says| saying| that| -| –| —) ?{note}",
        value(Deed.REMARK, "note"),
    ),
    Rule(
        r"(?:annotation|remark|log(?: entry)?|dated note) (?:on|for|to|about) {ref}: ?{note}",
        value(Deed.REMARK, "note"),
    ),
    Rule(
        r"log {note} (?:on|for|to|under) {ref}",
        value(Deed.REMARK, "note"),
        strong=False,
    ),
)


def _swapped(*, dates: bool = False) -> Build:
    return lambda slots: Swap(slots["ref"], slots.get("other") or "", dates)


def _stepped(sign: int) -> Build:
    def build(slots: Slots) -> Intent:
        word = (slots["n"] or "one").casefold()
        return Step(slots["ref"], sign * (_NUMBERS.get(word) or int(word)))

    return build


SWAPPING = (
    Rule(
        rf"{_SWAP} (?:the )?{_DATES} (?:of|for|between) {{ref}} (?:and|with) {{other}}",
        _swapped(dates=True),
    ),
    Rule(rf"{_SWAP} (?:the )?{_DATES} (?:of|for|between) {{ref}}", _swapped(dates=True)),
    Rule(
        rf"{_SWAP}{_PLACES}? {{ref}} (?:and|with|for) {{other}}(?: around)?",
        _swapped(),
        strong=False,
    ),
    Rule(
        rf"{_SWAP}{_PLACES}? (?P<ref>(?:the )?(?:(?:first|last) )?two(?: (?:tasks|ones|of them))?"
        r"|them|those|these|both)(?: around)?",
        _swapped(),
    ),
    Rule(rf"{_VERB} {{ref}} (?:further )?up{_LINES}{_LIST}", _stepped(-1)),
    Rule(rf"{_VERB} {{ref}} (?:further )?down{_LINES}{_LIST}", _stepped(1)),
)


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


PAUSING = (
    Rule(
        rf"(?:skip|leave out|miss out on|pass on|sit out)(?: the| my)? (?:next|following|coming) "
        rf"{_SERIES_NUMBER} {_TIMES} (?:of|for) {{ref}}",
        _skip_some,
    ),
    Rule(
        rf"(?:skip|leave out|miss out on|pass on|sit out)(?: the| my)? (?:next|following|coming) "
        rf"{_SERIES_NUMBER} {{ref}}(?: {_TIMES})?",
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
        rf"{{ref}},? (?:only |just )?(?:for )?{_SERIES_NUMBER} more(?: {_TIMES})?{_THEN_STOP}?",
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


def _at(word: str) -> Build:
    return lambda slots: Act(Deed.PLACE, slots["ref"], f"{word} {slots['other']}")


def _skip(slots: Slots) -> Intent | None:
    """`skip this week's gym`: the words for its date are those of the value."""
    words = slots["ref"]
    if _AT_LENGTH.search(words):
        return Incomplete(
            "I did not understand how far to skip, so nothing was changed. Say “skip … until 10 "
            "january”, “skip … for 2 weeks” or “skip the next 3 …”.",
            "",
            words,
        )
    if missed := _MISSED.match(words):
        return Act(Deed.SKIP, words[missed.end() :].strip() or "it", "missed")
    when = ""
    if found := _TIMELY.match(words):
        words, when = words[found.end() :], found["when"] or ""
    if found := _TIMELY_END.search(words):
        words, when = words[: found.start()], when or found["when"]
    return Act(Deed.SKIP, words.strip(), when) if words.strip() else None


def _as_cancel(intent: Intent | None) -> Intent | None:
    return replace(intent, deed=Deed.CANCEL) if isinstance(intent, Act) else intent


def _omitted(slots: Slots) -> Intent | None:
    """`no gym this week`: said of what repeats it is a wish."""
    intent = _skip({"ref": f"{slots['ref']} {slots['late']}"})
    return replace(intent, ask=True) if isinstance(intent, Act) else None


def _coming(slots: Slots) -> Intent:
    return Show(slots["ref"], "next")


COMING = (
    Rule(
        rf"when(?: is| are|'s| does| do| will)? (?:the |my )?(?:next|following|upcoming)"
        rf" {_NO_NAME}{{ref}}(?: (?:is|due|be|come|comes|up|scheduled|{_AGAIN}))*",
        _coming,
    ),
    Rule(
        rf"when (?:is|are|does|do|will) {{ref}} (?:due |come |round |around |up |be )*{_AGAIN}",
        _coming,
    ),
    Rule(
        rf"when (?:does|do|will) {{ref}} (?:repeat|recur|come (?:round|around|back|again|up)"
        rf"|happen|return)(?: {_AGAIN})?",
        _coming,
    ),
    Rule(
        r"(?:(?:what|which) are |what's |show(?: me)? |list |tell me |give me )?(?:the )?"
        r"(?:next|upcoming|coming|following|future) (?:\w+ )?(?:dates?|occurrences?|times?"
        r"|due dates?|repeats) (?:of|for) {ref}",
        _coming,
    ),
)

PLACING = (
    Rule(
        r"(?:move|put|place|bring|shift|send|drag|order|rank|sort|get|pin|bump|raise|float) {ref}"
        r" (?:up |right |all the way |back )*(?:to|at|on|onto) (?:the )?(?:very )?(?:top|front"
        r"|beginning|start|head)"
        r"(?: of (?:LIST|it|them|all))?",
        act(Deed.PLACE, "top"),
    ),
    Rule(
        r"(?:move|put|place|bring|shift|send|drag|order|rank|sort|get) {ref} (?:down |right |all "
        r"the way |back )*(?:to|at|on|onto) (?:the )?(?:very )?(?:bottom|end|back|tail)"
        r"(?: of (?:LIST|it|them|all))?",
        act(Deed.PLACE, "bottom"),
    ),
    Rule(r"pin {ref}", act(Deed.PLACE, "top"), strong=False),
    Rule(
        r"(?:move|put|place|rank) {ref} (?:first|on top|at number one)(?: in LIST)?",
        act(Deed.PLACE, "top"),
    ),
    Rule(r"(?:move|put|place|rank) {ref} last(?: in LIST)?", act(Deed.PLACE, "bottom")),
    Rule(
        r"(?!list (?:every|all|any|my|tasks|things)\w*\b)"
        r"(?:move|put|place|shift|drag|order|rank|sort|bring|list|slot|insert) {ref} (?:to )?"
        r"(?:right |just |directly |immediately |up |down )*(?:before|above|ahead of|in front of"
        r"|over|on top of) {other}",
        _at("before"),
    ),
    Rule(
        r"(?!list (?:every|all|any|my|tasks|things)\w*\b)"
        r"(?:move|put|place|shift|drag|order|rank|sort|bring|list|slot|insert) {ref} (?:to )?"
        r"(?:right |just |directly |immediately |down |up )*(?:after|behind|below|following"
        r"|beneath) {other}",
        _at("after"),
    ),
    Rule(
        r"{ref} (?:should|must|shall|has to|needs to|ought to) (?:come|go|be|stand) (?:right )?"
        r"(?:before|above|ahead of|in front of) {other}",
        _at("before"),
    ),
)

SERIES = (
    Rule(
        r"(?:i|we)(?:'ve| have)? (?:just )?(?:did|done|finished"
        r"|completed) {ref} for (?:the last time"
        r"|good)",
        act(Deed.COMPLETE, "last"),
    ),
    Rule(
        r"skip (?:all (?:the )?)?(?:missed|past|overdue) (?:ones|occurrences|dates|days|times)"
        r"(?: (?:of|for|from) (?P<ref>.+))?",
        lambda slots: Act(Deed.SKIP, slots.get("ref") or "it", "missed"),
    ),
    Rule(
        r"(?:skip|leave out|miss out|pass on|give a miss to) (?:the )?(?:next|this|current|coming"
        r"|today's|this week's) (?:occurrence|instance|one|time|round"
        r"|date)(?: (?:of|for) (?P<ref>.+))?",
        lambda slots: Act(Deed.SKIP, slots.get("ref") or "it"),
    ),
    Rule(r"(?:skip|leave out|miss out on|pass on|sit out) {ref}", _skip, strong=False),
    Rule(
        r"(?:change|switch|move|update|set|turn|alter) {ref}(?:'s (?:rhythm|repeat|schedule"
        r"|recurrence))? (?:to|into) (?:repeat |recur |be |happen )?{repeat}",
        value(Deed.REPEAT, "repeat"),
    ),
    Rule(
        r"no (?P<ref>[^ ]+(?: [^ ]+){0,3}?) (?P<late>(?:this|next) (?:week|month|time)"
        r"|this year|today|tomorrow)",
        _omitted,
        strong=False,
    ),
    Rule(
        r"(?:cancel|call off|drop|delete|remove) (?P<ref>(?:the )?(?:(?:this|next|coming|upcoming"
        r"|today's|tonight's|tomorrow's|\w+day's)|(?:this|next) (?:week|month)'s) (?!(?:one|week"
        r"|month|task|item|time)s?$).+)",
        lambda slots: _as_cancel(_skip(slots)),
    ),
    Rule(
        rf"(?:cancel|call off) (?P<ref>.+?) (?:on |for )?(?P<when>{_DAY}|(?:this|next) (?:week"
        r"|time|month))",
        lambda slots: Act(Deed.CANCEL, slots["ref"], slots["when"]),
        strong=False,
    ),
    Rule(
        r"(?:cancel|call off) {ref} on {when}",
        lambda slots: Act(Deed.CANCEL, slots["ref"], slots["when"]),
        strong=False,
    ),
    Rule(
        r"(?:end|stop|finish|terminate|cancel|close|quit|discontinue) (?:the )?(?:series|repeats?"
        r"|repetition|recurrence|schedule)(?: (?:of|for|on) (?P<ref>.+))?",
        lambda slots: Act(Deed.REPEAT, slots.get("ref") or "it", "none"),
    ),
    Rule(
        r"(?:end|stop|terminate|cancel|discontinue) (?:the )?{ref} (?:series|repetition"
        r"|recurrence|repeat)",
        act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"{ref} (?:should|shall|must|need|will|does|do|is)(?: not|n't| no longer| never) (?:to )?"
        r"(?:come|be coming|occur|happen|come back|be repeated|show up|return)"
        r"(?: (?:again|back|any ?more|any longer|round again))?",
        act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:complete|finish|tick off|tick|close|mark|do|check off"
        r"|end) {ref} (?:as done )?(?:for the"
        r" last time|for good|once and for all|and (?:end|stop) (?:the|its) (?:series|repeating"
        r"|repeats?)|and (?:stop|end) repeating(?: it)?|and don't repeat it(?: again| any ?more)?)",
        act(Deed.COMPLETE, "last"),
    ),
)
