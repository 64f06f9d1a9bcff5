"""A choice of periods in one line, by number key or mouse."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.tui.theme import MUTED


@dataclass(frozen=True, slots=True)
class PeriodChoice:
    """Days up to today; None for all there ever were."""

    label: str
    days: int | None


PERIODS = (
    PeriodChoice("30 days", 30),
    PeriodChoice("90 days", 90),
    PeriodChoice("A year", 365),
    PeriodChoice("All", None),
)
YEAR = 2
"""The place of the year, which is shown at first."""


class PeriodBar(Widget):
    """Shows which period is chosen, and says which was clicked."""

    chosen: reactive[int] = reactive(YEAR)

    class Clicked(Message):
        """The period at this place is wanted."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def render(self) -> Content:
        """`1 30 days`, with the chosen one standing out."""
        return Content(" ").join(
            Content.assemble(
                (f"{place + 1}", "bold $primary"),
                (f" {choice.label} ", "bold reverse" if place == self.chosen else MUTED),
            )
            for place, choice in enumerate(PERIODS)
        )

    def on_click(self, event: events.Click) -> None:
        """The choice below the mouse."""
        end = 0
        for place, choice in enumerate(PERIODS):
            end += len(f"{place + 1} {choice.label}  ")
            if event.x < end:
                self.post_message(self.Clicked(place))
                return
