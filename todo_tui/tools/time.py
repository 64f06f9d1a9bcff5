"""The tool that tells the time."""

from __future__ import annotations

from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import When
from todo_tui.tools.base import Answer, ToolContext, tool


@tool("Looking at the clock…", reads_only=True)
def current_time(context: ToolContext) -> Answer:
    """The time and date where the user is."""
    now = context.now
    data: dict[str, JsonValue] = {
        "now": When.of(now).iso(),
        "weekday": f"{now:%A}",
        "zone": context.store.clock.zone,
    }
    return Answer(data, f"It is {now:%a} {now.day} {now:%b %Y} {now:%H:%M}")
