"""When what answers is loaded: not for who only looks at the list, at once for who writes."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from todo_tui.tui.later import Later
from todo_tui.tui.provider_switch import ProviderSwitch


class WarmUp:
    """Opens the client of the model that is chosen before it is needed.

    `changed` is called when the model's name is there as its server knows it.
    """

    def __init__(
        self, screen: Screen[None], switch: ProviderSwitch, changed: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._switch = switch
        self._changed = changed
        self._awaits_writing = False

    async def begin(self, *, is_writing: bool) -> None:
        """The conversation is on screen: load what all models need, and learn how they stand.

        One behind a server is opened now, since its answer takes its time anyway; the
        built-in assistant with the first letter, as what it knows takes much memory.
        """
        if self._switch.option.host or is_writing:
            await self._open()
        else:
            self._awaits_writing = True
        await self._switch.begin_warming_up()
        chosen = self._switch.option
        await self._switch.look_around()
        self._awaits_writing |= self._switch.option is not chosen
        self._changed()

    def written(self) -> None:
        """Somebody writes."""
        if self._awaits_writing:
            self.anew()

    def anew(self) -> None:
        """Another model is chosen, or the present one is wanted."""
        self._awaits_writing = False
        self._screen.run_worker(Later(self._open), name="model", group="warm-up", exclusive=True)

    async def _open(self) -> None:
        await self._switch.warm_up()
        self._changed()
