"""State of a conversation: tasks that the last turn named, the open question, answers to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from todo_tui.domain.messages import (
    RESTATES_STEPS,
    Message,
    Role,
    Text,
    TurnContext,
    turns_backwards,
)
from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline.language.change_phrases import Dates
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.reference_words import ById, ByPlace, read_reference
from todo_tui.providers.offline.language.words import folded
from todo_tui.providers.offline.reading.title_matching import find
from todo_tui.providers.offline.record import from_json, pairs, tasks_of
from todo_tui.providers.offline.requests import Verb
from todo_tui.providers.offline.tool_results import ShownTask, outcome_of

META = "offline"
"""The key of the assistant's own data in the meta of its words."""
_YES = regex(
    r"((yes|yeah|yep|yup|ya|y|sure|ok|okay|k|please|certainly|of course|absolutely|definitely"
    r"|((accept|approve|take|go with) (it|that|this|(the|this|that) (plan|changes?|proposal)))"
    r"|right|correct|exactly|indeed|do it|do that|do so|go ahead|go for it|please do|confirm"
    r"|confirmed|affirmative|that's right|that one|that's it|i am sure|i'm sure|all of them"
    r"|add (it|them|that)|it is|it does|they are|make it so|why not|both|the subtasks too|them too"
    r"|(complete|finish|close|delete|move|change|mark) (them|it|all)( all| too| as well"
    r"| (as )?done)?)([ ,.!]+|$))+((please|thanks|thank you|i do"
    r"|i did|it is|it does)[.! ]*)?"
)
_DEED = regex(r"(complete|finish|close|delete|move|change|mark) (them|it|all)\b")
"""A yes that names what is to be done."""
_HAS_DEED = regex(r"\b(DELETE|MOVE|CANCEL|DONE|finish|close|tick)\b")
_NO = regex(
    r"((no|nope|nah|n|cancel|never ?mind|neither( of them)?|none( of (them|those|these))?|stop"
    r"|don't|do not|not (now|really|yet|that|any)|nothing|forget (it|that)"
    r"|leave (it|them)( alone)?|abort|no way|rather not|better not|keep (it|them)( all)?"
    r"|skip( it)?|wait)[ ,.!]*)+((thanks|thank you|don't|i changed my mind|please|do that|do it"
    r"|it's fine|of them|delete (it|them)|that|it)[.! ]*)*"
)
_ALL = regex(
    r"((both|all|everything|every one|all (of )?(them|those|these|it)|both of (them|those|these)"
    r"|each|each of them|them all|the lot|all (two|three|four|five))( of them)?[ ,.!]*(please)?)"
)
_NOT = regex(r"(not|anything but|all but|everything but|all except|everything except) (?P<out>.+)")
_AROUND = regex(
    r"^((i (mean|meant|think|want|would like)|i'd like|it's|it is|that would be|that's|just|only"
    r"|maybe|option|the|my|no,|well,|um,|yes,|with)\s+)+|\s*(\b(i mean|i meant|one|ones|task|tasks"
    r"|please|pls|plz|thanks|thx|of them|of those|of these|of course|obviously|sorry)\b[.!, ]*)+$"
)


def _own_meta(answer: Message | None) -> Mapping[str, JsonValue] | None:
    for part in answer.parts if answer else ():
        if isinstance(part, Text) and isinstance(own := part.meta.get(META), dict):
            return own
    return None


def _named_by_another(turn: Sequence[Message], answer: Message | None) -> tuple[ShownTask, ...]:
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


def _picked(words: str, tasks: tuple[ShownTask, ...], dates: Dates) -> tuple[ShownTask, ...]:
    """Return those of the tasks that words name; none where they name others."""
    if _ALL.fullmatch(words):
        return tasks
    if match := _NOT.fullmatch(words):
        out = _picked(match["out"], tasks, dates)
        return tuple(task for task in tasks if task not in out) if out else ()
    inner = _AROUND.sub("", words).strip()
    for form in dict.fromkeys((words, inner)):
        reference = read_reference(form, dates)
        if isinstance(reference, ById):
            chosen = _numbered(form, reference.ids, tasks)
            return chosen if len(chosen) == len(reference.ids) else ()
        if isinstance(reference, ByPlace):
            at = [place for place in reference.places if -len(tasks) <= place < len(tasks)]
            return tuple(tasks[place] for place in at)
    for form in dict.fromkeys((words, inner)):
        if form and (found := find(form, tasks)):
            return found
    return ()


def _numbered(
    words: str, ids: Sequence[int], tasks: tuple[ShownTask, ...]
) -> tuple[ShownTask, ...]:
    """The tasks of these numbers; where none has such a one, bare numbers count lines."""
    chosen = tuple(task for task in tasks if task.id in ids)
    if not chosen and "#" not in words and all(1 <= each <= len(tasks) for each in ids):
        chosen = tuple(tasks[each - 1] for each in ids)
    return chosen


_YES_OR_NO = frozenset({"confirm", "offer"})
"""Kinds of questions that a yes answers."""
_QUESTION_AGE = 4
"""Turns after which a question is no longer answered by a bare yes or no."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the assistant; the answer makes it read `message` again.

    `kind` is `which` (one of `tasks` is what `words` mean), `near` (one of them may be),
    `confirm` (yes does it), `offer` (yes does what is in `offer`) or `lacks`
    (the answer goes to `{}`).
    """

    kind: str
    message: str
    words: str = ""
    tasks: tuple[ShownTask, ...] = ()
    settled: tuple[tuple[str, tuple[ShownTask, ...]], ...] = ()
    """Words of the message whose tasks are known already."""
    offer: tuple[JsonValue, ...] = ()
    """Record of the requests that are offered."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the form that is stored with the answer."""
        return {
            "kind": self.kind,
            "message": self.message,
            "words": self.words,
            "tasks": pairs(self.tasks),
            "settled": [[words, pairs(tasks)] for words, tasks in self.settled],
            "offer": list(self.offer),
        }


@dataclass(slots=True)
class Reply:
    """The answer as it grows: paragraphs, the tasks it names, a question."""

    paragraphs: list[Text] = field(default_factory=list)
    named: dict[int, ShownTask] = field(default_factory=dict)
    question: Question | None = None
    wrote: bool = False
    is_approved: bool = False
    is_unanswered: bool = False
    """True if it says that the message was not understood, or that nothing was found."""
    template: str = ""
    """The message with `{}` for its tasks: what `and the plants too` continues."""
    did: list[JsonValue] = field(default_factory=list)
    """Record of what was done."""
    day: str = ""
    """The days that were asked about."""
    ends: bool = False
    """True if nothing that was said before can be gone on from."""

    def say(
        self, text: str, tasks: Sequence[ShownTask] = (), *, restates_steps: bool = False
    ) -> None:
        """Add a paragraph about tasks, in the order in which it names them."""
        if text:
            self.paragraphs.append(Text(text, {RESTATES_STEPS: True} if restates_steps else {}))
        self.named |= {task.id: task for task in tasks}

    @property
    def asks(self) -> bool:
        """True if a yes to its question changes tasks."""
        return self.question is not None and self.question.kind in _YES_OR_NO

    @property
    def text(self) -> str:
        """The whole answer."""
        return "\n\n".join(each.text for each in self.paragraphs)

    def parts(self) -> tuple[Text, ...]:
        """Return the paragraphs as parts of one message, the last one with the meta."""
        gaps = (*[("\n\n", {})] * (len(self.paragraphs) - 1), ("", self.meta()))
        return tuple(
            Text(each.text + gap, {**each.meta, **meta})
            for each, (gap, meta) in zip(self.paragraphs, gaps, strict=True)
        )

    def meta(self) -> dict[str, JsonValue]:
        """Return what later turns need to know of this answer."""
        own: dict[str, JsonValue] = {
            "named": pairs(self.named.values()),
            "wrote": self.wrote,
        }
        if self.template:
            own["template"] = self.template
        if self.did:
            own["did"] = self.did
        if self.day:
            own["day"] = self.day
        if self.ends:
            own["ends"] = True
        if self.question is not None:
            own["question"] = self.question.to_json()
        return {META: own}


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The messages of a request: what the last turns left, and what is said now."""

    text: str
    context: TurnContext | None
    focus: tuple[ShownTask, ...]
    question: Question | None
    question_age: int
    wrote: bool = False
    """True if the assistant's last turn changed tasks."""
    template: str = ""
    """The last message with `{}` for its tasks; empty if it cannot be continued."""
    did: JsonValue = None
    """Record of what the assistant's last turn did."""
    shown: tuple[ShownTask, ...] = ()
    """The several tasks that were named last, whatever was done to one of them since."""
    day: str = ""
    """The days that the last turn was asked about."""
    recent: tuple[ShownTask, ...] = ()
    """The tasks that the last turns wrote, one each: `both of those`."""
    completed: frozenset[str] = frozenset()
    """Titles of the tasks that the conversation completed."""


def read_dialogue(messages: Sequence[Message]) -> Dialogue:
    """Split the current turn from those before it."""
    starts = [at for at, message in enumerate(messages) if message.role is Role.USER]
    start = starts[-1] if starts else len(messages)
    current = messages[start:]
    said = current[0] if current else None
    focus: tuple[ShownTask, ...] = ()
    question, age, wrote, template = None, 0, False, ""
    did: JsonValue = None
    is_found = False
    turns = list(islice(turns_backwards(messages[:start]), _QUESTION_AGE))
    for back, turn in enumerate(turns):
        answer = turn[-1] if turn and turn[-1].role is Role.ASSISTANT else None
        own = _own_meta(answer)
        asked = _question(own.get("question")) if own is not None else None
        if is_found:
            break
        if own is None:
            focus = _named_by_another(turn, answer) if back == 0 else focus
            break
        if own.get("ends") is True and not own.get("named"):
            break
        if back == 0 or not focus:
            focus = tasks_of(own.get("named"))
        is_found = own.get("wrote") is True
        if is_found or back == 0:
            wrote, did = is_found, own.get("did")
            template = str(own.get("template") or "")
        if asked:
            question, age = asked, back
            break
        # A message that was not understood comes between no two that belong together.
        if focus and not is_found:
            break
    return Dialogue(
        said.text if said else "",
        said.context if said else None,
        focus,
        question,
        age,
        wrote,
        template,
        did,
        _shown(turns),
        str((_own_meta(turns[0][-1]) or {}).get("day") or "") if turns and turns[0] else "",
        _recent(turns),
        frozenset(_completed(messages[:start])),
    )


def _recent(turns: Iterable[Sequence[Message]]) -> tuple[ShownTask, ...]:
    """Return the one task of each of the last turns that wrote, the oldest first."""
    recent: dict[int, ShownTask] = {}
    for turn in turns:
        own = _own_meta(turn[-1] if turn else None) or {}
        named = tasks_of(own.get("named"))
        if own.get("wrote") is not True or len(named) != 1:
            break
        recent.setdefault(named[0].id, named[0])
    return tuple(reversed(recent.values()))


def _completed(messages: Sequence[Message]) -> Iterator[str]:
    """Yield the titles of the tasks that were completed."""
    for message in messages:
        own = _own_meta(message) if message.role is Role.ASSISTANT else None
        for ready in from_json((own or {}).get("did")):
            if ready.found and getattr(ready.request, "verb", None) is Verb.COMPLETE:
                yield from (folded(task.title) for task in ready.found.tasks)


def _shown(turns: Iterable[Sequence[Message]]) -> tuple[ShownTask, ...]:
    """Return the tasks of the newest answer that names several, or asks which of them."""
    for turn in turns:
        own = _own_meta(turn[-1] if turn else None) or {}
        asked = _question(own.get("question"))
        several = asked.tasks if asked and len(asked.tasks) > 1 else tasks_of(own.get("named"))
        if len(several) > 1:
            return several
    return ()


def _question(value: JsonValue | None) -> Question | None:
    if not isinstance(value, Mapping):
        return None
    kind, message = value.get("kind"), value.get("message")
    if not isinstance(kind, str) or not isinstance(message, str):
        return None
    pairs = value.get("settled")
    settled = tuple(
        (str(pair[0]), tasks_of(pair[1]))
        for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, list) and len(pair) == 2
    )
    words = str(value.get("words") or "")
    offer = value.get("offer")
    tasks = tasks_of(value.get("tasks"))
    return Question(
        kind, message, words, tasks, settled, tuple(offer) if isinstance(offer, list) else ()
    )


def read_answer(
    text: str, question: Question, age: int, dates: Dates
) -> bool | tuple[ShownTask, ...] | None:
    """Return yes, no or the tasks that a message picks; None if it is no answer to the question."""
    words = text.strip().strip(".,!? ")
    if _NO.fullmatch(words):
        return False
    if question.kind in _YES_OR_NO and _YES.fullmatch(words):
        # `delete it` is no yes to a new task.
        writes = any(isinstance(each, Mapping) and "verb" in each for each in question.offer)
        is_asked = writes or _HAS_DEED.search(question.message)
        return True if is_asked or not _DEED.match(words) else None
    if question.kind in ("which", "near"):
        if len(question.tasks) == 1 and _YES.fullmatch(words):
            return question.tasks
        if age == 0 and len(words.split()) <= 8:
            return _picked(words, question.tasks, dates) or None
    return None
