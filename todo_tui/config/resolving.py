"""Which place wins: flags over environment over the configuration file."""

from __future__ import annotations

from typing import TypeVar

from todo_tui.config.catalogue import Setting
from todo_tui.config.environment import Environment
from todo_tui.config.file import ConfigFile
from todo_tui.config.printable import quoted
from todo_tui.config.settings import Flags
from todo_tui.config.sources import Source, SourceKind
from todo_tui.domain.errors import ConfigError

_Value = TypeVar("_Value")


class Resolver:
    """Looks each setting up where it may be set, the strongest place first.

    `sources` tells, by the setting's name, where what was found came from. A flag or
    variable that cannot be used is among the `refusals`; the next place counts then.
    """

    def __init__(self, flags: Flags, env: Environment, file: ConfigFile) -> None:
        self.flags = flags
        self.env = env
        self.file = file
        self.sources: dict[str, Source] = {}
        self.refusals: list[ConfigError] = []

    def value(self, setting: Setting[_Value]) -> _Value | None:
        """The value of the setting; None where nothing that can be used sets it."""
        for source, text in self.typed(setting):
            value = setting.kind.of_text(text)
            if value is not None:
                self.sources[setting.name] = source
                return value
            self.refuse(
                f"{source.name} is {quoted(text)}, which cannot be used.",
                f"Set it to {setting.kind.expected}, or leave it out.",
            )
        return self.filed(setting)

    def filed(self, setting: Setting[_Value]) -> _Value | None:
        """The value in the file; of two places where it may stand, the one in its table."""
        if not setting.example:
            return None
        named = tuple(setting.name.split("."))
        value = self._in_file(setting, named)
        if not setting.also or self.file.find((setting.also,)) is None:
            return value
        if value is None:
            return self._in_file(setting, (setting.also,))
        self.file.note(
            (setting.also,),
            f"`{setting.also}` is set under [{setting.section}] too.",
            "Take this one out; that one holds.",
        )
        return value

    def typed(self, setting: Setting[_Value]) -> list[tuple[Source, str]]:
        """What a flag and a variable say, as far as they are there."""
        found: list[tuple[Source, str]] = []
        flag: str | None = getattr(self.flags, setting.flag) if setting.flag else None
        if flag and flag.strip():
            found.append((Source(SourceKind.FLAG, f"--{setting.flag}"), flag.strip()))
        text = self.env.text(setting.variable) if setting.variable else None
        if text:
            found.append((Source(SourceKind.VARIABLE, setting.variable), text))
        return found

    def refuse(self, message: str, hint: str) -> None:
        """Note that a flag or variable is reason to stop."""
        self.refusals.append(ConfigError(message, hint=hint))

    def in_file(self, path: tuple[str, ...]) -> Source:
        """The source of what stands there."""
        return Source(SourceKind.FILE, str(self.file.path), path)

    def _in_file(self, setting: Setting[_Value], path: tuple[str, ...]) -> _Value | None:
        value = self.file.value(path, setting.kind)
        if value is not None:
            self.sources[setting.name] = self.in_file(path)
        return value
