"""What the word that is typed could become: a few lines above its box."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from todo_tui.domain.filter_completion import Candidate
from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.cell_text import clip, fit, steady, width_of
from todo_tui.tui.widgets.words import Words

MOST_SHOWN = 5
_WIDEST = 28


class CandidateList(Words):
    """Shows candidates around the one that Tab would take; none are no lines."""

    def __init__(self) -> None:
        super().__init__(classes="drawer--candidates")
        self.display = False

    def show(self, candidates: Sequence[Candidate], chosen: int) -> None:
        """Draw these, `chosen` by its place among them."""
        self.display = bool(candidates)
        if candidates:
            self.put(drawn(candidates, chosen))


def drawn(candidates: Sequence[Candidate], chosen: int) -> Content:
    """A line each, what it means beside it."""
    first = max(0, min(chosen - MOST_SHOWN // 2, len(candidates) - MOST_SHOWN))
    shown = candidates[first : first + MOST_SHOWN]
    texts = [clip(steady(plain_line(each.text)), _WIDEST) for each in shown]
    width = max(map(width_of, texts))
    lines: list[Content] = []
    for number, (text, candidate) in enumerate(zip(texts, shown, strict=True), first):
        is_chosen = number == chosen
        about = candidate.about
        if is_chosen:
            about = f"{about}  Tab" if about else "Tab"
        lines.append(
            Content.assemble(
                ("▸ " if is_chosen else "  ", "$text-accent"),
                (fit(text, width), "bold $text-accent" if is_chosen else ""),
                (f"  {about}", MUTED if is_chosen else FAINT),
            )
        )
    left = len(candidates) - first - len(shown)
    if left > 0:
        lines.append(Content.styled(f"  {left} more · ↓", FAINT))
    return Content("\n").join(lines)
