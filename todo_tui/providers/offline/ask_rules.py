"""The grammar of questions: lists, counts, groups, what is next, the time."""

from __future__ import annotations

from todo_tui.providers.offline.builders import ask, show
from todo_tui.providers.offline.intents import Ask, Groups, Intent, Shape, TellTime, WhatNext
from todo_tui.providers.offline.pattern import Rule, Slots

_UNITS = {"day": "today", "week": "this week", "month": "this month"}


def _now(_: Slots) -> Intent:
    return TellTime()


def _day(slots: Slots) -> Intent:
    return TellTime(slots["day"])


def _agenda(slots: Slots) -> Intent:
    unit = slots["unit"].casefold()
    return Ask(Shape.LIST, slots["day"] or _UNITS.get(unit, "tasks"))


TIME = (
    Rule(
        r"what(?:'s| is)?(?: the)?(?: current)? (?:day|date|time)(?: and (?:date|time"
        r"|day))?(?: of the week)?"
        r"(?: (?:is|do we have|have we got|have you got|is it|it is"
        r"|of day is it))?(?: it)?(?: today| now| right now| currently)?(?: is it)?",
        _now,
    ),
    Rule(
        r"(?:do you know |tell me |what's )?(?:what |the )?(?:day|date|time)(?: it is| is it"
        r"| it's)?(?: today| now| right now)?",
        _now,
    ),
    Rule(
        r"what(?:'s| is) (?:today|today's (?:date|day)|the date today|the time now)",
        _now,
    ),
    Rule(
        r"(?:what|which) (?:day|date|weekday|day of the week) (?:is|was|will be|will it be"
        r"|is it|falls on|does) (?P<day>.+?)(?: fall on| be)?",
        _day,
    ),
    Rule(
        r"what(?:'s| is) the (?:date|day) (?:of |on )?(?:next |this |the )?(?P<day>.+)",
        _day,
    ),
    Rule(
        r"how (?:long|many (?:more )?days|much time)(?: is (?:it|there|left)| are (?:there|left)"
        r"| left)* (?:until|till|to|before) {when}",
        lambda slots: TellTime(slots["when"]),
    ),
    Rule(
        r"how (?:long|many (?:more )?days|much time)(?: is (?:it|there|left)| are (?:there|left)"
        r"| left| do (?:i|we) have)* (?:until|till|to|before|for) (?:the |my )?{ref}"
        r"(?: is due)?",
        show("due"),
        strong=False,
    ),
    Rule(r"how (?:late|overdue) (?:is|are) {ref}", show("due")),
    Rule(r"(?:which|what) (?:week|month|year) (?:is it|are we in|is this)", _now),
)

NEXT = tuple(
    Rule(pattern, lambda _: WhatNext())
    for pattern in (
        r"(?:so |ok )?what(?:'s| is| comes)? (?:up )?next(?: (?:up|on (?:my|the) (?:list"
        r"|agenda|plate)|for me|to do|task|thing))?",
        r"(?:what|which)(?: (?:task|one|thing|of these|of them|todo|item))? (?:should|shall"
        r"|do|must|can|could|would|ought) (?:i|we)(?: to)? (?:best )?"
        r"(?:do|work on|tackle|start(?: with| on)?|begin(?: with)?|focus on|prioriti[sz]e"
        r"|handle|finish|take on|pick|attack|concentrate on)?"
        r"(?: (?:on|with))?(?: (?:next|first|now|right now|today|first today|next today"
        r"|at the moment|first thing))+",
        r"(?:what|which)(?: (?:task|one|thing|of these|of them|todo|item))? (?:should"
        r"|shall) (?:i|we) (?:do|work on|tackle|start with|begin with|focus on|prioriti[sz]e"
        r"|start)(?: today)?",
        r"where (?:do|should|shall|can) i (?:start|begin)(?: today)?",
        r"what(?:'s| is) (?:my |the )?(?:most (?:important|urgent|pressing)|top|next|highest"
        r"|number one|first|biggest)"
        r"(?: (?:priority|task|thing|item|one|job|to-?do))*(?: (?:right now|now|today"
        r"|on my list|to do|i should do))?",
        r"what (?:do i do|to do|now|next|first|do i do (?:now|next|first)|to do (?:now|next"
        r"|first))",
        r"(?:pick|choose|suggest|recommend|give me|find me|show me|select)(?: me)? (?:a "
        r"|one |the next |something |another |my next |the most important )?(?:task|thing"
        r"|to-?do|item|one|something|to do)"
        r"(?: (?:for me|to do|to work on|next|to start with))*",
        r"what(?:'s| is) (?:the )?(?:most )?(?:important|urgent|pressing)(?: (?:now|today"
        r"|right now))?",
        r"(?:help me|can you help me) (?:prioriti[sz]e|decide(?: what to do)?"
        r"|choose)(?: my (?:day|tasks|list))?",
        r"which(?: (?:task|one))? (?:is|should be) (?:the )?(?:most (?:important|urgent)"
        r"|next|first)",
        r"(?:i have|i've got|got) (?:some|a bit of|\d+ minutes of)? ?(?:free )?time,? what "
        r"(?:should|can) i do",
        r"next(?: task| one| up)?",
        r"which (?:task|one) (?:first|next|now)",
        r"what (?:needs|wants|deserves) (?:my |our )?attention(?: (?:now|first|most|today))?",
        r"what (?:do|would|can) you (?:suggest|recommend|advise"
        r"|propose)(?: (?:that )?i (?:should )?(?:do|start with|work on))?"
        r"(?: (?:next|first|now|today))?",
    )
)

EXISTING = (
    Rule(
        r"(?:what|which tasks|which deadlines)? ?(?:did|have) (?:i|we) miss(?:ed)?"
        r"(?: (?:so far|anything|something|any(?: \w+)?))?"
        r"|what should (?:i|we) have (?:already )?(?:done|finished)(?: already| by now| before)?",
        lambda _: Ask(Shape.LIST, "overdue"),
    ),
    Rule(
        r"(?:do|have) (?:i|we) (?:have |got |still have |currently have )*(?:anything"
        r"|something|any|any tasks|stuff|tasks|things"
        r"|a lot) ?{np}",
        ask(Shape.LIST),
    ),
    Rule(
        r"(?:is|are) (?:there )?(?:anything|something|any|any tasks|stuff|still anything"
        r"|still any) ?{np}",
        ask(Shape.LIST),
    ),
    Rule(
        r"(?:anything|any|got any|got anything|something|everything|all|only"
        r"|just)(?: else)? {strict}",
        ask(Shape.LIST, "strict"),
    ),
    Rule(r"(?:and )?(?:what|how) about {strict}", ask(Shape.LIST, "strict")),
    Rule(
        r"(?:did|have) (?:i|we) (?:already |ever |actually |yet )*(?:finish|finished"
        r"|complete|completed|do|done|get done) "
        r"{ref}(?: yet| already)?",
        show("status"),
    ),
)

_FIRSTS = {
    "oldest": "tasks oldest first", "newest": "tasks newest first", "latest": "tasks newest first",
    "most recent": "tasks newest first", "last": "tasks newest first",
    "most overdue": "overdue tasks sorted by due", "longest overdue": "overdue tasks sorted by due",
}  # fmt: skip

COUNTING = (
    Rule(
        rf"(?:what|which)(?:'s| is| was)?(?: the| my)* (?P<which>{'|'.join(_FIRSTS)})(?: open"
        r"| added)* (?:TASK|one|thing)(?: (?:on|in) LIST| i (?:have|added|created)| of all)?",
        lambda slots: Ask(Shape.FIRST, _FIRSTS[slots["which"].casefold()]),
    ),
    Rule(
        r"how much (?:have i|did i|have we|did we) (?:already )?(?:done|do|finish(?:ed)?"
        r"|complete(?:d)?|get done|got done|achieve(?:d)?|tick(?:ed)? off) {when}",
        lambda slots: Ask(Shape.COUNT, f"done {slots['when']}"),
    ),
    Rule(
        r"how much (?:have i|did i|have we|did we) (?:already )?(?:done|do|finish(?:ed)?"
        r"|complete(?:d)?|get done|got done|achieve(?:d)?|tick(?:ed)? off)"
        r" (?P<days>(?:this|last) (?:week|month|year)|so far)",
        lambda slots: Ask(Shape.COUNT, f"done {slots['days']}"),
    ),
    Rule(
        r"how (?:did (?:i|we) do|have (?:i|we) (?:done|been doing)|am i doing)"
        r"(?: (?P<days>today|yesterday|so far|(?:this|last) (?:week|month|year)))?",
        lambda slots: Ask(Shape.COUNT, f"done {slots['days'] or 'today'}"),
    ),
    Rule(
        r"what(?:'s| has| have i| did i|'ve i)? changed?(?: (?:on|in) LIST)?(?: since)?"
        r"(?: (?P<days>today|yesterday|(?:this|last) (?:week|month|year)))?",
        lambda slots: Ask(Shape.LIST, f"tasks that were changed {slots['days'] or 'today'}"),
    ),
    Rule(r"(?:the )?total(?: number)?(?: of)? {np}", ask(Shape.COUNT)),
    Rule(r"(?:and )?how many (?:of (?:them|those|these|my tasks) )?{np}", ask(Shape.COUNT)),
    Rule(
        r"how (?:much|long) (?:is (?:left|on my list|my list|the list|my to-?do list"
        r"|still open|there to do)|do i have (?:left|to do|left to do))",
        lambda _: Ask(Shape.COUNT, "tasks"),
    ),
    Rule(
        r"(?:what(?:'s| is)|tell me|give me) the (?:total |overall )?(?:number|count"
        r"|amount) of {np}",
        ask(Shape.COUNT),
    ),
    Rule(r"(?:the )?(?:number|count) of {np}", ask(Shape.COUNT)),
    Rule(r"(?:count|tally)(?: up)? {np}", ask(Shape.COUNT)),
    Rule(r"how many", lambda _: Ask(Shape.COUNT, "tasks")),
    Rule(
        r"(?:am i|are we) (?:late|behind|overdue) (?:on|with) {np}",
        lambda slots: Ask(Shape.LIST, f"overdue {slots['np']}"),
    ),
)

GROUPING = (
    Rule(
        r"(?:what|which|list|show|show me|list all|what are|what are all)(?: (?:the|my|all"
        r"|all my|all the|of my))*"
        r" (?P<kind>projects?|tags?|labels?|categories|lists|contexts)"
        r"(?: (?:do i (?:have|use)|are (?:there|in use|used)|have i got|i (?:have|use)|exist"
        r"|are you using|am i using|did i use))?",
        lambda slots: Groups(
            "tags" if slots["kind"][:3].casefold() in ("tag", "lab", "con") else "projects"
        ),
    ),
)

LISTING = (
    Rule(
        r"what(?:'s|s| is| do i have)(?: there)? (?P<group>(?:in|under) (?:the |my )?[@#]?[\w.-]+)",
        ask(Shape.LIST, "group"),
    ),
    Rule(
        r"(?:list|show|display|see|view|print|read|read out|output|open|pull up|bring up"
        r"|let me see|let's see|check|give me|get me|show us|present|dump|what about"
        r"|i (?:want|need|would like|'d like) to see|i want(?! to\b))"
        r"(?: (?:me|us|out))?(?! an? (?!list|overview|summary|rundown)\w+$)(?: (?:a|the"
        r"|my))? (?:list of |overview of |summary of |rundown of )?{loose}",
        ask(Shape.LIST, "loose"),
    ),
    Rule(r"what(?:'s|s| is| are| was| were)? (?:else )?{np}", ask(Shape.LIST)),
    Rule(r"(?:which|whats|what)(?! an? ) (?:of )?{np}", ask(Shape.LIST)),
    Rule(r"(?:am i|are we) {np}", ask(Shape.LIST)),
    Rule(
        r"what (?:did|have|do|should|must|will|can|could) (?:i|we) {np}",
        lambda slots: Ask(Shape.LIST, f"did I {slots['np']}"),
    ),
    Rule(
        r"(?:how|what)(?:'s| does| do| is| are) (?:my |the )?(?P<unit>day|week|month|agenda"
        r"|schedule|list|plan)"
        r"(?: (?:look(?:ing)?)(?: like)?)?(?: (?:for )?(?P<day>.+))?",
        _agenda,
    ),
    Rule(
        r"(?:list|ls|show|tasks|todos|agenda|overview|summary|my list|the list|everything"
        r"|all|my tasks|to-?dos?|to-?do list|show list|task list|show me)",
        lambda _: Ask(Shape.LIST, "tasks"),
    ),
    Rule(r"(?:get|tell me|read me|read out) {np}", ask(Shape.LIST), strong=False),
    Rule(
        r"(?:what's|what is|how's|how is) {strict} (?:looking|look)(?: like)?",
        ask(Shape.LIST, "strict"),
    ),
    Rule(r"{strict}", ask(Shape.LIST, "strict"), strong=False),
)
