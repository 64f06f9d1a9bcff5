"""Kinds of setting values: parsing from TOML and from text, formatting, and hints.

Also quoting of values for messages.
"""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import DOTS, Secret
from todo_tui.domain.when import CLOCK_YEARS

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=StrEnum)
TomlValue = str | int | float | bool | list[str] | None
"""Value that a TOML file can hold; None where there is none."""
_LARGEST_NUMBER = 10_000_000
"""Beyond what any model reads at once, and below what sockets can wait."""
_LONGEST_QUOTE = 60
_DIGITS = r"[0-9]{1,12}"
_DECIMAL = rf"{_DIGITS}(\.[0-9]{{,12}})?"
"""Digits, perhaps with a point: no `1e3`, `inf` or `nan`."""
_CLOCK_TIME = r"([0-9]{1,2}):([0-9]{2})"


def _as_is(value: object) -> Any:  # noqa: ANN401 - of any kind
    return value


class Kind(NamedTuple, Generic[Value]):
    """Kind of value; `parse` returns None for what does not fit."""

    parse: Callable[[object], Value | None]
    """Convert a TOML value."""
    file_hint: str
    """Valid values in the file, to complete `Write …`."""
    text_hint: str = ""
    """Valid values of a flag or variable, to complete `Use …`."""
    decode: Callable[[str], object] = _as_is
    """Convert the stripped text of a flag or variable to a TOML value."""
    format: Callable[[Value], TomlValue] = str
    """Convert a value to what the file may have; secrets in it become dots."""
    choices: tuple[str, ...] = ()
    """All valid values, as the file has them; empty: there are too many to list."""

    def parse_text(self, text: str) -> Value | None:
        """Convert the text of a flag or variable."""
        return self.parse(self.decode(text))


def line(longest: int = 4096) -> Kind[str]:
    """Return the kind of printable text on one line; blanks around it are removed."""

    def parse(value: object) -> str | None:
        text = _strip(value)
        return text if text and text.isprintable() and len(text) <= longest else None

    return Kind(parse, "printable text in quotes", f"at most {longest:,} printable characters")


def choice(values: Mapping[str, Value]) -> Kind[Value]:
    """Return the kind of a few words, in any case, by the values that they stand for."""
    names = {value: name for name, value in values.items()}
    hint = f"one of: {', '.join(map(_quote, values))}"
    return Kind(
        lambda value: values.get(_strip(value).lower()),
        hint,
        hint,
        format=names.__getitem__,
        choices=tuple(values),
    )


def one_of(*choices: str) -> Kind[str]:
    """Return the kind of a few words that stand for themselves."""
    return choice({word: word for word in choices})


def members(enum: type[Choice]) -> Kind[Choice]:
    """Return the kind of the values of an enum."""
    return choice({str(member): member for member in enum})


def integer(least: int = 1) -> Kind[int]:
    """Return the kind of a whole number."""

    def parse(value: object) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return value if least <= value <= _LARGEST_NUMBER else None

    def decode(text: str) -> int | None:
        digits = text.replace("_", "")
        return int(digits) if re.fullmatch(_DIGITS, digits) else None

    hint = f"a whole number from {least} to {_LARGEST_NUMBER:,}"
    return Kind(parse, f"{hint}, without quotes", hint, decode, format=_as_is)


def number(hint: str, *, most: float = _LARGEST_NUMBER, allows_zero: bool = False) -> Kind[float]:
    """Return the kind of a number above 0, up to `most`."""

    def parse(value: object) -> float | None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if 0 < value <= most or (allows_zero and value == 0) else None

    def decode(text: str) -> float | None:
        return float(text) if re.fullmatch(_DECIMAL, text) else None

    if most == _LARGEST_NUMBER:
        # A hint that names its own end needs no other.
        hint += f", up to {most:,}"
    return Kind(parse, f"{hint}, without quotes", hint, decode, format=_as_is)


def texts(*example: str) -> Kind[tuple[str, ...]]:
    """Return the kind of a list of short texts; blanks around them are removed."""

    def parse(value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            return None
        items = tuple(map(_strip, value))
        return items if all(item and item.isprintable() for item in items) else None

    return Kind(
        parse,
        f"a list of words, for example [{', '.join(map(_quote, example))}]",
        f"words with commas between, for example {', '.join(example)}",
        lambda text: text.split(","),
        format=lambda items: [str(item) for item in items],
    )


def _parse_variable_name(value: object) -> str | None:
    text = _strip(value)
    return text if text.isascii() and text.isidentifier() else None


def _parse_local_time(value: object) -> datetime | None:
    if not isinstance(value, datetime) or value.tzinfo is not None:
        return None
    return value if value.year in CLOCK_YEARS else None


def _decode_time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _parse_time_of_day(value: object) -> time | None:
    if isinstance(value, time):
        return value.replace(second=0, microsecond=0)
    match = re.fullmatch(_CLOCK_TIME, _strip(value))
    if match is None:
        from todo_tui.domain.dates.reader import read_clock_time  # 20 ms, for other forms only

        return read_clock_time(_strip(value))
    hours, minutes = map(int, match.groups())
    return time(hours, minutes) if hours <= 23 and minutes <= 59 else None


def _parse_command(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        try:
            return tuple(shlex.split(value)) or None
        except ValueError:  # a quote is not closed
            return None
    if not isinstance(value, list) or not value:
        return None
    arguments = [item for item in value if isinstance(item, str) and "\0" not in item]
    return tuple(arguments) if len(arguments) == len(value) and arguments[0].strip() else None


def _parse_secret(value: object) -> Secret | None:
    try:
        return Secret(value) if isinstance(value, str) else None
    except ConfigError:
        return None


def _hide_credentials(url: str) -> str:
    before, mark, _ = url.partition("?")
    hidden = re.sub(r"(?<=//)[^/]*@", f"{DOTS}@", before)
    return f"{hidden}{mark}{DOTS}" if mark else hidden


_LINE = line()
_WHOLE = integer(least=0)
PATH: Kind[Path] = Kind(
    lambda value: expand_home(text) if (text := _LINE.parse(value)) else None,
    _LINE.file_hint,
    _LINE.text_hint,
)
URL = _LINE._replace(format=_hide_credentials)
BOOLEAN: Kind[bool] = Kind(
    lambda value: value if isinstance(value, bool) else None,
    "true or false, without quotes",
    "true or false",
    {"true": True, "false": False}.get,
    format=_as_is,
    choices=("true", "false"),
)
MINUTES: Kind[timedelta] = Kind(
    lambda value: None if (minutes := _WHOLE.parse(value)) is None else timedelta(minutes=minutes),
    _WHOLE.file_hint,
    _WHOLE.text_hint,
    _WHOLE.decode,
    format=lambda span: span // timedelta(minutes=1),
)
VARIABLE_NAME: Kind[str] = Kind(
    _parse_variable_name,
    'the name of an environment variable, for example "MISTRAL_API_KEY", not its value',
    "the name of an environment variable, for example MISTRAL_API_KEY, not its value",
)
LOCAL_TIME: Kind[datetime] = Kind(
    _parse_local_time,
    "",
    "a local time in the years 1000 to 8999, for example 2026-11-18T14:30",
    _decode_time,
    format=datetime.isoformat,
)
TIME_OF_DAY: Kind[time] = Kind(
    _parse_time_of_day,
    'a time of day in quotes, for example "9:00" or "7pm"',
    "a time of day, for example 9:00 or 7pm",
    format="{:%H:%M}".format,
)
COMMAND: Kind[tuple[str, ...]] = Kind(
    _parse_command,
    'a command as a list of words, for example ["gcloud", "auth", "print-access-token"]',
    "a command, for example gcloud auth print-access-token",
    # A token or a password may be among its arguments.
    format=lambda command: f"{command[0]} {DOTS}",
)
SECRET: Kind[Secret] = Kind(_parse_secret, "the key in quotes", "the key", format=lambda _: DOTS)


def expand_home(text: str) -> Path:
    """Return the path; `~` is left as it is where no such user exists."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def format_toml(value: TomlValue) -> str:
    """Return a value as TOML source."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return f"{value:.12g}"
        case list():
            return f"[{', '.join(map(format_toml, value))}]"
        case _:
            # Each escape of JSON is one of TOML.
            return json.dumps(str(value), ensure_ascii=False)


def _strip(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _quote(word: str) -> str:
    return f'"{word}"'


def quote_for_message(text: str) -> str:
    """Return the text as it was typed, short and printable, in quotation marks."""
    return f"“{shorten_for_message(text)}”"


def shorten_for_message(text: str) -> str:
    """Return the text short and printable."""
    short = text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"
    return "".join(character if character.isprintable() else "?" for character in short)
