"""The box that adds: tokens in colour, tokens as words, names completed, dates to come."""

from __future__ import annotations

from tests.tui.conftest import AppSetup
from tests.tui.pane import OpenPane, add, open_pane
from todo_tui.tui.task_list.drawers.quick_add import QuickAddInput


def box(running: OpenPane) -> QuickAddInput:
    return running.app.query_one(QuickAddInput)


def coloured(running: OpenPane) -> dict[str, str]:
    """Each coloured piece of the line with what it was understood as."""
    line = box(running)
    return {
        line.value[start:end]: name.removeprefix("quick-add--")
        for start, end, name in line.highlight_spans
    }


async def test_each_kind_of_token_has_its_colour(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, (100, 30)) as running:
        await running.press("a")
        await running.write("Pay rent every month #home @bank !high x")
        assert coloured(running) == {
            "#home": "project",
            "@bank": "tag",
            "!high": "priority",
        }
        await running.press("backspace", "backspace")
        assert coloured(running)["every month"] == "recurrence"
        colours = {
            segment.text: segment.style.color
            for segment in box(running).render_line(0)
            if segment.style is not None
        }
        words = ("Pay rent ", "every month", "#home", "@bank", "!high")
        assert len({colours[word] for word in words}) == len(words)


async def test_wide_characters_before_a_token_do_not_shift_its_colour(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.write("日本語 [b] 👩‍👩‍👧 #仕事")
        assert coloured(running) == {"#仕事": "project"}
        assert any(segment.text.strip() == "#仕事" for segment in box(running).render_line(0))


async def test_a_repeat_shows_its_next_three_dates(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, (100, 30)) as running:
        await running.press("a")
        await running.write("Water the plants every 3 days")
        shown = running.shown()
        assert "every 3 days, first today · then Sat 21 Nov and Tue 24 Nov" in shown
        assert "first occurrence" not in shown


async def test_ctrl_w_makes_words_of_a_token_and_gives_it_back(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        assert running.shown().rstrip().endswith("Enter add · Esc close")
        await running.write("Watch it")
        assert running.shown().rstrip().endswith("Enter add · Esc close"), (
            "nothing to take as plain text"
        )
        await running.write(" tomorrow #home")
        assert "Enter add · Esc close · Ctrl+L plain text" in running.shown()
        await running.press("left", "left", "left", "left", "left", "left", "ctrl+l")
        assert coloured(running) == {"tomorrow": "literal", "#home": "project"}
        await running.press("ctrl+l")
        assert coloured(running) == {"tomorrow": "due", "#home": "project"}
        await running.press("ctrl+l", "end")
        await running.write(" !low")
        await running.press("enter")
        (task,) = app_setup.store.tasks.list().tasks
        assert (task.title, task.due, task.project) == ("Watch it tomorrow", None, "home")
        assert running.shown().rstrip().endswith("Enter add another · Esc close")
        await running.write("Next one tomorrow")
        assert coloured(running) == {"tomorrow": "due"}


async def test_tab_completes_names_that_exist(app_setup: AppSetup) -> None:
    add(app_setup.store, "One #home.garden @shop", "Two #house")
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.type("Mow #ho")
        assert "▸ #home " in running.shown()
        await running.press("down", "tab")
        assert box(running).value == "Mow #home.garden "
        await running.type("@s")
        await running.press("tab")
        assert box(running).value == "Mow #home.garden @shop "
        assert "▸" not in running.shown()


async def test_tab_leaves_the_box_where_there_is_nothing_to_complete(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.type("Mow #zzz")
        await running.press("tab")
        assert box(running).value == "Mow #zzz"


async def test_pasted_lines_are_a_task_each_and_one_step_back(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, (100, 30)) as running:
        await running.press("a")
        await running.write("- [ ] Post it friday\n2. Buy [ink] #home\n\n* Read\n")
        assert "Enter adds 3 tasks, one per line" in running.shown()
        await running.press("enter")
        tasks = app_setup.store.tasks.list().tasks
        assert {(task.title, task.project) for task in tasks} == {
            ("Post it", None),
            ("Buy [ink]", "home"),
            ("Read", None),
        }
        assert box(running).value == ""
        await running.press("escape", "u")
        assert not app_setup.store.tasks.list().tasks
        await running.press("a")
        await running.write("one\ntwo")
        await running.press("ctrl+l", "enter")
        assert [task.title for task in app_setup.store.tasks.list().tasks] == ["one two"]


async def test_a_typed_parent_is_the_only_one_that_is_named(app_setup: AppSetup) -> None:
    add(app_setup.store, "Order cake #party", "Book hall #hall")
    async with open_pane(app_setup) as running:
        running.task_list.move_cursor_to(1)
        await running.press("A")
        assert "Subtask of Order cake · #party" in running.words()
        await running.write("pay under #2")
        await running.until(lambda: "subtask of #2 Book hall" in running.words())
        assert "Subtask of Order cake" not in running.words()
        await running.press("enter")
        await running.until(lambda: app_setup.store.tasks.list().total == 3)
        made = app_setup.store.tasks.get(3)
        assert (made.parent, made.project) == (2, None)


async def test_a_date_is_shown_once(app_setup: AppSetup) -> None:
    async with open_pane(app_setup) as running:
        await running.press("a")
        await running.write("pay mid december")
        await running.until(lambda: "Tue 15 Dec" in running.words())
        assert running.words().count("15 Dec") == 1
