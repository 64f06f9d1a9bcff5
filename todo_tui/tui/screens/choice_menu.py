"""Small menu: one choice out of a few, each with its explanation."""

from collections.abc import Sequence
from typing import NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import CHOICE_MENU
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.dialog import Dialog


class MenuChoice(NamedTuple):
    """One line of the menu."""

    name: str
    about: str = ""


class ChoiceMenu(ActionHost, Dialog[int | None]):
    """Returns the number of the choice, counted from 0; None if the menu was closed."""

    DEFAULT_CSS = "ChoiceMenu { #choices { width: 66; } OptionList { max-height: 80vh; } }"
    AUTO_FOCUS = "OptionList"
    ACTIONS = CHOICE_MENU

    def __init__(self, title: str, choices: Sequence[MenuChoice], current: int | None) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._current = current
        self._typed = ""
        """Beginning of the name that is being typed."""
        self.options: OptionList = OptionList(
            *(Option(self._line(place)) for place in range(len(choices)))
        )
        self.options.highlighted = current or 0

    def compose(self) -> ComposeResult:
        """Lay out the choices."""
        with Vertical(id="choices") as box:
            box.border_title = self._title
            box.border_subtitle = format_hint(self.app, "Enter choose · {menu.close} close")
            yield self.options

    def _line(self, place: int) -> Content:
        name, about = self._choices[place]
        width = max(len(each.name) for each in self._choices)
        mark = "● " if place == self._current else "  "
        return Content.assemble(
            (mark, "$text-accent"), (f"{name:<{width}}", "bold"), (f"   {about}".rstrip(), MUTED)
        )

    def on_key(self, event: events.Key) -> None:
        """Go to the choice whose name begins with what is typed; the same letter goes on."""
        before, self._typed = self._typed, ""
        letter = (event.character or "").casefold() if event.is_printable else ""
        for typed in (before + letter, letter):
            # Keys of the menu are letters of a name only within it.
            if not letter or (typed == letter and event.key in self.active_bindings):
                continue
            first = (self.options.highlighted or 0) + (typed == letter)
            places = [*range(first, len(self._choices)), *range(first)]
            names = [self._choices[place].name.casefold() for place in places]
            if found := [at for at, name in enumerate(names) if name.startswith(typed)]:
                self._typed, self.options.highlighted = typed, places[found[0]]
                event.stop()
                event.prevent_default()
                return

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)
