"""The filter that is on: as it was typed, and as it was understood."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import TodoError
from todo_tui.domain.filter_terms import And, Filter, Not, Or, Says
from todo_tui.domain.when import DateStyle

if TYPE_CHECKING:
    # As in the contents: others open the store, and the first frame has no filter to read.
    from todo_tui.store.workspace import Store
    from todo_tui.tui.views.arranging import Typed


class ListFilter:
    """Reads a text once for each minute: what it says of days and times changes with them."""

    def __init__(self, store: Store, clock: Clock, style: DateStyle) -> None:
        self._store = store
        self._clock = clock
        self._style = style
        self._filter: Filter | None = None
        self._known: tuple[str, datetime, Typed] | None = None
        self.text = ""
        """The filter as it was typed, as far as it could be read; empty where none is on."""

    def put(self, text: str) -> None:
        """Filter by a text, or by the longest beginning of it that is a filter."""
        words = text.split()
        text = text.strip()
        while text:
            try:
                self._filter = self._scoped(text)
            except TodoError:
                words.pop()
                text = " ".join(words)
                continue
            break
        else:
            self._filter = None
        self.text = text

    def read(self, text: str) -> Typed:
        """What a filter says at this minute.

        Raises:
            FilterProblem: it cannot be read.
        """
        from todo_tui.tui.views.arranging import read_typed

        now = self._clock.now()
        minute = now.replace(second=0, microsecond=0)
        known = self._known
        if known is not None and known[:2] == (text, minute):
            return known[2]
        typed = read_typed(text, now, self._style, self._store)
        self._known = (text, minute, typed)
        return typed

    @property
    def meaning(self) -> str:
        """What the filter was understood as; empty where none is on."""
        if self._filter is None:
            return ""
        from todo_tui.domain.filter_description import describe

        return describe(self._filter)

    @property
    def searched(self) -> tuple[str, ...]:
        """The words that the filter searches for."""
        if self._filter is None:
            return ()
        from todo_tui.domain.filter_spans import searched_words

        return searched_words(self._filter)

    @property
    def suggestion(self) -> str:
        """Another filter that was perhaps meant: `due:friday` for a search for `friday`."""
        if self._filter is None or not _has_term(self._filter, Says):
            return ""
        from todo_tui.domain.dates import DateNotUnderstood, read_range

        try:
            read_range(self.text, self._clock.now(), self._style)
        except DateNotUnderstood:
            return ""
        quoted = f'"{self.text}"' if " " in self.text else self.text
        return f"due:{quoted}"

    def _scoped(self, text: str) -> Filter:
        from todo_tui.domain.filter_scope import with_default_scope

        return with_default_scope(self.read(text).filter)


def _has_term(wanted: Filter, kind: type[Filter]) -> bool:
    match wanted:
        case And(parts) | Or(parts):
            return any(_has_term(part, kind) for part in parts)
        case Not(part):
            return _has_term(part, kind)
        case _:
            return isinstance(wanted, kind)
