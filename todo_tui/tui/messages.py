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
    """This process wrote tasks; posted after the commit, from whichever thread wrote."""

    def __init__(self, changes: tuple[TaskChange, ...]) -> None:
        super().__init__()
        self.changes = changes


class StoreChangedElsewhere(Message, bubble=False):
    """Another process wrote, or a new day has begun; told to screens over the main one."""


class TurnEventReceived(Message):
    """The running turn reports something."""

    def __init__(self, event: TurnEvent) -> None:
        super().__init__()
        self.event = event


class TurnCrashed(Message):
    """A turn ended without a last event of its own.

    `stored` says whether the person's message is kept; if not, `text` goes back into
    the composer. `error` is None where the person stopped it before it had begun.
    """

    def __init__(self, text: str, error: TodoError | None, *, stored: bool) -> None:
        super().__init__()
        self.text = text
        self.error = error
        self.stored = stored


class ApprovalRequested(Message):
    """The turn waits for a yes or a no, which is to be set as the result of `answer`."""

    def __init__(self, question: ApprovalQuestion, answer: asyncio.Future[bool]) -> None:
        super().__init__()
        self.question = question
        self.answer = answer


class ApprovalClosed(Message):
    """The question with that `answer` waits no more, answered or not."""

    def __init__(self, answer: asyncio.Future[bool]) -> None:
        super().__init__()
        self.answer = answer


class ApprovalReadable(Message):
    """The question has been on screen for long enough to be read."""


class RetryRequested(Message):
    """The last message, whose turn did not finish, is to be sent again."""


class UndoTurnRequested(Message):
    """What the last turn wrote is to be taken back."""


class EarlierTurnsRequested(Message):
    """The reader has come to the oldest turn that is shown, and there are more."""


class TurnsUnmounted(Message):
    """The transcript has let go of turns far above the reader."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count


class UnreadBelowChanged(Message):
    """Something arrived below what the reader looks at, or the reader has come down to it."""

    def __init__(self, news_below: bool) -> None:
        super().__init__()
        self.news_below = news_below
