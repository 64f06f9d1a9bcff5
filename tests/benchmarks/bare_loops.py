"""What one would write with an SDK and nothing else: ask, read the stream, put it together.

Each sends the very requests that the app sent, through the arguments that the SDK has
for them, and reads the stream as the SDK's documentation shows.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.wires.remotes import Remote
from todo_tui.providers.registry import Wire

Body = dict[str, Any]

_KEY = "none"


@dataclass(frozen=True, slots=True)
class BareClient:
    """An SDK's client: `ask` reads one answer to its end, and the arguments of its calls."""

    ask: Callable[[Body], Awaitable[None]]
    close: Callable[[], Awaitable[None]]


def bare_client(asked: Remote, base_url: str) -> BareClient:
    """The client for that provider's wire format; imports an SDK."""
    if asked.id == "groq":
        return _groq(base_url)
    match asked.wire:
        case Wire.RESPONSES:
            return _responses(base_url)
        case Wire.MESSAGES:
            return _messages(base_url)
        case Wire.GEMINI:
            return _gemini(base_url)
        case _:
            return _chat(base_url)


def _chat(base_url: str) -> BareClient:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=base_url, api_key=_KEY, max_retries=0)

    async def ask(body: Body) -> None:
        words: list[str] = []
        arguments: list[str] = []
        stream = await client.chat.completions.create(**_named(body), stream=True)
        async for chunk in stream:
            for choice in chunk.choices:
                words.append(choice.delta.content or "")
                for call in choice.delta.tool_calls or ():
                    if call.function is not None:
                        arguments.append(call.function.arguments or "")
        _read(arguments)

    return BareClient(ask, client.close)


def _groq(base_url: str) -> BareClient:
    from groq import AsyncGroq

    client = AsyncGroq(base_url=base_url, api_key=_KEY, max_retries=0)

    async def ask(body: Body) -> None:
        named = _named(body)
        extra = {"stream_options": named.pop("stream_options")}  # it has no such argument
        words: list[str] = []
        arguments: list[str] = []
        async for chunk in await client.chat.completions.create(
            **named, stream=True, extra_body=extra
        ):
            for choice in chunk.choices:
                words.append(choice.delta.content or "")
                for call in choice.delta.tool_calls or ():
                    if call.function is not None:
                        arguments.append(call.function.arguments or "")
        _read(arguments)

    return BareClient(ask, client.close)


def _responses(base_url: str) -> BareClient:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=base_url, api_key=_KEY, max_retries=0)

    async def ask(body: Body) -> None:
        words: list[str] = []
        arguments: list[str] = []
        stream = await client.responses.create(**_named(body), stream=True)
        async for event in stream:
            if event.type == "response.output_text.delta":
                words.append(event.delta)
            elif event.type == "response.function_call_arguments.delta":
                arguments.append(event.delta)
        _read(arguments)

    return BareClient(ask, client.close)


def _messages(base_url: str) -> BareClient:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(base_url=base_url, api_key=_KEY, max_retries=0)

    async def ask(body: Body) -> None:
        words: list[str] = []
        arguments: list[str] = []
        stream = await client.messages.create(**_named(body), stream=True)
        async for event in stream:
            if event.type == "content_block_delta":
                if event.delta.type == "text_delta":
                    words.append(event.delta.text)
                elif event.delta.type == "input_json_delta":
                    arguments.append(event.delta.partial_json)
        _read(arguments)

    return BareClient(ask, client.close)


def _gemini(base_url: str) -> BareClient:
    from google import genai
    from google.genai import types

    options = types.HttpOptions(base_url=base_url, api_version="v1beta")
    client = genai.Client(api_key=_KEY, http_options=options)
    configs: list[types.GenerateContentConfig] = []
    said: dict[str, types.Content] = {}

    def config_of(body: Body) -> types.GenerateContentConfig:
        return types.GenerateContentConfig(
            system_instruction=body["systemInstruction"]["parts"][0]["text"],
            tools=[types.Tool.model_validate(tool) for tool in body["tools"]],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            thinking_config=types.ThinkingConfig(include_thoughts=True),
        )

    def content_of(content: Body) -> types.Content:
        told = json.dumps(content)
        if told not in said:
            said[told] = types.Content.model_validate(content)
        return said[told]

    async def ask(body: Body) -> None:
        # Made once, and kept, as they would be in a program.
        if not configs:
            configs.append(config_of(body))
        contents = [content_of(content) for content in body["contents"]]
        stream = await client.aio.models.generate_content_stream(
            model="instant", contents=contents, config=configs[0]
        )
        words: list[str] = []
        arguments: list[Any] = []
        async for chunk in stream:
            for candidate in chunk.candidates or ():
                for part in (candidate.content and candidate.content.parts) or ():
                    words.append(part.text or "")
                    if part.function_call is not None:
                        arguments.append(part.function_call.args)

    return BareClient(ask, client.aio.aclose)


def _named(body: Body) -> dict[str, Any]:
    """The body as arguments of a method."""
    return {name: value for name, value in body.items() if name != "stream"}


def _read(arguments: list[str]) -> None:
    if text := "".join(arguments):
        json.loads(text)
