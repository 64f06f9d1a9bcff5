"""The last lines of the pane: what just happened, or the keys that work."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from textual.content import Content
from textual.message import Message
from textual.timer import Timer

from todo_tui.domain.errors import TodoError
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.pane_question import Question
from todo_tui.tui.widgets.task_sentences import Sentence, on_one_line
from todo_tui.tui.widgets.words import Words

_GAP = "  "


SECONDS = 8.0
"""How long a sentence stands where the keys of the list are."""


class _Kind(StrEnum):
    """What stands here; a class of the widget where that has other colours."""

    KEYS = ""
    SAID = "-said"
    TROUBLE = "-trouble"
    ASKED = "-asked"


_COLOURED = (_Kind.TROUBLE, _Kind.ASKED)


class PaneNotice(Words):
    """A sentence for a while; without one the keys of the list, on one line."""

    class Asked(Message):
        """A question stands here: keys of the list answer it."""

        def __init__(self, question: Question) -> None:
            super().__init__()
            self.question = question

    def __init__(self, keys: Sequence[tuple[str, str]], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._kind = _Kind.KEYS
        self._keys = tuple(keys)
        self._kept = ""
        self._timer: Timer | None = None
        self.question: Question | None = None
        """What is asked at the moment."""
        self.said = 0
        """How many sentences were said so far."""

    def say(self, sentence: str | Sentence) -> None:
        """Show a sentence for a while; with shorter titles where that keeps it on one line."""
        self.said += 1
        room = self.content_size.width
        words = sentence if isinstance(sentence, str) else on_one_line(sentence, room)
        self._show(words, _Kind.SAID)
        self._timer = self.set_timer(SECONDS, self._show_keys_again)

    def say_error(self, error: TodoError) -> None:
        """Say what went wrong and what to do; it stays until something works."""
        self._show(" ".join(filter(None, (error.message, error.hint))), _Kind.TROUBLE)

    def keep(self, sentence: str) -> None:
        """Have a sentence in place of the keys for as long as it is true; empty: the keys."""
        self._kept = sentence
        self._refresh_keys()

    def ask(self, question: Question) -> None:
        """Ask something; it stands until it is answered or withdrawn."""
        self.display = True
        self.question = question
        self.post_message(self.Asked(question))
        self._show(question.sentence, _Kind.ASKED)

    def withdraw(self) -> None:
        """Nothing is asked any more."""
        if self.question is not None:
            self.question = None
            self._show_keys_again()

    def forgive(self, said: int) -> None:
        """Something worked: a trouble is old, and so is what was said before it was begun.

        Of what was said only since, which is more than `said` sentences, nothing is taken.
        """
        if self._kind is _Kind.TROUBLE or (self._kind is _Kind.SAID and self.said == said):
            self._show_keys_again()

    def show_keys(self, keys: Sequence[tuple[str, str]]) -> None:
        """Name these keys from now on."""
        if tuple(keys) != self._keys:
            self._keys = tuple(keys)
            self._refresh_keys()

    def on_resize(self) -> None:
        """Show as many keys as fit."""
        self._refresh_keys()

    def _show(self, sentence: str, kind: _Kind) -> None:
        if self._timer is not None:
            self._timer.stop()
        if kind is not _Kind.ASKED:
            self.question = None
        self._kind = kind
        for coloured in _COLOURED:
            self.set_class(kind is coloured, coloured)
        self.put(Content(sentence) if sentence else self._key_line())

    def _show_keys_again(self) -> None:
        self._show("", _Kind.KEYS)

    def _refresh_keys(self) -> None:
        if self._kind is _Kind.KEYS:
            self.put(self._key_line())

    def _key_line(self) -> Content:
        if self._kept:
            return Content.styled(self._kept, "$text-accent")
        line = Content("")
        for key, description in self._keys:
            piece = Content.assemble((key, "bold $text-accent"), " ", (description, MUTED))
            longer = line + _GAP + piece if line else piece
            if longer.cell_length > self.content_size.width:
                break
            line = longer
        return line
