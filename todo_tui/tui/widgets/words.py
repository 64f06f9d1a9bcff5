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
        self._laid_out = self._words
        """Words that took the lines that there are now."""

    def put(self, words: Content, *, keep_lines: bool = False) -> None:
        """Show these words; the same ones again cost nothing.

        Lines that they do not need stay empty until `fit` if they are to be kept.
        """
        if words.is_same(self._words):
            return
        self._words = words
        # Out of sight its lines are not known.
        surplus = self._surplus if self.content_size.width else None
        fits = surplus == 0 or (keep_lines and surplus is not None and surplus > 0)
        if not fits:
            self._laid_out = words
        self.update(words, layout=not fits)

    def fit(self) -> None:
        """Give back lines that were kept."""
        if self.content_size.width and self._surplus:
            self._laid_out = self._words
            self.refresh(layout=True)

    def on_resize(self) -> None:
        """Lines are what the words need now, whoever laid them out."""
        self._laid_out = self._words

    @property
    def _surplus(self) -> int:
        """How many lines there are that the words do not need."""
        return self._lines(self._laid_out) - self._lines(self._words)

    def _lines(self, words: Content) -> int:
        return words.get_height(self.styles.get_rules(), self.content_size.width)
