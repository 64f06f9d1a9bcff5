"""The grammar of changes: complete, delete, rename, reschedule, tag and the like."""

from __future__ import annotations

import re

from todo_tui.providers.offline.intents import Act, BadDate, Deed, Incomplete, Intent, Leave, Move
from todo_tui.providers.offline.pattern import Build, Rule, Slots

LEVELS = {
    "high": "high", "top": "high", "highest": "high", "urgent": "high", "important": "high",
    "critical": "high", "very high": "high", "very important": "high", "very urgent": "high",
    "more urgent": "raise", "more important": "raise", "higher": "raise", "less urgent": "lower",
    "less important": "lower", "lower": "lower", "medium": "medium", "normal": "medium",
    "mid": "medium", "middle": "medium", "moderate": "medium", "low": "low", "lowest": "low",
    "unimportant": "low", "not urgent": "none", "not important": "none", "no": "none",
    "none": "none", "p1": "high", "p2": "medium", "p3": "low", "!high": "high",
    "!medium": "medium", "!low": "low", "!!!": "high", "!!": "medium",
}  # fmt: skip
"""Words for a priority, and the one that they mean; `raise` and `lower` go by one step."""

_LEVEL_TAIL = re.compile(r"[- ]?(?:priority|prio|importance|urgency)$", re.IGNORECASE)
_JOINS = re.compile(r"\s*(?:,|&|\band\b)\s*|\s+(?=[@#])", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:an?|one|another|half an?|\d+|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|a couple(?: of)?"
    r"|a few)\s*(?:more )?(?:minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?"
    r"|years?|fortnights?)",
    re.IGNORECASE,
)


def level_of(words: str) -> str:
    """The priority that words mean, or nothing."""
    plain = words.strip().casefold()
    return LEVELS.get(plain) or LEVELS.get(_LEVEL_TAIL.sub("", plain), "")


def unlabelled(words: str) -> str:
    """A thing without the article that a title has no use for: `a haircut` is Haircut."""
    return re.sub(r"^(?:an?|the|some) ", "", words, flags=re.IGNORECASE)


def is_span(words: str) -> bool:
    """Whether words are a length of time: `a week`, `2 days`."""
    return _SPAN.fullmatch(words.strip()) is not None


def names_in(words: str) -> str:
    """Names of tags or projects, joined with commas, their marks gone."""
    bare = re.sub(
        r"^(?:the |tags? |labels? |called |named )+|(?: tags?| labels?)$",
        "",
        words.strip(),
        flags=re.I,
    )
    names = (name.strip().lstrip("@#").strip() for name in _JOINS.split(bare))
    return ",".join(dict.fromkeys(name.replace(" ", "-") for name in names if name))


def _act(deed: Deed, value: str = "") -> Build:
    return lambda slots: Act(deed, slots["ref"], value)


def _due(slots: Slots) -> Intent:
    return Act(Deed.DUE, slots["ref"], slots["when"])


def _scheduled(slots: Slots) -> Intent:
    title = unlabelled(slots["ref"])
    return Act(Deed.DUE, slots["ref"], slots["when"], f"{title} {slots['when']}")


def _it_due(slots: Slots) -> Intent:
    return Act(Deed.DUE, "it", slots["when"])


def _shift(direction: str) -> Build:
    def build(slots: Slots) -> Intent:
        span = re.sub(r"^another ", "1 ", slots["span"], flags=re.IGNORECASE)
        return Act(Deed.SHIFT, slots["ref"], f"{span.replace(' more ', ' ')} {direction}")

    return build


def _level(slots: Slots) -> Intent | None:
    level = level_of(slots["level"])
    return Act(Deed.PRIORITY, slots["ref"], level) if level else None


def _named(deed: Deed) -> Build:
    def build(slots: Slots) -> Intent | None:
        names = names_in(slots["name"])
        return Act(deed, slots["ref"], names) if names else None

    return build


def _value(deed: Deed, slot: str) -> Build:
    return lambda slots: Act(deed, slots["ref"], slots[slot])


def _lacks(question: str, template: str) -> Build:
    return lambda slots: Incomplete(
        question, template.format_map({**slots, "blank": "{}"}), slots["ref"]
    )


NEGATED = (
    Rule(
        r"(?:do not|don't|never|please don't|you (?:must|should)(?: not|n't)|no need to) "
        r"(?:(?:ever|you dare|actually|really|yet) )?"
        r"(?:(?!forget)(?:DELETE|MOVE)|complete|finish|close|mark|tick|check|rename|tag"
        r"|touch|do|undo|reopen|untag"
        r"|add|remind me(?: to| about)?|show|list) {ref}",
        lambda slots: Leave(slots["ref"]),
    ),
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

REPEATS = (
    Rule(r"(?:stop|keep|prevent) {ref} from (?:repeating|recurring)", _act(Deed.REPEAT, "none")),
    Rule(
        r"(?:stop|end|quit|cancel) (?:the )?(?:repeat(?:ing)?|recur(?:ring)?|repetition|recurrence)"
        r"(?: (?:of|for|on))? {ref}",
        _act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop) (?:the )?(?:repeat|repetition|recurrence|schedule"
        r"|repeat rule) OF {ref}",
        _act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:make|set|let|have) {ref} (?:to )?(?:not (?:repeat|recur|repeating"
        r"|recurring)(?: any ?more)?"
        r"|stop (?:repeating|recurring)|non-?recurring|one-off|an? one-off"
        r"|no longer (?:repeat|recur))",
        _act(Deed.REPEAT, "none"),
    ),
    Rule(r"(?:do not|don't) repeat {ref}(?: any ?more)?", _act(Deed.REPEAT, "none")),
    Rule(
        r"{ref} (?:no longer|should not|shouldn't|doesn't|does not|should stop"
        r"|should no longer|needn't)"
        r"(?: need to)? (?:repeats?|repeating|recurs?|recurring)(?: any ?more)?",
        _act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:make|set|let|have) {ref} (?:to )?(?:repeat|recur|repeating|recurring|happen|be"
        r"|a recurring task|due) "
        r"(?:on )?{repeat}",
        _value(Deed.REPEAT, "repeat"),
    ),
    Rule(r"(?:repeat|recur) {ref} {repeat}", _value(Deed.REPEAT, "repeat")),
    Rule(
        r"{ref} (?:should |must |needs to |shall |will |has to )?(?:repeats?|recurs?"
        r"|happens?|is due|be due) {repeat}",
        _value(Deed.REPEAT, "repeat"),
    ),
    Rule(r"(?:make|set) {ref} (?:to )?{repeat}", _value(Deed.REPEAT, "repeat")),
    Rule(
        r"(?:make|set) {ref} (?:to )?(?:repeat|recur|repeating|recurring|recurrent)",
        _lacks("How often should it repeat?", "repeat {ref} {blank}"),
    ),
)

NOTES = (
    Rule(
        r"(?:add|put|write|attach) {note} as (?:a |the )?(?:note|comment|remark) (?:to|on"
        r"|for|of) {ref}",
        _value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|attach|write|put|leave|make|set) (?:(?:a|the|this|another) )?(?:note"
        r"|comment|remark|annotation)s?"
        r" (?:to|on|for|about|of|in) {ref}(?: ?:| ?;|,| that says| saying| that reads| -| –"
        r"| —| to say| to) ?{note}",
        _value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|attach|write|put|leave) (?:(?:a|the|this|another) )?(?:note|comment|remark"
        r"|annotation)"
        r"(?: that says| saying| that| ?:)? {note} (?:to|on|for|under) {ref}",
        _value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|put|write) {note} (?:to|in|into|on) (?:the )?(?:notes?|comments?"
        r"|description) (?:of|for|on|to) {ref}",
        _value(Deed.NOTE, "note"),
    ),
    Rule(r"(?:note|comment|remark) (?:on|for|to) {ref}: ?{note}", _value(Deed.NOTE, "note")),
    Rule(r"annotate {ref}(?: with| that|:) ?{note}", _value(Deed.NOTE, "note")),
    Rule(
        r"(?:remove|delete|clear|erase) (?:the )?(?:notes?|comments?|description) OF {ref}",
        _act(Deed.NOTE, ""),
    ),
    Rule(
        r"(?:add|attach|write|put|leave) (?:a |the )?(?:note|comment|remark) (?:to|on|for) {ref}",
        _lacks("What should the note say?", "add a note to {ref}: {blank}"),
    ),
)

TAGS = (
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?:the )?(?:tags?|labels?) {name} FROM {ref}",
        _named(Deed.UNTAG),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?:all )?(?:the |its )?(?:tags"
        r"|labels) (?:from|off|of|on) {ref}",
        _act(Deed.UNTAG, "*"),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?:the )?{name} (?:tags?|labels?) FROM {ref}",
        _named(Deed.UNTAG),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?P<name>@[\w-]+(?:(?:,? and |, ?"
        r"| )@[\w-]+)*) FROM {ref}",
        _named(Deed.UNTAG),
    ),
    Rule(r"(?:untag|unlabel) {name} from {ref}", _named(Deed.UNTAG)),
    Rule(r"(?:untag|unlabel) {ref}(?: as| with|:) {name}", _named(Deed.UNTAG)),
    Rule(r"(?:untag|unlabel) {ref}", _act(Deed.UNTAG, "*")),
    Rule(
        r"(?:add|put|attach|apply|give|set|stick) (?:the |a |an )?(?:tags?"
        r"|labels?) {name} (?:to|on|onto|for) {ref}",
        _named(Deed.TAG),
    ),
    Rule(
        r"(?:add|put|attach|apply|stick) (?:the |a |an )?{name} (?:tags?|labels?) (?:to|on"
        r"|onto) {ref}",
        _named(Deed.TAG),
    ),
    Rule(
        r"(?:add|put|attach|apply|stick) (?P<name>@[\w-]+(?:(?:,? and |, ?"
        r"| )@[\w-]+)*) (?:to|on|onto) {ref}",
        _named(Deed.TAG),
    ),
    Rule(r"give {ref} (?:the |a |an )?(?:tags?|labels?) {name}", _named(Deed.TAG)),
    Rule(r"give {ref} (?:the |a |an )?{name} (?:tags?|labels?)", _named(Deed.TAG)),
    Rule(
        r"(?:tag|label|mark) {ref} (?:with|as|by|under)? ?(?:the )?(?:tags?|labels?) {name}",
        _named(Deed.TAG),
    ),
    Rule(r"(?:tag|label) {ref}(?: with| as| by| under|:) {name}", _named(Deed.TAG)),
    Rule(
        r"(?:tag|label|mark) {ref} (?:with |as )?(?P<name>@[\w-]+(?:(?:,? and |, ?| )@[\w-]+)*)",
        _named(Deed.TAG),
    ),
    Rule(
        r"(?:tag|label) {ref}",
        _lacks("Which tag should it get?", "tag {ref} with {blank}"),
    ),
)

SCHEDULING = (
    Rule(r"schedule {ref} (?:for|on|at|by) {when}", _scheduled, strong=False),
    Rule(r"schedule {ref} {when}", _scheduled, strong=False),
    Rule(
        r"schedule {ref}",
        lambda slots: Act(Deed.DUE, slots["ref"], "", unlabelled(slots["ref"])),
        strong=False,
    ),
)

DATES = (
    Rule(
        r"(?:remove|clear|delete|drop|erase|take off|take away|unset|cancel|take) (?:the "
        r"|its |any )?DATE(?:s)? FROM {ref}",
        _act(Deed.DUE, "none"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop|erase|unset|take) {ref}(?:'s?)? DATE", _act(Deed.DUE, "none")
    ),
    Rule(r"take (?:the )?DATE off (?:of )?{ref}", _act(Deed.DUE, "none")),
    Rule(r"(?:unschedule|undate) {ref}", _act(Deed.DUE, "none")),
    Rule(
        r"(?:make|set|let|leave|give) {ref} (?:to |with |without |have )?(?:no|any"
        r"|a)? ?DATE(?: off)?",
        lambda slots: Act(Deed.DUE, slots["ref"], "none"),
    ),
    Rule(
        r"{ref} (?:has|should have|needs|doesn't have|does not have|doesn't need"
        r"|no longer has) (?:no|a|any) DATE",
        lambda slots: Act(Deed.DUE, slots["ref"], "none"),
    ),
    Rule(r"no (?:more )?DATE for {ref}", _act(Deed.DUE, "none")),
    Rule(
        r"(?:make|set|let) {ref} (?:to )?(?:someday|undated|unscheduled|whenever)",
        _act(Deed.DUE, "none"),
    ),
    Rule(
        r"(?:add|set|change|update|move|push|make|put|give|assign|edit|fix|correct"
        r"|extend) (?:the |a |its |another )?DATE "
        r"(?:of|for|on|to) {ref}(?:,? (?:from .+ )?(?:to|as|on|for|by|until|till|:)|:)? {when}",
        _due,
    ),
    Rule(
        r"(?:set|change|update|move|extend|make|push) {ref}(?:'s?)? DATE (?:to|as|on|for"
        r"|until|till|:)? ?{when}",
        _due,
    ),
    Rule(r"give {ref} (?:a |the )?(?:new )?DATE (?:of|on|for) {when}", _due),
    Rule(r"(?:set|add|put|give) (?:a |the )?DATE (?:of|on|for) {when} (?:for|to|on) {ref}", _due),
    Rule(r"give {ref} (?:until|till) {when}", _due),
    Rule(
        r"(?:don't show(?: me)?|hide|park|tickle|start) {ref} (?:until|till|before|from) {when}",
        _value(Deed.START, "when"),
    ),
    Rule(r"(?:bring|pull|move) {ref} (?:forward|up|in|ahead) (?:by )?{span}", _shift("earlier")),
    Rule(r"(?:bring|pull|move) (?:forward|up) {ref} (?:by )?{span}", _shift("earlier")),
    Rule(r"MOVE {ref} (?:by )?{span} (?:earlier|sooner)", _shift("earlier")),
    Rule(r"MOVE {ref} (?:by )?{span} (?:later|back|out|on|further|forward)", _shift("later")),
    Rule(r"advance {ref} by {span}", _shift("earlier")),
    Rule(
        r"(?:MOVE|extend) {ref} (?:(?:back|out|off|on|over|forward|further|for) )*(?:by "
        r"|for )?{span}",
        _shift("later"),
    ),
    Rule(r"LATER (?:back|out|off) {ref} (?:by |for )?{span}", _shift("later")),
    Rule(r"give {ref} {span} more", _shift("later")),
    Rule(
        r"(?:MOVE|turn) {ref}(?: (?:back|forward|out|off|over|up|on|ahead|due|from .+?))*"
        r" (?:to|until|till|for|on|by|onto|due|at) (?:be )?(?:due )?(?:on |by |at |for )?{when}",
        _due,
    ),
    Rule(r"(?:MOVE|turn) {ref} (?:due )?{when}", _due),
    Rule(r"MOVE (?:back|forward|off|out) {ref} (?:to|until|till|for) {when}", _due),
    Rule(
        r"{ref} (?:BE|is now|are now|got) (?:now |actually |moved |scheduled |rescheduled "
        r"|postponed |pushed |set |delayed )*"
        r"(?:due|to|until|till|for)(?: (?:on|by|at|to))? {when}",
        _due,
    ),
    Rule(r"(?:do|i'll do|i will do|let me do) {ref} (?:on )?{when}", _due, strong=False),
    Rule(
        r"(?:no|actually|sorry|rather|oops|wait|i mean|i meant)[ ,]+(?:make (?:it"
        r"|that) )?(?:on |for )?{when}",
        _it_due,
    ),
)

PRIORITIES = (
    Rule(
        r"(?:set|change|make|put|move|update|switch|raise|bump|increase|lower|drop|reduce"
        r"|turn|adjust|mark|bring) "
        r"(?:the )?PRIORITY (?:of|for|on) {ref} (?:up |down |from .+ )?(?:to|as|at|:)? ?{level}",
        _level,
    ),
    Rule(
        r"(?:set|change|make|raise|lower|bump|update|mark) {ref}(?:'s?)? PRIORITY (?:up "
        r"|down )?(?:to|as|:)? ?{level}",
        _level,
    ),
    Rule(
        r"(?:raise|increase|bump(?: up)?|up|boost|heighten) (?:the )?PRIORITY (?:of|for|on) {ref}",
        _act(Deed.PRIORITY, "raise"),
    ),
    Rule(
        r"(?:lower|decrease|reduce|drop|bump down|downgrade) (?:the )?PRIORITY (?:of|for|on) {ref}",
        _act(Deed.PRIORITY, "lower"),
    ),
    Rule(
        r"(?:raise|increase|boost|lower|decrease|reduce) {ref}(?:'s?)? PRIORITY",
        _act(Deed.PRIORITY, "raise"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop|unset|take) (?:the |its )?PRIORITY FROM {ref}",
        _act(Deed.PRIORITY, "none"),
    ),
    Rule(r"(?:give|assign) {ref} (?:a |the )?{level} PRIORITY", _level),
    Rule(r"(?:give|assign) (?:a |the )?{level} PRIORITY to {ref}", _level),
    Rule(r"(?:add|set) (?:a |the )?{level} PRIORITY (?:to|for|on) {ref}", _level),
    Rule(
        r"(?:set|make|mark|flag|change|put|mark down|bump|move|raise|lower|turn"
        r"|prioriti[sz]e|rank|label) {ref} "
        r"(?:up |down )?(?:to be |to have |to |as |at |a |an |with "
        r"|into )*{level}(?: (?:task|one|item))?",
        _level,
    ),
    Rule(
        r"{ref} (?:BE|is now|has|should have|should be) (?:a |an |of |now |really |very "
        r"|super )*{level}",
        _level,
    ),
    Rule(
        r"{ref} (?:is|are) (?:no longer|not|not so|not that|not really) "
        r"(?:urgent|important|critical|(?:a )?high priority)(?: any ?more| any longer)?",
        _act(Deed.PRIORITY, "none"),
    ),
    Rule(r"(?:deprioriti[sz]e|unprioriti[sz]e) {ref}", _act(Deed.PRIORITY, "lower")),
    Rule(r"(?:prioriti[sz]e|star|flag) {ref}", _act(Deed.PRIORITY, "high")),
    Rule(r"unstar {ref}|unflag (?P<other>.+)", _act(Deed.PRIORITY, "none")),
    Rule(
        r"(?:set|change) (?:the )?PRIORITY (?:of|for|on) {ref}",
        _lacks("High, medium or low?", "set the priority of {ref} to {blank}"),
    ),
)

REMOVING = (
    Rule(
        r"(?:remove|delete|clear|erase|drop|take) (?:everything|all|all (?:of )?(?:the "
        r"|my )?(?:tasks|items|things)|every (?:task|item)) "
        r"(?:from|out of|in) {name}",
        lambda slots: Act(Deed.DELETE, f"everything in {slots['name']}"),
    ),
    Rule(
        r"(?:remove|take|get|clear|wipe|kick) {ref} (?:off|from|off of)(?: of)? LIST",
        _act(Deed.DELETE),
    ),
    Rule(
        r"(?:move|put|send|throw|toss|chuck) {ref} (?:to|in|into|in to) (?:the )?(?:trash"
        r"|bin|garbage|wastebasket)",
        _act(Deed.DELETE),
    ),
)

PROJECTS = (
    Rule(
        r"(?:remove|clear|delete|drop|unset) (?:the |its )?project FROM {ref}",
        _act(Deed.FILE, "none"),
    ),
    Rule(
        r"(?:take|move|get|pull|remove) {ref} (?:out of|from|off) (?:the |my "
        r"|its )?(?:project|GROUP) ?{name}",
        _named(Deed.UNFILE),
    ),
    Rule(
        r"(?:take|move|get|pull) {ref} out of (?:the |my |its )?{name}(?: GROUP)?",
        _named(Deed.UNFILE),
    ),
    Rule(
        r"(?:take|move|get|pull|remove) {ref} from (?:the |my |its )?{name} GROUP",
        _named(Deed.UNFILE),
    ),
    Rule(
        r"(?:set|change|make) (?:the )?project (?:of|for|on) {ref} (?:to|as|:) (?:be )?{name}",
        _named(Deed.FILE),
    ),
    Rule(
        r"PUT {ref} (?:in|into|to|under|for|inside|on|onto|with) THE(?:new |existing )?"
        r"GROUP (?:called |named )?{name}",
        _named(Deed.FILE),
    ),
    Rule(
        r"(?:move|put|file|place|assign|transfer|stick) {ref} (?:in|into|to|under|inside|on"
        r"|onto) THE(?:new )?{name} GROUP",
        _named(Deed.FILE),
    ),
    Rule(r"PUT {ref} (?:in|into|to|under|on) (?P<name>#[^\W\d][\w.-]*)", _named(Deed.FILE)),
    Rule(r"(?:file|categori[sz]e|group) {ref} (?:under|in|into|as|with) {name}", _named(Deed.FILE)),
    Rule(
        r"{ref} (?:belongs|goes|should go|should be|is|needs to go) (?:to|in|into|under|with)"
        r" (?:the )?(?:project {name}|(?P<other>.+) project)",
        lambda slots: Act(Deed.FILE, slots["ref"], names_in(slots["name"] or slots["other"])),
    ),
)

RENAMES = (
    Rule(
        r"(?:rename|retitle|reword|rephrase) {ref} (?:to|as|into|->|=>|=) {title}",
        _value(Deed.RENAME, "title"),
    ),
    Rule(
        r"(?:change|edit|update|correct|fix|set) (?:the )?(?:title|name|text|wording"
        r"|description) (?:of|for|on) {ref} "
        r"(?:to|into|as) (?:say |read )?{title}",
        _value(Deed.RENAME, "title"),
    ),
    Rule(
        r"(?:rename|retitle) {ref}", _lacks("What should it be called?", "rename {ref} to {blank}")
    ),
)

FINISHING = (
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
        r"(?:reopen|re-open|uncheck|untick|unmark|uncomplete|un-complete|unfinish|reactivate"
        r"|revive|restore|recover"
        r"|bring back|undelete|un-delete|unarchive) {ref}(?: back)?(?: (?:again"
        r"|from the trash|to (?:my|the) list))?",
        _act(Deed.REOPEN),
    ),
    Rule(
        r"(?:mark|set|put|change|make|turn|flag|move) {ref} (?:as|to|back to|back as"
        r"|back)? ?(?:being )?OPENED(?: again)?",
        _act(Deed.REOPEN),
    ),
    Rule(
        r"(?:put|bring|get|take) {ref} back(?: (?:on|onto|to|in|into|from) (?:LIST|the trash))?",
        _act(Deed.REOPEN),
    ),
    Rule(
        r"{ref}(?: isn't| is not| wasn't| was not| aren't| are not|'s not)(?: actually"
        r"| really)? (?:yet )?DONE(?: yet| after all)?",
        _act(Deed.REOPEN),
    ),
    Rule(
        r"(?:mark|set|flag|change|put|move|list|make|call|consider) {ref} (?:as |to |off as "
        r"|down as |to be )*(?:being )?DONE(?: now| already)?",
        _act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:mark|set|flag|change|put|move) {ref} (?:as |to )?(?:in progress|in-progress"
        r"|started|begun|doing|ongoing|underway)",
        _act(Deed.BEGIN),
    ),
    Rule(r"(?:check|tick|cross|strike|scratch|mark) off {ref}", _act(Deed.COMPLETE)),
    Rule(
        r"(?:check|tick|cross|strike|scratch|mark|take) {ref} (?:off|off as done"
        r"|out)(?: (?:of )?LIST)?",
        lambda slots: Act(Deed.COMPLETE, slots["ref"]),
    ),
    Rule(r"mark DONE:? {ref}", _act(Deed.COMPLETE)),
    Rule(r"(?:done|finished|completed|all done)(?: with|:| -)? {ref}", _act(Deed.COMPLETE)),
    Rule(
        r"(?:i'm|i am|we're|we are|am)(?: now| all| finally| already)? (?:done"
        r"|finished)(?: with)? {ref}",
        _act(Deed.COMPLETE),
    ),
    Rule(
        r"{ref}(?: is| are| was| were| has been| have been|'s| got|:| -|,)?"
        r"(?: now| all| already| finally| also| both)* DONE(?: now| already| too)?",
        _act(Deed.COMPLETE),
    ),
    Rule(
        r"(?:complete|tick|close out|close off) {ref}",
        _act(Deed.COMPLETE),
        strong=False,
    ),
    Rule(
        r"(?:finish|finish off|finish up|close|resolve|wrap up|accomplish|check|do) {ref}",
        _act(Deed.COMPLETE),
        strong=False,
    ),
    Rule(
        r"(?:i'm|i am|we're|we are) (?:currently |now |already |just )?(?:working on|doing"
        r"|starting(?: on| with)?|busy with) {ref}",
        _act(Deed.BEGIN),
    ),
    Rule(
        r"(?:start|begin|start on|begin with|start working on|resume) {ref}",
        _act(Deed.BEGIN),
        strong=False,
    ),
)

DELETING = (
    Rule(
        r"(?:i|we) (?:don't|do not|no longer|never) need (?:to )?{ref}(?: (?:any ?more"
        r"|any longer|now))?",
        lambda slots: Act(Deed.DELETE, slots["ref"], ask=True),
    ),
    Rule(r"remove {ref} from (?:the |my )?{name}", _named(Deed.UNFILE), strong=False),
    Rule(r"DELETE {ref}", _act(Deed.DELETE), strong=False),
    Rule(
        r"(?P<ref>.+?) (?:can go|can be (?:deleted|removed|dropped)|is no longer (?:needed"
        r"|necessary|relevant))",
        _act(Deed.DELETE),
    ),
)

MOVING = (
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
        r"(?:postpone|reschedule|delay|snooze|defer|put off|push back|push off|bump)(?: back"
        r"| off| out)? {ref}",
        _lacks("To when shall I move it?", "move {ref} to {blank}"),
        strong=False,
    ),
    Rule(
        r"move {ref}",
        _lacks("To when shall I move it?", "move {ref} to {blank}"),
        strong=False,
    ),
)

REWORDING = (
    Rule(
        r"(?:change|edit|update|make|correct) {ref} (?:to )?(?:say|read) {title}",
        _value(Deed.RENAME, "title"),
    ),
    Rule(r"{ref} should (?:say|read|be called|be named|be) {title}", _value(Deed.RENAME, "title")),
    Rule(r"call (?P<ref>it|that|this|that one|this one) {title}", _value(Deed.RENAME, "title")),
    Rule(
        r"(?:change|edit|correct|turn|alter) {ref} (?:to|into) {title}",
        _value(Deed.RENAME, "title"),
    ),
    Rule(r"replace {ref} (?:with|by) {title}", _value(Deed.RENAME, "title")),
    Rule(
        r"(?:edit|change|update|modify|adjust) {ref}",
        _lacks(
            "What should I change? Say “rename it to …”, “move it to friday” or “make it "
            "high priority”.",
            "",
        ),
        strong=False,
    ),
)
