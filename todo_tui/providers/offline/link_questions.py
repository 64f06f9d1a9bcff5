"""The grammar of questions about links: what waits for what, what is below, why one is first."""

from __future__ import annotations

import re

from todo_tui.providers.offline.builders import why
from todo_tui.providers.offline.intents import Ask, Intent, Links, LinkSide, Shape, Why
from todo_tui.providers.offline.pattern import Build, Rule, Slots
from todo_tui.providers.offline.structure_words import BELOW, ID, SUB

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


_blockers = _sided(LinkSide.BLOCKERS)
_waiting = _sided(LinkSide.WAITING)


def _below(slots: Slots) -> Intent:
    return Links(slots["ref"], LinkSide.BELOW)


LINK_QUESTIONS = (
    Rule(
        r"what(?:'s| is) (?:left|open|missing|still open|still to do"
        r"|remaining)(?: to do)? of {ref}",
        _below,
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
        _blockers,
    ),
    Rule(
        r"(?:(?:show|tell|list)(?: me)? )?(?:what|which tasks?) (?P<blocking>blocks?) {ref}",
        _blockers,
    ),
    Rule(
        r"(?:what|which tasks?) (?:is|are|does|do|must|has|should|will) {ref} (?:waiting (?:for|on)"
        r"|waits? (?:for|on)|wait (?:for|on)|depend(?:s|ing)? on|blocked by|need(?: first)?"
        r"|held up by|have to wait for)",
        _blockers,
    ),
    Rule(
        r"(?:why|how come) (?:is|are) {ref} (?:blocked|waiting|on hold)",
        _blockers,
    ),
    Rule(
        r"(?:is|are)(?: there)? {ref} (?:still |currently |that (?:is|are) )*blocked",
        _blockers,
    ),
    Rule(
        r"(?:(?:show|tell|list)(?: me)? )?(?:what|which tasks?|who|anything)(?: is| are|'s)?"
        r" (?:waits? (?:for"
        r"|on)|waiting (?:for|on)"
        r"|depends? on|depending on|blocked by|held up by|behind) {ref}",
        _waiting,
    ),
    Rule(
        r"(?:what|which tasks?) (?:does|do|is|are) {ref} (?:block(?:ing)?"
        r"|hold(?:ing)? (?:up|back))",
        _waiting,
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
        _blockers,
    ),
    Rule(
        r"why (?:can't|can not|cannot|couldn't|shouldn't) (?:i|we) (?:yet )?(?:start|begin|do"
        rf"|work on|finish|complete)(?: (?:on|with))? {{ref}}{_NOW}",
        _blockers,
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
        _waiting,
    ),
    Rule(
        r"what (?:do|must|should|has|have) (?:i|we)?(?: (?:need|have|got))?(?: to)? ?(?:be )?(?:do"
        r"|done|finish|complete|get done|happen)(?: first)? (?:before|so that|until)"
        r" (?:i can (?:do|start|begin|finish) )?{ref}(?: (?:can (?:start|happen|begin)|starts?))?",
        _blockers,
    ),
    Rule(
        r"(?:can|could|may|am i able to) (?:i|we)? ?(?:already )?(?:start|begin|do|work on"
        rf"|go ahead with)(?: (?:on|with|working on))? {{ref}}{_NOW}",
        _blockers,
        strong=False,
    ),
    Rule(
        rf"(?:can|could|may) {{ref}} (?:happen|start|begin|go ahead|be done|be started){_NOW}",
        _blockers,
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
        why,
    ),
    Rule(
        r"(?:is|are) {ref} more (?:urgent|important|pressing) than {other}",
        why,
    ),
    Rule(
        r"(?:should|shall|do) i (?:rather )?(?:do|start with|begin with|tackle) (?P<ref>.+?)"
        r"(?: first)?,? or (?P<other>.+?)(?: first)?",
        why,
    ),
    Rule(
        r"(?:should|shall|must) i (?:do|start with|begin with|tackle|work on) {ref} (?:first|next"
        r"|now)",
        why,
    ),
    Rule(
        r"(?:but |and |so )?(?:why|how come)(?: so| first| though| is that| that)?",
        lambda _: Why(""),
    ),
    Rule(rf"(?:why|how come) (?:is|are) {{ref}} {_TOP}", why),
    Rule(
        r"(?:why|how come) (?:should|must|shall|do|would) (?:i|we) (?:do|start with|begin with"
        r"|tackle|work on|pick|take|focus on|have to do) {ref}(?: (?:first|next|now|before"
        r" (?:anything|everything) else))?",
        why,
    ),
    Rule(
        r"why (?P<ref>that|that one|it|this|this one|#\d+|the first(?: one)?)(?: (?:first|one|next"
        r"|task))?",
        why,
    ),
    Rule(
        r"why {ref} (?:first|next|before (?:the others|everything else|anything else))",
        why,
    ),
    Rule(
        r"(?:how (?:urgent|pressing|important) (?:is|are)|explain (?:the )?(?:urgency|rank|place"
        r"|position|score) (?:of|for)|what(?:'s| is) (?:the )?(?:urgency|score|rank) (?:of|for))"
        r" {ref}",
        why,
    ),
    Rule(
        r"(?:what makes) {ref} (?:so )?(?:urgent|important|first|pressing|come first)",
        why,
    ),
)
