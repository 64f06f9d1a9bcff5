"""Tool calls.

Ids, names and arguments that every server accepts; assembly from streamed fragments; each call of
a message once.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from todo_tui.domain.messages import (
    LONGEST_TOOL_NAME,
    MessagePart,
    ToolCall,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.json_values import (
    JsonObject,
    clean_value,
    get_member,
    get_text,
    json_text,
    parse_json_object,
    parse_json_values,
    parse_sendable_object,
)

_NAME = re.compile(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{LONGEST_TOOL_NAME - 1}}}")
EXTRA_CONTENT = "extra_content"
"""Key of thought signatures in Gemini's compatible endpoint, on the wire and in meta."""
_SEPARATORS = re.compile(r"[^a-zA-Z0-9_-]+|__+")
"""What stands between a tool's name and its decoration: `functions.`, `<|channel|>`, `mcp__`."""
_EMPTY_OBJECTS = re.compile(r"\A(?:\{\s*\}\s*)+(?=\S)")
"""Empty objects before the arguments."""


def sendable_name(name: str) -> str:
    """Return a tool name in characters that every server accepts.

    A model may request a tool that does not exist; OpenAI and Anthropic answer 400 to a
    history with a malformed name.
    """
    if _NAME.fullmatch(name):
        return name
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", name)
    return (plain if _NAME.match(plain) else f"_{plain}")[:LONGEST_TOOL_NAME]


def sendable_arguments(arguments: str) -> str:
    """Return the arguments if they are a JSON object, else an object that quotes them.

    llama.cpp answers 500 to a history with arguments that are not JSON, and Gemini
    400 to any that are not an object.
    """
    if arguments.strip() and parse_sendable_object(arguments) is not None:
        return repair_surrogates(arguments)
    return json.dumps(arguments_object(arguments), ensure_ascii=False)


def arguments_object(arguments: str) -> JsonObject:
    """Return the arguments as an object, for formats without JSON text."""
    if not arguments.strip():
        return {}
    value = parse_sendable_object(arguments)
    return {"invalid_json": repair_surrogates(arguments)} if value is None else value


@dataclass(slots=True)
class ToolCallDraft:
    """Tool call, as far as received."""

    index: object = None
    """Position in the answer, as the server numbers it."""
    given_id: str = ""
    name: str = ""
    meta: JsonObject = field(default_factory=dict)
    fragments: list[str] = field(default_factory=list)
    """Arguments as JSON text."""
    is_named_again: bool = False
    """True if its name came again after the whole call: arguments that follow are a new call's."""

    @property
    def part(self) -> ToolCall:
        """Call as sent; its id may be missing or taken."""
        return ToolCall(self.given_id, self.name, "".join(self.fragments), self.meta)

    @property
    def has_begun(self) -> bool:
        """True if some arguments were received, other than an empty object."""
        return any(fragment.strip() not in ("", "{}") for fragment in self.fragments)

    @property
    def is_finished(self) -> bool:
        """True if the arguments begin with a whole object that is not empty."""
        last = next((each for each in reversed(self.fragments) if not each.isspace()), "")
        if not last.rstrip().endswith("}"):
            # Parsing long arguments with each fragment would take minutes.
            return False
        first = parse_json_values("".join(self.fragments), most=1) or ((None, ""),)
        return isinstance(first[0][0], dict) and bool(first[0][0])


def has_content(arguments: str) -> bool:
    """Return True unless the arguments are blank or an empty object."""
    values = parse_json_values(arguments)
    return values is None or any(value for value, _ in values)


class ToolCallAssembler:
    """Collects fragments; a name with a fresh id, or after finished arguments, begins a call.

    A fragment without a name continues the unfinished call at its index, whatever its id. An
    index alone proves nothing: Gemini's compatible endpoint leaves it out or sends 0 for every
    parallel call. Some servers repeat id and name in each fragment, send a new id with each, or
    cut the name in pieces, which only the names of the offered tools can tell.
    """

    def __init__(self, tools: Collection[str] = ()) -> None:
        self.drafts: list[ToolCallDraft] = []
        """Calls in the order begun."""
        self._tools = tools

    def feed(self, fragment: object) -> str | None:
        """Read a fragment, in the form of `delta.tool_calls`; return the name that it begins."""
        function = get_member(fragment, "function")
        name = repair_surrogates(get_text(function, "name"))
        arguments = json_text(get_member(function, "arguments"))
        given_id, index = get_text(fragment, "id"), get_member(fragment, "index")
        find = self._named if name else self._nameless
        draft = find(index, given_id, name, arguments)
        if draft is not None and draft.is_finished:
            if arguments and draft.is_named_again:
                name, given_id, draft = draft.name, draft.given_id, None
            elif name:
                draft.is_named_again = True
        if draft is None:
            if not (given_id or name or arguments):
                return None
            draft = ToolCallDraft(index)
            self.drafts.append(draft)
        began = bool(name) and not draft.name
        if name != draft.name:
            # The name so far may be repeated with the rest of it.
            draft.name = name if name.startswith(draft.name) else draft.name + name
        draft.given_id = draft.given_id or given_id
        if arguments:
            draft.fragments.append(arguments)
        extra = get_member(fragment, EXTRA_CONTENT)
        if isinstance(extra, Mapping) and extra:
            draft.meta[EXTRA_CONTENT] = clean_value(extra)
        return name if began else None

    def drop_incomplete(self) -> None:
        """Remove calls that were incomplete when the stream failed."""
        self.drafts = [
            draft
            for draft in self.drafts
            if parse_json_object(single_arguments("".join(draft.fragments))) is not None
        ]

    def _named(
        self, index: object, given_id: str, name: str, arguments: str
    ) -> ToolCallDraft | None:
        draft = self._with_id(given_id, index)
        if draft is None:
            draft = self._newest(index)
            if draft is None:
                return None
            # A new id begins a call, unless it comes in the middle of arguments.
            is_new = bool(given_id and draft.given_id)
            if is_new and not (
                draft.has_begun and not draft.is_finished and arguments.lstrip()[:1] != "{"
            ):
                return None
        if not draft.name:
            return draft
        if name == draft.name:
            # The same name again: either a fragment repeats it, or a second call starts.
            return None if arguments and draft.is_finished else draft
        return draft if not draft.has_begun and self._continues(draft.name, name) else None

    def _continues(self, begun: str, name: str) -> bool:
        """Return True if the name is the rest of one that has begun, or repeats it longer."""
        joined = name if name.startswith(begun) else begun + name
        last_word = _SEPARATORS.split(joined)[-1]
        return resolve_name(joined, self._tools) in self._tools or any(
            tool.startswith(last_word) for tool in self._tools
        )

    def _nameless(
        self, index: object, given_id: str, name: str, arguments: str
    ) -> ToolCallDraft | None:
        if draft := self._with_id(given_id, index) or self._with_id(given_id, None):
            return draft
        draft = self._newest(index)
        if draft is None and arguments and not given_id:
            draft = self._newest(None)
            return draft if draft is not None and not draft.is_finished else None
        # The id of a call may come before its name.
        is_new = draft is not None and given_id and draft.given_id and draft.is_finished
        return None if is_new else draft

    def _with_id(self, given_id: str, index: object) -> ToolCallDraft | None:
        # Some servers give several calls one id: the index tells them apart.
        same = (
            draft
            for draft in reversed(self.drafts)
            if draft.given_id == given_id and (index is None or draft.index in (index, None))
        )
        return next(same, None) if given_id else None

    def _newest(self, index: object) -> ToolCallDraft | None:
        at_index = (draft for draft in reversed(self.drafts) if index in (None, draft.index))
        return next(at_index, None)


def resolve_name(name: str, tools: Collection[str]) -> str:
    """Return the one offered tool that a decorated name contains; any other name unchanged.

    Models write `functions.add_task`, `default_api:add_task` or `add_task<|channel|>commentary`.
    """
    if name in tools or not name.strip().isprintable():
        return name
    found = {word for word in _SEPARATORS.split(name) if word in tools}
    return found.pop() if len(found) == 1 else name


def single_arguments(arguments: str) -> str:
    """Return the arguments without empty values and repetitions beside the real object.

    Some servers send `{}` first, or all arguments again. Different objects stay as they came.
    """
    arguments = _EMPTY_OBJECTS.sub("", arguments.strip())
    values = parse_json_values(arguments)
    distinct = {_canonical(value, text): text for value, text in reversed(values or ()) if value}
    if values and len(values) > 1 and len(distinct) < 2:
        return next(iter(distinct.values()), values[0][1])
    return arguments


def _canonical(value: JsonValue, text: str) -> str:
    """Return the same text for equal JSON values, however they were written."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        # JSON that can be parsed may be nested too deeply to be written again.
        return text


def distinct_parts(parts: Iterable[MessagePart], tools: Collection[str]) -> tuple[MessagePart, ...]:
    """Return the parts with each call once, under its tool's name.

    A call of the same id, or without one, that has the same name and equal arguments is a
    repetition. Calls with ids of their own stay apart, even if they are equal.
    """
    kept: list[MessagePart] = []
    calls: dict[int, tuple[ToolCall, str]] = {}
    """Call and canonical arguments by position."""
    for part in parts:
        if not isinstance(part, ToolCall):
            kept.append(part)
            continue
        call = replace(
            part,
            id=repair_surrogates(part.id),
            name=resolve_name(repair_surrogates(part.name), tools),
            arguments=repair_surrogates(single_arguments(part.arguments)) or "{}",
        )
        value = parse_json_object(call.arguments)
        key = call.arguments if value is None else _canonical(value, call.arguments)
        for position, (other, other_key) in calls.items():
            if joined := _joined(other, other_key, call, key):
                calls[position] = joined
                break
        else:
            calls[len(kept)] = call, key
            kept.append(call)
    for position, (call, _) in calls.items():
        kept[position] = call
    return tuple(kept)


def _joined(
    one: ToolCall, key: str, other: ToolCall, other_key: str
) -> tuple[ToolCall, str] | None:
    """Return the call, with its canonical arguments, that both are; None if they are two."""
    has_one_id = one.id == other.id
    if one.id and other.id and not has_one_id:
        return None
    if one.name != other.name and one.name and other.name:
        return None
    # The same call may come in two parts, one with the name or id, the other with the arguments.
    in_parts = bool(has_one_id and one.id) or not (one.name and other.name)
    if key != other_key and not (in_parts and "{}" in (key, other_key)):
        return None
    arguments, key = (other.arguments, other_key) if key == "{}" else (one.arguments, key)
    name, call_id = one.name or other.name, one.id or other.id
    return ToolCall(call_id, name, arguments, {**other.meta, **one.meta}), key
