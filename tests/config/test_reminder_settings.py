"""How reminders are set."""

from __future__ import annotations

from dataclasses import asdict
from datetime import time, timedelta

import pytest

from tests.config.home import Home
from todo_tui.domain.reminders import DesktopNotification, ReminderSettings


def test_reminders_are_on_without_a_word(home: Home) -> None:
    assert asdict(home.settings(None, "").reminders) == asdict(ReminderSettings())


def test_each_of_them_can_be_set(home: Home) -> None:
    toml = '[reminders]\nenabled = false\ndesktop = "OSC9"\nall_day_at = "7:30"\nbefore = 10\n'
    settings = home.settings(None, toml)
    assert not settings.problems
    assert asdict(settings.reminders) == asdict(
        ReminderSettings(False, DesktopNotification.OSC9, time(7, 30), timedelta(minutes=10))
    )


def test_a_time_may_be_written_as_toml_has_it(home: Home) -> None:
    settings = home.settings(None, "[reminders]\nall_day_at = 18:05:30\n")
    assert settings.reminders.all_day_at == time(18, 5)


@pytest.mark.parametrize(
    ("words", "at"), [("7pm", time(19)), ("7.30 pm", time(19, 30)), ("noon", time(12))]
)
def test_a_time_is_read_as_elsewhere(home: Home, words: str, at: time) -> None:
    settings = home.settings(None, f'[reminders]\nall_day_at = "{words}"\n')
    assert settings.reminders.all_day_at == at


@pytest.mark.parametrize(
    "value", ['"25:00"', '"9"', '"9:5"', "9", '"morning"', '"tomorrow 7pm"', '"-1:00"']
)
def test_what_is_no_time_is_named_and_left_out(home: Home, value: str) -> None:
    settings = home.settings(None, f"[reminders]\nall_day_at = {value}\n")
    (problem,) = settings.problems
    assert "all_day_at" in problem.message
    assert asdict(settings.reminders) == asdict(ReminderSettings())
