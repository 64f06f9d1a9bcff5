"""How each measurement grows with the number of tasks, as a picture in plain SVG.

Both axes are logarithmic. The colours are in the middle of the scale, on no ground of
their own, so that the picture reads on light and on dark pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from tests.benchmarks.report import Row

Line = list[tuple[int, float]]
"""Sizes and values, the smallest size first."""

_COLUMNS = 3
_WIDTH, _HEIGHT = 270, 200
_LEFT, _TOP, _RIGHT, _BOTTOM = 46, 34, 12, 44
_INK = "#7d8590"
_COLOURS = ("#2f81f7", "#d4772c", "#3fa35c", "#a371f7", "#c9598b")
_OTHER = "#8b949e"


def draw(rows: Iterable[Row]) -> str:
    """The picture of all rows that have a place in it; a panel for each kind."""
    panels = _panels(rows)
    across = min(_COLUMNS, max(len(panels), 1))
    down = math.ceil(len(panels) / across) if panels else 1
    width, height = across * _WIDTH, down * _HEIGHT
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="system-ui, sans-serif" font-size="10" '
        f'fill="{_INK}" role="img">',
        "<title>How CPU time and memory grow with the number of tasks</title>",
    ]
    for at, (name, (unit, lines)) in enumerate(panels.items()):
        x, y = at % across * _WIDTH, at // across * _HEIGHT
        drawn.append(f'<g transform="translate({x} {y})">')
        drawn += _panel(name, unit, lines)
        drawn.append("</g>")
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _panels(rows: Iterable[Row]) -> dict[str, tuple[str, dict[str, Line]]]:
    """The unit and the lines of each panel, in the order in which they first come."""
    panels: dict[str, tuple[str, dict[str, Line]]] = {}
    for row in rows:
        if row.plotted is None:
            continue
        _, lines = panels.setdefault(row.plotted.panel, (row.unit, {}))
        lines.setdefault(row.plotted.line, []).append((row.plotted.size, row.ours))
        if row.plotted.beside:
            lines.setdefault(row.plotted.beside, []).append((row.plotted.size, row.theirs))
    for _, lines in panels.values():
        for line in lines.values():
            line.sort()
    return panels


class _Scale:
    """A logarithmic axis from one length to another, whole powers of ten marked."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._low, self._high = math.log10(min(values)), math.log10(max(values))
        if self._high - self._low < 0.3:
            middle = (self._high + self._low) / 2
            self._low, self._high = middle - 0.15, middle + 0.15
        self._start, self._end = start, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return round(self._start + share * (self._end - self._start), 1)

    def marks(self) -> list[float]:
        """Powers of ten on the axis, or its round numbers where there are fewer than two."""
        found: list[float] = []
        for steps in ((1.0,), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)):
            found = [
                step * 10**power
                for power in range(math.floor(self._low), math.ceil(self._high) + 1)
                for step in steps
                if self._low - 1e-9 <= math.log10(step * 10**power) <= self._high + 1e-9
            ]
            if len(found) >= 2:
                break
        return found


def _panel(name: str, unit: str, lines: dict[str, Line]) -> list[str]:
    sizes = [size for line in lines.values() for size, _ in line]
    values = [value for line in lines.values() for _, value in line]
    across = _Scale(sizes, _LEFT, _WIDTH - _RIGHT)
    up = _Scale([min(values) * 0.8, max(values) * 1.25], _HEIGHT - _BOTTOM, _TOP)
    drawn = [f'<text x="{_LEFT}" y="14" font-weight="600">{escape(name.strip("`"))}</text>']
    for mark in up.marks():
        y = up(mark)
        drawn.append(
            f'<path d="M{_LEFT} {y}H{_WIDTH - _RIGHT}" stroke="{_INK}" stroke-opacity=".25"/>'
            f'<text x="{_LEFT - 4}" y="{y + 3}" text-anchor="end">{_value(mark, unit)}</text>'
        )
    drawn += [
        f'<text x="{across(size)}" y="{_HEIGHT - _BOTTOM + 13}" text-anchor="middle">'
        f"{_size(size)}</text>"
        for size in sorted(set(sizes))
    ]
    legend: float = _LEFT
    for at, (label, line) in enumerate(lines.items()):
        is_ours = label == "todo-tui" or len(lines) > 2
        colour = _COLOURS[at % len(_COLOURS)] if is_ours else _OTHER
        drawn += _line(line, across, up, colour, dashed=not is_ours)
        drawn.append(
            f'<text x="{legend}" y="{_HEIGHT - 14}" fill="{colour}">{escape(label)}</text>'
        )
        legend += 10 + 6 * len(label)
    return drawn


def _line(line: Line, across: _Scale, up: _Scale, colour: str, *, dashed: bool) -> list[str]:
    points = [(across(size), up(value)) for size, value in line]
    path = "L".join(f"{x} {y}" for x, y in points)
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return [
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>',
        *(f'<circle cx="{x}" cy="{y}" r="2.2" fill="{colour}"/>' for x, y in points),
    ]


def _value(value: float, unit: str) -> str:
    if unit == "ms" and value >= 1000:
        return f"{value / 1000:g} s"
    return f"{value:g} {unit}"


def _size(size: int) -> str:
    return f"{size // 1000}k" if size >= 1000 else str(size)
