"""Rules of commands, by intent: undo, complete, move, tag, note and all the others."""

from typing import Any

from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.pattern import Slots, regex
from todo_tui.providers.offline.language.words import NUMBERS, word_set
from todo_tui.providers.offline.reading.rule import Build, rules_of
from todo_tui.providers.offline.requests import (
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


def is_command(words: str) -> bool:
    """Return True for `move the sofa to the garage`: a task, or a command not understood."""
    return bool(_COMMAND_VERB.match(words))


def _update(details: str = "", tasks: str = "{tasks}", **more: Any) -> Change:  # noqa: ANN401
    return Change(Verb.UPDATE, tasks, details, **more)


_OLD = r"(?P<old>[^\W\d\U00012000-\U00012400][\w.-]*)"
_NEW = r"[#@]?(?P<new>[^\W\d\U00012000-\U00012400][\w.-]*)"
_NEW_TAG = r"[@+]?(?P<name>[^\W\d\U00012000-\U00012400]\w*\d+|[@+][\w-]+)"
"""Names of projects and tags that are typed without quotes."""
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


_COMPLETE = Change(Verb.COMPLETE, "{tasks}")
_REOPEN = Change(Verb.REOPEN, "{tasks}")
_RESTORE = Change(Verb.REOPEN, "{tasks}", scope="trash")
_DELETE = Change(Verb.DELETE, "{tasks}")
_RETITLE = _update(title="{title}")
_NOTE = _update(notes="+ {note}")
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
    *rules_of(Undo(), r"""
        (undo|revert|take back|reverse)( (that|it|this
            |the last( (change|one|thing|action|command|step))?|my last (change|message)
            |what you( just)? did|last|again))*( NOW)*
        (take|put|change) (that|it|this) back( NOW)*
    """),
    *rules_of(_repeated,
            r"(?P<verb>undo|revert|redo) ((the|my) )?(last )?(?P<n>twice|two|three|four|five|\d)"
            r"( (more )?(changes|times|things|steps|ones))?"),
    *rules_of(FixedAnswer("older undo"), r"""
        (undo|revert|take back|redo) ((the|my|your) )?(last )?(two|three|four|five|\d|few) messages
        (undo|revert|take back|redo) (what (you|i) (did|changed|said)|((the|my|your) )
            ?(changes?|messages?|things?))( of)?( (two|three|four|five|\d|a few) (messages|changes
            |steps|turns|times))? (ago|back|before( (that|the last( one)?))?)
        (undo|revert|take back|redo) (the|my) ((second|third) (to )?last|first|other|(one|message
            |change) before( (that|the last))?)( (change|message|one|thing))?
    """),
    *rules_of(FixedAnswer("older undo"), phrases.FIELD_BACK),
    *rules_of(FixedAnswer("all undo"), r"""
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
    *rules_of(Undo(redo=True), r"redo( (that|it|this|the last (change|one)))?( NOW)*"),
)  # fmt: skip
COMPLETE = (
    *rules_of(Change(Verb.COMPLETE, "{tasks} and its subtasks"),
            r"(mark|set|check|tick) {tasks} (off |as |to )*DONE,? (with|including|and|plus"
            r"|along with) (all )?(of )?(its|their|the) sub-?tasks( too| as well)?"),
    *rules_of(_COMPLETE, r"""
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
    *rules_of(_RESTORE, r"""
        (restore|recover|undelete|bring back|take|get|pull)( back)? {tasks} (out of
            |from) the (trash|bin)( NOW)*
        undo the (deletion|deleting|removal) of {tasks}
        (restore|recover|undelete) {tasks}( NOW)*
    """),
    *rules_of(_REOPEN, r"""
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
    *rules_of(_DELETE, r"""
        DELETE {tasks}( (from|off)( of)? (my|the) (to-?do )?list)?( NOW)*
        (put|move|throw|send|drop) {tasks} (in|into|to) (the )?(trash|bin)( NOW)*
        take {tasks} (off|from)( of)? (my|the) (to-?do )?list( NOW)*
        (cross|strike) {tasks} out( NOW)*
        throw {tasks} (away|out)( NOW)*
        (i|we) (don't|do not|no longer) (need|want)( to do)? {tasks}( any ?more)?
        ~ {tasks} (can|may|should|must) (go|be (deleted|removed|binned|dropped|scrapped|trashed
            |erased))( now| please)*
    """),
    *rules_of(Change(Verb.DELETE, "{tasks}", other="{other}", ends_link=True, is_guess=True),
            r"(DELETE|take|cross|strike) {tasks} (off of|off|out of|from) {other}"),
)  # fmt: skip
STATUS = (
    *rules_of(_update("cancelled"), r"""
        CANCEL {tasks}( NOW)*
        call {tasks} off( NOW)*
        (mark|set|put|flag) {tasks} (as |to )?(cancell?ed|called off)
        (?P<tasks>(tasks? )?NUMBERED),? (BE) (cancell?ed|called off|off)
    """),
    *rules_of(_update("cancelled", tasks="{pointed}"),
            r"{pointed} (is|was|got|has been) (cancell?ed|called off)( NOW)*"),
    *rules_of(_update("skip", tasks="it"),
            r"(skip|leave out) (this|the (next|current)) (occurrence|one|time)"),
    *rules_of(_update("skip"), r"""
        ~ no {tasks} {days}
        (skip|leave out) {tasks} {days}
        (skip|leave out|CANCEL) {days}['’]s {tasks}
    """),
    *rules_of(_update("skip"),
            r"(skip|leave out) (the (next|current|coming) (occurrence of )?)?{tasks}"
            r"( this (time|week|month|year)| once| today| tomorrow)?"),
    *rules_of(_update("doing"), r"""
        ~ (start|begin)( on| with| working on)? {tasks}( NOW)*
        (i|we)('ve|'m| have| am)?( just| already| now)* (started|begun|working)
            ( on| with| working on)? {tasks}
    """),
)  # fmt: skip
# Before a new title: `change the passport: due 20 january, hidden until 3 january`.
EDIT = rules_of(_update("{change}"), r"(change|edit|update|set) {tasks}:(?!\d) ?{change}( NOW)*")
SHELL = (
    *rules_of(_update("{change}"), r"""
        (task )?(mod|modify|edit|set|update|change) (?P<tasks>NUMBERED):? {change}
        (tasks? )?(?P<tasks>NUMBERED) (mod|modify|edit|set)? ?(?P<change>([-+]?[@#!]|\+)(?!\d).+)
        (tasks? )?(?P<tasks>NUMBERED) (mod|modify|edit|set) {change}
    """),
    *rules_of(_NOTE, r"(annotate|note) (?P<tasks>NUMBERED):? (with )?{note}"),
    *rules_of(_update("todo"), r"(stop|pause) (?P<tasks>#?\d+)"),
)  # fmt: skip
"""Commands as shells have them: a number after the verb, or before it."""
RENAME = rules_of(_RETITLE, r"""
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
""") + rules_of(_update(tasks="it", title="{title}"), r"""
    (change|make|set) (the|its) (title|name) ((to|into) )?{title}
    (the|its) (title (is|should be)|name should be) {title}
    (rename|retitle|reword) ((it|that|this|the task) )?(to|as|into) {title}
    (rename|retitle) (it|that|this) {title}
    make (it|that|this) (say|read) {title}
    ((a )?(better|new) )?title: {title}
""")  # fmt: skip
GROUPS = (
    *rules_of(_update("#{new}", tasks="#{old}"), rf"""
        (rename|change|move|merge) (the |my )?GROUP_KIND #?{_OLD} (to|into|as|with)
            [ ](the )?(GROUP_KIND )?{_NEW}
        (rename|change) (the |my )?{_OLD} GROUP_KIND (to|into|as) {_NEW}
        (rename|change) #{_OLD} (to|into|as) {_NEW}
    """),
    *rules_of(_update("-@{old} @{new}", tasks="@{old}"), rf"""
        (rename|change) (the |my )?(tag|label) @?{_OLD} (to|into|as) (the )?((tag|label) )?{_NEW}
        (rename|change) (the |my )?{_OLD} (tag|label) (to|into|as) {_NEW}
        (rename|change) @{_OLD} (to|into|as) {_NEW}
    """),
)  # fmt: skip
NOTES = (
    *rules_of(_NOTE, r"""
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
    *rules_of(_update(tasks="it", notes="+ {note}"), r"""
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
    *rules_of(_NOTE, r"""
        (add|put|attach|save|write|stick|pin|drop) (the |this |a |my )?([\w-]+ )?(link|url)
            ( (to|on|in|for|with|under))+ {tasks}:? (?P<note>(https?://|www\.)\S+)
        (the )?(link|url) (for|to|of|on) {tasks}( is)?:? (?P<note>(https?://|www\.)\S+)
        (add|put|attach|save|write|stick) (?P<note>(https?://|www\.)\S+) (to|on|in|for|with|at|into)
            [ ]{tasks}
        (add|put|attach|save|write) (the |this |his |her |its |their )?((phone |mobile )?number
            |link|url|website|address|email)( is)? ?:?[ ](?P<note>(https?://|www\.)\S+|\S+@\S+
            |[+\d(][\d ()/-]+\d) (to|on|in|for|with|at|into) {tasks}
    """),
    *rules_of(_NOTE, r"""
        {tasks} ?: ?(please )?(add |a |the )*NOTE( that| ?:)? {note}
        {tasks} ?(,|-|–|=>|->) ?(please )?(add |a |the )*NOTE ?: ?{note}
    """),
)  # fmt: skip
LINKS = (
    *rules_of(_update("under {other}"), r"""
        (make|turn) {tasks} (into )?(an? )?(sub-?task|child|part)s? (of|under) {other}
        (make|set) {other} (as )?the parent (task )?of {tasks}
        (move|put|nest|file|indent) {tasks} (under|underneath|inside) {other}
    """),
    *rules_of(_update("no parent"), r"""
        (unnest|outdent) {tasks}
        make {tasks} ((a |an )?(top[- ]level|separate|independent)( tasks?)?
            |(its|their) own tasks?)
        (move|put|bring) {tasks} to (the )?top[- ]level
    """),
    *rules_of(_update("no parent", ends_link=True),
            r"(take|move|pull|get|remove) {tasks} (out of|from under|from below|from) {other}"),
    *rules_of(_update("-after {other}", ends_link=True), r"""
        {other} (no longer blocks?|doesn't block|does not block) {tasks}( any ?more)?
        (remove|delete|drop|clear) the (dependency|dependence) of {tasks} (on|to) {other}
        (unblock|free) {tasks} from {other}
    """),
    *rules_of(_update("no blockers"), r"""
        {tasks} (no longer|doesn't|does not|don't|needn't)( need to| have to)? (waits?
            |depends?) (for|on) (anything|something|any( other)? tasks?)( any ?more)?
        {tasks} (isn't|is not|is no longer|aren't|are not|are no longer) (blocked|waiting)
            ( any ?more)?
    """),
    *rules_of(_update("after {other}"), r"""
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
    *rules_of(_named("-@"), r"""
        (remove|delete|drop|take|clear|strip|take off|unset) (the )?(tags?|labels?) {name} (from
            |off|off of|of) {tasks}
        (remove|delete|drop|take|clear|strip) (the )?{name} (tags?|labels?) (from|off|off of
            |of) {tasks}
        (remove|delete|drop|take|clear|strip) (?P<name>@[\w-]+) (from|off|off of|of) {tasks}
        (untag|unlabel) {tasks}( from| as| with|:) {name}
    """),
    *rules_of(_update("no project"),
            r"(remove|delete|drop|take|clear|strip) #(?!\d+\b)[\w.-]+ (from|off|of) {tasks}"),
    *rules_of(_update("no tags"), r"(untag|unlabel) {tasks}"),
    *rules_of(_clear, r"""
        (remove|clear|drop|delete|erase|unset|take|take off|take away|cancel|strip
            |get rid of) (the |its |their |all |any )*(?P<field>FIELD)s? (from|off|off of|of|for
            |on) {tasks}
        (remove|clear|drop|delete|erase|unset) {tasks}'s (?P<field>FIELD)s?
        (set|change|put) (the )?(?P<field>FIELD) (of|for|on) {tasks} to (none|nothing|never)
        (remove|clear|drop|unset|take off|get rid of|(delete|erase)(?!.*\bproject)) (the |its |all
            |any )+(?P<field>(?!list\b)FIELD)s?( again| please)*
    """),
    *rules_of(_update("no repeat"), r"""
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
    *rules_of(_update("{change}"), rf"""
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
    *rules_of(_update("{change}", tasks="them"), rf"""
        {_SET} {_CHANGED} (to|as|at|=|:) {{change}}
        (add|put|set) ((an?|the) )?{_CHANGED}( of| to)?:? {{change}}
        (set|mark|flag) (as |to )?(an? )?{{change}}
    """),
    *rules_of(_named("@"), r"(add|put|attach|set) (the |a )?(tags?|labels?) {name}"),
    *rules_of(_update("starts {until}"), rf"""
        {_SET} start( date)? (of|for|on) {{tasks}} (to|at|=|:) {{until}}
        {_SET} {{tasks}}'s start( date)? (to|at|=|:) {{until}}
    """),
    *rules_of(_named("#"), rf"""
        {_SET} project (of|for|on) {{tasks}} (to|as|=|:) {{name}}
        {_SET} {{tasks}}'s project (to|as|=|:) {{name}}
        {_SET}( its)? project (to|as|=|:) {{name}}
    """),
    *rules_of(_named("@"), rf"""
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
    *rules_of(_update("at {hour}"), rf"""
        {_SET} time (of|for|on) {{tasks}} to (?P<hour>(1?\d|2[0-3])([.:][0-5]\d)?)
        {_SET} {{tasks}}'s time to (?P<hour>(1?\d|2[0-3])([.:][0-5]\d)?)
    """),
    *rules_of(_update("at {hour}"), r"""
        MOVE (?P<tasks>it|that|this|them) (?P<hour>1[0-2]|[1-9]|([01]?\d|2[0-3])[.:][0-5]\d)( NOW)*
            (,? (not|instead of|rather than) [\d.:]+)?
            (,? (they|they're|theyre|he|he's|she|she's|i|i'm|we|we're|it's|because|cos|as|since)
            \b .+)?
        MOVE {tasks} (to|at|for) (?P<hour>1[0-2]|[1-9]|([01]?\d|2[0-3])\.(00|1[3-9]|[2-5]\d))( NOW)*
    """),
    *rules_of(_update("!high"),
            r"(prioriti[sz]e|star|flag) (?!((all|of|my|the|whole|to-?do) )*(list|tasks|to-?dos"
            r"|day|week|everything)$){tasks}"),
    *rules_of(_update("!high"), r"""
        make {tasks} (a|the|my|our) ((top|main|first|number one) )?priority
        {tasks} (is|are|has to be) (now )?(a|the|my|our) ((top|main|first) )?priority( now)?
    """),
    *rules_of(_update("!high"), r"""
        (raise|increase|up|bump up) (the )?(priority|prio|importance) (of|for|on) {tasks}
        (raise|increase|up|bump up) {tasks}'s (priority|prio|importance)
    """),
    *rules_of(_update("!high", tasks="it"),
            r"(raise|increase|up|bump( up)?) (the|its) (priority|prio|importance)"),
    *rules_of(_update("no date"), r"""
        make {tasks} (undated|dateless|unscheduled)
    """),
    *rules_of(_update("no date", is_guess=True),
            r"{tasks},? (with no|without( an?)?|no) (due )?date"),
    *rules_of(_update("!low"), r"""
        (lower|reduce|decrease|drop) {tasks}'s? (priority|prio)
    """),
    *rules_of(_update("~{time}"), r"""
        MOVE (the |a |an |its )?(time )?estimate (of|for|on) {tasks} (to|at|as|:)? ?~?
            (?P<time>AMOUNT)
        estimate ~?(?P<time>AMOUNT) for {tasks}
        (add|put|set) (an? )?(time )?estimate( of)? ~?(?P<time>AMOUNT) (to|for|on) {tasks}
        estimate {tasks} (at|to|as|:)? ?~?(?P<time>AMOUNT)
    """),
    *rules_of(_lasting, r"""
        ~ {tasks} ((will|should|is going to) (take|last)|takes|lasts|needs) (me )?(about |around
            |roughly )?~?(?P<time>LASTING)
        ~ (?P<reserved>set aside|put aside|allow|allocate|block|budget|reserve)( off| out)? (about
            |around )?~?(?P<time>LASTING) for {tasks}
    """),
    *rules_of(_named("@"), r"""
        (add|put|attach|apply|give|set) (the |a )?(tags?|labels?) {name} (to|on|onto|for) {tasks}
        (tag|label) {tasks}( with| as| by| under|:) {name}
        (tag|label) {tasks} (?P<name>urgent|important|critical|high|low|christmas|xmas|easter
            |halloween|weekend|today|tomorrow|WEEKDAY)
        (tag|label) (?P<tasks>it|that|this|them|these|those|both|#\d+) {name}
        (add|put|attach|apply|stick) (?P<name>@[\w-]+((,? and |, ?| )@[\w-]+)*) (to|on
            |onto) {tasks}
    """),
    *rules_of(_update("@{known}", known="{known}", is_guess=True),
            r"(tag|label) (?!(all|every|both|my)\b){tasks} {known}"),
    *rules_of(_named("#"), r"""
        (file|put|move|stick|pop) (?P<tasks>it|that|this|them|those|both) (in|into|under) {name}
    """),
    *rules_of(_update("no project", known="{known}"),
            r"(take|move|get|pull|remove) {tasks} (out of|from) (the |my )?"
            r"{known}( project| list| folder)?"),
    *rules_of(_update("{sooner}"),
            r"SOONER {tasks} (forward |up |in |ahead )*(by )?{sooner}( earlier)?"),
    *rules_of(_update("{change}"), r"""
        MOVE( back| up| down| forward| off| out
            | over)? {tasks} (back |forward |out |off |over |up |down |on |ahead |again |have |be )*
            {change}( NOW)*
    """),
    *rules_of(_update("{change}"), r"""
        (drop|lower|bump|raise|demote|promote) {tasks} (down |up )?to {change}( NOW)*
        {change},? (?P<tasks>it|they|that|this|these|those) (must|should|has to|have to|needs? to)
            [ ]be \w+( NOW)*
        give {tasks} (an? |the )?(new )?FIELD (of |to |for |on |by |at )?{change}
    """),
    *rules_of(_update("no date"), r"(unschedule|undate) {tasks}"),
    *rules_of(_update("starts {until}"), r"""
        (hide|pause|suspend) {tasks} (until|till) {until}
        (put|place) {tasks} on hold (until|till) {until}
    """),
    *rules_of(_update("starts 1 {month}"), r"""
        (hide|pause|suspend) {tasks} (until|till) (?P<month>MONTH)
        (put|place) {tasks} on hold (until|till) (?P<month>MONTH)
    """),
    *rules_of(_update("no start"), r"(unhide|show again) {tasks}( again| now)?"),
    *rules_of(_update("{change}"), r"""
        ~ {tasks} (?P<change>(\d+|an?|one|two|three) (days?|weeks?|hours?|months?) (later|earlier))
    """),
    *rules_of(_clear, r"""
        {tasks} (no longer (has|needs)( an?| any)?|has no|needs no|doesn't (have
            |need) an?) (?P<field>FIELD)( any ?more| now)?
        (no|without an?) (?P<field>FIELD) (for|on) {tasks}( any ?more| please)?
    """),
    *rules_of(_update("no priority"), r"""
        {tasks} (isn't|is not|is no longer|aren't|are not|are no longer) (so |that |really |very )*
            (urgent|important|critical|(a )?high[ -]priority)( any ?more| any longer| now)?
    """),
    *rules_of(_update("no repeat"),
            r"{tasks} (no longer|shouldn't|should not|doesn't|does not|should stop|needn't"
            r"|don't)( need to)? (repeats?|repeating|recurs?|recurring)( any ?more)?"),
    *rules_of(_update("!{level}"), r"{tasks} (priority|prio):? (?P<level>high|medium|low)"),
    *rules_of(_NOTE, r"(for|on) {tasks},? (please )?note( down)?( that|:) ?{note}"),
    *rules_of(_update("{change}", tasks="it"),
            r"(put|stick|add|chuck|pop|pencil|jot|bung|slot) (it|that|this|them) (in|down|on)"
            r"( (the|my) (to-?do )?(list|diary|calendar))?( for| on| at)? {change}"),
    *rules_of(_update("#{known}", known="{known}"), r"""
        {tasks} (is|are) (a )?part of (the |my )?{known}( project| list)?( now)?
        {tasks} (should|must|needs to|has to|ought to) go (in|into|under) (the |my )?{known}
            ( project| list)?
        (add|put|file) (?P<tasks>(tasks? |#)NUMBERED|\d+ ?,NUMBERED|both \w+)
            [ ](to|in|into|under) (the |my )?(project )?#?{known}
    """),
    *rules_of(_update("#{known}", tasks="{pointed}", known="{known}", is_guess=True), r"""
        (add|put|file) {pointed} (to|in|into|under) (the |my )?(project )?#?{known}( project)?
        {pointed} is an? {known} (task|job|thing|one)
        {pointed} ((should|must|needs? to|has to|have to) (be|go) )?(in|into|under)
            [ ](the |my )?(project )?#?{known}( project)?
    """),
    *rules_of(_update("#{known}", tasks="it", known="{known}", is_guess=True), r"""
        (add|put|file) (to|in|into|under) (the |my )?(project )?#?{known}( project)?
        (add|put|set) (the )?project:? #?{known}
    """),
    *rules_of(_update("#{known}", known="{known}"),
            r"(file|put|move|assign|stick|chuck|pop|throw) {tasks} (in|into|to|under|with)"
            r" (the |my |our )?{known}( project| list| things| stuff| ones| tasks| jobs)?"
            r"( (instead of|rather than|not) #?[\w-]+)?"),
    *rules_of(_update("{label}"), r"""
        (file|put|assign|stick|chuck|pop|throw) {tasks} (in|into|to|under|on) (the |my |our )?
            (?P<label>[#@][^\W\d][\w.-]*)( project| list)?
    """),
    *rules_of(_update("#{known}", known="{known}"),
            r"~ {tasks} (belongs?|goes|go|comes?|falls?) (in|into|to|under|with) (the |my |our )?"
            r"{known}( project| list)?"),
    *rules_of(_update("no priority"), r"(deprioriti[sz]e|unflag|unstar) {tasks}"),
    *rules_of(_update("{change}"), r"""
        ~ {tasks} ((should|must|needs to|(will )?(has|have) to|ought to|can|could|may|will) )?
            (BE|be|goes|go|moves?|belongs?|wait|become|becomes|is now|has|have|needs?|repeats?
            |recurs?|happens?)( moved| rescheduled| postponed| pushed| due| now| actually| really
            | until| till| to be)* {change}( NOW)*
        ~ {tasks} (should|must|needs? to|(will )?(has|have) to|ought to|can|could|may|will) be
            [ ](done|ready|finished) {change}( NOW)*
        ~ {tasks} needs? (done|finished) {change}( NOW)*
        ~ (do|i'll do|i will do|i do|let me do|let's do) {tasks} (on )?{change}( NOW)*
    """),
    *rules_of(_update("{change}", is_guess=True), r"""
        ~ {tasks} due (on |by )?{change}
    """),
    *rules_of(_update("{change}"), r"""
        {tasks} ((is|are|was|were|got|has been|have been) )?(moved|rescheduled|postponed|pushed
            |shifted)( back| forward)? (to|until) {change}( NOW)*
        ~ {tasks}(:| ->| =>| –| -| →) ?{change}
        ~ {tasks} (on |at |to )?{change} (instead of|rather than|not) (on |at )?{days}
        ~ {tasks} (back )?(to|until|till) {change}( NOW)*
    """),
    *rules_of(_update("{shift}"), r"~ {tasks} (by )?{shift}( NOW)*"),
    *rules_of(_update("{change}"), r"""
        (?P<tasks>(all|both|each|one) of (them|those|these)|them( all| both)?
            |(those|these)( two| ones)?|both|it|that one|this one|the rest
            |PLACE|the other one|the (first|last) (two|three|\d+)
            |#\d+),? {change}( NOW)*
    """),
    *rules_of(_update("{change}", tasks="{pointed}"), r"{change} (for|on) {pointed}( NOW)*"),
)  # fmt: skip
RETITLE = rules_of(
    _update(title="{undated}"), r"~ (change|update|edit) {tasks} (to|into) {undated}"
)
LACKING = (
    *rules_of(MissingPart("Which task?", "{verb} {{}}"),
            r"(?P<verb>delete|remove|rename|complete|finish|reopen|move|reschedule|postpone|tag"
            r"|cancel|skip)( (a|one|some|my) (tasks?|to-?dos?)| something| one)?"),
    *rules_of(MissingPart("Which tasks should have high priority?", "set {{}} to high priority"),
            r"(prioriti[sz]e|rank|sort out) ((all|of|my|the|whole|to-?do) )*(list|tasks|to-?dos|day"
            r"|week|everything)"),
    *rules_of(MissingPart("What is the new title?", "rename {tasks} to {{}}"),
            r"(rename|retitle) {tasks}"),
    *rules_of(_update("in the {part}"),
            r"(move|reschedule|postpone|push|delay|defer|shift|put off|bump|change) {tasks}"
            r" (to|until|till) the (?P<part>morning|afternoon|evening|night)"),
    *rules_of(_UNKNOWN_TARGET,
            r"~ (move|reschedule|postpone|push|delay|defer|shift|put off|bump) {tasks} (to|until"
            r"|till|by) (?P<text>((?!\b(to|until|till|by)\b).)+)"),
    *rules_of(MissingPart("“{dated}” is no date. To which date?", "move {tasks} to {{}}",
                          "{tasks}"),
            r"~ (change|update|edit) {tasks} (to|into) {dated}"),
    *rules_of(_UNKNOWN_RULE, r"""
        ~ repeat {tasks} (?P<text>every .+)
        ~ (make|set|have) {tasks} (to )?repeat (?P<text>.+)
    """),
    *rules_of(MissingPart("To which date?", "move {tasks} to {{}}"), r"""
        ~ (move|reschedule|postpone|schedule|push|push back|delay|defer|put off|bump) {tasks}
    """),
    *rules_of(MissingPart("Into which subtasks?", "add subtasks to {tasks}: {{}}"),
            r"~ (break down|break up|split up|split|divide) {tasks}( down| up)?"
            r"( into (subtasks|steps|parts))?"),
    *rules_of(MissingPart("With which tag?", "tag {tasks} with {{}}"), r"(tag|label) {tasks}"),
    *rules_of(MissingPart("What is the task?", "add {{}}"),
            r"(add|create|make|set|new)( (an?|another|one|some)? ?(new )?(TASK|something))?"),
)  # fmt: skip
NEGATED = rules_of(FixedAnswer("nothing"), r"""
    (do not|don't|never|please don't|no need to) ((ever|you dare|actually|really
        |yet) )?(?!(forget|repeat)\b)(DELETE|MOVE|CANCEL|complete|finish|close|tick|check|rename
        |undo|reopen|add|do|touch) {tasks}
    (keep|leave) {tasks} (as (it|they) (is|are)|alone|open|where (it|they) (is|are)|on (my
        |the) list)
""")  # fmt: skip
COMMANDS = (
    *NEGATED, *SHELL, *GROUPS, *NOTES, *EDIT, *RENAME, *LINKS, *CLEARING, *COMPLETE, *REOPEN,
    *FIELDS, *STATUS, *DELETE_RULES, *RETITLE, *LACKING,
)  # fmt: skip
