"""The words of a turn as they stream: what is settled, and what may still be replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from todo_tui.domain import request
from todo_tui.domain.events import CallRestarted, TextDelta, ThinkingDelta, TurnEvent
from todo_tui.domain.request import Provider

_BETWEEN_MESSAGES = "\n\n"


class Speech:
    """What the model says, reported as it comes.

    The TextDeltas of a turn, but for those before a CallRestarted of the same model
    call, are together its answer: a message of a later call begins a new paragraph.
    A message that its server paused in goes on in the next call, as if in the same.
    """

    def __init__(self, turn_id: str, emit: Callable[[TurnEvent], None]) -> None:
        self._turn_id = turn_id
        self._emit = emit
        self._settled = ""
        self._held = ""
        self._pieces: list[str] = []
        self._shown = False
        self._stale = False
        self._asked: Provider | None = None
        self.speaker: Provider | None = None
        """Whose words the partial ones are."""

    @property
    def partial(self) -> str:
        """The words of a message that is not complete."""
        return self._held + "".join(self._pieces)

    @property
    def answer(self) -> str:
        """All words so far."""
        partial = self.partial
        between = _BETWEEN_MESSAGES if self._settled and partial else ""
        return self._settled + between + partial

    def expect(self, provider: Provider) -> None:
        """It is asked, perhaps again: what was said before counts until it speaks."""
        self._asked = provider
        self._stale = self._shown

    def hear(
        self, event: request.TextDelta | request.ThinkingDelta | request.ToolCallStarted
    ) -> None:
        """More of the present call."""
        match event:
            case request.TextDelta():
                self._say(event.text)
            case request.ThinkingDelta():
                self._think(event.text)
            case request.ToolCallStarted():
                self._begin()
            case _:
                assert_never(event)

    def settle(self, words: str) -> None:
        """The message is complete, and these are all its words."""
        self._complete(words)
        self._settled = self.answer
        self._held = ""
        self._pieces = []

    def hold(self, words: str) -> None:
        """The message so far has these words, and goes on in the next call."""
        self._complete(words)
        self._held = words
        self._pieces = []

    def hand_over(self) -> None:
        """Somebody else answers next and begins the message anew."""
        self._shown = self._shown or bool(self._held)
        self._pieces.insert(0, self._held)
        self._held = ""

    def _say(self, words: str) -> None:
        if not words:
            return
        self._begin()
        first = not (self._held or any(self._pieces))
        between = _BETWEEN_MESSAGES if first and self._settled else ""
        self._pieces.append(words)
        self._shown = True
        self._emit(TextDelta(self._turn_id, between + words))

    def _think(self, words: str) -> None:
        self._begin()
        if words:
            self._shown = True
            self._emit(ThinkingDelta(self._turn_id, words))

    def _complete(self, words: str) -> None:
        self._begin()
        said = self.partial
        if not words.startswith(said):
            self._held = said = ""
            self._restart()
        self._say(words[len(said) :])
        self._shown = False

    def _begin(self) -> None:
        """Who was asked last speaks now."""
        if self._stale:
            self._restart()
        self.speaker = self._asked

    def _restart(self) -> None:
        self._pieces = []
        self._shown = self._stale = False
        self._emit(CallRestarted(self._turn_id))
        if self._held:
            # What the paused part of the message said was taken from the screen too.
            between = _BETWEEN_MESSAGES if self._settled else ""
            self._emit(TextDelta(self._turn_id, between + self._held))
