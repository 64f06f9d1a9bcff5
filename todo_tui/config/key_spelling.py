"""How people write keys, `Ctrl+T`, `?`, `Del`, and what the terminal library calls them."""

from __future__ import annotations

import unicodedata

_OTHERWISE = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "page_up": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "page_down": "pagedown",
    "↑": "up",
    "↓": "down",
    "←": "left",
    "→": "right",
    " ": "space",
    "control": "ctrl",
    "option": "alt",
}
_NAMED = frozenset(
    "escape enter space tab backspace delete insert home end pageup pagedown up down left "
    "right".split()
) | {f"f{number}" for number in range(1, 25)}
_MODIFIERS = ("ctrl", "alt", "shift", "super")
_SHORTER = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def read_key(text: str) -> str | None:
    """The library's name of one key; None where there is no such key."""
    text = text.strip() or text
    if len(text) == 1 or text.lower() in _OTHERWISE:
        return _plain_key(text)
    head, plus, last = text.rpartition("+")
    if head.endswith("+") and not last:
        # The plus sign itself, as in `ctrl++`.
        head, last = head.removesuffix("+"), "+"
    if plus and not head:
        return None
    modifiers = [_OTHERWISE.get(each.strip().lower(), each.strip().lower())
                 for each in head.split("+")] if head else []  # fmt: skip
    key = _plain_key(last.strip())
    if key is None or not set(modifiers) <= set(_MODIFIERS):
        return None
    return _joined(modifiers, key)


def read_keys(text: str) -> tuple[list[str], str]:
    """The keys between commas, and the first piece that is none; empty: all are."""
    keys: list[str] = []
    for piece in [","] if text.strip() == "," else text.split(","):
        key = read_key(piece) if piece.strip() else None
        if key is None:
            return keys, piece.strip() or text
        keys.append(key)
    return list(dict.fromkeys(keys)), ""


def _plain_key(text: str) -> str | None:
    if len(text) == 1 and text.isalnum():
        return text
    name = _OTHERWISE.get(text.lower(), text.lower())
    if len(name) == 1:
        return _sign_name(name) if name.isprintable() else None
    return name if name in _NAMED or name in _SIGN_NAMES else None


def _joined(modifiers: list[str], key: str) -> str:
    """As a terminal tells it: capitals are letters of their own, `ctrl` knows none."""
    if len(key) == 1 and key.isalpha():
        if modifiers == ["shift"]:
            return key.upper()
        key = key.lower()
    return "+".join([*(each for each in _MODIFIERS if each in modifiers), key])


def _sign_name(sign: str) -> str:
    name = unicodedata.name(sign, sign).lower().replace("-", "_").replace(" ", "_")
    return _SHORTER.get(name, name)


_SIGN_NAMES = frozenset(map(_sign_name, _SIGNS))
