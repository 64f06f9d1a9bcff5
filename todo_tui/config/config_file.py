"""config.toml: values by path, problems with their line, suggestions for unknown names."""

import os
import re
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from shlex import quote

from todo_tui.config.kinds import shorten_for_message
from todo_tui.config.settings import (
    CUSTOM_PROVIDER_SETTINGS,
    PROVIDER_SETTINGS,
    SETTINGS,
    ConfigProblem,
)
from todo_tui.domain.text import similar

_LARGEST = 1_000_000
"""Bytes; nobody writes so many settings."""
_HEADER_LINE = re.compile(r"[ \t]*\[{1,2}(?P<names>[^\[\]]+)\]")
_SETTING_LINE = re.compile(r"(?P<names>[^=#\[\]]+)=")
TomlPath = tuple[str | int, ...]
"""Names of tables and values; an item of a list by its number from 0."""
_ERROR_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_SYNTAX_HINT = 'Write name = "value" with text in quotes, each name once, and close all brackets.'


class ConfigFile:
    """Contents of config.toml; unusable settings are listed in `problems` and left out.

    Paths are the names of the tables and of the value: `("limits", "retries")`.
    """

    def __init__(self, path: Path, *, expected: bool) -> None:
        self.path = path
        self.problems: list[ConfigProblem] = []
        self._mistakes: dict[str, int] = {}
        """First problems, by their index, of the tables that they are in or belong to."""
        self.open_to_others = False
        """True if other users of the machine can read it."""
        self._table: Mapping[str, object] = {}
        self._text = ""
        self._ignored_text = ""
        self._lines: Mapping[tuple[str | int, ...], int] | None = None
        try:
            self._parse(self._read())
        except FileNotFoundError:
            if expected:
                self._note("File not found. Using defaults.", "Check the path.")
        except OSError as error:
            reason = error.strerror or type(error).__name__
            hint = "Check the file and its permissions."
            self._note(f"Cannot read the file: {reason}. Using defaults.", hint)

    def find(self, path: Sequence[str]) -> object | None:
        """Return the value at a path of names, or None."""
        value: object = self._table
        for name in path:
            if not isinstance(value, Mapping) or name not in value:
                return None
            value = value[name]
        return value

    def table(self, *path: str) -> Mapping[str, object]:
        """Return the table of that name; empty if there is none."""
        value = self.find(path)
        return value if isinstance(value, Mapping) else {}

    def note_invalid(
        self, path: Sequence[str | int], hint: str, reason: str = "has an invalid value"
    ) -> None:
        """Note that a value cannot be used, and the reason if there is a better one."""
        names = [name for name in path if isinstance(name, str)]
        self.note(path, f"`{shorten_for_message(names[-1])}` {reason}.", hint)

    def note(self, path: Sequence[str | int], message: str, hint: str) -> None:
        """Note a mistake at a path."""
        self.blame(str(path[0]))
        self._note(message, hint, self.line_of(path))

    def blame(self, *tables: str) -> None:
        """Record that the problem noted next concerns these tables too."""
        for table in tables:
            self._mistakes.setdefault(table, len(self.problems))

    def add_effect(self, table: str, effect: str) -> bool:
        """Add to the hint of the first mistake in a table what it leads to; False if none.

        A file that is ignored has one wherever it names the table.
        """
        at = 0 if self.may_have_lost(table) else self._mistakes.get(table)
        if at is None:
            return False
        problem = self.problems[at]
        self.problems[at] = problem._replace(hint=f"{problem.hint} {effect}")
        return True

    def note_outside(self, name: str, hint: str) -> None:
        """Note an invalid value outside of the file that is not a reason to stop."""
        self.problems.append(ConfigProblem(f"{name} has an invalid value.", hint))

    def line_of(self, path: Sequence[str | int]) -> int | None:
        """Return the line of a path, else of the table around it; None if unknown."""
        if self._lines is None:
            self._lines = find_line_numbers(self._text)
        lines = (self._lines.get(tuple(path[:length])) for length in range(len(path), 0, -1))
        return next((line for line in lines if line), None)

    def addresses_lost(self, provider_ids: Collection[str]) -> Collection[str]:
        """Return the providers whose base URL may stand in a file that is ignored.

        All of them, if the file names none.
        """
        if "base_url" not in self._ignored_text:
            return ()
        names = set(re.findall(r"[\w-]+", self._ignored_text))
        return names.intersection(provider_ids) or set(provider_ids)

    def may_have_lost(self, name: str) -> bool:
        """Return True if the name occurs in a file that is ignored."""
        return name in self._ignored_text

    @property
    def sets_database(self) -> bool:
        """True if a file that is ignored names a database: the default one is another."""
        return bool(re.search(r"(?m)^[ \t]*db[ \t]*=", self._ignored_text))

    def check_privacy(self) -> None:
        """Note that others can read the file, if a key stands in it."""
        sections = [self.table("providers", name) for name in self.table("providers")]
        keys = any("api_key" in section for section in sections)
        if self.open_to_others and (keys or self.may_have_lost("api_key")):
            hint = f"Run: chmod 600 {quote(str(self.path))}"
            self._note("Other users can read this file, which contains an API key.", hint)

    def _read(self) -> bytes:
        with self.path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            is_pipe = stat.S_ISFIFO(mode)
            self.open_to_others = os.name == "posix" and not is_pipe and bool(mode & 0o077)
            return file.read(_LARGEST + 1)

    def _parse(self, data: bytes) -> None:
        if len(data) > _LARGEST:
            self._note("File too large for a configuration. Using defaults.", "Check the path.")
            return
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            self._note("The file is UTF-16. Using defaults.", "Save the file as UTF-8.")
            return
        try:
            text = data.decode("utf-8-sig")
            self._table, self._text = load_toml(text), text
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._ignore(data, "not UTF-8 text", "Save the file as UTF-8.", line)
        except RecursionError:
            self._ignore(data, "nested too deeply", _SYNTAX_HINT)
        except ValueError as error:
            place = _ERROR_PLACE.search(str(error))
            line = int(place[1]) if place and place[1] else text.rstrip().count("\n") + 1
            self._ignore(data, _ERROR_PLACE.sub("", str(error)), _SYNTAX_HINT, line)

    def _ignore(self, data: bytes, reason: str, hint: str, line: int | None = None) -> None:
        """Use none of the file: what a broken one means cannot be known."""
        self._ignored_text = data.decode("utf-8-sig", "replace")
        self._note(f"Invalid TOML: {reason}. The file is ignored.", hint, line)

    def _note(self, message: str, hint: str, line: int | None = None) -> None:
        where = f"line {line}: " if line else ""
        self.problems.append(ConfigProblem(f"{self.path}: {where}{message}", hint, line))


def check_setting_names(file: ConfigFile, built_in: Collection[str]) -> None:
    """Note every name in the file that is neither a setting nor a table."""
    keys: dict[str, list[str]] = {}
    for setting in SETTINGS:
        if setting.in_file:
            keys.setdefault(setting.table, []).append(setting.key)
    at_top = [*keys[""], *(setting.key for setting in SETTINGS if setting.at_top)]
    tables = [*filter(None, keys), "providers"]
    for name, value in file.table().items():
        if name not in (*at_top, *tables):
            better = _better_place(file, (name,), keys)
            if isinstance(value, Mapping):
                better = f"Did you mean [providers.{name}]? " if name in built_in else ""
            _note_unknown(file, (name,), [*keys[""], *tables], better)
        elif name in tables and not isinstance(value, Mapping):
            file.note_invalid((name,), f"Write [{name}] above its settings.", "is not a table")
    # The other names under [keys] are those of actions, which only the app knows.
    for table in (name for name in keys if name not in ("", "keys")):
        for key in file.table(table).keys() - set(keys[table]):
            path = (table, key)
            _note_unknown(file, path, keys[table], _better_place(file, path, keys))
    _check_providers(file, built_in)


def _check_providers(file: ConfigFile, built_in: Collection[str]) -> None:
    common = [setting.key for setting in PROVIDER_SETTINGS]
    custom = [setting.key for setting in CUSTOM_PROVIDER_SETTINGS]
    for provider_id, table in file.table("providers").items():
        path = ("providers", provider_id)
        if not isinstance(table, Mapping):
            hint = f"Write [providers.{shorten_for_message(provider_id)}] above its settings."
            file.note_invalid(path, hint, "is not a table")
            continue
        known = common if provider_id in built_in else [*common, *custom]
        for name in table:
            if name in custom and name not in known:
                hint = "Remove this setting, or use another name for a custom provider."
                file.note_invalid((*path, name), hint, f"cannot be set: {provider_id} is built in")
            elif name not in known:
                _note_unknown(file, (*path, name), known)


def _better_place(
    file: ConfigFile, path: tuple[str, ...], keys: Mapping[str, Sequence[str]]
) -> str:
    """Return a hint where the name belongs; empty if it belongs nowhere."""
    if len(path) == 1 and any(path[0] == setting.key for setting in PROVIDER_SETTINGS):
        return "Move it under a provider, such as [providers.groq]. "
    table = next((table for table, names in keys.items() if path[-1] in names), None)
    if table is None:
        return ""
    file.blame(table)
    return f"Move it under [{table}]. " if table else "Move it above all tables. "


def _note_unknown(
    file: ConfigFile, path: tuple[str, ...], known: Sequence[str], better: str = ""
) -> None:
    closest = () if better else similar(path[-1].replace("-", "_"), known, most=1)
    if len(path) == 1:
        file.blame(*closest)
    guess = better or "".join(f"Did you mean `{name}`? " for name in closest)
    file.note_invalid(path, f"{guess}Settings here: {', '.join(known)}.", "is not a setting")


def find_line_numbers(text: str) -> dict[TomlPath, int]:
    """Return the line, from 1, of every table and name in a valid TOML text, first come first.

    An item of a list and what stands in an inline table have no line of their own.
    """
    lines: dict[TomlPath, int] = {}
    table: TomlPath = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _HEADER_LINE.match(line):
            path = table = _dotted_names(match["names"])
        elif match := _SETTING_LINE.match(line):
            path = (*table, *_dotted_names(match["names"]))
        else:
            continue
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], number)
    return lines


def _dotted_names(text: str) -> TomlPath:
    names: list[str | int] = []
    try:
        inner: object = load_toml(f"{text} = 0")
    except ValueError:
        return ()
    while isinstance(inner, dict):
        ((name, inner),) = inner.items()
        names.append(name)
    return tuple(names)


def load_toml(text: str) -> dict[str, object]:
    """Parse a TOML text; ValueError where it is not valid."""
    import tomllib  # 5 ms: most people have no file

    return tomllib.loads(text)
