"""Task pane: header, list, drawers and notices; its key actions and message handlers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.task import Actor, Priority, Task
from todo_tui.tui import deferred
from todo_tui.tui.actions import HINTED_KEYS, TASK_PANE_BINDINGS, KeyNames, TaskAction, ViewAction
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.actions import TaskActions
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.controller import TaskListController, TimeChangeDetector
from todo_tui.tui.task_list.drawers.base import DrawerMessage, SaveViewRequested
from todo_tui.tui.task_list.drawers.controller import DrawerController, LazyDrawers
from todo_tui.tui.task_list.header import HeaderState, TaskHeader
from todo_tui.tui.task_list.notices import NoticeLine, short_title
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.views.controller import ViewController
from todo_tui.tui.views.view import ALL

_TYPING_SECONDS = 0.03


class TaskPane(Vertical):
    """The list with its header, drawers and notices.

    Keys call store methods, one undo batch each; results come back through `show_changes`, like
    changes of any other actor.
    """

    BINDING_GROUP_TITLE = "Tasks"
    BINDINGS: ClassVar[list[BindingType]] = [*TASK_PANE_BINDINGS]

    def __init__(
        self,
        services: AppServices,
        *,
        id: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id)
        self._services = services
        self._key_names = KeyNames(services.keymap)
        self._clock = services.clock
        self._monotonic = monotonic
        self._query = ListQuery(services.store, services.clock, services.style)
        self._header = TaskHeader()
        self._list = TaskList(services.store, id="task-list")
        self._controller = TaskListController(
            self._list, self._query, self._show_header, self._changes_shown
        )
        self._notice = NoticeLine(self._key_words(HINTED_KEYS))
        self._drawers = LazyDrawers(self, services, self._notice)
        self._views = ViewController(
            self,
            services,
            self._query,
            self._list,
            self._controller,
            self._set_filter,
            self._notice,
        )
        self._commands = TaskCommands(services.store, self, self._notice, self._key_names)
        self._actions = TaskActions(
            services,
            self._list,
            self._commands,
            self._notice,
            self._controller,
            self._drawers.load,
            monotonic,
        )
        self._drawer_controller = DrawerController(
            self,
            self._drawers,
            self._list,
            self._notice,
            self._commands,
            self._actions,
            self._set_filter,
            self._key_names.first("list.views"),
        )

    def compose(self) -> ComposeResult:
        """Yield header, list and notice line; the drawers follow after the first frame."""
        yield self._header
        yield self._list
        yield self._notice

    def on_mount(self) -> None:
        """Load the tasks for the first frame, then follow the clock."""
        memento = self._views.memento
        if memento:
            self.run_worker(LazyCoroutine(self._views.restore, memento), group="task-view")
        else:
            self._controller.load()
        self.watch(self._list, "scroll_y", self._drawer_controller.place_rename_input, init=False)
        if self._clock.fixed is None:
            counts = self._services.store.tasks.counts
            self._controller.follow_clock(TimeChangeDetector(counts, self._monotonic))

    @property
    def selected_tasks(self) -> tuple[tuple[int, str], ...]:
        """Return id and title of the task under the cursor, if any."""
        task = self._list.task_at_cursor
        return () if task is None else ((task.id, task.title),)

    def on_descendant_focus(self) -> None:
        """Create the drawers ahead of the first key that needs one."""
        self._drawers.prepare()

    def focus_list(self) -> None:
        """Focus the list, or the drawer that is open."""
        (self._drawers.wants_keys or self._list).focus(scroll_visible=False)

    async def show_filter(self, text: str) -> None:
        """Apply a filter from elsewhere and show it in its drawer, without moving the focus."""
        (await self._drawers.load()).filter.open(text, focus=False)
        self._notice.display = False
        # The filter refers to all tasks, not to those of a view.
        await self._views.show(ALL)
        self._set_filter(text)

    async def go_to_task(self, task_id: int) -> None:
        """Move the cursor to a task, by a filter for its id if the list does not show it."""
        if self._list.outline.row_of(task_id) is None:
            await self.show_filter(f"id:{task_id} all")
        self._list.move_cursor_to(task_id)

    def show_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Update the list, mark changed tasks and scroll to them.

        While the user works in the list, only their own changes scroll it.
        """
        is_own = all(change.context.actor is Actor.USER for change in changes)
        self._controller.apply_changes(changes, follow=is_own or not self._list.has_focus)
        self._actions.unmark_finished(changes)
        self._follow_task()

    def _changes_shown(self, changes: Sequence[TaskChange]) -> None:
        """Move the cursor where a change of the user's asks for it."""
        self._move_cursor_to_one_of(self._commands.cursor_targets(changes))
        self._drawer_controller.place_rename_input()
        self._follow_task()

    def reload(self, *, pause: float = 0.0) -> None:
        """Reload the list after another process wrote; cursor and scroll position stay.

        Of several calls within `pause` seconds only the last one reads.
        """
        self._controller.reload(pause=pause)

    async def action_add(self) -> None:
        """Open quick add, or focus it if it is open."""
        quick_add = (await self._drawers.load()).quick_add
        self._notice.display = False
        if quick_add.is_open:
            self.focus_list()
        else:
            quick_add.open()

    def action_tick(self) -> None:
        """Complete the task and move on, reopen it, or take it out of the trash."""
        completed = self._actions.tick()
        if completed is not None and not self._actions.selection.has_marks:
            self._move_cursor_to_next_open(completed.id)

    async def action_task(self, name: str) -> None:
        """Run a task action by its name."""
        await self._actions.do(TaskAction(name))

    def action_edit(self) -> None:
        """Open the editor for the task under the cursor."""
        task = self._actions.task_under_cursor()
        if task is not None:
            self.app.push_screen(deferred.TaskEditorScreen(self._services, task))

    async def action_rename(self) -> None:
        """Edit the title of the task under the cursor in place."""
        task = self._actions.task_under_cursor()
        if task is not None:
            await self._drawer_controller.open_rename(task)

    def action_delete(self) -> None:
        """Move tasks to the trash, once per key press."""
        self._actions.delete()

    def action_save_view(self) -> None:
        """Save the current filter as a view."""
        if self._query.text and self._drawers.current is not None:
            self.post_message(SaveViewRequested(self._query.text))

    async def action_filter(self) -> None:
        """Open the filter drawer with the current filter."""
        (await self._drawers.load()).filter.open(self._query.text)
        self._notice.display = False

    def action_undo(self) -> None:
        """Undo the last change, by whatever actor."""
        self._commands.undo()

    def action_redo(self) -> None:
        """Redo the last undone change."""
        self._commands.redo()

    def action_priority(self, name: str) -> None:
        """Set the priority; an empty name clears it."""
        self._actions.prioritise(Priority(name) if name else None)

    async def action_detail(self) -> None:
        """Toggle the detail panel, or the fold of a project row."""
        if not self._controller.toggle_project():
            detail = (await self._drawers.load()).detail
            if detail.is_open:
                detail.close()
            else:
                self._show_detail()

    def action_back(self) -> None:
        """Clear the selection, else close the panel, else clear the filter, else leave the view."""
        if self._actions.selection.clear():
            return
        if self._is_detail_open:
            self._drawers.loaded.detail.close()
        elif self._query.text:
            self._set_filter("")
        else:
            self.run_worker(LazyCoroutine(self._views.go_back), group="task-view")

    def action_view(self, action: str) -> None:
        """Switch to another view, open the calendar or explain the urgency."""
        task = self._list.task_at_cursor
        self.run_worker(
            LazyCoroutine(self._views.perform, ViewAction(action), task), group="task-view"
        )

    @on(TaskHeader.ViewClicked)
    def _go_to_clicked(self, event: TaskHeader.ViewClicked) -> None:
        event.stop()
        self.action_view(event.action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable Esc only while there is something to go back from."""
        if action == "back":
            return (
                self._actions.selection.has_marks
                or self._is_detail_open
                or bool(self._query.text)
                or self._views.is_elsewhere
            )
        return super().check_action(action, parameters)

    @on(TaskList.CursorMoved)
    def _follow_cursor(self, event: TaskList.CursorMoved) -> None:
        event.stop()
        self._follow_task()

    @on(TaskList.CircleClicked)
    def _tick_clicked(self, event: TaskList.CircleClicked) -> None:
        event.stop()
        task = self._list.task_of(event.task_id)
        if task is not None:
            self._commands.tick(task)

    @on(TaskList.MarkClicked)
    def _mark_clicked(self, event: TaskList.MarkClicked) -> None:
        event.stop()
        self._actions.selection.clicked(event.task_id, event.before, reaches=event.reaches)

    @on(TaskList.FoldClicked)
    def _fold_clicked(self, event: TaskList.FoldClicked) -> None:
        event.stop()
        self._controller.toggle_fold(event.task_id)

    @on(NoticeLine.QuestionShown)
    def _show_what_is_asked_about(self, event: NoticeLine.QuestionShown) -> None:
        event.stop()
        self._list.focus(scroll_visible=False)
        if event.question.about is not None:
            self._list.move_cursor_to(event.question.about)

    def on_key(self, event: events.Key) -> None:
        """Answer the open question; any other key cancels it."""
        question = self._notice.question
        if question is None or not self._list.has_focus:
            return
        answer = question.answer_to(event.character or event.key)
        if answer is not None or event.key == "escape":
            event.stop()
            event.prevent_default()
        self._notice.withdraw()
        if answer is not None:
            answer.act()

    @on(TaskList.ReadFailed)
    def _show_read_error(self, event: TaskList.ReadFailed) -> None:
        event.stop()
        self._notice.say_error(event.error)

    @on(DrawerMessage)
    def _handle_drawer_message(self, event: DrawerMessage) -> None:
        event.stop()
        self._drawer_controller.handle(event)

    def _follow_task(self) -> None:
        """Update the panels after the cursor or its task changed."""
        if self._is_detail_open:
            self._show_detail()
        self._views.follow(self._list.task_at_cursor)

    @property
    def _is_detail_open(self) -> bool:
        return self._drawers.current is not None and self._drawers.current.detail.is_open

    def _show_detail(self) -> None:
        detail = self._drawers.loaded.detail
        detail.show(self._list.task_at_cursor, self._clock.now(), self._clock.zone)

    def _move_cursor_to_next_open(self, task_id: int) -> None:
        row = self._list.outline.row_of(task_id)
        following = None if row is None else self._list.outline.task_at_row(row + 1)
        section = None if following is None else self._list.outline.section_of(following)
        if following is not None and section is not None and not section.is_closed:
            self._list.move_cursor_to(following)

    def _move_cursor_to_one_of(self, tasks: Sequence[Task]) -> None:
        """Move the cursor to the topmost of these tasks, or tell that none is shown."""
        rows = {task.id: self._list.outline.row_of(task.id) for task in tasks}
        shown = {task_id: row for task_id, row in rows.items() if row is not None}
        cursor = self._list.cursor_task
        drawers = self._drawers.current
        if cursor is not None and cursor in shown:
            self._list.move_cursor_to(cursor)
        elif shown:
            self._list.move_cursor_to(min(shown, key=lambda task_id: shown[task_id]))
        elif tasks and drawers is not None and drawers.quick_add.is_open:
            title = short_title(tasks[0].title)
            drawers.quick_add.say(f"Added {title}. This list does not show it.")

    def _set_filter(self, text: str) -> None:
        """Set the filter to the longest prefix that parses; the drawer shows the error."""
        self._query.filter.put(text)
        self.reload(pause=_TYPING_SECONDS)

    def _keys(self) -> tuple[tuple[str, str], ...]:
        is_narrowed = self._query.text or self._views.is_elsewhere
        back = (("list.back", "show all"),) if is_narrowed else ()
        return self._key_words((*back, *HINTED_KEYS))

    def _key_words(self, keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((self._key_names.first(name), word) for name, word in keys)

    def _show_header(self, state: HeaderState) -> None:
        self._header.header_state = state
        self._notice.show_keys(self._keys())
        self._actions.selection.report_count()
        if self._drawers.current is not None:
            found = None if state.is_loading else self._controller.task_count
            self._drawers.current.filter.show_meaning(self._query.filter.meaning, found)
