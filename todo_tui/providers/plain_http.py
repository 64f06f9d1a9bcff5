"""Small requests with the standard library: bounded in time and bytes, given up at once.

For what is asked before anyone has chosen a provider: no SDK is imported for it, and
no redirect is followed.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from todo_tui.domain.task import JsonValue
from todo_tui.providers.endpoint import Endpoint

LONGEST_ANSWER = 4_000_000
"""Bytes; what comes after them is not read."""


class ProxyError(OSError):
    """The proxy of the environment cannot be used."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> object:
        """The body as JSON; None where it is none."""
        try:
            value: object = json.loads(self.body)
        except (ValueError, RecursionError):
            return None
        return value


async def fetch(
    endpoint: Endpoint,
    path: str,
    headers: Mapping[str, str],
    *,
    seconds: float,
    sent: JsonValue = None,
) -> Answer:
    """GET the path, which counts from the root of the host, or POST what is to be sent.

    Raises:
        TimeoutError: it took longer than that.
        OSError: there is no way to the server, or none back.
        http.client.HTTPException: what answers speaks no HTTP.
    """
    exchange = _Exchange(endpoint, seconds)
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(exchange.run, path, headers, sent)
    finally:
        exchange.give_up()


class _Exchange:
    """One request and its answer, in a thread that another can wake from waiting."""

    def __init__(self, endpoint: Endpoint, seconds: float) -> None:
        self._endpoint = endpoint
        self._seconds = seconds
        self._socket: socket.socket | None = None
        self._given_up = False

    def run(self, path: str, headers: Mapping[str, str], sent: JsonValue) -> Answer:
        """Blocks until the answer is there."""
        connection = self._connection()
        try:
            connection.connect()
            self._socket = connection.sock
            if self._given_up:
                raise TimeoutError
            own = {"Accept": "application/json", "User-Agent": "todo-tui"}
            if sent is None:
                connection.request("GET", path, headers={**own, **headers})
            else:
                own["Content-Type"] = "application/json"
                connection.request("POST", path, json.dumps(sent).encode(), {**own, **headers})
            with connection.getresponse() as response:
                text = response.read(LONGEST_ANSWER).decode("utf-8", "replace")
                answered = {name.lower(): value for name, value in response.getheaders()}
                return Answer(response.status, answered, text)
        finally:
            connection.close()

    def give_up(self) -> None:
        """Wake the thread if it still waits for the server."""
        self._given_up = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _connection(self) -> http.client.HTTPConnection:
        endpoint = self._endpoint
        secure = endpoint.scheme == "https"
        make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        proxy = None if endpoint.near else _proxy_of(endpoint)
        if proxy is None:
            return make(endpoint.host, endpoint.port, timeout=self._seconds)
        connection = make(proxy.host, proxy.port, timeout=self._seconds)
        connection.set_tunnel(endpoint.host, endpoint.port, dict(proxy.headers))
        return connection


@dataclass(frozen=True, slots=True)
class _Proxy:
    host: str
    port: int
    headers: Mapping[str, str]


def _proxy_of(endpoint: Endpoint) -> _Proxy | None:
    """The proxy that the environment names for that address, as the SDKs would take it."""
    # Loads the parts of the standard library that open files and ftp, for this alone.
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    url = proxies.get(endpoint.scheme) or proxies.get("all")
    if not url or proxy_bypass(endpoint.host):
        return None
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host, port = parts.hostname, parts.port or 80
    except ValueError as error:
        raise ProxyError("the proxy's address cannot be read") from error
    if parts.scheme != "http" or not host:
        raise ProxyError("only HTTP proxies are known here")
    if parts.username is None:
        return _Proxy(host, port, {})
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    basic = base64.b64encode(login).decode("ascii")
    return _Proxy(host, port, {"Proxy-Authorization": f"Basic {basic}"})
