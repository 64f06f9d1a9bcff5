"""Tool calls put together from the fragments in which a stream brings them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from todo_tui.domain.clock import NewId
from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.foreign import json_object, member, text_of, whole_value
from todo_tui.providers.tool_arguments import call_id

EXTRA = "extra_content"
"""Where Gemini's compatible endpoint keeps thought signatures, on the wire and in a meta."""
_MARKS = re.compile(r'\\.?|["{}]', re.DOTALL)


@dataclass(slots=True)
class _Draft:
    index: object
    given_id: str = ""
    name: str = ""
    meta: dict[str, JsonValue] = field(default_factory=dict)
    _fragments: list[str] = field(default_factory=list)
    _brackets: int = 0
    """How many more were opened than closed, those in texts not counted."""
    _in_text: bool = False
    _begun: str = ""
    """The backslash that the last fragment ended with, unless one before it goes with it."""

    def add(self, fragment: str) -> None:
        """Append a fragment of the arguments."""
        self._fragments.append(fragment)
        marks = _MARKS.findall(self._begun + fragment)
        self._begun = "\\" if marks and marks[-1] == "\\" else ""
        for mark in marks:
            if mark == '"':
                self._in_text = not self._in_text
            elif not self._in_text and mark in ("{", "}"):
                self._brackets += 1 if mark == "{" else -1

    @property
    def arguments(self) -> str:
        return "".join(self._fragments)

    @property
    def complete(self) -> bool:
        # To read long arguments with each of their fragments would take minutes.
        return not self._brackets and json_object(self.arguments) is not None


class ToolCallAssembler:
    """Collects fragments; a call begins with a fresh id, or a name after a complete call.

    An index alone proves nothing: Gemini's compatible endpoint leaves it out or
    sends 0 for every parallel call, and some servers repeat id and name in each
    fragment.
    """

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []

    def feed(self, fragment: object) -> str | None:
        """Take one element of `delta.tool_calls`; the name of a call that began with it."""
        function = member(fragment, "function")
        name = text_of(function, "name")
        arguments = _arguments_text(member(function, "arguments"))
        given_id = text_of(fragment, "id")
        draft = self._continued(member(fragment, "index"), given_id, name, arguments)
        if draft is None and not (given_id or name or arguments):
            return None
        if draft is None:
            draft = _Draft(member(fragment, "index"))
            self._drafts.append(draft)
        began = bool(name) and not draft.name
        draft.name = draft.name or name
        draft.given_id = draft.given_id or given_id
        if arguments:
            draft.add(arguments)
        extra = member(fragment, EXTRA)
        if isinstance(extra, Mapping) and extra:
            draft.meta[EXTRA] = whole_value(extra)
        return name if began else None

    def finish(self, taken: set[str], new_id: NewId) -> tuple[ToolCall, ...]:
        """The calls in the order begun, with ids that are unique beside the taken ones.

        Arguments are the text as it came; a call without any gets `{}`.
        """
        return tuple(
            ToolCall(
                id=call_id(draft.given_id, taken, new_id),
                name=whole_characters(draft.name),
                arguments=whole_characters(draft.arguments).strip() or "{}",
                meta=draft.meta,
            )
            for draft in self._drafts
        )

    def drop_incomplete(self) -> None:
        """Leave out what had begun when the stream failed."""
        self._drafts = [draft for draft in self._drafts if draft.complete]

    def __bool__(self) -> bool:
        return bool(self._drafts)

    def _continued(self, index: object, given_id: str, name: str, arguments: str) -> _Draft | None:
        """The call that a fragment goes on with; None where it begins another."""
        draft = self._addressed(index, given_id)
        if draft is None or not name or not draft.name:
            return draft
        if name != draft.name:
            return None
        # The same name again: a fragment that repeats it, or a second call like the first.
        return None if arguments and draft.complete else draft

    def _addressed(self, index: object, given_id: str) -> _Draft | None:
        if given_id:
            for draft in reversed(self._drafts):
                # Some servers give several calls one id: their numbers tell them apart.
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


def _arguments_text(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
