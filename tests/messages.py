"""Messages as people talk, each with the states of the list that are right after it.

`python -m tests.messages [FILE] [ID…]` prints the messages that the built-in assistant does not
get right, and how many of each kind it does. In a file, `accept` has the right states:
`changes` names fields of tasks by their title, `new` the tasks that were added. A field or task
that is not named has not changed. A field may have a list of alternatives; a due date may be
`DAY TIME..TIME`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel, ConfigDict

from tests.same_thread import use_no_threads
from todo_tui.agent.approver import ApproveAll
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.task import Task
from todo_tui.evaluation.scenarios import Scenario, open_database, write_database
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store

FILE = Path(__file__).parent / "data" / "messages.json"
_NOT_IN_TITLES = (
    "remind|remember|need to|have to|forget|please|could you|can you|new task|due"
    "|today|tonight|tomorrow|tmrw|monday|tuesday|wednesday|thursday|friday"
)
"""What is said about a task, or to the assistant, and belongs in no title."""

Value = bool | str | list[str] | None
Row = Mapping[str, Value]
"""Fields of a task, as the file names them."""
Wanted = bool | str | list[str | None] | None
Fields = Mapping[str, Wanted]


class Verdict(StrEnum):
    """Verdict on the list, and the answer, after the last message."""

    RIGHT = "right"
    OFFERED = "offered"
    """Right once the offer is accepted."""
    HARMLESS = "harmless"
    """Part of it was done or answered, and nothing else was."""
    HARMFUL = "harmful"


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class State(_Record):
    """Changed and added tasks; `title` of an added one is a pattern, and so is what it `lacks`."""

    changes: Mapping[str, Fields] = {}
    new: tuple[Fields, ...] = ()


class Message(_Record):
    """Messages of one conversation, and the states that are right after the last."""

    id: str
    kind: str
    tasks: str
    turns: tuple[str, ...]
    expect: str
    accept: tuple[State, ...]
    harmless: tuple[State, ...] = ()
    """States that are not right and do no harm."""
    ask_ok: bool = False
    """True if a question that changes nothing is right too."""
    answer: tuple[str, ...] = ()
    """Patterns that the last answer has."""

    def judge(self, after: Difference, answer: str) -> Verdict:
        """Return the verdict on what the messages did, and on the last answer."""
        is_answered = all(re.search(each, answer, re.I | re.S) for each in self.answer)
        has_asked = self.ask_ok and "?" in answer and not after.changed and not after.added
        if has_asked or (is_answered and any(map(after.is_state, self.accept))):
            return Verdict.RIGHT
        is_safe = any(map(after.is_part_of, (*self.accept, *self.harmless)))
        return Verdict.HARMLESS if is_safe else Verdict.HARMFUL


@dataclass(frozen=True, slots=True)
class Difference:
    """Tasks as they were, those that changed as they are now, and those that were added."""

    before: Mapping[int, Row]
    changed: Mapping[int, Row]
    added: Sequence[Row]

    @classmethod
    def between(cls, before: Mapping[int, Task], after: Mapping[int, Task]) -> Difference:
        """Compare two lists; the next task of a series belongs to the completion of the last."""
        old, now = ({at: _row(task) for at, task in each.items()} for each in (before, after))
        renewed = {task.series for at, task in after.items() if at in old and not task.is_open}
        return cls(
            old,
            {at: now[at] for at in old if now[at] != old[at]},
            [
                now[at]
                for at, task in after.items()
                if at not in old and not task.deleted_at and task.series not in renewed - {None}
            ],
        )

    def is_part_of(self, state: State) -> bool:
        """Return True if nothing was done that the state does not have."""
        wanted = {self._named(title): fields for title, fields in state.changes.items()}
        return _is_pairable(self.added, state.new) and all(
            at in wanted and _is_kept(self.before[at], row, wanted[at])
            for at, row in self.changed.items()
        )

    def is_state(self, state: State) -> bool:
        """Return True if all that the state has was done, and nothing else."""
        rows = {**self.before, **self.changed}
        return (
            self.is_part_of(state)
            and len(self.added) == len(state.new)
            and all(
                _is_met(name, wanted, rows[self._named(title)][name])
                for title, fields in state.changes.items()
                for name, wanted in fields.items()
            )
        )

    def _named(self, title: str) -> int:
        """Return the task of that title, an open one first."""
        named = [at for at, row in self.before.items() if row["title"] == title]
        return min(named, key=lambda at: self.before[at]["status"] != "open")


def _row(task: Task) -> Row:
    status = "open" if task.status.is_open else task.status.value
    return {
        "title": task.title,
        "due": task.due.iso().replace("T", " ") if task.due else None,
        "status": "trash" if task.deleted_at else status,
        "priority": task.priority.value if task.priority else None,
        "project": task.project,
        "tags": sorted(task.tags),
        "repeat": task.recurrence,
        "notes": "\n".join((task.notes, *(note.text for note in task.annotations))).strip(),
    }


def _is_kept(before: Row, after: Row, wanted: Fields) -> bool:
    """Return True if the fields are as wanted, or as they were.

    The days of a rule may follow the date, and a completed task hands its rule on to the next.
    """
    is_moved = "due" in wanted and _pace(before["repeat"]) == _pace(after["repeat"])
    return all(
        _is_met(name, wanted[name], after[name])
        if name in wanted
        else name == "repeat" and (is_moved or after["status"] != "open")
        for name, value in before.items()
        if value != after[name]
    )


def _is_pairable(rows: Sequence[Row], wanted: Sequence[Fields]) -> bool:
    """Return True if each row is one of those wanted, and no two are the same one."""
    return not rows or any(
        _is_new(rows[0], each) and _is_pairable(rows[1:], (*wanted[:at], *wanted[at + 1 :]))
        for at, each in enumerate(wanted)
    )


def _is_new(row: Row, wanted: Fields) -> bool:
    title, lacks = str(row["title"]), f"{_NOT_IN_TITLES}|{wanted.get('lacks', 'please')}"
    others = {*wanted, "due"} - {"title", "lacks"}
    return (
        re.fullmatch(str(wanted["title"]), title, re.I) is not None
        and re.search(rf"\b(?:{lacks})\b", title, re.I) is None
        and all(_is_met(name, wanted.get(name), row[name]) for name in others)
    )


def _is_met(name: str, wanted: Wanted, value: Value) -> bool:
    if isinstance(wanted, list):
        return wanted == value or any(_is_met(name, each, value) for each in wanted)
    if isinstance(wanted, bool) or wanted is None or not isinstance(value, str):
        return bool(wanted) is bool(value)
    match name:
        case "repeat":
            is_within = set(wanted.split(";")) <= set(value.split(";"))
            return is_within and _pace(wanted) == _pace(value)
        case "notes":
            return re.search(wanted, value, re.I) is not None
        case "due" if ".." in wanted:
            first, last = wanted.split("..")
            return first <= value <= f"{first[:10]} {last}"
    return wanted.lower() == value.lower()


def _pace(rule: Value) -> set[str]:
    return {part for part in str(rule).split(";") if part.startswith(("FREQ", "INTERVAL"))}


async def run(message: Message, scenario: Scenario) -> tuple[Verdict, Sequence[str]]:
    """Return the verdict on a message, and the answers; an offer is accepted at the end."""
    answers: list[str] = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "tasks.db")
        write_database(scenario, path)
        with open_database(scenario, path) as store:
            before = _tasks(store)
            conversation = await _say(message.turns, store, None, answers)
            verdict = message.judge(Difference.between(before, _tasks(store)), answers[-1])
            if verdict is not Verdict.HARMFUL and answers[-1].rstrip().endswith("[yes/no]"):
                await _say(("yes",), store, conversation, answers)
                agreed = Difference.between(before, _tasks(store))
                if verdict is Verdict.HARMLESS and any(map(agreed.is_state, message.accept)):
                    verdict = Verdict.OFFERED
                elif message.ask_ok and message.judge(agreed, "") is Verdict.HARMFUL:
                    verdict = Verdict.HARMLESS
    return verdict, answers


def _tasks(store: Store) -> Mapping[int, Task]:
    queries = [store.read_query(text) for text in ("all", "trash")]
    return {task.id: task for query in queries for task in store.tasks.list(query).tasks}


async def _say(
    turns: Sequence[str], store: Store, conversation: str | None, answers: list[str]
) -> str | None:
    """Say them one after the other; append the answers, and return the conversation's id."""
    config = RunConfig(store, BuiltInAssistant(store.index), approver=ApproveAll())
    for text in turns:
        *_, end = [each async for each in run_turn(text, config, conversation_id=conversation)]
        assert isinstance(end, TurnFinished), end
        answers.append(end.outcome.answer)
        conversation = end.conversation_id
    return conversation


def load(path: Path = FILE) -> Iterator[tuple[Message, Scenario]]:
    """Yield the messages of a file, each with the list that it begins with."""
    held = json.loads(path.read_text(encoding="utf-8"))
    for entry in held["messages"]:
        message = Message.model_validate(entry)
        fields = {"now": held["now"], "tasks": held["lists"][message.tasks], "expect": {}}
        yield message, Scenario.model_validate({"id": message.id, "say": message.turns, **fields})


async def _main(arguments: Sequence[str]) -> None:
    use_no_threads()
    path = next((Path(each) for each in arguments if each.endswith(".json")), FILE)
    ids = {each for each in arguments if not each.endswith(".json")}
    counts: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for message, scenario in load(path):
        if ids and message.id not in ids:
            continue
        verdict, answers = await run(message, scenario)
        counts[message.kind][verdict] += 1
        counts["all"][verdict] += 1
        if ids or verdict is not Verdict.RIGHT:
            print(f"{message.id} {verdict}: {message.expect}")
            for text, answer in zip((*message.turns, "yes"), answers, strict=False):
                print("  >", text, "\n  <", answer.replace("\n", "\n    "))
    for kind, each in counts.items():
        print(f"{kind:12}", *(f"{each[verdict]} {verdict} " for verdict in Verdict))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1:]))
