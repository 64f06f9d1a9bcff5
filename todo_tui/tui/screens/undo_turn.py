"""Question before the changes of a turn are undone where some fields changed since."""

from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from todo_tui.domain.changes import CHANGE_WORDS, UndoReport
from todo_tui.domain.text import format_count
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import UNDO_TURN
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.text import display_line

_KEEP, _OVERWRITE, _CANCEL = "keep", "overwrite", "cancel"


class UndoTurnScreen(ActionHost, Dialog[bool | None]):
    """Shows what an undo would change and what changed since; returns whether to overwrite that.

    None leaves everything as it is.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "OptionList"
    ACTIONS = UNDO_TURN

    def __init__(self, report: UndoReport) -> None:
        super().__init__()
        self._report = report

    def compose(self) -> ComposeResult:
        """Lay out the tasks, the fields changed since, and the choices."""
        with Vertical(id="undo") as box:
            box.border_title = "Undo this message's changes"
            box.border_subtitle = format_hint(self.app, "Enter choose · {undo.close} cancel")
            with VerticalScroll(can_focus=False):
                yield Static(self._summary(), markup=False)
            choices = [Option("Undo all, including later changes", _OVERWRITE)]
            if self._report.changes:
                choices.insert(0, Option("Undo, but keep later changes", _KEEP))
            yield OptionList(*choices, Option("Cancel", _CANCEL))

    def on_mount(self) -> None:
        """Highlight what keeps later changes: the first choice, or else Cancel."""
        self.query_one(OptionList).highlighted = 0 if self._report.changes else 1

    def _summary(self) -> Content:
        lines = []
        for kind in dict.fromkeys(change.kind for change in self._report.changes):
            tasks = [change.task for change in self._report.changes if change.kind is kind]
            does = f"Undo {CHANGE_WORDS[kind].will_undo} {format_count(len(tasks), 'task')}:"
            lines.append(Content.styled(does, MUTED))
            lines += [Content(f"  {display_line(task.title)} (#{task.id})") for task in tasks]
        lines += [Content("")] if lines else []
        lines.append(Content.styled("Changed later:", "$text-warning"))
        for each in self._report.named_conflicts:
            lines.append(
                Content(f"  {each.field_word} of {display_line(each.title)} (#{each.task_id})")
            )
        return Content("\n").join(lines)

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss({_KEEP: False, _OVERWRITE: True}.get(event.option.id or ""))
