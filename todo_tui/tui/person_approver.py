"""Asks the person at the screen before a turn goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.screen import Screen

from todo_tui.tui.messages import ApprovalSettled, ApprovalWanted

if TYPE_CHECKING:
    # For the type alone: the agent is not part of the first frame.
    from todo_tui.agent.approval import Question


class PersonApprover:
    """Has the screen show each question; implements `Approver`.

    Whatever ends the wait, an answer or the end of the turn, the question goes too.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen

    async def decide(self, question: Question) -> bool:
        """Wait for the answer; cancelled when the turn is stopped."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._screen.post_message(ApprovalWanted(question, answer))
        try:
            return await answer
        finally:
            self._screen.post_message(ApprovalSettled(answer))
