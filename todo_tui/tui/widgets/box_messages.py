"""What the boxes of the task pane say; light, so that the pane need not load the boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from todo_tui.domain.task import Task, TaskFields

if TYPE_CHECKING:
    # For the type alone: the pane is part of the first frame, and views are not.
    from todo_tui.domain.filter_view import SavedView
    from todo_tui.domain.set_words import SetWords


class BoxMessage(Message):
    """Anything that a box of the pane says."""


class AddRequested(BoxMessage):
    """A task is to be made; `text` is what was typed, for when that fails."""

    def __init__(self, fields: TaskFields, text: str) -> None:
        super().__init__()
        self.fields = fields
        self.text = text


class AddManyRequested(BoxMessage):
    """A task is to be made of each line; `read` makes the tasks of them, off the event loop."""

    def __init__(self, lines: tuple[str, ...], read: Callable[[], Sequence[TaskFields]]) -> None:
        super().__init__()
        self.lines = lines
        self.read = read


class AddingLeft(BoxMessage):
    """Nothing more is to be added."""


class FilterTyped(BoxMessage):
    """The filter's text changed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class FilterKept(BoxMessage):
    """The filter stays on and the list is wanted back."""


class FilterCleared(BoxMessage):
    """No filter is wanted any more."""


class ViewSavingRequested(BoxMessage):
    """A filter is to be saved as a view."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class ViewSaved(BoxMessage):
    """A view was saved: it is new, or has another filter or key."""

    def __init__(self, view: SavedView) -> None:
        super().__init__()
        self.view = view


class ViewSavingLeft(BoxMessage):
    """No view is to be saved."""


class ChangeRequested(BoxMessage):
    """Tasks are to change as a line of words says."""

    def __init__(self, tasks: tuple[Task, ...], words: SetWords, text: str) -> None:
        """Keep what was read and, for putting it back into the box, what was typed."""
        super().__init__()
        self.tasks = tasks
        self.words = words
        self.text = text


class ChangingLeft(BoxMessage):
    """Nothing more is to change."""


class RenameRequested(BoxMessage):
    """A task is to have another title."""

    def __init__(self, task_id: int, title: str) -> None:
        super().__init__()
        self.task_id = task_id
        self.title = title


class RenamingLeft(BoxMessage):
    """The title stays as it is."""
