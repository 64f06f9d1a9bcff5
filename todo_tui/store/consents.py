"""The hosts to which a user agreed to send messages."""

from __future__ import annotations

from todo_tui.store.memory import Memory

_AGREED = "agreed:"


class HostConsents:
    """Consent by `host:port`; that to one is none to another, nor to another port."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def covers(self, place: str, provider_id: str = "") -> bool:
        """Whether this user agreed to send to that `host:port`.

        `provider_id` finds what earlier versions remembered: the host of one provider.
        """
        if self._memory.get(_AGREED + place) is not None:
            return True
        host = self._memory.get(_AGREED + provider_id) if provider_id else None
        return host is not None and host in (place, place.removesuffix(":443"))

    def give(self, *places: str) -> None:
        """Remember that this user agreed to these.

        Raises:
            StoreError: nothing was written.
        """
        for place in places:
            self._memory.set(_AGREED + place, place)
