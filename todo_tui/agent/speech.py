"""The words of a turn as they stream: what is settled, and what may still be replaced."""

from __future__ import annotations

from collections.abc import Callable

from todo_tui.domain.events import CallRestarted, TextDelta, ThinkingDelta, TurnEvent

_BETWEEN_MESSAGES = "\n\n"


class Speech:
    """What the model says, reported as it comes.

    The TextDeltas of a turn, but for those before a CallRestarted of the same model
    call, are together its answer: a message of a later call begins a new paragraph.
    """

    def __init__(self, turn_id: str, emit: Callable[[TurnEvent], None]) -> None:
        self._turn_id = turn_id
        self._emit = emit
        self._settled = ""
        self._partial = ""
        self._shown = False
        self._stale = False

    @property
    def partial(self) -> str:
        """The words of a model call that is not complete."""
        return self._partial

    @property
    def answer(self) -> str:
        """All words so far."""
        return self._settled + self._separator() + self._partial

    def expect(self) -> None:
        """A model call is sent, perhaps again: what it said before counts until it speaks."""
        self._stale = self._shown

    def say(self, words: str) -> None:
        """More words of the present call."""
        if not words:
            return
        self.begin()
        between = "" if self._partial else self._separator(words)
        self._partial += words
        self._shown = True
        self._emit(TextDelta(self._turn_id, between + words))

    def think(self, words: str) -> None:
        """More thinking of the present call."""
        self.begin()
        if words:
            self._shown = True
            self._emit(ThinkingDelta(self._turn_id, words))

    def settle(self, words: str) -> None:
        """The present call is complete, and these are all its words."""
        self.begin()
        if not words.startswith(self._partial):
            self._restart()
        self.say(words[len(self._partial) :])
        self._settled = self.answer
        self._partial = ""
        self._shown = False

    def begin(self) -> None:
        """The call that was sent last speaks now."""
        if self._stale:
            self._restart()

    def _restart(self) -> None:
        self._partial = ""
        self._shown = self._stale = False
        self._emit(CallRestarted(self._turn_id))

    def _separator(self, words: str | None = None) -> str:
        following = self._partial if words is None else words
        return _BETWEEN_MESSAGES if self._settled and following else ""
