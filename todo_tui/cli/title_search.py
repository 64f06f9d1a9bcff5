"""Search for the one task that a text names by its title, where ids can be typed too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from todo_tui.cli.task_scope import TaskScope
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.filters import terms
from todo_tui.domain.filters.views import TO_DO
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import (
    fold_case,
    listed_count,
    plain_line,
    shorten,
    similar,
    strip_accents,
)
from todo_tui.store.store import Store
from todo_tui.store.tasks.results import PlainTaskRow

_OPEN = terms.all_of(terms.NOT_IN_TRASH, TO_DO)
"""With the tasks that wait for their start, unlike the default list."""
_CLOSED = terms.all_of(
    terms.NOT_IN_TRASH,
    terms.any_of(terms.HasStatus(Status.DONE), terms.HasStatus(Status.CANCELLED)),
)
_TRASH = terms.TaskState.IN_TRASH
_FILTERS: Mapping[TaskScope, tuple[terms.Filter, ...]] = {
    TaskScope.OPEN: (_OPEN,),
    TaskScope.RECURRING: (terms.all_of(_OPEN, terms.HasField(terms.TaskField.RECURRENCE)),),
    TaskScope.CLOSED: (_CLOSED, _TRASH),
    TaskScope.TRASH: (_TRASH,),
    TaskScope.KEPT: (_OPEN, _CLOSED),
    TaskScope.ANY: (_OPEN, terms.EVERYTHING),
}
"""Tasks that are searched; the second ones only if none of the first matches."""
_STATES = {
    Status.TODO: "open",
    Status.DOING: "in progress",
    Status.DONE: "completed",
    Status.CANCELLED: "cancelled",
}
_MAX_CANDIDATES = 5
_MAX_WIDTH = 60
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""Scripts that join words or particles: Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""
_WORD = re.compile(r"\w+")
_LIKENESS = 0.7


def find_task_by_title(store: Store, text: str, scope: TaskScope, command: str) -> int:
    """Return the id of the one task with this title, else of the one whose title has its words.

    Case and accents are ignored. `command` is for the hint: `todo-tui done`.

    Raises:
        Conflict: several tasks match.
        NotFound: no task matches.
    """
    words, quoted = _fold(text), _shorten(text)
    searched: dict[int, str] = {}
    for condition in _FILTERS[scope]:
        rows = store.tasks.plain_rows(condition)
        titles = {row.id: _fold(row.title) for row in rows}
        matches = _match(titles, words)
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise Conflict(
                f"“{quoted}” matches {len(matches):,} tasks: {_list_candidates(rows, matches)}.",
                hint=f"Use an id: {command} {matches[0]}",
            )
        searched |= titles
    raise NotFound(f"No {scope} matches “{quoted}”.", hint=_suggest(store, searched, words, scope))


def rows_in_scope(store: Store, scope: TaskScope) -> list[PlainTaskRow]:
    """Return the tasks of a scope, those that are searched first in front."""
    filters = _FILTERS[scope]
    rows = {row.id: row for term in filters for row in store.tasks.plain_rows(term)}
    return list(rows.values())


def _fold(text: str) -> str:
    return " ".join(strip_accents(fold_case(plain_line(text))).split())


def _match(titles: Mapping[int, str], text: str) -> list[int]:
    """Return the ids of the tasks with a title, else of those that have its words."""
    exact = [id for id, title in titles.items() if title == text]
    words = text.split()
    if exact or not words:
        return exact
    # Most titles lack a word as it stands, which is quicker to see than where words begin.
    candidates = {id: title for id, title in titles.items() if all(word in title for word in words)}
    patterns = [re.compile(_word_pattern(word)) for word in words]
    return [
        id for id, title in candidates.items() if all(pattern.search(title) for pattern in patterns)
    ]


def _word_pattern(word: str) -> str:
    """Return a pattern for a whole word; in scripts without blanks, for any part of the text."""
    before, after = (
        "" if _UNSPACED.match(end) or not _WORD.match(end) else r"\b" for end in (word[0], word[-1])
    )
    return f"{before}{re.escape(word)}{after}"


def _list_candidates(rows: Sequence[PlainTaskRow], ids: Sequence[int]) -> str:
    titles = {row.id: row.title for row in rows}
    listed = ids[: listed_count(len(ids), _MAX_CANDIDATES)]
    labels = [f"#{id} {_shorten(titles[id])}" for id in listed]
    more = [f"{len(ids) - len(labels):,} more"] if len(ids) > len(labels) else []
    return ", ".join([*labels, *more])


def _suggest(store: Store, searched: Mapping[int, str], text: str, scope: TaskScope) -> str:
    """Return a hint: a matching task out of scope, else a similar title."""
    everything = store.tasks.plain_rows(terms.EVERYTHING)
    matches = _match({row.id: _fold(row.title) for row in everything}, text)
    if matches:
        task = store.tasks.get(matches[0])
        state = _STATES[task.status] if task.deleted_at is None else "in the trash"
        if scope is TaskScope.RECURRING and task.recurrence is None:
            state = "not recurring"
        return f"{_label(task)} is {state}."
    meant = _find_similar(searched, text)
    if meant is not None:
        return f"Did you mean {_label(store.tasks.get(meant))}?"
    return "Find its id with `todo-tui list all`."


def _find_similar(titles: Mapping[int, str], wanted: str) -> int | None:
    """Return the first task whose title has each word, or a similar one in its place."""
    known = dict.fromkeys(word for title in titles.values() for word in _WORD.findall(title))
    meant: list[str] = []
    for word in _WORD.findall(wanted):
        meant += [word] if word in known else similar(word, known, most=1, likeness=_LIKENESS)
    matching = _match(titles, " ".join(meant)) if meant else []
    return matching[0] if matching else None


def _label(task: Task) -> str:
    return f"#{task.id} {_shorten(task.title)}"


def _shorten(text: str) -> str:
    return shorten(plain_line(text), _MAX_WIDTH)
