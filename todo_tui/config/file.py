"""config.toml: values by path, problems with their line, suggestions for unknown names."""

import os
import re
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from shlex import quote

from todo_tui.config.catalogue import CUSTOM_PROVIDER_SETTINGS, PROVIDER_SETTINGS, SETTINGS
from todo_tui.config.kinds import shorten_for_message
from todo_tui.config.settings import ConfigProblem
from todo_tui.domain.text import similar

_LARGEST = 1_000_000
"""Bytes; nobody writes so many settings."""
_HEADER_LINE = re.compile(r"[ \t]*\[{1,2}(?P<names>[^\[\]]+)\]")
_SETTING_LINE = re.compile(r"(?P<names>[^=#\[\]]+)=")
TomlPath = tuple[str | int, ...]
"""Names of tables and values; an item of a list by its number from 0."""
_ERROR_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_SYNTAX_ERRORS: tuple[tuple[str, str, str], ...] = (
    ("Unescaped|hex value|scalar value", "unescaped backslash", "Write \\\\ for a backslash."),
    (
        r"(Illegal|Found invalid) character '\\n'|Unterminated|Expected \"'|Expected '\"",
        "unclosed quote",
        "Close the quote on the same line.",
    ),
    ("Illegal character|Found invalid", "control character in a value", "Remove the character."),
    (
        r"Invalid value \(at end of document",
        "incomplete last value",
        "Complete the value and close all brackets.",
    ),
    ("Expected '='", "missing `=` after a name", 'Write name = "value".'),
    (
        "Expected newline",
        "text after the value",
        "Write one setting per line, with text in quotes.",
    ),
    (
        "Invalid value",
        "invalid value after `=`",
        "Put text in quotes; write numbers, true and false without quotes.",
    ),
    ("Invalid date", "invalid date or time", "Write dates as 2026-11-18T14:30."),
    ("Unclosed", "missing comma or closing bracket", "Add the comma or bracket."),
    ("Expected ']", "unclosed table name", "Write table names as [limits]."),
    ("Cannot|Duplicate", "duplicate name", "Remove the duplicate."),
    ("recursion", "nested too deeply", "Remove the nested value."),
    ("", "neither a setting nor a table", 'Write name = "value"; start comments with #.'),
)
"""Pattern of tomllib's message, reason and hint; the first that matches holds."""


class ConfigFile:
    """Contents of config.toml; unusable settings are listed in `problems` and left out.

    Paths are the names of the tables and of the value: `("limits", "retries")`.
    """

    def __init__(self, path: Path, *, expected: bool) -> None:
        self.path = path
        self.problems: list[ConfigProblem] = []
        self.open_to_others = False
        """Whether other users of the machine can read it."""
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
            cure = "Check the file and its permissions."
            self._note(f"Cannot read the file: {reason}. Using defaults.", cure)

    def find(self, path: Sequence[str]) -> object | None:
        """Return the value at a path of names, or None."""
        value: object = self._table
        for name in path:
            if not isinstance(value, Mapping) or name not in value:
                return None
            value = value[name]
        return value

    def table(self, *path: str) -> Mapping[str, object]:
        """The table of that name; empty where there is none."""
        value = self.find(path)
        return value if isinstance(value, Mapping) else {}

    def note_invalid(
        self, path: Sequence[str | int], hint: str, reason: str = "has an invalid value"
    ) -> None:
        """Note that a value cannot be used, and why if more can be said."""
        names = [name for name in path if isinstance(name, str)]
        self.note(path, f"`{shorten_for_message(names[-1])}` {reason}.", hint)

    def note(self, path: Sequence[str | int], message: str, hint: str) -> None:
        """Note a mistake that stands there."""
        self._note(message, hint, self.line_of(path))

    def unusable(self, name: str, hint: str) -> None:
        """Note something outside of the file that is no reason to stop."""
        self.problems.append(ConfigProblem(f"{name} has an invalid value.", hint))

    def line_of(self, path: Sequence[str | int]) -> int | None:
        """The line of what stands there, else of the table around it; None if unknown."""
        if self._lines is None:
            self._lines = find_line_numbers(self._text)
        found = (self._lines.get(tuple(path[:length])) for length in range(len(path), 0, -1))
        return next((line for line in found if line), None)

    def addresses_lost(self, provider_ids: Collection[str]) -> Collection[str]:
        """Return the providers whose base URL may stand in a file that is ignored.

        All of them, if the file names none.
        """
        if "base_url" not in self._ignored_text:
            return ()
        words = set(re.findall(r"[\w-]+", self._ignored_text))
        return words.intersection(provider_ids) or set(provider_ids)

    def may_have_lost(self, name: str) -> bool:
        """Return true if the name occurs in a file that is ignored."""
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
            cure = f"Run: chmod 600 {quote(str(self.path))}"
            self._note("Other users can read this file, which contains an API key.", cure)

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
            self._table, self._text = _load_toml(text), text
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._ignore(data, "not UTF-8 text", "Save the file as UTF-8.", line)
        except (ValueError, RecursionError) as error:
            reason, hint = next(
                (reason, hint)
                for pattern, reason, hint in _SYNTAX_ERRORS
                if re.search(pattern, str(error))
            )
            found = _ERROR_LINE.search(str(error))
            line = int(found[1]) if found else text.rstrip().count("\n") + 1
            self._ignore(data, reason, hint, line)

    def _ignore(self, data: bytes, reason: str, hint: str, line: int) -> None:
        """Use none of the file: what a broken one means is not guessed at."""
        self._ignored_text = data.decode("utf-8-sig", "replace")
        self._note(f"Invalid TOML: {reason}. The file is ignored.", hint, line)

    def _note(self, message: str, hint: str, line: int | None = None) -> None:
        where = f"line {line}: " if line else ""
        self.problems.append(ConfigProblem(f"{self.path}: {where}{message}", hint, line))


def check_setting_names(file: ConfigFile, built_in: Collection[str]) -> None:
    """Note every name in the file that is not a setting, and every table that is none."""
    sections: dict[str, list[str]] = {}
    for setting in SETTINGS:
        if setting.in_file:
            sections.setdefault(setting.section, []).append(setting.key)
    at_top = [*sections[""], *(setting.key for setting in SETTINGS if setting.may_be_at_top)]
    tables = [*filter(None, sections), "providers"]
    for name, value in file.table().items():
        if name not in (*at_top, *tables):
            better = _better_place((name,), sections)
            if isinstance(value, Mapping):
                better = f"Did you mean [providers.{name}]? " if name in built_in else ""
            _note_unknown(file, (name,), [*sections[""], *tables], better)
        elif name in tables and not isinstance(value, Mapping):
            file.note_invalid((name,), f"Write [{name}] above its settings.", "is not a table")
    # What stands under [keys] beside is read, and complained of, as names of actions.
    for section in (each for each in sections if each not in ("", "keys")):
        for name in file.table(section).keys() - set(sections[section]):
            path = (section, name)
            _note_unknown(file, path, sections[section], _better_place(path, sections))
    _check_providers(file, built_in)


def _check_providers(file: ConfigFile, built_in: Collection[str]) -> None:
    every = [setting.name for setting in PROVIDER_SETTINGS]
    own = [setting.name for setting in CUSTOM_PROVIDER_SETTINGS]
    for provider_id, table in file.table("providers").items():
        path = ("providers", provider_id)
        if not isinstance(table, Mapping):
            cure = f"Write [providers.{shorten_for_message(provider_id)}] above its settings."
            file.note_invalid(path, cure, "is not a table")
            continue
        known = every if provider_id in built_in else [*every, *own]
        for name in table:
            if name in own and name not in known:
                cure = "Remove this setting, or use another name for a custom provider."
                file.note_invalid((*path, name), cure, f"cannot be set: {provider_id} is built in")
            elif name not in known:
                _note_unknown(file, (*path, name), known)


def _better_place(path: tuple[str, ...], sections: Mapping[str, Sequence[str]]) -> str:
    if len(path) == 1 and any(path[0] == setting.key for setting in PROVIDER_SETTINGS):
        return "Move it under a provider, such as [providers.groq]. "
    section = next((each for each, names in sections.items() if path[-1] in names), None)
    if section is None:
        return ""
    return f"Move it under [{section}]. " if section else "Move it above all tables. "


def _note_unknown(
    file: ConfigFile, path: tuple[str, ...], known: Sequence[str], better: str = ""
) -> None:
    meant = similar(path[-1].replace("-", "_"), known, most=1)
    guess = better or "".join(f"Did you mean `{name}`? " for name in meant)
    file.note_invalid(path, f"{guess}Settings here: {', '.join(known)}.", "is not a setting")


def find_line_numbers(text: str) -> dict[TomlPath, int]:
    """Return the line, from 1, of every table and name in a valid TOML text, first come first.

    An item of a list and what stands in an inline table have no line of their own.
    """
    found: dict[TomlPath, int] = {}
    table: TomlPath = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _HEADER_LINE.match(line):
            path = table = _dotted_names(match["names"])
        elif match := _SETTING_LINE.match(line):
            path = (*table, *_dotted_names(match["names"]))
        else:
            continue
        for length in range(1, len(path) + 1):
            found.setdefault(path[:length], number)
    return found


def _dotted_names(text: str) -> TomlPath:
    names: list[str | int] = []
    try:
        inner: object = _load_toml(f"{text} = 0")
    except ValueError:
        return ()
    while isinstance(inner, dict):
        ((name, inner),) = inner.items()
        names.append(name)
    return tuple(names)


def _load_toml(text: str) -> dict[str, object]:
    import tomllib  # 5 ms: most people have no file

    return tomllib.loads(text)
