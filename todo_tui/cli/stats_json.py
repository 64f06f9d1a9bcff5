"""Statistics as JSON for programs: the object that `todo-tui stats --json` prints."""

from __future__ import annotations

from todo_tui.config.settings import Settings
from todo_tui.domain.phrases.spoken import weekday_name
from todo_tui.domain.statistics import (
    DayCounts,
    Period,
    ProjectCounts,
    Punctuality,
    Spread,
    Statistics,
    WeekCounts,
)
from todo_tui.domain.streaks import Streak
from todo_tui.domain.task import JsonValue


def statistics_json(statistics: Statistics, filter_text: str, settings: Settings) -> JsonValue:
    """The statistics as one object.

    `period` has `first`, `last` and `days`; `zone` is whose days they are, `filter` the
    words that were asked for or null. Of the period: `done`, `came_in`, `cancelled`, and
    `on_time` with `share` from 0 to 1; `time_to_done` in seconds from creation, null
    where nothing was done; `days` (every one), `weeks` (only their days in the period),
    `weekdays` and the 24 `hours` of local days; `projects`, each without those below it,
    with what is open now. `streak` and `longest_streak` are of all time, null without
    one; a `streak` reaches to today or yesterday. `open` and `overdue` are so now.
    """
    streaks = statistics.streaks
    weeks = statistics.weeks(settings.dates.week_start)
    return {
        "period": _days(statistics.period),
        "zone": settings.zone,
        "filter": filter_text or None,
        "done": statistics.done,
        "came_in": statistics.came_in,
        "cancelled": statistics.cancelled,
        "open": statistics.open,
        "overdue": statistics.overdue,
        "streak": _days(streaks.current),
        "longest_streak": _days(streaks.longest),
        "on_time": _on_time(statistics.punctuality),
        "time_to_done": _spread(statistics.time_to_done),
        "days": [_day(each) for each in statistics.days()],
        "weeks": [_week(each) for each in weeks],
        "weekdays": {
            weekday_name(weekday).lower(): count
            for weekday, count in enumerate(statistics.by_weekday)
        },
        "hours": list(statistics.by_hour),
        "projects": [_project(each) for each in statistics.projects],
    }


def _days(stretch: Period | Streak | None) -> JsonValue:
    if stretch is None:
        return None
    return {
        "first": stretch.first.isoformat(),
        "last": stretch.last.isoformat(),
        "days": stretch.days,
    }


def _spread(seconds: Spread | None) -> JsonValue:
    if seconds is None:
        return None
    return {
        "tasks": seconds.tasks,
        "lower_quartile": round(seconds.lower),
        "median": round(seconds.median),
        "upper_quartile": round(seconds.upper),
    }


def _day(counts: DayCounts) -> JsonValue:
    return {
        "day": counts.day.isoformat(),
        "done": counts.done,
        "came_in": counts.came_in,
        "cancelled": counts.cancelled,
    }


def _week(counts: WeekCounts) -> JsonValue:
    return {
        "first": counts.first.isoformat(),
        "done": counts.done,
        "came_in": counts.came_in,
    }


def _project(counts: ProjectCounts) -> JsonValue:
    return {
        "project": counts.project,
        "done": counts.done,
        "open": counts.open,
        "on_time": _on_time(counts.punctuality),
    }


def _on_time(punctuality: Punctuality) -> JsonValue:
    return {
        "with_due": punctuality.with_due,
        "on_time": punctuality.on_time,
        "share": punctuality.share,
    }
