"""The configuration file: TOML, of which every mistake is named by its line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from todo_tui.config.settings import ConfigProblem
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import Secret

_TOP_KEYS = (
    "db",
    "user",
    "provider",
    "model",
    "theme",
    "max_iterations",
    "context_messages",
    "timeout",
)
_DATE_KEYS = ("order", "week_start")
_PROVIDER_KEYS = ("api_key", "base_url", "model")


class ConfigFile:
    """The configuration file; what cannot be used is noted in `problems` and left out."""

    def __init__(self, path: Path, *, expected: bool) -> None:
        self.path = path
        self.problems: list[ConfigProblem] = []
        self._lines: list[str] = []
        self._table: dict[str, object] = {}
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            if expected:
                self._problem("There is no such file; defaults hold.", "Check the path.")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            self._problem(f"It cannot be read: {reason}.", "Check the file and its permissions.")
        else:
            self._parse(text)

    def _parse(self, text: str) -> None:
        # Most people have no file at all: the parser is not theirs to pay for.
        import tomllib

        self._lines = text.splitlines()
        try:
            self._table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self._problem(f"It is not valid TOML: {error}.", "Until it is, defaults hold.")

    def check_keys(self, provider_ids: Sequence[str]) -> None:
        """Note every name that means nothing here."""
        self._check("", self._table, (*_TOP_KEYS, "dates", "providers"))
        self._check("dates", self._section("dates"), _DATE_KEYS)
        self._check("providers", self._section("providers"), provider_ids)
        for row_id in provider_ids:
            self._check(f"providers.{row_id}", self._section("providers", row_id), _PROVIDER_KEYS)

    def text(self, key: str, *section: str) -> str | None:
        """The words under that key; None when absent or unusable, as below."""
        value = self._section(*section).get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self._wrong(section, key, "Write words in quotes.")
            return None
        return value.strip()

    def choice(self, key: str, choices: Sequence[str], *section: str) -> str | None:
        """One of the choices, in small letters."""
        text = self.text(key, *section)
        if text is not None and text.lower() not in choices:
            self._wrong(section, key, f"Use one of: {', '.join(choices)}.")
            return None
        return text and text.lower()

    def count(self, key: str) -> int | None:
        """A whole number from 1 on."""
        value = self._table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 999_999:
            self._wrong((), key, "Write a whole number from 1 on, without quotes.")
            return None
        return value

    def seconds(self, key: str) -> float | None:
        """A number above 0."""
        value = self._table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
            self._wrong((), key, "Write a number of seconds above 0, without quotes.")
            return None
        return float(value)

    def secret(self, key: str, *section: str) -> Secret | None:
        """A key that can be sent."""
        text = self.text(key, *section)
        if text is None:
            return None
        try:
            return Secret(text, name="It")
        except ConfigError as error:
            self._wrong(section, key, error.hint or "")
            return None

    def unusable(self, name: str, hint: str) -> None:
        """Note a variable that is no reason to stop."""
        self.problems.append(ConfigProblem(f"{name} cannot be used.", hint))

    def _section(self, *names: str) -> dict[str, object]:
        table: object = self._table
        for name in names:
            table = table.get(name, {}) if isinstance(table, dict) else {}
        return table if isinstance(table, dict) else {}

    def _check(self, section: str, table: Mapping[str, object], known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                self._problem(
                    f"{self._at(section, key)}`{key}` is not a setting.",
                    f"Known here: {', '.join(known)}.",
                )

    def _wrong(self, section: tuple[str, ...], key: str, hint: str) -> None:
        self._problem(f"{self._at('.'.join(section), key)}`{key}` cannot be used.", hint)

    def _at(self, section: str, key: str) -> str:
        """`line 3: ` where the key stands in its section; empty where it is not found."""
        current = ""
        for number, line in enumerate(self._lines, start=1):
            header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
            current = header[1].replace('"', "") if header else current
            names = {re.escape(key), re.escape(f"{section}.{key}")} if section else {re.escape(key)}
            if current in (section, "") and re.match(rf"\s*\"?({'|'.join(names)})\"?\s*[=.]", line):
                return f"line {number}: "
            if header and current == f"{section}.{key}".lstrip("."):
                return f"line {number}: "
        return ""

    def _problem(self, message: str, hint: str) -> None:
        self.problems.append(ConfigProblem(f"{self.path}: {message}", hint))
