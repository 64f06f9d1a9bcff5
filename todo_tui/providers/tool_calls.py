"""Tool calls.

Ids, names and arguments that every server accepts; assembly from streamed fragments.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from todo_tui.domain.messages import ToolCall
from todo_tui.domain.text import repair_surrogates
from todo_tui.domain.when import NewId
from todo_tui.providers.json_values import (
    JsonObject,
    clean_value,
    get_member,
    get_text,
    json_text,
    parse_json_object,
    parse_sendable_object,
)

_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_MAX_NAME_LENGTH = 64
_NAME = re.compile(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{_MAX_NAME_LENGTH - 1}}}")
EXTRA_CONTENT = "extra_content"
"""Key of thought signatures in Gemini's compatible endpoint, on the wire and in meta."""
_SYMBOLS = re.compile(r'\\.?|["{}]', re.DOTALL)


def valid_call_id(given: str, taken: set[str], new_id: NewId) -> str:
    """Return an id that every provider accepts: the given one, unless malformed or taken.

    The id is added to `taken`.
    """
    chosen = given if _CALL_ID.fullmatch(given) else ""
    while not chosen or chosen in taken:
        chosen = f"call_{new_id()[:24]}"
    taken.add(chosen)
    return chosen


def sendable_name(name: str) -> str:
    """Return a tool name in characters that every server accepts.

    A model may request a tool that does not exist; OpenAI and Anthropic answer 400 to a
    history with a malformed name.
    """
    if _NAME.fullmatch(name):
        return name
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", name)
    return (plain if _NAME.match(plain) else f"_{plain}")[:_MAX_NAME_LENGTH]


def sendable_arguments(arguments: str) -> str:
    """Return the arguments if they are a JSON object, else an object that quotes them.

    llama.cpp answers 500 to a history with arguments that are no JSON, and Gemini
    400 to any that are no object.
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
    whole: object = None
    """Arguments as sent at once, which count if there are no fragments."""
    _brackets: int = 0
    """Depth of open brackets outside strings."""
    _in_string: bool = False
    _escape: str = ""
    """Backslash at the end of the last fragment, unless it is escaped itself."""

    @property
    def arguments(self) -> str:
        """JSON text of the arguments, as far as received."""
        return "".join(self.fragments)

    def finish(self, taken: set[str], new_id: NewId) -> ToolCall:
        """Return the call with an id distinct from those in `taken`.

        Arguments are the text as it came; a call without any gets `{}`.
        """
        arguments = repair_surrogates(self.arguments.strip() or json_text(self.whole)).strip()
        call_id = valid_call_id(self.given_id, taken, new_id)
        return ToolCall(call_id, repair_surrogates(self.name), arguments or "{}", self.meta)

    def add(self, fragment: str) -> None:
        """Append a fragment of the arguments, and count its brackets."""
        self.fragments.append(fragment)
        symbols = _SYMBOLS.findall(self._escape + fragment)
        self._escape = "\\" if symbols and symbols[-1] == "\\" else ""
        for symbol in symbols:
            if symbol == '"':
                self._in_string = not self._in_string
            elif not self._in_string and symbol in ("{", "}"):
                self._brackets += 1 if symbol == "{" else -1

    @property
    def is_complete(self) -> bool:
        """True if the arguments are a whole object.

        Parsing long arguments with each fragment would take minutes, so brackets are counted.
        """
        return not self._brackets and parse_json_object(self.arguments) is not None


class ToolCallAssembler:
    """Collects fragments; a fresh id, or a name after a complete call, starts a new call.

    An index alone proves nothing: Gemini's compatible endpoint leaves it out or
    sends 0 for every parallel call, and some servers repeat id and name in each
    fragment.
    """

    def __init__(self) -> None:
        self._drafts: list[ToolCallDraft] = []

    def feed(self, fragment: object) -> str | None:
        """Read one element of `delta.tool_calls`; return the name of a call that it starts."""
        function = get_member(fragment, "function")
        name = get_text(function, "name")
        arguments = json_text(get_member(function, "arguments"))
        given_id, index = get_text(fragment, "id"), get_member(fragment, "index")
        draft = self._continued(index, given_id, name, arguments)
        if draft is None:
            if not (given_id or name or arguments):
                return None
            draft = ToolCallDraft(index)
            self._drafts.append(draft)
        began = bool(name) and not draft.name
        draft.name = draft.name or name
        draft.given_id = draft.given_id or given_id
        if arguments:
            draft.add(arguments)
        extra = get_member(fragment, EXTRA_CONTENT)
        if isinstance(extra, Mapping) and extra:
            draft.meta[EXTRA_CONTENT] = clean_value(extra)
        return name if began else None

    def finish(self, taken: set[str], new_id: NewId) -> tuple[ToolCall, ...]:
        """Return the calls in the order started, with ids distinct from those in `taken`."""
        return tuple(draft.finish(taken, new_id) for draft in self._drafts)

    def drop_incomplete(self) -> None:
        """Remove calls that were incomplete when the stream failed."""
        self._drafts = [draft for draft in self._drafts if draft.is_complete]

    def _continued(
        self, index: object, given_id: str, name: str, arguments: str
    ) -> ToolCallDraft | None:
        draft = self._addressed(index, given_id)
        if draft is None or not name or not draft.name:
            return draft
        if name != draft.name:
            return None
        # The same name again: either a fragment repeats it, or a second call starts.
        return None if arguments and draft.is_complete else draft

    def _addressed(self, index: object, given_id: str) -> ToolCallDraft | None:
        if given_id:
            for draft in reversed(self._drafts):
                # Some servers give several calls one id: the index tells them apart.
                same_number = index is None or draft.index in (index, None)
                if draft.given_id == given_id and same_number:
                    return draft
        if index is None:
            candidates = self._drafts
        else:
            candidates = [draft for draft in self._drafts if draft.index == index]
        if not candidates or (given_id and candidates[-1].given_id):
            return None
        return candidates[-1]
