"""Read a message into requests: sentences and clauses, politeness, corrections and reasons.

Every part of a message must be understood: `read` returns the requests of all its clauses, and a
clause without a meaning is a Say that declines.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import (
    LENGTH,
    LEVELS,
    ChangeReader,
    Dates,
    is_time,
)
from todo_tui.providers.offline.language.clauses import spans_of, words_of
from todo_tui.providers.offline.language.filters import read_description
from todo_tui.providers.offline.language.pattern import compiled, fillings, may_begin, regex
from todo_tui.providers.offline.language.reference_words import (
    ById,
    ByPlace,
    ByPointing,
    read_reference,
)
from todo_tui.providers.offline.language.words import (
    Quoted,
    hide_quoted,
    is_verb,
    peeled,
    respell_command,
    respelled,
    straightened,
    surely_verb,
    with_months,
    without_ornament,
    without_stop,
    word_set,
)
from todo_tui.providers.offline.reading import command_rules, question_rules
from todo_tui.providers.offline.reading.additions import AdditionReader
from todo_tui.providers.offline.reading.done_statements import read_report
from todo_tui.providers.offline.reading.rule import Rule
from todo_tui.providers.offline.reading.title_matching import OFF, stems
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    FixedAnswer,
    NewTask,
    Report,
    Request,
    Undo,
    Verb,
)

_NOT_PROJECTS = word_set("not_projects") | word_set("not_names")
_FEW_WORDS = 4
_LONGEST_REFERENCE = 120
_MAX_READINGS = 12
_HOUR = re.compile(r"\d{1,2}([.:]\d\d)?")
_OF_THEM = "them: "
"""What a value of the tasks before it is given."""
_IT = ("it", "that", "this", "them", "both", "these", "those")
_STRONG = tuple(rule for rule in command_rules.COMMANDS if rule.strong)
_WEAK = tuple(rule for rule in command_rules.COMMANDS if not rule.strong)
_VERBS_FIRST = tuple(rule for rule in _STRONG if not rule.pattern.startswith("{"))
_ASIDE = (*command_rules.UNDO, *question_rules.TALK)
_FIELDS_AND_LINKS = (*command_rules.CLEARING, *command_rules.FIELDS, *command_rules.LINKS)
DECLINE = FixedAnswer("decline")


@dataclass(frozen=True, slots=True)
class ClauseReadings:
    """One clause with the requests that it can be, the likeliest first."""

    clause: str
    readings: tuple[Request, ...]

    @property
    def is_understood(self) -> bool:
        """True if the clause has a meaning."""
        return self.readings != (DECLINE,)


_OF_GROUP = (
    r"( (in|for|from|of) (the )?(?!(it|them|these|this|those|that)\b)[#@]?[\w.-]+"
    r"( (or|and) [#@]?[\w.-]+)?)?"
)
_LISTS = regex(
    r"(?!MOVE\b)(((the|my|our|all|any|open) )*([#@]?[\w.-]+ ){0,2}"
    rf"(tasks|things|jobs|stuff|to-?dos|items|chores|errands){_OF_GROUP}"
    rf"|(everything|anything|all){_OF_GROUP}|[#@](?!\d+\b)[\w.-]+)( (that|which) (is|are))?"
    r"( (due|planned|scheduled)( on| in| by| for)?| on| in| for)? (?P<days>[^:]+)"
)
"""Tasks with days, and no verb: `work tasks due next week` is a list of them."""
_CLOSED_ONES = regex(
    r"((my|the|all|our) )*(completed|finished|done|closed) (tasks|to-?dos|items|things|ones)"
    r"( (today|yesterday|this|last|in|from|since)\b.*)?"
)
"""Tasks that are done, and no report that they are."""
_EMPTY_PROJECT = regex(
    r"(create|make|start|set up|open|begin)( me)?( an?| the)?( new)? project\b(?!.*:).*"
    r"|add an?( new)? project (called|named) .*"
)
"""An order for a project alone, which has no tasks yet."""
_HEADED = re.compile(r"[^:]+:\s")
_NUMBERED = re.compile(r"1[.)] .+ 2[.)] ")
_NUMBER = re.compile(r"\s+(?=\d[.)] )")
"""What stands before each item of a list in one line."""
_NOTES_FOLLOW = regex(r"notes?:")
"""What begins the notes of the task before it."""
_UM = regex(r",? \b(uh+m*|um+|erm+|er)\b,?(?= \w)")
_RELATIVE = regex(
    rf",? (which|it)( is|'s| falls| will be)( on)? (?=(the )?\d|{phrases.SOME_DAY}\b|the \w+ of\b)"
)
"""What leads to the date of what was said before."""
_JOINT = regex(
    r"\s*(,|–|—| - |\.{2,})?\s*(?<![\w'])(and then|and also|and|then|but|also|plus)\s+|\s*,\s*"
    r"|\s+[-–—]\s+|\s*\.{2,}\s*"
)
_REASON = regex(
    r"(because|'?cause|cos|since|as|so( that)?|given that|seeing that|in case|that's why"
    r"|otherwise)\b.+|(i|we|he|she|it|they|this|that|there|you|(my|the|our|his|her) [\w' -]{1,40}?"
    r"|[\w']{2,20})('s|'re|'m|'ve|'ll|'d| (is|are|was|were|has|have|had|will|can|can't|won't|isn't"
    r"|aren't|wasn't|hasn't|haven't|does|doesn't|do|don't|did|didn't|needs?|wants?|said|says|called|likes?|hates?"
    r"|thinks?|got|came|comes|closes?|opens?))\b.*|(he|she|they|it|you) \w+\b.*"
)
_PROJECT = re.compile(r"#?[^\W\d][\w.-]*")
_NEVER_REPORTS = regex(
    r"(show|list|find|search|display|remember|imagine|pretend|suppose|let's say)\b"
)
_ONLY_LENGTH = regex(LENGTH)
_SIGNED_UP = regex(r"\bsigned up (for|to) ")
_CONTRACTED = regex(
    r"(?P<what>(^(it|that|this|those|these|they)|\bone(?='s))|\w(?='s (done|finished|off|cancelled"
    r"|sorted)\b))'(s|re) "
)
_NO_RULE = regex(
    r"\b(once|twice|thrice|(\d+|two|three|four|five|six|several|a few) times) (a|per|each"
    r"|every) (week|month|year|fortnight)\b"
)
"""A frequency without days."""
_NOT_THIS = regex(r"not (the )?(?P<what>.+)")
_RETRACTS = regex(
    r"((OOPS|no)[,. ]+)*(scratch that|strike that|no,? wait|wait,? no|forget that"
    r"|correction|or rather)[,.!: –—-]+((just|please|instead) )*(?P<rest>.+)"
)
"""What takes back the sentence before it, and says it anew."""
_RESTATES = regex(r"((OOPS|TAKEN_BACK|make (it|that))[,.! ]+)+(?P<rest>.+)")
"""What corrects the sentence before it where the rest is a value."""
_OTHER_DEED = regex(r"(?P<verb>[a-z]+) (him|her|it|them)\b.*")
_DONE_ALONE = regex(r"(DONE)( (now|already|too))*")
_HEDGED = regex(
    r"(^|(i|we|i'm|we're|i'?ve|we'?ve|is|are|it's) )(\w+ly )?(almost|nearly|not quite|half|halfway"
    r"|partly|partially|mostly) (done|through|there|complete|\w+ed|\w+ing)\b"
)
"""How somebody says that a thing is not done yet."""
_LINKS_LAST = regex(r".+ (depends|hinges|relies|waits|comes|goes|needs|is) .+")
"""What one task waits for: of `close the gym and the lease depends on …` only the lease does."""
_SAME_LINK = regex(
    r".+ (?P<link>(depends?|hinges?|relies|rely|(is|are) dependent|waits?|comes?|goes|(is|are)"
    r"( blocked)?) (?P<joint>(up)?on|for|by|after|before)) .+"
)
_OWN = regex(r"(i|we|got|need|have|ought|must|should)\b")
_DID_IT = regex(
    r"(i |we )?(did|got|had|made) (it|that|them)\b .+|(took|went|cost|was|were|felt|turned out"
    r"|came out) .+"
)
_MEANT = regex(r",? (i mean|i meant|rather|instead|actually|sorry)$")
_ALL_IN_PROJECT = regex(
    r"\b(everything|all|anything|every|each)( (of|the|my|TASK|stuff|ones))*"
    r"( (in|with|of|from|for|under))? #(?P<name>[^\W\d][\w.-]*)(?= \S)"
)
"""A set before a change: of `postpone all #bills by a week` nothing goes to another project."""
_LEFT_OUT = regex(
    r"(?P<all>.+?),? (except( for)?|apart from|aside from|other than|but not|not)"
    r" (?P<x>(the |my )?.+?)( of course| obviously)?"
)
"""A command with an exception behind it."""
_ONE = regex(r"(it|that|this)( one)?")
_TAGGING = regex(r"(,|\band) (and )?(?P<verb>tag|label) (?P<name>[^\W\d][\w-]*)")
"""A tag of the things to do before it, or one of them."""
_TAGS = regex(
    r"(label|tag(?= [\w-]+(?=$|,| and ))) (?!(it|that|them|those|these|this|both)\b)[^\W\d]"
)
_ARRANGES = regex(
    r"(schedule|arrange|book|set up|organi[sz]e) (an?|another) (new )?"
    r"(?!(TASK|project|list|tag|filter|view|date|day|time|slot|few|couple|bit|lot)\b)\w"
)
"""What is yet to be arranged, and so is on no list: `schedule a call on friday`."""
_CALL = regex(r"(call|print|copy|start|begin|check)\b")
"""Verbs of commands that tasks begin with as a rule where no command is read."""
_EXCLAIMS = regex(
    r"((oh|ugh|wow|man|gosh)[, ]+)?(what an? \w+( \w+)?|ugh|wow|oh (no|dear|well))[.!,]*"
)


class Reader:
    """Reads one message at one moment."""

    def __init__(self, text: str, now: datetime, style: DateStyle) -> None:
        self.quoted: Quoted = hide_quoted(
            _RELATIVE.sub(" ", _UM.sub("", with_months(straightened(text))))
        )
        self.changes = ChangeReader(now, style)
        self.additions = AdditionReader(now, style, self.changes, self.quoted)
        self.dates = Dates(now, style)
        self._text = self.quoted.text
        self._readings_of: dict[str, tuple[Request, ...]] = {}
        self._requests: dict[tuple[int, str], tuple[Request, ...]] = {}
        self._checks = {
            "tasks": _may_refer,
            "other": lambda words: _may_refer(words) and not self._is_day(words),
            "pointed": lambda words: isinstance(
                read_reference(words, self.dates), ByPlace | ByPointing
            ),
            "change": lambda words: self.changes.words(words) is not None,
            "dated": self.changes.begins_with_date,
            "undated": lambda words: not self.changes.begins_with_date(words),
            "sooner": lambda words: bool(_ONLY_LENGTH.fullmatch(words)),
            "shift": lambda words: bool(phrases.SHIFT.fullmatch(words)),
            "about": lambda words: len(words) <= _LONGEST_REFERENCE,
            "description": self._is_description,
            "name": lambda words: len(words.split()) <= 4,
            "group": lambda words: " " not in words and not surely_verb(words.lower()),
            "days": lambda words: len(words.split()) <= 6 and self.dates.is_stretch(words),
            "until": self.changes.is_date,
            "known": lambda words: (
                bool(_PROJECT.fullmatch(words)) and words.lower() not in _NOT_PROJECTS
            ),
        }

    def read(self, *, splits: bool = True) -> tuple[ClauseReadings, ...]:
        """Return the requests of the message in order; reasons and corrections are worked in.

        Without `splits` each sentence is one clause: `add finish the slides and delete photos`.
        """
        self._splits = splits
        text = phrases.without_order(without_ornament(self._text.strip()))
        if _NUMBERED.match(text):
            text = _NUMBER.sub("\n", text)
        if "\n" in text and (listed := self.additions.pasted(text)):
            return (ClauseReadings(text, (listed,)),)
        steps: list[ClauseReadings] = []
        is_whole = self._is_one_list(text) or self._is_note(text)
        sentences = [text] if is_whole else phrases.sentences(text)
        for sentence in sentences:
            self._read_sentence(sentence, steps)
        if len(steps) > 1 and steps[-1].readings == (FixedAnswer("nothing"),):
            return (steps[-1],)
        return tuple(steps)

    def _is_note(self, text: str) -> bool:
        """Return True for `add a note to X: …`, whose sentences are all part of the note."""
        return ":" in text and bool(self._by(command_rules.NOTES, peeled(text)))

    def _is_one_list(self, text: str) -> bool:
        """Return True for `add feed the cat; empty the bin`: new tasks with semicolons between."""
        parts = text.split(";")
        if len(parts) < 2:
            return False
        add = self.additions.explicit(peeled(text))
        return bool(add) and not any(self._begins_request(part.strip()) for part in parts[1:])

    def _is_day(self, words: str) -> bool:
        """Return True for a date that is not `the second`, a task of the last list."""
        return self.changes.is_date(words) and not isinstance(
            read_reference(words, self.dates), ByPlace
        )

    def readings(self, clause: str) -> tuple[Request, ...]:
        """Return what one clause can be; DECLINE alone if it has no meaning."""
        if clause not in self._readings_of:
            self._readings_of[clause] = self._read_clause(clause)
        return self._readings_of[clause]

    def _read_clause(self, clause: str) -> tuple[Request, ...]:
        text = without_ornament(respelled(without_stop(clause)))
        if not text:
            return (DECLINE,)
        if talk := self._by(_ASIDE, text):
            return talk
        bare = respelled(phrases.LEADING.sub("", text))
        asks = clause.rstrip().endswith("?") and peeled(bare) == bare
        words = _CONTRACTED.sub(r"\g<what> is ", peeled(text))
        words = _SIGNED_UP.sub("registered for ", words)
        words = _ALL_IN_PROJECT.sub(r"everything in \g<name>", words)
        spared = self._with_exception(words, asks=asks)
        for form in dict.fromkeys((words, peeled(phrases.LEADING.sub("", words)))):
            if found := tuple(dict.fromkeys(self._readings(form, asks=asks))):
                changes = any(isinstance(each, Change) for each in found)
                both = (*found, *spared) if changes else (*spared, *found)
                return both[:_MAX_READINGS]
        if spared:
            return spared
        respelt = respell_command(words)
        if respelt and (found := tuple(self._readings(respelt, asks=asks))):
            return found[:_MAX_READINGS]
        return (DECLINE,)

    def _with_exception(self, words: str, *, asks: bool) -> tuple[Request, ...]:
        """Read `tag the work tasks office, apart from the slides`."""
        left_out = _LEFT_OUT.fullmatch(words)
        if left_out is None or self._is_day(left_out["x"]):
            return ()
        return tuple(
            replace(each, tasks=f"{each.tasks} except {left_out['x']}")
            for each in self._readings(left_out["all"], asks=asks)
            if isinstance(each, Change) and not _ONE.fullmatch(each.tasks)
        )

    def _readings(self, words: str, *, asks: bool) -> Iterator[Request]:
        yield from self._by(_ASIDE, words)
        if asks or phrases.QUESTION.match(words):
            yield from self._by(question_rules.QUESTIONS, words)
            if not phrases.QUESTION.match(words) and len(words.split()) <= _FEW_WORDS:
                yield Ask(Aspect.LIST, words)
        elif match := _NO_RULE.search(words):
            yield FixedAnswer("rule", match[0])
        elif self._is_list(words):
            yield Ask(Aspect.LIST, words)
        elif _EMPTY_PROJECT.fullmatch(words) and not (
            phrases.WITH_SUBTASKS.fullmatch(words) or phrases.TO_PROJECT.fullmatch(words)
        ):
            yield FixedAnswer("project")
        elif add := self._dated_addition(words):
            yield add
        elif add := self.additions.explicit(words):
            yield from self._explicit(add, words)
        elif _HEDGED.search(words):
            yield FixedAnswer("nothing")
        else:
            yield from self._commands_and_statements(words)

    def _is_list(self, words: str) -> bool:
        """Return True for `work tasks due friday` and `completed tasks`, which are no commands."""
        if listed := _LISTS.fullmatch(words):
            return self.dates.is_stretch(listed["days"])
        return bool(_CLOSED_ONES.fullmatch(words))

    def _dated_addition(self, words: str) -> Add | None:
        """Read `on sunday I need to …` and `tomorrow at noon: …`."""
        lead, rest = self._dated_lead(words)
        if not lead:
            return None
        add = self.additions.explicit(rest) or self.additions.obligation(rest)
        if add is None and _HEADED.match(words):
            # `tomorrow: buy milk, call Bob`
            add = self.additions.explicit(f"add {rest}")
        if add is None:
            return None
        return replace(add, tasks=tuple(_dated(each, lead, self.changes) for each in add.tasks))

    def _explicit(self, add: Add, words: str) -> Iterator[Request]:
        """Read `add …`: a note, a tag, a link, a task of a project, or just a task."""
        if noted := self._by(command_rules.NOTES, words):
            yield from noted
            if not any(isinstance(each, Change) and each.tasks == "it" for each in noted):
                return
        if words[:4].lower() in ("add ", "put "):
            for each in self._by(_FIELDS_AND_LINKS, words):
                # The command is no part of what it is about: `add milk, tag shop`.
                if not (isinstance(each, Change) and each.tasks.startswith(words[:4])):
                    yield each
            if not add.under and (known := self.additions.in_known_project(words)):
                if _PROJECT.fullmatch(known.known):
                    yield replace(known, tags=_tags_of(words))
                    yield known.doubted()
                    if len(known.tasks) > 1 and "#" not in known.tasks[0].details:
                        yield replace(known.with_details(f"#{known.known}"), known="").doubted()
                yield replace(known, known="", under=known.known, is_guess=True)
        yield from self._tagged(add, words)
        if add.known and words[:4].lower() != "for ":
            yield replace(add.with_details(f"#{add.known}"), known="").doubted()

    def _commands_and_statements(self, words: str) -> Iterator[Request]:
        if _ARRANGES.match(words) and (new := self.additions.add(words, is_explicit=True)):
            yield new
            return
        yield from self._by(_STRONG, words)
        is_off = any(word.low in OFF and word.typed.lower() not in OFF for word in words_of(words))
        report = None if is_off or _NEVER_REPORTS.match(words) else read_report(words)
        if report:
            yield report
        add = self.additions.obligation(words)
        if add and _OWN.match(words):
            yield add
            return
        yield from self._by(_WEAK, words)
        if add:
            yield add
            return
        yield from self._by(question_rules.QUESTIONS, words)
        if report is None and (add := self.additions.statement(words)):
            yield from self._tagged(add.doubted() if self._is_command(words) else add, words)

    def _tagged(self, add: Add, words: str) -> Iterator[Add]:
        """Yield what an addition may mean by `…, label boxes`: a tag in use, or a thing to do.

        A tag that is not in use is asked about.
        """
        apart = replace(self.additions, takes_tags=False)
        tagging = _TAGGING.search(words)
        other = (apart.explicit(words) or apart.statement(words)) if tagging else add
        if tagging is None or other is None or other.tasks == add.tasks:
            yield add
            return
        yield replace(add, tags=_tags_of(words))
        is_errand = tagging["verb"].lower() == "label"
        yield replace(other, is_certain=add.is_certain) if is_errand else add.doubted()

    def _is_command(self, words: str) -> bool:
        """Return True for words that begin with a command, unless they are surely a task."""
        is_task = _CALL.match(words) and not any(
            isinstance(each, Change)
            for table in (_STRONG, _WEAK)
            for each in self._by(table, words)
        )
        return command_rules.is_command(words) and not is_task

    def _dated_lead(self, words: str) -> tuple[str, str]:
        """Split `on sunday I need to …` into the change words of the date and the rest."""
        parts = words.split()
        for cut in range(min(len(parts) - 1, 6), 0, -1):
            lead = " ".join(parts[:cut]).rstrip(",:")
            lead = re.sub(r"^each ", "every ", lead, flags=re.IGNORECASE)
            if parts[cut - 1].endswith("month:"):
                lead = re.sub(r"^(?!every )(?=.* of the month$)", "every ", lead)
            if self.changes.is_date(lead):
                return self.changes.words(lead) or "", peeled(" ".join(parts[cut:]))
        return "", words

    def _by(self, table: tuple[Rule, ...], words: str) -> tuple[Request, ...]:
        """Return the requests that the rules of a table read in words."""
        key = (id(table), words)
        if key not in self._requests:
            self._requests[key] = self._matching(table, words)
        return self._requests[key]

    def _matching(self, table: tuple[Rule, ...], words: str) -> tuple[Request, ...]:
        found: list[Request] = []
        for rule in table:
            parts = compiled(rule.pattern)
            if not may_begin(parts, words):
                continue
            for slots in fillings(parts, words, self._checks):
                given = dict(slots)
                for name in {"change", "shift", "sooner"} & given.keys():
                    given[name] = self.changes.words(given[name]) or given[name]
                if "sooner" in given:
                    given["sooner"] = given["sooner"].replace("later", "earlier")
                request = rule.request(given)
                if request is not None and request not in found:
                    found.append(request)
                if len(found) >= _MAX_READINGS:
                    return tuple(found)
        return tuple(found)

    def _read_sentence(self, sentence: str, steps: list[ClauseReadings]) -> None:
        """Add the steps of a sentence; a correction changes the last one."""
        start = len(steps)
        if _EXCLAIMS.fullmatch(sentence):
            return
        if peeled(sentence) != respelled(without_stop(sentence)):
            # `could you move it to friday and make it high?`
            sentence = sentence.rstrip("? ")
        if steps and (restated := self._restated(sentence, steps[-1])):
            self._correct(steps, restated)
            return
        if steps and (value := self._named_value(sentence)) and _adds(steps[-1]):
            clause = f"{_OF_THEM}{value}"
            steps.append(ClauseReadings(clause, self.readings(clause)))
            return
        parts = list(_corrected_parts(sentence))
        if self._by(command_rules.NOTES, peeled(sentence)):
            parts = [(sentence, False)]
        for part, corrects in parts:
            if corrects and len(steps) > 0:
                self._correct(steps, part)
                continue
            for clause in self._clauses(part):
                step = ClauseReadings(clause, self.readings(clause))
                follows = len(steps) > start and _acts(steps[-1].readings)
                if not (follows and self._is_reason(step)):
                    steps.append(step)

    def _named_value(self, sentence: str) -> str:
        """Return the value of `the deadline is friday`; empty for a sentence that names none."""
        named = phrases.FIELD_NAMED.match(sentence)
        if named is None:
            return ""
        field = named["kept"] or ""
        lead = "tagged" if field.casefold() in ("tag", "label") else field
        value = f"{lead} {sentence[named.end() :].strip(' .!')}".strip()
        return value if self.changes.words(value) else ""

    def _restated(self, sentence: str, last: ClauseReadings) -> str:
        """Return what a sentence says in place of the one before; empty for one of its own."""
        if match := _RETRACTS.fullmatch(sentence):
            return match["rest"]
        is_value = self.changes.words(sentence) is not None
        match = None if is_value else _RESTATES.fullmatch(sentence)
        value = (match["rest"] if match else sentence).strip(" .!")
        hour = f"at {value}" if _HOUR.fullmatch(value) else value
        if not _acts(last.readings) or not self.changes.words(hour if match else value):
            return ""
        return value

    def _is_reason(self, step: ClauseReadings) -> bool:
        """Return True for a clause that only explains the command before it."""
        if _DID_IT.fullmatch(step.clause):
            return True
        if not LEVELS.keys().isdisjoint(step.clause.lower().split()):
            return False
        if any(span.change for span in spans_of(words_of(step.clause), self.changes)):
            # A day is no mere reason.
            return False
        if any(isinstance(each, Report | Ask) for each in step.readings):
            return False
        strong = [
            each
            for each in step.readings
            if isinstance(each, Change) and (not each.details or each.tasks in _IT)
        ]
        return not strong and bool(_REASON.fullmatch(respelled(step.clause.strip())))

    def _clauses(self, text: str) -> list[str]:
        """Split a sentence where a new request begins; items of a list stay together."""
        whole = self.additions.explicit(peeled(text))
        if (whole and whole.under) or not self._splits:
            return [text]
        for joint in _JOINT.finditer(text):
            left, right = text[: joint.start()].strip(), text[joint.end() :].strip()
            if left and right and (behind := self._behind(left, joint[0], right, text)):
                return [left, *self._clauses(behind)]
        return [text]

    def _behind(self, left: str, joint: str, right: str, text: str) -> str:
        """Return the clause behind a joint; empty where none begins."""
        if _NOTES_FOLLOW.match(right):
            return f"add {right}" if isinstance(self.readings(left)[0], Change) else ""
        if self._by(command_rules.NOTES, peeled(text)):
            return ""
        if self._gives_more(left, right, text):
            return f"{_OF_THEM}{right}"
        if linked := self._links_too(left, right):
            return linked
        if self._sets_value(left) and self._sets_value(right):
            return right
        may_be_value = self.changes.words(right) or _TAGS.match(right)
        is_value = may_be_value and self.additions.explicit(peeled(left))
        if is_value or _DONE_ALONE.fullmatch(peeled(right)):
            return ""
        is_number = isinstance(read_reference(left, self.dates), ById)
        return right if not is_number and self._begins(left, joint, right) else ""

    def _begins(self, left: str, joint: str, right: str) -> bool:
        """Return True if a request, or the reason for one, begins behind a joint."""
        before = self.readings(left)
        if before == (DECLINE,):
            return False
        is_owed = phrases.LINKED.search(joint) and self.additions.obligation(peeled(right))
        if is_owed or self._begins_request(right):
            return True
        orders = isinstance(before[0], Change) and not before[0].is_guess
        if orders and _LINKS_LAST.fullmatch(right) and self._by(command_rules.LINKS, right):
            return True
        undoes, then = isinstance(before[0], Undo), self.readings(right)
        is_report = isinstance(before[0], Report)
        if (undoes and isinstance(then[0], Report)) or (is_report and self._sets_value(right)):
            return True
        if (undoes or _acts(before)) and self._is_reason(ClauseReadings(right, then)):
            return True
        changes_it = any(
            isinstance(each, Change) and each.details and each.tasks.lower() in _IT for each in then
        )
        return changes_it or bool(read_report(left) and read_report(right))

    def _links_too(self, left: str, right: str) -> str:
        """Return `the tour depends on the song`, said as `and the tour on the song` behind one."""
        change, link = self.readings(left)[0], _SAME_LINK.fullmatch(left)
        if link is None or not isinstance(change, Change) or not change.other:
            return ""
        what, joint, other = right.partition(f" {link['joint']} ")
        is_day = self.changes.is_date(f"{joint.strip()} {other}")
        is_link = bool(self._by(command_rules.LINKS, right))
        return "" if not joint or is_day or is_link else f"{what} {link['link']} {other}"

    def _sets_value(self, clause: str) -> bool:
        """Return True for `move the slides to monday`, and `the invoice to friday` behind it."""
        first = self.readings(clause)[0]
        return isinstance(first, Change) and bool(first.details) and not first.is_guess

    def _gives_more(self, left: str, right: str, text: str) -> bool:
        """Return True for `high priority` behind `tag slides work`: one more value of its tasks."""
        change, value = self.readings(left)[0], self.changes.words(right)
        if not isinstance(change, Change) or change.verb is not Verb.UPDATE:
            return False
        if change.is_guess and self.additions.explicit(peeled(left)):
            return False
        if value is None or phrases.SUBJECT.match(right):
            return False
        is_dated = self.changes.is_date(change.details) and self.changes.is_date(right)
        is_whole = any(
            isinstance(each, Change) and each.tasks == change.tasks and each.details
            for each in self.readings(text)
        )
        return not (is_dated or is_whole)

    def _begins_request(self, clause: str) -> bool:
        """Return True if a clause is surely a request of its own."""
        words = peeled(clause)
        heads = [words, *(words[: joint.start()] for joint in _JOINT.finditer(words))]
        return any(self._is_request(head) for head in heads if head)

    def _is_request(self, head: str) -> bool:
        if self.additions.explicit(head) or self._by(command_rules.UNDO, head):
            return True
        return bool(self._by(_VERBS_FIRST, head)) or bool(
            phrases.QUESTION.match(head) and self._by(question_rules.QUESTIONS, head)
        )

    def _correct(self, steps: list[ClauseReadings], words: str) -> None:
        """Work a correction into the last step: another command, another date, another task."""
        last = steps[-1]
        text = _MEANT.sub("", peeled(words))
        if self._begins_request(text):
            readings = tuple(_pointed(each, last.readings) for each in self.readings(text))
            steps[-1:] = [
                *([last] if _takes_back(readings, last) else ()),
                ClauseReadings(words, readings),
            ]
            return
        if _HOUR.match(text) and self.changes.words(f"at {text}"):
            # A bare number behind a correction is never that of a task.
            text = f"at {text}"
        if spared := _NOT_THIS.fullmatch(text):
            meant = [_without(each, spared["what"]) for each in last.readings]
        else:
            meant = [self._corrected_request(each, text) for each in last.readings]
        corrected = tuple(each for each in meant if each is not None)
        steps[-1] = ClauseReadings(last.clause, corrected or (DECLINE,))

    def _corrected_request(self, request: Request, text: str) -> Request | None:
        """Return a request with what a correction names in the place of its like."""
        change = self.changes.words(text)
        deed = _OTHER_DEED.fullmatch(text)
        match request:
            case Add(tasks) if change is not None:
                return replace(
                    request, tasks=tuple(self._corrected(task, change) for task in tasks)
                )
            case Add((task,)) if deed and is_verb(deed["verb"].lower()):
                title = f"{deed['verb'].capitalize()} {task.title.partition(' ')[2]}"
                return replace(request, tasks=(replace(task, title=title),))
            case Add((task,)):
                return replace(request, tasks=self.additions.retitled(task, text))
            case Change(verb=Verb.UPDATE, details=details) if details[:1] in (
                "@",
                "#",
            ) and phrases.NAME.fullmatch(text):
                return replace(request, details=f"{details[0]}{text}")
            case Report() if change is None and _may_refer(text):
                return replace(request, object=text)
            case Change() if change is None and _may_refer(text):
                return replace(request, tasks=text)
        return None

    def _corrected(self, task: NewTask, change: str) -> NewTask:
        """Return a new task with a change; a date takes the place of the one before."""
        if change == "no date":
            return replace(task, details=self.changes.without_date(task.details))
        return replace(task, details=self.changes.replaced(task.details, change))

    def _is_description(self, words: str) -> bool:
        if isinstance(read_reference(words, self.dates), ByPlace):
            return False
        asked = read_description(words, self.dates)
        return asked.clear and not asked.rest and bool(asked.conditions)


@lru_cache(maxsize=8)
def reader_of(text: str, now: datetime, style: DateStyle) -> Reader:
    """Return the reader of a message; every round of a turn asks for it again."""
    return Reader(text, now, style)


def _dated(task: NewTask, lead: str, changes: ChangeReader) -> NewTask:
    """Return a task with the day said before it: `tomorrow I need to … at 4pm`."""
    has_day = changes.is_date(task.details) and not is_time(task.details)
    return task if has_day else task.with_details(lead)


def _tags_of(words: str) -> tuple[str, ...]:
    """Return the names of an addition that may be tags."""
    return tuple(match["name"] for match in _TAGGING.finditer(words))


def _adds(step: ClauseReadings) -> bool:
    """Return True for an addition, and for a value of the tasks before it."""
    return isinstance(step.readings[0], Add) or step.clause.startswith(_OF_THEM)


def _acts(readings: Sequence[Request]) -> bool:
    return any(isinstance(each, Change | Add | Report) for each in readings)


def _pointed(request: Request, before: Sequence[Request]) -> Request:
    """Return a correction such as `no, delete it` with the tasks of the command it corrects."""
    match request, before[0]:
        case Change(tasks=words), (Change(tasks=named) | Report(object=named)):
            return replace(request, tasks=named) if phrases.POINTING.fullmatch(words) else request
    return request


def _without(request: Request, words: str) -> Request | None:
    """Return a request without the tasks that words name: `…, not the milk`."""
    match request:
        case Add(tasks):
            kept = tuple(task for task in tasks if not {*stems(words)}.issubset(stems(task.title)))
            return replace(request, tasks=kept) if 0 < len(kept) < len(tasks) else None
        case Change(tasks=tasks) if not phrases.POINTING.fullmatch(tasks):
            return replace(request, tasks=f"{tasks} except {words}")
    return None


def _takes_back(readings: Sequence[Request], last: ClauseReadings) -> bool:
    """Return True for a correction that takes the last step back, and so needs it: `no, undo`."""
    match readings[0], last.readings[0]:
        case Undo(), (Add() | Change() | Report()):
            return True
        case Change(tasks=words), Add():
            return bool(phrases.POINTING.fullmatch(words))
    return False


_CUT_SHORT = regex(
    r"(^|\s)(is|are|was|were|not|the|an?|and|my|or|to|of|for|with|which)$|\sthat$|^(and|or|of|to)\s"
)


def _may_refer(words: str) -> bool:
    return len(words) <= _LONGEST_REFERENCE and not _CUT_SHORT.search(words)


_HESITATION = regex(r"[,;. –—-]+(OOPS|TAKEN_BACK)[,. ]*$")
"""What stands before a correction and says nothing more."""


def _corrected_parts(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence between corrections, and whether each is a correction."""
    start, corrects = 0, False
    for match in phrases.CORRECTION.finditer(sentence):
        rest = sentence[match.end() :]
        if not rest.strip() or (not match.start() and not start):
            continue
        mark = phrases.BARE_MARK.fullmatch(match[0])
        if mark and (mark["wait"] or not phrases.CORRECTED_DAY.match(rest)):
            continue
        before = _HESITATION.sub("", sentence[start : match.start()]).strip()
        if before:
            yield before, corrects
        start, corrects = match.end(), True
    if sentence[start:].strip():
        yield sentence[start:].strip(), corrects
