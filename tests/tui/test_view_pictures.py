"""What the views of the list look like, their menu, and the calendar."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.tui.conftest import NARROW, WIDE, AppSetup, Svg
from tests.tui.pane import PANE, add, open_pane
from todo_tui.domain.task import Actor, Status
from todo_tui.store.store import Store

TASKS = (
    "Call the dentist yesterday",
    "Send the invoice monday !high #work.clients",
    "Water the plants today",
    "Buy milk tomorrow 5pm #errands",
    "Pay rent every month on the 1st !high #home",
    "Call mom friday",
    "Write quarterly report 27 nov #work !medium",
    "Renew passport 3 feb @papers !low",
    "Fix the tap #home",
    "Ask for a quote #work.clients",
    "Plan the beds #home.garden",
    "Book the room #work",
    "Sign the contract #work.clients",
    "Stand-up every weekday at 9 #work",
    "Pick up the parcel friday 9am",
    "Bake a cake friday",
    "Ring the school friday @phone",
    "Clean the kitchen friday",
)


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    keys: tuple[str, ...]
    size: tuple[int, int] = PANE
    theme: str = "dark"


def views_on(steps: int) -> tuple[str, ...]:
    return ("right_square_bracket",) * steps


PICTURES = (
    Picture("today", views_on(1)),
    Picture("upcoming", views_on(2)),
    Picture("next-with-reasons", (*views_on(3), "j", "i")),
    Picture("projects", (*views_on(4), "j", "h")),
    Picture("projects-light", views_on(4), NARROW, "light"),
    Picture("done", views_on(5)),
    Picture("trash", views_on(6)),
    Picture("by-tag", views_on(7)),
    Picture("menu", ("w",), NARROW),
    Picture("order-menu", ("O", "j"), NARROW),
    Picture("menu-edit", ("w", "B", "y", "f2"), NARROW),
    Picture("calendar", ("c", "l", "l"), WIDE),
    Picture("calendar-narrow", ("c", "l", "l"), NARROW),
    Picture("calendar-light", ("c",), WIDE, "light"),
    Picture("calendar-tasks", ("c", "l", "l", "tab", "j"), WIDE),
    Picture("calendar-move", ("c", "l", "l", "tab", "m", "l"), NARROW),
    Picture("calendar-add", ("c", "l", "l", "a", "t", "e", "a"), NARROW),
)


def fill(store: Store) -> None:
    add(store, *TASKS)
    by = store.new_change_context(Actor.CLI)
    store.tasks.update([7], {"status": Status.DOING}, by=by)
    store.tasks.update([10], {"blocked_by": (2,)}, by=by)
    store.tasks.complete([12, 13], by=by)
    store.tasks.delete([8], by=by)
    store.views.save("By tag", "group:tag", key="t")


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
async def test_a_view_looks_as_its_picture(
    app_setup: AppSetup, snapshot: SnapshotAssertion, picture: Picture
) -> None:
    fill(app_setup.store)
    async with open_pane(app_setup, picture.size, picture.theme) as running:
        await running.press(*picture.keys)
        svg = re.sub(r"terminal-\d+", "terminal", running.app.export_screenshot())
        svg = svg.replace("<text ", '<text xml:space="preserve" ')
    assert svg == snapshot(extension_class=Svg)
