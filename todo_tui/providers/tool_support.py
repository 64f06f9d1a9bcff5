"""What servers nearby say of their models beside the list: whether these can call tools.

Ollama tells it of each model (`/api/show`), LM Studio in a list of its own, and
llama.cpp of the template of its one model (`/props`). One that says nothing, or not in
time, leaves the models as they are.
"""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from todo_tui.domain.request import ModelInfo
from todo_tui.domain.task import JsonValue
from todo_tui.providers.foreign import items_of, member, text_of
from todo_tui.providers.plain_http import fetch
from todo_tui.providers.server import Server

_SECONDS = 1.0
_MOST_SHOWN = 40
"""Models that Ollama is asked of; the rest stay as they are."""
_AT_ONCE = 4

_Ask = Callable[[str, JsonValue], Awaitable[object]]
_Models = dict[str, ModelInfo]


async def with_tool_support(server: Server, models: tuple[ModelInfo, ...]) -> tuple[ModelInfo, ...]:
    """The same models, each with what its server says; those that only embed are left out."""
    root = server.endpoint.path.removesuffix("/v1")
    headers = await server.credential.headers()

    async def ask(path: str, sent: JsonValue) -> object:
        try:
            answer = await fetch(
                server.endpoint, f"{root}{path}", headers, seconds=_SECONDS, sent=sent
            )
        except (OSError, http.client.HTTPException):
            return None
        return answer.json if answer.status == 200 else None

    known = {model.name: model for model in models}
    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS):
            await _asking(models)(known, ask)
    return tuple(known.values())


def _asking(models: tuple[ModelInfo, ...]) -> Callable[[_Models, _Ask], Awaitable[None]]:
    """How such a server is asked, told by what it says of whom its models belong to."""
    owners = {str(model.details.get("owned_by", "")) for model in models}
    if "llamacpp" in owners:
        return _ask_llamacpp
    if "organization_owner" in owners:
        return _ask_lm_studio
    # Names of Ollama always have a tag; their owner is `library` or a person.
    if models and all(":" in model.name for model in models):
        return _ask_ollama
    return _ask_nobody


async def _ask_llamacpp(known: _Models, ask: _Ask) -> None:
    if len(known) == 1:
        told = member(member(await ask("/props", None), "chat_template_caps"), "supports_tools")
        if isinstance(told, bool):
            (name,) = known
            known[name] = replace(known[name], calls_tools=told)


async def _ask_lm_studio(known: _Models, ask: _Ask) -> None:
    for item in items_of(await ask("/api/v0/models", None), "data"):
        model = known.get(text_of(item, "id"))
        if model is None:
            continue
        if text_of(item, "type") == "embeddings":
            del known[model.name]
        elif "tool_use" in items_of(item, "capabilities"):
            # Others are given tools in a general way, which may well work.
            known[model.name] = replace(model, calls_tools=True)


async def _ask_ollama(known: _Models, ask: _Ask) -> None:
    places = asyncio.Semaphore(_AT_ONCE)

    async def show(model: ModelInfo) -> None:
        async with places:
            able = items_of(await ask("/api/show", {"model": model.name}), "capabilities")
        if able and "completion" not in able:
            del known[model.name]
        elif able:
            known[model.name] = replace(model, calls_tools="tools" in able)

    await asyncio.gather(*map(show, list(known.values())[:_MOST_SHOWN]))


async def _ask_nobody(known: _Models, ask: _Ask) -> None:
    """Nothing more is known of such a server."""
