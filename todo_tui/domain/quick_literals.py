"""Stretches of a quick-add line that a person wants taken as words, while the line is edited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from todo_tui.domain.quick_marks import Span

Stretch: TypeAlias = tuple[int, int]
"""Characters from the first up to the second, which is none of it."""


def toggled(literals: Sequence[Stretch], spans: Sequence[Span], cursor: int) -> tuple[Stretch, ...]:
    """Make words of what was understood at the cursor, or give its meaning back.

    It is done to what the cursor is in or right behind; else to the last that ends
    before it; else to the first one.
    """
    stretches = sorted({*literals, *((span.start, span.end) for span in spans)})
    if not stretches:
        return ()
    here = [each for each in stretches if each[0] <= cursor <= each[1]]
    before = [each for each in stretches if each[1] < cursor]
    chosen = (here or before or stretches[:1])[-1]
    if chosen in literals:
        return tuple(each for each in literals if each != chosen)
    return tuple(sorted((*literals, chosen)))


def carried_over(literals: Sequence[Stretch], before: str, after: str) -> tuple[Stretch, ...]:
    """The stretches in the text after an edit; one that was edited itself is none any more."""
    if before == after:
        return tuple(literals)
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    changed_to = len(before) - tail
    shift = len(after) - len(before)
    kept: list[Stretch] = []
    for start, end in literals:
        if end <= head:
            kept.append((start, end))
        elif start >= changed_to:
            kept.append((start + shift, end + shift))
    return tuple(kept)
