"""TOOLS: the tools offered to the model, in order."""

from __future__ import annotations

from todo_tui.tools.base import Tool
from todo_tui.tools.list_tasks import list_tasks
from todo_tui.tools.tasks import add_task, complete_task, delete_task, reopen_task, update_task
from todo_tui.tools.undo_redo import redo, undo

TOOLS: tuple[Tool, ...] = (
    add_task,
    list_tasks,
    update_task,
    complete_task,
    reopen_task,
    delete_task,
    undo,
    redo,
)
