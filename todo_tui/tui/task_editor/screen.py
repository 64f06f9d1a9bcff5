"""Task editor (modal screen): saving, conflicts with changes made meanwhile."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.errors import OpenSubtasks, TodoError
from todo_tui.domain.task import Actor, Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import KeyNames, bind
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_editor.form import TaskForm
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import LineInput

_POLL_INTERVAL_SECONDS = 1.5


class TaskEditorScreen(ModalScreen[None]):
    """Modal editor that writes edited fields only and reports concurrent changes first."""

    CSS_PATH = "screen.tcss"
    BINDING_GROUP_TITLE = "The editor of a task"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.save", "save", "save"),
        bind("editor.leave", "leave", "leave"),
        bind("editor.leave_open", "leave_open", "leave subtasks open"),
    ]

    def __init__(self, services: AppServices, task: Task) -> None:
        super().__init__()
        self._store = services.store
        self._task_id = task.id
        self._form = TaskForm(task, services, id="form")
        keys = KeyNames(services.keymap)
        self._save_key, self._leave_key = keys.first("editor.save"), keys.first("editor.leave")
        self._open_key = keys.first("editor.leave_open")
        self._hint = f"{self._save_key} save · Tab next field · {self._leave_key} leave"
        self._message_line = Static(self._hint, markup=False, id="said")
        self._leaving = False
        self._asked_of_subtasks = False

    def compose(self) -> ComposeResult:
        """Yield the framed form with a message line below."""
        with Vertical(id="editor") as frame:
            frame.border_title = f"Task #{self._task_id}"
            yield self._form
            yield self._message_line

    def on_mount(self) -> None:
        """Focus the title and poll for changes of the task."""
        self.query_one("#field-title").focus()
        self.set_interval(_POLL_INTERVAL_SECONDS, self._start_check)

    def action_save(self) -> None:
        """Save; once asked about open subtasks, also close them."""
        self._save_soon(SubtaskPolicy.CLOSE if self._asked_of_subtasks else SubtaskPolicy.ASK)

    def action_leave_open(self) -> None:
        """Save without closing open subtasks, once that was asked."""
        if self._asked_of_subtasks:
            self._save_soon(SubtaskPolicy.LEAVE)

    def _save_soon(self, children: SubtaskPolicy) -> None:
        self.run_worker(LazyCoroutine(self._save, children), group="save", exclusive=True)

    async def _save(self, children: SubtaskPolicy) -> None:
        invalid = self._form.first_problem
        if invalid is not None:
            invalid.control.focus()
            self._say(invalid.problem, "$text-error")
            return
        try:
            present = await asyncio.to_thread(self._store.tasks.get, self._task_id)
            if self._report_conflicts(present):
                return
            fields = await asyncio.to_thread(self._form.fields, present)
            if fields:
                by = self._store.new_change_context(Actor.USER)
                await asyncio.to_thread(
                    self._store.tasks.update, [self._task_id], fields, by=by, children=children
                )
        except OpenSubtasks as error:
            self._asked_of_subtasks = True
            some = ", ".join(
                f"#{each} {plain_line(title)[:30]}" for each, title in error.subtasks[:3]
            )
            count = len(error.subtasks)
            self._say(
                f"{count} open subtask{'s' if count > 1 else ''}: {some}. "
                f"{self._save_key} closes them too · {self._open_key} leaves them open",
                "$text-warning",
            )
        except TodoError as error:
            self._say(" ".join(filter(None, (error.message, error.hint))), "$text-error")
        else:
            self.dismiss()

    def _report_conflicts(self, present: Task) -> bool:
        """Report fields changed by others; saving again overwrites them."""
        if present == self._form.task_before:
            return False
        conflicts = self._form.take(present)
        if conflicts:
            self._say(
                f"Changed by somebody else meanwhile: {', '.join(conflicts)}. "
                f"{self._save_key} writes yours all the same.",
                "$text-warning",
            )
        return bool(conflicts)

    def _start_check(self) -> None:
        self.run_worker(LazyCoroutine(self._check_task), group="look", exclusive=True)

    async def _check_task(self) -> None:
        try:
            present = await asyncio.to_thread(self._store.tasks.get, self._task_id)
        except TodoError as error:
            self._say(error.message, "$text-error")
            return
        if present != self._form.task_before and not self._report_conflicts(present):
            self._say("Somebody else changed this task: what you left alone is up to date.", MUTED)

    def action_leave(self) -> None:
        """Leave; the first press warns about unsaved changes."""
        changed = self._form.changed_names
        if not changed or self._leaving:
            self.dismiss()
            return
        self._leaving = True
        self._say(
            f"Not saved: {', '.join(changed)}. {self._leave_key} again throws it away "
            f"· {self._save_key} saves",
            "$text-warning",
        )

    @on(LineInput.Cancelled)
    def _leave_box(self, event: LineInput.Cancelled) -> None:
        event.stop()
        self.action_leave()

    @on(TaskForm.Edited)
    def _go_on(self) -> None:
        """Reset pending questions when editing continues."""
        self._leaving = self._asked_of_subtasks = False
        self._say(self._hint, MUTED)

    def _say(self, words: str, style: str) -> None:
        self._message_line.update(Content.styled(plain_line(words), style))
