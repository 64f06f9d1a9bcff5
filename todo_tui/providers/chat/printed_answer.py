"""A streamed answer of a model that prints its calls and thoughts among its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from todo_tui.providers.chat.call_markup import (
    CALL_FENCE,
    CLOSERS,
    FENCE,
    FENCE_SO_FAR,
    HARMONY,
    HARMONY_BODY,
    HARMONY_ENDS,
    LONGEST_HEADER,
    OPENER,
    OPENERS_BEGUN,
    THOUGHTS,
    THOUGHTS_OVER,
    WHOLE_BLOCKS,
    beginnings,
    unfinished,
)
from todo_tui.providers.chat.printed_calls import CallReader, PrintedCall, leading_json

_LONGEST_CALL = 20_000
"""Characters that a call may take; text that is longer was none."""
_LOOKED_AT_EACH_TIME = 1_000
"""Characters up to which all that is held back is read anew with each delta."""
_LOOK_AGAIN = 8
"""Beyond that it is read once it has grown by this part of its length: reading it with each
of a thousand deltas would take seconds."""

_BLANKS = " \t\r\n"
_QUOTES = "`\"'“”‘’„«»"
"""What stands right before a mark that is only spoken of."""
_RECIPIENT = re.compile(r"\bto=([\w.-]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_PYTHON_SO_FAR = re.compile(r"\[?\s*([A-Za-z_]\w*)?(\(?)")
_JSON_QUOTE = re.compile(r'(?<!\\)"')
_FIRST_KEY = re.compile(r'\[?\s*\{\s*"([^"]*)("?)')
_BRACKETS_SO_FAR = re.compile(r"\[?\s*(?:\{\s*)?")
_CALL_KEYS = (
    *("name", "tool", "tool_name", "function", "type", "id", "tool_calls", "tool_call_id"),
    *("arguments", "parameters", "args", "input"),
)


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the answer that can be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Words between `<think>` and `</think>`."""

    text: str


@dataclass(frozen=True, slots=True)
class SecondThoughts:
    """All words so far were thoughts: their end came, and nothing had said that they begin."""

    text: str = ""


Piece = Words | Thought | SecondThoughts


@dataclass(frozen=True, slots=True)
class _Step:
    """So many characters of what is held are done with, and this is shown of them."""

    length: int
    shown: Piece | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    """So many characters at the beginning, and what they say; nothing: surely no call."""

    length: int
    body: str = ""


class PrintedAnswer:
    """Lets words through as they come, and holds back what may turn out to be a call.

    Bare JSON and Python count at the beginning of an answer only; tags and fences
    anywhere, unless they are quoted.
    """

    def __init__(self, reader: CallReader) -> None:
        self.calls: list[PrintedCall] = []
        """Those found so far, in the order printed."""
        self._reader = reader
        self._held = ""
        self._look_at = 0
        """How long that has to be before it is worth to be read again."""
        self._at_start = True
        self._skipped = _BLANKS
        self._before = ""
        """The last character of the words so far."""
        self._thoughts_end = ""
        """What ends the thoughts that have begun; empty: none have."""
        self._harmony = False
        """Whether the answer is in channels, so that their ends are no words."""

    def feed(self, text: str) -> Iterator[Piece]:
        """Take a delta; what can be shown now."""
        self._held += text
        if len(self._held) < self._look_at:
            return
        yield from self._released(final=False)
        held = len(self._held)
        self._look_at = held + held // _LOOK_AGAIN if held > _LOOKED_AT_EACH_TIME else 0

    def finish(self) -> Iterator[Piece]:
        """What was held back and is no call."""
        return self._released(final=True)

    def _released(self, *, final: bool) -> Iterator[Piece]:
        while self._held and (step := self._step(final=final)) is not None:
            self._held = self._held[step.length :]
            match step.shown:
                case Words(text) | Thought(text) if not text:
                    continue
                case None:
                    continue
                case Words(text):
                    self._at_start, self._skipped, self._before = False, "", text[-1]
            yield step.shown

    def _step(self, *, final: bool) -> _Step | None:
        """What to do with the beginning of what is held; None: wait for more."""
        held = self._held
        if self._thoughts_end:
            return self._thoughts(final=final)
        if held[0] in self._skipped:
            return _Step(len(held) - len(held.lstrip(self._skipped)))
        if self._at_start and self._may_be_python():
            return None if not final else self._block_step(_Block(len(held), held))
        waiting = 0 if final else unfinished(held, OPENERS_BEGUN)
        if waiting == len(held):
            return None
        opener = OPENER.search(held)
        start = opener.start() if opener else len(held) - waiting
        if start and not (self._at_start and held[0] in "[{"):
            return self._words(start)
        if opener is None or start:
            return self._limited(self._json(final=final))
        return self._opened(opener[0], final=final)

    def _opened(self, opener: str, *, final: bool) -> _Step | None:
        """What a mark at the beginning of what is held means."""
        if opener in THOUGHTS and self._before not in ("", "\n"):
            return self._words(len(opener))
        if opener in THOUGHTS:
            self._thoughts_end = THOUGHTS[opener]
            return _Step(len(opener))
        if opener == THOUGHTS_OVER:
            return self._thoughts_over()
        if opener in HARMONY:
            return self._channel(final=final)
        if opener in HARMONY_ENDS:
            return _Step(len(opener)) if self._harmony else self._words(len(opener))
        if self._before and self._before in _QUOTES:
            return self._words(len(opener))
        return self._limited(self._block(opener, final=final))

    def _thoughts(self, *, final: bool) -> _Step | None:
        end = self._held.find(self._thoughts_end)
        if end >= 0:
            length = end + len(self._thoughts_end)
            self._thoughts_end = ""
            return _Step(length, Thought(self._held[:end]))
        begun = beginnings((self._thoughts_end,))
        length = len(self._held) - (0 if final else unfinished(self._held, begun))
        return _Step(length, Thought(self._held[:length])) if length else None

    def _thoughts_over(self) -> _Step:
        if self._at_start or self.calls:
            return self._words(1)
        self._at_start, self._skipped = True, _BLANKS
        return _Step(len(THOUGHTS_OVER), SecondThoughts())

    def _channel(self, *, final: bool) -> _Step | None:
        """A message of gpt-oss: thoughts, words or a call, as its header says."""
        held = self._held
        end = held.find(HARMONY_BODY, 0, LONGEST_HEADER)
        if end < 0:
            waiting = not final and len(held) < LONGEST_HEADER
            return None if waiting else self._words(1)
        header, begin = held[:end], end + len(HARMONY_BODY)
        if self._reader.told(header):
            return self._words(begin)
        recipient, channel = _RECIPIENT.search(header), _CHANNEL.search(header)
        self._harmony = True
        if recipient is None:
            if channel and channel[1] == "analysis":
                self._thoughts_end = HARMONY_ENDS[0]
            return _Step(begin)
        ends = [at for mark in HARMONY_ENDS if (at := held.find(mark, begin)) >= 0]
        if not ends and not final:
            return self._limited(None)
        stop = min(ends, default=len(held))
        return self._block_step(_Block(stop, f"{recipient[1]} {held[begin:stop]}"))

    def _words(self, length: int) -> _Step:
        return _Step(length, Words(self._held[:length]))

    def _limited(self, block: _Block | None) -> _Step | None:
        """The step that a block is; None, to wait for its end, only as long as one may be."""
        if len(self._held) > _LONGEST_CALL:
            return self._words(len(self._held))
        return None if block is None else self._block_step(block)

    def _block_step(self, block: _Block) -> _Step:
        calls = self._reader.read(block.body)
        if not calls:
            return self._words(block.length)
        self.calls += calls
        self._skipped = _BLANKS + ".,;"
        return _Step(block.length)

    def _json(self, *, final: bool) -> _Block | None:
        value = leading_json(self._held)
        if value is not None:
            return _Block(value[1], self._held[: value[1]])
        return _Block(1) if final or not _may_become_call(self._held) else None

    def _may_be_python(self) -> bool:
        """Whether it begins with `add_task(` or `[add_task(`, or may do so yet."""
        held = self._held
        begun = _PYTHON_SO_FAR.match(held)
        if begun is None or len(held) > _LONGEST_CALL:
            return False
        name, bracket = begun[1] or "", begun[2]
        known = [tool.name for tool in self._reader.tools]
        if bracket:
            return name in known
        return bool(name) and begun.end() == len(held) and any(k.startswith(name) for k in known)

    def _block(self, opener: str, *, final: bool) -> _Block | None:
        held, closer, begin = self._held, CLOSERS[opener], len(opener)
        if opener == FENCE:
            fence = CALL_FENCE.match(held)
            if fence is None:
                waiting = not final and FENCE_SO_FAR.fullmatch(held)
                return None if waiting else _Block(begin)
            begin = fence.end()
        end = _end_of(held, closer, begin, final=final)
        if end is None and not final:
            return None
        inner = held[begin:end]
        length = len(held) if end is None else end + len(closer or "")
        return _Block(length, held[:length] if opener in WHOLE_BLOCKS else inner)


def _end_of(text: str, closer: str | None, begin: int, *, final: bool) -> int | None:
    """Where the block ends that begins there: at the mark that is in no string of its JSON."""
    if closer is None:
        return None
    first = end = text.find(closer, begin)
    if text[begin : first if first >= 0 else None].lstrip()[:1] in ("{", "["):
        quotes, counted = 0, begin
        while end >= 0:
            quotes += len(_JSON_QUOTE.findall(text, counted, end))
            if quotes % 2 == 0:
                break
            counted, end = end, text.find(closer, end + 1)
    end = first if end < 0 and final else end
    return end if end >= 0 else None


def _may_become_call(text: str) -> bool:
    """Whether JSON that is not complete yet may be a call, judged by its first key."""
    key = _FIRST_KEY.match(text)
    if key is None:
        return _BRACKETS_SO_FAR.fullmatch(text) is not None
    return any(name == key[1] if key[2] else name.startswith(key[1]) for name in _CALL_KEYS)
