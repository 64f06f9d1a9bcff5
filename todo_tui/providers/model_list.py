"""List of the models that a server offers now: its pages, chat models only, tool support."""

import asyncio
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlencode

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.text import plain_line
from todo_tui.providers.errors import parse_error_body, provider_error_from
from todo_tui.providers.json_values import (
    JsonObject,
    get_count,
    get_items,
    get_member,
    get_text,
)
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.server import MaySend, Server, anywhere, require_consent, servers_of
from todo_tui.providers.transport import fetch

_NON_CHAT_NAMES = re.compile(
    r"""(?x)
      embed | \b(?:bge|gte|e5|minilm|clip)\b | rerank            # for search
    | whisper | transcri | \b(?:tts|asr)\b | speech | audio | orpheus | \blive\b | realtime
    | image | imagen | dall-?e | nano-banana | \bveo\b | \bsora\b | video | lyria | stable-diffusion
    | moderation | guard                                         # classifiers
    | babbage | davinci | gpt-3\.5-turbo-instruct | \baqa\b | \bocr\b
    | computer-use | deep-research | robotics | search-(?:preview|api)
    """,
    re.IGNORECASE,
)
_OTHER_TYPES = {"embedding", "embeddings", "image", "audio", "moderation", "rerank", "transcribe"}
_TOOL_SUPPORT_TIMEOUT_SECONDS = 1.0
_MAX_MODELS_ASKED = 40
"""Models that Ollama is asked about; the others keep what is known."""
_PARALLEL_REQUESTS = 4
LOCAL_SECONDS = 2.0
"""Time limit of a server on this machine or near it."""
_REMOTE_TIMEOUT_SECONDS = 10.0
_MAX_PAGES = 20
_NOT_OFFERED = (404, 405, 501)
"""HTTP statuses of a server without a model list, or of one that is not a model API."""


class NoModelList(ProviderError):
    """Error of a server that responds but has no model list."""


async def fetch_models(
    row: ProviderRow, settings: ProviderSettings, *, may_send: MaySend = anywhere
) -> tuple[ModelInfo, ...]:
    """Fetch the chat models that the provider offers now, in its order.

    It is asked over the network, with its key, a remote one too.

    Raises:
        ConsentNeeded: the person has not agreed to its host; nothing was sent.
        ProviderError: it needs a key, does not answer, or not with a list of models.
    """
    if row.needs_key and not settings.has_key:
        raise ProviderError(
            ProviderErrorKind.AUTH, f"{row.label} needs an API key.", hint=row.setup or None
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
    near = all(server.endpoint.is_near for server in servers)
    server, models = await first_answering(
        servers, seconds=LOCAL_SECONDS if near else _REMOTE_TIMEOUT_SECONDS
    )
    return await with_tool_support(server, models) if near else models


async def first_answering(
    servers: Sequence[Server], *, seconds: float = LOCAL_SECONDS
) -> tuple[Server, tuple[ModelInfo, ...]]:
    """Return the first server that lists its models, and the list.

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


async def list_models(server: Server, *, seconds: float = LOCAL_SECONDS) -> tuple[ModelInfo, ...]:
    """Fetch the chat models of a server, in its order.

    Raises:
        ProviderError: nothing answers there, or not with a list of models.
    """
    until = time.monotonic() + seconds
    models: dict[str, ModelInfo] = {}
    path = server.traits.models_path
    for _ in range(_MAX_PAGES):
        answer, listed = await _page(server, path, until - time.monotonic())
        models |= {model.name: model for item in listed if (model := parse_model(item))}
        following = _next_page_query(answer)
        if not following:
            break
        joint = "&" if "?" in server.traits.models_path else "?"
        path = f"{server.traits.models_path}{joint}{urlencode(following)}"
    return tuple(models.values())


async def _page(server: Server, path: str, seconds: float) -> tuple[object, Sequence[object]]:
    """Fetch one page: the whole response and the entries of its list."""
    answer = await fetch(server, f"{server.endpoint.path}{path}", seconds=max(seconds, 0))
    body = answer.json
    if answer.status != 200:
        reported = parse_error_body(body, status=answer.status, headers=answer.headers)
        failure = provider_error_from(reported, server, detail=answer.body)
        if answer.status not in _NOT_OFFERED:
            raise failure
        raise NoModelList(failure.kind, failure.message, hint=failure.hint)
    for listed in (get_member(body, "data"), get_member(body, "models"), body):
        if isinstance(listed, list):
            return body, listed
    raise server.error(ProviderErrorKind.MALFORMED, detail=answer.body)


def _next_page_query(answer: object) -> dict[str, str]:
    token = get_text(answer, "nextPageToken")
    if token:  # Gemini
        return {"pageToken": token}
    last = get_text(answer, "last_id")
    if get_member(answer, "has_more") is True and last:  # Anthropic
        return {"after_id": last}
    return {}


def parse_model(item: object) -> ModelInfo | None:
    """Parse an entry of a model list; None for models that do not chat."""
    name = plain_line(get_text(item, "id") or get_text(item, "name")).removeprefix("models/")
    if not name or not _is_chat_model(name, item):
        return None
    owner = get_text(item, "owned_by")
    return ModelInfo(
        name=name,
        context_tokens=_context_tokens(item),
        details={"owned_by": owner} if owner else {},
        calls_tools=_calls_tools(item),
    )


def _is_chat_model(name: str, item: object) -> bool:
    methods = get_items(item, "supportedGenerationMethods")  # Gemini
    modalities = get_items(get_member(item, "architecture"), "output_modalities")  # OpenRouter
    # llama.cpp names a model by its file path, whose folders may have any name.
    last = re.split(r"[/\\]", name)[-1]
    return not (
        _NON_CHAT_NAMES.search(last)
        or get_text(item, "type") in _OTHER_TYPES  # Together, LM Studio
        or (methods and "generateContent" not in methods)
        or (modalities and "text" not in modalities)
        or get_member(get_member(item, "capabilities"), "completion_chat") is False  # Mistral
        or get_member(item, "supports_chat") is False  # Fireworks
        or get_member(item, "active") is False  # Groq
        or get_text(item, "lifecycle") == "retired"  # Anthropic
    )


def _context_tokens(item: object) -> int | None:
    lengths = (
        get_count(get_member(item, "meta"), "n_ctx"),  # llama.cpp
        get_count(item, "loaded_context_length"),  # LM Studio
        get_count(item, "max_context_length"),  # LM Studio, Mistral
        get_count(item, "max_model_len"),  # vLLM
        get_count(item, "context_window"),  # Groq
        get_count(item, "context_length"),  # OpenRouter, Together, Fireworks
        get_count(item, "inputTokenLimit"),  # Gemini
        get_count(item, "max_input_tokens"),  # Anthropic
    )
    return next((length for length in lengths if length), None)


def _calls_tools(item: object) -> bool | None:
    parameters = get_items(item, "supported_parameters")  # OpenRouter
    if parameters:
        return "tools" in parameters
    flags = (
        get_member(get_member(item, "capabilities"), "function_calling"),  # Mistral
        get_member(item, "supports_tools"),  # Fireworks
    )
    return next((each for each in flags if isinstance(each, bool)), None)


async def with_tool_support(server: Server, models: tuple[ModelInfo, ...]) -> tuple[ModelInfo, ...]:
    """Return the models with tool support as the server states it, without embedding models."""
    known = {model.name: model for model in models}
    owners = {str(model.details.get("owned_by", "")) for model in models}
    with suppress(TimeoutError):
        async with asyncio.timeout(_TOOL_SUPPORT_TIMEOUT_SECONDS):
            if "llamacpp" in owners and len(known) == 1:
                caps = get_member(await _ask(server, "/props"), "chat_template_caps")
                supported = get_member(caps, "supports_tools")
                if isinstance(supported, bool):
                    known = {name: replace(known[name], calls_tools=supported) for name in known}
            elif "organization_owner" in owners:
                _read_lm_studio(known, await _ask(server, "/api/v0/models"))
            elif "llamacpp" not in owners and all(":" in name for name in known):
                # Model names of Ollama always have a tag; the owner is `library` or a user.
                slots = asyncio.Semaphore(_PARALLEL_REQUESTS)
                asked = list(known.values())[:_MAX_MODELS_ASKED]
                await asyncio.gather(*(_ask_ollama(server, known, each, slots) for each in asked))
    return tuple(known.values())


async def _ask(server: Server, path: str, body: JsonObject | None = None) -> object:
    """Return the JSON at a path beside the API; None if there is none."""
    root = server.endpoint.path.removesuffix("/v1")
    try:
        answer = await fetch(
            server, f"{root}{path}", seconds=_TOOL_SUPPORT_TIMEOUT_SECONDS, body=body
        )
    except ProviderError:
        return None
    return answer.json if answer.status == 200 else None


def _read_lm_studio(known: dict[str, ModelInfo], answer: object) -> None:
    for item in get_items(answer, "data"):
        model = known.get(get_text(item, "id"))
        if model is not None and get_text(item, "type") == "embeddings":
            del known[model.name]
        elif model is not None and "tool_use" in get_items(item, "capabilities"):
            # Other models get tools through a generic prompt, which may work.
            known[model.name] = replace(model, calls_tools=True)


async def _ask_ollama(
    server: Server, known: dict[str, ModelInfo], model: ModelInfo, slots: asyncio.Semaphore
) -> None:
    async with slots:
        answer = await _ask(server, "/api/show", {"model": model.name})
    capabilities = get_items(answer, "capabilities")
    if capabilities and "completion" not in capabilities:
        del known[model.name]
    elif capabilities:
        known[model.name] = replace(model, calls_tools="tools" in capabilities)
