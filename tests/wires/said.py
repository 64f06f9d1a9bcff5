"""What a model says, before a server of some wire format puts it into words of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass

from todo_tui.domain.task import JsonValue


@dataclass(frozen=True, slots=True)
class Called:
    """A tool that it asks for.

    `arguments` is JSON text as the model wrote it; what is no text comes as it is,
    in one piece, and None not at all.
    """

    name: str
    arguments: JsonValue = "{}"
    id: str = ""

    @classmethod
    def with_arguments(cls, name: str, call_id: str = "", /, **arguments: JsonValue) -> Called:
        """A call whose arguments are well formed."""
        return cls(name, json.dumps(arguments), call_id)


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a model; `usage` says whether the server counts its tokens."""

    text: str = ""
    thinking: str = ""
    calls: tuple[Called, ...] = ()
    usage: bool = True
    cut: bool = False
    """Whether it reached its length limit."""
