"""Actions of the screens that open above the main screen, and of the widgets in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.tui.actions.action import Action, KeyAction, Need

if TYPE_CHECKING:
    from todo_tui.tui.models.picker import ModelPicker
    from todo_tui.tui.screens.calendar import CalendarScreen, DayTaskList, WeekGrid
    from todo_tui.tui.screens.changes import ChangesScreen
    from todo_tui.tui.screens.choice_menu import ChoiceMenu
    from todo_tui.tui.screens.consent import ApprovalSettingsScreen, ConsentScreen
    from todo_tui.tui.screens.conversations import ConversationsScreen
    from todo_tui.tui.screens.documents import DocumentsScreen
    from todo_tui.tui.screens.dump import DumpScreen
    from todo_tui.tui.screens.help import HelpScreen
    from todo_tui.tui.screens.inspector import InspectorScreen
    from todo_tui.tui.screens.log_file import LogFileScreen
    from todo_tui.tui.screens.settings import SettingsScreen
    from todo_tui.tui.screens.source import SourceScreen
    from todo_tui.tui.screens.statistics import HeatMapGrid, StatisticsScreen
    from todo_tui.tui.screens.task_editor import ChoiceInput, LinkRow, TaskEditorScreen
    from todo_tui.tui.screens.undo_turn import UndoTurnScreen
    from todo_tui.tui.screens.usage import UsageScreen
    from todo_tui.tui.screens.view_menu import ViewMenu

# Rows of a table are read beside each other.
# fmt: off
CHOICE_INPUT: tuple[Action[ChoiceInput], ...] = (
    KeyAction("editor.choose_next", "Next choice", "right", lambda field: field.action_choose(1)),
    KeyAction("editor.choose_previous", "Previous choice", "left",
        lambda field: field.action_choose(-1)),
)

LINK_ROW: tuple[Action[LinkRow], ...] = (
    Action("editor.open_link", "Open link", "enter,space", lambda row: row.action_open()),
)

TASK_EDITOR: tuple[Action[TaskEditorScreen], ...] = (
    Action("editor.save", "Save task", "ctrl+s,ctrl+enter", lambda screen: screen.action_save()),
    Action("editor.leave", "Close (press again to discard)", "escape",
        lambda screen: screen.action_close()),
    Action("editor.leave_open", "Save, keep subtasks open", "ctrl+l",
        lambda screen: screen.action_leave_open()),
)

MODEL_PICKER: tuple[Action[ModelPicker], ...] = (
    Action("picker.close", "Close", "escape,f2", lambda screen: screen.action_dismiss(None),
        hint="close"),
    KeyAction("picker.down", "Next model", "down", lambda screen: screen.action_move(1)),
    KeyAction("picker.up", "Previous model", "up", lambda screen: screen.action_move(-1)),
    KeyAction("picker.page_down", "Page down", "pagedown", lambda screen: screen.action_page(1)),
    KeyAction("picker.page_up", "Page up", "pageup", lambda screen: screen.action_page(-1)),
    Action("picker.test", "Test model", "ctrl+e", lambda screen: screen.action_test(), hint="test",
        priority=True, worker="model"),
)

CONSENT_SCREEN: tuple[Action[ConsentScreen], ...] = (
    KeyAction("consent.no", "Cancel", "escape", lambda screen: screen.action_dismiss(False),
        hint="cancel"),
    Action("chat.to_card", "Focus approval card", "tab", lambda screen: screen.action_to_choices(),
        hint="answer"),
)

HEAT_MAP: tuple[Action[HeatMapGrid], ...] = (
    Action("statistics.week_back", "Previous week", "left,h", lambda grid: grid.action_move(-7)),
    Action("statistics.week_on", "Next week", "right,l", lambda grid: grid.action_move(7)),
    Action("statistics.day_back", "Previous day", "up,k", lambda grid: grid.action_move(-1)),
    Action("statistics.day_on", "Next day", "down,j", lambda grid: grid.action_move(1)),
    Action("statistics.today", "Go to today", "end,G", lambda grid: grid.action_to_today()),
)


STATISTICS: tuple[Action[StatisticsScreen], ...] = (
    Action("statistics.close", "Close", "escape,f4,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
    Action("statistics.period_1", "Last 30 days", "1", lambda screen: screen.action_choose(0)),
    Action("statistics.period_2", "Last 90 days", "2", lambda screen: screen.action_choose(1)),
    Action("statistics.period_3", "Last year", "3", lambda screen: screen.action_choose(2)),
    Action("statistics.period_4", "All time", "4", lambda screen: screen.action_choose(3)),
    Action("statistics.next", "Next period", "tab", lambda screen: screen.action_next(1)),
    Action("statistics.previous", "Previous period", "shift+tab",
        lambda screen: screen.action_next(-1)),
    KeyAction("statistics.page_down", "Scroll down", "pagedown",
        lambda screen: screen.action_scroll(1)),
    KeyAction("statistics.page_up", "Scroll up", "pageup", lambda screen: screen.action_scroll(-1)),
)

USAGE: tuple[Action[UsageScreen], ...] = (
    Action("usage.close", "Close", "escape,f3,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
    Action("usage.tokens", "Tokens and cost", "1", lambda screen: screen.action_choose(0)),
    Action("usage.turns", "Latency and errors", "2", lambda screen: screen.action_choose(1)),
    Action("usage.tools", "Tool calls by outcome", "3", lambda screen: screen.action_choose(2)),
    Action("usage.next", "Next tab", "tab,right,l", lambda screen: screen.action_next(1)),
    Action("usage.previous", "Previous tab", "shift+tab,left,h",
        lambda screen: screen.action_next(-1)),
)

CHANGES: tuple[Action[ChangesScreen], ...] = (
    Action("changes.close", "Close", "escape,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
    Action("changes.undo", "Undo change", "u", lambda screen: screen.action_undo(),
        hint="undo", worker="writes"),
    Action("changes.actor", "Filter by actor", "a", lambda screen: screen.action_next_actor(),
        hint="who"),
    Action("changes.since", "Filter by time", "t", lambda screen: screen.action_next_period(),
        hint="when"),
)

_HAS_ROWS: Need[DumpScreen] = Need(lambda screen: screen.has_rows)
DUMP: tuple[Action[DumpScreen], ...] = (
    Action("dump.close", "Close", "escape", lambda screen: screen.action_close(), hint="close"),
    Action("dump.add", "Add all tasks", "enter", lambda screen: screen.action_add(),
        hint="add all", needs=(_HAS_ROWS,)),
    Action("dump.edit", "Edit row", "e", lambda screen: screen.action_edit(), hint="edit",
        needs=(_HAS_ROWS,)),
    Action("dump.drop", "Drop row", "d,delete", lambda screen: screen.action_drop(), hint="drop",
        needs=(_HAS_ROWS,)),
    Action("dump.merge", "Merge with row before", "m", lambda screen: screen.action_merge(),
        hint="merge", needs=(_HAS_ROWS,)),
    Action("dump.more", "Add rows", "a", lambda screen: screen.action_more(), hint="add",
        needs=(_HAS_ROWS,)),
)

LOG_FILE: tuple[Action[LogFileScreen], ...] = (
    Action("log.close", "Close", "escape,f8,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
    Action("log.only_errors", "Toggle errors only", "e", lambda screen: screen.action_only_errors(),
        hint="errors"),
    Action("log.copy", "Copy log", "c", lambda screen: screen.action_copy(), hint="copy"),
)

_NOT_RENAMING: Need[ConversationsScreen] = Need(lambda screen: not screen.is_renaming)
CONVERSATIONS: tuple[Action[ConversationsScreen], ...] = (
    Action("conversations.close", "Close", "escape,f5", lambda screen: screen.action_close(),
        hint="close"),
)
CONVERSATION: tuple[Action[ConversationsScreen], ...] = (
    Action("conversations.rename", "Rename conversation", "f2,r",
        lambda screen: screen.action_rename(), hint="rename", needs=(_NOT_RENAMING,)),
    Action("conversations.pin", "Pin/unpin conversation", "f6,p",
        lambda screen: screen.action_pin(), hint="pin", needs=(_NOT_RENAMING,),
        worker="writes"),
    Action("conversations.delete", "Delete conversation", "f8,d,delete",
        lambda screen: screen.action_delete(), hint="delete", needs=(_NOT_RENAMING,),
        worker="writes"),
    Action("conversations.restore", "Restore conversation", "ctrl+z,u",
        lambda screen: screen.action_restore(), hint="undo", worker="writes"),
    Action("conversations.export", "Export conversation", "f7,e",
        lambda screen: screen.action_export(), hint="export", needs=(_NOT_RENAMING,)),
    Action("conversations.search", "Search conversations", "slash",
        lambda screen: screen.action_search()),
)
"""Their letters work in the list of conversations only: in the search box they are text."""

INSPECTOR: tuple[Action[InspectorScreen], ...] = (
    Action("inspector.part", "Show request or response", "tab,left,right",
        lambda screen: screen.action_part(), hint="request/response", priority=True),
    Action("inspector.copy", "Copy request or response", "c,y", lambda screen: screen.action_copy(),
        hint="copy"),
    Action("inspector.before", "Previous model call", "left_square_bracket",
        lambda screen: screen.action_step(-1)),
    Action("inspector.after", "Next model call", "right_square_bracket",
        lambda screen: screen.action_step(1)),
    KeyAction("inspector.up", "Scroll up", "up,k", lambda screen: screen.action_scroll(-1),
        priority=True),
    KeyAction("inspector.down", "Scroll down", "down,j", lambda screen: screen.action_scroll(1),
        priority=True),
    Action("inspector.top", "Go to beginning", "home,g",
        lambda screen: screen.action_jump(end=False), priority=True),
    Action("inspector.bottom", "Go to end", "end,G", lambda screen: screen.action_jump(end=True),
        priority=True),
    Action("inspector.close", "Close", "escape,i,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
)

SOURCE: tuple[Action[SourceScreen], ...] = (
    Action("source.next", "Next citation", "n,tab", lambda screen: screen.action_step(1),
        hint="next", priority=True),
    Action("source.previous", "Previous citation", "p,shift+tab",
        lambda screen: screen.action_step(-1), hint="previous", priority=True),
    Action("source.copy", "Copy passage", "c,y", lambda screen: screen.action_copy(), hint="copy"),
    Action("source.close", "Close", "escape,o,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
)

DOCUMENTS: tuple[Action[DocumentsScreen], ...] = (
    Action("documents.add", "Add document", "a", lambda screen: screen.action_dismiss(True),
        hint="add"),
    Action("documents.remove", "Remove document", "d,delete", lambda screen: screen.action_remove(),
        hint="remove", worker="writes"),
    Action("documents.restore", "Undo (add again)", "u", lambda screen: screen.action_restore(),
        hint="undo"),
    Action("documents.refresh", "Refresh documents", "r",
        lambda screen: screen.action_refresh_documents(), hint="refresh"),
    Action("documents.close", "Close", "escape,q", lambda screen: screen.action_dismiss(False),
        hint="close"),
)

VIEW_MENU: tuple[Action[ViewMenu], ...] = (
    Action("views.close", "Close", "escape", lambda screen: screen.action_close(), hint="close"),
    Action("views.edit", "Edit view", "f2", lambda screen: screen.action_edit(), hint="edit"),
    Action("views.delete", "Delete view", "f8", lambda screen: screen.action_delete(),
        hint="delete", worker="writes"),
    Action("views.restore", "Restore view", "ctrl+z", lambda screen: screen.action_restore(),
        worker="writes"),
    KeyAction("views.down", "Next view", "down", lambda screen: screen.action_move(1)),
    KeyAction("views.up", "Previous view", "up", lambda screen: screen.action_move(-1)),
)

WEEK_GRID: tuple[Action[WeekGrid], ...] = (
    Action("calendar.day_back", "Previous day", "left,h", lambda grid: grid.action_move(-1)),
    Action("calendar.day_on", "Next day", "right,l", lambda grid: grid.action_move(1)),
    Action("calendar.week_back", "Previous week", "up,k", lambda grid: grid.action_move(-7)),
    Action("calendar.week_on", "Next week", "down,j", lambda grid: grid.action_move(7)),
    Action("calendar.month_back", "Previous month", "pageup", lambda grid: grid.action_turn(-1)),
    Action("calendar.month_on", "Next month", "pagedown", lambda grid: grid.action_turn(1)),
    Action("calendar.today", "Go to today", "t", lambda grid: grid.action_to_today()),
    Action("calendar.show", "Show tasks due", "enter", lambda grid: grid.action_choose()),
)

DAY_TASK_LIST: tuple[Action[DayTaskList], ...] = (
    KeyAction("calendar.down", "Next task", "down,j", lambda tasks: tasks.action_cursor_down()),
    KeyAction("calendar.up", "Previous task", "up,k", lambda tasks: tasks.action_cursor_up()),
)

CALENDAR: tuple[Action[CalendarScreen], ...] = (
    Action("calendar.close", "Close", "escape,c,q", lambda screen: screen.action_back(),
        hint="close"),
    Action("calendar.add", "Add task on day", "a", lambda screen: screen.action_add()),
    Action("calendar.tick", "Complete or reopen task", "space", lambda screen: screen.action_tick(),
        words="done finish check"),
    Action("calendar.move", "Move task", "m", lambda screen: screen.action_move()),
    Action("calendar.undo", "Undo", "u", lambda screen: screen.action_undo()),
    Action("calendar.switch", "Switch days/tasks", "tab,shift+tab",
        lambda screen: screen.action_switch()),
)

APPROVAL_SETTINGS: tuple[Action[ApprovalSettingsScreen], ...] = (
    Action("approvals.close", "Close", "escape,p,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
)

SETTINGS_SCREEN: tuple[Action[SettingsScreen], ...] = (
    Action("settings.close", "Close", "escape,f11", lambda screen: screen.action_close(),
        hint="close"),
    Action("settings.reset", "Reset setting to default", "f8",
        lambda screen: screen.action_reset()),
    KeyAction("settings.down", "Next setting", "down", lambda screen: screen.action_move(1)),
    KeyAction("settings.up", "Previous setting", "up", lambda screen: screen.action_move(-1)),
    KeyAction("settings.page_down", "Page down", "pagedown",
        lambda screen: screen.action_page(1)),
    KeyAction("settings.page_up", "Page up", "pageup", lambda screen: screen.action_page(-1)),
)

CHOICE_MENU: tuple[Action[ChoiceMenu], ...] = (
    Action("menu.close", "Close", "escape,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
    KeyAction("menu.down", "Next choice", "j", lambda screen: screen.options.action_cursor_down()),
    KeyAction("menu.up", "Previous choice", "k", lambda screen: screen.options.action_cursor_up()),
)

HELP: tuple[Action[HelpScreen], ...] = (
    Action("help.close", "Close", "escape,f1",
        lambda screen: screen.action_dismiss(None), hint="close"),
)

UNDO_TURN: tuple[Action[UndoTurnScreen], ...] = (
    Action("undo.close", "Cancel", "escape,q", lambda screen: screen.action_dismiss(None),
        hint="cancel"),
)
