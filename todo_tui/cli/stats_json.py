"""Statistics as JSON for programs: the object that `todo-tui stats --json` prints."""

from __future__ import annotations

from todo_tui.config.settings import Settings
from todo_tui.domain.phrases.spoken import weekday_name
from todo_tui.domain.statistics import Punctuality, Statistics
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
    spread = statistics.time_to_done
    return {
        "period": {
            "first": statistics.period.first.isoformat(),
            "last": statistics.period.last.isoformat(),
            "days": statistics.period.days,
        },
        "zone": settings.zone,
        "filter": filter_text or None,
        "done": statistics.done,
        "came_in": statistics.came_in,
        "cancelled": statistics.cancelled,
        "open": statistics.open,
        "overdue": statistics.overdue,
        "streak": _streak(streaks.current),
        "longest_streak": _streak(streaks.longest),
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
                "day": each.day.isoformat(),
                "done": each.done,
                "came_in": each.came_in,
                "cancelled": each.cancelled,
            }
            for each in statistics.days()
        ],
        "weeks": [
            {"first": each.first.isoformat(), "done": each.done, "came_in": each.came_in}
            for each in statistics.weeks(settings.dates.week_start)
        ],
        "weekdays": {
            weekday_name(weekday).lower(): count
            for weekday, count in enumerate(statistics.by_weekday)
        },
        "hours": list(statistics.by_hour),
        "projects": [
            {
                "project": each.project,
                "done": each.done,
                "open": each.open,
                "on_time": _on_time(each.punctuality),
            }
            for each in statistics.projects
        ],
    }


def _streak(streak: Streak | None) -> JsonValue:
    if streak is None:
        return None
    return {
        "days": streak.days,
        "first": streak.first.isoformat(),
        "last": streak.last.isoformat(),
    }


def _on_time(punctuality: Punctuality) -> JsonValue:
    return {
        "with_due": punctuality.with_due,
        "on_time": punctuality.on_time,
        "share": punctuality.share,
    }
