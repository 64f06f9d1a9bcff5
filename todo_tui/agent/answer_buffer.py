"""Text of the answer of a turn as it streams in, and the events that report it."""

from collections.abc import Iterator
from dataclasses import replace

from todo_tui.domain.events import CallRestarted, TurnEvent
from todo_tui.domain.messages import Provider, TextDelta, ThinkingDelta, ToolCallStarted

_PARAGRAPH_BREAK = "\n\n"


class AnswerBuffer:
    """Text of the answer; its methods yield the events that report it as it streams in.

    The TextDeltas of a turn, except those before a CallRestarted of the same model
    call, add up to its answer: the message of a later call begins a new paragraph.
    A message paused by its server continues in the next call as if in the same one.
    """

    def __init__(self, turn_id: str, provider: Provider) -> None:
        self.provider = provider
        """Provider of the current call."""
        self.answering_provider = provider
        """Provider of the partial text."""
        self._turn_id = turn_id
        self._completed = ""
        self._paused = ""
        self._pieces: list[str] = []
        self._has_emitted = False
        self._is_stale = False

    @property
    def partial(self) -> str:
        """Text of the incomplete message."""
        return self._paused + "".join(self._pieces)

    @property
    def answer(self) -> str:
        """Text of all messages so far."""
        partial = self.partial
        return self._completed + (self._paragraph_break if partial else "") + partial

    @property
    def _paragraph_break(self) -> str:
        return _PARAGRAPH_BREAK if self._completed else ""

    def start_call(self, provider: Provider) -> None:
        """Begin a model call; partial text of a failed attempt stays until the first delta."""
        self.provider = provider
        self._is_stale = self._has_emitted

    def add(self, event: TextDelta | ThinkingDelta | ToolCallStarted) -> Iterator[TurnEvent]:
        """Append an event of the current call."""
        if isinstance(event, TextDelta) and not event.text:
            return
        yield from self._begin()
        if isinstance(event, ToolCallStarted) or not event.text:
            return
        self._has_emitted = True
        if isinstance(event, ThinkingDelta):
            yield event
            return
        is_first = not (self._paused or any(self._pieces))
        self._pieces.append(event.text)
        text = self._paragraph_break + event.text if is_first else event.text
        yield replace(event, text=text)

    def end_message(self, text: str, *, is_paused: bool = False) -> Iterator[TurnEvent]:
        """End the message, or pause it; `text` is its whole text."""
        yield from self._begin()
        streamed = self.partial
        if not text.startswith(streamed):
            self._paused = streamed = ""
            yield from self._restart()
        yield from self.add(TextDelta(text[len(streamed) :]))
        self._has_emitted = False
        if not is_paused:
            self._completed = self.answer
        self._paused, self._pieces = text if is_paused else "", []

    def restart_message(self) -> None:
        """Treat a paused message as partial: another provider starts it again."""
        self._has_emitted = self._has_emitted or bool(self._paused)
        self._pieces.insert(0, self._paused)
        self._paused = ""

    def _begin(self) -> Iterator[TurnEvent]:
        if self._is_stale:
            yield from self._restart()
        self.answering_provider = self.provider

    def _restart(self) -> Iterator[TurnEvent]:
        self._pieces = []
        self._has_emitted = self._is_stale = False
        yield CallRestarted(self._turn_id)
        if self._paused:
            # CallRestarted has removed the paused part from the screen too.
            yield TextDelta(self._paragraph_break + self._paused)
