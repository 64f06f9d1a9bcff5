"""Checks of the environment variables for certificates and proxies that HTTP clients read."""

import os
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from todo_tui.config.settings import ConfigProblem

CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_BUNDLE = "REQUESTS_CA_BUNDLE"
"""Read by the exporter of telemetry only."""
_PROXY_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
_SCHEMES = ("http", "https", "socks5", "socks5h")
_HASHED = re.compile(r"[0-9a-f]{8}\.\d+", re.IGNORECASE)
"""Name of a certificate in a folder, as `openssl rehash` makes it."""


def find_network_problems(environ: Mapping[str, str]) -> Iterator[ConfigProblem]:
    """Yield problems with the variables that every HTTPS request depends on.

    The address of a proxy is not quoted: it may contain a password.
    """
    # The clients read the folder only without the file.
    name = next((name for name in CERTIFICATE_VARIABLES if environ.get(name)), None)
    if name is not None:
        yield from find_certificate_problem(name, environ)
    bypassed = environ.get("NO_PROXY") or environ.get("no_proxy") or ""
    if "*" in [host.strip() for host in bypassed.split(",")]:
        return
    for upper in _PROXY_VARIABLES:
        # The lower-case name has precedence, as in the clients.
        for name in (upper.lower(), upper):
            if value := environ.get(name, "").strip():
                yield from _proxy_problem(name, value)
                break


def find_certificate_problem(name: str, environ: Mapping[str, str]) -> Iterator[ConfigProblem]:
    """Yield a problem if a variable names no certificates."""
    value = environ.get(name, "")
    if not value:
        return
    path, reason = Path(value), ""
    is_folder = name == "SSL_CERT_DIR" or (name == _BUNDLE and path.is_dir())
    try:
        folders = [Path(text) for text in value.split(os.pathsep)]
        if not any(entry.exists() for entry in (folders if is_folder else [path])):
            reason = "does not exist"
        elif is_folder:
            names = [
                entry.name for folder in folders if folder.is_dir() for entry in folder.iterdir()
            ]
            reason = "" if any(map(_HASHED.fullmatch, names)) else "has no certificates"
        elif not path.is_file() or b"CERTIFICATE-----" not in path.read_bytes():
            reason = "has no certificates"
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
    if reason:
        yield ConfigProblem(f"{name} names {value}, which {reason}.", f"Correct or unset {name}.")


def find_all_problems(environ: Mapping[str, str]) -> Iterator[ConfigProblem]:
    """Yield problems with these variables, including that of telemetry."""
    yield from find_network_problems(environ)
    yield from find_certificate_problem(_BUNDLE, environ)


def _proxy_problem(name: str, value: str) -> Iterator[ConfigProblem]:
    hint = f"Use the form http://HOST:PORT, or unset {name}."
    try:
        parts = urlsplit(value if "://" in value else f"http://{value}")
        host, _ = parts.hostname, parts.port
    except ValueError:
        yield ConfigProblem(f"{name} names a proxy with an invalid port or address.", hint)
        return
    if parts.scheme not in _SCHEMES:
        yield ConfigProblem(f"{name} begins with {parts.scheme}://, which is not a proxy.", hint)
    elif not host:
        yield ConfigProblem(f"{name} names a proxy without a host.", hint)
    elif parts.scheme.startswith("socks") and find_spec("socksio") is None:
        message = f"{name} names a SOCKS proxy, whose package is missing."
        yield ConfigProblem(message, f"Run pip install socksio, or unset {name}.")
