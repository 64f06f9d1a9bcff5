"""State of the conversation: tasks mentioned last, open question, short answers to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from todo_tui.domain.messages import Message, Role, Text, TurnContext
from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dates import Dates
from todo_tui.providers.offline.references import ById, ByPlace, find, read_reference
from todo_tui.providers.offline.tool_results import Seen, outcome_of
from todo_tui.providers.offline.words import folded

_TURNS_BACK = 6
"""How many turns ago `it` may have been named."""
META = "offline"
"""The key of the assistant's own data in the meta of its words."""
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


@dataclass(frozen=True, slots=True)
class Question:
    """What the last answer asked.

    `clause` is the command that waits: as it stands (`which`, `confirm`), or with `{}`
    where the answer goes (`fill`). `words` are those of it that `tasks` settle.
    """

    kind: str
    clause: str
    words: str = ""
    tasks: tuple[Seen, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """The form that rides in the meta."""
        return {
            "kind": self.kind,
            "clause": self.clause,
            "words": self.words,
            "tasks": [[task.id, task.title] for task in self.tasks],
        }


@dataclass(frozen=True, slots=True)
class Past:
    """What earlier turns leave to the current one."""

    focus: tuple[Seen, ...] = ()
    question: Question | None = None
    deed: str = ""
    """What the last answer was about: `add`, `list`, `delete` and the like."""
    value: str = ""
    """What that was done with, in the person's words."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the current turn: its calls and what they gave, in the order asked."""

    message: Message
    results: Message


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A request's messages: the past, and the current turn with its rounds."""

    past: Past
    text: str
    context: TurnContext | None
    rounds: tuple[Round, ...] = ()


def read_dialogue(messages: Sequence[Message]) -> Dialogue:
    """Part the current turn from those before it."""
    starts = [at for at, message in enumerate(messages) if message.role is Role.USER]
    start = starts[-1] if starts else len(messages)
    current = messages[start:]
    said = current[0] if current else None
    return Dialogue(
        past=_read_past(messages[:start]),
        text=said.text if said else "",
        context=said.context if said else None,
        rounds=tuple(_rounds(current)),
    )


def _rounds(current: Sequence[Message]) -> Iterator[Round]:
    for asked, answered in pairwise(current):
        if asked.role is Role.ASSISTANT and answered.role is Role.TOOL:
            yield Round(asked, answered)


def _read_past(history: Sequence[Message]) -> Past:
    focus: tuple[Seen, ...] = ()
    question: Question | None = None
    deed = value = ""
    for back, turn in enumerate(_turns_backwards(history)):
        if back >= _TURNS_BACK or focus:
            break
        answer = turn[-1] if turn and turn[-1].role is Role.ASSISTANT else None
        own = _own_meta(answer)
        if back == 0 and own is not None:
            question, deed = _question(own.get("question")), str(own.get("deed") or "")
            value = str(own.get("value") or "")
        focus = _tasks(own.get("named")) if own is not None else _named_by_another(turn, answer)
    return Past(focus, question, deed, value)


def _turns_backwards(history: Sequence[Message]) -> Iterator[Sequence[Message]]:
    end = len(history)
    for at in range(len(history) - 1, -1, -1):
        if history[at].role is Role.USER:
            yield history[at:end]
            end = at


def _own_meta(answer: Message | None) -> Mapping[str, JsonValue] | None:
    for part in answer.parts if answer else ():
        if isinstance(part, Text) and isinstance(own := part.meta.get(META), dict):
            return own
    return None


def _named_by_another(turn: Sequence[Message], answer: Message | None) -> tuple[Seen, ...]:
    """The tasks of the turn's results that the answer names, in its order; else what it changed."""
    results = [result for message in turn for result in message.tool_results]
    seen = [(task, result.name) for result in results for task in outcome_of(result).tasks]
    known = {task.id: task for task, _ in seen}
    changed = {task.id: task for task, tool in seen if tool != "list_tasks"}
    said = folded(answer.text) if answer else ""
    places = {task.id: said.find(folded(task.title)) for task in known.values()}
    named = [task for task in known.values() if places[task.id] >= 0]
    named.sort(key=lambda task: places[task.id])
    return tuple(named) or tuple(changed.values())


def _question(value: JsonValue | None) -> Question | None:
    if not isinstance(value, dict):
        return None
    kind, clause = value.get("kind"), value.get("clause")
    if not isinstance(kind, str) or not isinstance(clause, str):
        return None
    return Question(kind, clause, str(value.get("words") or ""), _tasks(value.get("tasks")))


def _tasks(value: JsonValue | None) -> tuple[Seen, ...]:
    pairs = value if isinstance(value, list) else []
    return tuple(
        Seen(pair[0], str(pair[1]))
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], int)
    )


@dataclass(slots=True)
class Speech:
    """The answer as it grows: paragraphs, the tasks it names, a question at its end."""

    paragraphs: list[str] = field(default_factory=list)
    named: dict[int, Seen] = field(default_factory=dict)
    question: Question | None = None
    deed: str = ""
    value: str = ""
    asked: str = ""

    def say(self, text: str, tasks: Sequence[Seen] = (), *, deed: str = "") -> None:
        """Add a paragraph that is about `tasks`, in the order in which it names them."""
        self.paragraphs.append(text)
        self.named.update({task.id: task for task in tasks})
        self.deed = deed or self.deed

    def ask(self, text: str, question: Question, tasks: Sequence[Seen] = ()) -> None:
        """Add a question; what comes back is read with it in mind."""
        self.say(self.asked, tasks, deed="ask")
        self.asked, self.question = text, question

    def remark(self, remarks: Iterable[str]) -> None:
        """Add how words were read, where the answer does not tell it anyway."""
        for remark in dict.fromkeys(remarks):
            plain = remark.casefold().strip()
            told = plain.removeprefix("read as ") in self.text.casefold()
            if not told and not plain.startswith("the first one is"):
                self.say(replies.sentence(remark))

    @property
    def text(self) -> str:
        """The whole answer."""
        paragraphs = (*self.paragraphs, self.asked)
        return "\n\n".join(paragraph for paragraph in paragraphs if paragraph.strip())

    def meta(self) -> dict[str, JsonValue]:
        """What the next turn needs to know of this answer."""
        own: dict[str, JsonValue] = {
            "named": [[task.id, task.title] for task in self.named.values()],
            "deed": self.deed,
            "value": self.value,
        }
        if self.question is not None:
            own["question"] = self.question.to_json()
        return {META: own}


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
