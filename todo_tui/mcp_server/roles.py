"""Roles of MCP clients: the tools that each may call, and the arguments."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from todo_tui.domain.errors import Unauthorized
from todo_tui.domain.task import JsonValue
from todo_tui.tools.base import Tool


class AgentRole(StrEnum):
    """Permission of a client."""

    READ = "read"
    ANNOTATE = "annotate"
    """May also add lines to notes."""
    ADD = "add"
    """May also add tasks."""
    ALL = "all"

    def allows(self, tool: Tool) -> bool:
        """Return whether the role may call the tool at all."""
        return tool.reads_only or self is AgentRole.ALL or tool.name in _WRITES[self]

    def refusal(self, tool: Tool, arguments: Mapping[str, JsonValue]) -> Unauthorized | None:
        """Return why a call is not allowed; None if it is."""
        if not self.allows(tool):
            what = tool.name
        elif self in _APPENDING and tool.name == "update_task" and not _only_appends(arguments):
            what = 'update_task with anything but notes that begin with "+ "'
        else:
            return None
        return Unauthorized(
            f"The role {self} does not allow {what}. Nothing was changed.",
            hint="The user sets it with todo-tui mcp --role.",
        )


_WRITES: Mapping[AgentRole, Sequence[str]] = {
    AgentRole.READ: (),
    AgentRole.ANNOTATE: ("update_task",),
    AgentRole.ADD: ("update_task", "add_task"),
}
_APPENDING = (AgentRole.ANNOTATE, AgentRole.ADD)


def _only_appends(arguments: Mapping[str, JsonValue]) -> bool:
    """Return whether a change only adds a line to notes, which loses nothing."""
    names = {name for name, value in arguments.items() if value is not None}
    notes = arguments.get("notes")
    return names <= {"task_ids", "filter", "notes"} and (
        isinstance(notes, str) and notes.startswith("+ ")
    )
