"""The grammar of places in the order, of single occurrences and series, and of remarks."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.providers.offline.builders import act, value
from todo_tui.providers.offline.intents import Act, Deed, Incomplete, Intent, Show
from todo_tui.providers.offline.pattern import Build, Rule, Slots

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


_NO_NAME = r"(?!(?:one|ones|task|thing|deadline|item|event|to-?do)s?(?: |$))"
_AGAIN = r"(?:again|next(?: time)?|after (?:that|this|today|tomorrow|now)(?: one)?)"


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
