"""Notice of an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from todo_tui.domain.errors import TodoError

if TYPE_CHECKING:
    from textual.app import App


def show_error(app: App[Any], error: TodoError) -> None:
    """Show an error with its hint."""
    app.notify(error.text, title="Error", severity="error")
