"""TOOLS: the tools offered to the model, in order."""

from todo_tui.tools import tasks, undo_redo
from todo_tui.tools.base import Tool

TOOLS: tuple[Tool, ...] = (
    tasks.add_task,
    tasks.list_tasks,
    tasks.update_task,
    tasks.complete_task,
    tasks.reopen_task,
    tasks.delete_task,
    undo_redo.undo,
    undo_redo.redo,
)
