"""Full-screen and modal views; start with main.py.

Screens that a key opens are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.tui.models.picker import ModelPicker as ModelPicker
    from todo_tui.tui.screens.consent import obtain_consent as obtain_consent
    from todo_tui.tui.screens.database_lost import DatabaseLostScreen as DatabaseLostScreen
    from todo_tui.tui.screens.error_log import ErrorLogScreen as ErrorLogScreen
    from todo_tui.tui.screens.help import HelpScreen as HelpScreen
    from todo_tui.tui.screens.statistics import StatisticsScreen as StatisticsScreen
    from todo_tui.tui.screens.usage import UsageScreen as UsageScreen

_DEFERRED = {
    "ModelPicker": "todo_tui.tui.models.picker",
    "obtain_consent": "todo_tui.tui.screens.consent",
    "DatabaseLostScreen": "todo_tui.tui.screens.database_lost",
    "ErrorLogScreen": "todo_tui.tui.screens.error_log",
    "HelpScreen": "todo_tui.tui.screens.help",
    "StatisticsScreen": "todo_tui.tui.screens.statistics",
    "UsageScreen": "todo_tui.tui.screens.usage",
}
"""Modules by the name that they define."""


def __getattr__(name: str) -> object:
    """Import the module of a screen."""
    if name not in _DEFERRED:
        raise AttributeError(name)
    return getattr(import_module(_DEFERRED[name]), name)
