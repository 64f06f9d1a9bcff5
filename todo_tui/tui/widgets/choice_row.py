"""Row of two choices on a card, answered by arrows and Enter, by letters or by a click."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.timer import Timer
from textual.widget import Widget

from todo_tui.tui.actions import bind, format_hint

GRACE_SECONDS = 0.5
"""Time after a card appears in which keys are taken to be meant for something else."""
CONSENT = ("Allow for this host", "Cancel")
"""Answers to the question whether messages may be sent to a host."""
_GAP = 3
_MARK = "▸ "


def key_hint(app: App[object], approve: str, deny: str) -> str:
    """Return the hint with the keys of the focused row; `approve` and `deny` label them."""
    return format_hint(
        app,
        "{card.previous} {card.next} choose · {card.choose} answer · "
        f"{{card.approve}} {approve} · {{card.deny}} {deny}",
    )


class ChoiceRow(Widget, can_focus=True):
    """Yes and no, answered by arrows and Enter, by a letter or by a click.

    It never takes the focus by itself, and for a moment after it appears it ignores everything but
    a refusal by its key. Each stray key prolongs that moment.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    BINDING_GROUP_TITLE = "Approval cards"
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("card.next", "move", "next"),
        bind("card.previous", "move", "previous"),
        bind("card.choose", "choose_marked", "answer"),
        bind("card.approve", "choose(True)", "approve"),
        bind("card.deny", "choose(False)", "deny"),
    ]

    marks_yes: reactive[bool] = reactive(True)

    @dataclass
    class Chosen(Message):
        """Posted with the answer."""

        approves: bool

    def __init__(self, labels: tuple[str, str], *, marks_yes: bool = True) -> None:
        super().__init__()
        self._labels = {True: labels[0], False: labels[1]}
        self.set_reactive(ChoiceRow.marks_yes, marks_yes)
        self._grace: Timer | None = None
        self.in_grace = True

    def on_mount(self) -> None:
        """Start the grace."""
        self.start_grace(GRACE_SECONDS)

    def start_grace(self, seconds: float) -> None:
        """Ignore keys and clicks until none has come for so many seconds."""
        if self._grace is not None:
            self._grace.stop()
        self.in_grace = True
        self._grace = self.set_timer(seconds, self.end_grace)

    def end_grace(self) -> None:
        """Accept answers from now on."""
        self.in_grace = False
        self.refresh_bindings()

    def on_focus(self) -> None:
        """Prolong the grace: the key that focused the row may be a stray one."""
        self._prolong_grace()

    def action_move(self) -> None:
        """Mark the other choice."""
        self.marks_yes = not self.marks_yes

    def action_choose_marked(self) -> None:
        """Answer with the marked choice."""
        self._choose(self.marks_yes)

    def action_choose(self, approves: bool) -> None:
        """Answer by a key of its own."""
        self._choose(approves, may_be_stray=approves)

    def on_click(self, event: events.Click) -> None:
        """Answer with the choice under the mouse."""
        approves = event.style.meta.get("approves")
        if isinstance(approves, bool):
            event.stop()
            self.marks_yes = approves
            self._choose(approves)

    def _choose(self, approves: bool, *, may_be_stray: bool = True) -> None:
        if self.in_grace and may_be_stray:
            self._prolong_grace()
        else:
            self.post_message(self.Chosen(approves))

    def _prolong_grace(self) -> None:
        if self.in_grace and self._grace is not None:
            self._grace.reset()

    @property
    def _width(self) -> int:
        marks = 2 * (cell_len(_MARK) + 1)
        return sum(map(cell_len, self._labels.values())) + marks + _GAP

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of both choices on one line, in cells."""
        return self._width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines that the choices take."""
        return 1 if self._width <= width else 2

    def render(self) -> Content:
        """Draw the choices; one is marked only with the focus."""
        gap = " " * _GAP if self._width <= self.content_size.width else "\n"
        return Content(gap).join([self._draw(True), self._draw(False)])

    def _draw(self, approves: bool) -> Content:
        is_marked = self.has_focus and approves is self.marks_yes
        text = f"{_MARK if is_marked else ' ' * cell_len(_MARK)}{self._labels[approves]} "
        style = "bold $text-accent reverse" if is_marked else "bold $text-accent"
        return Content.styled(text, style).stylize(Style.from_meta({"approves": approves}))
