"""What the views of the list look like, their menu, and the calendar."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.blank import blank
from tests.tui.conftest import NARROW, NOW, WIDE, AppSetup, Svg
from tests.tui.pane import PANE, add, open_pane
from todo_tui.domain.task import Actor, Status
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

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
class Walk:
    """Keys that lead in one app from each picture to the next, by its name."""

    pictures: Mapping[str, str]
    size: tuple[int, int] = PANE
    theme: str = "dark"


_ON = "right_square_bracket"
WALKS = (
    Walk(
        {
            "today": _ON,
            "upcoming": _ON,
            "next-with-reasons": f"{_ON} j i",
            "projects": f"i {_ON} j h",
            "done": _ON,
            "trash": _ON,
            "by-tag": _ON,
        }
    ),
    Walk(
        {
            "order-menu": "O j",
            "menu": "escape w",
            "menu-edit": "B y f2",
            "calendar-narrow": "escape escape c l l",
            "calendar-add": "a t e a",
            "calendar-move": "escape tab m l",
        },
        NARROW,
    ),
    Walk({"calendar": "c l l", "calendar-tasks": "tab j"}, WIDE),
)


def fill(store: Store) -> None:
    add(store, *TASKS)
    by = store.new_change_context(Actor.CLI)
    store.tasks.update([7], {"status": Status.DOING}, by=by)
    store.tasks.update([10], {"blocked_by": (2,)}, by=by)
    store.tasks.complete([12, 13], by=by)
    store.tasks.delete([8], by=by)
    store.views.save("By tag", "group:tag", key="t")


async def test_a_view_looks_as_its_picture(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for number, walk in enumerate(WALKS):
        clock = Clock("Europe/Berlin", NOW)
        with open_store(blank(tmp_path / f"{number}.db"), user="ann", clock=clock) as store:
            fill(store)
            async with open_pane(AppSetup(store, clock), walk.size, walk.theme) as running:
                for name, keys in walk.pictures.items():
                    await running.press(*keys.split())
                    svg = re.sub(r"terminal-\d+", "terminal", running.app.export_screenshot())
                    svg = svg.replace("<text ", '<text xml:space="preserve" ')
                    assert svg == snapshot(extension_class=Svg, name=name)
