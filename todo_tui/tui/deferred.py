"""Table of what is imported when it is first used: `deferred.HelpScreen`.

Screens opened by a key, widgets that are not part of the first frame, the grammars of filters and
dates that they need, and the agent.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.command import Provider

    from todo_tui.agent.cancellation import TurnHandle as TurnHandle
    from todo_tui.agent.config import read_only as read_only
    from todo_tui.agent.loop import run_turn as run_turn
    from todo_tui.domain.dates.reader import read_range as read_range
    from todo_tui.domain.filters.parser import FilterParser as FilterParser
    from todo_tui.knowledge.indexing import add_paths as add_paths
    from todo_tui.knowledge.indexing import refresh as refresh
    from todo_tui.knowledge.reader import DocumentReader as DocumentReader
    from todo_tui.knowledge.reader import kind_of as kind_of
    from todo_tui.tui.chat.comparison import ComparisonScreen as ComparisonScreen
    from todo_tui.tui.chat.external_editor import edit_externally as edit_externally
    from todo_tui.tui.chat.message_lists import FindScreen as FindScreen
    from todo_tui.tui.chat.message_lists import QueueScreen as QueueScreen
    from todo_tui.tui.chat.message_lists import SentMessagesScreen as SentMessagesScreen
    from todo_tui.tui.chat.transcript import Transcript as Transcript
    from todo_tui.tui.chat.turn_view import TurnLabels as TurnLabels
    from todo_tui.tui.models.picker import ModelPicker as ModelPicker
    from todo_tui.tui.reminders import ReminderCard as ReminderCard
    from todo_tui.tui.screens.calendar import CalendarScreen as CalendarScreen
    from todo_tui.tui.screens.consent import (
        ApprovalSettingsScreen as ApprovalSettingsScreen,
    )
    from todo_tui.tui.screens.consent import obtain_consent as obtain_consent
    from todo_tui.tui.screens.conversations import ConversationsScreen as ConversationsScreen
    from todo_tui.tui.screens.database_lost import DatabaseLostScreen as DatabaseLostScreen
    from todo_tui.tui.screens.documents import DocumentsScreen as DocumentsScreen
    from todo_tui.tui.screens.error_log import ErrorLogScreen as ErrorLogScreen
    from todo_tui.tui.screens.help import HelpScreen as HelpScreen
    from todo_tui.tui.screens.inspector import InspectorScreen as InspectorScreen
    from todo_tui.tui.screens.source import SourceScreen as SourceScreen
    from todo_tui.tui.screens.statistics import StatisticsScreen as StatisticsScreen
    from todo_tui.tui.screens.task_editor import TaskEditorScreen as TaskEditorScreen
    from todo_tui.tui.screens.undo_turn import UndoTurnScreen as UndoTurnScreen
    from todo_tui.tui.screens.usage import UsageScreen as UsageScreen
    from todo_tui.tui.screens.view_menu import ViewMenu as ViewMenu
    from todo_tui.tui.task_list.detail import TaskDetail as TaskDetail
    from todo_tui.tui.task_list.drawers.change import ChangeDrawer as ChangeDrawer
    from todo_tui.tui.task_list.drawers.change import RenameInput as RenameInput
    from todo_tui.tui.task_list.drawers.filter import FilterDrawer as FilterDrawer
    from todo_tui.tui.task_list.drawers.filter import SaveViewDrawer as SaveViewDrawer
    from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer as QuickAddDrawer
    from todo_tui.tui.task_list.links import open_task_links as open_task_links

    PaletteCommands: type[Provider]
    """Not imported: it imports the main screen, which uses this table."""

_DEFERRED = {
    "ApprovalSettingsScreen": "tui.screens.consent",  # 2 ms
    "CalendarScreen": "tui.screens.calendar",  # 90 ms
    "ChangeDrawer": "tui.task_list.drawers.change",  # 80 ms
    "ComparisonScreen": "tui.chat.comparison",  # 3 ms
    "ConversationsScreen": "tui.screens.conversations",  # 5 ms
    "DatabaseLostScreen": "tui.screens.database_lost",  # 2 ms
    "DocumentReader": "knowledge.reader",  # 7 ms
    "DocumentsScreen": "tui.screens.documents",  # 3 ms
    "ErrorLogScreen": "tui.screens.error_log",  # 3 ms
    "FilterDrawer": "tui.task_list.drawers.filter",  # 10 ms
    "FilterParser": "domain.filters.parser",  # 9 ms
    "FindScreen": "tui.chat.message_lists",  # 3 ms
    "HelpScreen": "tui.screens.help",  # 2 ms
    "InspectorScreen": "tui.screens.inspector",  # 3 ms
    "open_task_links": "tui.task_list.links",  # 3 ms
    "ModelPicker": "tui.models.picker",  # 10 ms
    "PaletteCommands": "tui.palette",  # 2 ms
    "QueueScreen": "tui.chat.message_lists",  # 3 ms
    "QuickAddDrawer": "tui.task_list.drawers.quick_add",  # 80 ms
    "ReminderCard": "tui.reminders",  # 4 ms
    "RenameInput": "tui.task_list.drawers.change",  # 80 ms
    "SaveViewDrawer": "tui.task_list.drawers.filter",  # 10 ms
    "SentMessagesScreen": "tui.chat.message_lists",  # 3 ms
    "SourceScreen": "tui.screens.source",  # 3 ms
    "StatisticsScreen": "tui.screens.statistics",  # 17 ms
    "TaskDetail": "tui.task_list.detail",  # 90 ms
    "TaskEditorScreen": "tui.screens.task_editor",  # 90 ms
    "Transcript": "tui.chat.transcript",  # 70 ms
    "TurnHandle": "agent.cancellation",  # 2 ms
    "TurnLabels": "tui.chat.turn_view",  # 60 ms
    "UndoTurnScreen": "tui.screens.undo_turn",  # 2 ms
    "UsageScreen": "tui.screens.usage",  # 2 ms
    "ViewMenu": "tui.screens.view_menu",  # 2 ms
    "add_paths": "knowledge.indexing",  # 10 ms
    "edit_externally": "tui.chat.external_editor",  # 5 ms
    "kind_of": "knowledge.reader",  # 7 ms
    "obtain_consent": "tui.screens.consent",  # 2 ms
    "read_only": "agent.config",  # 60 ms
    "read_range": "domain.dates.reader",  # 46 ms
    "refresh": "knowledge.indexing",  # 10 ms
    "run_turn": "agent.loop",  # 90 ms
}
"""Modules by the name that they define, with the milliseconds that each takes to import alone.

The drawers, the detail panel, the editor and the calendar share the date grammar, which is most
of theirs.
"""


def __getattr__(name: str) -> object:
    """Import the module that defines a name."""
    if name not in _DEFERRED:
        raise AttributeError(name)
    return getattr(import_module(f"todo_tui.{_DEFERRED[name]}"), name)
