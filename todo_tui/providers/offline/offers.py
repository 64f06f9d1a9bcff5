"""What may be written, what is offered instead, and what is read where no rule reads a message.

Requests that pass the gate are carried out; one that nearly passes, a statement that is not read
whole, and a text that has the shape of a task are questions with yes or no.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.dates.text import format_day, format_when
from todo_tui.domain.text import join_words
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import phrases, record, replies, write_gate
from todo_tui.providers.offline.adjustments import adjusted
from todo_tui.providers.offline.clauses import CORRECTING, clauses, spans_of, words_of
from todo_tui.providers.offline.drafts import draft
from todo_tui.providers.offline.meaning import Meaning, read_meaning, without_asides
from todo_tui.providers.offline.reader import Reader
from todo_tui.providers.offline.reference_resolver import Problem, Resolver
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    FixedAnswer,
    FoundTasks,
    NewTask,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.statements import REMAINING, NamedTask, find_named_task
from todo_tui.providers.offline.title_matching import NEGATIONS, mentioned, stems
from todo_tui.providers.offline.tool_results import ShownTask
from todo_tui.providers.offline.words import (
    GENERIC_DEEDS,
    folded,
    is_verb,
    peeled,
    same_deed,
    surely_verb,
    tokens,
    word_set,
)

_SPARING = NEGATIONS | REMAINING | word_set("except_words")
_CHANGING = word_set("moving_verbs") | word_set("commands") | GENERIC_DEEDS
_WAITS = re.compile(r"after #\d+( after #\d+)*")
_NUMBER = re.compile(r"\d+")
_MAX_UNREAD = 2
"""Words without a meaning for which a command is offered."""
_HALF = 0.5
"""Part of the telling words that are those of titles where a message is about tasks."""
_MAX_UNREAD_OFFERED = 6
"""Those for which a statement is offered: people tell why, where and with whom."""


@dataclass(frozen=True, slots=True)
class Offers:
    """Passes or offers the requests of one message."""

    resolver: Resolver
    reader: Reader
    now: datetime
    style: DateStyle
    before: Change | None = None
    """What the turn before did."""
    focus: tuple[ShownTask, ...] = ()
    """The tasks that it named."""
    completed: frozenset[str] = frozenset()
    """Titles of the tasks that the conversation completed."""
    wrote: bool = False
    """True if the turn before wrote."""

    def passed(self, ready: list[TaskRequest] | Problem) -> list[TaskRequest] | Problem:
        """Return the requests that may be carried out, or the question to ask first."""
        read = self._likeliest(ready)
        if isinstance(read, Problem) or any(isinstance(each.request, Undo) for each in read):
            return read
        refused = phrases.REFUSES.fullmatch(self._message())
        if refused and (moved := self._moved(read)):
            return Problem(replies.unused(moved, [refused["denial"]]), moved, is_unread=True)
        is_doubtful = any(map(self._is_risky, read)) or self._breaks_off(read)
        return self.question(read) if is_doubtful else read

    def _moved(self, ready: Sequence[TaskRequest]) -> tuple[ShownTask, ...]:
        """Return the tasks that would get another date."""
        return tuple(
            task
            for each in ready
            if isinstance(each.request, Change) and each.found
            if self.reader.changes.is_date(each.request.details)
            for task in each.found.tasks
        )

    def _breaks_off(self, ready: Sequence[TaskRequest]) -> bool:
        """Return True for what hardly follows a turn that wrote.

        It is a thing that nobody asked to add, or `no, …` before a change of other tasks.
        """
        if not self.wrote:
            return False
        titles = [task.title for add in _guessed_additions(ready) for task in add.tasks]
        goes_on = phrases.GOES_ON.match(self.resolver.message)
        if goes_on and any(not is_verb(title.split()[0].casefold()) for title in titles):
            return True
        named = {task.id for each in ready if each.found for task in each.found.tasks}
        is_other = bool(named) and named.isdisjoint(task.id for task in self.focus)
        closes = any(isinstance(each.request, Change) for each in ready)
        return is_other and closes and bool(phrases.MISTAKEN.match(self.resolver.message))

    def _is_risky(self, ready: TaskRequest) -> bool:
        found = ready.found.tasks if ready.found and not ready.found.filter else ()
        tasks = self.resolver.list_ids(task.id for task in found).tasks if found else ()
        return write_gate.is_risky(
            ready, tasks, self.completed, self.resolver.dates, self.resolver.message
        )

    def _likeliest(self, ready: list[TaskRequest] | Problem) -> list[TaskRequest] | Problem:
        """Return the likelier of what the rules read and what is said of tasks by their titles."""
        guesses = [] if isinstance(ready, Problem) else _guessed_additions(ready)
        is_mixed = not isinstance(ready, Problem) and self._adds_remark(ready)
        is_retold = not isinstance(ready, Problem) and self._is_retold(ready)
        is_sure = _is_sure(ready, guesses) and not (is_mixed or is_retold)
        is_sure = is_sure or phrases.EXPLICIT.fullmatch(self._message()) is not None
        meant = None if self._asks() or is_sure else self._meant()
        is_list = not (isinstance(ready, Problem) or guesses or is_mixed or is_retold)
        if is_list and meant and not (meant.is_linked or meant.closes):
            # `high priority work tasks` is a list of them.
            return ready
        if meant is not None and (better := self._from_meaning(meant, ready, guesses)):
            if guesses and _is_other_deed(guesses[0], better):
                return self.question([TaskRequest(add) for add in guesses])
            return better
        if is_retold and not isinstance(ready, Problem):
            return self.question(ready)
        if not isinstance(ready, Problem):
            return self._not_on_list(ready, guesses)
        if ready.is_unread and not ready.question:
            return self._mentioned_by_question() or self._guessed(meant) or ready
        return ready

    def _not_on_list(
        self, ready: list[TaskRequest], guesses: Sequence[Add]
    ) -> list[TaskRequest] | Problem:
        """Return requests, or the question about new tasks that may be others on the list."""
        if len(guesses) == 1 and len(guesses[0].tasks) == 1:
            return self._named_instead(guesses[0]) or self._doubted(ready) or ready
        return self._doubted(ready) or ready

    def _is_retold(self, ready: Sequence[TaskRequest]) -> bool:
        """Return True if a clause of its own denies or spares some of what would be changed.

        Of `the flat jobs are done, only the shower head is left` the shower head is not.
        """
        changed = [task for each in ready if each.found for task in each.found.tasks]
        requests = [each.request for each in ready]
        if not changed or any(isinstance(each, Ask | Undo) for each in requests):
            return False
        if FixedAnswer("nothing") in requests[1:]:
            return True
        words = words_of(self._message())
        found = clauses(words, list(spans_of(words, self.reader.changes)))
        is_named = False
        for clause in (each.without(CORRECTING) or each for each in found[1:]):
            # `the GP was engaged, so that one still needs doing`
            is_named = is_named or bool(mentioned(clause.words, changed)[0])
            if is_named and not _SPARING.isdisjoint(clause.words):
                return True
        return False

    def partial(
        self, ready: list[TaskRequest], unread: Sequence[str]
    ) -> list[TaskRequest] | Problem | None:
        """Return the question whether the part of a message that was read is meant.

        A question is answered without one, and an undo is made; None for a part that looks odd.
        """
        if not any(isinstance(each.request, Add | Change) for each in ready):
            return ready
        adds = [each.request for each in ready if isinstance(each.request, Add)]
        message = self.resolver.message
        if any(write_gate.is_odd(task.title, message) for add in adds for task in add.tasks):
            return None
        return replace(self.question(ready, unread), is_unread=True)

    def _doubted(self, ready: Sequence[TaskRequest]) -> Problem | None:
        """Return the question whether requests are meant that leave out a word, or look odd."""
        resolver = self.resolver
        message = resolver.message
        pool = resolver.pool(message)
        said = without_asides(message, pool, self.reader.changes, told=True)
        unread = write_gate.unread_words(said, ready, resolver.quoted, resolver.dates)
        adds = [each.request for each in ready if isinstance(each.request, Add)]
        writes = any(isinstance(each.request, Add | Change) for each in ready)
        is_guess = not all(add.is_explicit for add in adds)
        asks = writes and (write_gate.is_question(message) or (is_guess and message.endswith("?")))
        is_late = any(write_gate.goes_back(each, resolver.dates) for each in ready)
        is_odd = bool(write_gate.odd_titles(adds, message))
        if not (unread or asks or is_late or is_odd):
            return None
        if is_odd and is_guess and len(adds) == len(ready):
            # `buy tomorrow flour for the cake`: a day in the title, read where it stands.
            drafted, _ = self._drafted(self._message())
            if drafted is not None:
                return self.question([TaskRequest(drafted)])
        return self.question(ready, unread)

    def question(self, ready: Sequence[TaskRequest], unread: Sequence[str] = ()) -> Problem:
        """Return the question whether requests are to be carried out; yes does just that."""
        ready = adjusted(ready, self.resolver, self.reader.changes)
        tasks = tuple(task for each in ready if each.found for task in each.found.tasks)
        adds = [each.request for each in ready if isinstance(each.request, Add)]
        new = [task for add in adds for task in add.tasks]
        remarks = [remark for task in new for remark in task.remarks]
        starts = (write_gate.past_start(task.details, self.resolver.dates) for task in new)
        remarks += [f"{format_when(day, self.now)} is in the past" for day in starts if day]
        message, dates = self.resolver.message, self.resolver.dates
        changed = [each.request.details for each in ready if isinstance(each.request, Change)]
        over = {
            write_gate.just_over(details, message, dates)
            for details in (*(task.details for task in new), *changed)
        }
        remarks += [f"{format_day(day, self.now.date())} is over" for day in over if day]
        if any(write_gate.repeats_unsaid(task.details, message, dates) for task in new):
            remarks.append("You did not say “every”")
        if len(tasks) == 1 and any(_verb_of(each) is Verb.DELETE for each in ready):
            known = self.resolver.list_ids([tasks[0].id]).tasks
            remarks += [f"It repeats {task.repeat_words}" for task in known if task.repeat_words]
        unused = self._as_typed(unread)
        text = replies.offered(filter(None, map(self.intent, ready)), unused, remarks)
        kept = record.to_json(ready, self.resolver.quoted.shown)
        question = replace(self.resolver.question("offer"), offer=tuple(kept))
        return Problem(text, tasks, question)

    def _asks(self) -> bool:
        message = self.resolver.message.strip()
        said = self._message()
        if phrases.ASKS_FOR.match(said) or phrases.REQUESTS.fullmatch(message):
            return False
        last = phrases.PART.split(said)[-1] if phrases.PART.search(said) else ""
        return message.endswith("?") or bool(
            phrases.ASKS_LAST.fullmatch(last)
            or (phrases.QUESTION.match(said) and not phrases.ANY.match(said))
            or phrases.SEARCHES.match(said)
        )

    def _mentioned_by_question(self) -> list[TaskRequest]:
        """Return the question about the tasks that a message asks about in words of its own."""
        words = tokens(self._message())
        if not self._asks() or phrases.ABOUT_APP.match(self._message()):
            return []
        pool = self.resolver.pool(self._message(), "all")
        tasks, places = mentioned(words, pool)
        if not tasks:
            tasks, places = mentioned(words, pool, by_verb=True)
        rest = [word for at, word in enumerate(words) if at not in places]
        unread = [word for word in rest if not write_gate.is_function(word)]
        # Of a slip nobody can be sure here: the weather is no water.
        exact = {name for at in places for name in stems(words[at])}
        is_said = all(exact.intersection(stems(task.title)) for task in tasks)
        if not tasks or not is_said or len(unread) > _MAX_UNREAD:
            return []
        return [TaskRequest(Ask(Aspect.ONE, "it", is_guess=True), FoundTasks(tasks))]

    def _from_meaning(
        self, meant: Meaning, ready: list[TaskRequest] | Problem, guesses: Sequence[Add]
    ) -> list[TaskRequest] | Problem | None:
        """Return what a message says of tasks by their titles, if it says more than the rules."""
        adds = bool(guesses) or self._is_addition(ready)
        is_doubtful = adds or (bool(meant.unread) and not meant.is_linked)
        is_little = meant.share < _HALF or (is_doubtful and meant.share == _HALF)
        if meant.unread and len(meant.tasks) == 1:
            (task,) = meant.tasks.values()
            is_little = is_little or _is_another(guesses, task)
        if is_little or len(meant.unread) > _MAX_UNREAD_OFFERED:
            return None
        kind = ready.question.kind if isinstance(ready, Problem) and ready.question else ""
        if kind == "which" and not meant.is_sure:
            return None
        if not meant.changes and meant.unable and len(meant.unable) == 1:
            off = Change(Verb.UPDATE, "it", "cancelled")
            return self.question([TaskRequest(off, FoundTasks(meant.unable))], meant.unread)
        if not meant.changes:
            return Problem(replies.still_open(meant.undone), meant.undone) if meant.undone else None
        if meant.choice:
            question = self.resolver.question("which", self._message(), meant.choice)
            return Problem(replies.which(meant.choice), meant.choice, question)
        requests = meant.ready
        is_late = any(write_gate.goes_back(each, self.resolver.dates) for each in requests)
        is_sooner = phrases.POSTPONING.search(self.resolver.message) and any(
            write_gate.brings_forward(each, self.resolver.dates) for each in requests
        )
        if meant.is_sure and not (is_late or is_sooner):
            return requests
        offer = self.question(requests, meant.unread)
        task, days = offer.tasks[0], None
        if requests[0].details == "cancelled" and len(offer.tasks) == 1 and task.repeat_words:
            days = self.resolver.dates.stretch(" ".join(meant.left.get(task.id, ())))
        if days is not None:
            # `cancel the lesson on the 12th`, where the next one is on the 5th.
            offer = replace(offer, reply=replies.confirm_skip(task, days, self.now.date()))
        return offer

    def _message(self) -> str:
        return _bare(self.resolver.message)

    def _meant(self) -> Meaning | None:
        message = self._message()
        if phrases.ADDS_TO.match(self.resolver.message):
            # `and the plants`: what the turn before did is done to them too.
            message = f"and {message}"
        chosen = self.resolver.settled.get(folded(message))
        # What is done is reopened, and nothing else is said of it.
        scope = "all" if phrases.REOPENS.search(message) else ""
        return read_meaning(
            message,
            chosen or self.resolver.pool(message, scope),
            self.reader.changes,
            self.reader.dates,
            self.focus,
            self.before,
            self.resolver.shown,
        )

    def _adds_remark(self, ready: Sequence[TaskRequest]) -> bool:
        """Return True for a change beside a new task that nobody asked for, and that looks odd."""
        adds = [each.request for each in ready if isinstance(each.request, Add)]
        guesses = [add for add in adds if not add.is_explicit]
        changes = any(isinstance(each.request, Change) for each in ready)
        return changes and bool(write_gate.odd_titles(guesses, self.resolver.message))

    def _is_addition(self, ready: list[TaskRequest] | Problem) -> bool:
        """Return True where the message begins with what is to be done, or to be added."""
        message = self._message()
        return isinstance(ready, Problem) and (
            self.reader.additions.explicit(message) is not None
            or self.reader.additions.statement(message) is not None
        )

    def bare(self) -> str:
        """Return the message without the clauses that only tell why."""
        message = self.resolver.message
        return without_asides(message, self.resolver.pool(message), self.reader.changes)

    def _guessed(self, meant: Meaning | None) -> list[TaskRequest] | Problem | None:
        """Return the offer to add what has the shape of a task, or what was not understood."""
        message = self._message()
        if self._asks():
            return None
        if meant is None or meant.unread or meant.share < _HALF:
            add, is_plain = self._drafted(message)
            if add is not None:
                ready = [TaskRequest(add)]
                return ready if is_plain else self.question(ready)
        if meant is None:
            return None
        tasks = tuple(meant.tasks.values())
        return Problem(replies.unused(tasks, self._as_typed(meant.unread)), tasks, is_unread=True)

    def _as_typed(self, unread: Sequence[str]) -> Sequence[str]:
        """Return words as they stand in the message, each once; neighbours are one phrase."""
        left = {token for word in unread for token in tokens(word)}
        parts: list[list[str]] = []
        follows = False
        for typed in self.resolver.quoted.shown(self.resolver.message).split():
            own = left.intersection(tokens(typed))
            if own:
                left -= own
                if not follows:
                    parts.append([])
                parts[-1].append(typed.strip(",;:.!?()"))
            follows = bool(own) and typed[-1] not in ",;:.!?"
        return [" ".join(part) for part in parts] or unread

    def _drafted(self, message: str) -> tuple[Add | None, bool]:
        """Return what a message in free form is as new tasks, and whether nobody can doubt it."""
        additions = self.reader.additions
        drafted = draft(message, self.reader.changes)
        add = additions.candidate(message)
        is_plain = False
        if drafted is not None and (drafted.is_dated or drafted.dropped or add is None):
            tasks = tuple(map(additions.task, drafted.lines))
            add, is_plain = Add(tasks), drafted.is_plain
        if add is None or not all(task.title for task in add.tasks):
            return None, False
        return (None, False) if write_gate.odd_titles([add], message) else (add, is_plain)

    def _named_instead(self, add: Add) -> Problem | None:
        """Ask about a new task that may be one on the list."""
        task = add.tasks[0]
        again = self._named_again(task)
        if again is None:
            return None
        is_visit = again.begins_with_verb and self.reader.changes.has_time(task.details)
        if not again.is_whole or is_visit:
            return self.question([TaskRequest(add)])
        if not task.details:
            return None
        change = Change(Verb.UPDATE, "it", task.details)
        return self.question([TaskRequest(change, FoundTasks((again.task,)))])

    def _named_again(self, task: NewTask) -> NamedTask | None:
        return find_named_task(task.title, self.resolver.pool(task.title))

    def nearest(self, request: Change, problem: Problem) -> Problem:
        """Return the question whether the one task is meant that nearly fits."""
        near = replies.offered([self.intent(TaskRequest(request, FoundTasks(problem.tasks)))])
        said = stems(self.resolver.quoted.shown(request.tasks))
        if said and set(stems(problem.tasks[0].title)).issuperset(said):
            # All that was said is in its title.
            return replace(problem, reply=near)
        return replace(problem, reply=f"{problem.reply.partition(' Nothing changed.')[0]} {near}")

    def addition(self, tasks: Sequence[NewTask], same: Sequence[ShownTask] = ()) -> Problem:
        """Return the question whether to add tasks; `same` are on the list already."""
        text = replies.offered([self.intent(TaskRequest(Add(tuple(tasks))))])
        known = f"{replies.already(same)} " if same else ""
        return Problem(known + text, tuple(same), self.resolver.question("confirm"))

    def intent(self, ready: TaskRequest) -> str:
        """Return what a request would do, in words; empty for one that writes nothing."""
        match ready.request:
            case Add(tasks):
                wishes = [
                    replies.wish(
                        each.title,
                        # All tags of a new task are added ones.
                        self.read_details(each.details).replace("+@", "@"),
                        [" ".join(filter(None, row)) for row in each.subtasks],
                    )
                    for each in tasks
                ]
                return join_words(wishes, "and")
            case Change() as change:
                found = ready.found.tasks if ready.found else ()
                title = self.resolver.quoted.shown(change.title)
                details = ready.details
                if match := _WAITS.fullmatch(details):
                    others = self.resolver.list_ids(map(int, _NUMBER.findall(match[0]))).tasks
                    return replies.waiting(found, others)
                return replies.intent(change, found, self.read_details(details, found), title)
            case _:
                return ""

    def read_details(self, details: str, found: Sequence[ShownTask] = ()) -> str:
        """Return change words as a person reads them, `Thu 26 Nov 15:00`, for a single task."""
        known = self.resolver.index.find(f"all #{found[0].id}", 1).tasks if len(found) == 1 else ()
        task = known[0].task if known else None
        read = read_change_words(details, self.now, self.style, task=task)
        due = None if task or read.unknown or read.only_changes else read.fields_of().get("due")
        if due is not None and not read.schedule.repeat:
            # A time alone is one of the task's own day in a change, and today's in a new task.
            return ", ".join((format_when(due, self.now), *read.summary[1:]))
        return details if read.unknown else ", ".join(read.summary)


def _verb_of(ready: TaskRequest) -> Verb | None:
    return ready.request.verb if isinstance(ready.request, Change) else None


def _bare(text: str) -> str:
    return peeled(phrases.LEADING.sub("", text))


def _is_sure(ready: list[TaskRequest] | Problem, guesses: Sequence[Add]) -> bool:
    """Return True for requests that stand whatever is said of tasks by their titles.

    A question to which only new tasks led is none, nor is a list that nobody asked for.
    """
    if isinstance(ready, Problem):
        kind = ready.question.kind if ready.question else ""
        return not (
            ready.is_unread or kind in ("lacks", "which") or (kind == "confirm" and not ready.tasks)
        )
    return not guesses and not all(isinstance(each.request, Ask) for each in ready)


def _is_other_deed(guess: Add, ready: list[TaskRequest] | Problem) -> bool:
    """Return True for `call the vet at 9` beside the appointment *Vet*."""
    if isinstance(ready, Problem):
        return False
    verb = tokens(guess.tasks[0].title)[0]
    titles = [task.title for each in ready if each.found for task in each.found.tasks]
    is_deed = surely_verb(verb) and verb not in _CHANGING
    return is_deed and not any(same_deed(verb, name) for title in titles for name in stems(title))


def _is_another(guesses: Sequence[Add], task: ShownTask) -> bool:
    """Return True for a new title that shares less than half of its words with that of a task."""
    known = stems(task.title)
    new = [name for add in guesses for each in add.tasks for name in stems(each.title)]
    shared = [name for name in new if name in known or any(same_deed(name, each) for each in known)]
    return 2 * len(shared) < len(new)


def _guessed_additions(ready: Sequence[TaskRequest]) -> list[Add]:
    """Return the new tasks, where there is nothing else and nobody asked to add them."""
    adds = [each.request for each in ready if isinstance(each.request, Add)]
    is_guess = len(adds) == len(ready) and not any(add.is_explicit for add in adds)
    return adds if is_guess else []
