"""A one-line box that completes the word at its cursor, and colours what it understands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.highlighter import Highlighter
from rich.text import Text
from textual.binding import BindingType

from todo_tui.domain.filter_completion import Candidate, Completions
from todo_tui.tui.action_keys import bind
from todo_tui.tui.widgets.candidate_list import CandidateList
from todo_tui.tui.widgets.line_box import LineBox

_OPEN_ENDED = (":", ".", "<", ">", "=")


class Coloured(NamedTuple):
    """Characters `start` to `end` (excluded), and the component class that colours them."""

    start: int
    end: int
    style: str


class CompletingBox(LineBox):
    """Tab takes the chosen candidate, the arrows choose; without any they are no keys of its.

    `complete` is asked for what fits at a place of the text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("box.complete", "complete", "complete"),
        bind("box.next_candidate", "choose(1)", "next"),
        bind("box.previous_candidate", "choose(-1)", "previous"),
    ]

    def __init__(
        self,
        candidates: CandidateList,
        complete: Callable[[str, int], Completions],
        *,
        placeholder: str = "",
        id: str | None = None,
    ) -> None:
        super().__init__(placeholder=placeholder, id=id)
        self._candidate_list = candidates
        self._complete = complete
        self._completions = Completions(0, 0, ())
        self._chosen = 0
        self._coloured: tuple[Coloured, ...] = ()
        self.highlighter = _Colours(self)

    @property
    def coloured(self) -> tuple[Coloured, ...]:
        """What has a colour of its own."""
        return self._coloured

    def colour(self, stretches: Sequence[Coloured]) -> None:
        """Colour these stretches of the text, and no others."""
        self._coloured = tuple(stretches)
        self.refresh()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What Tab and the arrows choose from."""
        return self._completions.candidates

    def look_for_completions(self) -> None:
        """Ask anew what fits where the cursor is, and show it."""
        self.find_completions()
        self.show_candidates()

    def find_completions(self) -> None:
        """Ask anew what fits where the cursor is; the keys take that from now on."""
        found = self._complete(self.value, self.cursor_position) if self.has_focus else None
        typed = "" if found is None else self.value[found.start : found.end]
        fitting = () if found is None else found.candidates
        fitting = tuple(each for each in fitting if typed and each.text != typed)
        if found is not None and fitting != self.candidates:
            self._chosen = 0
        self._completions = Completions(
            found.start if found else 0, found.end if found else 0, fitting
        )

    def show_candidates(self) -> None:
        """Show what was found, and in the footer that there are keys for it."""
        had_any = self._candidate_list.display
        self._candidate_list.show(self.candidates, self._chosen)
        if bool(self.candidates) is not had_any:
            self.refresh_bindings()

    def action_complete(self) -> None:
        """Put the chosen candidate in the place of the word."""
        start, end, candidates = self._completions
        text = candidates[self._chosen].text
        following = self.value[end:]
        if not text.endswith(_OPEN_ENDED) and not following.startswith((" ", ")")):
            text += " "
        self.value = self.value[:start] + text + following
        self.cursor_position = start + len(text)

    def action_choose(self, step: int) -> None:
        """Choose the next candidate, from the last one the first."""
        self._chosen = (self._chosen + step) % len(self.candidates)
        self._candidate_list.show(self.candidates, self._chosen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of completions are free where there are none."""
        if action in ("complete", "choose"):
            return bool(self.candidates)
        return super().check_action(action, parameters)

    def on_blur(self) -> None:
        """Nothing is completed elsewhere."""
        self._completions = Completions(0, 0, ())
        self._candidate_list.show((), 0)


class _Colours(Highlighter):
    """Colours the stretches of a box."""

    def __init__(self, box: CompletingBox) -> None:
        self._box = box

    def highlight(self, text: Text) -> None:
        for start, end, name in self._box.coloured:
            style = self._box.get_component_rich_style(name, partial=True)
            text.stylize(style, start, end)
