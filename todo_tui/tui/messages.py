"""Textual messages that more than one part of the app posts or handles."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from todo_tui.agent.approver import ApprovalQuestion
    from todo_tui.domain.changes import TaskChange
    from todo_tui.store.store import Store


@dataclass
class TasksChanged(Message):
    """Posted after a commit of this process, from the thread that wrote."""

    changes: tuple[TaskChange, ...]


def post_task_changes(store: Store, receiver: MessagePump) -> Callable[[], None]:
    """Post `TasksChanged` after each commit of this process; return what ends that."""

    def post(changes: tuple[TaskChange, ...]) -> None:
        receiver.post_message(TasksChanged(changes))

    return store.tasks.subscribe(post)


class StoreChangedElsewhere(Message, bubble=False):
    """Posted to modal screens when another process wrote or a new day began."""


class TranscriptChanged(Message):
    """Posted after an event of the running turn was drawn."""

    def can_replace(self, message: Message) -> bool:
        """Replace earlier ones that wait."""
        return isinstance(message, TranscriptChanged)


@dataclass
class FilterRequested(Message):
    """Request of the assistant to show these tasks in the list."""

    filter_text: str


@dataclass
class ApprovalRequested(Message):
    """Approval requested by the turn; the answer is set as the result of `answer`."""

    question: ApprovalQuestion
    answer: asyncio.Future[bool]


@dataclass
class ApprovalClosed(Message):
    """Approval that no longer waits, answered or not."""

    answer: asyncio.Future[bool]


class RetryRequested(Message):
    """Request to retry the last turn."""


class UndoTurnRequested(Message):
    """Request to undo what the last turn wrote."""


class EarlierTurnsRequested(Message):
    """Request for the page before the oldest shown turn."""


@dataclass
class TurnsUnmounted(Message):
    """Posted after turns far above the viewport were unmounted."""

    count: int


@dataclass
class UnreadBelowChanged(Message):
    """Posted when unread content below the viewport appears or was read."""

    unread_below: bool
