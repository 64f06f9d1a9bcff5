"""Actions of the task list, its inputs, and reminders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from todo_tui.domain.reminders import Snooze
from todo_tui.domain.task import Priority
from todo_tui.tui.actions.action import Action, KeyAction, Need, Slash

if TYPE_CHECKING:
    from todo_tui.tui.reminders import ReminderCard
    from todo_tui.tui.task_list.drawers.filter import FilterDrawer, SaveViewDrawer
    from todo_tui.tui.task_list.drawers.quick_add import QuickAddInput
    from todo_tui.tui.task_list.pane import TaskPane
    from todo_tui.tui.task_list.widget import TaskList
    from todo_tui.tui.widgets.line_input import CompletionInput, LineInput

_NAVIGATION = "Navigation"

# Rows of a table are read beside each other.
# fmt: off
_TASKS: tuple[Action[TaskPane], ...] = (
    Action("list.add", "Add task", "a", lambda pane: pane.actions.add(), hint="add", hint_rank=1,
        words="new task create"),
    Action("list.tick", "Complete or reopen task", "space", lambda pane: pane.actions.tick(),
        hint="complete", hint_rank=2, words="done finish check", acts_on_task=True),
    Action("list.rename", "Rename task", "e", lambda pane: pane.actions.rename(), hint="rename",
        hint_rank=3, acts_on_task=True),
    Action("list.edit", "Edit task", "E", lambda pane: pane.actions.edit(),
        words="change notes blocked by", acts_on_task=True),
    Action("list.delete", "Delete task", "d,delete",
        lambda pane: pane.targets.act_once_per_press(pane.commands.delete), hint="delete",
        hint_rank=7, words="remove trash", acts_on_task=True),
    Action("list.undo", "Undo", "u", lambda pane: pane.commands.undo(), hint="undo", hint_rank=6),
    Action("list.redo", "Redo", "U", lambda pane: pane.commands.undo(redo=True),
        slash=Slash("redo")),
    Action("list.high", "Set high priority", "1",
        lambda pane: pane.actions.prioritise(Priority.HIGH), acts_on_task=True),
    Action("list.medium", "Set medium priority", "2",
        lambda pane: pane.actions.prioritise(Priority.MEDIUM), acts_on_task=True),
    Action("list.low", "Set low priority", "3", lambda pane: pane.actions.prioritise(Priority.LOW),
        acts_on_task=True),
    Action("list.no_priority", "Clear priority", "0", lambda pane: pane.actions.prioritise(None),
        acts_on_task=True),
    Action("list.detail", "Show details", "enter,v", lambda pane: pane.actions.toggle_detail(),
        acts_on_task=True),
    Action("list.notes", "Show/hide notes", "n", lambda pane: pane.actions.toggle_notes(),
        words="annotations line", acts_on_task=True),
    Action("list.begin", "Start/stop task", "b", lambda pane: pane.targets.act(pane.commands.begin),
        acts_on_task=True),
    Action("list.cancel", "Cancel task", "minus",
        lambda pane: pane.targets.act_once_per_press(pane.commands.cancel), acts_on_task=True),
    Action("list.change", "Edit fields (e.g. friday #home !high)", "s",
        lambda pane: pane.actions.open_change(dates_only=False),
        words="edit tags project repeat recurring", acts_on_task=True),
    Action("list.date", "Set due date", "t", lambda pane: pane.actions.open_change(dates_only=True),
        words="edit schedule", acts_on_task=True),
    Action("list.repeat", "Repeat last change", "full_stop", lambda pane: pane.targets.repeat()),
)
_SELECTION: tuple[Action[TaskPane], ...] = (
    Action("list.mark", "Select/deselect task", "x", lambda pane: pane.actions.mark(),
        hint="select", hint_rank=9, words="mark", acts_on_task=True),
    Action("list.mark_all", "Select all/none", "X",
        lambda pane: pane.targets.selection.toggle_all()),
    Action("list.mark_down", "Extend selection down", "shift+down",
        lambda pane: pane.targets.selection.extend_by(1)),
    Action("list.mark_up", "Extend selection up", "shift+up",
        lambda pane: pane.targets.selection.extend_by(-1)),
    Action("list.copy", "Copy task titles", "C", lambda pane: pane.actions.copy(),
        words="clipboard", acts_on_task=True),
)
_ORDER: tuple[Action[TaskPane], ...] = (
    Action("list.add_subtask", "Add subtask", "A", lambda pane: pane.actions.add_subtask(),
        acts_on_task=True),
    Action("list.move_down", "Move task down", "J,alt+down", lambda pane: pane.actions.move(1),
        acts_on_task=True),
    Action("list.move_up", "Move task up", "K,alt+up", lambda pane: pane.actions.move(-1),
        acts_on_task=True),
    Action("list.indent", "Indent (make subtask)", "greater_than_sign,alt+right",
        lambda pane: pane.targets.act(pane.actions.indent), acts_on_task=True),
    Action("list.outdent", "Outdent", "less_than_sign,alt+left",
        lambda pane: pane.targets.act(pane.actions.outdent), acts_on_task=True),
    Action("list.fold", "Collapse", "h,left", lambda pane: pane.actions.fold()),
    Action("list.unfold", "Expand", "l,right", lambda pane: pane.actions.unfold()),
    Action("list.fold_all", "Collapse all", "H",
        lambda pane: pane.actions.controller.fold_all(folded=True)),
    Action("list.unfold_all", "Expand all", "L",
        lambda pane: pane.actions.controller.fold_all(folded=False)),
)
_VIEWS: tuple[Action[TaskPane], ...] = (
    Action("list.filter", "Filter tasks", "slash", lambda pane: pane.actions.open_filter(),
        hint="filter", hint_rank=4, words="search find"),
    Action("list.save_view", "Save filter as view", "ctrl+s",
        lambda pane: pane.actions.save_view()),
    Action("list.back", "Back (clear selection, details, filter)", "escape",
        lambda pane: pane.actions.go_back(),
        needs=(Need(lambda pane: pane.actions.can_go_back, "Nothing to clear."),)),
    Action("list.view_before", "Previous view", "left_square_bracket",
        lambda pane: pane.actions.controller.step_view(-1)),
    Action("list.view_after", "Next view", "right_square_bracket",
        lambda pane: pane.actions.controller.step_view(1)),
    Action("list.views", "Switch view", "w", lambda pane: pane.actions.open_menu(), hint="views",
        hint_rank=5, words="show projects"),
    Action("list.order", "Sort and group", "O", lambda pane: pane.actions.open_order_menu(),
        words="order arrange"),
    Action("list.calendar", "Open calendar", "c", lambda pane: pane.actions.open_calendar(),
        hint="calendar", hint_rank=8, words="month week days dates", slash=Slash("calendar")),
    Action("list.why", "Explain urgency", "i", lambda pane: pane.actions.toggle_detail(),
        acts_on_task=True),
)
_TRASH: tuple[Action[TaskPane], ...] = (
    Action("list.skip", "Skip occurrence", "S",
        lambda pane: pane.targets.act_once_per_press(pane.commands.skip), acts_on_task=True),
    Action("list.end_series", "End recurrence", "Q",
        lambda pane: pane.targets.apply(pane.commands.end_series), acts_on_task=True),
    Action("list.open_links", "Open link", "o", lambda pane: pane.actions.open_links(),
        acts_on_task=True),
    Action("list.restore", "Restore task", "R",
        lambda pane: pane.targets.apply(pane.commands.restore), words="undelete trash",
        acts_on_task=True, applies=lambda pane: pane.is_in_trash),
    Action("list.purge", "Delete permanently", "P",
        lambda pane: pane.targets.apply(pane.commands.purge), words="purge empty trash",
        hint_rank=2, acts_on_task=True, applies=lambda pane: pane.is_in_trash),
)
_SECTIONS = {
    "Tasks": _TASKS,
    "Selection": _SELECTION,
    "Subtasks and order": _ORDER,
    "Views and filters": _VIEWS,
    "Recurrence, links, trash": _TRASH,
}
TASK_PANE: tuple[Action[TaskPane], ...] = tuple(
    replace(row, section=section) for section, rows in _SECTIONS.items() for row in rows
)

TASK_LIST: tuple[Action[TaskList], ...] = (
    KeyAction("list.down", "Next task", "down,j", lambda tasks: tasks.action_move(1),
        section=_NAVIGATION),
    KeyAction("list.up", "Previous task", "up,k", lambda tasks: tasks.action_move(-1),
        section=_NAVIGATION),
    KeyAction("list.page_down", "Page down", "pagedown", lambda tasks: tasks.action_page(1),
        section=_NAVIGATION),
    KeyAction("list.page_up", "Page up", "pageup", lambda tasks: tasks.action_page(-1),
        section=_NAVIGATION),
    Action("list.first", "Go to first task", "home,g", lambda tasks: tasks.action_first(),
        section=_NAVIGATION),
    Action("list.last", "Go to last task", "end,G", lambda tasks: tasks.action_last(),
        section=_NAVIGATION),
)

LINE_INPUT: tuple[Action[LineInput], ...] = (
    Action("box.leave", "Close input", "escape", lambda box: box.action_leave()),
)

_HAS_CANDIDATES: Need[CompletionInput] = Need(lambda box: box.has_candidates)
COMPLETION_INPUT: tuple[Action[CompletionInput], ...] = (
    KeyAction("box.complete", "Complete word", "tab", lambda box: box.action_complete(),
        needs=(_HAS_CANDIDATES,)),
    KeyAction("box.next_candidate", "Next completion", "down", lambda box: box.action_choose(1),
        needs=(_HAS_CANDIDATES,)),
    KeyAction("box.previous_candidate", "Previous completion", "up",
        lambda box: box.action_choose(-1), needs=(_HAS_CANDIDATES,)),
)

QUICK_ADD_INPUT: tuple[Action[QuickAddInput], ...] = (
    Action("box.words_only", "Treat as plain text", "ctrl+l", lambda box: box.action_words_only()),
)

FILTER_DRAWER: tuple[Action[FilterDrawer], ...] = (
    Action("box.save_view", "Save filter as view", "ctrl+s", lambda drawer: drawer.action_save()),
)

SAVE_VIEW_DRAWER: tuple[Action[SaveViewDrawer], ...] = (
    KeyAction("box.next_field", "Next field", "tab", lambda drawer: drawer.action_next_field()),
)

REMINDER_CARD: tuple[Action[ReminderCard], ...] = (
    Action("reminder.ten_minutes", "Snooze 10 minutes", "z,Z,1",
        lambda card: card.action_snooze(Snooze.TEN_MINUTES), hint="10 min"),
    Action("reminder.hour", "Snooze 1 hour", "2", lambda card: card.action_snooze(Snooze.HOUR),
        hint="1 h"),
    Action("reminder.tomorrow", "Snooze until tomorrow", "3",
        lambda card: card.action_snooze(Snooze.TOMORROW), hint="tomorrow"),
    Action("reminder.done", "Complete task", "d", lambda card: card.action_done(), hint="done",
        acts_on_task=True),
    Action("reminder.show", "Go to task", "enter", lambda card: card.action_show(), hint="open",
        acts_on_task=True),
    Action("reminder.dismiss", "Dismiss", "escape,q", lambda card: card.action_dismiss(),
        hint="dismiss"),
)
