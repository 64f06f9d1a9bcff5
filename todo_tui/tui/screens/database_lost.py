"""Screen shown when the database file was deleted or replaced: Reopen or Quit."""

from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from todo_tui.domain.errors import StoreReplaced, TodoError
from todo_tui.domain.text import plain_line
from todo_tui.tui.screens.live_screen import RequestToMain
from todo_tui.tui.widgets.dialog import Dialog


class DatabaseLostScreen(Dialog[None]):
    """Stays open until whoever opened it closes it, once the file has been reopened.

    It may open while the user is typing: no letter answers it, only Tab, Enter and the mouse.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    class ReopenRequested(RequestToMain):
        """Posted to open the file that is at the path now."""

    def __init__(self, error: StoreReplaced) -> None:
        super().__init__()
        self._message = Static(plain_line(error.message), markup=False, classes="message")
        self._reason = Static(markup=False, classes="reason")

    def compose(self) -> ComposeResult:
        """Lay out the message, the choices and the place for an error."""
        with Vertical(id="database-lost"):
            yield Static(Content.styled("Database file missing or changed", "bold"), markup=False)
            yield self._message
            yield Static(
                "Reopen uses the file at this path and keeps text that is not sent or saved. "
                "Quit leaves the file unchanged.",
                markup=False,
            )
            yield self._reason
            with Horizontal(classes="buttons"):
                yield Button("Reopen", variant="primary", id="reopen")
                yield Button("Quit", id="quit")

    def show(self, error: StoreReplaced) -> None:
        """Show the present error, which may have changed."""
        self._message.update(plain_line(error.message))

    def show_failure(self, error: TodoError) -> None:
        """Show why the file could not be reopened."""
        self._reason.update(Content.styled(plain_line(error.text), "$text-error"))
        self._reason.display = True

    @on(Button.Pressed, "#reopen")
    def _request_to_reopen(self) -> None:
        self.post_message(self.ReopenRequested())

    @on(Button.Pressed, "#quit")
    async def _quit(self) -> None:
        await self.app.run_action("app.quit")
