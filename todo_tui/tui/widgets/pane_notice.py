"""The last lines of the pane: what just happened, or the keys that work."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from textual.content import Content
from textual.widgets import Static

from todo_tui.tui.theme import MUTED

_GAP = "  "


class Tone(StrEnum):
    """How a notice is meant."""

    SAID = "said"
    TROUBLE = "trouble"


class PaneNotice(Static):
    """A sentence for a while; without one the keys of the list, on one line."""

    ALLOW_SELECT = False

    def __init__(self, keys: Sequence[tuple[str, str]], *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._keys = tuple(keys)
        self._sentence = ""

    @property
    def sentence(self) -> str:
        """What is said now; empty where the keys stand."""
        return self._sentence

    def say(self, sentence: str, tone: Tone = Tone.SAID) -> None:
        """Show a sentence; an empty one brings the keys back."""
        self._sentence = sentence
        self.set_class(tone is Tone.TROUBLE and bool(sentence), "-trouble")
        self.update(Content(sentence) if sentence else self._key_line())

    def on_resize(self) -> None:
        """Show as many keys as fit."""
        if not self._sentence:
            self.update(self._key_line(), layout=False)

    def _key_line(self) -> Content:
        line = Content("")
        for key, description in self._keys:
            piece = Content.assemble((key, "bold $text-accent"), " ", (description, MUTED))
            longer = line + _GAP + piece if line else piece
            if longer.cell_length > self.content_size.width:
                break
            line = longer
        return line
