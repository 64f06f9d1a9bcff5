"""The content blocks of an answer, each put together from the deltas of its kind.

Follows the API reference "Streaming messages", and what servers send instead: whole
blocks at their start, arguments as an object or as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from todo_tui.domain.clock import NewId
from todo_tui.domain.conversation import Part, Text, ToolCall
from todo_tui.domain.request import StreamEvent, TextDelta, ThinkingDelta, ToolCallStarted
from todo_tui.domain.text import whole_characters
from todo_tui.providers.foreign import member, text_of
from todo_tui.providers.messages.thinking import Mark, read_thinking, redacted_thinking
from todo_tui.providers.surrogates import SurrogateJoiner
from todo_tui.providers.tool_arguments import call_id


class TextBlock:
    """Words of the answer."""

    def __init__(self) -> None:
        self._joiner = SurrogateJoiner()
        self._words: list[str] = []

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """More words, from a delta or from the block's own beginning."""
        yield from self._heard(self._joiner.feed(text_of(delta, "text")))

    def finish(self) -> Iterator[StreamEvent]:
        """No more is to come: what was held back."""
        yield from self._heard(self._joiner.finish())

    def part(self) -> Part | None:
        """The part of the message that it is; None for no words at all."""
        return Text("".join(self._words)) if self._words else None

    def _heard(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._words.append(text)
            yield TextDelta(text)


class ThinkingBlock:
    """Thinking with its signature; its words may be a summary, or be left out."""

    def __init__(self, mark: Mark) -> None:
        self._mark = mark
        self._joiner = SurrogateJoiner()
        self._words: list[str] = []
        self._signature = ""

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """More words, or the signature that seals them."""
        self._signature = whole_characters(text_of(delta, "signature")) or self._signature
        yield from self._heard(self._joiner.feed(text_of(delta, "thinking")))

    def finish(self) -> Iterator[StreamEvent]:
        """No more is to come: what was held back."""
        yield from self._heard(self._joiner.finish())

    def part(self) -> Part | None:
        """The part of the message that it is; None for one that is neither said nor signed."""
        if not self._words and not self._signature:
            return None
        return read_thinking("".join(self._words), self._signature, self._mark)

    def _heard(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._words.append(text)
            yield ThinkingDelta(text)


class RedactedBlock:
    """Thinking that nobody but its server can read; it comes whole."""

    def __init__(self, mark: Mark) -> None:
        self._mark = mark
        self._data = ""

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """What it holds."""
        self._data = whole_characters(text_of(delta, "data")) or self._data
        yield from ()

    def finish(self) -> Iterator[StreamEvent]:
        """Nothing is ever held back."""
        yield from ()

    def part(self) -> Part | None:
        """The part of the message that it is; None for an empty one."""
        return redacted_thinking(self._data, self._mark) if self._data else None


class ToolUseBlock:
    """A call, its arguments as fragments of JSON text."""

    def __init__(self, taken: set[str], new_id: NewId) -> None:
        self._taken = taken
        self._new_id = new_id
        self._given_id = ""
        self.name = ""
        self._fragments: list[str] = []
        self._whole: object = None

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """Id and name at its beginning, then fragments, which may be none."""
        self._given_id = self._given_id or text_of(delta, "id")
        if self._whole is None:
            self._whole = member(delta, "input")
        self._fragments.append(text_of(delta, "partial_json"))
        if not self.name and (name := whole_characters(text_of(delta, "name"))):
            self.name = name
            yield ToolCallStarted(name)

    def finish(self) -> Iterator[StreamEvent]:
        """Nothing is ever held back."""
        yield from ()

    def part(self) -> Part | None:
        """The call, with an id that no other has; without arguments it has `{}`."""
        return ToolCall(call_id(self._given_id, self._taken, self._new_id), self.name, self._text())

    def _text(self) -> str:
        written = "".join(self._fragments).strip()
        if not written and isinstance(self._whole, str):
            written = self._whole.strip()
        elif not written and self._whole is not None:
            written = json.dumps(self._whole, ensure_ascii=False)
        return whole_characters(written) or "{}"


Block = TextBlock | ThinkingBlock | RedactedBlock | ToolUseBlock
