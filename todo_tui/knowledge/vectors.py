"""Vectors of passages in Qdrant, to search by meaning: a folder beside the database, or a server.

Loaded only where an embedding model is configured.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import pickle
import queue
import sqlite3
import threading
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from todo_tui.config.endpoint import Endpoint
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

_log = logging.getLogger(__name__)
SEARCH_SECONDS = 2.0
"""Time after which a search goes on without vectors."""
_EMBEDDING_SECONDS, _BATCH_SECONDS = 1.8, 60.0
"""Time of the embedding server for a query, and for a batch of passages."""
_BATCH = 32
"""Texts in a request: 3,072 numbers for each are 2 MB of JSON."""
_LOCK_SECONDS = 1.5
_SIMILAR = 50
"""Passages found by vectors that are fused with those found by words."""
_PAGE = 10_000
_LONGEST_REASON, _LONGEST_QUERY = 150, 2_000
_COLLECTIONS = "todo-tui-"
"""Beginning of the names of collections; a digest of the model and the length follow."""
_OWNER = "vector_owner"
"""Key of a random id: databases that share a server have the same ids and user names."""
_IGNORED_WARNINGS = ("Local mode is not recommended", "Payload indexes have no effect")


class EmbeddingModel(Protocol):
    """Embedding model that is asked for vectors."""

    @property
    def name(self) -> str:
        """Name of the model; vectors of two names cannot be compared."""

    def embed(
        self, texts: Sequence[str], seconds: float, *, is_query: bool = False
    ) -> list[list[float]]:
        """Return a vector for each passage, or query for passages, all of one length; blocks.

        Raises:
            TodoError: there are none, or not in time.
        """


class VectorsUnavailable(TodoError):
    """Failure of the vector search, after which searches go on by words alone."""


class VectorIndex:
    """Vectors of the passages of one user; every method blocks.

    The folder is open only while a method runs, so that several processes can take turns.
    """

    def __init__(self, store: Store, model: EmbeddingModel, server: Endpoint | None = None) -> None:
        self._store = store
        self._model = model
        self._server = server
        self._folder = store.path.with_name(f"{store.path.name}-vectors")
        digest = hashlib.sha256(model.name.encode()).hexdigest()[:16]
        self._collections = f"{_COLLECTIONS}{digest}-"
        self._has_noted = False

    def rank(self, query: str) -> tuple[Sequence[int], str]:
        """Return the ids of the most similar passages, best first.

        Without them the reason, for the user; only once while it lasts. Takes two seconds at
        most, apart from the first import.
        """
        if not self._store.knowledge.has_documents():
            return (), ""
        outcome: queue.SimpleQueue[Sequence[int] | TodoError] = queue.SimpleQueue()

        def run() -> None:
            try:
                outcome.put(self._rank(query))
            except TodoError as error:
                outcome.put(error)
            except Exception as error:
                _log.exception("vector search failed")
                outcome.put(_unavailable(error))

        found: Sequence[int] | TodoError
        try:
            _import_client()
            # A thread can be left behind: looking up a host may take a minute.
            threading.Thread(target=run, daemon=True, name="vector search").start()
            found = outcome.get(timeout=SEARCH_SECONDS)
        except queue.Empty:
            found = VectorsUnavailable(
                f"Searching by meaning took more than {SEARCH_SECONDS:.0f} seconds.",
                hint="With many documents set `[knowledge] qdrant_url`.",
            )
        except ConfigError as error:
            found = error
        if not isinstance(found, TodoError):
            self._has_noted = False
            return found, ""
        note = "" if self._has_noted else f"Searched by words only. {found.text}"
        self._has_noted = True
        return (), note

    def update(self, progress: Callable[[int, int], None]) -> str:
        """Embed the passages without a vector, and delete the vectors of removed passages.

        With another model than before all are embedded; then the old vectors are deleted. Returns
        the reason, for the user, if some are left. The next call continues. Ctrl+C ends it.
        """
        try:
            self._update(progress)
        except KeyboardInterrupt:
            return "Embedding was interrupted. Continue: todo-tui knowledge refresh"
        except TodoError as error:
            return f"Not all passages are embedded. {error.text}"
        return ""

    def delete_removed(self) -> str:
        """Delete the vectors of removed passages; return the reason if that failed."""
        try:
            if self._store.memory.get(_OWNER) is not None:
                with self._open(SEARCH_SECONDS) as client:
                    self._delete_removed(client, self._store.knowledge.passage_ids())
        except TodoError as error:
            return f"Vectors of removed documents are left. {error.text}"
        return ""

    def _rank(self, query: str) -> list[int]:
        if self._store.memory.get(_OWNER) is None:
            raise _missing()
        queries = [query[:_LONGEST_QUERY]]
        (vector,) = self._model.embed(queries, _EMBEDDING_SECONDS, is_query=True)
        collection = f"{self._collections}{len(vector)}"
        with self._open(SEARCH_SECONDS) as client:
            if not client.collection_exists(collection):
                raise _missing()
            found = client.query_points(
                collection,
                query=vector,
                query_filter=self._owned(),
                limit=_SIMILAR,
                with_payload=["passage"],
            )
        return [*_passage_ids(point.payload for point in found.points)]

    def _update(self, progress: Callable[[int, int], None]) -> None:
        knowledge = self._store.knowledge
        wanted = knowledge.passage_ids()
        if not wanted and self._store.memory.get(_OWNER) is None:
            return
        with self._open(_BATCH_SECONDS) as client:
            self._delete_removed(client, wanted)
            names = [name for name in _names(client) if name.startswith(self._collections)]
            collection = names[0] if len(names) == 1 else ""
            missing = sorted(wanted - self._stored(client, collection))
            if missing:
                # A server may have another model under the same name than before.
                (vector,) = self._model.embed(["length"], _BATCH_SECONDS)
                collection = f"{self._collections}{len(vector)}"
                self._create(client, collection, len(vector))
                missing = sorted(wanted - self._stored(client, collection))
            for done in range(0, len(missing), _BATCH):
                progress(done, len(missing))
                texts = knowledge.passage_texts(missing[done : done + _BATCH])
                if texts:
                    self._add(client, collection, texts)
            progress(len(missing), len(missing))
            for name in _names(client):
                if name != collection:
                    self._forget(client, name)

    def _create(self, client: QdrantClient, collection: str, length: int) -> None:
        from qdrant_client import models

        if client.collection_exists(collection):
            return
        config = models.VectorParams(size=length, distance=models.Distance.COSINE)
        client.create_collection(collection, vectors_config=config)
        keyword = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
        client.create_payload_index(collection, "owner", keyword)

    def _add(self, client: QdrantClient, collection: str, texts: dict[int, str]) -> None:
        from qdrant_client import models

        vectors = self._model.embed([*texts.values()], _BATCH_SECONDS)
        points = [
            models.PointStruct(
                id=self._point_id(passage_id),
                vector=vector,
                payload={"owner": self._owner, "passage": passage_id},
            )
            for passage_id, vector in zip(texts, vectors, strict=True)
        ]
        client.upsert(collection, points)

    def _delete_removed(self, client: QdrantClient, kept: frozenset[int]) -> None:
        for name in _names(client):
            removed = sorted(self._stored(client, name) - kept)
            for start in range(0, len(removed), _PAGE):
                client.delete(name, [*map(self._point_id, removed[start : start + _PAGE])])

    def _forget(self, client: QdrantClient, collection: str) -> None:
        """Delete the user's vectors of another model, and the collection if it is empty then."""
        # A collection without any may be one that another user has just begun to fill.
        if client.count(collection, count_filter=self._owned()).count:
            client.delete(collection, self._owned())
            if not client.count(collection).count:
                client.delete_collection(collection)

    def _stored(self, client: QdrantClient, collection: str) -> set[int]:
        """Return the ids of the user's passages in a collection; none if its name is empty."""
        found = set[int]()
        offset: Any = None
        while collection:
            records, offset = client.scroll(
                collection,
                scroll_filter=self._owned(),
                limit=_PAGE,
                offset=offset,
                with_payload=["passage"],
            )
            found.update(_passage_ids(record.payload for record in records))
            if offset is None:
                break
        return found

    def _owned(self) -> models.Filter:
        """Return the condition that binds a request to the user."""
        from qdrant_client import models

        owner = models.MatchValue(value=self._owner)
        return models.Filter(must=[models.FieldCondition(key="owner", match=owner)])

    def _point_id(self, passage_id: int) -> str:
        return str(uuid.uuid5(uuid.UUID(self._owner), str(passage_id)))

    @property
    def _owner(self) -> str:
        owner = self._store.memory.get(_OWNER)
        if owner is None:
            owner = uuid.uuid4().hex
            self._store.memory.set(_OWNER, owner)
        return owner

    @contextmanager
    def _open(self, seconds: float) -> Iterator[QdrantClient]:
        """Open the folder, or the server with a limit for each request; translate their errors.

        Raises:
            VectorsUnavailable: it cannot be used, or another process does.
        """
        client_type, foreign_errors = _import_client()
        for message in _IGNORED_WARNINGS:
            warnings.filterwarnings("ignore", message=message)
        try:
            with ExitStack() as stack:
                if self._server is None:
                    stack.enter_context(self._locked())
                    client = client_type(
                        path=str(self._folder), force_disable_check_same_thread=True
                    )
                else:
                    client = client_type(
                        url=f"{self._server.scheme}://{self._server.place}{self._server.path}",
                        check_compatibility=False,
                        timeout=int(seconds),
                        trust_env=not self._server.is_near,
                        follow_redirects=False,
                    )
                stack.callback(client.close)
                yield client
        except foreign_errors as error:
            _log.warning("vectors failed", exc_info=error)
            place = self._server.address if self._server else str(self._folder)
            raise _unavailable(error, place) from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the folder: Qdrant refuses a second process at once."""
        import portalocker  # comes with qdrant-client

        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = portalocker.Lock(
            self._folder / "todo-tui.lock", timeout=_LOCK_SECONDS, check_interval=0.05
        )
        try:
            lock.acquire()
        except portalocker.LockException as error:
            raise VectorsUnavailable(
                "Another todo-tui is using the vectors.", hint="Try again later."
            ) from error
        try:
            yield
        finally:
            lock.release()


def _import_client() -> tuple[type[QdrantClient], tuple[type[Exception], ...]]:
    """Import Qdrant's client, which takes a second; return it with the errors it raises.

    Raises:
        ConfigError: it is not installed.
    """
    try:
        client = importlib.import_module("qdrant_client").QdrantClient
        errors = importlib.import_module("qdrant_client.http.exceptions").ApiException
    except ImportError as error:
        raise ConfigError(
            "A Python package for embeddings is missing.",
            hint="Run pip install 'todo-tui[vectors]'.",
        ) from error
    # The local mode raises whatever its files make Python raise.
    of_files = (sqlite3.Error, pickle.UnpicklingError, EOFError, LookupError, AttributeError)
    return client, (errors, OSError, ValueError, TypeError, RuntimeError, *of_files)


def _names(client: QdrantClient) -> list[str]:
    """Return the names of our collections."""
    found = (each.name for each in client.get_collections().collections)
    return [name for name in found if name.startswith(_COLLECTIONS)]


def _passage_ids(payloads: Iterable[dict[str, object] | None]) -> Iterator[int]:
    for payload in payloads:
        passage_id = (payload or {}).get("passage")
        if isinstance(passage_id, int):
            yield passage_id


def _missing() -> VectorsUnavailable:
    return VectorsUnavailable(
        "The documents are not embedded yet.", hint="Run `todo-tui knowledge refresh`."
    )


def _unavailable(error: Exception, place: str = "") -> VectorsUnavailable:
    at = f" at {place}" if place else ""
    reason = plain_line(str(error) or type(error).__name__)[:_LONGEST_REASON].rstrip(".")
    return VectorsUnavailable(f"The vectors{at} cannot be used: {reason}.")
