"""The right side of the app: the list of tasks, and what keys do to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.geometry import Offset, clamp

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Actor, Priority, Task
from todo_tui.tui.action_keys import KeyNames, bind
from todo_tui.tui.deeds import Deed
from todo_tui.tui.later import Later
from todo_tui.tui.passing_time import LOOK_SECONDS, PassingTime
from todo_tui.tui.slow_loading import loading
from todo_tui.tui.views.view import ALL
from todo_tui.tui.views.wishes import VIEW_KEYS, ViewWish
from todo_tui.tui.widgets.box_messages import (
    AddingLeft,
    AddRequested,
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
from todo_tui.tui.widgets.list_keys import DEED_KEYS
from todo_tui.tui.widgets.live_list import LiveList
from todo_tui.tui.widgets.pane_notice import PaneNotice
from todo_tui.tui.widgets.pane_views import PaneViews
from todo_tui.tui.widgets.task_contents import TaskContents
from todo_tui.tui.widgets.task_deeds import TaskDeeds
from todo_tui.tui.widgets.task_hand import TaskHand
from todo_tui.tui.widgets.task_header import HeaderFacts, TaskHeader
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_row import TITLE_COLUMN
from todo_tui.tui.widgets.task_sentences import short_title
from todo_tui.tui.widgets.task_tree import TaskTree
from todo_tui.tui.widgets.task_writes import TaskWrites
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    # Made after the first frame.
    from todo_tui.tui.widgets.pane_boxes import PaneBoxes
    from todo_tui.tui.widgets.task_detail import TaskDetail
    from todo_tui.tui.widgets.task_drawer import TaskDrawer

_TYPING_SECONDS = 0.03
_ROW_OF_KEYS_SECONDS = 0.15


def _load_boxes(loop: asyncio.AbstractEventLoop) -> type[PaneBoxes]:
    """Import them in a thread: they bring the grammar of dates, and keys are typed meanwhile."""
    with loading(loop):
        from todo_tui.tui.widgets.pane_boxes import PaneBoxes

    return PaneBoxes


class TaskPane(Vertical):
    """The list with its header, its boxes and its notices.

    Keys call the store's own methods, each as one gesture of the user; what they
    change comes back through `show_changes`, like the changes of everyone else.
    """

    BINDING_GROUP_TITLE = "Tasks"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list.add", "add", "add"),
        bind("list.tick", "tick", "done"),
        bind("list.rename", "rename", "rename"),
        bind("list.edit", "edit", "edit"),
        bind("list.delete", "delete", "delete"),
        bind("list.filter", "filter", "filter", key_display="/"),
        bind("list.save_view", "save_view", "save view"),
        bind("list.undo", "undo", "undo"),
        bind("list.redo", "redo", "redo"),
        bind("list.high", "priority('high')", "high"),
        bind("list.medium", "priority('medium')", "medium"),
        bind("list.low", "priority('low')", "low"),
        bind("list.no_priority", "priority('')", "no priority"),
        bind("list.detail", "detail", "details"),
        bind("list.back", "back", "back"),
        *VIEW_KEYS,
        *DEED_KEYS,
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("list.add", "add"),
        ("list.tick", "done"),
        ("list.rename", "rename"),
        ("list.filter", "filter"),
        ("list.undo", "undo"),
        ("list.delete", "delete"),
        ("list.mark", "mark"),
        ("list.views", "views"),
    )

    def __init__(
        self,
        workbench: Workbench,
        *,
        id: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id)
        self._workbench = workbench
        self._key_names = KeyNames(workbench.keymap)
        self._clock = workbench.clock
        self._contents = TaskContents(workbench.store, workbench.clock, workbench.style)
        self._outline = TaskTree()
        self._header = TaskHeader()
        self._time = PassingTime(workbench.store.tasks.counts, monotonic)
        self._list = TaskList(
            self._outline,
            workbench.store.tasks.rows,
            workbench.store.tasks.standing,
            workbench.clock.now,
            zone=workbench.clock.zone,
            id="task-list",
        )
        self._live = LiveList(self._list, self._outline, self._contents, self._show_facts)
        self._boxes: PaneBoxes | None = None
        self._making_boxes = asyncio.Lock()
        self._notice = PaneNotice(self._key_words(self.KEYS))
        self._views = PaneViews(
            self,
            workbench,
            self._contents,
            self._outline,
            self._live,
            self._set_filter,
            self._notice,
        )
        self._hand = TaskHand(workbench.store, TaskWrites(self), self._notice, self._key_names)
        self._deeds = TaskDeeds(
            workbench,
            self._list,
            self._outline,
            self._hand,
            self._notice,
            self._live,
            self._have_boxes,
            self.reload,
            monotonic,
        )

    def compose(self) -> ComposeResult:
        """Header, list, what there is to say; the boxes come after the first frame."""
        yield self._header
        yield self._list
        yield self._notice

    def on_mount(self) -> None:
        """Have the tasks in the first frame; later, follow the clock."""
        memento = self._views.memento
        if memento:
            self.run_worker(Later(self._views.come_back, memento), group="task-view")
        else:
            self._live.load()
        self.watch(self._list, "scroll_y", self._place_rename_box, init=False)
        if self._clock.fixed is None:
            self.set_interval(LOOK_SECONDS, self._follow_clock)

    def _follow_clock(self) -> None:
        self.run_worker(Later(self._see_what_time_changed), group="task-clock", exclusive=True)

    async def _see_what_time_changed(self) -> None:
        try:
            is_old = await asyncio.to_thread(self._time.has_changed_the_list)
        except TodoError:
            # Reading the list will say what is wrong.
            is_old = True
        if is_old:
            self.reload()
        else:
            # The words of dates can still be others.
            self._list.refresh()

    @property
    def selected_tasks(self) -> tuple[tuple[int, str], ...]:
        """Id and title of the task under the cursor, if any."""
        task = self._task_under_cursor()
        return () if task is None else ((task.id, task.title),)

    def on_descendant_focus(self) -> None:
        """Make the boxes when the keys come here first: one that needs a box is quick then."""
        if self._boxes is None and not self._making_boxes.locked():
            self.run_worker(Later(self._have_boxes), group="task-boxes", exit_on_error=False)

    def focus_list(self) -> None:
        """Give the keys to the list, or to the box that is open over it."""
        box = None if self._boxes is None else self._boxes.wants_keys
        (box or self._list).focus(scroll_visible=False)

    async def show_filter(self, text: str) -> None:
        """Filter as somebody else asks, with the filter in its box; the keys stay elsewhere."""
        (await self._have_boxes()).filter.open(text, focus=False)
        self._notice.display = False
        # It was said of all tasks, not of those of a view.
        await self._views.show(ALL)
        self._set_filter(text)

    async def go_to_task(self, task_id: int) -> None:
        """Put the cursor on a task; where the list has it not, by a filter that does."""
        if self._outline.row_of(task_id) is None:
            await self.show_filter(f"id:{task_id} all")
        self._list.move_cursor_to(task_id)

    def show_changes(self, changes: tuple[TaskChange, ...]) -> None:
        """Bring the list up to date, mark what changed and scroll to it.

        The view stays where a person is at work in it, unless it was their own key.
        """
        is_own = all(change.gesture.actor is Actor.USER for change in changes)
        self._live.take(changes, follow=is_own or not self._list.has_focus)
        self._deeds.take(changes)
        followed = self._hand.followed(changes)
        if followed:
            self._go_where_it_went(followed)
        self._place_rename_box()
        self._refresh_detail()
        if self._contents.asks_of_others:
            # One look for a row of keys: it is at the whole list.
            self.reload(pause=_ROW_OF_KEYS_SECONDS)

    def reload(self, *, pause: float = 0.0) -> None:
        """Read the list anew, after another process wrote; cursor and view stay.

        Of several calls within `pause` seconds only the last one reads.
        """
        self.run_worker(
            Later(self._live.load_in_background, pause), group="task-reload", exclusive=True
        )

    async def action_add(self) -> None:
        """Open the box that adds."""
        quick_add = (await self._have_boxes()).quick_add
        self._notice.display = False
        if quick_add.is_open:
            self.focus_list()
        else:
            quick_add.open()

    def action_tick(self) -> None:
        """Tick the task and go on, reopen it, or take it out of the trash."""
        completed = self._deeds.tick()
        if completed is not None and not self._deeds.marks.exist:
            self._go_on_from(completed.id)

    async def action_deed(self, name: str) -> None:
        """What the keys of the list do beyond that."""
        await self._deeds.do(Deed(name))

    def action_edit(self) -> None:
        """Edit all of the task under the cursor."""
        task = self._deeds.task_under_cursor()
        if task is not None:
            from todo_tui.tui.screens.editor import EditorScreen  # not needed before a first E

            self.app.push_screen(EditorScreen(self._workbench, task))

    async def action_rename(self) -> None:
        """Edit the title of the task under the cursor in its place."""
        task = self._deeds.task_under_cursor()
        if task is not None:
            boxes = await self._have_boxes()
            self._list.move_cursor_to(task.id)
            boxes.rename.open(task.id, task.title)
            self._place_rename_box()

    def action_delete(self) -> None:
        """Move tasks to the trash, once for each press of the key."""
        self._deeds.delete()

    def action_save_view(self) -> None:
        """Save the filter that is on as a view."""
        if self._contents.text and self._boxes is not None:
            self.post_message(ViewSavingRequested(self._contents.text))

    async def action_filter(self) -> None:
        """Open the box that filters, with the filter that is on."""
        (await self._have_boxes()).filter.open(self._contents.text)
        self._notice.display = False

    def action_undo(self) -> None:
        """Take back the last change, whoever made it."""
        self._hand.undo()

    def action_redo(self) -> None:
        """Do again what was undone last."""
        self._hand.redo()

    def action_priority(self, name: str) -> None:
        """Set the priority; an empty name takes it away."""
        self._deeds.prioritise(Priority(name) if name else None)

    async def action_detail(self) -> None:
        """Show all of the task under the cursor below the list, or no longer."""
        if self._live.toggle_project():
            return
        detail = (await self._have_boxes()).detail
        if detail.is_open:
            detail.close()
        else:
            self._show_detail(detail)

    def action_back(self) -> None:
        """Unmark all, close what is open, then show all tasks again."""
        if self._deeds.marks.clear():
            return
        if self._boxes is not None and self._boxes.detail.is_open:
            self._boxes.detail.close()
        elif self._contents.text:
            self._set_filter("")
        else:
            self.run_worker(Later(self._views.go_back), group="task-view")

    def action_view(self, wish: str) -> None:
        """Go to another view, to the calendar, or say why a task stands where it does."""
        task = self._task_under_cursor()
        self.run_worker(Later(self._views.fulfil, ViewWish(wish), task), group="task-view")

    @on(TaskHeader.ViewClicked)
    def _go_to_clicked(self, event: TaskHeader.ViewClicked) -> None:
        event.stop()
        self.action_view(event.wish)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc is the list's only while there is something to go back from."""
        if action == "back":
            detail_is_open = self._boxes is not None and self._boxes.detail.is_open
            return (
                self._deeds.marks.exist
                or detail_is_open
                or bool(self._contents.text)
                or self._views.is_elsewhere
            )
        return super().check_action(action, parameters)

    @on(TaskList.CursorMoved)
    def _follow_cursor(self, event: TaskList.CursorMoved) -> None:
        event.stop()
        self._refresh_detail()

    @on(TaskList.CircleClicked)
    def _tick_clicked(self, event: TaskList.CircleClicked) -> None:
        event.stop()
        task = self._list.task_of(event.task_id)
        if task is not None:
            self._hand.tick(task)

    @on(TaskList.MarkClicked)
    def _mark_clicked(self, event: TaskList.MarkClicked) -> None:
        event.stop()
        self._deeds.marks.clicked(event.task_id, event.before, reaches=event.reaches)

    @on(TaskList.FoldClicked)
    def _fold_clicked(self, event: TaskList.FoldClicked) -> None:
        event.stop()
        self._live.toggle_fold(event.task_id)

    @on(PaneNotice.Asked)
    def _show_what_is_asked_about(self, event: PaneNotice.Asked) -> None:
        event.stop()
        self._list.focus(scroll_visible=False)
        if event.question.about is not None:
            self._list.move_cursor_to(event.question.about)

    def on_key(self, event: events.Key) -> None:
        """While something is asked, keys answer; any other leaves it undone."""
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
    def _say_unread(self, event: TaskList.ReadFailed) -> None:
        event.stop()
        self._notice.say_error(event.error)

    @on(AddRequested)
    def _add(self, event: AddRequested) -> None:
        event.stop()
        fields = self._deeds.under_parent(event.fields)
        self._hand.add(fields, lambda error: self._put_back(event.text, error))

    def _put_back(self, text: str, error: TodoError) -> None:
        """What could not be added is on screen again, whatever the person does now."""
        self._notice.display = False
        self._opened_boxes.quick_add.put_back(text, error)

    @on(AddingLeft)
    def _close_quick_add(self, event: AddingLeft) -> None:
        event.stop()
        self._deeds.parent = None
        self._close_drawer(self._opened_boxes.quick_add)

    @on(ChangeRequested)
    def _change_tasks(self, event: ChangeRequested) -> None:
        event.stop()
        self._deeds.change(event.tasks, event.words)

    @on(ChangingLeft)
    def _close_set_box(self, event: ChangingLeft) -> None:
        event.stop()
        self._close_drawer(self._opened_boxes.change)

    @on(FilterTyped)
    def _filter_by(self, event: FilterTyped) -> None:
        event.stop()
        self._set_filter(event.text)

    @on(FilterKept)
    def _keep_filter(self, event: FilterKept) -> None:
        event.stop()
        self._close_drawer(self._opened_boxes.filter)

    @on(FilterCleared)
    def _drop_filter(self, event: FilterCleared) -> None:
        event.stop()
        self._close_drawer(self._opened_boxes.filter)
        self._set_filter("")

    @on(ViewSavingRequested)
    def _ask_for_name(self, event: ViewSavingRequested) -> None:
        event.stop()
        self._notice.display = False
        self._opened_boxes.save_view.open_for(event.text)

    @on(ViewSaved)
    def _tell_saved(self, event: ViewSaved) -> None:
        self._close_drawer(self._opened_boxes.save_view)
        self._close_drawer(self._opened_boxes.filter)
        menu = self._key_names.first("list.views")
        self._notice.say(f"Saved as {short_title(event.view.name)}. {menu} lists it.")

    @on(ViewSavingLeft)
    def _leave_view(self, event: ViewSavingLeft) -> None:
        event.stop()
        self._opened_boxes.save_view.close()
        self.focus_list()

    @on(RenameRequested)
    def _rename_task(self, event: RenameRequested) -> None:
        event.stop()
        task_id = event.task_id
        self._hand.rename(task_id, event.title, lambda: self._close_rename_box(task_id))

    @on(RenamingLeft)
    def _leave_title(self, event: RenamingLeft) -> None:
        event.stop()
        self._close_rename_box(self._opened_boxes.rename.task_id)

    async def _have_boxes(self) -> PaneBoxes:
        """The boxes, made and mounted when first asked for: after the first frame."""
        async with self._making_boxes:
            if self._boxes is None:
                loop = asyncio.get_running_loop()
                make_boxes = await asyncio.to_thread(_load_boxes, loop)
                boxes = make_boxes(self._workbench)
                await self.mount(boxes.detail, before=self._notice)
                await self.mount(*boxes.drawers, boxes.rename)
                self._boxes = boxes
        return self._boxes

    @property
    def _opened_boxes(self) -> PaneBoxes:
        """The boxes, for what only an open one can have asked."""
        assert self._boxes is not None  # noqa: S101  # no box speaks before it is made
        return self._boxes

    def _show_detail(self, detail: TaskDetail) -> None:
        detail.show(self._task_under_cursor(), self._clock.now(), self._clock.zone)

    def _refresh_detail(self) -> None:
        if self._boxes is not None and self._boxes.detail.is_open:
            self._show_detail(self._boxes.detail)
        self._views.follow(self._task_under_cursor())

    def _task_under_cursor(self) -> Task | None:
        task_id = self._list.cursor_task
        return None if task_id is None else self._list.task_of(task_id)

    def _go_on_from(self, task_id: int) -> None:
        """Move the cursor to the next open task; on the last one it stays."""
        row = self._outline.row_of(task_id)
        following = None if row is None else self._outline.task_at_row(row + 1)
        place = None if following is None else self._outline.place_of(following)
        if following is not None and place is not None and not place.section.is_closed:
            self._list.move_cursor_to(following)

    def _go_where_it_went(self, tasks: list[Task]) -> None:
        """Put the cursor on the first of these that is shown; say so where none is."""
        shown = next((task for task in tasks if self._outline.row_of(task.id) is not None), None)
        if shown is not None:
            self._list.move_cursor_to(shown.id)
        elif self._boxes is not None and self._boxes.quick_add.is_open:
            title = short_title(tasks[0].title)
            self._boxes.quick_add.say(f"Added {title}. This list does not show it.")

    def _set_filter(self, text: str) -> None:
        """Filter by a text, or by as much of it as can be read; the box says the rest."""
        try:
            self._contents.set_filter(text)
        except TodoError:
            self._contents.set_filter_as_far_as_read(text)
        self.reload(pause=_TYPING_SECONDS)

    def _keys(self) -> tuple[tuple[str, str], ...]:
        is_narrowed = self._contents.text or self._views.is_elsewhere
        back = (("list.back", "show all"),) if is_narrowed else ()
        return self._key_words((*back, *self.KEYS))

    def _key_words(self, keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((self._key_names.first(name), word) for name, word in keys)

    def _show_facts(self, facts: HeaderFacts) -> None:
        self._header.facts = facts
        self._notice.show_keys(self._keys())
        self._deeds.marks.tell()
        if self._boxes is not None:
            found = None if facts.is_loading else self._live.task_count
            self._boxes.filter.show_meaning(self._contents.meaning, found)

    def _close_drawer(self, drawer: TaskDrawer) -> None:
        drawer.close()
        self._notice.display = True
        self._list.focus(scroll_visible=False)

    def _place_rename_box(self) -> None:
        """Keep the box over its title while rows move, and where it is when the row goes."""
        task_id = None if self._boxes is None else self._boxes.rename.task_id
        line = None if task_id is None else self._outline.line_of(task_id)
        if line is None:
            return
        corner = self._list.content_region.offset - self.content_region.offset
        below = clamp(line - self._list.scroll_offset.y, 0, self._list.content_region.height - 1)
        self._opened_boxes.lay_rename_box(
            Offset(corner.x + TITLE_COLUMN, corner.y + below),
            self._list.content_region.width - TITLE_COLUMN,
        )

    def _close_rename_box(self, task_id: int | None) -> None:
        rename = self._opened_boxes.rename
        if rename.task_id != task_id:
            return
        had_focus = rename.has_focus
        rename.close()
        if had_focus:
            self._list.focus(scroll_visible=False)
