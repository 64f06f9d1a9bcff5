"""Check of tasks and answers against the expectations of a scenario."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.domain.task import Status, Task
from todo_tui.evaluation.scenarios import Expectation, Wanted

_OUTER = " \t\"'“”‘’`.,;:!?…*_"
"""Characters around a title that are ignored."""
_COMPARED = (
    "title", "notes", "status", "priority", "due", "start", "project", "recurrence",
    "parent", "blocked_by", "deleted_at",
)  # fmt: skip
_CHANGED_BY: Mapping[str, frozenset[str]] = {
    "notes_has": frozenset({"notes"}),
    "recurrence": frozenset({"due"}),
}
"""Fields that an expected field brings along."""


@dataclass(frozen=True, slots=True)
class Observation:
    """State after a message; `seeds` are the tasks before the first one, trash included."""

    seeds: tuple[Task, ...]
    tasks: tuple[Task, ...]
    trash: tuple[Task, ...]
    answer: str
    answer_before: str
    wrote: bool
    """True if the last message changed anything."""

    @property
    def done(self) -> tuple[Task, ...]:
        """Completed tasks."""
        return tuple(task for task in self.tasks if task.status is Status.DONE)


def find_problems(expected: Expectation, seen: Observation, *, is_end: bool) -> list[str]:
    """Return what is not as expected; empty if all is.

    At the end of a scenario, fields of its first tasks that the expectation does not name
    must be as they were. With `any`, the problems are those of the option that has fewest.
    """
    found = []
    for each in expected.alternatives():
        problems = [*_state_problems(each, seen), *_answer_problems(each, seen)]
        if is_end:
            problems += _unexpected_changes(each, seen)
        found.append(problems)
    return min(found, key=len)


def _state_problems(expected: Expectation, seen: Observation) -> Iterator[str]:
    if _match_tasks(expected.tasks, seen.tasks) is None:
        missing = [
            entry for entry in expected.tasks if not any(_fits(entry, task) for task in seen.tasks)
        ]
        before = {task.id: task for task in seen.seeds}
        changed = [_brief(task) for task in seen.tasks if before.get(task.id) != task]
        now = f"new and changed tasks: {', '.join(changed)}" if changed else "no task changed"
        yield f"expected {json.dumps(missing or expected.tasks, ensure_ascii=False)}; {now}"
    counts = {
        "total": (expected.total, len(seen.tasks)),
        "trash": (expected.trash, len(seen.trash)),
        "done_count": (expected.done_count, len(seen.done)),
    }
    for name, (wanted, number) in counts.items():
        if wanted is not None and wanted != number:
            yield f"{name} is {number}, not {wanted}"
    if expected.unchanged and seen.wrote:
        yield "something was changed"
    present = {_plain(task.title) for task in seen.tasks}
    for title in expected.lacks:
        if _plain(title) in present:
            yield f"{title!r} is still there"
    if expected.confirm_or_done is not None:
        is_question = "?" in seen.answer and not seen.wrote
        if len(seen.done) != expected.confirm_or_done and not is_question:
            yield f"{len(seen.done)} tasks are done and nothing was asked"
    if expected.done_nth is not None:
        yield from _done_nth(expected.done_nth, seen)


def _done_nth(number: int, seen: Observation) -> Iterator[str]:
    before = {task.id for task in seen.seeds if task.status is Status.DONE}
    done = [task.id for task in seen.done if task.id not in before]
    text = _without_markup(seen.answer_before)
    places = sorted((text.find(task.title.casefold()), task.id) for task in seen.seeds)
    named = [task_id for place, task_id in places if place >= 0]
    if named[number - 1 : number] != done:
        yield f"the tasks done are {done}, not number {number} of {named}"


def _answer_problems(expected: Expectation, seen: Observation) -> Iterator[str]:
    text = _without_markup(seen.answer)
    for words in expected.answer_has:
        if not any(_says(text, each) for each in words):
            yield f"the answer lacks {' or '.join(map(repr, words))}"
    for words in expected.answer_lacks:
        if any(_says(text, each) for each in words):
            yield f"the answer has {' or '.join(map(repr, words))}"


def _unexpected_changes(expected: Expectation, seen: Observation) -> Iterator[str]:
    """Yield fields of the first tasks that changed without being named."""
    matched = _match_tasks(expected.tasks, seen.tasks) or {}
    now = {task.id: task for task in (*seen.tasks, *seen.trash)}
    for seed in seen.seeds:
        task = now.get(seed.id)
        if task is None:
            yield f"{seed.title!r} was erased"
            continue
        entry = matched.get(seed.id, {})
        named = _named_fields(expected, seed, entry)
        added, lost = set(task.tags) - set(seed.tags), set(seed.tags) - set(task.tags)
        strays = lost - _texts(entry.get("tags_lack")) or ("tags" not in entry and added)
        if strays and "tags" not in named - entry.keys():
            yield f"tags of {seed.title!r} changed: {seed.tags} → {task.tags}"
        for field in _COMPARED:
            old, new = getattr(seed, field), getattr(task, field)
            if field not in named and old != new:
                yield f"{field} of {seed.title!r} changed: {old!r} → {new!r}"


def _named_fields(expected: Expectation, seed: Task, entry: Mapping[str, Wanted]) -> set[str]:
    """Return the fields of one of the first tasks that may have changed."""
    named = {field for key in entry for field in (key, *_CHANGED_BY.get(key, ()))}
    if entry:
        named.add("deleted_at")  # it matched a task outside the trash
    counts = (expected.done_count, expected.confirm_or_done, expected.done_nth)
    if any(count is not None for count in counts):
        named.add("status")
    lacked = _plain(seed.title) in {_plain(title) for title in expected.lacks}
    if lacked:
        named |= {"deleted_at", "title"}
    if expected.trash is not None:
        named.add("deleted_at")
    return named | set(expected.may_change)


def _match_tasks(
    entries: Sequence[Mapping[str, Wanted]], tasks: Sequence[Task]
) -> dict[int, Mapping[str, Wanted]] | None:
    """Match each entry to a task of its own, by id; None if that is impossible."""
    fitting = [[at for at, task in enumerate(tasks) if _fits(each, task)] for each in entries]
    owner: dict[int, int] = {}
    """Index of the entry by that of its task."""

    def place(entry: int, tried: set[int]) -> bool:
        """Find a task for an entry; its present owner may move to another one."""
        for at in fitting[entry]:
            if at not in tried:
                tried.add(at)
                if at not in owner or place(owner[at], tried):
                    owner[at] = entry
                    return True
        return False

    if all(place(entry, set()) for entry in range(len(entries))):
        return {tasks[at].id: entries[entry] for at, entry in owner.items()}
    return None


def _fits(entry: Mapping[str, Wanted], task: Task) -> bool:
    found = task.to_json()
    for name, wanted in entry.items():
        options = wanted if isinstance(wanted, list) else [wanted]
        match name:
            case "title":
                fits = _plain(task.title) in set(map(_plain, _texts(wanted)))
            case "tags":
                fits = _texts(wanted) <= set(task.tags)
            case "tags_lack":
                fits = not _texts(wanted) & set(task.tags)
            case "blocked_by":
                fits = sorted(map(str, options)) == sorted(map(str, task.blocked_by))
            case "notes_has":
                fits = str(wanted).casefold() in task.notes.casefold()
            case _:
                fits = found[name] in options
        if not fits:
            return False
    return True


def _texts(value: Wanted) -> set[str]:
    """Return a text, or the texts of a list, as a set; none for null."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    return set(map(str, values))


def _plain(title: str) -> str:
    return title.casefold().strip(_OUTER)


def _says(text: str, words: str) -> bool:
    """Return true if a text has these whole words; `#5` is not `5`."""
    pattern = rf"(?<![\w#]){re.escape(words.casefold())}(?!\w)"
    return re.search(pattern, text) is not None


def _without_markup(answer: str) -> str:
    """Return an answer without Markdown markup, casefolded."""
    text = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", r"\1", answer)
    text = re.sub(r"(?m)^[ \t]*+(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]++", "", text)
    return re.sub(r"[*_`~]+|\\(?=\W)", "", text).casefold()


def _brief(task: Task) -> str:
    data = task.to_json()
    shown = ("id", "title", "status", "due", "priority", "project", "tags", "recurrence", "notes")
    return json.dumps({name: data[name] for name in shown if data[name]}, ensure_ascii=False)
