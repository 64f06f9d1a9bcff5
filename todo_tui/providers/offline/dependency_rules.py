"""The grammar of what waits for what, and of why a task comes first."""

from __future__ import annotations

import re

from todo_tui.providers.offline.builders import act, lacks
from todo_tui.providers.offline.intents import Act, Deed
from todo_tui.providers.offline.pattern import Build, Rule
from todo_tui.providers.offline.structure_words import ID, linked


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
