"""Search by meaning: vectors of passages from an embedding model.

`search` of store/knowledge.py fuses it with the search by words.

Loaded only where an embedding model is configured.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store

_log = logging.getLogger(__name__)
SEARCH_SECONDS = 2.0
"""Time after which a search goes on without vectors."""
_BATCH_SECONDS = 60.0
"""Time of the embedding server for a batch of passages."""
_EMBEDDING_SHARE = 0.9
"""Share of the time of a search that the embedding server has for the query."""
_BATCH = 32
"""Texts in a request: 3,072 numbers for each are 2 MB of JSON."""
_SIMILAR = 50
"""Passages found by vectors that are fused with those found by words."""
_LONGEST_REASON, _LONGEST_QUERY = 150, 2_000
_REFRESH = "Run `todo-tui knowledge refresh`."


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


class VectorStorage(Protocol):
    """Place of the user's vectors: the database, or a server. Every method blocks.

    Methods raise TodoError if the place cannot be used.
    """

    def load(self) -> None:
        """Import what the place needs, which may take a second.

        Raises:
            ConfigError: it is not installed.
        """

    def embedded(self, model: str) -> Collection[int]:
        """Return the ids of the passages that have a vector of that model."""

    def put(self, model: str, vectors: Mapping[int, Sequence[float]]) -> None:
        """Store vectors by the id of their passage."""

    def delete_others(self, model: str, length: int) -> None:
        """Delete the vectors of other models, and those with another number of floats."""

    def delete_removed(self) -> None:
        """Delete the vectors of removed passages."""

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> list[int]:
        """Return the ids of the passages whose vectors are most similar, best first."""


class VectorsUnavailable(TodoError):
    """Failure of the search by meaning, after which searches go on by words alone."""


class VectorIndex:
    """The user's passages by their meaning; every method blocks."""

    def __init__(
        self,
        store: Store,
        model: EmbeddingModel,
        storage: VectorStorage | None = None,
        search_seconds: float = SEARCH_SECONDS,
    ) -> None:
        self._knowledge = store.knowledge
        self._model = model
        self._storage = storage or store.vectors
        self._search_seconds = search_seconds

    def rank(self, query: str) -> tuple[Sequence[int], str]:
        """Return the ids of the most similar passages, best first; else the reason, for the user.

        There are none before every passage has a vector: those without one would sink below the
        others. Takes two seconds at most, apart from the first import.
        """
        if not self._knowledge.has_documents():
            return (), ""
        outcome: queue.SimpleQueue[Sequence[int] | TodoError] = queue.SimpleQueue()

        def run() -> None:
            try:
                outcome.put(self._rank(query))
            except TodoError as error:
                outcome.put(error)
            except Exception as error:
                _log.exception("search by meaning failed")
                outcome.put(unavailable(error))

        found: Sequence[int] | TodoError
        try:
            self._storage.load()
            # A thread can be left behind: looking up a host may take a minute.
            threading.Thread(target=run, daemon=True, name="search by meaning").start()
            found = outcome.get(timeout=self._search_seconds)
        except queue.Empty:
            found = VectorsUnavailable(
                f"Searching by meaning took more than {self._search_seconds:.0f} seconds."
            )
        except ConfigError as error:
            found = error
        if isinstance(found, TodoError):
            return (), f"Searched by words only. {found.text}"
        return found, ""

    def incomplete(self) -> str:
        """Return how many passages are embedded, for the user; empty if all are.

        Where that cannot be found out, the reason.
        """
        try:
            missing, total = self._missing()
        except TodoError as error:
            return error.text
        return f"{_count(missing, total)} {_REFRESH}" if missing else ""

    def update(self, progress: Callable[[int, int], None]) -> str:
        """Embed the passages without a vector, and delete the vectors of removed passages.

        With another model than before all are embedded; then the old vectors are deleted. Returns
        the reason, for the user, if some are left. The next call continues. Ctrl+C ends it.
        """
        try:
            self._update(progress)
        except KeyboardInterrupt:
            return f"Embedding was interrupted. {self.incomplete()}".rstrip()
        except TodoError as error:
            return f"Not all passages are embedded. {error.text}"
        return ""

    def delete_removed(self) -> str:
        """Delete the vectors of removed passages; return the reason if that failed."""
        try:
            self._storage.delete_removed()
        except TodoError as error:
            return f"Vectors of removed documents are left. {error.text}"
        return ""

    def _missing(self) -> tuple[list[int], int]:
        """Return the passages without a vector, in their order, and the number of all."""
        wanted = self._knowledge.passage_ids()
        return sorted(wanted.difference(self._storage.embedded(self._model.name))), len(wanted)

    def _rank(self, query: str) -> Sequence[int]:
        missing, total = self._missing()
        if missing:
            raise VectorsUnavailable(_count(missing, total), hint=_REFRESH)
        queries = [query[:_LONGEST_QUERY]]
        seconds = _EMBEDDING_SHARE * self._search_seconds
        (vector,) = self._model.embed(queries, seconds, is_query=True)
        found = self._storage.nearest(self._model.name, vector, _SIMILAR)
        if total and not found:
            # A server may have another model under the same name than before.
            raise VectorsUnavailable("The passages were embedded by another model.", hint=_REFRESH)
        return found

    def _update(self, progress: Callable[[int, int], None]) -> None:
        self._storage.load()
        self._storage.delete_removed()
        missing, total = self._missing()
        if not total:
            return
        model = self._model
        try:
            (vector,) = model.embed(["length"], _BATCH_SECONDS)
        except TodoError:
            if missing:
                raise
            return
        self._storage.delete_others(model.name, len(vector))
        missing, total = self._missing()
        for done in range(0, len(missing), _BATCH):
            progress(done, len(missing))
            texts = self._knowledge.passage_texts(missing[done : done + _BATCH])
            vectors = model.embed([*texts.values()], _BATCH_SECONDS) if texts else []
            self._storage.put(model.name, dict(zip(texts, vectors, strict=True)))
        progress(len(missing), len(missing))


def _count(missing: Sequence[int], total: int) -> str:
    return f"{total - len(missing):,} of {total:,} passages are embedded."


def unavailable(error: Exception, place: str = "") -> VectorsUnavailable:
    """Create the error for a failure of the vectors at a place, in one sentence."""
    at = f" at {place}" if place else ""
    reason = plain_line(str(error) or type(error).__name__)[:_LONGEST_REASON].rstrip(".")
    return VectorsUnavailable(f"The vectors{at} cannot be used: {reason}.")
