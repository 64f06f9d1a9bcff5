"""Where a value comes from."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class SourceKind(StrEnum):
    """The kinds of places in which a setting is looked for, the strongest first."""

    FLAG = "flag"
    VARIABLE = "variable"
    KEY_FILE = "key file"
    FILE = "file"
    MACHINE = "machine"
    DEFAULT = "default"


class Source(NamedTuple):
    """One such place."""

    kind: SourceKind
    name: str = ""
    """The flag, the variable or the file."""
    path: tuple[str, ...] = ()
    """Of a value in the configuration file: the tables and the name that it stands under."""


DEFAULT = Source(SourceKind.DEFAULT)
MACHINE = Source(SourceKind.MACHINE)
