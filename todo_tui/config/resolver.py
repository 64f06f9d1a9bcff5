"""Precedence of sources for one setting: flag, variable, config.toml, default."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from todo_tui.config.catalogue import Setting
from todo_tui.config.file import ConfigFile
from todo_tui.config.kinds import quote_for_message
from todo_tui.config.settings import Flags
from todo_tui.domain.errors import ConfigError


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


class SettingResolver:
    """Looks each setting up where it may be set, the strongest place first.

    `sources` tells, by the setting's name, where what was found came from. A flag or
    variable that cannot be used is among the `refusals`; the next place counts then.
    """

    def __init__(self, flags: Flags, environ: Mapping[str, str], file: ConfigFile) -> None:
        self.file = file
        self.sources: dict[str, Source] = {}
        self.refusals: list[ConfigError] = []
        self._flags = flags
        self._environ = environ

    def variable(self, name: str) -> str | None:
        """The value of a variable without blanks around it; None when unset or empty."""
        return self._environ.get(name, "").strip() or None

    def typed(self, setting: Setting) -> list[tuple[Source, str]]:
        """Return the values of the flag and the variable that are set, strongest first."""
        found: list[tuple[Source, str]] = []
        flag: str | None = getattr(self._flags, setting.key) if setting.flag else None
        if flag and flag.strip():
            found.append((Source(SourceKind.FLAG, f"--{setting.key}"), flag.strip()))
        name = f"TODO_TUI_{setting.key.upper()}"
        if setting.variable and (text := self.variable(name)):
            found.append((Source(SourceKind.VARIABLE, name), text))
        return found

    def value(self, setting: Setting) -> object:
        """The value of the setting; its default where nothing that can be used sets it."""
        for source, text in self.typed(setting):
            value = setting.kind.read(setting.kind.of_text(text))
            if value is not None:
                self.sources[setting.name] = source
                return value
            self.refuse(
                f"Invalid value {quote_for_message(text)} in {source.name}.",
                f"Use {setting.kind.expected}, or remove it.",
            )
        value = self.filed(setting)
        return setting.default if value is None else value

    def filed(self, setting: Setting) -> object:
        """The value in the file; of two places where it may stand, the one in its table."""
        if not setting.in_file:
            return None
        value = self._filed(setting, setting.path)
        top = (setting.key,)
        if not setting.may_be_at_top or self.file.find(top) is None:
            return value
        if value is None:
            return self._filed(setting, top)
        self.file.note(
            top,
            f"`{setting.key}` is also set under [{setting.section}], which takes precedence.",
            "Remove one of the two.",
        )
        return value

    def of_provider(self, provider_id: str, settings: Iterable[Setting]) -> dict[str, Any]:
        """The values in the provider's table of the file, by name; None where none fits."""
        return {
            setting.name: self._filed(
                setting._replace(name=f"providers.{provider_id}.{setting.name}"),
                ("providers", provider_id, setting.name),
            )
            for setting in settings
        }

    def refuse(self, message: str, hint: str) -> None:
        """Note a reason not to start."""
        self.refusals.append(ConfigError(message, hint=hint))

    def in_file(self, path: tuple[str, ...]) -> Source:
        """The source of what stands there."""
        return Source(SourceKind.FILE, str(self.file.path), path)

    def _filed(self, setting: Setting, path: tuple[str, ...]) -> object:
        found = self.file.find(path)
        if found is None:
            return None
        value = setting.kind.read(found)
        if value is None:
            self.file.note_invalid(path, f"Write {setting.kind.written}.")
        else:
            self.sources[setting.name] = self.in_file(path)
        return value
