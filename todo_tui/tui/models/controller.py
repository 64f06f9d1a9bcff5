"""Model controller: switching by key or command, consent, notices, preloading of the client."""

from collections.abc import Sequence
from contextlib import suppress

from textual import work
from textual.message import Message

from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ModelName
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line, similar
from todo_tui.tui.background import BackgroundWidget
from todo_tui.tui.chat.slash_commands import CommandRefused
from todo_tui.tui.models.catalog import ModelCatalog, find_provider
from todo_tui.tui.models.picker import ModelPicker
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.screens.consent import obtain_consent
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.status_bar import ActiveModel


class ModelController(BackgroundWidget):
    """Switches provider and model, and opens the client of the selected one in advance.

    Asks for consent first. The coroutines that return whether the model changed wait for the user
    and run in a worker.
    """

    class Switched(Message):
        """Posted when another model was selected."""

    class Changed(Message):
        """Posted when the name or the readiness of a model may have become known."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self._is_demo = services.demo
        self.switch = ProviderSwitch(services)
        self.catalog = ModelCatalog(services, self.switch)

    @property
    def active_model(self) -> ActiveModel:
        """Selected model as the status bar shows it."""
        switch = self.switch
        known = switch.readiness(switch.option)
        return ActiveModel(
            provider=switch.option.row.label,
            model=switch.model if switch.option.host else "",
            others_ready=switch.others_ready,
            demo=self._is_demo,
            missing_text=known.state.value if known is not None and not known.ready else "",
        )

    def report_missed(self) -> None:
        """Tell that the remembered provider cannot be used, once."""
        if missed := self.switch.missed:
            self.switch.missed = ""
            self._notify(f"{missed} is unavailable. The built-in assistant answers instead.")

    # Switching

    def choose_model(self, name: str = "") -> None:
        """Switch to the model of that name or number; without one, open the picker."""
        self._choose_typed("model", name)

    def choose_provider(self, name: str = "") -> None:
        """Switch to the provider of that name; without one, open the picker."""
        self._choose_typed("provider", name)

    @work(group="model", exclusive=True)
    async def _choose_typed(self, command: str, name: str) -> None:
        switch = self.switch_to_typed if command == "model" else self.switch_to_provider
        if not name:
            await self.pick()
        elif not await switch(name):
            self.post_message(CommandRefused(f"/{command} {name}"))

    @work(group="model", exclusive=True)
    async def choose_number(self, number: int) -> None:
        """Switch to the provider of that number."""
        await self.switch_to_number(number)

    async def switch_to_next(self) -> bool:
        """Switch to the next provider that is ready."""
        option = await self.switch.next_ready()
        if option is None:
            self._notify("No other model is ready. Press F2 to set one up.")
            return False
        return await self._choose(option)

    async def switch_to_number(self, number: int) -> bool:
        """Switch to the provider of that number; reports why if it is not ready."""
        if not 1 <= number <= len(self.switch.options):
            self._notify(f"There is no model {number}. Press F2 to list all.")
            return False
        return await self._switch_if_ready(self.switch.options[number - 1])

    async def switch_to_typed(self, name: str) -> bool:
        """Switch to the model of that name, or to the provider of that number."""
        if name.isdecimal():
            return await self.switch_to_number(int(name))
        return await self.switch_to_model(name)

    async def switch_to_model(self, name: str) -> bool:
        """Switch to the model of that name; opens the picker if several match.

        The name of a provider without a ready model tells what the provider lacks.
        """
        match self.catalog.find_model(name):
            case [row]:
                return await self._switch_if_ready(row.option, row.choice.model)
            case [] if name.casefold() in self._provider_names():
                return await self.switch_to_provider(name)
            case []:
                self._notify_unknown("model", name, self.catalog.similar_models(name))
                return False
            case _:
                return await self.pick(name)

    async def switch_to_provider(self, name: str) -> bool:
        """Switch to the provider of that name, with its default model."""
        found = find_provider(self.switch.options, name)
        if len(found) == 1:
            return await self._switch_if_ready(found[0])
        ids = [option.row.id for option in found or self.switch.options]
        self._notify_unknown("provider", name, ids if found else similar(name, ids))
        return False

    def _provider_names(self) -> set[str]:
        rows = [option.row for option in self.switch.options]
        return {name.casefold() for row in rows for name in (row.id, row.label)}

    async def pick(self, typed: str = "") -> bool:
        """Open the picker, filtered by `typed`."""
        picker = ModelPicker(self.catalog, typed=typed)
        row = await self.app.push_screen_wait(picker)
        return row is not None and await self._choose(row.option, row.choice.model)

    async def pick_other(
        self, provider: str, model: str, typed: str, message: str
    ) -> ModelName | None:
        """Return the model to compare with: the one typed, else the one picked.

        `message` is the one that it will answer. The name of a provider means its selected
        model, or another if that has answered. None without choice or consent.
        """
        named = self.catalog.models_of(typed)
        found = named or (self.catalog.find_model(typed) if typed else [])
        others = [row for row in found if not row.is_model(provider, model)]
        if named:
            others = others[:1]
        if len(others) == 1 and others[0].ready:
            row = others[0]
            is_allowed = await self._has_consent(row.option, row.choice.model)
            return row.choice if is_allowed else None
        if found and not others:
            self._notify(f"{found[0].model or typed} gave this answer. Choose another model.")
            typed = ""
        picker = ModelPicker(
            self.catalog,
            typed=typed,
            title=f"Compare answers to “{message}” with",
            command="compare",
            without=(provider, model),
        )
        picked = await self.app.push_screen_wait(picker)
        if picked is None or not await self._has_consent(picked.option, picked.choice.model):
            return None
        return picked.choice

    async def _switch_if_ready(self, option: ProviderOption, model: str = "") -> bool:
        """Switch to a provider; reports why if it is still not ready when checked again.

        One that was ready at the last check is not checked again: if its server is gone, the first
        turn reports that.
        """
        if not self.switch.is_ready(option):
            await self.switch.check_readiness(option)
        if not self.switch.is_ready(option):
            self._notify(self.switch.missing_text(option))
            return False
        return await self._choose(option, model)

    async def _choose(self, option: ProviderOption, model: str = "") -> bool:
        if not await self._has_consent(option, model):
            return False
        self.switch.choose(ModelName(option.row.id, model))
        # It starts opening the client, which is slow, so it comes first.
        self.post_message(self.Switched())
        try:
            await self.switch.remember_choice()
        except TodoError as error:
            self._notify(error.text)
        return True

    async def _has_consent(self, option: ProviderOption, model: str) -> bool:
        """Return whether messages may be sent to the option's host; ask if that is open."""
        return self.switch.has_consent(option) or await obtain_consent(
            self.app, self.switch, option, model or option.model
        )

    def _notify_unknown(self, what: str, name: str, near: Sequence[str]) -> None:
        nearest = f"Did you mean {', '.join(near)}? " if near else ""
        self._notify(f"Unknown {what} “{name}”. {nearest}Press F2 to list all.")

    def _notify(self, text: str) -> None:
        self.app.notify(plain_line(text))

    # Opening the client before it is needed

    async def preload(self) -> None:
        """Open the client and check which providers are ready; called after the first frame."""
        await self._open_client()
        await self.switch.check_local_readiness()
        # Another model, if the remembered one cannot be used.
        await self._open_client()

    @work(name="model", group="warm-up", exclusive=True)
    async def open_client_soon(self) -> None:
        """Open the client of the selected model in a worker."""
        await self._open_client()

    async def _open_client(self) -> None:
        # Errors are reported when it is used.
        with suppress(TodoError):
            await self.switch.run_config()
        self.post_message(self.Changed())


def ready_model_lines(switch: ProviderSwitch, key: str) -> tuple[str, ...]:
    """Return hints for an empty conversation: ready models, or the key that connects one."""
    ready = [
        f"{option.row.label} is ready: type /model {number} to switch."
        for number, option in enumerate(switch.options, start=1)
        if option is not switch.option and option.host and switch.is_ready(option)
    ]
    if ready:
        return tuple(ready)
    if switch.option.host or not any(option.host for option in switch.options):
        return ()
    return (f"Press {key} to connect a model that understands more.",)
