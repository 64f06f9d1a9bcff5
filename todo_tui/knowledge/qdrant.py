"""Vectors of passages on a Qdrant server, where `[knowledge] qdrant_url` names one."""

from __future__ import annotations

import hashlib
import importlib
import logging
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from todo_tui.config.endpoint import Endpoint
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.extras import install_command
from todo_tui.knowledge.vectors import unavailable
from todo_tui.store.store import Store

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

_log = logging.getLogger(__name__)
_SECONDS = 60
"""Time for one request; a search gives up earlier."""
_PAGE = 10_000
_COLLECTIONS = "todo-tui-"
"""Beginning of the names of collections; a digest of the model and the length follow."""
_OWNER = "vector_owner"
"""Key of a random id: databases that share a server have the same ids and user names."""


class QdrantVectors:
    """Vectors of one user on a server; only their ids and the owner's random id go with them.

    Raises VectorsUnavailable if the server cannot be used, and ConfigError without its client.
    """

    def __init__(self, store: Store, server: Endpoint) -> None:
        self._store = store
        self._server = server
        self._known: dict[str, set[int]] = {}
        """Passages that have a vector there, by model; asked again where others are missed."""

    def load(self) -> None:
        """Import Qdrant's client, which takes a second.

        Raises:
            ConfigError: it is not installed.
        """
        try:
            importlib.import_module("qdrant_client")
        except ImportError as error:
            raise ConfigError(
                "The Python package for Qdrant is missing.",
                hint=f"Run {install_command('vectors')}.",
            ) from error

    def embedded(self, model: str) -> set[int]:
        """Return the ids of the passages that have a vector of that model."""
        known = self._known.get(model, set())
        if self._store.app_state.get(_OWNER) is not None and (
            not known or self._store.knowledge.passage_ids() - known
        ):
            with self._open() as client:
                collection = _of_model(client, model)
                known = self._known[model] = self._stored(client, collection)
        return known

    def put(self, model: str, vectors: Mapping[int, Sequence[float]]) -> None:
        """Store vectors by the id of their passage."""
        if not vectors:
            return
        length = len(next(iter(vectors.values())))
        with self._open() as client:
            from qdrant_client import models

            collection = f"{_prefix(model)}{length}"
            self._create(client, collection, length)
            points = [
                models.PointStruct(
                    id=self._point_id(passage),
                    vector=[*vector],
                    payload={"owner": self._owner, "passage": passage},
                )
                for passage, vector in vectors.items()
            ]
            client.upsert(collection, points)
        self._known.setdefault(model, set()).update(vectors)

    def delete_others(self, model: str, length: int) -> None:
        """Delete the vectors of other models, and those with another number of floats."""
        self._known.clear()
        with self._open() as client:
            for name in _names(client):
                if name != f"{_prefix(model)}{length}":
                    self._forget(client, name)

    def delete_removed(self) -> None:
        """Delete the vectors of removed passages."""
        if self._store.app_state.get(_OWNER) is None:
            return
        kept = self._store.knowledge.passage_ids()
        with self._open() as client:
            for name in _names(client):
                removed = sorted(self._stored(client, name) - kept)
                for start in range(0, len(removed), _PAGE):
                    client.delete(name, [*map(self._point_id, removed[start : start + _PAGE])])

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> list[int]:
        """Return the ids of the passages whose vectors are most similar, best first."""
        collection = f"{_prefix(model)}{len(vector)}"
        with self._open() as client:
            if not client.collection_exists(collection):
                return []
            found = client.query_points(
                collection,
                query=[*vector],
                query_filter=self._owned(),
                limit=limit,
                with_payload=["passage"],
            )
        return [*_passage_ids(point.payload for point in found.points)]

    def _create(self, client: QdrantClient, collection: str, length: int) -> None:
        from qdrant_client import models

        if client.collection_exists(collection):
            return
        config = models.VectorParams(size=length, distance=models.Distance.COSINE)
        client.create_collection(collection, vectors_config=config)
        keyword = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
        client.create_payload_index(collection, "owner", keyword)

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
        owner = self._store.app_state.get(_OWNER)
        if owner is None:
            owner = uuid.uuid4().hex
            self._store.app_state.set(_OWNER, owner)
        return owner

    @contextmanager
    def _open(self) -> Iterator[QdrantClient]:
        """Connect to the server, and translate whatever its client raises.

        Raises:
            VectorsUnavailable: the server is away, refuses, or is not a Qdrant.
            ConfigError: the client is not installed.
        """
        self.load()
        from qdrant_client import QdrantClient

        try:
            with closing(
                QdrantClient(
                    url=f"{self._server.scheme}://{self._server.place}{self._server.path}",
                    check_compatibility=False,
                    timeout=_SECONDS,
                    trust_env=not self._server.is_near,
                    follow_redirects=False,
                )
            ) as client:
                yield client
        except Exception as error:
            # Not only its own errors: where the server is not a Qdrant it raises AssertionError,
            # and what its transport or its checks of answers raise.
            _log.debug("Qdrant failed", exc_info=error)
            raise unavailable(error, self._server.address) from error


def _prefix(model: str) -> str:
    return f"{_COLLECTIONS}{hashlib.sha256(model.encode()).hexdigest()[:16]}-"


def _of_model(client: QdrantClient, model: str) -> str:
    """Return the name of the model's collection; empty if there is none, or several."""
    names = [name for name in _names(client) if name.startswith(_prefix(model))]
    return names[0] if len(names) == 1 else ""


def _names(client: QdrantClient) -> list[str]:
    """Return the names of our collections."""
    found = (each.name for each in client.get_collections().collections)
    return [name for name in found if name.startswith(_COLLECTIONS)]


def _passage_ids(payloads: Iterable[dict[str, object] | None]) -> Iterator[int]:
    for payload in payloads:
        passage_id = (payload or {}).get("passage")
        if isinstance(passage_id, int):
            yield passage_id
