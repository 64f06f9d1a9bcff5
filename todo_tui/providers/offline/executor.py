"""Carry out what a message means: choose it, then run the tools, then reply.

A message whose requests are not all understood and resolved changes nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.task import JsonValue
from todo_tui.domain.task_index import TaskIndex
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import help, record, replies
from todo_tui.providers.offline.answering import change_replies
from todo_tui.providers.offline.answering.answers import answer
from todo_tui.providers.offline.answering.day_plans import Planner
from todo_tui.providers.offline.answering.document_answers import DocumentAnswer
from todo_tui.providers.offline.deciding.choice import Source, choose
from todo_tui.providers.offline.deciding.message_reading import MessageReading, SaidMessage
from todo_tui.providers.offline.dialogue import (
    Dialogue,
    Question,
    Reply,
)
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.clauses import spans_of, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import is_mark, peeled
from todo_tui.providers.offline.reading.additions import with_capital
from todo_tui.providers.offline.reading.adjustments import adjusted, with_reopened
from todo_tui.providers.offline.reading.reference_resolver import Problem
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
from todo_tui.providers.offline.tool_results import Call, CallRounds, ShownTask

_FEW_WORDS = 4
_TALK = frozenset({"hello", "thanks", "bye", "fine"})


_BEFORE_DAYS = regex(r"^(on|for|in|by|due|at|during) ")
_OBJECTS = regex(
    r"\b(TAKEN_BACK|oops|whoops|not|\w+n't|never|wrong|meant|instead|leave|stays?|still|(belay"
    r"|cancel|disregard|drop|forget|ignore|scrap|scratch|skip|strike) (it|that|this|them))\b"
)
"""Words of a message that may object to what the turn before did."""
_WHAT_IT_CAN = regex(r"what (else )?(can|do) you\b.* do\b.*")


class Executor:
    """Answers one message."""

    _reading: MessageReading
    """The reading that is carried out, once the message is read."""

    def __init__(
        self, dialogue: Dialogue, index: TaskIndex, *, has_documents: bool = False
    ) -> None:
        context = dialogue.context
        now = context.now if context else datetime.now()
        style = context.date_style if context else DateStyle()
        selection = tuple(ShownTask(*pair) for pair in context.selection) if context else ()
        self._dialogue = dialogue
        self._message = SaidMessage(dialogue, index, now, style, selection)
        self._has_documents = has_documents
        self.reply = Reply()

    def respond(self) -> CallRounds[None]:
        """Answer the message; yields the tool calls of each round."""
        planner = Planner(
            self._dialogue, self.reply, self._message.now, self._message.style, self._message.index
        )
        if not (yield from planner.answered()):
            yield from self._respond()
            if planner.is_asking:
                self.reply.say(replies.REVIEW_LEFT)
                self.reply.ends = self.reply.question is None

    def _respond(self) -> CallRounds[None]:
        """Answer a message that is about no plan."""
        chosen = choose(self._message)
        self._reading = reading = chosen.reading
        self.reply.is_approved = reading.is_approved
        if isinstance(chosen.ready, Problem):
            self._say_problem(chosen.ready)
        else:
            # `great, …` before a request needs no answer.
            ready = [each for each in chosen.ready if not _is_talk(each)] or chosen.ready
            if chosen.source is not Source.DIALOGUE:
                self.reply.template = self._template(ready)
            yield from self._do(ready)
        if self._has_documents and not self.reply.wrote:
            documents = DocumentAnswer(
                self._dialogue.text, reading.resolver.message, reading.reader, self.reply
            )
            self.reply = yield from documents.reply()

    def _do(self, ready: Sequence[TaskRequest]) -> CallRounds[None]:
        """Carry requests out, and keep a record of them."""
        resolver, changes = self._reading.resolver, self._reading.reader.changes
        ready = adjusted([*with_reopened(ready, resolver, changes)], resolver, changes)
        self.reply.did = record.to_json(ready, self._reading.resolver.quoted.shown)
        for each in _series_ends_first(ready):
            yield from self._run(each)

    def _say_problem(self, problem: Problem) -> None:
        if problem.is_unread and not (problem.tasks or problem.question) and self._about_app():
            return
        if self._dialogue.wrote and not (problem.question or problem.tasks):
            problem = self._with_undo(problem)
        self.reply.say(problem.reply, problem.tasks)
        self.reply.question = problem.question
        self.reply.is_unanswered = (
            problem.is_guess
            or problem.kind == "near"
            or (problem.kind in ("", "confirm", "offer") and not problem.tasks)
        )

    def _with_undo(self, problem: Problem) -> Problem:
        """Offer to undo what the turn before did, if the message may object to that."""
        did = record.from_json(self._dialogue.did)
        done = [text for each in did if (text := self._reading.offers.intent(each))]
        if not (done and _OBJECTS.search(self._dialogue.text)):
            return problem
        said = replies.NOT_UNDERSTOOD if problem.reply == replies.DECLINED else problem.reply
        text = f"{said} {replies.undo_offer(done)}"
        return replace(problem, reply=text, question=Question("confirm", "undo"))

    def _about_app(self) -> bool:
        """Answer a question about the app; return False for any other message."""
        message = peeled(self._reading.resolver.message)
        if not phrases.ABOUT_APP.match(message):
            return False
        text = help.help_text(message)
        is_wide = bool(_WHAT_IT_CAN.fullmatch(message))
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
                message = self._reading.resolver.message
                before, found, after = message.partition(words)
                return f"{before}{{}}{after}" if found and "{" not in message else ""
            case _:
                return ""

    def _asked_of_days(self) -> str:
        """Return a question with `{}` in place of its only days, and note them."""
        words = words_of(self._reading.resolver.message)
        spans = [span for span in spans_of(words, self._reading.reader.changes) if span.change]
        if len(spans) != 1 or not self._reading.reader.dates.is_stretch(spans[0].change):
            return ""
        typed = [word.typed.strip("?") for word in words]
        self.reply.day = _BEFORE_DAYS.sub("", spans[0].change)
        return " ".join([*typed[: spans[0].start], "{}", *typed[spans[0].end :]]).strip()

    def _run(self, ready: TaskRequest) -> CallRounds[None]:
        found = ready.found.tasks if ready.found else ()
        match ready.request:
            case Add(tasks):
                yield from self._add(tasks, found[0] if found else None)
            case Change() as change:
                others = ready.other.tasks if ready.other else ()
                if others:
                    # The same message may have reopened or completed them.
                    others = self._reading.resolver.list_ids(task.id for task in others).tasks
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
                yield from answer(ask, found, self._reading.resolver, self.reply)
                self.reply.is_unanswered = self.reply.is_unanswered or ask.is_guess
                return
            case FixedAnswer(key, topic):
                self._say(key, topic, found)
                return
        self._reading.resolver.forget()

    def _say(self, key: str, topic: str, found: tuple[ShownTask, ...]) -> None:
        is_short = len(self._reading.resolver.message.split()) <= _FEW_WORDS
        match key:
            case "nothing" if found:
                self.reply.say(replies.still_open(found), found)
            case "nothing" if self._dialogue.wrote and is_short:
                self.reply.say(replies.HOW_TO_UNDO)
            case "other undo":
                self.reply.say(replies.other_undo(found), found)
            case "did":
                did = record.from_json(self._dialogue.did) if self._dialogue.wrote else ()
                self.reply.say(replies.last_done_here(map(self._reading.offers.intent, did)))
            case "day done":
                left = self._reading.resolver.list("due.by:tomorrow")
                self.reply.say(replies.day_done(left.total))
            case "help":
                text = help.help_text(topic)
                self._say_help(text)
                self.reply.is_unanswered = text == help.HELP and topic != ""
            case "rule":
                self.reply.say(replies.no_rule(topic))
            case "time":
                self.reply.say(replies.time(self._message.now))
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
                *read_change_words(task.details, self._message.now, self._message.style).notes,
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
            listed = self._reading.resolver.list_ids(task.id for task in found.tasks)
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
        shown = self._reading.resolver.quoted.shown
        details = TaskRequest(change, found, FoundTasks(others)).details
        arguments: dict[str, JsonValue] = (
            {"filter": found.filter}
            if found.filter
            else {"task_ids": [task.id for task in found.tasks]}
        )
        if details:
            arguments["details"] = details
        if change.title:
            title = shown(change.title)
            # As a new task gets one, unless the old title had none or quotation marks say so.
            had_one = any(task.title[:1].isupper() for task in found.tasks)
            gets_one = had_one and not is_mark(change.title)
            arguments["new_title"] = with_capital(title) if gets_one else title
        if change.notes is not None:
            arguments["notes"] = shown(change.notes)
        (outcome,) = yield (Call(change.verb.value, arguments, ordered=self.reply.is_approved),)
        self.reply.wrote = True
        tasks = outcome.tasks or found.tasks
        if outcome.open_subtasks:
            # A yes does just this: the rest of the message is done, and is not read again.
            whole = TaskRequest(change, FoundTasks((*found.tasks, *outcome.open_subtasks)))
            asked = self._reading.preparation.with_subtasks(
                change, found.tasks, outcome.open_subtasks
            )
            self._say_problem(
                replace(asked, question=self._reading.offers.question([whole]).question)
            )
        elif outcome.error and not outcome.tasks:
            text = replies.escaped(outcome.error)
            self.reply.say(text, tasks, restates_steps=outcome.shows_error)
        else:
            text = change_replies.changed(
                change, details, tasks, outcome, others, self._message.now
            )
            self.reply.say(text, tasks, restates_steps=not outcome.error)
            if details != "skip":
                self.reply.say(change_replies.rule_stays(outcome.items))
            remarks = (item.remark for item in outcome.items)
            self.reply.say(replies.remarked(remarks, self.reply.text))
            self.reply.say(found.stays)
            if change.verb is Verb.COMPLETE and self._tells_past_day(tasks):
                self.reply.say(replies.COMPLETED_TODAY)

    def _tells_past_day(self, tasks: Sequence[ShownTask]) -> bool:
        """Return True for `I called mom yesterday`, which is no day that a task was due."""
        message = self._reading.resolver.message
        told = None if _JOINED.search(message) else _PAST_DAY.search(message)
        dates = self._reading.resolver.dates
        days = dates.stretch(told["day"]) if told else None
        dues = {task.due.day for task in tasks if task.due}
        titles = " ".join(task.title for task in tasks).casefold()
        if told is None or told[0].casefold() in titles:
            return False
        return days is None or not (days.first in dues or days.first == dates.now.date())


_JOINED = regex(r"[,;.] |\band\b")
_PAST_DAY = regex(
    r"\b(on )?(?P<day>(the day before )?yesterday|last (night|week|WEEKDAY)|(?<=on )WEEKDAY"
    r"|(\d+|[^\W\d_]+|a few|a couple( of)?) (days?|weeks?|months?) ago)\b"
)
"""When something was done, if not today."""


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
