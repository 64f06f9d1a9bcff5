"""Tool calls and thinking that local models write as text, found in the streamed answer."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.domain.messages import ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates

FENCE = "```"
WHOLE_BLOCKS = ("<function=", "<invoke name=", "functools[")
"""Those that say with their first mark what is called."""
CLOSERS: dict[str, str | None] = {
    "<tool_call>": "</tool_call>",  # Hermes, Qwen, GLM, Hunyuan
    "<function_call>": "</function_call>",
    "<function=": "</function>",  # Llama, Qwen-Coder, Seed
    "<invoke name=": "</invoke>",  # MiniMax and Claude's kin
    "<function_calls>": "</function_calls>",  # OLMo
    "<tool_calls>": "</tool_calls>",  # Jamba, Hunyuan
    "<TOOLCALL>": "</TOOLCALL>",  # Nemotron
    "[TOOL_CALLS]": None,  # Mistral
    "<|python_tag|>": None,  # Llama 3
    "<|python_start|>": "<|python_end|>",  # Llama 4
    "<|tool_call|>": None,  # Granite, Phi
    "<|tool_call_start|>": "<|tool_call_end|>",  # LFM
    "<|tool_calls_section_begin|>": "<|tool_calls_section_end|>",  # Kimi
    "<｜tool▁calls▁begin｜>": "<｜tool▁calls▁end｜>",  # DeepSeek
    "<｜DSML｜function_calls>": "</｜DSML｜function_calls>",  # DeepSeek from 3.2
    "<|START_ACTION|>": "<|END_ACTION|>",  # Command
    "<|action_start|>": "<|action_end|>",  # InternLM
    "<start_function_call>": "<end_function_call>",  # FunctionGemma
    "<|tool_call>": "<tool_call|>",  # Gemma 4
    "functools[": None,  # Phi
    FENCE: FENCE,
}
"""What ends each kind of block; None: the end of the answer."""
CALL_FENCE = re.compile(
    r"```[ \t]*+(?:(?:json|tools?|tool_calls?|xml)?[ \t]*+\r?\n\s*+(?=[\[{<])"
    r"|tool_code[ \t]*+\r?\n\s*+)"
)
"""A fence that may hold a call: of JSON, of tags, or Gemma's of Python."""
PARTIAL_FENCE = re.compile(r"```[ \t]*+[\w+-]*+[ \t]*+(?:\r?\n\s*+)?")
THINKING_MARKS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",  # Magistral
    "<seed:think>": "</seed:think>",
    "<|START_THINKING|>": "<|END_THINKING|>",  # Command
    "<|channel>thought": "<channel|>",  # Gemma 4
}
"""What begins thoughts, and what ends them."""
THINKING_END = "\n</think>\n"
"""The end of thoughts that the chat template has begun, so that nothing said it."""
HARMONY = ("<|start|>", "<|channel|>")
"""What begins a message of gpt-oss: a header that names its channel, and who is called."""
HARMONY_BODY = "<|message|>"
HARMONY_ENDS = ("<|end|>", "<|call|>", "<|return|>")
MAX_HEADER_LENGTH = 200
"""Characters."""
OPENERS = (*CLOSERS, *THINKING_MARKS, THINKING_END, *HARMONY, *HARMONY_ENDS)
OPENER = re.compile("|".join(re.escape(opener) for opener in OPENERS))
_MAX_MARK_LENGTH = max(map(len, (*OPENERS, *THINKING_MARKS.values(), *HARMONY_ENDS))) - 1
_JSON_NAMES = {"true": True, "false": False, "null": None}
_NAME_KEYS = ("name", "tool", "tool_name", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_TAG = r"(?:｜DSML｜)?"
_FUNCTION = re.compile(
    rf"<{_TAG}(?:function=|invoke name=)\"?([\w.-]+)\"?>?(.*?)(?:</{_TAG}(?:function|invoke)>|\Z)",
    re.DOTALL,
)
_PARAMETER = re.compile(
    rf"<{_TAG}parameter(?:=|\s+name=)\"?([\w.-]+)\"?(?:\s[^<>]*)?>(.*?)"
    rf"(?:</{_TAG}parameter>|(?=<{_TAG}parameter[=\s])|\Z)",
    re.DOTALL,
)
_KEYED = re.compile(r"([\w.-]+)\s*((?:<arg_key>.*)?)", re.DOTALL)
_KEY, _VALUE_END = "<arg_key>", "</arg_value>"
_KEY_END = re.compile(r"</arg_key>\s*+<arg_value>")
_TOKEN = r"<[|｜][^<>|｜\s]{1,40}[|｜]>"  # noqa: S105  # no password
_NAMED = re.compile(
    rf"(?:{_TOKEN}|</?tool_call>|\[TOOL_CALLS\]|```|function(?={_TOKEN})|\s)*"
    r"([A-Za-z_][\w.-]*)(?::\d+)?"
    rf"(?:{_TOKEN}|\[CALL_ID\][\w-]*|\[ARGS\]|```(?:json)?|\s)*(?=\{{)"
)
"""A name before JSON: `functions.add_task:0<|tool_call_argument_begin|>{`, `add_task[ARGS]{`."""
_BRACED = re.compile(r"call:([\w.-]+)(\{.*\})\s*", re.DOTALL)
_BRACED_QUOTE = re.compile(r'<escape>|<\|"\|>')
_BRACED_KEY = re.compile(r"([{,]\s*)([A-Za-z_][\w-]*)\s*:")
_MARK_BEFORE = re.compile(rf"(?:{_TOKEN}|functools|\s)*(?=[\[{{<])")
_ESCAPED_BLANK = re.compile(r"(?<!\\)\\++[ntr]")
_BLANK = str.maketrans("", "", "\\ \t\r\n")
_DECODER = json.JSONDecoder()
_MAX_CALL_LENGTH = 20_000
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
_PARTIAL_PYTHON = re.compile(r"\[?\s*([A-Za-z_]\w*)?(\(?)")
_JSON_QUOTE = re.compile(r'(?<!\\)"')
_FIRST_KEY = re.compile(r'\[?\s*\{\s*"([^"]*)("?)')
_PARTIAL_BRACKETS = re.compile(r"\[?\s*(?:\{\s*)?")
_CALL_KEYS = (
    *("name", "tool", "tool_name", "function", "type", "id", "tool_calls", "tool_call_id"),
    *("arguments", "parameters", "args", "input"),
)


def proper_prefixes(marks: Iterable[str]) -> frozenset[str]:
    """What may become one of the marks if more comes."""
    return frozenset(mark[:length] for mark in marks for length in range(1, len(mark)))


def partial_mark_length(text: str, begun: frozenset[str]) -> int:
    """How many characters at the end of the text may be the beginning of a mark."""
    for length in range(min(len(text), _MAX_MARK_LENGTH), 0, -1):
        if text[-length:] in begun:
            return length
    return 0


OPENER_PREFIXES = proper_prefixes(OPENERS)


@dataclass(frozen=True, slots=True)
class PythonCall:
    """`name(…)` with its arguments, which are literals of Python."""

    name: str
    positional: tuple[object, ...]
    named: dict[str, object]


def python_calls(text: str) -> tuple[PythonCall, ...]:
    """The calls that the text consists of; empty where it holds anything else."""
    try:
        with warnings.catch_warnings():
            # An odd escape in somebody's words is no business of the terminal.
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip())
        return tuple(call for statement in tree.body for call in _of_statement(statement))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _of_statement(statement: ast.stmt) -> Iterator[PythonCall]:
    if not isinstance(statement, ast.Expr):
        raise ValueError("no call")
    value = statement.value
    for each in value.elts if isinstance(value, ast.List) else [value]:
        yield _call(each)


def _call(node: ast.expr) -> PythonCall:
    if not isinstance(node, ast.Call):
        raise ValueError("no call")
    name = _name(node.func)
    if name == "print" and len(node.args) == 1:
        return _call(node.args[0])
    positional = tuple(_literal(argument) for argument in node.args)
    named = {str(each.arg): _literal(each.value) for each in node.keywords if each.arg}
    if len(named) < len(node.keywords):
        raise ValueError("arguments that are not written out")
    return PythonCall(name, positional, named)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        # Llama's own tools are called as `name.call(…)`, Gemma's as `default_api.name(…)`.
        case ast.Attribute(value=ast.Name(id=name), attr="call"):
            return name
        case ast.Attribute(attr=name):
            return name
        case _:
            raise ValueError("no name")


def _literal(node: ast.expr) -> object:
    if isinstance(node, ast.Name) and node.id in _JSON_NAMES:
        return _JSON_NAMES[node.id]
    if isinstance(node, ast.List):
        return [_literal(each) for each in node.elts]
    value: object = ast.literal_eval(node)
    return value


@dataclass(frozen=True, slots=True)
class TextCall:
    """A call as text said it; `arguments` is the JSON text of an object."""

    name: str
    arguments: str


def _never_quoted(text: str) -> bool:
    return False


def occurs_in(text: str, texts: Sequence[str]) -> bool:
    """Whether a text stands in one of these, however it is escaped and broken into lines."""
    sought = text.translate(_BLANK)
    return any(sought in _ESCAPED_BLANK.sub("", each).translate(_BLANK) for each in texts)


@dataclass(frozen=True, slots=True)
class TextCallReader:
    """Reads calls of the offered tools; with `any_name`, of tools that do not exist too.

    What was `told` to the model is no call where it says it again: a task may well have
    a call for its title.
    """

    tools: tuple[ToolSpec, ...]
    any_name: bool = False
    is_quoted: Callable[[str], bool] = _never_quoted

    def read(self, text: str) -> tuple[TextCall, ...]:
        """The calls that the text consists of; empty where it holds anything else first."""
        text = text.strip()
        if mark := _MARK_BEFORE.match(text):
            text = text[mark.end() :]
        forms = _FORMS.get(text[:1], _OTHER_FORMS)
        try:
            calls = next(filter(None, (tuple(form(self, text)) for form in forms)), ())
        except RecursionError:
            # JSON that can be read and is nested too deeply for whatever comes after.
            return ()
        says_more = any(mark in text for mark in "{(<")
        return () if calls and says_more and self.is_quoted(text) else calls

    def _json(self, text: str) -> Iterator[TextCall]:
        while (value := leading_json(text)) is not None:
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
        if isinstance(value.get("tool_calls"), list):
            return self._of_value(value["tool_calls"])
        inner = value.get("function")
        if isinstance(inner, dict):
            return self._of_value(inner)
        name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
        arguments = next((value[key] for key in _ARGUMENT_KEYS if key in value), None)
        if not isinstance(name, str) or (arguments is None and len(value) > 1):
            return ()
        return self._called(name, arguments)

    def _functions(self, text: str) -> Iterator[TextCall]:
        while match := _FUNCTION.match(text):
            text = text[match.end() :].lstrip()
            name, body = match[1], match[2].strip()
            value = leading_json(body)
            if value is not None:
                yield from self._called(name, value[0])
                continue
            arguments = self._typed_all(name, _PARAMETER.findall(body))
            if arguments or not body:
                yield from self._called(name, arguments)

    def _keyed(self, text: str) -> Iterator[TextCall]:
        if match := _KEYED.fullmatch(text):
            yield from self._called(match[1], self._typed_all(match[1], _keyed_values(match[2])))

    def _named(self, text: str) -> Iterator[TextCall]:
        while match := _NAMED.match(text):
            value = leading_json(text[match.end() :])
            if value is None:
                return
            yield from self._called(match[1], value[0])
            text = text[match.end() + value[1] :]

    def _braced(self, text: str) -> Iterator[TextCall]:
        match = _BRACED.fullmatch(text)
        if match is None:
            return
        # Every other piece stands between quotes.
        pieces = _BRACED_QUOTE.split(match[2])
        pieces[::2] = (_BRACED_KEY.sub(r'\1"\2":', piece) for piece in pieces[::2])
        pieces[1::2] = (json.dumps(piece) for piece in pieces[1::2])
        value = leading_json("".join(pieces))
        if value is not None:
            yield from self._called(match[1], value[0])

    def _python(self, text: str) -> Iterator[TextCall]:
        for call in python_calls(text):
            named = list(_properties(self._tool(call.name)))[: len(call.positional)]
            if len(named) == len(call.positional):
                first = dict(zip(named, call.positional, strict=True))
                yield from self._called(call.name, _json_value({**first, **call.named}))

    def _called(self, name: str, arguments: JsonValue) -> tuple[TextCall, ...]:
        if isinstance(arguments, str):
            decoded = leading_json(arguments.strip() or "{}")
            arguments = decoded[0] if decoded else None
        elif arguments is None:
            arguments = {}
        tool = self._tool(name)
        if not isinstance(arguments, dict) or not (self.any_name or tool):
            return ()
        own_name = tool.name if tool else repair_surrogates(name)
        written = repair_surrogates(json.dumps(arguments, ensure_ascii=False))
        return (TextCall(own_name, written),)

    def _typed_all(self, name: str, written: Sequence[tuple[str, str]]) -> dict[str, JsonValue]:
        properties = _properties(self._tool(name))
        return {
            key.strip(): _typed(text.strip("\n"), properties.get(key.strip()))
            for key, text in written
        }

    def _tool(self, name: str) -> ToolSpec | None:
        """The tool of that name; of some, as `functions.add_task`, the last part is it."""
        names = (name, name.rpartition(".")[2])
        return next((tool for tool in self.tools if tool.name in names), None)


_Form = Callable[[TextCallReader, str], Iterator[TextCall]]

_FORMS: dict[str, tuple[_Form, ...]] = {
    "{": (TextCallReader._json,),
    "[": (TextCallReader._json, TextCallReader._python),
    "<": (TextCallReader._functions, TextCallReader._named),
}
"""In which forms a call may be, by its first character."""

_OTHER_FORMS: tuple[_Form, ...] = (
    TextCallReader._braced,
    TextCallReader._keyed,
    TextCallReader._named,
    TextCallReader._python,
)


def _keyed_values(text: str) -> list[tuple[str, str]]:
    """Return the arguments as GLM prints them: `<arg_key>…</arg_key><arg_value>…</arg_value>`."""
    found: list[tuple[str, str]] = []
    at = 0
    while (start := text.find(_KEY, at)) >= 0:
        middle = _KEY_END.search(text, start + len(_KEY))
        end = text.find(_VALUE_END, middle.end()) if middle else -1
        if middle is None or end < 0:
            break
        found.append((text[start + len(_KEY) : middle.start()], text[middle.end() : end]))
        at = end + len(_VALUE_END)
    return found


def leading_json(text: str) -> tuple[JsonValue, int] | None:
    """The JSON object or list that the text begins with, and its length."""
    if not text.startswith(("{", "[")):
        return None
    try:
        value, length = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value, length


def _properties(tool: ToolSpec | None) -> Mapping[str, JsonValue]:
    properties = tool.parameters.get("properties") if tool else None
    return properties if isinstance(properties, Mapping) else {}


def _json_value(value: object) -> JsonValue:
    """A literal of Python as JSON has it; a list, which no arguments are, where it has none."""
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return []
    known: JsonValue = json.loads(written)
    return known


def _typed(text: str, schema: JsonValue) -> JsonValue:
    """The value of an XML parameter: JSON where the tool wants something else than words."""
    if _wants_words(schema):
        return text
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _wants_words(schema: JsonValue | Mapping[str, JsonValue]) -> bool:
    if not isinstance(schema, Mapping):
        return False
    kinds: list[JsonValue] = [schema.get("type")]
    options = schema.get("anyOf")
    if isinstance(options, Sequence) and not isinstance(options, str):
        kinds += [option.get("type") for option in options if isinstance(option, Mapping)]
    return "string" in kinds


@dataclass(frozen=True, slots=True)
class VisibleText:
    """Words of the answer that can be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingText:
    """Words between `<think>` and `</think>`."""

    text: str


@dataclass(frozen=True, slots=True)
class ReclassifiedThinking:
    """All words so far were thoughts: their end came, and nothing had said that they begin."""

    text: str = ""


AnswerPiece = VisibleText | ThinkingText | ReclassifiedThinking


@dataclass(frozen=True, slots=True)
class _Step:
    """So many characters of what is held are done with, and this is shown of them."""

    length: int
    shown: AnswerPiece | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    """So many characters at the beginning, and what they say; nothing: surely no call."""

    length: int
    body: str = ""


class TextCallParser:
    """Lets words through as they come, and holds back what may turn out to be a call.

    Bare JSON and Python count at the beginning of an answer only; tags and fences
    anywhere, unless they are quoted.
    """

    def __init__(self, reader: TextCallReader) -> None:
        self.calls: list[TextCall] = []
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

    def feed(self, text: str) -> Iterator[AnswerPiece]:
        """Take a delta; what can be shown now."""
        self._held += text
        if len(self._held) < self._look_at:
            return
        yield from self._released(final=False)
        held = len(self._held)
        self._look_at = held + held // _LOOK_AGAIN if held > _LOOKED_AT_EACH_TIME else 0

    def finish(self) -> Iterator[AnswerPiece]:
        """What was held back and is no call."""
        return self._released(final=True)

    def _released(self, *, final: bool) -> Iterator[AnswerPiece]:
        while self._held and (step := self._step(final=final)) is not None:
            self._held = self._held[step.length :]
            match step.shown:
                case VisibleText(text) | ThinkingText(text) if not text:
                    continue
                case None:
                    continue
                case VisibleText(text):
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
        waiting = 0 if final else partial_mark_length(held, OPENER_PREFIXES)
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
        if opener in THINKING_MARKS and self._before not in ("", "\n"):
            return self._words(len(opener))
        if opener in THINKING_MARKS:
            self._thoughts_end = THINKING_MARKS[opener]
            return _Step(len(opener))
        if opener == THINKING_END:
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
            return _Step(length, ThinkingText(self._held[:end]))
        begun = proper_prefixes((self._thoughts_end,))
        length = len(self._held) - (0 if final else partial_mark_length(self._held, begun))
        return _Step(length, ThinkingText(self._held[:length])) if length else None

    def _thoughts_over(self) -> _Step:
        if self._at_start or self.calls:
            return self._words(1)
        self._at_start, self._skipped = True, _BLANKS
        return _Step(len(THINKING_END), ReclassifiedThinking())

    def _channel(self, *, final: bool) -> _Step | None:
        """A message of gpt-oss: thoughts, words or a call, as its header says."""
        held = self._held
        end = held.find(HARMONY_BODY, 0, MAX_HEADER_LENGTH)
        if end < 0:
            waiting = not final and len(held) < MAX_HEADER_LENGTH
            return None if waiting else self._words(1)
        header, begin = held[:end], end + len(HARMONY_BODY)
        if self._reader.is_quoted(header):
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
        return _Step(length, VisibleText(self._held[:length]))

    def _limited(self, block: _Block | None) -> _Step | None:
        """The step that a block is; None, to wait for its end, only as long as one may be."""
        if len(self._held) > _MAX_CALL_LENGTH:
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
        begun = _PARTIAL_PYTHON.match(held)
        if begun is None or len(held) > _MAX_CALL_LENGTH:
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
                waiting = not final and PARTIAL_FENCE.fullmatch(held)
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
        return _PARTIAL_BRACKETS.fullmatch(text) is not None
    return any(name == key[1] if key[2] else name.startswith(key[1]) for name in _CALL_KEYS)
