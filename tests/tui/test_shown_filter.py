"""A filter that the chat writes is seen in the filter box of the list."""

from __future__ import annotations

import json

import pytest

from tests.tui.conftest import AppOpener, Bench
from todo_tui.domain.events import StepStatus, ToolFinished, TraceStep
from todo_tui.tui.chat.controller import requested_filter
from todo_tui.tui.messages import FilterRequested
from todo_tui.tui.task_list.drawers.filter import FilterInput


def finished(result: str, status: StepStatus = StepStatus.SUCCESS) -> ToolFinished:
    step = TraceStep("c1", "list_tasks", "Looked", "{}", result, status, 1.0)
    return ToolFinished("turn", step)


def listed(**data: object) -> str:
    return json.dumps({"status": "success", "data": {"tasks": [], **data}})


def test_a_listing_that_is_to_be_shown_names_its_filter() -> None:
    assert requested_filter(finished(listed(shown_filter=" #work today "))) == "#work today"


@pytest.mark.parametrize(
    "result",
    [
        listed(),
        listed(shown_filter=""),
        listed(shown_filter=3),
        '{"shown_filter": "x"}',
        '["shown_filter"]',
        '{"data": ["shown_filter"]}',
        "shown_filter, but no JSON",
    ],
)
def test_other_results_show_no_filter(result: str) -> None:
    assert requested_filter(finished(result)) is None


def test_what_failed_shows_no_filter() -> None:
    assert requested_filter(finished(listed(shown_filter="x"), StepStatus.ERROR)) is None


async def test_the_filter_is_on_and_in_its_box_while_the_composer_keeps_the_keys(
    bench: Bench, open_app: AppOpener
) -> None:
    async with open_app() as running:
        running.screen.post_message(FilterRequested("!high [bold]"))
        await running.until(lambda: running.screen.query(FilterInput).first().value)
        assert running.screen.query_one(FilterInput).value == "!high [bold]"
        assert running.writes()
        await running.press("tab", "tab")
        await running.settle()
        assert "!high [bold]" in running.shown()


async def test_tab_goes_from_the_name_of_a_view_to_its_key_and_not_to_the_chat(
    bench: Bench, open_app: AppOpener
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
        await running.until(lambda: bench.store.views.list())
        (view,) = bench.store.views.list()
        assert (view.name, view.key, view.filter_text) == ("houses", "h", "#home")
        assert running.composer.text == ""
