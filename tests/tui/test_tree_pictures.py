"""What subtasks, marks, questions and the box that sets look like."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.tui.conftest import AppSetup, Svg
from tests.tui.pane import PANE, OpenPane, add, open_pane
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.store.store import Store


def fill(store: Store) -> None:
    """A trip with subtasks, one of which is done, one due elsewhere, one that waits."""
    by = store.new_change_context(Actor.CLI)
    trip, *_ = add(
        store,
        "Trip to Rome #travel !high",
        "Water the plants today @home",
        "Fix the tap",
    )
    tasks = store.tasks
    book, room, pack = tasks.add_many(
        [TaskFields(title=title, parent=trip.id) for title in ("Book", "Find a room", "Pack")],
        by=by,
    )
    socks, _ = tasks.add_many(
        [TaskFields(title=title, parent=pack.id) for title in ("Socks", "Camera")], by=by
    )
    today = tasks.list().tasks[0].due
    tasks.update([book.id], TaskFields(due=today), by=by)
    tasks.update(
        [pack.id], TaskFields(notes="Check the weather\nand the cat"), by=by, add_blockers=[room.id]
    )
    tasks.complete([socks.id], by=by)


async def to_the_trip(running: OpenPane) -> None:
    """Put the cursor on the parent."""
    await running.press("j")
    assert running.cursor_title() == "Trip to Rome"


class Picture(NamedTuple):
    """A state of the pane, reached with keys and what is typed after them."""

    name: str
    keys: tuple[str, ...] = ()
    text: str = ""
    size: tuple[int, int] = PANE
    theme: str = "dark"


PICTURES = (
    Picture("tree"),
    Picture("folded", ("h",)),
    Picture("notes", ("j", "j", "j", "n", "k")),
    Picture("marked", ("shift+down", "shift+down")),
    Picture("asked", ("space",)),
    Picture("set-box", ("x", "x", "s"), "friday #home -@old !high"),
)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
async def test_it_looks_as_its_picture(
    app_setup: AppSetup, snapshot: SnapshotAssertion, picture: Picture
) -> None:
    fill(app_setup.store)
    async with open_pane(app_setup, picture.size, picture.theme) as running:
        await to_the_trip(running)
        await running.press(*picture.keys)
        if picture.text:
            await running.write(picture.text)
        svg = re.sub(r"terminal-\d+", "terminal", running.app.export_screenshot())
        svg = svg.replace("<text ", '<text xml:space="preserve" ')
    assert svg == snapshot(extension_class=Svg)
