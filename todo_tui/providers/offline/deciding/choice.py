"""Choose what a message means, and whether it is done, offered, asked or declined.

Each way to understand a message is a candidate. What goes on from the turn before comes first;
else each of SOURCES makes one of the text, or none, and the first one counts. Requests that people
seldom mean are offered instead. Only where that does nothing is the text read again without the
clauses that tell why.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from todo_tui.providers.offline import record, replies
from todo_tui.providers.offline.deciding.message_reading import MessageReading, SaidMessage
from todo_tui.providers.offline.dialogue import read_answer
from todo_tui.providers.offline.follow_ups.continuations import continued, edited, filled
from todo_tui.providers.offline.follow_ups.reversals import takes_back
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import is_time
from todo_tui.providers.offline.language.clauses import CORRECTING, clauses, spans_of, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    GENERIC_DEEDS,
    KINDS,
    folded,
    same_deed,
    surely_verb,
    tokens,
    word_set,
)
from todo_tui.providers.offline.reading import write_gate
from todo_tui.providers.offline.reading.drafts import draft
from todo_tui.providers.offline.reading.meaning import Doubt, Meaning, without_asides
from todo_tui.providers.offline.reading.reference_resolver import Problem, Resolver
from todo_tui.providers.offline.reading.statements import REMAINING
from todo_tui.providers.offline.reading.title_matching import NEGATIONS, mentioned, stems
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    FixedAnswer,
    FoundTasks,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask

_SPARING = NEGATIONS | REMAINING | word_set("except_words")
_CHANGING = word_set("moving_verbs") | word_set("commands") | GENERIC_DEEDS
_MAX_UNREAD = 2
"""Words without a meaning for which a question is answered."""
_HALF = 0.5
"""Part of the telling words that are those of titles where a message is about tasks."""
_MAX_UNREAD_OFFERED = 6
"""Those for which a statement is offered: people tell why, where and with whom."""
_NO_CHANGE = FixedAnswer("nothing")
_CARRIED_OUT = 3
"""Use of a candidate that is done."""


class Source(StrEnum):
    """What a candidate comes from."""

    DIALOGUE = "what the turn before did or asked"
    RULES = "patterns of commands and questions"
    TITLES = "what is said of tasks by their titles"
    DRAFT = "the shape of a new task"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to understand a message: requests, or a problem with its question."""

    source: Source
    reading: MessageReading
    ready: list[TaskRequest] | Problem
    doubts: tuple[Doubt, ...] = ()
    """Reasons to ask first; none for requests that are carried out as they are."""
    like: tuple[ShownTask, ...] = ()
    """The task on the list that a new title may be said of."""

    @property
    def use(self) -> int:
        """Order of candidates of one message: what is done, asked, answered, declined."""
        if isinstance(self.ready, Problem):
            return 2 if self.ready.question else 0
        return 1 if [each.request for each in self.ready] == [_NO_CHANGE] else _CARRIED_OUT

    @property
    def requests(self) -> list[TaskRequest]:
        """The requests; none of a problem."""
        return [] if isinstance(self.ready, Problem) else self.ready


def choose(said: SaidMessage) -> Candidate:
    """Return what a message means: what to carry out, or what to say instead."""
    reading, requests = _after_turn_before(said)
    if any(isinstance(each.request, Change) and each.request.is_guess for each in requests):
        offer = reading.offers.question(requests)
        return Candidate(
            Source.DIALOGUE, reading, offer, doubts=(Doubt("a title that may be meant"),)
        )
    if requests:
        return Candidate(Source.DIALOGUE, reading, requests)
    chosen = _choose(reading)
    if chosen.use < _CARRIED_OUT and (bare := reading.without_asides()):
        # `max` returns the first of those that are of the same use.
        chosen = max(chosen, _choose(bare), key=lambda each: each.use)
    return chosen


def _after_turn_before(said: SaidMessage) -> tuple[MessageReading, list[TaskRequest]]:
    """Return the text that is meant after the turn before, and the requests made from its record.

    There are requests where a message says yes or no to an offer, edits it, or goes on from what
    was done.
    """
    dialogue, question = said.dialogue, said.dialogue.question
    reading = said.reading(dialogue.text)
    if question is None:
        meant = continued(dialogue, reading.reader, reading.resolver)
        return (reading, meant) if isinstance(meant, list) else (said.reading(meant), [])
    age = dialogue.question_age
    answer = read_answer(dialogue.text, question, age, reading.reader.dates)
    if answer is False:
        return reading, [TaskRequest(FixedAnswer("no"))]
    if answer is not None:
        settled = dict(question.settled)
        if isinstance(answer, tuple):
            settled[folded(question.words)] = answer
        is_confirmed = answer is True or question.kind == "near"
        reading = said.reading(question.message, settled, is_confirmed=is_confirmed)
        return reading, [*record.from_json(list(question.offer))]
    if question.kind == "lacks" and age == 0:
        return said.reading(filled(dialogue, reading.reader, question.message)), []
    return reading, edited(dialogue, reading.reader)


def _choose(reading: MessageReading) -> Candidate:
    """Return the first candidate of a text, or the refusal or question in its place."""
    candidate = next(filter(None, (source(reading) for source in SOURCES)))
    if problem := next(_refusals(candidate), None):
        return replace(candidate, ready=problem)
    if isinstance(candidate.ready, Problem) or reading.is_confirmed:
        return candidate
    doubts = (*candidate.doubts, *_doubts(candidate))
    if not doubts:
        return candidate
    unread = [word for doubt in doubts for word in doubt.words]
    offer = reading.offers.question(candidate.ready, unread, candidate.like)
    return replace(candidate, ready=offer, doubts=doubts)


_REFUSES = regex(
    r"((please|pls|just|so|and|oh) )*(?P<denial>do not|don't|never|stop|not"
    r"|(i|we)('m|'re| am| are)(n't| not)) (?!(forget|let|miss|worry|sure|yet|later)\b)[a-z]+\b"
    r"(?!.*\b(until|till|but|instead|rather)\b)[^,;.]+[.!]*"
)
"""Beginning of a message that says what is not to be done: `don't walk the dog on friday`."""
_UNDO = regex(r"\bundo\b")


def _refusals(candidate: Candidate) -> Iterator[Problem]:
    """Yield what is said instead of requests that cannot be meant."""
    reading, ready, requests = candidate.reading, candidate.ready, candidate.requests
    if _UNDO.match(reading.words) and _UNDO.search(reading.said.dialogue.text):
        # An undo is never an edit, nor a part of it.
        edits = requests and all(isinstance(each.request, Add | Change) for each in requests)
        reopens = all(getattr(each.request, "verb", "") is Verb.REOPEN for each in requests)
        is_part = isinstance(ready, Problem) and (ready.is_unread or ready.kind == "offer")
        if is_part or (edits and not reopens):
            yield Problem(replies.UNDO_ALL)
    if takes_back(requests, reading.resolver.quoted, reading.said.now, reading.said.style):
        yield Problem(replies.TAKEN_BACK)
    if refused := _REFUSES.fullmatch(reading.words):
        moved = tuple(
            task
            for each in requests
            if isinstance(each.request, Change) and each.found
            if reading.reader.changes.due(each.request.details)
            for task in each.found.tasks
        )
        if moved:
            yield Problem(replies.unused(moved, [refused["denial"]]), moved, is_unread=True)


def _surely_ruled(reading: MessageReading) -> Candidate | None:
    """Return what the rules read where it stands whatever is said of tasks by their titles.

    A question to which only new tasks led does not, nor does a list that nobody asked for.
    """
    ready = reading.by_rules
    if reading.is_confirmed:
        return Candidate(Source.RULES, reading, ready)
    if isinstance(ready, Problem):
        kind = ready.kind
        is_new = kind == "confirm" and not ready.tasks
        return None if ready.is_unread or kind in ("lacks", "which") or is_new else _ruled(reading)
    is_sure = not (_guesses(ready) or _is_list(ready) or _is_retold(reading, ready))
    return _ruled(reading) if is_sure else None


def _titled(reading: MessageReading) -> Candidate | None:
    """Return what is said of tasks by their titles, if it says more than the rules."""
    meant, ready = reading.by_titles, reading.by_rules
    # `high priority work tasks` is a list of them.
    if meant is None or (_is_list(ready) and not (meant.is_linked or meant.closes)):
        return None
    if next(_objections(reading, meant), ""):
        return None
    guesses = _guesses(ready)
    if meant.changes and _is_other_deed(guesses, meant):
        adds = [TaskRequest(each) for each in guesses]
        doubt = Doubt("a deed that no task mentioned has")
        return Candidate(Source.RULES, reading, adds, (doubt,))
    if meant.changes:
        asked = _question_on(reading, meant) or meant.ready
        return Candidate(Source.TITLES, reading, asked, tuple(meant.doubts))
    if len(meant.unable) == 1:
        off = [TaskRequest(Change(Verb.UPDATE, "it", "cancelled"), FoundTasks(meant.unable))]
        doubt = Doubt("a person who can't come", meant.unread)
        return Candidate(Source.TITLES, reading, off, (doubt,))
    still = Problem(replies.still_open(meant.undone), meant.undone)
    return Candidate(Source.TITLES, reading, still) if meant.undone else None


def _objections(reading: MessageReading, meant: Meaning) -> Iterator[str]:
    """Yield why a message is hardly about the tasks whose titles have words of it."""
    ready, guesses = reading.by_rules, _guesses(reading.by_rules)
    if meant.share < _HALF:
        yield "less than half of the telling words are those of titles"
    has_time = any(task.due and task.due.at for task in meant.tasks.values())
    is_other = not (has_time or KINDS.isdisjoint(meant.unread))
    if meant.share == _HALF and (guesses or is_other or _is_addition(reading)):
        yield "no more than half of them are, and it may be a new task"
    if meant.share == _HALF and meant.unread and not meant.is_linked:
        yield "no more than half of them are, and nothing joins the others to the tasks"
    if len(meant.unread) > _MAX_UNREAD_OFFERED:
        yield "too many words are left out"
    if _is_another(guesses, meant):
        yield "a new title shares less than half of its words with the task"
    if isinstance(ready, Problem) and ready.kind == "which" and meant.doubts:
        yield "the rules ask which of several tasks is meant"


def _question_on(reading: MessageReading, meant: Meaning) -> Problem | None:
    """Return the question which of several tasks is meant, or another occurrence of one."""
    resolver = reading.resolver
    if meant.choice:
        question = resolver.question("which", reading.words, meant.choice)
        return Problem(replies.which(meant.choice), meant.choice, question)
    (task, *others), (ready, *_) = meant.tasks.values(), meant.ready
    if others or not task.repeat_words or ready.details != "cancelled":
        return None
    # `cancel the lesson on the 12th`, where the next one is on the 5th.
    days = resolver.dates.stretch(" ".join(meant.left.get(task.id, ())))
    text = replies.confirm_skip(task, days, reading.said.now.date()) if days else ""
    return replace(reading.offers.question(meant.ready), reply=text) if text else None


def _ruled(reading: MessageReading) -> Candidate | None:
    """Return what the rules read, unless words have no meaning."""
    ready, message = reading.by_rules, reading.resolver.message
    if isinstance(ready, Problem):
        is_open = ready.is_unread and not ready.question
        return None if is_open else Candidate(Source.RULES, reading, ready)
    guesses = _guesses(ready)
    adds = [each.request for each in ready if isinstance(each.request, Add)]
    is_odd = bool(write_gate.odd_titles(adds, message))
    if is_odd and guesses and len(adds) == len(ready) and (drafted := _draft(reading)):
        # `buy tomorrow flour for the cake`: a day in the title, read where it stands.
        return replace(drafted, doubts=(Doubt("a title that looks odd"),))
    resolver = reading.resolver
    said = without_asides(message, resolver.pool(message), reading.reader.changes, told=True)
    # What is said around a value of the tasks spoken of only tells why.
    unread = (
        []
        if reading.value
        else write_gate.unread_words(said, ready, resolver.quoted, resolver.dates)
    )
    doubts = [Doubt("words were left out", unread)] if unread else []
    if is_odd:
        doubts.append(Doubt("a title that looks odd"))
    writes = any(isinstance(each.request, Add | Change) for each in ready)
    if writes and (write_gate.is_question(message) or (guesses and message.endswith("?"))):
        doubts.append(Doubt("a question"))
    if _is_retold(reading, ready):
        doubts.append(Doubt("some of the tasks may be spared"))
    if like := _like_on_list(reading, guesses):
        doubts.append(Doubt("a title like one on the list"))
    return Candidate(Source.RULES, reading, ready, tuple(doubts), like)


def _asked_about(reading: MessageReading) -> Candidate | None:
    """Return the question about the tasks that a message asks about in words of its own."""
    words = tokens(reading.words)
    if not reading.asks or phrases.ABOUT_APP.match(reading.words):
        return None
    pool = reading.resolver.pool(reading.words, "all")
    tasks, places = mentioned(words, pool)
    if not tasks:
        tasks, places = mentioned(words, pool, by_verb=True)
    rest = [word for at, word in enumerate(words) if at not in places]
    unread = [word for word in rest if not write_gate.is_function(word)]
    # Of a slip nobody can be sure here: the weather is no water.
    exact = {name for at in places for name in stems(words[at])}
    is_said = all(exact.intersection(stems(task.title)) for task in tasks)
    if not tasks or not is_said or len(unread) > _MAX_UNREAD:
        return None
    ready = [TaskRequest(Ask(Aspect.ONE, "it", is_guess=True), FoundTasks(tasks))]
    return Candidate(Source.TITLES, reading, ready)


def _drafted(reading: MessageReading) -> Candidate | None:
    """Return what has the shape of new tasks, where little is said of others."""
    meant = reading.by_titles
    is_about_tasks = meant is not None and meant.share >= _HALF and not meant.unread
    return None if reading.asks or is_about_tasks else _draft(reading)


def _draft(reading: MessageReading) -> Candidate | None:
    """Return what a text in free form is as new tasks."""
    additions = reading.reader.additions
    drafted, add = draft(reading.words, reading.reader.changes), additions.candidate(reading.words)
    is_plain = False
    if drafted is not None and (drafted.is_dated or drafted.dropped or add is None):
        add = Add(tuple(map(additions.task, drafted.lines)))
        is_plain = drafted.is_plain
    if add is None or not all(task.title for task in add.tasks):
        return None
    is_ordered = drafted is not None and drafted.is_ordered
    if not is_ordered and write_gate.odd_titles([add], reading.words):
        return None
    doubts = () if is_plain else (Doubt("a text in free form"),)
    return Candidate(Source.DRAFT, reading, [TaskRequest(add)], doubts)


def _not_understood(reading: MessageReading) -> Candidate:
    """Return which words about tasks were not understood, or that the rules read nothing."""
    meant = reading.by_titles
    if meant is None:
        return Candidate(Source.RULES, reading, reading.by_rules)
    tasks = tuple(meant.tasks.values())
    text = replies.unused(tasks, reading.offers.as_typed(meant.unread))
    asks = len(tasks) == 1 and not (meant.unread or reading.asks)
    question = reading.resolver.question("deed") if asks else None
    return Candidate(Source.TITLES, reading, Problem(text, tasks, question, is_unread=True))


SOURCES: tuple[Callable[[MessageReading], Candidate | None], ...] = (
    _surely_ruled,
    _titled,
    _ruled,
    _asked_about,
    _drafted,
    _not_understood,
)
"""What makes candidates of a text, the most trusted first."""


_MISTAKEN = regex(
    r"((OOPS|wait|hang on|hold on)[,.! ]+)*(oops|no+|nope|nah|sorry|i meant?|wrong)\b"
)
"""What says that the turn before was mistaken."""


_LATER = regex(r"\bfrom (?!(now|here|then|today|next)\b)(?P<start>(\w+ ){1,3})on(wards?)?\b")


def _later_start(candidate: Candidate) -> Iterator[Doubt]:
    """Yield `from january on` of a message whose change would begin at once."""
    changes = any(isinstance(each.request, Change) for each in candidate.requests)
    resolver = candidate.reading.resolver
    later = _LATER.search(resolver.message) if changes else None
    # `order album from printer depends on …` names no day.
    if later and resolver.dates.is_stretch(later["start"].strip()):
        yield Doubt("a day from which on", [later[0]])


def _told_ahead(candidate: Candidate) -> Iterator[Doubt]:
    """Yield the day ahead behind a deed: `I replaced the filter, next time in three months`."""
    reading, requests = candidate.reading, candidate.requests
    if not requests or any(
        getattr(each.request, "verb", "") is not Verb.COMPLETE for each in requests
    ):
        return
    due = {task.due.day for each in requests if each.found for task in each.found.tasks if task.due}
    words, changes = words_of(reading.said.dialogue.text), reading.reader.changes
    for clause in clauses(words, list(spans_of(words, changes)))[1:]:
        for span in clause.spans:
            day = changes.due(span.change)
            if day is None or is_time(span.change) or changes.repeats(span.change):
                continue
            if day.day > reading.said.now.date() and day.day not in due:
                yield Doubt("a day ahead", [" ".join(clause.typed[span.start : span.end])])
                return


def _doubts(candidate: Candidate) -> Iterator[Doubt]:
    """Yield what people seldom mean, whatever words ask for it."""
    reading, requests = candidate.reading, candidate.requests
    resolver, dialogue = reading.resolver, reading.said.dialogue
    message, dates = resolver.message, resolver.dates
    if any(isinstance(each.request, Undo) for each in requests):
        return
    if any(write_gate.goes_back(each, dates) for each in requests):
        yield Doubt("a day that is over")
    if phrases.POSTPONING.search(message) and any(
        write_gate.brings_forward(each, dates) for each in requests
    ):
        yield Doubt("an earlier day, where it is postponed")
    tells_done = any(getattr(each.request, "verb", "") is Verb.COMPLETE for each in requests)
    failed = phrases.FAILED.search(message) if tells_done else None
    if failed and not mentioned(tokens(failed["rest"]), resolver.pool(message))[0]:
        # `I called Anna but she didn't pick up`, not `bought milk but not the eggs`
        yield Doubt("a deed that failed")
    yield from _later_start(candidate)
    yield from _told_ahead(candidate)
    if any(write_gate.passed_over(each, resolver, reading.reader.changes) for each in requests):
        yield Doubt("a day behind the next occurrence")
    for each in requests:
        found = each.found.tasks if each.found and not each.found.filter else ()
        tasks = resolver.list_ids(task.id for task in found).tasks if found else ()
        if write_gate.is_risky(each, tasks, dialogue.completed, dates, message):
            yield Doubt("a request that is seldom meant")
    named = {task.id for each in requests if each.found for task in each.found.tasks}
    changes = any(isinstance(each.request, Change) for each in requests)
    is_other = named and changes and named.isdisjoint(task.id for task in dialogue.focus)
    if dialogue.wrote and is_other and _MISTAKEN.match(message):
        yield Doubt("other tasks, in a message that corrects the turn before")


def _guesses(ready: list[TaskRequest] | Problem) -> list[Add]:
    """Return the new tasks that nobody asked to add."""
    requests = [] if isinstance(ready, Problem) else [each.request for each in ready]
    return [each for each in requests if isinstance(each, Add) and not each.is_explicit]


def _is_list(ready: list[TaskRequest] | Problem) -> bool:
    """Return True for requests that only show tasks."""
    return not isinstance(ready, Problem) and all(isinstance(each.request, Ask) for each in ready)


def _is_addition(reading: MessageReading) -> bool:
    """Return True where the message begins with what is to be done, or to be added."""
    additions = reading.reader.additions
    return isinstance(reading.by_rules, Problem) and (
        additions.explicit(reading.words) is not None
        or additions.statement(reading.words) is not None
    )


def _is_retold(reading: MessageReading, ready: Sequence[TaskRequest]) -> bool:
    """Return True if a clause of its own denies or spares some of what would be changed.

    Of `the flat jobs are done, only the shower head is left` the shower head is not.
    """
    requests = [each.request for each in ready]
    changed = [task for each in ready if each.found for task in each.found.tasks]
    if not changed or any(isinstance(each, Ask | Undo) for each in requests):
        return False
    words = words_of(reading.words)
    is_named = False
    for clause in clauses(words, list(spans_of(words, reading.reader.changes)))[1:]:
        # `the GP was engaged, so that one still needs doing`
        told = (clause.without(CORRECTING) or clause).words
        is_named = is_named or bool(mentioned(told, changed)[0])
        if is_named and not _SPARING.isdisjoint(told):
            return True
    return _NO_CHANGE in requests[1:]


def _like_on_list(reading: MessageReading, guesses: Sequence[Add]) -> tuple[ShownTask, ...]:
    """Return the tasks on the list that the new titles may be said of, each once."""
    titles = [task.title for add in guesses for task in add.tasks]
    like = (_like(title, reading.resolver) for title in titles)
    return tuple({task.id: task for task in like if task is not None}.values())


def _like(title: str, resolver: Resolver) -> ShownTask | None:
    """Return the one task on the list that has half of the words of a new title, or all of them."""
    words, pool = tokens(title), resolver.pool(title)
    found = mentioned(words, pool)[0] or mentioned(words, pool, by_verb=True)[0]
    if len(found) != 1:
        return None
    new, old = stems(title), stems(found[0].title)
    shared = [word for word in new if word in old or same_deed(word, old[0])]
    is_half = 2 * len(shared) >= max(len(new), len(old)) and not surely_verb(new[0])
    return found[0] if is_half or len(shared) == len(new) else None


def _is_another(guesses: Sequence[Add], meant: Meaning) -> bool:
    """Return True for a new title that shares less than half of its words with the one meant."""
    if not (guesses and meant.unread) or len(meant.tasks) != 1:
        return False
    known = [name for task in meant.tasks.values() for name in stems(task.title)]
    new = [name for add in guesses for each in add.tasks for name in stems(each.title)]
    shared = [name for name in new if name in known or any(same_deed(name, each) for each in known)]
    # `Ana can't do friday she's coming on sunday` is said of her interview.
    is_denied = any(
        not NEGATIONS.isdisjoint(tokens(each.title)) for add in guesses for each in add.tasks
    )
    return 2 * len(shared) < len(new) and not is_denied


def _is_other_deed(guesses: Sequence[Add], meant: Meaning) -> bool:
    """Return True for `call the vet at 9` beside the appointment *Vet*."""
    verb = tokens(guesses[0].tasks[0].title)[0] if guesses and not meant.doubts else ""
    is_deed = surely_verb(verb) and verb not in _CHANGING
    names = [name for task in meant.tasks.values() for name in stems(task.title)]
    return is_deed and not any(same_deed(verb, name) for name in names)
