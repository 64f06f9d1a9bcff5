"""Prepare requests: find the tasks of each, or what stands in the way, before anything is done."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.answering.answers import answerable
from todo_tui.providers.offline.deciding.offers import Offers
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import ChangeReader
from todo_tui.providers.offline.language.filters import EXCEPT
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.reference_words import ByName, read_reference
from todo_tui.providers.offline.language.words import folded, peeled
from todo_tui.providers.offline.reading import command_rules, write_gate
from todo_tui.providers.offline.reading.reader import ClauseReadings
from todo_tui.providers.offline.reading.reference_resolver import Problem, Resolver
from todo_tui.providers.offline.reading.title_matching import find_exactly, stems
from todo_tui.providers.offline.requests import (
    MAX_UNASKED,
    Add,
    Ask,
    Aspect,
    Change,
    FixedAnswer,
    FoundTasks,
    MissingPart,
    Report,
    Request,
    TaskRequest,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask

_LONGEST_DAYS = 6
_PROJECT = regex(r"((the|my) )?((project|folder|list) \S+|\S+ (project|folder))")
"""A project itself, of which one may want to keep the tasks."""
_LABEL = re.compile(r"[#@]\S+")
_SCOPES = {Verb.REOPEN: "done"}
Attempt = list[TaskRequest] | Problem | None
"""A reading tried: what is ready, or what stands in the way; None where another may be meant."""


_SIGNS = re.compile(r"([#@!]\S+ ?)*")
"""Change words that set no date."""
_DEFINITE = regex(r"(the|my|our) ")
"""What a title begins with that is a task on the list."""


@dataclass(slots=True)
class Preparation:
    """Reads the steps of one message with the tasks that exist; writes nothing."""

    resolver: Resolver
    offers: Offers
    now: datetime
    style: DateStyle
    is_confirmed: bool
    """True if the person said yes to what the message asks for."""

    def ready(self, steps: Sequence[ClauseReadings]) -> list[TaskRequest] | Problem:
        """Return all requests with their tasks found."""
        unclear = [step for step in steps if not step.is_understood]
        clear = [step for step in steps if step.is_understood]
        if not steps or (
            unclear and all(isinstance(step.readings[0], FixedAnswer) for step in clear)
        ):
            return Problem(replies.DECLINED, is_unread=True)
        ready = self._prepared(clear)
        if not unclear:
            return ready
        if ready and not isinstance(ready, Problem):
            part = self.offers.partial(ready, [step.clause for step in unclear])
            if part is not None:
                return part
        return Problem(replies.partly(clear[0].clause, unclear[0].clause), is_unread=True)

    def _prepared(self, steps: Sequence[ClauseReadings]) -> list[TaskRequest] | Problem:
        ready: list[TaskRequest] = []
        for step in steps:
            prepared = self._prepare(step, ready, is_alone=len(steps) == 1)
            if isinstance(prepared, Problem):
                return prepared
            ready += prepared
        is_doubted = any(
            isinstance(add := each.request, Add) and not add.is_certain for each in ready
        )
        if is_doubted and len(steps) > 1 and not self.is_confirmed:
            return self.offers.question(ready)
        return ready

    def _prepare(
        self, step: ClauseReadings, before: list[TaskRequest], *, is_alone: bool
    ) -> list[TaskRequest] | Problem:
        """Return the first reading whose tasks are found, or the first problem."""
        problem: Problem | None = None
        for request in _preferred(step.readings):
            tried: Attempt = [TaskRequest(request)]
            match request:
                case Change() | Report():
                    tried = self._try_change(request, step, before, problem)
                case Add():
                    tried = self._try_addition(request, step, problem, is_alone=is_alone)
                case Ask():
                    tried = self._try_question(request, problem)
                case MissingPart():
                    tried = self._try_lacking(request, problem)
            if isinstance(tried, list):
                return tried
            problem = tried or problem
            if problem and problem.is_final:
                break
        return problem or Problem(replies.DECLINED, is_unread=True)

    def _try_change(
        self,
        request: Change | Report,
        step: ClauseReadings,
        before: list[TaskRequest],
        problem: Problem | None,
    ) -> Attempt:
        if self._merged(request, before):
            return []
        if isinstance(request, Change) and _points_at_addition(request, before):
            return Problem(replies.TAKEN_BACK if request.closes else replies.WHICH_TASK)
        ready = self._find(request)
        is_guess = isinstance(request, Change) and request.is_guess
        if isinstance(ready, TaskRequest):
            if is_guess and ready.found and ready.found.is_bulk:
                # `baby due this week` asks for the tasks of the project.
                return [TaskRequest(Ask(Aspect.LIST, step.clause))]
            if closed := self._closed(ready, before):
                return closed
            if ready.found is not None:
                self.resolver.focus = ready.found.tasks
            return [] if any(each == ready or _same(each, ready) for each in before) else [ready]
        if (
            ready.is_unread
            and ready.question
            and len(ready.tasks) == 1
            and not write_gate.denies(step.clause)
            and not (change := _change_of(request)).other
        ):
            ready = self.offers.nearest(change, ready)
        if is_guess:
            return None
        # A question that says what would change was read whole.
        return ready if ready.kind == "confirm" else problem or ready

    def _closed(self, ready: TaskRequest, before: Sequence[TaskRequest]) -> Problem | None:
        """Return that tasks to complete are closed already, unless the message reopens them."""
        change, found = ready.request, ready.found
        if not isinstance(change, Change) or change.verb is not Verb.COMPLETE or not found:
            return None
        ids = {task.id for task in found.tasks}
        if found.filter or any(
            each.found and ids.intersection(task.id for task in each.found.tasks) for each in before
        ):
            return None
        tasks = self.resolver.list_ids(ids).tasks or found.tasks
        is_closed = not any(task.is_open for task in tasks)
        return replace(self.resolver.closed(tasks), is_unread=False) if is_closed else None

    def _try_addition(
        self, add: Add, step: ClauseReadings, problem: Problem | None, *, is_alone: bool
    ) -> Attempt:
        reads_as_command = any(isinstance(each, Change | Report | Ask) for each in step.readings)
        if problem and not add.is_explicit and reads_as_command:
            may_be_task = bool(phrases.DOUBLE.match(step.clause)) or not command_rules.is_command(
                step.clause
            )
            if problem.question or not add.tasks[0].details or not may_be_task:
                return None
            if not self.is_confirmed:
                # `check on the dog in three days`, where no task is near to that
                is_new = not problem.tasks and phrases.DOUBLE.match(step.clause)
                return [TaskRequest(add)] if is_new else self.offers.addition(add.tasks)
        if not self._applies(add):
            return None
        says_subtask = (
            "subtask" in step.clause.lower()
            and add.is_explicit
            and not (add.known or add.tasks[0].subtasks)
        )
        if add.under or says_subtask:
            return self._try_subtasks(add)
        if add.known:
            add = add.with_details(f"#{add.known}")
        if (known := self._definite(add)) is not None:
            return [known]
        if not add.is_explicit and not self.is_confirmed and (offer := self._on_list(add)):
            return offer
        if add.is_certain or self.is_confirmed or not (is_alone or problem):
            return [TaskRequest(add)]
        return problem or self.offers.addition(add.tasks)

    def _definite(self, add: Add) -> TaskRequest | None:
        """Return the change of a task on the list: `the haircut on tuesday`, `milk to #shop`."""
        task, *others = add.tasks
        is_meant = _DEFINITE.match(task.title) or _LABEL.fullmatch(task.details)
        if others or not (task.details and is_meant) or task.notes or task.subtasks:
            return None
        same = find_exactly(task.title, self.resolver.list("").tasks)
        change = Change(Verb.UPDATE, "it", task.details)
        return TaskRequest(change, FoundTasks(same)) if len(same) == 1 else None

    def _on_list(self, add: Add) -> Problem | None:
        """Return the question about a new task that is on the list already."""
        same = find_exactly(add.tasks[0].title, self.resolver.list("").tasks)
        if not same or len(add.tasks) > 1:
            return None
        details = add.tasks[0].details
        # With a date it is what the task on the list gets.
        return replace(self.offers.addition(add.tasks, same), is_unread=bool(details))

    def _applies(self, add: Add) -> bool:
        """Return False for an addition to a project, a tag or a task that does not exist."""
        if add.is_guess:
            open_tasks = self.resolver.list("").tasks
            return bool(find_exactly(self.resolver.quoted.shown(add.under), open_tasks))
        labels = (*(f"@{tag}" for tag in add.tags), *([f"#{add.known}"] if add.known else []))
        return all(self.resolver.list(f"all {label}").tasks for label in labels)

    def _try_subtasks(self, add: Add) -> Attempt:
        parent = self.resolver.resolve(add.under or "it")
        if isinstance(parent, Problem):
            return parent
        if len(parent.tasks) != 1:
            return Problem(replies.WHICH_TASK)
        below = add.with_details(f"under #{parent.tasks[0].id}")
        return [TaskRequest(replace(below, under="", is_guess=False), parent)]

    def _try_question(self, ask: Ask, problem: Problem | None) -> Attempt:
        if ask.aspect not in (Aspect.ONE, Aspect.DONE, Aspect.BLOCKED, Aspect.BELOW):
            return [TaskRequest(ask)] if answerable(ask, self.resolver) else None
        scope = "done" if ask.aspect is Aspect.DONE else ""
        found = self.resolver.resolve(ask.tasks, scope)
        if isinstance(found, FoundTasks) and found.is_everything:
            return None
        if isinstance(found, FoundTasks):
            return [TaskRequest(ask, found)]
        if found.is_final:
            return [TaskRequest(ask, FoundTasks(found.tasks))]
        if found.tasks and all(task.in_trash for task in found.tasks):
            return replace(found, is_guess=True)
        near = replies.nearest(self.resolver.quoted.shown(ask.tasks), found.tasks)
        text = near if found.tasks else replies.DECLINED
        return problem or Problem(text, found.tasks, is_unread=not found.tasks, is_guess=True)

    def _try_lacking(self, lacks: MissingPart, problem: Problem | None) -> Attempt:
        resolver = self.resolver
        named = resolver.resolve(lacks.tasks) if lacks.tasks else FoundTasks(())
        if not isinstance(named, FoundTasks) or (problem and not lacks.tasks):
            return None
        question = Question("lacks", resolver.quoted.kept(lacks.template))
        return Problem(resolver.quoted.shown(lacks.question), question=question)

    def _merged(self, request: Request, before: list[TaskRequest]) -> bool:
        """Work `make it high priority` into the task that the same message adds or changes."""
        changes = ChangeReader(self.now, self.style)
        match before[-1:], request:
            case [TaskRequest(Change(Verb.UPDATE) as change) as last], Change() if _is_further(
                request, change, changes
            ):
                both = changes.replaced(change.details, request.details)
                before[-1] = replace(last, request=replace(change, details=both))
                return True
            case [TaskRequest(Add() as add)], Change(Verb.UPDATE, details=details) if (
                details and not request.other
            ):
                if request.known and not self.resolver.list(f"all #{request.known}").tasks:
                    return False
                if _points_at_addition(request, before) and not request.closes:
                    tasks = tuple(
                        replace(task, details=changes.replaced(task.details, details))
                        for task in add.tasks
                    )
                    before[-1] = TaskRequest(replace(add, tasks=tasks))
                    return True
        return False

    def _find(self, request: Change | Report) -> TaskRequest | Problem:
        if isinstance(request, Report):
            return self._find_reported(request)
        found = self._named(request)
        if isinstance(found, Problem):
            return found
        other = self.resolver.resolve(request.other) if request.other else None
        if isinstance(other, Problem):
            is_blocker = request.details == "after {other}" and not found.is_bulk
            is_unknown = other.is_unread and not other.tasks
            # `the gym is after lunch`
            moment = ChangeReader(self.now, self.style).words(
                phrases.in_order(f"after {request.other}")
            )
            is_moment = moment or self.resolver.dates.is_stretch(request.other)
            if is_blocker and is_unknown and not is_moment:
                words = self.resolver.quoted.shown(request.other)
                return Problem(replies.no_blocker(words, found.tasks), found.tasks)
            return other
        known = map(str.casefold, self.resolver.index.projects())
        if (
            request.details == "under {other}"
            and other is not None
            and (other.is_bulk or request.other.casefold() in known)
        ):
            # A project of that name is no task.
            return Problem(replies.WHICH_TASK)
        ends_tree = "under" in request.details or request.details == "no parent"
        if found.roots and (request.verb is Verb.DELETE or ends_tree):
            found = FoundTasks(found.roots)
        if other is not None and found.is_bulk and not found.filter:
            ids = {task.id for task in other.tasks}
            found = replace(found, tasks=tuple(task for task in found.tasks if task.id not in ids))
        asks = request.details == "after {other}" and not self.is_confirmed
        if asks and other and _is_slip(request.other, other, self.resolver):
            return self.offers.question([TaskRequest(request, found, other)])
        problem = self._unfit(request, found, other)
        if problem is None and not self.is_confirmed:
            problem = self._doubt(request, found)
        return problem or TaskRequest(request, found, other)

    def _find_reported(self, report: Report) -> TaskRequest | Problem:
        """Find the task that a report completes, or reopens where it was not done after all."""
        resolver = self.resolver
        if report.is_undone:
            done = resolver.resolve_report(report.verb, report.object, "done")
            if isinstance(done, FoundTasks):
                return TaskRequest(Change(Verb.REOPEN, report.object), done)
            still = resolver.resolve_report(report.verb, report.object)
            return TaskRequest(
                FixedAnswer("nothing"), still if isinstance(still, FoundTasks) else None
            )
        found = resolver.resolve_report(report.verb, report.object)
        if isinstance(found, Problem):
            return found
        request = Change(Verb.COMPLETE, report.object)
        problem = None if self.is_confirmed else self._doubt(request, found)
        if not (problem or report.is_certain or self.is_confirmed):
            return self.offers.question([TaskRequest(request, found)])
        return problem or TaskRequest(request, found)

    def _unfit(
        self, request: Change, found: FoundTasks, other: FoundTasks | None
    ) -> Problem | None:
        resolver = self.resolver
        if request.known:
            used = resolver.list(f"all #{request.known.lstrip('#')}")
            if not used.tasks:
                return Problem(replies.no_project(resolver.quoted.shown(request.known)))
        if not (request.ends_link or request.details == "skip"):
            return None
        tasks = resolver.list_ids(task.id for task in found.tasks).tasks
        if request.details == "skip":
            single = tuple(task for task in tasks if not task.repeat_words)
            return Problem(replies.not_recurring(single), single) if single else None
        ids = {task.id for task in other.tasks} if other else set()
        is_parent = "parent" in request.details
        if request.verb is Verb.DELETE:
            is_group = other is not None and other.is_bulk and not found.is_bulk
            loose = [task for task in tasks if not is_group or task.id not in ids]
        else:
            loose = [
                task
                for task in tasks
                if not ids & ({task.parent} if is_parent else set(task.blocked_by))
            ]
        if loose and other:
            return Problem(replies.not_linked(loose, other.tasks, is_parent=is_parent))
        return None

    def _named(self, request: Change) -> FoundTasks | Problem:
        """Return the tasks that a change names."""
        scope = request.scope or _SCOPES.get(request.verb, "")
        found = self.resolver.resolve(request.tasks, scope)
        return self._moved(request, found) if isinstance(found, FoundTasks) else found

    def _moved(self, request: Change, found: FoundTasks) -> FoundTasks | Problem:
        """Return the tasks that a change of dates is about, without those that it can't mean.

        A shift needs a date, and what is put off does not come earlier.
        """
        shifts = bool(phrases.SHIFT.fullmatch(request.details))
        due = None if shifts else ChangeReader(self.now, self.style).due(request.details)
        postpones = due is not None and phrases.POSTPONING.search(self.resolver.message)
        if not (shifts and found.is_bulk) and not postpones:
            return found
        if found.filter:
            bound = f"not due.after:{due.day}" if due else "has:due"
            words = f"({found.filter}) {bound}"
            page = self.resolver.list(words)
            fits, count = page.tasks, page.total
        else:
            tasks = self.resolver.list_ids(task.id for task in found.tasks).tasks
            ids = {
                task.id
                for task in tasks
                if (not (task.due and task.due.day > due.day) if due else task.due)
            }
            words, fits = "", tuple(task for task in found.tasks if task.id in ids)
            count = len(fits)
        left = found.count - count
        if not left:
            return found
        when = format_when(replace(due, at=None), self.now) if due else ""
        if not count and due and not self.is_confirmed:
            text = replies.confirm_earlier(self.resolver.list_ids(
                task.id for task in found.tasks).tasks, when)  # fmt: skip
            return Problem(text, found.tasks, self.resolver.question("confirm"))
        if not count:
            return found
        stays = replies.stays(left, when)
        return replace(found, tasks=fits, total=count, filter=words, stays=stays)

    def _doubt(self, request: Change, found: FoundTasks) -> Problem | None:
        resolver = self.resolver
        is_bounded = request.verb is Verb.UPDATE and EXCEPT.search(request.tasks)
        is_project = request.verb is Verb.DELETE and bool(_PROJECT.fullmatch(request.tasks))
        is_grave = found.is_everything and request.verb is not Verb.REOPEN and not is_bounded
        is_grave = is_grave or is_project
        if is_grave or (found.is_bulk and found.count > MAX_UNASKED and request.closes):
            details = self.offers.read_details(request.details)
            text = replies.confirm(request, details, found)
            return Problem(text, found.tasks, resolver.question("confirm"))
        if request.details == "skip" and (said := _days_named(resolver)):
            days, (task, *more) = resolver.dates.stretch(said), found.tasks
            is_then = task.due and days and days.first <= task.due.day <= days.last
            if days and not (more or is_then):
                text = replies.confirm_skip(task, days, self.now.date())
                return Problem(text, (task,), resolver.question("confirm"))
        if request.verb is not Verb.COMPLETE or found.filter:
            return None
        known = {task.id for task in found.tasks}
        below: dict[int, ShownTask] = {}
        for task in found.tasks:
            if task.below:
                listed = resolver.list(f"under:{task.id}")
                below |= {each.id: each for each in listed.tasks if each.id not in known}
        return self.with_subtasks(request, found.tasks, tuple(below.values())) if below else None

    def with_subtasks(
        self, request: Change, tasks: tuple[ShownTask, ...], below: tuple[ShownTask, ...]
    ) -> Problem:
        """Return the question whether open subtasks are completed too."""
        words = folded(self.resolver.quoted.shown(request.tasks))
        question = self.resolver.question("confirm", settled={words: (*tasks, *below)})
        return Problem(replies.confirm_subtasks(tasks, below), tasks, question)


def _is_slip(words: str, other: FoundTasks, resolver: Resolver) -> bool:
    """Return True for a blocker that has none of the words: weather is no *Water plants*."""
    said = resolver.quoted.shown(words)
    if not isinstance(read_reference(said, resolver.dates), ByName):
        return False
    titles = [name for task in other.tasks for name in stems(task.title)]
    return not any(
        word.startswith(name) or name.startswith(word) for word in stems(said) for name in titles
    )


def _days_named(resolver: Resolver) -> str:
    """Return the days of `skip yoga on friday` or `skip friday's yoga`; empty if it names none."""
    words = peeled(resolver.message).split()
    ends = [" ".join(words[at:]) for at in range(max(1, len(words) - _LONGEST_DAYS), len(words))]
    owning = [word[:-2] for word in words if word.endswith(("'s", "’s"))]
    return next(filter(resolver.dates.is_stretch, (*ends, *owning)), "")


def _change_of(request: Change | Report) -> Change:
    return Change(Verb.COMPLETE, request.object) if isinstance(request, Report) else request


def _is_further(request: Change, before: Change, changes: ChangeReader) -> bool:
    """Return True for one more value of the tasks changed before: `…, and make it high`."""
    is_plain = request == Change(Verb.UPDATE, request.tasks, request.details)
    is_day = changes.is_date(request.details) and not _SIGNS.fullmatch(before.details)
    takes_off = request.details.startswith(("-", "no "))
    closes = before.closes or request.closes
    is_same = phrases.POINTING.fullmatch(request.tasks)
    return bool(is_same) and is_plain and not (closes or takes_off or is_day)


def _points_at_addition(request: Change, before: Sequence[TaskRequest]) -> bool:
    """Return True for `it` right after a task that the same message adds."""
    is_added = bool(before) and isinstance(before[-1].request, Add)
    return is_added and bool(phrases.POINTING.fullmatch(request.tasks))


def _preferred(readings: Sequence[Request]) -> list[Request]:
    """Order readings so that a new title is short: `rename write to bob to email bob`."""
    titled = [each for each in readings if isinstance(each, Change) and each.title]
    titled.sort(key=lambda each: (not phrases.POINTING.fullmatch(each.tasks), -len(each.tasks)))
    others = [each for each in readings if each not in titled]
    return [*titled, *others] if readings and readings[0] in titled else [*others, *titled]


def _same(one: TaskRequest, other: TaskRequest) -> bool:
    """Return True for the same change of the same tasks, said twice."""
    match one, other:
        case TaskRequest(Change() as change, FoundTasks(tasks)), TaskRequest(
            Change() as last, FoundTasks(those)
        ):
            is_same = replace(change, tasks=last.tasks) == last
            return is_same and {task.id for task in tasks} == {task.id for task in those}
    return False
