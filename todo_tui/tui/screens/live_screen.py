"""Screens above the main one: messages between them, base of those that reload."""

from typing import ClassVar, TypeVar

from textual import on, work
from textual.content import Content
from textual.css.query import NoMatches
from textual.message import Message
from textual.widgets import Static

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_text
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.dialog import Dialog

_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
ScreenResult = TypeVar("ScreenResult")


class StoreChanged(Message, bubble=False):
    """Posted to modal screens when any process wrote or a new day began."""


class RequestToMain(Message):
    """Base of messages to the main screen from those above it; the app passes them on."""


class LiveScreen(Dialog[ScreenResult]):
    """Screen that reads when it opens, and again after a write by any process."""

    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    ERROR_PLACE: ClassVar[str]
    """Selector of the Static that shows an error of reading."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self.services = services

    async def load(self) -> None:
        """Read and show the content; TodoError where it cannot be read."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Read the content."""
        self.read()

    @on(StoreChanged)
    @work(group="reading", exclusive=True)
    async def read(self) -> None:
        """Read again; a newer call replaces one that is still running."""
        try:
            await self._load_or_explain()
        except NoMatches:
            # Widgets of a screen that closes, or of an app that quits, are removed before
            # its workers are cancelled.
            if self.is_attached and self in self.app.screen_stack:
                raise

    async def _load_or_explain(self) -> None:
        try:
            await self.load()
        except TodoError as error:
            text = Content.styled(plain_text(error.message), "$text-error")
            self.query_one(self.ERROR_PLACE, Static).update(text)
