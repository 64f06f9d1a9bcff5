"""The grammar of adding: the many ways to say that something belongs on the list."""

from __future__ import annotations

from todo_tui.providers.offline.add_builders import (
    dated,
    deed,
    filed,
    headed,
    intended,
    item,
    needed,
    offered,
    put_on_list,
    remembered,
)
from todo_tui.providers.offline.builders import it_due
from todo_tui.providers.offline.intents import Add, Incomplete, Offer
from todo_tui.providers.offline.pattern import Rule
from todo_tui.providers.offline.quoted import MARK

_WEIGHT = (
    r"(?P<extra>(?:very )?(?:urgent|important|critical)|(?:top|high|highest|medium|normal"
    r"|mid|low|lowest)"
    r"(?:[- ](?:priority|prio))?)"
)
_MAKE = (
    r"(?:add|create|make|set up|set|start|enter|log|open|record|insert|save|put in"
    r"|put down|write down|jot down|note down|file)"
)
_COUNTED = (
    r"(?:(?:a|an|another|one more|one|two|three|four|five|six|several|some|a few|the following"
    r"|following|these|those|this|the|my|\d+|couple of|a couple of) )*"
)
_TASK = r"(?:tasks?|to-?dos?|to do|(?:to-?do |list |task )?items?|reminders?|entry|entries|things?)"
_NO_ID = r"(?!(?:set|make|start|open|file|save|log) (?:task|item|to-?do) (?:number )?#?\d)"
"""`set task 3 to done` speaks of a task that exists."""

_SAID = (
    r"(?: called| named| titled| saying| that says| which says)?(?: ?:| ?,| -| –| —| to| for"
    r"| about| that|\n)?"
)

SELF_NOTES = (
    Rule(
        r"(?:make|write|leave|send) (?:a |an )?(?:quick |mental |little )?(?:note|reminder"
        r"|memo) (?:to|for) (?:my)?self(?: to| that i (?:need|have) to| about|:|,) ?{item}",
        item,
    ),
)
"""Notes to oneself, which are no notes on a task."""

ADDING = (
    Rule(
        r"(?:remind me|remember|don't (?:let me )?forget) that {item} (?:is|are) (?:due|coming up"
        r"|scheduled)? ?(?:on |by |at )?(?P<when>.+)",
        dated,
    ),
    Rule(
        r"(?:add|create)(?: (?:both|all|these|those|the following|all of these|this))+"
        r"(?: two| three| tasks| items| things| to-?dos)*(?: (?:to|on) LIST)?: ?{item}",
        item,
    ),
    Rule(
        rf"{_MAKE} (?:a |an |my )?(?P<extra>daily|weekly|monthly|yearly) {_TASK}{_SAID} ?{{item}}",
        item,
    ),
    Rule(r"remind me (?:about|of|for) the {item}", item),
    Rule(
        r"(?:and )?remind me(?: (?:of|about) (?:it|that|this|them))?(?: again)? {when}",
        it_due,
    ),
    Rule(
        r"(?:add|put|include)(?: this| these| the following)? (?:to|on|onto|in) LIST(?: ?:"
        r"| ?,|\n) ?{item}",
        item,
    ),
    Rule(rf"(?:{_MAKE} {_COUNTED}(?:new )?|new ){_WEIGHT} (?:new )?{_TASK}{_SAID} ?{{item}}", item),
    Rule(
        r"(?:i|we)(?: have|'ve| got)+ (?:\w+ ){0,2}(?:things?|tasks?|errands|chores)(?: to do)?"
        r"(?: (?P<when>[^:]+))?: ?{item}",
        dated,
    ),
    Rule(
        r"(?:my |the )?(?:tasks?|to-?dos|to do|plan|errands|chores|things to do)(?: list)?"
        r" (?:for|on) {when}: ?{item}",
        dated,
    ),
    Rule(
        r"(?:add|put|file)(?: (?:these|this|those|the following|all (?:of )?(?:these|this)))?"
        r"(?: (?:tasks|items|things))? (?:to|in|into|under|on|onto) (?:the |my )?(?:project )?"
        r"(?P<extra>(?!to-?do\b|task\b|it\b|that\b|LIST\b)[^\W\d][\w.-]*)(?: (?:project|list))?"
        r": ?{item}",
        filed,
    ),
    Rule(
        rf"{_MAKE} {_COUNTED}(?:new )?{_TASK} (?:for|with|due|in|on|at|under"
        rf"|tagged) {{extra}}: ?{{item}}",
        item,
    ),
    Rule(rf"{_NO_ID}{_MAKE} {_COUNTED}(?:new )?{_TASK}{_SAID}[ \n]{{item}}", item),
    Rule(rf"{_MAKE} {_COUNTED}(?:new )?{_TASK} ?[:\n] ?{{item}}", item),
    Rule(
        rf"{_MAKE} {_COUNTED}(?:new )?{_WEIGHT} (?:new )?{_TASK}",
        lambda slots: Incomplete("What is the task?", f"add a {slots['extra']} task: {{}}"),
    ),
    Rule(
        rf"{_MAKE} {_COUNTED}(?:new )?{_TASK}(?: (?:to|on) (?:my|the) list)?",
        lambda _: Incomplete("What should I add?", "add {}"),
    ),
    Rule(
        r"(?:add|new|create|remind me|add (?:something|it|this|that)(?: to (?:my|the) list)?"
        r"|add to(?: LIST)?|add (?:an?|the)"
        r"|new one)",
        lambda _: Incomplete("What should I add?", "add {}"),
    ),
    Rule(
        r"make (?:a |an |yourself a )?(?:quick |mental |little )?note (?:to|that i (?:need"
        r"|have|must) to|of|about|that)(?: self:?)? {item}",
        item,
    ),
    Rule(
        r"(?:add|put|stick|throw|place|get|jot|write|include|pop|drop|slap|chuck|toss|insert"
        r"|enter) {item} "
        r"(?:on|onto|on to|to|in|into|down on|down in) LIST(?: (?:for|due|by|on) (?P<extra>.+))?",
        put_on_list,
    ),
    Rule(
        r"(?:put|stick|throw|place|get|jot|write|pop|drop|slap|chuck|toss) {item} "
        r"(?:on|onto|on to) (?:the |my |our )(?P<extra>[\w-]+) list",
        filed,
    ),
    Rule(
        rf"(?:add|create|append|put in|jot down|write down|note down|put down) (?P<item>{MARK}),?"
        r" (?:as(?:-| )is|as it is|as written|verbatim|literally|exactly(?: like (?:that|this))?"
        r"|word for word|just like that)",
        item,
    ),
    Rule(
        r"(?:add|create|append|include|insert|throw in|pop in|put in|jot down|write down"
        r"|note down|put down|\+)[: ] ?{item}",
        item,
    ),
    Rule(r"(?:add|create)[:\n]{item}", item),
    Rule(r"\+{item}", item),
    Rule(
        r"(?:remind me|give me a (?:reminder|nudge)|set (?:me )?a reminder|ping me|nudge me"
        r"|poke me|prompt me|alert me|notify me)"
        r"(?: again)?(?: (?:to|about|abt|of|for|that (?:i (?:need|have) to )?|:))?:? {item}",
        item,
    ),
    Rule(
        r"remember(?: that i (?:need|have) to| to| about|:"
        r"|(?! (?:when|how|what|who|why|where|if|that|the time|last|me)\b)) {item}",
        remembered,
    ),
    Rule(
        r"(?:(?:please )?(?:do not|don't|never|let's not|mustn't|must not|can't"
        r"|cannot)) (?:let me |ever )?forget(?: that i (?:need|have|must) to| to| about"
        r"|:)? {item}",
        remembered,
    ),
    Rule(r"make sure (?:that )?i(?: don't forget to| remember to)? {item}", item),
    Rule(
        r"(?:i|we)(?:'ve|'ll| will)? (?:also |still |really |just |then )*(?:mustn't forget to"
        r"|must not forget to|can't forget to|cannot forget to|better not forget to"
        r"|(?:should|must) remember to|need to|have to|must|have got to|got to)"
        r" (?:also |still |remember to )?{item}",
        needed,
    ),
    Rule(r"(?:i've|we've) (?:also |still )?got to {item}", needed),
    Rule(
        r"(?:still |also )?(?:have to|need to|must|got to) {item}",
        lambda slots: needed(slots) if deed(slots) else None,
    ),
    Rule(
        r"(?P<extra>urgent|important|critical|(?:high|medium|low|top)[- ](?:priority"
        r"|prio)): ?{item}",
        headed,
    ),
    Rule(
        r"(?:new )?(?:task|todo|to-do|to do|reminder|note to self|self|new)(?:: ?| - | – "
        r"| — ){item}",
        item,
    ),
    Rule(
        r"(?:todo|to-do) {item}",
        deed,
    ),
    Rule(
        r"(?:(?:add|create|start|make) )?(?:a |the )?(?:new )?project(?: called| named)?"
        r" (?P<extra>[^\W\d][\w.-]*): ?{item}",
        filed,
    ),
    Rule(r"new (?:task|todo|to-do|item|reminder)(?: to| called| named)? {item}", item),
    Rule(
        r"(?:my |the |our )?(?P<extra>(?!to-?do\b|task\b|the\b|my\b|this\b|done\b)[^\W\d][\w-]*)"
        r" list(?: ?:| -| –| —) ?{item}",
        lambda slots: Add(slots["item"], f"#{slots['extra'].casefold()}"),
    ),
    Rule(r"(?:another|one more)(?: one| task| item| thing)?: ?{item}", item),
    Rule(r"{item} (?:needs|has) to (?:go|be) (?:put )?on LIST", item),
)

OFFERING = (
    Rule(
        r"(?:i|we)(?:'d| would| will|'ll| really| also| probably| definitely)* (?:should"
        r"|ought to|want to|like to|plan to|intend to|'d better|better)"
        r" (?:also |probably |really |definitely )*{item}",
        intended,
    ),
    Rule(
        r"(?:i|we)(?:'d| would| will|'ll| really| also| probably| definitely)* (?:could|might"
        r"|may|need) (?:also |probably |really |definitely )*{item}",
        offered,
    ),
    Rule(
        r"(?:i'm|i am|we're|we are) (?:going|planning|supposed|meant) to {item}",
        intended,
    ),
    Rule(r"(?:i'll|i will|we'll|we will) (?:have to |need to )?{item}", offered),
    Rule(r"(?:it's|it is) time to {item}", offered),
    Rule(
        r"(?:i|we) (?:have|'ve got|have got) (?:a|an|my) {item}", lambda slots: Offer(slots["item"])
    ),
    Rule(
        r"(?:we're|we are|i'm|i am) (?:out of|running (?:low|out) (?:on|of)) {item}",
        lambda slots: Offer(f"buy {slots['item']}"),
    ),
)
