"""One picture for each state of the screen; each was looked at before it was kept."""

from __future__ import annotations

from tests.scripted import answer, call, calls
from tests.tui.conftest import NARROW, AppOpener, AppSetup, ComparePicture
from tests.tui.test_turns_on_screen import held_tool
from todo_tui.domain.messages import Usage
from todo_tui.domain.task import Actor, Priority
from todo_tui.domain.when import When
from todo_tui.tui.chat.trace_rows import TraceRow


def seed(app_setup: AppSetup) -> None:
    """A few tasks of every kind."""
    by = app_setup.store.new_change_context(Actor.USER)
    add = app_setup.store.tasks.add
    add({"title": "Call the dentist", "due": When.parse("2026-11-17")}, by=by)
    add({"title": "Water the plants", "due": When.parse("2026-11-18")}, by=by)
    add(
        {"title": "Pay rent", "due": When.parse("2026-11-20"), "priority": Priority.HIGH},
        by=by,
    )
    add(
        {
            "title": "Write quarterly report",
            "due": When.parse("2026-11-27T16:00"),
            "project": "work",
            "tags": ("deep",),
        },
        by=by,
    )
    add({"title": "Fix the tap"}, by=by)


def script_two_adds(app_setup: AppSetup) -> None:
    app_setup.script(
        calls(
            call("add_task", title="Buy milk", details="tomorrow 5pm @errands"),
            call("add_task", title="Call mom", details="friday"),
        ),
        answer(
            "Both are on your list. Friday now has two things: **Call mom** and **Pay rent**.",
            usage=Usage(1830, 1200, 31),
        ),
    )


ASKED = "add buy milk tomorrow 5pm and call mom on friday"


async def test_first_run(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    async with open_app() as running:
        await snap_both_sizes(running)


async def test_finished_turn(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    seed(app_setup)
    script_two_adds(app_setup)
    async with open_app() as running:
        await running.send(ASKED)
        await snap_compare(running)


async def test_opened_tool_call(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    seed(app_setup)
    app_setup.script(
        calls(call("update_task", task_ids=[1], details="friday 9am")),
        answer("The dentist is on Friday at nine."),
    )
    async with open_app() as running:
        await running.send("move the dentist to friday 9am")
        await running.press("ctrl+o")
        await snap_compare(running)


async def test_running_tool(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    seed(app_setup)
    with held_tool(app_setup) as release:
        app_setup.script(calls(call("wait_here")), answer("Done."), answer("Next."))
        async with open_app() as running:
            await running.type("what should I do first?")
            await running.press("enter")
            await running.until(lambda: running.screen.query(TraceRow))
            await running.type("and then call the plumber")
            await running.press("enter")
            await snap_both_sizes(running)
            release.set()
            await running.settle()


async def test_failed_tool(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    seed(app_setup)
    app_setup.script(
        calls(call("complete_task", task_ids=[999])), answer("There is no task with that number.")
    )
    async with open_app() as running:
        await running.send("done #999")
        await snap_compare(running)


async def test_narrow_screen_with_news_in_the_list(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    seed(app_setup)
    script_two_adds(app_setup)
    # They are marked in its title only where it is not in sight from the start.
    async with open_app(NARROW) as running:
        await running.send(ASKED)
        await snap_compare(running, "chat")
        await running.press("tab")
        await snap_compare(running, "list")


async def test_consent(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    app_setup.keys.add("groq")
    async with open_app() as running:
        await running.press("alt+3")
        await running.until(lambda: "Send messages to Groq?" in running.shown())
        await running.press("tab")
        await snap_compare(running)
        await running.press("escape")


async def test_help(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    async with open_app() as running:
        await running.press("f1")
        await snap_both_sizes(running)


async def test_palette(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    async with open_app() as running:
        await running.press("ctrl+p")
        await running.settle()
        await snap_compare(running)


async def test_the_light_theme(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    app_setup.theme = "light"
    seed(app_setup)
    script_two_adds(app_setup)
    async with open_app() as running:
        await running.send(ASKED)
        await running.press("tab")
        await snap_compare(running)


async def test_without_colours(
    app_setup: AppSetup, open_app: AppOpener, snap_compare: ComparePicture
) -> None:
    app_setup.no_color = True
    seed(app_setup)
    script_two_adds(app_setup)
    async with open_app() as running:
        await running.send(ASKED)
        await snap_compare(running)
