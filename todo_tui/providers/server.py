"""Server: address, credentials, consent to send there, and the error messages that name it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

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
_Kind = ProviderErrorKind
_ERROR_TEXTS: dict[ProviderErrorKind, tuple[str, str]] = {
    _Kind.AUTH: (
        "{label} refused the key",
        "Check the key, which is taken from {key_variable}.",
    ),
    _Kind.PERMISSION: (
        "{label} does not let this key use {model}",
        "Use another model, or check what the key is allowed to do.",
    ),
    _Kind.RATE_LIMIT: (
        "{label} is over its rate limit",
        "Wait a moment and try again, or use another model.",
    ),
    _Kind.QUOTA: (
        "The quota at {label} is used up",
        "Check plan and billing of the account, or use another provider.",
    ),
    _Kind.OVERLOADED: (
        "{label} is overloaded or down",
        "Try again in a while, or use another provider.",
    ),
    _Kind.TIMEOUT: (
        "{label} did not answer in time",
        "Try again, or use another provider.",
    ),
    _Kind.NETWORK: (
        "{label} did not answer",
        "Check the connection and that a server runs at {address}, then try again.",
    ),
    _Kind.BAD_REQUEST: (
        "{label} did not accept the request",
        "Start a new conversation or use another model; the log has the details.",
    ),
    _Kind.UNKNOWN_MODEL: (
        "{label} has no model “{model}”",
        "Choose another model.",
    ),
    _Kind.CONTEXT_TOO_LONG: (
        "The conversation is too long for {model}",
        "Start a new conversation, or use a model with a larger context.",
    ),
    _Kind.REFUSED: (
        "{label} declined to answer",
        "Say it in other words, or use another model.",
    ),
    _Kind.TRUNCATED: (
        "{label} broke off in the middle of its answer",
        "Try again.",
    ),
    _Kind.MALFORMED: (
        "{label} sent an answer that cannot be read",
        "Try again, or use another model.",
    ),
    _Kind.TOOLS_UNSUPPORTED: (
        "{model} cannot use tools, and without them it can do nothing with your tasks",
        "Choose a model that can.",
    ),
    _Kind.LOADING: (
        "{label} is still loading its model",
        "Try again in a moment.",
    ),
}
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

    def error(
        self,
        kind: ProviderErrorKind,
        *,
        message: str = "",
        reason: str = "",
        hint: str = "",
        retry_after: float | None = None,
        detail: str = "",
        may_be_too_long: bool = False,
    ) -> ProviderError:
        """Build an error of that kind, its text completed by a reason or replaced by a message.

        Message and hint may use the fields that the table's sentences use; reason
        and detail are taken as they are, made safe to show, keys removed.
        """
        sentence, next_step = _ERROR_TEXTS[kind]
        stem = self._filled(message or sentence)
        shown = (
            self._safe(plain_line(reason[:_MAX_SCANNED_CHARACTERS]), _MAX_REASON_LENGTH)
            .strip()
            .rstrip(".")
        )
        return ProviderError(
            kind,
            f"{stem}: {shown}." if shown else f"{stem}.",
            hint=self._filled(hint or self.traits.hints.get(kind, next_step)),
            retry_after=retry_after,
            detail=self._safe(plain_text(detail[:_MAX_SCANNED_CHARACTERS]), _MAX_DETAIL_LENGTH),
            may_be_too_long=may_be_too_long,
        )

    def _filled(self, template: str) -> str:
        return template.format(
            label=self.label,
            address=self.endpoint.address,
            model=plain_line(self.model) or "the model",
            key_variable=self.key_variable,
            base_url_variable=self.base_url_variable,
        )

    def _safe(self, text: str, longest: int) -> str:
        text = self.credential.redact(text)
        text = _KEY_SHAPES.sub(DOTS, text)
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
        ConfigError: its address cannot be used; the message names the variable. Or it is
            plain http:// beyond this machine, which the settings do not allow.
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
        )
        for url in row.urls(settings.base_url)
    )


def _endpoint(row: ProviderRow, url: str, settings: ProviderSettings) -> Endpoint:
    traits = server_traits(row)
    source = settings.base_url_source or row.base_url_variable
    endpoint = parse_endpoint(url, source, default_path=traits.default_path)
    if endpoint.scheme == "http" and not (endpoint.is_loopback or settings.allow_http):
        raise ConfigError(
            f"Plain http:// to {endpoint.address} ({source}) needs `allow_http = true` under "
            f"[providers.{row.id}] in config.toml.",
            hint="Messages and API key can be read on the way: use https:// where you can.",
        )
    path = endpoint.path.removesuffix(traits.dropped_path)
    return Endpoint(endpoint.scheme, endpoint.host, endpoint.port, path)
