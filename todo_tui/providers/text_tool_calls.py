"""Tool calls and thinking that local models write as text, found in the streamed answer."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from todo_tui.domain.messages import TextDelta, ThinkingDelta, ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.json_values import get_items, get_member, get_text, json_or_text

_BLOCKS: dict[str, str | None] = {
    "<tool_call>": "</tool_call>",  # Hermes, Qwen
    "[TOOL_CALLS]": None,  # Mistral
    "<|python_tag|>": None,  # Llama
}
"""Start and end marks of tool calls; None: the end of the answer."""
_THINKING = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",  # Magistral
    "<seed:think>": "</seed:think>",
    "<|START_THINKING|>": "<|END_THINKING|>",  # Command
    "<|channel>thought": "<channel|>",  # Gemma 4
}
"""Start and end marks of thinking."""
_UNOPENED_THINKING_END = "\n</think>\n"
"""End of thinking that was started by the chat template, so that no start mark was sent."""
_OPENERS = (*_BLOCKS, *_THINKING, _UNOPENED_THINKING_END)
_OPENER = re.compile("|".join(map(re.escape, _OPENERS)))
_MAX_MARK_LENGTH = max(map(len, (*_OPENERS, *_THINKING.values())))


def _proper_prefixes(*marks: str) -> frozenset[str]:
    return frozenset(mark[:length] for mark in marks for length in range(1, len(mark)))


_OPENER_PREFIXES = _proper_prefixes(*_OPENERS)
_FUNCTION = re.compile(r"<function=([\w.-]+)>?(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>(.*?)(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)
_NAMED = re.compile(
    r"(?:\[TOOL_CALLS\])?+([A-Za-z_][\w.-]*+)(?:\[CALL_ID\][\w-]*+)?+(?:\[ARGS\])?+\s*+(?=\{)"
)
"""Start of a call of newer Mistral models: `add_task[CALL_ID]a1b2c3d4e[ARGS]{`."""
_CALL_START = re.compile(r"<function=|[{\[]")
_FENCE = "```json"
_FIRST_KEY = re.compile(r'(?:```json\s*+)?+\{\s*+"([^"]*+)("?+)')
_BEFORE_FIRST_KEY = re.compile(r"```json\s*+(?:\{\s*+)?+|\{\s*+")
_CALL_KEYS = ("name", "arguments", "parameters", "type", "id")
_ESCAPED_BLANK = re.compile(r"(?<!\\)\\++[ntr]")
_BLANK = str.maketrans("", "", "\\ \t\r\n")
_DECODER = json.JSONDecoder()
_MAX_CALL_LENGTH = 20_000
"""Characters of a call; longer text is shown."""
_EAGER_LENGTH = 1_000
"""Characters up to which withheld text is parsed again with each delta."""
_GROWTH = 8
"""Longer withheld text is parsed once it has grown by this part of its length: parsing it with
each of a thousand deltas would take seconds."""
_BLANKS = " \t\r\n"
_QUOTES = "`\"'“”‘’„«»"
"""Characters that, right before a mark, mean that the mark is only mentioned."""


@dataclass(frozen=True, slots=True)
class TextCall:
    """Tool call found in text; `arguments` is the JSON text of an object."""

    name: str
    arguments: str


def occurs_in(text: str, texts: Sequence[str]) -> bool:
    """Return True if one of the texts contains `text`, ignoring escapes and line breaks."""
    sought = text.translate(_BLANK)
    return any(sought in _ESCAPED_BLANK.sub("", each).translate(_BLANK) for each in texts)


@dataclass(frozen=True, slots=True)
class TextCallReader:
    """Parses calls of the offered tools; with `any_name`, of missing tools too.

    Text for which `is_quoted` holds is no call: a task may have a call as its title, and
    the model repeats it.
    """

    tools: tuple[ToolSpec, ...]
    any_name: bool = False
    is_quoted: Callable[[str], bool] | None = None

    def read(self, text: str) -> tuple[TextCall, ...]:
        """Return the calls at the beginning of a block's text; empty if there are none."""
        text = text.strip()
        if text.startswith(("{", "[")):
            form = self._json
        elif text.startswith("<"):
            form = self._functions
        else:
            form = self._named
        try:
            calls = tuple(form(text))
        except RecursionError:
            # JSON that can be parsed, but is nested too deeply to be written again.
            return ()
        return () if calls and self.is_quoted and self.is_quoted(text) else calls

    def read_answer(self, text: str) -> tuple[TextCall, ...]:
        """Return the call that a whole answer consists of, perhaps in a fence; else empty."""
        text = text.strip()
        if text.startswith(_FENCE):
            text = text.removeprefix(_FENCE).removesuffix("```").strip()
        value = _leading_json(text)
        whole = value is not None and value[1] == len(text) and isinstance(value[0], dict)
        return self.read(text) if whole else ()

    def search(self, text: str) -> tuple[TextCall, ...]:
        """Return the calls that begin anywhere in the text."""
        start = _CALL_START.search(text)
        return self.read(text[start.start() :]) if start else ()

    def _json(self, text: str) -> Iterator[TextCall]:
        while (value := _leading_json(text)) is not None:
            calls = self._of_value(value[0])
            if not calls:
                return
            yield from calls
            text = text[value[1] :].lstrip(" \t\r\n,;")

    def _of_value(self, value: JsonValue) -> tuple[TextCall, ...]:
        if isinstance(value, list):
            each = [self._of_value(item) for item in value]
            return tuple(call for calls in each for call in calls) if all(each) else ()
        if not isinstance(value, dict):
            return ()
        name = value.get("name")
        arguments = value.get("arguments", value.get("parameters"))
        if not isinstance(name, str) or (arguments is None and len(value) > 1):
            return ()
        return self._called(name, arguments)

    def _functions(self, text: str) -> Iterator[TextCall]:
        while match := _FUNCTION.match(text):
            text = text[match.end() :].lstrip()
            name, body = match[1], match[2].strip()
            value = _leading_json(body)
            if value is not None:
                yield from self._called(name, value[0])
                continue
            tool = self._tool(name)
            arguments = {
                key: _typed(written.strip("\n"), tool, key)
                for key, written in _PARAMETER.findall(body)
            }
            if arguments or not body:
                yield from self._called(name, arguments)

    def _named(self, text: str) -> Iterator[TextCall]:
        while match := _NAMED.match(text):
            value = _leading_json(text[match.end() :])
            if value is None:
                return
            yield from self._called(match[1], value[0])
            text = text[match.end() + value[1] :].lstrip()

    def _called(self, name: str, arguments: JsonValue) -> tuple[TextCall, ...]:
        if isinstance(arguments, str):
            decoded = _leading_json(arguments.strip() or "{}")
            arguments = decoded[0] if decoded else None
        elif arguments is None:
            arguments = {}
        if not isinstance(arguments, dict) or not (self.any_name or self._tool(name)):
            return ()
        written = repair_surrogates(json.dumps(arguments, ensure_ascii=False))
        return (TextCall(repair_surrogates(name), written),)

    def _tool(self, name: str) -> ToolSpec | None:
        return next((tool for tool in self.tools if tool.name == name), None)


def _leading_json(text: str) -> tuple[JsonValue, int] | None:
    """Return the JSON object or list at the beginning of the text, and its length."""
    if not text.startswith(("{", "[")):
        return None
    try:
        value, length = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value, length


def _typed(text: str, tool: ToolSpec | None, name: str) -> JsonValue:
    """Parse the value of an XML parameter, which is JSON unless the tool wants a string."""
    schema = get_member(get_member(tool and tool.parameters, "properties"), name)
    kinds = [get_text(each, "type") for each in (schema, *get_items(schema, "anyOf"))]
    return text if "string" in kinds else json_or_text(text)


@dataclass(frozen=True, slots=True)
class ReclassifiedThinking:
    """All text so far was thinking: its end mark came without a start mark."""

    text: str = ""


AnswerPiece = TextDelta | ThinkingDelta | ReclassifiedThinking


@dataclass(frozen=True, slots=True)
class _Step:
    """Number of withheld characters that are consumed, and what is shown of them."""

    length: int
    shown: AnswerPiece | None = None


class TextCallParser:
    """Passes text on as it streams, and withholds what may become a tool call.

    Calls between marks count anywhere unless quoted; a JSON object only as the whole answer.
    """

    def __init__(self, reader: TextCallReader) -> None:
        self.calls: list[TextCall] = []
        """Calls found so far, in order."""
        self._reader = reader
        self._held = ""
        self._parse_length = 0
        """Length of the withheld text from which it is parsed again."""
        self._at_start = True
        self._skipped = _BLANKS
        self._last_shown = ""
        """Last character of the text shown."""
        self._thinking_end = ""
        """End mark of the current thinking; empty outside thinking."""

    def feed(self, text: str) -> Iterator[AnswerPiece]:
        """Append a delta; yield what can be shown."""
        self._held += text
        if len(self._held) < self._parse_length:
            return
        yield from self._released(final=False)
        held = len(self._held)
        self._parse_length = held + held // _GROWTH if held > _EAGER_LENGTH else 0

    def finish(self) -> Iterator[AnswerPiece]:
        """Yield withheld text that is no call."""
        return self._released(final=True)

    def _released(self, *, final: bool) -> Iterator[AnswerPiece]:
        while self._held and (step := self._step(final=final)) is not None:
            self._held = self._held[step.length :]
            match step.shown:
                case None | TextDelta("") | ThinkingDelta(""):
                    continue
                case TextDelta(text):
                    self._at_start, self._skipped, self._last_shown = False, "", text[-1]
            yield step.shown

    def _step(self, *, final: bool) -> _Step | None:
        """Consume the beginning of the withheld text; None: wait for more."""
        held = self._held
        if self._thinking_end:
            return self._thinking(final=final)
        if held[0] in self._skipped:
            return _Step(len(held) - len(held.lstrip(self._skipped)))
        if self._at_start and _may_be_object(held):
            if not final:
                return self._wait()
            calls = self._reader.read_answer(held)
            return self._found(calls, len(held)) if calls else self._text(1)
        opener = _OPENER.search(held)
        partial = 0 if final else _partial_mark_length(held, _OPENER_PREFIXES)
        start = opener.start() if opener else len(held) - partial
        if start:
            return self._text(start)
        return self._opened(opener[0], final=final) if opener else None

    def _opened(self, opener: str, *, final: bool) -> _Step | None:
        """Handle a mark at the beginning of the withheld text."""
        if opener in _THINKING:
            if self._last_shown not in ("", "\n"):
                return self._text(len(opener))
            self._thinking_end = _THINKING[opener]
            return _Step(len(opener))
        if opener == _UNOPENED_THINKING_END:
            if self._at_start or self.calls:
                return self._text(1)
            self._at_start, self._skipped = True, _BLANKS
            return _Step(len(opener), ReclassifiedThinking())
        if self._last_shown and self._last_shown in _QUOTES:
            return self._text(len(opener))
        return self._block(opener, final=final)

    def _thinking(self, *, final: bool) -> _Step | None:
        end = self._held.find(self._thinking_end)
        if end >= 0:
            length = end + len(self._thinking_end)
            self._thinking_end = ""
            return _Step(length, ThinkingDelta(self._held[:end]))
        prefixes = _proper_prefixes(self._thinking_end)
        length = len(self._held) - (0 if final else _partial_mark_length(self._held, prefixes))
        return _Step(length, ThinkingDelta(self._held[:length])) if length else None

    def _block(self, opener: str, *, final: bool) -> _Step | None:
        closer, begin = _BLOCKS[opener], len(opener)
        end = _block_end(self._held, closer, begin, final=final)
        if end is None and not final:
            return self._wait()
        length = len(self._held) if end is None else end + len(closer or "")
        calls = self._reader.read(self._held[begin:end]) if length <= _MAX_CALL_LENGTH else ()
        return self._found(calls, length) if calls else self._text(length)

    def _wait(self) -> _Step | None:
        too_long = len(self._held) > _MAX_CALL_LENGTH
        return self._text(len(self._held)) if too_long else None

    def _text(self, length: int) -> _Step:
        return _Step(length, TextDelta(self._held[:length]))

    def _found(self, calls: tuple[TextCall, ...], length: int) -> _Step:
        self.calls += calls
        self._skipped = _BLANKS + ".,;"
        return _Step(length)


def _partial_mark_length(text: str, prefixes: frozenset[str]) -> int:
    longest = min(len(text), _MAX_MARK_LENGTH)
    return next((n for n in range(longest, 0, -1) if text[-n:] in prefixes), 0)


def _block_end(text: str, closer: str | None, begin: int, *, final: bool) -> int | None:
    """Return the position of the end mark, ignoring those in strings of the block's JSON."""
    first = -1 if closer is None else text.find(closer, begin)
    if closer is None or first < 0:
        return None
    body = text[begin:].lstrip()
    value = _leading_json(body)
    if value is None:
        # The mark may be in a string that has not ended yet.
        return first if final or not body.startswith(("{", "[")) else None
    end = text.find(closer, len(text) - len(body) + value[1])
    return end if end >= 0 else None


def _may_be_object(text: str) -> bool:
    """Return True if the text may become the JSON object of a call, judged by its first key."""
    key = _FIRST_KEY.match(text)
    if key is None:
        return _FENCE.startswith(text) or _BEFORE_FIRST_KEY.fullmatch(text) is not None
    return any(name == key[1] if key[2] else name.startswith(key[1]) for name in _CALL_KEYS)
