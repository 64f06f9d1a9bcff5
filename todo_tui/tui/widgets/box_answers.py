"""What comes of what is typed in the boxes of the pane."""

from __future__ import annotations

from collections.abc import Callable

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import TaskFields
from todo_tui.tui.widgets.box_messages import (
    AddingLeft,
    AddManyRequested,
    AddRequested,
    BoxMessage,
    ChangeRequested,
    ChangingLeft,
    FilterCleared,
    FilterKept,
    FilterTyped,
    RenameRequested,
    RenamingLeft,
    ViewSaved,
    ViewSavingLeft,
    ViewSavingRequested,
)
from todo_tui.tui.widgets.late_boxes import LateBoxes
from todo_tui.tui.widgets.pane_notice import PaneNotice
from todo_tui.tui.widgets.task_deeds import TaskDeeds
from todo_tui.tui.widgets.task_drawer import TaskDrawer
from todo_tui.tui.widgets.task_hand import TaskHand
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_sentences import short_title
from todo_tui.tui.widgets.title_editing import TitleEditing


class BoxAnswers:
    """Hands what a box asks for to whoever does it, and puts the box away when it is left.

    `filter_by` sets the filter of the list; `views_key` opens the menu of all views.
    """

    def __init__(
        self,
        boxes: LateBoxes,
        view: TaskList,
        notice: PaneNotice,
        hand: TaskHand,
        deeds: TaskDeeds,
        titles: TitleEditing,
        filter_by: Callable[[str], None],
        views_key: str,
    ) -> None:
        self._boxes = boxes
        self._view = view
        self._notice = notice
        self._hand = hand
        self._deeds = deeds
        self._titles = titles
        self._filter_by = filter_by
        self._views_key = views_key

    def take(self, asked: BoxMessage) -> None:
        """Do what a box asks for."""
        match asked:
            case AddRequested() | AddManyRequested() | AddingLeft():
                self._take_from_quick_add(asked)
            case FilterTyped() | FilterKept() | FilterCleared():
                self._take_from_filter(asked)
            case ViewSavingRequested() | ViewSaved() | ViewSavingLeft():
                self._take_from_view(asked)
            case ChangeRequested():
                self._deeds.change(
                    asked.tasks, asked.words, lambda error: self._put_change_back(asked, error)
                )
            case ChangingLeft():
                self._close(self._boxes.opened.change)
            case RenameRequested():
                self._titles.rename(asked.task_id, asked.title)
            case RenamingLeft():
                self._titles.leave()

    def _take_from_quick_add(self, asked: AddRequested | AddManyRequested | AddingLeft) -> None:
        match asked:
            case AddRequested():
                fields = self._deeds.under_parent(asked.fields)
                self._hand.add(fields, lambda error: self._put_back(asked.text, error))
            case AddManyRequested():
                shared = self._deeds.under_parent(TaskFields())
                self._hand.add_many(
                    lambda: [{**fields, **shared} for fields in asked.read()],
                    lambda error: self._put_lines_back(asked.lines, error),
                )
            case AddingLeft():
                self._deeds.parent = None
                self._close(self._boxes.opened.quick_add)

    def _put_back(self, text: str, error: TodoError) -> None:
        """What could not be added is on screen again, whatever the person does now."""
        self._notice.display = False
        self._boxes.opened.quick_add.put_back(text, error)

    def _put_lines_back(self, lines: tuple[str, ...], error: TodoError) -> None:
        self._notice.display = False
        self._boxes.opened.quick_add.put_lines_back(lines, error)

    def _put_change_back(self, asked: ChangeRequested, error: TodoError) -> None:
        self._notice.display = False
        self._boxes.opened.change.put_back(asked.tasks, asked.text, error)

    def _take_from_filter(self, asked: FilterTyped | FilterKept | FilterCleared) -> None:
        match asked:
            case FilterTyped():
                self._filter_by(asked.text)
            case FilterKept():
                self._close(self._boxes.opened.filter)
            case FilterCleared():
                self._close(self._boxes.opened.filter)
                self._filter_by("")

    def _take_from_view(self, asked: ViewSavingRequested | ViewSaved | ViewSavingLeft) -> None:
        boxes = self._boxes.opened
        match asked:
            case ViewSavingRequested():
                self._notice.display = False
                boxes.save_view.open_for(asked.text)
            case ViewSaved():
                self._close(boxes.save_view)
                self._close(boxes.filter)
                name = short_title(asked.view.name)
                self._notice.say(f"Saved as {name}. {self._views_key} lists it.")
            case ViewSavingLeft():
                boxes.save_view.close()
                (boxes.wants_keys or self._view).focus(scroll_visible=False)

    def _close(self, drawer: TaskDrawer) -> None:
        drawer.close()
        self._notice.display = True
        self._view.focus(scroll_visible=False)
