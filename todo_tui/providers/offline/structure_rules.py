"""The grammar of structure: subtasks, what waits for what, places, occurrences, remarks."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.providers.offline.builders import act, lacks, value
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Deed,
    Incomplete,
    Intent,
    Links,
    LinkSide,
    RestoreLast,
    Shape,
    Why,
)
from todo_tui.providers.offline.pattern import Build, Rule, Slots

_SUB = r"(?:sub-? ?tasks?|children|child(?: tasks?)?|sub-?items?|sub-?steps?|steps?|parts?)"
_A_SUB = (
    r"(?:an? |the )?(?:sub-? ?task|child(?: task)?|sub-?item|sub-?step|step|part|piece|component)"
)
_BELOW = r"(?:under|underneath|beneath|inside|within|below)"
_ID = r"(?:#|task #?|number )\d+"
_MAKE = r"(?:make|turn|set|have|let|mark|put)"
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
_MISSED = re.compile(
    r"^(?:all (?:the |of the )?|the |any )?missed (?:(?:occurrences?|ones?|dates?|times?|days?)"
    r" (?:of|for) )?(?:the )?",
    re.IGNORECASE,
)


_CUT_SHORT = re.compile(r"(?:^|\s)(?:its|their|the|all|and|of|my|a|an)$", re.IGNORECASE)
"""How words end that name nothing by themselves."""


def _parts(slots: Slots) -> Intent:
    return Add(slots["item"], parent=slots["ref"])


def _list_of_parts(slots: Slots) -> Intent:
    return Add(slots["item"], parent=slots["ref"], listed=True)


def _at(word: str) -> Build:
    return lambda slots: Act(Deed.PLACE, slots["ref"], f"{word} {slots['other']}")


def _linked(deed: Deed) -> Build:
    def build(slots: Slots) -> Intent | None:
        cut = _CUT_SHORT.search(slots["ref"])
        return None if cut else Act(deed, slots["ref"], slots["other"])

    return build


def _reversed_link(deed: Deed) -> Build:
    return lambda slots: Act(deed, slots["other"], slots["ref"])


def _skip(slots: Slots) -> Intent | None:
    """`skip this week's gym`: the words for its date are those of the value."""
    words = slots["ref"]
    if missed := _MISSED.match(words):
        return Act(Deed.SKIP, words[missed.end() :].strip() or "it", "missed")
    when = ""
    if found := _TIMELY.match(words):
        words, when = words[found.end() :], found["when"] or ""
    if found := _TIMELY_END.search(words):
        words, when = words[: found.start()], when or found["when"]
    return Act(Deed.SKIP, words.strip(), when) if words.strip() else None


_ONCE = re.compile(r"(?:now|once|this|today|tonight|tomorrow|just)\b", re.IGNORECASE)


def _not_so_many(slots: Slots) -> Intent | None:
    """More than one occurrence at once, which no tool skips."""
    if _ONCE.match(slots["rest"] or ""):
        return None
    return Incomplete(
        "I skip one date at a time, or all missed ones. Say “skip …” again for one more, or “move "
        "… to” the day when it shall go on. Nothing was changed.",
        "",
        slots["ref"],
    )


def _omitted(slots: Slots) -> Intent | None:
    """`no gym this week`: said of what repeats it is a wish."""
    intent = _skip({"ref": f"{slots['ref']} {slots['late']}"})
    return replace(intent, ask=True) if isinstance(intent, Act) else None


def _from_trash(slots: Slots) -> Intent | None:
    return Act(Deed.REOPEN, slots["ref"], "trash")


def _sided(side: LinkSide) -> Build:
    return lambda slots: Links(slots["ref"], side)


def _below(slots: Slots) -> Intent:
    return Links(slots["ref"], LinkSide.BELOW)


ADDING_BELOW = (
    Rule(
        rf"(?:add|create|give|write|put|new)(?: me)? ?(?:some |the |these "
        rf"|the following |new |a |an "
        rf"|another |two |three |four |five )*{_SUB} (?:to|under|for|below|of) {{ref}}: ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:give|add to) {{ref}} (?:the |these |some |the following |a |an |another |two |three "
        rf"|four |five |\d+ )*{_SUB}:? "
        rf"{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|put|make) {{item}} as (?:a |an |the |another |new )*{_SUB} "
        rf"(?:to|of|under|for|below|in) {{ref}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|make) (?:a |an |another |the |new )*{_SUB}(?: called| named|:)? {{item}} "
        rf"(?:to|under|for|of|below|in) {{ref}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|make) (?:a |an |another |the |new )*{_SUB} (?:to|under|for|of|below|in) "
        rf"{{ref}} (?:called|named|to) {{item}}",
        _parts,
    ),
    Rule(
        rf"(?:add|create|put) {{item}} (?:{_BELOW}|to|in|into|for) (?:the )?(?P<ref>{_ID})",
        _parts,
    ),
    Rule(
        rf"(?:add|create|put) {{item}} {_BELOW} (?P<ref>it|that|that one|this|this one|\d+)",
        _parts,
    ),
    Rule(
        rf"{_BELOW} {{ref}},? (?:please )?(?:add|create|put):? {{item}}",
        _parts,
    ),
    Rule(
        rf"(?:add|put) {_BELOW} {{ref}}: ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|put) (?:under|to|for) (?P<ref>{_ID}|it|that): ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:break|split|divide|cut|separate)(?: up| down)? {{ref}}(?: up| down)? (?:into|in to"
        rf"|in|as|to)\b(?: (?:the |these |some )?(?:\w+ )?{_SUB})?:? ?{{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"{{ref}} (?:consists of|has (?:the |these |two |three |four |five )?{_SUB}:?"
        rf"|is made up of|needs (?:the |these )?{_SUB}:?) {{item}}",
        _list_of_parts,
    ),
    Rule(
        rf"(?:add|create|make)(?: an?| another| the| some| a new| new)? {_SUB}"
        rf"(?: (?:to|under|for|of) (?P<ref>[^:]+))?: ?(?P<item>.+)",
        lambda slots: Add(slots["item"], parent=slots["ref"] or "it", listed=True),
        strong=False,
    ),
    Rule(
        rf"(?:break|split|divide)(?: up| down)? {{ref}}(?: up| down)?(?: into {_SUB})?",
        lacks("Which parts shall it have?", "add subtasks to {ref}: {blank}"),
        strong=False,
    ),
    Rule(
        rf"(?:add|create|make)(?: an?| another| the| some| a new| new)? {_SUB} "
        rf"(?:to|under|for|of) {{ref}}",
        lacks("What shall the subtask be?", "add subtasks to {ref}: {blank}"),
    ),
)

NESTING = (
    Rule(
        rf"{_MAKE} {{ref}} (?:in ?to |as |to be |be |become )*{_A_SUB}s? (?:of|under|to|in"
        rf"|for|below) {{other}}",
        _linked(Deed.NEST),
    ),
    Rule(
        rf"{{ref}} (?:is|are|should be|belongs as|shall be|must be|becomes) {_A_SUB}s? (?:of"
        rf"|under|to|in) {{other}}",
        _linked(Deed.NEST),
    ),
    Rule(
        rf"(?:move|put|file|place|nest|indent|stick|drop|hang|tuck|bring|shift|transfer|attach) "
        rf"{{ref}} (?:{_BELOW}|in|into|to|onto) (?:the )?(?P<other>{_ID}(?: .+)?)",
        _linked(Deed.NEST),
    ),
    Rule(
        rf"(?:move|put|file|place|nest|indent|stick|drop|hang|tuck|attach) {{ref}} "
        rf"(?:{_BELOW}|in|into) (?P<other>\d+|it|that|that one)",
        _linked(Deed.NEST),
    ),
    Rule(rf"(?:nest|tuck|hang|indent) {{ref}} {_BELOW} {{other}}", _linked(Deed.NEST)),
    Rule(
        r"(?:set|change|make) (?:the )?parent(?: task)? of {ref} (?:to|as|be) (?:none|nothing"
        r"|no one)",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:set|change|make) (?:the )?parent(?: task)? of {ref} (?:to|as|be) {other}",
        _linked(Deed.NEST),
    ),
    Rule(
        rf"{_MAKE} {{other}} (?:the )?parent(?: task)? of {{ref}}",
        _linked(Deed.NEST),
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
        rf"(?:take|move|get|pull|bring) {{ref}} out (?:of|from under) (?P<other>{_ID}|it|that"
        rf"|its parent)",
        act(Deed.NEST, "none"),
    ),
    Rule(
        r"(?:take|move|get|pull|bring|remove) {ref} (?:out )?from (?:under|below|beneath|inside) "
        r"(?P<other>.+)",
        act(Deed.NEST, "none"),
    ),
)

UNBLOCKING = (
    Rule(
        r"(?:unblock|un-block|free|release) {ref} from {other}",
        _linked(Deed.UNBLOCK),
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
        _linked(Deed.UNBLOCK),
    ),
    Rule(
        r"(?:remove|delete|clear|drop|cut) (?:the )?(?:dependency|dependencies|blockers?"
        r"|block|link) (?:of|from|for|on|between) {ref} (?:on|from|and|with|to|by) {other}",
        _linked(Deed.UNBLOCK),
    ),
    Rule(
        r"(?:remove|delete|clear|drop|cut) (?:all )?(?:the )?(?:dependency|dependencies|blockers?"
        r"|blocks?) (?:of|from|for|on) {ref}",
        act(Deed.UNBLOCK, "*"),
    ),
    Rule(
        r"(?:remove|take|drop) {other} (?:as|from being) (?:a |the )?(?:blocker|dependency) "
        r"(?:of|for|from) {ref}",
        _linked(Deed.UNBLOCK),
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
_UNTIL_DONE = (
    r"(?: (?:is|are|has been|was|gets|have been) (?:done|finished|complete|completed|over))?"
)

BLOCKING = (
    Rule(
        rf"(?:make|let|have|set) {{ref}} (?:to )?(?:wait (?:for|on|until)|depend on|dependent on"
        rf"|blocked (?:by|on)|(?:be )?blocked by|come after) {{other}}{_UNTIL_DONE}",
        _linked(Deed.BLOCK),
    ),
    Rule(
        rf"(?:block|hold|hold back|hold off|pause|stall)(?: off)? {{ref}} (?:until|till|by|on|with"
        rf"|for|before|behind) {{other}}{_UNTIL_DONE}",
        _linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:add|set|make|put|mark) {other} (?:as |to be |to |in )*(?:a "
        r"|the )?(?:blocker|dependency"
        r"|prerequisite|precondition|requirement) (?:of|for|to|on) {ref}",
        _linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:add|set|create|make|put) (?:a |the )?(?:dependency|blocker|link) (?:of|from|for|to"
        r"|between|on) {ref} (?:on|to|and|by|with|:) ?{other}",
        _linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:mark|set|flag) {ref} (?:as )?(?:blocked|waiting|dependent) (?:by|on|for) {other}",
        _linked(Deed.BLOCK),
    ),
    Rule(r"{ref} blocks {other}", _reversed_link(Deed.BLOCK)),
    Rule(
        rf"(?:do|start|begin|tackle|handle|plan|schedule) (?P<ref>{_ID}|\d+|it"
        rf"|that) (?:only )?(?:after"
        rf"|once|when) (?P<other>{_ID}|\d+)(?: (?:is|are) (?:done|finished|complete|completed))?",
        _linked(Deed.BLOCK),
    ),
    Rule(
        r"(?:do|start|begin|tackle|handle) {ref} (?:only )?(?:after|once"
        r"|when) {other} (?:is|are|has"
        r" been) (?:done|finished|complete|completed)",
        _linked(Deed.BLOCK),
    ),
    Rule(
        r"{ref} (?:needs|requires) {other} (?:first|before that|done first"
        r"|to be (?:done|finished)(?: first)?)",
        _linked(Deed.BLOCK),
    ),
    Rule(
        rf"(?:do not|don't|never) (?:start|begin|tackle) {{ref}} (?:before|until|till|unless)"
        rf" {{other}}{_UNTIL_DONE}",
        _linked(Deed.BLOCK),
    ),
    Rule(
        rf"{{ref}} {_DEPENDING} {{other}}{_UNTIL_DONE}",
        _linked(Deed.BLOCK),
    ),
)

PLACING = (
    Rule(
        r"(?:move|put|place|bring|shift|send|drag|order|rank|sort|get|pin) {ref} (?:up |right |all "
        r"the way |back )*(?:to|at|on|onto) (?:the )?(?:very )?(?:top|front|beginning|start|head)"
        r"(?: of (?:LIST|it|them|all))?",
        act(Deed.PLACE, "top"),
    ),
    Rule(
        r"(?:move|put|place|bring|shift|send|drag|order|rank|sort|get) {ref} (?:down |right |all "
        r"the way |back )*(?:to|at|on|onto) (?:the )?(?:very )?(?:bottom|end|back|tail)"
        r"(?: of (?:LIST|it|them|all))?",
        act(Deed.PLACE, "bottom"),
    ),
    Rule(
        r"(?:move|put|place|list|rank|order) {ref} (?:first|on top|at number one)(?: in LIST)?",
        act(Deed.PLACE, "top"),
    ),
    Rule(r"(?:move|put|place|list|rank|order) {ref} last(?: in LIST)?", act(Deed.PLACE, "bottom")),
    Rule(
        r"(?:move|put|place|shift|drag|order|rank|sort|bring|list|slot|insert) {ref} (?:to )?"
        r"(?:right |just |directly |immediately |up |down )*(?:before|above|ahead of|in front of"
        r"|over|on top of) {other}",
        _at("before"),
    ),
    Rule(
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
    Rule(
        r"(?:skip|leave out) {ref} (?:until|till|for|the next|twice|thrice|\d+ times|two times"
        r"|three times)(?: (?P<rest>.+))?",
        _not_so_many,
    ),
    Rule(r"(?:skip|leave out|miss out on|pass on|sit out) {ref}", _skip, strong=False),
    Rule(
        r"(?:change|switch|move|update|set|turn|alter) {ref}(?:'s (?:rhythm|repeat|schedule"
        r"|recurrence))? (?:to|into) (?:repeat |recur |be |happen )?{repeat}",
        value(Deed.REPEAT, "repeat"),
    ),
    Rule(
        r"no (?P<ref>[^ ]+(?: [^ ]+){0,3}?) (?P<late>this (?:week|month|time|year)|today|tomorrow)",
        _omitted,
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

FAMILY_FINISHING = (
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) {{ref}}(?: as done)? "
        rf"(?:and|with|including|along with|together with|plus) (?:all )?(?:of )?(?:its|the|their"
        rf"|all|every) ?(?:open |remaining )?{_SUB}(?: as done)?(?: too| as well)?",
        act(Deed.COMPLETE, "close"),
    ),
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) {{ref}}(?: as done)? "
        rf"(?:and|with|including|along with|together with|plus) (?:everything|all|anything"
        rf"|all tasks|the tasks) (?:{_BELOW}|in|below) (?:it|them|that)(?: as done)?"
        rf"(?: too| as well)?",
        act(Deed.COMPLETE, "close"),
    ),
    Rule(
        rf"(?:complete|finish|tick off|tick|close|check off|mark|do) (?:only |just )?{{ref}}"
        rf"(?: as done)?(?:,? (?:but|and))? (?:leave|keep|leaving|keeping|without|not|but not)"
        rf" (?:completing |closing |its |the |their |any |all )*{_SUB}(?: open| alone"
        rf"| as they are)?",
        act(Deed.COMPLETE, "leave"),
    ),
    Rule(
        r"(?:complete|finish|tick off|tick|close|check off) (?:only|just) (?:the parent )?{ref}"
        r"(?: itself| alone| on its own)?",
        act(Deed.COMPLETE, "leave"),
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

RESTORING = (
    Rule(
        r"(?:restore|recover|bring back|undelete|un-delete|get back|put back|take back|reopen"
        r"|retrieve) (?:the |my )?(?:(?:last|latest|most recently|previously|newest|just|recently"
        r"|most recent) )+(?:deleted|trashed|removed)(?: (?:task|one|item|thing|to-?do))?"
        r"(?: (?:from|out of) the trash)?",
        lambda _: RestoreLast(),
    ),
    Rule(
        r"(?:restore|recover|bring back|undelete|un-delete|get back|put back|retrieve) (?:the )?"
        r"(?:task |one |thing |what |whatever )?(?:that )?(?:i|you|we) (?:just |last |recently )*"
        r"(?:deleted|removed|trashed)(?: last| just now)?",
        lambda _: RestoreLast(),
    ),
    Rule(
        r"(?:restore|recover|undelete) (?:the )?last(?: one| task| deletion)?(?: (?:from|in|out of)"
        r" the trash)?",
        lambda _: RestoreLast(),
    ),
    Rule(
        r"(?:restore|recover|bring back|undelete|un-delete|get back|put back|reopen|rescue|retrieve"
        r"|take out|take|get|pull|fetch|move|bring|put) (?!back\b"
        r"|out\b){ref} (?:back )?(?:out of|out"
        r" from|from|that (?:is|are) in) (?:the |my )?(?:trash|bin|trash can)(?: (?:again|back"
        r"|to (?:my|the) list))?",
        _from_trash,
    ),
    Rule(r"(?:undelete|un-delete) {ref}", _from_trash),
    Rule(
        r"(?:restore|recover) (?P<ref>everything|all|all (?:of )?(?:it|them|tasks|the tasks))",
        _from_trash,
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
        r"(?:what|which tasks?|who|anything)(?:'s| is| are)? (?:blocks|blocking|holding up|holding"
        r"|stopping|keeping back|holding back|in the way of) {ref}(?: (?:up|back))?",
        _sided(LinkSide.BLOCKERS),
    ),
    Rule(
        r"(?:what|which tasks?) blocks? {ref}",
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
    Rule(r"(?:is|are) {ref} (?:still |currently )?blocked", _sided(LinkSide.BLOCKERS)),
    Rule(
        r"(?:what|which tasks?|who|anything)(?: is| are|'s)? (?:waits? (?:for"
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
        rf"(?:what|which)(?: are|'re| is)? (?:the |all )*(?:open )?{_SUB} (?:of|does|do|are in"
        rf"|belong to|under|in|has) {{ref}}(?: have| has)?",
        _below,
    ),
    Rule(
        rf"(?:show|list|see|view|display|give me|open|tell me)(?: me)? (?:the |all |all the "
        rf"|every )?(?:open )?{_SUB} (?:of|under|for|in|below) {{ref}}",
        _below,
    ),
    Rule(
        rf"(?:show|list|see|view|display|what(?:'s| is)|what do i have|open)(?: me)?"
        rf"(?: everything| all| all tasks| the tasks| tasks)? {_BELOW} (?:the )?"
        rf"(?P<ref>{_ID}|\d+|it|that)",
        _below,
    ),
    Rule(
        rf"how many (?:open )?{_SUB} (?:does|do|has|are (?:there )?(?:in|under|of)) {{ref}}"
        rf"(?: have| has)?",
        _below,
    ),
    Rule(
        r"how far (?:am i|are we|is|along am i) (?:with |along with |on |in )?{ref}",
        _below,
    ),
)

_TOP = (
    r"(?:(?:so |the |at the |on |my |number |ranked |listed |on the )*(?:first|top|one|next|urgent"
    r"|high up|important|pressing|at the top|up there|up first|on top)(?: (?:on|in|of) LIST)?"
    r"(?: task| thing| one)?)"
)

WHY = (
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

SHOWING_VIEWS = (
    Rule(
        r"(?:show|open|use|apply|switch to|go to|display|see|list|bring up"
        r"|load)(?: me)? (?:the |my )?"
        r"(?:saved )?view (?:called |named )?(?P<name>.+)",
        lambda slots: Ask(Shape.LIST, "", raw=_view(slots["name"]), show=True),
    ),
    Rule(
        r"(?:show|open|use|apply|switch to|go to|display|bring up|load)(?: me)? (?:the |my )?"
        r"(?P<name>[^ ]+(?: [^ ]+)?) view",
        lambda slots: Ask(Shape.LIST, "", raw=_view(slots["name"]), show=True),
    ),
    Rule(
        r"(?:show me|show|display|list|see|view|give me) (?:only|just|nothing but) {loose}"
        r"(?: in LIST)?",
        lambda slots: Ask(Shape.LIST, slots["loose"], show=True),
    ),
    Rule(
        r"(?:only|just) (?:show|display|list|give)(?: me)? {loose}(?: in LIST)?",
        lambda slots: Ask(Shape.LIST, slots["loose"], show=True),
    ),
    Rule(
        r"(?:filter|narrow|limit|restrict|reduce)(?: LIST| it| tasks| down| this)*"
        r"(?: (?:by|for|to|on|down to|with)):? (?:only |just |show )?{loose}",
        lambda slots: Ask(Shape.LIST, slots["loose"], show=True),
    ),
    Rule(
        r"filter(?: LIST| tasks)?:? {strict}",
        lambda slots: Ask(Shape.LIST, slots["strict"], show=True),
    ),
    Rule(
        r"(?:show|display|put|open|bring up|filter)(?: me)? {loose} (?:in|on|into) (?:the|my)"
        r" (?:task |to-?do )?(?:list|pane|screen|view|left|right|side)(?: pane| side)?",
        lambda slots: Ask(Shape.LIST, slots["loose"], show=True),
    ),
)


def _view(name: str) -> str:
    plain = name.strip().strip("\"'“”")
    return f'view:"{plain}"' if " " in plain else f"view:{plain}"


UNFILTERING = (
    Rule(
        r"(?:clear|remove|reset|drop|delete|turn off|take off|undo) (?:the |my |this )?filters?"
        r"(?: (?:in|of|from|on) LIST)?|(?:show|list) (?:me )?(?:everything|all|all tasks"
        r"|the whole list|all my tasks) (?:again|in LIST)",
        lambda _: Ask(Shape.LIST, "", show=True),
    ),
)

PURGING = (
    Rule(
        r"(?:empty|purge|clear|clean(?: out)?|wipe|delete|erase|flush|take out)(?: everything in"
        r"| all in| out)? (?:the |my )?(?:trash|bin|trash can|recycle bin|wastebasket|deleted"
        r" tasks)(?: (?:for good|for ever|forever|permanently|completely))?",
        lambda _: Incomplete(
            "I can put tasks into the trash and take them out again, but what is in it I cannot "
            "erase. In the list, open the trash view ([ and ]) and press P on a task; in the "
            "shell, `todo-tui purge --all` erases all of it for good.",
            "",
        ),
    ),
    Rule(
        r"(?:purge|permanently (?:delete|remove|erase)|erase (?=.* for (?:good|ever))) {ref}"
        r"(?: for good| forever| for ever| permanently)?",
        lambda _: Incomplete(
            "I delete into the trash only, from where it can come back. To erase a task for good, "
            "press P on it in the trash view, or say `todo-tui purge` with its number in the "
            "shell.",
            "",
        ),
    ),
)
