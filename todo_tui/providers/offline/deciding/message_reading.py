"""What reads a message: its text, what the turns before left, and the tasks that exist."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

from todo_tui.domain.task_index import TaskIndex
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline import record
from todo_tui.providers.offline.deciding.offers import Offers
from todo_tui.providers.offline.deciding.preparation import Preparation
from todo_tui.providers.offline.dialogue import Dialogue
from todo_tui.providers.offline.follow_ups.continuations import value_of_last
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import ChangeReader
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import folded, peeled
from todo_tui.providers.offline.reading import command_rules
from todo_tui.providers.offline.reading.corrections import repaired
from todo_tui.providers.offline.reading.meaning import Meaning, read_meaning, without_asides
from todo_tui.providers.offline.reading.reader import ClauseReadings, Reader, reader_of
from todo_tui.providers.offline.reading.reference_resolver import Problem, Resolver
from todo_tui.providers.offline.reading.title_matching import with_titles
from todo_tui.providers.offline.reading.told_days import with_told_days
from todo_tui.providers.offline.requests import Add, Change, TaskRequest
from todo_tui.providers.offline.tool_results import Listing, ShownTask


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
        """Return what reads a text, with the tasks that the person chose for words of it."""
        text = _TIME_WITH_H.sub(lambda match: f"{match['hour']}:{match['minute'] or '00'}", text)
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
        if (dated := with_told_days(text, resolver, reader)) != text:
            return self.reading(dated, settled, is_confirmed=is_confirmed)
        offers = Offers(resolver, reader, self.now, self.style)
        preparation = Preparation(resolver, offers, self.now, self.style, is_confirmed)
        return MessageReading(self, reader, resolver, offers, preparation, is_confirmed)


_TIME_WITH_H = regex(
    r"(?<!estimate (to|is|at) )(?<=\b(at|to|is|um) )"
    r"(?P<hour>[7-9]|1\d|2[0-3])h(?P<minute>[0-5]\d)?\b"
)
"""Hours as many languages write them: `to 19h`, `at 9h30`."""
_ASKS_LAST = regex(
    r"(and |so )?((what|which) (day|time|date|one|project|priority|tags?)"
    r"|when('s| (is|was|are|were|do|does|did))|(what|where)('s| is| was)"
    r"|how (much|many|long|often|urgent|far))\b.*"
)
"""A question behind what it is about: `the jab, which day was it`."""
_ANY = regex(r"any(thing)?\b")
"""What begins a question, or the name of a set."""
_SEARCHES = regex(r"(SHOW|find|search|count|filter|sort|order by|group|look (up|for))\b(?! back)")
_REQUESTS = regex(r"(^|.*[,;.] ?|.* )(can|could|would|will) (you|u)\b.*\?")
"""A question that asks for something to be done."""
_REOPENS = regex(
    r"\b(re-?open|un-?tick|un-?check|restore|undelete|bring (it|that|them|this) back)\b"
)
"""What brings back a task that is done or deleted."""
_ASKS_FOR = regex(
    r"(can|could|may|might) (i|we) (please )?"
    r"(have|get|move|push|shift|change|put|make|do|bump|add|swap)\b"
)
"""A request that has the form of a question."""
_ADDS_TO = regex(rf"{phrases.OOPS}(and|also|plus|same for|ditto) (?!then\b)")
_PLACE_AT_END = regex(
    r"^((and|also) )*the (first|second|third|fourth|fifth|last|latter|former)"
    r"(?=( too| as well)?$)"
)
_TOO = regex(r"\b(too|as well|also|likewise)( (please|pls|then|thanks|ta))*\W*$")
"""What ends a message that says the same of another task."""


@dataclass(frozen=True)
class MessageReading:
    """Reads one text as the message, in each way once."""

    said: SaidMessage
    reader: Reader
    resolver: Resolver
    offers: Offers
    preparation: Preparation
    is_confirmed: bool
    """True if the person said yes to it."""

    @property
    def is_approved(self) -> bool:
        """True if the person answered a question about it."""
        return self.is_confirmed or bool(self.resolver.settled)

    def without_asides(self) -> "MessageReading | None":
        """Return the reading without the clauses that only tell why; None if there are none."""
        message = self.resolver.message
        bare = without_asides(message, self.resolver.pool(message), self.reader.changes)
        if self.is_confirmed or bare == message:
            return None
        return self.said.reading(bare, self.resolver.settled)

    @cached_property
    def words(self) -> str:
        """The message without what leads to it."""
        return peeled(phrases.LEADING.sub("", self.resolver.message))

    @cached_property
    def asks(self) -> bool:
        """True for a question that is no request in the form of one."""
        message = self.resolver.message.strip()
        if _ASKS_FOR.match(self.words) or _REQUESTS.fullmatch(message):
            return False
        last = phrases.PART.split(self.words)[-1] if phrases.PART.search(self.words) else ""
        return message.endswith("?") or bool(
            _ASKS_LAST.fullmatch(last)
            or (phrases.QUESTION.match(self.words) and not _ANY.match(self.words))
            or _SEARCHES.match(self.words)
        )

    @cached_property
    def value(self) -> Change | None:
        """The value that the message gives to the tasks of the turn before, and nothing else."""
        return value_of_last(self.said.dialogue, self.reader, self.resolver)

    @cached_property
    def by_rules(self) -> list[TaskRequest] | Problem:
        """The requests that rules read: a value, or clauses, or sentences as one clause each."""
        focus = self.resolver.focus
        if self.value:
            return self.preparation.ready((ClauseReadings(self.resolver.message, (self.value,)),))
        steps = self.reader.read()
        ready = self.preparation.ready(steps)
        if isinstance(ready, Problem) and not _adds_and_commands(steps):
            whole = self.reader.read(splits=False)
            if len(whole) != len(steps):
                self.resolver.focus = focus
                again = self.preparation.ready(whole)
                ready = ready if isinstance(again, Problem) else again
        return ready

    @cached_property
    def by_titles(self) -> Meaning | None:
        """What is said of tasks by their titles; None for a question, and for `add …`."""
        if self.asks or phrases.EXPLICIT.fullmatch(self.words):
            return None
        words, dialogue = phrases.without_order(self.words), self.said.dialogue
        if len(self.resolver.shown) > 1:
            # No day of the month, but one of the tasks that were named.
            words = _PLACE_AT_END.sub(r"\g<0> one", words)
        if _ADDS_TO.match(self.resolver.message):
            # `and the plants`: what the turn before did is done to them too.
            words = f"and {words}"
        if _TOO.search(self.resolver.message):
            words = f"{_TOO.sub('', words).strip()} too"
        chosen = self.resolver.settled.get(folded(words))
        # What is done is reopened, and nothing else is said of it.
        scope = "all" if _REOPENS.search(words) else ""
        did = record.from_json(dialogue.did) if dialogue.wrote else ()
        before = did[0].request if len(did) == 1 else None
        pool = chosen or self.resolver.pool(words, scope)
        return read_meaning(
            with_titles(words, pool),
            pool,
            self.reader.changes,
            self.reader.dates,
            dialogue.focus,
            before if isinstance(before, Change) else None,
            self.resolver.shown,
        )


def _adds_and_commands(steps: Sequence[ClauseReadings]) -> bool:
    """Return True for `add milk and delete the gym`: the second is no title either."""
    firsts = [(step.readings[0], peeled(step.clause)) for step in steps]
    return any(isinstance(request, Add) for request, _ in firsts) and any(
        isinstance(request, Change)
        and command_rules.is_command(words)
        and not phrases.DOUBLE.match(words)
        for request, words in firsts
    )
