"""Approver: who is asked for approvals, and the question; for all or none there is an answer."""

from dataclasses import dataclass
from typing import Protocol

from todo_tui.domain.errors import NobodyToAsk


@dataclass(frozen=True, slots=True)
class ApprovalQuestion:
    """A question for the user; all text is plain lines.

    `call_id` is empty if it is not about a tool call; `details` say what would change.
    `host` is set for consent to send messages there. Sent data cannot be taken back, so
    only the answer of a person, or naming the host, is a yes.
    """

    words: str
    details: tuple[str, ...] = ()
    call_id: str = ""
    host: str = ""


class Approver(Protocol):
    """Asks the user; all approvals go through it."""

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Wait for the answer; cancelled when the turn is stopped.

        Raises:
            NobodyToAsk: There is nobody to answer.
        """
        ...


class ApproveAll:
    """Approves everything but consent without asking, for `--yes`."""

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Approve, except for sending messages to another host."""
        return not question.host


class ApproveNone:
    """Refuses everything, where there is nobody to ask."""

    async def decide(self, question: ApprovalQuestion) -> bool:
        """Refuse.

        Raises:
            NobodyToAsk: Always.
        """
        raise NobodyToAsk
