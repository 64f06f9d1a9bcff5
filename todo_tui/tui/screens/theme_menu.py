"""Menu of themes (F9): each is shown while the highlight is on it."""

from functools import partial
from typing import Any

from textual import on
from textual.app import App
from textual.timer import Timer
from textual.widgets import OptionList

from todo_tui.tui.screens.choice_menu import ChoiceMenu, MenuChoice
from todo_tui.tui.theme import theme_name, theme_names

_PREVIEW_SECONDS = 0.15
"""Rest of the highlight before its theme is shown: to restyle the screen takes 0.3 s of CPU."""


class ThemeMenu(ChoiceMenu):
    """Returns the place of a theme in `theme_names`; closed without one, the theme is as before."""

    def __init__(self, app: App[Any]) -> None:
        self._themes = list(map(theme_name, theme_names()))
        self._before = app.theme
        kinds = ("dark" if app.available_themes[name].dark else "light" for name in self._themes)
        choices = [MenuChoice(*each) for each in zip(theme_names(), kinds, strict=True)]
        current = self._themes.index(app.theme) if app.theme in self._themes else None
        self._preview_timer: Timer | None = None
        super().__init__("Theme", choices, current)

    @on(OptionList.OptionHighlighted)
    def _preview(self, event: OptionList.OptionHighlighted) -> None:
        if self._preview_timer is not None:
            self._preview_timer.stop()
        theme = self._themes[event.option_index]
        self._preview_timer = self.set_timer(
            _PREVIEW_SECONDS, partial(setattr, self.app, "theme", theme)
        )

    async def action_dismiss(self, result: int | None = None) -> None:
        """Close the menu and show the earlier theme again."""
        if self._preview_timer is not None:
            self._preview_timer.stop()
        self.app.theme = self._before
        await super().action_dismiss(result)
