"""`todo-tui stats`: statistics as text and as JSON."""

import sys
from collections.abc import Iterator

import click
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import filter_argument, json_option
from todo_tui.cli.output.alignment import align_columns
from todo_tui.cli.output.console import open_console
from todo_tui.cli.output.messages import print_json, print_note
from todo_tui.cli.output.tables import TableCell
from todo_tui.cli.period import count_days, period_options
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.settings import Settings
from todo_tui.domain import statistics_text
from todo_tui.domain.dates.text import WEEKDAY_NAMES
from todo_tui.domain.filters.parser import FilterParser
from todo_tui.domain.filters.terms import Filter
from todo_tui.domain.statistics import Period, Punctuality, Statistics
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count, listed_count, plain_line

_DEFAULT_DAYS = 365
_WIDTH = 80
_LABEL = 25
_VALUE = 10
_CHART = statistics_text.WEEKS_SHOWN + 2
_WEEKDAY = 5
_PROJECT = 40
_MAX_PROJECTS = 10
_STYLES = ("dim", "green", "green", "green", "bold green")
"""For each level of a day."""
Line = list[TableCell]


@click.command("stats", cls=TodoCommand, free_words=True, only_reads=True)
@filter_argument()
@period_options(_DEFAULT_DAYS)
@json_option
@click.pass_obj
def stats(
    session: CliSession,
    filter_text: str,
    days: int | None,
    since: str | None,
    as_json: bool,
) -> None:
    """Show completion statistics.

    Limit statistics with a filter, such as project:work or tag:home; it matches open and
    completed tasks. Each completed occurrence of a recurring task counts; deleted tasks do
    not. Streaks cover all time; open and overdue are current. On time is the share of
    completed tasks with a due date that were completed by then.
    """
    period = count_days(session, days, since, _DEFAULT_DAYS)
    statistics = session.store.statistics.read(period, _filter(session, filter_text))
    if as_json:
        print_json(statistics_json(statistics, filter_text, session.settings))
    elif statistics.done:
        print_statistics(statistics, filter_text, session.settings)
    else:
        print_note(_describe_nothing_done(statistics, filter_text))


def _filter(session: CliSession, text: str) -> Filter | None:
    """Return the filter without the scope that a list adds: done tasks count too."""
    if not text:
        return None
    names = session.store.views.names_in(text)
    return FilterParser(text, session.clock.now(), session.settings.dates, names).read()


def _describe_nothing_done(statistics: Statistics, text: str) -> str:
    match = f" matching “{text}”" if text else ""
    if statistics.done_by_day:
        last = (statistics.today - max(statistics.done_by_day)).days + 1
        return (
            f"Nothing{match} completed in {format_count(statistics.period.days, 'day')}."
            f" Look back further: todo-tui stats --days {last}"
        )
    if statistics.open:
        are_open = "1 task is open" if statistics.open == 1 else f"{statistics.open:,} are open"
        return f"Nothing{match} completed yet; {are_open}. Complete a task: todo-tui done ID"
    if text:
        return f"No task matches “{text}”. List all tasks with `todo-tui list all`."
    return "Nothing completed yet. Add a task: todo-tui add buy milk tomorrow 5pm"


def statistics_json(statistics: Statistics, filter_text: str, settings: Settings) -> JsonValue:
    """Return the statistics as one object.

    `period` has `first`, `last` and `days`; `zone` is the zone of the days, `filter` the filter
    or null. Of the period: `done`, `came_in`, `cancelled`, and
    `on_time` with `share` from 0 to 1; `time_to_done` in seconds from creation, null
    where nothing was done; `days` (every one), `weeks` (only their days in the period),
    `weekdays` and the 24 `hours` of local days; `projects`, each without those below it,
    with what is open now. `streak` and `longest_streak` are of all time, null without
    one; a `streak` reaches to today or yesterday. `open` and `overdue` are so now.
    """
    streaks = statistics.streaks
    spread = statistics.time_to_done
    return {
        "period": _period_json(statistics.period),
        "zone": settings.zone,
        "filter": filter_text or None,
        "done": statistics.done,
        "came_in": statistics.added,
        "cancelled": statistics.cancelled,
        "open": statistics.open,
        "overdue": statistics.overdue,
        "streak": _period_json(streaks.current),
        "longest_streak": _period_json(streaks.longest),
        "on_time": _on_time(statistics.punctuality),
        "time_to_done": None
        if spread is None
        else {
            "tasks": spread.tasks,
            "lower_quartile": round(spread.lower),
            "median": round(spread.median),
            "upper_quartile": round(spread.upper),
        },
        "days": [
            {
                "day": day.day.isoformat(),
                "done": day.done,
                "came_in": day.added,
                "cancelled": day.cancelled,
            }
            for day in statistics.days()
        ],
        "weeks": [
            {"first": week.day.isoformat(), "done": week.done, "came_in": week.added}
            for week in statistics.weeks(settings.dates.week_start)
        ],
        "weekdays": {
            name: count for name, count in zip(WEEKDAY_NAMES, statistics.by_weekday, strict=True)
        },
        "hours": list(statistics.by_hour),
        "projects": [
            {
                "project": project.project,
                "done": project.done,
                "open": project.open,
                "on_time": _on_time(project.punctuality),
            }
            for project in statistics.projects
        ],
    }


def _period_json(period: Period | None) -> JsonValue:
    if period is None:
        return None
    first, last = period.first.isoformat(), period.last.isoformat()
    return {"first": first, "last": last, "days": period.days}


def _on_time(punctuality: Punctuality) -> JsonValue:
    return {name: getattr(punctuality, name) for name in ("with_due", "on_time", "share")}


def print_statistics(statistics: Statistics, filter_text: str, settings: Settings) -> None:
    """Print everything within 80 columns, and with styles on a terminal only."""
    first_weekday = settings.dates.week_start
    if not sys.stdout.isatty():
        for line in _lines(statistics, filter_text, first_weekday, _WIDTH):
            sys.stdout.write("".join(cell.text for cell in line).rstrip() + "\n")
        return
    console = open_console()
    for line in _lines(statistics, filter_text, first_weekday, min(console.width, _WIDTH)):
        console.print(Text.assemble(*((cell.text, cell.style) for cell in line)))


def _lines(
    statistics: Statistics, filter_text: str, first_weekday: int, width: int
) -> Iterator[Line]:
    shades, bars = _shades_and_bars()
    period = statistics.period
    days = statistics_text.format_period(period.first, period.last, statistics.today)
    yield [TableCell(statistics_text.format_headline(statistics), "bold")]
    yield [TableCell(f"{days} · {plain_line(filter_text)}" if filter_text else days, "dim")]
    yield []
    room = width - _WEEKDAY
    cell_width = 2 if len(statistics.weeks(first_weekday)) * 2 <= room else 1
    picture = statistics_text.build_heat_map(
        statistics.done_by_day,
        period,
        most_weeks=max(room // cell_width, 1),
        first_weekday=first_weekday,
    )
    yield [TableCell(" " * _WEEKDAY), TableCell(picture.month_line(cell_width), "dim")]
    signs = [
        TableCell(shade.ljust(cell_width), style)
        for shade, style in zip(shades, _STYLES, strict=True)
    ]
    for name, row in zip(picture.weekdays(), picture.rows(), strict=True):
        cells = (signs[day.level] if day else TableCell(" " * cell_width) for day in row)
        yield [TableCell(f"{name:<{_WEEKDAY}}", "dim"), *cells]
    yield [
        TableCell(" " * _WEEKDAY),
        TableCell("less ", "dim"),
        *(TableCell(f"{sign} ", style) for sign, style in zip(shades, _STYLES, strict=True)),
        TableCell("more", "dim"),
        TableCell(f"   {statistics_text.format_busiest_day(statistics)}", "dim"),
    ]
    yield []
    for fact in statistics_text.key_figures(statistics):
        yield [
            TableCell(f"{fact.label:<{_LABEL}}", "dim"),
            TableCell(f"{fact.value:<{_VALUE}}", "bold"),
            TableCell(fact.note),
        ]
    yield []
    for chart in statistics_text.statistics_charts(statistics, first_weekday):
        yield [
            TableCell(f"{chart.label:<{_LABEL}}", "dim"),
            TableCell(f"{statistics_text.format_sparkline(chart.values, bars):<{_CHART}}", "green"),
            TableCell(chart.note),
        ]
    yield from _projects(statistics)


def _projects(statistics: Statistics) -> Iterator[Line]:
    projects = statistics.projects
    if all(project.project is None for project in projects):
        return
    rows = [["Project", "Done", "Open", "On time"]]
    listed = listed_count(len(projects), _MAX_PROJECTS)
    for project in projects[:listed]:
        name = _clip(plain_line(project.project)) if project.project else "no project"
        share = statistics_text.format_share(project.punctuality)
        rows.append([name, f"{project.done:,}", f"{project.open:,}", share])
    yield []
    for number, line in enumerate(align_columns(zip(*rows, strict=True), numbers=(1, 2, 3))):
        yield [TableCell(line, "" if number else "dim")]
    if left_out := len(projects) - listed:
        yield [TableCell(f"and {format_count(left_out, 'project')} more", "dim")]


def _clip(name: str) -> str:
    if cell_len(name) <= _PROJECT:
        return name
    return f"{set_cell_size(name, _PROJECT - 1).rstrip()}…"


def _shades_and_bars() -> tuple[str, str]:
    """Return the characters for charts that the output encoding can show."""
    try:
        (statistics_text.SHADES + statistics_text.BARS).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return statistics_text.ASCII_SHADES, statistics_text.ASCII_BARS
    return statistics_text.SHADES, statistics_text.BARS
