"""Questions whether requests are meant: what they would do, in words, for a yes or no."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.dates.text import format_day, format_when
from todo_tui.domain.text import join_words
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import record, replies
from todo_tui.providers.offline.language.words import (
    tokens,
)
from todo_tui.providers.offline.reading import write_gate
from todo_tui.providers.offline.reading.adjustments import adjusted
from todo_tui.providers.offline.reading.reader import Reader
from todo_tui.providers.offline.reading.reference_resolver import Problem, Resolver
from todo_tui.providers.offline.reading.title_matching import stems
from todo_tui.providers.offline.requests import (
    Add,
    Change,
    FoundTasks,
    NewTask,
    TaskRequest,
    Verb,
)
from todo_tui.providers.offline.tool_results import ShownTask

_WAITS = re.compile(r"after #\d+( after #\d+)*")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Offers:
    """Words the questions of one message; a yes carries out what is offered."""

    resolver: Resolver
    reader: Reader
    now: datetime
    style: DateStyle

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

    def question(
        self,
        ready: Sequence[TaskRequest],
        unread: Sequence[str] = (),
        like: Sequence[ShownTask] = (),
    ) -> Problem:
        """Return the question whether requests are to be carried out; yes does just that.

        `like` is a task on the list that may be meant instead of a new one.
        """
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
        over_next = (
            write_gate.passed_over(each, self.resolver, self.reader.changes) for each in ready
        )
        remarks += [
            f"It is also due {format_day(day, self.now.date())}" for day in over_next if day
        ]
        verbs = [each.request.verb for each in ready if isinstance(each.request, Change)]
        known = self.resolver.list_ids([tasks[0].id]).tasks if len(tasks) == 1 else ()
        if Verb.DELETE in verbs:
            remarks += [f"It repeats {task.repeat_words}" for task in known if task.repeat_words]
        if Verb.UPDATE in verbs:
            remarks += ["It is done already" for task in known if task.status == "done"]
        unused = self.as_typed(unread)
        text = replies.offered(filter(None, map(self.intent, ready)), unused, remarks)
        if like:
            text = f"{replies.already(like)} {text}"
        kept = record.to_json(ready, self.resolver.quoted.shown)
        question = replace(self.resolver.question("offer"), offer=tuple(kept))
        return Problem(text, tasks, question)

    def as_typed(self, unread: Sequence[str]) -> Sequence[str]:
        """Return words as they stand in the message, each once; neighbours are one phrase."""
        typed = self.resolver.quoted.shown(self.resolver.message).split()
        said = [(token, place) for place, word in enumerate(typed) for token in tokens(word)]
        own = _places([tokens(each) for each in unread], said)
        parts: list[list[str]] = []
        follows = False
        for place, word in enumerate(typed):
            if place in own:
                if not follows:
                    parts.append([])
                parts[-1].append(word.strip(",;:.!?()"))
            follows = place in own and word[-1] not in ",;:.!?"
        return [" ".join(part) for part in parts] or unread

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


def _places(phrases: Sequence[Sequence[str]], said: Sequence[tuple[str, int]]) -> set[int]:
    """Return the places of phrases in what was said; of one that is not in it those of its words.

    A word counts once, the longest phrase first.
    """
    places: set[int] = set()
    for phrase in sorted(phrases, key=len, reverse=True):
        if len(phrase) > 1:
            places |= _run(phrase, said)
        known = {token for token, place in said if place in places}
        places |= {place for word in phrase if word not in known for place in _run([word], said)}
    return places


def _run(phrase: Sequence[str], said: Sequence[tuple[str, int]]) -> set[int]:
    """Return the places of the words of a phrase where it first stands in what was said."""
    for at in range(len(said)):
        run = said[at : at + len(phrase)]
        if [token for token, _ in run] == [*phrase]:
            return {place for _, place in run}
    return set()
