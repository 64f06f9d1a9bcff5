"""Carry out a message: resolve all its requests first, then run the tools, then reply.

A message whose requests are not all understood and resolved changes nothing.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.task import JsonValue
from todo_tui.domain.task_index import TaskIndex
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import gate, phrases, quotations, record, replies, rules
from todo_tui.providers.offline.answers import answer, answerable
from todo_tui.providers.offline.changes import ChangeReader
from todo_tui.providers.offline.continuations import continued, edited, filled, in_same_week
from todo_tui.providers.offline.dialogue import (
    Dialogue,
    Question,
    Reply,
    read_answer,
)
from todo_tui.providers.offline.filters import EXCEPT
from todo_tui.providers.offline.offers import Offers
from todo_tui.providers.offline.planner import Planner
from todo_tui.providers.offline.reader import Reader, Step, reader_of
from todo_tui.providers.offline.references import find_exactly
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    Found,
    Lacks,
    NewTask,
    Ready,
    Report,
    Request,
    Say,
    Undo,
    Verb,
)
from todo_tui.providers.offline.resolver import Problem, Resolver
from todo_tui.providers.offline.tool_results import Call, Plan, Seen
from todo_tui.providers.offline.words import folded, peeled

_FEW_WORDS = 4
_MOST_UNASKED = 5
"""Tasks that one request completes or deletes without a question."""
_SCOPES = {Verb.REOPEN: "done"}
_CHANGEABLE = (
    *("title", "status", "in_trash", "priority", "project", "due", "tags", "blocked_by"),
    *("parent", "repeat_words"),
)
"""Fields that may not be led back to their first value by a later part of a message."""


Tried = list[Ready] | Problem | None
"""A reading tried: what is ready, or what stands in the way; None where another may be meant."""


class Executor:
    """Answers one message."""

    _resolver: Resolver
    _offers: Offers

    def __init__(
        self, dialogue: Dialogue, index: TaskIndex, *, has_documents: bool = False
    ) -> None:
        self._index = index
        context = dialogue.context
        self._now = context.now if context else datetime.now()
        self._style = context.date_style if context else DateStyle()
        self._dialogue = dialogue
        self._selection = tuple(Seen(*pair) for pair in context.selection) if context else ()
        self._has_documents = has_documents
        self.reply = Reply()
        self._is_confirmed = False

    def respond(self) -> Plan[None]:
        """Answer the message; yields the tool calls of each round."""
        planner = Planner(self._dialogue, self.reply, self._now, self._style)
        if not (yield from planner.answered()):
            yield from self._respond()

    def _respond(self) -> Plan[None]:
        """Answer a message that is about no plan."""
        text, question = self._dialogue.text, self._dialogue.question
        settled: dict[str, tuple[Seen, ...]] = {}
        reader = reader_of(text, self._now, self._style)
        made: list[Ready] = []
        if question is None:
            meant = continued(self._dialogue, reader)
            text, made = (text, meant) if isinstance(meant, list) else (meant, [])
        else:
            answered = read_answer(text, question, self._dialogue.question_age, reader.dates)
            if answered is False:
                self.reply.say(replies.NOTHING_CHANGED)
                return
            if answered is not None:
                text, settled = question.message, dict(question.settled)
                self.reply.is_approved = True
            elif question.kind == "lacks" and self._dialogue.question_age == 0:
                text = filled(self._dialogue, reader, question.message)
            elif answered is None:
                made = edited(self._dialogue, reader)
            if isinstance(answered, tuple):
                settled[folded(question.words)] = answered
            self._is_confirmed = answered is True or (bool(answered) and question.kind == "near")
        reader = reader_of(text, self._now, self._style)
        self._resolver = Resolver(
            text,
            self._index,
            reader.dates,
            reader.quoted,
            self._dialogue.focus,
            self._selection,
            settled,
        )
        if self._is_confirmed and question is not None and question.offer:
            made = list(record.from_json(list(question.offer)))
        self._offers = Offers(self._resolver, reader, self._now, self._style)
        if made:
            yield from self._do(made)
        else:
            yield from self._carry_out(reader)
        if self._has_documents and self.reply.is_unanswered:
            yield from self._quote_documents(reader)

    def _quote_documents(self, reader: Reader) -> Plan[None]:
        """Answer from documents instead, if the message is a question that they answer."""
        text = self._dialogue.text
        if quotations.is_question(reader, text) and (
            answered := (yield from quotations.quote(text))
        ):
            self.reply = Reply()
            self.reply.say(answered)

    def _carry_out(self, reader: Reader) -> Plan[None]:
        """Find the reading of the message in which all requests can be done, and do them."""
        resolver, focus = self._resolver, self._resolver.focus
        request = self._more_of_it(reader)
        steps = (Step(resolver.message, (request,)),) if request else reader.read()
        ready = self._ready(steps)
        if isinstance(ready, Problem) and not request and not _adds_and_commands(steps):
            whole = reader.read(splits=False)
            if len(whole) != len(steps):
                resolver.focus, problem = focus, ready
                ready = self._ready(whole)
                ready = problem if isinstance(ready, Problem) else ready
        if not self._is_confirmed:
            ready = self._offers.passed(ready)
        if not isinstance(ready, Problem) and self._takes_back(ready):
            ready = Problem(replies.TAKEN_BACK)
        if isinstance(ready, Problem):
            self._say_problem(ready)
            return
        self.reply.template = self._template(ready)
        yield from self._do(ready)

    def _more_of_it(self, reader: Reader) -> Change | None:
        """Return what is said of the task that the turn before added or changed, or spoke of."""
        said = self._resolver.message.strip(" .!")
        more = phrases.CORRECTING.sub("", said)
        value = phrases.BE_IT.sub("", peeled(re.sub(r" (?:instead|please|then)$", "", more)))
        more = phrases.GIVE_ME.sub("", value)
        if more.isdigit() and more != said:
            # `make that 6` is no task number.
            more = f"at {more}"
        asks_for_it = more != value and len(self._resolver.focus) == 1
        change = reader.changes.words(more)
        if change and (self._dialogue.wrote or asks_for_it):
            change = in_same_week(more, self._dialogue, reader) or change
            return Change(Verb.UPDATE, "them", change)
        if self._dialogue.wrote and (named := phrases.IN_PROJECT.fullmatch(more)):
            return Change(Verb.UPDATE, "them", f"#{named['name']}", known=named["name"])
        return None

    def _do(self, ready: Sequence[Ready]) -> Plan[None]:
        """Carry requests out, and keep a record of them."""
        ready = self._offers.settled(ready)
        self.reply.did = record.to_json(ready, self._resolver.quoted.shown)
        for each in _series_ends_first(ready):
            yield from self._run(each)

    def _say_problem(self, problem: Problem) -> None:
        if problem.is_unread and not (problem.tasks or problem.question) and self._about_app():
            return
        self.reply.say(problem.reply, problem.tasks)
        self.reply.question = problem.question
        kind = problem.question.kind if problem.question else ""
        self.reply.is_unanswered = (
            problem.is_guess
            or kind == "near"
            or (kind in ("", "confirm", "offer") and not problem.tasks)
        )

    def _about_app(self) -> bool:
        """Answer a question about the app; return False for any other message."""
        message = peeled(self._resolver.message)
        if not phrases.ABOUT_APP.match(message):
            return False
        text = replies.help_text(message)
        is_wide = bool(phrases.WHAT_IT_CAN.fullmatch(message))
        if text == replies.HELP and not is_wide:
            return False
        self.reply.say(text)
        # Documents may be what a question with such a word is about.
        self.reply.is_unanswered = not is_wide
        return True

    def _template(self, ready: Sequence[Ready]) -> str:
        """Return the message with `{}` in place of the tasks of its one request."""
        if len(ready) != 1:
            return ""
        match ready[0].request:
            case Add(is_explicit=True):
                return "add {}"
            case Change(tasks=words) | Report(object=words) if words:
                message = self._resolver.message
                before, found, after = message.partition(words)
                return f"{before}{{}}{after}" if found and "{" not in message else ""
            case _:
                return ""

    def _ready(self, steps: Sequence[Step]) -> list[Ready] | Problem:
        """Return all requests with their tasks found."""
        unclear = [step for step in steps if not step.is_understood]
        clear = [step for step in steps if step.is_understood]
        if not steps or (unclear and all(isinstance(step.readings[0], Say) for step in clear)):
            return Problem(replies.DECLINED, is_unread=True)
        ready = self._prepared(clear)
        if not unclear:
            return ready
        if ready and not isinstance(ready, Problem):
            part = self._offers.partial(ready, [step.clause for step in unclear])
            if part is not None:
                return part
        return Problem(replies.partly(clear[0].clause, unclear[0].clause), is_unread=True)

    def _prepared(self, steps: Sequence[Step]) -> list[Ready] | Problem:
        ready: list[Ready] = []
        for step in steps:
            prepared = self._prepare(step, ready)
            if isinstance(prepared, Problem):
                return prepared
            ready += prepared
        return ready

    def _prepare(self, step: Step, before: list[Ready]) -> list[Ready] | Problem:
        """Return the first reading whose tasks are found, or the first problem."""
        problem: Problem | None = None
        for request in _preferred(step.readings):
            tried: Tried = [Ready(request)]
            match request:
                case Change() | Report():
                    tried = self._try_change(request, step, before, problem)
                case Add():
                    tried = self._try_addition(request, step, problem)
                case Ask():
                    tried = self._try_question(request, problem)
                case Lacks():
                    tried = self._try_lacking(request, problem)
            if isinstance(tried, list):
                return tried
            problem = tried or problem
            if problem and problem.is_final:
                break
        return problem or Problem(replies.DECLINED, is_unread=True)

    def _try_change(
        self, request: Change | Report, step: Step, before: list[Ready], problem: Problem | None
    ) -> Tried:
        if self._merged(request, before):
            return []
        if isinstance(request, Change) and _points_at_addition(request, before):
            return Problem(replies.TAKEN_BACK if _removes(request) else replies.WHICH_TASK)
        ready = self._find(request)
        if isinstance(ready, Ready):
            if ready.found is not None:
                self._resolver.focus = ready.found.tasks
            return [] if any(each == ready or _same(each, ready) for each in before) else [ready]
        if ready.is_unread and len(ready.tasks) == 1 and not gate.denies(step.clause):
            ready = self._offers.nearest(_change_of(request), ready)
        return None if isinstance(request, Change) and request.is_guess else problem or ready

    def _try_addition(self, add: Add, step: Step, problem: Problem | None) -> Tried:
        reads_as_command = any(isinstance(each, Change | Report | Ask) for each in step.readings)
        if problem and not add.is_explicit and reads_as_command:
            may_be_task = bool(phrases.DOUBLE.match(step.clause)) or not rules.is_command(
                step.clause
            )
            if problem.question or not add.tasks[0].details or not may_be_task:
                return None
            if not self._is_confirmed:
                return self._offers.addition(add.tasks)
        if not self._applies(add):
            return None
        says_subtask = "subtask" in step.clause.lower() and add.is_explicit and not add.known
        if add.under or says_subtask:
            return self._try_subtasks(add)
        if add.known:
            add = add.with_details(f"#{add.known}")
        if not add.is_explicit and not self._is_confirmed and len(add.tasks) == 1:
            open_tasks = self._resolver.list("").tasks
            if same := find_exactly(add.tasks[0].title, open_tasks):
                return self._offers.addition(add.tasks, same)
        if add.is_certain or self._is_confirmed:
            return [Ready(add)]
        return problem or self._offers.addition(add.tasks)

    def _applies(self, add: Add) -> bool:
        """Return False for an addition to a project or below a task that does not exist."""
        if add.is_guess:
            open_tasks = self._resolver.list("").tasks
            return bool(find_exactly(self._resolver.quoted.shown(add.under), open_tasks))
        return not add.known or bool(self._resolver.list(f"all #{add.known}").tasks)

    def _try_subtasks(self, add: Add) -> Tried:
        parent = self._resolver.resolve(add.under or "it")
        if isinstance(parent, Problem):
            return parent
        if len(parent.tasks) != 1:
            return Problem(replies.WHICH_TASK)
        below = add.with_details(f"under #{parent.tasks[0].id}")
        return [Ready(replace(below, under="", is_guess=False), parent)]

    def _try_question(self, ask: Ask, problem: Problem | None) -> Tried:
        if ask.aspect not in (Aspect.ONE, Aspect.DONE, Aspect.BLOCKED, Aspect.BELOW):
            return [Ready(ask)] if answerable(ask, self._resolver) else None
        scope = "done" if ask.aspect is Aspect.DONE else ""
        found = self._resolver.resolve(ask.tasks, scope)
        if isinstance(found, Found) and found.is_everything:
            return None
        if isinstance(found, Found):
            return [Ready(ask, found)]
        if found.is_final:
            return [Ready(ask, Found(found.tasks))]
        near = replies.nearest(self._resolver.quoted.shown(ask.tasks), found.tasks)
        text = near if found.tasks else replies.DECLINED
        return problem or Problem(text, found.tasks, is_unread=not found.tasks, is_guess=True)

    def _try_lacking(self, lacks: Lacks, problem: Problem | None) -> Tried:
        resolver = self._resolver
        named = resolver.resolve(lacks.tasks) if lacks.tasks else Found(())
        if not isinstance(named, Found) or (problem and not lacks.tasks):
            return None
        question = Question("lacks", resolver.quoted.kept(lacks.template))
        return Problem(resolver.quoted.shown(lacks.question), question=question)

    def _merged(self, request: Request, before: list[Ready]) -> bool:
        """Work `make it high priority` into the task that the same message adds."""
        match before[-1:], request:
            case [Ready(Add() as add)], Change(Verb.UPDATE, details=details) if details:
                if _points_at_addition(request, before) and not _removes(request):
                    changes = ChangeReader(self._now, self._style)
                    tasks = tuple(
                        replace(task, details=changes.replaced(task.details, details))
                        for task in add.tasks
                    )
                    before[-1] = Ready(replace(add, tasks=tasks))
                    return True
        return False

    def _takes_back(self, ready: Sequence[Ready]) -> bool:
        """Return True if a request undoes an earlier one, or leads a task back to what it was."""
        wrote = undid = False
        was: dict[int, Seen] = {}
        now: dict[int, Seen] = {}
        added: set[str] = set()
        for each in ready:
            match each.request:
                case Undo(redo):
                    if undid if redo else wrote:
                        return True
                    undid = True
                case Add(tasks):
                    wrote = True
                    added |= {folded(task.title) for task in tasks}
                case Change(verb) as change:
                    wrote = True
                    for task in each.found.tasks if each.found else ():
                        if verb is Verb.DELETE and folded(task.title) in added:
                            return True
                        first = was.setdefault(task.id, task)
                        before = now.get(task.id, first)
                        if before.in_trash > first.in_trash and verb is not Verb.REOPEN:
                            return True
                        now[task.id] = after = self._after(change, before, each.other)
                        if any(
                            getattr(after, name) == getattr(first, name) != getattr(before, name)
                            for name in _CHANGEABLE
                        ):
                            return True
        return False

    def _after(self, change: Change, task: Seen, other: Found | None) -> Seen:
        """Return the task as a change leaves it, in the fields of _CHANGEABLE."""
        match change.verb:
            case Verb.COMPLETE:
                return replace(task, status="done")
            case Verb.REOPEN:
                return replace(task, status="todo", in_trash=False)
            case Verb.DELETE:
                return replace(task, in_trash=True)
        words = read_change_words(Ready(change, None, other).details, self._now, self._style)
        fields = words.fields
        with suppress(DateNotUnderstood):  # A date that is relative to the task's own.
            fields = words.fields_of()
        tags = {*fields.get("tags", task.tags), *words.add_tags}.difference(words.remove_tags)
        blockers = {*fields.get("blocked_by", task.blocked_by), *words.add_blockers}
        return replace(
            task,
            title=self._resolver.quoted.shown(change.title) or task.title,
            status=fields.get("status", task.status),
            priority=fields.get("priority", task.priority) or "",
            project=fields.get("project", task.project) or "",
            due=fields.get("due", task.due),
            tags=tuple(sorted(tags)),
            blocked_by=tuple(sorted(blockers.difference(words.remove_blockers))),
            parent=fields.get("parent", task.parent) or 0,
            repeat_words=fields.get("recurrence", task.repeat_words) or "",
        )

    def _find(self, request: Change | Report) -> Ready | Problem:
        if isinstance(request, Report):
            return self._find_reported(request)
        scope = request.scope or _SCOPES.get(request.verb, "")
        found = self._resolver.resolve(request.tasks, scope)
        if isinstance(found, Problem):
            return found
        other = self._resolver.resolve(request.other) if request.other else None
        if isinstance(other, Problem):
            return other
        if other is not None and other.is_bulk and request.details == "under {other}":
            # A project of that name is no task.
            return Problem(replies.WHICH_TASK)
        ends_tree = "under" in request.details or request.details == "no parent"
        if found.roots and (request.verb is Verb.DELETE or ends_tree):
            found = Found(found.roots)
        if other is not None and found.is_bulk and not found.filter:
            ids = {task.id for task in other.tasks}
            found = replace(found, tasks=tuple(task for task in found.tasks if task.id not in ids))
        problem = self._unfit(request, found, other)
        if problem is None and not self._is_confirmed:
            problem = self._doubt(request, found)
        return problem or Ready(request, found, other)

    def _find_reported(self, report: Report) -> Ready | Problem:
        """Find the task that a report completes, or reopens where it was not done after all."""
        resolver = self._resolver
        if report.is_undone:
            done = resolver.resolve_report(report.verb, report.object, "done")
            if isinstance(done, Found):
                return Ready(Change(Verb.REOPEN, report.object), done)
            still = resolver.resolve_report(report.verb, report.object)
            return Ready(Say("nothing"), still if isinstance(still, Found) else None)
        found = resolver.resolve_report(report.verb, report.object)
        if isinstance(found, Problem):
            return found
        request = Change(Verb.COMPLETE, report.object)
        problem = None if self._is_confirmed else self._doubt(request, found)
        if not (problem or report.is_certain or self._is_confirmed):
            text = replies.confirm_one(request.verb, found.tasks)
            problem = Problem(text, found.tasks, resolver.question("confirm"))
        return problem or Ready(request, found)

    def _unfit(self, request: Change, found: Found, other: Found | None) -> Problem | None:
        resolver = self._resolver
        if request.known:
            scope = ""
            if request.details == "no project":
                scope = f" ({' or '.join(f'#{task.id}' for task in found.tasks)})"
            used = resolver.list(f"all #{request.known.lstrip('#')}{scope}")
            if not used.tasks:
                return Problem(replies.no_match(resolver.quoted.shown(request.tasks)))
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

    def _doubt(self, request: Change, found: Found) -> Problem | None:
        resolver = self._resolver
        is_bounded = request.verb is Verb.UPDATE and EXCEPT.search(request.tasks)
        is_grave = found.is_everything and request.verb is not Verb.REOPEN and not is_bounded
        if is_grave or (found.is_bulk and found.count > _MOST_UNASKED and _removes(request)):
            text = replies.confirm(request.verb, found.count, found.tasks)
            return Problem(text, found.tasks, resolver.question("confirm"))
        if request.verb is not Verb.COMPLETE or found.filter:
            return None
        known = {task.id for task in found.tasks}
        below: dict[int, Seen] = {}
        for task in found.tasks:
            if task.below:
                listed = resolver.list(f"under:{task.id}")
                below |= {each.id: each for each in listed.tasks if each.id not in known}
        return self._with_subtasks(request, found.tasks, tuple(below.values())) if below else None

    def _with_subtasks(
        self, request: Change, tasks: tuple[Seen, ...], below: tuple[Seen, ...]
    ) -> Problem:
        words = folded(self._resolver.quoted.shown(request.tasks))
        question = self._resolver.question("confirm", settled={words: (*tasks, *below)})
        return Problem(replies.confirm_subtasks(tasks, below), tasks, question)

    def _run(self, ready: Ready) -> Plan[None]:
        found = ready.found.tasks if ready.found else ()
        match ready.request:
            case Add(tasks):
                yield from self._add(tasks, found[0] if found else None)
            case Change() as change:
                others = ready.other.tasks if ready.other else ()
                yield from self._change(change, ready.found or Found(()), others)
            case Undo(redo, times):
                call = Call("redo" if redo else "undo", ordered=True)
                outcomes = yield (call,) * times
                undone = [task for outcome in outcomes for _, task in outcome.changes]
                self.reply.wrote = True
                text = replies.undone(outcomes, redo=redo)
                is_told = not any(each.error or each.conflicts for each in outcomes)
                self.reply.say(text, undone, restates_steps=is_told)
            case Ask() as ask:
                yield from answer(ask, found, self._resolver, self.reply)
                self.reply.is_unanswered = self.reply.is_unanswered or ask.is_guess
                return
            case Say(key, topic):
                self._say(key, topic, found)
                return
        self._resolver.forget()

    def _say(self, key: str, topic: str, found: tuple[Seen, ...]) -> None:
        is_short = len(self._resolver.message.split()) <= _FEW_WORDS
        match key:
            case "nothing" if found:
                self.reply.say(replies.still_open(found), found)
            case "nothing" if self._dialogue.wrote and is_short:
                self.reply.say(replies.HOW_TO_UNDO)
            case "day done":
                left = self._resolver.list("due.by:tomorrow")
                self.reply.say(replies.day_done(left.total))
            case "help":
                self.reply.say(replies.help_text(topic))
                self.reply.is_unanswered = self.reply.text == replies.HELP and topic != ""
            case "rule":
                self.reply.say(replies.no_rule(topic))
            case "time":
                self.reply.say(replies.time(self._now))
            case _:
                self.reply.say(replies.TALK[key])

    def _add(self, tasks: Sequence[NewTask], parent: Seen | None) -> Plan[None]:
        calls = [
            Call("add_task", {
                "title": task.title,
                **({"details": task.details} if task.details else {}),
                **({"notes": task.notes} if task.notes else {}),
            })
            for task in tasks
        ]  # fmt: skip
        outcomes = yield tuple(calls)
        self.reply.wrote = True
        made = [task for outcome in outcomes for task in outcome.tasks]
        remarks = [
            note
            for task in tasks
            for note in (
                *task.remarks,
                *read_change_words(task.details, self._now, self._style).notes,
            )
        ]
        if made:
            self.reply.say(replies.added(made, parent), made, restates_steps=True)
            self.reply.say(replies.remarked(remarks))
        # A denial is about all of them.
        for error in dict.fromkeys(outcome.error for outcome in outcomes if outcome.error):
            self.reply.say(replies.escaped(error))

    def _change(self, change: Change, found: Found, others: tuple[Seen, ...]) -> Plan[None]:
        """Change the tasks found; recurring ones that are cancelled skip the occurrence."""
        if change.details == "cancelled" and not found.filter:
            listed = self._resolver.list_ids(task.id for task in found.tasks)
            recurring = {task.id for task in listed.tasks if task.repeat_words}
            skipped = tuple(task for task in found.tasks if task.id in recurring)
            if skipped:
                yield from self._write(replace(change, details="skip"), Found(skipped), ())
            found = Found(tuple(task for task in found.tasks if task not in skipped))
        if found.tasks:
            yield from self._write(change, found, others)

    def _write(self, change: Change, found: Found, others: tuple[Seen, ...]) -> Plan[None]:
        shown = self._resolver.quoted.shown
        details = Ready(change, found, Found(others)).details
        arguments: dict[str, JsonValue] = (
            {"filter": found.filter}
            if found.filter
            else {"task_ids": [task.id for task in found.tasks]}
        )
        if details:
            arguments["details"] = details
        if change.title:
            arguments["new_title"] = shown(change.title)
        if change.notes is not None:
            arguments["notes"] = shown(change.notes)
        (outcome,) = yield (Call(change.verb.value, arguments, ordered=self.reply.is_approved),)
        self.reply.wrote = True
        tasks = outcome.tasks or found.tasks
        if outcome.open_subtasks:
            self._say_problem(self._with_subtasks(change, found.tasks, outcome.open_subtasks))
        elif outcome.error and not outcome.tasks:
            self.reply.say(replies.escaped(outcome.error), tasks)
        else:
            text = replies.changed(change, details, tasks, outcome, others)
            self.reply.say(text, tasks, restates_steps=not outcome.error)
            self.reply.say(replies.remarked(item.remark for item in outcome.items))


def _change_of(request: Change | Report) -> Change:
    return Change(Verb.COMPLETE, request.object) if isinstance(request, Report) else request


def _points_at_addition(request: Change, before: Sequence[Ready]) -> bool:
    """Return True for `it` right after a task that the same message adds."""
    is_added = bool(before) and isinstance(before[-1].request, Add)
    return is_added and bool(phrases.POINTING.fullmatch(request.tasks))


def _removes(request: Change) -> bool:
    return (
        request.verb in (Verb.DELETE, Verb.COMPLETE, Verb.REOPEN) or "cancelled" in request.details
    )


def _series_ends_first(ready: Sequence[Ready]) -> list[Ready]:
    """Order `complete gym and stop repeating it` so that no next occurrence is made."""
    ends = [
        each
        for each in ready
        if isinstance(each.request, Change) and each.request.details == "no repeat"
    ]
    return [*ends, *(each for each in ready if each not in ends)]


def _adds_and_commands(steps: Sequence[Step]) -> bool:
    """Return True for `add milk and delete the gym`: the second is no title either."""
    firsts = [(step.readings[0], peeled(step.clause)) for step in steps]
    return any(isinstance(request, Add) for request, _ in firsts) and any(
        isinstance(request, Change) and rules.is_command(words) and not phrases.DOUBLE.match(words)
        for request, words in firsts
    )


def _preferred(readings: Sequence[Request]) -> list[Request]:
    """Order readings so that a new title is short: `rename write to bob to email bob`."""
    titled = [each for each in readings if isinstance(each, Change) and each.title]
    titled.sort(key=lambda each: (not phrases.POINTING.fullmatch(each.tasks), -len(each.tasks)))
    others = [each for each in readings if each not in titled]
    return [*titled, *others] if readings and readings[0] in titled else [*others, *titled]


def _same(one: Ready, other: Ready) -> bool:
    """Return True for the same change of the same tasks, said twice."""
    match one, other:
        case Ready(Change() as change, Found(tasks)), Ready(Change() as last, Found(those)):
            is_same = replace(change, tasks=last.tasks) == last
            return is_same and {task.id for task in tasks} == {task.id for task in those}
    return False
