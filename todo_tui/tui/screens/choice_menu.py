"""Small menu: one choice out of a few, each with its explanation."""

from collections.abc import Sequence
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import CHOICE_MENU
from todo_tui.tui.theme import MUTED


class MenuChoice(NamedTuple):
    """One line of the menu."""

    name: str
    about: str = ""


class ChoiceMenu(ActionHost, ModalScreen[int | None]):
    """Returns the number of the choice, counted from 0; None if the menu was closed."""

    CSS_PATH = "choice_menu.tcss"
    AUTO_FOCUS = "OptionList"
    BINDING_GROUP_TITLE = "Menus"
    ACTIONS = CHOICE_MENU
    BINDINGS = bindings(CHOICE_MENU)

    def __init__(self, title: str, choices: Sequence[MenuChoice], current: int | None) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._current = current
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

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)
