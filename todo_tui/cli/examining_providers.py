"""Doctor's look at the providers: only the one that was asked for can be wrong."""

from __future__ import annotations

import asyncio

from todo_tui.cli import wiring
from todo_tui.cli.findings import Finding, bad, good, neutral
from todo_tui.config.settings import Settings
from todo_tui.tui.workbench import ProviderOption


async def provider_findings(settings: Settings) -> list[Finding]:
    """One finding a provider, in registry order; nothing remote is contacted."""
    options = wiring.provider_options(settings)
    return list(await asyncio.gather(*(_finding(settings, option) for option in options)))


async def _finding(settings: Settings, option: ProviderOption) -> Finding:
    readiness = await wiring.readiness_of(settings, option.row.id)
    source = settings.providers[option.row.id].key_source
    key = f", key from {source}" if source else ""
    what = f"{option.row.label}: {readiness.reason}{key}"
    if readiness.ready:
        return good(what)
    if option.agreed:
        return bad(what, option.row.setup)
    return neutral(what)
