"""Credentials of a provider: API key, bearer token, or a token printed by a command.

Which source a key is taken from decides config/provider_settings.py; the keyring comes last, in
cli/wiring/providers.py.
"""

import asyncio
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from todo_tui.domain.errors import ConfigError, Unauthorized
from todo_tui.domain.secret import Secret
from todo_tui.providers.json_values import get_member, get_text, json_or_text

_COMMAND_SECONDS = 30.0
_RENEW_EARLY_SECONDS = 30.0
"""Seconds before its expiry at which a token is renewed, as requests take time."""


class KeyHeader(StrEnum):
    """The header that carries a key."""

    BEARER = "Authorization"
    ANTHROPIC = "x-api-key"
    GOOGLE = "x-goog-api-key"


@dataclass(slots=True, eq=False)
class Credential:
    """API key or token for one server; a token printed by a command is kept until it expires.

    The command's output is the token, or a JSON object with `access_token`, `accessToken`
    or `token` and perhaps when it expires: `expires_in` in seconds, or `expires_on` in
    seconds since 1970. One that expires unforeseen is renewed once it is refused.
    """

    key: Secret | None = field(default=None, repr=False)
    header: KeyHeader = KeyHeader.BEARER
    command: tuple[str, ...] = field(default=(), repr=False)
    clock: Callable[[], float] = time.monotonic
    _token: Secret | None = field(default=None, init=False, repr=False)
    _expires: float | None = field(default=None, init=False)
    _printing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def __bool__(self) -> bool:
        return self.key is not None or bool(self.command)

    @property
    def is_renewable(self) -> bool:
        """True if a refused token can be replaced by running the command again."""
        return self.key is None and bool(self.command)

    def discard_token(self) -> None:
        """Discard a refused token, so that the next request gets a new one."""
        self._token = None

    async def headers(self) -> Mapping[str, str]:
        """Return the header to send, named as in KeyHeader; empty without a key.

        Raises:
            Unauthorized: the command failed or printed no token.
        """
        secret = self.key
        if secret is None and self.command:
            async with self._printing:
                secret = await self._current_token()
        if secret is None:
            return {}
        if self.header is KeyHeader.BEARER or self.key is None:
            return {KeyHeader.BEARER.value: f"Bearer {secret.reveal()}"}
        return {self.header.value: secret.reveal()}

    def redact(self, text: str) -> str:
        """Return the text with the key or token replaced by dots."""
        for secret in (self.key, self._token):
            if secret is not None:
                text = secret.redact(text)
        return text

    async def _current_token(self) -> Secret:
        expired = self._expires is not None and self.clock() >= self._expires - _RENEW_EARLY_SECONDS
        if self._token is None or expired:
            self._token, lifetime = _parse_token(
                await _run_token_command(self.command), self.command[0]
            )
            self._expires = None if lifetime is None else self.clock() + lifetime
        return self._token


async def _run_token_command(command: tuple[str, ...]) -> str:
    name = command[0]
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError as error:
        raise Unauthorized(
            f"Cannot run the token command {name}: {error.strerror}.",
            hint="Correct `token_command` in the configuration.",
        ) from error
    try:
        async with asyncio.timeout(_COMMAND_SECONDS):
            output, _ = await process.communicate()
    except (TimeoutError, asyncio.CancelledError) as error:
        process.kill()
        await process.wait()
        if isinstance(error, asyncio.CancelledError):
            raise
        raise Unauthorized(
            f"The token command {name} timed out after {_COMMAND_SECONDS:.0f} s.",
            hint="Run the command yourself; you may need to log in.",
        ) from error
    if process.returncode:
        raise Unauthorized(
            f"The token command {name} failed with exit status {process.returncode}.",
            hint="Run the command yourself; you may need to log in.",
        )
    return output.decode("utf-8", "replace").strip()


def _parse_token(output: str, name: str) -> tuple[Secret, float | None]:
    lifetime: float | None = None
    if output.startswith("{"):
        described = json_or_text(output)
        names = ("access_token", "accessToken", "token")
        output = next(filter(None, (get_text(described, name) for name in names)), "")
        lifetime = _seconds(get_member(described, "expires_in"))
        end = _seconds(get_member(described, "expires_on"))
        if lifetime is None and end is not None:
            lifetime = end - time.time()
    try:
        return Secret(output, name="The token"), lifetime
    except ConfigError as error:
        raise Unauthorized(
            f"The token command {name} printed no token.",
            hint="The command must print only the token, or JSON with `access_token`.",
        ) from error


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | float | int):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) else None
