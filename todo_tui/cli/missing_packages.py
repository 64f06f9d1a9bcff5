"""Which provider lacks the package that speaks for it, learned without importing any."""

from __future__ import annotations

from importlib.util import find_spec

from todo_tui.providers.registry import ProviderRow, Wire

_BY_ID = {"groq": "groq"}
_BY_WIRE = {
    Wire.CHAT: "openai",
    Wire.RESPONSES: "openai",
    Wire.MESSAGES: "anthropic",
    Wire.GEMINI: "google.genai",
}


def cure_if_missing(row: ProviderRow) -> str:
    """What to install before the row can be used; empty where nothing is missing."""
    module = _BY_ID.get(row.id) or _BY_WIRE.get(row.wire)
    if module is None or _is_installed(module):
        return ""
    return f"pip install 'todo-tui[{row.extra}]'" if row.extra else "install todo-tui again"


def _is_installed(module: str) -> bool:
    try:
        # It imports the packages above the module; of `google.genai` an empty one.
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
