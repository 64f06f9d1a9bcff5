"""Choices of an approval card."""

from enum import StrEnum


class Choice(StrEnum):
    """Answer that a card offers; those that approve come first."""

    APPROVE = "approve"
    APPROVE_ALWAYS = "approve_always"
    DENY = "deny"
    EXPLAIN = "explain"
    """Deny and say why."""

    @property
    def approves(self) -> bool:
        """True for a yes."""
        return self in (Choice.APPROVE, Choice.APPROVE_ALWAYS)
