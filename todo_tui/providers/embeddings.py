"""Embeddings from OpenAI-compatible servers: vectors of texts, a batch in each request."""

import asyncio
import math
import re
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConfigError, ProviderError, ProviderErrorKind
from todo_tui.providers.errors import parse_error_body, provider_error_from
from todo_tui.providers.json_values import JsonObject, get_count, get_items, get_member
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.server import MaySend, Server, require_consent, servers_of
from todo_tui.providers.transport import fetch

_MAX_TEXTS = 64
"""Texts in a request."""
_TOO_MUCH = frozenset({ProviderErrorKind.TIMEOUT, ProviderErrorKind.CONTEXT_TOO_LONG})
"""Failures that fewer texts may avoid."""
_UNUSABLE = "{label} sent no usable embeddings"


class EmbeddingClient:
    """Client of the embedding model of one provider.

    `find` returns the registry row and its settings, with the model and the key; it is called at
    the first request and may block.
    """

    def __init__(
        self,
        name: str,
        find: Callable[[], tuple[ProviderRow, ProviderSettings]],
        may_send: MaySend,
    ) -> None:
        self.name = name
        """Name of the model; vectors of two names cannot be compared."""
        self._find = find
        self._may_send = may_send
        self._most_texts = _MAX_TEXTS

    def embed(
        self, texts: Sequence[str], seconds: float, *, is_query: bool = False
    ) -> list[list[float]]:
        """Return the vectors of texts in their order, all of the same length.

        They are passages, or queries for passages. Each request may take `seconds`; if the server
        needs longer for several texts, this one and later requests have half as many. Not to be
        called in an event loop.

        Raises:
            ConfigError: the address cannot be used, or the key is missing.
            ConsentNeeded: the user has not agreed to the host; nothing was sent.
            ProviderError: the server cannot be reached, takes longer, or sends no vectors.
        """
        vectors: list[list[float]] = []
        while len(vectors) < len(texts):
            batch = texts[len(vectors) :][: self._most_texts]
            try:
                found = asyncio.run(_first_vectors(self._servers, batch, seconds, is_query))
            except ProviderError as error:
                if error.kind not in _TOO_MUCH or len(batch) == 1:
                    raise
                self._most_texts = len(batch) // 2
                continue
            if vectors and len(found[0]) != len(vectors[0]):
                raise self._servers[-1].error(ProviderErrorKind.MALFORMED, message=_UNUSABLE)
            vectors += found
        return vectors

    @cached_property
    def _servers(self) -> tuple[Server, ...]:
        row, settings = self._find()
        if row.needs_key and not settings.has_key:
            raise ConfigError(f"{row.label} needs an API key.", hint=f"Set {row.key_variable}.")
        servers = servers_of(row, settings)
        require_consent(row.id, servers, self._may_send)
        return servers


async def _first_vectors(
    servers: Sequence[Server], texts: Sequence[str], seconds: float, is_query: bool
) -> list[list[float]]:
    """Return the vectors of the first server that runs."""
    ends_at = time.monotonic() + seconds
    for server in servers[:-1]:
        try:
            return await _vectors(server, texts, ends_at - time.monotonic(), is_query)
        except ProviderError as error:
            # Several servers are tried only where each is a program on this machine.
            if error.kind is not ProviderErrorKind.NETWORK:
                raise
    return await _vectors(servers[-1], texts, ends_at - time.monotonic(), is_query)


async def _vectors(
    server: Server, texts: Sequence[str], seconds: float, is_query: bool
) -> list[list[float]]:
    prefixes = prefixes_of(server.model)
    prefix = prefixes.query if is_query else prefixes.passage
    path = f"{server.endpoint.path}{server.traits.models_path.removesuffix('models')}embeddings"
    body: JsonObject = {
        "model": server.model,
        "input": [prefix + text for text in texts],
        "encoding_format": "float",
    }
    answer = await fetch(server, path, seconds=max(seconds, 0), body=body)
    reply = answer.json
    if answer.status != 200:
        failure = parse_error_body(reply, status=answer.status, headers=answer.headers)
        raise provider_error_from(failure, server, detail=answer.body)
    items = get_items(reply, "data")
    # Servers may answer in any order; some leave `index` out, which reads as 0.
    ordered = sorted(items, key=lambda item: get_count(item, "index"))
    vectors = [_vector(get_member(item, "embedding")) for item in ordered]
    lengths = {len(vector) for vector in vectors}
    if len(vectors) != len(texts) or len(lengths) != 1 or not all(lengths):
        raise server.error(ProviderErrorKind.MALFORMED, message=_UNUSABLE, detail=answer.body)
    return vectors


def _vector(value: object) -> list[float]:
    """Return a list of finite numbers; anything else is empty."""
    numbers = value if isinstance(value, list) else []
    if all(isinstance(each, int | float) and math.isfinite(each) for each in numbers):
        return [float(each) for each in numbers]
    return []


_SEARCH = "Represent this sentence for searching relevant passages: "
_TASK = "Given a web search query, retrieve relevant passages that answer the query"


class EmbeddingPrefixes(NamedTuple):
    """Texts before a query and before a passage."""

    query: str = ""
    passage: str = ""


_QUERY_PASSAGE = EmbeddingPrefixes("query: ", "passage: ")
_INSTRUCTED = EmbeddingPrefixes(f"Instruct: {_TASK}\nQuery: ")

_FAMILIES = tuple(
    (re.compile(pattern), prefixes)
    for pattern, prefixes in (
        (r"nomic-embed-text", EmbeddingPrefixes("search_query: ", "search_document: ")),
        (r"modernbert-embed", EmbeddingPrefixes("search_query: ", "search_document: ")),
        (r"\be5-(?:\w+-){1,2}instruct", _INSTRUCTED),
        (r"\be5-", _QUERY_PASSAGE),
        (r"\bbge-(?:m3|multilingual|en-icl|reranker)", EmbeddingPrefixes()),
        (r"\bbge-\w+-zh", EmbeddingPrefixes("为这个句子生成表示以用于检索相关文章：")),
        (r"\bbge-", EmbeddingPrefixes(_SEARCH)),
        (r"qwen3-embedding", EmbeddingPrefixes(f"Instruct: {_TASK}\nQuery:")),
        (r"gte-qwen2?-?\S*-instruct", _INSTRUCTED),
        (
            r"embedding-?gemma",
            EmbeddingPrefixes("task: search result | query: ", "title: none | text: "),
        ),
        (r"mxbai-embed-de", _QUERY_PASSAGE),
        (r"mxbai-embed-(?:large|2d)", EmbeddingPrefixes(_SEARCH)),
        (r"arctic-embed(?:2|\S*-v2)", EmbeddingPrefixes("query: ")),
        (r"arctic-embed", EmbeddingPrefixes(_SEARCH)),
    )
)
"""Prefixes by family: the first row whose pattern is in the name, in lower case with hyphens.

Sources are the model cards. A model that was trained with prefixes finds clearly less without
them; a family without a row has none, or takes the kind of text in a field of its own API.
"""


def prefixes_of(model: str) -> EmbeddingPrefixes:
    """Return the prefixes of a model by its name, such as `jeffh/intfloat-multilingual-e5-base`."""
    name = re.sub(r"[_\s]", "-", model.lower())
    return next((found for family, found in _FAMILIES if family.search(name)), EmbeddingPrefixes())
