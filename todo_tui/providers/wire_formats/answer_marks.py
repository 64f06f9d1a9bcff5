"""Marks that models and chat templates leave in answers: thinking, ends of turns, printed calls."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from todo_tui.domain.messages import TextDelta, ThinkingDelta

_THINKING = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "[think]": "[/think]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|start_thinking|>": "<|end_thinking|>",  # Command
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel>thought": "<channel|>",  # Gemma 4
}
"""Start and end marks of thinking, as all marks in lower case."""
_OWN_TURN = (
    "<|im_start|>assistant",
    "<|start_header_id|>assistant<|end_header_id|>",
    "<start_of_turn>model",
    "<|turn>model",
    "<|start_of_turn_token|><|chatbot_token|>",
    "<|assistant|>",
    "<｜assistant｜>",
    "<|start_response|>",
    "<|begin_of_solution|>",
    "<|begin_of_text|>",
    "<｜begin▁of▁sentence｜>",
    "<bos>",
)
"""Starts of the model's own turn."""
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
    "<|end_of_turn_token|>",
    "<|end_response|>",
    "<|end_of_solution|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "<turn|>",
    "<eos>",
    "</s>",
    "[/inst]",
    "</tool_call>",
)
"""Ends of a turn or of a text."""
_NEXT_TURN = (
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "<|turn>",
    "<|start_of_turn_token|>",
    "<|user|>",
    "<｜user｜>",
)
"""Starts of a turn that the model makes up."""
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
    "[tool_calls]",  # Mistral
    "[tool_call]",
    "<|python_tag|>",  # Llama
    "<|tool_call|>",
    "<|tool_calls|>",
    "<|tool_call>",
    "<|tool_call_begin|>",  # Kimi
    "<|tool_calls_begin|>",
    "<|tool_calls_section_begin|>",
    "<|action_start|>",
    "<|start_action|>",
    "<｜tool▁calls▁begin｜>",  # DeepSeek
    "<｜tool▁call▁begin｜>",
    "<｜tool_calls_begin｜>",  # Step-3
    "<｜tool_call_begin｜>",
    "<steptml:",
    "<｜dsml｜",
    "<|tool_call_start|>",  # LFM2
    "<toolcall>",  # Nemotron
    "<|tools_prefix|>",  # Apertus
    "<xai:function_call",  # Grok
    "<longcat_tool_call>",
    "<seed:tool_call>",
    "<tools>",
    "<|recipient|>",  # Functionary
    "<|from|>",
)
"""Starts of a tool call."""
_UNMARKED_CALLS = (
    r"```tool_c(?:ode|all)",  # Gemma
    r"functools\[",  # Firefunction
    r">>>{tool}\n",  # Functionary
    r"functions\.{tool}",
    r"(?:print\()?default_api\.{tool}",
    r"\[?{tool}\((?:\w+\s?=|\))",
    r"{tool}(?:\{{|\[ARGS\])",
    r"action:\s*`?{tool}[`\s]*\naction input:",
    r"<{tool}\s?/?>",
    # JSON: the name, then the arguments or nothing.
    r'[\s\[]*+\{{(?:\s*"tool_calls?"\s*:[\s\[]*\{{)?'
    r'(?:\s*"(?:type|id)"\s*:\s*"\w*"\s*,)*(?:\s*"function(?:_call)?"\s*:\s*\{{)?'
    r'\s*"(?:name|function|tool|tool_name|action)"\s*:\s*"(?:\w+[.:])?{tool}"\s*'
    r'(?:,\s*"(?:arguments|parameters|args|input|action_input)"|\}})',
)
"""Patterns of calls of a `{tool}` without a mark, with which an answer may begin."""
_CALL_WORDS = ("functools", "functions", "default_api", "print", "action")
"""First words of such calls, besides the names of tools."""
_CALL_CHARACTERS = "<[{`>◁"
"""First characters of all other calls, and of marks."""
_MAX_OPENING = 200
"""Characters of a beginning that are held back while it may become a call or a mark."""
_HEADER = re.compile(
    r"(?:<\|start\|>[^<]{0,99})?<\|channel\|>([^<]{0,99}(?:<\|constrain\|>[^<]{0,99})?)<\|message\|>"
)
"""Start of a message of gpt-oss: `<|start|>assistant<|channel|>analysis<|message|>`."""
_MAX_HEADER = 400
_BEFORE_CALL = re.compile(r"(?:\A|[^\d\s][.!?:…] ?)\Z")
"""Line, as far as shown, that a call may follow: nothing, or a whole sentence."""
_AFTER_END = ("\n", "<|", "<｜")
"""What follows an end that is not part of a sentence: the end of the line, or another mark."""
_BLANKS_AND_QUOTES = " \t`\"'“”‘’„«»()"
_WORD = re.compile(r"\w*")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_MAX_LINE = 200


class _Kind(Enum):
    START = auto()
    """Start of a pair: within an answer it is text, and then so is its end."""
    THINKING_END = auto()
    END = auto()
    CALL = auto()


_KINDS = {
    **dict.fromkeys((*_THINKING, "<s>", "<|channel|>"), _Kind.START),
    **dict.fromkeys(_THINKING.values(), _Kind.THINKING_END),
    **dict.fromkeys((*_ENDS, *_NEXT_TURN), _Kind.END),
    **dict.fromkeys(_CALLS, _Kind.CALL),
}
"""Kinds of the marks that are looked for within an answer."""
_STARTS = {
    **{end: start for start, end in _THINKING.items()},
    **dict.fromkeys(("<|end|>", "<|return|>", "<|call|>"), "<|channel|>"),
    "</s>": "<s>",
    "</tool_call>": "<tool_call>",
}
"""Starts by end."""
_LONGEST_MARK = max(map(len, _KINDS))
_FIRST_CHARACTERS = {mark[0] for mark in _KINDS}


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


_MARK = re.compile(_any_of(_KINDS), re.IGNORECASE)
_THINKING_START = re.compile(_any_of(_THINKING), re.IGNORECASE)
_THINKING_ENDS = {
    start: re.compile(re.escape(end), re.IGNORECASE) for start, end in _THINKING.items()
}
_ANALYSIS_END = re.compile(r"<\|(?:end|return)\|>|(?=<\|(?:start|channel)\|>)")
_DROPPED = re.compile(_any_of((*_OWN_TURN, *_THINKING.values(), *_ENDS)), re.IGNORECASE)
"""Marks that mean nothing at the beginning of an answer."""


@dataclass(frozen=True, slots=True)
class ReclassifiedThinking:
    """All text so far was thinking: its end mark came without a start mark."""

    text: str = ""


AnswerPiece = TextDelta | ThinkingDelta | ReclassifiedThinking
_NOTHING = TextDelta("")
"""What is shown of text that was dropped."""


class AnswerMarks:
    """Divides an answer that streams in into what is shown and thinking, and drops marks.

    Marks that the answer only mentions, in code, quotes or a sentence, are text. What may be a
    mark is held back until that is known.
    """

    def __init__(self, tools: Collection[str]) -> None:
        self.has_printed_call = False
        """True once the answer had a tool call as text, which is dropped with all after it."""
        any_tool = f"(?:{_any_of(tools) or '(?!)'})"
        unmarked = "|".join(_UNMARKED_CALLS).format(tool=any_tool)
        printed = rf"(?:```\w++\s++)?(?:{_any_of(_CALLS)}|{unmarked})"
        self._call = re.compile(printed, re.IGNORECASE)
        self._call_words = (*tools, *_CALL_WORDS)
        self._held = ""
        self._read: Callable[[bool], AnswerPiece | None] = self._read_opening
        """Reader of the beginning of the held text, which may be final; None: wait for more."""
        self._thinking_end = _ANALYSIS_END
        """Pattern that ends the current thinking."""
        self._is_visible = False
        """True once text was shown."""
        self._mentioned: set[str] = set()
        """Marks that were shown, in lower case."""
        self._line = ""
        """Last characters of the current line, as far as shown."""
        self._backticks = 0
        """Number of backticks in that line: an odd number has opened code."""
        self._is_fenced = False
        """True within a block of code."""

    def feed(self, text: str) -> Iterator[AnswerPiece]:
        """Append a delta; yield what can be shown."""
        self._held += text
        return self._released(final=False)

    def finish(self) -> Iterator[AnswerPiece]:
        """Yield the rest."""
        return self._released(final=True)

    def _released(self, *, final: bool) -> Iterator[AnswerPiece]:
        while self._held and (piece := self._read(final)) is not None:
            if piece != _NOTHING:
                yield piece

    def _read_opening(self, final: bool) -> AnswerPiece | None:
        """Read the beginning of the answer, or of one of its messages."""
        held = self._held = self._held.lstrip()
        if start := _THINKING_START.match(held):
            return self._go_on(self._read_thinking, start.end(), _THINKING_ENDS[start[0].lower()])
        if header := _HEADER.match(held):
            return self._read_header(header)
        if mark := _DROPPED.match(held):
            return self._go_on(self._read_opening, mark.end())
        if self._call.match(held):
            return self._drop_call()
        if not held or (self._may_open() and not final):
            return None
        return self._go_on(self._read_text)

    def _may_open(self) -> bool:
        """Return True if the held beginning may become a mark or a call."""
        held = self._held
        word = _WORD.match(held)[0].lower()  # type: ignore[index]  # matches anywhere
        if not word:
            return held[0] in _CALL_CHARACTERS and len(held) < _MAX_OPENING
        if word == held.lower():
            return any(each.startswith(word) for each in self._call_words)
        return word in self._call_words and len(held) < _MAX_OPENING

    def _read_header(self, header: re.Match[str]) -> AnswerPiece:
        """Read a header of gpt-oss, which says whether a message is thinking, a call or text."""
        if "to=" in header[0]:
            return self._drop_call()
        if "analysis" in header[1]:
            return self._go_on(self._read_thinking, header.end(), _ANALYSIS_END)
        self._go_on(self._read_opening, header.end())
        return TextDelta("\n\n") if self._is_visible else _NOTHING

    def _read_thinking(self, final: bool) -> AnswerPiece | None:
        end = self._thinking_end.search(self._held)
        if length := self._length_before(end, final):
            return ThinkingDelta(self._take(length))
        return self._go_on(self._read_opening, end.end()) if end else None

    def _read_text(self, final: bool) -> AnswerPiece | None:
        found = _MARK.search(self._held)
        if length := self._length_before(found, final):
            return self._show(length)
        if found is None:
            return None
        mark, length = found[0].lower(), found.end()
        is_text = self._is_text(mark, self._held[length:], final)
        if is_text is None:
            return None
        if is_text:
            self._mentioned.add(mark)
            return self._show(length)
        if _KINDS[mark] is _Kind.CALL:
            return self._drop_call()
        if _KINDS[mark] is _Kind.END:
            return self._go_on(self._skip, length)
        self._go_on(self._read_opening, length)
        self._is_visible, self._line, self._backticks = False, "", 0
        return ReclassifiedThinking()

    def _is_text(self, mark: str, after: str, final: bool) -> bool | None:
        """Return True if the answer only talks about the mark; None: wait for more."""
        kind, is_in_code = _KINDS[mark], self._is_fenced or self._backticks % 2 == 1
        if kind is _Kind.CALL:
            return is_in_code or _BEFORE_CALL.search(self._line) is None
        if kind is _Kind.START or _STARTS.get(mark) in self._mentioned:
            return True
        if is_in_code:
            # Code may be left open at the end of the answer.
            is_last = not after.strip()
            return not is_last if final or not is_last else None
        if self._line and self._line[-1] not in _BLANKS_AND_QUOTES:
            return False
        rest = after.lstrip(" \t")
        if rest in ("", "<") and not final:
            return None
        return not (rest == "" or rest.startswith(_AFTER_END))

    def _skip(self, final: bool) -> AnswerPiece | None:
        """Drop what follows the end of a turn, up to the next message of gpt-oss."""
        if header := _HEADER.search(self._held):
            return self._go_on(self._read_opening, header.start())
        self._held = self._held[-_MAX_HEADER:]
        return None

    def _drop_call(self) -> AnswerPiece:
        self.has_printed_call = True
        return self._go_on(self._drop_rest)

    def _drop_rest(self, final: bool) -> AnswerPiece | None:
        self._held = ""
        return None

    def _length_before(self, mark: re.Match[str] | None, final: bool) -> int:
        """Return the length of the held text up to the mark, or to what may become one."""
        if mark is not None or final:
            return mark.start() if mark else len(self._held)
        near = max(len(self._held) - _LONGEST_MARK, 0)
        opener = max(self._held.rfind(each, near) for each in _FIRST_CHARACTERS)
        return opener if opener >= 0 else len(self._held)

    def _go_on(
        self,
        read: Callable[[bool], AnswerPiece | None],
        dropped: int = 0,
        thinking_end: re.Pattern[str] = _ANALYSIS_END,
    ) -> AnswerPiece:
        """Drop the first characters and read what follows in another way."""
        self._take(dropped)
        self._read, self._thinking_end = read, thinking_end
        return _NOTHING

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        return taken

    def _show(self, length: int) -> TextDelta:
        text = self._take(length)
        *ended, rest = text.split("\n")
        for line in ended:
            if _FENCE.match(self._line + line):
                self._is_fenced = not self._is_fenced
            self._line, self._backticks = "", 0
        self._line = (self._line + rest)[-_MAX_LINE:]
        self._backticks += rest.count("`")
        self._is_visible = True
        return TextDelta(text)
