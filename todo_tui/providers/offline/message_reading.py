"""A reading of a message: its requests with the tasks that they mean, or what stands in the way."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from todo_tui.domain.task_index import TaskIndex
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import phrases, record, replies, rules
from todo_tui.providers.offline.change_phrases import ChangeReader
from todo_tui.providers.offline.continuations import in_same_week
from todo_tui.providers.offline.corrections import repaired
from todo_tui.providers.offline.dialogue import Dialogue
from todo_tui.providers.offline.meaning import is_remark
from todo_tui.providers.offline.offers import Offers
from todo_tui.providers.offline.preparation import Preparation
from todo_tui.providers.offline.reader import ClauseReadings, Reader, reader_of
from todo_tui.providers.offline.reference_resolver import Problem, Resolver
from todo_tui.providers.offline.requests import Add, Change, TaskRequest, Verb
from todo_tui.providers.offline.reversals import takes_back
from todo_tui.providers.offline.tool_results import Listing, ShownTask
from todo_tui.providers.offline.words import peeled


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """What all readings of one message share: the turns before it, the tasks, and the moment."""

    dialogue: Dialogue
    index: TaskIndex
    now: datetime
    style: DateStyle
    selection: tuple[ShownTask, ...] = ()
    """The tasks selected in the list."""
    _listings: dict[str, Listing] = field(default_factory=dict)

    def reader_of(self, text: str) -> Reader:
        """Return the reader of a text at the moment of the message."""
        return reader_of(text, self.now, self.style)

    def reading(
        self,
        text: str,
        settled: Mapping[str, tuple[ShownTask, ...]] = MappingProxyType({}),
        *,
        is_confirmed: bool = False,
    ) -> "MessageReading":
        """Return the reading of a text, with the tasks that the person chose for words of it."""
        text = repaired(text, ChangeReader(self.now, self.style))
        reader = self.reader_of(text)
        resolver = Resolver(
            text,
            self.index,
            reader.dates,
            reader.quoted,
            self.dialogue.focus,
            self.selection,
            self.dialogue.shown or self.dialogue.focus,
            self.dialogue.recent,
            dict(settled),
            self._listings,
        )
        did = record.from_json(self.dialogue.did)
        before = did[0].request if len(did) == 1 and self.dialogue.wrote else None
        offers = Offers(
            resolver,
            reader,
            self.now,
            self.style,
            before if isinstance(before, Change) else None,
            self.dialogue.focus,
            self.dialogue.completed,
            self.dialogue.wrote,
        )
        preparation = Preparation(resolver, offers, self.now, self.style, is_confirmed)
        return MessageReading(self, reader, resolver, offers, preparation, is_confirmed)


@dataclass(frozen=True, slots=True)
class MessageReading:
    """Reads one text as the message."""

    said: SaidMessage
    reader: Reader
    resolver: Resolver
    offers: Offers
    preparation: Preparation
    is_confirmed: bool
    """True if the person said yes to it."""

    def without_asides(self) -> "MessageReading | None":
        """Return the reading without the clauses that only tell why; None if there are none."""
        bare = self.offers.bare()
        if self.is_confirmed or bare == self.resolver.message:
            return None
        return self.said.reading(bare, self.resolver.settled)

    def requests(self) -> list[TaskRequest] | Problem:
        """Return the requests of the message with their tasks, or what stands in the way."""
        reader, resolver, prepared = self.reader, self.resolver, self.preparation
        focus = resolver.focus
        request = self._more_of_it()
        steps = (ClauseReadings(resolver.message, (request,)),) if request else reader.read()
        ready = prepared.ready(steps)
        if isinstance(ready, Problem) and not request and not _adds_and_commands(steps):
            whole = reader.read(splits=False)
            if len(whole) != len(steps):
                resolver.focus, problem = focus, ready
                ready = prepared.ready(whole)
                ready = problem if isinstance(ready, Problem) else ready
        if not self.is_confirmed:
            ready = self.offers.passed(ready)
        if isinstance(ready, Problem):
            is_edit = ready.is_unread or (ready.question and ready.question.kind == "offer")
            return Problem(replies.UNDO_ALL) if is_edit and self._undoes() else ready
        if self._undoes() and all(isinstance(each.request, Add | Change) for each in ready):
            reopens = all(getattr(each.request, "verb", "") is Verb.REOPEN for each in ready)
            return ready if reopens else Problem(replies.UNDO_ALL)
        if takes_back(ready, resolver.quoted, self.said.now, self.said.style):
            return Problem(replies.TAKEN_BACK)
        return ready

    def _undoes(self) -> bool:
        """Return True for an undo, which is never an edit."""
        return bool(phrases.UNDO.match(peeled(self.resolver.message)))

    def _more_of_it(self) -> Change | None:
        """Return what is said of the task that the turn before added or changed, or spoke of."""
        said = self.resolver.message.strip(" .!")
        more = phrases.CORRECTING.sub("", said)
        more = phrases.IS_BETTER.sub("", re.sub(r" (?:instead|please|then)$", "", more))
        value = phrases.BE_IT.sub("", peeled(more))
        more = phrases.GIVE_ME.sub("", value)
        if more.isdigit() and more != said:
            # `make that 6` is no task number.
            more = f"at {more}"
        asks_for_it = more != value and len(self.resolver.focus) == 1
        change = _value(more, self.reader)
        if change and (self.said.dialogue.wrote or asks_for_it):
            change = in_same_week(more, self.said.dialogue, self.reader, self.resolver) or change
            return Change(Verb.UPDATE, _spoken_of(said), change)
        named = phrases.IN_PROJECT.fullmatch(more) if self.said.dialogue.wrote else None
        if named:
            return Change(Verb.UPDATE, "them", f"#{named['name']}", known=named["name"])
        return self._values_of_it(more) if self.said.dialogue.wrote else None

    def _values_of_it(self, said: str) -> Change | None:
        """Return several values, or one among clauses that tell why: `under diy, for monday`."""
        projects = {name.casefold(): name for name in self.said.index.projects()}
        values: list[str] = []
        asides = 0
        for part in phrases.VALUE_JOINT.split(said):
            bare = phrases.BE_IT.sub("", peeled(phrases.CORRECTING.sub("", part.strip())))
            bare = phrases.TAG_IT.sub("tagged ", bare)
            named = phrases.IN_PROJECT.fullmatch(bare)
            project = projects.get(named["name"].casefold()) if named else None
            value = f"#{project}" if project else _value(bare, self.reader)
            tells = is_remark(part, self.reader.changes) or phrases.EXCLAIMED.fullmatch(f"{part} ")
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
            details = self.reader.changes.replaced(details, value)
        return Change(Verb.UPDATE, _spoken_of(said), details)


def _value(words: str, reader: Reader) -> str | None:
    """Return the change words of a value; `10.45` and `430` alone are times."""
    clock = phrases.CLOCK_ALONE.fullmatch(words)
    return reader.changes.words(f"at {clock['hour']}.{clock['minute']}" if clock else words)


def _spoken_of(said: str) -> str:
    """Return the words for the tasks that get a value: `both for tomorrow` names how many."""
    return "both of those" if phrases.BOTH.match(said) else "them"


def _adds_and_commands(steps: Sequence[ClauseReadings]) -> bool:
    """Return True for `add milk and delete the gym`: the second is no title either."""
    firsts = [(step.readings[0], peeled(step.clause)) for step in steps]
    return any(isinstance(request, Add) for request, _ in firsts) and any(
        isinstance(request, Change) and rules.is_command(words) and not phrases.DOUBLE.match(words)
        for request, words in firsts
    )
