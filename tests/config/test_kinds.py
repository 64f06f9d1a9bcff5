"""Kinds of values: parsing from TOML and from text, and formatting, for every setting."""

from __future__ import annotations

import tomllib
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from tests.rows import each_row
from todo_tui.config import kinds
from todo_tui.config.declaration import Setting
from todo_tui.config.kinds import Kind, TomlValue, format_toml
from todo_tui.config.settings import CUSTOM_PROVIDER_SETTINGS, PROVIDER_SETTINGS, SETTINGS
from todo_tui.domain.secret import DOTS

_DECLARED = (*SETTINGS, *PROVIDER_SETTINGS, *CUSTOM_PROVIDER_SETTINGS)
_SIZE = kinds.choice({"small": 1, "large": 2})


@each_row(
    ("kind", "text", "value", "formatted"),
    [
        (kinds.line(5), " a b ", "a b", "a b"),
        (kinds.line(5), "abcdef", None, None),
        (kinds.line(), "a\x1b", None, None),
        (_SIZE, "LARGE", 2, "large"),
        (_SIZE, "larg", None, None),
        (kinds.integer(), "1_000", 1000, 1000),
        (kinds.integer(), "0", None, None),
        (kinds.integer(least=0), "0", 0, 0),
        (kinds.integer(), "1.0", None, None),
        (kinds.integer(), "٣", None, None),
        (kinds.number("a number"), "5.", 5.0, 5.0),
        (kinds.number("a number"), "0", None, None),
        (kinds.number("a number", most=2, allows_zero=True), "0", 0.0, 0.0),
        (kinds.number("a number", most=2), "2.1", None, None),
        (kinds.number("a number"), "1e3", None, None),
        (kinds.number("a number"), "٣.٥", None, None),
        (kinds.texts("a"), "a, b ", ("a", "b"), ["a", "b"]),
        (kinds.texts("a"), "a,,b", None, None),
        (kinds.PATH, "/a/b", Path("/a/b"), "/a/b"),
        (kinds.URL, "http://me:key@a/b?c=d", "http://me:key@a/b?c=d", f"http://{DOTS}@a/b?{DOTS}"),
        (kinds.BOOLEAN, "true", True, True),
        (kinds.BOOLEAN, "yes", None, None),
        (kinds.MINUTES, "90", timedelta(minutes=90), 90),
        (kinds.TIME_OF_DAY, "7:05", time(7, 5), "07:05"),
        (kinds.TIME_OF_DAY, "24:00", None, None),
        (kinds.LOCAL_TIME, "2026-11-18", datetime(2026, 11, 18), "2026-11-18T00:00:00"),
        (kinds.VARIABLE_NAME, "a-b", None, None),
        (kinds.COMMAND, "pass 'my key'", ("pass", "my key"), f"pass {DOTS}"),
    ],
)
def test_a_text_is_parsed_and_the_value_formatted(
    kind: Kind[Any], text: str, value: object, formatted: TomlValue
) -> None:
    parsed = kind.parse_text(text)
    assert parsed == value
    if parsed is not None:
        assert kind.format(parsed) == formatted


@each_row("setting", _DECLARED)
def test_what_a_setting_declares_fits_its_kind(setting: Setting) -> None:
    kind = setting.kind
    assert all(kind.parse_text(choice) is not None for choice in kind.choices)
    assert all(choice in kind.file_hint for choice in kind.choices)
    if setting.example is not None:
        assert kind is kinds.SECRET or kind.parse(setting.example) is not None
    elif setting.in_file and not setting.from_machine:
        # The default stands in for an example.
        assert kind.parse(kind.format(setting.default)) == setting.default
    assert setting.about.endswith(".") or not (setting.in_file or setting.variable)
    assert not (setting.flag or setting.variable) or kind.text_hint


@each_row("value", [True, False, 15, 0.5, 30.0, "plain", 'a "b" \\ c', "é 🎉", ["a", 'b"'], []])
def test_a_value_is_written_as_toml(value: TomlValue) -> None:
    assert tomllib.loads(f"value = {format_toml(value)}") == {"value": value}
