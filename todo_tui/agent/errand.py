"""A small request beside the turns: one text in, one text out, no tools."""

from __future__ import annotations

from todo_tui.domain.conversation import Message, Role, Text
from todo_tui.domain.request import Request


def errand(task: str, material: str) -> Request:
    """The request of a task for a model that knows of nothing else."""
    return Request(task, (Message(Role.USER, (Text(material),)),))
