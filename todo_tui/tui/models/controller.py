"""Model controller.

Switching by key or command, consent dialog, notices, status texts, preloading of the client.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.text import plain_line
from todo_tui.providers.endpoint import parse_endpoint
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import AppServices, ProviderChoice, ProviderOption
from todo_tui.tui.widgets.status_bar import ActiveModel

if TYPE_CHECKING:
    from todo_tui.tui.models.catalog import ModelCatalog


class ModelController:
    """Switches provider and model; asks for consent first and reports errors as notices.

    The coroutines wait for the user and run in a worker; each returns whether the model changed.
    """

    def __init__(
        self,
        screen: Screen[None],
        services: AppServices,
        switch: ProviderSwitch,
        changed: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._services = services
        self._switch = switch
        self._changed = changed
        self._catalog: ModelCatalog | None = None

    @property
    def catalog(self) -> ModelCatalog:
        """Catalog of models, created on first use."""
        if self._catalog is None:
            from todo_tui.tui.models.catalog import ModelCatalog  # not part of the first frame

            self._catalog = ModelCatalog(self._services, self._switch)
        return self._catalog

    async def switch_to_next(self) -> bool:
        """Switch to the next provider that is ready."""
        option = await self._switch.next_ready()
        if option is None:
            self._notify("No other model is ready. F2 shows how to set one up.")
            return False
        return await self.choose(option)

    async def switch_to_number(self, number: int) -> bool:
        """Switch to the provider of Alt+`number`; reports why if it is not ready."""
        options = self._switch.options
        if not 1 <= number <= len(options):
            return False
        return await self.switch_if_ready(options[number - 1])

    async def switch_if_ready(self, option: ProviderOption, model: str = "") -> bool:
        """Switch to a provider; reports why if it is still not ready when checked again.

        One that was ready at the last check is not checked again: if its server is gone, the first
        turn reports that.
        """
        if not self._switch.is_ready(option):
            await self._switch.check_readiness(option)
        if not self._switch.is_ready(option):
            self._notify(self._switch.missing_text(option))
            return False
        return await self.choose(option, model)

    async def switch_to_model(self, name: str) -> bool:
        """Switch to the model of that name; opens the picker if several match."""
        # Commands are typed after the first frame.
        from todo_tui.tui.models.catalog import AmbiguousName, ModelMatch, find_model

        match find_model(self._switch, self.catalog, name):
            case ModelMatch(option, model):
                return await self.switch_if_ready(option, model)
            case AmbiguousName():
                return await self.pick(name)
            case unknown:
                self._notify_unknown("model", name, unknown.near)
                return False

    async def switch_to_provider(self, name: str) -> bool:
        """Switch to the provider of that name, with its default model."""
        from todo_tui.tui.models.catalog import ModelMatch, find_provider  # as above

        match find_provider(self._switch.options, name):
            case ModelMatch(option):
                return await self.switch_if_ready(option)
            case unknown:
                self._notify_unknown("provider", name, unknown.near)
                return False

    async def pick(self, typed: str = "") -> bool:
        """Open the picker, filtered by `typed`."""
        # Opened by a key; not part of the first frame.
        from todo_tui.tui.models.picker import ModelPicker

        picker = ModelPicker(self._switch, self.catalog, typed=typed)
        choice = await self._screen.app.push_screen_wait(picker)
        option = self._services.option(choice.row_id) if choice is not None else None
        if choice is None or option is None:
            return False
        return await self.choose(option, choice.model)

    async def choose(self, option: ProviderOption, model: str = "") -> bool:
        """Switch after asking for consent, if the host needs it."""
        if not self._switch.has_consent(option):
            from todo_tui.tui.screens.consent import ConsentScreen  # as above

            if not await self._screen.app.push_screen_wait(
                ConsentScreen(option, model or option.model)
            ):
                return False
            try:
                self._switch.give_consent(option)
            except TodoError as error:
                self._show_error(error)
                return False
        self._switch.choose(ProviderChoice(option.row.id, model))
        # The callback starts opening the client, which is slow, so it comes first.
        self._changed()
        try:
            await self._switch.remember_choice()
        except TodoError as error:
            self._show_error(error)
        return True

    def _show_error(self, error: TodoError) -> None:
        self._notify(f"{error.message} {error.hint or ''}")

    def _notify_unknown(self, what: str, name: str, near: Sequence[str]) -> None:
        nearest = f"Near: {', '.join(near)}. " if near else ""
        self._notify(f"There is no {what} “{name}”. {nearest}F2 lists all of them.")

    def _notify(self, text: str) -> None:
        self._screen.app.notify(plain_line(text), markup=False)


def active_model(switch: ProviderSwitch, *, demo: bool) -> ActiveModel:
    """Return the status bar's model; the built-in assistant has no model name."""
    known = switch.readiness(switch.option)
    return ActiveModel(
        provider=switch.option.row.label,
        model=switch.model if switch.option.host else "",
        others_ready=switch.others_ready,
        demo=demo,
        missing_text=known.state.value if known is not None and not known.ready else "",
    )


def describe_destination(option: ProviderOption) -> str:
    """Return the sentence that says where messages go."""
    host = plain_line(option.host)
    if option.costs:
        return f"Messages are sent to {host}."
    if not host or all(map(_is_loopback, host.split(" or "))):
        return "Nothing leaves this machine."
    return f"Messages are sent to {host}, in your own network."


def _is_loopback(address: str) -> bool:
    try:
        return parse_endpoint(f"http://{address}", "").is_loopback
    except ConfigError:
        return False


def ready_model_lines(switch: ProviderSwitch) -> tuple[str, ...]:
    """Return hints for an empty conversation: ready models with keys, or how to set one up."""
    ready = [
        f"{option.row.label} is ready: Alt+{number} takes you there."
        for number, option in enumerate(switch.options, start=1)
        if option is not switch.option and option.host and switch.is_ready(option)
    ]
    if ready:
        return tuple(ready)
    # Two providers may share a key.
    keys = dict.fromkeys(
        option.row.key_variable for option in switch.options if option.row.needs_key
    )
    if not keys or switch.option.host:
        return ()
    return (
        f"A model understands more: set {' or '.join(keys)}, or run one on this machine."
        " F2 shows how.",
    )


class ClientPreloader:
    """Opens the client of the selected model before it is needed.

    Calls `changed` once the server's name of the model is known.
    """

    def __init__(
        self, screen: Screen[None], switch: ProviderSwitch, changed: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._switch = switch
        self._changed = changed
        self._awaits_writing = False

    async def begin(self, *, is_writing: bool) -> None:
        """Load what all providers need and check which are ready; called after the first frame.

        The client of a server is opened now, since its answer takes a while; the built-in assistant
        is loaded at the first typed letter, since its data takes much memory.
        """
        if self._switch.option.host or is_writing:
            await self._open()
        else:
            self._awaits_writing = True
        await self._switch.preload()
        chosen = self._switch.option
        await self._switch.check_local_readiness()
        self._awaits_writing |= self._switch.option is not chosen
        self._changed()

    def draft_changed(self) -> None:
        """Load the built-in assistant when a message is being typed."""
        if self._awaits_writing:
            self.restart()

    def restart(self) -> None:
        """Open the client of the selected model."""
        self._awaits_writing = False
        self._screen.run_worker(
            LazyCoroutine(self._open), name="model", group="warm-up", exclusive=True
        )

    async def _open(self) -> None:
        await self._switch.open_client()
        self._changed()
