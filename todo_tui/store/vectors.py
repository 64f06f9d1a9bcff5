"""Vectors of passages, beside them in the database, and the search by their similarity."""

from __future__ import annotations

import importlib
import struct
from collections.abc import Mapping, Sequence
from heapq import nlargest

from todo_tui.domain.errors import ConfigError
from todo_tui.domain.extras import install_command
from todo_tui.store.database import Repository

_CHUNK = 2_000
"""Vectors that are compared at once: 6 MB of 768 numbers each."""
_VECTORS = """
FROM documents d JOIN passages p ON p.document = d.id
JOIN vectors v ON v.passage = p.id
WHERE d.user = ? AND d.state = 'ready' AND v.model = ?
"""
_DELETE_OTHERS = """
DELETE FROM vectors WHERE (model <> ? OR length(vector) <> ?) AND passage IN (
    SELECT p.id FROM passages p JOIN documents d ON d.id = p.document WHERE d.user = ?)
"""
_NUMBER_BYTES = 4


class VectorStore(Repository):
    """Vectors of one user's passages, each an array of little-endian 4-byte floats.

    They are deleted together with their passage.
    """

    def load(self) -> None:
        """Import numpy, which takes 0.1 seconds.

        Raises:
            ConfigError: it is not installed.
        """
        try:
            importlib.import_module("numpy")
        except ImportError as error:
            raise ConfigError(
                "A Python package for embeddings is missing.",
                hint=f"Run {install_command('vectors')}.",
            ) from error

    def embedded(self, model: str) -> frozenset[int]:
        """Return the ids of the passages that have a vector of that model."""
        return frozenset(
            key for (key,) in self._db.rows(f"SELECT p.id {_VECTORS}", self._db.user, model)
        )

    def put(self, model: str, vectors: Mapping[int, Sequence[float]]) -> None:
        """Store vectors by passage id, in one transaction, without those of removed passages."""
        with self._db.file.writing() as database:
            database.executemany(
                "INSERT OR REPLACE INTO vectors (passage, model, vector)"
                " SELECT id, ?, ? FROM passages WHERE id = ?",
                (
                    (model, struct.pack(f"<{len(vector)}f", *vector), passage)
                    for passage, vector in vectors.items()
                ),
            )

    def delete_removed(self) -> None:
        """Do nothing: vectors are deleted with their passages."""

    def delete_others(self, model: str, length: int) -> None:
        """Delete the user's vectors of other models, and those with another number of floats."""
        with self._db.file.writing() as database:
            database.execute(_DELETE_OTHERS, (model, length * _NUMBER_BYTES, self._db.user))

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> list[int]:
        """Return the ids of the passages whose vectors are most similar, best first."""
        import numpy as np  # see `load`

        query = np.asarray(vector, dtype="<f4")
        best: list[tuple[float, int]] = []
        with self._db.file.reading() as database:
            rows = database.execute(
                f"SELECT p.id, v.vector {_VECTORS} AND length(v.vector) = ?",
                (self._db.user, model, len(vector) * _NUMBER_BYTES),
            )
            while chunk := rows.fetchmany(_CHUNK):
                matrix = np.frombuffer(b"".join(row[1] for row in chunk), dtype="<f4")
                matrix = matrix.reshape(len(chunk), len(vector))
                norms = np.linalg.norm(matrix, axis=1)
                scores = (matrix @ query) / np.where(norms > 0, norms, 1)
                found = zip(scores.tolist(), (row[0] for row in chunk), strict=True)
                best = nlargest(limit, [*best, *found])
        return [passage for _, passage in best]
