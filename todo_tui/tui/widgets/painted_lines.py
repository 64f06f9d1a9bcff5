"""The lines of a widget as they are on screen, kept until something refreshes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.geometry import Region
from textual.strip import Strip


class PaintedLines:
    """Finished strips by their line; a move of the cursor paints two of them anew.

    `state` is what all of them depend on: kept lines are those of the state before.
    """

    def __init__(self) -> None:
        self._strips: dict[int, Strip] = {}
        self._state: object = None

    def forget(self, regions: Iterable[Region]) -> None:
        """These are to be painted anew; where none are named, all of them."""
        named = False
        for region in regions:
            named = True
            for line in region.line_range:
                self._strips.pop(line, None)
        if not named:
            self._strips.clear()

    def missing(self, crop: Region, state: object) -> range:
        """The lines to paint before all of a region are there; in between can be others."""
        if state != self._state:
            self._state = state
            self._strips.clear()
        absent = [line for line in crop.line_range if line not in self._strips]
        return range(absent[0], absent[-1] + 1) if absent else range(0)

    def keep(self, first: int, strips: Sequence[Strip]) -> None:
        """Take lines that were painted, from `first` on."""
        self._strips.update(enumerate(strips, first))

    def of(self, crop: Region) -> list[Strip]:
        """The lines of a region, none of which are missing."""
        return [self._strips[line].crop(*crop.column_span) for line in crop.line_range]
