"""The right side of the app: the list of tasks, and what keys do to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from todo_tui.domain.changes import TaskChange
from todo_tui.domain.task import Actor, Priority
from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.deeds import Deed
from todo_tui.tui.later import Later
from todo_tui.tui.passing_time import PassingTime
from todo_tui.tui.views.view import ALL
from todo_tui.tui.views.wishes import ViewWish
from todo_tui.tui.widgets.box_answers import BoxAnswers
from todo_tui.tui.widgets.box_messages import BoxMessage, ViewSavingRequested
from todo_tui.tui.widgets.cursor_trail import CursorTrail
from todo_tui.tui.widgets.detail_below import DetailBelow
from todo_tui.tui.widgets.late_boxes import LateBoxes
from todo_tui.tui.widgets.list_keys import NAMED_KEYS, PANE_KEYS
from todo_tui.tui.widgets.live_list import LiveList
from todo_tui.tui.widgets.pane_notice import PaneNotice
from todo_tui.tui.widgets.pane_views import PaneViews
from todo_tui.tui.widgets.rereading import Rereading
from todo_tui.tui.widgets.task_contents import TaskContents
from todo_tui.tui.widgets.task_deeds import TaskDeeds
from todo_tui.tui.widgets.task_hand import TaskHand
from todo_tui.tui.widgets.task_header import HeaderFacts, TaskHeader
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_tree import TaskTree
from todo_tui.tui.widgets.task_writes import TaskWrites
from todo_tui.tui.widgets.title_editing import TitleEditing
from todo_tui.tui.workbench import Workbench

_TYPING_SECONDS = 0.03
_ROW_OF_KEYS_SECONDS = 0.15


class TaskPane(Vertical):
    """The list with its header, its boxes and its notices.

    Keys call the store's own methods, each as one gesture of the user; what they
    change comes back through `show_changes`, like the changes of everyone else.
    """

    BINDING_GROUP_TITLE = "Tasks"
    BINDINGS: ClassVar[list[BindingType]] = [*PANE_KEYS]

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
        self._list = TaskList(
            self._outline,
            workbench.store.tasks.rows,
            workbench.store.tasks.standing,
            workbench.clock.now,
            zone=workbench.clock.zone,
            id="task-list",
        )
        self._live = LiveList(self._list, self._outline, self._contents, self._show_facts)
        passing = PassingTime(workbench.store.tasks.counts, monotonic)
        self._rereading = Rereading(self, self._list, self._live, passing)
        self._notice = PaneNotice(self._key_words(NAMED_KEYS))
        self._boxes = LateBoxes(self, workbench, self._notice)
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
            self._boxes.have,
            self.reload,
            monotonic,
        )
        self._trail = CursorTrail(self._list, self._outline, self._boxes)
        self._detail = DetailBelow(self._list, self._boxes, workbench.clock)
        self._titles = TitleEditing(self, self._list, self._outline, self._boxes, self._hand)
        self._answers = BoxAnswers(
            self._boxes,
            self._list,
            self._notice,
            self._hand,
            self._deeds,
            self._titles,
            self._set_filter,
            self._key_names.first("list.views"),
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
        self.watch(self._list, "scroll_y", self._titles.place, init=False)
        if self._clock.fixed is None:
            self._rereading.follow_clock()

    @property
    def selected_tasks(self) -> tuple[tuple[int, str], ...]:
        """Id and title of the task under the cursor, if any."""
        task = self._list.task_at_cursor
        return () if task is None else ((task.id, task.title),)

    def on_descendant_focus(self) -> None:
        """Make the boxes when the keys come here first: one that needs a box is quick then."""
        self._boxes.prepare()

    def focus_list(self) -> None:
        """Give the keys to the list, or to the box that is open over it."""
        (self._boxes.wants_keys or self._list).focus(scroll_visible=False)

    async def show_filter(self, text: str) -> None:
        """Filter as somebody else asks, with the filter in its box; the keys stay elsewhere."""
        (await self._boxes.have()).filter.open(text, focus=False)
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
        self._trail.follow(self._hand.followed(changes))
        self._titles.place()
        self._follow_task()
        if self._contents.asks_of_others:
            # One look for a row of keys: it is at the whole list.
            self.reload(pause=_ROW_OF_KEYS_SECONDS)

    def reload(self, *, pause: float = 0.0) -> None:
        """Read the list anew, after another process wrote; cursor and view stay.

        Of several calls within `pause` seconds only the last one reads.
        """
        self._rereading.start(pause=pause)

    async def action_add(self) -> None:
        """Open the box that adds."""
        quick_add = (await self._boxes.have()).quick_add
        self._notice.display = False
        if quick_add.is_open:
            self.focus_list()
        else:
            quick_add.open()

    def action_tick(self) -> None:
        """Tick the task and go on, reopen it, or take it out of the trash."""
        completed = self._deeds.tick()
        if completed is not None and not self._deeds.marks.exist:
            self._trail.go_on_from(completed.id)

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
            await self._titles.open(task)

    def action_delete(self) -> None:
        """Move tasks to the trash, once for each press of the key."""
        self._deeds.delete()

    def action_save_view(self) -> None:
        """Save the filter that is on as a view."""
        if self._contents.text and self._boxes.made is not None:
            self.post_message(ViewSavingRequested(self._contents.text))

    async def action_filter(self) -> None:
        """Open the box that filters, with the filter that is on."""
        (await self._boxes.have()).filter.open(self._contents.text)
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
        if not self._live.toggle_project():
            await self._detail.toggle()

    def action_back(self) -> None:
        """Unmark all, close what is open, then show all tasks again."""
        if self._deeds.marks.clear():
            return
        if self._detail.is_open:
            self._detail.close()
        elif self._contents.text:
            self._set_filter("")
        else:
            self.run_worker(Later(self._views.go_back), group="task-view")

    def action_view(self, wish: str) -> None:
        """Go to another view, to the calendar, or say why a task stands where it does."""
        task = self._list.task_at_cursor
        self.run_worker(Later(self._views.fulfil, ViewWish(wish), task), group="task-view")

    @on(TaskHeader.ViewClicked)
    def _go_to_clicked(self, event: TaskHeader.ViewClicked) -> None:
        event.stop()
        self.action_view(event.wish)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc is the list's only while there is something to go back from."""
        if action == "back":
            return (
                self._deeds.marks.exist
                or self._detail.is_open
                or bool(self._contents.text)
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

    @on(BoxMessage)
    def _answer_box(self, event: BoxMessage) -> None:
        event.stop()
        self._answers.take(event)

    def _follow_task(self) -> None:
        """The cursor is on another task, or its task has changed."""
        self._detail.follow()
        self._views.follow(self._list.task_at_cursor)

    def _set_filter(self, text: str) -> None:
        """Filter by a text, or by as much of it as can be read; the box says the rest."""
        self._contents.filter.put(text)
        self.reload(pause=_TYPING_SECONDS)

    def _keys(self) -> tuple[tuple[str, str], ...]:
        is_narrowed = self._contents.text or self._views.is_elsewhere
        back = (("list.back", "show all"),) if is_narrowed else ()
        return self._key_words((*back, *NAMED_KEYS))

    def _key_words(self, keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((self._key_names.first(name), word) for name, word in keys)

    def _show_facts(self, facts: HeaderFacts) -> None:
        self._header.facts = facts
        self._notice.show_keys(self._keys())
        self._deeds.marks.tell()
        if self._boxes.made is not None:
            found = None if facts.is_loading else self._live.task_count
            self._boxes.made.filter.show_meaning(self._contents.filter.meaning, found)
