"""Marks that models and chat templates leave in answers: thinking, ends of turns, printed calls."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from todo_tui.domain.messages import TextDelta, ThinkingDelta
from todo_tui.domain.task import JsonValue
from todo_tui.providers.json_values import parse_leading_json
from todo_tui.providers.tool_calls import resolve_name


class _Kind(Enum):
    THINKING = auto()
    THINKING_END = auto()
    HEADER = auto()
    """Start of a message of gpt-oss: `<|start|>assistant<|channel|>analysis<|message|>`."""
    TURN = auto()
    """Start of a turn."""
    END = auto()
    """End of a turn or of a text."""
    CALL = auto()
    """Start of a tool call."""
    HTML = auto()
    """Start tag of struck text, whose end tag is an end mark too."""


_THINKING = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|START_THINKING|>": "<|END_THINKING|>",  # Command
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel>thought": "<channel|>",  # Gemma 4
}
"""Start and end marks of thinking."""
_HEADERS = ("<|start|>", "<|channel|>")
_TURNS = (
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "<|turn>",
    "<|START_OF_TURN_TOKEN|>",
    "<|assistant|>",
    "<|user|>",
    "<|START_RESPONSE|>",
    "<|begin_of_solution|>",
    "<|begin_of_text|>",
    "<｜begin▁of▁sentence｜>",
    "<｜Assistant｜>",
    "<｜User｜>",
    "<bos>",
)
_ENDS = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
    "<|stop|>",
    "<|call|>",
    "<|eot|>",
    "<|endofturn|>",
    "<|im_sep|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|END_RESPONSE|>",
    "<|end_of_solution|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "<turn|>",
    "<eos>",
    "</s>",
    "[/INST]",
    "</tool_call>",
)
_CALLS = (
    "<tool_call>",  # Hermes, Qwen, GLM
    "<tool_calls>",
    "<tool_use>",
    "<use_mcp_tool>",  # Cline, Roo
    "<function=",  # Qwen-Coder, Llama
    "<function_call>",
    "<function_calls>",
    "<functioncall>",
    "<start_function_call>",
    "<invoke name=",
    "<minimax:tool_call>",
    "[TOOL_CALLS]",  # Mistral
    "[TOOL_CALL]",
    "<|python_tag|>",  # Llama
    "<|tool_call|>",
    "<|tool_calls|>",
    "<|tool_call>",
    "<|tool_call_begin|>",  # Kimi
    "<|tool_calls_begin|>",
    "<|tool_calls_section_begin|>",
    "<|action_start|>",
    "<|START_ACTION|>",
    "<｜tool▁calls▁begin｜>",  # DeepSeek
    "<｜tool▁call▁begin｜>",
    "<｜tool_calls_begin｜>",  # Step-3
    "<｜tool_call_begin｜>",
    "<steptml:",
    "<｜DSML｜",
    "<|tool_call_start|>",  # LFM2
    "<TOOLCALL>",  # Nemotron
    "<|tools_prefix|>",  # Apertus
    "<xai:function_call",  # Grok
    "<longcat_tool_call>",
    "<seed:tool_call>",
    "<tools>",
    "functools[",  # Firefunction
    "```tool_code",  # Gemma
    "```tool_call",
)
_MARKS = {
    **dict.fromkeys(map(str.lower, _THINKING), _Kind.THINKING),
    **dict.fromkeys(map(str.lower, _THINKING.values()), _Kind.THINKING_END),
    **dict.fromkeys(_HEADERS, _Kind.HEADER),
    **dict.fromkeys(map(str.lower, _TURNS), _Kind.TURN),
    **dict.fromkeys(map(str.lower, _ENDS), _Kind.END),
    **dict.fromkeys(map(str.lower, _CALLS), _Kind.CALL),
    "<s>": _Kind.HTML,
}
"""All marks in lower case, with their kinds."""
_STARTS = {"</s>": ("<s>",), "</tool_call>": ("<tool_call>",)}
"""Start marks by end mark; those of all others are headers of gpt-oss."""
_PRINTED_STARTS = (
    "{0}(",
    "{0}{{",
    "{0}[ARGS]",
    "[{0}(",
    "functions.{0}",
    "default_api.{0}",
    "print(default_api.{0}",
    "to=functions.{0}",
    ">>>{0}\n",  # Functionary
    "<|recipient|>{0}",
    "<|from|>assistant\n<|recipient|>{0}",
)
"""Starts of an answer that is a call of the tool `{0}`, without a mark of its own."""
_NAME_KEYS = ("name", "function", "tool", "tool_name", "action")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input")
_NESTING_KEYS = ("function", "function_call", "tool_call", "tool_calls")
_CALL_KEYS = {*_NAME_KEYS, *_ARGUMENT_KEYS, *_NESTING_KEYS, "type", "id", "index"}
"""Keys of a call that is printed as a JSON object."""
_CALL_TAGS = tuple(mark[1:-1] for mark in _CALLS if re.fullmatch(r"<\w+>", mark))
_LEAD = re.compile(
    r"[\s,]*(?P<action>\**action\**:[*\s]*)?(?P<fence>(?(action)`{3,}\w*|`{3,}\w+)\s*)?", re.I
)
"""What stands before a printed call: `Action:`, a fence with a language, or nothing."""
_ANY_LEAD = re.compile(r"`{1,3}|\**(?:a(?:c(?:t(?:i(?:o(?:n\**)?)?)?)?)?)?", re.I)
"""Start of that."""
_UP_TO_KEY = r"(?:\[\s*)?\{\s*"
_FIRST_KEY = re.compile(rf'{_UP_TO_KEY}"([^"]*)("?)')
_UP_TO_FIRST_KEY = re.compile(r"\[?\s*+(?:\{\s*+)?")
_FIRST_NAME = re.compile(rf'{_UP_TO_KEY}"(?:{"|".join(_NAME_KEYS)})"\s*:\s*"([^"]*)"')
_CUT_CALL = re.compile(rf'{_FIRST_NAME.pattern}\s*,\s*"(?:{"|".join(_ARGUMENT_KEYS)})"')
"""Printed call that is not complete."""
_ELEMENT = re.compile(r"<([\w.-]+)(?:\s*/>|>(.*?)</\1>)", re.DOTALL)
_ACTION_INPUT = re.compile(
    r"[`\"]?([\w.-]++)[`\"]?[* \t\r]*+\n[*\s]*+action[ _]input\**+:[*\s]*+", re.I
)
"""Name of the tool after `Action:`, and what stands before its arguments."""
_OBSERVATION = re.compile(r"\s*\**observation\**:.*", re.I | re.DOTALL)
"""Result that the model makes up, with all that follows."""
_CLOSED_BLOCK = re.compile(r"[^`]*+(`{3,9})[^`]*+\1\s*+[^\s`<]")
"""Block of code that more text follows."""
_LINE_START = re.compile(r"\n(?=[`{\[<*Aa])")
"""End of a line before one that may be a printed call."""
_MAX_PRINTED = 20_000
"""Characters that are held back as a possible call; a longer text is shown."""
_REACH = 200
"""Characters after a mark in which a printed call names its tool, and a header ends."""
_HEADER = re.compile(r"((?:<\|(?:start|channel)\|>).{0,200}?)<\|message\|>", re.DOTALL)
_HEADER_WORDS = re.compile(
    r"(?:<\|(?:start|channel)\|>(?:assistant|analysis|commentary|final)?\s*)+"
)
_ROLE = re.compile(r"\s*(?:assistant|model)?(?:<\|end_header_id\|>)?\s*")
"""Rest of a turn's start."""
_ROLE_REACH = 40
"""Characters in which that ends."""
_QUOTES = "`\"'“”‘’„«»()"
"""Characters that, on both sides of a mark, mean that the mark is only mentioned."""
_CLOSING_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}
_IN_SENTENCE = " \t.,;:!?)"
"""Characters that, right after a mark that follows a blank, mean the same."""
_SENTENCE_END = re.compile(r"[^\d\s][.!?:…]\s*\Z")
_FENCE = re.compile(r"`{3,}|~{3,}")


def _any_of(marks: Collection[str]) -> re.Pattern[str]:
    longest_first = sorted(marks, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def _prefixes(marks: Collection[str]) -> frozenset[str]:
    return frozenset(mark[:length].lower() for mark in marks for length in range(1, len(mark)))


_MARK, _MARK_PREFIXES = _any_of(_MARKS), _prefixes(_MARKS)
_ENDING = re.compile(rf"(?:{_any_of(_ENDS).pattern}|```)\Z", re.IGNORECASE)
_CHANNEL_ENDS = (*_HEADERS, "<|end|>", "<|return|>", "<|call|>")
"""Marks that end a message of gpt-oss."""
_THINKING_ENDS = {
    start: (_any_of((*ends, *_ENDS)), _prefixes((*ends, *_ENDS)), frozenset(map(str.lower, ends)))
    for start, ends in (
        *((start.lower(), (end,)) for start, end in _THINKING.items()),
        ("<|channel|>", _CHANNEL_ENDS),
    )
}
"""Pattern and prefixes of the marks in thinking, and those that end it, by start mark."""


@dataclass(frozen=True, slots=True)
class ReclassifiedThinking:
    """All text so far was thinking: its end mark came without a start mark."""

    text: str = ""


AnswerPiece = TextDelta | ThinkingDelta | ReclassifiedThinking
_NOTHING = TextDelta("")
"""What is shown of text that was dropped."""


def _without_ending(text: str) -> str:
    """Return the text without blanks, end marks and fences at its end."""
    while (shorter := _ENDING.sub("", text.rstrip())) != text:
        text = shorter
    return text


class AnswerMarks:
    """Divides an answer that streams in into what is shown and thinking, and drops marks.

    Marks that the answer only mentions, in code, quotes or a sentence, are text. What may be a
    mark is held back until that is known.
    """

    def __init__(self, tools: Collection[str]) -> None:
        self.has_printed_call = False
        """True once the answer had a tool call as text, which is dropped with all after it."""
        self._tools = tools
        self._printed_starts = [start.format(name) for name in tools for start in _PRINTED_STARTS]
        self._held = ""
        self._thinking = ""
        """Start mark of the current thinking; empty outside thinking."""
        self._thought_line = ""
        """Current line of thinking, as far as it was given out."""
        self._is_visible = False
        """True once text was shown."""
        self._is_ended = False
        """True once the turn has ended: nothing after it is shown."""
        self._is_no_call = False
        """True if no call without a mark begins at the start of the held text."""
        self._mentioned: set[str] = set()
        """Marks that were shown, in lower case."""
        self._last = ""
        """Last characters shown."""
        self._line = ""
        """First characters of the current line."""
        self._backticks = 0
        """Number of backticks in the current line: an odd number has opened code."""
        self._fence = ""
        """Characters that opened the current block of code; empty outside one."""
        self._may_indent = False
        """True after a blank line, and in a block of code that is indented."""

    def feed(self, text: str) -> Iterator[AnswerPiece]:
        """Append a delta; yield what can be shown."""
        self._held += text
        return self._released(final=False)

    def finish(self) -> Iterator[AnswerPiece]:
        """Yield the rest."""
        return self._released(final=True)

    def _released(self, *, final: bool) -> Iterator[AnswerPiece]:
        while self._held and (piece := self._step(final=final)) is not None:
            if piece != _NOTHING:
                yield piece

    def _step(self, *, final: bool) -> AnswerPiece | None:
        """Consume the beginning of the held text; None: wait for more."""
        if self.has_printed_call:
            return self._drop(len(self._held))
        if self._thinking:
            return self._think(final=final)
        if self._is_ended:
            return self._skip()
        if not self._is_visible and self._held[0].isspace():
            return self._drop(len(self._held) - len(self._held.lstrip()))
        if self._begins_line and not self._is_no_call and self._may_be_printed():
            return self._judge(final=final)
        mark = _MARK.search(self._held)
        partial = 0 if final else _partial_length(self._held, _MARK_PREFIXES)
        start = mark.start() if mark else len(self._held) - partial
        if line := _LINE_START.search(self._held, 0, start):
            start = line.end()
        if start:
            return self._show(start)
        return self._marked(mark[0], final=final) if mark else None

    def _marked(self, mark: str, *, final: bool) -> AnswerPiece | None:
        """Handle the mark at the beginning of the held text."""
        kind = _MARKS[mark.lower()]
        if kind is _Kind.THINKING_END:
            return self._end_unopened_thinking(mark, final=final)
        if kind is _Kind.CALL:
            return self._begin_call(mark, final=final)
        is_mentioned = self._is_text(mark, kind) or self._is_mentioned(len(mark), final=final)
        if is_mentioned is None:
            return None
        if is_mentioned:
            self._mentioned.add(mark.lower())
            return self._show(len(mark))
        if kind is _Kind.HEADER:
            return self._open_message(final=final)
        if kind is _Kind.THINKING:
            self._thinking = mark.lower()
        elif self._is_visible:
            self._is_ended = True
        elif kind is _Kind.TURN:
            return self._begin_turn(mark, final=final)
        return self._drop(len(mark))

    def _is_text(self, mark: str, kind: _Kind) -> bool:
        """Return True if the mark is plain text here, whatever follows."""
        if kind is _Kind.THINKING:
            return self._last[-1:] not in ("", "\n")
        if kind is _Kind.HEADER:
            return self._is_visible and self._last[-1:] in " \t"
        # An end belongs to a start that was text.
        starts = _STARTS.get(mark.lower(), _HEADERS)
        return kind is _Kind.HTML or (kind is _Kind.END and not self._mentioned.isdisjoint(starts))

    def _begin_turn(self, mark: str, *, final: bool) -> AnswerPiece | None:
        """Drop the start of the turn with its role."""
        if not final and len(self._held) < len(mark) + _ROLE_REACH:
            return None
        role = _ROLE.match(self._held, len(mark))
        return self._drop(role.end() if role else len(mark))

    def _open_message(self, *, final: bool) -> AnswerPiece | None:
        """Read a header of gpt-oss, which says whether a message is thinking, a call or text."""
        header = _HEADER.match(self._held)
        if header is None:
            if not final and len(self._held) < _REACH:
                return None
            words = _HEADER_WORDS.match(self._held)
            return self._drop(words.end() if words else len(self._held))
        if "to=" in header[1]:
            self.has_printed_call = True
        elif "analysis" in header[1]:
            self._thinking = "<|channel|>"
        elif re.match(r"<\|start\|>(?!assistant)", header[1]):
            self._is_ended = True
        elif self._is_visible:
            self._held = self._held[: header.end()] + "\n\n" + self._held[header.end() :]
        return self._drop(header.end())

    def _think(self, *, final: bool) -> AnswerPiece | None:
        pattern, prefixes, ends = _THINKING_ENDS[self._thinking]
        mark = pattern.search(self._held)
        partial = 0 if final else _partial_length(self._held, prefixes)
        start = mark.start() if mark else len(self._held) - partial
        if start or mark is None:
            return self._show_thinking(start) if start else None
        if (is_quoted := self._is_quoted(mark.end(), final=final)) is None:
            return None
        if is_quoted:
            return self._show_thinking(mark.end())
        if mark[0].lower() in ends:
            self._thinking = ""
            return _NOTHING if mark[0] in _HEADERS else self._drop(mark.end())
        # The end of a turn within thinking is its end only if nothing follows.
        if self._held[mark.end() :].strip():
            return self._show_thinking(mark.end())
        return self._drop(len(self._held)) if final else None

    def _is_quoted(self, length: int, *, final: bool) -> bool | None:
        """Return True if thinking quotes the mark of that length; None: wait for more."""
        quote = self._thought_line[-1:]
        if quote not in _CLOSING_QUOTES or self._thought_line.count(quote) % 2 == 0:
            return False
        after = self._held[length : length + 1]
        return after == _CLOSING_QUOTES[quote] if after or final else None

    def _show_thinking(self, length: int) -> ThinkingDelta:
        text = self._take(length)
        self._thought_line = (self._thought_line + text).rpartition("\n")[2]
        return ThinkingDelta(text)

    def _skip(self) -> AnswerPiece | None:
        """Drop what follows the end of a turn, up to the next message of gpt-oss."""
        start = self._held.find("<|channel|>")
        if start < 0:
            self._take(len(self._held) - _partial_length(self._held, _prefixes(_HEADERS)))
            return None
        self._is_ended = False
        return self._drop(start)

    def _end_unopened_thinking(self, mark: str, *, final: bool) -> AnswerPiece | None:
        """Handle an end of thinking that the chat template has begun, without a start mark."""
        if not self._is_visible:
            return self._drop(len(mark))
        start = next(start for start, end in _THINKING.items() if end.lower() == mark.lower())
        after, before = self._held[len(mark) :], self._last[-1:]
        if not after and not final:
            return None
        is_quoted = before in _QUOTES and after[:1] != "" and after[0] in _QUOTES
        is_in_sentence = before in " \t" or (before == "\n" and after[:1] in _IN_SENTENCE)
        is_mentioned = is_quoted or (is_in_sentence and not after.startswith("\n"))
        if is_mentioned or self._in_code or start.lower() in self._mentioned:
            return self._show(len(mark))
        self._is_visible, self._is_no_call = False, False
        self._last = self._line = ""
        self._take(len(mark))
        return ReclassifiedThinking()

    def _begin_call(self, mark: str, *, final: bool) -> AnswerPiece | None:
        """Handle a mark of a call, which within an answer has to name a tool."""
        window = self._held[: len(mark) + _REACH]
        if self._is_visible:
            begins = self._last[-1:] == "\n" or _SENTENCE_END.search(self._last)
            is_named = any(tool in window for tool in self._tools)
            if self._in_code or not begins or not is_named:
                if begins and not (self._in_code or final or len(self._held) > len(window)):
                    return None
                self._mentioned.add(mark.lower())
                return self._show(len(mark))
        self.has_printed_call = True
        return self._drop(len(mark))

    def _may_be_printed(self) -> bool:
        """Return True if the held text may become a call without a mark, judged by its start."""
        held = self._held
        if not self._is_visible and any(
            start.startswith(held) or held.startswith(start) for start in self._printed_starts
        ):
            return True
        if held[0].isspace():
            return False
        lead = _LEAD.match(held)
        rest = held[lead.end() :] if lead else held
        if not rest or _ANY_LEAD.fullmatch(held) or (lead and lead["action"] and rest in "``"):
            return True
        if lead and lead["action"] and not lead["fence"]:
            name = rest.lstrip('`"')
            return any(
                name.startswith(tool) or tool.startswith(name.rstrip()) for tool in self._tools
            )
        if rest[0] == "<":
            tags = (*self._tools, *(_CALL_TAGS if lead and lead["fence"] else ()))
            starts = (f"<{tag}{end}" for tag in tags for end in (">", "/>", " />"))
            return any(start.startswith(rest) or rest.startswith(start) for start in starts)
        key = _FIRST_KEY.match(rest)
        if key is None:
            return _UP_TO_FIRST_KEY.fullmatch(rest) is not None
        if self._is_visible and (named := _FIRST_NAME.match(rest)):
            return self._is_tool(named[1])
        return any(name == key[1] if key[2] else name.startswith(key[1]) for name in _CALL_KEYS)

    def _judge(self, *, final: bool) -> AnswerPiece | None:
        """Decide at the end of the answer whether the held text is a printed call."""
        is_passed = self._is_visible and _CLOSED_BLOCK.match(self._held)
        if not final and not is_passed and len(self._held) <= _MAX_PRINTED:
            return None
        if final and self._is_printed():
            self.has_printed_call = True
        self._is_no_call = True
        return _NOTHING

    def _is_printed(self) -> bool:
        if not self._is_visible and self._held.startswith(tuple(self._printed_starts)):
            return _without_ending(self._held).endswith((")", "]", "}"))
        end = 0
        while end < (after := self._end_of_call(end)):
            end = after
        # JSON that an answer begins with is a call even if the model goes on about it; any other
        # call ends the answer, or it is an example.
        may_go_on = not self._is_visible and self._held[0] in "{[`"
        return end > 0 and (may_go_on or not _without_ending(self._held[end:]))

    def _end_of_call(self, start: int) -> int:
        """Return the end of the call that is printed at a position; the position if none is."""
        held = self._held
        lead = _LEAD.match(held, start)
        begin = lead.end() if lead else start
        if element := _ELEMENT.match(held, begin):
            is_call = element[1] in self._tools or self._end_of_json(element[2] or "", 0) > 0
            end = element.end() if is_call else begin
        elif lead and lead["action"] and (named := _ACTION_INPUT.match(held, begin)):
            end = self._end_of_input(named) if self._is_tool(named[1]) else begin
        else:
            end = self._end_of_json(held, begin)
        if end == begin:
            return start
        closing = re.compile(r"\s*`{3,}").match(held, end) if lead and lead["fence"] else None
        return closing.end() if closing else end

    def _end_of_input(self, named: re.Match[str]) -> int:
        """Return the end of `Action Input:` after its start: JSON, or the rest of the line."""
        if parsed := parse_leading_json(self._held, named.end()):
            end = parsed[1]
        else:
            line_end = self._held.find("\n", named.end())
            end = line_end if line_end >= 0 else len(self._held)
        observation = _OBSERVATION.match(self._held, end)
        return observation.end() if observation else end

    def _end_of_json(self, text: str, start: int) -> int:
        """Return the end of a call in JSON at a position of the text; the position if none is."""
        if parsed := parse_leading_json(text, start):
            return parsed[1] if self._is_call(parsed[0]) else start
        cut = _CUT_CALL.match(text, start)
        return len(text) if cut and self._is_tool(cut[1]) else start

    def _is_tool(self, name: str) -> bool:
        return resolve_name(name, self._tools) in self._tools

    def _is_call(self, value: JsonValue) -> bool:
        if isinstance(value, list):
            return any(map(self._is_call, value))
        if not isinstance(value, dict) or not value.keys() <= _CALL_KEYS:
            return False
        if any(self._is_call(value.get(key)) for key in _NESTING_KEYS):
            return True
        names = [name for key in _NAME_KEYS if isinstance(name := value.get(key), str)]
        is_named = any(map(self._is_tool, names))
        return is_named and (len(value) == 1 or not value.keys().isdisjoint(_ARGUMENT_KEYS))

    def _is_mentioned(self, length: int, *, final: bool) -> bool | None:
        """Return True if the answer talks about the mark of that length; None: wait for more."""
        after = self._held[length:]
        if not self._is_visible:
            return False
        before = self._last[-1:]
        if not (self._in_code or before.isspace() or before in _QUOTES):
            return False
        rest = after.lstrip() if self._in_code else after.lstrip(" \t")
        if not rest:
            return False if final else None
        if self._in_code or before in _QUOTES:
            return self._in_code or after[0] in _QUOTES
        return after[0] in _IN_SENTENCE and rest[0] not in "\n<"

    @property
    def _begins_line(self) -> bool:
        """True where a call without a mark may begin: at the start of a line outside code."""
        return not self._is_visible or (self._last[-1:] == "\n" and not self._in_code)

    @property
    def _in_code(self) -> bool:
        return bool(self._fence) or self._is_indented or self._backticks % 2 == 1

    @property
    def _is_indented(self) -> bool:
        return self._may_indent and self._line.startswith(("    ", "\t"))

    def _end_line(self) -> None:
        """Open or close a block of code: its end is no shorter than its start, without a word."""
        line = self._line.strip()
        self._may_indent = not line or self._is_indented
        if fence := _FENCE.match(line):
            if not self._fence:
                self._fence = fence[0]
            elif fence[0].startswith(self._fence) and line == fence[0]:
                self._fence = ""
        self._line, self._backticks = "", 0
        self._is_no_call = False

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        return taken

    def _drop(self, length: int) -> TextDelta:
        self._take(length)
        return _NOTHING

    def _show(self, length: int) -> TextDelta:
        text = self._take(length)
        for number, line in enumerate(text.split("\n")):
            if number:
                self._end_line()
            self._line = (self._line + line[:10])[:10]
            self._backticks += line.count("`")
        self._last = (self._last + text[-4:])[-4:]
        self._is_visible = True
        return TextDelta(text)


def _partial_length(text: str, prefixes: frozenset[str]) -> int:
    """Return the length of the start of a mark at the end of the text."""
    longest = min(len(text), _LONGEST_MARK)
    return next((n for n in range(longest, 0, -1) if text[-n:].lower() in prefixes), 0)


_LONGEST_MARK = max(map(len, _MARKS))
