"""The grammar of fields: notes, tags, priorities, projects, titles."""

from __future__ import annotations

from todo_tui.providers.offline.builders import act, lacks, level, named, stated_level, value
from todo_tui.providers.offline.intents import Act, Deed, Intent
from todo_tui.providers.offline.pattern import Rule, Slots
from todo_tui.providers.offline.quoted import MARK, is_mark
from todo_tui.providers.offline.slot_values import names_in
from todo_tui.providers.offline.verbs import is_verb


def _reworded(slots: Slots) -> Intent | None:
    """`it should be call Ann`: a title if it says what to do, else only a thought."""
    title = slots["title"]
    new = is_mark(title) or is_verb(title.split()[0].lower())
    return Act(Deed.RENAME, slots["ref"], title) if new else None


NOTES = (
    Rule(
        r"(?:add|append|write|put) (?:to|in|into|on) {ref} notes?(?: that|:) ?{note}",
        value(Deed.NOTE, "note"),
    ),
    Rule(r"for {ref},? (?:please )?note(?: down)?(?: that|:) ?{note}", value(Deed.NOTE, "note")),
    Rule(
        r"(?:add|leave|put|attach|write) (?:a |another )?(?:note|comment)(?: that says"
        r"| saying| that| ?:) ?{note}",
        lambda slots: Act(Deed.NOTE, "it", slots["note"], slots["note"]),
    ),
    Rule(
        r"(?:add|append|write|put) (?:to|in|into) (?:the )?(?:notes?|comments?) (?:of|for"
        r"|on) {ref}: ?{note}",
        value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|put|write|attach) {note} as (?:a |the )?(?:note|comment|remark) (?:to|on"
        r"|for|of) {ref}",
        value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|attach|append|write|put|leave|make|set) (?:(?:a|the|this|another) )?(?:note"
        r"|comment|remark|annotation)s?"
        r" (?:to|on|for|about|of|in) {ref}(?: ?:| ?;|,| that says| that| saying| that reads| -| –"
        r"| —| to say| to) ?{note}",
        value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|attach|write|put|leave) (?:(?:a|the|this|another) )?(?:note|comment|remark"
        r"|annotation)"
        r"(?: that says| saying| that| ?:)? {note} (?:to|on|for|under) {ref}",
        value(Deed.NOTE, "note"),
    ),
    Rule(
        r"(?:add|put|write) {note} (?:to|in|into|on) (?:the )?(?:notes?|comments?"
        r"|description) (?:of|for|on|to) {ref}",
        value(Deed.NOTE, "note"),
    ),
    Rule(r"(?:note|comment|remark) (?:on|for|to) {ref}: ?{note}", value(Deed.NOTE, "note")),
    Rule(
        r"(?:make a |take a |leave a |put a )?(?:note|comment)(?: down)? (?:on|for|about|under|to"
        r"|with) {ref},? (?:that|saying|which says) {note}",
        value(Deed.NOTE, "note"),
    ),
    Rule(r"annotate {ref}(?: with| that|:) ?{note}", value(Deed.NOTE, "note")),
    Rule(
        r"(?:remove|delete|clear|erase) (?:the )?(?:notes?|comments?|description) OF {ref}",
        act(Deed.NOTE, ""),
    ),
    Rule(
        r"(?:add|attach|write|put|leave) (?:a |the )?(?:note|comment|remark) (?:to|on|for) {ref}",
        lacks("What should the note say?", "add a note to {ref}: {blank}"),
    ),
)

TAGS = (
    Rule(
        r"{ref} (?:should|must|needs to|has to) be (?:tagged|labell?ed)(?: as| with)? {name}",
        named(Deed.TAG),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?:the )?(?:tags?|labels?) {name} FROM {ref}",
        named(Deed.UNTAG),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?:all )?(?:the |its )?(?:tags"
        r"|labels) (?:from|off|of|on) {ref}",
        act(Deed.UNTAG, "*"),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?:the )?{name} (?:tags?|labels?) FROM {ref}",
        named(Deed.UNTAG),
    ),
    Rule(
        r"(?:remove|delete|drop|take|clear|strip) (?P<name>@[\w-]+(?:(?:,? and |, ?"
        r"| )@[\w-]+)*) FROM {ref}",
        named(Deed.UNTAG),
    ),
    Rule(r"(?:untag|unlabel) {name} from {ref}", named(Deed.UNTAG)),
    Rule(r"(?:untag|unlabel) {ref}(?: as| with|:) {name}", named(Deed.UNTAG)),
    Rule(r"(?:untag|unlabel) {ref}", act(Deed.UNTAG, "*")),
    Rule(
        r"(?:add|put|attach|apply|give|set|stick) (?:the |a |an )?(?:tags?"
        r"|labels?) {name} (?:to|on|onto|for) {ref}",
        named(Deed.TAG),
    ),
    Rule(
        r"(?:add|put|attach|apply|stick) (?:the |a |an )?{name} (?:tags?|labels?) (?:to|on"
        r"|onto) {ref}",
        named(Deed.TAG),
    ),
    Rule(
        r"(?:add|put|attach|apply|stick) (?P<name>@[\w-]+(?:(?:,? and |, ?"
        r"| )@[\w-]+)*) (?:to|on|onto) {ref}",
        named(Deed.TAG),
    ),
    Rule(r"give {ref} (?:the |a |an )?(?:tags?|labels?) {name}", named(Deed.TAG)),
    Rule(r"give {ref} (?:the |a |an )?{name} (?:tags?|labels?)", named(Deed.TAG)),
    Rule(
        r"(?:tag|label|mark) {ref} (?:with|as|by|under)? ?(?:the )?(?:tags?|labels?) {name}",
        named(Deed.TAG),
    ),
    Rule(r"(?:tag|label) {ref}(?: with| as| by| under|:) {name}", named(Deed.TAG)),
    Rule(
        r"(?:tag|label) (?P<ref>it|that|this|them|these|those|both|all of them)"
        r" (?P<name>[@#]?[\w-]+(?:(?:,? (?:and|&) |, ?)[@#]?[\w-]+)*)",
        named(Deed.TAG),
    ),
    Rule(
        r"(?:tag|label|mark) {ref} (?:with |as )?(?P<name>@[\w-]+(?:(?:,? and |, ?| )@[\w-]+)*)",
        named(Deed.TAG),
    ),
    Rule(
        r"(?:tag|label) {ref}",
        lacks("Which tag should it get?", "tag {ref} with {blank}"),
    ),
)

PRIORITIES = (
    Rule(
        r"(?:set|change|make|put|move|update|switch|raise|bump|increase|lower|drop|reduce"
        r"|turn|adjust|mark|bring) "
        r"(?:the )?PRIORITY (?:of|for|on) {ref} (?:up |down |from .+ )?(?:to|as|at|:)? ?{level}",
        level,
    ),
    Rule(
        r"(?:set|change|make|raise|lower|bump|update|mark) {ref}(?:'s?)? PRIORITY (?:up "
        r"|down )?(?:to|as|:)? ?{level}",
        level,
    ),
    Rule(
        r"(?:raise|increase|bump(?: up)?|up|boost|heighten) (?:the )?PRIORITY (?:of|for|on) {ref}",
        act(Deed.PRIORITY, "raise"),
    ),
    Rule(
        r"(?:lower|decrease|reduce|drop|bump down|downgrade) (?:the )?PRIORITY (?:of|for|on) {ref}",
        act(Deed.PRIORITY, "lower"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop|unset|take) (?:the )?(?:high|medium|low"
        r"|top) PRIORITY FROM {ref}",
        act(Deed.PRIORITY, "none"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop|unset|take) (?:the |its )?PRIORITY FROM {ref}",
        act(Deed.PRIORITY, "none"),
    ),
    Rule(r"(?:give|assign) {ref} (?:a |the )?{level} PRIORITY", level),
    Rule(r"(?:give|assign) (?:a |the )?{level} PRIORITY to {ref}", level),
    Rule(r"(?:add|set) (?:a |the )?{level} PRIORITY (?:to|for|on) {ref}", level),
    Rule(
        r"(?:set|make|mark|flag|change|put|mark down|bump|move|raise|lower|turn"
        r"|prioriti[sz]e|rank|label)(?: up| down)? {ref} "
        r"(?:up |down )?(?:to be |to have |to |as |at |a |an |with "
        r"|into )*{level}(?: (?:task|one|item))?(?: again| now)?",
        level,
    ),
    Rule(r"(?:raise|increase|boost|bump|up) {ref}(?:'s?)? PRIORITY", act(Deed.PRIORITY, "raise")),
    Rule(r"(?:lower|decrease|reduce|drop) {ref}(?:'s?)? PRIORITY", act(Deed.PRIORITY, "lower")),
    Rule(r"(?:treat|consider) {ref} as {level}", level),
    Rule(r"PRIORITY {level} (?:for|to|on) {ref}", level),
    Rule(r"(?P<ref>#\d+):? {level}", level),
    Rule(
        r"{ref} (?:BE|is now|has|should have|should be) (?:a |an |of |now |really |very "
        r"|super )*{level}(?: now| too| again)?",
        stated_level,
    ),
    Rule(r"{ref}: {level}", level),
    Rule(r"{ref} PRIORITY:? {level}", level),
    Rule(
        r"{ref} (?:isn't|aren't|(?:is|are) (?:no longer|not))(?: so| that| really| very)? "
        r"(?:urgent|important|critical|(?:a )?high priority)(?: any ?more| any longer)?",
        act(Deed.PRIORITY, "none"),
    ),
    Rule(r"(?:deprioriti[sz]e|unprioriti[sz]e) {ref}", act(Deed.PRIORITY, "lower")),
    Rule(r"(?:prioriti[sz]e|star|flag) {ref}", act(Deed.PRIORITY, "high")),
    Rule(r"(?:unstar|unflag) {ref}", act(Deed.PRIORITY, "none")),
    Rule(
        r"(?:set|change) (?:the )?PRIORITY (?:of|for|on) {ref}",
        lacks("High, medium or low?", "set the priority of {ref} to {blank}"),
    ),
)

PROJECTS = (
    Rule(
        r"(?:remove|clear|delete|drop|unset) (?:the |its )?project FROM {ref}",
        act(Deed.FILE, "none"),
    ),
    Rule(
        r"(?:take|move|get|pull|remove) {ref} (?:out of|from|off) (?:the |my "
        r"|its )?(?:project|GROUP) ?{name}",
        named(Deed.UNFILE),
    ),
    Rule(
        r"(?:take|move|get|pull) {ref} out of (?:the |my |its )?{name}(?: GROUP)?",
        named(Deed.UNFILE),
    ),
    Rule(
        r"(?:take|move|get|pull|remove) {ref} from (?:the |my |its )?{name} GROUP",
        named(Deed.UNFILE),
    ),
    Rule(
        r"(?:set|change|make) (?:the )?project (?:of|for|on) {ref} (?:to|as|:) (?:be )?{name}",
        named(Deed.FILE),
    ),
    Rule(
        r"PUT {ref} (?:in|into|to|under|for|inside|on|onto|with) THE(?:new |existing )?"
        r"GROUP (?:called |named )?{name}",
        named(Deed.FILE),
    ),
    Rule(
        r"(?:move|put|file|place|assign|transfer|stick) {ref} (?:in|into|to|under|inside|on"
        r"|onto) THE(?:new )?{name} GROUP",
        named(Deed.FILE),
    ),
    Rule(r"PUT {ref} (?:in|into|to|under|on) (?P<name>#[^\W\d][\w.-]*)", named(Deed.FILE)),
    Rule(r"(?:file|categori[sz]e|group) {ref} (?:under|in|into|as|with) {name}", named(Deed.FILE)),
    Rule(
        r"{ref} (?:belongs|goes|should go|should be|is|needs to go) (?:to|in|into|under|with)"
        r" (?:the )?(?:project {name}|(?P<other>.+) project)",
        lambda slots: Act(Deed.FILE, slots["ref"], names_in(slots["name"] or slots["other"])),
    ),
)

RENAMES = (
    Rule(
        r"(?:rename|retitle|reword|rephrase) {ref} (?:to|as|into|->|=>|=) {title}",
        value(Deed.RENAME, "title"),
    ),
    Rule(r"(?:rename|retitle|reword) {ref}: ?{title}", value(Deed.RENAME, "title")),
    Rule(rf"(?:call|rename|retitle) {{ref}} (?P<title>{MARK})", value(Deed.RENAME, "title")),
    Rule(
        rf"(?:make|set|change) (?:the )?(?:title|name) of {{ref}} (?:be |to be )?(?P<title>{MARK})",
        value(Deed.RENAME, "title"),
    ),
    Rule(
        r"(?:change|edit|update|set) {ref}(?:'s?)? (?:name|title|text|wording) (?:to|into"
        r"|as) {title}",
        value(Deed.RENAME, "title"),
    ),
    Rule(r"(?:edit|change) (?P<ref>#\d+): ?{title}", value(Deed.RENAME, "title")),
    Rule(
        r"(?:change|edit|update|correct|fix|set) (?:the )?(?:title|name|text|wording"
        r"|description) (?:of|for|on) {ref} "
        r"(?:to|into|as) (?:say |read )?{title}",
        value(Deed.RENAME, "title"),
    ),
    Rule(
        r"(?:rename|retitle) {ref}", lacks("What should it be called?", "rename {ref} to {blank}")
    ),
)

REWORDING = (
    Rule(
        r"(?:change|edit|update|make|correct) {ref} (?:to )?(?:say|read) {title}",
        value(Deed.RENAME, "title"),
    ),
    Rule(r"{ref} should (?:say|read|be called|be named) {title}", value(Deed.RENAME, "title")),
    Rule(r"{ref} should be {title}", _reworded),
    Rule(r"call (?P<ref>it|that|this|that one|this one|#\d+) {title}", value(Deed.RENAME, "title")),
    Rule(
        r"(?:change|edit|correct|turn|alter|update) {ref} (?:to|into) {title}",
        value(Deed.RENAME, "title"),
    ),
    Rule(r"replace {ref} (?:with|by) {title}", value(Deed.RENAME, "title")),
    Rule(
        r"(?:edit|change|update|modify|adjust) {ref}",
        lacks(
            "What should I change? Say “rename it to …”, “move it to friday” or “make it "
            "high priority”.",
            "",
        ),
        strong=False,
    ),
)
