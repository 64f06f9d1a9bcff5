"""The words of a search, marked in the titles that have them."""

from __future__ import annotations

from collections.abc import Iterator

from todo_tui.tui.widgets.cell_text import ELLIPSIS

_ENDS = (" ", ELLIPSIS)
_FILLING = "".join(_ENDS)


def parted(shown: str, words: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The pieces of a title as it is shown, each with whether it was searched for.

    The pieces together are the text itself, and each ends between characters as they
    are drawn, so that the row keeps its width.
    """
    if not words:
        yield shown, False
        return
    # A title that is cut has the one mark that keeps it from being plain ASCII at its end.
    titled = shown.rstrip(_FILLING) if not any(word.endswith(_ENDS) for word in words) else shown
    # Needed only once something was searched for.
    from todo_tui.domain.filter_spans import matched_spans

    end = 0
    for start, stop in matched_spans(titled, words):
        if end < start:
            yield shown[end:start], False
        yield shown[start:stop], True
        end = stop
    if end < len(shown):
        yield shown[end:], False
