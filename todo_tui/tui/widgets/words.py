"""Words that change at each key: the screen is laid out anew only where they take other lines."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Static


class Words(Static):
    """A Static for often changed words; to lay out a screen costs more than to draw it."""

    ALLOW_SELECT = False

    # The base class lays the screen out and draws it once more when this changes.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(self, *, id: str | None = None, classes: str = "") -> None:
        super().__init__(id=id, markup=False, classes=classes)
        self._words = Content("")

    def put(self, words: Content) -> None:
        """Show these words; the same ones again cost nothing."""
        if words.is_same(self._words):
            return
        before, self._words = self._words, words
        width = self.content_size.width
        # Out of sight its lines are not known.
        fits = bool(width) and self._lines(words, width) == self._lines(before, width)
        self.update(words, layout=not fits)

    def _lines(self, words: Content, width: int) -> int:
        return words.get_height(self.styles.get_rules(), width)
