"""A question that holds up the turn: what would change, yes or no."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.action_keys import names_of
from todo_tui.tui.messages import QuestionReadable
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.key_words import key_words

if TYPE_CHECKING:
    # For the type alone.
    from todo_tui.agent.approval import Question

GRACE_SECONDS = 0.5
"""A key that is pressed as the question appears was meant for something else."""

_MOST_DETAILS = 8


class ApprovalCard(Widget, can_focus=True):
    """Stands above the composer until it is answered or the turn has ended."""

    # Mounted with the first question, so it is not part of the first frame's style sheets.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ALLOW_SELECT = False

    by_letter: reactive[bool] = reactive(True)
    """Whether Y and N alone answer: not while they may be meant for a message."""

    def __init__(self, question: Question, answer: asyncio.Future[bool]) -> None:
        super().__init__()
        self._question = question
        self._answer = answer
        self.in_grace = True

    def belongs_to(self, answer: asyncio.Future[bool]) -> bool:
        """Whether it asks for that answer."""
        return self._answer is answer

    def answer(self, yes: bool) -> None:
        """Take the person's word; a second one changes nothing."""
        if not self._answer.done():
            self._answer.set_result(yes)

    def on_mount(self) -> None:
        """Let keys through when they can be meant."""
        self.set_timer(GRACE_SECONDS, self.end_grace)

    def end_grace(self) -> None:
        """The question could be read by now."""
        self.in_grace = False
        self.post_message(QuestionReadable())

    def render(self) -> Content:
        """The question, the rows that would change, the keys."""
        details = [plain_line(detail) for detail in self._question.details]
        lines = [
            Content.assemble(("◆ ", "$text-warning"), (plain_line(self._question.words), "bold"))
        ]
        width = self.content_size.width
        lines += [
            Content.styled(f"  {detail}", MUTED).truncate(width, ellipsis=True)
            for detail in details[:_MOST_DETAILS]
        ]
        if len(details) > _MOST_DETAILS:
            lines.append(Content.styled(f"  … and {len(details) - _MOST_DETAILS} more", FAINT))
        names = names_of(self.app)
        yes, no = names.short("chat.yes"), names.short("chat.no")
        if not self.by_letter:
            yes, no = names.long("chat.yes"), names.long("chat.no")
        lines.append(key_words((f"{yes} yes", f"{no} no", f"{names.first('chat.no')} no")))
        return Content("\n").join(lines)
