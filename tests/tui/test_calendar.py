"""The calendar: what stands on its days, how one moves in it, where it leads."""

from __future__ import annotations

from datetime import date, time

from textual.app import App

from tests.tui.conftest import AppOpener, AppSetup
from tests.tui.pane import OpenPane, add, open_pane
from todo_tui.domain.filters.terms import Query
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.store import open_store
from todo_tui.tui.actions.hints import join_hints
from todo_tui.tui.screens.calendar import CalendarScreen, WeekGrid, read_weeks
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.screens.task_editor import TaskEditorScreen

WIDE, NARROW = (120, 36), (80, 24)


def day_of(running: OpenPane) -> date:
    return running.app.screen.query_one(WeekGrid).day


async def test_it_begins_at_this_week_and_has_titles_and_what_was_done_on_its_days(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Milk tomorrow 5pm", "Card friday", "Bread", "Stamps")
    by = app_setup.store.new_change_context(Actor.USER)
    app_setup.store.tasks.complete([3, 4], by=by)
    async with open_pane(app_setup, WIDE) as running:
        await running.press("c")
        shown = running.shown()
        days = running.lines()[running.lines().index(running.line_with("Mon")) + 1]
        assert days.split()[1:9] == ["16", "Nov", "17", "18", "19", "20", "21", "22"]
        assert shown.count("✓ Bread") == shown.count("✓ Stamps") == 2, "in the grid and the pane"
        assert "2 done" in shown
        assert "1 Dec" in shown
        assert "November 2026" in shown
        weekdays = running.line_with("Mon").split()
        assert weekdays[1:8] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        assert "17:00 Milk" in shown
        assert "Card" in shown


async def test_long_titles_of_a_day_go_on_below_their_beginning(app_setup: AppSetup) -> None:
    add(app_setup.store, "Call the plumber about the broken tap today 8pm")
    async with open_pane(app_setup, WIDE) as running:
        await running.press("c")
        day = [line[-24:] for line in running.lines()]
        first = next(place for place, line in enumerate(day) if "○ 20:00 Call" in line)
        assert day[first + 1].index("plumber") == day[first].index("20:00")


async def test_keys_move_by_days_weeks_and_months_as_far_as_dates_go(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, NARROW) as running:
        await running.press("c")
        assert day_of(running) == date(2026, 11, 18)
        await running.press("l", "j")
        assert day_of(running) == date(2026, 11, 26)
        await running.press("left", "up")
        assert day_of(running) == date(2026, 11, 18)
        await running.press("pagedown")
        assert day_of(running) == date(2026, 12, 18)
        assert "December 2026" in running.shown()
        await running.press("pageup", "pageup", "pageup")
        assert day_of(running) == date(2026, 9, 18)
        await running.press("t")
        assert day_of(running) == date(2026, 11, 18)
        assert "November 2026" in running.shown()

        # The page follows by weeks, and begins where it is turned to.
        for keys, first in [
            (["down"] * 4, date(2026, 11, 23)),
            (["up"] * 5, date(2026, 11, 9)),
            (["pagedown"], date(2026, 12, 7)),
            (["pageup", "pageup"], date(2026, 10, 5)),
        ]:
            await running.press(*keys)
            assert running.app.screen.query_one(WeekGrid).weeks[0][0] == first
        await running.press("t")

        # The end of a long month leads to the end of a short one.
        await running.press("pageup", "pageup", "pageup")
        grid = running.app.screen.query_one(WeekGrid)
        grid.action_move(13)
        await running.settle()
        assert day_of(running) == date(2026, 8, 31)
        await running.press("pagedown")
        assert day_of(running) == date(2026, 9, 30)

        # The calendar ends where dates end.
        grid.action_move(10_000_000)
        grid.action_turn(1)
        await running.settle()
        assert grid.day == date.max
        grid.action_move(-10_000_000)
        grid.action_turn(-1)
        await running.settle()
        assert grid.day == date.min
        assert "January 1" in running.shown()


async def test_the_tasks_of_a_day_stand_below_the_grid_and_enter_or_a_click_lists_them(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Milk tomorrow 5pm", "Bread tomorrow !high", "Card saturday")
    async with open_pane(app_setup, NARROW) as running:
        # Below the grid stand those of the day under the cursor.
        await running.press("c", "l")
        assert "Tomorrow · Thu 19 Nov" in running.shown()
        assert "○ 17:00 Milk" in running.shown()
        assert "○ ▲ Bread" in running.shown()
        await running.press("l")
        assert "No tasks due." in running.shown()

        # Enter shows them in the list.
        await running.press("h", "enter")
        assert not isinstance(running.app.screen, CalendarScreen)
        assert "Milk" in running.shown()
        assert "Card" not in running.shown()
        await running.press("escape")
        assert "Card" in running.shown()

        # A click goes to a day, and a second one shows its tasks.
        await running.press("c")
        lines = running.lines()
        row = next(number for number, line in enumerate(lines) if "21" in line)
        spot = (lines[row].index("21"), row)
        await running.pilot.click(offset=spot)
        await running.settle()
        assert day_of(running) == date(2026, 11, 21)
        await running.pilot.click(offset=spot)
        await running.settle()
        assert "○   Card" in running.shown()
        assert "Milk" not in running.shown()


async def test_a_task_is_added_on_the_selected_day_and_completed_there(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app(WIDE) as running:
        await running.press("tab", "c", "f1")
        await running.until(lambda: isinstance(running.app.screen, HelpScreen))
        assert "Add task on day" in running.shown(), "the keys of this screen"
        assert "Most used" not in running.shown()
        await running.press("escape")
        assert isinstance(running.app.screen, CalendarScreen)
        await running.press("l", "l", "a")
        await running.type("Dentist 5pm")
        assert "Dentist · Fri 20 Nov 17:00" in running.shown()
        # A date alone adds nothing.
        await running.press("enter", "a", "enter")
        await running.type("Bread")
        await running.press("enter")
        await running.until(lambda: "○ Bread" in running.shown())
        assert "○ 17:00 Dentist" in running.shown()
        found = [(task.title, task.due) for task in app_setup.store.tasks.find(Query())]
        day = date(2026, 11, 20)
        assert found == [("Dentist", When(day, time(17))), ("Bread", When(day))]

        # With several tasks on a day the keys lead to them first.
        await running.press("space")
        assert "Choose a task with ↑ ↓, then press the key again." in running.shown()
        await running.press("down", "space")
        await running.until(lambda: "○ Bread" not in running.shown())
        assert "1 due" in running.shown()
        await running.press("u")
        await running.until(lambda: "○ Bread" in running.shown())
        await running.press("enter")
        await running.until(lambda: isinstance(running.app.screen, TaskEditorScreen))
        await running.press("escape", "escape", "escape")
        await running.until(lambda: len(running.app.screen_stack) == 1)


async def test_a_task_is_moved_to_another_day_keeps_its_time_and_is_moved_back(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add(app_setup.store, "Dentist friday 5pm", "Card saturday", "Bread saturday")
    tasks = app_setup.store.tasks
    async with open_app(NARROW) as running:
        await running.press("tab", "c", "l", "m")
        await running.until(lambda: "No tasks due on this day." in running.shown())
        await running.press("l", "m", "l")
        assert "Move Dentist: choose a day." in running.shown()
        await running.press("escape")
        assert "Move Dentist" not in running.shown()
        await running.press("h", "m", "pagedown", "enter")
        await running.until(lambda: "○ 17:00 Dentist" in running.shown())
        assert tasks.get(1).due == When(date(2026, 12, 20), time(17))
        assert "Dentist: Sun 20 Dec 17:00 · u undo" in running.shown()
        await running.press("u")
        await running.until(lambda: "○ 17:00 Dentist" not in running.shown())
        assert tasks.get(1).due == When(date(2026, 11, 20), time(17))

        await running.press("t", "l", "l", "l", "tab", "down", "m", "l", "enter")
        await running.until(lambda: tasks.get(3).due == When(date(2026, 11, 22)))
        assert tasks.get(2).due == When(date(2026, 11, 21))


async def test_a_task_whose_dates_contradict_each_other_is_not_added(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app(NARROW) as running:
        await running.type("/calendar\n")
        await running.settle()
        await running.press("l", "l", "a")
        await running.type("Dinner tomorrow\n")
        await running.until(lambda: "No date was understood" in running.shown())
        assert not list(app_setup.store.tasks.find(Query()))
        # The line is there again, to be changed.
        await running.press("home", *["right"] * 6, *["delete"] * 9, "enter")
        await running.until(lambda: "○ Dinner" in running.shown())
        (task,) = app_setup.store.tasks.find(Query())
        assert (task.title, task.due) == ("Dinner", When(date(2026, 11, 20)))


async def test_what_others_write_appears_in_the_month_and_in_the_list_below(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.press("tab", "c")
        await running.until(lambda: running.app.screen.query(WeekGrid))
        add(app_setup.store, "Milk friday")
        await running.until(lambda: "Milk" in running.shown())
        app_setup.store.tasks.complete(
            [1], by=app_setup.store.new_change_context(Actor.ASSISTANT, "turn")
        )
        await running.until(lambda: "✓ Milk" in running.shown())

        # By another program.
        path = app_setup.store.path
        with open_store(path, user=app_setup.store.user, clock=app_setup.clock) as other:
            add(other, "Bread friday")
        await running.until(lambda: "Bread" in running.shown())
        await running.press("escape")
        assert "Bread" in running.shown()


def test_a_narrow_line_of_keys_keeps_whole_hints_and_the_way_out() -> None:
    app = App[object]()
    hints = ("{calendar.show} show tasks", "{calendar.today} today", "{calendar.close} close")
    assert join_hints(app, hints, 44) == "Enter show tasks · t today · Esc close"
    assert join_hints(app, hints, 37) == "Enter show tasks · Esc close"
    assert join_hints(app, hints, 5) == "Esc close"


def test_what_repeats_is_said_to_come_again_on_its_next_days(app_setup: AppSetup) -> None:
    add(app_setup.store, "Swim every saturday")
    page = read_weeks(app_setup.store, date(2026, 11, 2), 0)
    assert [task.title for task in page.days[date(2026, 11, 21)].tasks] == ["Swim"]
    upcoming = [day for day, found in sorted(page.days.items()) if found.upcoming]
    assert upcoming == [date(2026, 11, 28), date(2026, 12, 5)]


async def test_a_time_of_another_zone_is_on_its_day_here_and_moves_by_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    tasks = app_setup.store.tasks
    daily = TaskFields(
        title="Call", due=When(date(2026, 11, 20), time(1)), due_zone="Asia/Tokyo",
        recurrence="FREQ=WEEKLY",
    )  # fmt: skip
    tasks.add(daily, by=app_setup.store.new_change_context(Actor.USER))
    page = read_weeks(app_setup.store, date(2026, 11, 18), 0)
    assert [task.title for task in page.days[date(2026, 11, 19)].tasks] == ["Call"]
    upcoming = [day for day, found in sorted(page.days.items()) if found.upcoming]
    assert upcoming == [
        date(2026, 11, 26),
        date(2026, 12, 3),
        date(2026, 12, 10),
        date(2026, 12, 17),
    ]
    async with open_app(NARROW) as running:
        await running.press("tab")
        await running.until(lambda: "NEXT 7 DAYS" in running.shown())
        await running.press("c", "l")
        await running.until(lambda: "○ 17:00 Call" in running.shown())
        await running.press("m", "enter")
        assert "Call is due on that day already." in running.shown()
        await running.press("m", "h", "enter")
        await running.until(lambda: "Call: today 17:00" in running.shown())
    moved = tasks.get(1)
    assert moved.due_in("Europe/Berlin") == When(date(2026, 11, 18), time(17))


def test_a_month_far_away_of_what_repeats_every_day_is_read_in_bounded_steps(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, *(f"Task {number} every day" for number in range(20)))
    page = read_weeks(app_setup.store, date(2126, 11, 1), 0)
    assert page.days == {}


def test_a_day_with_many_tasks_counts_them_all_and_reads_a_few(app_setup: AppSetup) -> None:
    add(app_setup.store, *(f"Task {number} friday" for number in range(40)))
    found = read_weeks(app_setup.store, date(2026, 11, 1), 0).days[date(2026, 11, 20)]
    assert (found.due, len(found.tasks)) == (40, 30)


def test_the_week_begins_on_the_day_that_the_style_says(app_setup: AppSetup) -> None:
    page = read_weeks(app_setup.store, date(2026, 11, 4), 6)
    assert page.weeks[0][0] == date(2026, 11, 1)
