"""The grammar of what waits for what, and of why a task comes first."""

from __future__ import annotations

import re

from todo_tui.providers.offline.builders import act, lacks
from todo_tui.providers.offline.intents import Act, Ask, Deed, Intent, Links, LinkSide, Shape, Why
from todo_tui.providers.offline.pattern import Build, Rule, Slots
from todo_tui.providers.offline.structure_words import BELOW, ID, SUB, linked


def _reversed_link(deed: Deed) -> Build:
    return lambda slots: Act(deed, slots["other"], slots["ref"])


_ANY_TASK = re.compile(
    r"(?:some|any|every)thing(?: else)?|(?:(?:an)?other|some|any|more)(?: other)?"
    r" (?:tasks?|things?|ones?)|others|one another|each other",
    re.IGNORECASE,
)
"""Words for a task that nobody has in mind."""


def _sided(side: LinkSide) -> Build:
    """Ask of `{ref}`; of no task in particular, ask which stand on that side of any."""

    def build(slots: Slots) -> Intent:
        ref = slots["ref"]
        if not _ANY_TASK.fullmatch(ref):
            return Links(ref, side)
        if side is LinkSide.BLOCKERS and slots.get("blocking"):
            return Ask(Shape.LIST, "", raw="blocking")
        return Ask(Shape.LIST, "blocked")

    return build


def _below(slots: Slots) -> Intent:
    return Links(slots["ref"], LinkSide.BELOW)


UNBLOCKING = (
    Rule(
        r"(?:unblock|un-block|free|release) {ref} from {other}",
        linked(Deed.UNBLOCK),
    ),
    Rule(r"(?:unblock|un-block) {ref}", act(Deed.UNBLOCK, "*")),
    Rule(
        r"{ref} (?:no longer|does not|doesn't|do not|don't|need not|needn't|should not|shouldn't"
        r"|should no longer|needs no longer to|doesn't have to|does not have to|must not)"
        r" (?:need to |have to )?(?:waits?(?: for| on)?|depends?(?: on)?|be blocked by|require[s]?)"
        r"(?: (?P<other>.+?))?(?: any ?more| any longer| now)?",
        lambda slots: Act(Deed.UNBLOCK, slots["ref"], _any(slots["other"])),
    ),
    Rule(
        r"{ref} (?:is|are) (?:no longer|not) (?:blocked|waiting|held up)(?: (?:by|for|on) "
        r"(?P<other>.+?))?(?: any ?more| any longer| now)?",
        lambda slots: Act(Deed.UNBLOCK, slots["ref"], _any(slots["other"])),
    ),
    Rule(
        r"{ref} (?:no longer blocks?|does not block|doesn't block) {other}"
        r"(?: any ?more| any longer| now)?",
        _reversed_link(Deed.UNBLOCK),
    ),
    Rule(
        r"(?:make|let) {ref} (?:wait no more|no longer wait|not wait|stop waiting|not depend"
        r"|no longer depend) (?:for|on) {other}(?: any ?more)?",
        linked(Deed.UNBLOCK),
    ),
    Rule(
        r"(?:remove|delete|clear|drop|cut) (?:the )?(?:dependency|dependencies|blockers?"
        r"|block|link) (?:of|from|for|on|between) {ref} (?:on|from|and|with|to|by) {other}",
        linked(Deed.UNBLOCK),
    ),
    Rule(
        r"(?:remove|delete|clear|drop|cut) (?:all )?(?:the )?(?:dependency|dependencies|blockers?"
        r"|blocks?) (?:of|from|for|on) {ref}",
        act(Deed.UNBLOCK, "*"),
    ),
    Rule(
        r"(?:remove|take|drop) {other} (?:as|from being) (?:a |the )?(?:blocker|dependency) "
        r"(?:of|for|from) {ref}",
        linked(Deed.UNBLOCK),
    ),
)


def _any(words: str | None) -> str:
    return words if words and words.casefold() not in ("anything", "anyone", "it") else "*"


_DEPENDING = (
    r"(?:waits? (?:for|on)|depends? (?:up)?on|(?:is|are) (?:now |currently )?(?:blocked (?:by|on)"
    r"|waiting (?:for|on)|held up by|dependent on)|(?:has|have|needs?|must|should|has got) (?:to )?"
    r"(?:wait (?:for|on|until)|depend on|be blocked (?:by|until)|come after|be done after)"
    r"|(?:can't|cannot|can not|can only|must not|should not"
    r"|shouldn't) (?:be )?(?:start(?:ed)?|begin"
    r"|begun|happen|be done|be finished|done|finished|go ahead|proceed|continue)"
    r"(?: (?:before|until|till|without|after|once|when))|requires|comes after)"
)

_DAYS = re.compile(
    r"^(?:the )?(?:\w*day\b|noon|lunch|night|weekend|end|deadline|\d)|tomorrow|tonight|week|month",
    re.IGNORECASE,
)
"""What one may be done before that is no task."""

_UNTIL_DONE = (
    r"(?: (?:is|are|has been|was|gets|have been) (?:done|finished|complete|completed|over))?"
)

BLOCKING = (
    Rule(r"(?:make|let|have) {ref} block {other}", _reversed_link(Deed.BLOCK)),
    Rule(
        r"{ref} (?:must|should|has to|needs to|have to|need to|ought to) (?:be (?:done|finished"
        r"|complete|completed|over|ready)|happen|get done|be closed) (?:first )?before {other}"
        r"(?: (?:starts?|begins?|can (?:start|begin|happen)))?",
        _reversed_link(Deed.BLOCK),
    ),
    Rule(
        r"(?:finish|complete) {ref} before {other}",
        lambda slots: (
            None if _DAYS.search(slots["other"]) else Act(Deed.BLOCK, slots["other"], slots["ref"])
        ),
        strong=False,
    ),
    Rule(
        rf"(?:make|let|have|set) {{ref}} (?:to )?(?:wait (?:for|on|until)|depend on|dependent on"
        rf"|blocked (?:by|on)|(?:be )?blocked by|come after) {{other}}{_UNTIL_DONE}",
        linked(Deed.BLOCK),
    ),
    Rule(
        rf"(?:block|hold|hold back|hold off|pause|stall)(?: off)? {{ref}} (?:until|till|by|on|with"
        rf"|for|before|behind) {{other}}{_UNTIL_DONE}",
        linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:add|set|make|put|mark) {other} (?:as |to be |to |in )*(?:a "
        r"|the )?(?:blocker|dependency"
        r"|prerequisite|precondition|requirement) (?:of|for|to|on) {ref}",
        linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:add|set|create|make|put) (?:a |the )?(?:dependency|blocker|link) (?:of|from|for|to"
        r"|between|on) {ref} (?:on|to|and|by|with|:) ?{other}",
        linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:mark|set|flag) {ref} (?:as )?(?:blocked|waiting|dependent) (?:by|on|for) {other}",
        linked(Deed.BLOCK),
    ),
    Rule(r"{ref} blocks {other}", _reversed_link(Deed.BLOCK)),
    Rule(
        rf"(?:do|start|begin|tackle|handle|plan|schedule) (?P<ref>{ID}|\d+|it"
        rf"|that) (?:only )?(?:after"
        rf"|once|when) (?P<other>{ID}|\d+)(?: (?:is|are) (?:done|finished|complete|completed))?",
        linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:do|start|begin|tackle|handle) {ref} (?:only )?(?:after|once"
        r"|when) {other} (?:is|are|has"
        r" been) (?:done|finished|complete|completed)",
        linked(Deed.BLOCK),
    ),
    Rule(
        r"{ref} (?:needs|requires) {other} (?:first|before that|done first"
        r"|to be (?:done|finished)(?: first)?)",
        linked(Deed.BLOCK),
    ),
    Rule(
        rf"(?:do not|don't|never) (?:start|begin|tackle) {{ref}} (?:before|until|till|unless)"
        rf" {{other}}{_UNTIL_DONE}",
        linked(Deed.BLOCK),
    ),
    Rule(
        rf"{{ref}} {_DEPENDING} {{other}}{_UNTIL_DONE}",
        linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:block|hold up) {ref}",
        lacks("Which task shall it wait for?", "make {ref} wait for {blank}"),
        strong=False,
    ),
)

LINK_QUESTIONS = (
    Rule(
        r"what(?:'s| is) (?:left|open|missing|still open|still to do"
        r"|remaining)(?: to do)? of {ref}",
        lambda slots: Links(slots["ref"], LinkSide.BELOW),
    ),
    Rule(
        r"(?:which|what|any)(?: of)?(?: my| the)? (?:tasks?|to-?dos?|items?|ones?|of them|of these)"
        r"(?: do i have)? (?:have|has|with|got|having) (?P<has>(?:any |some |an? |no )?(?:notes?"
        r"|sub-?tasks?|children|remarks?|annotations?|tags?|labels?|due dates?|priority|project))",
        lambda slots: Ask(Shape.LIST, f"tasks with {slots['has']}"),
    ),
    Rule(
        r"(?:(?:show|tell|list)(?: me)? )?(?:what|which tasks?|who|anything)(?:'s| is| are)? "
        r"(?P<blocking>blocks|blocking|holding up|holding"
        r"|stopping|keeping back|holding back|in the way of) {ref}(?: (?:up|back))?",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:(?:show|tell|list)(?: me)? )?(?:what|which tasks?) (?P<blocking>blocks?) {ref}",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:what|which tasks?) (?:is|are|does|do|must|has|should|will) {ref} (?:waiting (?:for|on)"
        r"|waits? (?:for|on)|wait (?:for|on)|depend(?:s|ing)? on|blocked by|need(?: first)?"
        r"|held up by|have to wait for)",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:why|how come) (?:is|are) {ref} (?:blocked|waiting|on hold)",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:is|are)(?: there)? {ref} (?:still |currently |that (?:is|are) )*blocked",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:(?:show|tell|list)(?: me)? )?(?:what|which tasks?|who|anything)(?: is| are|'s)?"
        r" (?:waits? (?:for"
        r"|on)|waiting (?:for|on)"
        r"|depends? on|depending on|blocked by|held up by|behind) {ref}",
        _sided(LinkSide.WAITING),
    ),
    Rule(
        r"(?:what|which tasks?) (?:does|do|is|are) {ref} (?:block(?:ing)?"
        r"|hold(?:ing)? (?:up|back))",
        _sided(LinkSide.WAITING),
    ),
    Rule(
        rf"(?:what|which)(?: are|'re| is)? (?:the |all )*(?:open )?{SUB} (?:of|does|do|are in"
        rf"|belong to|under|in|has) {{ref}}(?: have| has)?",
        _below,
    ),
    Rule(
        rf"(?:show|list|see|view|display|give me|open|tell me)(?: me)? (?:the |all |all the "
        rf"|every )?(?:open )?{SUB} (?:of|under|for|in|below) {{ref}}",
        _below,
    ),
    Rule(
        rf"(?:show|list|see|view|display|what(?:'s| is)|what do i have|open)(?: me)?"
        rf"(?: everything| all| all tasks| the tasks| tasks)? {BELOW} (?:the )?"
        rf"(?P<ref>{ID}|\d+|it|that)",
        _below,
    ),
    Rule(
        rf"(?:show|list|see|view|display|what(?:'s| is)|what do i have)(?: me)?"
        rf"(?: everything| all| all tasks| the tasks| tasks)? {BELOW} {{ref}}",
        lambda slots: Links(slots["ref"], LinkSide.BELOW, doubtful=True),
        strong=False,
    ),
    Rule(
        rf"how many (?:open )?{SUB} (?:does|do|has|are (?:there )?(?:in|under|of)) {{ref}}"
        rf"(?: have| has)?",
        _below,
    ),
    Rule(
        r"how far (?:am i|are we|is|along am i) (?:with |along with |on |in )?{ref}",
        _below,
    ),
)

_NOW = r"(?: (?:now|yet|already|today|right now|next))*"

ABLE_QUESTIONS = (
    Rule(
        r"what (?:would|will|could|must|can|has to|do i need to) (?:unblock|free|release)"
        r" {ref}",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"why (?:can't|can not|cannot|couldn't|shouldn't) (?:i|we) (?:yet )?(?:start|begin|do"
        rf"|work on|finish|complete)(?: (?:on|with))? {{ref}}{_NOW}",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:what(?:'s| is)|how(?:'s| is)|show(?: me)?) (?:the )?progress (?:of|on|with|in|for)"
        r" {ref}",
        _below,
    ),
    Rule(r"how(?:'s| is) {ref} (?:going|coming along|progressing|getting on)", _below),
    Rule(
        r"(?:is|are)(?: there)? (?:anything|something|any tasks?|any other tasks?|someone|anyone)"
        r" (?:blocked|held up|waiting|stuck)(?: (?:by|for|on|because of|behind)) {ref}",
        _sided(LinkSide.WAITING),
    ),
    Rule(
        r"what (?:do|must|should|has|have) (?:i|we)?(?: (?:need|have|got))?(?: to)? ?(?:be )?(?:do"
        r"|done|finish|complete|get done|happen)(?: first)? (?:before|so that|until)"
        r" (?:i can (?:do|start|begin|finish) )?{ref}(?: (?:can (?:start|happen|begin)|starts?))?",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:can|could|may|am i able to) (?:i|we)? ?(?:already )?(?:start|begin|do|work on"
        rf"|go ahead with)(?: (?:on|with|working on))? {{ref}}{_NOW}",
        _sided(LinkSide.BLOCKERS),
        strong=False,
    ),
    Rule(
        rf"(?:can|could|may) {{ref}} (?:happen|start|begin|go ahead|be done|be started){_NOW}",
        _sided(LinkSide.BLOCKERS),
        strong=False,
    ),
    Rule(
        r"(?:show|list|see|view|display|draw)(?: me)? (?:the |a )?(?:whole )?tree (?:of|under|for"
        r"|below) {ref}",
        _below,
    ),
)

_TOP = (
    r"(?:(?:so |the |at the |on |my |number |ranked |listed |on the )*(?:first|top|one|next|urgent"
    r"|last|so low|low down|at the bottom|high up|important|pressing|at the top"
    r"|up there|up first|on top)(?: (?:on|in|of) LIST)?"
    r"(?: task| thing| one)?)"
)

WHY = (
    Rule(
        r"(?:which|what)(?: (?:one|task))?(?:'s| is| are)? (?:the )?more (?:urgent|important"
        r"|pressing)[,:?]? (?P<ref>.+?),? or (?P<other>.+)",
        lambda slots: Why(slots["ref"], slots["other"]),
    ),
    Rule(
        r"(?:is|are) {ref} more (?:urgent|important|pressing) than {other}",
        lambda slots: Why(slots["ref"], slots["other"]),
    ),
    Rule(
        r"(?:should|shall|do) i (?:rather )?(?:do|start with|begin with|tackle) (?P<ref>.+?)"
        r"(?: first)?,? or (?P<other>.+?)(?: first)?",
        lambda slots: Why(slots["ref"], slots["other"]),
    ),
    Rule(
        r"(?:should|shall|must) i (?:do|start with|begin with|tackle|work on) {ref} (?:first|next"
        r"|now)",
        lambda slots: Why(slots["ref"]),
    ),
    Rule(
        r"(?:but |and |so )?(?:why|how come)(?: so| first| though| is that| that)?",
        lambda _: Why(""),
    ),
    Rule(rf"(?:why|how come) (?:is|are) {{ref}} {_TOP}", lambda slots: Why(slots["ref"])),
    Rule(
        r"(?:why|how come) (?:should|must|shall|do|would) (?:i|we) (?:do|start with|begin with"
        r"|tackle|work on|pick|take|focus on|have to do) {ref}(?: (?:first|next|now|before"
        r" (?:anything|everything) else))?",
        lambda slots: Why(slots["ref"]),
    ),
    Rule(
        r"why (?P<ref>that|that one|it|this|this one|#\d+|the first(?: one)?)(?: (?:first|one|next"
        r"|task))?",
        lambda slots: Why(slots["ref"]),
    ),
    Rule(
        r"why {ref} (?:first|next|before (?:the others|everything else|anything else))",
        lambda slots: Why(slots["ref"]),
    ),
    Rule(
        r"(?:how (?:urgent|pressing|important) (?:is|are)|explain (?:the )?(?:urgency|rank|place"
        r"|position|score) (?:of|for)|what(?:'s| is) (?:the )?(?:urgency|score|rank) (?:of|for))"
        r" {ref}",
        lambda slots: Why(slots["ref"]),
    ),
    Rule(
        r"(?:what makes) {ref} (?:so )?(?:urgent|important|first|pressing|come first)",
        lambda slots: Why(slots["ref"]),
    ),
)
