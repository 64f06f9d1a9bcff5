"""Notice of an error."""

from typing import Any

from textual.app import App

from todo_tui.domain.errors import TodoError


def show_error(app: App[Any], error: TodoError) -> None:
    """Show an error with its hint."""
    app.notify(error.text, title="Error", severity="error")
