"""Which models a server on this machine or nearby offers, by `GET /v1/models`.

Asked with the standard library, because it is asked before anyone has chosen the
provider: no SDK is imported for it, no proxy used, no redirect followed.
"""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Mapping, Sequence

from todo_tui.domain.errors import ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.domain.request import ModelInfo
from todo_tui.domain.text import plain_line
from todo_tui.providers.complaints import read_complaint
from todo_tui.providers.endpoint import Endpoint
from todo_tui.providers.failures import complained, failure
from todo_tui.providers.foreign import count_of, items_of, member, text_of
from todo_tui.providers.server import Server

_SECONDS = 2.0
_LONGEST_LIST = 4_000_000


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
    """The models in the server's order, those that only embed left out.

    Raises:
        ProviderError: nothing answers there, or not with a list of models.
    """
    try:
        shown = await server.credential.headers()
    except Unauthorized as error:
        raise ProviderError(ProviderErrorKind.AUTH, error.message, hint=error.hint) from error
    told = {**server.models_headers, **shown}
    return await asyncio.to_thread(_list_models, server, told, seconds)


def _list_models(server: Server, shown: Mapping[str, str], seconds: float) -> tuple[ModelInfo, ...]:
    try:
        status, headers, body = _get(server.endpoint, server.models_path, shown, seconds)
    except TimeoutError as error:
        raise server.error(ProviderErrorKind.TIMEOUT, detail=str(error)) from error
    except (OSError, http.client.HTTPException) as error:
        raise failure(error, server) from error
    answer = _json(body)
    if status != 200:
        complaint = read_complaint(answer or body, status=status, headers=headers)
        raise complained(complaint, server, detail=body)
    listed = items_of(answer, "data")
    if not isinstance(member(answer, "data"), list):
        raise server.error(ProviderErrorKind.MALFORMED, detail=body)
    models = (_model(item) for item in listed)
    return tuple(model for model in models if model.name and "embed" not in model.name.lower())


def _get(
    endpoint: Endpoint, path: str, shown: Mapping[str, str], seconds: float
) -> tuple[int, dict[str, str], str]:
    make = http.client.HTTPSConnection if endpoint.scheme == "https" else http.client.HTTPConnection
    connection = make(endpoint.host, endpoint.port, timeout=seconds)
    headers = {"Accept": "application/json", "User-Agent": "todo-tui", **shown}
    try:
        connection.request("GET", f"{endpoint.path}{path}", headers=headers)
        response = connection.getresponse()
        body = response.read(_LONGEST_LIST).decode("utf-8", "replace")
        answered = {name.lower(): value for name, value in response.getheaders()}
        return response.status, answered, body
    finally:
        connection.close()


def _json(body: str) -> object:
    try:
        answer: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer


def _model(item: object) -> ModelInfo:
    """A listed model; each server tells its context length in its own way, if at all."""
    lengths = (
        count_of(member(item, "meta"), "n_ctx"),  # llama.cpp
        count_of(item, "loaded_context_length"),  # LM Studio
        count_of(item, "max_context_length"),
        count_of(item, "max_model_len"),  # vLLM
        count_of(item, "context_window"),
        count_of(item, "max_input_tokens"),  # Anthropic
    )
    details = item if isinstance(item, Mapping) else {}
    return ModelInfo(
        name=plain_line(text_of(item, "id")),
        context_tokens=next((length for length in lengths if length), None),
        details={str(name): value for name, value in details.items() if name == "owned_by"},
    )
