"""Copying through the terminal (OSC 52), also from inside tmux and screen."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

_SCREEN_CHUNK = 76


def terminal_copy(text: str, write: Callable[[str], None], environ: Mapping[str, str]) -> None:
    """Wrap the sequence so that a multiplexer passes it on to the terminal around it.

    Textual has sent the bare sequence already, which is enough outside of them; tmux
    needs `allow-passthrough` or `set-clipboard on`. Nothing says whether it arrived.
    """
    encoded = base64.b64encode(text.encode()).decode()
    sequence = f"\x1b]52;c;{encoded}\x07"
    if environ.get("TMUX"):
        write("\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\")
    elif environ.get("STY"):
        pieces = [
            sequence[start : start + _SCREEN_CHUNK]
            for start in range(0, len(sequence), _SCREEN_CHUNK)
        ]
        write("\x1bP" + "\x1b\\\x1bP".join(pieces) + "\x1b\\")
