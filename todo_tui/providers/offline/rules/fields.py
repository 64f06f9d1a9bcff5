"""Rules for fields of a task: title, notes, tags, priority, project, dates, recurrence."""

from __future__ import annotations

from todo_tui.providers.offline.intents import Act, BadDate, Deed, Intent, Move
from todo_tui.providers.offline.rules.pattern import (
    Rule,
    Slots,
    act,
    due,
    it_due,
    lacks,
    level,
    named,
    names_in,
    scheduled,
    shift,
    stated_level,
    unlabelled,
    value,
)
from todo_tui.providers.offline.words import MARK, is_mark, is_verb

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
_POINTING = (
    r"(?P<ref>(?:all|both|each|one) of (?:them|those|these)|them(?: all| both)?"
    r"|(?:those|these)(?: two| ones)?|both(?: of them)?|it|that one|this one|the (?:other )?one"
    r"|the rest|the (?:first|second|third|fourth|fifth|last) one"
    r"|the (?:first|last) (?:two|three|\d+)|#\d+)"
)
POINTING = (
    Rule(rf"{_POINTING},? (?:all )?(?:(?:to|on|for|by|until|at) )?{{when}}", due),
    Rule(rf"(?:on|for|by) {{when}},? {_POINTING}(?: please)?", due, strong=False),
)
"""Tasks that are pointed at and a date, with no verb: `all of them tomorrow`."""
CORRECTING = (
    Rule(
        r"(?:no|actually|sorry|rather|oops|wait|i mean|i meant)[ ,]+(?:make (?:it"
        r"|that) )?(?:on |for |at )?{when}(?: instead| please)?",
        it_due,
    ),
)


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

REPEATS = (
    Rule(r"(?:stop|keep|prevent) {ref} from (?:repeating|recurring)", act(Deed.REPEAT, "none")),
    Rule(
        r"(?:stop|end|quit|cancel) (?:the )?(?:repeat(?:ing)?|recur(?:ring)?|repetition|recurrence)"
        r"(?: (?:of|for|on))? {ref}",
        act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop) (?:the )?(?:repeat|repetition|recurrence|schedule"
        r"|repeat rule) OF {ref}",
        act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:make|set|let|have) {ref} (?:to )?(?:not (?:repeat|recur|repeating"
        r"|recurring)(?: any ?more)?"
        r"|stop (?:repeating|recurring)|non-?(?:recurring|repeating)|one-off|an? one-off"
        r"|no longer (?:repeat|recur))",
        act(Deed.REPEAT, "none"),
    ),
    Rule(r"(?:do not|don't) repeat {ref}(?: any ?more)?", act(Deed.REPEAT, "none")),
    Rule(
        r"{ref} (?:no longer|should not|shouldn't|doesn't|does not|should stop"
        r"|should no longer|needn't)"
        r"(?: need to)? (?:repeats?|repeating|recurs?|recurring)(?: any ?more)?",
        act(Deed.REPEAT, "none"),
    ),
    Rule(
        r"(?:make|set|let|have) {ref} (?:to )?(?:repeat|recur|repeating|recurring|happen|be"
        r"|a recurring task|due) "
        r"(?:on )?{repeat}",
        value(Deed.REPEAT, "repeat"),
    ),
    Rule(r"(?:repeat|recur) {ref} {repeat}", value(Deed.REPEAT, "repeat")),
    Rule(
        r"{ref} (?:should |must |needs to |shall |will |has to )?(?:repeats?|recurs?"
        r"|happens?|is due|be due|is|are) {repeat}",
        value(Deed.REPEAT, "repeat"),
    ),
    Rule(r"(?:make|set) {ref} (?:to )?{repeat}", value(Deed.REPEAT, "repeat")),
    Rule(
        r"(?:make|set|let|have) {ref} (?:to )?(?:repeat|recur|be due) "
        r"(?P<words>every!? .+)",
        lambda slots: BadDate(slots["words"]),
        strong=False,
    ),
    Rule(
        r"(?:repeat|recur) {ref} (?P<words>every!? .+)",
        lambda slots: BadDate(slots["words"]),
        strong=False,
    ),
    Rule(
        r"(?:make|set) {ref} (?:to )?(?:repeat|recur|repeating|recurring|recurrent)",
        lacks("How often should it repeat?", "repeat {ref} {blank}"),
    ),
)

SCHEDULING = (
    Rule(r"schedule {ref} (?:for|on|at|by) {when}", scheduled, strong=False),
    Rule(r"schedule {ref} {when}", scheduled, strong=False),
    Rule(
        r"schedule {ref}",
        lambda slots: Act(Deed.DUE, slots["ref"], "", unlabelled(slots["ref"])),
        strong=False,
    ),
)

DATES = (
    Rule(
        r"(?:make|set|turn|change) {ref} (?:to |in ?to )?(?:an? )?all[- ]day(?: TASK| event)?",
        act(Deed.ALL_DAY),
    ),
    Rule(
        r"(?:remove|clear|drop|delete|take off) (?:the )?(?:time|hour)(?: of (?:the )?day)? "
        r"(?:from|of|for|on) {ref}",
        act(Deed.ALL_DAY),
    ),
    Rule(r"(?:move|push|postpone|reschedule) (?:to|until|till|for) {when}", it_due),
    Rule(
        r"(?:remove|clear|delete|drop|erase|take off|take away|unset|cancel|take"
        r"|get rid of) (?:the "
        r"|its |any )?DATE(?:s)? (?:FROM|for) {ref}",
        act(Deed.DUE, "none"),
    ),
    Rule(
        r"(?:remove|clear|delete|drop|erase|unset|take) {ref}(?:'s?)? DATE",
        act(Deed.DUE, "none"),
    ),
    Rule(r"take (?:the )?DATE off (?:of )?{ref}", act(Deed.DUE, "none")),
    Rule(r"(?:unschedule|undate) {ref}", act(Deed.DUE, "none")),
    Rule(
        r"(?:make|set|let|leave|give) {ref} (?:to |with |without |have )?(?:no|any"
        r"|a)? ?DATE(?: off)?",
        lambda slots: Act(Deed.DUE, slots["ref"], "none"),
    ),
    Rule(
        r"{ref} (?:has|should have|needs|doesn't have|does not have|doesn't need"
        r"|no longer has) (?:no|a|any) DATE(?: any ?more| any longer| now)?",
        lambda slots: Act(Deed.DUE, slots["ref"], "none"),
    ),
    Rule(r"no (?:more )?DATE for {ref}(?: any ?more| any longer| now)?", act(Deed.DUE, "none")),
    Rule(
        r"(?:make|set|let) {ref} (?:to )?(?:someday|undated|unscheduled|whenever)",
        act(Deed.DUE, "none"),
    ),
    Rule(
        r"(?:LATER|extend) {ref}(?:'s?)? (?:due date|deadline|date) (?:(?:back|out|off) )?(?:by "
        r"|for )?{span}",
        shift("later"),
    ),
    Rule(
        r"(?:LATER|extend) (?:the )?(?:due date|deadline|date) (?:of|for|on) {ref} (?:(?:back|out"
        r"|off) )?(?:by |for )?{span}",
        shift("later"),
    ),
    Rule(
        r"(?:add|set|change|update|move|push|make|put|give|assign|edit|fix|correct"
        r"|extend) (?:the |a |its |another )?DATE "
        r"(?:of|for|on|to) {ref}(?:,? (?:from .+ )?(?:to|as|on|for|by|until|till|:)|:)? {when}",
        due,
    ),
    Rule(
        r"(?:set|change|update|move|extend|make|push) {ref}(?:'s?)? DATE (?:to|as|on|for"
        r"|until|till|:)? ?{when}",
        due,
    ),
    Rule(
        r"(?:set|change|update|move|make) (?:the )?(?:time|day|start time|start) (?:of|for) {ref}"
        r" (?:to|as) {when}",
        due,
    ),
    Rule(r"give {ref} (?:a |the )?(?:new )?DATE (?:of|on|for) {when}", due),
    Rule(r"(?:set|add|put|give) (?:a |the )?DATE (?:of|on|for) {when} (?:for|to|on) {ref}", due),
    Rule(r"give {ref} (?:until|till) {when}", due),
    Rule(
        r"(?:don't show(?: me)?|hide|park|tickle|start) {ref} (?:until|till|before|from) {when}",
        value(Deed.START, "when"),
    ),
    Rule(
        r"(?:unhide|un-hide|unsnooze|un-snooze|unpark|unpause|reveal) {ref}(?: (?:again|now))?",
        act(Deed.START, "none"),
    ),
    Rule(
        r"(?:remove|clear|delete|unset|drop) (?:the )?start(?: date| day)? (?:of|from|for|on)"
        r" {ref}",
        act(Deed.START, "none"),
    ),
    Rule(
        r"(?:set|change|move) (?:the )?start(?: date| day)? (?:of|for|on) {ref} (?:to|as|on|at) "
        r"{when}",
        value(Deed.START, "when"),
    ),
    Rule(r"LATER (?:back|out|off) {ref} (?:by |for )?{span}", shift("later")),
    Rule(r"(?:bring|pull|move) {ref} (?:forward|up|in|ahead) (?:by )?{span}", shift("earlier")),
    Rule(r"(?:bring|pull|move) (?:forward|up) {ref} (?:by )?{span}", shift("earlier")),
    Rule(r"MOVE {ref} (?:by )?{span} (?:earlier|sooner)", shift("earlier")),
    Rule(r"MOVE {ref} (?:by )?{span} (?:later|back|out|on|further|forward)", shift("later")),
    Rule(r"advance {ref} by {span}", shift("earlier")),
    Rule(
        r"(?:MOVE|extend) {ref} (?:(?:back|out|off|on|over|forward|further|for) )*(?:by "
        r"|for )?{span}",
        shift("later"),
    ),
    Rule(r"give {ref} {span} more", shift("later")),
    Rule(
        r"(?:MOVE|turn) {bulk} (?:that (?:is|are) )?(?:due )?from {days} (?:on )?(?:to|until|till"
        r"|onto|for) {when}",
        lambda slots: Act(Deed.DUE, f"{slots['bulk']} due {slots['days']}", slots["when"]),
    ),
    Rule(
        r"(?P<ref>(?:everything|all|every)\b(?: .+?)?) (?:to|goes to|go to|moves to|should go to"
        r"|->|=>) {when}",
        due,
    ),
    Rule(
        r"(?:MOVE|turn) {bulk} from {place} (?:to|until|till|onto|for) {when}",
        lambda slots: Act(Deed.DUE, f"{slots['bulk']} in {slots['place']}", slots["when"]),
    ),
    Rule(
        r"(?:MOVE|turn) {ref}(?: (?:back|forward|out|off|over|up|on|ahead|due|from .+?))*"
        r" (?:to|until|till|for|on|by|onto|due|at) (?:be )?(?:due )?(?:on |by |at |for )?{when}",
        due,
    ),
    Rule(r"(?:MOVE|turn) {ref} (?:due )?{when}", due),
    Rule(r"MOVE (?:back|forward|off|out) {ref} (?:to|until|till|for) {when}", due),
    Rule(
        r"{ref} (?:BE|is now|are now|got) (?:now |actually |moved |scheduled |rescheduled "
        r"|postponed |pushed |set |delayed )*"
        r"(?:due|to|until|till|for)(?: (?:on|by|at|to))? {when}(?: now| instead)?",
        due,
    ),
    Rule(
        r"{ref} (?:can|could|may|will have to|has to|must|should|will) wait (?:until"
        r"|till|for) {when}",
        due,
    ),
    Rule(
        r"{ref} (?:needs|has|have|need) to be (?:done|finished|ready|completed|in|sent"
        r"|over) (?:by|on|before) {when}",
        due,
    ),
    Rule(r"{ref} (?:is|are) now (?:on|at|by) {when}", due),
    Rule(
        r"{ref} (?:should|must|has to|needs to|ought to) be (?:due |done |on |by |at )*{when}"
        r"(?:,? (?:and )?(?:not|instead of) (?:on )?.+)?",
        due,
    ),
    Rule(r"{ref}:? {span} (?:earlier|sooner)", shift("earlier"), strong=False),
    Rule(r"{ref}:? {span} later", shift("later"), strong=False),
    Rule(
        r"{ref} (?:(?:was|has been|have been|got|is|are|were|is now|gets) )?(?:moved|rescheduled"
        r"|postponed|pushed|shifted|delayed|put off|brought forward)(?: back| forward| out| up)?"
        r" (?:to|until|till|for) {when}",
        due,
    ),
    Rule(
        r"{ref} (?:(?:was|has been|have been|got|is|are|were|is now|gets) )?(?:moved|rescheduled"
        r"|postponed|shifted)(?: back| forward| out| up)? to (?P<place>\d{1,2})",
        lambda slots: Move(slots["ref"], slots["place"]),
    ),
    Rule(r"{ref} (?:is|are) (?:on|at|by) {when} (?:now|instead)", due),
    Rule(
        r"(?!(?:i|we|you|he|she|it|they|there|here|what|which|who|that|this|today|tomorrow)\b)"
        r"{ref} (?:is|are|takes place|happens|starts) (?=(?:on|at) ){when}",
        due,
        strong=False,
    ),
    Rule(r"{ref} ?(?:->|=>|→) ?{when}", due),
    Rule(r"{ref}(?: ?:| -| –) (?:no|without(?: a)?) DATE", act(Deed.DUE, "none")),
    Rule(r"(?:do|i'll do|i will do|let me do) {ref} (?:on )?{when}", due, strong=False),
)
