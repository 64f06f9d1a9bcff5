"""What the task pane looks like."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.tui.conftest import AppSetup, Svg
from tests.tui.pane import PANE, OpenPane, add, open_pane
from todo_tui.domain.task import Actor

TASKS = (
    "Call the dentist yesterday",
    "Send the invoice monday !high #work.clients",
    "Water the plants today",
    "Buy milk tomorrow 5pm #errands",
    "Pay rent every month on the 1st !high #home",
    "Call mom friday",
    "Write quarterly report 27 nov @work !medium",
    "Renew passport 3 feb @papers !low",
    "Fix the tap",
    "Read the book that everybody talks about and that nobody has read to its end #books @long",
)
ESTIMATED = (
    "Call the dentist yesterday ~15m",
    "Write report today ~2h30 !high #work.clients @desk",
    "Buy milk today ~20m #errands @town",
    "Water the plants today",
    "Read the book that everybody talks about and that nobody has read to its end ~10h30 #books",
    "Fix the tap ~45 min",
)
FOREIGN = (
    "日本語のタスクを書く 👩‍👩‍👧 tomorrow #仕事",
    "한국어로 전화하기 friday 9am @가족",
    "Book ❤️ flights [bold]not bold[/bold] 20 dec",
    "👍🏽 Thank the neighbours 🇩🇪 today",
    "مرحبا بالعالم monday",
    "Escape \x1b[31mred\x1b[0m and \u202eback",
)

Steps = Callable[[OpenPane], Awaitable[None]]


def press(*keys: str) -> Steps:
    async def steps(running: OpenPane) -> None:
        await running.press(*keys)

    return steps


def write_after(key: str, text: str, *then: str) -> Steps:
    async def steps(running: OpenPane) -> None:
        await running.press(key)
        await running.write(text)
        if then:
            await running.press(*then)

    return steps


async def someone_else_at_work(running: OpenPane) -> None:
    """One turn of the assistant: an addition, a change, a completion."""
    running.app.set_focus(None)
    tasks = running.store.tasks
    by = running.store.new_change_context(Actor.ASSISTANT, "turn")
    add(running.store, "Nothing to see")
    tasks.add({"title": "Buy stamps"}, by=by)
    tasks.update([6], {"title": "Call mom and dad"}, by=by)
    tasks.complete([4], by=by)
    await running.settle()


async def a_whole_task(running: OpenPane) -> None:
    running.store.tasks.update(
        [4],
        {"notes": "Oat milk, the blue one.\nTwo litres if they are on offer."},
        by=running.store.new_change_context(Actor.CLI),
    )
    running.pane.reload()
    await running.settle()
    await running.press("j", "j", "enter")


async def nothing(running: OpenPane) -> None:
    await running.settle()


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    steps: Steps = nothing
    size: tuple[int, int] = PANE
    theme: str = "dark"
    tasks: tuple[str, ...] = TASKS


PICTURES = (
    Picture("groups"),
    Picture("groups-light", theme="light"),
    Picture("groups-narrow", size=(32, 24)),
    Picture("groups-wide", size=(98, 24)),
    Picture("estimates", tasks=ESTIMATED),
    Picture("estimates-wide", size=(120, 20), tasks=ESTIMATED),
    Picture("estimates-medium", size=(80, 20), tasks=ESTIMATED),
    Picture("foreign", tasks=FOREIGN),
    Picture("empty", tasks=()),
    Picture("ticked", press("j", "j", "space")),
    Picture("quick-add", write_after("a", "Pay gas every month on the 1st !high #home")),
    Picture("quick-add-light", write_after("a", "Send card 1/2 @home !low"), theme="light"),
    Picture("quick-added", write_after("a", "Feed the cat friday 9am", "enter")),
    Picture("filter", write_after("slash", "this week")),
    Picture("filter-kept", write_after("slash", "!high", "enter")),
    Picture("filter-mistake", write_after("slash", "#work due.before:blurb")),
    Picture("filter-nothing", write_after("slash", "zebra", "enter")),
    Picture("rename", write_after("e", " at nine")),
    Picture("deleted", press("d")),
    Picture("undone", press("d", "u")),
    Picture("changed-by-a-turn", someone_else_at_work),
    Picture("whole-task", a_whole_task),
)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
async def test_the_pane_looks_as_its_picture(
    app_setup: AppSetup, snapshot: SnapshotAssertion, picture: Picture
) -> None:
    add(app_setup.store, *picture.tasks)
    async with open_pane(app_setup, picture.size, picture.theme) as running:
        await picture.steps(running)
        svg = re.sub(r"terminal-\d+", "terminal", running.app.export_screenshot())
        svg = svg.replace("<text ", '<text xml:space="preserve" ')
    assert svg == snapshot(extension_class=Svg)
