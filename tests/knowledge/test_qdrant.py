"""Vectors on a Qdrant server: its own client in memory answers over HTTP what tests ask."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.knowledge.embedding_server import EmbeddingServer, embedding_server
from tests.knowledge.stored import add_document
from tests.store.opened import opened
from todo_tui.config.endpoint import parse_endpoint
from todo_tui.knowledge.qdrant import QdrantVectors
from todo_tui.store.store import Store

DOGS, RENT = "Dogs need a permission.", "The rent is 940 euros."
NOTE = "Searched by words only. "


@dataclass
class QdrantServer:
    """A server, and what it was sent: the last part of each path with the body."""

    url: str = ""
    received: list[tuple[str, str]] = field(default_factory=list)
    respond: Callable[[str], tuple[int, str]] | None = None
    """Replaces every answer: status and body."""

    def storage(self, store: Store) -> QdrantVectors:
        """Return the vectors of a store on this server."""
        return QdrantVectors(store, parse_endpoint(self.url, "qdrant_url"))


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as server:
        yield server


@pytest.fixture
def qdrant() -> Iterator[QdrantServer]:
    with serve_qdrant() as served:
        yield served


@contextmanager
def serve_qdrant() -> Iterator[QdrantServer]:  # noqa: C901 - one function for each call
    """Serve the calls that are used, from a collection in memory."""
    # Of its 1.4 s each worker that collects these tests would take as much.
    from qdrant_client import QdrantClient, models

    served = QdrantServer()
    memory = QdrantClient(":memory:")
    lock = threading.Lock()

    def points(name: str, call: str, body: dict[str, Any]) -> object:
        owned = models.Filter(**body["filter"]) if body.get("filter") else None
        match call:
            case "scroll":
                found, _ = memory.scroll(name, scroll_filter=owned, limit=body["limit"])
                return {"points": [{"id": each.id, "payload": each.payload} for each in found]}
            case "query":
                vector = body["query"]["nearest"]
                nearest = memory.query_points(name, query=vector, query_filter=owned, limit=50)
                return json.loads(nearest.model_dump_json())
            case "count":
                return {"count": memory.count(name, count_filter=owned).count}
            case _:
                chosen: list[Any] | models.Filter = body.get("points") or models.Filter(
                    **body["filter"]
                )
                return memory.delete(name, chosen).model_dump()

    def collection(method: str, name: str, body: dict[str, Any]) -> object:
        if method == "DELETE":
            return memory.delete_collection(name)
        vectors = models.VectorParams(**body["vectors"])
        return memory.create_collection(name, vectors_config=vectors)

    def answer(method: str, path: list[str], body: dict[str, Any]) -> object:
        match path:
            case ["collections"]:
                found = memory.get_collections().collections
                return {"collections": [{"name": each.name} for each in found]}
            case ["collections", name]:
                return collection(method, name, body)
            case ["collections", name, "exists"]:
                return {"exists": memory.collection_exists(name)}
            case ["collections", name, "points"]:
                sent = [models.PointStruct(**each) for each in body["points"]]
                return memory.upsert(name, sent).model_dump()
            case ["collections", name, "points", call]:
                return points(name, call, body)
            case _:
                return {"operation_id": 1, "status": "completed"}

    class Handler(BaseHTTPRequestHandler):
        def do_any(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
            path = self.path.partition("?")[0].strip("/").split("/")
            with lock:
                served.received.append((path[-1], sent))
                if served.respond is not None:
                    status, body = served.respond(path[-1])
                else:
                    result = answer(self.command, path, json.loads(sent or "{}"))
                    status = 200
                    body = json.dumps({"result": result, "status": "ok", "time": 0.1})
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        do_GET = do_PUT = do_POST = do_DELETE = do_any

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        served.url = f"http://127.0.0.1:{http.server_port}"
        try:
            yield served
        finally:
            http.shutdown()
            thread.join()
            memory.close()


def ignore(done: int, total: int) -> None:
    """Show no progress."""


def test_passages_are_embedded_found_and_removed(
    store: Store, server: EmbeddingServer, qdrant: QdrantServer
) -> None:
    add_document(store, "Lease", DOGS)
    index = server.index(store, storage=qdrant.storage(store))
    assert index.rank("puppy")[1].startswith(f"{NOTE}0 of 1 passages are embedded.")
    assert index.update(ignore) == ""
    similar, note = index.rank("puppy")
    assert note == ""
    assert {*similar} == store.knowledge.passage_ids()

    # Another process adds a document: without its vector nothing is fused.
    add_document(store, "Rent", RENT)
    other = server.index(store, storage=qdrant.storage(store))
    for each in (index, other):
        assert each.rank("puppy")[1].startswith(f"{NOTE}1 of 2 passages are embedded.")
    assert other.update(ignore) == ""
    assert {*index.rank("puppy")[0]} == store.knowledge.passage_ids()

    store.knowledge.remove([store.knowledge.find("Lease").id])
    assert index.delete_removed() == ""
    assert {*other.rank("puppy")[0]} == store.knowledge.passage_ids()


def test_another_model_replaces_the_vectors(
    store: Store, server: EmbeddingServer, qdrant: QdrantServer
) -> None:
    add_document(store, "Lease", DOGS)
    server.index(store, "old", qdrant.storage(store)).update(ignore)
    server.length = 256
    index = server.index(store, "old", qdrant.storage(store))
    assert "another model" in index.rank("puppy")[1]
    assert index.update(ignore) == ""
    assert index.rank("puppy")[1] == ""
    assert server.index(store, "new", qdrant.storage(store)).update(ignore) == ""
    assert "0 of 1" in server.index(store, "old", qdrant.storage(store)).rank("puppy")[1]


def test_users_share_a_server_and_each_request_names_the_owner(
    store: Store, server: EmbeddingServer, qdrant: QdrantServer
) -> None:
    add_document(store, "Lease", DOGS)
    with opened(store.path, user="bob") as other:
        add_document(other, "Lease", DOGS)
        for each in (store, other):
            assert server.index(each, storage=qdrant.storage(each)).update(ignore) == ""
        for each in (store, other):
            found = server.index(each, storage=qdrant.storage(each)).rank("puppy")[0]
            assert set(found) == each.knowledge.passage_ids()
        owners = {each.app_state.get("vector_owner") for each in (store, other)}
    asked = [sent for call, sent in qdrant.received if call in ("scroll", "query", "points")]
    assert len(owners) == 2
    assert len(asked) >= 6
    assert all(any(f'"{owner}"' in sent for owner in owners) for sent in asked)
    assert not any(DOGS in sent or "ann" in sent or "bob" in sent for sent in asked)


@pytest.mark.parametrize(
    "respond",
    [
        None,
        lambda call: (200, "<html>Welcome to nginx!</html>"),
        lambda call: (200, "{}"),
        lambda call: (200, '{"result": null}'),
        lambda call: (404, "not found"),
        lambda call: (403, '{"status": {"error": "forbidden"}}'),
        lambda call: (407, "proxy authentication required"),
        lambda call: (302, ""),
        lambda call: (500, "\x1b[31m" + "x" * 20_000),
    ],
)  # fmt: skip
def test_a_server_that_is_away_or_no_qdrant_is_named_in_a_sentence(
    store: Store,
    server: EmbeddingServer,
    qdrant: QdrantServer,
    respond: Callable[[str], tuple[int, str]] | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    add_document(store, "Lease", DOGS)
    if respond is None:
        qdrant.url = "http://127.0.0.1:9"
    qdrant.respond = respond
    store.app_state.set("vector_owner", "0" * 32)
    index = server.index(store, storage=qdrant.storage(store))
    for text in (index.rank("dogs")[1], index.update(ignore), index.incomplete()):
        assert qdrant.url.removeprefix("http://") in text
        assert text.endswith(".")
        assert len(text) < 350
        assert text.isprintable()
    # Where a program has no log, warnings would be printed.
    assert [each for each in caplog.records if each.levelname != "DEBUG"] == []
