"""Names of keys: as written in `[keys]`, as Textual has them, as shown on screen."""

import unicodedata

from textual.keys import format_key, key_to_character

TEXT_KEYS = frozenset(
    "backspace delete left right up down home end pageup pagedown f6 f7 ctrl+a ctrl+d ctrl+e "
    "ctrl+k ctrl+u ctrl+v ctrl+w ctrl+x ctrl+y ctrl+z ctrl+left ctrl+right ctrl+pageup "
    "ctrl+pagedown shift+left shift+right shift+up shift+down shift+home shift+end".split()
)
"""Keys that edit in the message box and in inputs, besides those that type a character."""
_DISPLAY_NAMES = {
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
}
_ALIASES = dict(
    pair.split("=")
    for pair in "esc=escape return=enter del=delete ins=insert pgup=pageup page_up=pageup "
    "pgdn=pagedown pgdown=pagedown page_down=pagedown ↑=up ↓=down ←=left →=right "
    "control=ctrl option=alt".split()
) | {" ": "space"}
_NAMES = frozenset(
    "escape enter space tab backspace delete insert home end pageup pagedown up down left "
    "right".split()
) | {f"f{number}" for number in range(1, 25)}
_MODIFIERS = ("ctrl", "alt", "shift", "super")
_SHORT_SIGN_NAMES = dict(
    pair.split("=")
    for pair in "solidus=slash reverse_solidus=backslash commercial_at=at hyphen_minus=minus "
    "plus_sign=plus low_line=underscore".split()
)
_SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def display_key(key: str) -> str:
    """Return the label of a Textual key name such as `ctrl+t`: `Ctrl+T`."""
    *modifiers, last = key.split("+")
    if last in _DISPLAY_NAMES:
        name = _DISPLAY_NAMES[last]
    elif last[:1] == "f" and last[1:].isdigit():
        name = last.upper()
    else:
        name = format_key(last)
    if modifiers and len(name) == 1:
        name = name.upper()
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])


def write_keys(keys: str) -> str:
    """Return Textual's names of keys, with commas between, as `read_keys` also takes them: `[,f5`.

    The comma, which separates keys, and space keep their names.
    """
    return ",".join(map(_write_key, keys.split(",")))


def _write_key(key: str) -> str:
    *modifiers, last = key.split("+")
    sign = key_to_character(last)
    is_sign = sign is not None and sign.isprintable() and sign not in (",", " ")
    return "+".join([*modifiers, sign if is_sign and sign is not None else last])


def types_text(key: str) -> bool:
    """Return whether a Textual key name such as `full_stop` types a character."""
    character = key_to_character(key)
    return character is not None and character.isprintable()


def read_key(text: str) -> str | None:
    """Return Textual's name of one key as a person writes it; None if there is no such key."""
    text = text.strip() or text
    if len(text) == 1 or text.lower() in _ALIASES:
        return _plain_key(text)
    head, plus, last = text.rpartition("+")
    if head.endswith("+") and not last:
        # The plus sign itself, as in `ctrl++`.
        head, last = head.removesuffix("+"), "+"
    names = [name.strip().lower() for name in head.split("+")] if head else []
    modifiers = [_ALIASES.get(name, name) for name in names]
    key = _plain_key(last.strip())
    if key is None or not set(modifiers) <= set(_MODIFIERS) or (plus and not head):
        return None
    # As a terminal has it: capitals are letters of their own, `ctrl` knows none.
    if len(key) == 1 and key.isalpha():
        if modifiers == ["shift"]:
            return key.upper()
        key = key.lower()
    return "+".join([*(modifier for modifier in _MODIFIERS if modifier in modifiers), key])


def read_keys(text: str) -> tuple[list[str], str]:
    """Return the keys between commas, and the first piece that is not a key, empty if all are."""
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
    name = _ALIASES.get(text.lower(), text.lower())
    if len(name) == 1:
        return _sign_name(name) if name.isprintable() else None
    return name if name in _NAMES or name in _SIGN_NAMES else None


def _sign_name(sign: str) -> str:
    name = unicodedata.name(sign, sign).lower().replace("-", "_").replace(" ", "_")
    return _SHORT_SIGN_NAMES.get(name, name)


_SIGN_NAMES = frozenset(map(_sign_name, _SIGNS))
