"""New tasks: read the text of an addition, and tell statements that are tasks from remarks."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from todo_tui.domain.dates.terms import WEEKDAYS
from todo_tui.domain.estimates import parse_estimate
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import (
    LEVELS,
    WEEKDAY,
    ChangeReader,
    quick_add,
)
from todo_tui.providers.offline.language.pattern import lines, regex
from todo_tui.providers.offline.language.words import (
    MARK,
    NUMBERS,
    Quoted,
    is_mark,
    is_past,
    is_verb,
    surely_verb,
    word_set,
)
from todo_tui.providers.offline.reading.items import split_items
from todo_tui.providers.offline.requests import Add, NewTask

_BUYING = word_set("buying_verbs")
_STATIVE = word_set("stative_verbs")
_OUTCOMES = word_set("outcome_verbs")
_FOR_A_MODEL = word_set("model_verbs")
_ONLY_COMMANDS = word_set("command_verbs")
_COMMANDS = word_set("commands") - {"plan"}
_ADVICE = word_set("advice_verbs")
_NO_TASKS = word_set("negations") | word_set("small_words") | word_set("exclamations")
_LIST_HEADS = word_set("list_heads")
_SIGNS = re.compile(r"[#@!~]\S+(?: [#@!~]\S+)*")
_UNDER_ANOTHER = regex(r" (under|underneath|beneath) ")
_NOT_PROJECTS = word_set("not_projects") | word_set("not_names")
_LONGEST_TASK = 300
_MAX_WORDS = 25
_MAX_SURE_WORDS = 16
_LONGEST_APPOINTMENT = 7
"""Words of a title."""


_BEFORE_DAYS = ("every", "each", "this", "next", "last", "between", "the", *WEEKDAYS)
_TWO_DAYS = regex(
    rf"(?<=\w ){''.join(rf'(?<!{word} )' for word in _BEFORE_DAYS)}\b(on )?"
    rf"(?P<one>{WEEKDAY})( and| &|,) (on )?(?P<two>{WEEKDAY})$"
)
"""Two days without a time, which are no date of the grammar; the gate asks if they repeat."""


def _in_order(text: str) -> str:
    return _TWO_DAYS.sub(r"every \g<one> and \g<two>", phrases.in_order(text))


def with_capital(title: str) -> str:
    """Return a title that begins with a capital letter, unless its first word has one inside."""
    first = title.split(" ", 1)[0]
    return title[:1].upper() + title[1:] if first.islower() else title


_PARENTS = rf"""
ADD (?P<text>.+?),? as (an? |new )*SUBTASK (of|to|under|for) (?P<parent>.+)
ADD (an? |the |these |this |some |new |two |three |four |five |\d+ )*SUBTASK (called |named )?
    (to|for|under|of) (?P<parent>[^:]+): ?(?P<text>.+)
ADD (an? |new )*SUBTASK:? (called |named )?(?P<text>{MARK}) (to|for|under|of) (?P<parent>.+)
ADD (an? |the |these |this |some |new |two |three |four |five |\d+ )*SUBTASK:? (called |named )?
    (?P<text>.+) (to|for|under|of) (?P<parent>.+)
ADD (an? )?SUBTASK: ?(?P<text>.+)(?P<parent>)
(add|create|insert) (?P<text>.+) (under|underneath|beneath) (?P<parent>.+)
(add|create|insert) (?!(a |the )?dependency)(?P<text>.+) to (?P<parent>#\d+)
(under|below|to) (?P<parent>[^,:]+(?=[,:])|#\d+)[,:]? ?(please )?add (?P<text>.+)
(break|split|divide)( up| down)? (?P<parent>.+?)( up| down)?( into:?|:)( (\w+ )?SUBTASK:)?
    [ ](?!(two|three|four|\d+)$)(?P<text>.+)
give (?P<parent>.+?) (an? |the |these |two |three |four |five |\d+ )*SUBTASK: ?(?P<text>.+)
new SUBTASK (for|of|to|under) (?P<parent>[^:]+): ?(?P<text>.+)
(?P<parent>.+) has (two|three|four|five|\d+|these|the following) SUBTASK: ?(?P<text>.+)
"""
_UNDER = tuple(regex(pattern, re.DOTALL) for pattern in lines(_PARENTS))
_LIST_JOINT = regex(r"\s*([,;]\s*(and\s+)?|\s+and\s+)")
_APP_WORDS = regex(
    r"\b(filters?|views?|trash|screen|theme|settings?|sub-?tasks?|tasks?|to-?dos|tags?|projects?"
    r"|undo|redo|app)\b|\b(the|my) list\b"
)
_TAKES = regex(
    r",? ((it|that|which|this) )?(takes?|will take|should take)( me)?"
    r"( (about|around|roughly|maybe|only|just))? (?P<time>AMOUNT)(?=$|[ ,.;])"
)
"""How long a new task takes."""
_LASTS = regex(
    r"(,\s*(about |around |roughly |~)?(?P<length>AMOUNT)(?=$|,|\s+[#@!])"
    r"| for (about |around )?(?P<time>AMOUNT)(?=$|,|\s+[#@!]))"
)
"""How long a new task takes: behind a comma, or where a time of day is said before it."""
_BEFORE_TAKES = regex(
    r"\s*,\s*(?=((it|that|which|this) )?(takes?|will take|should take)\b|missed ones too\b"
    rf"|{phrases.PART_OF_DAY})"
)
"""What stands before a part of the task before it."""
_PARENT = regex(
    r"(create|add|start|make|set up|new)( an?)?( new)? (?P<kind>project|TASK)( called| named)?:?"
    r" #?(?P<name>\S.*)"
)
"""The parent of new subtasks: `create a project wedding with subtasks …`."""
_SUBTASKS = regex(r"\b(sub-? ?tasks|steps)\b")
_OR_ELSE = regex(r",? or (else )?([\w']+ ){1,3}(will|won't|might|is going to|gonna)\b.*$")
"""What happens otherwise: `…, or mum will kill me`."""
_LACKING = regex(r"((a|an|another|one|some) )?(new )?TASK|something|one|another( one)?")
_IN_NAME = regex(r"(add|put|create|new task) (?P<text>.+?) (to|in|into|under) (?P<name>.+)")
_TO_TAG = regex(
    r" (to|in|into|on|onto|under|for) ((the|my|our) )?(project )?(?P<tag>[#@][^\W\d][\w.-]*)"
    r"( (project|list|folder)\b)?"
)
"""A project or tag and what stands around it: it belongs to the tasks before it without that."""
_PUT = regex(r"^(put|throw|set|stick|chuck|pop|bung|whack|jot|slap|fit) ")
_ON_LIST = regex(
    r"(put|throw|get|add|set|stick|chuck|pop|bung|whack|jot|slap|fit) (?P<text>.+?)"
    r" ((down|in)(?= (for|on) )"
    r"|((on|onto|to|in) ((my|the|our) )?(to-?do |task |shopping |grocery )?(list|to-?dos|tasks))"
    r"|((in|on|onto|down) )?(there|here)"
    r"( please)?)(?P<when>.*)"
)
_PUT_QUOTED = regex(rf"(put|stick|pop|set) (?P<text>{MARK})( (on|in|down))? (?P<when>.+)")
_OBLIGATION = regex(
    r"((i|we)('ve|'d|'ll| will| have| had| also| still| really| do| just| am| 'm|'m| are|'re)*"
    r" (need|have|has|got|ought|want|plan|supposed|going|better|must|should|promised"
    r"|mustn't forget|can't forget"
    r"|shouldn't forget|gotta|wanna)( got)?( really| also| still| probably)?( to)?"
    r"|(i|we)('ve|'m|'re| am| are) to|(got|need|have|ought) to|must|should|gotta|can't forget to)"
    r"( really| also| still| probably)? (?P<verb>[a-z]+)(?P<text>\b.*)",
    re.DOTALL,
)
_HAVING_DONE = re.compile(
    r" (?:to )?(?:(?:a|the) )?(?:\w+(?:ed|en)|paid|bought|done|gone|told|said|sent|made|known|"
    r"been|got|left|put|met|read|had|kept|brought|thought|caught|taught)\b"
)
_MUST_BE = regex(
    r"(?!(i|we|you|he|she|it|they|this|that|there)\b)(?P<text>.+ (has to|have to|needs?( to)?"
    r"|ought to|must|should)( be)? (?P<verb>\w+)\b.*)"
)
_UNREAL = regex(r"\b((should|could|would|must|might)( have|'ve)|i|we)\b")
_HEADING = regex(
    r"(?P<verb>(to )?(buy|get|order|pick up|pack|call|email|bring|fetch|do|clean|fix|read|book"
    r"|pay|send)|shopping|groceries|to-?dos?|tasks?|errands|to add"
    rf"|(new|another|a few|some|\d+|{'|'.join(NUMBERS)})( (new|more))?( (TASK|ones?|jobs?))?"
    r"|(add|put|stick|pop|jot)( (this|these))?( (down|on|in))*"
    r"|(\w+ ){0,2}things?( (to|i (need|have|want) to) (add|do|buy|get|remember|sort))?"
    r"|([\w'-]+ ){0,2}list)(?P<when>,? [^:]{0,30})?: ?(?P<text>.+)",
    re.DOTALL,
)
_COUNTED = regex(rf"(new|another|some|to add|add|put|stick|pop|a|\d+|{'|'.join(NUMBERS)})\b")
_FOR_LIST = regex(r"((for|to|on|in) )?(the|my|our) (to-?do )?list\b,? ?")
_FOR_PROJECT = regex(
    r"(for|to|in|into|under) ((the|my|our) )?#?(?P<name>[^\W\d][\w.-]*)( project)?"
)
_STATES = regex(
    r"\b(is|are|was|were|isn't|aren't|wasn't|weren't|has been|have been|feels?|felt|looks?|seems?"
    r"|sounds?)\b(?! (\w+ing|on|at|due|booked|scheduled|planned|set|happening|arriving|from|in"
    r"|this|next|every|back)\b)"
)
_FELT = regex(
    r"\b(was|were|wasn't|weren't|feels?|felt|looks?|seems?|sounds?|hate|love|like|hope|wish|think)\b"
)
_QUOTES = regex(r"\b(says|reckons|thinks|claims|tells (me|us))\b")
"""Behind it stands what somebody else says, which may be no task."""
_VAGUE = regex(r"\b(this|next|last) (month|year|season|spring|summer|autumn|fall|winter)\b")
"""A time that no appointment has."""
_POINTS = regex(
    r"\b(it|them|those|these|(the (first|second|third|fourth|fifth|last|other|next)|that"
    r"|this) one)\b"
)
"""Words for tasks of earlier messages: they make no title of a new one."""
_IS_ON = regex(r"(?P<what>.+?) (is|are)( (now|due|happening))* (?P<when>.+)")
_TO_ME = regex(r"\b(me|you|your|yourself|us)\b")
_WITH_NOTES = regex(
    r"((\s*[,;(-]\s*|\s+)(with|and)\s*(an? |the )?(notes?|comment)( that says| saying| that|:)"
    r"|\s*[,;(-]\s*notes?:)\s*(?P<note>.+)$",
    re.DOTALL,
)
_AS_IT_IS = regex(rf"^(?P<mark>{MARK}),? (as (it )?is|literally|verbatim|as written|exactly)$")
_FROM_TIME = regex(
    rf"\b(?P<day>{phrases.SOME_DAY}) from "
    rf"(?=\d{{1,2}}([.:]\d\d|( ?[ap]m))(?! ?(to|until|till|-|–)))"
)
_TASK_NUMBER = re.compile(r"(?<![\w&])#\d")
"""The number of a task: a title that has one is a command that was not understood."""
_TAG_NAMED = regex(r"(with )?(the )?(tag|label):? @?(?P<name>[\w-]+)")
_ATTRIBUTE = regex(
    r"(\s*[,;(]\s*(and )?|\s+-\s+|\s+(and )?)(?P<change>((with )?no|without( a)?) (due )?"
    r"(date|deadline)|(with |at |as |of )?(an? |the )?"
    r"(top|high|medium|low|highest|lowest)[ -]priority|(it's |it is |that's |this is |is )?"
    r"(really |very |super )?(urgent|important|critical)(?=\)?$)|(with )?"
    r"(the )?priority:? (high|medium|low)|-? ?(top|high|medium|low) prio|asap|as soon as possible"
    r"|((tagged|labell?ed)( as| with)?|(with )?(the )?(tags?|labels?)):? @?[\w-]+"
    r"((,? (and|&) |, ?)(?!urgent|important|critical|asap)@?[\w-]+)*"
    r"|(in|to|into|under|for|with)? ?(the |my |our |a )?(project|folder) [^\W\d][\w.-]*"
    r"|((in|to|into|under)|(?<=[,;] )for) (the |my |our |a )?(?!to-?do\b|task\b)[^\W\d][\w.-]*"
    r" (project|folder|list)|(?<=[,;] )(high|medium|low))\)?$"
)
_WHY = regex(r" (because|cos|'cause|cuz|since) .+$")
_SHOWS = regex(r"(SHOW|(newest|oldest|latest|last|first|next) (TASK))\b")


@dataclass(frozen=True, slots=True)
class AdditionReader:
    """Reads additions of one message, at one moment."""

    now: datetime
    style: DateStyle
    changes: ChangeReader
    quoted: Quoted

    def explicit(self, clause: str) -> Add | None:
        """Read `add …`, `remind me to …`, `put … on my list`, `buy: …`."""
        tagged, count = _TO_TAG.subn(r" \g<tag>", clause)
        clause = _PUT.sub("add ", tagged) if count else clause
        if match := phrases.WITH_SUBTASKS.fullmatch(clause):
            return self._with_subtasks(match)
        readers = (
            (_ON_LIST, self._listed),
            *((pattern, self._below) for pattern in _UNDER),
            (phrases.TO_PROJECT, self._into_project),
            (phrases.EXPLICIT, self._commanded),
            (_HEADING, self._listed),
        )
        for pattern, read in readers:
            if match := pattern.fullmatch(clause):
                return read(match)
        return None

    def _with_subtasks(self, match: re.Match[str]) -> Add | None:
        """Read `add party with subtasks cake, music and guests`."""
        first = match["add"].split()[0].lower()
        if parent := _PARENT.fullmatch(match["add"]):
            name = parent["name"]
            is_project = parent["kind"] == "project" and phrases.NAME.fullmatch(name)
            add = self.add(name, f"#{name}" if is_project else "", is_explicit=True)
        else:
            add = self.explicit(match["add"])
        named = _SUBTASKS.search(match[0], match.end("add"))
        if add is None and named and first not in _ONLY_COMMANDS | _COMMANDS:
            add = self.add(match["add"], is_explicit=True)
        items = re.sub(_LIST_JOINT, "\n", match["items"])
        below = self.add(items, is_explicit=True)
        if add is None or below is None or len(add.tasks) != 1:
            return None
        rows = tuple((task.title, task.details) for task in below.tasks)
        return replace(add, tasks=(replace(add.tasks[0], subtasks=rows),))

    def _listed(self, match: re.Match[str]) -> Add | None:
        """Read `put milk on my list` and `buy tomorrow: milk`; a date may belong to it."""
        when = _FOR_LIST.sub("", (match["when"] or "").strip(" ,"))
        words = self.changes.words(when) if when else ""
        named = re.fullmatch(r"(.+) things?", match.groupdict().get("verb") or "")
        if named and words is not None:
            # `low priority thing for the house: …`
            words = f"{words} {self.changes.words(named[1]) or ''}".strip()
        counts = match.re is _HEADING and _COUNTED.match(match["verb"])
        if words is None and counts and (group := _FOR_PROJECT.fullmatch(when)):
            # `two more for the fundraiser: …`
            return self.add(match["text"], is_explicit=True, known=group["name"])
        if (
            match["text"].endswith(" back")
            or words is None
            or phrases.POINTING.fullmatch(match["text"])
        ):
            return None
        return self.add(match["text"], "" if words == "no date" else words, is_explicit=True)

    def _below(self, match: re.Match[str]) -> Add | None:
        """Read subtasks; a date may stand behind the parent."""
        is_list = ":" in match[0] or " into " in match[0]
        text = re.sub(_LIST_JOINT, "\n", match["text"]) if is_list else match["text"]
        # The parent may be named after each: `add tiles under bathroom, paint under bathroom`.
        text = re.sub(rf" \w+ {re.escape(match['parent'])}(?!\w)", "", text, flags=re.IGNORECASE)
        if _UNDER_ANOTHER.search(text):
            return None
        add = self.add(text, is_explicit=True)
        inner = self.task(match["parent"])
        if add and inner.title and inner.details:
            return replace(add.with_details(inner.details), under=inner.title)
        return replace(add, under=match["parent"].strip(" ,:")) if add else None

    def _into_project(self, match: re.Match[str]) -> Add | None:
        name = match["name"]
        is_day = match[0][:4].casefold() == "for " and self.changes.is_date(name)
        if name.casefold() in _NOT_PROJECTS or is_day:
            # `add a task for tomorrow: …`, `add to my list: …`
            day = self.changes.words(name) if self.changes.is_date(name) else ""
            return self.add(match["text"], day or "", is_explicit=True)
        if match["new"]:
            items = _LIST_JOINT.sub("\n", match["text"])
            return self.add(items, f"#{name}", is_explicit=True)
        return self.add(match["text"], is_explicit=True, known=name)

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
        common = [LEVELS.get(level.lower(), "!high") if level else "", match["rule"] or ""]
        words = " ".join(filter(None, (*common, *map(str, days))))
        return self.add(_OR_ELSE.sub("", match["text"]), words, is_explicit=True)

    def in_known_project(self, text: str) -> Add | None:
        """Read `paint the fence to house` as an addition to the project `house`, if in use."""
        match = _IN_NAME.fullmatch(text)
        if match is None or _LACKING.fullmatch(match["text"]):
            return None
        name = self.task(match["name"])
        bare = re.sub(r"^(?:the|my|our) | (?:project|list|folder)$", "", name.title, flags=re.I)
        return self.add(match["text"], name.details, is_explicit=True, known=bare.casefold())

    def obligation(self, clause: str) -> Add | None:
        """Read `I need to …`, `… has to be paid by friday`, `I have a dentist visit monday`."""
        if match := _OBLIGATION.fullmatch(clause):
            verb, text = match["verb"].lower(), match["text"]
            lead = clause[: match.start("verb")]
            is_deed = is_verb(verb) or lead.endswith("to ")
            if not is_deed or (verb == "have" and _HAVING_DONE.match(text)):
                return None
            if verb in _OUTCOMES and lead.endswith("going to "):
                return None
            add = self.add(match["verb"] + text)
            if verb in _STATIVE and not (add and add.tasks[0].details):
                return None
            is_wish = re.search(r"\b(?:plan|going|hope)\b", lead, re.IGNORECASE) or (
                verb in _FOR_A_MODEL and re.search(r"\b(?:want|wanna)\b", lead, re.IGNORECASE)
            )
            is_noun = not surely_verb(verb) and not lead.endswith("to ")
            if add and ((is_wish and not add.tasks[0].details) or (is_noun and not text.strip())):
                return add.doubted()
            return add
        if (
            (match := _MUST_BE.fullmatch(clause))
            and not _UNREAL.search(clause)
            and (is_past(match["verb"].lower()) or match["verb"].endswith("ing"))
        ):
            return self.add(clause)
        return None

    def statement(self, clause: str) -> Add | None:
        """Read a clause without a command as a task where it has the shape of one.

        `is_certain` is False where the person should be asked; None for a remark.
        """
        words = clause.lower().split()
        is_long = len(clause) > _LONGEST_TASK or len(words) > _MAX_WORDS
        if not words or is_long or words[0] in _ONLY_COMMANDS:
            return None
        if (match := _IS_ON.fullmatch(clause)) and self.changes.is_date(match["when"]):
            what = re.sub(r"^the ", "", match["what"], flags=re.IGNORECASE)
            add = self.statement(f"{what} {match['when']}")
            return add.doubted() if add else None
        if (put := _PUT_QUOTED.fullmatch(clause)) and (when := self.changes.words(put["when"])):
            return self.add(put["text"], when)
        dated = self._has_date(clause)
        if is_verb(words[0]) and len(words) > 1 and not _STATES.search(clause):
            return self._imperative(clause, words, dated=dated)
        is_remark = words[0] in ("no", "not", "if", "when") or is_past(words[0])
        is_remark = is_remark or bool(phrases.MARVELS.match(clause))
        if not dated or is_remark or _STATES.search(clause) or phrases.SUBJECT.match(clause):
            return None
        return self._appointment(clause)

    def candidate(self, clause: str) -> Add | None:
        """Return what a short clause would be as a new task, if it may be one."""
        if whole := self.appointment(clause):
            return whole
        words = clause.split()
        if not words:
            return None
        is_talk = phrases.SUBJECT.match(clause) or _TO_ME.search(clause) or _SHOWS.match(clause)
        if is_talk or _STATES.search(clause) or len(words) > _LONGEST_APPOINTMENT + 2:
            return None
        if words[0].lower() in _ONLY_COMMANDS | _NO_TASKS or (len(words) == 1 and not words[0][2:]):
            return None
        return self.add(clause)

    def appointment(self, clause: str) -> Add | None:
        """Return one new task for all that is told around a single day ahead."""
        is_short = len(clause.split()) <= _MAX_WORDS and "\n" not in clause
        if not is_short or phrases.LINKED.search(clause) or _FELT.search(clause):
            return None
        task = self.task(clause)
        dated = task.title and task.details and self._has_date(clause)
        return Add((task,)) if dated and not phrases.SUBJECT.match(task.title) else None

    def _imperative(self, clause: str, words: list[str], *, dated: bool) -> Add | None:
        """Read `call the bank`; None for what is asked of the assistant, or advice."""
        if _TO_ME.search(clause) or (words[0] in _FOR_A_MODEL and not dated):
            return None
        if words[0] in _ADVICE:
            return None
        add = self.add(clause)
        sure = dated or (surely_verb(words[0]) and len(words) <= _MAX_SURE_WORDS)
        sure = sure and not _APP_WORDS.search(clause) and not _POINTS.search(clause)
        return add if sure or add is None else add.doubted()

    def _appointment(self, clause: str) -> Add | None:
        """Read `dentist friday 10am`."""
        add = self.add(clause)
        if add is None or len(add.tasks) != 1:
            return None
        title = add.tasks[0].title.lower().split()
        if phrases.SUBJECT.match(add.tasks[0].title) or not title[0][:1].isalpha():
            return None
        if any(is_past(word) and not is_verb(word) for word in title[1:]):
            return None
        is_doubtful = any(doubt.search(clause) for doubt in (_TO_ME, _VAGUE, _QUOTES))
        is_short = len(title) <= _LONGEST_APPOINTMENT and not is_doubtful
        return add if is_short else add.doubted()

    def new_tasks(self, text: str, common: str = "") -> tuple[NewTask, ...]:
        """Split a text into tasks; `common` are change words of all of them."""
        # How long it takes belongs to the task before it.
        text = _FROM_TIME.sub(r"\g<day> at ", _BEFORE_TAKES.sub(" ", text))
        items = split_items(text, self._title_of)
        return self._common_date(tuple(self.task(item, common) for item in items))

    def add(
        self, text: str, common: str = "", *, is_explicit: bool = False, known: str = ""
    ) -> Add | None:
        """Read the addition of a text; None where any of its tasks has no title."""
        tasks = self.new_tasks(text, common)
        is_whole = tasks and all(task.title for task in tasks)
        if len(tasks) > 1 and any(task.title.casefold() in _BUYING for task in tasks):
            # `buy also a mixer` is one task.
            return None
        return Add(tasks, is_explicit=is_explicit, known=known) if is_whole else None

    def retitled(self, task: NewTask, text: str) -> tuple[NewTask, ...]:
        """Return what a correction in words makes of a new task; its date stays."""
        if text.isdigit() and (number := re.search(r"\b\d+\b", task.title)):
            title = f"{task.title[: number.start()]}{text}{task.title[number.end() :]}"
            return (replace(task, title=title),)
        new = self.new_tasks(text)
        if len(new) != 1:
            return new
        (other,) = new
        verb, _, rest = task.title.partition(" ")
        last = other.title.split()[-1]
        counted = re.compile(rf"\S+ {re.escape(last)}\b", re.IGNORECASE)
        title = other.title
        if " " in other.title and counted.search(task.title):
            # `2 boxes …, sorry, 3 boxes`
            title = counted.sub(other.title, task.title, count=1)
        elif rest and is_verb(verb.lower()) and not is_verb(title.split()[0].lower()):
            title = f"{verb} {title[:1].lower()}{title[1:]}"
        return (replace(other, title=title, details=other.details or task.details),)

    def pasted(self, text: str) -> Add | None:
        """Read a pasted list: a heading, or none, and lines."""
        head, _, rest = text.partition("\n")
        lines = [line for line in text.splitlines() if line.strip()]
        if head.lower().strip(" :") in _LIST_HEADS:
            head = f"{head}:"
        bulleted = [re.match(r"\s*(?:[-*•+]|\d+[.)]|\[ ?\])\s+\S", line) for line in lines]
        if all(bulleted) or (all(bulleted[1:]) and head.rstrip().endswith(":")):
            tasks = self.new_tasks(text if bulleted[0] else rest)
            return Add(tasks) if tasks else None
        return None

    def _has_date(self, text: str) -> bool:
        read = quick_add(_in_order(text), self.now, self.style)
        return read.due is not None and read.due.begins() >= self.now.replace(hour=0, minute=0)

    def _title_of(self, text: str) -> str:
        if is_mark(text):
            return text.strip()
        values = _WHY.sub("", text).strip(" ,")
        is_value = self.changes.words(_in_order(values)) is not None or _TAG_NAMED.fullmatch(values)
        if is_value or _SIGNS.fullmatch(values):
            return ""
        return self.task(text).title

    def task(self, text: str, common: str = "") -> NewTask:
        """Read one item: words at its ends that change fields, then dates and signs."""
        text, notes = re.sub(r" (?:is|are) due (?=\S)", " due ", text.strip(" ,;")), ""
        if match := _WITH_NOTES.search(text):
            text = text[: match.start()].strip(" ,;")
            notes = self.quoted.shown(match["note"].strip())
        text = _AS_IT_IS.sub(r"\1", text)
        if is_mark(text):
            return NewTask(self.quoted.shown(text), common, notes)
        details = [common] if common else []
        if (takes := _TAKES.search(text)) and (minutes := parse_estimate(takes["time"])):
            details.append(f"~{minutes}m")
            text = f"{text[: takes.start()]}{text[takes.end() :]}".strip(" ,;")
        if (lasts := _LASTS.search(text)) and (minutes := self._minutes(text, lasts)):
            details.append(f"~{minutes}m")
            text = f"{text[: lasts.start()]}{text[lasts.end() :]}".strip(" ,;")
        rest, found = self._without_attributes(_in_order(text))
        details += found
        read = quick_add(rest, self.now, self.style)
        dates = " ".join(rest[span.start : span.end] for span in read.spans)
        details += [self.changes.settled(dates, read)] if dates else []
        bare = re.sub(
            r",?(?: is| are)? due(?: date| day)?(?: on| by| is|:)?$| (?:is|are)(?: on| at)?$",
            "",
            read.title,
        )
        title, found = self._without_attributes(bare)
        details += found
        lead = r"^(?:to|that i (?:need|have) to|that|please|of|about|for) "
        title = re.sub(lead, "", title.strip(" ,;"))
        if not title or _TASK_NUMBER.search(title):
            return NewTask("")
        shown = re.sub(r"(?<=\w{3})\.$", "", self.quoted.shown(title))
        title = shown if is_mark(title) else with_capital(shown)
        # Words that are a date now have remarks of their own when they are set.
        return NewTask(title, " ".join(details), notes, () if details else read.notes)

    def _minutes(self, text: str, lasts: re.Match[str]) -> int | None:
        """Return the estimate that words behind a comma or a time of day give, if they do."""
        before = quick_add(_in_order(text[: lasts.start()]), self.now, self.style)
        if before.due is None or (lasts["time"] and before.due.at is None):
            return None
        return parse_estimate(lasts["length"] or lasts["time"])

    def _common_date(self, tasks: tuple[NewTask, ...]) -> tuple[NewTask, ...]:
        """Give a date behind the last of several things to all: `cake and candles friday`."""
        if len(tasks) < 2 or any(task.details for task in tasks[:-1]) or not tasks[-1].details:
            return tasks
        *_, last = tasks
        if any(is_verb(task.title.split()[0].lower()) for task in tasks if task.title):
            groups = " ".join(each for each in last.details.split() if each[0] in "#@")
            if groups == last.details:
                return (*(task.with_details(groups) for task in tasks[:-1]), last)
            remark = f"Only “{last.title}” got {'the date' if not groups else last.details}"
            return (*tasks[:-1], replace(last, remarks=(*last.remarks, remark)))
        return tuple(replace(task, details=tasks[-1].details) for task in tasks)

    def _without_attributes(self, text: str) -> tuple[str, list[str]]:
        """Take `high priority`, `tagged home`, `in the work project` off the end of an item."""
        details: list[str] = []
        if _ATTRIBUTE.search(bare := _WHY.sub("", text)):
            text = bare
        while match := _ATTRIBUTE.search(text):
            named = _TAG_NAMED.fullmatch(match["change"])
            words = f"@{named['name']}" if named else self.changes.words(match["change"])
            if words is None or not text[: match.start()].strip():
                break
            if words != "no date":
                details.insert(0, words)
            text = text[: match.start()].rstrip(" ,;")
        return text, details
