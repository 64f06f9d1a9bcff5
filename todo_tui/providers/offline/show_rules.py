"""The grammar of questions about one task: when, whether, how often, what is written on it."""

from __future__ import annotations

from todo_tui.providers.offline.builders import show
from todo_tui.providers.offline.pattern import Rule

SHOWING = (
    Rule(r"when {ref} (?:is|are) (?:due|scheduled|planned)", show("due")),
    Rule(r"(?:if|whether) {ref} (?:is|are) (?:DONE|due|open|overdue)", show("status")),
    Rule(
        r"(?:tell me|show me|give me|say)(?: (?:more|something|all"
        r"|everything))?(?: about)? (?:the )?(?:details?|info|information) (?:of|for|on"
        r"|about) {ref}",
        show(),
    ),
    Rule(r"(?:the )?(?:details?|info|information) (?:of|for|on|about) {ref}", show()),
    Rule(r"(?:tell me|say|explain)(?: (?:more|something|all|everything))? about {ref}", show()),
    Rule(r"(?:describe|inspect|expand) {ref}", show()),
    Rule(
        r"(?:show(?: me)?|what(?:'s| is| was)|which is|open|see|view|display) (?P<ref>(?:#"
        r"|(?:task|number|no\.?|id|item)(?: number)? ?#?)\d+"
        r"|(?:task )?number (?:one|two|three|four|five|six|seven|eight|nine|ten))",
        show(),
    ),
    Rule(r"(?P<ref>#\d+)", show(), strong=False),
    Rule(
        r"(?:when|what day|what time|which day|what date|by when) (?:is|are|was|were"
        r"|'s) {ref}(?: (?:due|scheduled|planned|set|happening|on|again|for"
        r"|supposed to be done))*",
        show("due"),
    ),
    Rule(r"when's {ref}(?: due)?", show("due")),
    Rule(
        r"when (?:did|have) (?:i|we) (?:last )?(?:finish(?:ed)?|complete(?:d)?|do|done|get done"
        r"|tick(?:ed)? off|check(?:ed)? off|close(?:d)?) {ref}(?: last)?",
        show("done"),
    ),
    Rule(
        r"(?:when )?(?:does|do|is|are) {ref} (?:repeat|recur|repeating|recurring)", show("repeat")
    ),
    Rule(
        r"(?:when )?(?:did|have|has) (?:i|we) (?:already |ever |actually )*"
        r"(?:add(?:ed)?|enter(?:ed)?|put(?: down| in)?|write down|written down|not(?:e|ed) down"
        r"|creat(?:e|ed)|save(?:d)?) {ref}(?: (?:to|on|onto|in) LIST)?(?: yet| already)?",
        show("status"),
    ),
    Rule(
        r"(?:when|by when|what day|what time) (?:do|should|must|shall|did|will|can"
        r"|does) (?:i|we) (?:have to |need to |plan to |want to )?{ref}",
        show("due"),
    ),
    Rule(r"(?:what(?:'s| is)|when(?:'s| is)) (?:the )?DATE (?:of|for|on) {ref}", show("due")),
    Rule(r"(?:what|which) (?:priority|prio) (?:is|does|has) {ref}(?: have)?", show("priority")),
    Rule(
        r"what(?:'s| is| are) (?:the )?(?:priority|status|project|note|notes|tags?|state"
        r"|details?) (?:of|for|on|about|in) {ref}",
        show(),
    ),
    Rule(
        r"(?:what|which) (?:project|list|tags?) (?:is|does|are|has) {ref}(?: (?:in|on|have"
        r"|under))?",
        show(),
    ),
    Rule(
        r"(?:does|do) {ref} (?:already )?have (?:(?:a|any|some) )?(?:tags?|labels?|notes?"
        r"|comments?|project|priority|DATE)",
        show(),
    ),
    Rule(r"how often (?:does|do|should|is) (?:i )?{ref}(?: repeat| recur| due)?", show("repeat")),
    Rule(
        r"(?:is|are|was|were) {ref} (?:already |now |still |yet )*(?:DONE|overdue|late|due"
        r"|open|high priority|urgent|important|recurring|pending)(?: yet| already| today"
        r"| tomorrow)?",
        show("status"),
    ),
    Rule(
        r"(?:is|are) {ref} (?:still )?(?:on|set|planned|scheduled|happening)(?: (?:for|on|at))?"
        r" {when}",
        show("due"),
    ),
    Rule(
        r"(?:what|which|any|how many) (?:notes?|comments?|remarks?|tags?|labels?|details?"
        r"|subtasks) (?:does|do|did|has|have) {ref}(?: have| got)?",
        show(),
    ),
    Rule(
        r"(?:did|have|has) (?:i|we) (?:already |ever |actually |yet )*{ref}(?: yet| already)?",
        show("status"),
    ),
    Rule(
        r"(?:what's|what is|how's|how is) (?:the )?(?:status|state) (?:of|with|on) {ref}",
        show("status"),
    ),
    Rule(r"(?:is|are) {ref} (?:still )?(?:on|in) LIST", show("status")),
    Rule(r"does {ref} (?:still )?exist(?: (?:on|in) LIST)?", show("status")),
    Rule(
        r"what (?:does|do|did) (?:the )?(?:note|notes|remarks?|comments?) (?:of|on|for|about) {ref}"
        r" say",
        show(),
    ),
    Rule(r"what (?:does|do) {ref} (?:notes?|comments?|remarks?) say", show()),
    Rule(r"(?:what about|how about) {ref}", show()),
    Rule(
        r"(?:what|which|are there(?: any)?|is there(?: an?| any)?|show(?: me)?|read(?: me)?|see"
        r"|list)(?: the| my| all| any)* (?:notes?|comments?|remarks?|annotations?)(?: (?:are|is"
        r"|do i have|did i (?:write|put|leave|make)|have i(?: got| put)?))?(?: there)? (?:on|for|of"
        r"|about|in|to|under) {ref}",
        show(),
    ),
    Rule(
        r"(?:what (?:happens|would happen|will happen)|what) if i (?:delete|complete|finish|remove"
        r"|do|move|tick off|skip|cancel)d? {ref}",
        show(),
    ),
)
