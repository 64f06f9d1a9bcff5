"""TOOLS: the tools offered to the model, in order; some only to users with documents."""

from todo_tui.tools import knowledge, tasks, undo_redo
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
    knowledge.retrieve_knowledge,
    knowledge.validate_query,
    knowledge.assess_answer_quality,
)
