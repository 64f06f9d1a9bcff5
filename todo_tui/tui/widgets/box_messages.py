"""What the boxes of the task pane say; light, so that the pane need not load the boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from todo_tui.domain.task import Task, TaskFields

if TYPE_CHECKING:
    # For the type alone: the pane is part of the first frame, and views are not.
    from todo_tui.domain.filter_view import SavedView
    from todo_tui.domain.set_words import SetWords


class AddRequested(Message):
    """A task is to be made; `text` is what was typed, for when that fails."""

    def __init__(self, fields: TaskFields, text: str) -> None:
        super().__init__()
        self.fields = fields
        self.text = text


class AddingLeft(Message):
    """Nothing more is to be added."""


class FilterTyped(Message):
    """The filter's text changed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class FilterKept(Message):
    """The filter stays on and the list is wanted back."""


class FilterCleared(Message):
    """No filter is wanted any more."""


class ViewSavingRequested(Message):
    """A filter is to be saved as a view."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class ViewSaved(Message):
    """A view was saved: it is new, or has another filter or key."""

    def __init__(self, view: SavedView) -> None:
        super().__init__()
        self.view = view


class ViewSavingLeft(Message):
    """No view is to be saved."""


class ChangeRequested(Message):
    """Tasks are to change as a line of words says."""

    def __init__(self, tasks: tuple[Task, ...], words: SetWords) -> None:
        super().__init__()
        self.tasks = tasks
        self.words = words


class ChangingLeft(Message):
    """Nothing more is to change."""


class RenameRequested(Message):
    """A task is to have another title."""

    def __init__(self, task_id: int, title: str) -> None:
        super().__init__()
        self.task_id = task_id
        self.title = title


class RenamingLeft(Message):
    """The title stays as it is."""
