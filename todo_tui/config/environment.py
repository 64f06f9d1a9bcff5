"""Environment variables as settings."""

from __future__ import annotations

from collections.abc import Mapping


class Environment:
    """Variables as settings; an empty one counts as unset."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str) -> str | None:
        """The value without blanks around it; None when unset or empty."""
        return self._environ.get(name, "").strip() or None


def variable_prefix(provider_id: str) -> str:
    """What the names of a provider's variables begin with: `GEMINI_NATIVE`."""
    return provider_id.upper().replace("-", "_")
