"""What Enter in quick add would make, in words."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from todo_tui.domain.clock import Clock
from todo_tui.domain.date_text import when_words
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.quickadd import QuickAdd
from todo_tui.domain.recurrence import Recurrence, recurrence_words, upcoming
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.cell_text import steady

DATES_AHEAD = 3


def preview(understood: QuickAdd, clock: Clock) -> Content:
    """Title, when, how often and on which days, priority, project, tags, what was doubtful."""
    parts = [Content(steady(plain_line(understood.title))), *_days(understood, clock)]
    if understood.priority is not None:
        parts.append(Content.styled(understood.priority.value, "bold"))
    if understood.project:
        parts.append(_label(understood.project, "$text-success"))
    parts += [_label(f"@{tag}", "$text-warning") for tag in understood.tags]
    if understood.recurrence is not None and understood.due is not None:
        following = coming_words(understood.recurrence, understood.due, clock)
        parts += [Content.styled(following, MUTED)] if following else []
    parts += [Content.styled(plain_line(note), "$text-warning") for note in understood.notes]
    return Content.styled(" · ", MUTED).join(parts)


def _days(understood: QuickAdd, clock: Clock) -> Iterator[Content]:
    now = clock.now()
    if understood.recurrence is not None:
        words = recurrence_words(understood.recurrence)
        if understood.due is not None:
            words += f", first {when_words(understood.due, now)}"
        yield Content.styled(words, "$text-accent")
    elif understood.due is not None:
        yield Content.styled(when_words(understood.due, now), "$text-accent")
    if understood.start is not None:
        yield Content.styled(f"from {when_words(understood.start, now)}", "$text-accent")


def coming_words(recurrence: Recurrence, first: When, clock: Clock) -> str:
    """The dates that follow the first one: `then Fri 1 Jan and Mon 1 Feb`; empty without any."""
    try:
        dates = upcoming(recurrence, first, DATES_AHEAD, clock.zone)
    except ValidationError:
        return ""
    words = [when_words(each, clock.now()) for each in dates[1:]]
    return f"then {' and '.join(words)}" if words else ""


def _label(text: str, style: str) -> Content:
    return Content.styled(steady(plain_line(text)), style)
