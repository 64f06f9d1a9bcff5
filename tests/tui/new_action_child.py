"""Look for an action everywhere in the app; prints JSON.

Run as `python -m tests.tui.new_action_child FOLDER ACTION`; `config.toml` in the folder gives the
action the key F7.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from textual.command import Hit
from textual.pilot import Pilot

from todo_tui.cli.wiring.session import build_clock, open_user_store
from todo_tui.cli.wiring.tui_services import build_tui_services
from todo_tui.config.load import load_settings
from todo_tui.config.machine import Machine
from todo_tui.config.paths import Paths
from todo_tui.config.settings import Flags, Settings
from todo_tui.domain.when import DateStyle
from todo_tui.providers.registry import PROVIDERS
from todo_tui.store.store import Store
from todo_tui.tui.actions.keymap import read_keymap
from todo_tui.tui.actions.registry import ACTIONS
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.palette import PaletteCommands
from todo_tui.tui.screens.help import keys_by_place


def _notices(app: TodoApp) -> list[str]:
    return [each.message for each in app._notifications]


async def _take_notices(pilot: Pilot[None], app: TodoApp) -> list[str]:
    while not _notices(app):
        await pilot.pause()
    found = _notices(app)
    app.clear_notifications()
    return found


async def look(settings: Settings, store: Store, action: str) -> dict[str, object]:
    """Return where the action was found, and what its key and its command say."""
    keymap = read_keymap(settings)
    services = build_tui_services(settings, store, build_clock(settings), keymap=keymap)
    app = TodoApp(services)
    row = ACTIONS[action]
    async with app.run_test(size=(120, 36)) as pilot:
        while not app.screen.query("Transcript"):
            await pilot.pause()
        composer = app.screen.query_one(Composer)
        await pilot.press(*f"/{row.slash.name if row.slash else ''}"[:-1])
        while not composer.completions.candidates:
            await pilot.pause()
        completions = [each.text for each in composer.completions.candidates]
        await pilot.press("tab", "enter")
        by_command = await _take_notices(pilot, app)
        await pilot.press("tab", "f7")
        by_key = await _take_notices(pilot, app)
        hits = [hit async for hit in PaletteCommands(app.screen).search(row.words)]
        best = max((hit for hit in hits if isinstance(hit, Hit)), key=lambda hit: hit.score)
        return {
            "completions": completions,
            "by command": by_command,
            "by key": by_key,
            "palette": [best.text, str(best.match_display)],
            "help": [line for lines in keys_by_place(app.key_names).values() for line in lines],
            "hints": str(app.screen.query_one("NoticeLine").render()),
        }


def main(folder: Path, action: str) -> None:
    """Print what was found."""
    machine = Machine("UTC", DateStyle(), Paths(*[folder] * 4))
    settings = load_settings(Flags(), {}, PROVIDERS, machine)
    with open_user_store(settings, build_clock(settings)) as store:
        print(json.dumps(asyncio.run(look(settings, store, action))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
