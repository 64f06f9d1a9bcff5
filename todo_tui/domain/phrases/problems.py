"""Why a phrase that follows the grammar still names no day."""

from __future__ import annotations

from todo_tui.domain.errors import ValidationError


class DateNotUnderstood(ValidationError):
    """Words that are no date, repeat or range that can be read, or one that does not exist."""
