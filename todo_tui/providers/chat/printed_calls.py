"""Tool calls that a model printed as text, found in what stands between its marks.

Models whose chat template knows no tools write the call into their answer, each family
as it was trained: as JSON, as XML (Llama, Qwen-Coder, GLM, MiniMax), as a name before
JSON (Mistral, Kimi, DeepSeek), in the syntax of Python (Gemma, Llama 4, OLMo), or in
one of their own (Gemma 4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.domain.request import ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.chat.python_calls import python_calls

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


@dataclass(frozen=True, slots=True)
class PrintedCall:
    """A call as text said it; `arguments` is the JSON text of an object."""

    name: str
    arguments: str


def _nobody_said(text: str) -> bool:
    return False


def is_told(text: str, texts: Sequence[str]) -> bool:
    """Whether a text stands in one of these, however it is escaped and broken into lines."""
    sought = text.translate(_BLANK)
    return any(sought in _ESCAPED_BLANK.sub("", each).translate(_BLANK) for each in texts)


@dataclass(frozen=True, slots=True)
class CallReader:
    """Reads calls of the offered tools; with `any_name`, of tools that do not exist too.

    What was `told` to the model is no call where it says it again: a task may well have
    a call for its title.
    """

    tools: tuple[ToolSpec, ...]
    any_name: bool = False
    told: Callable[[str], bool] = _nobody_said

    def read(self, text: str) -> tuple[PrintedCall, ...]:
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
        return () if calls and says_more and self.told(text) else calls

    def _json(self, text: str) -> Iterator[PrintedCall]:
        while (value := leading_json(text)) is not None:
            calls = self._of_value(value[0])
            if not calls:
                return
            yield from calls
            text = text[value[1] :].lstrip(" \t\r\n,;")

    def _of_value(self, value: JsonValue) -> tuple[PrintedCall, ...]:
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

    def _functions(self, text: str) -> Iterator[PrintedCall]:
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

    def _keyed(self, text: str) -> Iterator[PrintedCall]:
        if match := _KEYED.fullmatch(text):
            yield from self._called(match[1], self._typed_all(match[1], _keyed_values(match[2])))

    def _named(self, text: str) -> Iterator[PrintedCall]:
        while match := _NAMED.match(text):
            value = leading_json(text[match.end() :])
            if value is None:
                return
            yield from self._called(match[1], value[0])
            text = text[match.end() + value[1] :]

    def _braced(self, text: str) -> Iterator[PrintedCall]:
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

    def _python(self, text: str) -> Iterator[PrintedCall]:
        for call in python_calls(text):
            named = list(_properties(self._tool(call.name)))[: len(call.positional)]
            if len(named) == len(call.positional):
                first = dict(zip(named, call.positional, strict=True))
                yield from self._called(call.name, _json_value({**first, **call.named}))

    def _called(self, name: str, arguments: JsonValue) -> tuple[PrintedCall, ...]:
        if isinstance(arguments, str):
            decoded = leading_json(arguments.strip() or "{}")
            arguments = decoded[0] if decoded else None
        elif arguments is None:
            arguments = {}
        tool = self._tool(name)
        if not isinstance(arguments, dict) or not (self.any_name or tool):
            return ()
        own_name = tool.name if tool else whole_characters(name)
        written = whole_characters(json.dumps(arguments, ensure_ascii=False))
        return (PrintedCall(own_name, written),)

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


_Form = Callable[[CallReader, str], Iterator[PrintedCall]]
_FORMS: dict[str, tuple[_Form, ...]] = {
    "{": (CallReader._json,),
    "[": (CallReader._json, CallReader._python),
    "<": (CallReader._functions, CallReader._named),
}
"""In which forms a call may be, by its first character."""
_OTHER_FORMS: tuple[_Form, ...] = (
    CallReader._braced,
    CallReader._keyed,
    CallReader._named,
    CallReader._python,
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
