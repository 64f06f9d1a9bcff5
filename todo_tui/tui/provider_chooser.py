"""Switching to another model: the questions and notices around a ProviderSwitch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderChoice, ProviderOption, Workbench

if TYPE_CHECKING:
    # Wanted when somebody chooses, which is after the first frame.
    from todo_tui.tui.model_catalog import ModelCatalog


class ProviderChooser:
    """Asks for consent before a remote host is used, and says what happens.

    Its coroutines wait for a person and therefore run in a worker; each says whether
    another model was chosen.
    """

    def __init__(
        self,
        screen: Screen[None],
        workbench: Workbench,
        switch: ProviderSwitch,
        changed: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._workbench = workbench
        self._switch = switch
        self._changed = changed
        self._catalog: ModelCatalog | None = None

    @property
    def catalog(self) -> ModelCatalog:
        """What is known of all models; made when it is first wanted."""
        if self._catalog is None:
            from todo_tui.tui.model_catalog import ModelCatalog  # not part of the first frame

            self._catalog = ModelCatalog(self._workbench, self._switch)
        return self._catalog

    async def go_to_next(self) -> bool:
        """The next provider in order that is ready."""
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
        return await self.go_to_ready(options[number - 1])

    async def go_to_ready(self, option: ProviderOption, model: str = "") -> bool:
        """That provider; says why where it is not ready, after another look at it.

        One that was ready when it was last looked at is taken at its word: should its
        server be gone, the first turn says so.
        """
        if not self._switch.is_ready(option):
            await self._switch.learn(option)
        if not self._switch.is_ready(option):
            self._say(self._switch.lacks(option))
            return False
        return await self.choose(option, model)

    async def go_to_model(self, name: str) -> bool:
        """The model of that name; a list of them where several fit."""
        # As above: commands are typed later.
        from todo_tui.tui.model_naming import Meant, Several, model_meant

        match model_meant(self._switch, self.catalog, name):
            case Meant(option, model):
                return await self.go_to_ready(option, model)
            case Several():
                return await self.pick(name)
            case unknown:
                self._say_unknown("model", name, unknown.near)
                return False

    async def go_to_provider(self, name: str) -> bool:
        """The provider of that name, with its own model."""
        from todo_tui.tui.model_naming import Meant, provider_meant  # as above

        match provider_meant(self._switch.options, name):
            case Meant(option):
                return await self.go_to_ready(option)
            case unknown:
                self._say_unknown("provider", name, unknown.near)
                return False

    async def pick(self, typed: str = "") -> bool:
        """Let the person choose from all of them; `typed` filters the list to begin with."""
        # Imported when wanted: a list and a filter box are not part of the first frame.
        from todo_tui.tui.screens.model_picker import ModelPicker

        picker = ModelPicker(self._switch, self.catalog, typed=typed)
        choice = await self._screen.app.push_screen_wait(picker)
        option = self._workbench.option(choice.row_id) if choice is not None else None
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
            try:
                self._switch.agree(option)
            except TodoError as error:
                self._complain(error)
                return False
        self._switch.choose(ProviderChoice(option.row.id, model))
        # Whoever is told begins to open it, and what is slow about that should not wait.
        self._changed()
        try:
            await self._switch.remember_choice()
        except TodoError as error:
            self._complain(error)
        return True

    def _complain(self, error: TodoError) -> None:
        self._say(f"{error.message} {error.hint or ''}")

    def _say_unknown(self, what: str, name: str, near: Sequence[str]) -> None:
        nearest = f"Near: {', '.join(near)}. " if near else ""
        self._say(f"There is no {what} “{name}”. {nearest}F2 lists all of them.")

    def _say(self, words: str) -> None:
        self._screen.app.notify(plain_line(words), markup=False)
