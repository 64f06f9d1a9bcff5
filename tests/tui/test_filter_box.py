"""The box that filters: words in their colours, mistakes in place, completion, saved views."""

from __future__ import annotations

from tests.tui.conftest import AppSetup
from tests.tui.pane import PANE, OpenPane, add, open_pane
from todo_tui.domain.filters.views import SavedView
from todo_tui.tui.task_list.drawers.filter import FilterInput
from todo_tui.tui.task_list.painter import RowPart

WIDE = (90, 30)


def box(running: OpenPane) -> FilterInput:
    return running.app.query_one(FilterInput)


def coloured(running: OpenPane) -> str:
    line = box(running)
    return " ".join(
        f"{line.value[start:end]}={name.removeprefix('filter--')}"
        for start, end, name in line.highlight_spans
    )


async def test_each_word_has_the_colour_of_what_it_is(app_setup: AppSetup) -> None:
    add(app_setup.store, "Mow #home @tools")
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.write("#home & !(@tools | due<fri) milk")
        assert coloured(running) == (
            "#home=project &=operator !=operator (=bracket @tools=tag |=operator due<=key fri=days"
            " )=bracket milk=search"
        )


async def test_a_mistake_is_marked_where_it_is_tab_takes_what_fits_and_enter_waits_for_it(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Mow today #home", "Rake")
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.write("priority:hgih mow")
        assert "priority:hgih=mistake" in coloured(running)
        assert "high" in running.shown()
        assert "▸ priority:high" in running.shown()
        await running.press("enter")
        assert "high" in running.shown()
        assert box(running).value == "priority:hgih mow"
        await running.press("tab")
        assert box(running).value.startswith("priority:high")
        assert "mistake" not in coloured(running)
        await running.press("enter")
        assert running.app.focused is not box(running)
        await running.press("/")
        assert box(running).value.startswith("priority:high")


async def test_a_name_that_no_task_has_is_doubted(app_setup: AppSetup) -> None:
    add(app_setup.store, "Mow #garden")
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.write("#gardne ")
        assert "#gardne=doubt" in coloured(running)
        assert "▸ #garden" in running.shown()
        await running.press("tab")
        assert box(running).value.rstrip() == "#garden"


async def test_words_of_the_grammar_are_completed_with_what_they_mean(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.type("over")
        assert "▸ overdue  open and past due  Tab" in running.shown()
        await running.press("tab")
        assert box(running).value == "overdue "
        await running.type("sort:pr")
        await running.press("tab")
        assert box(running).value == "overdue sort:priority "


async def test_a_filter_is_saved_under_a_name_and_a_key(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.write("!high today")
        await running.press("ctrl+s")
        await running.write("Now or never")
        await running.press("tab")
        await running.type("n")
        assert "w n opens the view" in running.shown()
        await running.press("enter")
        assert app_setup.store.views.list() == (SavedView("Now or never", "!high today", "n"),)
        assert "Saved view Now or never" in running.shown()
        assert "‹ Now or never ›" in running.shown()
        assert running.task_list.has_focus


async def test_a_view_that_would_lose_its_filter_or_key_is_named_first(app_setup: AppSetup) -> None:
    app_setup.store.views.save("Calls", "@phone", key="c")
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.write("@mail")
        await running.press("ctrl+s")
        await running.write("calls")
        assert "Replaces the view “Calls” (@phone)." in running.shown()
        await running.press("end")
        await running.write("2")
        await running.press("tab")
        await running.type("xc")
        assert "Shortcut c will open this view instead of “Calls”." in running.shown()
        await running.press("escape")
        assert box(running).has_focus
        assert [view.name for view in app_setup.store.views.list()] == ["Calls"]


async def test_what_cannot_be_saved_is_reported_and_stays(app_setup: AppSetup) -> None:
    async with open_pane(app_setup, WIDE) as running:
        await running.press("/")
        await running.write("priority:x")
        await running.press("ctrl+s")
        await running.write("Mine")
        await running.press("enter")
        assert app_setup.store.views.list() == ()
        assert "priority:x" in running.shown()
        assert "Mine" in running.shown()


async def test_words_that_were_searched_for_are_marked_in_titles(app_setup: AppSetup) -> None:
    add(app_setup.store, "Buy oat MILK", "Read 日本 milk 👩‍👩‍👧 tea", "Mow")
    async with open_pane(app_setup) as running:
        await running.press("/")
        await running.write("milk")
        found = running.task_list.get_visual_style(f"task-list--{RowPart.FOUND}").rich_style
        marked = [
            segment.text
            for strip in running.strips()
            for segment in strip
            if segment.style is not None
            and segment.style.underline
            and segment.style.color == found.color
        ]
        assert sorted(marked) == ["MILK", "milk"]
        assert all(strip.cell_length == PANE[0] for strip in running.strips())
        await running.press("escape")
        assert not any(
            segment.text in ("MILK", "milk") for strip in running.strips() for segment in strip
        )


async def test_a_filter_shown_by_others_leaves_the_keys_where_they_are(app_setup: AppSetup) -> None:
    add(app_setup.store, "Buy milk", "Mow")
    async with open_pane(app_setup) as running:
        await running.pane.show_filter("milk")
        await running.settle()
        assert box(running).value == "milk"
        assert running.task_list.has_focus
        assert "Mow" not in running.shown()
        await running.press("ctrl+s")
        await running.write("Drinks")
        await running.press("enter")
        (view,) = app_setup.store.views.list()
        assert (view.name, view.filter_text) == ("Drinks", "milk")


async def test_the_cursor_goes_back_when_a_filter_is_cleared(app_setup: AppSetup) -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
    ids = dict(zip(words, range(1, len(words) + 1), strict=True))
    add(app_setup.store, *words)
    async with open_pane(app_setup, PANE) as running:
        cursor = running.task_list
        await running.press("down", "down", "down", "down")
        assert cursor.cursor_task == ids["epsilon"]
        for text in ("theta", "nothing fits"):
            await running.press("/")
            await running.write(text)
            assert cursor.cursor_task != ids["epsilon"]
            await running.press("escape")
            assert cursor.cursor_task == ids["epsilon"]
        # A word half typed may leave the task out that the whole word finds.
        await running.press("/")
        await running.write("alpha")
        await running.write(" or epsilon")
        assert cursor.cursor_task == ids["epsilon"]
        await running.press("escape")
        # A filter that was kept was a search: the list goes on from what it found.
        await running.press("/")
        await running.write("ta")
        await running.press("enter", "end")
        assert cursor.cursor_task == ids["iota"]
        await running.press("escape")
        assert cursor.cursor_task == ids["iota"]
        await running.press("/")
        await running.write("nothing fits")
        await running.press("enter", "escape")
        assert cursor.cursor_task == ids["iota"]
