"""Rules for questions about lists and tasks, and for searches."""

from __future__ import annotations

from todo_tui.providers.offline.intents import Ask, Groups, Intent, Shape, TellTime, WhatNext
from todo_tui.providers.offline.rules.pattern import Rule, Slots, ask, show

_UNITS = {"day": "today", "week": "this week", "month": "this month"}
_FIRSTS = {
    "oldest": "tasks oldest first", "newest": "tasks newest first", "latest": "tasks newest first",
    "most recent": "tasks newest first", "last": "tasks newest first",
    "most overdue": "overdue tasks sorted by due", "longest overdue": "overdue tasks sorted by due",
}  # fmt: skip
_search = ask(Shape.SEARCH, "q")
_THING = (
    r"(?:(?:anything|everything|something|all|any|some|the|every|my) )?(?:(?:tasks?|to-?dos?"
    r"|items?|things?|reminders?|entry|entries|one|ones) )?"
)
_ABOUT = (
    r"(?:about|with|for|containing|mentioning|related to|relating to|regarding|concerning|on"
    r"|like|matching|called|named|that mentions?|that contains?|to do with|having to do with"
    r"|that (?:has|have|says?)|involving)"
)
SEARCHING = (
    Rule(r"(?:search|find|look up): ?{q}", _search),
    Rule(
        r"(?:any|which|what|the|is there a|is there any) (?:tasks?|to-?dos?|items?|things?) (?:with"
        r"|that ha(?:s|ve)|ha(?:s|ve)|containing) (?:the words? )?{q} in (?:the|its|their|it"
        r"|them)(?: (?:names?|titles?|text|notes?))?",
        _search,
    ),
    Rule(
        rf"(?:find|search|search for|look for|look up|locate|lookup|show me|show|list|get"
        rf"|see)(?: me)? {_THING}(?:about|containing|mentioning|related to|relating to"
        rf"|regarding|concerning|matching|to do with|having to do with|that mentions?"
        rf"|that contains?|involving) (?:the |my )?{{q}}",
        _search,
    ),
    Rule(
        rf"(?:find|search|search for|look for|look up|locate|lookup|search through"
        rf"|search in)(?: me)?(?: LIST for)? {_THING}(?:{_ABOUT} )?(?:the |my |a |an )?{{q}}",
        _search,
    ),
    Rule(
        r"(?:where is|where's|where are|where did i put|where did) (?:the |my )?{q}(?: go| task)?",
        _search,
    ),
    Rule(
        r"(?:do i have|is there|are there|have i got|got|have i|did i (?:add|have"
        r"|write down|put down)|do we have|was there|i have)(?: got)? (?:anything|something"
        r"|any ?(?:tasks?|to-?dos?|items?|reminders?|thing|ones?)?|a (?:task|reminder"
        r"|to-?do)|tasks?|things?|to-?dos?|reminders?)(?: on my list| in my list| left"
        r"| open)?(?: to do)? (?:about|containing|mentioning|related to|relating to"
        r"|regarding|concerning|matching|called|named|that mentions?|to do with|involving"
        r"|with|for|on|to) (?:the |my )?{q}",
        _search,
    ),
    Rule(
        r"(?:which|what) (?:tasks?|to-?dos?|items?|things?|ones?)(?: on my list"
        r"| do i have)? (?:mentions?|contains?|(?:is|are|do i have) about|(?:is"
        r"|are) related to|(?:has|have) to do with|about|involves?) (?:the |my )?{q}",
        _search,
    ),
    Rule(
        r"(?:anything|something|everything|any tasks?|tasks) (?:to|about|containing"
        r"|mentioning|related to|regarding|concerning|to do with|involving) (?:the |my )?{q}",
        _search,
    ),
    Rule(r"(?:do|did) (?:i|we) (?:still |also )?(?:need|have|want) to {q}", _search),
    Rule(
        r"who(?:m)? (?:should|must|do|shall|have) i (?:still |need to |have to |got to )*"
        r"(?P<q>call|phone|email|e-mail|write|text|meet|ring|ask|see|visit)(?: to)?"
        r"(?: (?:back|today|next|now))?",
        _search,
    ),
    Rule(r"what are my (?P<q>[^ ]+)s", _search, strong=False),
    Rule(
        r"what (?:do i have|have i got|is there|'s there|tasks are there) about (?:the |my )?{q}",
        _search,
    ),
)
SHOWING = (
    Rule(r"when {ref} (?:is|are) (?:due|scheduled|planned)", show("due")),
    Rule(r"(?:if|whether) {ref} (?:is|are) (?:DONE|due|open|overdue)", show("status")),
    Rule(
        r"(?:tell me|show me|give me|say)(?: (?:more|something|all"
        r"|everything))?(?: about)? (?:the )?(?:details?|info|information) (?:of|for|on"
        r"|about) {ref}",
        show(),
    ),
    Rule(r"(?:the )?(?:details?|info|information) (?:of|for|on|about) {ref}", show()),
    Rule(r"(?:tell me|say|explain)(?: (?:more|something|all|everything))? about {ref}", show()),
    Rule(r"(?:describe|inspect|expand) {ref}", show()),
    Rule(
        r"(?:show(?: me)?|what(?:'s| is| was)|which is|open|see|view|display) (?P<ref>(?:#"
        r"|(?:task|number|no\.?|id|item)(?: number)? ?#?)\d+"
        r"|(?:task )?number (?:one|two|three|four|five|six|seven|eight|nine|ten))",
        show(),
    ),
    Rule(r"(?P<ref>#\d+)", show(), strong=False),
    Rule(
        r"(?:when|what day|what time|which day|what date|by when) (?:is|are|was|were"
        r"|'s) {ref}(?: (?:due|scheduled|planned|set|happening|on|again|for"
        r"|supposed to be done))*",
        show("due"),
    ),
    Rule(r"when's {ref}(?: due)?", show("due")),
    Rule(
        r"when (?:did|have) (?:i|we) (?:last )?(?:finish(?:ed)?|complete(?:d)?|do|done|get done"
        r"|tick(?:ed)? off|check(?:ed)? off|close(?:d)?) {ref}(?: last)?",
        show("done"),
    ),
    Rule(
        r"(?:when )?(?:does|do|is|are) {ref} (?:repeat|recur|repeating|recurring)", show("repeat")
    ),
    Rule(
        r"(?:when )?(?:did|have|has) (?:i|we) (?:already |ever |actually )*"
        r"(?:add(?:ed)?|enter(?:ed)?|put(?: down| in)?|write down|written down|not(?:e|ed) down"
        r"|creat(?:e|ed)|save(?:d)?) {ref}(?: (?:to|on|onto|in) LIST)?(?: yet| already)?",
        show("status"),
    ),
    Rule(
        r"(?:when|by when|what day|what time) (?:do|should|must|shall|did|will|can"
        r"|does) (?:i|we) (?:have to |need to |plan to |want to )?{ref}",
        show("due"),
    ),
    Rule(r"(?:what(?:'s| is)|when(?:'s| is)) (?:the )?DATE (?:of|for|on) {ref}", show("due")),
    Rule(r"(?:what|which) (?:priority|prio) (?:is|does|has) {ref}(?: have)?", show("priority")),
    Rule(
        r"what(?:'s| is| are) (?:the )?(?:priority|status|project|note|notes|tags?|state"
        r"|details?) (?:of|for|on|about|in) {ref}",
        show(),
    ),
    Rule(
        r"(?:what|which) (?:project|list|tags?) (?:is|does|are|has) {ref}(?: (?:in|on|have"
        r"|under))?",
        show(),
    ),
    Rule(
        r"(?:does|do) {ref} (?:already )?have (?:(?:a|any|some) )?(?:tags?|labels?|notes?"
        r"|comments?|project|priority|DATE)",
        show(),
    ),
    Rule(r"how often (?:does|do|should|is) (?:i )?{ref}(?: repeat| recur| due)?", show("repeat")),
    Rule(
        r"(?:is|are|was|were) {ref} (?:already |now |still |yet )*(?:DONE|overdue|late|due"
        r"|open|high priority|urgent|important|recurring|pending)(?: yet| already| today"
        r"| tomorrow)?",
        show("status"),
    ),
    Rule(
        r"(?:is|are) {ref} (?:still )?(?:on|set|planned|scheduled|happening)(?: (?:for|on|at))?"
        r" {when}",
        show("due"),
    ),
    Rule(
        r"(?:what|which|any|how many) (?:notes?|comments?|remarks?|tags?|labels?|details?"
        r"|subtasks) (?:does|do|did|has|have) {ref}(?: have| got)?",
        show(),
    ),
    Rule(
        r"(?:did|have|has) (?:i|we) (?:already |ever |actually |yet )*{ref}(?: yet| already)?",
        show("status"),
    ),
    Rule(
        r"(?:what's|what is|how's|how is) (?:the )?(?:status|state) (?:of|with|on) {ref}",
        show("status"),
    ),
    Rule(r"(?:is|are) {ref} (?:still )?(?:on|in) LIST", show("status")),
    Rule(r"does {ref} (?:still )?exist(?: (?:on|in) LIST)?", show("status")),
    Rule(
        r"what (?:does|do|did) (?:the )?(?:note|notes|remarks?|comments?) (?:of|on|for|about) {ref}"
        r" say",
        show(),
    ),
    Rule(r"what (?:does|do) {ref} (?:notes?|comments?|remarks?) say", show()),
    Rule(r"(?:what about|how about) {ref}", show()),
    Rule(
        r"(?:what|which|are there(?: any)?|is there(?: an?| any)?|show(?: me)?|read(?: me)?|see"
        r"|list)(?: the| my| all| any)* (?:notes?|comments?|remarks?|annotations?)(?: (?:are|is"
        r"|do i have|did i (?:write|put|leave|make)|have i(?: got| put)?))?(?: there)? (?:on|for|of"
        r"|about|in|to|under) {ref}",
        show(),
    ),
    Rule(
        r"(?:what (?:happens|would happen|will happen)|what) if i (?:delete|complete|finish|remove"
        r"|do|move|tick off|skip|cancel)d? {ref}",
        show(),
    ),
)


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
