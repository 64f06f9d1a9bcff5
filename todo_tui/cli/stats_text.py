"""Statistics as people read them: a picture of the days, facts, sparklines, projects."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from todo_tui.cli.columns import Cell, aligned
from todo_tui.config.settings import Settings
from todo_tui.domain.heat_map import (
    ASCII_BARS,
    ASCII_SHADES,
    BARS,
    SHADES,
    HeatMap,
    heat_map,
    sparkline,
)
from todo_tui.domain.statistics import Statistics
from todo_tui.domain.statistics_words import (
    WEEKS_SHOWN,
    busiest_words,
    charts,
    counted,
    facts,
    headline,
    share_words,
    stretch_words,
)
from todo_tui.domain.text import plain_line

_WIDTH = 80
_LABEL = 14
_VALUE = 12
_CHART = WEEKS_SHOWN + 2
_WEEKDAY = 5
_PROJECT = 40
_MOST_PROJECTS = 10
_STYLES = ("dim", "green", "green", "green", "bold green")
"""For each level of a day."""

Line = list[Cell]


class _Signs(NamedTuple):
    shades: str
    bars: str


def print_statistics(statistics: Statistics, filter_text: str, settings: Settings) -> None:
    """Print everything within 80 columns, and with styles on a terminal only."""
    if not sys.stdout.isatty():
        for line in _lines(statistics, filter_text, settings, _WIDTH):
            sys.stdout.write("".join(cell.text for cell in line).rstrip() + "\n")
        return
    # Drawing is for terminals: a pipe does without these imports.
    from rich.console import Console
    from rich.text import Text

    console = Console(
        no_color=settings.no_color or None, highlight=False, markup=False, emoji=False
    )
    for line in _lines(statistics, filter_text, settings, min(console.width, _WIDTH)):
        console.print(Text.assemble(*((cell.text, cell.style) for cell in line)))


def _lines(
    statistics: Statistics, filter_text: str, settings: Settings, width: int
) -> Iterator[Line]:
    signs = _signs()
    first_weekday = settings.dates.week_start
    yield from _head(statistics, filter_text)
    yield []
    room = width - _WEEKDAY
    weeks = len(statistics.weeks(first_weekday))
    cell_width = 2 if weeks * 2 <= room else 1
    picture = heat_map(
        statistics.done_by_day,
        statistics.period,
        most_weeks=max(room // cell_width, 1),
        first_weekday=first_weekday,
    )
    yield from _picture(picture, cell_width, signs)
    yield [Cell(" " * _WEEKDAY), *_legend(signs), Cell(f"   {busiest_words(statistics)}", "dim")]
    yield []
    for fact in facts(statistics):
        yield [
            Cell(f"{fact.label:<{_LABEL}}", "dim"),
            Cell(f"{fact.value:<{_VALUE}}", "bold"),
            Cell(fact.remark),
        ]
    yield []
    for chart in charts(statistics, first_weekday):
        yield [
            Cell(f"{chart.label:<{_LABEL}}", "dim"),
            Cell(f"{sparkline(chart.values, signs.bars):<{_CHART}}", "green"),
            Cell(chart.remark),
        ]
    yield from _projects(statistics)


def _head(statistics: Statistics, filter_text: str) -> Iterator[Line]:
    period = statistics.period
    days = stretch_words(period.first, period.last, statistics.today)
    yield [Cell(headline(statistics), "bold")]
    yield [Cell(f"{days} · {plain_line(filter_text)}" if filter_text else days, "dim")]


def _picture(picture: HeatMap, cell_width: int, signs: _Signs) -> Iterator[Line]:
    yield [Cell(" " * _WEEKDAY), Cell(picture.month_line(cell_width), "dim")]
    for name, row in zip(picture.weekdays(), picture.rows(), strict=True):
        line = [Cell(f"{name:<{_WEEKDAY}}", "dim")]
        for each in row:
            if each is None:
                line.append(Cell(" " * cell_width))
            else:
                line.append(Cell(signs.shades[each.level].ljust(cell_width), _STYLES[each.level]))
        yield line


def _legend(signs: _Signs) -> Line:
    shades = [Cell(f"{sign} ", style) for sign, style in zip(signs.shades, _STYLES, strict=True)]
    return [Cell("less ", "dim"), *shades, Cell("more", "dim")]


def _projects(statistics: Statistics) -> Iterator[Line]:
    """A table where there are projects at all."""
    projects = statistics.projects
    if all(each.project is None for each in projects):
        return
    rows = [["Project", "Done", "Open", "On time"]]
    for each in projects[:_MOST_PROJECTS]:
        name = _clipped(plain_line(each.project)) if each.project else "no project"
        share = share_words(each.punctuality)
        rows.append([name, f"{each.done:,}", f"{each.open:,}", share])
    yield []
    for number, line in enumerate(aligned(rows, numbers=(1, 2, 3))):
        yield [Cell(line, "" if number else "dim")]
    left_out = len(projects) - _MOST_PROJECTS
    if left_out > 0:
        yield [Cell(f"and {counted(left_out, 'project')} more", "dim")]


def _clipped(name: str) -> str:
    """A name that leaves room for its numbers."""
    if cell_len(name) <= _PROJECT:
        return name
    return f"{set_cell_size(name, _PROJECT - 1).rstrip()}…"


def _signs() -> _Signs:
    """What the output can show: pictures are worth nothing as question marks."""
    try:
        (SHADES + BARS).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return _Signs(ASCII_SHADES, ASCII_BARS)
    return _Signs(SHADES, BARS)
