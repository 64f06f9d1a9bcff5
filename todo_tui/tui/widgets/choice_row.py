"""Row of choices on a card, answered by arrows and Enter, by letters or by a click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

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
from todo_tui.tui.widgets.text import cell_width

GRACE_SECONDS = 0.5
"""Time after a card appears in which keys are taken to be meant for something else."""

APPROVE, DENY = "approve", "deny"
"""Ids of the choices that have a key of their own."""
_GAP = 3
_MARK = "▸ "


@dataclass(frozen=True, slots=True)
class Choice:
    """Answer offered on a card."""

    id: str
    label: str

    @property
    def width(self) -> int:
        """Width in cells, with the mark."""
        return cell_width(_MARK) + cell_width(self.label) + 1


CONSENT = (Choice(APPROVE, "Allow for this host"), Choice(DENY, "Cancel"))
"""Answers to the question whether messages may be sent to a host."""


def key_hint(app: App[object], approve: str, deny: str) -> str:
    """Return the hint with the keys of the focused row; `approve` and `deny` label them."""
    return format_hint(
        app,
        "{card.previous} {card.next} choose · {card.choose} answer · "
        f"{{card.approve}} {approve} · {{card.deny}} {deny}",
    )


class ChoiceRow(Widget, can_focus=True):
    """Row of choices, answered by arrows and Enter, by a letter or by a click.

    It never takes the focus by itself, and for a moment after it appears it ignores everything but
    a refusal by its key. Each stray key prolongs that moment.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    BINDING_GROUP_TITLE = "Approval cards"
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("card.next", "move(1)", "next"),
        bind("card.previous", "move(-1)", "previous"),
        bind("card.choose", "choose_current", "answer"),
        bind("card.approve", f"choose('{APPROVE}')", "approve"),
        bind("card.deny", f"choose('{DENY}')", "deny"),
    ]

    current: reactive[int] = reactive(0)
    """Index of the choice that Enter takes."""

    @dataclass
    class Chosen(Message):
        """Posted with the answer."""

        choice: Choice

        @property
        def approves(self) -> bool:
            """True if the answer is yes."""
            return self.choice.id == APPROVE

    def __init__(self, choices: Sequence[Choice], *, current: str = "") -> None:
        """Create the row; `current` is the id of the choice marked first."""
        super().__init__()
        self._choices = tuple(choices)
        ids = [choice.id for choice in self._choices]
        self.set_reactive(ChoiceRow.current, ids.index(current) if current else 0)
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

    def action_move(self, step: int) -> None:
        """Mark the next choice, wrapping around."""
        self.current = (self.current + step) % len(self._choices)

    def action_choose_current(self) -> None:
        """Answer with the marked choice."""
        self._choose(self._choices[self.current])

    def action_choose(self, choice_id: str) -> None:
        """Answer with a choice by its key."""
        choice = next((each for each in self._choices if each.id == choice_id), None)
        if choice is not None:
            self._choose(choice, may_be_stray=choice_id != DENY)

    def on_click(self, event: events.Click) -> None:
        """Answer with the choice under the mouse."""
        index = event.style.meta.get("choice")
        if isinstance(index, int):
            event.stop()
            self.current = index
            self._choose(self._choices[index])

    def _choose(self, choice: Choice, *, may_be_stray: bool = True) -> None:
        if self.in_grace and may_be_stray:
            self._prolong_grace()
        else:
            self.post_message(self.Chosen(choice))

    def _prolong_grace(self) -> None:
        if self.in_grace and self._grace is not None:
            self._grace.reset()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of all choices on one line, in cells."""
        return sum(choice.width for choice in self._choices) + _GAP * (len(self._choices) - 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines that the choices take."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Draw the choices; one is marked only with the focus."""
        lines = self._lines(self.content_size.width)
        gap = Content(" " * _GAP)
        return Content("\n").join(gap.join(map(self._draw, line)) for line in lines)

    def _lines(self, width: int) -> list[list[int]]:
        """Return the indexes of the choices by line; labels are not broken."""
        lines: list[list[int]] = [[]]
        room = width
        for index, choice in enumerate(self._choices):
            if lines[-1] and choice.width > room:
                lines.append([])
                room = width
            lines[-1].append(index)
            room -= choice.width + _GAP
        return lines

    def _draw(self, index: int) -> Content:
        label = self._choices[index].label
        is_marked = self.has_focus and index == self.current
        text = f"{_MARK if is_marked else ' ' * cell_width(_MARK)}{label} "
        style = "bold $text-accent reverse" if is_marked else "bold $text-accent"
        return Content.styled(text, style).stylize(Style.from_meta({"choice": index}))
