"""Switching to another model: the questions and notices around a ProviderSwitch."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderChoice, ProviderOption


class ProviderChooser:
    """Asks for consent before a remote host is used, and says what happens.

    Its coroutines wait for a person and therefore run in a worker.
    """

    def __init__(
        self, screen: Screen[None], switch: ProviderSwitch, changed: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._switch = switch
        self._changed = changed

    async def go_to_next(self) -> bool:
        """The next provider in order that is ready; whether one was chosen."""
        option = await self._switch.next_ready()
        if option is None:
            self._say("No other model is ready. F2 shows how to set one up.")
            return False
        return await self.choose(option)

    async def go_to(self, number: int) -> bool:
        """The provider of Alt+`number`; says why where it is not ready."""
        options = self._switch.options
        if not 1 <= number <= len(options):
            return False
        option = options[number - 1]
        readiness = await self._switch.learn(option)
        if not self._switch.is_ready(option):
            self._say(f"{option.row.label} is not ready: {readiness.reason}. {option.row.setup}")
            return False
        return await self.choose(option)

    async def pick(self) -> bool:
        """Let the person choose from all of them."""
        # Imported when wanted: a list and a filter box are not part of the first frame.
        from todo_tui.tui.screens.model_picker import ModelPicker

        choice = await self._screen.app.push_screen_wait(ModelPicker(self._switch))
        option = self._screen_option(choice)
        if choice is None or option is None:
            return False
        return await self.choose(option, choice.model)

    async def choose(self, option: ProviderOption, model: str = "") -> bool:
        """Switch after asking, where words would leave the machine for the first time."""
        if not self._switch.agreed(option):
            from todo_tui.tui.screens.consent import ConsentScreen  # as above

            if not await self._screen.app.push_screen_wait(
                ConsentScreen(option, model or option.model)
            ):
                return False
            if not self._remember(lambda: self._switch.agree(option)):
                return False
        self._remember(lambda: self._switch.choose(ProviderChoice(option.row.id, model)))
        self._changed()
        return True

    def _screen_option(self, choice: ProviderChoice | None) -> ProviderOption | None:
        if choice is None:
            return None
        return next((each for each in self._switch.options if each.row.id == choice.row_id), None)

    def _remember(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except TodoError as error:
            self._say(f"{error.message} {error.hint or ''}")
            return False
        return True

    def _say(self, words: str) -> None:
        self._screen.app.notify(plain_line(words), markup=False)
