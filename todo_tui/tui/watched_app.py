"""App that ends when the message loop of a screen or widget has ended."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.widget import Widget


class MessageLoopEnded(RuntimeError):
    """Raised when a message loop ended although its widget was not closed."""


class WatchedApp(App[None]):
    """Ends the app when the message loop of a widget or screen ends unexpectedly.

    Textual ends a loop silently when CancelledError is raised in one of its handlers, which any
    task can cause that is awaited there and was cancelled (textual 8.2, message_pump.py
    `_process_messages`). The process would go on with a screen that takes no key.
    """

    def _register(self, parent: DOMNode, *widgets: Widget, **places: Any) -> list[Widget]:  # noqa: ANN401 - Textual's
        """Watch every widget and screen at the place where all of them are started."""
        registered = super()._register(parent, *widgets, **places)
        for widget in registered:
            if widget._task is not None:
                widget._task.add_done_callback(partial(self._on_loop_end, widget))
        return registered

    async def _process_messages_loop(self) -> None:
        """Watch the app's own loop, in which an error may be raised in the same way."""
        try:
            await super()._process_messages_loop()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():
                self._report_loop_end(self)
            raise

    def _on_loop_end(self, widget: Widget, task: asyncio.Task[None]) -> None:
        is_leaving = not self._running or self.return_code is not None
        if is_leaving or widget._closing:
            return
        # Removing the widget would otherwise await a task that raises.
        widget._running = False
        widget._task = None
        self._report_loop_end(widget)

    def _report_loop_end(self, pump: MessagePump) -> None:
        # Raised, so that the report has a traceback.
        try:
            raise MessageLoopEnded(f"the message loop of {pump!r} has ended")
        except MessageLoopEnded as error:
            self._handle_exception(error)
