"""Rules for completing, reopening and deleting tasks, and for whole projects."""

from __future__ import annotations

import re

from todo_tui.providers.offline.intents import (
    Act,
    BadDate,
    Deed,
    Incomplete,
    Intent,
    Leave,
    Move,
    Regroup,
)
from todo_tui.providers.offline.rules.pattern import Build, Rule, Slots, act, lacks, named, names_in

_NOT_YET = re.compile(
    r"\s(?:after|before|when|once|if|unless|until|till|during|while|in|on|at|by|tonight|this"
    r"|next|later|again|from|instead)\b",
    re.IGNORECASE,
)
"""What says of a deed that it is to come: `do the report after lunch`."""
_GROUP = r"(?:project|list|folder|category)"
_NAMED = r"(?:called |named )?"

NEGATED = (
    Rule(
        r"(?:do not|don't|never|please don't|you (?:must|should)(?: not|n't)|no need to) "
        r"(?:(?:ever|you dare|actually|really|yet) )?"
        r"(?:(?!forget)(?:DELETE|MOVE)|complete|finish|close|mark|tick|check|rename|tag"
        r"|touch|do|undo|reopen|untag"
        r"|add|remind me(?: to| about)?|show|list) {ref}",
        lambda slots: Leave(slots["ref"]),
    ),
    Rule(r"(?:never ?mind|forget about it,) {ref}", lambda slots: Leave(slots["ref"])),
    Rule(
        r"(?:keep|leave) {ref}(?: (?:as (?:it|they) (?:is|are)|alone|open|where (?:it"
        r"|they) (?:is|are)|on (?:my|the) list))",
        lambda slots: Leave(slots["ref"]),
    ),
)

UNFINISHED = (
    Rule(
        r"(?:i|we)(?:'ve|'m| have| am| are)? (?:just |only )?(?:almost|nearly|half|partly"
        r"|not quite|not really"
        r"|just about|halfway|nowhere near|still not) {ref}",
        lambda slots: Leave(slots["ref"]),
    ),
)


def _done(slots: Slots) -> Intent | None:
    return None if _NOT_YET.search(slots["ref"]) else Act(Deed.COMPLETE, slots["ref"])


FINISHING = (
    Rule(
        r"(?:set|change) (?:the )?(?:status|state) (?:of|for|on) {ref} (?:to|as) DONE",
        act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:set|change) (?:the )?(?:status|state) (?:of|for|on) {ref} (?:to|as) (?:in progress"
        r"|doing|started)",
        act(Deed.BEGIN),
    ),
    Rule(
        r"(?:mark|set|check off|tick off|cross off)(?: (?:something|one|a task))?(?: as DONE"
        r"| DONE)?",
        lambda _: Incomplete("Which task?", "complete {}"),
    ),
    Rule(
        r"(?:i'm |i am |i've |i |we're |it's |that's |all )?(?:just |now |already )?(?:done"
        r"|finished|did it|did that)(?: it| that| now| already)?",
        lambda _: Act(Deed.COMPLETE, "it"),
    ),
    Rule(
        r"(?P<verb>delete|remove|rename|complete|finish|reopen|move|reschedule|postpone|tag"
        r"|untag|prioriti[sz]e|uncheck)"
        r"(?: (?:a|an|one|some|my) (?:tasks?|to-?dos?|items?)| something| one)?",
        lambda slots: Incomplete("Which task?", f"{slots['verb']} {{}}"),
    ),
    Rule(
        r"(?:reopen|re-open|un-?check|un-?tick|un-?mark|uncomplete|un-complete|unfinish|reactivate"
        r"|revive|restore|recover"
        r"|bring back|undelete|un-delete|unarchive) {ref}(?: back)?(?: (?:again"
        r"|from the trash|to (?:my|the) list))?",
        act(Deed.REOPEN),
    ),
    Rule(
        r"(?:mark|set|put|change|make|turn|flag|move) {ref} (?:as|to|back to|back as"
        r"|back)? ?(?:being )?OPENED(?: again)?",
        act(Deed.REOPEN),
    ),
    Rule(
        r"(?:put|bring|get|take) {ref} back(?: (?:on|onto|to|in|into|from) (?:LIST|the trash))?",
        act(Deed.REOPEN),
    ),
    Rule(
        r"{ref}(?: isn't| is not| wasn't| was not| aren't| are not|'s not)(?: actually"
        r"| really)? (?:yet )?DONE(?: yet| after all)?",
        act(Deed.REOPEN),
    ),
    Rule(
        r"(?:mark|set|flag|change|put|move|list|make|call|consider) {ref} (?:as |to |off as "
        r"|down as |to be )*(?:being )?DONE(?: now| already)?",
        act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:mark|set|flag|change|put|move) {ref} (?:as |to )?(?:in progress|in-progress"
        r"|started|begun|doing|ongoing|underway)",
        act(Deed.BEGIN),
    ),
    Rule(
        r"(?:mark|set|flag|change|put) {ref} (?:as |to )?(?:cancell?ed|abandoned|obsolete)",
        act(Deed.CALL_OFF),
    ),
    Rule(r"(?:check|tick|cross|strike|scratch|mark) off {ref}", act(Deed.COMPLETE)),
    Rule(r"(?:cross|strike|scratch) out {ref}", act(Deed.COMPLETE)),
    Rule(
        r"{ref}(?: is| are| was| were| has been| have been|'s been|'s)(?: now| all| already)*"
        r" (?:taken care of|sorted|sorted out|dealt with|out of the way)",
        act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:check|tick|cross|strike|scratch|mark|take) {ref} (?:off|off as done"
        r"|out)(?: (?:of )?LIST)?",
        act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:mark|set|tick) {ref} (?:as |off )?DONE,? (?:but|and) not (?P<out>.+)",
        lambda slots: Act(Deed.COMPLETE, f"{slots['ref']} but not {slots['out']}"),
    ),
    Rule(r"mark DONE:? {ref}", act(Deed.COMPLETE)),
    Rule(r"(?:done|finished|completed|all done)(?: with|:| -)? {ref}", act(Deed.COMPLETE)),
    Rule(
        r"(?:i'm|i am|we're|we are|am)(?: now| all| finally| already)? (?:done"
        r"|finished)(?: with)? {ref}",
        act(Deed.COMPLETE),
    ),
    Rule(
        r"{ref}(?: is| are| was| were| has been| have been|'s| got|:| -|,)?"
        r"(?: now| all| already| finally| also| both)* DONE(?: now| already| too)?",
        act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:complete|tick|close out|close off) {ref}",
        act(Deed.COMPLETE),
        strong=False,
    ),
    Rule(
        r"(?:finish|finish off|finish up|close|resolve|wrap up|accomplish|check) {ref}",
        act(Deed.COMPLETE),
        strong=False,
    ),
    Rule(r"do {ref} (?:first|next|before (?:anything|everything) else)", act(Deed.PLACE, "top")),
    Rule(
        r"(?:do|finish|handle|tackle) {ref} (?:later(?: on)?|some other (?:day|time)|another (?:day"
        r"|time)|some ?time|soon|eventually|not now)",
        lacks("Which day shall I move it to?", "move {ref} to {blank}"),
        strong=False,
    ),
    Rule(r"do {ref}", _done, strong=False),
    Rule(
        r"(?:i'm|i am|we're|we are) (?:currently |now |already |just )?(?:working on|doing"
        r"|starting(?: on| with)?|busy with) {ref}",
        act(Deed.BEGIN),
    ),
    Rule(
        r"(?:start working on|begin working on|start on|begin with|start with|start|begin|resume)"
        r" {ref}",
        act(Deed.BEGIN),
        strong=False,
    ),
)

REMOVING = (
    Rule(r"(?:put|bring|get) {ref} back (?:on|onto|to|in|into) LIST", act(Deed.REOPEN)),
    Rule(
        r"(?:remove|delete|clear|erase|drop|take) (?:everything|all|all (?:of )?(?:the "
        r"|my )?(?:tasks|items|things)|every (?:task|item)) "
        r"(?:from|out of|in) {name}",
        lambda slots: Act(Deed.DELETE, f"everything in {slots['name']}"),
    ),
    Rule(
        r"(?:remove|take|get|clear|wipe|kick) {ref} (?:off|from|off of)(?: of)? LIST",
        act(Deed.DELETE),
    ),
    Rule(
        r"(?:move|put|send|throw|toss|chuck) {ref} (?:to|in|into|in to) (?:the )?(?:trash"
        r"|bin|garbage|wastebasket)",
        act(Deed.DELETE),
    ),
)

DELETING = (
    Rule(
        r"(?:i|we) (?:don't|do not|no longer|never) need (?:to )?{ref}(?: (?:any ?more"
        r"|any longer|now))?",
        lambda slots: Act(Deed.DELETE, slots["ref"], ask=True),
    ),
    Rule(r"remove {ref} from (?:the |my )?{name}", named(Deed.UNFILE), strong=False),
    Rule(r"DELETE {ref}(?: again)?", act(Deed.DELETE), strong=False),
    Rule(
        r"(?P<ref>.+?) (?:can go|can be (?:deleted|removed|dropped)|is no longer (?:needed"
        r"|necessary|relevant))",
        act(Deed.DELETE),
    ),
)

MOVING = (
    Rule(
        r"{ref} (?:belongs|goes|should go) (?:to|under|into|in|with) {place}",
        lambda slots: Move(slots["ref"], slots["place"]),
        strong=False,
    ),
    Rule(
        r"(?:move|transfer|shift|file) {ref} (?:to|into|under) {place}",
        lambda slots: Move(slots["ref"], slots["place"], sure=True),
        strong=False,
    ),
    Rule(
        r"(?:move|put|transfer|shift|file|place|stick) {ref} (?:to|in|into|under|onto) {place}",
        lambda slots: Move(slots["ref"], slots["place"]),
        strong=False,
    ),
    Rule(
        r"(?:reschedule|postpone|delay|defer|push|snooze|put off|schedule) {ref} (?:to|until"
        r"|till|for|on) {place}",
        lambda slots: BadDate(slots["place"]),
        strong=False,
    ),
    Rule(
        r"(?:set|change) (?:the )?DATE (?:of|for|on) {ref} to {place}",
        lambda slots: BadDate(slots["place"]),
    ),
    Rule(
        r"(?:put|push|move|set|shift) {ref} (?:off|back|out|later)",
        lacks("Which day shall I move it to?", "move {ref} to {blank}"),
        strong=False,
    ),
    Rule(
        r"(?:postpone|reschedule|delay|snooze|defer|put off|push back|push off|push|bump)(?: back"
        r"| off| out)? {ref}",
        lacks("Which day shall I move it to?", "move {ref} to {blank}"),
        strong=False,
    ),
    Rule(
        r"move {ref}",
        lacks("Which day shall I move it to?", "move {ref} to {blank}"),
        strong=False,
    ),
)


def _regrouped(*, sure: bool) -> Build:
    def build(slots: Slots) -> Intent | None:
        old, new = names_in(slots["old"]), names_in(slots["new"])
        alone = old and new and "," not in old + new
        return Regroup(old, new, sure=sure) if alone else None

    return build


def _retagged(slots: Slots) -> Intent | None:
    old = names_in(slots.get("old") or slots.get("was") or "")
    new = names_in(slots.get("new") or slots.get("now") or "")
    return Regroup(old, new, sure=True, tag=True) if old and new else None


WHOLE_PROJECTS = (
    Rule(
        rf"(?:rename|retitle|change(?: the name of)?) (?:the |my )?{_GROUP} {_NAMED}"
        rf"(?P<old>[^ ]+(?: [^ ]+)?) (?:to|as|into) (?:the |a )?(?:{_GROUP} )?{_NAMED}(?P<new>.+)",
        _regrouped(sure=True),
    ),
    Rule(
        rf"(?:rename|retitle|change) (?:the |my )?(?P<old>[^ ]+) {_GROUP} (?:to|as|into) "
        rf"(?:the |a )?(?P<new>[^ ]+)(?: {_GROUP})?",
        _regrouped(sure=True),
    ),
    Rule(
        r"(?:rename) (?P<old>#(?!\d)[^ ]+) (?:to|as|into) (?P<new>#?[^ ]+)",
        _regrouped(sure=True),
    ),
    Rule(
        r"(?:rename|retitle|change|retag|replace) (?:the )?(?:tag|label) (?P<old>@?[^ ]+)"
        r" (?:to|as|into|with|by) (?:the )?(?:tag |label )?(?P<new>@?[^ ]+)",
        _retagged,
    ),
    Rule(
        r"(?:rename|retag|retitle) (?P<old>@[^ ]+) (?:to|as|into|with) (?P<new>@?[^ ]+)"
        r"|retag (?P<was>[^ ]+) (?:to|as|into|with) (?P<now>[^ ]+)",
        _retagged,
    ),
    Rule(
        rf"(?:merge|fold|combine) (?:the |my )?(?:{_GROUP} )?(?P<old>[^ ]+)(?: {_GROUP})? (?:in ?to"
        rf"|with|in) (?:the |my )?(?:{_GROUP} )?(?P<new>[^ ]+)(?: {_GROUP})?",
        _regrouped(sure=False),
        strong=False,
    ),
    Rule(
        rf"DELETE (?:the |my )?(?:whole |entire )?{_GROUP} {_NAMED}(?P<old>[^ ]+)",
        lambda slots: Act(Deed.DELETE, f"everything in project {names_in(slots['old'])}", ask=True),
    ),
    Rule(
        r"DELETE (?:the |my )(?:whole |entire )?(?P<old>[^ ]+) (?:project|folder|category)",
        lambda slots: Act(Deed.DELETE, f"everything in project {names_in(slots['old'])}", ask=True),
    ),
)
