"""Provider row: the description of one provider, built in or of the user's own; its settings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from todo_tui.config.endpoint import parse_endpoint
from todo_tui.domain.errors import ConfigError


def variable_prefix(provider_id: str) -> str:
    """Return the prefix of a provider's environment variables: `GEMINI_NATIVE`."""
    return provider_id.upper().replace("-", "_")


class Wire(StrEnum):
    """Wire formats; each has one factory in factory.py."""

    OFFLINE = "offline"
    CHAT = "chat"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GEMINI = "gemini"


class ProviderRow(NamedTuple):
    """Row of one provider; environment variables derive from its id: `GROQ_API_KEY`, `GROQ_MODEL`.

    `base_url` is empty for providers without a network. `other_base_urls` are tried
    as well, unless a setting names an address.
    """

    id: str
    label: str
    wire: Wire
    base_url: str = ""
    other_base_urls: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    """Variables that may hold the key, the first choice first."""
    same_key_as: str = ""
    """Another row of the same service, whose stored key is valid here; empty: none."""
    token_variables: tuple[str, ...] = ()
    """Variables that may hold a bearer token, for services with a key header of their own."""
    model_patterns: tuple[str, ...] = ()
    """Patterns of its model names, to find the provider by a model name alone."""
    extra: str = ""
    """Extra of todo-tui to install; empty: none."""
    default_model: str = ""
    """Default model; empty: the first that the server lists."""
    needs_key: bool = False
    about: str = ""
    """Short description for pickers and help."""
    setup: str = ""
    """Setup instructions, one sentence."""
    custom: bool = False
    """Described by the user's configuration; not built in."""

    @property
    def remote(self) -> bool:
        """True if messages leave this machine and its network, which needs consent.

        An address that cannot be read counts as remote.
        """
        try:
            return bool(self.base_url) and not parse_endpoint(self.base_url, "base_url").is_near
        except ConfigError:
            return True

    @property
    def key_names(self) -> tuple[str, ...]:
        """Names under which its key may be stored, its own first."""
        return (self.id, self.same_key_as) if self.same_key_as else (self.id,)

    @property
    def key_variable(self) -> str:
        """Variable that setup instructions and errors name for its key."""
        return next(iter(self.key_variables), f"{variable_prefix(self.id)}_API_KEY")

    @property
    def setup_names_key(self) -> bool:
        """True if `setup` says how to set the key, so that nothing else need say it."""
        return self.key_variable in self.setup

    @property
    def base_url_variable(self) -> str:
        """Variable that overrides the base URL."""
        return f"{variable_prefix(self.id)}_BASE_URL"

    def urls(self, base_url: str) -> tuple[str, ...]:
        """Return the base URLs in the order to try; `base_url` comes from the settings."""
        if self.base_url and base_url in ("", self.base_url):
            return (self.base_url, *self.other_base_urls)
        return (base_url,) if self.base_url else ()


@dataclass(frozen=True, slots=True)
class ProviderOption:
    """Registry row combined with its settings; built without any request."""

    row: ProviderRow
    model: str
    """Configured model, else the row's default; empty if the server decides."""
    host: str
    """Destination of requests for display: `api.groq.com` or `127.0.0.1:11434`; empty: nowhere.
    Lists all addresses if several are tried."""
    key_found: bool
    """True if the key was found, if one is needed."""
    remote: bool
    """True if messages go to another network; an address can make a local row remote."""
    asks_keyring: bool = False
    """True if the key, found nowhere else, may be in the system keyring, which is slow to read."""
    agreed: bool = False
    """True if a flag, the environment or the configuration names the option or its host."""
    places: tuple[str, ...] = ()
    """Addresses as `host:port`, for which consent is given."""
    used: bool = False
    """True if a flag, the environment or the configuration uses the option for something."""

    @property
    def costs(self) -> bool:
        """True if calls have a price, which holds for a hosted row behind a local proxy too."""
        return self.row.remote or self.remote


def format_model(row: ProviderRow | None, provider: str, model: str) -> str:
    """Return `Groq · gpt-oss-120b`; the label alone for the built-in assistant, which has rules.

    `row` is that of the provider's id, None if it is not configured any more.
    """
    if row is None:
        return " · ".join(filter(None, (provider, model)))
    short_name = "" if row.wire is Wire.OFFLINE else model.rpartition("/")[2]
    return " · ".join(filter(None, (row.label, short_name)))


def custom_provider(
    provider_id: str,
    label: str,
    wire: str,
    base_url: str,
    key_variable: str = "",
    model: str = "",
    *,
    needs_key: bool = False,
) -> ProviderRow:
    """Build the row of a provider that the user has described in the configuration."""
    variable = key_variable or f"{variable_prefix(provider_id)}_API_KEY"
    return ProviderRow(
        id=provider_id,
        label=label,
        wire=Wire(wire),
        base_url=base_url,
        key_variables=(variable,),
        default_model=model,
        needs_key=needs_key,
        about="custom",
        setup=f"Custom provider from your configuration. Set its API key in {variable}.",
        custom=True,
    )
