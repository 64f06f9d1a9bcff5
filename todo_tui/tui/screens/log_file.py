"""Log viewer (F8): tail of the log file, optionally errors only."""

import asyncio
import re
from pathlib import Path
from typing import NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import LOG_FILE
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.dialog import Dialog

_TAIL_BYTES = 200_000
_MAX_LINES = 500
_HEAD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ (?P<level>[A-Z]+) ")
_READ_SECONDS = 1.0
_STYLES = {"WARNING": "$text-warning", "ERROR": "$text-error", "CRITICAL": "$text-error"}


class LogLine(NamedTuple):
    """Line of the log; lines of a traceback have the level of their entry."""

    level: str
    text: str
    opens: bool
    """True if the line begins an entry."""

    @property
    def drawn(self) -> Content:
        """Line in the style of its level."""
        if not self.opens:
            return Content.styled(f"  {self.text}", FAINT)
        return Content.styled(self.text, _STYLES.get(self.level, MUTED))


def read_log_tail(path: Path) -> list[LogLine]:
    """Read the newest lines, oldest first; blocks; OSError where the file cannot be read."""
    with path.open("rb") as file:
        beginning = max(file.seek(0, 2) - _TAIL_BYTES, 0)
        file.seek(beginning)
        lines = file.read().decode("utf-8", "replace").splitlines()
    if beginning:
        del lines[0]
    level = "INFO"
    read: list[LogLine] = []
    for line in lines[-_MAX_LINES:]:
        head = _HEAD.match(line)
        level = head["level"] if head else level
        read.append(LogLine(level, plain_line(line), opens=head is not None))
    return read


class LogFileScreen(ActionHost, Dialog[None]):
    """Shows the newest lines at the bottom and follows the file."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "#lines"
    ACTIONS = LOG_FILE

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self._path = path
        self._lines: list[LogLine] = []
        self._only_errors = False
        self._seen: tuple[int, int] | None = None

    def compose(self) -> ComposeResult:
        """Lay out a box titled with the file's name."""
        with VerticalScroll(id="lines") as box:
            box.border_title = f"Log · {plain_line(str(self._path))}" if self._path else "Log"
            yield Static(id="text", markup=False)

    def on_mount(self) -> None:
        """Read the file now and whenever it changes."""
        self._name_keys()
        self._read()
        self.set_interval(_READ_SECONDS, self._read)

    def _name_keys(self) -> None:
        what = "show all" if self._only_errors else "errors only"
        self.query_one("#lines").border_subtitle = format_hint(
            self.app, f"{{log.only_errors}} {what} · {{log.copy}} copy · {{log.close}} close"
        )

    @work(group="log", exclusive=True)
    async def _read(self) -> None:
        path = self._path
        if path is None:
            self._show("No log is kept: this is the demo, or its folder could not be created.")
            return
        try:
            stat = await asyncio.to_thread(path.stat)
            seen = stat.st_mtime_ns, stat.st_size
            if seen != self._seen:
                self._lines = await asyncio.to_thread(read_log_tail, path)
                self._seen = seen
                self._draw()
        except FileNotFoundError:
            self._show("No log entries yet. Errors appear here.")
        except OSError as error:
            self._show(f"Cannot read the log: {error.strerror or type(error).__name__}.")

    @property
    def _shown(self) -> list[LogLine]:
        return [line for line in self._lines if line.level in _STYLES or not self._only_errors]

    def _draw(self) -> None:
        if self._seen is None:
            return
        lines = self._shown
        if not lines:
            self._show("No errors." if self._lines else "The log is empty.")
            return
        box = self.query_one("#lines", VerticalScroll)
        at_end = box.scroll_y >= box.max_scroll_y - 1
        self.query_one("#text", Static).update(Content("\n").join(line.drawn for line in lines))
        if at_end:
            box.scroll_end(animate=False)

    def _show(self, text: str) -> None:
        self.query_one("#text", Static).update(Content.styled(text, MUTED))

    def action_only_errors(self) -> None:
        """Toggle between all entries and errors only."""
        self._only_errors = not self._only_errors
        self._name_keys()
        self._draw()

    def action_copy(self) -> None:
        """Copy the shown lines."""
        lines = self._shown
        if lines:
            copy_to_clipboard(self.app, "\n".join(line.text for line in lines), "log")
        else:
            self.app.bell()
