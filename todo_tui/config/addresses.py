"""Addresses of providers as people write them."""

from __future__ import annotations

import re

UNREADABLE = "(cannot be read)"
"""Stands in for an address that is lost, so that nothing is sent to the usual one."""

_OLLAMA_PORT = 11434
# Kept as text: most people set no address, and compiling takes its time.
_ADDRESS = r"(?i)https?://[^/\s?#@]+(/[^\s?#]*)?"


def is_address(text: str) -> bool:
    """Whether it is a base URL: http or https and a host, no password, no query."""
    if re.fullmatch(_ADDRESS, text) is None:
        return False
    from urllib.parse import urlsplit  # few set an address

    try:
        return urlsplit(text).port != 0
    except ValueError:
        # An open bracket, or a port that there is not.
        return False


def as_kept(value: object) -> str:
    """An address as it stands in the file, whatever it is; never empty.

    One that cannot be used is kept, so that opening its provider fails: falling back to
    the usual address would send the key to a server that the person turned away from.
    """
    text = value.strip() if isinstance(value, str) else ""
    return text or UNREADABLE


def ollama_address(host: str) -> str:
    """The OpenAI-compatible address at `OLLAMA_HOST`, which may lack scheme and port."""
    scheme, _, rest = host.rpartition("://")
    address = re.fullmatch(r"(\[[^\]]*\]|[^:/]*)(?::(\d+))?(/.*)?", rest)
    if address is None:
        return host
    name, port, path = address.groups()
    default_port = {"http": 80, "https": 443}.get(scheme, _OLLAMA_PORT)
    # Servers are told to listen everywhere by these; a client asks its own machine.
    name = "127.0.0.1" if name in ("", "0.0.0.0", "[::]") else name  # noqa: S104
    folder = (path or "").rstrip("/").removesuffix("/v1")
    return f"{scheme or 'http'}://{name}:{port or default_port}{folder}/v1"
