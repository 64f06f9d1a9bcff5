"""Table of what is imported when it is first used: `deferred.HelpScreen`.

Screens opened by a key, and widgets that are not part of the first frame.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.tui.models.picker import ModelPicker as ModelPicker
    from todo_tui.tui.palette import PaletteCommands as PaletteCommands
    from todo_tui.tui.reminders import ReminderCard as ReminderCard
    from todo_tui.tui.screens.calendar import CalendarScreen as CalendarScreen
    from todo_tui.tui.screens.consent import obtain_consent as obtain_consent
    from todo_tui.tui.screens.database_lost import DatabaseLostScreen as DatabaseLostScreen
    from todo_tui.tui.screens.error_log import ErrorLogScreen as ErrorLogScreen
    from todo_tui.tui.screens.help import HelpScreen as HelpScreen
    from todo_tui.tui.screens.statistics import StatisticsScreen as StatisticsScreen
    from todo_tui.tui.screens.usage import UsageScreen as UsageScreen
    from todo_tui.tui.screens.view_menu import ViewMenu as ViewMenu
    from todo_tui.tui.task_editor.screen import TaskEditorScreen as TaskEditorScreen

_DEFERRED = {
    "CalendarScreen": "screens.calendar",  # 30 ms
    "DatabaseLostScreen": "screens.database_lost",  # 1 ms
    "ErrorLogScreen": "screens.error_log",  # 2 ms
    "HelpScreen": "screens.help",  # 1 ms
    "ModelPicker": "models.picker",  # 6 ms
    "PaletteCommands": "palette",  # 2 ms
    "ReminderCard": "reminders",  # 5 ms
    "StatisticsScreen": "screens.statistics",  # 10 ms
    "TaskEditorScreen": "task_editor.screen",  # 90 ms
    "UsageScreen": "screens.usage",  # 4 ms
    "ViewMenu": "screens.view_menu",  # 2 ms
    "obtain_consent": "screens.consent",  # 2 ms
}
"""Modules by the name that they define, with the milliseconds that they take to import."""


def __getattr__(name: str) -> object:
    """Import the module of a screen."""
    if name not in _DEFERRED:
        raise AttributeError(name)
    return getattr(import_module(f"todo_tui.tui.{_DEFERRED[name]}"), name)
