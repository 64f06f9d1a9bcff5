"""The app in a process of its own, one of whose message loops is cancelled after a moment.

Run as `python -m tests.tui.app_child DATABASE WIDGET`; `WIDGET` is a selector, or `screen`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from todo_tui.cli.wiring.session import build_clock, open_user_store
from todo_tui.cli.wiring.tui_services import build_tui_services
from todo_tui.config.load import load_settings
from todo_tui.config.machine import Machine
from todo_tui.config.paths import Paths
from todo_tui.config.settings import Flags
from todo_tui.domain.when import DateStyle
from todo_tui.providers.registry import PROVIDERS
from todo_tui.tui.app import TodoApp


class BrokenApp(TodoApp):
    """Cancels a message loop of its own once it is drawn."""

    target = "screen"

    def on_mount(self) -> None:
        """Let it be drawn first."""
        super().on_mount()
        self.set_timer(0.5, self._break)

    def _break(self) -> None:
        screen = self.screen
        (screen if self.target == "screen" else screen.query_one(self.target)).task.cancel()


def main(folder: Path, target: str) -> int:
    """Run it; its exit status."""
    machine = Machine("UTC", DateStyle(), Paths(*[folder] * 4))
    settings = load_settings(Flags(), {}, PROVIDERS, machine)
    with open_user_store(settings, build_clock(settings)) as store:
        app = BrokenApp(build_tui_services(settings, store, build_clock(settings)))
        app.target = target
        app.run()
        return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
