"""The dialogue so far, as the request tells it: what was named last, what was asked.

The assistant keeps nothing between calls. Its own answers carry what it named and
asked in their `meta`; of another model's answers the tasks that tools returned and
the answer named are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from todo_tui.domain.messages import Message, Role, Text, TurnContext
from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.toolwork import Seen, outcome_of
from todo_tui.providers.offline.words import folded

_TURNS_BACK = 6
"""How many turns ago `it` may have been named."""

META = "offline"
"""The key of the assistant's own data in the meta of its words."""


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
