"""What the list says where it has little to show: what went wrong, what to do, that all is done."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widget import Widget

from todo_tui.domain.errors import TodoError
from todo_tui.tui.action_keys import hint
from todo_tui.tui.views.view import ALL, LESSONS, ViewKind
from todo_tui.tui.widgets.list_counts import ListCounts
from todo_tui.tui.widgets.task_contents import TaskContents

_NOTHING_YET = (
    "Nothing here yet.",
    "Press {list.add}, or tell the assistant: add buy milk tomorrow 5pm.",
)
_ALL_DONE = ("All done. Enjoy the quiet.",)


class ListLessons:
    """Chooses the paragraphs; keys in them have the names that they have in this app."""

    def __init__(self, view: Widget, contents: TaskContents, counts: ListCounts) -> None:
        self._view = view
        self._contents = contents
        self._counts = counts

    def paragraphs(self, trouble: TodoError | None) -> tuple[str, ...]:
        """What there is to say, the first being its head; nothing above a list of tasks."""
        if trouble is not None:
            return tuple(filter(None, (trouble.message, trouble.hint)))
        view = self._contents.view
        is_empty = not self._counts.lines
        if self._counts.open or (self._contents.text and not is_empty):
            return self._above() if view.kind is ViewKind.TODAY else ()
        if not is_empty and view.kind is not ViewKind.ALL:
            return ()
        if self._contents.text:
            return self._nothing_fits()
        if view.kind is not ViewKind.ALL:
            return self._with_keys(LESSONS[view.kind])
        return self._with_keys(_NOTHING_YET) if is_empty else _ALL_DONE

    def _above(self) -> tuple[str, ...]:
        """What Today says where nothing is for today and something could be done."""
        return () if self._counts.total else self._with_keys(LESSONS[ViewKind.TODAY])

    def _nothing_fits(self) -> tuple[str, ...]:
        view, instead = self._contents.view, self._contents.filter.suggestion
        all_of_it = "tasks again." if view == ALL else f"of {view.name} again."
        return (
            f"Nothing fits “{self._contents.text}”.",
            *([f"{instead} shows what is due then."] if instead else []),
            f"{self._hint('{list.back}')} shows all {all_of_it}",
        )

    def _with_keys(self, lesson: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self._hint, lesson))

    def _hint(self, text: str) -> str:
        return hint(self._view.app, text)
