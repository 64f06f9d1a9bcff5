"""Row of choices on a card, answered by arrows and Enter, by letters or by a click."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.timer import Timer
from textual.widget import Widget

from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import CHOICE_ROW
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.widgets.choice import Choice

GRACE_SECONDS = 0.5
"""Time after a card appears in which keys are taken to be meant for something else."""
_GAP = 1
_MARK = "▸ "
_KEYS = {
    Choice.APPROVE: "card.approve",
    Choice.APPROVE_ALWAYS: "card.approve_always",
    Choice.DENY: "card.deny",
    Choice.EXPLAIN: "card.explain",
}
"""Actions that give an answer by a key."""


CONSENT = {Choice.APPROVE: "Allow for this host", Choice.DENY: "Cancel"}
"""Answers to the question whether messages may be sent to a host."""


def key_hint(app: App[object]) -> str:
    """Return the hint with the keys of the focused row, besides those that the choices name."""
    return format_hint(app, "{card.previous} {card.next} choose · {card.choose} answer")


class ChoiceRow(ActionHost, Widget, can_focus=True):
    """Choices with their labels, answered by arrows and Enter, by a letter or by a click.

    It never takes the focus by itself, and for a moment after it appears it ignores everything but
    a refusal by its key. Each stray key prolongs that moment. Where one line is too short, what
    approves stands above what denies.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ALLOW_SELECT = False
    ACTIONS = CHOICE_ROW

    marked: reactive[Choice] = reactive(Choice.APPROVE)

    @dataclass
    class Chosen(Message):
        """Posted with the answer."""

        choice: Choice

    def __init__(self, labels: Mapping[Choice, str], *, marked: Choice = Choice.APPROVE) -> None:
        super().__init__()
        self._labels = dict(labels)
        self.set_reactive(ChoiceRow.marked, marked)
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
        self.prolong_grace()

    def offers(self, choice: Choice) -> bool:
        """Return whether that is one of the choices."""
        return choice in self._labels

    def action_move(self, step: int) -> None:
        """Mark the next choice, wrapping around."""
        choices = list(self._labels)
        self.marked = choices[(choices.index(self.marked) + step) % len(choices)]

    def action_move_line(self, step: int) -> None:
        """Mark the choice on the next line, or the next one where there is one line."""
        lines = self._lines(self.content_size.width)
        if len(lines) == 1:
            self.action_move(step)
            return
        row = next(number for number, line in enumerate(lines) if self.marked in line)
        target = lines[(row + step) % len(lines)]
        self.marked = target[min(lines[row].index(self.marked), len(target) - 1)]

    def action_choose_marked(self) -> None:
        """Answer with the marked choice."""
        self._choose(self.marked)

    def action_choose(self, choice: Choice) -> None:
        """Answer by a key of its own."""
        self._choose(choice, may_be_stray=choice is not Choice.DENY)

    def on_click(self, event: events.Click) -> None:
        """Answer with the choice under the mouse."""
        if choice := event.style.meta.get("choice"):
            event.stop()
            self.marked = Choice(choice)
            self._choose(self.marked)

    def _choose(self, choice: Choice, *, may_be_stray: bool = True) -> None:
        if self.in_grace and may_be_stray:
            self.prolong_grace()
        else:
            self.post_message(self.Chosen(choice))

    def prolong_grace(self) -> None:
        """Begin the grace again unless it is over: a key meant something else."""
        if self.in_grace and self._grace is not None:
            self._grace.reset()

    def _key(self, choice: Choice) -> str:
        """Return the label of the key of a choice, as the user has it."""
        return format_hint(self.app, f"{{{_KEYS[choice]}}}")

    def _width(self, *choices: Choice) -> int:
        gaps = max(len(choices) - 1, 0) * _GAP
        return sum(self._draw(each).cell_length for each in choices) + gaps

    def _lines(self, width: int) -> list[list[Choice]]:
        """Return the choices line by line."""
        if self._width(*self._labels) <= width:
            return [list(self._labels)]
        lines: list[list[Choice]] = []
        for choice in self._labels:
            last = lines[-1] if lines else []
            is_beside = last and last[0].approves is choice.approves
            if is_beside and self._width(*last, choice) <= width:
                last.append(choice)
            else:
                lines.append([choice])
        return lines

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of all choices on one line, in cells."""
        return self._width(*self._labels)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines that the choices take."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Draw the choices; one is marked only with the focus."""
        lines = self._lines(self.content_size.width)
        first = max((self._width(line[0]) for line in lines if len(line) > 1), default=0)
        return Content("\n").join(self._draw_line(line, first) for line in lines)

    def _draw_line(self, line: list[Choice], first: int) -> Content:
        """Draw the choices of a line, the second one below that of the line above."""
        drawn = self._draw(line[0])
        for place, choice in enumerate(line[1:]):
            gap = _GAP if place else _GAP + first - self._width(line[0])
            drawn = drawn + " " * gap + self._draw(choice)
        return drawn

    def _draw(self, choice: Choice) -> Content:
        is_marked = self.has_focus and choice is self.marked
        mark = _MARK if is_marked else " " * cell_len(_MARK)
        key, label = (f"{self._key(choice)} ", "bold $primary"), f"{self._labels[choice]} "
        drawn = Content.assemble(mark, key, label)
        drawn = drawn.stylize("bold $text-accent reverse") if is_marked else drawn
        return drawn.stylize(Style.from_meta({"choice": str(choice)}))
