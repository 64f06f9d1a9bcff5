"""How the row of a project looks: whether it is folded, its name, how far it is."""

from __future__ import annotations

from todo_tui.domain.text import plain_line
from todo_tui.tui.views.project_rows import ProjectRow
from todo_tui.tui.widgets.cell_text import clip, fit, steady, width_of
from todo_tui.tui.widgets.task_row import Part, RowState, indent_of

_BAR_CELLS = 8
_WORDS_CELLS = 12
_SMALLEST_NAME = 12
_EDGE = 1


def project_pieces(row: ProjectRow, state: RowState, width: int) -> list[tuple[str, Part]]:
    """`▾ clients   ━━━━━╌╌╌  5 of 8`, with the bar only where there is room for it."""
    words = _words(row)
    head = "▌" if state.cursor else " "
    mark = "▸" if row.is_folded else "▾"
    indent = " " * indent_of(row.depth)
    words_cells = max(_WORDS_CELLS, width_of(words))
    room = width - 4 - len(indent) - words_cells - 2 - _EDGE
    has_bar = row.path is not None and room - _BAR_CELLS - 2 >= _SMALLEST_NAME
    if has_bar:
        room -= _BAR_CELLS + 2
    name = steady(plain_line(row.name))
    is_finished = row.path is not None and not row.open
    pieces = [
        (head, Part.BAR),
        (" " + indent, Part.ROW),
        (mark + " ", Part.META),
        (fit(clip(name, room), room), Part.FINISHED if is_finished else Part.PROJECT),
    ]
    if has_bar:
        full = _full_cells(row)
        pieces += [
            ("  ", Part.ROW),
            ("━" * full, Part.TICKED),
            ("━" * (_BAR_CELLS - full), Part.UNFILLED),
        ]
    pieces += [
        ("  ", Part.ROW),
        (" " * (words_cells - width_of(words)) + words, Part.FINISHED if is_finished else Part.DUE),
        (" " * _EDGE, Part.ROW),
    ]
    return pieces


def _words(row: ProjectRow) -> str:
    if row.path is None:
        return f"{row.open:,} open"
    return f"{row.done:,} of {row.total:,}"


def _full_cells(row: ProjectRow) -> int:
    """Never empty once something is done, nor full while something is open."""
    if not row.done:
        return 0
    if not row.open:
        return _BAR_CELLS
    return min(max(round(_BAR_CELLS * row.done / row.total), 1), _BAR_CELLS - 1)
