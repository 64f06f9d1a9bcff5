"""Consent check of a provider: may messages be sent to its host?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from todo_tui.domain.errors import ConsentNeeded
from todo_tui.providers.server import Server

MaySend = Callable[[str], bool]
"""Predicate: has the user agreed to send to a `host:port`? May block: call it in a thread."""


def anywhere(place: str) -> bool:
    """Allow every host: the caller has made sure of consent."""
    return True


def require_consent(provider_id: str, servers: Sequence[Server], may_send: MaySend) -> None:
    """Check that the user agreed to every server a request may reach.

    Raises:
        ConsentNeeded: the person has not agreed to one of them.
    """
    places = tuple(server.endpoint.place for server in servers)
    if not all(map(may_send, places)):
        address = " or ".join(server.endpoint.address for server in servers)
        raise ConsentNeeded(provider_id, servers[0].label, address=address, places=places)
