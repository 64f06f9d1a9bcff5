"""Kinds of setting values, each read from TOML or from text; quoting of values for messages."""

import shlex
from collections.abc import Callable
from datetime import datetime, time
from typing import Any, NamedTuple

from todo_tui.domain.when import CLOCK_YEARS

_MOST = 10_000_000
"""Beyond what any model reads at once, and below what sockets can wait."""
_MOST_DIGITS = 12
_LONGEST = 60


def _same(text: str) -> object:
    return text


class Kind(NamedTuple):
    """One kind of value; what does not fit is read as None."""

    written: str
    """What fits in the file, to complete `Write …`."""
    read: Callable[[object], Any]
    """Convert a TOML value."""
    expected: str = ""
    """What fits in a flag or variable, to complete `Set it to …`."""
    of_text: Callable[[str], object] = _same
    """Convert the text of a flag or variable, stripped, to a TOML value."""


def line(longest: int = 4096) -> Kind:
    """Printable text on one line, blanks around it gone."""

    def read(value: object) -> str | None:
        text = _stripped(value)
        return text if text and text.isprintable() and len(text) <= longest else None

    return Kind("printable text in quotes", read, f"at most {longest:,} printable characters")


def choice(*choices: str) -> Kind:
    """One of a few words, in any case."""

    def read(value: object) -> str | None:
        return next((each for each in choices if each == _stripped(value).lower()), None)

    return Kind(f"one of: {', '.join(map(_quoted, choices))}", read)


def integer(least: int = 1) -> Kind:
    """A whole number."""

    def read(value: object) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return value if least <= value <= _MOST else None

    def of_text(text: str) -> int | None:
        digits = text.replace("_", "")
        return int(digits) if _is_number(digits) else None

    expected = f"a whole number from {least} to {_MOST:_}"
    return Kind(f"{expected}, without quotes", read, expected, of_text)


def number(expected: str, *, most: float = _MOST, zero: bool = False) -> Kind:
    """A number above 0, up to `most`; 0 fits only where it is said to."""

    def read(value: object) -> float | None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if 0 < value <= most or (zero and value == 0) else None

    def of_text(text: str) -> float | None:
        # Digits, perhaps with a point: no `1e3`, no `inf`, no `nan`.
        whole, _, part = text.partition(".")
        return float(text) if whole and _is_number(whole + part) else None

    if most == _MOST:
        # What names its own end needs no other.
        expected += f", up to {most:_}"
    return Kind(f"{expected}, without quotes", read, expected, of_text)


def words(*example: str) -> Kind:
    """A list of words, blanks around them gone."""

    def read(value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            return None
        found = tuple(map(_stripped, value))
        return found if all(word and word.isprintable() for word in found) else None

    return Kind(f"a list of words, for example [{', '.join(map(_quoted, example))}]", read)


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _variable_name(value: object) -> str | None:
    text = _stripped(value)
    return text if text.isascii() and text.isidentifier() else None


def _local_time(value: object) -> datetime | None:
    if not isinstance(value, datetime) or value.tzinfo is not None:
        return None
    return value if value.year in CLOCK_YEARS else None


def _iso_time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _time_of_day(value: object) -> time | None:
    if isinstance(value, time):
        return value.replace(second=0, microsecond=0)
    hours, colon, minutes = _stripped(value).partition(":")
    if not colon or not _is_number(hours + minutes) or len(minutes) != 2 or len(hours) > 2:
        return None
    fits = hours and int(hours) <= 23 and int(minutes) <= 59
    return time(int(hours), int(minutes)) if fits else None


def _command(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        try:
            return tuple(shlex.split(value)) or None
        except ValueError:  # a quote is not closed
            return None
    if not isinstance(value, list) or not value:
        return None
    found = [word for word in value if isinstance(word, str) and "\0" not in word]
    return tuple(found) if len(found) == len(value) and found[0].strip() else None


BOOLEAN = Kind("true or false, without quotes", _boolean)
VARIABLE_NAME = Kind(
    'the name of an environment variable, for example "MISTRAL_API_KEY", not its value',
    _variable_name,
)
LOCAL_TIME = Kind(
    "",
    _local_time,
    "a local time in the years 1000 to 8999, for example 2026-11-18T14:30",
    _iso_time,
)
TIME_OF_DAY = Kind('a time of day in quotes, for example "9:00"', _time_of_day)
COMMAND = Kind(
    'a command as a list of words, for example ["gcloud", "auth", "print-access-token"]', _command
)


def _stripped(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _is_number(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS


def _quoted(word: str) -> str:
    return f'"{word}"'


def quote_for_message(text: str) -> str:
    """The text as it was typed, short and printable, in quotation marks."""
    return f"“{shorten_for_message(text)}”"


def shorten_for_message(text: str) -> str:
    """The text short and printable."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return "".join(character if character.isprintable() else "?" for character in short)
