"""Server: address, credentials, consent to send there, and the error messages that name it."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from todo_tui.config.endpoint import Endpoint, parse_endpoint
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, ConsentNeeded, ProviderError, ProviderErrorKind
from todo_tui.domain.secret import DOTS
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.providers.credentials import Credential, KeyHeader
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.traits import ServerTraits, server_traits

MaySend = Callable[[str], bool]
"""Predicate: has the user agreed to send to a `host:port`? May block: call it in a thread."""
_KEY_SHAPES = re.compile(
    r"\b(?:sk|gsk|xai|csk|pplx|hf)[-_][\w-]{8,}|\bAIza[\w-]{10,}|(?i:(?<=bearer )\S+)"
)
_MAX_DETAIL_LENGTH = 2000
_MAX_SCANNED_CHARACTERS = 30_000
"""Characters of an error that are scanned: more than is shown, as keys are removed first."""
_MAX_REASON_LENGTH = 200
_ERROR_TEXTS: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("error_texts.json").read_text(encoding="utf-8")
)
"""Error text and next step by kind; a reason may follow the error text."""


@dataclass(frozen=True, slots=True)
class Server:
    """Address of a model server, and its names in errors; the credential never appears in them."""

    label: str
    endpoint: Endpoint
    key_variable: str
    """Source of its key; without a key, the variable that may hold one."""
    base_url_variable: str
    """Variable that set its address, or could."""
    model: str = ""
    credential: Credential = field(default_factory=Credential)
    traits: ServerTraits = field(default_factory=ServerTraits)
    key_name: str = ""
    """Name under which `todo-tui keys set` saves its key; empty if a key of that would not help."""

    def error(
        self,
        kind: ProviderErrorKind,
        *,
        message: str = "",
        reason: str = "",
        hint: str = "",
        retry_after: float | None = None,
        detail: str = "",
    ) -> ProviderError:
        """Build an error of that kind, its text completed by a reason or replaced by a message.

        Message and hint may use the fields that the table's sentences use; reason
        and detail are taken as they are, made safe to show, keys removed.
        """
        texts = _ERROR_TEXTS[kind]
        stem = self._filled(message or texts["message"])
        shown = (
            self._safe(plain_line(reason[:_MAX_SCANNED_CHARACTERS]), _MAX_REASON_LENGTH)
            .strip()
            .rstrip(".")
        )
        return ProviderError(
            kind,
            f"{stem}: {shown}." if shown else f"{stem}.",
            hint=self._filled(hint or self.traits.hints.get(kind, texts["hint"])),
            retry_after=retry_after,
            detail=self._safe(plain_text(detail[:_MAX_SCANNED_CHARACTERS]), _MAX_DETAIL_LENGTH),
        )

    def _filled(self, template: str) -> str:
        return template.format(
            label=self.label,
            address=self.endpoint.address,
            model=plain_line(self.model) or "the model",
            key_variable=self.key_variable,
            base_url_variable=self.base_url_variable,
            or_set_key=self._or_set_key,
        )

    @property
    def _or_set_key(self) -> str:
        """How to save another key, which is used where no variable has one."""
        if not self.key_name:
            return ""
        is_variable = self.credential.key is not None and self.key_variable.isupper()
        unset = "unset it and " if is_variable else ""
        return f", or {unset}run: todo-tui keys set {self.key_name}"

    def redact(self, text: str) -> str:
        """Return the text with the key, and whatever looks like one, replaced by dots."""
        return _KEY_SHAPES.sub(DOTS, self.credential.redact(text))

    def _safe(self, text: str, longest: int) -> str:
        text = self.redact(text)
        return text if len(text) <= longest else f"{text[: longest - 1]}…"


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


def servers_of(row: ProviderRow, settings: ProviderSettings) -> tuple[Server, ...]:
    """Return the servers of a row, in the order to try; empty without a network.

    Raises:
        ConfigError: its address cannot be used; the message names the variable. Or it may
            stand in a file that is ignored, or it is plain http:// beyond this machine, which
            the settings do not allow.
    """
    traits = server_traits(row)
    header = KeyHeader.BEARER if settings.bearer else traits.key_header
    credential = Credential(settings.key, header=header, command=settings.token_command)
    return tuple(
        Server(
            label=row.label,
            endpoint=_endpoint(row, url, settings),
            key_variable=settings.key_source or row.key_variable,
            base_url_variable=settings.base_url_source or row.base_url_variable,
            model=settings.model or row.default_model,
            credential=credential,
            traits=traits,
            key_name="" if settings.token_command else row.id,
        )
        for url in row.urls(settings.base_url)
    )


def _endpoint(row: ProviderRow, url: str, settings: ProviderSettings) -> Endpoint:
    traits = server_traits(row)
    source = settings.base_url_source or row.base_url_variable
    if settings.is_address_lost:
        raise ConfigError(
            f"config.toml is ignored, and may set the address of {row.label}.",
            hint="Correct the file: `todo-tui config check` names the line.",
        )
    endpoint = parse_endpoint(url, source, default_path=traits.default_path)
    if endpoint.is_readable_in_transit and not settings.allow_http:
        raise ConfigError(
            f"Plain http:// to {endpoint.address} ({source}) needs `allow_http = true` under "
            f"[providers.{row.id}] in config.toml.",
            hint="Messages and API key can be read in transit. Use https:// if possible.",
        )
    path = endpoint.path.removesuffix(traits.dropped_path)
    return Endpoint(endpoint.scheme, endpoint.host, endpoint.port, path)
