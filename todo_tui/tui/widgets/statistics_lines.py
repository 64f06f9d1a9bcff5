"""Statistics as lines for the screen: facts, sparklines, projects."""

from __future__ import annotations

from textual.content import Content

from todo_tui.domain.heat_map import BARS, sparkline
from todo_tui.domain.statistics import ProjectCounts, Statistics
from todo_tui.domain.statistics_words import (
    WEEKS_SHOWN,
    charts,
    counted,
    facts,
    headline,
    share_words,
    stretch_words,
)
from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.cell_text import fit, steady

_LABEL, _VALUE = 14, 12
_CHART = WEEKS_SHOWN + 2
_PROJECT = 17
_COLUMNS = (("Done", 7), ("Open", 7), ("On time", 9))
_MOST_PROJECTS = 100


def head_line(found: Statistics) -> Content:
    """How much was done, and in which days."""
    days = stretch_words(found.period.first, found.period.last, found.today)
    return Content.assemble((headline(found), "bold"), (f"   {days}", MUTED))


def nothing_done(found: Statistics, tick: str) -> Content:
    """What there will be to see, and by which key."""
    are_open = f"{counted(found.open, 'task')} to begin with. " if found.open else ""
    return Content.assemble(
        ("Nothing is done yet.\n\n", "bold"),
        f"{are_open}{tick} in the list ticks one off: its day turns green here, and streaks, what"
        " was on time and how long things take follow from there.",
    )


def fact_lines(found: Statistics) -> Content:
    """A fact a line."""
    return Content("\n").join(
        Content.assemble(
            (f"{fact.label:<{_LABEL}}", MUTED),
            (f"{fact.value:<{_VALUE}}", "bold"),
            fact.remark,
        )
        for fact in facts(found)
    )


def chart_lines(found: Statistics, first_weekday: int) -> Content:
    """A sparkline a line."""
    return Content("\n").join(
        Content.assemble(
            (f"{chart.label:<{_LABEL}}", MUTED),
            (f"{sparkline(chart.values, BARS):<{_CHART}}", "$text-success"),
            chart.remark,
        )
        for chart in charts(found, first_weekday)
    )


def project_lines(found: Statistics) -> Content:
    """A project a line, the busiest first."""
    heads = "".join(f"{name:>{width}}" for name, width in _COLUMNS)
    lines = [Content.styled(f"{'Project':<{_PROJECT}}{heads}", FAINT)]
    lines += map(_project, found.projects[:_MOST_PROJECTS])
    left_out = len(found.projects) - _MOST_PROJECTS
    if left_out > 0:
        lines.append(Content.styled(f"and {counted(left_out, 'project')} more", MUTED))
    return Content("\n").join(lines)


def _project(each: ProjectCounts) -> Content:
    texts = (f"{each.done:,}", f"{each.open:,}", share_words(each.punctuality))
    numbers = "".join(f"{text:>{width}}" for text, (_, width) in zip(texts, _COLUMNS, strict=True))
    if each.project is None:
        return Content.assemble((f"{'no project':<{_PROJECT}}", MUTED), numbers)
    return Content(fit(steady(plain_line(each.project)), _PROJECT) + numbers)
