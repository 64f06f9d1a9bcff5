"""Scripted providers with names of their own, and fallbacks made of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tests.scripted import Round, Script, ScriptedProvider, in_order
from todo_tui.agent.run_config import Fallback
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind
from todo_tui.domain.messages import Provider


class NamedProvider(ScriptedProvider):
    """Scripted provider with any name."""

    def __init__(
        self,
        name: str,
        *rounds: Round,
        model: str = "m",
        local: bool = True,
        script: Script | None = None,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        options = {} if sleep is None else {"sleep": sleep}
        super().__init__(script or in_order(*rounds), model=model, local=local, **options)
        self.name = name

    @property
    def id(self) -> str:
        return self.name


def available_fallback(provider: Provider, label: str = "") -> Fallback:
    """Make a fallback that opens as this provider."""

    async def opened() -> Provider:
        return provider

    return Fallback(provider.id, label or provider.id.title(), opened)


def missing(label: str, reason: str = "") -> Fallback:
    """Make a fallback that fails to open."""

    async def opened() -> Provider:
        raise ConfigError(reason or f"{label} needs an API key.")

    return Fallback(label.lower(), label, opened)


def error(
    kind: ProviderErrorKind,
    message: str = "",
    *,
    retry_after: float | None = None,
) -> ProviderError:
    return ProviderError(
        kind,
        message or f"It is {kind}.",
        hint="Do this.",
        retry_after=retry_after,
    )
