"""Which models a server offers, by the list that it keeps of them."""

from __future__ import annotations

import asyncio
import http.client
import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.domain.request import ModelInfo
from todo_tui.providers.complaints import read_complaint
from todo_tui.providers.consent import MaySend, anywhere, require_consent
from todo_tui.providers.failures import complained, failure
from todo_tui.providers.foreign import member, text_of
from todo_tui.providers.listed_model import listed_model
from todo_tui.providers.opening import servers_of
from todo_tui.providers.plain_http import fetch
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.server import Server
from todo_tui.providers.tool_support import with_tool_support

_SECONDS = 2.0
_SECONDS_FAR = 10.0
_MOST_PAGES = 20
_NOT_OFFERED = (404, 405, 501)
"""HTTP statuses of a server that has no such list, or of one that is no model API."""


class NoModelList(ProviderError):
    """A server answers, and has no list of models where it should be."""


async def live_models(
    row: ProviderRow, settings: ProviderSettings, *, may_send: MaySend = anywhere
) -> tuple[ModelInfo, ...]:
    """The models that can be talked to, as the provider lists them now, in its order.

    It is asked over the network, with its key, a remote one too.

    Raises:
        ConsentNeeded: the person has not agreed to its host; nothing was sent.
        ProviderError: it needs a key, does not answer, or not with a list of models.
    """
    if row.needs_key and not settings.has_key:
        raise ProviderError(
            ProviderErrorKind.AUTH, f"{row.label} needs a key.", hint=row.setup or None
        )
    try:
        servers = servers_of(row, settings)
    except ConfigError as error:
        raise ProviderError(
            ProviderErrorKind.BAD_REQUEST, error.message, hint=error.hint
        ) from error
    if not servers:
        return ()
    await asyncio.to_thread(require_consent, row.id, servers, may_send)
    near = all(server.endpoint.near for server in servers)
    server, models = await first_answering(servers, seconds=_SECONDS if near else _SECONDS_FAR)
    return await with_tool_support(server, models) if near else models


async def first_answering(
    servers: Sequence[Server], *, seconds: float = _SECONDS
) -> tuple[Server, tuple[ModelInfo, ...]]:
    """The first server that lists its models, and the list.

    Raises:
        ProviderError: none does; of several reasons the one that says most.
    """
    errors: list[ProviderError] = []
    for server in servers:
        try:
            return server, await list_models(server, seconds=seconds)
        except ProviderError as error:
            errors.append(error)
    raise next((e for e in errors if e.kind is not ProviderErrorKind.NETWORK), errors[0])


async def list_models(server: Server, *, seconds: float = _SECONDS) -> tuple[ModelInfo, ...]:
    """The models in the server's order, those that one cannot talk to left out.

    Raises:
        ProviderError: nothing answers there, or not with a list of models.
    """
    try:
        shown = await server.credential.headers()
    except Unauthorized as error:
        raise ProviderError(ProviderErrorKind.AUTH, error.message, hint=error.hint) from error
    until = time.monotonic() + seconds
    models: dict[str, ModelInfo] = {}
    path = server.models_path
    for _ in range(_MOST_PAGES):
        answer, listed = await _page(server, path, shown, until - time.monotonic())
        models |= {model.name: model for item in listed if (model := listed_model(item))}
        following = _following(answer)
        if not following:
            break
        joint = "&" if "?" in server.models_path else "?"
        path = f"{server.models_path}{joint}{urlencode(following)}"
    return tuple(models.values())


async def _page(
    server: Server, path: str, shown: Mapping[str, str], seconds: float
) -> tuple[object, Sequence[object]]:
    """The answer, and the entries of the list in it."""
    headers = {**server.models_headers, **shown}
    try:
        answer = await fetch(
            server.endpoint, f"{server.endpoint.path}{path}", headers, seconds=max(seconds, 0)
        )
    except TimeoutError as error:
        raise server.error(ProviderErrorKind.TIMEOUT, detail=str(error)) from error
    except (OSError, http.client.HTTPException) as error:
        raise failure(error, server) from error
    told = answer.json
    if answer.status != 200:
        complaint = read_complaint(
            answer.body if told is None else told, status=answer.status, headers=answer.headers
        )
        told_off = complained(complaint, server, detail=answer.body)
        if answer.status not in _NOT_OFFERED:
            raise told_off
        raise NoModelList(told_off.kind, told_off.message, hint=told_off.hint)
    for listed in (member(told, "data"), member(told, "models"), told):
        if isinstance(listed, list):
            return told, listed
    raise server.error(ProviderErrorKind.MALFORMED, detail=answer.body)


def _following(answer: object) -> dict[str, str]:
    """What to add to the query for the next page; empty after the last."""
    token = text_of(answer, "nextPageToken")
    if token:  # Gemini
        return {"pageToken": token}
    last = text_of(answer, "last_id")
    if member(answer, "has_more") is True and last:  # Anthropic
        return {"after_id": last}
    return {}
