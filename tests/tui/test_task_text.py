"""Titles of every kind in the list: plain text, straight columns, nothing for the terminal."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from tests.rows import each_row
from tests.tui.conftest import NOW, AppSetup
from tests.tui.pane import OpenPane, add, open_pane
from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.filters.terms import Grouping
from todo_tui.domain.task import Actor, Priority, Status, Task
from todo_tui.domain.when import When
from todo_tui.tui.task_list.detail import RelatedTasks, format_task_details
from todo_tui.tui.task_list.outline import TaskLine
from todo_tui.tui.task_list.painter import (
    Cells,
    ChangeMark,
    RowPainter,
    RowPart,
    RowState,
)
from todo_tui.tui.widgets.text import clip, pad_or_clip, strip_unstable, wrap

NASTY = (
    "[bold]not bold[/bold]", "[/]", "[@click=app.quit]x[/]", "\x1b[31mred\x1b[0m",
    "\x1b]52;c;aGk=\x07", "\x00NUL", "\x9b2J", "tab\there", "two\nlines\r\n", "a\u202egnp.exe",
    "\u2066isolate\u2069", "日本語のタスクを書く", "👩‍👩‍👧 family", "❤️ heart", "1️⃣ keycap",
    "👍🏽 tone", "🇩🇪 flag", "🏴‍☠️ pirate", "e\u0301" * 40, "\u0301\u0301start", "\u200d", "\ufe0f",
    "a\u200db\u200dc", "क्‍ष", "한국어", "ﷺ", "\u2028\u2029", "\udc80", "x" * 300, "\u200b", "\u00ad",
)  # fmt: skip

_pieces = st.sampled_from(NASTY) | st.text(max_size=12)
titles = st.lists(_pieces, min_size=1, max_size=4).map("".join)
words = st.none() | _pieces


def task_of(
    title: str, project: str | None = None, tag: str | None = None, due: When | None = None
) -> Task:
    at = datetime(2026, 11, 1, tzinfo=UTC)
    return Task(
        id=1,
        uuid="1" * 32,
        title=title,
        created_at=at,
        updated_at=at,
        project=project,
        tags=() if tag is None else (tag,),
        due=due,
        priority=Priority.HIGH,
        recurrence="FREQ=DAILY",
    )


def assert_straight(strip: Strip, width: int) -> None:
    """A strip is exactly so wide, by its parts and as a whole, and plain."""
    assert cell_len(strip.text) == width
    assert_plain(strip, width)


def assert_plain(strip: Strip, width: int) -> None:
    """A strip is so wide, and holds printing text only."""
    assert sum(cell_len(segment.text) for segment in strip) == width
    for segment in strip:
        assert segment.control is None
        for character in segment.text:
            assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
            assert (
                character
                not in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
            )


@given(
    titles,
    words,
    words,
    st.integers(1, 100),
    st.sampled_from(list(Status)),
    st.none() | st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),
    st.builds(RowState, st.booleans(), st.none() | st.sampled_from(ChangeMark), st.booleans()),
)
@settings(max_examples=100, deadline=None)
def test_every_row_is_exactly_as_wide_as_the_list_and_plain(
    title: str,
    project: str | None,
    tag: str | None,
    width: int,
    status: Status,
    due: datetime | None,
    state: RowState,
) -> None:
    painter = RowPainter(width, NOW, "Europe/Berlin", lambda _part, _state: Style.null())
    task = task_of(title, project, tag, None if due is None else When.of(due))
    finished = None if status.is_open else task.created_at
    strip = painter.task(replace(task, status=status, completed_at=finished), state)
    assert_straight(strip, width)


@pytest.mark.parametrize("status", [Status.DONE, Status.CANCELLED])
def test_what_was_closed_just_now_says_how(status: Status) -> None:
    painter = RowPainter(60, NOW, "Europe/Berlin", lambda _part, _state: Style.null())
    task = replace(task_of("Milk", None, None, None), status=status)
    assert painter.task(task, RowState(just_done=True)).text.split()[-1] == status.value


@each_row(
    ("zone", "due", "row", "details", "is_late"),
    [
        ("Asia/Tokyo", "2026-11-18T15:00", "7 h late 07:00",
            "due today 07:00 (today 15:00 in Tokyo) · 7 h late", True),
        ("America/New_York", "2026-11-18T10:00", "today 16:00",
            "due today 16:00 (today 10:00 in New York)", False),
        ("Pacific/Auckland", "2026-11-19T03:00", "30 min late 15:00",
            "due today 15:00 (tomorrow 03:00 in Auckland)", True),
        ("Europe/Paris", "2026-11-18T15:00", "today 15:00", "due today 15:00", False),
        ("No/Such", "2026-11-18T15:00", "today 15:00", "due today 15:00", False),
        ("Asia/Tokyo", "2026-11-18", "today", "due today", False),
    ],
)  # fmt: skip
def test_a_time_of_another_zone_is_shown_as_it_is_here_and_its_place_in_the_details(
    zone: str, due: str, row: str, details: str, is_late: bool
) -> None:
    now = NOW.replace(hour=15, minute=30) if "Auckland" in zone else NOW
    task = replace(task_of("Call"), due=When.parse(due), due_zone=zone)
    parts: list[RowPart] = []

    def style(part: RowPart, _state: RowState) -> Style:
        parts.append(part)
        return Style.null()

    for width in (50, 70, 120):
        drawn = RowPainter(width, now, "Europe/Berlin", style).task(task, RowState())
        assert drawn.cell_length == width
        assert " ".join(drawn.text.split()).endswith(row)
        assert (RowPart.DUE_OVERDUE in parts) is is_late
        parts.clear()
    shown = format_task_details(task, RelatedTasks(), now, "Europe/Berlin").plain
    assert details in shown
    assert ("late" in shown.splitlines()[1]) is is_late


def draw(width: int, *rows: tuple[Task, RowState], now: datetime = NOW) -> list[str]:
    """Return the rows of a list that has just these."""
    painter = RowPainter(width, now, "Europe/Berlin", lambda _part, _state: Style.null())
    longest = Cells()
    for row in rows:
        longest = longest.widened(painter.cells(*row))
    return [replace(painter, longest=longest).task(*row).text for row in rows]


@each_row(
    ("days", "wide", "narrow"),
    [
        (0, "today 09:00", "today 09:00"),
        (1, "tomorrow 09:00", "Thu 09:00"),
        (6, "Tue 24 Nov 09:00", "Tue 09:00"),
        (9, "Fri 27 Nov 09:00", "27 Nov 09:00"),
        (80, "6 Feb 2027 09:00", "6 Feb 2027 09:00"),
        (-1, "1 day late 09:00", "1 day late"),
        (-12, "12 days late 09:00", "12 days late"),
        (-2000, "2000 days late 09:00", "2000 days late"),
    ],
)
def test_days_and_times_end_in_one_column_and_the_late_say_so_in_words(
    days: int, wide: str, narrow: str
) -> None:
    early = NOW.replace(hour=7)
    timed = task_of("Milk", due=When.of(datetime.combine(NOW + timedelta(days), time(9))))
    dated = task_of("Milk", due=When((NOW + timedelta(days)).date()))
    for width, words in ((120, wide), (70, wide), (46, wide), (42, narrow), (28, narrow)):
        rows = draw(width, (timed, RowState()), (dated, RowState()), now=early)
        assert rows[0].endswith(f" {words} ")
        if width >= 46:
            assert rows[1].rstrip() == rows[0].removesuffix(" 09:00 ")


def test_the_title_has_the_room_of_the_day_where_the_heading_says_it() -> None:
    title, under_day = "x" * 90, RowState(line=TaskLine(1, grouping=Grouping.DAY))
    for width in (90, 80, 70, 60, 50):
        due = task_of(title, "home", due=When.of(datetime.combine(NOW, time(9))))
        rows = draw(width, (due, RowState()), (due, under_day), (replace(due, due=None), under_day))
        shown = [row.count("x") for row in rows]
        assert shown == sorted(set(shown))
        assert width < 60 or all("home" in row for row in rows)


@each_row(
    ("tasks", "ends"),
    [
        # No room is kept for what no row has.
        ([("Read", None, None, None)], ["Read ↻"]),
        ([("Read", "books", None, None)], ["books"]),
        ([("Read", "books", None, "2026-12-20")], ["books  Sun 20 Dec"]),
        ([("Read", "home.papers", None, "2026-12-20")], ["  home.papers  Sun 20 Dec"]),
        # Columns are straight, with and without a date.
        ([("Read", "books", None, "2026-11-19T09:00"), ("Rent", "home", None, None)],
            ["  books  tomorrow 09:00", "  home"]),
        # A long title takes the cells of the date that it has not, then those of other columns.
        ([("Read", "books", None, "2026-11-19T09:00"), ("x" * 55, "home", None, None)],
            ["books  tomorrow 09:00", "x ↻  home"]),
        ([("Read", "work.clients", None, "2026-12-20"), ("x" * 43, "home", None, "2026-12-20")],
            ["work.clients  Sun 20 Dec", "x ↻  home  Sun 20 Dec"]),
        # A long project is cut only where its title needs the room.
        ([("Read", "work.clients.harper", None, "2026-12-20")],
            ["  work.clients.harper  Sun 20 Dec"]),
        ([("x" * 40, "work.clients.harper", None, "2026-12-20")], ["  work.client…  Sun 20 Dec"]),
    ],
)  # fmt: skip
def test_columns_are_as_wide_as_their_texts_and_cut_only_in_a_full_row(
    tasks: list[tuple[str, str | None, str | None, str | None]], ends: list[str]
) -> None:
    made = [
        task_of(title, project, tag, None if due is None else When.parse(due))
        for title, project, tag, due in tasks
    ]
    rows = draw(70, *((task, RowState()) for task in made))
    assert [row.rstrip()[-len(end) :] for row, end in zip(rows, ends, strict=True)] == ends


def test_columns_are_straight_with_and_without_a_date() -> None:
    dated = task_of("Read", "home", None, When.parse("2026-11-19T09:00"))
    rows = draw(70, (dated, RowState()), (replace(dated, due=None), RowState()))
    assert rows[0].index("home") == rows[1].index("home")


def test_a_long_title_uses_the_empty_columns_beside_it() -> None:
    title = "Ask the landlord about the deposit and the keys and the windows"
    rows = draw(
        80,
        (task_of(title), RowState()),
        (task_of(title, "home.house"), RowState()),
        (task_of(title, None, "phone"), RowState()),
    )
    assert title in rows[0]
    assert title not in rows[1]
    assert "the keys" in rows[1]
    assert rows[2].rstrip().endswith("@phone")


def test_that_a_task_is_blocked_is_shown_in_every_row() -> None:
    task = replace(task_of("Seal the shower", "bathroom"), estimate=120, notes="Grey")
    for width in range(28, 121):
        for depth in range(9):
            state = RowState(line=TaskLine(1, depth), blocked=True, progress="1/2")
            (row,) = draw(width, (task, state))
            assert "⊘" in row, row


@each_row(
    ("width", "shown"),
    [(27, 0), (28, 1), (46, 1), (51, 1), (52, 2), (71, 2), (72, 3), (119, 3)],
)
def test_tags_then_projects_then_dates_are_left_out_of_all_rows(width: int, shown: int) -> None:
    task = task_of("Read", "books", "long", When(datetime(2026, 12, 20).date()))
    (text,) = draw(width, (task, RowState()))
    columns = ("Sun 20 Dec", "books", "@long")
    assert [column in text for column in columns] == [place < shown for place in range(3)]
    assert text.startswith("  ○ ▲ Read ↻ ")


@given(titles, st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_cut_text_fits_and_fitted_text_fills(title: str, width: int) -> None:
    text = strip_unstable(title.replace("\x00", ""))
    assert cell_len(clip(text, width)) <= width
    assert cell_len(pad_or_clip(text, width)) == width
    assert all(cell_len(line) <= width + 2 for line in wrap(text, width + 2))


@each_row(
    ("text", "shown"),
    [
        ("❤️ x", "❤ x"),
        ("👍🏽", "👍"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("a\u200db", "ab"),
        ("👩\u200d", "👩"),
        ("\u200d👩", "👩"),
        ("漢\u200d字", "漢字"),
    ],
)
def test_what_terminals_disagree_about_is_left_out(text: str, shown: str) -> None:
    assert strip_unstable(text) == shown


def test_a_title_of_ten_thousand_combining_marks_is_cut() -> None:
    assert len(clip("e" + "\u0301" * 10_000, 20)) < 400


def test_words_are_wrapped_by_cells() -> None:
    assert wrap("日本 語の タスク", 6) == ["日本", "語の", "タスク"]
    assert wrap("  ", 6) == []


def show(running: OpenPane, task: Task) -> None:
    """A task changes on its way through the app, by the way that every change takes."""
    context = running.store.new_change_context(Actor.ASSISTANT)
    running.pane.show_changes((TaskChange(ChangeKind.UPDATED, task, context),))


@pytest.mark.parametrize("width", [12, 49])
async def test_no_title_breaks_a_line_of_the_running_list_or_reaches_the_terminal(
    app_setup: AppSetup, width: int
) -> None:
    (stored,) = add(app_setup.store, "Call #work @home today")
    async with open_pane(app_setup, (width, 12)) as running:

        @given(titles)
        @settings(
            max_examples=25,
            deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture],
        )
        def check(title: str) -> None:
            show(running, replace(stored, title=title, project=title, tags=(title,)))
            size = running.task_list.size
            strips = running.task_list.render_lines(size.region)
            assert len(strips) == size.height
            for strip in strips:
                assert_straight(strip, running.task_list.outer_size.width)
            assert sum("○" in strip.text for strip in strips) == 1

        check()
        for title in NASTY:
            show(running, replace(stored, title=title, project=title, tags=(title,)))
            for strip in running.strips():
                assert_plain(strip, width)
