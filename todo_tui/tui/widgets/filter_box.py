"""The box that filters the list while it is typed in."""

from __future__ import annotations

from textual import on
from textual.content import Content
from textual.widgets import Input

from todo_tui.domain.errors import TodoError
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.box_messages import FilterCleared, FilterKept, FilterTyped
from todo_tui.tui.widgets.line_box import LineBox
from todo_tui.tui.widgets.task_drawer import TaskDrawer

EXAMPLES = "today · this week · #project · @tag · !high · no due · any word"


class FilterDrawer(TaskDrawer):
    """Says each change of the text; shows what was wrong with it, and what would fit."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("/", LineBox(), "Enter keep · Esc clear", id=id)
        self._problem: TodoError | None = None

    def show_problem(self, problem: TodoError | None) -> None:
        """Say what is wrong with the text, until it is right."""
        self._problem = problem
        if problem is not None:
            words = " ".join(filter(None, (problem.message, problem.hint)))
            self.say_below(Content.styled(words, "$text-error"))

    def show_meaning(self, meaning: str, found: int) -> None:
        """Say what the text was understood as; an empty one gets examples."""
        if self._problem is not None:
            return
        if not meaning:
            self.say_below(Content.styled(EXAMPLES, MUTED))
            return
        tasks = "nothing" if not found else "1 task" if found == 1 else f"{found:,} tasks"
        self.say_below(Content.styled(f"{meaning} · {tasks}", MUTED))

    @on(Input.Changed)
    def _say_what_was_typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_open:
            self.post_message(FilterTyped(event.value))

    @on(Input.Submitted)
    def _keep(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(FilterKept() if event.value.strip() else FilterCleared())

    @on(LineBox.Left)
    def _clear(self, event: LineBox.Left) -> None:
        event.stop()
        self.post_message(FilterCleared())
