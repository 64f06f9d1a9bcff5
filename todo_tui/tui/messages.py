"""Textual messages that more than one part of the app posts or handles."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from todo_tui.agent.approval import ApprovalQuestion
    from todo_tui.domain.changes import TaskChange
    from todo_tui.domain.errors import TodoError
    from todo_tui.domain.events import TurnEvent


class TasksChanged(Message):
    """Posted after a commit of this process, from the thread that wrote."""

    def __init__(self, changes: tuple[TaskChange, ...]) -> None:
        super().__init__()
        self.changes = changes


class StoreChangedElsewhere(Message, bubble=False):
    """Posted to modal screens when another process wrote or a new day began."""


class TurnEventReceived(Message):
    """Event of the running turn."""

    def __init__(self, event: TurnEvent) -> None:
        super().__init__()
        self.event = event


class TurnCrashed(Message):
    """Turn that ended without a last event.

    `stored` tells whether the user message is kept; if not, `text` goes back into the composer.
    `error` is None if the user stopped the turn before it began.
    """

    def __init__(self, text: str, error: TodoError | None, *, stored: bool) -> None:
        super().__init__()
        self.text = text
        self.error = error
        self.stored = stored


class ApprovalRequested(Message):
    """Approval requested by the turn; the answer is set as the result of `answer`."""

    def __init__(self, question: ApprovalQuestion, answer: asyncio.Future[bool]) -> None:
        super().__init__()
        self.question = question
        self.answer = answer


class ApprovalClosed(Message):
    """Approval that no longer waits, answered or not."""

    def __init__(self, answer: asyncio.Future[bool]) -> None:
        super().__init__()
        self.answer = answer


class ApprovalReadable(Message):
    """Posted when the grace of an approval card is over."""


class RetryRequested(Message):
    """Request to retry the last turn."""


class UndoTurnRequested(Message):
    """Request to undo what the last turn wrote."""


class EarlierTurnsRequested(Message):
    """Request for the page before the oldest shown turn."""


class TurnsUnmounted(Message):
    """Posted after turns far above the viewport were unmounted."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count


class UnreadBelowChanged(Message):
    """Posted when unread content below the viewport appears or was read."""

    def __init__(self, news_below: bool) -> None:
        super().__init__()
        self.news_below = news_below
