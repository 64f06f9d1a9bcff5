"""What a person is asked before a turn goes on, and who asks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from todo_tui.domain.errors import NobodyToAsk


@dataclass(frozen=True, slots=True)
class Question:
    """Something that waits for a yes; the words are plain lines.

    `call_id` is empty where it is not about a tool call; `details` say what would change.
    `host` is where messages would be sent, in a question about that alone: what is sent
    cannot be undone, so that nothing but a person's answer, or naming the host, is a yes.
    """

    words: str
    details: tuple[str, ...] = ()
    call_id: str = ""
    host: str = ""


class Approver(Protocol):
    """Asks a person; whatever needs a yes goes through it."""

    async def decide(self, question: Question) -> bool:
        """Wait for the answer; cancelled when the turn is stopped.

        Raises:
            NobodyToAsk: there is no person to answer.
        """
        ...


async def is_approved(approver: Approver, question: Question) -> bool:
    """Wait for the answer; no where there is nobody to ask."""
    try:
        return await approver.decide(question)
    except NobodyToAsk:
        return False


class ApproveAll:
    """Approves everything without asking, as `--yes` does."""

    async def decide(self, question: Question) -> bool:
        """Yes, except to sending messages to another host."""
        return not question.host


class ApproveNone:
    """Stands where there is no person to ask: whatever needs approval is not done."""

    async def decide(self, question: Question) -> bool:
        """Refuse.

        Raises:
            NobodyToAsk: always.
        """
        raise NobodyToAsk
