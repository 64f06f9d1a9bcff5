"""Endpoint: a base URL, parsed and checked."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from todo_tui.domain.errors import ConfigError

_NEAR_SUFFIXES = (".localhost", ".local", ".lan", ".internal", ".home.arpa")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK_NETWORK = ipaddress.IPv4Network("127.0.0.0/8")
_LOOPBACK_ADDRESS = ipaddress.IPv6Address("::1")
_LOOPBACK_NAME = "localhost"
_NUMERIC_LABEL = re.compile(r"\d+|0x[0-9a-f]*")
"""Last label of a host that resolvers read as an IPv4 address: `134744072`, `0x8.8`, `127.1`."""
_CALL_NAMES = ("chat/completions", "responses", "messages", "models")
_KNOWN_PATH_SUFFIX = re.compile(
    rf"(?<!/){''.join(f'(?<!/{name})' for name in _CALL_NAMES)}(?:/(?:{'|'.join(_CALL_NAMES)})?)++$"
)
"""Path of an API call, which documentation appends to the base URL."""
_WILDCARD_HOSTS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what servers listen on


class Endpoint(NamedTuple):
    """Base URL in its parts; `path` has no trailing slash and may be empty."""

    scheme: str
    host: str
    port: int
    path: str = ""

    @property
    def url(self) -> str:
        """Base URL without a trailing slash."""
        return f"{self.scheme}://{self.address}{self.path}"

    @property
    def address(self) -> str:
        """Address as shown to users: `127.0.0.1:11434`, `api.groq.com`."""
        return self.place.removesuffix(f":{_DEFAULT_PORTS[self.scheme]}")

    @property
    def place(self) -> str:
        """`host:port`, including a default port: the unit of consent."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """True if requests stay on this machine: 127.0.0.0/8, ::1 or `localhost`.

        No other spelling counts (IPv4 in IPv6, decimal or hexadecimal addresses, a dot at
        the end): what they lead to differs between resolvers.
        """
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return self.host == _LOOPBACK_NAME
        return address in _LOOPBACK_NETWORK or address == _LOOPBACK_ADDRESS

    @property
    def is_readable_in_transit(self) -> bool:
        """True for plain http:// beyond this machine, which nothing uses unless it is allowed."""
        return self.scheme == "http" and not self.is_loopback

    @property
    def is_near(self) -> bool:
        """True for this machine and the local network, judged by the name alone."""
        try:
            address = ipaddress.ip_address(self.host.partition("%")[0])
        except ValueError:
            return _is_near_name(self.host)
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            # Before Python 3.13 every such address counts as private.
            return not address.ipv4_mapped.is_global
        return not address.is_global


def parse_endpoint(text: str, source: str, *, default_path: str = "") -> Endpoint:
    """Parse a base URL; `default_path` is added to a bare host.

    `source` names the origin of the text in an error, such as a variable.

    Raises:
        ConfigError: it lacks http:// or https://, or has parts that no base URL has.
            A password in it is not quoted.
    """
    parts, port = _split(text.strip(), source)
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"{source} contains a user name or password.",
            hint="Remove them from the address and set the API key in its own variable.",
        )
    if parts.query or parts.fragment or not _is_host(parts.hostname):
        raise _unusable(source)
    host = _WILDCARD_HOSTS.get(parts.hostname or "", parts.hostname or "")
    path = _KNOWN_PATH_SUFFIX.sub("", parts.path) or default_path.rstrip("/")
    return Endpoint(parts.scheme, host, port or _DEFAULT_PORTS[parts.scheme], path)


def _split(text: str, source: str) -> tuple[SplitResult, int | None]:
    if any(character.isspace() or not character.isprintable() for character in text):
        raise _unusable(source)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise _unusable(source) from error
    if port == 0:
        raise _unusable(source)
    if parts.scheme not in _DEFAULT_PORTS:
        raise ConfigError(
            f"{source} must begin with http:// or https://.",
            hint="Use the form http://127.0.0.1:8080/v1.",
        )
    return parts, port


def _is_host(host: str | None) -> bool:
    """Return True for a name or IP address without characters that clients read differently."""
    if not host:
        return False
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return False
        return True
    return all(character.isalnum() or character in "-._" for character in host)


def _is_near_name(host: str) -> bool:
    # Clients convert other scripts to ASCII, which may produce a dot or a digit.
    if not host.isascii() or _NUMERIC_LABEL.fullmatch(host.rstrip(".").rpartition(".")[2]):
        return False
    return "." not in host or host.endswith(_NEAR_SUFFIXES)


def _unusable(source: str) -> ConfigError:
    return ConfigError(
        f"{source} is not a valid server address.",
        hint="Use the form http://127.0.0.1:8080/v1.",
    )


def proxy_variable(endpoint: Endpoint) -> str:
    """Return the variable whose proxy is used for the endpoint; empty if none."""
    if endpoint.is_near:
        return ""
    # Imports a large part of the standard library (ftp, files), needed on errors only.
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    if proxy_bypass(endpoint.host):
        return ""
    scheme = next((name for name in (endpoint.scheme, "all") if proxies.get(name)), "")
    return f"{scheme.upper()}_PROXY" if scheme else ""
