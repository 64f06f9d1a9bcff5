"""Who is asked before a tool call runs."""

from __future__ import annotations

from typing import Protocol

from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.request import ToolSpec


class Approver(Protocol):
    """Decides about each call before it runs; whatever asks a person goes through it."""

    def question(self, call: ToolCall, spec: ToolSpec) -> str | None:
        """One plain line to ask the person; None where the call may just run."""
        ...

    async def decide(self, call: ToolCall, spec: ToolSpec) -> bool:
        """Wait for the answer to `question`; cancelled when the turn is stopped."""
        ...


class ApproveAll:
    """Asks nobody: what was done can be undone."""

    def question(self, call: ToolCall, spec: ToolSpec) -> str | None:
        """Nothing to ask."""
        return None

    async def decide(self, call: ToolCall, spec: ToolSpec) -> bool:
        """Yes."""
        return True
