"""The turning mark of whatever is still running."""

from __future__ import annotations

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

SPIN_SECONDS = 0.1
"""Seconds from one frame to the next."""


def spinner_frame(tick: int) -> str:
    """The character for that tick, one cell wide."""
    return _FRAMES[tick % len(_FRAMES)]
