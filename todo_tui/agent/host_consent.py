"""Asking the person before messages go to a host for the first time."""

from __future__ import annotations

import asyncio

from todo_tui.agent.approval import Question, is_approved
from todo_tui.agent.turn import Turn
from todo_tui.domain.errors import ConsentNeeded
from todo_tui.domain.events import ApprovalAsked
from todo_tui.domain.text import plain_line

SENT = (
    "this conversation: its newest messages, from now on",
    "what the assistant looks up of your tasks, and their counts",
    "the selected task",
    "today's date and your time zone",
)
"""What a provider receives."""


async def ask_consent(turn: Turn, needed: ConsentNeeded) -> None:
    """Ask whether messages may go to that host, and remember a yes.

    Raises:
        ConsentNeeded: the person said no, or nobody can be asked.
        StoreError: the answer could not be remembered.
        TurnStopped: the person stopped the turn.
    """
    words = plain_line(f"Send messages to {needed.label} at {needed.address}?")
    question = Question(words, SENT, host=needed.address)
    turn.emit(ApprovalAsked(turn.id, "", question.words, question.details))
    with turn.handle.interruptible():
        agreed = await is_approved(turn.desk.approver, question)
    if not agreed:
        raise needed
    await asyncio.to_thread(turn.desk.store.consents.give, *needed.places)
