"""The commands of `todo-tui`, as plain rows: help needs none of their modules."""

from __future__ import annotations

from typing import NamedTuple


class CommandRow(NamedTuple):
    """One command: a click command under the name `attribute` in `module`."""

    name: str
    module: str
    attribute: str
    summary: str
    """The line in `todo-tui --help`; the command's own help begins with it."""


COMMANDS = (
    CommandRow("ask", "asking", "ask", "Say what to do, and read the answer."),
    CommandRow("add", "adding", "add", "Add a task in one line, without a model."),
    CommandRow("list", "listing", "list_tasks", "List tasks; without words, the open ones."),
    CommandRow("view", "views", "view", "List the tasks of a saved view."),
    CommandRow("views", "views", "views", "Keep filters under names."),
    CommandRow("show", "listing", "show", "Show everything about a task."),
    CommandRow("done", "changing", "done", "Tick tasks off."),
    CommandRow("reopen", "changing", "reopen", "Open tasks again."),
    CommandRow("skip", "repeating", "skip", "Let repeating tasks go on to their next date."),
    CommandRow("end", "repeating", "end", "Let repeating tasks come no more."),
    CommandRow("edit", "editing", "edit", "Change what is written about a task."),
    CommandRow("annotate", "annotating", "annotate", "Add a dated remark to a task."),
    CommandRow("move", "moving", "move", "Move tasks, with all that is below them."),
    CommandRow("delete", "trashing", "delete", "Put tasks into the trash."),
    CommandRow("restore", "trashing", "restore", "Take tasks out of the trash."),
    CommandRow("purge", "trashing", "purge", "Erase tasks of the trash for good."),
    CommandRow("log", "history", "log", "Show what happened to a task."),
    CommandRow("undo", "undoing", "undo", "Take back the last change."),
    CommandRow("redo", "undoing", "redo", "Do again what was taken back."),
    CommandRow("stats", "stats", "stats", "Show what was done, day by day, and how it went."),
    CommandRow("import", "transfer", "import_tasks", "Read tasks from a file."),
    CommandRow(
        "export", "transfer", "export_tasks", "Write tasks to a file, a folder, or the output."
    ),
    CommandRow("providers", "providers", "providers", "Show which models can be talked to."),
    CommandRow("usage", "usage", "usage", "Show what models were used for, and its cost."),
    CommandRow("keys", "keys", "keys", "Keep the keys of providers."),
    CommandRow("config", "configuring", "config", "Show, edit and check the configuration."),
    CommandRow("doctor", "doctor", "doctor", "Say what is wrong here, and the cure."),
)
"""In the order of the help; modules lie under `todo_tui.cli`."""
