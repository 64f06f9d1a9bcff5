"""Declaration of settings: metadata of the fields of a dataclass, one class for each table."""

from collections.abc import Iterator
from dataclasses import field, fields
from typing import Any, NamedTuple, TypeVar

from todo_tui.config.kinds import Kind, TomlValue

Value = TypeVar("Value")
Default = TypeVar("Default")
Table = TypeVar("Table")
_SETTING, _TABLE = "setting", "table"


class Setting(NamedTuple):
    """Declaration of one setting; `setting` explains the fields."""

    kind: Kind[Any]
    about: str
    example: TomlValue
    flag: str
    variable: str
    in_file: bool
    at_top: bool
    from_machine: bool
    key: str
    """Name in its table of the file."""
    table: str = ""
    """Table of the file, as `providers.groq`; empty: above all tables."""
    attribute: str = ""
    """Name of the field."""
    default: object = None

    @property
    def name(self) -> str:
        """Full name: `limits.timeout`."""
        return f"{self.table}.{self.key}" if self.table else self.key

    @property
    def path(self) -> tuple[str, ...]:
        """Names of the tables and of the value in the file."""
        return tuple(self.name.split("."))


def setting(
    default: Default,
    kind: Kind[Value],
    about: str = "",
    *,
    example: TomlValue = None,
    flag: str = "",
    variable: str = "",
    in_file: bool = True,
    at_top: bool = False,
    from_machine: bool = False,
    key: str = "",
) -> Value | Default:
    """Declare a field of a dataclass as a setting.

    Args:
        default: Value where nothing sets it.
        kind: Kind of its values.
        about: Explanation, one or two sentences, for the template, the documents and the app.
        example: Value in the template, for settings whose default is none.
        flag: Option of the command line: `--user`.
        variable: Environment variable: `TODO_TUI_USER`; `<ID>_MODEL` for one of a provider.
        in_file: False if the configuration file cannot set it.
        at_top: True if it may stand above all tables too.
        from_machine: True if the default is a fact of the machine.
        key: Name in the file, if it is not that of the field.
    """
    declaration = Setting(kind, about, example, flag, variable, in_file, at_top, from_machine, key)
    declared: Any = field(default=default, metadata={_SETTING: declaration})
    return declared  # type: ignore[no-any-return]  # becomes a value of the field


def table(group: type[Table]) -> Table:
    """Declare a field as a table of settings, by their dataclass."""
    declared: Any = field(default_factory=group, metadata={_TABLE: group})
    return declared  # type: ignore[no-any-return]  # as above


def list_tables(group: type) -> Iterator[tuple[str, type]]:
    """Yield name and dataclass of each table declared in a dataclass, in order."""
    for entry in fields(group):
        if _TABLE in entry.metadata:
            yield entry.name, entry.metadata[_TABLE]


def list_settings(group: type, name: str = "") -> Iterator[Setting]:
    """Yield the settings declared in a dataclass, then those of its tables, in order."""
    for entry in fields(group):
        declaration: Setting | None = entry.metadata.get(_SETTING)
        if declaration is not None:
            key = declaration.key or entry.name
            yield declaration._replace(
                key=key, table=name, attribute=entry.name, default=entry.default
            )
    for inner_name, inner in list_tables(group):
        yield from list_settings(inner, inner_name)
