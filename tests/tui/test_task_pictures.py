"""What the task pane looks like."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.blank import blank
from tests.tui.conftest import NOW, AppSetup, Svg
from tests.tui.pane import PANE, OpenPane, add, open_pane
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store

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


def write_after(keys: str | tuple[str, ...], text: str, *then: str) -> Steps:
    async def steps(running: OpenPane) -> None:
        await running.press(*([keys] if isinstance(keys, str) else keys))
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


def resize(width: int, height: int) -> Steps:
    async def steps(running: OpenPane) -> None:
        await running.pilot.resize_terminal(width, height)
        await running.settle()

    return steps


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps that lead in one app from each picture to the next, by its name."""

    pictures: Mapping[str, Steps]
    size: tuple[int, int] = PANE
    theme: str = "dark"
    tasks: tuple[str, ...] = TASKS


WALKS = (
    Walk(
        {
            "groups": nothing,
            "rename": write_after("e", " at nine"),
            "filter": write_after(("escape", "slash"), "this week"),
            "filter-mistake": write_after("ctrl+u", "#work due.before:blurb"),
            "filter-nothing": write_after("ctrl+u", "zebra", "enter"),
            "filter-kept": write_after(("slash", "ctrl+u"), "!high", "enter"),
        }
    ),
    Walk({"groups-narrow": nothing, "groups-wide": resize(98, 24)}, (32, 24)),
    Walk(
        {
            "groups-light": nothing,
            "quick-add-light": write_after("a", "Send card 1/2 @home !low"),
        },
        theme="light",
    ),
    Walk(
        {
            "estimates": nothing,
            "estimates-wide": resize(120, 20),
            "estimates-medium": resize(80, 20),
        },
        tasks=ESTIMATED,
    ),
    Walk({"foreign": nothing}, tasks=FOREIGN),
    Walk({"empty": nothing}, tasks=()),
    Walk({"ticked": press("j", "j", "space")}),
    Walk(
        {
            "quick-add": write_after("a", "Pay gas every month on the 1st !high #home"),
            "quick-added": write_after("ctrl+u", "Feed the cat friday 9am", "enter"),
        }
    ),
    Walk({"deleted": press("d"), "undone": press("u")}),
    Walk({"changed-by-a-turn": someone_else_at_work}),
    Walk({"whole-task": a_whole_task}),
)


async def test_the_pane_looks_as_its_picture(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for number, walk in enumerate(WALKS):
        clock = Clock("Europe/Berlin", NOW)
        with open_store(blank(tmp_path / f"{number}.db"), user="ann", clock=clock) as store:
            add(store, *walk.tasks)
            async with open_pane(AppSetup(store, clock), walk.size, walk.theme) as running:
                for name, steps in walk.pictures.items():
                    await steps(running)
                    svg = re.sub(r"terminal-\d+", "terminal", running.app.export_screenshot())
                    svg = svg.replace("<text ", '<text xml:space="preserve" ')
                    assert svg == snapshot(extension_class=Svg, name=name)
