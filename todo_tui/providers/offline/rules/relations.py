"""Rules for subtasks and blockers, and questions about them."""

from __future__ import annotations

import re

from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Deed,
    Intent,
    Links,
    LinkSide,
    Shape,
    Why,
)
from todo_tui.providers.offline.rules.pattern import (
    BELOW,
    ID,
    SUB,
    Build,
    Rule,
    Slots,
    act,
    lacks,
    linked,
    why,
)

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
_ANY_TASK = re.compile(
    r"(?:some|any|every)thing(?: else)?|(?:(?:an)?other|some|any|more)(?: other)?"
    r" (?:tasks?|things?|ones?)|others|one another|each other",
    re.IGNORECASE,
)
"""Words for a task that nobody has in mind."""
_NOW = r"(?: (?:now|yet|already|today|right now|next))*"
_TOP = (
    r"(?:(?:so |the |at the |on |my |number |ranked |listed |on the )*(?:first|top|one|next|urgent"
    r"|last|so low|low down|at the bottom|high up|important|pressing|at the top"
    r"|up there|up first|on top)(?: (?:on|in|of) LIST)?"
    r"(?: task| thing| one)?)"
)
_A_SUB = (
    r"(?:an? |the )?(?:sub-? ?task|child(?: task)?|sub-?item|sub-?step|step|part|piece|component)"
)
_MAKE = r"(?:make|turn|set|have|let|mark|put)"
NESTING = (
    Rule(
        rf"{_MAKE} {{ref}} (?:in ?to |as |to be |be |become )*{_A_SUB}s? (?:of|under|to|in"
        rf"|for|below) {{other}}",
        linked(Deed.NEST),
    ),
    Rule(
        rf"{{ref}} (?:is|are|should be|belongs as|shall be|must be|becomes) {_A_SUB}s? (?:of"
        rf"|under|to|in) {{other}}",
        linked(Deed.NEST),
    ),
    Rule(
        rf"(?:move|put|file|place|nest|indent|stick|drop|hang|tuck|bring|shift|transfer|attach) "
        rf"{{ref}} (?:{BELOW}|in|into|to|onto) (?:the )?(?P<other>{ID}(?: .+)?)",
        linked(Deed.NEST),
    ),
    Rule(
        rf"(?:move|put|file|place|nest|indent|stick|drop|hang|tuck|attach) {{ref}} "
        rf"(?:{BELOW}|in|into) (?P<other>\d+|it|that|that one)",
        linked(Deed.NEST),
    ),
    Rule(rf"(?:nest|tuck|hang|indent) {{ref}} {BELOW} {{other}}", linked(Deed.NEST)),
    Rule(
        r"(?:set|change|make) (?:the )?parent(?: task)? of {ref} (?:to|as|be) (?:none|nothing"
        r"|no one)",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:set|change|make) (?:the )?parent(?: task)? of {ref} (?:to|as|be) {other}",
        linked(Deed.NEST),
    ),
    Rule(
        rf"{_MAKE} {{other}} (?:the )?parent(?: task)? of {{ref}}",
        linked(Deed.NEST),
    ),
    Rule(
        r"(?:make|turn|set|move|bring|promote|lift|pull) {ref} (?:in ?to |to |out to |as |be )*"
        r"(?:a |an |the )?(?:top[- ]?level|own|separate|independent|standalone|stand-alone|root"
        r"|main)(?: (?:task|level|one|item|list))?",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:unnest|un-nest|outdent|detach|unparent) {ref}"
        r"(?: from (?P<other>.+))?",
        act(Deed.NEST, "none"),
    ),
    Rule(
        rf"(?:take|move|get|pull|bring) {{ref}} out (?:of|from under) (?P<other>{ID}|it|that"
        rf"|its parent)",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:take|move|get|pull|bring|remove) {ref} (?:out )?from (?:under|below|beneath|inside) "
        r"(?P<other>.+)",
        act(Deed.NEST, "none"),
    ),
)
FAMILY_FINISHING = (
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) {{ref}}(?: as done)? "
        rf"(?:and|with|including|along with|together with|plus) (?:all )?(?:of )?(?:its|the|their"
        rf"|all|every) ?(?:open |remaining )?{SUB}(?: as done)?(?: too| as well)?",
        act(Deed.COMPLETE, "close"),
    ),
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) {{ref}}(?: as done)? "
        rf"(?:and|with|including|along with|together with|plus) (?:everything|all|anything"
        rf"|all tasks|the tasks) (?:{BELOW}|in|below) (?:it|them|that)(?: as done)?"
        rf"(?: too| as well)?",
        act(Deed.COMPLETE, "close"),
    ),
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) (?:only |just )?{{ref}}"
        rf"(?: as done)?(?:,? (?:but|and))? (?:leave|keep|leaving|keeping|without|not|but not)"
        rf" (?:completing |closing |its |the |their |any |all )*{SUB}(?: open| alone"
        rf"| as they are)?",
        act(Deed.COMPLETE, "leave"),
    ),
    Rule(
        r"(?:complete|finish|tick off|tick|close|check off) {ref} (?:only|itself|alone|on its own)",
        act(Deed.COMPLETE, "leave"),
    ),
    Rule(
        r"(?:complete|finish|tick off|tick|close|check off) (?:only|just) (?:the parent )?{ref}"
        r"(?: itself| alone| on its own)?",
        act(Deed.COMPLETE, "leave"),
    ),
)


def _reversed_link(deed: Deed) -> Build:
    return lambda slots: Act(deed, slots["other"], slots["ref"])


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


def _parts(slots: Slots) -> Intent:
    return Add(slots["item"], parent=slots["ref"])


def _list_of_parts(slots: Slots) -> Intent:
    return Add(slots["item"], parent=slots["ref"], listed=True)


ADDING_BELOW = (
    Rule(
        rf"(?:add|create|give|write|put|new)(?: me)? ?(?:some |the |these "
        rf"|the following |new |a |an "
        rf"|another |two |three |four |five |six |\d+ )*{SUB} (?:to|under|for|below|of) {{ref}}: ?"
        rf"{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:give|add to) {{ref}} (?:the |these |some |the following |a |an |another |two |three "
        rf"|four |five |\d+ )*{SUB}:? "
        rf"{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|put|make) {{item}} as (?:a |an |the |another |new )*{SUB} "
        rf"(?:to|of|under|for|below|in) {{ref}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|make) (?:a |an |another |the |new )*{SUB}(?: called| named|:)? {{item}} "
        rf"(?:to|under|for|of|below|in) {{ref}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|make) (?:a |an |another |the |new )*{SUB} (?:to|under|for|of|below|in) "
        rf"{{ref}} (?:called|named|to) {{item}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|put) {{item}} (?:{BELOW}|to|in|into|for) (?:the )?(?P<ref>{ID})",
        _parts,
    ),
    Rule(
        rf"(?:add|create|put) {{item}} {BELOW} (?P<ref>it|that|that one|this|this one|\d+)",
        _parts,
    ),
    Rule(
        rf"{BELOW} {{ref}},? (?:please )?(?:add|create|put):? {{item}}",
        _parts,
    ),
    Rule(
        rf"(?:add|put) {BELOW} {{ref}}: ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|put) (?:under|to|for) (?P<ref>{ID}|it|that): ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:break|split|divide|cut|separate)(?: up| down)? {{ref}}(?: up| down)? (?:into|in to"
        rf"|in|as|to)\b(?: (?:the |these |some )?(?:\w+ )?{SUB})?:? ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"{{ref}} (?:consists of|has (?:the |these |two |three |four |five )?{SUB}:?"
        rf"|is made up of|needs (?:the |these )?{SUB}:?) {{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|make)(?: an?| another| the| some| a new| new)? {SUB}"
        rf"(?: (?:to|under|for|of) (?P<ref>[^:]+))?: ?(?P<item>.+)",
        lambda slots: Add(slots["item"], parent=slots["ref"] or "it", listed=True),
        strong=False,
    ),
    Rule(
        rf"(?:break|split|divide)(?: up| down)? {{ref}}(?: up| down)?(?: into {SUB})?",
        lacks("Which parts shall it have?", "add subtasks to {ref}: {blank}"),
        strong=False,
    ),
    Rule(
        rf"(?:add|create|make)(?: an?| another| the| some| a new| new)? {SUB} "
        rf"(?:to|under|for|of) {{ref}}",
        lacks("What shall the subtask be?", "add subtasks to {ref}: {blank}"),
    ),
)
