"""Full-screen and modal views; start with main.py.

What a key opens is imported when it is first used: `screens.HelpScreen`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.tui.models.picker import ModelPicker as ModelPicker
    from todo_tui.tui.palette import PaletteCommands as PaletteCommands
    from todo_tui.tui.reminders import ReminderCard as ReminderCard
    from todo_tui.tui.screens.consent import obtain_consent as obtain_consent
    from todo_tui.tui.screens.database_lost import DatabaseLostScreen as DatabaseLostScreen
    from todo_tui.tui.screens.error_log import ErrorLogScreen as ErrorLogScreen
    from todo_tui.tui.screens.help import HelpScreen as HelpScreen
    from todo_tui.tui.screens.statistics import StatisticsScreen as StatisticsScreen
    from todo_tui.tui.screens.usage import UsageScreen as UsageScreen

_DEFERRED = {
    "DatabaseLostScreen": "screens.database_lost",  # 1 ms
    "ErrorLogScreen": "screens.error_log",  # 2 ms
    "HelpScreen": "screens.help",  # 1 ms
    "ModelPicker": "models.picker",  # 6 ms
    "PaletteCommands": "palette",  # 2 ms
    "ReminderCard": "reminders",  # 5 ms
    "StatisticsScreen": "screens.statistics",  # 10 ms
    "UsageScreen": "screens.usage",  # 4 ms
    "obtain_consent": "screens.consent",  # 2 ms
}
"""Modules by the name that they define, with the milliseconds that they take to import."""


def __getattr__(name: str) -> object:
    """Import the module of a screen."""
    if name not in _DEFERRED:
        raise AttributeError(name)
    return getattr(import_module(f"todo_tui.tui.{_DEFERRED[name]}"), name)
