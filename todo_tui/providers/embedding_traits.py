"""What families of embedding models put before a text: one row each.

Sources are the model cards. A model that was trained with prefixes finds clearly less without
them; a family without a row has none, or takes the kind of text in a field of its own API.
"""

import re
from typing import NamedTuple

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
"""The first row whose pattern is in the name of a model, in lower case with hyphens."""


def prefixes_of(model: str) -> EmbeddingPrefixes:
    """Return the prefixes of a model by its name, such as `jeffh/intfloat-multilingual-e5-base`."""
    name = re.sub(r"[_\s]", "-", model.lower())
    return next((found for family, found in _FAMILIES if family.search(name)), EmbeddingPrefixes())
