"""Every provider that is reached over a network, ours and one of the person's own a wire."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from todo_tui.config.settings import OwnProvider, ProviderSettings
from todo_tui.domain.clock import NewId, random_id
from todo_tui.domain.request import Provider
from todo_tui.domain.secret import Secret
from todo_tui.providers.opening import open_provider
from todo_tui.providers.registry import ProviderRow, Wire, rows_of

KEY = "gsk_0123456789abcdef"

OWN = tuple(
    OwnProvider(f"own-{wire}", f"Own {wire}", wire, "https://api.example.com/v1", needs_key=True)
    for wire in ("chat", "responses", "messages")
)


@dataclass(frozen=True, slots=True)
class Remote:
    """A row of the registry, with the model that it is asked for."""

    row: ProviderRow
    model: str

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def wire(self) -> Wire:
        return self.row.wire

    @property
    def origin(self) -> str:
        return f"{self.id}:{self.model}"

    @property
    def llmock_path(self) -> str:
        """What LLMock's address is followed by in this row's base URL."""
        if self.id == "groq":
            return "/groq"
        return {Wire.MESSAGES: "/anthropic", Wire.GEMINI: "/gemini"}.get(self.wire, "/v1")

    def at(self, url: str, *, new_id: NewId = random_id, **settings: object) -> Provider:
        """Its provider, moved to that address; `settings` are fields of ProviderSettings."""
        return open_provider(self.row, self.settings(base_url=url, **settings), new_id=new_id)

    def settings(self, **fields: object) -> ProviderSettings:
        """Settings with a key and the model, and what else is named."""
        named = {"key": Secret(KEY), "model": self.model, **fields}
        return ProviderSettings(**named)  # type: ignore[arg-type]  # its fields by name


def _landed(row: ProviderRow) -> bool:
    packages = {Wire.RESPONSES: "responses", Wire.MESSAGES: "messages", Wire.GEMINI: "gemini"}
    name = packages.get(row.wire, "chat")
    try:
        return find_spec(f"todo_tui.providers.{name}.format") is not None
    except ModuleNotFoundError:
        return False


REMOTES = tuple(
    Remote(row, row.default_model or "qwen3.5")
    for row in rows_of(OWN)
    if row.base_url and _landed(row)
)
"""All of them, in the order of the registry."""


def remote(row_id: str) -> Remote:
    """The one of that id."""
    return next(each for each in REMOTES if each.id == row_id)
