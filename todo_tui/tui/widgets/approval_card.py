"""A question that holds up the turn: what would change, and the choices."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.choice_row import (
    APPROVE,
    CONSENT,
    DENY,
    Choice,
    ChoiceRow,
    key_hint,
)

if TYPE_CHECKING:
    # For the type alone.
    from todo_tui.agent.approval import Question

_MOST_DETAILS = 8
_APPROVAL = (Choice(APPROVE, "Approve"), Choice(DENY, "Deny"))


class ApprovalCard(Vertical):
    """Stands above the composer until it is answered or the turn has ended."""

    # Mounted with the first question, so it is not part of the first frame's style sheets.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def __init__(self, question: Question, answer: asyncio.Future[bool]) -> None:
        super().__init__()
        self._question = question
        self._answer = answer
        # What is sent to a host cannot be taken back, so the safe choice is marked there.
        self.choices = ChoiceRow(CONSENT, current=DENY) if question.host else ChoiceRow(_APPROVAL)

    def compose(self) -> ComposeResult:
        """Lay out the question, the rows that would change, the choices."""
        headline = Content.assemble(
            ("◆ ", "$text-warning"), (plain_line(self._question.words), "bold")
        )
        yield Static(headline, markup=False)
        if self._question.details:
            yield Static(_rows(self._question.details), markup=False, classes="details")
        yield self.choices

    def belongs_to(self, answer: asyncio.Future[bool]) -> bool:
        """Return whether it asks for that answer."""
        return self._answer is answer

    @property
    def is_answered(self) -> bool:
        """Whether it waits no more, answered or not."""
        return self._answer.done()

    def answer(self, yes: bool) -> None:
        """Take the answer; a second one changes nothing."""
        if not self._answer.done():
            self._answer.set_result(yes)

    def on_click(self) -> None:
        """Focus the choices: a click beside them answers nothing."""
        self.choices.focus(scroll_visible=False)

    def on_descendant_focus(self) -> None:
        """Name the keys that work now."""
        words = ("allow", "cancel") if self._question.host else ("approve", "deny")
        self.border_subtitle = key_hint(self.app, *words)

    def on_descendant_blur(self) -> None:
        """Leave naming the keys to the composer."""
        self.border_subtitle = ""


def _rows(details: tuple[str, ...]) -> Content:
    """Return the rows that would change, and how many of them are left out."""
    lines = [Content.styled(f"  {plain_line(each)}", MUTED) for each in details[:_MOST_DETAILS]]
    if len(details) > _MOST_DETAILS:
        lines.append(Content.styled(f"  … and {len(details) - _MOST_DETAILS} more", FAINT))
    return Content("\n").join(lines)
