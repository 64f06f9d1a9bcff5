"""What keys of the list ask for beyond moving: a name for each, as bindings give it."""

from __future__ import annotations

from enum import StrEnum


class Deed(StrEnum):
    """Something that a key does to the marked tasks, or to the one under the cursor."""

    MARK = "mark"
    MARK_ALL = "mark_all"
    MARK_DOWN = "mark_down"
    MARK_UP = "mark_up"
    BEGIN = "begin"
    CANCEL = "cancel"
    CHANGE = "change"
    DATE = "date"
    ADD_SUBTASK = "add_subtask"
    MOVE_DOWN = "move_down"
    MOVE_UP = "move_up"
    INDENT = "indent"
    OUTDENT = "outdent"
    FOLD = "fold"
    UNFOLD = "unfold"
    FOLD_ALL = "fold_all"
    UNFOLD_ALL = "unfold_all"
    REPEAT = "repeat"
    SKIP = "skip"
    END_SERIES = "end_series"
    COPY = "copy"
    OPEN_LINKS = "open_links"
    RESTORE = "restore"
    PURGE = "purge"
