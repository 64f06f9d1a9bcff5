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
    """Return `provider:model`, the origin of messages."""
    return f"{provider.id}:{provider.model}"


@dataclass(frozen=True, slots=True)
class SkippedFallback:
    """A fallback that could not be opened, with the reason."""

    label: str
    reason: str

    def __str__(self) -> str:
        """Return text such as `Gemini cannot (Gemini needs a key)`."""
        return f"{self.label} cannot ({self.reason.rstrip('.')})"


class ProviderChain:
    """Current provider of a turn and its fallbacks, each of which is opened at most once."""

    def __init__(self, provider: Provider, fallbacks: Sequence[Fallback]) -> None:
        self.provider = provider
        self.skipped: list[SkippedFallback] = []
        """Fallbacks passed over by the latest failover."""
        self._remaining = list(fallbacks)
        self._failed: list[Provider] = []
        self._opened: list[Provider] = []

    async def fail_over(self) -> Fallback | None:
        """Switch to the next fallback that can be opened; None if there is none left.

        A model that has failed in this turn is left out. Fallbacks that cannot be opened
        are in `skipped`.
        """
        self._failed.append(self.provider)
        self.skipped = []
        while self._remaining:
            fallback = self._remaining.pop(0)
            try:
                provider = await fallback.open()
            except TodoError as error:
                _log.warning("%s could not take over: %s", fallback.id, error.message)
                self.skipped.append(SkippedFallback(fallback.label, error.message))
                continue
            self._opened.append(provider)
            if not any(_is_same_model(provider, failed) for failed in self._failed):
                self.provider = provider
                return fallback
        return None

    async def close(self) -> None:
        """Close the fallbacks; the first provider belongs to the caller."""
        opened, self._opened = self._opened, []
        for provider in opened:
            await close_provider(provider)


async def close_provider(provider: Provider) -> None:
    """Close a provider's connections; log errors and go on."""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
            await provider.aclose()
    except Exception:
        _log.warning("%s could not be closed", provider.id, exc_info=True)


def _is_same_model(one: Provider, failed: Provider) -> bool:
    """Return True for the same model; an unknown model of the same provider may be it."""
    return one.id == failed.id and one.model in (failed.model, "")
