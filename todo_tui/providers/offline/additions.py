"""New tasks: read the text of an addition, and tell statements that are tasks from remarks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.changes import ChangeReader, quick_add
from todo_tui.providers.offline.items import split_items
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.requests import Add, NewTask
from todo_tui.providers.offline.words import (
    MARK,
    Quoted,
    is_mark,
    is_past,
    is_verb,
    surely_verb,
    word_set,
)

_NOUN = r"(?:tasks?|to-? ?dos?|items?|reminders?|errands?|things?)"
_EXPLICIT = regex(
    r"((?P<urgent2>(add |create )(high|medium|low|top)[ -]priority)(?= ?:)|(add|create|insert"
    r"|enter|jot down|write down|put down|log|save|make|set|set up)( (to|on|onto) ((my|the"
    r"|our) )?(to-?do |task )?(list|to-?dos|tasks) ?(?=:)|( (both|(\d+|two|three|four|five|some"
    rf"|these|the following)( new)?( {_NOUN})?) ?(?=:))|( (a|an|another|one more|the|these|this|my"
    r"|some))?( new)?( (?P<level>high|medium|low|top|urgent|important)([ -]priority)?)?"
    rf"( (?P<rule>daily|weekly|monthly|yearly))?( new)? {_NOUN}( for me)?( (for|due)( on"
    r"| by)? (?P<day>[\w ]{1,20}?))?(,| ?(?=:)| (to|that says|called|named|saying|for|of)))|(add"
    r"|create) ((a|an|another) )?new (task|to-?do|item|reminder)|(add|create|insert|jot down"
    r"|write down|put down)( (a|an)(?= \w+ (task|reminder)\b))?|(new|another)( (task|to-?do|item"
    r"|reminder))( to)?|(new|to-?do|note)(?= ?:)|to-?do(?= \w+ \w)|make a note( to (myself"
    r"|self))? to|(?P<urgent>urgent|important|(high|medium|low|top)[ -]prio(rity)?)(?= ?:)|((i"
    r"|we) )?(must not|mustn't|can't|cannot|shouldn't|should not) forget( to| about)?"
    r"|(please )?(remind|ping|nudge) me( (again|later))?( (?P<when>.+?))??,? (to|about"
    r"|that i (need|have|should|must|ought)( to)?|that|of)|don't let me forget( about)?(?= )"
    r"|(remember|don't forget|do not forget|don't let me forget|make sure (i|we)( remember)?"
    r"|note to self)( to|:)|(to-?do|task|todo item|reminder)(?= ?:))( ?[:,] ?| )(?P<text>.+)",
    re.DOTALL,
)
_SUB = r"(?:sub-? ?tasks?|steps?|child(?:ren)?|parts?)"
_ADD = r"(?:add|create|put|make|insert)"
_UNDER = tuple(
    regex(pattern, re.DOTALL)
    for pattern in (
        rf"{_ADD} (?P<text>.+?),? as (?:an? |new )*{_SUB} (?:of|to|under|for) (?P<parent>.+)",
        rf"{_ADD} (?:an? |the |these |this |some |new |two |three |four |five |"
        rf"\d+ )*{_SUB} (?:called |named )?"
        r"(?:to|for|under|of) (?P<parent>[^:]+): ?(?P<text>.+)",
        rf"{_ADD} (?:an? |new )*{_SUB}:? (?:called |named )?(?P<text>{MARK})"
        r" (?:to|for|under|of) (?P<parent>.+)",
        rf"{_ADD} (?:an? |the |these |this |some |new |two |three |four |five |"
        rf"\d+ )*{_SUB}:? (?:called |named )?"
        r"(?P<text>.+) (?:to|for|under|of) (?P<parent>.+)",
        rf"{_ADD} (?:an? )?{_SUB}: ?(?P<text>.+)(?P<parent>)",
        r"(?:add|create|insert) (?P<text>.+) (?:under|underneath|beneath) (?P<parent>.+)",
        r"(?:add|create|insert) (?!(?:a |the )?dependency)(?P<text>.+) to (?P<parent>#\d+)",
        r"(?:under|below|to) (?P<parent>[^,:]+(?=[,:])|#\d+)[,:]? ?(?:please )?add (?P<text>.+)",
        rf"(?:break|split|divide)(?: up| down)? (?P<parent>.+?)(?: up|"
        rf" down)? into:?(?: (?:\w+ )?{_SUB}:)? (?P<text>.+)",
        rf"give (?P<parent>.+?) (?:an? |the |these |two |three |four |five |"
        rf"\d+ )*{_SUB}: ?(?P<text>.+)",
        rf"new {_SUB} (?:for|of|to|under) (?P<parent>[^:]+): ?(?P<text>.+)",
        r"(?P<parent>.+) has (?:two|three|four|five|\d+|these|the following)"
        rf" {_SUB}: ?(?P<text>.+)",
    )
)
_LIST_JOINT = regex(r"\s*([,;]\s*(and\s+)?|\s+and\s+)")
_APP_WORDS = regex(
    r"\b(filters?|views?|trash|screen|theme|settings?|sub-?tasks?|tasks?|to-?dos|tags?|projects?"
    r"|undo|redo|app)\b|\b(the|my) list\b"
)
_TO_PROJECT = regex(
    rf"(add|put) (these|the following|this)( {_NOUN})? (to|in|into"
    r"|under) (the |my )?#?(?P<name>[^\W\d][\w.-]*)( project| list| folder)?: ?(?P<text>.+)",
    re.DOTALL,
)
_LACKING = regex(rf"((a|an|another|one|some) )?(new )?{_NOUN}|something|one")
_IN_NAME = regex(r"(add|put|create|new task) (?P<text>.+?) (to|in|into|under) (?P<name>.+)")
_ON_LIST = regex(
    r"(put|throw|get|add|set|stick) (?P<text>.+?) (on|onto|to|in) ((my|the"
    r"|our) )?(to-?do |task |shopping |grocery )?(list|to-?dos|tasks)(?P<more>.*)"
)
_OBLIGATION = regex(
    r"((i|we)('ve|'d| have| had| also| still| really| do| just| am| 'm|'m| are|'re)* (need|have|has"
    r"|got|ought|want|plan|supposed|going|better|must|should|mustn't forget|can't forget"
    r"|shouldn't forget|gotta|wanna)( got)?( really| also| still| probably)?( to)?|(got|need|have"
    r"|ought) to|must|should|gotta|can't forget to)( really| also| still"
    r"| probably)? (?P<verb>[a-z]+)(?P<text>\b.*)",
    re.DOTALL,
)
_STATIVE = word_set("stative_verbs")
_OUTCOMES = word_set("outcome_verbs")
_HAVING_DONE = re.compile(
    r" (?:to )?(?:(?:a|the) )?(?:\w+(?:ed|en)|paid|bought|done|gone|told|said|sent|made|known|"
    r"been|got|left|put|met|read|had|kept|brought|thought|caught|taught)\b"
)
_HAVE = regex(r"(i|we)('ve| have)( got)? (a |an |my |the |our )(?P<text>.+)", re.DOTALL)
_MUST_BE = regex(
    r"(?!(i|we|you|he|she|it|they|this|that|there)\b)(?P<text>.+ (has to|have to|needs?( to)?"
    r"|ought to|must|should)( be)? (?P<verb>\w+)\b.*)"
)
_UNREAL = regex(r"\b((should|could|would|must|might)( have|'ve)|i|we)\b")
_HEADING = regex(
    r"(?P<verb>(to )?(buy|get|order|pick up|pack|call|email|bring|fetch|do|clean|fix|read|book|pay"
    r"|send)|shopping|groceries|to-?dos?|tasks?|errands"
    r"|([\w'-]+ ){0,2}list)(?P<when> [^:]{0,30})?: ?(?P<text>.+)",
    re.DOTALL,
)
_SUBJECT = regex(
    r"(i|we|you|he|she|it|they|this|that|there|these|those|everybody|everyone|nobody|somebody|what"
    r"|who|today|tomorrow|yesterday|tonight)('\w+)?\b(?! (and|or)\b)"
)
_STATES = regex(
    r"\b(is|are|was|were|isn't|aren't|wasn't|weren't|has been|have been|feels?|felt|looks?|seems?"
    r"|sounds?)\b(?! (\w+ing|on|at|due|booked|scheduled|planned|set|happening|arriving|from|in|this"
    r"|next|every|back)\b)"
)
_FOR_A_MODEL = word_set("model_verbs")
_VAGUE = regex(r"\b(this|next|last) (month|year|season|spring|summer|autumn|fall|winter)\b")
"""A time that no appointment has."""
_POINTS = regex(
    r"\b(it|them|those|these|(the (first|second|third|fourth|fifth|last|other|next)|that"
    r"|this) one)\b"
)
"""Words for tasks of earlier messages: they make no title of a new one."""
_SMALL = r"(?:the|an?|my|our|your|and|or|to|of|for|with|at|from|that|is|are|was|i'm|this)"
_GARBLED = regex(
    r"(of|me|u|you|that|and|or|is|are|was|instead|one|all|then|with|out|up|on|in|at|by|from|about"
    r"|next|overdue|everything|nothing|something|anything|see (you|i)|hate|love|like|hope|wish"
    rf"|think|know|feel)\b.*|.*(?<!\w){_SMALL}|.*\bw/|.*\b(the|an?|my|our) {_SMALL}\b.*|.*\b(add"
    r"|delete|remove|rename|reschedule|undo|remind|complete|please|i'm|i'll|i've|let's)\b.*|(lol"
    r"|haha|hm+|wow|ugh|hey|well|oh|yay|meh|omg|ok|thanks|sorry|hello|hi|bye|yes|no|maybe)"
    r"|[^\"]*\"[^\"]*"
)
"""Titles that nobody writes: cut short, of several requests, or no words for a task."""
_IS_ON = regex(r"(?P<what>.+?) (is|are)( (now|due|happening))* (?P<when>.+)")
_ONLY_COMMANDS = word_set("command_verbs")
_ADVICE = word_set("advice_verbs")
_TO_ME = regex(r"\b(me|you|your|yourself|us)\b")
_LONGEST_TASK = 300
_MOST_WORDS = 25
_MOST_SURE_WORDS = 12
_LONGEST_APPOINTMENT = 7
"""Words of a title."""


def _capital(title: str) -> str:
    first = title.split(" ", 1)[0]
    return title[:1].upper() + title[1:] if first.islower() else title


@dataclass(frozen=True, slots=True)
class AdditionReader:
    """Reads additions of one message, at one moment."""

    now: datetime
    style: DateStyle
    changes: ChangeReader
    quoted: Quoted

    def explicit(self, clause: str) -> Add | None:
        """Read `add …`, `remind me to …`, `put … on my list`, `buy: …`."""
        readers = (
            (_ON_LIST, self._onto_list),
            *((pattern, self._below) for pattern in _UNDER),
            (_TO_PROJECT, self._into_project),
            (_EXPLICIT, self._commanded),
            (_HEADING, self._headed),
        )
        for pattern, read in readers:
            if match := pattern.fullmatch(clause):
                return read(match)
        return None

    def _onto_list(self, match: re.Match[str]) -> Add | None:
        more = match["more"].strip(" ,")
        words = self.changes.words(more) if more else ""
        if match["text"].endswith(" back") or words is None:
            return None
        return self._explicit(match["text"], words)

    def _below(self, match: re.Match[str]) -> Add | None:
        """Read subtasks; a date may stand behind the parent."""
        is_list = ":" in match[0] or " into " in match[0]
        text = re.sub(_LIST_JOINT, "\n", match["text"]) if is_list else match["text"]
        add = self._explicit(text)
        inner = self._task(match["parent"])
        if add and inner.title and inner.details:
            dated = [
                replace(task, details=f"{task.details} {inner.details}".strip())
                for task in add.tasks
            ]
            return replace(add, tasks=tuple(dated), under=inner.title)
        return replace(add, under=match["parent"].strip(" ,:")) if add else None

    def _into_project(self, match: re.Match[str]) -> Add | None:
        add = self._explicit(match["text"])
        return replace(add, known=match["name"]) if add else None

    def _commanded(self, match: re.Match[str]) -> Add | None:
        """Read `add …` and `remind me …`, with a priority, a recurrence and a date in front."""
        level = (
            match["level"]
            or re.sub(r"add |create |[ -]priority", "", match["urgent2"] or "")
            or (match["urgent"] or "").split(" ")[0].split("-")[0]
        )
        days = [self.changes.words(words) for words in (match["day"], match["when"]) if words]
        if None in days or _LACKING.fullmatch(match["text"]):
            return None
        common = [f"!{_level(level)}" if level else "", match["rule"] or "", *map(str, days)]
        return self._explicit(match["text"], " ".join(filter(None, common)))

    def _headed(self, match: re.Match[str]) -> Add | None:
        when = (match["when"] or "").strip()
        words = self.changes.words(when) if when else ""
        return None if words is None else self._explicit(match["text"], words)

    def _explicit(self, text: str, common: str = "") -> Add | None:
        add = self._add(text, common)
        return replace(add, is_explicit=True) if add else None

    def in_known_project(self, add: Add, text: str) -> Add | None:
        """Read `paint the fence to house` as an addition to the project `house`, if in use."""
        match = _IN_NAME.fullmatch(text)
        if match is None or len(add.tasks) != 1:
            return None
        inner = self._add(match["text"])
        return replace(inner, is_explicit=True, known=match["name"]) if inner else None

    def dated(self, details: str, text: str) -> Add | None:
        """Read `lunch with Ben` after `tomorrow at noon:`."""
        return self._add(text, details)

    def _obligation(self, clause: str) -> Add | None:
        if match := _OBLIGATION.fullmatch(clause):
            verb, text = match["verb"].lower(), match["text"]
            if not is_verb(verb) or (verb == "have" and _HAVING_DONE.match(text)):
                return None
            if verb in _OUTCOMES and re.search(r"going to $", clause[: match.start("verb")]):
                return None
            add = self._add(match["verb"] + text)
            if verb in _STATIVE and not (add and add.tasks[0].details):
                return None
            is_wish = re.search(
                r"\b(?:want|wanna|plan|going|hope)\b", clause[: match.start("verb")], re.I
            )
            is_noun = not surely_verb(verb) and not clause[: match.start("verb")].endswith("to ")
            if add and ((is_wish and not add.tasks[0].details) or (is_noun and not text.strip())):
                return replace(add, is_certain=False)
            return add
        if (match := _HAVE.fullmatch(clause)) and self._has_date(match["text"]):
            return self._add(match["text"])
        if (
            (match := _MUST_BE.fullmatch(clause))
            and not _UNREAL.search(clause)
            and (is_past(match["verb"].lower()) or match["verb"].endswith("ing"))
        ):
            return self._add(clause)
        return None

    def statement(self, clause: str) -> Add | None:
        """Read a clause without a command as a task where it has the shape of one.

        `is_certain` is False where the person should be asked; None for a remark.
        """
        add = self._statement(clause)
        return replace(add, is_certain=False) if add and _is_garbled(add) else add

    def obligation(self, clause: str) -> Add | None:
        """Read `I need to …`, `… has to be paid by friday`, `I have a dentist visit monday`."""
        add = self._obligation(clause)
        return replace(add, is_certain=False) if add and _is_garbled(add) else add

    def _statement(self, clause: str) -> Add | None:
        words = clause.lower().split()
        is_long = len(clause) > _LONGEST_TASK or len(words) > _MOST_WORDS
        if not words or is_long or words[0] in _ONLY_COMMANDS:
            return None
        if (match := _IS_ON.fullmatch(clause)) and self.changes.is_date(match["when"]):
            what = re.sub(r"^the ", "", match["what"], flags=re.IGNORECASE)
            add = self._statement(f"{what} {match['when']}")
            return replace(add, is_certain=False) if add else None
        dated = self._has_date(clause)
        if is_verb(words[0]) and len(words) > 1 and not _STATES.search(clause):
            return self._imperative(clause, words, dated=dated)
        is_remark = words[0] in ("no", "not", "if", "when") or is_past(words[0])
        if not dated or is_remark or _STATES.search(clause) or _SUBJECT.match(clause):
            return None
        return self._appointment(clause)

    def _imperative(self, clause: str, words: list[str], *, dated: bool) -> Add | None:
        """Read `call the bank`; None for what is asked of the assistant, or advice."""
        if _TO_ME.search(clause) or (words[0] in _FOR_A_MODEL and not dated):
            return None
        if words[0] in _ADVICE:
            return None
        add = self._add(clause)
        sure = dated or (surely_verb(words[0]) and len(words) <= _MOST_SURE_WORDS)
        sure = sure and not _APP_WORDS.search(clause) and not _POINTS.search(clause)
        return add if sure or add is None else replace(add, is_certain=False)

    def _appointment(self, clause: str) -> Add | None:
        """Read `dentist friday 10am`."""
        add = self._add(clause)
        if add is None or len(add.tasks) != 1:
            return None
        title = add.tasks[0].title.lower().split()
        if _SUBJECT.match(add.tasks[0].title) or not title[0][:1].isalpha():
            return None
        if any(is_past(word) and not is_verb(word) for word in title[1:]):
            return None
        is_doubtful = _TO_ME.search(clause) or _VAGUE.search(clause)
        is_short = len(title) <= _LONGEST_APPOINTMENT and not is_doubtful
        return add if is_short else replace(add, is_certain=False)

    def new_tasks(self, text: str, common: str = "", verb: str = "") -> tuple[NewTask, ...]:
        """Split a text into tasks; `common` are change words of all of them."""
        items = split_items(text, self._title_of)
        return self._common_date(tuple(self._task(item, common, verb) for item in items))

    def _add(self, text: str, common: str = "", verb: str = "") -> Add | None:
        tasks = self.new_tasks(text, common, verb)
        return Add(tasks) if tasks and all(task.title for task in tasks) else None

    def _has_date(self, text: str) -> bool:
        read = quick_add(text, self.now, self.style)
        return read.due is not None and read.due.begins() >= self.now.replace(hour=0, minute=0)

    def _title_of(self, text: str) -> str:
        if is_mark(text):
            return text.strip()
        if self.changes.words(text) is not None:
            return ""
        return self._task(text).title

    def _task(self, text: str, common: str = "", verb: str = "") -> NewTask:
        """Read one item: words at its ends that change fields, then dates and signs."""
        text, notes = re.sub(r" (?:is|are) due (?=\S)", " due ", text.strip(" ,;")), ""
        if match := _NOTES.search(text):
            text, notes = (
                text[: match.start()].strip(" ,;"),
                self.quoted.shown(match["note"].strip()),
            )
        if is_mark(text):
            return NewTask(self.quoted.shown(text), common, notes)
        text = _AS_IT_IS.sub(r"\1", text)
        if is_mark(text):
            return NewTask(self.quoted.shown(text), common, notes)
        if (lead := _DAY_FIRST.fullmatch(text)) and self.changes.is_date(lead["day"]):
            text, common = lead["rest"], self.changes.words(lead["day"]) or common
        details = [common] if common else []
        rest, found = self._without_attributes(text)
        details += found
        read = quick_add(rest, self.now, self.style)
        details += [rest[span.start : span.end] for span in read.spans]
        bare, found = self._without_attributes(
            re.sub(
                r",?(?: is| are)? due(?: date| day)?(?: on| by| is|:)?$| (?:is|are)(?: on| at)?$",
                "",
                read.title,
            )
        )
        read = read._replace(title=bare)
        details += found
        title = re.sub(
            r"^(?:to|that i (?:need|have) to|please|of|about|for) ", "", read.title.strip(" ,;")
        )
        if not title or _NUMBER.search(title):
            return NewTask("")
        shown = self.quoted.shown(title)
        title = shown if is_mark(title) else _capital(shown)
        if verb and not is_verb(title.split()[0].lower()):
            title = title[:1].upper() + title[1:]
        return NewTask(title, " ".join(details), notes)

    def _common_date(self, tasks: tuple[NewTask, ...]) -> tuple[NewTask, ...]:
        """Give a date behind the last of several things to all: `cake and candles friday`."""
        if len(tasks) < 2 or any(task.details for task in tasks[:-1]) or not tasks[-1].details:
            return tasks
        if any(is_verb(task.title.split()[0].lower()) for task in tasks):
            return tasks
        return tuple(replace(task, details=tasks[-1].details) for task in tasks)

    def _without_attributes(self, text: str) -> tuple[str, list[str]]:
        """Take `high priority`, `tagged home`, `in the work project` off the end of an item."""
        details: list[str] = []
        while match := _ATTRIBUTE.search(text):
            words = self.changes.words(match["change"])
            if words is None or not text[: match.start()].strip():
                break
            details.insert(0, words)
            text = text[: match.start()].rstrip(" ,;")
        return text, details


def _is_garbled(add: Add) -> bool:
    return any(_GARBLED.fullmatch(task.title) for task in add.tasks)


_NOTES = regex(
    r"(\s*[,;(-]\s*|\s+)(with|and)\s*(an? |the )?(notes?|comment)( that says| saying| that"
    r"|:)\s*(?P<note>.+)$",
    re.DOTALL,
)
_AS_IT_IS = regex(rf"^(?P<mark>{MARK}),? (as (it )?is|literally|verbatim|as written|exactly)$")
_DAY_FIRST = regex(r"((for|on) )?(?P<day>[\w ]{2,24}?) to (?P<rest>[a-z]+ .+)")
_NUMBER = re.compile(r"(?<![\w&])#\d")
"""The number of a task: a title that has one is a command that was not understood."""
_ATTRIBUTE = regex(
    r"(\s*[,;(]\s*(and )?|\s+-\s+|\s+(and )?)(?P<change>(with |at |as |of )?(an? |the )?(top|high"
    r"|medium|low|highest|lowest)[ -]priority|(it's |it is |that's |this is )?"
    r"(really |very |super )?(urgent|important|critical)(?=\)?$)|(with )?(the )?priority:? (high"
    r"|medium|low)|-? ?(top|high|medium|low) prio|asap|as soon as possible|(tagged|labell?ed)( as"
    r"| with)? @?[\w-]+(( and |, )@?[\w-]+)*|(with )?(the )?tags? @?[\w-]+|(in|to|into|under|for"
    r"|with)? ?(the |my |our |a )?(project|folder) [^\W\d][\w.-]*|(in|to|into"
    r"|under) (the |my |our |a )?(?!to-?do\b|task\b)[^\W\d][\w.-]* (project|folder|list))\)?$"
)


def _level(word: str) -> str:
    return {"top": "high", "urgent": "high", "important": "high"}.get(word.lower(), word.lower())
