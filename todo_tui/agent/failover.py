"""Provider chain of a turn: the selected provider and its fallbacks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.agent.config import Fallback
from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import Provider

_CLOSE_TIMEOUT_SECONDS = 2.0

_log = logging.getLogger(__name__)


def origin_of(provider: Provider) -> str:
    """`provider:model`, as messages carry it."""
    return f"{provider.id}:{provider.model}"


@dataclass(frozen=True, slots=True)
class SkippedFallback:
    """An understudy that could not take over, and why."""

    label: str
    reason: str

    def __str__(self) -> str:
        """`Gemini cannot (Gemini needs a key)`."""
        return f"{self.label} cannot ({self.reason.rstrip('.')})"


class ProviderChain:
    """The provider of a turn and its understudies; each of them has one try at most."""

    def __init__(self, provider: Provider, understudies: Sequence[Fallback]) -> None:
        self.provider = provider
        self.skipped: list[SkippedFallback] = []
        """Those that were passed over since the last one took over."""
        self._waiting = list(understudies)
        self._failed: list[Provider] = []
        self._opened: list[Provider] = []

    async def fail_over(self) -> Fallback | None:
        """Let the next understudy that can be opened take over; None: there is none left.

        It is never one that has failed in this turn. Those that cannot be opened are in
        `absent`.
        """
        self._failed.append(self.provider)
        self.skipped = []
        while self._waiting:
            understudy = self._waiting.pop(0)
            try:
                provider = await understudy.open()
            except TodoError as error:
                _log.warning("%s could not take over: %s", understudy.id, error.message)
                self.skipped.append(SkippedFallback(understudy.label, error.message))
                continue
            self._opened.append(provider)
            if not any(_is_same_model(provider, failed) for failed in self._failed):
                self.provider = provider
                return understudy
        return None

    async def close(self) -> None:
        """Close the understudies; the provider of the desk is not ours."""
        opened, self._opened = self._opened, []
        for provider in opened:
            await close_provider(provider)


async def close_provider(provider: Provider) -> None:
    """Close a provider's connections; what goes wrong with that spoils no turn."""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
            await provider.aclose()
    except Exception:
        _log.warning("%s could not be closed", provider.id, exc_info=True)


def _is_same_model(one: Provider, failed: Provider) -> bool:
    """Whether it is the same model; one that is not known yet may well be."""
    return one.id == failed.id and one.model in (failed.model, "")
