"""What the conversation on screen is called: its first words, then a name from a model."""

from __future__ import annotations

import asyncio
import logging

from todo_tui.domain.errors import TodoError
from todo_tui.tui.conversation_log import ConversationLog, Page
from todo_tui.tui.widgets.conversation_title import ConversationTitle
from todo_tui.tui.workbench import Workbench

_logger = logging.getLogger(__name__)


class ConversationNaming:
    """Keeps the title above the conversation true.

    A model is asked for a name once, after the first turn that finished; without one
    the conversation is none the worse.
    """

    def __init__(
        self, workbench: Workbench, log: ConversationLog, title: ConversationTitle
    ) -> None:
        self._ask = workbench.name_conversation
        self._log = log
        self._title = title
        self._unnamed = False

    def opened(self, page: Page) -> None:
        """Another conversation is on screen."""
        self._unnamed = not page.answered
        self._title.title = page.title

    def begun(self) -> None:
        """The first message of a conversation is stored: it has a title from now on."""
        self._title.run_worker(self._read(), group="title")

    def finished(self) -> None:
        """A turn has finished."""
        conversation_id = self._log.conversation_id
        if self._unnamed and self._ask is not None and conversation_id is not None:
            self._unnamed = False
            self._title.run_worker(self._name(conversation_id), group="title")

    async def _read(self) -> None:
        try:
            self._title.title = await asyncio.to_thread(self._log.title)
        except TodoError as error:
            _logger.warning("the title of a conversation could not be read: %s", error.message)

    async def _name(self, conversation_id: str) -> None:
        assert self._ask is not None  # noqa: S101 - looked at before this was started
        try:
            title = await self._ask(conversation_id)
        except TodoError as error:
            _logger.info("a conversation could not be named: %s", error.message)
            return
        if title and conversation_id == self._log.conversation_id:
            self._title.title = title
