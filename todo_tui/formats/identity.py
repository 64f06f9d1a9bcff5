"""Uuids for entries that have none, the same ones whenever the file is read again."""

from __future__ import annotations

import uuid
from collections import Counter

from todo_tui.domain.text import whole_characters

_NAMES = uuid.UUID("5e1c6a52-8f0d-5c7e-bb7b-2f6d0e9a7c11")
"""Namespace of these uuids."""


class Identities:
    """Derives a uuid from what an entry says; what says the same is told apart by its turn.

    Whether it is done is not to be part of that, so that ticking it off in the file
    makes no other task of it.
    """

    def __init__(self, format_id: str) -> None:
        self._format_id = format_id
        self._seen: Counter[str] = Counter()

    def uuid_of(self, *parts: str) -> str:
        """The uuid of the next entry that says this; 32 hexadecimal digits."""
        said = whole_characters("\x1f".join((self._format_id, *parts)))
        self._seen[said] += 1
        turn = self._seen[said]
        return uuid.uuid5(_NAMES, said if turn == 1 else f"{said}\x1f{turn}").hex
