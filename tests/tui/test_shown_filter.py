"""A filter that something else than its box sets is seen in the box."""

from __future__ import annotations

from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.tui.task_list.drawers.filter import FilterInput
from todo_tui.tui.task_list.pane import TaskPane


async def test_the_filter_is_on_and_in_its_box_while_the_composer_keeps_the_keys(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.screen.query_one(TaskPane).show_filter("!high [bold]")
        await running.until(lambda: running.screen.query(FilterInput).first().value)
        assert running.screen.query_one(FilterInput).value == "!high [bold]"
        assert running.writes()
        await running.press("tab", "tab")
        await running.settle()
        assert "!high [bold]" in running.shown()


async def test_tab_goes_from_the_name_of_a_view_to_its_key_and_not_to_the_chat(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.press("tab", "slash")
        await running.type("#home")
        await running.press("ctrl+s")
        await running.type("house")
        await running.press("tab")
        await running.type("h")
        await running.press("tab")
        await running.type("s")
        await running.press("enter")
        await running.until(lambda: app_setup.store.views.list())
        (view,) = app_setup.store.views.list()
        assert (view.name, view.key, view.filter_text) == ("houses", "h", "#home")
        assert running.composer.text == ""
