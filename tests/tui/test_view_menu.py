"""The menu of views, and the details that say why a task stands where it does."""

from __future__ import annotations

from tests.tui.conftest import AppSetup
from tests.tui.pane import add, open_pane
from todo_tui.domain.filters.views import SavedView
from todo_tui.domain.task import Actor


async def test_the_menu_lists_every_view_and_shows_one_by_arrows_letters_key_and_click(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Late yesterday", "Milk tomorrow", "Old @phone")
    app_setup.store.views.save("Calls", "@phone", key="k")
    async with open_pane(app_setup, (90, 30)) as running:
        await running.press("w")
        assert running.line_with("Upcoming").split()[1:3] == ["Upcoming", "2"]
        assert running.line_with("Calls").split()[1:5] == ["k", "Calls", "1", "@phone"]
        await running.press("down", "down", "enter")
        assert "‹ Upcoming ›" in running.lines()[0]
        await running.press("w", "down", "escape")
        assert "‹ Upcoming ›" in running.lines()[0], "Esc leaves it as it is"
        await running.press("w")
        await running.type("zzz")
        assert "No matching views." in running.shown()
        await running.press("enter")
        assert "No matching views." in running.shown()
        await running.press("ctrl+u")
        await running.type("proj")
        await running.press("enter")
        assert "‹ Projects ›" in running.lines()[0]
        await running.press("w", "k")
        assert "‹ Calls ›" in running.lines()[0]
        await running.pilot.click("TaskHeader", offset=(5, 0))
        await running.settle()
        assert "View name or key" in running.shown()


async def test_a_saved_view_that_cannot_be_counted_is_marked_with_a_question(
    app_setup: AppSetup,
) -> None:
    app_setup.store.views.save("Inner", "@phone")
    app_setup.store.views.save("Outer", "view:Inner")
    app_setup.store.views.delete("Inner")
    async with open_pane(app_setup, (90, 30)) as running:
        await running.press("w")
        assert running.line_with("Outer").split()[2] == "?"


async def test_the_hint_for_escape_names_what_it_does_next(app_setup: AppSetup) -> None:
    add(app_setup.store, "Invoice friday !high", "Paint")
    steps = [
        ("i", "Esc close details"),
        ("escape", ""),
        ("right_square_bracket", "Esc show all"),
        ("i", "Esc close details"),
        ("escape", "Esc show all"),
        ("escape", ""),
        ("v", "Esc close details"),
        ("v", ""),
    ]
    async with open_pane(app_setup, (120, 30)) as running:
        for key, hint in steps:
            await running.press(key)
            await running.settle()
            assert hint in running.shown(), key
            assert ("Esc " in running.shown()) is bool(hint), key


async def test_the_reasons_of_a_task_are_reported_in_words_and_follow_the_cursor(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Invoice friday !high", "Paint", "Ask for a quote today")
    by = app_setup.store.new_change_context(Actor.CLI)
    app_setup.store.tasks.update([3], {"blocked_by": (2,)}, by=by)
    async with open_pane(app_setup) as running:
        await running.press("i")
        await running.until(lambda: "blocked by #2 Paint" in running.shown())
        assert "another task −15.0" in running.shown()
        await running.press("j")
        assert "urgency 10.5: high priority +6.0, due in 2 days +4.5" in running.shown()
        await running.press("j")
        assert "high priority" not in running.shown()
        await running.press("1")
        assert "high priority +6.0" in running.shown()
        await running.press("escape")
        assert "urgency" not in running.shown()


async def test_a_saved_view_is_edited_in_the_menu_and_the_list_follows(
    app_setup: AppSetup,
) -> None:
    add(app_setup.store, "Call mom @phone", "Write @desk", "Buy milk")
    views = app_setup.store.views
    views.save("Calls", "@phone", key="k")
    views.save("Desk", "@desk", key="d")
    async with open_pane(app_setup, (90, 30)) as running:
        await running.press("w")
        assert "F2 edit" not in running.shown()
        await running.type("calls")
        assert "F2 edit · F8 delete" in running.shown()
        await running.press("enter", "w", "f2")
        # What cannot be saved is reported, and nothing changes.
        await running.write(" and mail")
        await running.press("tab")
        await running.write(" priority:x")
        await running.press("enter")
        assert "priority:x" in running.shown()
        assert views.get("Calls").filter_text == "@phone"
        await running.press(*["backspace"] * 11)
        await running.write(" or @desk")
        # The key of another view moves to this one.
        await running.press("down")
        await running.type("d")
        await running.press("enter")
        await running.until(lambda: "Calls and mail" in running.shown())
        assert views.list() == (
            SavedView("Calls and mail", "@phone or @desk", "d"),
            SavedView("Desk", "@desk", None),
        )
        assert running.line_with("Calls and mail").split()[2:7] == [
            "d", "Calls", "and", "mail", "2",
        ]  # fmt: skip
        await running.press("escape")
        assert "‹ Calls and mail ›" in running.lines()[0]
        assert "Write" in running.shown()

        # Esc leaves the form, then the menu.
        await running.press("w", "f2")
        await running.write("?")
        await running.press("escape", "escape")
        assert "‹ Calls and mail ›" in running.lines()[0]
        assert len(views.list()) == 2


async def test_a_view_is_deleted_in_the_menu_and_restored_in_its_place(
    app_setup: AppSetup,
) -> None:
    views = app_setup.store.views
    for name in ("Calls", "Desk", "Mail"):
        views.save(name, f"@{name}", key=name[-1])
    before = views.list()
    async with open_pane(app_setup, (90, 30)) as running:
        await running.press("w", "f8", "ctrl+z")
        assert views.list() == before
        await running.type("Des")
        await running.press("f8")
        await running.until(lambda: len(views.list()) == 2)
        await running.until(lambda: "Desk" not in running.line_with("Calls"))
        await running.press("ctrl+z")
        await running.until(lambda: views.list() == before)
        await running.press("enter")
        assert "‹ Desk ›" in running.lines()[0]

        # Of the view on screen all tasks are left.
        await running.press("w", "f8", "escape")
        await running.until(lambda: "‹ Tasks ›" in running.lines()[0])
        assert [view.name for view in views.list()] == ["Calls", "Mail"]
        await running.press("w")
        await running.until(lambda: "Ctrl+Z restore deleted" in "\n".join(running.lines()))
        await running.press("ctrl+z")
        await running.until(lambda: views.list() == before)
