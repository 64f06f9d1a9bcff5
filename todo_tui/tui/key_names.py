"""What keys are called on screen: `Ctrl+T`, `Alt+1`, `Esc`, `a`."""

from __future__ import annotations

from textual.keys import format_key

_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "backspace": "Backspace",
    "delete": "Del",
    "insert": "Ins",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


def key_name(key: str) -> str:
    """The name of one of Textual's keys, such as `ctrl+t`, for people."""
    *modifiers, last = key.split("+")
    if last in _NAMES:
        name = _NAMES[last]
    elif last[:1] == "f" and last[1:].isdigit():
        name = last.upper()
    else:
        name = format_key(last)
    if modifiers and len(name) == 1:
        name = name.upper()
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])
