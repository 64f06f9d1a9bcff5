"""The grammar of time: due dates, repeats, hiding until a day."""

from __future__ import annotations

from todo_tui.providers.offline.builders import act, due, it_due, lacks, scheduled, shift, value
from todo_tui.providers.offline.intents import Act, BadDate, Deed, Move
from todo_tui.providers.offline.pattern import Rule
from todo_tui.providers.offline.slot_values import unlabelled

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
