"""Rules: tables of patterns by intent, each with the request that it stands for.

A pattern is the whole clause; slots in braces are `tasks` and `other` (words that refer to
tasks), `change` (a change of fields), `about` (a description of tasks), `title`, `note`, `name`
and `text`; a title is `dated` or `undated` where it matters that it begins with a date. Texts of a
request may name slots, and groups of the pattern.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from todo_tui.providers.offline.help import APP
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.pattern import Slots, lines, regex
from todo_tui.providers.offline.language.words import NUMBERS, word_set, word_table
from todo_tui.providers.offline.requests import (
    Ask,
    Aspect,
    Change,
    FixedAnswer,
    MissingPart,
    Request,
    Undo,
    Verb,
)

_COMMAND_VERB = regex(
    r"(MOVE|DELETE|CANCEL|SHOW|add|create|rename|retitle|call|complete|finish|close|tick|check"
    r"|done|reopen|restore|undo|redo|skip|start|begin|stop|pause|block|unblock|tag|untag|note"
    r"|annotate|remind|remember|find|search|link|swap|sort|group|filter|export|import|list|count"
    r"|merge|combine|reset|duplicate|copy|split|hide|resume|pin|archive)\b"
)
_FIELD_NAMES = {
    "due": "date", "dead": "date", "date": "date", "time": "time", "prio": "priority",
    "impo": "priority", "proj": "project", "list": "project", "tag": "tags", "labe": "tags",
    "star": "start", "repe": "repeat", "recu": "repeat", "sche": "date", "pare": "parent",
    "bloc": "blockers", "esti": "estimate",
}  # fmt: skip
_NOT_NAMES = word_set("not_names")
LENGTHS = {
    "a quarter of an hour": "15m", "half an hour": "30m", "an hour": "1h", "one hour": "1h",
    "an hour and a half": "1h30", "two hours": "2h", "three hours": "3h",
}  # fmt: skip
"""Lengths that estimates do not spell so."""
_TIMES = {"twice": 2, **NUMBERS}
Build = Callable[[Slots], Request | None]


def is_command(words: str) -> bool:
    """Return True for `move the sofa to the garage`: a task, or a command not understood."""
    return bool(_COMMAND_VERB.match(words))


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and its request; not `strong` where it could be a task's title too."""

    pattern: str
    template: Request | Build
    strong: bool = True

    def request(self, slots: Slots) -> Request | None:
        """Return the request with its slots filled; None where the words have no meaning."""
        template = self.template
        if callable(template):
            return template(slots)
        given = {**slots, "other": "{other}"}
        texts: dict[str, Any] = {
            each.name: text.format_map(given)
            for each in fields(template)
            if type(text := getattr(template, each.name)) is str
        }
        if isinstance(template, Change):
            texts["other"] = slots.get("other", "")
        return replace(template, **texts)


def _rules(template: Request | Build, patterns: str) -> tuple[Rule, ...]:
    """Return a rule for each line; one that is indented further continues the line before.

    A pattern that could be a task's title too begins with `~`.
    """
    return tuple(
        Rule(line.removeprefix("~ "), template, not line.startswith("~"))
        for line in lines(patterns)
    )


def _update(details: str = "", tasks: str = "{tasks}", **more: Any) -> Change:  # noqa: ANN401
    return Change(Verb.UPDATE, tasks, details, **more)


_OLD = r"(?P<old>[^\W\d\U00012000-\U00012400][\w.-]*)"
_NEW = r"[#@]?(?P<new>[^\W\d\U00012000-\U00012400][\w.-]*)"
_NEW_TAG = r"[@+]?(?P<name>[^\W\d\U00012000-\U00012400]\w*\d+|[@+][\w-]+)"
"""Names of projects and tags that are typed without quotes."""
_APP = "|".join(APP)
_EVERYTHING = regex(r"(everything|all( (of )?(the|my) tasks| tasks| of them)?)")


def _named(mark: str) -> Build:
    def build(slots: Slots) -> Request | None:
        names = [
            name.strip().lstrip("@#") for name in slots["name"].replace(" and ", ",").split(",")
        ]
        if not all(names) or any(
            " " in name or not name[0].isalpha() or name in _NOT_NAMES for name in names
        ):
            return None
        words = " ".join(mark + name for name in names)
        tasks = slots.get("tasks", "them")
        if mark == "-@" and _EVERYTHING.fullmatch(tasks):
            tasks = f"everything tagged {', '.join(names)}"
        return Change(Verb.UPDATE, tasks, words)

    return build


def _clear(slots: Slots) -> Request | None:
    words, tasks = slots["field"].lower(), slots.get("tasks", "it")
    if words.startswith("note"):
        return Change(Verb.UPDATE, tasks, notes="")
    field = next((name for key, name in _FIELD_NAMES.items() if words.startswith(key)), "")
    return Change(Verb.UPDATE, tasks, f"no {field}") if field else None


def _repeated(slots: Slots) -> Request:
    word = slots["n"].lower()
    return Undo(slots["verb"].lower() == "redo", _TIMES.get(word) or int(word))


def _lasting(slots: Slots) -> Request:
    words = slots["time"].lower()
    details = f"~{LENGTHS.get(words, words)}"
    return Change(Verb.UPDATE, slots["tasks"], details, is_guess="reserved" in slots)


def _outlook(slots: Slots) -> Request:
    about = slots["about"].lower()
    return Ask(Aspect.LIST, {"day": "today", "list": ""}.get(about, f"this {about}"))


def _ranked(slots: Slots) -> Request:
    count, about = slots.get("count", "one").lower(), slots["about"].lower()
    most = NUMBERS.get(count) or int(count)
    return Ask(Aspect.LIST, about, rank=slots.get("rank", "next").lower(), most=most)


def _at_end(slots: Slots) -> Request:
    return Ask(Aspect.ONE, "the last" if slots["place"].lower() in _AT_END else "the first")


_RANKS = sorted(word_table("ranks").keys() - {"longest"}, key=len, reverse=True)
_RANK = rf"(?P<rank>{'|'.join(_RANKS)})"
_COUNT = rf"(?P<count>\d+|{'|'.join(NUMBERS)})"
_RANKED = (
    r"(?P<about>([#@]?[\w-]+ ){0,2}(tasks?|to-?dos?|items?|deadlines?|chores?|things?(?= due"
    r"| to do|$))( (in|for|of|at|with|without|tagged|due|that|which|on|under|left|to do)\b.*)?)"
)
_AT_END = ("last", "latest", "final")
_COMPLETE = Change(Verb.COMPLETE, "{tasks}")
_REOPEN = Change(Verb.REOPEN, "{tasks}")
_RESTORE = Change(Verb.REOPEN, "{tasks}", scope="trash")
_DELETE = Change(Verb.DELETE, "{tasks}")
_RETITLE = _update(title="{title}")
_NOTE = _update(notes="+ {note}")
_ONE = Ask(Aspect.ONE, "{tasks}")
_UNKNOWN_TARGET = MissingPart(
    "“{text}” is no date or project in use. To which date or #project?",
    "move {tasks} to {{}}",
    "{tasks}",
)
_UNKNOWN_RULE = MissingPart(
    "I can't repeat “{text}”. Name the days, e.g. every Mon and Thu.",
    "make {tasks} repeat {{}}",
    "{tasks}",
)
UNDO = (
    *_rules(Undo(), r"""
        (undo|revert|take back|reverse)( (that|it|this
            |the last( (change|one|thing|action|command|step))?|my last (change|message)
            |what you( just)? did|last|again))*( NOW)*
        (take|put|change) (that|it|this) back( NOW)*
    """),
    *_rules(_repeated,
            r"(?P<verb>undo|revert|redo) ((the|my) )?(last )?(?P<n>twice|two|three|four|five|\d)"
            r"( (more )?(changes|times|things|steps|ones))?"),
    *_rules(FixedAnswer("older undo"), r"""
        (undo|revert|take back|redo) ((the|my|your) )?(last )?(two|three|four|five|\d|few) messages
        (undo|revert|take back|redo) (what (you|i) (did|changed|said)|((the|my|your) )
            ?(changes?|messages?|things?))( of)?( (two|three|four|five|\d|a few) (messages|changes
            |steps|turns|times))? (ago|back|before( (that|the last( one)?))?)
        (undo|revert|take back|redo) (the|my) ((second|third) (to )?last|first|other|(one|message
            |change) before( (that|the last))?)( (change|message|one|thing))?
    """),
    *_rules(FixedAnswer("older undo"), phrases.FIELD_BACK),
    *_rules(FixedAnswer("all undo"), r"""
        (undo|revert|take back|reverse) (everything|all( of (it|that|them|this))?)( NOW)*
        (undo|revert|take back|redo) (all|every|each|any)( of)?( (the|my|your|these|those))?
            ( (last|latest|recent|previous))* (changes?|edits?|messages?|things?|actions?|steps?)
            ( .+)?
        (undo|revert|take back|redo) ((the|my|your) )?(changes|edits|things|actions|everything|all)
            (from|of|since|in|made|done|(that )?(i|you|we)( have|'ve)?( just)? (did|done|changed
            |made)) .+
        (undo|revert|take back|redo) (what( ever)?|everything) (i|you|we)( have|'ve)?( just)?
            (did|done|changed|made) .+
        (undo|revert|take back|redo) ((all|the|my|your) )*(today|yesterday|this week|WEEKDAY)'?s?
            (changes|edits|things|actions)
        redo (everything|all( of (it|that|them))?)
    """),
    *_rules(Undo(redo=True), r"redo( (that|it|this|the last (change|one)))?( NOW)*"),
)  # fmt: skip
COMPLETE = (
    *_rules(Change(Verb.COMPLETE, "{tasks} and its subtasks"),
            r"(mark|set|check|tick) {tasks} (off |as |to )*DONE,? (with|including|and|plus"
            r"|along with) (all )?(of )?(its|their|the) sub-?tasks( too| as well)?"),
    *_rules(_COMPLETE, r"""
        (mark|set|check|tick|cross|flag|put|call) {tasks} (off |as |to )*(being )?DONE( NOW)*
        (mark|set|check|tick|cross)( off)? {tasks} off( (my|the) list)?( NOW)*
        (tick off|check off|cross off|mark off|close off|close out|complete|tick|check|close|done)
            ( with)?:? {tasks}( NOW)*
        ~ (finish( off)?|wrap up|resolve|x) {tasks}
        {tasks} x
        ((i'm|i am|we're|we are|am|all) )?(now |all |already |finally |just )*(done|finished)
            ( with)? {tasks}( NOW)*
        ~ ((only|just) )?{tasks}( BE| BE both| BE all|:| -|,)? DONE( NOW)*
    """),
)  # fmt: skip
REOPEN = (
    *_rules(_RESTORE, r"""
        (restore|recover|undelete|bring back|take|get|pull)( back)? {tasks} (out of
            |from) the (trash|bin)( NOW)*
        undo the (deletion|deleting|removal) of {tasks}
        (restore|recover|undelete) {tasks}( NOW)*
    """),
    *_rules(_REOPEN, r"""
        (reopen|re-open|un-?check|un-?tick|un-?mark|uncomplete|reactivate|revive|un-?complete
            |bring back|un-?cancel) {tasks}( back)?( (again|from the trash|to (my|the) list))?
            ( NOW)*
        (mark|set|put|change|make|turn|flag) {tasks} (as |to |back to |back as )?(being )?OPENED
            ( again)?( NOW)*
        (put|bring|get|take) {tasks} back( (on|onto|to|in|into|from) ((my|the) )?(list|trash))?
            ( NOW)*
        open (?P<tasks>(it|that|this|them|those)( one)?) (up )?again( NOW)*
        {tasks} (isn't|is not|aren't|are not|wasn't|was not) (actually |really )?
            (done|finished|complete)( yet| after all| NOW)*
    """),
)  # fmt: skip
DELETE_RULES = (
    *_rules(_DELETE, r"""
        DELETE {tasks}( (from|off)( of)? (my|the) (to-?do )?list)?( NOW)*
        (put|move|throw|send|drop) {tasks} (in|into|to) (the )?(trash|bin)( NOW)*
        take {tasks} (off|from)( of)? (my|the) (to-?do )?list( NOW)*
        (cross|strike) {tasks} out( NOW)*
        throw {tasks} (away|out)( NOW)*
        (i|we) (don't|do not|no longer) (need|want)( to do)? {tasks}( any ?more)?
        ~ {tasks} (can|may|should|must) (go|be (deleted|removed|binned|dropped|scrapped|trashed
            |erased))( now| please)*
    """),
    *_rules(Change(Verb.DELETE, "{tasks}", other="{other}", ends_link=True, is_guess=True),
            r"(DELETE|take|cross|strike) {tasks} (off of|off|out of|from) {other}"),
)  # fmt: skip
STATUS = (
    *_rules(_update("cancelled"), r"""
        CANCEL {tasks}( NOW)*
        call {tasks} off( NOW)*
        (mark|set|put|flag) {tasks} (as |to )?(cancell?ed|called off)
        (?P<tasks>(tasks? )?NUMBERED),? (BE) (cancell?ed|called off|off)
    """),
    *_rules(_update("cancelled", tasks="{pointed}"),
            r"{pointed} (is|was|got|has been) (cancell?ed|called off)( NOW)*"),
    *_rules(_update("skip", tasks="it"),
            r"(skip|leave out) (this|the (next|current)) (occurrence|one|time)"),
    *_rules(_update("skip"), r"""
        ~ no {tasks} {days}
        (skip|leave out) {tasks} {days}
        (skip|leave out|CANCEL) {days}['’]s {tasks}
    """),
    *_rules(_update("skip"),
            r"(skip|leave out) (the (next|current|coming) (occurrence of )?)?{tasks}"
            r"( this (time|week|month|year)| once| today| tomorrow)?"),
    *_rules(_update("doing"), r"""
        ~ (start|begin)( on| with| working on)? {tasks}( NOW)*
        (i|we)('ve|'m| have| am)?( just| already| now)* (started|begun|working)
            ( on| with| working on)? {tasks}
    """),
)  # fmt: skip
# Before a new title: `change the passport: due 20 january, hidden until 3 january`.
EDIT = _rules(_update("{change}"), r"(change|edit|update|set) {tasks}:(?!\d) ?{change}( NOW)*")
SHELL = (
    *_rules(_update("{change}"), r"""
        (task )?(mod|modify|edit|set|update|change) (?P<tasks>NUMBERED):? {change}
        (tasks? )?(?P<tasks>NUMBERED) (mod|modify|edit|set)? ?(?P<change>([-+]?[@#!]|\+)(?!\d).+)
        (tasks? )?(?P<tasks>NUMBERED) (mod|modify|edit|set) {change}
    """),
    *_rules(_NOTE, r"(annotate|note) (?P<tasks>NUMBERED):? (with )?{note}"),
    *_rules(_update("todo"), r"(stop|pause) (?P<tasks>#?\d+)"),
)  # fmt: skip
"""Commands as shells have them: a number after the verb, or before it."""
RENAME = _rules(_RETITLE, r"""
    (mod|modify|edit|set|change|update) {tasks} title(:| to|=) ?{title}
    (rename|retitle|reword|rephrase) {tasks} (to|as|into|->|=>|=) {title}
        (, (that|it|which)('s| is| was) .+)?
    (rename|retitle|reword|edit|change) {tasks}:(?!\d) ?{title}
    (change|edit|update|correct|fix|set) (the )?(title|name|text|wording) (of|for
        |on) {tasks} (to|into|as) {title}
    (make|set|change) (the )?(title|name) (of|for) {tasks} (?P<title>[\U00012000-\U00012400])
    (rename|retitle|call|reword) {tasks} (?P<title>[\U00012000-\U00012400])( instead)?
    (change|edit|update|correct) {tasks} to say {title}
    {tasks} should (say|read|be called|be named) {title}
    (call|name|title) (?P<tasks>it|that|this|that one|#\d+) (?!(off|a (day|night))\b){title}
""") + _rules(_update(tasks="it", title="{title}"), r"""
    (change|make|set) (the|its) (title|name) ((to|into) )?{title}
    (the|its) (title (is|should be)|name should be) {title}
    (rename|retitle|reword) ((it|that|this|the task) )?(to|as|into) {title}
    (rename|retitle) (it|that|this) {title}
    make (it|that|this) (say|read) {title}
    ((a )?(better|new) )?title: {title}
""")  # fmt: skip
GROUPS = (
    *_rules(_update("#{new}", tasks="#{old}"), rf"""
        (rename|change|move|merge) (the |my )?GROUP_KIND #?{_OLD} (to|into|as|with)
            [ ](the )?(GROUP_KIND )?{_NEW}
        (rename|change) (the |my )?{_OLD} GROUP_KIND (to|into|as) {_NEW}
        (rename|change) #{_OLD} (to|into|as) {_NEW}
    """),
    *_rules(_update("-@{old} @{new}", tasks="@{old}"), rf"""
        (rename|change) (the |my )?(tag|label) @?{_OLD} (to|into|as) (the )?((tag|label) )?{_NEW}
        (rename|change) (the |my )?{_OLD} (tag|label) (to|into|as) {_NEW}
        (rename|change) @{_OLD} (to|into|as) {_NEW}
    """),
)  # fmt: skip
NOTES = (
    *_rules(_NOTE, r"""
        NOTING ((a|the|this|another) )?NOTE (to|on|for|about|of|in|at|under|with)
            [ ]{tasks}SAYING{note}
        NOTING ((a|the|this|another) )?NOTE (to|on|for|about|of|in|at|under|with) {tasks}, {note}
        NOTING ((a|the|this|another) )?NOTE (to|on|for|about|with) (?P<tasks>(it|that|this)( one)?
            |the [\w' ]+?) to {note}
        (add|attach|write|put|leave) ((a|the|this|another) )?NOTE(SAYING| ){note} (to|on|for|under)
            [ ]{tasks}
        (NOTE|annotate)(?! to (self|myself|me)\b)( on| for| to)? {tasks}( with)?: ?{note}
        annotate {tasks} (with|that) {note}
        note on {tasks} that {note}
        NOTING {note} as (a |the )?NOTE (to|on|for|of) {tasks}
        NOTING (to|in|into) {tasks}('s)? NOTE( that|:)? {note}
        NOTING( down)?( that| this| it)? (in|into|to|under|on) the NOTE (of|for|on|to) {tasks}
            ( (too|as well|please|would you))*(SAYING|, ){note}
        (in|to|on|under) the NOTE (of|for|on) {tasks},?( please)? NOTING(SAYING| ){note}
        NOTING {note} (in|into|to|under|on) the NOTE (of|for|on|to) {tasks}
        ((for|on|at|with|regarding|re) )?{tasks}[:,]?( please)? NOTING (in|into|to|under) (the|its)
            [ ]NOTE(SAYING| ){note}
        ((for|on|at|with|regarding|re) )?{tasks}[:,]?( please)? NOTING (to|on|with|in) (it|there)
            SAYING{note}
        (jot|scribble|write)( down)? (on|to|under|with|in) (?!(the|my|our) list){tasks}: {note}
        (remember|note) (for|about|on|with) (?!(to(day|morrow|night)|WEEKDAY|next|this|the \d)\b)
            {tasks}: {note}
        NOTING( down)? (in|on|to|under|with) (?P<tasks>[\w' ]+ (task|one|entry))( that| ?:) {note}
        (in|on|under|with) (?P<tasks>[\w' ]+ (task|one|entry)) NOTING( down)? that {note}
        (add|write) to (?!(the|my|our|your)\b)(?P<tasks>[\w'-]+ [\w' -]+(?<!list)(?<!project)
            (?<!folder)): {note}
        NOTING (in|on|to) the (task|entry) (of|for|about) {tasks}( that| ?:) {note}
    """),
    *_rules(_update(tasks="it", notes="+ {note}"), r"""
        (add|leave|put|attach|write|stick|pop|with) ((a|another|the) )?NOTE(SAYING|, ){note}
        (add|attach|with) ((a|another|the) )?note (?!(for|on|to|about|from|of|in)\b){note}
        (another )?note: {note}
        (add|put|write|save) (?P<note>\S.*?) as (a|the|another) NOTE
        NOTING (a |another )?NOTE (on )?(there|here)( too| as well)*SAYING{note}
        NOTE( to self)? (on|for|to|about) (it|that|this|them)( that| ?:)? {note}
        NOTING( down)?( (his|her|its|their|the|this|that|my) [\w ]{2,25}?)? (in|to|into|under|on)
            [ ](the |its )?notes?( (too|as well|also|please))*(SAYING|, ){note}
        NOTING( down)?( that| this)?( (on|in|with|to|for))+ (it|there)( (too|as well|also))*
            SAYING{note}
        (note there|notes) ?: ?{note}
        (put|add|write|save|note) {note} (in|into|to) (the|its) notes?
        (write|put|add|note)( (in|on))? (there|it)( please)? that {note}
    """),
    *_rules(_NOTE, r"""
        (add|put|attach|save|write|stick|pin|drop) (the |this |a |my )?([\w-]+ )?(link|url)
            ( (to|on|in|for|with|under))+ {tasks}:? (?P<note>(https?://|www\.)\S+)
        (the )?(link|url) (for|to|of|on) {tasks}( is)?:? (?P<note>(https?://|www\.)\S+)
        (add|put|attach|save|write|stick) (?P<note>(https?://|www\.)\S+) (to|on|in|for|with|at|into)
            [ ]{tasks}
        (add|put|attach|save|write) (the |this |his |her |its |their )?((phone |mobile )?number
            |link|url|website|address|email)( is)? ?:?[ ](?P<note>(https?://|www\.)\S+|\S+@\S+
            |[+\d(][\d ()/-]+\d) (to|on|in|for|with|at|into) {tasks}
    """),
    *_rules(_NOTE, r"""
        {tasks} ?: ?(please )?(add |a |the )*NOTE( that| ?:)? {note}
        {tasks} ?(,|-|–|=>|->) ?(please )?(add |a |the )*NOTE ?: ?{note}
    """),
)  # fmt: skip
LINKS = (
    *_rules(_update("under {other}"), r"""
        (make|turn) {tasks} (into )?(an? )?(sub-?task|child|part)s? (of|under) {other}
        (make|set) {other} (as )?the parent (task )?of {tasks}
        (move|put|nest|file|indent) {tasks} (under|underneath|inside) {other}
    """),
    *_rules(_update("no parent"), r"""
        (unnest|outdent) {tasks}
        make {tasks} ((a |an )?(top[- ]level|separate|independent)( tasks?)?
            |(its|their) own tasks?)
        (move|put|bring) {tasks} to (the )?top[- ]level
    """),
    *_rules(_update("no parent", ends_link=True),
            r"(take|move|pull|get|remove) {tasks} (out of|from under|from below|from) {other}"),
    *_rules(_update("-after {other}", ends_link=True), r"""
        {other} (no longer blocks?|doesn't block|does not block) {tasks}( any ?more)?
        (remove|delete|drop|clear) the (dependency|dependence) of {tasks} (on|to) {other}
        (unblock|free) {tasks} from {other}
    """),
    *_rules(_update("no blockers"), r"""
        {tasks} (no longer|doesn't|does not|don't|needn't)( need to| have to)? (waits?
            |depends?) (for|on) (anything|something|any( other)? tasks?)( any ?more)?
        {tasks} (isn't|is not|is no longer|aren't|are not|are no longer) (blocked|waiting)
            ( any ?more)?
    """),
    *_rules(_update("after {other}"), r"""
        ((make|let|have) )?{tasks} ((is|are|should|must|has to|have to|needs to|need to) )?wait
            (s|ing)? (for|on|until) {other}( (is|are) (done|finished))?
        (mark |set )?{tasks} (is |are |as )?blocked by {other}
        (block|hold) {tasks} (until|by|on|with) {other}( (is|are) (done|finished))?
        {tasks} (can't|cannot|can not|shouldn't|must not|won't) (be )?(start|started|begin|happen
            |done|be done) (until|before|till) {other}( (is|are) (done|finished))?
        don't (start|begin|do) {tasks} (until|before) {other}( (is|are) (done|finished))?
        ~ {other} (must|has to|have to|needs? to|should) be (done|finished|complete
            |completed) before {tasks}
        make {other} block {tasks}
        {tasks} (comes?|goes) after {other}
        {tasks} (is|are) after (?!\d+$){other}
        ~ {other} (comes?|goes) before {tasks}
        ~ {other} (is|are) before (?!\d+$){tasks}
        do {tasks} after (?P<other>(task )?#?\d+)
        {tasks} needs? {other} (to be )?(done |finished )?first
        {tasks} (depends?|hinges?|relies|rely|is dependent|are dependent) (up)?on {other}
            ( (being|getting) (done|finished))?
        ~ {other} (must|has to|have to|needs? to|should) (happen|come|go|be) (first,? )?before
            [ ]{tasks}
        (i|we) (can't|cannot|can not|won't be able to) (start |begin )?{tasks} (until|till|unless
            |before) {other}(( is| are| has| have| gets?)( been)? (?!(for|to|at|on|in|of)\b)\S+)?
        {tasks} can only (be \S+|start|happen|begin|go ahead) (after|once|when) {other}
            (( is| are| has been| have been) \S+)?
        (finish|do|complete) {other} before {tasks}
        (add|make|set) {other} (as )?(a |the )?blocker (of|for|to) {tasks}
        (add|create|make|set) an? dependency (from|of) {tasks} (to|on) {other}
    """),
)  # fmt: skip
CLEARING = (
    *_rules(_named("-@"), r"""
        (remove|delete|drop|take|clear|strip|take off|unset) (the )?(tags?|labels?) {name} (from
            |off|off of|of) {tasks}
        (remove|delete|drop|take|clear|strip) (the )?{name} (tags?|labels?) (from|off|off of
            |of) {tasks}
        (remove|delete|drop|take|clear|strip) (?P<name>@[\w-]+) (from|off|off of|of) {tasks}
        (untag|unlabel) {tasks}( from| as| with|:) {name}
    """),
    *_rules(_update("no project"),
            r"(remove|delete|drop|take|clear|strip) #(?!\d+\b)[\w.-]+ (from|off|of) {tasks}"),
    *_rules(_update("no tags"), r"(untag|unlabel) {tasks}"),
    *_rules(_clear, r"""
        (remove|clear|drop|delete|erase|unset|take|take off|take away|cancel|strip
            |get rid of) (the |its |their |all |any )*(?P<field>FIELD)s? (from|off|off of|of|for
            |on) {tasks}
        (remove|clear|drop|delete|erase|unset) {tasks}'s (?P<field>FIELD)s?
        (set|change|put) (the )?(?P<field>FIELD) (of|for|on) {tasks} to (none|nothing|never)
        (remove|clear|drop|unset|take off|get rid of|(delete|erase)(?!.*\bproject)) (the |its |all
            |any )+(?P<field>(?!list\b)FIELD)s?( again| please)*
    """),
    *_rules(_update("no repeat"), r"""
        (stop|end|turn off|switch off|no more) (repeating|recurring|the (repeat|repetition
            |recurrence|repeating|series) (of|for|on)) {tasks}
        (stop|end) (the )?{tasks} (series|repeating|from repeating|recurring|repetition)
        (don't|do not|never) (repeat|recur) {tasks}( any ?more| any longer| again)?
        make {tasks} (stop repeating|non-?repeating|not repeat|non-?recurring)
    """),
)  # fmt: skip
_SET = r"(set|change|make|put|update|edit|move|raise|lower)( the)?"
_CHANGED = r"(due date|date|due|deadline|time|priority|prio|repeat|recurrence|status)"
"""Fields that change words set without naming them."""
FIELDS = (
    *_rules(_update("{change}"), rf"""
        {_SET} {_CHANGED} (of|for|on) {{tasks}} (to|as|at|=|:) {{change}}
        {_SET} {{tasks}}'s {_CHANGED} (to|as|at|=|:) {{change}}
        (the )?{_CHANGED} (of|for) {{tasks}}( (is|=|should be|must be)|:) {{change}}
        (set|add|give|put) an? {_CHANGED} (for|on|to) {{tasks}}( of| to|:| on)? {{change}}
        (add|put|assign|set|attach) ((an?|the) )?({_CHANGED} (of )?)?{{change}} (to|on) {{tasks}}
        (let|have) {{tasks}} (repeat|recur) {{change}}
        (i|we) (want|need|would like|'d like) {{tasks}}( (to be )?(due|done|finished))?
            ( by| on| for)? {{change}}
        (?P<tasks>(tasks? (number )?|#)NUMBERED|\d+ ?,NUMBERED),?:?
            [ ](is |at |on |for )*{{change}}( NOW)*
    """),
    *_rules(_update("{change}", tasks="them"), rf"""
        {_SET} {_CHANGED} (to|as|at|=|:) {{change}}
        (add|put|set) ((an?|the) )?{_CHANGED}( of| to)?:? {{change}}
        (set|mark|flag) (as |to )?(an? )?{{change}}
    """),
    *_rules(_named("@"), r"(add|put|attach|set) (the |a )?(tags?|labels?) {name}"),
    *_rules(_update("starts {until}"), rf"""
        {_SET} start( date)? (of|for|on) {{tasks}} (to|at|=|:) {{until}}
        {_SET} {{tasks}}'s start( date)? (to|at|=|:) {{until}}
    """),
    *_rules(_named("#"), rf"""
        {_SET} project (of|for|on) {{tasks}} (to|as|=|:) {{name}}
        {_SET} {{tasks}}'s project (to|as|=|:) {{name}}
        {_SET}( its)? project (to|as|=|:) {{name}}
    """),
    *_rules(_named("@"), rf"""
        {_SET} (tags?|labels?) (of|for|on) {{tasks}} (to|as|=|:) {{name}}
        {_SET} {{tasks}}'s (tags?|labels?) (to|as|=|:) {{name}}
        (add|put|attach|set|stick) (an? |the )?{{name}} (tag|label) (to|on) {{tasks}}
        (give|assign) {{tasks}} (the |an? )?(tag|label) {{name}}
        (give|assign) {{tasks}} (the |an? )?{{name}} (tag|label)
        {{tasks}} (gets|should get|should have|needs) (the |an? )?(tag|label) {{name}}
        {{tasks}},?:? (tag|label):? {{name}}
        (tag|label) {{tasks}} {_NEW_TAG}
        {_SET}( its)? (tags?|labels?) (to|as|=|:) {{name}}
        (add|put|attach) ((the|an?|another) )?(tag|label):? {{name}}
        (add|put|attach) ((the|an?|another) )?{_NEW_TAG} (tag|label)
        (add|put|attach) {{name}} as (an?|another) (tag|label)
        (add|put|attach) (?P<name>@[\w-]+)
        (tag|label) {_NEW_TAG}
    """),
    *_rules(_update("at {hour}"), rf"""
        {_SET} time (of|for|on) {{tasks}} to (?P<hour>(1?\d|2[0-3])([.:][0-5]\d)?)
        {_SET} {{tasks}}'s time to (?P<hour>(1?\d|2[0-3])([.:][0-5]\d)?)
    """),
    *_rules(_update("at {hour}"), r"""
        MOVE (?P<tasks>it|that|this|them) (?P<hour>1[0-2]|[1-9]|([01]?\d|2[0-3])[.:][0-5]\d)( NOW)*
            (,? (not|instead of|rather than) [\d.:]+)?
            (,? (they|they're|theyre|he|he's|she|she's|i|i'm|we|we're|it's|because|cos|as|since)
            \b .+)?
        MOVE {tasks} (to|at|for) (?P<hour>1[0-2]|[1-9]|([01]?\d|2[0-3])\.(00|1[3-9]|[2-5]\d))( NOW)*
    """),
    *_rules(_update("!high"),
            r"(prioriti[sz]e|star|flag) (?!((all|of|my|the|whole|to-?do) )*(list|tasks|to-?dos"
            r"|day|week|everything)$){tasks}"),
    *_rules(_update("!high"), r"""
        make {tasks} (a|the|my|our) ((top|main|first|number one) )?priority
        {tasks} (is|are|has to be) (now )?(a|the|my|our) ((top|main|first) )?priority( now)?
    """),
    *_rules(_update("!high"), r"""
        (raise|increase|up|bump up) (the )?(priority|prio|importance) (of|for|on) {tasks}
        (raise|increase|up|bump up) {tasks}'s (priority|prio|importance)
    """),
    *_rules(_update("!high", tasks="it"),
            r"(raise|increase|up|bump( up)?) (the|its) (priority|prio|importance)"),
    *_rules(_update("no date"), r"""
        make {tasks} (undated|dateless|unscheduled)
    """),
    *_rules(_update("no date", is_guess=True),
            r"{tasks},? (with no|without( an?)?|no) (due )?date"),
    *_rules(_update("!low"), r"""
        (lower|reduce|decrease|drop) {tasks}'s? (priority|prio)
    """),
    *_rules(_update("~{time}"), r"""
        MOVE (the |a |an |its )?(time )?estimate (of|for|on) {tasks} (to|at|as|:)? ?~?
            (?P<time>AMOUNT)
        estimate ~?(?P<time>AMOUNT) for {tasks}
        (add|put|set) (an? )?(time )?estimate( of)? ~?(?P<time>AMOUNT) (to|for|on) {tasks}
        estimate {tasks} (at|to|as|:)? ?~?(?P<time>AMOUNT)
    """),
    *_rules(_lasting, r"""
        ~ {tasks} ((will|should|is going to) (take|last)|takes|lasts|needs) (me )?(about |around
            |roughly )?~?(?P<time>LASTING)
        ~ (?P<reserved>set aside|put aside|allow|allocate|block|budget|reserve)( off| out)? (about
            |around )?~?(?P<time>LASTING) for {tasks}
    """),
    *_rules(_named("@"), r"""
        (add|put|attach|apply|give|set) (the |a )?(tags?|labels?) {name} (to|on|onto|for) {tasks}
        (tag|label) {tasks}( with| as| by| under|:) {name}
        (tag|label) {tasks} (?P<name>urgent|important|critical|high|low|christmas|xmas|easter
            |halloween|weekend|today|tomorrow|WEEKDAY)
        (tag|label) (?P<tasks>it|that|this|them|these|those|both|#\d+) {name}
        (add|put|attach|apply|stick) (?P<name>@[\w-]+((,? and |, ?| )@[\w-]+)*) (to|on
            |onto) {tasks}
    """),
    *_rules(_update("@{known}", known="{known}", is_guess=True),
            r"(tag|label) (?!(all|every|both|my)\b){tasks} {known}"),
    *_rules(_named("#"), r"""
        (file|put|move|stick|pop) (?P<tasks>it|that|this|them|those|both) (in|into|under) {name}
    """),
    *_rules(_update("no project", known="{known}"),
            r"(take|move|get|pull|remove) {tasks} (out of|from) (the |my )?"
            r"{known}( project| list| folder)?"),
    *_rules(_update("{sooner}"),
            r"SOONER {tasks} (forward |up |in |ahead )*(by )?{sooner}( earlier)?"),
    *_rules(_update("{change}"), r"""
        MOVE( back| up| down| forward| off| out
            | over)? {tasks} (back |forward |out |off |over |up |down |on |ahead |again |have |be )*
            {change}( NOW)*
    """),
    *_rules(_update("{change}"), r"""
        (drop|lower|bump|raise|demote|promote) {tasks} (down |up )?to {change}( NOW)*
        {change},? (?P<tasks>it|they|that|this|these|those) (must|should|has to|have to|needs? to)
            [ ]be \w+( NOW)*
        give {tasks} (an? |the )?(new )?FIELD (of |to |for |on |by |at )?{change}
    """),
    *_rules(_update("no date"), r"(unschedule|undate) {tasks}"),
    *_rules(_update("starts {until}"), r"""
        (hide|pause|suspend) {tasks} (until|till) {until}
        (put|place) {tasks} on hold (until|till) {until}
    """),
    *_rules(_update("starts 1 {month}"), r"""
        (hide|pause|suspend) {tasks} (until|till) (?P<month>MONTH)
        (put|place) {tasks} on hold (until|till) (?P<month>MONTH)
    """),
    *_rules(_update("no start"), r"(unhide|show again) {tasks}( again| now)?"),
    *_rules(_update("{change}"), r"""
        ~ {tasks} (?P<change>(\d+|an?|one|two|three) (days?|weeks?|hours?|months?) (later|earlier))
    """),
    *_rules(_clear, r"""
        {tasks} (no longer (has|needs)( an?| any)?|has no|needs no|doesn't (have
            |need) an?) (?P<field>FIELD)( any ?more| now)?
        (no|without an?) (?P<field>FIELD) (for|on) {tasks}( any ?more| please)?
    """),
    *_rules(_update("no priority"), r"""
        {tasks} (isn't|is not|is no longer|aren't|are not|are no longer) (so |that |really |very )*
            (urgent|important|critical|(a )?high[ -]priority)( any ?more| any longer| now)?
    """),
    *_rules(_update("no repeat"),
            r"{tasks} (no longer|shouldn't|should not|doesn't|does not|should stop|needn't"
            r"|don't)( need to)? (repeats?|repeating|recurs?|recurring)( any ?more)?"),
    *_rules(_update("!{level}"), r"{tasks} (priority|prio):? (?P<level>high|medium|low)"),
    *_rules(_NOTE, r"(for|on) {tasks},? (please )?note( down)?( that|:) ?{note}"),
    *_rules(_update("{change}", tasks="it"),
            r"(put|stick|add|chuck|pop|pencil|jot|bung|slot) (it|that|this|them) (in|down|on)"
            r"( (the|my) (to-?do )?(list|diary|calendar))?( for| on| at)? {change}"),
    *_rules(_update("#{known}", known="{known}"), r"""
        {tasks} (is|are) (a )?part of (the |my )?{known}( project| list)?( now)?
        {tasks} (should|must|needs to|has to|ought to) go (in|into|under) (the |my )?{known}
            ( project| list)?
        (add|put|file) (?P<tasks>(tasks? |#)NUMBERED|\d+ ?,NUMBERED|both \w+)
            [ ](to|in|into|under) (the |my )?(project )?#?{known}
    """),
    *_rules(_update("#{known}", tasks="{pointed}", known="{known}", is_guess=True), r"""
        (add|put|file) {pointed} (to|in|into|under) (the |my )?(project )?#?{known}( project)?
        {pointed} is an? {known} (task|job|thing|one)
        {pointed} ((should|must|needs? to|has to|have to) (be|go) )?(in|into|under)
            [ ](the |my )?(project )?#?{known}( project)?
    """),
    *_rules(_update("#{known}", tasks="it", known="{known}", is_guess=True), r"""
        (add|put|file) (to|in|into|under) (the |my )?(project )?#?{known}( project)?
        (add|put|set) (the )?project:? #?{known}
    """),
    *_rules(_update("#{known}", known="{known}"),
            r"(file|put|move|assign|stick|chuck|pop|throw) {tasks} (in|into|to|under|with)"
            r" (the |my |our )?{known}( project| list| things| stuff| ones| tasks| jobs)?"
            r"( (instead of|rather than|not) #?[\w-]+)?"),
    *_rules(_update("{label}"), r"""
        (file|put|assign|stick|chuck|pop|throw) {tasks} (in|into|to|under|on) (the |my |our )?
            (?P<label>[#@][^\W\d][\w.-]*)( project| list)?
    """),
    *_rules(_update("#{known}", known="{known}"),
            r"~ {tasks} (belongs?|goes|go|comes?|falls?) (in|into|to|under|with) (the |my |our )?"
            r"{known}( project| list)?"),
    *_rules(_update("no priority"), r"(deprioriti[sz]e|unflag|unstar) {tasks}"),
    *_rules(_update("{change}"), r"""
        ~ {tasks} ((should|must|needs to|(will )?(has|have) to|ought to|can|could|may|will) )?
            (BE|be|goes|go|moves?|belongs?|wait|become|becomes|is now|has|have|needs?|repeats?
            |recurs?|happens?)( moved| rescheduled| postponed| pushed| due| now| actually| really
            | until| till| to be)* {change}( NOW)*
        ~ {tasks} (should|must|needs? to|(will )?(has|have) to|ought to|can|could|may|will) be
            [ ](done|ready|finished) {change}( NOW)*
        ~ {tasks} needs? (done|finished) {change}( NOW)*
        ~ (do|i'll do|i will do|i do|let me do|let's do) {tasks} (on )?{change}( NOW)*
    """),
    *_rules(_update("{change}", is_guess=True), r"""
        ~ {tasks} due (on |by )?{change}
    """),
    *_rules(_update("{change}"), r"""
        {tasks} ((is|are|was|were|got|has been|have been) )?(moved|rescheduled|postponed|pushed
            |shifted)( back| forward)? (to|until) {change}( NOW)*
        ~ {tasks}(:| ->| =>| –| -| →) ?{change}
        ~ {tasks} (on |at |to )?{change} (instead of|rather than|not) (on |at )?{days}
        ~ {tasks} (back )?(to|until|till) {change}( NOW)*
    """),
    *_rules(_update("{shift}"), r"~ {tasks} (by )?{shift}( NOW)*"),
    *_rules(_update("{change}"), r"""
        (?P<tasks>(all|both|each|one) of (them|those|these)|them( all| both)?
            |(those|these)( two| ones)?|both|it|that one|this one|the rest
            |PLACE|the other one|the (first|last) (two|three|\d+)
            |#\d+),? {change}( NOW)*
    """),
    *_rules(_update("{change}", tasks="{pointed}"), r"{change} (for|on) {pointed}( NOW)*"),
)  # fmt: skip
RETITLE = _rules(_update(title="{undated}"), r"~ (change|update|edit) {tasks} (to|into) {undated}")
LACKING = (
    *_rules(MissingPart("Which task?", "{verb} {{}}"),
            r"(?P<verb>delete|remove|rename|complete|finish|reopen|move|reschedule|postpone|tag"
            r"|cancel|skip)( (a|one|some|my) (tasks?|to-?dos?)| something| one)?"),
    *_rules(MissingPart("Which tasks should have high priority?", "set {{}} to high priority"),
            r"(prioriti[sz]e|rank|sort out) ((all|of|my|the|whole|to-?do) )*(list|tasks|to-?dos|day"
            r"|week|everything)"),
    *_rules(MissingPart("What is the new title?", "rename {tasks} to {{}}"),
            r"(rename|retitle) {tasks}"),
    *_rules(_update("in the {part}"),
            r"(move|reschedule|postpone|push|delay|defer|shift|put off|bump|change) {tasks}"
            r" (to|until|till) the (?P<part>morning|afternoon|evening|night)"),
    *_rules(_UNKNOWN_TARGET,
            r"~ (move|reschedule|postpone|push|delay|defer|shift|put off|bump) {tasks} (to|until"
            r"|till|by) (?P<text>((?!\b(to|until|till|by)\b).)+)"),
    *_rules(MissingPart("“{dated}” is no date. To which date?", "move {tasks} to {{}}", "{tasks}"),
            r"~ (change|update|edit) {tasks} (to|into) {dated}"),
    *_rules(_UNKNOWN_RULE, r"""
        ~ repeat {tasks} (?P<text>every .+)
        ~ (make|set|have) {tasks} (to )?repeat (?P<text>.+)
    """),
    *_rules(MissingPart("To which date?", "move {tasks} to {{}}"), r"""
        ~ (move|reschedule|postpone|schedule|push|push back|delay|defer|put off|bump) {tasks}
    """),
    *_rules(MissingPart("Into which subtasks?", "add subtasks to {tasks}: {{}}"),
            r"~ (break down|break up|split up|split|divide) {tasks}( down| up)?"
            r"( into (subtasks|steps|parts))?"),
    *_rules(MissingPart("With which tag?", "tag {tasks} with {{}}"), r"(tag|label) {tasks}"),
    *_rules(MissingPart("What is the task?", "add {{}}"),
            r"(add|create|make|set|new)( (an?|another|one|some)? ?(new )?(TASK|something))?"),
)  # fmt: skip
NEGATED = _rules(FixedAnswer("nothing"), r"""
    (do not|don't|never|please don't|no need to) ((ever|you dare|actually|really
        |yet) )?(?!(forget|repeat)\b)(DELETE|MOVE|CANCEL|complete|finish|close|tick|check|rename
        |undo|reopen|add|do|touch) {tasks}
    (keep|leave) {tasks} (as (it|they) (is|are)|alone|open|where (it|they) (is|are)|on (my
        |the) list)
""")  # fmt: skip
TALK = (
    *_rules(FixedAnswer("hello"),
            r"(hi|hello|hey|hiya|howdy|yo|good (morning|afternoon|evening|day)|greetings)"
            r"( there| again| everyone)?"),
    *_rules(FixedAnswer("thanks"),
            r"(and )?(the )?same (here|to you)|happy (WEEKDAY|weekend|new year|holidays?)"
            r"|(and |also )?(thanks|thank you|thx|ty|cheers|great|perfect|awesome|nice|cool"
            r"|wonderful|good job|well done|nice one|brilliant|excellent|lovely)"
            r"( (a lot|so much|very much|again|for .+))?"),
    *_rules(FixedAnswer("day done"),
            r"((i'm|i am|we're) )?(all )?(done|finished) for (today|the day|tonight|now)"
            r"|that's it for today|calling it a day"),
    *_rules(FixedAnswer("no question"),
            r"(yes|yep|yeah|yup|sure|do it|go ahead)( please)?"
            r"|(accept|approve|confirm|take|go with)( the| this| that)? (plan|it|that)( please)?"),
    *_rules(FixedAnswer("bye"), r"(bye|goodbye|good ?night|see you( \w+)?|later|cya)"),
    *_rules(FixedAnswer("fine"),
            r"(ok|okay|k|fine|alright|all right|got it|i see|good)"
            r"|((no|nope),? )?((it|that)('s| is) )?(all )?(good|fine|ok|okay|correct|right)"
            r"( then| thanks)?"),
    *_rules(FixedAnswer("nothing"),
            r"(no|nope|nah|never ?mind|forget it|nothing|cancel that|leave it|not now|stop"
            r"|((hold|hang) on|wait)( (a|one|just a) (sec|second|minute|moment|bit))?"
            r"|(one|just a|wait a) (sec|second|minute|moment))"),
    *_rules(FixedAnswer("help"),
            r"(help|\?|commands|usage|what can (you|i) (do|say|ask)|how does this work"
            r"|how do (you|i) (work|use (this|you)))( me)?( please)?"),
    *_rules(FixedAnswer("help", "{topic}"), r"""
        (is there (a|any) way|is it possible|can one) (to|for me to|that i) (?P<topic>.+)
        (how (do|can|would|could) (i|you|we)|how to) (?P<topic>(add|creat|delet|remov|renam|mov
            |reschedul|postpon|complet|finish|tick|undo|redo|tag|prioriti|repeat|filter|search|find
            |sort|export|import|link|block|skip|cancel|restor|reopen|set|chang|mark)\w*.*
            |(make|get|see|view|have|turn|use|share|print|sync|back|do|put|give)\b.*
            \b(tasks?|repeat(s|ing)?|lists?|something|it|trash|deleted|recurring|reminders?|colou?rs?)\b.*)
        (?P<topic>(empty|clear|purge|erase) (the |my )?(trash|bin)( for good| permanently)?)
        (?P<topic>(export|import|back ?up) (all )?(of )?(my |the |our )?(tasks|to-?dos|list
            |todo list|to-?do list|everything)( (to|as|in|into|from) .*)?)
    """),
    *_rules(FixedAnswer("help", "{topic}"), rf"""
        (open|show|display|go to|take me to|switch to|bring up|turn on|turn off|enable|use|see|view
            |where( is| are|'s)|what are)( me| to)?( the| my| all| a| of)* (?P<topic>{_APP})
            ( screen| page| view| please| now)*
        (change|set|adjust|edit|customi[sz]e)( the| my)*
            [ ](?P<topic>theme|colou?rs?( scheme)?|settings|(keyboard )?shortcuts|key ?bindings
            |model|provider)
        (delete|remove|clear|start|begin|rename)( the| this| my| a| all)*
            [ ](?P<topic>(new |old )?(conversation|chat)s?( history)?)
        (use|switch to|change to|connect( me)? to|try) (?P<topic>(gpt|claude|gemini|groq|ollama
            |openai|anthropic|llama|mistral|qwen)[\w.:-]*)( please| now| instead)*
        (?P<topic>quit|exit|{_APP})( (the|this) app| todo-tui)?( please| now)?
    """),
    *_rules(FixedAnswer("said"), r"""
        (what|when|where) (did|have) (i|we|you) (say|said|write|written|tell you|told you|mention
            |mentioned|talk|talked|ask|asked|discuss)( to you)?( (about|of|regarding|on|for))? .+
        (did|have) (i|we|you) (say|said|mention|mentioned|tell you|told you|talk|talked|discuss
            |discussed) .+
        (find|search|show)( me)?( for)? (what|where) (i|we|you) (said|wrote|told you|mentioned
            |talked|asked)( to you)?( (about|of|regarding|on))? .+
        (find|search|look through) (the |my |our )?(conversations?|chats?|messages)( for| about)? .+
    """),
    *_rules(FixedAnswer("reminders"),
            r"(remind|ping|nudge|alert) me (\d+|an?|one|two|five|ten|half an) (minutes?|mins?"
            r"|hours?|days?|weeks?) (before|earlier|ahead|in advance).*"),
    *_rules(FixedAnswer("reminders"),
            r"(can|could|will|do|does|would) (you|it|this|the app|todo-tui) (also )?(ping|remind"
            r"|notify|alert|text|email|message|call|nudge|buzz) me\b"
            r".*\b(when|before|if|phone|mobile|email)\b.*"),
    *_rules(FixedAnswer("who"), r"""
        (who|what) are you|what('s| is) your name|are you (an? )?(ai|bot|robot|human|model|llm)
    """),
    *_rules(FixedAnswer("time"),
            r"(what('s| is) the )?(current )?(time|date|day)( (is it|today|now|is today))*"
            r"|what (time|day|date) is (it|today)( now| today)?"),
)  # fmt: skip
_OF_THEM = r"((of|in|on|from) (them|those|these|the list|that list)|on there)"
_PLACE = r"(?P<place>first|next|soonest|earliest|last|latest|final)"
QUESTIONS = (
    *_rules(FixedAnswer("did"), r"""
        what ((did|have) you( just)?|(did|have) (i|we) just) (do|done|change|changed|edit|edited)
            ( just now| now| there| last| right now)*
        what (is|was|were|are) (the|my|your) (last|latest) (changes?|action|edit|step)
            ( (you|i) (did|made))?
        what (just )?(happened|changed)( just now| there)?
    """),
    *_rules(_at_end, rf"""
        (which|what)('s| is| are)?( (one|task|ones|of them))*( {_OF_THEM})?
            ( is| comes| are| will be| should be| should come)?( up| due| on)*( the)?( very)?
            [ ]{_PLACE}( one| task| up| due| on)* {_OF_THEM}
        (which|what)( one| task)? {_OF_THEM}( is| comes| are| should be| should come)?
            ( up| due| on)*( the)?( very)? {_PLACE}( one| task| up| due| on)*
        which one( is| comes)?( up| due| on)*( the)?( very)? (?P<place>last|final)( one| up| due)*
    """),
    *_rules(Ask(Aspect.ONE, "{pointed}"), r"""
        (what|which) (day|date|time)('s| is| was| are| were) {pointed}
            ( on| at| due| for| again| planned| scheduled| happening)*
        (is|are|was) {pointed} (still |already |really |marked )*(urgent|important|overdue|late|open
            |done|finished|complete|completed|repeating|recurring|(high|low|medium)( priority)?
            |in [#\w.-]+)
        (does|do) {pointed} (repeat|recur|have an? (FIELD))
        how long (does|do|will|should) {pointed} take
        (what|which) (FIELD) ((is|was|are|does|do) )?{pointed}( in| under| of| have)*
        how (many (days|weeks|hours)|long|soon|far( off| away)?)( left)?( from now)?
            ('s| is| are| do (i|we) have)?( until| till| to| for| before)? {pointed}
            ( away| off| from now| left| due)*
    """),
    *_rules(Ask(Aspect.NEXT), r"next( task)?"),
    *_rules(_ranked, rf"""
        ((what|which|when)('s| is| are|)|show( me)?|list|give me|tell me)?( ?(the|my|our))*
            [ ]?(very )?{_RANK}( {_COUNT})? {_RANKED}
        (show|list|give)( me)? {_COUNT} {_RANKED}
        (which|what)( of (my|the))? {_RANKED}( is| are| comes?| come)( the| my| due)* {_RANK}
        (which|what)( of (my|the))? {_RANKED}( have i had| has been on (my|the) list
            | have i put off| has been (open|waiting|there))( for)?( the)* (?P<rank>longest)
    """),
    *_rules(Ask(Aspect.NEXT), r"""
        (what|where|which( task| one)?)( should| do| can| could| must)? (i|we) (do|start|work on
            |tackle|begin|focus on)( with)?( next| first| now| today)+
        (what|where)( should| do| can| could| must) (i|we) (start|work on|tackle|begin|focus on)
            ( with)?
        what now
        which( task| one)?( is| comes| should be)? (first|next)|what needs (my|our) attention
            |(i'm|im|i am) bored(, what .+)?
        what('s| is) (next|up next|first|most (urgent|important)|the (next|most (urgent|important))
            ( task| thing)?)( on (my|the) (list|agenda))?
        (suggest|pick|choose) (a task|something|one)( for me)?
    """),
    *_rules(Ask(Aspect.NEXT, "{about}"), r"""
        what('s| is)?( should| do| can| could| must)?( i| we)?( do| start| work on| tackle)?
            [ ](next|first) (for|about|on|in|with) {about}
    """),
    *_rules(_ONE, r"""
        (what|which|when)( (FIELD)s?)? (is|are|does|do|has|have) {tasks}( have| got| in| on| under)+
        ((what|when)('s| is| are) )?(the |my )?(FIELD)s? (of|for) {tasks}
        ((how (many|much) )?(days|time)|how long)( left| is left)? (until|till|for) {tasks}
            ( (is|are))?( due)?
    """),
    *_rules(_ONE, r"how much (is|are|was|were|does|do|did) {tasks}( cost| come to| for)*"),
    *_rules(Ask(Aspect.GROUPS, "{about}"),
            r"((list|show|what are|which|what|how many)( me)?( all)?( my| the)? )?"
            r"(?P<about>projects|lists|tags|labels)"
            r"( do i have| do i use| am i using| are there| exist| are in use)?"),
    *_rules(Ask(Aspect.COUNT, "{about}"),
            r"(how (many|much)( of)?|count|(the )?number of) {about}"),
    *_rules(_outlook,
            r"((how does|what does|how's|what's) )?my (?P<about>day|week|month|weekend|list)"
            r"( look( like)?| going to be)?"),
    *_rules(Ask(Aspect.LIST, "{days}"), r"""
        how('s| is| are| does) (my |the )?{days}( look| looking| shaping up| shape up)*
        (is|are|am i|are we) {days} (free|busy|full|packed)
        am i (doing|seeing|up to) (anything|something)( on)? {days}
        (who|what) (am|are) (i|we) (doing|up to|on|meeting|seeing|visiting)( on| at| for)? {days}
        how (busy|full|packed|free|bad) (is|am i|are we|will i be|does)( on| for| my)? {days}
            ( look)?
    """),
    *_rules(Ask(Aspect.LIST, "{about}"), r"""
        where (are|is|did|have|do (i|we) (see|find))( all)? ((of )?(my|the|our) )?(?P<about>(done
            |completed|finished|deleted|trashed|overdue|cancelled|hidden)( tasks| to-?dos| ones)?)
            ( go| gone)?
    """),
    *_rules(Ask(Aspect.LIST, "overdue"), r"""
        (have|did|am) (i|we) (forget|forgotten|forgetting|miss|missed|missing)
            [ ](any ?thing|something)( today)?
        (am i|is there)? ?(any ?thing|something|what|what else)( that)? ?(am i|i'm|i am|i've
            |i have|did i|have i) (forgetting|missing|forgotten|forget|missed)
    """),
    *_rules(Ask(Aspect.ONE, "the first"), r"why (that|this|it)( one| task)?( first| of all)?|why"),
    *_rules(Ask(Aspect.LIST, "{about}"), r"""
        (?P<about>(what|which)( all| tasks| ones)? (did|have) (i|we) .+)
        (give (me|us) )?((a |the )?(summary|recap|overview) of|summari[sz]e|recap)
            [ ](?P<about>(what|everything|all|the tasks|all tasks)( that)? (i|we)\b.+)
        (is|are) (?P<about>(anything|something|any( of my)?( tasks?)?) (overdue|late|due)\b.*)
    """),
    *_rules(Ask(Aspect.LIST, "done {days}"),
            r"(give (me|us) )?(a |the |my )?(summary|recap)( of| for)? {days}"),
    *_rules(_ONE, r"""
        when('s| is| are| do i (have|need) to( finish| do)?| must i| should i| did i| was| were)
            [ ]{tasks}( due| planned| scheduled| happening| on| next| again| supposed to be)*
        (show me )?what (is |are )?block(s|ing) {tasks}
        what('s| is) blocking {tasks}
        what (does|do|is|are) {tasks} (wait(ing)?|depend(ing)?) (for|on)
    """),
    *_rules(Ask(Aspect.LIST, "blocked tasks"), r"""
        (what|which tasks?) (is |are )?(wait(s|ing)?|depend(s|ing)?) (for|on) (something|anything
            |(another|other) tasks?)
    """),
    *_rules(Ask(Aspect.BLOCKED, "{tasks}"), r"""
        (what|which tasks?) (is |are )?(wait(s|ing)?|depend(s|ing)?) (for|on) {tasks}
        what (does|do) {tasks} block
        (is|are) (anything|something|any tasks?) (blocked by|waiting for) {tasks}
    """),
    *_rules(Ask(Aspect.BELOW, "{tasks}"), r"""
        (what|which tasks?)('s| is| are) (under|below|inside|part of) {tasks}
    """),
    *_rules(Ask(Aspect.ONE, "it"), r"""
        (what|which)('s| is| are| was| does) (its|the) (FIELD)( say)?
        (what|which) project
        (done|finished)
        ((at|on) )?(what|which) (time|day|date)( (is|was|are) (it|that|they)( on| at| due)*)?
        when( (is|was) (it|that)( due)?)?
    """),
    *_rules(_ONE, r"""
        when (is|are|does|do) (the )?next {tasks}( after (today|that))?( due)?
        (what are )?(the )?next (two |three |\d )?dates (of|for) {tasks}
        what('s| is) (?P<tasks>task (number )?\w+|number \w+)
        (tell me (more )?about|details of|details on|open|what about) {tasks}
        (show|info|details|detail|view|open) (?P<tasks>\d+)
        (?P<tasks>#\d+)
        (what is|what's|show|show me|info|view) (?P<tasks>#\d+|task \d+|it|that one|this one)
        {tasks} (done|finished|complete)
    """),
    *_rules(Ask(Aspect.LIST, "{about}"), r"""
        (only )?(find|search( for)?|look (up|for)|show|list|give (me|us)|display|see|view
            |tell (me|us)|read out)( me| us)?( only)? {about}
        (filter( by)?:? )?(?P<about>(due|start|project|tag|priority|sort|group|done|created|updated
            |under|has|title)(\.[a-z]+)?:\S.*)
        filter( ((my|the) )?(list|tasks))? (by|for|to) {about}
        (?P<about>(sort|order|group|organi[sz]e)( (my|the|all)? ?(tasks|list|to-?dos
            |everything))? by .+)
        (?P<about>(what|which|do (i|we) have|have (i|we)|is there|are there|any|anything|something
            |got (?=(any|some|much|more|stuff|things|tasks|plans))|tasks
            |everything|all|did (i|we)|am i)\b.+)
    """),
    *_rules(Ask(Aspect.LIST, "mentioning {about}"), r"(search( for)?|look up) {about}"),
    *_rules(Ask(Aspect.LIST),
            r"(list|ls|show|tasks|todos?|my list|agenda|show me|what's up|what's on|everything"
            r"|what('s)? remain(s|ing))"),
    *_rules(Ask(Aspect.LIST, "{group} tasks"), r"((my|the|our|all) )*{group} (tasks|to-?dos)"),
    *_rules(Ask(Aspect.LIST, "this {about}"), r"(?P<about>week|month)"),
    *_rules(Ask(Aspect.LIST, "{description}"), r"{description}"),
)  # fmt: skip
COMMANDS = (
    *NEGATED, *SHELL, *GROUPS, *NOTES, *EDIT, *RENAME, *LINKS, *CLEARING, *COMPLETE, *REOPEN,
    *FIELDS, *STATUS, *DELETE_RULES, *RETITLE, *LACKING,
)  # fmt: skip
