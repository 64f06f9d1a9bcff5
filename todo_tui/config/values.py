"""Kinds of setting values and how each is read from text or TOML.

Also base URLs, and quoting of values for messages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time
from typing import Protocol, TypeVar

INVALID_ADDRESS = "(cannot be read)"
"""Stands in for an address that is lost, so that nothing is sent to the usual one."""
_OLLAMA_PORT = 11434
# Kept as text: most people set no address, and compiling takes its time.
_ADDRESS = r"(?i)https?://[^/\s?#@]+(/[^\s?#]*)?"
Value = TypeVar("Value", covariant=True)
_MOST = 10_000_000
"""Beyond what any model reads at once, and below what sockets can wait."""
_MOST_DIGITS = 12
_LONGEST = 60


def is_base_url(text: str) -> bool:
    """Return true for http or https with a host and without password or query."""
    if re.fullmatch(_ADDRESS, text) is None:
        return False
    from urllib.parse import urlsplit  # few set an address

    try:
        return urlsplit(text).port != 0
    except ValueError:
        # An open bracket, or a port that there is not.
        return False


def normalize_address(value: object) -> str:
    """An address as it stands in the file, whatever it is; never empty.

    One that cannot be used is kept, so that opening its provider fails: falling back to
    the usual address would send the key to a server that the person turned away from.
    """
    text = value.strip() if isinstance(value, str) else ""
    return text or INVALID_ADDRESS


def ollama_address(host: str) -> str:
    """The OpenAI-compatible address at `OLLAMA_HOST`, which may lack scheme and port."""
    scheme, _, rest = host.rpartition("://")
    address = re.fullmatch(r"(\[[^\]]*\]|[^:/]*)(?::(\d+))?(/.*)?", rest)
    if address is None:
        return host
    name, port, path = address.groups()
    default_port = {"http": 80, "https": 443}.get(scheme, _OLLAMA_PORT)
    # Servers are told to listen everywhere by these; a client asks its own machine.
    name = "127.0.0.1" if name in ("", "0.0.0.0", "[::]") else name  # noqa: S104
    folder = (path or "").rstrip("/").removesuffix("/v1")
    return f"{scheme or 'http'}://{name}:{port or default_port}{folder}/v1"


class ValueKind(Protocol[Value]):
    """One kind of value; what does not fit is read as None."""

    expected: str
    """What fits, to complete `Set it to …`."""
    written: str
    """What fits in the file, to complete `Write …`."""

    def of_text(self, text: str) -> Value | None:
        """The value of a variable or flag, blanks around it gone."""
        ...

    def of_toml(self, value: object) -> Value | None:
        """The value of a TOML value."""
        ...


class LineKind:
    """Printable text on one line."""

    written = "printable words in quotes"

    def __init__(self, longest: int = 4096) -> None:
        self._longest = longest
        self.expected = f"at most {longest:,} printable characters"

    def of_text(self, text: str) -> str | None:
        """The text, if it is printable and not too long."""
        return text if text.isprintable() and len(text) <= self._longest else None

    def of_toml(self, value: object) -> str | None:
        """The text between quotes, blanks around it gone."""
        text = value.strip() if isinstance(value, str) else ""
        return self.of_text(text) if text else None


class ChoiceKind:
    """One of a few words, in any case."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.expected = f"one of: {', '.join(choices)}"
        self.written = f"one of: {', '.join(map(_quoted, choices))}"

    def of_text(self, text: str) -> str | None:
        """The choice, in small letters."""
        return text.lower() if text.lower() in self.choices else None

    def of_toml(self, value: object) -> str | None:
        """The choice between quotes, in small letters."""
        return self.of_text(value.strip()) if isinstance(value, str) else None


class BooleanKind:
    """Kind of a setting that is true or false."""

    expected = "true or false"
    written = "true or false, without quotes"

    def of_text(self, text: str) -> bool | None:
        """`true` or `false`."""
        return {"true": True, "false": False}.get(text)

    def of_toml(self, value: object) -> bool | None:
        """True or false."""
        return value if isinstance(value, bool) else None


class VariableNameKind:
    """The name of an environment variable."""

    expected = "the name of a variable"
    written = 'the name of a variable, as in "MISTRAL_API_KEY", not its value'

    def of_text(self, text: str) -> str | None:
        """The name: letters, digits and underscores."""
        return text if text.isascii() and text.isidentifier() else None

    def of_toml(self, value: object) -> str | None:
        """The name between quotes."""
        return self.of_text(value.strip()) if isinstance(value, str) else None


class IntegerKind:
    """A whole number."""

    def __init__(self, least: int = 1) -> None:
        self._least = least
        self.expected = f"a whole number from {least} to {_MOST:_}"
        self.written = f"{self.expected}, without quotes"

    def of_text(self, text: str) -> int | None:
        """The number in digits."""
        digits = text.replace("_", "")
        if not digits.isascii() or not digits.isdigit() or len(digits) > _MOST_DIGITS:
            return None
        return self.of_toml(int(digits))

    def of_toml(self, value: object) -> int | None:
        """The number, if it is whole and not too small or large."""
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return value if self._least <= value <= _MOST else None


class NumberKind:
    """A number, from `least` to `most`; 0 fits only where it is said to."""

    def __init__(self, expected: str, *, most: float = _MOST, zero: bool = False) -> None:
        self._most = most
        self._zero = zero
        # What names its own end needs no other.
        self.expected = expected if most < _MOST else f"{expected}, up to {most:_}"
        self.written = f"{self.expected}, without quotes"

    def of_text(self, text: str) -> float | None:
        """The number in digits, perhaps with a point; no `1e3`, no `inf`, no `nan`."""
        whole, _, part = text.partition(".")
        digits = whole + part
        if not digits.isascii() or not digits.isdigit() or not whole or len(digits) > _MOST_DIGITS:
            return None
        return self.of_toml(float(text))

    def of_toml(self, value: object) -> float | None:
        """The number, if it is not too small or large."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        fits = 0 < value <= self._most or (self._zero and value == 0)
        return float(value) if fits else None


class LocalTimeKind:
    """A naive local wall time in ISO form."""

    expected = "a local wall time, as in 2026-11-18T14:30"
    written = expected

    def of_text(self, text: str) -> datetime | None:
        """The wall time; one with a zone does not fit."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        return moment if moment.tzinfo is None else None

    def of_toml(self, value: object) -> datetime | None:
        """A date with a time, which TOML writes without quotes."""
        return value if isinstance(value, datetime) and value.tzinfo is None else None


class TimeOfDayKind:
    """A time of day."""

    expected = "a time of day, as in 9:00"
    written = 'a time of day in quotes, as in "9:00"'

    def of_text(self, text: str) -> time | None:
        """Hours and minutes."""
        hours, colon, minutes = text.partition(":")
        digits = hours + minutes
        if not colon or not digits.isascii() or not digits.isdigit() or len(minutes) != 2:
            return None
        if not 1 <= len(hours) <= 2 or int(hours) > 23 or int(minutes) > 59:
            return None
        return time(int(hours), int(minutes))

    def of_toml(self, value: object) -> time | None:
        """A time as TOML writes it, or one between quotes."""
        if isinstance(value, time):
            return value.replace(second=0, microsecond=0)
        return self.of_text(value.strip()) if isinstance(value, str) else None


class ListKind:
    """A list of words."""

    expected = "words with commas between"

    def __init__(self, example: Sequence[str]) -> None:
        self.written = f"a list of words, as in [{', '.join(map(_quoted, example))}]"

    def of_text(self, text: str) -> tuple[str, ...] | None:
        """The words between commas."""
        return self.of_toml(text.split(","))

    def of_toml(self, value: object) -> tuple[str, ...] | None:
        """The words, blanks around them gone."""
        if not isinstance(value, list):
            return None
        words = [word.strip() for word in value if isinstance(word, str)]
        fit = all(word and word.isprintable() for word in words)
        return tuple(words) if fit and len(words) == len(value) else None


class CommandKind:
    """A command and its arguments, as a list of words or as a shell would split one text."""

    expected = "a command"
    written = 'a command as a list of words, as in ["gcloud", "auth", "print-access-token"]'

    def of_text(self, text: str) -> tuple[str, ...] | None:
        """The words of one text; quotes keep blanks."""
        # Few have such a setting: the splitter is not for everybody to import.
        import shlex

        try:
            return tuple(shlex.split(text)) or None
        except ValueError:  # a quote is not closed
            return None

    def of_toml(self, value: object) -> tuple[str, ...] | None:
        """The words of a list as they are, or those of one text."""
        if isinstance(value, str):
            return self.of_text(value)
        if not isinstance(value, list) or not value:
            return None
        words = [word for word in value if isinstance(word, str) and "\0" not in word]
        return tuple(words) if len(words) == len(value) and words[0].strip() else None


def _quoted(word: str) -> str:
    return f'"{word}"'


def quote_for_message(text: str) -> str:
    """The text as it was typed, short and printable, in quotation marks."""
    return f"“{shorten_for_message(text)}”"


def shorten_for_message(text: str) -> str:
    """The text short and printable."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return "".join(character if character.isprintable() else "?" for character in short)
