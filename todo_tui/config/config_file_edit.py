"""Editing of config.toml: one setting on its own line; comments and all other lines stay."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from todo_tui.config.config_file import find_line_numbers, load_toml
from todo_tui.config.declaration import Setting
from todo_tui.config.kinds import SECRET, format_toml, quote_for_message
from todo_tui.config.private_files import replace_private_file
from todo_tui.config.settings import CUSTOM_PROVIDER_SETTINGS, PROVIDER_SETTINGS, SETTING
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.text import similar

_BARE_NAME = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"[ \t]*\[")
_KEYS, _PROVIDERS = "keys", "providers"


class SettingName(NamedTuple):
    """Setting as it is named on the command line: where it stands in the file, and its kind."""

    path: tuple[str, ...]
    declaration: Setting | None
    """None for the keys of an action."""


def find_setting(name: str) -> SettingName:
    """Return the setting of that name: `limits.timeout`, `providers.groq.model`, `keys.list.tick`.

    Raises:
        ConfigError: no setting of the file has that name.
    """
    table, _, rest = name.partition(".")
    declaration = SETTING.get(name)
    if declaration is None and table == _PROVIDERS and rest.count(".") == 1:
        provider, key = rest.split(".")
        known = {each.key: each for each in (*PROVIDER_SETTINGS, *CUSTOM_PROVIDER_SETTINGS)}
        if key in known:
            return SettingName((table, provider, key), known[key])
    if declaration is None and table == _KEYS and "." in rest:
        return SettingName((table, rest), None)
    if declaration is None or not declaration.in_file:
        names = [each.name for each in SETTING.values() if each.in_file]
        meant = "".join(f"Did you mean {each}? " for each in similar(name, names, most=1))
        raise ConfigError(
            f"No setting {quote_for_message(name)}.",
            hint=f"{meant}List all with: todo-tui config show",
        )
    return SettingName(declaration.path, declaration)


def format_setting(name: str, text: str) -> str:
    """Return what was typed for a setting as TOML source.

    Raises:
        ConfigError: the value does not fit.
    """
    declaration = find_setting(name).declaration
    if declaration is None:
        return format_toml(text.strip())
    if declaration.kind is SECRET:
        raise ConfigError("API keys are not written here.", hint="Use: todo-tui keys set")
    if declaration.kind.parse_text(text.strip()) is None:
        raise ConfigError(
            f"{name} cannot be {quote_for_message(text)}.",
            hint=f"Use {declaration.kind.text_hint}.",
        )
    value = declaration.kind.decode(text.strip())
    if isinstance(value, list):
        return format_toml([item.strip() for item in value])
    return format_toml(value if isinstance(value, bool | int | float) else text.strip())


def write_setting(file: Path, name: str, text: str | None, *, dry_run: bool = False) -> None:
    """Write a setting to the file, which is created where there is none; None removes it.

    A dry run checks as much and writes nothing.

    Raises:
        ConfigError: the value does not fit, or the file cannot be edited.
        TodoError: the file cannot be written.
    """
    path, declaration = find_setting(name)
    value = None if text is None else format_setting(name, text)
    before = _read(file)
    after, table = before.replace("\r\n", "\n"), _parse(before, file)
    # Some settings may stand above all tables too.
    paths = [path, path[-1:]] if declaration is not None and declaration.at_top else [path]
    present = [each for each in paths if _value_of(table, each) is not None]
    for each in present or (paths[:1] if value is not None else []):
        after = edit_line(after, each, value, file)
        if value is None:
            after = _without_empty_tables(after, each, file)
    if "\r\n" in before:
        after = after.replace("\n", "\r\n")
    if after != before and not dry_run:
        replace_private_file(file, after)


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        hint = "Check it with: todo-tui config check"
        raise ConfigError(f"Cannot read {file}.", hint=hint) from error


def edit_line(text: str, path: Sequence[str], value: str | None, file: Path) -> str:
    """Return the text of a TOML file with another value at a path; None removes it.

    Raises:
        ConfigError: the text is not valid, or the value does not stand on lines of its own.
    """
    table = _parse(text, file)
    lines = text.split("\n")
    number = find_line_numbers(text).get(tuple(path))
    if number is not None and _value_of(table, path) is not None:
        first, last = number - 1, _last_line(lines, number - 1)
        put = [] if value is None else [_replaced(lines[first], lines[first : last + 1], value)]
        lines[first : last + 1] = put
    elif value is not None:
        _insert(lines, path, value, find_line_numbers(text).get(tuple(path[:-1]), 0))
    edited = "\n".join(lines)
    if _parse(edited, file) != _with_value(table, path, value):
        raise ConfigError(
            f"Cannot change {'.'.join(path)}: it does not stand on a line of its own.",
            hint=f"Edit {file} with: todo-tui config edit",
        )
    return edited


def _without_empty_tables(text: str, path: Sequence[str], file: Path) -> str:
    """Return the text without the tables around a removed setting that have nothing left.

    A table with a comment stays.
    """
    for end in range(len(path) - 1, 0, -1):
        header = find_line_numbers(text).get(tuple(path[:end]))
        if not header or _value_of(_parse(text, file), path[:end]) != {}:
            break
        lines = text.split("\n")
        following = (at for at in range(header, len(lines)) if _HEADER.match(lines[at]))
        stop = next(following, len(lines))
        is_header = bool(_HEADER.match(lines[header - 1]))
        above = lines[header - 2].strip() if header > 1 else ""
        has_comment = "#" in lines[header - 1] or above.startswith("#")
        if not is_header or has_comment or any(line.strip() for line in lines[header:stop]):
            break
        del lines[header - 1 : stop]
        if header > len(lines):
            while lines and not lines[-1].strip():
                lines.pop()
            lines += [""] * bool(lines)
        text = "\n".join(lines)
    return text


def _parse(text: str, file: Path) -> Mapping[str, object]:
    try:
        return load_toml(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{file} is not valid TOML.", hint="Find the line with: todo-tui config check"
        ) from error


def _value_of(table: object, path: Sequence[str]) -> object:
    for name in path:
        table = table.get(name) if isinstance(table, Mapping) else None
    return table


def _with_value(
    table: Mapping[str, object], path: Sequence[str], value: str | None
) -> Mapping[str, object]:
    name, *rest = path
    changed = dict(table)
    if rest:
        inner = table.get(name, {})
        changed[name] = _with_value(inner if isinstance(inner, Mapping) else {}, rest, value)
        if value is None and name not in table:
            del changed[name]
    elif value is None:
        changed.pop(name, None)
    else:
        changed[name] = load_toml(f"value = {value}")["value"]
    return changed


def _last_line(lines: Sequence[str], first: int) -> int:
    """Return the last line of the value that begins on a line."""
    for last in range(first, len(lines)):
        if _is_valid("\n".join(lines[first : last + 1])):
            return last
    return first


def _is_valid(text: str) -> bool:
    try:
        load_toml(text)
    except ValueError:
        return False
    return True


def _replaced(line: str, present: Sequence[str], value: str) -> str:
    """Return a line with another value; the name, blanks and a comment behind it stay."""
    name = next(end for end in _ends_of(line, "=") if _is_valid(f"{line[:end]} 0"))
    last = present[-1]
    comment = ""
    for end in _ends_of(last, "#"):
        if _is_valid("\n".join([*present[:-1], last[: end - 1]])):
            before = last[: end - 1]
            comment = before[len(before.rstrip()) :] + last[end - 1 :]
            break
    return f"{line[:name]} {value}{comment}"


def _ends_of(line: str, mark: str) -> Iterator[int]:
    return (at + 1 for at, character in enumerate(line) if character == mark)


def _insert(lines: list[str], path: Sequence[str], value: str, header: int) -> None:
    """Insert a setting below its commented example, else at the end of its table.

    `header` is the line of its table, from 1; 0 above all tables, or where there is none.
    """
    *table, key = map(_quote_name, path)
    line = f"{key} = {value}"
    if table and not header:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += [*([""] if lines else []), f"[{'.'.join(table)}]", line, ""]
        return
    following = (at for at in range(header, len(lines)) if _HEADER.match(lines[at]))
    stop = next(following, len(lines))
    example = re.compile(rf"#\s*{re.escape(key)}\s*=")
    place = next((at + 1 for at in range(header, stop) if example.match(lines[at])), None)
    if place is None:
        place = stop
        # A comment above the next header is about that.
        while stop < len(lines) and place > header and lines[place - 1].startswith("#"):
            place -= 1
        while place > header and not lines[place - 1].strip():
            place -= 1
        touches_next = place < len(lines) and bool(lines[place].strip())
        lines[place:place] = [line, ""] if touches_next else [line]
        return
    lines.insert(place, line)


def _quote_name(name: str) -> str:
    return name if _BARE_NAME.fullmatch(name) else format_toml(name)
