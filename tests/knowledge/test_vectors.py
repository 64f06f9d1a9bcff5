"""Search by meaning: vectors in the database, fused with the ranking by words."""

from __future__ import annotations

import math
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests.knowledge.embedding_server import EmbeddingServer, embedding_server, vector_of
from tests.knowledge.relevance import Question, add_documents, questions
from tests.knowledge.stored import add_document
from tests.store.opened import opened
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import TodoError
from todo_tui.domain.extras import install_command
from todo_tui.knowledge.vectors import VectorIndex
from todo_tui.providers.embeddings import EmbeddingClient
from todo_tui.providers.registry import provider_row
from todo_tui.providers.server import anywhere
from todo_tui.store.store import Store

DOGS, RENT = "Dogs need a permission.", "The rent is 940 euros."


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as server:
        yield server


def ignore(done: int, total: int) -> None:
    """Show no progress."""


def found(store: Store, index: VectorIndex, query: str) -> list[str]:
    """Return the texts that both rankings find, best first."""
    similar, note = index.rank(query)
    assert note == ""
    return [each.text for each in store.knowledge.search(query, 5, similar)]


def stored(store: Store) -> list[tuple[int, str, int]]:
    """Return passage, model and bytes of all vectors in the file."""
    with closing(sqlite3.connect(store.path)) as database:
        rows = database.execute("SELECT passage, model, length(vector) FROM vectors ORDER BY 1")
        return rows.fetchall()


def test_other_words_find_more_with_vectors(
    store: Store, folder: Path, server: EmbeddingServer
) -> None:
    add_documents(store.knowledge, folder)
    index = server.index(store)
    assert index.update(ignore) == ""

    def right(asked: list[Question], *, hybrid: bool) -> int:
        count = 0
        for each in asked:
            similar = index.rank(each.text)[0] if hybrid else ()
            count += any(map(each.is_answered_by, store.knowledge.search(each.text, 5, similar)))
        return count

    same, other = questions(), questions("~ ")
    assert right(same, hybrid=True) >= 95
    assert right(other, hybrid=True) >= right(other, hybrid=False) + 20


def test_rankings_are_fused_by_reciprocal_rank(store: Store) -> None:
    add_document(store, "Notes", "apple", "apple banana", "cherry", "banana apple apple date")
    by_words = [each.passage_id for each in store.knowledge.search("apple", 5)]
    first, second, third = by_words
    (cherry,) = store.knowledge.passage_ids() - set(by_words)

    fused = store.knowledge.search("apple", 5, [cherry, third])

    # 1/61 + 0, 1/62, 1/63 + 1/62, and 1/61 for what only vectors find.
    assert [each.passage_id for each in fused] == [third, first, cherry, second]
    assert fused[0].score == pytest.approx(1 / 63 + 1 / 62)


def test_near_duplicates_and_foreign_ids_are_left_out(store: Store) -> None:
    words = " ".join(f"word{number}" for number in range(30))
    add_document(store, "Notes", words, f"{words} more", RENT)
    ids = sorted(store.knowledge.passage_ids())
    with opened(store.path, user="bob") as other:
        add_document(other, "Secret", "The safe code is 1234.")
        foreign = [*other.knowledge.passage_ids()]

    assert len(store.knowledge.search("rent", 5, [*foreign, 10_000, *ids])) == 2


def test_each_user_finds_only_their_own_passages(store: Store, server: EmbeddingServer) -> None:
    add_document(store, "Lease", DOGS)
    with opened(store.path, user="bob") as other:
        add_document(other, "Lease", DOGS)
        assert [server.index(each).update(ignore) for each in (store, other)] == ["", ""]
        assert len(stored(store)) == 2
        for each in (store, other):
            assert set(server.index(each).rank("puppy")[0]) == each.knowledge.passage_ids()
        other.knowledge.remove([other.knowledge.find("Lease").id])
        assert server.index(other).delete_removed() == ""
    assert found(store, server.index(store), "puppy") == [DOGS]


def test_only_new_passages_are_embedded_and_removed_ones_deleted(
    store: Store, server: EmbeddingServer
) -> None:
    add_document(store, "Lease", DOGS)
    index = server.index(store)
    index.update(ignore)
    server.texts.clear()
    add_document(store, "Rent", RENT)
    index.update(ignore)
    assert [text for text in server.texts if DOGS in text] == []
    assert found(store, index, "puppy")[0] == DOGS

    store.knowledge.remove([store.knowledge.find("Lease").id])
    assert [passage for passage, _, _ in stored(store)] == [*store.knowledge.passage_ids()]


def test_interrupted_work_continues(store: Store, server: EmbeddingServer) -> None:
    add_document(store, "Long", *(f"Passage number {number}." for number in range(70)))
    index = server.index(store)

    def interrupt(done: int, total: int) -> None:
        assert total == 70
        if done:
            raise KeyboardInterrupt

    note = "32 of 70 passages are embedded. Run `todo-tui knowledge refresh`."
    assert index.update(interrupt) == f"Embedding was interrupted. {note}"
    assert index.incomplete() == note
    # With a part of the passages the others would sink: all searches go by words, and say so.
    server.texts.clear()
    for _ in range(2):
        assert index.rank("passage") == ((), f"Searched by words only. {note}")
    assert server.texts == []
    steps: list[tuple[int, int]] = []
    assert index.update(lambda done, total: steps.append((done, total))) == ""
    assert (steps[0], steps[-1]) == ((0, 38), (38, 38))
    assert len([text for text in server.texts if "Passage" in text]) == 38
    assert index.incomplete() == ""
    assert index.rank("passage")[1] == ""


@pytest.mark.parametrize("is_renamed", [True, False])
def test_another_model_embeds_all_again(
    store: Store, server: EmbeddingServer, *, is_renamed: bool
) -> None:
    add_document(store, "Lease", DOGS)
    server.index(store, "old").update(ignore)
    server.length = 256
    index = server.index(store, "new" if is_renamed else "old")
    reason = (
        "0 of 1 passages are embedded."
        if is_renamed
        else "The passages were embedded by another model."
    )
    refresh = "Run `todo-tui knowledge refresh`."
    assert index.rank("puppy") == ((), f"Searched by words only. {reason} {refresh}")
    assert index.update(ignore) == ""
    assert [length for _, _, length in stored(store)] == [4 * 256]
    assert found(store, index, "puppy") == [DOGS]


def test_without_the_server_words_are_searched_and_each_search_says_so(
    store: Store, server: EmbeddingServer
) -> None:
    add_document(store, "Lease", DOGS)
    index = server.index(store)
    index.update(ignore)
    server.status, server.answer = 500, {"error": {"message": "broken"}}
    with ThreadPoolExecutor(2) as searches:
        for similar, note in searches.map(index.rank, ["dogs", "dogs"]):
            assert (similar, note[:24]) == ((), "Searched by words only. ")
    assert index.update(ignore) == ""
    add_document(store, "Rent", RENT)
    assert index.update(ignore).startswith("Not all passages are embedded. ")

    server.status, server.answer = 200, None
    assert index.update(ignore) == ""
    assert index.rank("dogs")[0]


def test_a_server_that_is_not_there_is_named(store: Store) -> None:
    add_document(store, "Lease", DOGS)
    nowhere = EmbeddingServer("http://127.0.0.1:9")
    assert "127.0.0.1:9" in nowhere.index(store).update(ignore)


def test_a_search_does_not_wait_for_a_slow_server(store: Store, server: EmbeddingServer) -> None:
    add_document(store, "Lease", DOGS)
    index = server.index(store, seconds=1)
    index.update(ignore)
    server.delay = 3
    assert index.rank("dogs")[1].startswith("Searched by words only. ")


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"data": []}, {"data": "x"}, [], "text",
        {"data": [{"embedding": []}]},
        {"data": [{"embedding": ["a"]}]},
        {"data": [{"embedding": [float("nan")]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]},
        {"data": [{"index": [], "embedding": {"0": 1}}]},
    ],
)  # fmt: skip
def test_unusable_embeddings_are_refused(
    store: Store, server: EmbeddingServer, answer: object
) -> None:
    server.answer = answer
    add_document(store, "Lease", DOGS)
    assert "embeddings" in server.index(store).update(ignore)


def test_nothing_is_sent_without_consent(store: Store, server: EmbeddingServer) -> None:
    row = provider_row("local")
    settings = ProviderSettings(base_url=f"{server.url}/v1", model="m")
    client = EmbeddingClient("local:m", lambda: (row, settings), lambda place: False)
    with pytest.raises(TodoError, match="Nothing was sent"):
        client.embed(["text"], 1)
    assert server.texts == []


def test_a_missing_key_is_said_before_anything_is_sent() -> None:
    row = provider_row("openai")
    settings = ProviderSettings(base_url=row.base_url, model="m")
    client = EmbeddingClient("openai:m", lambda: (row, settings), lambda place: True)
    with pytest.raises(TodoError, match="OpenAI needs an API key"):
        client.embed(["text"], 1)


def test_a_missing_extra_is_named_with_the_line_to_install_it(
    store: Store, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    add_document(store, "Lease", DOGS)
    index = server.index(store)
    assert install_command("vectors") in index.update(ignore)
    assert install_command("vectors") in index.rank("dogs")[1]


def test_vectors_go_with_their_passages(store: Store, server: EmbeddingServer) -> None:
    add_document(store, "Lease", DOGS)
    index = server.index(store)
    index.update(ignore)
    before = stored(store)
    add_document(store, "Lease", RENT)
    assert stored(store) == []
    index.update(ignore)
    assert stored(store) != before
    store.knowledge.remove([store.knowledge.find("Lease").id])
    assert stored(store) == []


def test_the_nearest_of_many_vectors_are_found(store: Store) -> None:
    add_document(store, "Many", *(f"Passage number {number}." for number in range(4_500)))
    passages = sorted(store.knowledge.passage_ids())
    # Angles that grow, and lengths that do not matter.
    store.vectors.put(
        "m",
        {
            passage: [3 * number * math.cos(number / 4_500), 3 * number * math.sin(number / 4_500)]
            for number, passage in enumerate(passages)
        },
    )
    assert store.vectors.nearest("m", [math.cos(0.5), math.sin(0.5)], 1) == [passages[2_250]]
    assert store.vectors.nearest("m", [math.cos(1), math.sin(1)], 3) == passages[:-4:-1]
    assert store.vectors.nearest("m", [1.0, 0.0, 0.0], 3) == []
    assert store.vectors.nearest("other", [1.0, 0.0], 3) == []


def client(server: EmbeddingServer, model: str = "test") -> EmbeddingClient:
    found = provider_row("local"), ProviderSettings(base_url=f"{server.url}/v1", model=model)
    return EmbeddingClient(f"local:{model}", lambda: found, anywhere)


def test_a_slow_batch_is_halved_and_goes_on(server: EmbeddingServer) -> None:
    embed = client(server).embed
    server.most_texts = 10
    texts = [f"text {number}" for number in range(25)]
    assert embed(texts, 3) == [vector_of(text) for text in texts]
    assert server.sizes == [25, 12, 6, 6, 6, 6, 1]
    # The next batch begins with what worked.
    server.sizes.clear()
    assert len(embed(texts[:8], 30)) == 8
    assert server.sizes == [6, 2]
    server.most_texts = 0
    with pytest.raises(TodoError):
        embed(["one"], 0.2)


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("nomic-embed-text", "search_query: x", "search_document: x"),
        ("nomic-embed-text:v1.5", "search_query: x", "search_document: x"),
        ("text-embedding-nomic-embed-text-v2-moe", "search_query: x", "search_document: x"),
        ("intfloat/e5-base-v2", "query: x", "passage: x"),
        ("jeffh/intfloat-multilingual-e5-large:f16", "query: x", "passage: x"),
        ("multilingual-e5-large-instruct", "Instruct: …\nQuery: x", "x"),
        ("e5-mistral-7b-instruct", "Instruct: …\nQuery: x", "x"),
        ("bge-large", "Represent this sentence for searching relevant passages: x", "x"),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: x",
         "x"),
        ("bge-base-zh-v1.5", "为这个句子生成表示以用于检索相关文章：x", "x"),
        ("bge-m3", "x", "x"),
        ("qwen3-embedding:0.6b", "Instruct: …\nQuery:x", "x"),
        ("Qwen/Qwen3-Embedding-8B", "Instruct: …\nQuery:x", "x"),
        ("embeddinggemma:300m", "task: search result | query: x", "title: none | text: x"),
        ("text-embedding-embeddinggemma-300m-qat", "task: search result | query: x",
         "title: none | text: x"),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: x", "x"),
        ("snowflake-arctic-embed:22m", "Represent this sentence for searching relevant passages: x",
         "x"),
        ("snowflake-arctic-embed-m-v1.5",
         "Represent this sentence for searching relevant passages: x", "x"),
        ("snowflake-arctic-embed2", "query: x", "x"),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: x", "x"),
        ("all-minilm", "x", "x"),
        ("text-embedding-3-small", "x", "x"),
        ("gemini-embedding-001", "x", "x"),
        ("granite-embedding:30m", "x", "x"),
    ],
)  # fmt: skip
def test_queries_and_passages_have_the_prefixes_of_the_model_family(
    server: EmbeddingServer, model: str, query: str, passage: str
) -> None:
    embed = client(server, model).embed
    embed(["x"], 30, is_query=True)
    embed(["x"], 30)
    task = "Given a web search query, retrieve relevant passages that answer the query"
    assert server.texts == [query.replace("…", task), passage]


def test_a_search_sends_a_query_and_indexing_passages(
    server: EmbeddingServer, store: Store
) -> None:
    add_document(store, "A", "apple")
    index = server.index(store, "e5-base")
    assert index.update(lambda done, total: None) == ""
    index.rank("pear")
    assert server.texts[-2:] == ["passage: A\napple", "query: pear"]
