"""Keys with Alt, as terminals without the kitty protocol send them: escape, then the key."""

from __future__ import annotations

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import Keys


def mend_alt_keys() -> None:
    """Let Alt+2 be that and not `™`, and Alt+Enter a new line and not Enter.

    Textual takes escape and a digit for what the Option key of a Mac types; such a
    terminal sends that character itself, and whoever sends an escape means Alt. There
    is no public way to say so.
    """
    if isinstance(ANSI_SEQUENCES_KEYS, dict):
        for digit in "123456789":
            ANSI_SEQUENCES_KEYS.pop(f"\x1b{digit}", None)
        ANSI_SEQUENCES_KEYS["\x1b\r"] = (Keys.ControlJ,)
