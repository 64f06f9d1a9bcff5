"""What keys can ask of the conversation."""

from __future__ import annotations

from enum import StrEnum


class Wish(StrEnum):
    """Named in bindings, so that they need not wait for the conversation to be loaded."""

    STOP = "stop"
    RETRY = "retry"
    UNDO_TURN = "undo_turn"
    ANEW = "anew"
    CALLS = "calls"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"
    NEWEST = "newest"
    OLDEST = "oldest"
