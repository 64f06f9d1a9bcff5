"""TOOLS: what the model can do, in the order in which it sees them."""

from __future__ import annotations

from todo_tui.tools.adding import add_task
from todo_tui.tools.base import Tool
from todo_tui.tools.closing import complete_task, delete_task, reopen_task
from todo_tui.tools.listing import list_tasks
from todo_tui.tools.time import current_time
from todo_tui.tools.undoing import redo, undo
from todo_tui.tools.updating import update_task

TOOLS: tuple[Tool, ...] = (
    add_task,
    list_tasks,
    update_task,
    complete_task,
    reopen_task,
    delete_task,
    undo,
    redo,
    current_time,
)
