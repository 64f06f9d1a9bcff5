"""What is said below a turn that did not finish."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.conversation import TurnStatus
from todo_tui.domain.events import TurnError
from todo_tui.tui.widgets.trouble import Trouble

_WORDS = {
    TurnStatus.CANCELLED: "■ Stopped. What was said and done is kept.",
    TurnStatus.INTERRUPTED: "■ The app ended before this turn did. What was done is kept.",
    TurnStatus.RUNNING: "… Still running in another window.",
}


def ending(status: TurnStatus, error: TurnError | None, keys: tuple[str, ...]) -> list[Widget]:
    """Nothing where it finished; `keys` say what helps where it failed."""
    if status is TurnStatus.FINISHED:
        return []
    if status is TurnStatus.FAILED:
        return [Trouble(error or TurnError("internal", "The turn could not go on."), keys=keys)]
    words = Content.styled(_WORDS[status], "$text-warning")
    return [Static(words, classes="ending", markup=False)]
