"""A streamed answer of a model that prints its calls and thoughts among its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from todo_tui.providers.chat.printed_calls import CallReader, PrintedCall, leading_json

_LONGEST_CALL = 20_000
"""Characters that a call may take; text that is longer was none."""

_BLANKS = " \t\r\n"
_THINK, _THINK_END = "<think>", "</think>"
_FENCE = "```"
_CLOSERS = {
    "<tool_call>": "</tool_call>",
    "<function_call>": "</function_call>",
    "<function=": "</function>",
    "[TOOL_CALLS]": None,
    "<|python_tag|>": None,
    _FENCE: _FENCE,
}
"""What ends each kind of block; None: the end of the answer."""
_OPENERS = (*_CLOSERS, _THINK)
_OPENER = re.compile("|".join(re.escape(opener) for opener in _OPENERS))
_CALL_FENCE = re.compile(r"```[ \t]*(?:json|tools?|tool_calls?|xml)?[ \t]*\r?\n\s*(?=[\[{<])")
_FENCE_SO_FAR = re.compile(r"```[ \t]*[\w+-]*[ \t]*(?:\r?\n\s*)?")
_FIRST_KEY = re.compile(r'\[?\s*\{\s*"([^"]*)("?)')
_BRACKETS_SO_FAR = re.compile(r"\[?\s*(?:\{\s*)?")
_CALL_KEYS = (
    *("name", "tool", "tool_name", "function", "type", "id", "tool_calls"),
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
class _Step:
    """So many characters of what is held are done with, and this is shown of them."""

    length: int
    shown: Words | Thought | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    """So many characters at the beginning, and what they say; nothing: surely no call."""

    length: int
    body: str = ""


class PrintedAnswer:
    """Lets words through as they come, and holds back what may turn out to be a call.

    Bare JSON counts at the beginning of an answer only; tags and fences anywhere.
    """

    def __init__(self, reader: CallReader) -> None:
        self.calls: list[PrintedCall] = []
        """Those found so far, in the order printed."""
        self._reader = reader
        self._held = ""
        self._at_start = True
        self._skipped = _BLANKS
        self._thinking = False

    def feed(self, text: str) -> Iterator[Words | Thought]:
        """Take a delta; what can be shown now."""
        self._held += text
        return self._released(final=False)

    def finish(self) -> Iterator[Words | Thought]:
        """What was held back and is no call."""
        return self._released(final=True)

    def _released(self, *, final: bool) -> Iterator[Words | Thought]:
        while self._held and (step := self._step(final=final)) is not None:
            self._held = self._held[step.length :]
            if step.shown is not None and step.shown.text:
                yield step.shown

    def _step(self, *, final: bool) -> _Step | None:
        """What to do with the beginning of what is held; None: wait for more."""
        held = self._held
        if self._thinking:
            return self._thoughts(final=final)
        if held[0] in self._skipped:
            return _Step(len(held) - len(held.lstrip(self._skipped)))
        unfinished = 0 if final else _unfinished(held, _OPENERS)
        if unfinished == len(held):
            return None
        opener = _OPENER.search(held)
        start = opener.start() if opener else len(held) - unfinished
        if start and not (self._at_start and held[0] in "[{"):
            return self._words(start)
        if opener and opener[0] == _THINK and not start:
            self._thinking = True
            return _Step(len(_THINK))
        return self._block_step(opener[0] if opener and not start else "", final=final)

    def _thoughts(self, *, final: bool) -> _Step | None:
        end = self._held.find(_THINK_END)
        if end >= 0:
            self._thinking = False
            return _Step(end + len(_THINK_END), Thought(self._held[:end]))
        length = len(self._held) - (0 if final else _unfinished(self._held, (_THINK_END,)))
        return _Step(length, Thought(self._held[:length])) if length else None

    def _words(self, length: int) -> _Step:
        self._at_start, self._skipped = False, ""
        return _Step(length, Words(self._held[:length]))

    def _block_step(self, opener: str, *, final: bool) -> _Step | None:
        if len(self._held) > _LONGEST_CALL:
            return self._words(len(self._held))
        block = self._json(final=final) if not opener else self._block(opener, final=final)
        if block is None:
            return None
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

    def _block(self, opener: str, *, final: bool) -> _Block | None:
        held, closer, begin = self._held, _CLOSERS[opener], len(opener)
        if opener == _FENCE:
            fence = _CALL_FENCE.match(held)
            if fence is None:
                waiting = not final and _FENCE_SO_FAR.fullmatch(held)
                return None if waiting else _Block(begin)
            begin = fence.end()
        end = held.find(closer, begin) if closer else -1
        if end < 0 and not final:
            return None
        inner = held[begin : end if end >= 0 else None]
        length = end + len(closer or "") if end >= 0 else len(held)
        return _Block(length, held[:length] if opener == "<function=" else inner)


def _unfinished(text: str, marks: tuple[str, ...]) -> int:
    """How many characters at the end of the text may be the beginning of a mark."""
    longest = min(len(text), max(map(len, marks)) - 1)
    for length in range(longest, 0, -1):
        if any(mark.startswith(text[-length:]) for mark in marks):
            return length
    return 0


def _may_become_call(text: str) -> bool:
    """Whether JSON that is not complete yet may be a call, judged by its first key."""
    key = _FIRST_KEY.match(text)
    if key is None:
        return _BRACKETS_SO_FAR.fullmatch(text) is not None
    return any(name == key[1] if key[2] else name.startswith(key[1]) for name in _CALL_KEYS)
