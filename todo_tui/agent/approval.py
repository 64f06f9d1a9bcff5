"""What a person is asked before a turn goes on, and who asks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Question:
    """Something that waits for a yes; the words are plain lines.

    `call_id` is empty where it is not about a tool call; `details` say what would change.
    """

    words: str
    details: tuple[str, ...] = ()
    call_id: str = ""


class Approver(Protocol):
    """Asks a person; whatever needs a yes goes through it."""

    async def decide(self, question: Question) -> bool:
        """Wait for the answer; cancelled when the turn is stopped."""
        ...


class ApproveAll:
    """Asks nobody: what was done can be undone."""

    async def decide(self, question: Question) -> bool:
        """Yes."""
        return True


class ApproveNone:
    """For where nobody is there to be asked."""

    async def decide(self, question: Question) -> bool:
        """No."""
        return False
