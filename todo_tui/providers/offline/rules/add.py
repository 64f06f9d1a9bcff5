"""Rules for adding tasks."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.providers.offline.intents import Add, Incomplete, Intent, Offer
from todo_tui.providers.offline.rules.pattern import Rule, Slots, it_due
from todo_tui.providers.offline.words import MARK, is_verb

_NOT_TASKS = re.compile(
    r"(?:know|ask|tell you|say|understand|think|believe|admit|see|hear|be|go|leave|sleep"
    r"|stop|agree|disagree"
    r"|complain|confess|talk to you|speak to you|vent|use the (?:bathroom|toilet)|pee"
    r"|get going|run|rest|laugh|cry)\b",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"(?:help|advice|you|a break|a minute|a moment|a hug|some help|nothing|more time|to)\b", re.I
)
_HINDSIGHT = re.compile(r"(?:have|'ve) (?:\w+ed|\w+en|paid|bought|done|gone|sent|made|got)\b", re.I)
"""What follows `I should` where it is too late."""
_OUTING = re.compile(r"(?:go (?:for|to)|see|run) (?!bed\b|sleep\b)\S+ \S+", re.IGNORECASE)
"""What is done at a time that is set, unlike `go crazy`."""
_IDLE = re.compile(
    r"(?:work|smile|win|live|die|wait|hurry|relax|dream|study|hope)"
    r"(?: (?:hard|harder|late|early|more|less|a lot|all day|today|tomorrow|tonight|again))*",
    re.IGNORECASE,
)
"""What fills a day without being a thing to tick off."""
_ASIDES = (
    *("know", "ask you", "tell you", "say", "understand", "think", "admit", "confess"),
    "complain",
)
"""Verbs with which somebody says something: it takes more words to make a task of them."""
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


def item(slots: Slots) -> Intent:
    """Add what was said, with what else was said of it."""
    return Add(slots["item"], slots.get("extra", ""))


def needed(slots: Slots) -> Intent | None:
    """`I need to …`: a task, if it is one thing to do and not said in passing."""
    words = slots["item"]
    if _IDLE.fullmatch(words):
        return None
    if words.casefold() in ("do", "do something", "go", "leave", "sleep"):
        return None
    fewest = 8 if words.casefold().startswith(_ASIDES) else 3
    return None if _NOT_TASKS.match(words) and len(words.split()) < fewest else Add(words)


def offered(slots: Slots) -> Intent | None:
    """`I should …`: perhaps a task, which is asked."""
    words = slots["item"]
    if _IDLE.fullmatch(words) or _HINDSIGHT.match(words):
        return None
    return None if _NOT_TASKS.match(words) or _NEEDED.match(words) else Offer(words)


def remembered(slots: Slots) -> Intent | None:
    """`remember to …`; who is to be remembered is no task."""
    somebody = slots["item"].casefold() in ("me", "us", "you", "it", "that", "him", "her", "them")
    return None if somebody else item(slots)


def intended(slots: Slots) -> Intent | None:
    """A plan of the speaker's own: with a date to it, it is as good as said to be added."""
    if _OUTING.match(slots["item"]):
        return Offer(slots["item"], intended=True)
    offer = offered(slots)
    if isinstance(offer, Offer) and _is_deed(slots["item"]):
        return replace(offer, intended=True)
    return offer


def headed(slots: Slots) -> Intent:
    """`urgent: call the landlord`, where the heading makes a task of a deed only."""
    words = slots["item"]
    return Add(words, slots["extra"]) if _is_deed(words) else Offer(words)


def put_on_list(slots: Slots) -> Intent | None:
    """`put bread on my list`; what is put back was there before."""
    back = slots["item"].casefold().endswith(" back")
    return None if back else item(slots)


def deed(slots: Slots) -> Intent | None:
    """Add what begins with a verb, as what is to be done does."""
    return Add(slots["item"]) if _is_deed(slots["item"]) else None


def dated(slots: Slots) -> Intent:
    """Add what was said, due at `{when}`."""
    return Add(slots["item"], slots["when"])


def filed(slots: Slots) -> Intent:
    """Add what was said, in the project that `{extra}` names."""
    return Add(slots["item"], f"#{slots['extra']}")


def _is_deed(words: str) -> bool:
    return is_verb(words.split()[0].lower())


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
