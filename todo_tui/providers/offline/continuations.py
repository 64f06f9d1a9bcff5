"""Go on from the turn before: `and the plants too`, `no, the other report`, `oh wait, I haven't`.

A message is rewritten into one that can stand alone, or into requests made from the record of what
was done or offered: a bare value takes the place of the one of its type.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from todo_tui.domain.dates.text import month_name
from todo_tui.domain.when import When
from todo_tui.providers.offline import phrases, record
from todo_tui.providers.offline.changes import is_time
from todo_tui.providers.offline.clauses import spans_of, words_of
from todo_tui.providers.offline.dialogue import Dialogue
from todo_tui.providers.offline.meaning import is_remark
from todo_tui.providers.offline.reader import Reader, reader_of
from todo_tui.providers.offline.requests import (
    Add,
    Ask,
    Change,
    FixedAnswer,
    FoundTasks,
    NewTask,
    TaskRequest,
    Undo,
    Verb,
)
from todo_tui.providers.offline.task_resolver import Resolver
from todo_tui.providers.offline.title_matching import mentioned, stems
from todo_tui.providers.offline.tool_results import ShownTask
from todo_tui.providers.offline.words import folded, peeled, surely_verb, tokens
from todo_tui.providers.offline.write_gate import is_function

_A_WEEK = timedelta(6)
_CLOSING = (Verb.COMPLETE, Verb.DELETE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)")
_LAST_HOUR = 24
_SIGNS = ",.;!–-"
_MAX_REWORDED = 4
"""Words that take the place of others in a title."""
_DAYS = {"before": -1, "after": 1}


def continued(dialogue: Dialogue, reader: Reader, resolver: Resolver) -> str | list[TaskRequest]:
    """Return the message as it is meant after the turn before, or the requests that it means."""
    return _Continuation(dialogue, reader, resolver, record.from_json(dialogue.did)).meant()


@dataclass(frozen=True, slots=True)
class _Continuation:
    """Reads a message by the record of what the turn before did."""

    dialogue: Dialogue
    reader: Reader
    resolver: Resolver
    did: tuple[TaskRequest, ...]

    def meant(self) -> str | list[TaskRequest]:
        """Return the message as it is meant, or its requests."""
        text = self._dated()
        said = text.strip().rstrip(".!")
        if match := phrases.ANOTHER.fullmatch(said):
            made = self._again(match)
        elif phrases.SWAPPED.fullmatch(peeled(said)):
            made = self._swapped()
        else:
            made = self._corrected(said) or self._noted(said)
        if made:
            return made
        if value := self._corrected_value(said) or self._value_among_reasons(said):
            return value
        if (match := phrases.DO_NOT.fullmatch(said)) and self._closed():
            follows = self._readings(match["what"])
            if isinstance(follows, Change) and phrases.POINTING.fullmatch(follows.tasks):
                return f"undo; {match['what']}"
        if match := phrases.MEANT_OTHERS.fullmatch(said):
            return self._instead(match) or text
        match = phrases.CONTINUED.fullmatch(said)
        if match and len(self.did) == 1 and isinstance(self.did[0].request, Add):
            what = match["what"] or match["same"]
            # `and beans too`; what is a value, or a request of its own, is none.
            is_new = self.reader.changes.words(what) is None and self._readings(what) is None
            return f"add {what}" if is_new else text
        return self._asked_again(said) or text

    def _asked_again(self, said: str) -> str:
        """Return the last question for other days: `and the week before?`."""
        match = phrases.OTHER_DAYS.fullmatch(said.rstrip(" ?"))
        asked = self.reader.dates.stretch(self.dialogue.day)
        if match is None or self.did or asked is None:
            return ""
        days = match["days"] or ""
        if match["unit"]:
            side = _DAYS[match["side"].casefold()]
            length = {"day": 1, "week": 7}.get(match["unit"].casefold(), 0)
            first = asked.first + timedelta(side * length)
            last = asked.last + timedelta(side * length)
            if not length:
                last = asked.first - timedelta(1) if side < 0 else asked.last + timedelta(28)
                first = last.replace(day=1)
            days = f"between {first} and {last}" if first < last else str(first)
        if not self.reader.dates.is_stretch(days):
            return ""
        return self.dialogue.template.replace("{}", days)

    def _dated(self) -> str:
        """Return the message with the day of the turn before: `the same day`, `put it there`."""
        text = self.dialogue.text
        said = text.strip().rstrip(".!")
        same = phrases.SAME_DAY.search(said)
        if same and (due := self._due()) and not self._sets_day(said[: same.start()]):
            # `and the ink the same day`
            is_moment = "time" in same[0] or "deadline" in same[0]
            day = due.iso().replace("T", " ") if is_moment else due.day.isoformat()
            return f"{said[: same.start()]} {day}{said[same.end() :]}"
        parts = map(peeled, phrases.PART.split(said))
        if not any(phrases.PUTS_DOWN.match(phrases.LEADING.sub("", each)) for each in parts):
            return text
        if (beside := phrases.DAY_BESIDE.search(said)) and (due := self._due()):
            # `and a reminder to shop the day before`
            day = (due.day + timedelta(_DAYS[beside["side"].casefold()])).isoformat()
            return f"{said[: beside.start()]} {day}"
        asked, there = self.dialogue.day, phrases.THERE.search(said)
        days = self.reader.dates.stretch(asked) if asked else None
        if not days or days.first != days.last or self._sets_day(said):
            return text
        # `put lunch there` is an order for a task, whatever the day.
        word = " there" if there and there["there"] else ""
        return f"{said[: there.start()]}{word} on {asked} {said[there.end() :]}" if there else text

    def _sets_day(self, text: str) -> bool:
        """Return True for a text with a day in it, or a shift of one."""
        said = [span.change for span in spans_of(words_of(text), self.reader.changes)]
        return any(each and not (is_time(each) or phrases.NO_DATE.match(each)) for each in said)

    def _taken_back(self, said: str) -> list[TaskRequest]:
        """Return what takes back the turn before, where a clause says so, and none says more."""
        parts = [each for each in phrases.PART.split(said) if each.strip()]
        for whole in ([said], parts):
            undoing = [phrases.UNDOES.fullmatch(each) for each in whole]
            others = [
                each["why"] if each else part for each, part in zip(undoing, whole, strict=True)
            ]
            if any(undoing) and all(map(self._is_aside, others)):
                return [TaskRequest(Undo())]
        if reopened := self._denied(parts):
            return reopened
        done = self._closed()
        backs = [each for each in parts if phrases.NOT_DONE.fullmatch(each)]
        rest = [each for each in parts if each not in backs]
        is_meant = phrases.NOT_DONE.fullmatch(said) or (backs and all(map(self._is_aside, rest)))
        if done and is_meant:
            return [TaskRequest(Change(Verb.REOPEN, "them"), done)]
        if is_meant and any(phrases.PUT_BACK.search(each) for each in (*backs, said)):
            return [TaskRequest(Undo())]
        return []

    def _denied(self, clauses: Sequence[str]) -> list[TaskRequest]:
        """Return the reopening of a task that is not done after all: `the disk is not done`."""
        clauses = [each for each in clauses if not phrases.EXCLAIMED.fullmatch(f"{each} ")]
        match = phrases.NOT_SO.fullmatch(clauses[0]) if clauses else None
        closed = tuple(task for each in self.did if _closes(each) for task in _tasks_by_name(each))
        named = self._named(phrases.LEADING.sub("", match["what"]), closed) if match else set()
        found = tuple(task for task in closed if task.id in named)
        if not found or not all(map(self._only_tells, clauses[1:])):
            return []
        return [TaskRequest(Change(Verb.REOPEN, "it"), FoundTasks(found))]

    def _undone(self, match: re.Match[str]) -> list[TaskRequest]:
        """Return the undo of what was done to one task, if that was the last change."""
        what = match["what"] or match["task"]
        pools = (self.dialogue.focus, *(self.resolver.pool(what, each) for each in ("", "all")))
        named = next(filter(None, (self._named(what, pool) for pool in pools)), set())
        if not named:
            return []
        is_last = self.dialogue.wrote and named == {task.id for task in self.dialogue.focus}
        tasks = tuple(task for task in self.resolver.pool(what, "all") if task.id in named)
        return [
            TaskRequest(Undo())
            if is_last
            else TaskRequest(FixedAnswer("other undo"), FoundTasks(tasks))
        ]

    def _is_aside(self, text: str) -> bool:
        """Return True for words that set no value, and speak of no other task."""
        if phrases.EXCLAIMED.fullmatch(f"{text} "):
            return True
        words = words_of(peeled(text))
        spans = spans_of(words, self.reader.changes)
        acts = bool(words) and surely_verb(words[0].low)
        acts = acts or any(
            isinstance(each, Change) or (isinstance(each, Add) and each.is_explicit)
            for each in self.reader.readings(text)[:1]
        )
        if acts or any(span.change for span in spans) or "#" in text:
            return False
        found, _ = mentioned(tokens(text), self.resolver.pool(text))
        return {task.id for task in found} <= {task.id for task in self.dialogue.focus}

    def _all_but(self, said: str) -> list[TaskRequest]:
        """Return what spares some of the tasks of the turn before: `except the slides`."""
        forms = (phrases.SPARES, phrases.ONLY, phrases.STAYS)
        match = next(filter(None, (form.fullmatch(said) for form in forms)), None)
        if match is None or len(self.did) != 1:
            return []
        ready = self.did[0]
        if isinstance(ready.request, Add):
            new = ready.request.tasks
            titles = [ShownTask(n, each.title) for n, each in enumerate(new)]
            named = self._named(match["what"], titles, by_verb=True)
            kept = [n in named for n in range(len(new))]
            if match.re is not phrases.ONLY:
                kept = [not each for each in kept]
            left = tuple(task for task, is_kept in zip(new, kept, strict=True) if is_kept)
            is_some = named and 0 < len(left) < len(new)
            return (
                [TaskRequest(Undo()), TaskRequest(replace(ready.request, tasks=left))]
                if is_some
                else []
            )
        found = ready.found.tasks if ready.found and not ready.found.filter else ()
        spares = match.re is not phrases.ONLY
        is_again = spares and len(found) == 1 and _verb(ready) is Verb.REOPEN
        among = self.dialogue.shown if is_again else found
        named = self._named(match["what"], among, by_verb=True)
        chosen = tuple(task for task in (*found, *self.dialogue.shown) if task.id in named)
        chosen = tuple({task.id: task for task in chosen}.values())
        if is_again:
            # `and not the key cutting either`
            return [TaskRequest(ready.request, FoundTasks(chosen))] if chosen else []
        others = tuple(task for task in found if task.id not in named)
        if not chosen or not others:
            return []
        kept_ones = others if spares else chosen
        return [
            TaskRequest(Undo()),
            replace(ready, found=FoundTasks(kept_ones, is_bulk=len(kept_ones) > 1)),
        ]

    def _recounted(self, said: str) -> list[TaskRequest]:
        """Return the new task, or the note, with another number in the place of its only one."""
        match = phrases.NUMBER_ALONE.fullmatch(said)
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        if match is None or len(self.did) != 1 or len(tasks) != 1:
            return []
        change, (task,) = self.did[0].request, tasks
        note = change.notes if isinstance(change, Change) else None
        text = task.title if isinstance(change, Add) else note or ""
        numbers = _NUMBER.findall(text)
        may_be_hour = task.due is not None and task.due.at is not None and not note
        if len(numbers) != 1 or (may_be_hour and float(match["number"]) <= _LAST_HOUR):
            return []
        new = text.replace(numbers[0], match["number"])
        if note is None:
            return [TaskRequest(Change(Verb.UPDATE, "it", title=new), FoundTasks(tasks))]
        return [
            TaskRequest(Undo()),
            TaskRequest(Change(Verb.UPDATE, "it", notes=new), FoundTasks(tasks)),
        ]

    def _reworded(self, said: str) -> list[TaskRequest]:
        """Return the one task with other words in its title: `30 bags, not 20`."""
        match = phrases.NOT_OLD.fullmatch(said)
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        if match is None or len(tasks) != 1:
            return []
        old, new = (_filled(match, name) for name in ("old", "new"))
        if self.reader.changes.words(new) or len(new.split()) > _MAX_REWORDED:
            return []
        title = _reworded(tasks[0].title, old, new)
        change = Change(Verb.UPDATE, "it", title=title)
        return [TaskRequest(change, FoundTasks(tasks))] if title else []

    def _named(self, words: str, tasks: Sequence[ShownTask], *, by_verb: bool = False) -> set[int]:
        """Return the numbers of the tasks that words name, all of them; none if a word is left."""
        named: set[int] = set()
        for part in re.split(r",? (?:and|or|nor) |, ", words):
            said = tokens(part)
            found, places = mentioned(said, tasks)
            if by_verb and not found:
                found, places = mentioned(said, tasks, by_verb=True)
            left = [each for at, each in enumerate(said) if at not in places]
            if len(found) != 1 or not all(map(is_function, left)):
                return set()
            named.add(found[0].id)
        return named

    def _instead(self, match: re.Match[str]) -> str | list[TaskRequest]:
        """Return the last command for the tasks that were meant: `no, the login one`."""
        what, template = phrases.MEANT_BESIDE.sub("", match["what"]), self.dialogue.template
        changed = {task.id for each in self.did if each.found for task in each.found.tasks}
        is_other = phrases.THE_OTHER.fullmatch(what)
        others = [task for task in self.dialogue.shown if task.id not in changed]
        if is_other and len(others) == 1:
            return f"undo; {template.replace('{}', f'#{others[0].id}')}" if template else ""
        if is_other:
            return ""
        if len(self.did) == 1 and self.dialogue.wrote and (meant := self._meant_task(what)):
            return [TaskRequest(Undo()), replace(self.did[0], found=FoundTasks((meant,)))]
        is_command = not match["surely"] and self._readings(what) is not None
        has_value = any(spans_of(words_of(what), self.reader.changes))
        if is_command or has_value or match["was"] or not template:
            return ""
        return f"undo; {template.replace('{}', what)}"

    def _meant_task(self, what: str) -> ShownTask | None:
        """Return the one task, not that of the turn before, that words name in its place."""
        ready = self.did[0]
        was = ready.found.tasks if ready.found else ()
        if len(was) != 1 or not isinstance(ready.request, Change):
            return None
        pool = [task for task in self.resolver.pool(what) if task.id != was[0].id]
        named = self._named(what, pool)
        common = set(stems(was[0].title))
        days = self.reader.dates.stretch(re.sub(r"^the |'?s$", "", what))
        if days and _closes(ready):
            # `cancel monday's meeting`, `no, I meant tuesday's`
            due = [task for task in pool if task.due and days.first <= task.due.day <= days.last]
            named = {task.id for task in due if common & set(stems(task.title))}
        meant = [task for task in pool if task.id in named]
        return meant[0] if len(meant) == 1 else None

    def _corrected(self, said: str) -> list[TaskRequest]:
        """Return what takes back all or part of what the turn before wrote, or its number."""
        if match := phrases.UNDO_OF.fullmatch(peeled(said)):
            return self._undone(match)
        if match := phrases.BOTH_BACK.fullmatch(peeled(said)):
            # Two tasks of one message are one change.
            times = 1 if sum(len(_titles(each)) for each in self.did) > 1 else 2
            return [TaskRequest(Undo(match["verb"].casefold() == "redo", times))]
        if not self.dialogue.wrote:
            return []
        return (
            self._taken_back(said)
            or self._all_but(said)
            or self._exchanged(said)
            or self._recounted(said)
            or self._reworded(said)
        )

    def _corrected_value(self, said: str) -> str:
        """Return the value that a message begins with, where the rest only tells why.

        In `no, friday, I work on saturday` that is Friday, where Saturday is the day so far.
        """
        lead = phrases.BETTER.match(said)
        rest = said[lead.end() :] if lead else said
        words = words_of(rest)
        spans = list(spans_of(words, self.reader.changes))
        is_after_change = self.dialogue.wrote and len(self.did) == 1
        if not is_after_change or not spans or spans[0].start or not spans[0].change:
            return ""
        typed = [word.typed for word in words]
        end = spans[0].end
        value = " ".join(typed[:end]).strip(_SIGNS)
        behind = "".join(
            f"{',' if word.pause else ''} {word.typed.strip(_SIGNS)}" for word in words[end:]
        )
        match = phrases.TELLS_WHY.fullmatch(behind)
        if match is None or not self._sets_day(value):
            return ""
        was = self._due()
        days = [self.reader.dates.stretch(span.change) for span in spans[1:]]
        is_of_day_before = was is not None and any(each and each.first == was.day for each in days)
        in_spans = {at for span in spans for at in range(span.start, span.end)}
        told = " ".join(word for at, word in enumerate(typed) if at not in in_spans)
        is_reason = match["because"] or is_of_day_before or is_remark(told, self.reader.changes)
        return value if is_reason else ""

    def _value_among_reasons(self, said: str) -> str:
        """Return the value that a clause consists of, where the others tell why.

        In `pardon, thursday they are closed; it is friday` that is Friday, where Thursday is the
        day so far.
        """
        was = self._due()
        if was is None or not self.dialogue.wrote or len(self.did) != 1:
            return ""
        clauses = [phrases.BE_IT.sub("", each) for each in _told_clauses(said)]
        values = [
            each for each in clauses if self.reader.changes.words(each) and self._sets_day(each)
        ]
        others = [each for each in clauses if each not in values]
        is_told = all(self._tells_of_day(each, was.day) for each in others)
        return values[0] if len(values) == 1 and others and is_told else ""

    def _tells_of_day(self, text: str, day: date) -> bool:
        """Return True for a remark that names this day or none, and no other task."""
        words = words_of(text)
        spans = [span for span in spans_of(words, self.reader.changes) if span.change]
        days = [self.reader.dates.stretch(span.change) for span in spans]
        in_spans = {at for span in spans for at in range(span.start, span.end)}
        told = " ".join(word.typed for at, word in enumerate(words) if at not in in_spans)
        is_of_day = all(each is not None and each.first == each.last == day for each in days)
        return is_of_day and self._only_tells(told)

    def _exchanged(self, said: str) -> list[TaskRequest]:
        """Return what the turn before did, for other tasks: `sorry, not Bell, St Mark's`."""
        clauses = _told_clauses(said)
        match = phrases.SPARES.fullmatch(clauses[0]) if clauses else None
        if match is None or not all(map(_tasks_by_name, self.did)):
            return []
        changed = {task.id: task for each in self.did for task in _tasks_by_name(each)}
        spared = self._named(match["what"], tuple(changed.values()), by_verb=True)
        rest = [each for each in clauses[1:] if not self._only_tells(each)]
        meant = self._others_than(changed.keys(), phrases.I_MEANT.sub("", rest[0])) if rest else ()
        if not spared or len(rest) > 1 or bool(rest) != bool(meant):
            return []
        requests = [TaskRequest(Undo())]
        for ready in self.did:
            kept = tuple(task for task in _tasks_by_name(ready) if task.id not in spared)
            kept += meant if len(kept) < len(_tasks_by_name(ready)) else ()
            if kept:
                requests.append(replace(ready, found=FoundTasks(kept, is_bulk=len(kept) > 1)))
        return requests if len(requests) > 1 else []

    def _others_than(self, changed: Collection[int], words: str) -> tuple[ShownTask, ...]:
        """Return the tasks that words name, all of them, where none is among those changed."""
        pool = self.resolver.pool(words)
        named = self._named(words, pool)
        return tuple(task for task in pool if task.id in named and named.isdisjoint(changed))

    def _noted(self, said: str) -> list[TaskRequest]:
        """Return the note on the task last spoken of: `her name is Fleur, please write it down`."""
        told, pause, order = said.rpartition(", ")
        told = phrases.LEADING.sub("", phrases.EXCLAIMED.sub("", f"{told} ", count=1)).strip()
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        if len(tasks) != 1 or not pause or not phrases.KEPT_AS_NOTE.fullmatch(order.strip()):
            return []
        if not self._only_tells(told):
            return []
        return [TaskRequest(Change(Verb.UPDATE, "it", notes=f"+ {told}"), FoundTasks(tasks))]

    def _only_tells(self, text: str) -> bool:
        return self._is_aside(text) or is_remark(text, self.reader.changes)

    def _again(self, match: re.Match[str]) -> list[TaskRequest]:
        """Return the addition of a task like the last one, with what is said of it."""
        change = self.reader.changes.words(match["change"] or "") or ""
        title = ""
        for each in self.did:
            if isinstance(each.request, Add) and len(each.request.tasks) == 1:
                title = each.request.tasks[0].title
        if not title or (match["change"] and not change):
            return []
        return [TaskRequest(Add((NewTask(title, change),), is_explicit=True))]

    def _swapped(self) -> list[TaskRequest]:
        """Return the two tasks of the turn before, each with the date of the other."""
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        if len(tasks) != 2 or not all(task.due for task in tasks):
            return []
        return [
            TaskRequest(
                Change(Verb.UPDATE, "it", other.due.iso().replace("T", " ")), FoundTasks((task,))
            )
            for task, other in (tasks, tasks[::-1])
            if other.due
        ]

    def _due(self) -> When | None:
        """Return when the tasks of the turn before are due, if all are at one time."""
        tasks = self.resolver.list_ids(task.id for task in self.dialogue.focus).tasks
        dues = {task.due for task in tasks}
        return next(iter(dues)) if self.dialogue.focus and len(dues) == 1 else None

    def _closed(self) -> FoundTasks | None:
        """Return the tasks that were completed, deleted or cancelled, if nothing else was done."""
        is_closing = len(self.did) == 1 and _closes(self.did[0])
        return self.did[0].found if is_closing else None

    def _readings(self, text: str) -> object:
        """Return what a text is read as by itself; None for no request."""
        steps = reader_of(text, self.reader.dates.now, self.reader.dates.style).read()
        return next((step.readings[0] for step in steps if step.is_understood), None)


def _filled(match: re.Match[str], name: str) -> str:
    """Return the words of a group, whichever alternative of the pattern has them."""
    return next(filter(None, (match[group] for group in (name, f"{name}2", f"{name}3"))), "")


def _reworded(text: str, old: str, new: str) -> str:
    """Return a title with new words in the place of old ones; empty if those are not in it once."""
    title, wanted, words = text.split(), folded(old).split(), new.split()
    places = [
        at
        for at in range(len(title))
        if folded(" ".join(title[at:])).replace("'s", "").split()[: len(wanted)] == wanted
    ]
    if len(places) != 1:
        return ""
    first, after = places[0], places[0] + len(wanted)
    behind = [folded(each) for each in title[after : after + len(words) - 1]]
    if len(words) > 1 and behind == [folded(each) for each in words[1:]]:
        words = words[:1]
    if title[after - 1].endswith("'s") and not old.endswith("'s"):
        words[-1] += "'s"
    return " ".join((*title[:first], *words, *title[after:]))


def _told_clauses(said: str) -> list[str]:
    """Return the clauses of a message without what is only exclaimed."""
    parts = phrases.PART.split(said)
    return [each for each in parts if not phrases.EXCLAIMED.fullmatch(f"{each} ")]


def _tasks_by_name(ready: TaskRequest) -> tuple[ShownTask, ...]:
    """Return the tasks of a change; none for a filter."""
    return ready.found.tasks if ready.found and not ready.found.filter else ()


def _verb(ready: TaskRequest) -> Verb | None:
    return ready.request.verb if isinstance(ready.request, Change) else None


def _closes(ready: TaskRequest) -> bool:
    """Return True for a change that completes, deletes or cancels tasks."""
    is_closing = _verb(ready) in _CLOSING or ready.details == "cancelled"
    return is_closing and bool(ready.found and ready.found.tasks)


def filled(dialogue: Dialogue, reader: Reader, template: str) -> str:
    """Return the command with what it lacked, unless the message is a command of its own."""
    said = dialogue.text.strip()
    steps = reader.read()
    readings = steps[0].readings if steps else ()
    acts = any(isinstance(each, Change | Undo) for each in readings)
    asks = any(isinstance(each, Ask) for each in readings[:1]) and said.endswith("?")
    if (acts or asks) and not reader.changes.words(dialogue.text):
        return dialogue.text
    if lead := re.search(r" (to|with) \{\}", template):
        said = re.sub(rf"^{lead[1]} ", "", said, flags=re.IGNORECASE)
    return template.replace("{}", said)


def edited(dialogue: Dialogue, reader: Reader) -> list[TaskRequest]:
    """Return what the open question offers, with a value of the message: `yes, but at 8`.

    In `no, squash saturday at 11` the value is that of one of those offered.
    """
    question = dialogue.question
    offer = record.from_json(list(question.offer)) if question and not dialogue.question_age else ()
    more = phrases.BE_IT.sub("", peeled(phrases.CORRECTING.sub("", dialogue.text.strip(" .!"))))
    change, title = reader.changes.words(f"at {more}" if more.isdigit() else more), ""
    if not change:
        change, title = _value_of_one(more, reader)
        titles = [each for request in offer for each in _titles(request)]
        named = [each for each in titles if _is_titled(title, each)]
        if len(named) != 1 or _is_titled(more, named[0]):
            return []
    days = reader.dates.stretch(change)
    is_span = days is not None and days.first != days.last
    new = [task for each in offer if isinstance(each.request, Add) for task in each.request.tasks]
    is_open = len(new) > 1 and not (title or phrases.BOTH.match(more))
    if not offer or not change or is_span or is_open:
        # `just this week` is no day, and `every week` of two new tasks is said of neither.
        return []
    edits: list[TaskRequest] = []
    for each in offer:
        match each.request:
            case Add(tasks):
                changed = tuple(
                    replace(task, details=reader.changes.replaced(task.details, change))
                    if not title or _is_titled(title, task.title)
                    else task
                    for task in tasks
                )
                edits.append(replace(each, request=replace(each.request, tasks=changed)))
            case _ if title and not any(_is_titled(title, named) for named in _titles(each)):
                edits.append(each)
            case Change(Verb.UPDATE, details=details) if details:
                both = reader.changes.replaced(details, change)
                edits.append(replace(each, request=replace(each.request, details=both)))
            case _:
                return []
    return edits


def _value_of_one(said: str, reader: Reader) -> tuple[str, str]:
    """Return the one value of a text as change words, and the words around it."""
    words = words_of(said)
    spans = [span for span in spans_of(words, reader.changes) if span.change]
    if len(spans) != 1:
        return "", ""
    rest = [*words[: spans[0].start], *words[spans[0].end :]]
    return spans[0].change, " ".join(word.said for word in rest)


def _titles(ready: TaskRequest) -> list[str]:
    """Return the titles of what a request adds or changes."""
    tasks = ready.request.tasks if isinstance(ready.request, Add) else _tasks_by_name(ready)
    return [task.title for task in tasks]


def _is_titled(words: str, title: str) -> bool:
    """Return True if words are one or more of a title, and no others."""
    return bool(stems(words)) and set(stems(title)).issuperset(stems(words))


def in_same_week(said: str, dialogue: Dialogue, reader: Reader, resolver: Resolver) -> str:
    """Return the date of `actually friday` in the week of the task, where that is yet to come."""
    match = phrases.ON_WEEKDAY.fullmatch(said)
    wanted = reader.dates.stretch(match["day"]) if match else None
    tasks = resolver.list_ids(task.id for task in dialogue.focus).tasks if wanted else ()
    days = {task.due.day for task in tasks if task.due}
    if match is None or wanted is None or len(days) != 1:
        return ""
    (day,) = days
    was = reader.dates.stretch(match["was"]) if match["was"] else None
    is_then = was is not None and was.first.weekday() == day.weekday()
    if not is_then and day - reader.dates.now.date() <= _A_WEEK:
        return ""
    day += timedelta(wanted.first.weekday() - day.weekday())
    # In words, which leave the time of day as it is.
    return f"{day.day} {month_name(day.month)} {day.year}"
