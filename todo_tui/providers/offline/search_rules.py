"""The grammar of searches: tasks that say something, and whom to call."""

from __future__ import annotations

from todo_tui.providers.offline.builders import ask
from todo_tui.providers.offline.intents import Shape
from todo_tui.providers.offline.pattern import Rule

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
