"""What holds and why, and the file that explains every setting."""

from __future__ import annotations

import re

import pytest

from tests.config.home import Home
from todo_tui.config.explain import format_template, list_setting_rows
from todo_tui.config.settings import (
    CUSTOM_PROVIDER_SETTINGS,
    MAX_ADDED,
    MAX_CHANGED,
    PROVIDER_SETTINGS,
    SETTINGS,
    ApprovalSettings,
    Flags,
)
from todo_tui.domain.secret import DOTS
from todo_tui.tui.actions.keymap import format_key_lines, read_keymap
from todo_tui.tui.actions.registry import ACTIONS


def test_each_value_tells_where_it_comes_from(home: Home) -> None:
    configuration = home.configuration(
        Flags(user="anna", model="claude-1"),
        'theme = "dark"\n[limits]\n\nretries = 2\n[providers.groq]\napi_key = "k"\nmodel = "m"',
        TODO_TUI_TIMEOUT="5",
        GEMINI_API_KEY="k",
        GROQ_BASE_URL="http://127.0.0.1:1",
    )
    shown = {each.name: (each.value, each.origin) for each in list_setting_rows(configuration)}
    assert shown["user"] == ("anna", "--user")
    assert shown["provider"] == ("anthropic", "--model")
    assert shown["model"] == ("claude-1", "--model")
    assert shown["theme"] == ("dark", "line 1")
    assert shown["limits.retries"] == (2, "line 4")
    assert shown["limits.timeout"] == (5.0, "TODO_TUI_TIMEOUT")
    assert shown["limits.context_tokens"] == (24000, "default")
    assert shown["zone"] == ("Europe/Berlin", "machine")
    assert shown["providers.groq.api_key"] == (DOTS, "line 6")
    assert shown["providers.groq.model"] == ("m", "line 7")
    assert shown["providers.groq.base_url"] == ("http://127.0.0.1:1", "GROQ_BASE_URL")
    assert shown["providers.gemini.api_key"] == (DOTS, "GEMINI_API_KEY")
    assert shown["providers.gemini.model"] == ("flash", "default")


@pytest.mark.parametrize(
    ("toml", "environ", "name", "row"),
    [
        ('roles.chat = "groq"', {}, "roles.chat", ("groq", "line 1")),
        ("providers.groq.allow_http = false", {}, "providers.groq.allow_http", (False, "line 1")),
        ("providers.groq.temperature = 0", {}, "providers.groq.temperature", (0.0, "line 1")),
        ("", {}, "dates.order", ("mdy", "machine")),
        ('dates.week_start = "Sunday"', {}, "dates.week_start", ("sunday", "line 1")),
        ("reminders.all_day_at = 07:30:15", {}, "reminders.all_day_at", ("07:30", "line 1")),
        ("reminders.before = 90", {}, "reminders.before", (90, "line 1")),
        ('fallback = ["groq", "gemini:pro"]', {}, "fallback", (["groq", "gemini:pro"], "line 1")),
        (
            "limits.timeout = 9",
            {"TODO_TUI_TIMEOUT": "8"},
            "limits.timeout",
            (8, "TODO_TUI_TIMEOUT"),
        ),
        (
            'telemetry.endpoint = "http://a"',
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://me:hush@b"},
            "telemetry.endpoint",
            (f"http://{DOTS}@b", "OTEL_EXPORTER_OTLP_ENDPOINT"),
        ),
        ("approvals.more_than = 3", {}, "approvals.more_added", (3, "as more_than")),
        ("approvals.more_than = 50", {}, "approvals.more_added", (20, "default")),
        ("", {}, "approvals.more_added", (20, "default")),
        (
            "[approvals]\nmore_than = 3\nmore_added = 3",
            {},
            "approvals.more_added",
            (3, "line 3"),
        ),
        (
            '[approvals]\nask = "never"\nmore_than = 50',
            {},
            "approvals.more_added",
            (50, "as more_than"),
        ),
        ("[approvals]\nmore_than = -1", {}, "approvals.ask", ("writes", "mistake in the file")),
        ("[approvals]\nmore_than = -1", {}, "approvals.more_than", (5, "default")),
        ('ask = "always"', {}, "approvals.ask", ("writes", "mistake in the file")),
    ],
)
def test_a_value_is_shown_as_the_file_may_have_it(
    home: Home, toml: str, environ: dict[str, str], name: str, row: tuple[object, str]
) -> None:
    rows = {row.name: row for row in list_setting_rows(home.configuration(None, toml, **environ))}
    assert (rows[name].value, rows[name].origin) == row


def test_a_variable_of_another_program_stops_nothing(home: Home) -> None:
    toml = 'telemetry.endpoint = "http://a"'
    settings = home.settings(None, toml, OTEL_EXPORTER_OTLP_ENDPOINT="hush\x07")
    assert settings.telemetry.endpoint == "http://a"
    (problem,) = settings.problems
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" in problem.message
    assert "hush" not in f"{problem}"


def test_no_secret_is_shown_wherever_it_was_put(home: Home) -> None:
    configuration = home.configuration(
        None,
        """
        [providers.groq]
        token_command = ["sh", "-c", "echo hush"]
        base_url = "https://me:hush@example.com/v1"
        [providers.gemini]
        base_url = "https://example.com/v1?key=hush"
        """,
        ANTHROPIC_API_KEY="hush",
    )
    assert "hush" not in repr(list(list_setting_rows(configuration)))


def test_the_template_as_it_is_sets_nothing(home: Home) -> None:
    bare = home.settings()
    written = home.settings(None, format_template(format_key_lines()))
    assert written.problems == ()
    assert bare == written


def test_every_example_of_the_template_can_be_used(home: Home) -> None:
    examples = re.sub(
        r"^#(?=[\"\[\w])", "", format_template(format_key_lines()), flags=re.MULTILINE
    )
    examples = examples.replace('api_key = "…"\n', "")
    settings = home.settings(None, examples)
    assert read_keymap(settings).problems == ()
    assert {each.name for each in settings.shortcuts} == ACTIONS.keys()
    assert settings.fallback
    assert settings.custom_providers[0].id == "mistral"
    assert settings.roles.title is not None
    assert settings.approvals == ApprovalSettings(
        tools=("delete_task",), more_than=MAX_CHANGED, more_added=MAX_ADDED
    )


def test_the_template_explains_every_setting() -> None:
    text = format_template(format_key_lines())
    for setting in (*SETTINGS, *PROVIDER_SETTINGS, *CUSTOM_PROVIDER_SETTINGS):
        if setting.in_file:
            assert re.search(rf"^# .+\n#{setting.key} = ", text, re.MULTILINE), setting.name
    assert max(map(len, text.splitlines())) <= 92
