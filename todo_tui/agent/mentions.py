"""Check that the user means the tasks that a model completes or deletes.

A small model may pick any task. Its call runs only if each of the tasks shares a word or
number with the user's message, or if the message refers to a group, to the selection or to
what the previous turn was about.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from difflib import SequenceMatcher

from todo_tui.agent.turn import Turn
from todo_tui.config.catalogue import WEEKDAYS
from todo_tui.domain.errors import Conflict, TodoError, ValidationError
from todo_tui.domain.messages import Message, ToolCall, turns_backwards
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import plain_line, shorten
from todo_tui.store.store import Store
from todo_tui.tools.base import Tool, ToolResponse

_OPPOSITES = {"complete_task": "delete_task", "delete_task": "complete_task"}
_ORDER = re.compile(
    r"(?:please |ok,? |now |(?:can|could|would) you (?:please )?)?"
    r"(?:(?P<delete_task>delete|erase|remove)|(?P<complete_task>check off|complete|finish|tick off"
    r"|i(?: have|'ve)? (?:done|finished)))\b(?P<rest>.*)"
)
"""Message that orders one thing."""
_SEVERAL = re.compile(r",|;|\n|\b(?:and|but|then)\b")
_MAX_TITLE = 60
_MAX_NAMED = 3
_PREFIX_LENGTH = 4
"""Letters at the beginning that make two words alike: `bought groceries`, `Grocery run`."""
_LEAST_RATIO = 0.8
"""Part of two words that is the same in `pasport`, `passport`."""
_WORD = re.compile(r"[^\W_]+(?:['’]\w+)?")
_NUMBER = re.compile(r"(?<![\w:.,-])(?<!\bat )#?(\d{1,18})(?![\w:%-]|[.,]\d|\s*[ap]\.?m\b)")
_NUMBER_WORD = re.compile(
    r"\b(?:number|task|item) (two|three|four|five|six|seven|eight|nine|ten)\b"
)
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten".split()
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_CLOSED = frozenset("completed done finished".split())
_NOT_ALL = re.compile(r"\b(?:that'?s|is|was|at|after) all\b|\ball (?:right|good|ok|okay)\b")
_GROUPS = frozenset("all any both each every everything remaining rest whole".split())
_REFERENCES = frozenset(
    """
    first second third fourth fifth last former latter next one ones previous same selected it its
    it's that that's them these they this those him her tasks todos items other others entry
    entries again
    """.split()
)
_FILLERS = frozenset(
    """
    a about actually after am an and are as at be been before but by can can't could did do does
    doing don't done for from get go good got had has have help how i i'd i'll i'm i've
    if in into is just let list me maybe more my need no not now of off ok okay on or our out over
    please put quite really right should so some still sure task than that's the their
    then there thing things think to todo too up us very want was we well were what when which will
    with would yeah yep yes you your
    add archive cancel cancelled clear close complete completed delete deleted drop erase finish
    finished made make mark marked remind remove removed scratch tick ticked
    """.split()
)
_OTHER_LANGUAGES = frozenset(
    "a all am an are as be can do for had has i in is just me no not of ok on or over so to us "
    "was we were will her he him second".split()
)
"""English words that are words of other languages too."""
_OTHER_ENGLISH = frozenset(
    "hello hey thank thanks overdue today tomorrow tonight yesterday".split()
)
_ENGLISH = (_GROUPS | _REFERENCES | _FILLERS | _OTHER_ENGLISH).union(WEEKDAYS) - _OTHER_LANGUAGES
_PRIORITIES = {
    **dict.fromkeys(("high", "urgent", "important"), Priority.HIGH),
    "medium": Priority.MEDIUM,
    "low": Priority.LOW,
}


def refuse_unmentioned(turn: Turn, call: ToolCall, tool: Tool) -> ToolResponse | None:
    """Return the response to a call whose tasks the user did not mention; else None. Blocks.

    The whole call is refused, so that the model asks once and nothing is half done.
    """
    if tool.name not in _OPPOSITES:
        return None
    if verb := _ordered_opposite(turn.history.asked, tool.name):
        return ToolResponse.refused(
            ValidationError(
                f"The message says “{verb}”; nothing was done.",
                hint=f"Call {_OPPOSITES[tool.name]}.",
            )
        )
    store = turn.config.store
    try:
        arguments = tool.read(call.arguments)
        ids = tool.preview(store, turn.id, arguments).ids
    except TodoError:
        return None
    message = _MessageWords(turn.history.asked, turn.history.older, store.clock.now())
    words = arguments.get("filter")
    if not message.is_comparable or (isinstance(words, str) and message.names_filter(words)):
        return None
    found = store.tasks.rows([each for each in ids if each not in turn.effects.added])
    unmentioned = [task for task in found if not _is_meant(store, task, message)]
    if not unmentioned:
        return None
    named = ", ".join(
        f"“{shorten(plain_line(task.title), _MAX_TITLE)}” (#{task.id})"
        for task in unmentioned[:_MAX_NAMED]
    )
    more = len(unmentioned) - _MAX_NAMED
    return ToolResponse.refused(
        Conflict(
            f"The message does not mention {named}{f' and {more:,} more' if more > 0 else ''}; "
            "nothing was done. Ask the user which task is meant."
        )
    )


def _ordered_opposite(asked: Sequence[Message], name: str) -> str:
    """Return the verb of a message that orders nothing but the opposite of a tool; else ""."""
    order = _ORDER.fullmatch(_fold(asked[0].text).strip()) if asked else None
    if (
        order is None
        or _SEVERAL.search(order["rest"])
        or _CLOSED & set(_WORD.findall(order["rest"]))
    ):
        return ""
    return order[_OPPOSITES[name]] or ""


def _is_meant(store: Store, task: Task, message: _MessageWords) -> bool:
    """Return True if the task, or one above it, is meant."""
    while not message.means(task):
        above = store.tasks.rows([task.parent]) if task.parent is not None else ()
        if not above:
            return False
        task = above[0]
    return True


class _MessageWords:
    """Words of the user's message, and the tasks and words that it may refer to."""

    def __init__(self, asked: Sequence[Message], older: Sequence[Message], now: datetime) -> None:
        self._now = now
        text = asked[0].text if asked else ""
        folded = _NOT_ALL.sub(" ", _fold(text))
        words = set(_WORD.findall(folded))
        self._numbers = {int(digits) for digits in _NUMBER.findall(folded)}
        self._numbers |= {_NUMBER_WORDS.index(word) for word in _NUMBER_WORD.findall(folded)}
        refers = bool(words & _REFERENCES) or any(map(_ORDINAL.fullmatch, words))
        self._names_done = bool(words & _CLOSED)
        self._words = words - _FILLERS - _REFERENCES - _GROUPS
        self._is_group = bool(words & _GROUPS)
        previous = next(turns_backwards(older), ())
        answer = previous[-1].text if previous else ""
        self._ids: set[int] = set()
        self._spoken: set[str] = set()
        if refers or not self._words or "?" in answer:
            context = asked[0].context if asked else None
            self._ids = {each for each, _ in context.selection} if context else set()
            self._ids |= next(filter(None, map(_ids_in, turns_backwards(older))), set())
            self._spoken = _content_words(message.text for message in previous)
        is_english = bool(words & _ENGLISH)
        says_something = bool(self._words or refers or self._ids or self._spoken)
        self.is_comparable = is_english and says_something
        """False for another script or language, and for `done` at the beginning."""

    def names_filter(self, words: str) -> bool:
        """Return True if the message has a word of the filter."""
        return _are_alike(self._words, _content_words([words]))

    def means(self, task: Task) -> bool:
        """Return True if the message names or describes the task, or refers to it."""
        texts = (task.title, task.project or "", *task.tags)
        words = _content_words(texts)
        return (
            self._is_group
            or not words
            or task.id in self._numbers
            or task.id in self._ids
            or (self._names_done and task.status is Status.DONE)
            or _are_alike(self._words | self._spoken, words)
            or any(self._describes(word, task) for word in self._words)
        )

    def _describes(self, word: str, task: Task) -> bool:
        if word in _PRIORITIES:
            return task.priority is _PRIORITIES[word]
        if word in ("recurring", "repeating"):
            return task.recurrence is not None
        if task.due is None:
            return word in ("undated", "someday")
        day, today = task.due.day, self._now.date()
        if word in ("overdue", "late", "old"):
            return task.is_overdue(self._now)
        if word in ("today", "tonight", "today's"):
            return day <= today
        if word in ("tomorrow", "tomorrow's", "yesterday", "yesterday's"):
            return abs(day - today) == timedelta(1)
        if word.removesuffix("'s") in WEEKDAYS:
            return day.weekday() == WEEKDAYS.index(word.removesuffix("'s"))
        return word in ("week", "week's", "weekend", "month", "month's", "year", "due")


def _fold(text: str) -> str:
    """Return the text in lower case, without accents."""
    apart = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))


def _content_words(texts: Iterable[str]) -> set[str]:
    """Return the words of Latin script that carry meaning; all of them if none does."""
    words = {word for text in texts for word in _WORD.findall(_fold(text)) if word.isascii()}
    return words - _FILLERS or words


def _are_alike(some: Iterable[str], others: set[str]) -> bool:
    return any(_is_alike(word, other) for word in some for other in others)


def _is_alike(word: str, other: str) -> bool:
    """Return True for words with the same beginning, and for slips of the keyboard.

    One may also contain the other.
    """
    word, other = (each.removesuffix("'s") for each in (word, other))
    short, long = sorted((word, other), key=len)
    if len(short) < _PREFIX_LENGTH or short.isdigit():
        return short == long or long in (f"{short}s", f"{short}es")
    if short in long or short[:_PREFIX_LENGTH] == long[:_PREFIX_LENGTH]:
        return True
    return SequenceMatcher(None, short, long).ratio() >= _LEAST_RATIO


def _ids_in(messages: Sequence[Message]) -> set[int]:
    ids: set[int] = set()
    for message in messages:
        for result in message.tool_results:
            with suppress(ValueError, RecursionError):
                ids |= set(_ids_of(json.loads(result.content)))
    return ids


def _ids_of(value: object) -> Iterator[int]:
    if isinstance(value, list):
        for each in value:
            yield from _ids_of(each)
    elif isinstance(value, dict):
        if isinstance(task_id := value.get("id"), int):
            yield task_id
        for each in value.values():
            yield from _ids_of(each)
