"""How a person wants to be reminded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta
from enum import StrEnum


class DesktopNotices(StrEnum):
    """How reminders reach the desktop: by a program of the system or through the terminal."""

    AUTO = "auto"
    PROGRAM = "program"
    OSC9 = "osc9"
    OSC777 = "osc777"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ReminderRules:
    """When a person wants to be reminded, and where."""

    enabled: bool = True
    desktop: DesktopNotices = DesktopNotices.AUTO
    all_day_at: time = time(9)
    """When tasks without a time of day ask for attention."""
    before: timedelta = timedelta()
    """How long before its moment a timed task does."""
