"""The views of the list: what each shows, how one goes from one to the other."""

from __future__ import annotations

import re

import pytest

from tests.tui.conftest import AppSetup
from tests.tui.pane import OpenPane, add, open_pane
from todo_tui.domain.task import Actor, Status
from todo_tui.domain.when import DateStyle
from todo_tui.store.store import Store
from todo_tui.tui.task_list import controller as list_controller
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.views import View, ViewKind

BEFORE, AFTER = "left_square_bracket", "right_square_bracket"


def words(running: OpenPane) -> list[str]:
    """Each line that has any, its words with one space between."""
    return [" ".join(line.split()) for line in running.lines() if line.strip()][:-1]


async def open_view(running: OpenPane, name: str) -> None:
    for _ in range(12):
        if f"‹ {name} ›" in running.lines()[0]:
            return
        await running.press(AFTER)
    raise AssertionError(f"no view is called {name}")


def finish(store: Store, *ids: int) -> None:
    store.tasks.complete(list(ids), by=store.new_change_context(Actor.CLI))


async def test_brackets_go_through_the_views_and_round(app_setup: AppSetup) -> None:
    app_setup.store.views.save("Calls", "@phone")
    async with open_pane(app_setup) as running:
        names = []
        for _ in range(9):
            names.append(running.lines()[0].split("›")[0].strip("‹ "))
            await running.press(AFTER)
        assert names == [
            "Tasks", "Today", "Upcoming", "Next", "Projects", "Done", "Trash", "Calls", "Tasks",
        ]  # fmt: skip
        await running.press(BEFORE, BEFORE)
        assert "‹ Calls ›" in running.lines()[0]


async def test_today_and_upcoming_have_their_tasks_under_headings_in_this_order(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Water today", "Begun", "Late yesterday", "Ready one", "Far 3 feb")
    add(app_setup.store, "High !high", "Milk tomorrow 5pm")
    app_setup.store.tasks.update(
        [2], {"status": Status.DOING}, by=app_setup.store.new_change_context(Actor.CLI)
    )
    async with open_pane(app_setup) as running:
        await open_view(running, "Today")
        assert words(running) == [
            "‹ Today › 3 for today · 1 overdue",
            "OVERDUE 1", "▌ ○ Late 1 day late",
            "DUE TODAY 1", "○ Water today",
            "STARTED 1", "◐ Begun",
            "READY 4", "○ Milk tomorrow 17:00", "○ ▲ High", "○ Far 3 Feb 2027", "○ Ready one",
        ]  # fmt: skip

        await open_view(running, "Upcoming")
        assert [line for line in words(running) if "○" not in line] == [
            "‹ Upcoming › 4 due · 1 overdue",
            "OVERDUE 1",
            "Today · Wed 18 Nov 1",
            "Tomorrow · Thu 19 Nov 1",
            "3 Feb 2027 1",
        ]
        assert "Ready one" not in running.shown()

        # In another order those that are ready stand among those for today.
        await open_view(running, "Today")
        await running.press("O", "j", "j", "j", "enter")
        assert words(running)[0] == "‹ Today › 7 shown · by priority"


async def test_today_shows_the_most_urgent_of_what_is_ready_and_counts_the_rest(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, *(f"Thing {letter}" for letter in "abcdefghijkl"), "Urgent !high")
    async with open_pane(app_setup) as running:
        await open_view(running, "Today")
        shown = words(running)
        assert "No tasks due today." in shown
        assert shown[shown.index("READY 13") + 1] == "▌ ○ ▲ Urgent"
        assert shown[-1] == "3 more · in the Next view"


async def test_next_is_sorted_by_urgency_and_leaves_out_what_waits_for_another(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Plain", "Soon friday", "Blocked today", "High !high", "Late monday")
    app_setup.store.tasks.update(
        [3], {"blocked_by": (1,)}, by=app_setup.store.new_change_context(Actor.CLI)
    )
    async with open_pane(app_setup) as running:
        await open_view(running, "Next")
        names = ("Plain", "Soon", "Late", "High")
        order = [name for line in words(running) for name in names if name in line]
        assert order == ["High", "Soon", "Late", "Plain"]
        assert "Blocked" not in running.shown()

        # What is ticked stays struck for a moment.
        assert running.cursor_title() == "High"
        await running.press("space")
        assert "✓ High" in running.words()
        await running.press("j")
        await running.until(lambda: "High" not in running.shown())
        assert running.cursor_title() == "Soon"

        finish(app_setup.store, 1)
        await running.until(lambda: "Blocked" in running.shown())


async def test_counts_leave_out_a_completed_task_while_its_row_stays(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_controller, "JUST_DONE_SECONDS", 3600.0)
    add(app_setup.store, "Late yesterday ~1h", "Later yesterday ~30m")
    async with open_pane(app_setup) as running:
        for view, head, heading in (
            ("", "1 open · 1 overdue", "OVERDUE 1 · 30 min"),
            ("Today", "1 for today · 1 overdue", "OVERDUE 1 · 30 min"),
            ("Upcoming", "1 due · 1 overdue", "OVERDUE 1 · 30 min"),
            ("Next", "1 ready", ""),
            ("Projects", "1 open", ""),
        ):
            if view:
                await open_view(running, view)
            await running.press("g", *("j" if view == "Projects" else ""), "space")
            shown = words(running)
            assert any("✓ Late" in line for line in shown)
            assert shown[0] == f"‹ {view or 'Tasks'} › {head}"
            assert not heading or shown[1] == heading
            await running.press("u")
            await running.until(lambda: "○ Late" in running.words())


async def test_projects_are_a_tree_with_progress_that_folds_and_is_filtered(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Quote #work.clients", "Invoice #work.clients", "Report #work", "Loose")
    add(app_setup.store, "Tap #home")
    finish(app_setup.store, 2)
    add(app_setup.store, "Fence #home starts 1 dec", "Visit #zoo starts 1 dec")
    by = app_setup.store.new_change_context(Actor.USER)
    app_setup.store.tasks.add({"title": "Washer", "parent": 5}, by=by)
    async with open_pane(app_setup) as running:
        await open_view(running, "Projects")
        assert [" ".join(line.replace("━", "").split()) for line in words(running)] == [
            "‹ Projects › 5 open",
            "▌ ▾ home 0 of 2 +1 later",
            "○▾ Tap 0/1",
            "○ Washer",
            "▾ work 1 of 3",
            "○ Report",
            "▾ clients 1 of 2",
            "○ Quote",
            "▾ zoo 1 later",
            "▾ No project 1 open",
            "○ Loose",
        ]

        # Keys of tasks do nothing to a project.
        await running.press("d", "1")
        for task in map(app_setup.store.tasks.get, (1, 3, 4, 5)):
            assert (task.deleted_at, task.priority) == (None, None)

        # A filter keeps only the projects that have a task that fits.
        await running.press("slash")
        await running.write("quote")
        await running.press("enter")
        shown = running.shown()
        assert "work" in shown
        assert "clients" in shown
        assert "home" not in shown
        assert "Report" not in shown
        assert "1 shown" in running.lines()[0]
        await running.press("escape")
        assert "‹ Projects ›" in running.lines()[0]

        # They fold by key and by click.
        await running.press("g", "j", "j", "j", "h")
        assert "▸ work" in running.words()
        assert "Report" not in running.shown()
        assert "clients" not in running.shown()
        await running.press("enter")
        assert "Quote" in running.shown()
        await running.press("H")
        assert "Quote" not in running.shown()
        assert "Tap" not in running.shown()
        await running.press("L")
        assert "Quote" in running.shown()
        row = next(number for number, line in enumerate(running.lines()) if "▾   home" in line)
        await running.pilot.click(offset=(2, row))
        await running.settle()
        assert "▸ home" in running.words()
        assert "Tap" not in running.shown()

        # What is done here shows in their progress.
        running.task_list.move_cursor_to(1)
        await running.press("space")
        assert "✓ Quote" in running.words()
        await running.until(lambda: "2 of 2" in running.shown())
        await running.press("j")
        await running.until(lambda: "Quote" not in running.shown())


async def test_each_view_has_its_cursor_where_it_was_left_and_done_and_trash_say_when(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "One", "Two", "Three")
    async with open_pane(app_setup) as running:
        await running.press("j", "j", AFTER)
        assert running.cursor_title() == "One"
        await running.press(BEFORE)
        assert running.cursor_title() == "Three"

        finish(app_setup.store, 1)
        finish(app_setup.store, 2)
        app_setup.store.tasks.delete([3], by=app_setup.store.new_change_context(Actor.CLI))
        await open_view(running, "Done")
        assert words(running)[:2] == ["‹ Done › 2 done", "Today · Wed 18 Nov 2"]
        assert "a add Space reopen e rename" in " ".join(running.lines()[-1].split())
        await running.press(AFTER)
        assert words(running) == ["‹ Trash › 1 deleted", "▌ ○ Three today"]
        keys = "Space restore P delete permanently"
        assert keys in " ".join(running.lines()[-1].split())
        assert "rename" not in running.shown(), "a task in the trash is not changed"
        await running.press("P")
        assert "Permanently delete Three?" in running.shown()


LESSONS = {
    "Today": "Press {}a to add one: call mom today",
    "Upcoming": "No upcoming tasks.",
    "Next": "No actionable tasks.",
    "Projects": "No projects yet.",
    "Done": "Press {}Space to complete a task.",
    "Trash": "Press {}d to delete a task.",
}


async def test_an_empty_view_says_what_would_be_in_it_and_follows_what_others_write(
    app_setup: AppSetup,
) -> None:
    async with open_pane(app_setup) as running:
        # A click beside the name goes to the next view.
        await running.pilot.click("TaskHeader", offset=(10, 0))
        await running.settle()
        assert "‹ Today ›" in running.lines()[0]
        await running.pilot.click("TaskHeader", offset=(2, 0))
        await running.settle()
        assert "‹ Tasks ›" in running.lines()[0]

        for name, lesson in LESSONS.items():
            await open_view(running, name)
            assert lesson.format("") in " ".join(running.shown().split())
            # From elsewhere its keys take one that leads to the list.
            running.app.set_focus(None)
            await running.settle()
            assert lesson.format("Tab and then ") in " ".join(running.shown().split())
            running.pane.focus_list()

        await open_view(running, "Upcoming")
        add(app_setup.store, "Milk tomorrow")
        await running.until(lambda: "+○ Milk" in running.words())
        assert "Tomorrow · Thu 19 Nov" in running.shown()
        app_setup.store.tasks.delete(
            [1], by=app_setup.store.new_change_context(Actor.ASSISTANT, "turn")
        )
        await running.until(lambda: "Milk" not in running.shown())


async def test_a_filter_narrows_the_view_that_is_shown_and_esc_leaves_one_after_the_other(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Milk tomorrow @shop", "Call tomorrow", "Old @shop")
    async with open_pane(app_setup) as running:
        # It goes along from view to view.
        await running.press("slash")
        await running.write("@shop")
        await running.press("enter", AFTER, AFTER)
        assert "‹ Upcoming ›" in running.lines()[0]
        assert "@shop" in running.lines()[0]
        assert "Call" not in running.shown()
        await running.press("escape", "escape")
        assert "‹ Tasks ›" in running.lines()[0]

        # It narrows the view; Esc leaves the filter, then the view.
        await open_view(running, "Upcoming")
        await running.press("slash")
        await running.write("@shop")
        await running.press("enter")
        assert words(running)[0].startswith("‹ Upcoming › 1 due")
        assert "Milk" in running.shown()
        assert "Call" not in running.shown()

        await running.press("escape")
        assert "Call" in running.shown()
        await running.press("escape")
        assert "‹ Tasks ›" in running.lines()[0]

        # One that the chat shows is one of all tasks.
        await open_view(running, "Upcoming")
        await running.pane.show_filter("@shop")
        await running.settle()
        assert "‹ Tasks ›" in running.lines()[0]
        assert "Old" in running.shown()
        assert "Call" not in running.shown()


async def test_sort_and_group_of_a_filter_order_the_list_and_the_cursor_passes_through_each_row(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Cake @sweet @home", "Apple @sweet", "Bread")
    async with open_pane(app_setup) as running:
        await running.press("slash")
        await running.write("group:tag sort:title-")
        await running.press("enter")
        assert words(running)[1:] == [
            "@home 1", "▌ ○ Cake",
            "@sweet 2", "▌ ○ Cake", "○ Apple",
            "No tag 1", "○ Bread",
        ]  # fmt: skip
        passed = []
        for _ in range(4):
            passed.append(running.cursor_title())
            await running.press("j")
        assert passed == ["Cake", "Cake", "Apple", "Bread"]
        await running.press("k", "k", "k", "1")
        assert running.cursor_title() == "Cake"


async def test_each_view_is_sorted_and_grouped_as_chosen_in_a_menu(app_setup: AppSetup) -> None:
    add(app_setup.store, "Cake friday #sweet", "Apple !high", "Bread tomorrow !low")
    async with open_pane(app_setup) as running:

        async def choose(*keys: str) -> list[str]:
            await running.press("O", *keys, "enter")
            return words(running)

        running.task_list.move_cursor_to(1)
        assert await choose("j", "j", "j") == [
            "‹ Tasks › 3 open · by priority",
            "High priority 1", "○ ▲ Apple", "Low priority 1", "○ ▽ Bread tomorrow",
            "No priority 1", "▌ ○ Cake sweet Fri 20 Nov",
        ]  # fmt: skip
        assert await choose("j") == [
            "‹ Tasks › 3 open · by project",
            "Sweet 1", "▌ ○ Cake Fri 20 Nov",
            "No project 2", "○ ▽ Bread tomorrow", "○ ▲ Apple",
        ]  # fmt: skip
        assert await choose("j") == [
            "‹ Tasks › 3 open · by created",
            "○ ▽ Bread tomorrow", "▌ ○ Cake sweet Fri 20 Nov", "○ ▲ Apple",
        ]  # fmt: skip
        # By hand every task can pass every other, whatever its date.
        await running.press("J")
        assert "press O and choose Manual" in running.shown()
        assert [line.split()[-1] for line in await choose("j")][1:] == ["Nov", "Apple", "tomorrow"]
        await running.press("J", "J")
        assert [line.split()[-1] for line in words(running)][1:] == ["Apple", "tomorrow", "Nov"]
        assert running.cursor_title() == "Cake"
        # Another view has its own order; a sort that is typed goes before that of the view.
        await running.press("right_square_bracket")
        assert "by manual" not in running.shown()
        await running.press("left_square_bracket", "slash")
        await running.write("sort:title")
        await running.press("enter")
        assert [line.split()[-1] for line in words(running)][1:] == ["Apple", "tomorrow", "Nov"]
        await running.press("escape", "O", "q")
    async with open_pane(app_setup) as running:
        await running.until(lambda: "by manual" in running.shown())
        await running.press("O", "home", "enter")
        assert "NEXT 7 DAYS" in running.shown()
        assert "by " not in running.lines()[0]


ORDER_NAMES = ("Default", "Due", "Urgency", "Priority", "Project", "Created", "Manual")
HIGH_FIRST = ["high priority", "apple", "no priority", "cake"]
SWEET_FIRST = ["sweet", "cake", "no project", "apple"]
_ROWS = re.compile("(?i)apple|cake|sweet|no project|high priority|no priority|next 7|no date|ready")
ORDER_CASES = (
    # The view, the chosen order, the filter, what the header adds, the marked order, the rows.
    ("Tasks", "Urgency", "", "by urgency", "Urgency", ["apple", "cake"]),
    ("Tasks", "Urgency", "sort:title-", "", "", ["cake", "apple"]),
    ("Tasks", "Urgency", "group:project", "by urgency", "Urgency", SWEET_FIRST),
    ("Tasks", "Urgency", "group:project sort:title", "", "", SWEET_FIRST),
    ("Tasks", "Priority", "", "by priority", "Priority", HIGH_FIRST),
    ("Tasks", "Priority", "sort:title-", "by priority", "Priority", HIGH_FIRST),
    ("Tasks", "Priority", "group:project", "", "", SWEET_FIRST),
    ("Tasks", "Priority", "group:none", "", "", ["cake", "apple"]),
    ("Tasks", "Default", "", "", "Default", ["next 7", "cake", "no date", "apple"]),
    ("Tasks", "Default", "sort:title", "", "", ["apple", "cake"]),
    ("Tasks", "Default", "group:priority", "", "", HIGH_FIRST),
    ("Projects", "Default", "", "", "Default", SWEET_FIRST),
    ("Projects", "Priority", "", "by priority", "Priority", HIGH_FIRST),
    ("Projects", "Priority", "group:project", "", "", SWEET_FIRST),
    ("Projects", "Urgency", "", "by urgency", "Urgency", ["apple", "cake"]),
    ("Projects", "Default", "group:priority", "", "", HIGH_FIRST),
    ("Next", "Priority", "", "by priority", "Priority", HIGH_FIRST),
    ("Next", "Default", "sort:title-", "", "", ["cake", "apple"]),
    ("Today", "Created", "sort:title", "", "", ["ready", "apple", "cake"]),
    ("Mine", "Default", "", "", "Default", SWEET_FIRST),
    ("Mine", "Priority", "", "by priority", "Priority", HIGH_FIRST),
    ("Mine", "Default", "group:priority", "", "", HIGH_FIRST),
)


async def test_header_menu_and_list_agree_on_the_order(app_setup: AppSetup) -> None:
    add(app_setup.store, "Cake friday #sweet", "Apple !high")
    app_setup.store.views.save("Mine", "group:project sort:title-")
    async with open_pane(app_setup, (100, 30)) as running:
        for view, order, text, header, marked, rows in ORDER_CASES:
            running.pane.actions.set_filter("")
            await open_view(running, view)
            await running.press("O", "home", *"j" * ORDER_NAMES.index(order), "enter")
            running.pane.actions.set_filter(text)
            await running.settle()
            case = view, order, text
            shown = words(running)
            assert ("by " in shown[0], header in shown[0]) == (bool(header), True), (case, shown)
            found = [re.search(_ROWS, line) for line in shown[1:]]
            assert [each[0].casefold() for each in found if each] == rows, case
            await running.press("O")
            marks = [line.split("●")[1].split()[0] for line in running.lines() if "●" in line]
            assert marks == ([marked] if marked else []), case
            assert ("the filter has its own " in running.shown()) is not bool(marked)
            await running.press("q", "w")
            (line,) = (line for line in words(running) if f"● {view}" in line)
            assert (f"by {order.lower()}" in line) is (order != "Default"), (case, line)
            await running.press("escape")


async def test_an_order_that_the_filter_replaces_says_so(app_setup: AppSetup) -> None:
    add(app_setup.store, "Cake @sweet @home", "Apple")
    async with open_pane(app_setup, (100, 30)) as running:
        running.pane.actions.set_filter("group:tag sort:title")
        await running.settle()
        # A task below two headings is one task.
        assert "2 shown" in running.lines()[0]
        await running.press("O", "j", "enter")
        assert "The filter's own group: comes first." in running.shown()
        await running.press("O", "j", "j", "enter")
        assert "The filter's own sort: comes first." in running.shown()
        await running.press("J")
        assert "Sorted by the filter" in running.shown()


async def test_the_view_is_the_same_after_a_restart_as_long_as_there_is_one(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Milk tomorrow")
    app_setup.store.views.save("Calls", "@phone")
    async with open_pane(app_setup) as running:
        await open_view(running, "Upcoming")
    async with open_pane(app_setup) as running:
        await running.until(lambda: "Tomorrow · Thu 19 Nov" in running.shown())
        await running.press("escape")
    async with open_pane(app_setup) as running:
        assert "‹ Tasks ›" in running.lines()[0]
        await open_view(running, "Calls")
    app_setup.store.views.delete("Calls")
    async with open_pane(app_setup) as running:
        await running.until(lambda: "○ Milk" in running.words())
        assert "‹ Tasks ›" in running.lines()[0]


async def test_a_saved_view_that_cannot_be_read_any_more_says_so_and_is_empty(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Milk")
    app_setup.store.views.save("Inner", "@phone")
    app_setup.store.views.save("Calls", "view:Inner")
    app_setup.store.views.delete("Inner")
    async with open_pane(app_setup) as running:
        await open_view(running, "Calls")
        assert "Inner" in running.shown()
        assert "○ Milk" not in running.words()
        add(app_setup.store, "Bread")
        await running.settle()
        assert "○ Bread" not in running.words()


def test_folded_projects_are_folded_at_the_next_start_too(app_setup: AppSetup) -> None:
    add(app_setup.store, "Report #work", "Fix the tap #Home", "Think")

    def opened() -> ListQuery:
        query = ListQuery(app_setup.store, app_setup.clock, DateStyle())
        query.view = View(ViewKind.PROJECTS, "Projects")
        return query

    def folded(query: ListQuery) -> set[str]:
        return {row.name for row in query.read().projects.values() if row.is_folded}

    query = opened()
    assert folded(query) == set()
    numbers = {row.name: number for number, row in query.read().projects.items()}
    query.project_folds.fold(frozenset({numbers["Home"], numbers["No project"]}), closed=True)
    query.store_folds()
    assert folded(opened()) == {"Home", "No project"}
    query.project_folds.fold(query.project_folds.numbers, closed=False)
    query.store_folds()
    assert folded(opened()) == set()
