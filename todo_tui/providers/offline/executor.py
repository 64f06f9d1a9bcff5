"""Carry out a message: resolve all its requests first, then run the tools, then reply.

A message whose requests are not all understood and resolved changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import replies, rules
from todo_tui.providers.offline.answers import answer, answerable
from todo_tui.providers.offline.dialogue import (
    Dialogue,
    No,
    Picked,
    Question,
    Reply,
    Yes,
    read_answer,
)
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.reader import Reader, Step, reader_of
from todo_tui.providers.offline.references import find_exactly
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    Lacks,
    NewTask,
    Report,
    Request,
    Say,
    Undo,
    Verb,
)
from todo_tui.providers.offline.resolver import Found, Nothing, Resolved, Resolver, Several
from todo_tui.providers.offline.tool_results import Call, Outcome, Plan, Seen
from todo_tui.providers.offline.words import folded, peeled, respelled

_FEW_WORDS = 4
_MOST_UNASKED = 5
"""Tasks that one request completes or deletes without a question."""
_POINTING = regex(
    r"(it|that|this|them|those|these|both|all (of )?(them|those|these)|that one|this one)"
)
_IN_PROJECT = regex(r"(in|into|to|under|for) (the |my )?#?(?P<name>[^\W\d][\w.-]*)")
_DOUBLE = regex(r"(drop|clear|throw out|put|bring|pull|carry|set|check|close|finish|start|check)\b")
"""Verbs of commands that tasks begin with as often."""
_SCOPES = {Verb.REOPEN: "done"}
_CONTINUED = regex(r"(and|also|plus)\b[, ]*(also )?(?P<what>.+?)( too| as well| also)?")
_MEANT = regex(r"((hm+|uh|um|oh|no|sorry|wait|oops|actually)[,. ]+)*i (mean|meant) (?P<what>.+)")
_CORRECTING = regex(
    r"((no|sorry|wait|oops|actually|i mean|i meant|rather|make (that|it)|better|let's say)[,. ]+)+"
)
Problem = tuple[str, Question | None, tuple[Seen, ...]]
"""What stands in the way: text, question, tasks that it names."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A request with its tasks found."""

    request: Request
    found: Found | None = None
    other: Found | None = None


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One reading tried: what is ready, or the problem; after a final one no other is tried."""

    ready: tuple[Ready, ...] | None = None
    problem: Problem | None = None
    is_final: bool = False


class Executor:
    """Answers one message."""

    def __init__(self, dialogue: Dialogue) -> None:
        context = dialogue.context
        self._now = context.now if context else datetime.now()
        self._style = context.date_style if context else DateStyle()
        self._dialogue = dialogue
        self._selection = tuple(Seen(*pair) for pair in context.selection) if context else ()
        self.reply = Reply()
        self._message = ""
        self._is_confirmed = False

    def respond(self) -> Plan[None]:
        """Answer the message; yields the tool calls of each round."""
        text = self._dialogue.text
        question = self._dialogue.question
        settled: dict[str, tuple[Seen, ...]] = {}
        reader = reader_of(text, self._now, self._style)
        if question is None:
            text = self._continued(text, reader)
        else:
            match read_answer(text, question, self._dialogue.question_age, reader.dates):
                case No():
                    self.reply.say(replies.NOTHING_CHANGED)
                    return
                case Yes():
                    self._is_confirmed = True
                    settled = dict(question.settled)
                    text = question.message
                case Picked(tasks):
                    settled = {**dict(question.settled), folded(question.words): tasks}
                    text = question.message
                    self.reply.is_approved = True
                case _:
                    if question.kind == "lacks" and self._dialogue.question_age == 0:
                        text = self._filled(reader, question.message)
        reader = reader_of(text, self._now, self._style) if text != self._dialogue.text else reader
        self._message = text
        self.reply.is_approved = self.reply.is_approved or self._is_confirmed
        resolver = Resolver(
            reader.dates, reader.quoted, self._dialogue.focus, self._selection, settled
        )
        yield from self._carry_out(reader, resolver)

    def _continued(self, text: str, reader: Reader) -> str:
        """Return `move the plants to monday` for `and the plants` after `move rent to monday`."""
        template, said = self._dialogue.template, text.strip().rstrip(".!")
        if not template:
            return text
        if match := _MEANT.fullmatch(said):
            is_change = reader.changes.words(match["what"]) is not None
            return text if is_change else f"undo; {template.replace('{}', match['what'])}"
        if (match := _CONTINUED.fullmatch(said)) and reader.changes.words(match["what"]) is None:
            other = reader_of(match["what"], self._now, self._style)
            if not any(step.is_understood for step in other.read()):
                return template.replace("{}", match["what"])
        return text

    def _filled(self, reader: Reader, template: str) -> str:
        """Return the command with what it lacked, unless the message is a command of its own."""
        steps = reader.read()
        strong = steps and any(isinstance(each, Change | Undo) for each in steps[0].readings)
        asks = (
            steps
            and isinstance(steps[0].readings[0], Ask)
            and self._dialogue.text.strip().endswith("?")
        )
        strong = (strong or asks) and not reader.changes.words(self._dialogue.text)
        answer = self._dialogue.text.strip()
        if " to {}" in template:
            answer = re.sub(r"^to ", "", answer, flags=re.IGNORECASE)
        return self._dialogue.text if strong else template.replace("{}", answer)

    def _carry_out(self, reader: Reader, resolver: Resolver) -> Plan[None]:
        """Find the reading of the message in which all requests can be done, and do them."""
        focus = resolver.focus
        split, whole = reader.read(), reader.read(splits=False)
        more = re.sub(
            r" (?:instead|please|then)$", "", _CORRECTING.sub("", self._message.strip(" .!"))
        )
        more = respelled(peeled(more))
        if self._dialogue.wrote and (change := reader.changes.words(more)):
            # Said right after a task was added or changed: more of it.
            split = whole = (Step(self._message, (Change(Verb.UPDATE, "them", change),)),)
        elif self._dialogue.wrote and (named := _IN_PROJECT.fullmatch(more)):
            request = Change(Verb.UPDATE, "them", f"#{named['name']}", known=named["name"])
            split = whole = (Step(self._message, (request,)),)
        may_be_whole = len(whole) != len(split) and not _adds_and_commands(split)
        for steps in (split, whole) if may_be_whole else (split,):
            first, self.reply.paragraphs, self.reply.named = self.reply.paragraphs, [], {}
            question, self.reply.question = self.reply.question, None
            resolver.focus = focus
            ready = yield from self._ready(steps, resolver)
            if ready is not None:
                self.reply.template = self._template(ready)
                for each in _series_ends_first(ready):
                    yield from self._run(each, resolver)
                return
            if first:
                self.reply.paragraphs, self.reply.question = first, question

    def _template(self, ready: Sequence[Ready]) -> str:
        """Return the message with `{}` in place of the tasks of its one request."""
        if len(ready) != 1:
            return ""
        match ready[0].request:
            case Add(is_explicit=True):
                return "add {}"
            case Change(tasks=words) | Report(object=words) if words:
                before, found, after = self._message.partition(words)
                return f"{before}{{}}{after}" if found and "{" not in self._message else ""
            case _:
                return ""

    def _ready(self, steps: Sequence[Step], resolver: Resolver) -> Plan[list[Ready] | None]:
        """Return all requests with their tasks found; else say the problem and return None."""
        unclear = [step for step in steps if not step.is_understood]
        clear = [step for step in steps if step.is_understood]
        if not steps or (unclear and not clear):
            self.reply.say(replies.DECLINED)
            return None
        if unclear:
            if all(isinstance(step.readings[0], Say) for step in clear):
                self.reply.say(replies.DECLINED)
            else:
                self.reply.say(replies.partly(clear[0].clause, unclear[0].clause))
            return None
        ready: list[Ready] = []
        for step in steps:
            prepared = yield from self._prepare(step, resolver, ready)
            if prepared is None:
                return None
            ready += prepared
        return ready

    def _prepare(
        self, step: Step, resolver: Resolver, before: list[Ready]
    ) -> Plan[list[Ready] | None]:
        """Return the first reading whose tasks are found; else say the problem and return None."""
        problem: Problem | None = None
        for request in _preferred(step.readings):
            attempt = yield from self._try(request, step, resolver, before, problem)
            if attempt.ready is not None:
                return list(attempt.ready)
            problem = attempt.problem
            if attempt.is_final:
                break
        said = problem or (replies.DECLINED, None, ())
        self.reply.say(said[0], said[2])
        self.reply.question = said[1]
        return None

    def _try(
        self,
        request: Request,
        step: Step,
        resolver: Resolver,
        before: list[Ready],
        problem: Problem | None,
    ) -> Plan[_Attempt]:
        """Try one reading; `problem` is that of the readings before."""
        match request:
            case Change() | Report():
                return (yield from self._try_change(request, step, resolver, before, problem))
            case Add():
                return (yield from self._try_addition(request, step, resolver, problem))
            case Ask():
                return (yield from self._try_question(request, resolver, problem))
            case Lacks():
                return (yield from self._try_lacking(request, resolver, problem))
            case _:
                return _Attempt((Ready(request),))

    def _try_change(
        self,
        request: Change | Report,
        step: Step,
        resolver: Resolver,
        before: list[Ready],
        problem: Problem | None,
    ) -> Plan[_Attempt]:
        if self._merged(request, before):
            return _Attempt(())
        ready, found_problem = yield from self._find(request, resolver, step.clause)
        if ready is not None:
            if ready.found is not None:
                resolver.focus = ready.found.tasks
            is_repeated = any(each == ready or _same(each, ready) for each in before)
            return _Attempt(() if is_repeated else (ready,))
        if isinstance(request, Change) and request.is_guess:
            return _Attempt(problem=problem)
        problem = problem or found_problem
        question = problem[1] if problem else None
        return _Attempt(problem=problem, is_final=question is not None and question.kind != "near")

    def _try_addition(
        self, add: Add, step: Step, resolver: Resolver, problem: Problem | None
    ) -> Plan[_Attempt]:
        if problem is not None and not add.is_explicit and self._reads_as_command(step):
            offered = self._or_offer(problem, add, step)
            if offered is problem or not self._is_confirmed:
                return _Attempt(problem=offered)
        if not (yield from self._applies(add, resolver)):
            return _Attempt(problem=problem)
        says_subtask = "subtask" in step.clause.lower() and add.is_explicit and not add.known
        if add.under or says_subtask:
            return (yield from self._try_subtasks(add, resolver))
        if add.known:
            add = _with_details(add, f"#{add.known}")
        if self._is_confirmed:
            return _Attempt((Ready(add),))
        if not add.is_explicit and len(add.tasks) == 1:
            same = find_exactly(add.tasks[0].title, (yield from resolver.list("")).tasks)
            if same:
                text, question, _ = self._offer(add.tasks)
                text = f"{replies.already(same)} {text}"
                return _Attempt(problem=(text, question, same), is_final=True)
        if not add.is_certain:
            return _Attempt(problem=problem or self._offer(add.tasks), is_final=True)
        return _Attempt((Ready(add),))

    def _applies(self, add: Add, resolver: Resolver) -> Plan[bool]:
        """Return False for an addition to a project or below a task that does not exist."""
        if add.is_guess:
            open_tasks = (yield from resolver.list("")).tasks
            return bool(find_exactly(resolver.quoted.shown(add.under), open_tasks))
        return not add.known or bool((yield from resolver.list(f"all #{add.known}")).tasks)

    def _or_offer(self, problem: Problem, add: Add, step: Step) -> Problem:
        may_be_task = bool(_DOUBLE.match(step.clause)) or not rules.is_command(step.clause)
        if problem[1] is None and add.tasks[0].details and may_be_task:
            return self._offer(add.tasks)
        return problem

    def _try_subtasks(self, add: Add, resolver: Resolver) -> Plan[_Attempt]:
        parent = yield from resolver.resolve(add.under or "it")
        if not isinstance(parent, Found) or len(parent.tasks) != 1:
            problem = self._problem(parent, resolver) or (replies.WHICH_TASK, None, ())
            return _Attempt(problem=problem, is_final=True)
        below = _with_details(add, f"under #{parent.tasks[0].id}")
        return _Attempt((Ready(replace(below, under="", is_guess=False), parent),))

    def _try_question(
        self, ask: Ask, resolver: Resolver, problem: Problem | None
    ) -> Plan[_Attempt]:
        if ask.aspect not in (Aspect.ONE, Aspect.BLOCKED, Aspect.BELOW):
            fits = yield from answerable(ask, resolver)
            return _Attempt((Ready(ask),)) if fits else _Attempt(problem=problem)
        match (yield from resolver.resolve(ask.tasks)):
            case Found() as found:
                return _Attempt((Ready(ask, found),))
            case Several(_, tasks):
                return _Attempt((Ready(ask, Found(tasks)),))
            case Nothing(reply):
                return _Attempt(problem=problem or (reply, None, ()))

    def _try_lacking(
        self, lacks: Lacks, resolver: Resolver, problem: Problem | None
    ) -> Plan[_Attempt]:
        named = (yield from resolver.resolve(lacks.tasks)) if lacks.tasks else Found(())
        if isinstance(named, Found) and (problem is None or lacks.tasks):
            question = Question("lacks", resolver.quoted.kept(lacks.template))
            problem = (resolver.quoted.shown(lacks.question), question, ())
        return _Attempt(problem=problem)

    def _reads_as_command(self, step: Step) -> bool:
        return any(isinstance(each, Change | Report | Ask) for each in step.readings)

    def _offer(self, tasks: Sequence[NewTask]) -> tuple[str, Question, tuple[Seen, ...]]:
        text = " ".join(replies.offer(task.title, self._said(task.details)) for task in tasks)
        return text, self._question("confirm", None), ()

    def _said(self, details: str) -> str:
        """Return change words as a person reads them: `Thu 26 Nov 15:00`."""
        read = read_change_words(details, self._now, self._style)
        due = None if read.unknown or read.only_changes else read.fields_of().get("due")
        if due is not None and not read.schedule.repeat:
            # A time alone is one of the task's own day in a change, and today's in a new task.
            summary = (format_when(due, self._now), *read.summary[1:])
            return ", ".join(summary)
        return details if read.unknown else ", ".join(read.summary)

    def _question(
        self,
        kind: str,
        resolver: Resolver | None,
        words: str = "",
        tasks: tuple[Seen, ...] = (),
        settled: Mapping[str, tuple[Seen, ...]] = MappingProxyType({}),
    ) -> Question:
        known = {**(resolver.settled if resolver else {}), **settled}
        return Question(kind, self._message, words, tasks, tuple(known.items()))

    def _merged(self, request: Request, before: list[Ready]) -> bool:
        """Work `make it high priority` into the task that the same message adds."""
        if not (before and isinstance(before[-1].request, Add) and isinstance(request, Change)):
            return False
        if (
            request.verb is not Verb.UPDATE
            or not request.details
            or not _POINTING.fullmatch(request.tasks)
        ):
            return False
        before[-1] = Ready(_with_details(before[-1].request, request.details))
        return True

    def _find(
        self, request: Change | Report, resolver: Resolver, clause: str
    ) -> Plan[tuple[Ready | None, Problem | None]]:
        if isinstance(request, Report):
            return (yield from self._find_reported(request, resolver))
        scope = request.scope or _SCOPES.get(request.verb, "")
        resolved = yield from resolver.resolve(request.tasks, scope)
        if not isinstance(resolved, Found):
            return None, self._problem(resolved, resolver)
        other = None
        if request.other:
            linked = yield from resolver.resolve(request.other)
            if not isinstance(linked, Found):
                return None, self._problem(linked, resolver)
            other = linked
        found = resolved
        if found.roots and (
            request.verb is Verb.DELETE
            or "under" in request.details
            or request.details == "no parent"
        ):
            found = Found(found.roots)
        if other is not None and found.is_bulk and not found.filter:
            ids = {task.id for task in other.tasks}
            found = replace(found, tasks=tuple(task for task in found.tasks if task.id not in ids))
        problem = yield from self._unfit(request, found, other, resolver)
        if problem is None and not self._is_confirmed:
            is_statement = clause.casefold().startswith(request.tasks.casefold())
            problem = yield from self._doubt(request, found, resolver, is_statement=is_statement)
        return (None, problem) if problem else (Ready(request, found, other), None)

    def _find_reported(
        self, report: Report, resolver: Resolver
    ) -> Plan[tuple[Ready | None, Problem | None]]:
        """Find the task that a report completes, or reopens where it was not done after all."""
        if report.is_undone:
            done = yield from resolver.resolve_report(report.verb, report.object, "done")
            if isinstance(done, Found):
                return Ready(Change(Verb.REOPEN, report.object), done), None
            still = yield from resolver.resolve_report(report.verb, report.object)
            return Ready(Say("nothing"), still if isinstance(still, Found) else None), None
        resolved = yield from resolver.resolve_report(report.verb, report.object)
        if not isinstance(resolved, Found):
            return None, self._problem(resolved, resolver)
        request = Change(Verb.COMPLETE, report.object)
        if self._is_confirmed:
            return Ready(request, resolved), None
        problem = yield from self._doubt(request, resolved, resolver)
        if problem is None and not report.is_certain:
            question = self._question("confirm", resolver)
            problem = replies.confirm_one(request.verb, resolved.tasks), question, resolved.tasks
        return (None, problem) if problem else (Ready(request, resolved), None)

    def _unfit(
        self, request: Change, found: Found, other: Found | None, resolver: Resolver
    ) -> Plan[Problem | None]:
        if request.known:
            used = yield from resolver.list(f"all #{request.known.lstrip('#')}")
            if not used.tasks:
                return replies.no_match(resolver.quoted.shown(request.tasks)), None, ()
        if not (request.ends_link or request.details == "skip"):
            return None
        tasks = (yield from resolver.list(" or ".join(f"#{task.id}" for task in found.tasks))).tasks
        if request.details == "skip":
            single = [task for task in tasks if not task.repeat_words]
            return (replies.not_recurring(single), None, tuple(single)) if single else None
        ids = {task.id for task in other.tasks} if other else set()
        is_parent = "parent" in request.details
        loose = [
            task
            for task in tasks
            if not ids & ({task.parent} if is_parent else set(task.blocked_by))
        ]
        if loose and other:
            return replies.not_linked(loose, other.tasks, is_parent=is_parent), None, ()
        return None

    def _doubt(
        self, request: Change, found: Found, resolver: Resolver, *, is_statement: bool = False
    ) -> Plan[Problem | None]:
        grave = found.is_everything and (
            is_statement or request.verb in (Verb.DELETE, Verb.COMPLETE)
        )
        if grave or (found.is_bulk and found.count > _MOST_UNASKED and _removes(request)):
            question = self._question("confirm", resolver)
            text = replies.confirm(request.verb, found.count, found.tasks)
            return text, question, found.tasks
        if request.verb is not Verb.COMPLETE or found.filter:
            return None
        known = {task.id for task in found.tasks}
        below: dict[int, Seen] = {}
        for task in found.tasks:
            if task.below:
                listed = yield from resolver.list(f"under:{task.id}")
                below |= {each.id: each for each in listed.tasks if each.id not in known}
        if not below:
            return None
        return self._with_subtasks(request, found.tasks, tuple(below.values()), resolver)

    def _with_subtasks(
        self, request: Change, tasks: tuple[Seen, ...], below: tuple[Seen, ...], resolver: Resolver
    ) -> Problem:
        words = folded(resolver.quoted.shown(request.tasks))
        question = self._question("confirm", resolver, settled={words: (*tasks, *below)})
        return replies.confirm_subtasks(tasks, below), question, tasks

    def _problem(self, resolved: Resolved, resolver: Resolver) -> Problem | None:
        match resolved:
            case Several(words, tasks):
                question = self._question("which", resolver, resolver.quoted.shown(words), tasks)
                return replies.which(tasks), question, tasks
            case Nothing(reply, words, near):
                words = resolver.quoted.shown(words)
                if not near:
                    return reply, None, near
                return reply, self._question("near", resolver, words, near), near
            case _:
                return None

    def _run(self, ready: Ready, resolver: Resolver) -> Plan[None]:
        match ready.request:
            case Add(tasks):
                yield from self._add(tasks, ready.found.tasks[0] if ready.found else None)
            case Change() as change if ready.found is not None:
                yield from self._change(change, ready, resolver)
            case Undo(redo, times):
                outcomes = yield tuple(
                    Call("redo" if redo else "undo", ordered=True) for _ in range(times)
                )
                undone = [task for outcome in outcomes for _, task in outcome.changes]
                self.reply.wrote = True
                self.reply.say(replies.undone(outcomes, redo=redo), undone)
            case Ask() as ask:
                yield from answer(
                    ask, ready.found.tasks if ready.found else (), resolver, self.reply
                )
                return
            case Say("nothing") if ready.found is not None:
                self.reply.say(replies.still_open(ready.found.tasks), ready.found.tasks)
                return
            case Say("day done"):
                left = yield from resolver.list("due.by:tomorrow")
                self.reply.say(replies.day_done(len(left.tasks)))
                return
            case Say(key, topic):
                self._say(key, topic)
                return
            case _:
                return
        resolver.forget()

    def _say(self, key: str, topic: str) -> None:
        if key == "help":
            self.reply.say(replies.help_text(topic))
        elif key == "time":
            self.reply.say(
                f"It is {self._now:%A} {self._now.day} {self._now:%B %Y}, {self._now:%H:%M}."
            )
        elif key == "nothing" and self._dialogue.wrote and len(self._message.split()) <= _FEW_WORDS:
            self.reply.say(replies.HOW_TO_UNDO)
        elif key == "rule":
            self.reply.say(replies.no_rule(topic))
        else:
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
            for note in read_change_words(task.details, self._now, self._style).notes
        ]
        if made:
            self.reply.say(replies.added(made, remarks, parent), made)
        for outcome in outcomes:
            if outcome.error:
                self.reply.say(replies.escaped(outcome.error))

    def _change(self, change: Change, ready: Ready, resolver: Resolver) -> Plan[None]:
        found = ready.found
        assert found is not None  # noqa: S101
        arguments: dict[str, JsonValue] = (
            {"filter": found.filter}
            if found.filter
            else {"task_ids": [task.id for task in found.tasks]}
        )
        details = change.details
        if ready.other is not None:
            each = [details.replace("{other}", f"#{task.id}") for task in ready.other.tasks]
            details = " ".join(dict.fromkeys(each))
        if details == "cancelled" and not found.filter:
            recurring = yield from self._skip_recurring(found, resolver)
            if recurring and not (
                left := [each for each in found.tasks if each.id not in recurring]
            ):
                return
            if recurring:
                arguments = {"task_ids": [task.id for task in left]}
        if details:
            arguments["details"] = details
        if change.title:
            arguments["new_title"] = resolver.quoted.shown(change.title)
        if change.notes is not None:
            arguments["notes"] = resolver.quoted.shown(change.notes)
        outcome: Outcome
        (outcome,) = yield (Call(change.verb.value, arguments, ordered=self.reply.is_approved),)
        self.reply.wrote = True
        if outcome.open_subtasks:
            problem = self._with_subtasks(change, found.tasks, outcome.open_subtasks, resolver)
            self.reply.say(problem[0], problem[2])
            self.reply.question = problem[1]
            return
        if outcome.error and not outcome.tasks:
            self.reply.say(replies.escaped(outcome.error), found.tasks)
            return
        tasks = outcome.tasks or found.tasks
        self.reply.say(
            replies.changed(
                change, details, tasks, outcome, ready.other.tasks if ready.other else ()
            ),
            tasks,
        )

    def _skip_recurring(self, found: Found, resolver: Resolver) -> Plan[frozenset[int]]:
        """Skip the occurrence of recurring tasks that are cancelled; return their ids."""
        outcome = yield from resolver.list(" or ".join(f"#{task.id}" for task in found.tasks))
        ids = [task.id for task in outcome.tasks if task.repeat_words]
        if ids:
            skip = Change(Verb.UPDATE, "", "skip")
            arguments: dict[str, JsonValue] = {"task_ids": list(ids), "details": "skip"}
            (outcome,) = yield (Call("update_task", arguments, ordered=self.reply.is_approved),)
            self.reply.wrote = True
            text = replies.changed(skip, "skip", outcome.tasks, outcome, ())
            self.reply.say(replies.escaped(outcome.error) if outcome.error else text, outcome.tasks)
        return frozenset(ids)


def _removes(request: Change) -> bool:
    """Return True for a change that takes tasks off the list."""
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


def _with_details(add: Add, details: str) -> Add:
    """Return an addition with change words for all of its tasks."""
    tasks = tuple(replace(task, details=f"{task.details} {details}".strip()) for task in add.tasks)
    return replace(add, tasks=tasks)


def _adds_and_commands(steps: Sequence[Step]) -> bool:
    """Return True for `add milk and delete the gym`: the second is no title either."""
    firsts = [(step.readings[0], peeled(step.clause)) for step in steps]
    return any(isinstance(request, Add) for request, _ in firsts) and any(
        isinstance(request, Change) and rules.is_command(words) and not _DOUBLE.match(words)
        for request, words in firsts
    )


def _preferred(readings: Sequence[Request]) -> list[Request]:
    """Order readings so that a new title is short: `rename write to bob to email bob`."""
    titled = [each for each in readings if isinstance(each, Change) and each.title]
    titled.sort(key=lambda each: (not _POINTING.fullmatch(each.tasks), -len(each.tasks)))
    others = [each for each in readings if each not in titled]
    return [*titled, *others] if readings and readings[0] in titled else [*others, *titled]


def _same(one: Ready, other: Ready) -> bool:
    """Return True for the same change of the same tasks, said twice."""
    if not (isinstance(one.request, Change) and isinstance(other.request, Change)):
        return False
    same = one.request.verb is other.request.verb and one.request.details == other.request.details
    return bool(
        same and one.found and other.found
        and {task.id for task in one.found.tasks} == {task.id for task in other.found.tasks}
    )  # fmt: skip
