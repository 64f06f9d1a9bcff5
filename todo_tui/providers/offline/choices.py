"""Choices: what a short answer (`the monthly one`, `both`, `yes`) says to a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.providers.offline.dating import Dates
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.matching import find
from todo_tui.providers.offline.references import ById, ByPlace, read_reference
from todo_tui.providers.offline.toolwork import Seen

_YES = re.compile(
    r"(?:(?:yes|yeah|yep|yup|ya|y|sure|ok|okay|k|please|certainly|of course|absolutely"
    r"|definitely|right|correct|exactly|indeed|do it|do that|do so|go ahead|go for it"
    r"|please do|confirm|confirmed|affirmative|that's right|that one|that's it|i am sure"
    r"|i'm sure|all of them|delete (?:them|it|all)(?: all)?|add (?:it|them|that)|mark (?:it"
    r"|them) (?:as )?done|it is|it does|they are|make it so|why not)[ ,.!]*)+"
    r"(?:(?:please|thanks|thank you|i do|i did|it is|it does)[.! ]*)?",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:(?:no|nope|nah|n|cancel|never ?mind|neither(?: of them)?|none(?: of (?:them|those"
    r"|these))?|stop|don't|do not|not (?:now|really|yet|that|any)|nothing|forget (?:it|that)"
    r"|leave (?:it|them)(?: alone)?|abort|no way|rather not|better not|keep (?:it"
    r"|them)(?: all)?|skip(?: it)?|wait)[ ,.!]*)+"
    r"(?:(?:thanks|thank you|don't|i changed my mind|please|do that|do it|it's fine|of them"
    r"|delete (?:it|them)|that|it)[.! ]*)*",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:(?:both|all|everything|every one|all (?:of )?(?:them|those|these|it)"
    r"|both of (?:them|those|these)|each|each of them|them all|the lot|all (?:two|three|four"
    r"|five))(?: of them)?[ ,.!]*(?:please)?)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:not|anything but|all but|everything but|all except|everything except) (?P<out>.+)",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:(?:i (?:mean|meant|think|want|would like)|i'd like|it's|it is|that would be|that's"
    r"|just|only|maybe|the|my|no,|well,|um,|yes,|with)\s+)+|\s*(?:\b(?:one|ones|task|tasks"
    r"|please|pls|plz|thanks|thx|of them|of those|of these)\b[.! ]*)+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Yes:
    """Do it."""


@dataclass(frozen=True, slots=True)
class No:
    """Don't."""


@dataclass(frozen=True, slots=True)
class Picked:
    """These of the tasks that were named."""

    tasks: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """What becomes of open subtasks: `close` or `leave`."""

    subtasks: str


Choice = Yes | No | Picked | Family


def read_choice(text: str, question: Question, dates: Dates) -> Choice | None:
    """What a text chooses; None where it is no answer to the question."""
    words = text.strip().strip(".,!? ")
    if question.kind == "subtasks" and (family := _family(words)):
        return family
    if _NO.fullmatch(words):
        return No()
    if question.kind == "which":
        return _picked(words, question.tasks, dates)
    if question.kind == "confirm" and _YES.fullmatch(words):
        return Yes()
    return None


_SUB = r"(?:sub-? ?tasks?|children|child|rest|others?|parts|steps|ones below|remaining ones)"
_WITH_ALL = re.compile(
    rf"(?:(?:yes|yeah|yep|sure|ok|okay|please|right|go ahead|do it|both|y)[ ,.!]*)*"
    rf"(?:(?:complete|close|finish|tick(?: off)?|do|mark|check off)? ?(?:all|everything|both"
    rf"|the lot|them|all (?:of )?(?:them|it|those)|them all|the whole thing|the whole lot|all \w+"
    rf"|(?:all )?(?:the|its|those|these|every) (?:open )?{_SUB}|it all|with (?:all )?(?:the|its)"
    rf" {_SUB})(?: as done| done)?(?: too| as well| also)?)?[ ,.!]*(?:please|thanks|thank you)?",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"(?:(?:no|nope|nah|yes|ok|okay|well)[ ,.!]*)*(?:(?:complete|close"
    rf"|finish|tick(?: off)?|do|mark"
    rf")? ?(?:just|only) (?:complete |close |finish )?(?:the |that |this |it|#?\d+)? ?(?:parents?"
    rf"(?: tasks?)?|one|task|first|main(?: one| task)?|top(?: one)?|itself)?(?: itself| alone)?"
    rf"|(?:the )?parents?(?: task)? (?:only|alone)|(?:please )?(?:leave|keep) (?:them|it|the {_SUB}"
    rf"|its {_SUB}|those)(?: open| alone| as (?:they are|it is))?|not (?:the|its) {_SUB}"
    rf"|without (?:the|its) {_SUB}|(?:the )?parent|(?:the )?{_SUB} (?:stay|can stay|remain|should"
    rf" stay) open)[ ,.!]*(?:please|thanks|thank you)?",
    re.IGNORECASE,
)


def _family(words: str) -> Family | None:
    """What an answer says of the subtasks; None where it says nothing of them."""
    if _ALONE.fullmatch(words):
        return Family("leave")
    if words and _WITH_ALL.fullmatch(words):
        return Family("close")
    return None


def _picked(words: str, tasks: tuple[Seen, ...], dates: Dates) -> Picked | None:
    if _ALL.fullmatch(words):
        return Picked(tasks)
    if match := _NOT.fullmatch(words):
        out = _picked(match["out"], tasks, dates)
        left = tuple(task for task in tasks if out is not None and task not in out.tasks)
        return Picked(left) if left and out is not None else None
    inner = _AROUND.sub("", words).strip()
    for form in dict.fromkeys((words, inner)):
        reference = read_reference(form, dates)
        if isinstance(reference, ById):
            chosen = _numbered(form, reference.ids, tasks)
            return Picked(chosen) if len(chosen) == len(reference.ids) else None
        if isinstance(reference, ByPlace):
            at = [place for place in reference.places if -len(tasks) <= place < len(tasks)]
            return Picked(tuple(tasks[place] for place in at)) if at else None
    if inner.isdecimal() and (chosen := tuple(task for task in tasks if task.id == int(inner))):
        return Picked(chosen)
    for form in dict.fromkeys((words, inner)):
        if form and (found := find(form, tasks)):
            return Picked(found)
    return _named_apart(inner, tasks)


def _numbered(words: str, ids: Sequence[int], tasks: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """The tasks of these numbers; where none has such a one, bare numbers count lines."""
    chosen = tuple(task for task in tasks if task.id in ids)
    if not chosen and "#" not in words and all(1 <= each <= len(tasks) for each in ids):
        chosen = tuple(tasks[each - 1] for each in ids)
    return chosen


def _named_apart(words: str, tasks: tuple[Seen, ...]) -> Picked | None:
    """`the monthly and the yearly one`: each part picks one."""
    parts = [part for part in re.split(r"\s*(?:,|\band\b|&)\s*", words) if part.strip()]
    if len(parts) < 2:
        return None
    found = [find(_AROUND.sub("", part).strip(), tasks) for part in parts]
    if not all(len(each) == 1 for each in found):
        return None
    return Picked(tuple({each[0].id: each[0] for each in found}.values()))
