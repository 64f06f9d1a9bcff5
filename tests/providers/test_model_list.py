"""Model lists of servers, fetched live and within limits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from tests.providers.wire import KEY, Play, WireServer, http, recorded, wire_server
from tests.rows import each_row
from todo_tui.config.provider_row import custom_provider
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.model_list import fetch_models, list_models
from todo_tui.providers.readiness import check_readiness
from todo_tui.providers.registry import PROVIDERS, ProviderRow, provider_row
from todo_tui.providers.server import servers_of

Kind = ProviderErrorKind

OWN = tuple(
    custom_provider(f"my-{wire}", "Mine", wire, "https://models.example.com/v1", needs_key=True)
    for wire in ("chat", "responses", "messages")
)


def row_of(row_id: str) -> ProviderRow:
    return provider_row(row_id, (*PROVIDERS, *OWN))


def at(server: WireServer, key: str | None = KEY) -> ProviderSettings:
    return ProviderSettings(base_url=server.url, key=Secret(key) if key else None)


async def listed(answer: JsonValue, row_id: str = "openai") -> tuple[ModelInfo, ...]:
    async with wire_server(http(answer)) as server:
        return await fetch_models(row_of(row_id), at(server))


async def failure_of(*plays: Play, row_id: str = "openai") -> ProviderError:
    async with wire_server(*plays) as server:
        with pytest.raises(ProviderError) as caught:
            await fetch_models(row_of(row_id), at(server))
    return caught.value


def names(models: tuple[ModelInfo, ...]) -> list[str]:
    return [model.name for model in models]


def ids(*each: str) -> JsonValue:
    return {"object": "list", "data": [{"id": name, "object": "model"} for name in each]}


@each_row(
    ("row_id", "path", "header", "shown"),
    [
        ("openai", "/v1/models", "authorization", f"bearer {KEY}"),
        ("groq", "/openai/v1/models", "authorization", f"bearer {KEY}"),
        ("gemini", "/v1beta/openai/models", "authorization", f"bearer {KEY}"),
        ("gemini-native", "/v1beta/models?pageSize=1000", "x-goog-api-key", KEY),
        ("anthropic", "/v1/models?limit=1000", "x-api-key", KEY),
        ("ollama", "/v1/models", "authorization", f"bearer {KEY}"),
        ("local", "/v1/models", "authorization", f"bearer {KEY}"),
        ("my-chat", "/v1/models", "authorization", f"bearer {KEY}"),
        ("my-responses", "/v1/models", "authorization", f"bearer {KEY}"),
        ("my-messages", "/v1/models?limit=1000", "x-api-key", KEY),
    ],
)
async def test_each_provider_is_asked_where_it_lists_them_and_shown_its_own_key(
    row_id: str, path: str, header: str, shown: str
) -> None:
    async with wire_server(http(ids("m"))) as server:
        assert names(await fetch_models(row_of(row_id), at(server))) == ["m"]
    (sent,) = server.received
    assert sent.line == f"GET {path} HTTP/1.1"
    assert sent.headers.pop(header) == shown.lower()
    assert KEY.lower() not in str(sent.headers)
    assert ("anthropic-version" in sent.headers) is row_id.endswith(("anthropic", "messages"))


async def test_what_needs_no_network_lists_nothing() -> None:
    assert await fetch_models(row_of("offline"), ProviderSettings()) == ()


TALKERS = """
    gpt-6-luna gpt-6.1-terra gpt-5-codex o4-mini chatgpt-5-latest ft:gpt-4o-mini:me::1
    openai/gpt-oss-120b qwen/qwen3.8-27b moonshotai/kimi-k2-instruct llama-3.3-70b-versatile
    gemini-3.5-flash-lite gemini-3.8-flash gemini-3.1-pro-preview gemma-3-27b-it
    claude-haiku-5-5 claude-olive-1 mistral-large-latest codestral-2508 deepseek-chat grok-5
    /home/me/video/qwen3.gguf C:\\live\\qwen3.gguf
    qwen3.5:8b qwen2.5-coder-0.5b-instruct hf.co/unsloth/Qwen3.6-35B-A3B-GGUF:Q4_K_M
""".split()
OTHERS = """
    text-embedding-3-large nomic-embed-text:latest bge-m3 gte-large all-minilm:22m
    whisper-large-v3-turbo gpt-4o-transcribe gpt-4o-mini-tts tts-1-hd playai-tts canopylabs/orpheus
    gpt-audio-mini gpt-4o-audio-preview gpt-realtime gemini-3-flash-live-001
    gpt-image-1.5 dall-e-3 gemini-2.5-flash-image imagen-4.0-ultra nano-banana-pro-preview
    sora-2-pro veo-3.1-generate lyria-realtime-exp omni-moderation-latest
    meta-llama/llama-guard-4-12b openai/gpt-oss-safeguard-20b meta-llama/llama-prompt-guard-2-22m
    babbage-002 davinci-002 gpt-3.5-turbo-instruct aqa mistral-ocr-latest computer-use-preview
    o4-mini-deep-research gpt-4o-search-preview gpt-5-search-api gemini-robotics-er-1.5-preview
""".split()


async def test_only_models_that_one_can_talk_to_are_listed_in_the_servers_order() -> None:
    mixed = ids(*OTHERS[:9], *TALKERS, *OTHERS[9:])
    assert names(await listed(mixed)) == TALKERS


@each_row(
    ("item", "model"),
    [
        # Groq
        ({"id": "m", "context_window": 131072, "active": True}, ModelInfo("m", 131072)),
        ({"id": "m", "active": False}, None),
        # Gemini, natively
        (
            {
                "name": "models/gemini-3.8-flash",
                "inputTokenLimit": 1048576,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            },
            ModelInfo("gemini-3.8-flash", 1048576),
        ),
        ({"name": "models/x", "supportedGenerationMethods": ["predict"]}, None),
        # Gemini, compatible
        (
            {"id": "models/gemini-3.8-flash", "owned_by": "google"},
            ModelInfo("gemini-3.8-flash", None, {"owned_by": "google"}),
        ),
        # Anthropic
        (
            {"id": "claude-haiku-5-5", "type": "model", "max_input_tokens": 1000000},
            ModelInfo("claude-haiku-5-5", 1000000),
        ),
        ({"id": "claude-3-opus", "lifecycle": "retired"}, None),
        # Mistral
        (
            {
                "id": "m",
                "max_context_length": 32768,
                "capabilities": {"completion_chat": True, "function_calling": False},
            },
            ModelInfo("m", 32768, calls_tools=False),
        ),
        ({"id": "m", "capabilities": {"completion_chat": False}}, None),
        # OpenRouter
        (
            {
                "id": "m",
                "context_length": 8192,
                "supported_parameters": ["temperature", "tools"],
                "architecture": {"output_modalities": ["text"]},
            },
            ModelInfo("m", 8192, calls_tools=True),
        ),
        ({"id": "m", "supported_parameters": ["top_p"]}, ModelInfo("m", calls_tools=False)),
        ({"id": "m", "architecture": {"output_modalities": ["image"]}}, None),
        # Together, Fireworks, vLLM
        ({"id": "m", "type": "rerank"}, None),
        (
            {"id": "m", "supports_chat": True, "supports_tools": True},
            ModelInfo("m", None, {}, True),
        ),
        ({"id": "m", "supports_chat": False}, None),
        ({"id": "m", "max_model_len": 4096}, ModelInfo("m", 4096)),
        # Nobody
        ({"id": "m\x1b[2J\n", "context_window": "8k"}, ModelInfo("m ")),
        ({"id": ""}, None),
        (None, None),
        ("m", None),
    ],
)
async def test_each_servers_own_words_are_understood(
    item: JsonValue, model: ModelInfo | None
) -> None:
    expected = (model,) if model else ()
    assert await listed({"data": [item, item]}) == expected
    assert await listed({"models": [item]}) == expected
    assert await listed([item]) == expected


@pytest.mark.parametrize(
    ("row_id", "first", "query"),
    [
        (
            "gemini-native",
            {"models": [{"name": "models/a-embedding"}], "nextPageToken": "a b&c"},
            "/v1beta/models?pageSize=1000&pageToken=a+b%26c",
        ),
        (
            "anthropic",
            {"data": [{"id": "a"}], "has_more": True, "last_id": "a"},
            "/v1/models?limit=1000&after_id=a",
        ),
    ],
)
async def test_a_list_of_several_pages_is_read_to_its_end(
    row_id: str, first: JsonValue, query: str
) -> None:
    async with wire_server(http(first), http({"data": [{"id": "z"}]})) as server:
        assert names(await fetch_models(row_of(row_id), at(server)))[-1] == "z"
    assert [each.line for each in server.received][1:] == [f"GET {query} HTTP/1.1"]


async def test_a_list_without_an_end_is_left() -> None:
    page: JsonValue = {"models": [{"name": "models/a"}], "nextPageToken": "again"}
    async with wire_server(http(page)) as server:
        assert names(await fetch_models(row_of("gemini-native"), at(server))) == ["a"]
    assert len(server.received) == 20


async def test_without_its_key_nobody_is_asked() -> None:
    async with wire_server(http(ids("m"))) as server:
        with pytest.raises(ProviderError) as caught:
            await fetch_models(row_of("openai"), at(server, key=None))
    assert caught.value.kind is Kind.AUTH
    assert "OPENAI_API_KEY" in (caught.value.hint or "")
    assert server.received == []


@each_row(
    ("answer", "kind"),
    [
        (http({"error": {"message": "no"}}, status="401 Unauthorized"), Kind.AUTH),
        (http({"error": {"message": "no"}}, status="429 Too Many Requests"), Kind.RATE_LIMIT),
        (http({"error": {"message": "no"}}, status="500 Internal Server Error"), Kind.OVERLOADED),
        (http(b"<html>", status="404 Not Found", content_type="text/html"), Kind.BAD_REQUEST),
        (http(b"<html>hello</html>", content_type="text/html"), Kind.MALFORMED),
        (http({"data": None}), Kind.MALFORMED),
        (http({"data": [{"id": "x" * 5_000_000}]}), Kind.MALFORMED),
        (http(b"[" * 100_000), Kind.MALFORMED),
        (b"SSH-2.0-OpenSSH_9.6\r\n", Kind.NETWORK),
        (b"", Kind.NETWORK),
    ],
)
async def test_what_is_no_list_is_a_named_error(answer: bytes, kind: Kind) -> None:
    assert (await failure_of(answer)).kind is kind


async def test_an_address_that_cannot_be_used_is_a_named_error() -> None:
    settings = ProviderSettings(base_url="localhost:1", key=Secret(KEY))
    with pytest.raises(ProviderError) as caught:
        await fetch_models(row_of("openai"), settings)
    assert str(caught.value) == "OPENAI_BASE_URL must begin with http:// or https://."


async def test_no_redirect_is_followed_with_the_key() -> None:
    async with wire_server(http(ids("m"))) as elsewhere:
        moved = http({}, status="302 Found", headers=[f"Location: {elsewhere.url}/v1/models"])
        error = await failure_of(moved)
    assert error.kind is Kind.BAD_REQUEST
    assert "redirects" in str(error)
    assert elsewhere.received == []


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
PATIENCE_SECONDS = 300
"""Time limit of a test; far longer than needed."""


class Dripping:
    """Server that sends a byte now and then; `gone` is set when its client has left."""

    def __init__(self, head: bytes) -> None:
        self.head = head
        self.asked = asyncio.Event()
        self.dripped = asyncio.Event()
        self.gone = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.set()
        writer.write(self.head)
        # A client that left early may have sent bytes that nobody reads: no end of file then.
        while not (reader.at_eof() or writer.transport.is_closing()):
            writer.write(b"x")
            await asyncio.sleep(0.02)
            self.dripped.set()
        self.gone.set()


@pytest.mark.parametrize("head", [HEAD, b"HTTP/1.1 200 OK\r\nX-Head: "])
async def test_a_server_that_drips_is_left_in_time(head: bytes) -> None:
    dripping = Dripping(head)
    async with wire_server(dripping) as server:
        (found,) = servers_of(row_of("openai"), at(server))
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(ProviderError) as caught:
                await list_models(found, seconds=0.2)
            assert caught.value.kind is Kind.TIMEOUT
            if dripping.asked.is_set():
                await dripping.gone.wait()


async def test_who_no_longer_wants_the_list_leaves_at_once() -> None:
    dripping = Dripping(HEAD)
    async with wire_server(dripping) as server:
        asking = asyncio.create_task(fetch_models(row_of("openai"), at(server)))
        await asyncio.wait_for(dripping.asked.wait(), PATIENCE_SECONDS)
        asking.cancel()
        await asyncio.wait_for(dripping.gone.wait(), PATIENCE_SECONDS)
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_the_loop_goes_on_while_a_list_is_waited_for() -> None:
    dripping = Dripping(HEAD)
    async with wire_server(dripping) as server:
        (found,) = servers_of(row_of("openai"), at(server))
        asking = asyncio.create_task(list_models(found, seconds=PATIENCE_SECONDS))
        # The server runs in the same loop.
        await asyncio.wait_for(dripping.dripped.wait(), PATIENCE_SECONDS)
        assert not asking.done()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_a_far_server_is_asked_through_the_proxy_which_is_shown_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    async with wire_server(b"HTTP/1.1 403 Forbidden\r\n\r\n") as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:p%40ss@127.0.0.1:{proxy.port}")
        settings = ProviderSettings(base_url="https://models.example.com/v1", key=Secret(KEY))
        with pytest.raises(ProviderError) as caught:
            await fetch_models(row_of("openai"), settings)
    assert caught.value.kind is Kind.NETWORK
    (sent,) = proxy.received
    assert sent.line.startswith("CONNECT models.example.com:443 ")
    assert sent.headers["proxy-authorization"] == "basic bwu6cebzcw=="
    assert KEY not in str(sent)


@pytest.mark.parametrize("url", ["socks5://127.0.0.1:1", "http://[::1", "https://127.0.0.1:1"])
async def test_a_proxy_that_cannot_be_used_is_named(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", url)
    settings = ProviderSettings(base_url="https://models.example.com/v1", key=Secret(KEY))
    with pytest.raises(ProviderError) as caught:
        await fetch_models(row_of("openai"), settings)
    assert "proxy" in str(caught.value)


Route = JsonValue | Callable[[dict[str, JsonValue]], JsonValue]


@asynccontextmanager
async def answering(routes: dict[str, Route]) -> AsyncIterator[WireServer]:
    """Serve an answer for each method and path, and 404 for all others."""

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent = server.received[-1]
        route = routes.get(sent.line.removesuffix(" HTTP/1.1"))
        answer = route(sent.body) if callable(route) else route
        writer.write(http(answer, status="404 Not Found" if answer is None else "200 OK"))
        await writer.drain()

    async with wire_server(play) as server:
        yield server


def support(models: tuple[ModelInfo, ...]) -> dict[str, bool | None]:
    return {model.name: model.calls_tools for model in models}


SHOWN: dict[str, list[JsonValue]] = {
    "qwen3.5:8b": ["completion", "tools", "thinking"],
    "gemma3:4b": ["completion", "vision"],
    "minerva:latest": ["embedding"],
    "old:latest": [],
}


@pytest.mark.parametrize("suffix", ["", "/v1"])
async def test_ollama_says_of_each_model_whether_it_calls_tools(suffix: str) -> None:
    routes: dict[str, Route] = {
        "GET /v1/models": ids(*SHOWN, "odd:1"),
        "POST /api/show": lambda body: (
            {"capabilities": SHOWN[str(body["model"])]} if body["model"] in SHOWN else None
        ),
    }
    async with answering(routes) as server:
        settings = ProviderSettings(base_url=f"{server.url}{suffix}")
        expected = {"qwen3.5:8b": True, "gemma3:4b": False, "old:latest": None, "odd:1": None}
        assert support(await fetch_models(row_of("ollama"), settings)) == expected
        found = await check_readiness(row_of("ollama"), settings)
        assert support(found.models) == expected


async def test_lm_studio_says_which_models_were_taught_to_call_tools() -> None:
    listed = {"data": [{"id": name, "owned_by": "organization_owner"} for name in "abc"]}
    told: JsonValue = {
        "data": [
            {"id": "a", "type": "llm", "capabilities": ["tool_use"], "max_context_length": 8192},
            {"id": "b", "type": "vlm"},
            {"id": "c", "type": "embeddings"},
            {"id": "d", "type": "llm"},
        ]
    }
    routes: dict[str, Route] = {"GET /v1/models": listed, "GET /api/v0/models": told}  # type: ignore[dict-item]
    async with answering(routes) as server:
        models = await fetch_models(row_of("local"), ProviderSettings(base_url=server.url))
    assert support(models) == {"a": True, "b": None}


@pytest.mark.parametrize("supports", [True, False])
async def test_llamacpp_says_whether_the_template_of_its_model_knows_tools(supports: bool) -> None:
    listed = json.loads(recorded("get-v1_models").partition(b"\r\n\r\n")[2])
    caps: JsonValue = {"supports_tools": supports, "supports_tool_calls": supports}
    routes: dict[str, Route] = {
        "GET /v1/models": listed,
        "GET /props": {"chat_template_caps": caps},
    }
    async with answering(routes) as server:
        models = await fetch_models(row_of("local"), ProviderSettings(base_url=server.url))
    assert support(models) == {"qwen2.5-coder-0.5b": supports}


async def test_a_server_that_says_nothing_of_tools_is_listed_all_the_same() -> None:
    listed = json.loads(recorded("get-v1_models").partition(b"\r\n\r\n")[2])
    async with answering({"GET /v1/models": listed}) as server:
        models = await fetch_models(row_of("local"), ProviderSettings(base_url=server.url))
    assert support(models) == {"qwen2.5-coder-0.5b": None}


async def test_a_server_that_is_slow_to_tell_of_tools_is_not_waited_for() -> None:
    left = asyncio.Event()

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent = server.received[-1]
        if sent.line.startswith("GET"):
            writer.write(http(ids("fast:1", "slow:1")))
        elif sent.body["model"] == "fast:1":
            writer.write(http({"capabilities": ["completion", "tools"]}))
        else:
            assert await reader.read() == b""
            left.set()

    async with wire_server(play) as server:
        async with asyncio.timeout(PATIENCE_SECONDS):
            models = await fetch_models(row_of("ollama"), ProviderSettings(base_url=server.url))
            await left.wait()
    # On a machine that is slow itself the quick one may not have told in time either.
    assert support(models) in ({"fast:1": yes, "slow:1": None} for yes in (True, None))
