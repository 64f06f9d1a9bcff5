"""The filter that a turn wants the person to see in the list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # For the type alone.
    from todo_tui.domain.events import TurnEvent

_NAME = "shown_filter"


def shown_filter(event: TurnEvent) -> str | None:
    """The text of the filter, where a tool that has answered well asks to show one."""
    # No turn takes place before the first frame.
    from todo_tui.domain.events import StepStatus, ToolFinished

    if not isinstance(event, ToolFinished) or event.step.status is not StepStatus.SUCCESS:
        return None
    if _NAME not in event.step.result:
        return None
    try:
        response = json.loads(event.step.result)
    except ValueError:
        return None
    data = response.get("data") if isinstance(response, dict) else None
    wanted = data.get(_NAME) if isinstance(data, dict) else None
    return wanted.strip() or None if isinstance(wanted, str) else None
