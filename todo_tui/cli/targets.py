"""The one task that a text names by its title, where ids can be typed too."""

import re
from collections.abc import Mapping, Sequence

from todo_tui.cli.options import TaskScope
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.filters import terms
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import fold_case, plain_line, shorten, similar, strip_accents
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import PlainTaskRow

_OPEN = terms.all_of(
    terms.NOT_IN_TRASH,
    terms.any_of(terms.HasStatus(Status.TODO), terms.HasStatus(Status.DOING)),
)
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

    Ignores case and accents. `command` is for the hint: `todo-tui done`.

    Raises:
        Conflict: Several tasks match.
        NotFound: None does.
    """
    wanted, shown = _fold(text), _shorten(text)
    searched: dict[int, str] = {}
    for condition in _FILTERS[scope]:
        rows = store.tasks.plain_rows(condition)
        titles = {row.id: _fold(row.title) for row in rows}
        found = _match(titles, wanted)
        if len(found) == 1:
            return found[0]
        if found:
            raise Conflict(
                f"“{shown}” matches {len(found):,} tasks: {_list_candidates(rows, found)}.",
                hint=f"Use an id: {command} {found[0]}",
            )
        searched |= titles
    raise NotFound(f"No {scope} matches “{shown}”.", hint=_suggest(store, searched, wanted, scope))


def rows_in_scope(store: Store, scope: TaskScope) -> list[PlainTaskRow]:
    """Return the tasks of a scope, those that are looked at first in front."""
    found = {row.id: row for each in _FILTERS[scope] for row in store.tasks.plain_rows(each)}
    return list(found.values())


def _fold(text: str) -> str:
    return " ".join(strip_accents(fold_case(plain_line(text))).split())


def _match(titles: Mapping[int, str], wanted: str) -> list[int]:
    """Return the ids of the tasks with a title, else of those that have its words."""
    exact = [each for each, title in titles.items() if title == wanted]
    words = wanted.split()
    if exact or not words:
        return exact
    # Most titles lack a word as it stands, which is quicker to see than where words begin.
    some = {each: title for each, title in titles.items() if all(word in title for word in words)}
    patterns = [re.compile(_word_pattern(word)) for word in words]
    return [each for each, title in some.items() if all(one.search(title) for one in patterns)]


def _word_pattern(word: str) -> str:
    """Match a whole word; in scripts without blanks, any part of the text."""
    before, after = (
        "" if _UNSPACED.match(end) or not _WORD.match(end) else r"\b" for end in (word[0], word[-1])
    )
    return f"{before}{re.escape(word)}{after}"


def _list_candidates(rows: Sequence[PlainTaskRow], found: Sequence[int]) -> str:
    titles = {row.id: row.title for row in rows}
    named = [f"#{each} {_shorten(titles[each])}" for each in found[:_MAX_CANDIDATES]]
    more = [f"{len(found) - len(named):,} more"] if len(found) > len(named) else []
    return ", ".join([*named, *more])


def _suggest(store: Store, searched: Mapping[int, str], wanted: str, scope: TaskScope) -> str:
    """Return a hint: a matching task out of scope, else a similar title."""
    everything = store.tasks.plain_rows(terms.EVERYTHING)
    found = _match({row.id: _fold(row.title) for row in everything}, wanted)
    if found:
        task = store.tasks.get(found[0])
        is_recurring = scope is not TaskScope.RECURRING or task.recurrence is not None
        state = _describe_state(task) if is_recurring else "not recurring"
        return f"{_label(task)} is {state}."
    meant = _find_similar(searched, wanted)
    if meant is not None:
        return f"Did you mean {_label(store.tasks.get(meant))}?"
    return "Find its id with `todo-tui list all`."


def _describe_state(task: Task) -> str:
    return _STATES[task.status] if task.deleted_at is None else "in the trash"


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
