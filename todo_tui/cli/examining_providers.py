"""Doctor's look at the providers: only those that are to be used can be wrong."""

from __future__ import annotations

import asyncio

from todo_tui.cli import wiring
from todo_tui.cli.findings import Finding, bad, good, neutral
from todo_tui.cli.missing_packages import cure_if_missing
from todo_tui.cli.standing import endpoint_of, with_keys
from todo_tui.config.settings import Settings
from todo_tui.tui.workbench import ProviderOption


async def provider_findings(settings: Settings) -> list[Finding]:
    """One finding a provider, ours first, in registry order; nothing remote is contacted."""
    options = wiring.provider_options(settings)
    # The keyring may put a question to the person: only for who is to be used.
    settings = await with_keys(settings, [option for option in options if option.used])
    return list(await asyncio.gather(*(_finding(settings, option) for option in options)))


async def _finding(settings: Settings, option: ProviderOption) -> Finding:
    row = option.row
    name = row.label
    if any(own.id == row.id for own in settings.own_providers):
        endpoint = endpoint_of(settings, row)
        place = f" at {endpoint.address}" if endpoint else ""
        name = f"{row.label} (your own {row.id}{place})"
    if cure := cure_if_missing(row):
        what = f"{name}: not installed"
        return bad(what, f"Run: {cure}") if option.used else neutral(f"{what}; {cure}")
    may_send = wiring.may_send_of(settings, row.id, None)
    readiness = await wiring.readiness_of(settings, row.id, may_send=may_send)
    source = settings.providers[row.id].key_source
    key = f", key from {source}" if source else ""
    what = f"{name}: {readiness.reason}{key}"
    if readiness.ready:
        return good(what)
    if option.used:
        return bad(what, row.setup)
    return neutral(what)
