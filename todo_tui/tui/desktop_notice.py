"""Notices outside the app: by a program of the desktop, or through the terminal."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
from collections.abc import Callable, Mapping

from todo_tui.domain.reminder_rules import DesktopNotices
from todo_tui.domain.text import plain_line

_log = logging.getLogger(__name__)

_APP = "todo-tui"
_PATIENCE_SECONDS = 5.0
_LONGEST = 200
_APPLE_SCRIPT = (
    "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
)
_DESKTOP_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")


class DesktopNotifier:
    """Shows a notice where there is a desktop, and is silent where there is none.

    `write` hands text to the terminal as it is; None: there is no terminal.
    """

    def __init__(
        self,
        how: DesktopNotices,
        write: Callable[[str], object] | None,
        environ: Mapping[str, str],
        platform: str = sys.platform,
    ) -> None:
        self._how = how
        self._write = write
        self._environ = environ
        self._platform = platform

    async def show(self, title: str, words: str) -> None:
        """Show a title and a line below it; both are text, whatever is in them."""
        title, words = _safe(title), _safe(words)
        match self._how:
            case DesktopNotices.AUTO | DesktopNotices.PROGRAM:
                await self._run(self._command(title, words))
            case DesktopNotices.OSC9:
                self._send(f"\x1b]9;{title}: {words}\x07")
            case DesktopNotices.OSC777:
                # The parts of this one are parted by semicolons.
                self._send(f"\x1b]777;notify;{title.replace(';', ',')};{words}\x07")
            case DesktopNotices.OFF:
                return

    def _command(self, title: str, words: str) -> list[str]:
        """What to run, the texts as arguments of their own; nothing where there is no desktop."""
        path = self._environ.get("PATH")
        if self._platform == "darwin":
            script = shutil.which("osascript", path=path)
            return [script, "-e", _APPLE_SCRIPT, title, words] if script else []
        if not any(self._environ.get(name) for name in _DESKTOP_VARIABLES):
            return []
        program = shutil.which("notify-send", path=path)
        if program is None:
            return []
        # Desktops read markup in the words, though not in the title.
        shown = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return [program, f"--app-name={_APP}", "--", title, shown]

    async def _run(self, command: list[str]) -> None:
        if not command:
            return
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env=dict(self._environ),
            )
        except OSError:
            _log.info("the desktop shows no notices", exc_info=True)
            return
        try:
            await asyncio.wait_for(process.wait(), _PATIENCE_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()

    def _send(self, sequence: str) -> None:
        if self._write is not None:
            self._write(sequence)


def _safe(text: str) -> str:
    """One plain line that is not too long."""
    line = plain_line(text).strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
