"""Editing one setting of config.toml: its line changes, all others stay."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from todo_tui.config.config_file_edit import edit_line, format_setting, write_setting
from todo_tui.config.explain import format_template, format_value
from todo_tui.config.kinds import SECRET, format_toml
from todo_tui.config.settings import PROVIDER_SETTINGS, SETTINGS
from todo_tui.domain.errors import ConfigError
from todo_tui.tui.actions.keymap import format_key_lines

FILE = Path("config.toml")


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("", "theme", "light", 'theme = "light"'),
        ("", "limits.timeout", "60", "[limits]\ntimeout = 60\n"),
        ('# mine\ntheme="dark"  # at night\n', "theme", "light",
         '# mine\ntheme= "light"  # at night\n'),
        ('user = "a#b" # who\n', "user", "c # d", 'user = "c # d" # who\n'),
        ("[limits]\n  timeout = 30 # s\nretries = 2\n", "limits.timeout", "45.5",
         "[limits]\n  timeout = 45.5 # s\nretries = 2\n"),
        # A setting that is not there goes below its example, else to the end of its table.
        ("# why\n#theme = \"dark\"\n\n[limits]\n", "theme", "light",
         "# why\n#theme = \"dark\"\ntheme = \"light\"\n\n[limits]\n"),
        ("[limits]\nretries = 2\n\n# dates\n[dates]\n", "limits.timeout", "60",
         "[limits]\nretries = 2\ntimeout = 60\n\n# dates\n[dates]\n"),
        # Between two tables stands a blank line.
        ("[limits]\nretries = 2\n", "theme", "dark", 'theme = "dark"\n\n[limits]\nretries = 2\n'),
        ("[limits]\nretries = 2\n[dates]\n", "limits.timeout", "60",
         "[limits]\nretries = 2\ntimeout = 60\n\n[dates]\n"),
        ("[dates]\norder = \"dmy\"\n\n\n", "limits.retries", "3",
         "[dates]\norder = \"dmy\"\n\n[limits]\nretries = 3\n"),
        # Where the value stands elsewhere, it changes there.
        ("timeout = 30\n[limits]\n", "limits.timeout", "60", "timeout = 60\n[limits]\n"),
        ("limits.timeout = 30\n", "limits.timeout", "60", "limits.timeout = 60\n"),
        ('[keys]\n"list.tick" = "x" # tick\n', "keys.list.tick", "space,x",
         '[keys]\n"list.tick" = "space,x" # tick\n'),
        ("", "keys.list.tick", "X", '[keys]\n"list.tick" = "X"\n'),
        ("[approvals]\ntools = [ # both\n  'a',\n  'b', # b\n] # all\nask = \"risky\"\n",
         "approvals.tools", "undo, delete_task",
         "[approvals]\ntools = [\"undo\", \"delete_task\"] # all\nask = \"risky\"\n"),
        ("[providers.groq]\nmodel = \"a\"\n", "providers.groq.effort", "low",
         "[providers.groq]\nmodel = \"a\"\neffort = \"low\"\n"),
        ("[reminders]\r\nbefore = 5\r\n", "reminders.before", "10",
         "[reminders]\r\nbefore = 10\r\n"),
        # Without a value the default applies.
        ('# mine\ntheme = "dark"\nuser = "ann"\n', "theme", None, '# mine\nuser = "ann"\n'),
        ("timeout = 30\n[limits]\ntimeout = 40\n", "limits.timeout", None, ""),
        ("[limits]\n", "limits.timeout", None, "[limits]\n"),
        # A table without settings and comments goes too.
        ('user = "ann"\n\n[keys]\n"list.tick" = "x"\n\n[limits]\nretries = 2\n', "keys.list.tick",
         None, 'user = "ann"\n\n[limits]\nretries = 2\n'),
        ('[limits]\nretries = 2\n\n[providers.local]\nmodel = "m"\n', "providers.local.model",
         None, "[limits]\nretries = 2\n"),
        ("[providers]\n[providers.local]\nmodel = \"m\"\n", "providers.local.model", None, ""),
        *(
            (f"{above}[limits]{beside}\n{below}timeout = 3\n", "limits.timeout", None,
             f"{above}[limits]{beside}\n{below}")
            for above, beside, below in (("# a\n", "", ""), ("", " # b", ""), ("", "", "# c\n"))
        ),
        ('theme = "dark"\n', "theme", "dark", 'theme = "dark"\n'),
    ],
)  # fmt: skip
def test_one_setting_changes_and_all_other_lines_stay(
    tmp_path: Path, before: str, name: str, value: str | None, after: str
) -> None:
    file = tmp_path / "config.toml"
    if before:
        file.write_bytes(before.encode())
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    write_setting(link, name, value)
    assert (file.read_bytes().decode() if file.exists() else "").rstrip("\n") == after.rstrip("\n")
    assert link.is_symlink()


@pytest.mark.parametrize(
    ("before", "name", "value", "reason"),
    [
        ("limits = {timeout = 30}\n", "limits.timeout", "60", "line of its own"),
        ("theme = \n", "theme", "light", "not valid TOML"),
        ("", "limits.timeot", "3", "No setting"),
        ("", "limits", "3", "No setting"),
        ("", "now", "2026-01-01T10:00", "No setting"),
        ("", "providers.groq.colour", "red", "No setting"),
        ("", "limits.timeout", "soon", "cannot be “soon”"),
        ("", "reminders.desktop", "loud", "cannot be “loud”"),
        ("", "providers.groq.api_key", "sk", "API keys"),
    ],
)
def test_what_cannot_be_set_says_why_and_changes_nothing(
    tmp_path: Path, before: str, name: str, value: str, reason: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(before)
    with pytest.raises(ConfigError, match=reason):
        write_setting(file, name, value)
    assert file.read_text() == before


def test_every_setting_can_be_written_below_its_explanation_in_the_template() -> None:
    template = format_template(format_key_lines())
    settings = [each for each in SETTINGS if each.in_file]
    settings += [
        each._replace(table="providers.groq") for each in PROVIDER_SETTINGS
        if each.kind is not SECRET
    ]  # fmt: skip
    for setting in settings:
        example = setting.example
        if example is None:
            example = format_value(setting, setting.default)
        typed = ",".join(example) if isinstance(example, list) else format_toml(example).strip('"')
        value = format_setting(setting.name, typed)
        edited = edit_line(template, setting.path, value, FILE)
        assert tomllib.loads(edited)
        added = [line for line in edited.split("\n") if line not in template.split("\n")]
        assert f"{setting.key} = {value}" in added
        if setting.table != "providers.groq":
            at = edited.split("\n").index(f"{setting.key} = {value}")
            assert edited.split("\n")[at - 1].startswith(f"#{setting.key} =")
        assert edit_line(edited, setting.path, None, FILE).replace("\n", "") in (
            template.replace("\n", ""),
            template.replace("\n", "") + f"[{setting.table}]",
        )
