"""Rules: tables of patterns by intent, each with the request that it builds.

A pattern is the whole clause. Words in capitals are the word classes of CLASSES; slots in
braces are `tasks` and `other` (words that refer to tasks), `change` (a change of fields),
`about` (a description of tasks), `title`, `note`, `name` and `text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from todo_tui.providers.offline.pattern import Slots
from todo_tui.providers.offline.requests import (
    Ask,
    Aspect,
    Change,
    Lacks,
    Request,
    Say,
    Undo,
    Verb,
)

CLASSES: Mapping[str, str] = {
    "DONE": r"(?:all |both |already |now |finally )*(?:done|complete|completed|finished|"
            r"ticked(?: off)?"
    r"|checked(?: off)?|sorted|sorted out|dealt with|taken care of|handled|crossed off)",
    "BE": r"is|are|was|were|has been|have been|'s|'re|got|gets|should be|must be|needs to be|"
          r"has to be"
    r"|have to be|ought to be|is now|are now|will be|can be",
    "DELETE": r"delete|remove|erase|drop|scratch|trash|bin|scrap|discard|ditch|kill|get rid of|"
              r"throw away"
    r"|throw out|clear out|clear|purge|wipe|nuke|forget about|forget|lose",
    "CANCEL": r"cancel|call off|abandon",
    "MOVE": r"move|reschedule|re-schedule|postpone|push|shift|delay|defer|change|bump|snooze|"
            r"put off"
    r"|put|set|bring|pull|slip|carry over|carry|update|make|schedule|give|mark|flag|turn|switch|"
    r"edit"
    r"|extend|raise|lower|file|assign|tag|label|repeat|prioriti[sz]e|adjust|keep|stick",
    "SOONER": r"bring|pull|advance",
    "FIELD": r"due date|due day|due time|deadline|date|time|priority|prio|importance|project|list"
    r"|tags?|labels?|start(?: date)?|repeat|repetition|recurrence|status|schedule|parent|blockers?"
    r"|notes?",
    "OPENED": r"not done|not complete|not completed|not finished|undone|open|incomplete|unfinished"
    r"|active|pending|not yet done|unchecked|to-?do",
    "LIST": r"(?:my|the|our|your) )?(?:(?:to-?do |task )?(?:list|to-?dos|tasks)",
    "SHOW": r"show|list|display|give|see|view|print|tell|read(?: out)?",
    "NOW": r"now|please|again|instead|too|as well|also|already",
    "NOTE": r"(?:(?:short|quick|dated|new) )?(?:notes?|comments?|remarks?|annotations?"
    r"|description)",
}  # fmt: skip
_COMMAND_VERB = re.compile(
    rf"(?:{CLASSES['MOVE']}|{CLASSES['DELETE']}|{CLASSES['CANCEL']}|{CLASSES['SHOW']}"
    r"|add|create|rename|retitle|call|complete|finish|close|tick|check|done|reopen|restore|undo|"
    r"redo|skip|start"
    r"|begin|stop|pause|block|unblock|tag|untag|note|annotate|remind|remember|find|search|link|"
    r"swap|sort|group"
    r"|filter|export|import|list|count|merge|combine|reset|duplicate|copy|split|hide|pause|resume"
    r"|pin|archive)\b",
    re.IGNORECASE,
)
_FIELD_NAMES = {
    "due": "date", "dead": "date", "date": "date", "time": "date", "prio": "priority",
    "impo": "priority", "proj": "project", "list": "project", "tag": "tags", "labe": "tags",
    "star": "start", "repe": "repeat", "recu": "repeat", "sche": "date", "pare": "parent",
    "bloc": "blockers",
}  # fmt: skip
_NO_NAMES = frozenset("the a an my our your it its this that these those them all".split())


def field_name(words: str) -> str:
    """Return the field of `no FIELD` that words name; empty for one that cannot be cleared."""
    return next((name for key, name in _FIELD_NAMES.items() if words.lower().startswith(key)), "")


def is_command(words: str) -> bool:
    """Return True for `move the sofa to the garage`: a task, or a command not understood."""
    return bool(_COMMAND_VERB.match(words))


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and the request it builds; not `strong` where it could be a task's title too."""

    pattern: str
    build: Callable[[Slots], Request | None]
    strong: bool = True


def _do(verb: Verb) -> Callable[[Slots], Request]:
    return lambda slots: Change(verb, slots["tasks"])


def _update(template: str) -> Callable[[Slots], Request]:
    """Build an update; the template may name slots."""

    def build(slots: Slots) -> Request:
        details = template.replace("{other}", "\0").format_map(dict(slots)).replace("\0", "{other}")
        return Change(Verb.UPDATE, slots["tasks"], details, slots.get("other", ""))

    return build


def _named(mark: str) -> Callable[[Slots], Request | None]:
    def build(slots: Slots) -> Request | None:
        names = [
            name.strip().lstrip("@#") for name in slots["name"].replace(" and ", ",").split(",")
        ]
        if not all(names) or any(
            " " in name or not name[0].isalpha() or name in _NO_NAMES for name in names
        ):
            return None
        return Change(Verb.UPDATE, slots["tasks"], " ".join(mark + name for name in names))

    return build


def _clear(slots: Slots) -> Request | None:
    field = field_name(slots["field"])
    return Change(Verb.UPDATE, slots["tasks"], f"no {field}") if field else None


def _guess(slots: Slots) -> Request:
    return Change(Verb.UPDATE, slots["tasks"], slots["change"], is_guess=True)


def _note(slots: Slots) -> Request:
    return Change(Verb.UPDATE, slots["tasks"], notes=f"+ {slots['note']}")


def _out_of(template: str) -> Callable[[Slots], Request]:
    """Build an update that ends a relation to `other`, which must be there."""
    return lambda slots: Change(
        Verb.UPDATE, slots["tasks"], template, slots["other"], ends_link=True
    )


def _lacks(question: str, template: str) -> Callable[[Slots], Request]:
    return lambda slots: Lacks(question, template.format_map({**slots, "blank": "{}"}))


def _unknown_target(slots: Slots) -> Request:
    question = f"“{slots['text']}” is no date or project in use. To which date or #project?"
    return Lacks(question, f"move {slots['tasks']} to {{}}", slots["tasks"])


def _unknown_rule(slots: Slots) -> Request:
    question = f"I can't repeat “{slots['text']}”. Name the days, e.g. every Mon and Thu."
    return Lacks(question, f"make {slots['tasks']} repeat {{}}", slots["tasks"])


def _ask(aspect: Aspect) -> Callable[[Slots], Request]:
    return lambda slots: Ask(aspect, slots.get("about") or slots.get("tasks") or "")


def _say(key: str) -> Callable[[Slots], Request]:
    return lambda slots: Say(key, slots.get("topic", ""))


UNDO = (
    Rule(r"(?:that was (?:wrong|a mistake)|i (?:didn't|did not) mean (?:that|it|to)|whoops|oops|"
         r"wait|no)[,.! ]+(?:undo"
         r"|revert)(?: (?:that|it))?(?: NOW)*|i (?:didn't|did not) mean (?:that|it)|"
         r"that was (?:wrong|a mistake)",
         lambda _: Undo()),
    Rule(r"(?:undo|revert|take back|reverse)(?: (?:that|it|this|everything|all of (?:it|that)|"
         r"the last"
         r"(?: (?:change|one|thing|action|command|step))?|my last (?:change|message)|"
         r"what you(?: just)?"
         r" did|last|again))*(?: NOW)*", lambda _: Undo()),
    Rule(r"(?:take|put|change) (?:that|it|this) back(?: NOW)*", lambda _: Undo()),
    Rule(r"(?:undo|revert) (?:(?:the|my) )?(?:last )?(?P<n>twice|two|three|four|five|"
         r"\d)(?: (?:more )?(?:changes"
         r"|times|things|steps|ones))?", lambda slots: Undo(times=_count(slots["n"]))),
    Rule(r"redo(?: (?:that|it|this|the last (?:change|one)))?(?: NOW)*", lambda _: Undo(redo=True)),
)  # fmt: skip


def _count(word: str) -> int:
    return {"twice": 2, "two": 2, "three": 3, "four": 4, "five": 5}.get(word.lower()) or int(word)


COMPLETE = (
    Rule(r"(?:mark|set|check|tick) {tasks} (?:off |as |to )*DONE,? (?:with|including|and|plus|"
         r"along with) (?:all )?(?:of )?"
         r"(?:its|their|the) sub-?tasks(?: too| as well)?",
         lambda slots: Change(Verb.COMPLETE, f"{slots['tasks']} and its subtasks")),
    Rule(r"(?:mark|set|check|tick|cross|flag|put|call) {tasks} (?:off |as |"
         r"to )*(?:being )?DONE(?: NOW)*",
         _do(Verb.COMPLETE)),
    Rule(r"(?:mark|set|check|tick|cross)(?: off)? {tasks} off(?: (?:my|the) list)?(?: NOW)*",
         _do(Verb.COMPLETE)),
    Rule(r"(?:tick off|check off|cross off|mark off|close off|close out|complete|tick|check|close"
         r"|done)"
         r"(?: with)?:? {tasks}(?: NOW)*", _do(Verb.COMPLETE)),
    Rule(r"finish(?: off)? {tasks}", _do(Verb.COMPLETE), strong=False),
    Rule(r"(?:mark|set)(?: as)? DONE:? {tasks}", _do(Verb.COMPLETE)),
    Rule(r"(?:(?:i'm|i am|we're|we are|am|all) )?(?:now |all |already |finally |just )*(?:done|"
         r"finished)"
         r"(?: with)? {tasks}(?: NOW)*", _do(Verb.COMPLETE)),
    Rule(r"(?:i|we)(?:'ve| have)?(?: got| gotten| had)? {tasks} (?:all )?(?:done|finished|"
         r"out of the way"
         r"|sorted|sorted out|over with|taken care of)(?: NOW)*", _do(Verb.COMPLETE)),
    Rule(r"(?:set|change) (?:the )?status (?:of|for|on) {tasks} (?:to|as) DONE",
         _do(Verb.COMPLETE)),
    Rule(r"{tasks}(?: BE| BE both| BE all|:| -|,)? DONE(?: NOW)*", _do(Verb.COMPLETE),
         strong=False),
    Rule(r"(?:(?:i'm|i am|we're) )?(?:now |all |just |already )*(?:done|finished|did (?:it|that))",
         lambda _: Change(Verb.COMPLETE, "it")),
)  # fmt: skip
REOPEN = (
    Rule(r"(?:restore|recover|undelete|bring back|take|get|pull)(?: back)? {tasks} (?:out of|"
         r"from) the (?:trash|bin)(?: NOW)*",
         lambda slots: Change(Verb.REOPEN, slots["tasks"], scope="trash")),
    Rule(r"undo the (?:deletion|deleting|removal) of {tasks}",
         lambda slots: Change(Verb.REOPEN, slots["tasks"], scope="trash")),
    Rule(r"undo the (?:completion|completing|ticking) of {tasks}", _do(Verb.REOPEN)),
    Rule(r"(?:restore|recover|undelete) {tasks}(?: NOW)*",
         lambda slots: Change(Verb.REOPEN, slots["tasks"], scope="trash")),
    Rule(r"(?:reopen|re-open|un-?check|un-?tick|un-?mark|uncomplete|reactivate|revive|un-?complete"
         r"|bring back|un-?cancel) {tasks}(?: back)?(?: (?:again|from the trash|to (?:my|the)"
         r" list))?(?: NOW)*", _do(Verb.REOPEN)),
    Rule(r"(?:mark|set|put|change|make|turn|flag) {tasks} (?:as |to |back to |"
         r"back as )?(?:being )?OPENED"
         r"(?: again)?(?: NOW)*", _do(Verb.REOPEN)),
    Rule(r"(?:put|bring|get|take) {tasks} back(?: (?:on|onto|to|in|into|from) (?:(?:my|"
         r"the) )?(?:list"
         r"|trash))?(?: NOW)*", _do(Verb.REOPEN)),
    Rule(r"{tasks} (?:isn't|is not|aren't|are not|wasn't|was not) (?:actually |really )?(?:done|"
         r"finished"
         r"|complete)(?: yet| after all| NOW)*", _do(Verb.REOPEN)),
)  # fmt: skip
DELETE_RULES = (
    Rule(r"(?:DELETE) {tasks}(?: (?:from|off)(?: of)? (?:my|the) (?:to-?do )?list)?(?: NOW)*",
         _do(Verb.DELETE)),
    Rule(r"(?:take|cross|strike|move|put|send|throw) {tasks} (?:off (?:of )?(?:my|"
         r"the) (?:to-?do )?list"
         r"|(?:in|into|to) the (?:trash|bin))(?: NOW)*", _do(Verb.DELETE)),
    Rule(r"(?:i|we) (?:don't|do not|no longer) (?:need|want)(?: to do)? {tasks}(?: any ?more)?",
         _do(Verb.DELETE)),
    Rule(r"{tasks} (?:can|may|should|must) (?:go|be (?:deleted|removed|binned|dropped|scrapped|"
         r"trashed|erased))"
         r"(?: now| please)*", _do(Verb.DELETE), strong=False),
)  # fmt: skip
ARRIVED = (
    Rule(r"{tasks} (?:(?:is|are|has|have)(?: been| finally| now| just)* )(?:here|arrived|in|"
         r"delivered|ready|booked|bought"
         r"|over)(?: NOW)*", _do(Verb.COMPLETE), strong=False),
)  # fmt: skip
STATUS = (
    Rule(r"(?:CANCEL) {tasks}(?: NOW)*", _update("cancelled")),
    Rule(r"{tasks} (?:BE )?(?:cancell?ed|called off)", _update("cancelled")),
    Rule(r"(?:mark|set|put|flag) {tasks} (?:as |to )?(?:cancell?ed|called off)",
         _update("cancelled")),
    Rule(r"(?:skip|leave out) (?:this|the (?:next|current)) (?:occurrence|one|time)",
         lambda _: Change(Verb.UPDATE, "it", "skip")),
    Rule(r"(?:skip|leave out) (?:the (?:next|current) occurrence of )?{tasks}"
         r"(?: this (?:time|week|month|year)| once| today| tomorrow)?", _update("skip")),
    Rule(r"no {tasks} {days}",
         lambda slots: Change(Verb.UPDATE, f"{slots['tasks']} {slots['days']}", "skip"),
         strong=False),
    Rule(r"(?:start|begin)(?: on| with| working on)? {tasks}(?: NOW)*", _update("doing"),
         strong=False),
    Rule(r"(?:i|we)(?:'ve|'m| have| am)?(?: just| already| now)* (?:started|begun|working)(?: on|"
         r" with"
         r"| working on)? {tasks}", _update("doing")),
    Rule(r"(?:mark|set|put|move) {tasks} (?:as |to )?(?:in progress|doing|started)",
         _update("doing")),
    Rule(r"(?:stop|pause) (?:working on|doing) {tasks}", _update("todo"), strong=False),
)  # fmt: skip
RENAME = (
    Rule(r"(?:rename|retitle|reword|rephrase) {tasks} (?:to|as|into|->|=>|=) {title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"(?:rename|retitle|reword|edit|change) {tasks}: ?{title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"(?:change|edit|update|correct|fix|set) (?:the )?(?:title|name|text|wording) (?:of|for|"
         r"on)"
         r" {tasks} (?:to|into|as) {title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"(?:make|set|change) (?:the )?(?:title|name) (?:of|"
         r"for) {tasks} (?P<title>[\U00012000-\U00012400])",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"(?:rename|retitle|call|reword) {tasks} (?P<title>[\U00012000-\U00012400])(?: instead)?",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"(?:change|edit|update|make|correct) {tasks} (?:to )?(?:say|read) {title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"{tasks} should (?:say|read|be called|be named) {title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
    Rule(r"call (?P<tasks>it|that|this|that one|#\d+) {title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"])),
)  # fmt: skip
NOTES = (
    Rule(r"(?:add|attach|append|write|put|leave|make|set) (?:(?:a|the|this|another) )?NOTE (?:to|"
         r"on|for"
         r"|about|of|in) {tasks}(?: ?:| that says| saying| that reads| -|,| that) ?{note}", _note),
    Rule(r"(?:add|attach|write|put|leave) (?:(?:a|the|this|another) )?NOTE(?: that says| saying|"
         r" that"
         r"| ?:)? {note} (?:to|on|for|under) {tasks}", _note),
    Rule(r"(?:add|put|write) {note} (?:to|in|into|on) (?:the )?NOTE (?:of|for|on|to) {tasks}",
         _note),
    Rule(r"(?:NOTE|annotate)(?: on| for| to)? {tasks}(?: with)?: ?{note}", _note),
    Rule(r"annotate {tasks} (?:with|that) {note}", _note),
    Rule(r"note on {tasks} that {note}", _note),
    Rule(r"(?:add|put|write|attach) {note} as (?:a |the )?NOTE (?:to|on|for|of) {tasks}", _note),
    Rule(r"(?:add|write|put) (?:to|in|into) {tasks}(?:'s)? NOTE(?: that|:)? {note}", _note),
    Rule(r"(?:add|leave|put|attach|write) (?:a |another )?NOTE(?: that says| saying| that|"
         r" ?:) ?{note}",
         lambda slots: Change(Verb.UPDATE, "it", notes=f"+ {slots['note']}")),
    Rule(r"{tasks} ?: ?(?:please )?(?:add |a |the )*NOTE(?: that| ?:)? {note}", _note),
    Rule(r"(?:remove|delete|clear|erase) (?:the |all )?NOTE (?:of|from|for|on) {tasks}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], notes="")),
)  # fmt: skip
LINKS = (
    Rule(r"(?:make|turn) {tasks} (?:into )?(?:an? )?(?:sub-?task|child|part)s?"
         r" (?:of|under) {other}",
         _update("under {other}")),
    Rule(r"(?:make|set) {other} (?:as )?the parent (?:task )?of {tasks}", _update("under {other}")),
    Rule(r"(?:set|change) the parent(?: task)? of {tasks} to {other}", _update("under {other}")),
    Rule(r"(?:move|put|nest|file|indent) {tasks} (?:under|underneath|inside) {other}",
         _update("under {other}")),
    Rule(r"{tasks} (?:is|are) (?:a )?(?:sub-?tasks?|part) of {other}", _update("under {other}")),
    Rule(r"(?:take|move|pull|get) {tasks} out of (?:its|the|their) parent(?: task)?",
         _update("no parent")),
    Rule(r"(?:unnest|outdent) {tasks}", _update("no parent")),
    Rule(r"make {tasks} (?:(?:a |an )?(?:top[- ]level|separate|independent)(?: tasks?)?|(?:its|"
         r"their) own tasks?)",
         _update("no parent")),
    Rule(r"(?:move|put|bring) {tasks} to (?:the )?top[- ]level", _update("no parent")),
    Rule(r"(?:take|move|pull|get|remove) {tasks} (?:out of|from under|from below|from) {other}",
         _out_of("no parent")),
    Rule(r"{tasks} (?:no longer|doesn't|does not|don't|needn't)(?: need to| have to)? (?:waits?|"
         r"depends?) (?:for|on)"
         r" (?:anything|something|any(?: other)? tasks?)(?: any ?more)?", _update("no blockers")),
    Rule(r"{tasks} (?:no longer|doesn't|does not|don't)(?: need to| have to)? (?:waits?|"
         r"depends?) (?:for|on)"
         r" {other}(?: any ?more)?", _out_of("-after {other}")),
    Rule(r"{other} (?:no longer blocks?|doesn't block|does not block) {tasks}(?: any ?more)?",
         _out_of("-after {other}")),
    Rule(r"(?:remove|delete|drop|clear) the (?:dependency|dependence) of {tasks} (?:on|to) {other}",
         _out_of("-after {other}")),
    Rule(r"(?:remove|delete|drop|clear) (?:all |the )*(?:dependenc(?:y|ies)|blockers?) (?:of|from"
         r"|for|on) {tasks}",
         _update("no blockers")),
    Rule(r"{tasks} (?:isn't|is not|is no longer|aren't|are not|are no longer) (?:blocked|"
         r"waiting)(?: any ?more)?",
         _update("no blockers")),
    Rule(r"(?:unblock|free) {tasks} from {other}", _out_of("-after {other}")),
    Rule(r"(?:unblock|free) {tasks}", _update("no blockers")),
    Rule(r"(?:(?:make|let|have) )?{tasks} (?:(?:is|are|should|must|has to|have to|needs to|"
         r"need to) )?wait(?:s|ing)?"
         r" (?:for|on|until) {other}(?: (?:is|are) (?:done|finished))?", _update("after {other}")),
    Rule(r"(?:make )?{tasks} (?:depends?|(?:is|are) dependent) on {other}",
         _update("after {other}")),
    Rule(r"(?:mark |set )?{tasks} (?:is |are |as )?blocked by {other}", _update("after {other}")),
    Rule(r"(?:block|hold) {tasks} (?:until|by|on|with) {other}(?: (?:is|are) (?:done|finished))?",
         _update("after {other}")),
    Rule(r"{tasks} (?:can't|cannot|can not|shouldn't|must not|won't) (?:be )?(?:start|started|"
         r"begin|happen|done|be done)"
         r" (?:until|before|till) {other}(?: (?:is|are) (?:done|finished))?",
         _update("after {other}")),
    Rule(r"don't (?:start|begin|do) {tasks} (?:until|before) {other}(?: (?:is|are) (?:done|"
         r"finished))?",
         _update("after {other}")),
    Rule(r"{other} (?:must|has to|have to|needs? to|should) be (?:done|finished|complete|"
         r"completed) before {tasks}",
         _update("after {other}"), strong=False),
    Rule(r"{other} blocks {tasks}", _update("after {other}")),
    Rule(r"make {other} block {tasks}", _update("after {other}")),
    Rule(r"{tasks} (?:comes?|goes) after {other}", _update("after {other}")),
    Rule(r"do {tasks} after (?P<other>(?:task )?#?\d+)", _update("after {other}")),
    Rule(r"{tasks} needs? {other} (?:to be )?(?:done |finished )?first", _update("after {other}")),
    Rule(r"(?:add|make|set) {other} (?:as )?(?:a |the )?blocker (?:of|for|to) {tasks}",
         _update("after {other}")),
    Rule(r"(?:add|create|make|set) an? dependency (?:from|of) {tasks} (?:to|on) {other}",
         _update("after {other}")),
)  # fmt: skip
FIELDS = (
    Rule(r"(?:remove|delete|drop|take|clear|strip|take off|unset) (?:the )?(?:tags?|labels?) {name}"
         r" (?:from|off|off of|of) {tasks}", _named("-@")),
    Rule(r"(?:remove|delete|drop|take|clear|strip) (?:the )?{name} (?:tags?|labels?) (?:from|off|"
         r"off of|of)"
         r" {tasks}", _named("-@")),
    Rule(r"(?:untag|unlabel) {tasks}(?: from| as| with|:) {name}", _named("-@")),
    Rule(r"(?:untag|unlabel) {tasks}", _update("no tags")),
    Rule(r"(?:remove|clear|drop|delete|erase|unset|take|take off|take away|cancel|strip|get rid of)"
         r" (?:the |its |their |all |any )*(?P<field>FIELD)s?"
         r" (?:from|off|off of|of|for|on) {tasks}", _clear),
    Rule(r"(?:remove|clear|drop|delete|erase|unset) {tasks}'s? (?P<field>FIELD)", _clear),
    Rule(r"(?:stop|end) (?:repeating|recurring|the (?:repeat|recurrence|series) of) {tasks}",
         _update("no repeat")),
    Rule(r"(?:stop|end) (?:the )?{tasks} series", _update("no repeat")),
    Rule(r"make {tasks} (?:stop repeating|non-?repeating|not repeat|non-?recurring)",
         _update("no repeat")),
    Rule(r"(?:set|change|put) (?:the )?(?P<field>FIELD) (?:of|for|on) {tasks} to (?:none|nothing|"
         r"never)", _clear),
    Rule(r"(?:lower|reduce|decrease|drop) (?:the )?(?:priority|prio|importance) (?:of|for) {tasks}",
         _update("!low")),
    Rule(r"(?:lower|reduce|decrease|drop) {tasks}'s? (?:priority|prio)", _update("!low")),
    Rule(r"(?:raise|increase|bump up) (?:the )?(?:priority|prio|importance) (?:of|for) {tasks}",
         _update("!high")),
    Rule(r"(?:raise|increase|bump up) {tasks}'s? (?:priority|prio)", _update("!high")),
    Rule(r"(?:stop|keep) {tasks} from (?:repeating|recurring)", _update("no repeat")),
    Rule(r"(?:add|put|attach|apply|give|set) (?:the |a )?(?:tags?|labels?) {name} (?:to|on|onto|"
         r"for)"
         r" {tasks}", _named("@")),
    Rule(r"(?:add|put|attach|apply) (?:the |a )?{name} (?:tags?|labels?) (?:to|on|onto) {tasks}",
         _named("@")),
    Rule(r"(?:tag|label) {tasks}(?: with| as| by| under|:) {name}", _named("@")),
    Rule(r"(?:tag|label) (?P<tasks>it|that|this|them|these|those|both|#\d+) {name}", _named("@")),
    Rule(r"(?:add|put|attach|apply|stick) (?P<name>@[\w-]+(?:(?:,? and |, ?| )@[\w-]+)*) (?:to|on"
         r"|onto) {tasks}",
         _named("@")),
    Rule(r"(?:file|put|move|categori[sz]e|group) {tasks} (?:in|into|to|under) (?:the |"
         r"my )?(?:project|list"
         r"|folder|category) {name}", _named("#")),
    Rule(r"(?:file|put|move|categori[sz]e|group) {tasks} (?:in|into|to|under) (?:the |my |"
         r"our )?{name}"
         r" (?:project|list|folder|category)", _named("#")),
    Rule(r"(?:take|move|get|pull|remove) {tasks} (?:out of|from) (?:the |my )?{known}(?: project|"
         r" list| folder)?",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], "no project", known=slots["known"])),
    Rule(r"(?:file|put|move) {tasks} (?:in|into|to|under) (?P<name>#[^\W\d][\w.-]*)", _named("#")),
    Rule(r"(?:SOONER) {tasks} (?:forward |up |in |ahead )*(?:by )?{sooner}(?: earlier)?",
         _update("{sooner}")),
    Rule(r"(?:MOVE) (?:the |a |its |another )?FIELD (?:of|for|on) {tasks} (?:to|as|on|for|by|"
         r"until|till|:)?"
         r" ?{change}(?: NOW)*", _update("{change}")),
    Rule(r"(?:MOVE) {tasks}'s? FIELD (?:to|as|on|for|until|till|:)? ?{change}(?: NOW)*",
         _update("{change}")),
    Rule(r"(?:MOVE)(?: back| up| down| forward| off| out| over)? {tasks} (?:back |forward |out |"
         r"off |over |up"
         r" |down |on |ahead |again |have |be )*{change}(?: NOW)*", _update("{change}")),
    Rule(r"(?:MOVE) {tasks} from {days} (?:on )?(?:to|until|till|onto|for) {change}",
         lambda slots: Change(Verb.UPDATE, f"{slots['tasks']} due {slots['days']}",
                              slots["change"])),
    Rule(r"(?:unschedule|undate) {tasks}", _update("no date")),
    Rule(r"hide {tasks} (?:until|till) {days}", _update("starts {days}")),
    Rule(r"(?:unhide|show again) {tasks}(?: again| now)?", _update("no start")),
    Rule(r"{tasks} (?P<change>(?:\d+|an?|one|two|three) (?:days?|weeks?|hours?|months?) (?:later|"
         r"earlier))",
         _update("{change}"), strong=False),
    Rule(r"remind me(?: again)?(?: (?:of|about) (?:it|that|this))? {change}",
         lambda slots: Change(Verb.UPDATE, "it", slots["change"]), strong=False),
    Rule(r"{tasks} (?:no longer (?:has|needs)(?: an?| any)?|has no|needs no|doesn't (?:have|"
         r"need) an?) (?P<field>FIELD)"
         r"(?: any ?more| now)?", _clear),
    Rule(r"(?:no|without an?) (?P<field>FIELD) (?:for|on) {tasks}(?: any ?more| please)?", _clear),
    Rule(r"{tasks} (?:isn't|is not|is no longer|aren't|are not|are no longer) (?:so |that |"
         r"really |very )*(?:urgent"
         r"|important|critical|(?:a )?high[ -]priority)(?: any ?more| any longer| now)?",
         _update("no priority")),
    Rule(r"{tasks} (?:no longer|shouldn't|should not|doesn't|does not|should stop|needn't|"
         r"don't)(?: need to)?"
         r" (?:repeats?|repeating|recurs?|recurring)(?: any ?more)?", _update("no repeat")),
    Rule(r"{tasks} (?:priority|prio):? (?P<level>high|medium|low)", lambda slots: Change(
        Verb.UPDATE, slots["tasks"], f"!{slots['level'].lower()}")),
    Rule(r"(?:for|on) {tasks},? (?:please )?note(?: down)?(?: that|:) ?{note}", _note),
    Rule(r"(?:MOVE)(?: it| that)? (?:to|until|till|for) {change}(?: instead)?(?: NOW)*",
         lambda slots: Change(Verb.UPDATE, "it", slots["change"])),
    Rule(r"(?:file|put|move|add|assign) {tasks} (?:in|into|to|under) (?:the |my |our )?{known}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], f"#{slots['known']}",
                              known=slots["known"])),
    Rule(r"(?:prioriti[sz]e|star|flag) {tasks}", _update("!high")),
    Rule(r"(?:deprioriti[sz]e|unflag|unstar) {tasks}", _update("no priority")),
    Rule(r"{tasks} (?:(?:should|must|needs to|has to|have to|ought to|can|could|may|will) )?(?:BE"
         r"|be|goes|go"
         r"|moves?|belongs?|wait|become|becomes|is now|has|have|needs?|repeats?|recurs?|"
         r"happens?)(?: moved"
         r"| rescheduled| postponed| pushed| due| done| ready| finished| now| actually| really|"
         r" until| to be)*"
         r" {change}(?: NOW)*", _update("{change}"), strong=False),
    Rule(r"(?:do|i'll do|i will do|let me do|let's do) {tasks} (?:on )?{change}(?: NOW)*",
         _update("{change}"), strong=False),
    Rule(r"{tasks} due (?:on |by )?{change}", _guess, strong=False),
    Rule(r"{tasks} {change} instead", _guess, strong=False),
    Rule(r"{tasks} (?:(?:is|are|was|were|got|has been|have been) )?(?:moved|rescheduled|postponed"
         r"|pushed|shifted)"
         r"(?: back| forward)? (?:to|until) {change}(?: NOW)*", _update("{change}")),
    Rule(r"{tasks}(?::| ->| =>| –| -| →) ?{change}", _update("{change}"), strong=False),
    Rule(r"{tasks} (?:on |at |to )?{change} (?:instead of|rather than|not) (?:on |at )?{days}",
         _update("{change}"),
         strong=False),
    Rule(r"{tasks} (?:back )?(?:to|until|till) {change}(?: NOW)*", _update("{change}"),
         strong=False),
    Rule(r"{tasks} (?:by )?{shift}(?: NOW)*", _update("{shift}"), strong=False),
    Rule(r"(?P<tasks>(?:all|both|each|one) of (?:them|those|these)|them(?: all| both)?|(?:those|"
         r"these)(?: two"
         r"| ones)?|both|it|that one|this one|the rest|the (?:first|second|third|fourth|fifth|"
         r"last|other)"
         r" one|the (?:first|last) (?:two|three|\d+)|#\d+),? {change}(?: NOW)*",
         _update("{change}")),
)  # fmt: skip
RETITLE = (
    Rule(r"(?:change|update|edit) {tasks} (?:to|into) {title}",
         lambda slots: Change(Verb.UPDATE, slots["tasks"], title=slots["title"]), strong=False),
)  # fmt: skip
LACKING = (
    Rule(r"(?P<verb>delete|remove|rename|complete|finish|reopen|move|reschedule|postpone|tag|"
         r"cancel|skip)"
         r"(?: (?:a|one|some|my) (?:tasks?|to-?dos?)| something| one)?",
         _lacks("Which task?", "{verb} {blank}")),
    Rule(r"(?:rename|retitle) {tasks}",
         _lacks("What is the new title?", "rename {tasks} to {blank}")),
    Rule(r"(?:move|reschedule|postpone|schedule|push|push back|delay|defer|put off|bump) {tasks}",
         _lacks("To which date?", "move {tasks} to {blank}"), strong=False),
    Rule(r"(?:break down|break up|split up|split|divide) {tasks}(?: down|"
         r" up)?(?: into (?:subtasks|steps|parts))?",
         _lacks("Into which subtasks?", "add subtasks to {tasks}: {blank}"), strong=False),
    Rule(r"(?:move|reschedule|postpone|push|delay|defer|shift|put off|bump) {tasks} (?:to|until|"
         r"till|by) {text}",
         _unknown_target, strong=False),
    Rule(r"repeat {tasks} (?P<text>every .+)", _unknown_rule, strong=False),
    Rule(r"(?:make|set|have) {tasks} (?:to )?repeat (?P<text>.+)", _unknown_rule, strong=False),
    Rule(r"(?:tag|label) {tasks}", _lacks("With which tag?", "tag {tasks} with {blank}")),
    Rule(r"add(?: (?:a|another|one|some)? ?(?:new )?(?:tasks?|to-?dos?|something))?",
         _lacks("What is the task?", "add {blank}")),
)  # fmt: skip
NEGATED = (
    Rule(r"(?:do not|don't|never|please don't|no need to) (?:(?:ever|you dare|actually|really|"
         r"yet) )?"
         r"(?!forget\b)(?:DELETE|MOVE|CANCEL|complete|finish|close|tick|check|rename|undo|reopen|"
         r"add|do"
         r"|touch) {tasks}", _say("nothing")),
    Rule(r"(?:keep|leave) {tasks} (?:as (?:it|they) (?:is|are)|alone|open|where (?:it|they) (?:is"
         r"|are)|on"
         r" (?:my|the) list)", _say("nothing")),
)  # fmt: skip
TALK = (
    Rule(r"(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|day)|"
         r"greetings)(?: there| again"
         r"| everyone)?", _say("hello")),
    Rule(r"(?:thanks|thank you|thx|ty|cheers|great|perfect|awesome|nice|cool|wonderful|good job|"
         r"well done"
         r"|nice one|brilliant|excellent|lovely)(?: (?:a lot|so much|very much|again|for .+))?",
         _say("thanks")),
    Rule(r"(?:(?:i'm|i am|we're) )?(?:all )?(?:done|finished) for (?:today|the day|tonight|now)|"
         r"that's it for today"
         r"|calling it a day", _say("day done")),
    Rule(r"(?:yes|yep|yeah|yup|sure|do it|go ahead)(?: please)?", _say("no question")),
    Rule(r"(?:bye|goodbye|good ?night|see you(?: \w+)?|later|cya)", _say("bye")),
    Rule(r"(?:ok|okay|k|fine|alright|all right|got it|i see|good)", _say("fine")),
    Rule(r"(?:no|nope|nah|never ?mind|forget it|nothing|cancel that|leave it|not now|stop)",
         _say("nothing")),
    Rule(r"(?:help|\?|commands|usage|what can (?:you|i) (?:do|say|ask)|how does this work|"
         r"how do (?:you|i)"
         r" (?:work|use (?:this|you)))(?: me)?(?: please)?", _say("help")),
    Rule(r"(?:how (?:do|can|would|could) (?:i|you|we)|how to) (?P<topic>(?:add|creat|delet|remov|"
         r"renam|mov"
         r"|reschedul|postpon|complet|finish|tick|undo|redo|tag|prioriti|repeat|filter|search|"
         r"find|sort|export"
         r"|import|link|block|skip|cancel|restor|reopen|set|chang|mark)\w*.*)", _say("help")),
    Rule(r"(?P<topic>(?:empty|clear|purge|erase) (?:the |my )?(?:trash|bin)(?: for good|"
         r" permanently)?)", _say("help")),
    Rule(r"(?:remind|ping|nudge|alert) me (?:\d+|an?|one|two|five|ten|half an) (?:minutes?|mins?|"
         r"hours?|days?|weeks?)"
         r" (?:before|earlier|ahead|in advance).*", _say("reminders")),
    Rule(r"(?:who|what) are you|what(?:'s| is) your name|are you (?:an? )?(?:ai|bot|robot|human|"
         r"model|llm)",
         _say("who")),
    Rule(r"(?:what(?:'s| is) the )?(?:current )?(?:time|date|day)(?: (?:is it|today|now|is today))*"
         r"|what (?:time|day|date) is (?:it|today)(?: now| today)?", _say("time")),
)  # fmt: skip
QUESTIONS = (
    Rule(r"(?:what|where|which(?: task| one)?)(?: should| do| can| could| must)? (?:i|we) (?:do|"
         r"start|work on|tackle"
         r"|begin|focus on)(?: with)?(?: next| first| now| today)+", _ask(Aspect.NEXT)),
    Rule(r"(?:what|where)(?: should| do| can| could| must) (?:i|we) (?:start|work on|tackle|begin"
         r"|focus on)(?: with)?",
         _ask(Aspect.NEXT)),
    Rule(r"what now", _ask(Aspect.NEXT)),
    Rule(r"which(?: task| one)?(?: is| comes| should be)? (?:first|next)|what needs (?:my|"
         r"our) attention"
         r"|(?:i'm|im|i am) bored(?:, what .+)?", _ask(Aspect.NEXT)),
    Rule(r"what(?:'s| is) (?:next|up next|first|most (?:urgent|important)|the (?:next|"
         r"most (?:urgent|important))"
         r"(?: task| thing)?)(?: on (?:my|the) (?:list|agenda))?", _ask(Aspect.NEXT)),
    Rule(r"next(?: task)?|(?:suggest|pick|choose) (?:a task|something|one)(?: for me)?",
         _ask(Aspect.NEXT)),
    Rule(r"(?:how (?:many|much)(?: of)?|count|(?:the )?number of) {about}", _ask(Aspect.COUNT)),
    Rule(r"(?:how does|what does|how's|what's) my (?P<about>day|week|month|weekend|"
         r"list)(?: look(?: like)?| going to be)?",
         lambda slots: Ask(Aspect.LIST,
                           {"day": "today",
                            "list": ""}.get(slots["about"].lower(), f"this {slots['about']}"))),
    Rule(r"(?:(?:and )?(?:what|how) about|and(?: for)?) {days}",
         lambda slots: Ask(Aspect.LIST, slots["days"])),
    Rule(r"(?:(?:list|show|what are|which|what)(?: me)?(?: all)?(?: my| the)? )(?P<about>projects"
         r"|tags|labels)"
         r"(?: do i have| do i use| am i using| are there| exist| are in use)?",
         _ask(Aspect.GROUPS)),
    Rule(r"when(?:'s| is| are| do i (?:have|need) to| must i| should i| did i| was|"
         r" were) {tasks}(?: due| planned"
         r"| scheduled| happening| on| supposed to be)*", _ask(Aspect.ONE)),
    Rule(r"(?:what|which) notes? (?:is|are|do i have) (?:on|for|about|in) {tasks}",
         _ask(Aspect.ONE)),
    Rule(r"when did (?:i|we) (?:do|finish|complete|close|tick off) {tasks}", _ask(Aspect.ONE)),
    Rule(r"(?:what time|what day|which day) (?:is|are) {tasks}(?: due)?", _ask(Aspect.ONE)),
    Rule(r"(?:what are|what's|what is|show|show me|read)(?: the| my)? (?:details|notes?|"
         r"annotations?|due date|deadline"
         r"|priority|project|tags|status|subtasks)(?: of| for| on| about) {tasks}",
         _ask(Aspect.ONE)),
    Rule(r"(?:what|which) (?:priority|project|date|due date|day|time|tags?|list) (?:is|does|are|"
         r"has) {tasks}"
         r"(?: have| in| on| due| got)?", _ask(Aspect.ONE)),
    Rule(r"does {tasks} (?:have|repeat|recur).*", _ask(Aspect.ONE)),
    Rule(r"where(?:'s| is| are) {tasks}", _ask(Aspect.ONE)),
    Rule(r"how often (?:do i|is|does) {tasks}(?: repeat| recur| due)?", _ask(Aspect.ONE)),
    Rule(r"why (?:is|are|should i do|must i do) {tasks} (?:so |that |at the |on )*(?:urgent|"
         r"important|first|next|top"
         r"|blocked|waiting|late)(?: of (?:the|my) list)?", _ask(Aspect.ONE)),
    Rule(r"how (?:urgent|important|far along) (?:is|are) {tasks}", _ask(Aspect.ONE)),
    Rule(r"how far (?:am i|are we|along am i) with {tasks}", _ask(Aspect.ONE)),
    Rule(r"what(?:'s| is) the progress (?:of|on|with) {tasks}", _ask(Aspect.ONE)),
    Rule(r"(?:show me )?what (?:is |are )?block(?:s|ing) {tasks}", _ask(Aspect.ONE)),
    Rule(r"what(?:'s| is) blocking {tasks}", _ask(Aspect.ONE)),
    Rule(r"what (?:does|do|is|are) {tasks} (?:wait(?:ing)?|depend(?:ing)?) (?:for|on)",
         _ask(Aspect.ONE)),
    Rule(r"why (?:can't|can not|cannot) i (?:do|start|begin) {tasks}", _ask(Aspect.ONE)),
    Rule(r"(?:is|are) (?:anything|something|any(?: of my)? tasks?) (?:blocked|waiting)",
         lambda _: Ask(Aspect.LIST, "blocked tasks")),
    Rule(r"(?:is|are) {tasks} (?:blocked|waiting)(?: (?:for|on) (?:anything|something))?",
         _ask(Aspect.ONE)),
    Rule(r"(?:what|which tasks?) (?:is |are )?(?:wait(?:s|ing)?|depend(?:s|ing)?) (?:for|"
         r"on) (?:something|anything"
         r"|(?:another|other) tasks?)", lambda _: Ask(Aspect.LIST, "blocked tasks")),
    Rule(r"(?:what|which tasks?) (?:is |are )?(?:wait(?:s|ing)?|depend(?:s|ing)?) (?:for|"
         r"on) {tasks}",
         _ask(Aspect.BLOCKED)),
    Rule(r"what (?:does|do) {tasks} block", _ask(Aspect.BLOCKED)),
    Rule(r"(?:is|are) (?:anything|something|any tasks?) (?:blocked by|waiting for) {tasks}",
         _ask(Aspect.BLOCKED)),
    Rule(r"(?:(?:list|show|show me|what are|which are) )?(?:all )?the sub-?tasks of {tasks}",
         _ask(Aspect.BELOW)),
    Rule(r"(?:which|what) sub-?tasks does {tasks} have", _ask(Aspect.BELOW)),
    Rule(r"(?:what|which tasks?) (?:is|are) (?:under|below|inside) {tasks}", _ask(Aspect.BELOW)),
    Rule(r"when (?:is|are|does|do) (?:the )?next {tasks}(?: after (?:today|that))?(?: due)?",
         _ask(Aspect.ONE)),
    Rule(r"when (?:is|are|does|do) {tasks} (?:due after that|come round again|come again|"
         r"repeat(?: again)?)",
         _ask(Aspect.ONE)),
    Rule(r"(?:what are )?(?:the )?next (?:two |three |\d )?dates (?:of|for) {tasks}",
         _ask(Aspect.ONE)),
    Rule(r"what(?:'s| is) (?P<tasks>task (?:number )?\w+|number \w+)", _ask(Aspect.ONE)),
    Rule(r"(?:tell me (?:more )?about|details of|details on|open|what about) {tasks}",
         _ask(Aspect.ONE)),
    Rule(r"(?:what is|what's|show|show me) (?P<tasks>#\d+|task \d+|it|that one|this one)",
         _ask(Aspect.ONE)),
    Rule(r"{tasks} (?:done|finished|complete)", _ask(Aspect.ONE)),
    Rule(r"(?:done|finished)", lambda _: Ask(Aspect.ONE, "it")),
    Rule(r"(?:is|are|was|were|did i|have i|has|have) {tasks} (?:been )?(?:done|finished|complete|"
         r"completed|overdue|late|due"
         r"|\w+ed|bought|paid|sent|made|read|written|built|sold)(?: yet| already)?",
         _ask(Aspect.ONE)),
    Rule(r"(?:only )?(?:find|search(?: for)?|look (?:up|for)|show|list|give|display|see|view|tell"
         r"|read out)(?: me| us)?(?: only)?"
         r" {about}", _ask(Aspect.LIST)),
    Rule(r"(?:filter(?: by)?:? )?(?P<about>(?:due|start|project|tag|priority|sort|group|done|"
         r"created|updated|under|has|title)"
         r"(?:\.[a-z]+)?:\S.*)", _ask(Aspect.LIST)),
    Rule(r"filter(?: (?:(?:my|the) )?(?:list|tasks))? (?:by|for|to) {about}", _ask(Aspect.LIST)),
    Rule(r"(?P<about>(?:sort|order|group|organi[sz]e)(?: (?:my|the|all)? ?(?:tasks|list|to-?dos|"
         r"everything))? by .+)", _ask(Aspect.LIST)),
    Rule(r"(?P<about>(?:my |the |all )?[\w.-]+ (?:tasks|to-?dos|items))", _ask(Aspect.LIST)),
    Rule(r"(?P<about>(?:what|which|do (?:i|we) have|have (?:i|we)|is there|are there|any|anything"
         r"|something|got|tasks"
         r"|everything|all|did (?:i|we)|am i)\b.+)", _ask(Aspect.LIST)),
    Rule(r"(?:list|show|tasks|todos?|my list|agenda|show me|what's up|what's on)",
         lambda _: Ask(Aspect.LIST)),
    Rule(r"{description}", lambda slots: Ask(Aspect.LIST, slots["description"])),
)  # fmt: skip
COMMANDS = (
    *NEGATED, *NOTES, *RENAME, *LINKS, *FIELDS[:10], *COMPLETE, *ARRIVED, *REOPEN, *FIELDS[10:],
    *STATUS,
    *DELETE_RULES, *RETITLE, *LACKING,
)  # fmt: skip
