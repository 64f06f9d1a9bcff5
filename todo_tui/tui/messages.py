"""Textual messages that more than one part of the app posts or handles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

if TYPE_CHECKING:
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
