"""Carry out a message: resolve all its requests first, then run the tools, then reply.

A message whose requests are not all understood and resolved changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.task import JsonValue
from todo_tui.domain.task_index import TaskIndex
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import (
    change_replies,
    help,
    phrases,
    record,
    replies,
    rules,
)
from todo_tui.providers.offline.adjustments import adjusted, with_reopened
from todo_tui.providers.offline.answers import answer
from todo_tui.providers.offline.changes import ChangeReader
from todo_tui.providers.offline.clauses import spans_of, words_of
from todo_tui.providers.offline.continuations import continued, edited, filled, in_same_week
from todo_tui.providers.offline.corrections import repaired
from todo_tui.providers.offline.dialogue import (
    Dialogue,
    Reply,
    read_answer,
)
from todo_tui.providers.offline.document_answers import DocumentAnswer
from todo_tui.providers.offline.meaning import is_remark
from todo_tui.providers.offline.offers import Offers
from todo_tui.providers.offline.planner import Planner
from todo_tui.providers.offline.preparation import Preparation
from todo_tui.providers.offline.reader import ClauseReadings, Reader, reader_of
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Aspect,
    Change,
    FixedAnswer,
    FoundTasks,
    NewTask,
    Report,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.reversals import takes_back
from todo_tui.providers.offline.task_resolver import Problem, Resolver
from todo_tui.providers.offline.tool_results import Call, CallRounds, Listing, ShownTask
from todo_tui.providers.offline.words import folded, peeled

_FEW_WORDS = 4
_NO_CHANGE = FixedAnswer("nothing")
_TALK = frozenset({"hello", "thanks", "bye", "fine"})


class Executor:
    """Answers one message."""

    _reader: Reader
    _resolver: Resolver
    _offers: Offers
    _preparation: Preparation

    def __init__(
        self, dialogue: Dialogue, index: TaskIndex, *, has_documents: bool = False
    ) -> None:
        self._index = index
        context = dialogue.context
        self._now = context.now if context else datetime.now()
        self._style = context.date_style if context else DateStyle()
        self._dialogue = dialogue
        self._selection = tuple(ShownTask(*pair) for pair in context.selection) if context else ()
        self._has_documents = has_documents
        self.reply = Reply()
        self._is_confirmed = False
        self._listings: dict[str, Listing] = {}

    def respond(self) -> CallRounds[None]:
        """Answer the message; yields the tool calls of each round."""
        planner = Planner(self._dialogue, self.reply, self._now, self._style, self._index)
        if not (yield from planner.answered()):
            yield from self._respond()
            if planner.is_asking:
                self.reply.say(replies.REVIEW_LEFT)
                self.reply.ends = True

    def _respond(self) -> CallRounds[None]:
        """Answer a message that is about no plan."""
        text, question = self._dialogue.text, self._dialogue.question
        settled: dict[str, tuple[ShownTask, ...]] = {}
        reader = reader_of(text, self._now, self._style)
        made: list[TaskRequest] = []
        if question is None:
            self._begin(text, settled)
            meant = continued(self._dialogue, reader, self._resolver)
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
        self._begin(text, settled)
        if self._is_confirmed and question is not None and question.offer:
            made = list(record.from_json(list(question.offer)))
        if made:
            yield from self._do(made)
        else:
            yield from self._carry_out(settled)
        if self._has_documents and not self.reply.wrote:
            said, message = self._dialogue.text, self._resolver.message
            self.reply = yield from DocumentAnswer(said, message, self._reader, self.reply).reply()

    def _begin(self, text: str, settled: dict[str, tuple[ShownTask, ...]]) -> None:
        """Begin to read a text, with the tasks that the person chose for words of it."""
        text = repaired(text, ChangeReader(self._now, self._style))
        self._reader = reader = reader_of(text, self._now, self._style)
        self._resolver = Resolver(
            text,
            self._index,
            reader.dates,
            reader.quoted,
            self._dialogue.focus,
            self._selection,
            self._dialogue.shown or self._dialogue.focus,
            self._dialogue.recent,
            settled,
            self._listings,
        )
        did = record.from_json(self._dialogue.did)
        before = did[0].request if len(did) == 1 and self._dialogue.wrote else None
        self._offers = Offers(
            self._resolver,
            reader,
            self._now,
            self._style,
            before if isinstance(before, Change) else None,
            self._dialogue.focus,
            self._dialogue.completed,
            self._dialogue.wrote,
        )
        self._preparation = Preparation(
            self._resolver, self._offers, self._now, self._style, self._is_confirmed
        )

    def _carry_out(self, settled: dict[str, tuple[ShownTask, ...]]) -> CallRounds[None]:
        """Find the reading of the message in which all requests can be done, and do them."""
        ready = self._read()
        is_unclear = isinstance(ready, Problem) or [each.request for each in ready] == [_NO_CHANGE]
        if is_unclear and not self._is_confirmed:
            message, bare = self._resolver.message, self._offers.bare()
            if bare != message:
                # What only tells why is left out, and the rest read by itself.
                self._begin(bare, settled)
                again = self._read()
                is_open = isinstance(ready, Problem) and ready.question
                if isinstance(again, Problem) and (is_open or not again.question):
                    self._begin(message, settled)
                else:
                    ready = again
        if isinstance(ready, Problem):
            self._say_problem(ready)
            return
        # `great, …` before a request needs no answer.
        ready = [each for each in ready if not _is_talk(each)] or ready
        self.reply.template = self._template(ready)
        yield from self._do(ready)

    def _read(self) -> list[TaskRequest] | Problem:
        """Return the requests of the message with their tasks, or what stands in the way."""
        reader, resolver, prepared = self._reader, self._resolver, self._preparation
        focus = resolver.focus
        request = self._more_of_it(reader)
        steps = (ClauseReadings(resolver.message, (request,)),) if request else reader.read()
        ready = prepared.ready(steps)
        if isinstance(ready, Problem) and not request and not _adds_and_commands(steps):
            whole = reader.read(splits=False)
            if len(whole) != len(steps):
                resolver.focus, problem = focus, ready
                ready = prepared.ready(whole)
                ready = problem if isinstance(ready, Problem) else ready
        if not self._is_confirmed:
            ready = self._offers.passed(ready)
        if isinstance(ready, Problem):
            is_edit = ready.is_unread or (ready.question and ready.question.kind == "offer")
            return Problem(replies.UNDO_ALL) if is_edit and self._undoes() else ready
        if self._undoes() and all(isinstance(each.request, Add | Change) for each in ready):
            reopens = all(getattr(each.request, "verb", "") is Verb.REOPEN for each in ready)
            return ready if reopens else Problem(replies.UNDO_ALL)
        if takes_back(ready, resolver.quoted, self._now, self._style):
            return Problem(replies.TAKEN_BACK)
        return ready

    def _undoes(self) -> bool:
        """Return True for an undo, which is never an edit."""
        return bool(phrases.UNDO.match(peeled(self._resolver.message)))

    def _more_of_it(self, reader: Reader) -> Change | None:
        """Return what is said of the task that the turn before added or changed, or spoke of."""
        said = self._resolver.message.strip(" .!")
        more = phrases.CORRECTING.sub("", said)
        more = phrases.IS_BETTER.sub("", re.sub(r" (?:instead|please|then)$", "", more))
        value = phrases.BE_IT.sub("", peeled(more))
        more = phrases.GIVE_ME.sub("", value)
        if more.isdigit() and more != said:
            # `make that 6` is no task number.
            more = f"at {more}"
        asks_for_it = more != value and len(self._resolver.focus) == 1
        change = _value(more, reader)
        if change and (self._dialogue.wrote or asks_for_it):
            change = in_same_week(more, self._dialogue, reader, self._resolver) or change
            return Change(Verb.UPDATE, _spoken_of(said), change)
        named = phrases.IN_PROJECT.fullmatch(more) if self._dialogue.wrote else None
        if named:
            return Change(Verb.UPDATE, "them", f"#{named['name']}", known=named["name"])
        return self._values_of_it(more, reader) if self._dialogue.wrote else None

    def _values_of_it(self, said: str, reader: Reader) -> Change | None:
        """Return several values, or one among clauses that tell why: `under diy, for monday`."""
        projects = {name.casefold(): name for name in self._index.projects()}
        values: list[str] = []
        asides = 0
        for part in phrases.VALUE_JOINT.split(said):
            bare = phrases.BE_IT.sub("", peeled(phrases.CORRECTING.sub("", part.strip())))
            bare = phrases.TAG_IT.sub("tagged ", bare)
            named = phrases.IN_PROJECT.fullmatch(bare)
            project = projects.get(named["name"].casefold()) if named else None
            value = f"#{project}" if project else _value(bare, reader)
            tells = is_remark(part, reader.changes) or phrases.EXCLAIMED.fullmatch(f"{part} ")
            if value:
                values.append(value)
            elif tells or (values and phrases.OTHERS_DO.match(part)):
                asides += 1
            else:
                return None
        is_one = len(values) == 1 and (asides or phrases.ALL_OF_THEM.match(said))
        if not (is_one or (len(values) > 1 and not asides)):
            return None
        details = values[0]
        for value in values[1:]:
            details = reader.changes.replaced(details, value)
        return Change(Verb.UPDATE, _spoken_of(said), details)

    def _do(self, ready: Sequence[TaskRequest]) -> CallRounds[None]:
        """Carry requests out, and keep a record of them."""
        resolver, changes = self._resolver, self._reader.changes
        ready = adjusted([*with_reopened(ready, resolver, changes)], resolver, changes)
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
        text = help.help_text(message)
        is_wide = bool(phrases.WHAT_IT_CAN.fullmatch(message))
        if text == help.HELP and not is_wide:
            return False
        self._say_help(text)
        # Documents may be what a question with such a word is about.
        self.reply.is_unanswered = not is_wide
        return True

    def _say_help(self, text: str) -> None:
        self.reply.say(help.for_documents(text) if self._has_documents else text)

    def _template(self, ready: Sequence[TaskRequest]) -> str:
        """Return the message with `{}` in place of the tasks of its one request."""
        if len(ready) != 1:
            return ""
        match ready[0].request:
            case Add(is_explicit=True):
                return "add {}"
            case Ask(Aspect.LIST | Aspect.COUNT):
                return self._asked_of_days()
            case Change(tasks=words) | Report(object=words) if words:
                message = self._resolver.message
                before, found, after = message.partition(words)
                return f"{before}{{}}{after}" if found and "{" not in message else ""
            case _:
                return ""

    def _asked_of_days(self) -> str:
        """Return a question with `{}` in place of its only days, and note them."""
        words = words_of(self._resolver.message)
        spans = [span for span in spans_of(words, self._reader.changes) if span.change]
        if len(spans) != 1 or not self._reader.dates.is_stretch(spans[0].change):
            return ""
        typed = [word.typed.strip("?") for word in words]
        self.reply.day = phrases.BEFORE_DAYS.sub("", spans[0].change)
        return " ".join([*typed[: spans[0].start], "{}", *typed[spans[0].end :]]).strip()

    def _run(self, ready: TaskRequest) -> CallRounds[None]:
        found = ready.found.tasks if ready.found else ()
        match ready.request:
            case Add(tasks):
                yield from self._add(tasks, found[0] if found else None)
            case Change() as change:
                others = ready.other.tasks if ready.other else ()
                yield from self._change(change, ready.found or FoundTasks(()), others)
            case Undo(redo, times):
                call = Call("redo" if redo else "undo", ordered=True)
                outcomes = yield (call,) * times
                undone = [each.task for outcome in outcomes for each in outcome.changes]
                self.reply.wrote = True
                text = replies.undone(outcomes, redo=redo)
                told = {each.error for each in outcomes if each.shows_error}
                is_told = all(each.error in told and not each.conflicts for each in outcomes)
                self.reply.say(text, undone, restates_steps=is_told)
            case Ask() as ask:
                yield from answer(ask, found, self._resolver, self.reply)
                self.reply.is_unanswered = self.reply.is_unanswered or ask.is_guess
                return
            case FixedAnswer(key, topic):
                self._say(key, topic, found)
                return
        self._resolver.forget()

    def _say(self, key: str, topic: str, found: tuple[ShownTask, ...]) -> None:
        is_short = len(self._resolver.message.split()) <= _FEW_WORDS
        match key:
            case "nothing" if found:
                self.reply.say(replies.still_open(found), found)
            case "nothing" if self._dialogue.wrote and is_short:
                self.reply.say(replies.HOW_TO_UNDO)
            case "other undo":
                self.reply.say(replies.other_undo(found), found)
            case "did":
                did = record.from_json(self._dialogue.did) if self._dialogue.wrote else ()
                self.reply.say(replies.last_done_here(map(self._offers.intent, did)))
            case "day done":
                left = self._resolver.list("due.by:tomorrow")
                self.reply.say(replies.day_done(left.total))
            case "help":
                text = help.help_text(topic)
                self._say_help(text)
                self.reply.is_unanswered = text == help.HELP and topic != ""
            case "rule":
                self.reply.say(replies.no_rule(topic))
            case "time":
                self.reply.say(replies.time(self._now))
            case _:
                self.reply.say(replies.TALK[key])

    def _add(self, tasks: Sequence[NewTask], parent: ShownTask | None) -> CallRounds[None]:
        calls = [
            Call("add_task", {
                "title": task.title,
                **({"details": task.details} if task.details else {}),
                **({"notes": task.notes} if task.notes else {}),
            })
            for task in tasks
        ]  # fmt: skip
        outcomes = yield tuple(calls)
        below = [
            Call("add_task", {
                "title": title, "details": f"under #{outcome.tasks[0].id} {details}".strip(),
            })
            for task, outcome in zip(tasks, outcomes, strict=True)
            for title, details in (task.subtasks if outcome.tasks else ())
        ]  # fmt: skip
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
            self.reply.say(replies.remarked(remarks, self.reply.text))
        if below:
            found = yield tuple(below)
            children = [task for outcome in found for task in outcome.tasks]
            self.reply.say(replies.added(children, made[0]), children, restates_steps=True)
            outcomes = (*outcomes, *(each for each in found if each.error))
        # A denial is about all of them, and its reason is in the first row.
        for error in dict.fromkeys(each.error for each in outcomes if each.error):
            is_told = any(each.shows_error for each in outcomes if each.error == error)
            self.reply.say(replies.escaped(error), restates_steps=is_told)

    def _change(
        self, change: Change, found: FoundTasks, others: tuple[ShownTask, ...]
    ) -> CallRounds[None]:
        """Change the tasks found; recurring ones that are cancelled skip the occurrence."""
        if change.details == "cancelled" and not found.filter:
            listed = self._resolver.list_ids(task.id for task in found.tasks)
            recurring = {task.id for task in listed.tasks if task.repeat_words}
            skipped = tuple(task for task in found.tasks if task.id in recurring)
            if skipped:
                yield from self._write(replace(change, details="skip"), FoundTasks(skipped), ())
            found = FoundTasks(tuple(task for task in found.tasks if task not in skipped))
        if found.tasks:
            yield from self._write(change, found, others)

    def _write(
        self, change: Change, found: FoundTasks, others: tuple[ShownTask, ...]
    ) -> CallRounds[None]:
        shown = self._resolver.quoted.shown
        details = TaskRequest(change, found, FoundTasks(others)).details
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
            # A yes does just this: the rest of the message is done, and is not read again.
            whole = TaskRequest(change, FoundTasks((*found.tasks, *outcome.open_subtasks)))
            asked = self._preparation.with_subtasks(change, found.tasks, outcome.open_subtasks)
            self._say_problem(replace(asked, question=self._offers.question([whole]).question))
        elif outcome.error and not outcome.tasks:
            text = replies.escaped(outcome.error)
            self.reply.say(text, tasks, restates_steps=outcome.shows_error)
        else:
            text = change_replies.changed(change, details, tasks, outcome, others, self._now)
            self.reply.say(text, tasks, restates_steps=not outcome.error)
            remarks = (item.remark for item in outcome.items)
            self.reply.say(replies.remarked(remarks, self.reply.text))
            self.reply.say(found.stays)


def _value(words: str, reader: Reader) -> str | None:
    """Return the change words of a value; `10.45` and `430` alone are times."""
    clock = phrases.CLOCK_ALONE.fullmatch(words)
    return reader.changes.words(f"at {clock['hour']}.{clock['minute']}" if clock else words)


def _spoken_of(said: str) -> str:
    """Return the words for the tasks that get a value: `both for tomorrow` names how many."""
    return "both of those" if phrases.BOTH.match(said) else "them"


def _is_talk(ready: TaskRequest) -> bool:
    return isinstance(ready.request, FixedAnswer) and ready.request.key in _TALK


def _series_ends_first(ready: Sequence[TaskRequest]) -> list[TaskRequest]:
    """Order `complete gym and stop repeating it` so that no next occurrence is made."""
    ends = [
        each
        for each in ready
        if isinstance(each.request, Change) and each.request.details == "no repeat"
    ]
    return [*ends, *(each for each in ready if each not in ends)]


def _adds_and_commands(steps: Sequence[ClauseReadings]) -> bool:
    """Return True for `add milk and delete the gym`: the second is no title either."""
    firsts = [(step.readings[0], peeled(step.clause)) for step in steps]
    return any(isinstance(request, Add) for request, _ in firsts) and any(
        isinstance(request, Change) and rules.is_command(words) and not phrases.DOUBLE.match(words)
        for request, words in firsts
    )
