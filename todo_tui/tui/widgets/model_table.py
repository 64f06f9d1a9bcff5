"""The list of the model picker: draws the rows in view, however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.model_rows import ModelRow, Tone
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.cell_text import fit, steady

Line = ModelRow | str
"""A row, or a heading that the highlight steps over."""

_MARKS, _NAME, _STATE, _CONTEXT = 5, 14, 10, 5
_SHORTEST_MODEL, _LONGEST_MODEL = 22, 34
_COST, _SHORT_COST = 21, 15
_OF_TOKENS = " per M"
"""What a price is for; said where there is room."""
_WHEEL = 3

_TONES = {
    Tone.GOOD: "$text-success",
    Tone.ASKING: MUTED,
    Tone.LACKING: "$text-warning",
    Tone.BAD: "$text-error",
}


class ModelTable(Widget):
    """One row is highlighted; rows that arrive leave it where it is on screen."""

    ALLOW_SELECT = False

    class Highlighted(Message):
        """Another row is highlighted, or none; `by_hand`: the person went there."""

        def __init__(self, *, by_hand: bool) -> None:
            super().__init__()
            self.by_hand = by_hand

    class Chosen(Message):
        """A row was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[Line, ...] = ()
        self._cursor = -1
        self._top = 0

    @property
    def row(self) -> ModelRow | None:
        """The row that is highlighted."""
        return self._at(self._cursor)

    @property
    def count(self) -> int:
        """How many models are listed."""
        return sum(isinstance(line, ModelRow) for line in self._lines)

    def show(self, lines: Sequence[Line], *, keep: bool) -> None:
        """Show these; with `keep` the highlight stays on its model, else it is on the first."""
        before, depth = self.row, self._cursor - self._top
        self._lines = tuple(lines)
        self._cursor = self._place_of(before) if keep and before is not None else -1
        if self._cursor < 0:
            self._cursor = self._next(-1, 1)
            self._top = 0
        else:
            self._top = self._cursor - depth
        self._scroll_to_cursor()
        self.refresh()
        self.post_message(self.Highlighted(by_hand=False))

    def move(self, steps: int) -> None:
        """Highlight a row further down, or up; at the ends it stays."""
        direction = 1 if steps > 0 else -1
        for _ in range(abs(steps)):
            at = self._next(self._cursor, direction)
            if at < 0:
                break
            self._cursor = at
        self._scroll_to_cursor()
        self.refresh()
        self.post_message(self.Highlighted(by_hand=True))

    def page(self, direction: int) -> None:
        """As many rows as are in view."""
        self.move(direction * max(self.content_size.height - 1, 1))

    @property
    def in_view(self) -> list[ModelRow]:
        """The models that can be seen now."""
        seen = self._lines[self._top : self._top + self.content_size.height]
        return [line for line in seen if isinstance(line, ModelRow)]

    def render(self) -> Content:
        """The lines in view and nothing else."""
        width, height = self.content_size
        seen = self._lines[self._top : self._top + height]
        columns = _Columns(width)
        return Content("\n").join(
            columns.heading(line)
            if isinstance(line, str)
            else columns.row(line, at, highlighted=at == self._cursor)
            for at, line in enumerate(seen, start=self._top)
        )

    def on_resize(self) -> None:
        """Keep the highlight in view."""
        self._scroll_to_cursor()
        self.post_message(self.Highlighted(by_hand=False))

    def on_click(self, event: events.Click) -> None:
        """A click chooses."""
        at = event.style.meta.get("line")
        if isinstance(at, int) and self._at(at) is not None:
            self._cursor = at
            self.refresh()
            self.post_message(self.Highlighted(by_hand=True))
            self.post_message(self.Chosen())

    def on_mouse_scroll_down(self) -> None:
        """The wheel moves the highlight."""
        self.move(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        """As above."""
        self.move(-_WHEEL)

    def _at(self, place: int) -> ModelRow | None:
        line = self._lines[place] if 0 <= place < len(self._lines) else None
        return line if isinstance(line, ModelRow) else None

    def _next(self, place: int, direction: int) -> int:
        """The nearest row in that direction; -1: there is none."""
        place += direction
        while 0 <= place < len(self._lines):
            if isinstance(self._lines[place], ModelRow):
                return place
            place += direction
        return -1

    def _place_of(self, row: ModelRow) -> int:
        for place, line in enumerate(self._lines):
            if isinstance(line, ModelRow) and _is_same(line, row):
                return place
        return -1

    def _scroll_to_cursor(self) -> None:
        height = max(self.content_size.height, 1)
        # The heading above the first row belongs to it.
        first = self._cursor - 1 if self._next(self._cursor, -1) < 0 else self._cursor
        self._top = max(min(self._top, first), self._cursor - height + 1, 0)


def _is_same(one: ModelRow, other: ModelRow) -> bool:
    return one.option.row.id == other.option.row.id and one.model == other.model


class _Columns:
    """Where the columns of a row are in a width: what is less needed gives way."""

    def __init__(self, width: int) -> None:
        self._width = width
        fixed = _MARKS + _NAME + 1 + 1 + _STATE
        room = width - fixed
        self._context = room - _CONTEXT - _COST - 3 >= _SHORTEST_MODEL
        self._cost = self._context or room - _SHORT_COST - 2 >= _SHORTEST_MODEL
        taken = (_CONTEXT + 1) * self._context
        if self._cost:
            taken += 2 + (_COST if self._context else _SHORT_COST)
        self._model = max(min(room - taken, _LONGEST_MODEL), 8)

    def heading(self, words: str) -> Content:
        """A quiet line above rows."""
        return Content.styled(f"   {words}", FAINT)

    def row(self, row: ModelRow, at: int, *, highlighted: bool) -> Content:
        """Marks, number, provider, model, state, context, cost."""
        name = fit(steady(plain_line(row.option.row.label)), _NAME)
        model = fit(steady(plain_line(row.model)) or "–", self._model)
        number = str(row.number) if row.number <= 9 else " "
        quiet = "" if row.ready else MUTED
        line = Content.assemble(
            ("▌" if highlighted else " ", "$primary"),
            ("● " if row.current else "  ", "$primary"),
            (f"{number} ", FAINT),
            (name, "bold" if row.ready else quiet),
            " ",
            (model, quiet),
            " ",
            (fit(row.state, _STATE) if row.ready else row.state, _TONES[row.tone]),
        )
        if row.ready and self._context:
            line += Content.styled(f" {row.context:>{_CONTEXT}}", MUTED)
        if row.ready and self._cost:
            cost = row.cost if self._context else row.cost.removesuffix(_OF_TOKENS)
            line += Content.styled(f"  {cost}", MUTED)
        line = line.truncate(self._width, ellipsis=True, pad=True)
        line = line.stylize(Style.from_meta({"line": at}))
        return line.stylize_before("on $primary 25%") if highlighted else line
