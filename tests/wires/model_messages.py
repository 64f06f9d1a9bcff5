"""Messages of a model, independent of the wire format."""

from __future__ import annotations

import json
from dataclasses import dataclass

from todo_tui.domain.task import JsonValue


@dataclass(frozen=True, slots=True)
class ModelCall:
    """Tool call.

    `arguments` is JSON text as the model wrote it; other values are sent unchanged,
    in one piece, and None is left out.
    """

    name: str
    arguments: JsonValue = "{}"
    id: str = ""

    @classmethod
    def with_arguments(cls, name: str, call_id: str = "", /, **arguments: JsonValue) -> ModelCall:
        """Build a call with well-formed arguments."""
        return cls(name, json.dumps(arguments), call_id)


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """One message of a model; `usage` is False if the server counts no tokens."""

    text: str = ""
    thinking: str = ""
    calls: tuple[ModelCall, ...] = ()
    usage: bool = True
    cut: bool = False
    """True if it reached the output limit."""
