"""Optional fields of a Responses body that a server has refused, which later bodies lack."""

import re
from dataclasses import dataclass, field

from todo_tui.domain.task import JsonValue
from todo_tui.providers.json_values import JsonObject, get_member, get_text

_OPTIONAL_FIELDS = ("include", "reasoning.summary", "reasoning.effort", "temperature")
"""Fields that may be left out, named as in an error's `param`."""
_UNSUPPORTED = ("", "unsupported_parameter", "unsupported_value", "unknown_parameter")
_NO_SUMMARY = re.compile(r"reasoning summar", re.IGNORECASE)
_NO_THINKING = re.compile(
    r"invalid_encrypted_content|encrypted content|'reasoning'|reasoning item|\brs_\w+"
    r"|items are not persisted",
    re.IGNORECASE,
)
_REFUSALS = (400, 404, 422)


@dataclass(slots=True, eq=False)
class RefusedFields:
    """Fields, and items of thinking, that the server of one client has refused."""

    names: set[str] = field(default_factory=set)
    """Names as in `_OPTIONAL_FIELDS`."""
    thinking: list[JsonValue] = field(default_factory=list)

    def record(self, status: int, error: object, body: JsonObject) -> bool:
        """Note what the error of a request refuses; return False if it is nothing optional."""
        if status not in _REFUSALS:
            return False
        text = f"{get_text(error, 'code')} {get_text(error, 'message')}"
        refused = "reasoning.summary" if _NO_SUMMARY.search(text) else get_text(error, "param")
        outer, _, inner = refused.partition(".")
        value = get_member(body.get(outer), inner) if inner else body.get(outer)
        if refused in _OPTIONAL_FIELDS and value is not None:
            if get_text(error, "code") not in _UNSUPPORTED:
                return False
            self.names.add(refused)
            return True
        items = body["input"] if isinstance(body["input"], list) else []
        thinking = [item for item in items if get_text(item, "type") == "reasoning"]
        if not thinking or not _NO_THINKING.search(text):
            return False
        self.thinking += thinking
        return True
