"""Plans and the review in the chat: reads what asks for one, and answers from listed tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.dates.text import WEEKDAY_NAMES
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.planning import (
    DONE_OF_LATE,
    REVIEW_ROWS,
    Habits,
    Plan,
    PlanTask,
    day_heading,
    fitting,
    move_words,
    plan_days,
    plan_remarks,
    review_heading,
    span_of,
    task_facts,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.task_index import TaskIndex
from todo_tui.domain.when import DateStyle, start_of_day
from todo_tui.providers.offline import record, replies
from todo_tui.providers.offline.answering.answers import MAX_RECURRING
from todo_tui.providers.offline.dialogue import Dialogue, Question, Reply
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import Dates
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import peeled
from todo_tui.providers.offline.reading.reader import DECLINE, reader_of
from todo_tui.providers.offline.requests import (
    Add,
    Change,
    FoundTasks,
    Request,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.tool_results import Call, CallRounds, Outcome, ShownTask

_ASKING = (
    r"((can|could|would|will) you |let's |let us |i (want|need|would like|'d like) (you )?to |i'd"
    r" like (you )?to |time to )?((please|help me|help me to) )?"
)
_PLAN = regex(
    rf"{_ASKING}(re-?plan|plan|organi[sz]e|arrange|structure|schedule)( out)?"
    r" ((my|the|our|this|today's) )?(?P<span>day|today|tomorrow|week)"
    r"(?P<more> today| tomorrow)?( for me)?"
    rf"|{_ASKING}(make|give|show|draft|suggest|propose)( me)? ((a|the|my) )?"
    r"((?P<daily>day|daily|week|weekly) )?plan( (for|of) ((my|the|this) )?"
    r"(?P<span2>day|today|tomorrow|week))?"
    r"|(what('s| is) )?(my|the) plan( for ((my|the|this) )?(?P<span3>day|today|tomorrow|week))?"
    r"|(?P<span4>daily|weekly|day|week) plan"
)
_OTHER_DAYS = regex(
    rf"{_ASKING}(re-?plan|plan|organi[sz]e|structure)( out)?"
    r" ((my|the|our|this|for) )*(?P<days>.+)"
)
_FITS = tuple(
    map(
        regex,
        (
            r"what( else)? (can|could|should|would) i (do|finish|get done|complete|squeeze in"
            r"|fit in|tackle|manage)( now| today| next)? ((with)?in|for|with) (only |just |about )?"
            r"(the next )?(?P<time>.+?)( free| left| to spare)?",
            r"(i've|i have|i)( only| just)? (got |have )?(only |just |about )?(?P<time>.+?)"
            r"( free| left| time| to spare| to kill| right now| now)*[,.;:]*"
            r"( (so )?what (can|could|should) i do( now)?)?",
            r"(what|which tasks?|anything)( that| can)? (fits?|takes?)( in| into| less than| under"
            r"| at most| up to)? (?P<time>.+?)",
        ),
    )
)
_REVIEW = regex(
    rf"{_ASKING}((do|start|begin|run|have|make) )?((a|my|the|our) )?((weekly|week) review|review)"
    rf"|{_ASKING}review (my|the|our|this) (week|list|tasks|to-?dos?|to-?do list|task list)"
)
_DONE = regex(r"(it's |it is |already )?(done|complete|completed|finished|tick( it)?( off)?)")
_DELETE = regex(r"(delete|remove|trash|drop|bin)( (it|this|that))?")
_KEEP = regex(r"keep( it)?( as it is)?|next( one)?|skip( it)?|leave it|later|pass")
_SKIP = regex(r"skip( (it|this|this one|this time|this occurrence))?")
"""Of a recurring task its occurrence; of another one the question."""
_NO_DATE = regex(r"(drop|remove|clear|without)( the| its| a)? (due )?date|someday|undated")
_STOP = regex(r"(stop|quit|exit|end|enough|leave|finish|that's (all|it|enough))( the)?( review)?")
_LONGEST = 100
"""Characters of a message that may ask for a plan."""
_LONG_MINUTES = 24 * 60
_BY_URGENCY = "sort:urgency"
_OTHER_DATE = regex(r"((to|on|for) )?((an?)?other|a new|a different|set an?|change the) (date|day)")
_ANSWERS = "Done, today, another date{undate}{skip}, delete or keep? Say stop to leave."


@dataclass(frozen=True, slots=True)
class Planner:
    """Answers a message that asks for a plan or a review, or answers a question of a review."""

    dialogue: Dialogue
    reply: Reply
    now: datetime
    style: DateStyle
    index: TaskIndex

    @property
    def is_asking(self) -> bool:
        """True if the turn before asked a question of a review."""
        question = self.dialogue.question
        is_review = question is not None and question.kind == "review"
        return is_review and not self.dialogue.question_age

    def answered(self) -> CallRounds[bool]:
        """Answer the message; return False if it is none of these."""
        question, text = self.dialogue.question, self.dialogue.text
        if len(text) > _LONGEST:
            return False
        message = peeled(phrases.LEADING.sub("", text.strip(" ?!.")))
        if question is not None and self.is_asking and self._is_unclear(text, message):
            # An answer is no new task.
            self.reply.say(replies.not_an_answer(text))
            yield from self._ask_again(question)
            return True
        if question is not None and self.is_asking and (yield from self._go_on(question, message)):
            return True
        if _REVIEW.fullmatch(message):
            yield from self._review(text)
        elif match := _PLAN.fullmatch(message):
            words = " ".join(filter(None, match.groupdict().values()))
            yield from self._plan(text, words)
        elif minutes := self._minutes(message):
            yield from self._fit(minutes)
        elif self._is_of_other_days(message):
            self.reply.say(replies.plans(message))
        else:
            return False
        return True

    def _is_of_other_days(self, message: str) -> bool:
        """Return True for `plan monday`, which is neither planned nor a task."""
        match = _OTHER_DAYS.fullmatch(message)
        return match is not None and Dates(self.now, self.style).is_stretch(match["days"])

    def _plan(self, message: str, span: str) -> CallRounds[None]:
        (outcome,) = yield (Call("list_tasks", {"filter": _BY_URGENCY}),)
        name = next((name for name in ("week", "tomorrow") if name in span), "day")
        begins, days = span_of(name, self.now)
        tasks, habits = [plan_task(each) for each in outcome.tasks], habits_of(outcome.data)
        plan = plan_days(tasks, begins, habits, days=days)
        seen = {task.id: task for task in outcome.tasks}
        for day in plan.busy_days:
            rows = [
                f"{number}. {_row(task, task_facts(task, day.day, self.now))}"
                for number, task in enumerate(day.tasks, 1)
            ]
            text = f"**{day_heading(day, self.now)}**"
            self.reply.say("\n".join([text, "", *rows] if rows else [text]),
                           [seen[task.id] for task in day.tasks])  # fmt: skip
        recurring = (each.task for each in self.index.find("recurring open", MAX_RECURRING).tasks)
        if coming := plan.coming(recurring, self.now, self.style.zone):
            self.reply.say(replies.coming(coming, self.now))
        self.reply.say(" ".join(map(replies.escaped, plan_remarks(plan))))
        if plan.moves:
            self._offer(message, plan, seen)

    def _offer(self, message: str, plan: Plan, seen: Mapping[int, ShownTask]) -> None:
        """Offer to move what does not fit; one change for each new date."""
        rows = [f"- {_row(move.task, move_words(move, self.now))}" for move in plan.moves]
        self.reply.say("\n".join(["Does not fit:", "", *rows]))
        by_date: dict[str, list[ShownTask]] = {}
        for move in plan.moves:
            by_date.setdefault(move.to.iso().replace("T", " "), []).append(seen[move.task.id])
        ready = [
            TaskRequest(Change(Verb.UPDATE, "it", date), FoundTasks(tuple(tasks)))
            for date, tasks in by_date.items()
        ]
        offer = tuple(record.to_json(ready, str))
        self.reply.say(f"Move {'it' if len(plan.moves) == 1 else 'them'}? [yes/no]")
        self.reply.question = Question("offer", message, offer=offer)

    def _minutes(self, message: str) -> int | None:
        """Return the minutes of which a message asks what fits; None for another message."""
        found = next(filter(None, (each.fullmatch(message) for each in _FITS)), None)
        if found is None:
            return None
        words = found["time"].replace("a quarter of an hour", "15 minutes")
        try:
            # From midnight, so that seconds round nothing.
            midnight = start_of_day(self.now.date())
            then = read_date(f"in {words}", midnight, self.style).when
        except DateNotUnderstood:
            return None
        minutes = round((then.local() - midnight).total_seconds() / 60)
        return minutes if then.at and 0 < minutes <= _LONG_MINUTES else None

    def _fit(self, minutes: int) -> CallRounds[None]:
        words = f"ready estimate<={minutes}m {_BY_URGENCY}"
        fits, others = yield (
            Call("list_tasks", {"filter": words}),
            Call("list_tasks", {"filter": f"ready no estimate {_BY_URGENCY}"}),
        )
        seen = {task.id: task for task in fits.tasks}
        tasks = fitting(map(plan_task, fits.tasks), minutes)
        rows = [f"{n}. {_row(task, _length(task))}" for n, task in enumerate(tasks, 1)]
        named = format_estimate(minutes)
        heading = f"In {named} you can do:" if rows else f"No task has an estimate up to {named}."
        self.reply.say("\n".join([heading, "", *rows] if rows else [heading]),
                       [seen[task.id] for task in tasks])  # fmt: skip
        if others.total:
            self.reply.say(
                f"{others.total:,} more {'has' if others.total == 1 else 'have'} no estimate; "
                "add one with “estimate ~20m for buy milk” or ~20m in a new task."
                if not rows
                else f"{others.total:,} more without an estimate."
            )

    def _review(self, message: str) -> CallRounds[None]:
        calls = [Call("list_tasks", {"filter": row.filter}) for row in REVIEW_ROWS]
        *found, done = yield (*calls, Call("list_tasks", {"filter": DONE_OF_LATE}))
        heading = review_heading([outcome.total for outcome in found], done.total)
        self.reply.say(f"**Weekly review** · {heading}")
        queue = [task for outcome in found for task in outcome.tasks]
        self._ask(message, queue)

    def _ask(self, message: str, queue: Sequence[ShownTask]) -> None:
        """Ask about the first task of a queue."""
        if not queue:
            return
        first = queue[0]
        facts = replies.facts(first)
        left = f" ({len(queue) - 1} more)" if len(queue) > 1 else ""
        self.reply.say(f"{replies.numbered(first)}{f': {facts}' if facts else ''}.{left}", [first])
        undate = ", no date" if first.due else ""
        skip = ", skip" if first.repeat_words else ""
        self.reply.say(_ANSWERS.format(undate=undate, skip=skip))
        self.reply.question = Question("review", message, tasks=tuple(queue))

    def _ask_again(self, question: Question) -> CallRounds[None]:
        """Ask about the first task of a question, as it is now."""
        (found,) = yield (Call("list_tasks", {"filter": f"#{question.tasks[0].id}"}),)
        self._ask(question.message, [*found.tasks[:1], *question.tasks[1:]])

    def _is_unclear(self, text: str, message: str) -> bool:
        """Return True for what is neither an answer nor surely another request."""
        if any(each.fullmatch(message) for each in (_STOP, _KEEP, _OTHER_DATE, _REVIEW, _PLAN)):
            return False
        if self._call(message, 0) or self._minutes(message):
            return False
        readings = self._read(text)
        return bool(readings) and all(
            each == DECLINE or (isinstance(each, Add) and not each.is_explicit) for each in readings
        )

    def _go_on(self, question: Question, message: str) -> CallRounds[bool]:
        """Carry out the answer to a question of the review, and ask the next one."""
        task, *queue = question.tasks or (ShownTask(0, ""),)
        if _STOP.fullmatch(message):
            self.reply.say("Review ended. What you answered is saved.")
            return True
        if _OTHER_DATE.fullmatch(message):
            self.reply.say(f"To which date? For example “friday”, for {replies.numbered(task)}.")
            self.reply.question = replace(question, message=question.message)
            return True
        if self._read(self.dialogue.text) == [Undo()]:
            yield from self._undo(question)
            return True
        call = self._call(message, task.id)
        if call is not None:
            (outcome,) = yield (call,)
            if outcome.error:
                text = replies.escaped(outcome.error)
                self.reply.say(text, restates_steps=outcome.shows_error)
                yield from self._ask_again(question)
                return True
            self.reply.wrote = True
            self.reply.say(_said(call, outcome), outcome.tasks)
        elif not _KEEP.fullmatch(message):
            return False
        if not queue:
            self.reply.say("That was the last one.")
            return True
        yield from self._ask_again(replace(question, tasks=tuple(queue)))
        return True

    def _read(self, text: str) -> list[Request]:
        """Return the first reading of each step of a message."""
        return [step.readings[0] for step in reader_of(text, self.now, self.style).read()]

    def _undo(self, question: Question) -> CallRounds[None]:
        """Undo the last answer, and ask about its task again."""
        (outcome,) = yield (Call("undo", ordered=True),)
        self.reply.wrote = bool(outcome.changes)
        tasks = tuple(each.task for each in outcome.changes if each.task.is_open)
        self.reply.say(
            replies.undone([outcome], redo=False), tasks, restates_steps=outcome.shows_error
        )
        known = {task.id for task in tasks}
        queue = (*tasks, *(task for task in question.tasks if task.id not in known))
        yield from self._ask_again(replace(question, tasks=queue))

    def _call(self, message: str, task_id: int) -> Call | None:
        ids: list[JsonValue] = [task_id]
        if _DONE.fullmatch(message):
            return Call("complete_task", {"task_ids": ids}, ordered=True)
        if _DELETE.fullmatch(message):
            return Call("delete_task", {"task_ids": ids}, ordered=True)
        details = "no date" if _NO_DATE.fullmatch(message) else message
        if _SKIP.fullmatch(message) and self.index.find(f"recurring #{task_id}", 1).tasks:
            return Call("update_task", {"task_ids": ids, "details": "skip"}, ordered=True)
        if _KEEP.fullmatch(message) or not self._changes(details):
            return None
        return Call("update_task", {"task_ids": ids, "details": details}, ordered=True)

    def _changes(self, details: str) -> bool:
        return read_change_words(details, self.now, self.style).changes_something


def plan_task(task: ShownTask) -> PlanTask:
    """Return a listed task as a plan sees it."""
    return PlanTask(
        task.id, task.title, task.due, task.estimate, task.urgency, is_blocked=task.blocked,
        is_started=task.status == "doing", moves=task.moves, is_recurring=bool(task.repeat_words),
    )  # fmt: skip


def habits_of(data: Mapping[str, JsonValue]) -> Habits:
    """Return the habits that a list by urgency tells."""
    usual = data.get("usually_finished")
    pairs = usual.items() if isinstance(usual, dict) else ()
    return Habits(
        finished={
            WEEKDAY_NAMES.index(day.lower()): count for day, count in pairs
            if isinstance(count, int) and day.lower() in WEEKDAY_NAMES
        }
    )  # fmt: skip


def _row(task: PlanTask, facts: str) -> str:
    return f"{replies.escaped(task.title)}{f' · {facts}' if facts else ''} (#{task.id})"


def _length(task: PlanTask) -> str:
    return format_estimate(task.estimate or 0)


def _said(call: Call, outcome: Outcome) -> str:
    task = outcome.tasks[0] if outcome.tasks else None
    if task is None:
        return "Done."
    match call.name:
        case "complete_task":
            return f"Completed {replies.name(task)}."
        case "delete_task":
            return f"Deleted {replies.name(task)}."
        case _:
            if outcome.items and outcome.items[0].is_unchanged:
                return f"{replies.name(task)} is unchanged."
            due = f"due {task.due_words}" if task.due_words else "without a date"
            return f"{replies.name(task)} is now {due}."
