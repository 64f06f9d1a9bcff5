"""Task pane: header, list, details, notices and drawers; routes their messages."""

import time
from collections.abc import Callable

from textual import events, on
from textual.containers import Vertical
from textual.geometry import Region

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor
from todo_tui.domain.text import format_count
from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.hints import app_key_names, format_hint
from todo_tui.tui.actions.task_list import TASK_PANE
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.actions import TaskActions
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.controller import TaskListController
from todo_tui.tui.task_list.drawers.base import (
    AddRequested,
    ChangeRequested,
    DrawerClosed,
    DrawerMessage,
    FilterChanged,
    RenameRequested,
    SaveViewRequested,
    ViewSaved,
)
from todo_tui.tui.task_list.header import TaskHeader
from todo_tui.tui.task_list.notices import NoticeLine, short_title
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.targets import Targets, TaskSelection
from todo_tui.tui.task_list.views import ViewKind
from todo_tui.tui.task_list.widget import ClickAction, TaskList

_WORDS_IN_VIEWS = {
    ViewKind.DONE: {"list.tick": "reopen"},
    ViewKind.TRASH: {
        "list.add": "",
        "list.tick": "restore",
        "list.rename": "",
        "list.delete": "",
        "list.purge": "delete permanently",
    },
}
"""What actions do to the tasks of a view, in place of their hints; empty: nothing."""
_HINTED = tuple(
    row
    for row in sorted(TASK_PANE, key=lambda row: row.hint_rank)
    if row.hint or any(row.id in words for words in _WORDS_IN_VIEWS.values())
)
"""Actions that the line below the list names, in some view at least."""
_IDLE_IN_EMPTY_LIST = {"list.filter": "", "list.undo": ""}
"""Actions that are not named below a list without tasks and filter; undo works after a deletion,
whose notice names it."""
_FEWEST_LINES = 6
"""Lines that the list keeps beside a reminder."""
_RELOAD_SECONDS = 60.0


class TaskPane(ActionHost, Vertical):
    """The list with its header, details, drawers and notices."""

    ACTIONS = TASK_PANE
    BINDINGS = bindings(TASK_PANE, is_hinted=False)  # the line of hints names them

    def __init__(
        self,
        services: AppServices,
        *,
        id: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._query = ListQuery(services.store, services.clock, services.style)
        self._header = TaskHeader()
        self._list = TaskList(services.store, id="task-list")
        self._notice = NoticeLine(())
        self._last_key = ""
        # The drawers follow after the first frame.
        super().__init__(self._header, self._list, self._notice, id=id)
        self.actions: TaskActions = TaskActions(
            self,
            services,
            self._list,
            self._query,
            self._notice,
            monotonic,
        )
        self._controller = self.actions.controller
        self._drawers = self.actions.drawers
        self.commands: TaskCommands = self.actions.commands
        self.targets: Targets = self.actions.targets

    def on_mount(self) -> None:
        """Load the tasks for the first frame, then each minute: they become overdue, or start."""
        self._controller.start()
        self._show_key_hints()
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._show_key_hints())
        self.watch(self._list, "scroll_y", self._drawers.place_rename_input, init=False)
        if self.actions.services.clock.fixed is None:
            self.set_interval(_RELOAD_SECONDS, self._controller.reload)

    @property
    def selected_tasks(self) -> tuple[tuple[int, str], ...]:
        """Return id and title of the task under the cursor, if any."""
        task = self._list.task_at_cursor
        return () if task is None else ((task.id, task.title),)

    @property
    def target_label(self) -> str:
        """Title of the task that actions apply to, or the number of selected ones; maybe empty."""
        if marked := self.targets.selection.ids():
            return f"{format_count(len(marked), 'task')} selected"
        return next((short_title(title) for _, title in self.selected_tasks), "")

    @property
    def is_in_trash(self) -> bool:
        """True if the task under the cursor is deleted."""
        task = self._list.task_at_cursor
        return task is not None and task.deleted_at is not None

    @property
    def list_region(self) -> Region:
        """Where the list is on the screen; empty if it is not shown."""
        return self._list.region

    @property
    def has_room(self) -> bool:
        """True if lines below the list are free."""
        return self._list.styles.margin.bottom > 0

    def make_room(self, lines: int) -> None:
        """Leave so many lines free below the list, if enough of it stays."""
        region = self._list.region
        is_high = region.height + self._list.styles.margin.bottom - lines >= _FEWEST_LINES
        lines = lines if region and is_high else 0
        if self._list.styles.margin.bottom != lines:
            self._list.styles.margin = (0, 0, lines, 0)

    def on_descendant_focus(self) -> None:
        """Create the drawers ahead of the first key that needs one; name the keys that work."""
        self._drawers.prepare()
        self._controller.show_message()

    def on_descendant_blur(self) -> None:
        """Name the keys that work from elsewhere."""
        self._controller.show_message()

    def focus_list(self) -> None:
        """Focus the list, with its cursor in view, or the drawer in which something is typed."""
        self._list.show_cursor()
        self._drawers.focus()

    async def show_filter(self, text: str) -> None:
        """Apply a filter from elsewhere and show it in its drawer, without moving the focus."""
        await self._drawers.load_in_place_of_notice()
        self._drawers.filter.open(text, focus=False)
        self.actions.show_filter(text)

    async def go_to_task(self, task_id: int) -> None:
        """Move the cursor to a task, by a filter for its id if the list does not show it."""
        if self._list.outline.row_of(task_id) is None:
            await self.show_filter(f"id:{task_id} all")
        self._list.move_cursor_to(task_id)

    def show_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Update the list, mark changed tasks and scroll to them.

        While the user works in the list, only their own changes scroll it.
        """
        if not self.commands.wrote(changes):
            self._notice.dismiss_message()  # its undo would be of this change
        is_own = all(change.context.actor is Actor.USER for change in changes)
        self._controller.apply_changes(changes, follow=is_own or not self._list.has_focus)
        self.targets.selection.unmark_finished(changes)
        if is_own and self._drawers.is_loaded:
            # Keys typed faster than a deletion is shown open the title of the row that goes.
            for change in changes:
                if change.kind is ChangeKind.DELETED:
                    self._drawers.close_rename(change.task.id)
        self.actions.follow_cursor()

    @on(TaskListController.ChangesShown)
    def _follow_changes(self, event: TaskListController.ChangesShown) -> None:
        """Move the cursor to the topmost task that the user changed, or tell that none is shown."""
        event.stop()
        tasks = self.commands.cursor_targets(event.changes)
        rows = {task.id: self._list.outline.row_of(task.id) for task in tasks}
        shown = {task_id: row for task_id, row in rows.items() if row is not None}
        cursor = self._list.cursor_task
        if shown:
            topmost = min(shown, key=lambda task_id: shown[task_id])
            self._list.move_cursor_to(cursor if cursor in shown else topmost)
        elif tasks and self._drawers.is_loaded and self._drawers.quick_add.is_open:
            self._drawers.quick_add.say_hidden(tasks[0])
        self._drawers.place_rename_input()
        self.actions.follow_cursor()

    def reload(self) -> None:
        """Reload the list after another process wrote; cursor and scroll position stay."""
        self._controller.reload()

    @on(TaskList.CursorMoved)
    def _follow_cursor(self, event: TaskList.CursorMoved) -> None:
        event.stop()
        self.actions.follow_cursor()

    @on(TaskList.RowClicked)
    def _act_on_click(self, event: TaskList.RowClicked) -> None:
        event.stop()
        match event.action:
            case ClickAction.TICK:
                task = self._list.task_of(event.task_id)
                self.commands.tick([] if task is None else [task])
            case ClickAction.FOLD:
                self._controller.toggle_fold(event.task_id)
            case ClickAction.MARK:
                self.targets.selection.toggle(event.task_id)
            case ClickAction.MARK_RANGE:
                self.targets.selection.extend(event.task_id)

    @on(TaskList.ReadFailed)
    def _show_read_error(self, event: TaskList.ReadFailed) -> None:
        event.stop()
        self._notice.say_error(event.error)

    @on(NoticeLine.QuestionShown)
    def _show_what_is_asked_about(self, event: NoticeLine.QuestionShown) -> None:
        event.stop()
        self._list.focus(scroll_visible=False)
        if event.question.about is not None:
            self._list.move_cursor_to(event.question.about)

    def on_key(self, event: events.Key) -> None:
        """Answer the open question, which any other key cancels; dismiss a message."""
        if self._list.has_focus:
            if event.key != self._last_key:
                # A held key repeats.
                self._notice.dismiss_message()
            self._last_key = event.key
            self._notice.take_answer(event)

    @on(DrawerMessage)
    def _handle_drawer_message(self, message: DrawerMessage) -> None:
        message.stop()
        match message:
            case DrawerClosed(drawer):
                self._drawers.close(drawer)
            case AddRequested():
                self._add(message)
            case FilterChanged(text):
                self.actions.set_filter(text)
            case SaveViewRequested(text):
                self._notice.display = False
                self._drawers.save_view.open_for(text)
            case ViewSaved(view):
                self._drawers.close(self._drawers.save_view)
                self._drawers.close(self._drawers.filter)
                self.actions.show_saved(view)
                hint = format_hint(self.app, "{list.views} lists all views.")
                self._notice.say(f"Saved view {short_title(view.name)}. {hint}")
            case ChangeRequested():
                self.actions.change(message)
            case RenameRequested(task_id, title):
                # The input stays open until that has succeeded.
                self.commands.rename(
                    task_id, title, lambda: self._drawers.close_rename(task_id, title)
                )

    def _add(self, request: AddRequested) -> None:
        parent = request.parent
        if parent is not None:
            self._controller.fold(parent, folded=False)

        def put_back(error: TodoError) -> None:
            # Also if quick add was closed meanwhile.
            self._notice.display = False
            self._drawers.quick_add.put_back(request.lines, error)

        self.commands.add(request.build_fields, put_back)

    def _show_key_hints(self) -> None:
        """Name the keys of the list; Esc only where it acts on the list."""
        is_empty = self._header.header_state.shown == 0
        words = _WORDS_IN_VIEWS.get(self._query.view.kind, {})
        if is_empty and not self._query.text:
            words = words | _IDLE_IN_EMPTY_LIST
        has_focus = self.has_focus_within
        back = self.actions.back_hint if has_focus else ""
        hints = [("list.back", back)] if back else []
        hints += [("list.save_view", "save view")] if self._query.text else []
        rows = (row for row in _HINTED if not (is_empty and row.acts_on_task))
        hints += [(row.id, words.get(row.id, row.hint)) for row in rows]
        names = app_key_names(self.app)
        named = [(names.first(name), word) for name, word in hints if word]
        self._notice.show_keys(named, is_dim=not has_focus)

    @on(TaskSelection.Changed)
    def _show_mark_count(self, event: TaskSelection.Changed) -> None:
        event.stop()
        self.actions.show_mark_count()

    @on(TaskListController.HeaderChanged)
    def _show_header(self, event: TaskListController.HeaderChanged) -> None:
        event.stop()
        self._header.header_state = event.state
        self._show_key_hints()
        self.actions.show_mark_count()
        if self._drawers.is_loaded:
            self._drawers.filter.show_meaning(self._query.meaning, event.state.shown)
