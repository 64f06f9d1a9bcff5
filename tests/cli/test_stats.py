"""todo-tui stats: what was done, for people and for programs."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from rich.cells import cell_len

from tests.cli.conftest import NOW, Shell
from tests.cli.terminal import on_terminals, raw_on_terminal
from tests.past import at, bring, closed, still_open
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import JsonValue, Status
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

Json = dict[str, JsonValue]


def store_of(shell: Shell) -> Store:
    """The store of the shell's user."""
    shell.set(TODO_TUI_USER="ann")
    clock = Clock("Europe/Berlin", datetime.fromisoformat(NOW))
    return open_store(shell.folder / "tasks.db", user="ann", clock=clock)


def put(shell: Shell, *drafts: ImportEntry) -> None:
    """Give the shell's user tasks with a past."""
    with store_of(shell) as store:
        bring(store, drafts)


def done(moment: str, project: str | None = None, due: str | None = None) -> ImportEntry:
    return closed(at(moment), created_at=at(moment), project=project, due=due)


def seed(shell: Shell) -> None:
    """Two days in a row, a long time ago one more, and something open."""
    evening = at("2026-11-17T18:00")
    put(
        shell,
        done("2026-11-18T09:00", "work", "2026-11-18"),
        done("2026-11-17T09:30", "work", "2026-11-16"),
        closed(evening, created_at=evening - timedelta(days=2), project="work.reports"),
        done("2024-02-29T12:00"),
        closed(at("2026-11-16T12:00"), status=Status.CANCELLED),
        still_open("c", project="work", due="2026-11-17"),
        still_open("d"),
    )


def stats(shell: Shell, *args: str) -> Json:
    value = shell.done("stats", "--json", *args).json
    assert isinstance(value, dict)
    return value


def test_the_object_for_programs(shell: Shell) -> None:
    seed(shell)
    found = stats(shell, "--days", "3")
    hours = [0] * 24
    hours[9], hours[18] = 2, 1
    weekdays = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    assert found == {
        "period": {"first": "2026-11-16", "last": "2026-11-18", "days": 3},
        "zone": "Europe/Berlin",
        "filter": None,
        "done": 3,
        "came_in": 5,
        "cancelled": 1,
        "open": 2,
        "overdue": 1,
        "streak": {"days": 2, "first": "2026-11-17", "last": "2026-11-18"},
        "longest_streak": {"days": 2, "first": "2026-11-17", "last": "2026-11-18"},
        "on_time": {"with_due": 2, "on_time": 1, "share": 0.5},
        "time_to_done": {
            "tasks": 3, "lower_quartile": 0, "median": 0, "upper_quartile": 86400,
        },
        "days": [
            {"day": "2026-11-16", "done": 0, "came_in": 1, "cancelled": 1},
            {"day": "2026-11-17", "done": 2, "came_in": 1, "cancelled": 0},
            {"day": "2026-11-18", "done": 1, "came_in": 3, "cancelled": 0},
        ],
        "weeks": [{"first": "2026-11-16", "done": 3, "came_in": 5}],
        "weekdays": {**dict.fromkeys(weekdays, 0), "tuesday": 2, "wednesday": 1},
        "hours": hours,
        "projects": [
            {
                "project": "work", "done": 2, "open": 1,
                "on_time": {"with_due": 2, "on_time": 1, "share": 0.5},
            },
            {
                "project": "work.reports", "done": 1, "open": 0,
                "on_time": {"with_due": 0, "on_time": 0, "share": None},
            },
            {
                "project": None, "done": 0, "open": 1,
                "on_time": {"with_due": 0, "on_time": 0, "share": None},
            },
        ],
    }  # fmt: skip


def test_the_object_has_the_same_shape_when_there_is_nothing(shell: Shell) -> None:
    empty = stats(shell)
    seed(shell)
    assert empty.keys() == stats(shell).keys()
    assert (empty["streak"], empty["time_to_done"], empty["projects"]) == (None, None, [])
    assert empty["on_time"] == {"with_due": 0, "on_time": 0, "share": None}
    days = empty["days"]
    assert isinstance(days, list)
    assert len(days) == 365


def test_a_filter_takes_done_and_open_tasks_alike(shell: Shell) -> None:
    seed(shell)
    found = stats(shell, "project:work")
    assert (found["done"], found["open"], found["filter"]) == (3, 1, "project:work")
    assert stats(shell, "#work.reports")["done"] == 1
    assert stats(shell, "not", "#work", "--days", "1200")["done"] == 1
    assert stats(shell, "no", "due")["open"] == 1


def test_a_saved_view_is_a_filter_too(shell: Shell) -> None:
    seed(shell)
    with store_of(shell) as store:
        store.views.save("work", "#work sort:due")
    found = stats(shell, "view:work")
    assert (found["done"], found["open"]) == (3, 1)


@pytest.mark.parametrize(
    ("since", "first"),
    [
        ("7d", "2026-11-12"),
        ("2w", "2026-11-05"),
        ("3m", "2026-08-19"),
        ("1y", "2025-11-19"),
        ("1D", "2026-11-18"),
        ("2026-11-01", "2026-11-01"),
        ("1 nov", "2026-11-01"),
        ("monday", "2026-11-16"),
        ("last week", "2026-11-09"),
        ("today", "2026-11-18"),
    ],
)
def test_since_gives_the_first_day_of_the_period(shell: Shell, since: str, first: str) -> None:
    period = stats(shell, "--since", since)["period"]
    assert isinstance(period, dict)
    assert (period["first"], period["last"]) == (first, "2026-11-18")


@pytest.mark.parametrize("since", ["blorp", "", "0d", "7x", "9999y", "2026-13-45", "\x1b[31mred"])
def test_since_what_is_no_day_is_refused_with_examples(shell: Shell, since: str) -> None:
    err = shell.fails("stats", "--since", since).err
    assert "Use 7d, 2w, 3m or a date" in err
    assert "\x1b" not in err


def test_since_is_not_in_the_future_and_goes_without_days(shell: Shell) -> None:
    assert "“tomorrow” is in the future." in shell.fails("usage", "--since", "tomorrow").err
    err = shell.fails("usage", "--since", "7d", "--days", "7", status=2).err
    assert "--since cannot be combined with --days." in err


def test_a_filter_that_cannot_be_read_is_reported(shell: Shell) -> None:
    assert "due.before" in shell.fails("stats", "due.before:nonsense").err
    shell.fails("stats", "--days", "0", status=2)
    shell.fails("stats", "--days", "many", status=2)
    shell.fails("stats", "--dayz", "3", status=2)


def test_ticking_off_and_undoing_from_the_shell_is_counted(shell: Shell) -> None:
    shell.done("add", "water the plants every day")
    shell.done("done", "1")
    shell.done("done", "2")
    assert stats(shell)["done"] == 2
    shell.done("undo")
    assert stats(shell)["done"] == 1
    shell.done("delete", "1")
    assert stats(shell)["done"] == 0


def test_people_read_a_picture_and_facts(shell: Shell) -> None:
    seed(shell)
    lines = shell.done("stats").out.splitlines()
    assert lines[0] == "3 tasks completed in 365 days"
    assert lines[1] == "19 Nov 2025 to Wed 18 Nov"
    assert lines[3].split()[0] == "Dec"
    week = {line[:3]: line[-1] for line in lines[4:11]}
    assert list(week) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert (week["Mon"], week["Tue"], week["Wed"]) == ("·", "█", "░")
    text = "\n".join(lines)
    for words in (
        "busiest Tue 17 Nov: 2",
        "Streak                   2 days    since Tue 17 Nov",
        "On time                  50%       1 of 2 with a due date",
        "Open                     2         1 overdue",
        "Cancelled                1",
        "Mon–Sun, peak Tue",
        "peak 9–10",
    ):
        assert words in text
    projects = lines[lines.index("Project       Done  Open  On time") + 1 :]
    assert [line.split() for line in projects] == [
        ["work", "2", "1", "50%"],
        ["work.reports", "1", "0", "–"],
        ["no", "project", "0", "1", "–"],
    ]


@pytest.mark.parametrize("days", ["1", "30", "365", "36600"])
def test_it_fits_into_80_columns_whatever_the_period(shell: Shell, days: str) -> None:
    seed(shell)
    put(shell, done("2026-11-18T10:00", "名前.🎉" * 40))
    shell.set(COLUMNS="200")
    out = shell.done("stats", "--days", days).out
    assert max(map(cell_len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_foreign_names_are_shown_as_plain_text(shell: Shell) -> None:
    put(shell, done("2026-11-18T10:00", "[bold]x[/] \x1b[31mred"))
    out = shell.done("stats").out
    assert "[bold]x[/] red" in out
    assert "\x1b" not in out
    printed = raw_on_terminal(80, "stats")
    assert "[bold]x[/] red" in printed


def test_a_terminal_of_any_width_shows_whole_lines(shell: Shell) -> None:
    seed(shell)
    narrow, wide = on_terminals((30, "stats"), (140, "stats"))
    for lines, most, length in ((narrow, 30, 30), (wide, 80, 58)):
        assert max(map(len, lines)) <= most
        assert len(next(line for line in lines if line.startswith("Mon"))) == length


def test_no_color_leaves_the_picture_and_takes_the_colours(shell: Shell) -> None:
    seed(shell)
    assert re.search(r"\x1b\[[\d;]*32m", raw_on_terminal(80, "stats"))
    shell.set(NO_COLOR="1")
    printed = raw_on_terminal(80, "stats")
    assert not re.search(r"\x1b\[[\d;]*3[0-7]m", printed)
    assert "█" in printed


def test_an_output_that_knows_no_blocks_gets_plain_signs(shell: Shell) -> None:
    seed(shell)
    run = shell.process("stats", PYTHONIOENCODING="ascii")
    assert run.returncode == 0, run.stderr
    monday, tuesday = run.stdout.decode("ascii").splitlines()[4:6]
    assert (monday[-1], tuesday[-1]) == (".", "#")


def test_an_empty_list_shows_how_to_begin(shell: Shell) -> None:
    outcome = shell.done("stats")
    assert outcome.out == ""
    assert "todo-tui add" in outcome.err
    shell.done("add", "milk")
    assert "1 task is open. Complete a task: todo-tui done ID" in shell.done("stats").err
    assert "No task matches “#nowhere”" in shell.done("stats", "#nowhere").err


def test_what_lies_further_back_is_pointed_at(shell: Shell) -> None:
    put(shell, done("2026-11-01T12:00"))
    outcome = shell.done("stats", "--days", "7")
    assert outcome.out == ""
    assert "todo-tui stats --days 18" in outcome.err
    assert shell.done("stats", "--days", "18").out.startswith("1 task completed in 18 days")


def test_only_the_own_tasks_are_counted(shell: Shell) -> None:
    seed(shell)
    assert stats(shell, "--user", "anna")["done"] == 0


def test_weeks_begin_where_the_person_begins_them(shell: Shell) -> None:
    seed(shell)
    config = shell.folder / "c.toml"
    config.write_text('[dates]\nweek_start = "sunday"\n')
    shell.set(TODO_TUI_CONFIG=str(config))
    rows = shell.done("stats").out.splitlines()[4:11]
    assert [row[:3] for row in rows] == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
