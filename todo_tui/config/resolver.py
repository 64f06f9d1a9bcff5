"""Resolution of one setting: flag, variable, config.toml, default, the strongest first."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from todo_tui.config.config_file import ConfigFile
from todo_tui.config.declaration import Setting
from todo_tui.config.kinds import quote_for_message
from todo_tui.config.settings import Flags
from todo_tui.domain.errors import ConfigError

_OWN_PREFIX = "TODO_TUI_"


class SourceKind(StrEnum):
    """Kind of place that a value comes from, the strongest first."""

    FLAG = "flag"
    VARIABLE = "variable"
    KEY_FILE = "key file"
    FILE = "file"
    MISTAKE = "mistake"
    MACHINE = "machine"
    DEFAULT = "default"


class Source(NamedTuple):
    """Place that a value comes from."""

    kind: SourceKind
    name: str = ""
    """Flag, variable or file; of a default, the other setting that it follows."""
    path: tuple[str, ...] = ()
    """Of a value in the configuration file: the names of its tables and its own."""

    @property
    def override(self) -> str:
        """Clause on what keeps the file's value from being used; empty if it is used."""
        match self.kind:
            case SourceKind.FLAG | SourceKind.VARIABLE:
                return f"{self.name} is set and overrides the file"
            case SourceKind.MISTAKE:
                return "another value is used until the mistake in the file is corrected"
            case _:
                return ""


class SettingResolver:
    """Resolves settings and remembers, by their names, the `sources` of those that are set.

    A value that cannot be used is left to the next place. One in a flag or variable of this
    program is among the `refusals`, any other among the problems of the file.
    """

    def __init__(
        self,
        flags: Flags,
        environ: Mapping[str, str],
        file: ConfigFile,
        machine_values: Mapping[str, object],
    ) -> None:
        self.file = file
        self.sources: dict[str, Source] = {}
        self.refusals: list[ConfigError] = []
        self._flags = flags
        self._environ = environ
        self._machine_values = machine_values

    def variable(self, name: str) -> str | None:
        """Return the stripped value of a variable; None when unset or empty."""
        return self._environ.get(name, "").strip() or None

    def texts(self, setting: Setting) -> Iterator[tuple[Source, str]]:
        """Yield the stripped values of its flag and its variable that are set."""
        if setting.flag:
            text: str | None = getattr(self._flags, setting.attribute)
            if text and text.strip():
                yield Source(SourceKind.FLAG, setting.flag), text.strip()
        if setting.variable and (text := self.variable(setting.variable)):
            yield Source(SourceKind.VARIABLE, setting.variable), text

    def value(self, setting: Setting) -> Any:  # noqa: ANN401 - of the setting's kind
        """Return the value of the strongest place that has a valid one."""
        for source, text in self.texts(setting):
            value = setting.kind.parse_text(text)
            if value is not None:
                self.sources[setting.name] = source
                return value
            self._reject(source, text, setting.kind.text_hint)
        value = self.value_in_file(setting)
        if value is None and setting.from_machine:
            self.sources[setting.name] = Source(SourceKind.MACHINE)
            return self._machine_values[setting.name]
        return setting.default if value is None else value

    def value_in_file(self, setting: Setting) -> Any:  # noqa: ANN401 - of the setting's kind
        """Return the value in the file, that in its table first; None if there is no valid one."""
        if not setting.in_file:
            return None
        value = self._parse(setting, setting.path)
        top = (setting.key,)
        if not setting.at_top or self.file.find(top) is None:
            return value
        if value is None:
            return self._parse(setting, top)
        self.file.note(
            top,
            f"`{setting.key}` is also set under [{setting.table}], which takes precedence.",
            "Remove one of the two.",
        )
        return value

    def refuse(self, message: str, hint: str) -> None:
        """Note a reason not to start."""
        self.refusals.append(ConfigError(message, hint=hint))

    def in_file(self, path: tuple[str, ...]) -> Source:
        """Return a place in the file as a source."""
        return Source(SourceKind.FILE, str(self.file.path), path)

    def _parse(self, setting: Setting, path: tuple[str, ...]) -> object:
        written = self.file.find(path)
        if written is None:
            return None
        value: object = setting.kind.parse(written)
        if value is None:
            self.file.note_invalid(path, f"Write {setting.kind.file_hint}.")
        else:
            self.sources[setting.name] = self.in_file(path)
        return value

    def _reject(self, source: Source, text: str, hint: str) -> None:
        if source.kind is SourceKind.FLAG or source.name.startswith(_OWN_PREFIX):
            message = f"Invalid value {quote_for_message(text)} in {source.name}."
            self.refuse(message, f"Use {hint}, or remove it.")
        else:
            # Other programs may have set it, and it may hold a secret.
            self.file.note_outside(source.name, f"Set it to {hint}, or unset it.")
