"""Key actions of the task list, on the marked tasks or the one under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from textual.widget import Widget

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Priority, Task
from todo_tui.domain.text import format_count
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.screens.choice_menu import ChoiceMenu, MenuChoice
from todo_tui.tui.screens.view_menu import DeletedView, ViewMenu
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.controller import TaskListController
from todo_tui.tui.task_list.drawers.base import ChangeRequested, SaveViewRequested
from todo_tui.tui.task_list.drawers.controller import Drawers
from todo_tui.tui.task_list.links import open_task_links
from todo_tui.tui.task_list.move_targets import find_parent_above, find_sibling
from todo_tui.tui.task_list.notices import NoticeLine, short_title
from todo_tui.tui.task_list.painter import has_notes
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.targets import Targets
from todo_tui.tui.task_list.views import ALL, ORDERS, View, saved_view
from todo_tui.tui.task_list.widget import TaskList

if TYPE_CHECKING:
    from todo_tui.domain.filters.views import SavedView


@dataclass(eq=False)
class TaskActions:
    """Actions of one task pane: runs the commands on the target tasks, opens what takes more."""

    pane: Widget
    services: AppServices
    view: TaskList
    query: ListQuery
    notice: NoticeLine
    monotonic: Callable[[], float]

    def __post_init__(self) -> None:
        store, writer = self.services.store, self.services.writer
        self._tasks = store.tasks
        self.controller: TaskListController = TaskListController(
            store, writer, self.view, self.query
        )
        self.commands: TaskCommands = TaskCommands(self.services, self.pane, self.notice)
        self.drawers = Drawers(self.pane, self.services, self.view, self.notice)
        self.targets: Targets = Targets(store.tasks, self.view, self.notice, self.monotonic)
        self._cursor_before_filter: int | None = None
        self._deleted_views: list[DeletedView] = []
        """Saved views deleted in the menu, oldest first, which can be restored there."""

    # Changes

    def change(self, request: ChangeRequested) -> None:
        """Apply change words to tasks, and keep them for the repeat key."""

        def put_back(error: TodoError) -> None:
            self.notice.display = False
            self.drawers.change.put_back(request.tasks, request.text, error)

        self.targets.remember(lambda others: self.commands.change(others, request.read(others)))
        self.commands.change(request.tasks, request.read(request.tasks), put_back)

    def tick(self) -> None:
        """Complete or reopen the target tasks; the cursor stays for a second press."""

        def tick(tasks: Sequence[Task]) -> None:
            if self.commands.tick(tasks):
                self.targets.remember(self.commands.complete)

        self.targets.apply(tick)

    def prioritise(self, priority: Priority | None) -> None:
        """Set the priority of the target tasks."""
        self.targets.act(lambda tasks: self.commands.prioritise(tasks, priority))

    def move(self, step: int) -> None:
        """Move the target tasks down (1) or up (-1)."""
        self.targets.act(lambda tasks: self._move(tasks, step))

    def _move(self, tasks: Sequence[Task], step: int) -> None:
        """Move tasks past their sibling on screen that differs by the manual order only."""
        task = tasks[-1] if step > 0 else tasks[0]
        section = self.view.outline.section_of(task.id)
        sibling = None if section is None else find_sibling(self.view, task, step)
        if (
            section is None
            or sibling is None
            or not self._tasks.have_equal_sort_values((task.id, sibling.id), section.sort)
        ):
            hint = "Sorted: press {list.order} and choose Manual to move tasks."
            if self.query.is_sorted_by_filter:
                hint = "Sorted by the filter: remove sort: from it to move tasks."
            self.notice.say(format_hint(self.pane.app, hint))
        elif step > 0:
            self.commands.move(tasks, after=sibling.id)
        else:
            self.commands.move(tasks, before=sibling.id)

    def indent(self, tasks: Sequence[Task]) -> None:
        """Make tasks subtasks of the one above that can have the first of them."""
        above = find_parent_above(self.view, tasks[0])
        if above is None:
            self.notice.say("No task above to indent under.")
        else:
            self.commands.move(tasks, under=above.id)
            self.controller.fold(above.id, folded=False)

    def outdent(self, tasks: Sequence[Task]) -> None:
        """Move subtasks behind their parent."""
        parent_id = tasks[0].parent
        parent = None if parent_id is None else self.view.task_of(parent_id)
        if parent is None:
            self.notice.say("This task is not a subtask.")
            return
        moved = [task for task in tasks if task.parent == parent.id]
        if parent.parent is None:
            self.commands.move(moved, after=parent.id, top=True)
        else:
            self.commands.move(moved, after=parent.id, under=parent.parent)

    # Marks, folds, clipboard

    def mark(self) -> None:
        """Mark the task under the cursor, or unmark it, and move to the next row."""
        cursor = self.view.cursor_task
        if cursor is not None and cursor > 0:
            self.targets.selection.toggle(cursor)
            self.view.action_move(1)
        else:
            self.targets.under_cursor()

    def show_mark_count(self) -> None:
        """Show how many tasks of the list are marked."""
        marked = self.view.marked
        count = len(marked.intersection(self.view.outline.task_ids())) if marked else 0
        clear = format_hint(self.pane.app, "{list.back} clear")
        words = f"{format_count(count, 'task')} selected · {clear}"
        self.notice.keep(words if count else "")

    def fold(self) -> None:
        """Collapse the task under the cursor; move to its parent if it has nothing to collapse."""
        cursor = self.view.cursor_task
        if cursor is not None and not self.controller.fold(cursor, folded=True):
            parent = self.view.outline.parent_at_row(self.view.cursor_row)
            if parent is not None:
                self.view.move_cursor_to(parent)

    def unfold(self) -> None:
        """Expand the task under the cursor."""
        if self.view.cursor_task is not None:
            self.controller.fold(self.view.cursor_task, folded=False)

    def copy(self) -> None:
        """Copy the titles of the target tasks."""
        self.targets.apply(self._copy)

    def _copy(self, tasks: Sequence[Task]) -> None:
        noun = "title" if len(tasks) == 1 else f"{len(tasks)} titles"
        copy_to_clipboard(self.pane.app, "\n".join(task.title for task in tasks), noun)

    def open_links(self) -> None:
        """Open the links of the target tasks."""
        self.targets.apply(lambda tasks: open_task_links(tasks, self.notice))

    # Drawers, panels and screens

    async def add(self) -> None:
        """Open quick add."""
        await self.drawers.load_in_place_of_notice()
        if self.drawers.quick_add.is_open:
            self.drawers.quick_add.box.focus(scroll_visible=False)
        else:
            self.drawers.quick_add.open()

    async def add_subtask(self) -> None:
        """Open quick add, even without a task, as the next keys are meant for it."""
        task = self.view.task_at_cursor
        await self.drawers.load_in_place_of_notice()
        self.drawers.quick_add.open_below(None if task is None or task.deleted_at else task)

    async def rename(self) -> None:
        """Open the input for the title of the task under the cursor."""
        task = self.targets.under_cursor()
        if task is not None:
            await self.drawers.open_rename(task)

    async def open_change(self, *, dates_only: bool) -> None:
        """Open the input for changes of the target tasks."""
        await self.drawers.load()

        def open_for(tasks: Sequence[Task]) -> None:
            self.notice.display = False
            self.drawers.change.open_for(tuple(tasks), dates_only=dates_only)

        self.targets.apply(open_for)

    async def open_filter(self) -> None:
        """Open the filter."""
        await self.drawers.load_in_place_of_notice()
        self._cursor_before_filter = self.view.cursor_task or self._cursor_before_filter
        self.drawers.filter.open(self.query.text)

    def save_view(self) -> None:
        """Ask for the name under which the filter is saved."""
        if self.query.text and self.drawers.is_loaded:
            self.pane.post_message(SaveViewRequested(self.query.text))
        else:
            self.notice.say("Filter the tasks first.")

    def edit(self) -> None:
        """Open the editor of the task under the cursor."""
        task = self.targets.under_cursor()
        if task is not None:
            from todo_tui.tui.screens.task_editor import TaskEditorScreen  # 60 ms

            self.pane.app.push_screen(TaskEditorScreen(self.services, task))

    async def toggle_detail(self) -> None:
        """Show the details of the task under the cursor, or fold the heading there."""
        cursor = self.view.cursor_task
        if cursor is not None and cursor < 0:
            self.controller.toggle_fold(cursor)
            return
        await self.drawers.load()
        if self.drawers.detail.is_open:
            self.drawers.detail.is_open = False
        else:
            self._show_detail()
        self._update_hints()

    def _show_detail(self) -> None:
        clock = self.services.clock
        self.drawers.detail.show(self.view.task_at_cursor, clock.now(), clock.zone)

    def toggle_notes(self) -> None:
        """Show or hide the first line of the target tasks' notes below their rows."""
        self.targets.apply(self._toggle_notes)

    def _toggle_notes(self, tasks: Sequence[Task]) -> None:
        noted = [task.id for task in tasks if has_notes(task)]
        if noted:
            self.view.toggle_notes(noted)
        else:
            hint = "No notes. Press {list.edit} to write some."
            self.notice.say(format_hint(self.pane.app, hint))

    def _update_hints(self) -> None:
        """Name what Esc does, now that something was opened or closed."""
        self.pane.screen.refresh_bindings()

    def follow_cursor(self) -> None:
        """Update the details after the cursor or its task changed."""
        if self.drawers.is_detail_open:
            self._show_detail()

    # Filter and views

    def set_filter(self, text: str) -> None:
        """Set the filter to the longest prefix that parses; the drawer shows the error.

        The cursor goes back to where it was when the filter was opened, if that is shown.
        """
        if text and not self.query.text:
            self._cursor_before_filter = self.view.cursor_task or self._cursor_before_filter
        if text or self.query.text:
            # A word half typed can leave out the task that the whole word finds.
            self.controller.return_to(self._cursor_before_filter)
        self.query.set_filter(text)
        self.controller.reload()

    @property
    def can_go_back(self) -> bool:
        """Return True if there are marks to clear, or details, a filter or a view to leave."""
        return bool(self.back_hint)

    @property
    def back_hint(self) -> str:
        """What `go_back` does next, for a hint; empty if it does nothing."""
        if self.view.marked:
            return "clear selection"
        if self.drawers.is_detail_open:
            return "close details"
        if self.query.text and self.query.view != ALL:
            return "clear filter"
        return "" if self.query.is_plain else "show all"

    def go_back(self) -> None:
        """Clear the marks, else leave the details, the filter or the view."""
        if self.view.marked:
            self.targets.selection.clear()
        elif self.drawers.is_detail_open:
            self.drawers.detail.is_open = False
        elif self.query.text:
            # The filter was kept: the list goes on from the task that was found.
            self._cursor_before_filter = self.view.cursor_task or self._cursor_before_filter
            self.set_filter("")
        else:
            self.controller.show_view(ALL)
        self._update_hints()

    async def open_menu(self) -> None:
        """Open the list of views."""
        # Awaited, so that the next key goes to the menu.
        views = await self.controller.read_views()

        def show(view: View | None) -> None:
            if view is not None:
                self.controller.show_view(view)

        menu = ViewMenu(
            self.services,
            views,
            self.query,
            self._deleted_views,
        )
        self.pane.app.push_screen(menu, show)

    def open_order_menu(self) -> None:
        """Open the menu of orders for this view."""

        def choose(place: int | None) -> None:
            if place is None:
                return
            self.controller.set_order(ORDERS[place])
            if place and self.query.order_in_use is None:
                word = "sort:" if ORDERS[place].sort else "group:"
                self.notice.say(f"The filter's own {word} comes first. Remove {word} from it.")

        choices = [MenuChoice(order.name, order.about) for order in ORDERS]
        title = f"Sort and group {short_title(self.query.view.name)}"
        order = self.query.order_in_use
        if order is None:
            title += f" · the filter has its own {self.query.order_terms}"
        menu = ChoiceMenu(title, choices, None if order is None else ORDERS.index(order))
        self.pane.app.push_screen(menu, choose)

    def open_calendar(self) -> None:
        """Open the calendar, and the filter for a day that is chosen there."""
        from todo_tui.tui.screens.calendar import CalendarScreen  # 60 ms

        def show(day: date | None) -> None:
            if day is not None:
                self.show_filter(f"due:{day.isoformat()}")

        self.pane.app.push_screen(CalendarScreen(self.services), show)

    def show_saved(self, view: SavedView) -> None:
        """Show a saved view in place of the filter that it was saved from."""
        self.controller.show_view(saved_view(view))
        self.set_filter("")

    def show_filter(self, text: str) -> None:
        """Show all tasks, not those of a view, that fit a filter."""
        self.controller.show_view(ALL)
        self.set_filter(text)
