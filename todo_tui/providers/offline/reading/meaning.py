"""Read a whole message by the tasks that it mentions, clause by clause.

What the clauses say of each task is put together: a later value replaces the one of its type, a
correction takes back what was said before. Clauses that only tell why are left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import dropwhile, islice, pairwise
from typing import NamedTuple

from todo_tui.domain.dates.text import month_name
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import ChangeReader, Dates, is_time
from todo_tui.providers.offline.language.clauses import (
    CORRECTING,
    GONE,
    PLACES,
    WEEKDAY_AFTER,
    Clause,
    Span,
    clauses,
    spans_of,
    words_of,
)
from todo_tui.providers.offline.language.words import (
    ARTICLES,
    KINDS,
    LINKS,
    NUMBERS,
    base_form,
    hide_quoted,
    is_past,
    peeled,
    surely_verb,
    tokens,
    word_set,
)
from todo_tui.providers.offline.reading.sets import NamedSet, named_set
from todo_tui.providers.offline.reading.statements import (
    DEPENDING,
    REMAINING,
    ClauseMeaning,
    read_clause,
)
from todo_tui.providers.offline.reading.title_matching import (
    DONE,
    NEGATIONS,
    OFF,
    find_exactly,
    mentioned,
    stems,
)
from todo_tui.providers.offline.reading.write_gate import DENIED, is_function
from todo_tui.providers.offline.requests import MAX_UNASKED, Change, FoundTasks, TaskRequest, Verb
from todo_tui.providers.offline.tool_results import ShownTask

_PRONOUNS = word_set("pronouns")
_SUBJECTS = word_set("subjects")
_REASONS = word_set("reason_words")
_MOVING = word_set("moving_verbs")
_COMMANDS = word_set("commands")
_LEADING = word_set("joints") | {"please"}
_TODAY = frozenset({"today", "tonight", "this morning", "this afternoon", "now"})
_ORDERING = word_set("ordering_words")
"""Words that begin an order or an obligation."""
_LEAVING = REMAINING | {"keep", "leave"}
_EXCEPT = word_set("except_words")
_SPEAKING = word_set("speaking_verbs") | {"think", "hope", "wonder", "guess"}
_CONDITIONS = word_set("condition_words")
_HALF = 0.5
_BY_TIME = {"later": -1, "latest": -1, "earlier": 0, "earliest": 0}
_ONE = word_set("singular_pronouns")
_I_AM = frozenset({"i'm", "we're", ("i", "am"), ("we", "are")})
_THIRD_PERSONS = frozenset({"he", "she", "they"})
_SPEAKERS = frozenset({"i'm", "i", "we're", "we"})
_AWAY = word_set("away_words")
_ONE_OF_THEM = frozenset({"one", "ones", "task"})
_OTHER = frozenset({"other", "others"})
_BARE = ARTICLES | LINKS | {"and", "both", "also", "plus"}
_IS_HOUR = re.compile(r"(?<=\bis )(?=\d{1,2}\b(?![.:]\d| ?[ap]m))")
_LEAD = re.compile(r"^(?:to|on|till|until|by|for|before) ")
_INSTEAD = frozenset({"instead", "now"})
_CLOSING = (Verb.COMPLETE, Verb.DELETE)
_OWING = frozenset({("have", "to"), ("has", "to"), ("got", "to"), ("ought", "to")})
_SEVERAL = word_set("whole_words")
_SETS = _SEVERAL | (word_set("set_nouns") - {"one", "thing", "task"})
_REOPENING = word_set("reopening_verbs")
_SHORTEST = 3
_FINDING = word_set("finding_verbs")
"""Verbs whose past forms tell why."""
_STATING = word_set("stating_words")
_TELLING = DONE | OFF | NEGATIONS
"""Words that say what became of a task."""
_PERSONS = frozenset({"her", "him"})
"""Who bounds a set, and is not known: `everything with her`."""
_JOINTS = word_set("joints")
_NO_DENIALS = (("not", "this", "one"), ("not", "that", "one"))
_LIKEWISE = word_set("likewise_words")


class Doubt(NamedTuple):
    """Reason to ask first, and the words that the question then names as unused."""

    reason: str
    words: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a message says of tasks."""

    tasks: Mapping[int, ShownTask]
    changes: Mapping[int, tuple[Change, ...]]
    unread: Sequence[str]
    left: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Values that were said of a task and are not carried out."""
    choice: tuple[ShownTask, ...] = ()
    """Tasks between which the words do not decide."""
    unable: tuple[ShownTask, ...] = ()
    """Tasks that somebody cannot do."""
    undone: tuple[ShownTask, ...] = ()
    """Tasks of which it is said that they are not done."""
    doubts: Sequence[Doubt] = ()
    """Reasons to ask before the changes are made."""
    is_linked: bool = False
    share: float = 0.0
    """Part of the telling words that are those of titles."""

    @property
    def closes(self) -> bool:
        """True if a task is done, deleted, or does not take place."""
        return any(change.closes for changes in self.changes.values() for change in changes)

    @property
    def ready(self) -> list[TaskRequest]:
        """The changes, one for all tasks that get the same."""
        groups: dict[Change, list[ShownTask]] = {}
        for key, changes in self.changes.items():
            for change in changes:
                groups.setdefault(change, []).append(self.tasks[key])
        return [
            TaskRequest(change, FoundTasks(tuple(tasks), is_bulk=len(tasks) > 1))
            for change, tasks in groups.items()
        ]


def read_meaning(
    text: str,
    tasks: Sequence[ShownTask],
    changes: ChangeReader,
    dates: Dates,
    focus: tuple[ShownTask, ...] = (),
    before: Change | None = None,
    shown: tuple[ShownTask, ...] = (),
) -> Meaning | None:
    """Return what a message says of tasks; None if it mentions none.

    `focus` are the tasks that the turn before named, `before` is what it did to them, and `shown`
    those that were listed last.
    """
    was = ""
    if (denied := DENIED.search(text)) and (
        old := changes.words(phrases.in_order(f"at {denied['days']}"))
    ):
        text, was = DENIED.sub("", text), old
        if is_time(old):
            # `the test is 11, not 10`
            text = _IS_HOUR.sub("at ", text)
    quoted = hide_quoted(text).parts
    if any(" " in part and not find_exactly(part, tasks) for part in quoted):
        # `the sign says "mark milk as done"`
        return None
    words = words_of(text)
    low = [word.low for word in words]
    spans = list(spans_of(words, changes))
    found = clauses(words, spans)
    of_set: list[str] = []
    for bounded in (True, False):
        if not bounded and "due" in low:
            break
        if named := named_set(low, tasks, dates, bounded=bounded):
            meaning = _of_set(_without_told(found, named), named, tasks, changes, dates)
            if meaning.changes or not bounded:
                return meaning
            of_set = low[min(named.places) : named.end]
    reading = _Reading(tasks, changes, dates, focus, before, shown or focus, was)
    for clause in found:
        reading.read(clause)
    meant = reading.told.meant()
    if meant is None or not of_set:
        return meant
    # `I'm on holiday next week, postpone everything due then by a week`
    return replace(meant, doubts=(*meant.doubts, Doubt("a set was not read", of_set[:2])))


def without_asides(
    text: str, tasks: Sequence[ShownTask], changes: ChangeReader, *, told: bool = False
) -> str:
    """Return a message without the clauses that only tell why, or what else happened.

    With `told` those behind an order too that order nothing: `…, my brother comes to help`.
    """
    words = words_of(text)
    spans = list(spans_of(words, changes))
    found = clauses(words, spans)
    behind = dropwhile(lambda word: word.low in CORRECTING, words)
    if any(each.words[0] in _CONDITIONS for each in found) or any(
        word.low in CORRECTING for word in islice(behind, 1, None)
    ):
        return text
    kept: list[str] = []
    is_cut = False
    for at, clause in enumerate(found):
        if any(map(_moves, found[at + 1 :])) and _is_now(clause):
            # `I'm sick today, move everything to monday`
            clause = replace(clause, spans=())
        is_extra = told and bool(kept) and len(clause.words) >= _SHORTEST and _is_told(clause)
        says_nothing = is_extra and _states(clause) and _TELLING.isdisjoint(clause.words)
        if (is_extra or is_aside(clause)) and (
            says_nothing or not mentioned(clause.words, tasks)[0]
        ):
            is_cut = True
            continue
        typed = clause.typed
        while is_cut and len(typed) > 1 and typed[0].casefold() in _JOINTS:
            typed = typed[1:]
        if kept and clause.pause == ".":
            kept[-1] = kept[-1].rstrip(",.;") + "."
        kept += typed
    return " ".join(kept).rstrip(",;") if is_cut and kept else text


def is_aside(clause: Clause) -> bool:
    """Return True for a clause that orders nothing, and says nothing of a day."""
    words = [word for word in clause.words if word not in CORRECTING]
    if phrases.NOTED.fullmatch(peeled(" ".join(clause.typed)).rstrip("?")):
        return True
    is_told = any(base_form(word.strip(":")) in _SPEAKING for word in words)
    is_found = bool(words) and is_past(words[0]) and base_form(words[0]) in _FINDING
    if is_found and clause.pause and not clause.spans:
        # `…, found some in the cupboard`
        return True
    if not words or any(span.change for span in clause.spans) or is_told:
        return False
    if words[0] in _REASONS or (words[0] in _SUBJECTS and words[0] not in ("i", "we")):
        return True
    if _orders(words[:4]) or surely_verb(words[0]) or len(words) < _SHORTEST:
        return False
    return words[0] in _SUBJECTS or _states(replace(clause, words=tuple(words[1:3])), 2)


def _moves(clause: Clause) -> bool:
    """Return True for an order to move something to a day."""
    begins = (word for word in clause.words if word not in _LEADING)
    return bool(clause.spans) and next(begins, "") in _MOVING


def _is_now(clause: Clause) -> bool:
    """Return True for a clause whose only day is today, or one on which somebody is away."""
    days = {" ".join(clause.words[span.start : span.end]) for span in clause.spans}
    return days <= _TODAY or not _AWAY.isdisjoint(clause.words)


def is_remark(text: str, changes: ChangeReader) -> bool:
    """Return True for a text that sets no value, and orders nothing."""
    words = words_of(text)
    found = clauses(words, list(spans_of(words, changes)))
    return all(is_aside(each) or CORRECTING.issuperset(each.words) for each in found)


def _states(clause: Clause, most: int = 3) -> bool:
    """Return True for a clause that says what is, with `'s` in one of its first words too."""
    is_short = any(typed.casefold().endswith(("'s", "'re")) for typed in clause.typed[:most])
    return is_short or not _STATING.isdisjoint(clause.words)


def _is_deed(task: ShownTask) -> bool:
    """Return True for something to do, and no appointment."""
    verb, *rest = tokens(task.title)
    return bool(rest) and surely_verb(verb)


def _is_told(clause: Clause) -> bool:
    """Return True for a clause without an order behind one that says something of a task."""
    words = [word for word in clause.words if word not in CORRECTING]
    orders = not words or surely_verb(words[0]) or _orders(words[:4])
    return not (orders or clause.spans)


def _orders(words: Sequence[str]) -> bool:
    """Return True for words that begin an order or an obligation of one's own."""
    owes = any(pair in _OWING for pair in pairwise(words))
    return owes or not _ORDERING.isdisjoint(words) or tuple(words[:1]) == ("to",)


def _without_told(found: Sequence[Clause], named: NamedSet) -> Clause:
    """Return the clauses as one, GONE for the words of one that only tells why.

    So does one on what was spared just before: `…, apart from the email, that goes tomorrow`.
    """
    kept: list[str] = []
    spans: list[Span] = []
    spares = False
    for clause in found:
        start = len(kept)
        own = named.places.intersection(range(start, start + len(clause.words)))
        is_free = not own and len(clause.words) > 1
        told = not clause.spans and (is_aside(clause) or _is_told(clause))
        is_of_spared = spares and clause.words[0] in _SUBJECTS - {"i", "we"}
        drops = is_free and (told or is_of_spared)
        kept += [GONE] * len(clause.words) if drops else clause.words
        moved = (
            replace(each, start=each.start + start, end=each.end + start) for each in clause.spans
        )
        spans += () if drops else moved
        spares = any(place >= named.end for place in own)
    return Clause(tuple(kept), tuple(spans))


def _of_set(
    clause: Clause, named: NamedSet, tasks: Sequence[ShownTask], changes: ChangeReader, dates: Dates
) -> Meaning:
    outside = tuple(
        span for span in clause.spans if named.places.isdisjoint(range(span.start, span.end))
    )
    said = read_clause(replace(clause, spans=outside), tasks, changes, dates, named)
    first = min(named.places)
    if said is None or any(first < span.start and span.end < named.end for span in outside):
        # `work tasks high, travel tasks low`: a value of the first set alone.
        return Meaning({}, {}, ())
    kept = {task.id: task for task in said.tasks}
    change = said.change
    persons = [word for word in clause.words if word in _PERSONS]
    values = {at for span in clause.spans for at in range(span.start, span.end)}
    is_order = any(
        surely_verb(word)
        for at, word in enumerate(clause.words)
        if at not in named.places and at not in values
    )
    unread = [*said.unread, *said.left, *persons]
    doubts = [_left_out(unread)] if said.unread or persons else []
    if len(kept) > MAX_UNASKED and change is not None and change.closes:
        doubts.append(Doubt("more tasks than are closed unasked"))
    return Meaning(
        kept,
        dict.fromkeys(kept, (change,)) if change else {},
        unread,
        doubts=doubts,
        is_linked=said.is_linked or is_order,
        share=said.share,
    )


def _left_out(unread: Sequence[str]) -> Doubt:
    return Doubt("words were left out", unread)


class _Kind(StrEnum):
    """What a clause is to its message."""

    TOLD = "says what becomes of the tasks that it names"
    SHARED = "names tasks that get what those before got, or a value that was said early"
    WAITING = "only names tasks; they get what a clause behind tells"
    POINTED = "says what becomes of `it`"
    LOOSE = "gives a bare value to the tasks of the turn before"
    EARLY = "gives a value before any task is named"
    UNDONE = "says that tasks are not done"
    UNABLE = "says that a person cannot do them"
    SPARED = "takes tasks out of what was told"
    STATED = "says something else of the tasks that it names"
    NEW = "tells of something that is no task yet"
    ASIDE = "tells why"


@dataclass(frozen=True, slots=True)
class _Step:
    """What one clause adds to the meaning of the message."""

    kind: _Kind
    tasks: tuple[ShownTask, ...] = ()
    change: Change | None = None
    unread: Sequence[str] = ()
    doubts: Sequence[str] = ()
    shares: tuple[float, ...] = ()
    left: tuple[str, ...] = ()
    """Values that are not carried out."""
    lead: frozenset[str] = frozenset()
    """Words that name tasks that wait."""
    corrects: bool = False
    is_linked: bool = False
    is_tie: bool = False
    """True if only one of the tasks is meant."""
    words: Sequence[str] = ()
    """What was typed, as one phrase, where a question that leaves it out has to name it."""


@dataclass(slots=True)
class _Told:
    """What the clauses of a message say, put together step by step."""

    reader: ChangeReader
    dates: Dates
    steps: list[_Step] = field(default_factory=list)
    waiting: list[_Step] = field(default_factory=list)
    """Those whose tasks still wait for what becomes of them."""
    changes: dict[int, tuple[Change, ...]] = field(default_factory=dict)
    """What the tasks get by all steps so far."""
    left: dict[int, tuple[str, ...]] = field(default_factory=dict)
    choice: tuple[ShownTask, ...] = ()
    """Tasks of which one is meant, as far as is known."""

    @property
    def last(self) -> tuple[ShownTask, ...]:
        """The tasks that the clauses so far spoke of last."""
        return next((step.tasks for step in reversed(self.steps) if step.tasks), ())

    @property
    def named(self) -> dict[int, ShownTask]:
        """The tasks of which something may be said."""
        steps = (step for step in self.steps if step.kind is not _Kind.SPARED)
        return {task.id: task for step in steps for task in step.tasks}

    def has(self, kind: _Kind) -> bool:
        return any(step.kind is kind for step in self.steps)

    def tells_done(self) -> bool:
        changes = self.changes.values()
        return any(each.verb is Verb.COMPLETE for said in changes for each in said)

    def work_in(self, step: _Step) -> None:
        """Put what a clause says together with what those before it said."""
        last = self.last
        self.steps.append(step)
        if step.is_tie:
            self.choice = step.tasks
        elif step.kind not in (_Kind.POINTED, _Kind.LOOSE) and set(step.tasks) & set(self.choice):
            # `Oscar has chess, so I pick him up at 4`: now it is told which of his.
            self._take_back([task for task in self.choice if task not in step.tasks])
            self.choice = ()
        match step.kind:
            case _Kind.EARLY:
                return
            case _Kind.WAITING:
                self.waiting.append(step)
            case _Kind.STATED:
                # What is stated may be said of those that wait too, and was not read.
                self.waiting.clear()
            case _Kind.SPARED:
                self._take_back(step.tasks)
            case _Kind.UNDONE | _Kind.UNABLE:
                self._take_back(step.tasks, closing=True)
            case _Kind.SHARED if step.corrects and step.tasks != last:
                self._take_back(last)
        if step.change is not None:
            self._set((*self._no_longer_waiting(step), *step.tasks), step.change, step)

    def _no_longer_waiting(self, step: _Step) -> tuple[ShownTask, ...]:
        """Return the tasks that waited for a change, and get it."""
        lead = {name for each in self.waiting for name in each.lead}
        waiting = tuple(task for each in self.waiting for task in each.tasks)
        self.waiting.clear()
        named = {name for task in step.tasks for name in stems(task.title)}
        # `Amy and Josh have called off the tasting with them`
        return () if lead <= named else waiting

    def _take_back(self, tasks: Sequence[ShownTask], *, closing: bool = False) -> None:
        """Forget what tasks get; with `closing` a new date stays, of which it is the reason."""
        for task in tasks:
            changes = self.changes.get(task.id, ())
            if not (closing and any(each.verb is Verb.UPDATE for each in changes)):
                self.changes.pop(task.id, None)

    def _set(self, tasks: Sequence[ShownTask], said: Change, step: _Step) -> None:
        for task in tasks:
            *earlier, old = self.changes.get(task.id) or (None,)
            change = self._anchored(said, task, old)
            both = (
                old is not None
                and old.verb is change.verb is Verb.UPDATE
                and old.details not in ("cancelled", "")
                and change.details != "cancelled"
            )
            if old is not None and both:
                details = self.reader.replaced(old.details, change.details)
                self.changes[task.id] = (*earlier, replace(old, details=details))
            elif old is not None and old.verb is Verb.REOPEN and not step.corrects:
                self.changes[task.id] = (old, change)
            elif old is not None and old.verb in _CLOSING and not step.corrects:
                # `scrap that, Anna has done it`, `I ordered it, it comes on friday`
                continue
            else:
                self.changes[task.id] = (change,)
        self.left |= {task.id: step.left for task in step.tasks}

    def _anchored(self, change: Change, task: ShownTask, old: Change | None) -> Change:
        """Return `the friday after` as the day that it is, counted from the date before it."""
        match = WEEKDAY_AFTER.fullmatch(change.details)
        if match is None:
            return change
        days = self.dates.stretch(_LEAD.sub("", old.details)) if old is not None else None
        since = days.first if days else task.due.day if task.due else self.dates.now.date()
        wanted = self.dates.stretch(change.details.split()[-2])
        ahead = (wanted.first.weekday() - since.weekday() - 1) % 7 + 1 if wanted else 0
        day = since + timedelta(ahead)
        return replace(change, details=f"{day.day} {month_name(day.month)} {day.year}")

    def _is_untold(self, step: _Step) -> bool:
        """Return True for a clause about tasks that get nothing, or about none."""
        named = {task.id for task in step.tasks}
        return not named or not self.changes.keys() >= named

    def meant(self) -> Meaning | None:
        """Return what all clauses say; None where they are about no task."""
        if not self.named or (self.has(_Kind.LOOSE) and self.has(_Kind.NEW)):
            # `every tuesday at 7: running` is about no task of the turn before.
            return None
        doubts = [Doubt(reason) for step in self.steps for reason in step.doubts]
        last = next(reversed(self.changes.values()), ())[-1:]
        for task in (task for each in self.waiting for task in each.tasks):
            # `tap done, plants`: perhaps these too.
            doubts.append(Doubt("nothing is said of the tasks named last"))
            self.changes.pop(task.id, None)
            self.changes |= {task.id: last} if last else {}
        unread = [word for step in self.steps for word in step.unread]
        unread += [word for words in self.left.values() for word in words]
        doubts += [_left_out(unread)] if unread else []
        if doubts:
            doubts += [_left_out(step.words) for step in self.steps if self._is_untold(step)]
        doubts += [Doubt("several tasks have these words")] if self.choice else []
        shares = [share for step in self.steps for share in step.shares]
        unable, undone = (
            tuple(task for step in self.steps if step.kind in kinds for task in step.tasks)
            for kinds in ((_Kind.UNABLE,), (_Kind.UNABLE, _Kind.UNDONE))
        )
        return Meaning(
            self.named,
            self.changes,
            unread,
            self.left,
            self.choice,
            unable,
            undone,
            doubts,
            is_linked=any(step.is_linked for step in self.steps),
            share=sum(shares) / len(shares) if shares else 1.0,
        )


@dataclass(slots=True)
class _Reading:
    """Reads the clauses of one message in their order: each is a step, worked in at once.

    `Milk and bread are bought, the bins too` is three of them:

    - `Milk`: WAITING; nothing is changed yet
    - `and bread are bought`: TOLD; bread is completed, and so is the milk, which waits no more
    - `the bins too`: SHARED; they get what the bread got, and all three are completed
    """

    tasks: Sequence[ShownTask]
    reader: ChangeReader
    dates: Dates
    focus: tuple[ShownTask, ...]
    before: Change | None
    shown: tuple[ShownTask, ...]
    was: str = ""
    """A day or time that is not meant any more: `rather than half past six`."""
    told: _Told = field(init=False)
    """What the clauses so far say."""

    def __post_init__(self) -> None:
        self.told = _Told(self.reader, self.dates)

    def read(self, clause: Clause) -> None:
        """Work a clause in."""
        corrects = clause.words[0] in CORRECTING and not self._denies(clause)
        if corrects and (rest := clause.without(CORRECTING)):
            clause = rest
        is_but = clause.words[0] == "but"
        # `but at half past two` denies nothing.
        clause = clause.without(_JOINTS - {"and"}) or clause
        step = self._step(clause, corrects=corrects)
        if is_but and step.kind is _Kind.WAITING and self.told.changes:
            # `those are all done but the gutters`
            step = _Step(_Kind.SPARED, step.tasks)
        self.told.work_in(replace(step, corrects=corrects, words=_named_if_asked(clause, step)))

    def _step(self, clause: Clause, *, corrects: bool) -> _Step:
        """Return what a clause says of the tasks that it names or points at."""
        if not (_CONDITIONS.isdisjoint(clause.words[:2]) or clause.spans):
            # Nothing behind `if it rains` is certain.
            return _Step(_Kind.ASIDE, unread=_content(clause), doubts=["a condition"])
        if not (_AWAY.isdisjoint(clause.words) or _SPEAKERS.isdisjoint(clause.words)):
            # `…, on sunday I'm out with Ines`
            return _ASIDE
        if self.told.changes and (clause.words[0] in _I_AM or tuple(clause.words[:2]) in _I_AM):
            # `move it an hour later, I am back only at night`
            return _ASIDE
        placed = self._placed(clause)
        candidates = () if placed else self._candidates(clause)
        said = read_clause(clause, candidates, self.reader, self.dates, pointed=placed)
        if said is not None and self._spares(clause, said) and (rest := self._others(clause, said)):
            return rest
        if said is not None and (
            (self._denies(clause) and self.told.tells_done()) or self._spares(clause, said)
        ):
            said = replace(said, change=None, is_undone=True)
        if said is not None and placed:
            said = replace(said, is_set=True, share=_HALF if said.unread else 1.0)
        if said is not None and len(said.tasks) > 1 and not said.is_set:
            said = self._likeliest(clause, said)
        if said is not None and not self._is_chance(clause, said):
            return self._naming(clause, said, corrects=corrects)
        return self._pointing(clause)

    def _likeliest(self, clause: Clause, said: ClauseMeaning) -> ClauseMeaning:
        """Return what is said of one of several tasks, where only it can be meant.

        It is the one with a title that is said whole, or with the day or time that it has:
        `rehearsal on tuesday is at 8`, `the concert at 7 rather than half past six`.
        """
        named = {name for word in clause.words for name in stems(word)}
        spoken_of = {task.id for task in self.focus}
        whole = [task for task in said.tasks if named.issuperset(stems(task.title))]
        near = [task for task in said.tasks if task.id in spoken_of]
        for likely in (whole, near):
            if len(likely) == 1:
                return read_clause(clause, likely, self.reader, self.dates) or said
        then = [task for task in said.tasks if self._is_then(task, self.was)]
        if not then and said.change is not None and is_time(said.change.details):
            then = [task for task in said.tasks if task.due and task.due.at]
        one = read_clause(clause, then, self.reader, self.dates) if len(then) == 1 else None
        return one or said

    def _is_then(self, task: ShownTask, change: str) -> bool:
        """Return True for the day or the time at which a task is due."""
        if not change or task.due is None:
            return False
        if is_time(change):
            due = self.reader.due(change)
            return due is not None and task.due.at is not None and task.due.at == due.at
        days = self.dates.stretch(change)
        return days is not None and days.first == days.last == task.due.day

    def _denies(self, clause: Clause) -> bool:
        """Return True for `no eggs` behind `bought milk`, not for `no, eggs` and `no the eggs`.

        So does `no training over christmas` alone.
        """
        denies = clause.typed[0].casefold() == "no" and len(clause.words) > 1
        named = denies and bool(mentioned(clause.words[1:2], self.tasks)[0])
        return named and (not self.told.named or self.told.tells_done())

    def _others(self, clause: Clause, said: ClauseMeaning) -> _Step | None:
        """Read `all done except the tap` of the tasks that were shown, with it among them."""
        at = next(at for at, word in enumerate(clause.words) if word in _EXCEPT)
        head = replace(clause, words=clause.words[:at], typed=clause.typed[:at])
        focus = self._known(self.focus)
        rest = tuple(task for task in focus if task not in said.tasks)
        told = read_clause(head, (), self.reader, self.dates, pointed=rest)
        is_all = bool(_content(head)) or _SEVERAL.isdisjoint(head.words)
        if told is None or told.change is None or len(rest) in (0, len(focus)) or is_all:
            return None
        return _Step(_Kind.POINTED, rest, told.change, (*told.unread, *said.unread))

    def _spares(self, clause: Clause, said: ClauseMeaning) -> bool:
        """Return True for `everything is done except the lesson`, where no set is known."""
        at = next((at for at, word in enumerate(clause.words) if word in _EXCEPT), 0)
        spared = mentioned(clause.words[at + 1 :], self.tasks)[0] if at else ()
        return bool(spared) and not said.is_set and spared == said.tasks

    def _is_chance(self, clause: Clause, said: ClauseMeaning) -> bool:
        """Return True where a word of a title stands by chance: `we should get fit`."""
        if said.tasks == self.told.last or said.change is not None or said.is_undone:
            return said.tasks != self.told.last and self._is_tie(said)
        is_told = clause.words[0] in _SUBJECTS | _REASONS
        return said.share < _HALF or is_told or self._is_tie(said)

    def _is_tie(self, said: ClauseMeaning) -> bool:
        return (
            len(said.tasks) > 1 and said.change is None and not said.is_set and bool(self.told.last)
        )

    def _pointing(self, clause: Clause) -> _Step:
        """Read a clause that names no task: a value, what `it` gets, or why."""
        reopens = not _REOPENING.isdisjoint(clause.words)
        waiting = tuple(task for each in self.told.waiting for task in each.tasks)
        before = self.focus if reopens else self._spoken_of()
        pointed = self._known((*waiting, *self.told.last) or before)
        content = _content(clause)
        points = self._points(clause, pointed, content)
        if clause.words in _NO_DENIALS:
            return _ASIDE
        if not (_OTHER.isdisjoint(clause.words) or content):
            # `the other one is done`, and nobody knows which.
            return replace(_ASIDE, unread=[word for word in clause.words if word in _OTHER])
        said = read_clause(clause, (), self.reader, self.dates, pointed=pointed or _NOBODY)
        change = said.change if said is not None and (points or not said.is_deed) else None
        denies = not (NEGATIONS.isdisjoint(clause.words[:2]) and _LEAVING.isdisjoint(clause.words))
        spares = said is not None and said.is_deed and denies
        # `everything overdue` is a set, whatever was spoken of before.
        is_set = not points and not _SETS.isdisjoint(clause.words)
        is_bare = points or not (content or is_set)
        if said is not None and change is not None and not spares and is_bare:
            if not pointed:
                return _Step(_Kind.EARLY, change=change)
            kind = _Kind.POINTED if points or self.told.last else _Kind.LOOSE
            doubts = _bare_doubts(clause, pointed, change)
            if kind is _Kind.LOOSE and pointed[1:]:
                doubts.append("a bare value for several")
            if not (points or _is_kind_of(clause, pointed)):
                doubts.append("a meeting, where no task is one")
            return _Step(
                kind,
                pointed,
                change,
                said.unread,
                doubts,
                is_tie=len(pointed) > 1 and _points_at_one(clause),
            )
        if self.told.last and denies and (points or not content):
            # `no, keep it`, but not `not getting those done today`
            is_done = not DONE.isdisjoint(clause.words)
            return _Step(_Kind.UNDONE if is_done else _Kind.SPARED, self.told.last)
        if is_aside(clause) or not content:
            return _ASIDE
        if _is_told(clause) and DEPENDING.isdisjoint(clause.words):
            # `move the gym to friday and juggle`
            is_further = clause.words[0] == "and" and _is_no_remark(clause)
            return _Step(_Kind.NEW, unread=content if is_further else ())
        # An order that names no task is most of the message.
        shares = (0.0, 0.0) if _orders(clause.words) else (0.0,)
        return _Step(_Kind.NEW, unread=content, shares=shares)

    def _points(
        self, clause: Clause, pointed: tuple[ShownTask, ...], content: Sequence[str]
    ) -> bool:
        """Return True for a clause about the tasks spoken of, whom it does not name."""
        if not _OTHER.isdisjoint(clause.words) or (content and _orders(clause.words)):
            return False
        # In `call the plumber this afternoon` nothing points at a task.
        names = {word for at, word in enumerate(clause.words) if not clause.is_in_span(at)}
        has_pronoun = not _PRONOUNS.isdisjoint(names)
        if not _SEVERAL.isdisjoint(clause.words):
            # `fencing can wait, push it all to January`
            return len(pointed) > 1 and has_pronoun
        is_instead = len(pointed) == 1 and not _INSTEAD.isdisjoint(clause.words)
        subject = clause.words[0].partition("'")[0]
        return is_instead or has_pronoun or subject in _SUBJECTS - {"i", "we", "you"}

    def _spoken_of(self) -> tuple[ShownTask, ...]:
        """Return the tasks of the turn before, where this message may still be about them.

        Behind something new, `it` is that; what is done gets no date.
        """
        ended = self.before is not None and self.before.details == "cancelled"
        known = {task.id for task in self.tasks}
        open_ones = tuple(task for task in self.focus if ended or task.id in known)
        return () if self.told.has(_Kind.NEW) else open_ones

    def _naming(self, clause: Clause, said: ClauseMeaning, *, corrects: bool) -> _Step:
        """Return what a clause says of the tasks that it names."""
        before = self.before if not _LIKEWISE.isdisjoint(clause.words) else None
        # `the coat's away too` behind a deed tells of another one.
        tells = said.change is not None or said.is_undone or (before is not None and before.closes)
        is_stated = _states(clause) or any(map(is_past, clause.words))
        is_spared = said.change is None and not (
            _EXCEPT.isdisjoint(clause.words[:2]) and clause.words[-1] != "not"
        )
        stays = not _LEAVING.isdisjoint(clause.words)
        if is_spared or (stays and self.told.changes.keys() >= {task.id for task in said.tasks}):
            # `…, just not the reading`, `…, but the review remains on Monday`
            return _Step(_Kind.SPARED, said.tasks)
        if is_stated and not tells:
            # `Tuesday is the staff meeting`, as it is already; `Anna is ill. Please cancel it.`
            doubts = (
                ["what is stated may be said of the tasks before too"] if self.told.waiting else []
            )
            return _Step(_Kind.STATED, () if clause.spans else said.tasks, doubts=doubts)
        return self._telling(clause, said, corrects=corrects)

    def _telling(self, clause: Clause, said: ClauseMeaning, *, corrects: bool) -> _Step:
        """Return what becomes of the tasks that a clause names, as far as it is said."""
        change, doubts = said.change, [] if said.is_sure else ["part of a title, or of a set"]
        waiting = {task for each in self.told.waiting for task in each.tasks}
        if "both" in clause.words and len({*waiting, *said.tasks}) != 2:
            doubts.append("both, where there are not two")
        kind = _Kind.TOLD
        if said.is_undone and change is None:
            kind = _Kind.UNABLE if said.is_unable else _Kind.UNDONE
        elif change is None:
            early = next(
                (s.change for s in reversed(self.told.steps) if s.kind is _Kind.EARLY), None
            )
            change, kind = early or self._shared(clause, corrects=corrects), _Kind.SHARED
        if kind is _Kind.SHARED and change is None:
            is_bare = _BARE.issuperset(_unmentioned(clause, said.tasks))
            kind = _Kind.WAITING if is_bare else _Kind.STATED
            doubts += [] if is_bare else ["what is said of tasks was not read"]
        return _Step(
            kind,
            said.tasks,
            change,
            said.unread,
            doubts,
            (said.share,),
            said.left,
            frozenset(name for each in clause.words if each not in _BARE for name in stems(each)),
            is_linked=said.is_linked,
            is_tie=len(said.tasks) > 1 and not said.is_set,
        )

    def _candidates(self, clause: Clause) -> Sequence[ShownTask]:
        """Return the tasks that a clause may mention: of `the other check` none of the last."""
        recent = {task.id for task in (*self.focus, *self.told.last)}
        if not _OTHER.isdisjoint(clause.words) and recent:
            return [task for task in self.tasks if task.id not in recent]
        return self.tasks

    def _placed(self, clause: Clause) -> tuple[ShownTask, ...]:
        """Return those of the tasks last listed that `the second one` or `the first two` are."""
        focus = self.shown if len(self.focus) < 2 else self.focus
        for word, noun in pairwise((*clause.words, "")):
            count = NUMBERS.get(noun, 0)
            place = PLACES.get(word, len(focus))
            if place in (0, -1) and 1 < count <= len(focus):
                return self._known(focus[:count] if place == 0 else focus[-count:])
            spoken_of = self.told.last or (self.focus if len(self.focus) < len(focus) else ())
            known = {task.id for task in spoken_of}
            others = tuple(task for task in focus if task.id not in known)
            wanted = len(others) if word == "others" or noun in ("ones", "tasks") else count or 1
            if word in _OTHER and spoken_of and len(others) == wanted:
                return self._known(others)
            if noun not in _ONE_OF_THEM:
                continue
            dated = [task for task in self._known(focus) if task.due]
            if word in _BY_TIME and len(dated) > 1:
                return (sorted(dated, key=_moment)[_BY_TIME[word]],)
            if -len(focus) <= place < len(focus):
                return self._known((focus[place],))
            named = tuple(
                task
                for task in self._known((*focus, *self.told.last))
                if word in {*task.tags, *task.project.split(".")}
            )
            if len(named) == 1 and len(focus) + len(self.told.last) > 1:
                # `the work one`
                return named
        return ()

    def _known(self, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
        """Return tasks with all that is known of them."""
        known = {task.id: task for task in self.tasks}
        return tuple({task.id: known.get(task.id, task) for task in tasks}.values())

    def _shared(self, clause: Clause, *, corrects: bool) -> Change | None:
        """Return the change of the task before, for `and the leo thing`, `the pies too`."""
        first = clause.words[0]
        is_next = first == "and" or corrects or not _LIKEWISE.isdisjoint(clause.words)
        if clause.spans or not is_next or _orders(clause.words):
            # `…, and we need to bring the Dvorak parts` is another thing to do.
            return None
        if not self.told.last:
            return self.before
        done = [each[-1] for task in self.told.last if (each := self.told.changes.get(task.id))]
        return done[0] if done else None


_ASIDE = _Step(_Kind.ASIDE)


def _named_if_asked(clause: Clause, step: _Step) -> Sequence[str]:
    """Return the clause where it states something of tasks, or orders what is no task: `juggle`."""
    # `the second is important, mark it so` says nothing more.
    is_again = not (_PRONOUNS.isdisjoint(clause.words) or _COMMANDS.isdisjoint(clause.words))
    is_order = step.kind is _Kind.NEW and not step.unread and _is_no_remark(clause)
    is_stated = step.kind is _Kind.STATED and bool(step.tasks)
    rest = clause.without(_JOINTS) or clause
    return [" ".join(rest.typed)] if (is_order or is_stated) and not is_again else []


def _is_no_remark(clause: Clause) -> bool:
    """Return True for a clause that does not tell what somebody does, or what is."""
    rest = clause.without(_JOINTS) or clause
    is_told = any(map(is_past, rest.words)) or any(word.endswith("ing") for word in rest.words)
    return not (rest.words[0] in _SUBJECTS or _states(rest) or is_told)


def _bare_doubts(clause: Clause, pointed: Sequence[ShownTask], change: Change) -> list[str]:
    """Return why a value may not be meant for the tasks that a clause points at."""
    doubts = []
    if change.details == "cancelled" and clause.spans:
        # `I want it off tomorrow evening`
        doubts.append("off, beside a day")
    if clause.words[0].partition("'")[0] in _THIRD_PERSONS and any(map(_is_deed, pointed)):
        # `got through to the council, they're coming on tuesday`
        doubts.append("what another person does")
    return doubts


def _moment(task: ShownTask) -> datetime:
    return task.due.begins() if task.due else datetime.max


def _points_at_one(clause: Clause) -> bool:
    """Return True for `it`, which of several tasks means one."""
    return not _ONE.isdisjoint(clause.words) and (_SEVERAL | {"both"}).isdisjoint(clause.words)


def _is_kind_of(clause: Clause, tasks: Sequence[ShownTask]) -> bool:
    """Return False for `the meeting`, where no task has a time or that word."""
    kinds = KINDS.intersection(clause.words)
    return not kinds or any(
        (task.due and task.due.at) or kinds.intersection(tokens(task.title)) for task in tasks
    )


def _unmentioned(clause: Clause, tasks: Sequence[ShownTask]) -> list[str]:
    """Return the words of a clause that are in no title of tasks."""
    named = {name for task in tasks for name in stems(task.title)}
    return [word for word in clause.words if not named.intersection(stems(word))]


_NOBODY = (ShownTask(0, ""),)
"""Stands for a task that is not known yet."""


def _content(clause: Clause) -> list[str]:
    """Return the words of a clause with a meaning of their own that set no value."""
    return [
        word
        for at, word in enumerate(clause.words)
        if not clause.is_in_span(at)
        and word not in CORRECTING
        and word != GONE
        and word not in _SUBJECTS
        and not is_function(word)
    ]
