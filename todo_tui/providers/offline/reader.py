"""Read a message into requests: sentences and clauses, politeness, corrections and reasons.

Every part of a message must be understood: `read` returns the requests of all its clauses, and a
clause without a meaning is a Say that declines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import rules
from todo_tui.providers.offline.additions import AdditionReader
from todo_tui.providers.offline.changes import LENGTH, ChangeReader, Dates
from todo_tui.providers.offline.filters import read_asked
from todo_tui.providers.offline.pattern import compiled, fillings, regex
from todo_tui.providers.offline.references import ByPlace, read_reference
from todo_tui.providers.offline.reports import read_claim
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    NewTask,
    Report,
    Request,
    Say,
    Undo,
    Verb,
)
from todo_tui.providers.offline.rules import Rule
from todo_tui.providers.offline.words import (
    Quoted,
    hide_quoted,
    peeled,
    respell_command,
    respelled,
    straightened,
    without_ornament,
    without_stop,
    word_set,
)

_SENTENCE_END = re.compile(
    r"(?<=[^\s\d.])(?<!\bevery)(?<!\beach)[.!?]+(?=\s+\S)|\s*[;\n]+\s*|(?<=\d)[.!?]\s+(?=[A-Z])"
)
_JOINT = regex(
    r"\s*(,|–|—| - |\.{2,})?\s*(?<![\w'])(and then|and also|and|then|but|also|plus)\s+|\s*,\s*"
    r"|\s+[-–—]\s+|\s*\.{2,}\s*"
)
_CORRECTION = regex(
    r"([,;.!–—-]+|\s)\s*((hm+|uh|um|er|oh|ah|oops|hang on|wait|but|ok|well)[,. ]+)*(no,? (wait"
    r"|sorry|actually)|wait,? no|no|nope|actually|sorry|scratch that|strike that|i mean|i meant"
    r"|or rather|rather|correction|make (that|it))([,. –—-]+|$)((no|actually|sorry|i mean|i meant"
    r"|rather|make (that|it)|let's say|better)[,. ]+)*|[,;.!–—-]+\s*(wait|er+m?|uh"
    r"|um)[,.!–—-]+\s*((no|actually|sorry|i mean|i meant|rather|make (that|it)|let's say"
    r"|better)[,. ]+)*"
)
_REASON = regex(
    r"(because|'?cause|cos|since|as|so( that)?|given that|seeing that|in case|that's why"
    r"|otherwise)\b.+|(i|we|he|she|it|they|this|that|there|you|(my|the|our|his|her) [\w' -]{1,40}?"
    r"|[\w']{2,20})('s|'re|'m|'ve|'ll|'d| (is|are|was|were|has|have|had|will|can|can't|won't|isn't"
    r"|aren't|does|doesn't|do|don't|did|didn't|needs?|wants?|said|says|called|likes?|hates?|thinks?"
    r"|got|came|comes|closes?|opens?))\b.*|(he|she|they|it|you) \w+\b.*"
)
_QUESTION = regex(
    r"(what|which|who|whom|whose|why|how|when|where|is|are|am|was|were|did(?! (it|that|this"
    r"|them)\b(?! get))|does|has|do (i|we|you|they)|have (i|we|you)|can (i|we|you)|could (i|we)"
    r"|may i|should|shall|will|would (i|it|you)|what's|who's|how's|when's|where's|isn't|aren't|any"
    r"|anything)\b"
)
_CUT_SHORT = regex(r"(^|\s)(not|the|an?|and|my|or|to|of|for|with|which)$|\sthat$|^(and|or|of|to)\s")
_NOT_PROJECTS = word_set("not_projects") | word_set("not_names")
_PROJECT = re.compile(r"#?[^\W\d][\w.-]*")
_SCHEDULE = regex(r"(schedule|book in|pencil in|plan) (an? |some )?(?P<text>.+)")
_LEADING = regex(
    r"^(((no,? wait|wait|whoops|oops|hmm+|hold on|hang on|sorry|actually|ok|so|well|and|also"
    r"|but)[,.! ]+)|no[,.!] *)+(?=\S)|^(and|also) "
)
_ABBREVIATION = regex(r"\b(dr|mr|mrs|ms|st|prof|vs|no|approx|etc|e\.g|i\.e|[a-z])\.$")
_NEVER_REPORTS = regex(
    r"(show|list|find|search|display|remember|imagine|pretend|suppose|let's say)\b"
)
_LENGTH = regex(LENGTH)
_SHIFT = regex(rf"{LENGTH} (later|earlier)")
_LIST_HEADS = (
    "add",
    "please add",
    "add these",
    "add the following",
    "to do",
    "todo",
    "to-do",
    "tasks",
    "my tasks",
)
_SIGNED_UP = regex(r"\bsigned up (for|to) ")
_CONTRACTED = regex(r"^(?P<what>it|that|this|those|these|they)'(s|re) ")
_SHARED_VERB = regex(r"(move|push|postpone|reschedule)(?= )")
_CORRECTS = regex(r"(no|actually|sorry|wait|rather|i mean|i meant|make (that|it)|and|also)\b")
_NO_RULE = regex(
    r"\b(once|twice|thrice|(\d+|two|three|four|five|six|several|a few) times) (a|per|each"
    r"|every) (week|month|year|fortnight)\b"
)
"""A frequency without days."""
_FEW_WORDS = 4
_LONGEST_REFERENCE = 120
_MOST_READINGS = 12
_BARE_MARK = regex(
    r"[,;.!–—-]?\s*(no|make (it|that))\s+|\s+(actually|rather|nope|sorry|correction"
    r"|(?P<wait>wait))\s+"
)
"""A mark of a correction that is one only before a date."""
_CORRECTED_DAY = regex(
    r"(on |at |for |make it )?(\d|mon|tue|wed|thu|fri|sat|sun|today|tomorrow|tonight|next"
    r"|in |the \w+ one)"
)
_HEDGED = regex(
    r"(^|(i|we|i'm|we're|i'?ve|we'?ve|is|are|it's) )(\w+ly )?(almost|nearly|not quite|half|halfway"
    r"|partly|partially|mostly) (done|through|there|complete|\w+ed|\w+ing)\b"
)
"""How somebody says that a thing is not done yet."""
_OWN = regex(r"(i|we|got|need|have|ought|must|should)\b")
_DID_IT = regex(
    r"(i |we )?(did|got|had|made) (it|that|them)\b .+|(took|went|cost|was|were|felt|turned out"
    r"|came out) .+"
)
_LINKED = regex(r"\b(and|also|then|plus)\b")
_MEANT = regex(r",? (i mean|i meant|rather|instead|actually|sorry)$")
_IT = ("it", "that", "this", "them", "both", "these", "those")
_STRONG = tuple(rule for rule in rules.COMMANDS if rule.strong)
_WEAK = tuple(rule for rule in rules.COMMANDS if not rule.strong)
_VERBS_FIRST = tuple(rule for rule in _STRONG if not rule.pattern.startswith("{"))
_ASIDE = (*rules.UNDO, *rules.TALK)
_FIELDS_AND_LINKS = (*rules.CLEARING, *rules.FIELDS, *rules.LINKS)
DECLINE = Say("decline")


@dataclass(frozen=True, slots=True)
class Step:
    """One clause with the requests that it can be, the likeliest first."""

    clause: str
    readings: tuple[Request, ...]

    @property
    def is_understood(self) -> bool:
        """True if the clause has a meaning."""
        return self.readings != (DECLINE,)


class Reader:
    """Reads one message at one moment."""

    def __init__(self, text: str, now: datetime, style: DateStyle) -> None:
        self.quoted: Quoted = hide_quoted(straightened(text))
        self.changes = ChangeReader(now, style)
        self.additions = AdditionReader(now, style, self.changes, self.quoted)
        self.dates = Dates(now, style)
        self._text = self.quoted.text
        self._readings_of: dict[str, tuple[Request, ...]] = {}
        self._requests: dict[tuple[int, str], tuple[Request, ...]] = {}
        self._checks = {
            "tasks": _may_refer,
            "other": lambda words: _may_refer(words) and not self._is_day(words),
            "change": lambda words: self.changes.words(words) is not None,
            "sooner": lambda words: bool(_LENGTH.fullmatch(words)),
            "shift": lambda words: bool(_SHIFT.fullmatch(words)),
            "about": lambda words: len(words) <= _LONGEST_REFERENCE,
            "description": self._is_description,
            "name": lambda words: len(words.split()) <= 4,
            "days": lambda words: len(words.split()) <= 6 and self.dates.is_stretch(words),
            "known": lambda words: (
                bool(_PROJECT.fullmatch(words)) and words.lower() not in _NOT_PROJECTS
            ),
        }

    def read(self, *, splits: bool = True) -> tuple[Step, ...]:
        """Return the requests of the message in order; reasons and corrections are worked in.

        Without `splits` each sentence is one clause: `add finish the slides and delete photos`.
        """
        self._splits = splits
        text = without_ornament(self._text.strip())
        if "\n" in text and (listed := self._list(text)):
            return (listed,)
        steps: list[Step] = []
        is_whole = self._is_one_list(text) or self._is_note(text)
        sentences = [text] if is_whole else _sentences(text)
        for sentence in sentences:
            self._read_sentence(sentence, steps)
        if len(steps) > 1 and steps[-1].readings == (Say("nothing"),):
            return (steps[-1],)
        return tuple(steps)

    def _is_note(self, text: str) -> bool:
        """Return True for `add a note to X: …`, whose sentences are all part of the note."""
        return ":" in text and bool(self._by(rules.NOTES, respelled(peeled(without_stop(text)))))

    def _is_one_list(self, text: str) -> bool:
        """Return True for `add feed the cat; empty the bin`: new tasks with semicolons between."""
        parts = text.split(";")
        if len(parts) < 2:
            return False
        add = self.additions.explicit(respelled(peeled(without_stop(text))))
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
        bare = respelled(_LEADING.sub("", text))
        asks = clause.rstrip().endswith("?") and respelled(peeled(bare)) == bare
        words = _CONTRACTED.sub(r"\1 is ", respelled(peeled(text)))
        words = _SIGNED_UP.sub("registered for ", words)
        for form in dict.fromkeys((words, respelled(peeled(_LEADING.sub("", words))))):
            if found := tuple(dict.fromkeys(self._readings(form, asks=asks))):
                return found[:_MOST_READINGS]
        if (change := self.changes.words(_LEADING.sub("", words))) and _CORRECTS.match(words):
            return (Change(Verb.UPDATE, "it", change),)
        if (respelt := respell_command(words)) and (
            found := tuple(self._readings(respelt, asks=asks))
        ):
            return found[:_MOST_READINGS]
        return (DECLINE,)

    def _readings(self, words: str, *, asks: bool) -> Iterator[Request]:
        yield from self._by(_ASIDE, words)
        if asks or _QUESTION.match(words):
            yield from self._by(rules.QUESTIONS, words)
            if not _QUESTION.match(words) and len(words.split()) <= _FEW_WORDS:
                yield Ask(Aspect.LIST, words)
        elif match := _NO_RULE.search(words):
            yield Say("rule", match[0])
        elif add := self._dated_addition(words):
            yield add
        elif add := self.additions.explicit(words):
            yield from self._explicit(add, words)
        elif _HEDGED.search(words):
            yield Say("nothing")
        else:
            yield from self._commands_and_statements(words)

    def _dated_addition(self, words: str) -> Add | None:
        """Read `on sunday I need to …` and `tomorrow at noon: …`."""
        lead, rest = self._dated_lead(words)
        if not lead:
            return None
        add = self.additions.explicit(rest) or self.additions.obligation(rest)
        if add is None and f"{lead}:".casefold() in words.casefold().replace(" :", ":"):
            add = self.additions.dated("", rest)
        if add is None:
            return None
        dated = tuple(
            task
            if self.changes.is_date(task.details)
            else replace(task, details=f"{task.details} {lead}".strip())
            for task in add.tasks
        )
        return replace(add, tasks=dated)

    def _explicit(self, add: Add, words: str) -> Iterator[Request]:
        """Read `add …`: a note, a tag, a link, a task of a project, or just a task."""
        if noted := self._by(rules.NOTES, words):
            yield from noted
            return
        if words[:4].lower() == "add ":
            yield from self._by(_FIELDS_AND_LINKS, words)
            if not add.under and (known := self.additions.in_known_project(add, words)):
                if _PROJECT.fullmatch(known.known):
                    yield known
                yield replace(known, known="", under=known.known, is_guess=True)
        yield add

    def _commands_and_statements(self, words: str) -> Iterator[Request]:
        yield from self._by(_STRONG, words)
        claim = None if _NEVER_REPORTS.match(words) else read_claim(words)
        if claim is not None:
            yield Report(claim.verb, claim.object, not claim.others, claim.undone)
        add = self.additions.obligation(words)
        if add and _OWN.match(words):
            yield add
            return
        yield from self._by(_WEAK, words)
        if add:
            yield add
            return
        if schedule := _SCHEDULE.fullmatch(words):
            tasks = self.additions.new_tasks(schedule["text"])
            if tasks and tasks[0].details:
                yield Add(tasks, is_explicit=True)
        yield from self._by(rules.QUESTIONS, words)
        if again := self._respelt(words):
            yield from again
        elif claim is None and (add := self.additions.statement(words)):
            yield replace(add, is_certain=False) if rules.is_command(words) else add

    def _respelt(self, words: str) -> tuple[Request, ...]:
        """Return what words are with a typing error in the command mended."""
        respelt = respell_command(words)
        if not respelt or respelt == words:
            return ()
        again = tuple(self._readings(respelt, asks=False))
        acts = any(
            isinstance(each, Change | Undo) or (isinstance(each, Add) and each.is_explicit)
            for each in again
        )
        return again if acts else ()

    def _dated_lead(self, words: str) -> tuple[str, str]:
        """Split `on sunday I need to …` into the change words of the date and the rest."""
        parts = words.split()
        for cut in range(min(len(parts) - 1, 6), 0, -1):
            lead = " ".join(parts[:cut]).rstrip(",:")
            if self.changes.is_date(re.sub(r"^each ", "every ", lead, flags=re.IGNORECASE)):
                lead = re.sub(r"^each ", "every ", lead, flags=re.IGNORECASE)
                return self.changes.words(lead) or "", respelled(peeled(" ".join(parts[cut:])))
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
            for slots in fillings(compiled(rule.pattern), words, self._checks):
                given = dict(slots)
                if "change" in given:
                    given["change"] = self.changes.words(given["change"]) or ""
                if "shift" in given:
                    given["shift"] = self.changes.words(given["shift"]) or ""
                if "sooner" in given:
                    given["sooner"] = self._earlier(given["sooner"])
                request = rule.request(given)
                if request is not None and request not in found:
                    found.append(request)
                if len(found) >= _MOST_READINGS:
                    return tuple(found)
        return tuple(found)

    def _earlier(self, words: str) -> str:
        shift = self.changes.words(words) or words
        return shift.replace("later", "earlier")

    def _list(self, text: str) -> Step | None:
        """Read a pasted list: a heading, or none, and lines."""
        head, _, rest = text.partition("\n")
        lines = [line for line in text.splitlines() if line.strip()]
        if head.rstrip().endswith(":") and (add := self.additions.explicit(text)):
            return Step(text, (add,))
        if head.lower().strip(" :") in _LIST_HEADS:
            head = f"{head}:"
        bulleted = [re.match(r"\s*(?:[-*•+]|\d+[.)]|\[ ?\])\s+\S", line) for line in lines]
        if all(bulleted) or (all(bulleted[1:]) and head.rstrip().endswith(":")):
            body = text if bulleted[0] else rest
            tasks = self.additions.new_tasks(body)
            return Step(text, (Add(tasks),)) if tasks else None
        return None

    def _read_sentence(self, sentence: str, steps: list[Step]) -> None:
        """Add the steps of a sentence; a correction changes the last one."""
        start = len(steps)
        parts = list(_corrected_parts(sentence))
        if self._by(rules.NOTES, respelled(peeled(without_stop(sentence)))):
            parts = [(sentence, False)]
        for part, corrects in parts:
            if corrects and len(steps) > 0:
                self._correct(steps, part)
                continue
            for clause in self._clauses(part):
                self._add_step(clause, steps, is_first=len(steps) == start)

    def _add_step(self, clause: str, steps: list[Step], *, is_first: bool) -> None:
        step = Step(clause, self.readings(clause))
        acts = steps and any(isinstance(each, Change | Add | Report) for each in steps[-1].readings)
        if acts and not is_first and self._is_reason(step):
            return
        steps.append(step)

    def _is_reason(self, step: Step) -> bool:
        """Return True for a clause that only explains the command before it."""
        if _DID_IT.fullmatch(step.clause):
            return True
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
        whole = self.additions.explicit(respelled(peeled(without_stop(text))))
        if (whole and whole.under) or self._by(rules.NOTES, respelled(peeled(without_stop(text)))):
            return [text]
        for joint in _JOINT.finditer(text) if self._splits else ():
            left, right = text[: joint.start()].strip(), text[joint.end() :].strip()
            if not left or not right or self.readings(left) == (DECLINE,):
                continue
            if (
                self._begins_request(right)
                or (
                    _LINKED.search(joint[0]) and self.additions.obligation(respelled(peeled(right)))
                )
                or self._begins_several(right)
                or (self._is_command(left) and self._is_reason(Step(right, self.readings(right))))
            ):
                return [left, *self._clauses(right)]
            if (verb := _SHARED_VERB.match(left)) and self._begins_request(f"{verb[0]} {right}"):
                return [left, *self._clauses(f"{verb[0]} {right}")]
            if any(
                isinstance(each, Change) and each.details and each.tasks.lower() in _IT
                for each in self.readings(right)
            ):
                return [left, *self._clauses(right)]
            if read_claim(left) and read_claim(right):
                return [left, *self._clauses(right)]
        return [text]

    def _begins_several(self, text: str) -> bool:
        """Return True if the first clause of several is surely a request of its own."""
        joint = _JOINT.search(text)
        return joint is not None and self._begins_request(text[: joint.start()].strip())

    def _is_command(self, clause: str) -> bool:
        return any(isinstance(each, Change | Add | Report) for each in self.readings(clause))

    def _begins_request(self, clause: str) -> bool:
        """Return True if a clause is surely a request of its own."""
        words = respelled(peeled(without_stop(clause)))
        heads = [words, *(words[: joint.start()] for joint in _JOINT.finditer(words))]
        return any(self._is_request(head) for head in heads if head)

    def _is_request(self, head: str) -> bool:
        if self.additions.explicit(head) or self._by(rules.UNDO, head):
            return True
        if read_claim(head) and re.match(r"(?:i|we)\b", head, re.IGNORECASE):
            return True
        return bool(self._by(_VERBS_FIRST, head)) or bool(
            _QUESTION.match(head) and self._by(rules.QUESTIONS, head)
        )

    def _correct(self, steps: list[Step], words: str) -> None:
        """Work a correction into the last step: another command, another date, another task."""
        last = steps[-1]
        text = _MEANT.sub("", respelled(peeled(without_stop(words))))
        if self._begins_request(text):
            steps[-1] = Step(words, self.readings(text))
            return
        change = self.changes.words(text)
        corrected: list[Request] = []
        for request in last.readings:
            match request:
                case Add(tasks) if change is not None:
                    dated = self.changes.is_date(text)
                    corrected.append(
                        replace(
                            request,
                            tasks=tuple(self._redated(task, change, dated=dated) for task in tasks),
                        )
                    )
                case Add():
                    corrected.append(Add(self.additions.new_tasks(text)))
                case Change(verb=Verb.UPDATE) if change is not None and request.details:
                    is_other = self.changes.is_date(text) != self.changes.is_date(request.details)
                    both = f"{request.details} {change}" if is_other else change
                    corrected.append(replace(request, details=both))
                case Report() if change is None and _may_refer(text):
                    corrected.append(replace(request, object=text))
                case Change() if change is None and _may_refer(text):
                    corrected.append(replace(request, tasks=text))
                case _:
                    continue
        steps[-1] = Step(last.clause, tuple(corrected) or (DECLINE,))

    def _redated(self, task: NewTask, change: str, *, dated: bool) -> NewTask:
        kept = task.details
        if dated:
            parts = re.findall(r"[@#!]\S+", kept)
            kept = " ".join(parts)
        return replace(task, details=f"{kept} {change}".strip())

    def _is_description(self, words: str) -> bool:
        asked = read_asked(words, self.dates)
        return asked.clear and not asked.rest and bool(asked.conditions)


@lru_cache(maxsize=8)
def reader_of(text: str, now: datetime, style: DateStyle) -> Reader:
    """Return the reader of a message; every round of a turn asks for it again."""
    return Reader(text, now, style)


def _may_refer(words: str) -> bool:
    """Return True if words can refer to tasks."""
    return len(words) <= _LONGEST_REFERENCE and not _CUT_SHORT.search(words)


def _sentences(text: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text, start, end.end()):
            continue
        parts.append(text[start : end.end()].strip())
        start = end.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part.strip(" .;\n")]


def _corrected_parts(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence between corrections, and whether each is a correction."""
    start, corrects = 0, False
    for match in _CORRECTION.finditer(sentence):
        rest = sentence[match.end() :]
        if not rest.strip() or (not match.start() and not start):
            continue
        mark = _BARE_MARK.fullmatch(match[0])
        if mark and (mark["wait"] or not _CORRECTED_DAY.match(rest)):
            continue
        if sentence[start : match.start()].strip():
            yield sentence[start : match.start()].strip(), corrects
        start, corrects = match.end(), True
    if sentence[start:].strip():
        yield sentence[start:].strip(), corrects
