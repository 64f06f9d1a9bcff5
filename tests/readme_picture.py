"""The picture of the README, taken from the running app: `python -m tests.readme_picture`.

A new list, the built-in assistant, and what a person might say to them; nothing is
drawn by hand.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from todo_tui.cli.services import build_app_services
from todo_tui.cli.session import build_clock, open_user_store
from todo_tui.config.load import load_settings
from todo_tui.config.machine import Machine
from todo_tui.config.settings import Flags
from todo_tui.domain.task import Actor, Priority, TaskFields
from todo_tui.domain.when import DateStyle, When
from todo_tui.providers.registry import PROVIDERS
from todo_tui.tui.app import TodoApp

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "todo-tui.svg"

_NOW = datetime(2026, 11, 18, 14, 30)
_TASKS = (
    ("Call the dentist", -1, TaskFields()),
    ("Water the plants", 0, TaskFields(recurrence="FREQ=DAILY;INTERVAL=3")),
    ("Pay rent", 2, TaskFields(priority=Priority.HIGH, project="home")),
    ("Write the quarterly report", 9, TaskFields(tags=("work",))),
    ("Renew the passport", 27, TaskFields()),
    ("Fix the dripping tap", None, TaskFields(project="home")),
)
_SAID = (
    "add buy milk tomorrow 5pm #errands and call mom on friday",
    "what should I do first?",
    "postpone the report by a week",
)


async def _take(folder: Path) -> str:
    machine = Machine("Europe/Berlin", DateStyle(day_first=True), *[folder] * 4)
    environ = {"TODO_TUI_NOW": _NOW.isoformat()}
    settings = load_settings(Flags(), environ, PROVIDERS, machine)
    with open_user_store(settings, build_clock(settings)) as store:
        store.tasks.add_many(
            [TaskFields(**fields, title=title, due=_due(days)) for title, days, fields in _TASKS],
            by=store.new_change_context(Actor.USER),
        )
        app = TodoApp(build_app_services(settings, store, build_clock(settings)))
        async with app.run_test(size=(120, 36)) as pilot:
            for text in _SAID:
                await _say(pilot, text)
            return app.export_screenshot(title="todo-tui")


def _due(days: int | None) -> When | None:
    return None if days is None else When(_NOW.date() + timedelta(days=days))


async def _say(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*("space" if letter == " " else letter for letter in text), "enter")
    for _ in range(20):
        await pilot.pause(0.05)


def main() -> None:
    """Write the picture, without the fonts that it would fetch from elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        svg = asyncio.run(_take(Path(folder)))
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
