"""Documents and their passages, and the search over these and over notes of tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import PurePath
from sqlite3 import Connection
from typing import Any, NamedTuple

from todo_tui.domain.errors import NotFound
from todo_tui.domain.knowledge.content_words import STOP_WORDS
from todo_tui.domain.knowledge.documents import (
    HEADING_JOINT,
    Document,
    DocumentKind,
    DocumentState,
    FileVersion,
    ReadDocument,
)
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence
from todo_tui.domain.knowledge.line_breaks import indexed_text, shown_text
from todo_tui.domain.text import fold_case, repair_surrogates
from todo_tui.store.database import Repository
from todo_tui.store.rows import utc_text

MAX_WORDS = 6
"""Words of a query that are asked, the rarest ones."""
MAX_RESULTS = 50
_MAX_TYPED_WORDS = 200
"""Words of a query that are read; the others are dropped."""
_COMMON = 2_000
"""Passages with a word up to which these are counted; words with more count as equally common."""
_FUSED = 50
"""Passages found by words that are fused with those found otherwise."""
_RANK_OFFSET = 60
"""Reciprocal rank fusion: how little the first ranks differ (Cormack et al., 2009)."""
_SAME = 0.9
"""Share of common words from which on two passages are near-duplicates."""
_LONGEST_NOTE = 1_000
"""Characters up to which the notes of a task are returned as a whole."""
_EXCERPT = 500
_WORD = re.compile(r"[^\W_]+")
_DOCUMENT = """
SELECT d.id, d.path, d.title, d.kind, d.size, d.mtime, d.content_hash, d.added_at, d.state,
    d.problem,
    (SELECT count(*) FROM passages p WHERE p.document = d.id)
FROM documents d WHERE d.user = :user AND d.state <> 'loading'
"""
_PASSAGE = """
SELECT w.rowid, w.rank, p.document, p.headings, d.path, p.page, p.line, p.text,
    t.id, t.title, (SELECT x.text FROM task_texts x WHERE x.row = t.row)
FROM {source} w
LEFT JOIN passages p ON p.id = w.rowid
LEFT JOIN documents d ON d.id = p.document AND d.user = :user AND d.state = 'ready'
LEFT JOIN tasks t
    ON t.row = -w.rowid AND t.user = :user AND t.deleted_at IS NULL AND t.gone = 0
WHERE coalesce(d.id, t.id) IS NOT NULL
"""
# The index ranks all that match before it yields the first.
_HITS = _PASSAGE.format(source="passage_words") + " AND passage_words MATCH :words ORDER BY w.rank"
_BY_ID = _PASSAGE.format(source="(SELECT :id AS rowid, 0.0 AS rank)")
_OF_DOCUMENT = _PASSAGE.format(
    source="(SELECT id AS rowid, 0.0 AS rank FROM passages WHERE document = :id)"
)
_AROUND = _PASSAGE.format(
    source="""(
    SELECT n.id AS rowid, 0.0 AS rank FROM passages c
    JOIN passages n ON n.document = c.document
        AND n.position BETWEEN c.position - :around AND c.position + :around
    WHERE c.id = :id)"""
)
_TEXTS = """
SELECT p.id, p.headings, p.text FROM documents d JOIN passages p ON p.document = d.id
WHERE d.id = ? AND d.user = ?
"""
# The index forgets a text only if it is told that text.
_FORGET = """
INSERT INTO passage_words (passage_words, rowid, headings, text) VALUES ('delete', ?, ?, ?)
"""
# Of a document that is gone the results of searches are left, whatever the answer took from them.
_QUOTING = f"""
SELECT DISTINCT c.id, c.title, c.newest_message
FROM tool_calls s JOIN turns t ON t.id = s.turn_id JOIN conversations c ON c.id = t.conversation_id
WHERE c.user = ? AND c.deleted_at IS NULL AND s.name = '{RETRIEVAL_TOOL}' AND json_valid(s.result)
    AND EXISTS (
        SELECT 1 FROM json_each(s.result, '$.data.passages') p
        WHERE json_extract(p.value, '$.document') IN (SELECT value FROM json_each(?))
    )
ORDER BY c.newest_message DESC
"""  # noqa: S608 - a constant
_PUT = """
INSERT INTO documents
    (user, path, title, kind, size, mtime, content_hash, added_at, state, problem)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user, path) DO UPDATE SET title = excluded.title, kind = excluded.kind,
    size = excluded.size, mtime = excluded.mtime, content_hash = excluded.content_hash,
    state = excluded.state, problem = excluded.problem
RETURNING id
"""
_INSERT = """
INSERT INTO passages (id, document, version, position, headings, page, line, text)
VALUES (?, ?, 0, ?, ?, ?, ?, ?)
"""


class QuotingConversation(NamedTuple):
    """A conversation that keeps passages of a document."""

    id: str
    title: str


class KnowledgeStore(Repository):
    """Documents of one user, and the search over their passages and the user's own notes.

    The notes and annotations of a task are a passage too, whose id is negative. Writes raise
    StoreError if the file cannot be written.
    """

    def list(self) -> tuple[Document, ...]:
        """Return the documents, also those that cannot be read, by path."""
        return tuple(each for each in self.known() if each.state is not DocumentState.REMOVED)

    def known(self) -> tuple[Document, ...]:
        """Return what `list` does, and documents that were removed out of an added folder."""
        with self._db.file.reading() as database:
            rows = database.execute(f"{_DOCUMENT} ORDER BY d.path", {"user": self._db.user})
            return tuple(map(_document, rows))

    def has_documents(self) -> bool:
        """Return True if there is a document with passages."""
        query = "SELECT 1 FROM documents WHERE user = ? AND state = 'ready' LIMIT 1"
        return bool(self._db.rows(query, self._db.user))

    def document(self, document_id: int) -> Document:
        """Return one document.

        Raises:
            NotFound: the user has none of that id.
        """
        with self._db.file.reading() as database:
            values = {"user": self._db.user, "id": document_id}
            row = database.execute(f"{_DOCUMENT} AND d.id = :id", values).fetchone()
        if row is None or row[8] == DocumentState.REMOVED:
            raise NotFound(f"There is no document {document_id}.", hint="It may have been removed.")
        return _document(row)

    def find(self, name: str) -> Document:
        """Return the document of a path, file name, title or id; case does not matter.

        Raises:
            NotFound: there is none; also if several have the name.
        """
        documents, wanted = self.list(), fold_case(name.strip())
        for is_named in (
            lambda each: each.path == name,
            lambda each: fold_case(PurePath(each.path).name) == wanted,
            lambda each: fold_case(each.title) == wanted,
            lambda each: str(each.id) == wanted,
        ):
            match [each for each in documents if is_named(each)]:
                case [document]:
                    return document
                case [_, *_] as several:
                    paths = ", ".join(each.path for each in several[:5])
                    raise NotFound(
                        f"{len(several)} documents are named “{name}”: {paths}.",
                        hint="Use the path of one.",
                    )
        raise NotFound(
            f"There is no document “{name[:200]}”.",
            hint="List them with `todo-tui knowledge list`.",
        )

    def passage(self, passage_id: int) -> Evidence:
        """Return one passage, of a document or a task.

        Raises:
            NotFound: the user has none of that id, or its document was changed or removed since.
        """
        with self._db.file.reading() as database:
            row = database.execute(_BY_ID, {"id": passage_id, "user": self._db.user}).fetchone()
        if row is None:
            hint = "Its document may have been changed or removed. Ask again."
            raise NotFound(f"There is no passage {passage_id}.", hint=hint)
        return _passage(row)

    def passages(self, document_id: int) -> tuple[Evidence, ...]:
        """Return the passages of a document in their order."""
        values = {"id": document_id, "user": self._db.user}
        with self._db.file.reading() as database:
            rows = database.execute(f"{_OF_DOCUMENT} ORDER BY p.id", values)
            return tuple(map(_passage, rows))

    def passages_around(self, passage_id: int, around: int) -> tuple[Evidence, ...]:
        """Return a passage of a document with as many before and after it.

        Nothing if the document was changed or removed since.
        """
        values = {"id": passage_id, "around": around, "user": self._db.user}
        with self._db.file.reading() as database:
            rows = database.execute(f"{_AROUND} ORDER BY p.position", values)
            return tuple(map(_passage, rows))

    def search(self, query: str, limit: int = 5, similar: Sequence[int] = ()) -> Sequence[Evidence]:
        """Return the passages that fit the words of `query` best, best first, by BM25.

        Words without meaning of their own are dropped. A passage with nearly the same words as a
        better one is left out. `similar` are ids of passages in another order, best first: the
        two orders are fused by reciprocal rank.
        """
        typed = query_words(query)
        limit = max(1, min(limit, MAX_RESULTS))
        found: list[tuple[Evidence, set[str]]] = []
        if not typed:
            return ()
        with self._db.file.reading() as database:
            words = _rarest(database, typed)
            values = {"words": match_expression(words), "user": self._db.user}
            rows: Iterable[tuple[Any, ...]] = database.execute(_HITS, values)
            if similar:
                rows = self._fuse(database, rows, similar)
            for row in rows:
                passage = _passage(row, words)
                own = set(passage.text.casefold().split())
                if not any(_is_same(own, other) for _, other in found):
                    found.append((passage, own))
                    if len(found) == limit:
                        break
        return tuple(passage for passage, _ in found)

    def _fuse(
        self, database: Connection, rows: Iterable[tuple[Any, ...]], similar: Sequence[int]
    ) -> Sequence[tuple[Any, ...]]:
        """Return the rows of both rankings by the sum of their reciprocal ranks, best first."""
        by_words = list(islice(rows, _FUSED))
        found = {row[0]: row for row in by_words}
        scores = dict.fromkeys(found, 0.0)
        for passage_id in similar:
            if passage_id not in found:
                values = {"id": passage_id, "user": self._db.user}
                row = database.execute(_BY_ID, values).fetchone()
                if row is not None:
                    found[passage_id] = row
        for ranking in ([row[0] for row in by_words], similar):
            for rank, passage_id in enumerate(ranking, start=1):
                if passage_id in found:
                    scores[passage_id] = scores.get(passage_id, 0.0) + 1 / (_RANK_OFFSET + rank)
        best = sorted(scores, key=lambda each: -scores[each])
        # The second column is a rank, of which less is better.
        return [(each, -scores[each], *found[each][2:]) for each in best]

    def passage_ids(self) -> frozenset[int]:
        """Return the ids of all passages of documents."""
        query = (
            "SELECT p.id FROM documents d JOIN passages p ON p.document = d.id"
            " WHERE d.user = ? AND d.state = 'ready'"
        )
        return frozenset(passage_id for (passage_id,) in self._db.rows(query, self._db.user))

    def passage_texts(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the texts of passages with the headings above them; none for removed ones."""
        query = (
            "SELECT p.id, p.headings || char(10) || p.text FROM documents d"
            " JOIN passages p ON p.document = d.id"
            " WHERE d.user = ? AND d.state = 'ready'"
            " AND p.id IN (SELECT value FROM json_each(?))"
        )
        rows = self._db.rows(query, self._db.user, json.dumps([*ids]))
        return {passage_id: shown_text(text) for passage_id, text in rows}

    def put(self, documents: Iterable[ReadDocument]) -> None:
        """Add documents, or replace those of the same paths, in one transaction."""
        with self._db.file.writing() as database:
            for document in documents:
                self._put(database, document)

    def touch(self, versions: Mapping[int, FileVersion]) -> None:
        """Store size and time of files whose content is unchanged, by id of the document."""
        with self._db.file.writing() as database:
            database.executemany(
                "UPDATE documents SET size = ?, mtime = ? WHERE id = ? AND user = ?",
                ((each.size, each.mtime, key, self._db.user) for key, each in versions.items()),
            )

    def remove(self, ids: Iterable[int], *, keep_out: bool = False) -> None:
        """Delete documents, and their words from the search index.

        With `keep_out` their paths are remembered as removed.
        """
        change = (
            "UPDATE documents SET state = 'removed', title = '', problem = '', content_hash = ''"
            if keep_out
            else "DELETE FROM documents"
        )
        for document_id in ids:
            with self._db.file.writing() as database:
                self._delete_passages(database, document_id)
                database.execute(
                    f"{change} WHERE id = ? AND user = ?", (document_id, self._db.user)
                )
        self.erase_words()

    def quoted_in(self, ids: Iterable[int]) -> tuple[QuotingConversation, ...]:
        """Return the conversations in which passages of these documents were found, newest first.

        They keep the passages when the documents are removed.
        """
        rows = self._db.rows(_QUOTING, self._db.user, json.dumps([*ids]))
        return tuple(QuotingConversation(key, title) for key, title, _ in rows)

    def erase_words(self) -> None:
        """Erase the words of replaced texts."""
        with self._db.file.writing() as database:
            # The index keeps deleted words until it is merged: 0.3 s for 100,000 passages, and
            # nothing if it is merged already.
            database.execute("INSERT INTO passage_words (passage_words) VALUES ('optimize')")
        self._db.file.truncate_wal()

    def folders(self) -> tuple[str, ...]:
        """Return the folders in which `refresh` looks for new files."""
        query = "SELECT path FROM document_folders WHERE user = ? ORDER BY path"
        return tuple(path for (path,) in self._db.rows(query, self._db.user))

    def add_folder(self, path: str) -> None:
        """Remember a folder for `refresh`."""
        with self._db.file.writing() as database:
            database.execute(
                "INSERT OR IGNORE INTO document_folders (user, path) VALUES (?, ?)",
                (self._db.user, path),
            )

    def forget_folder(self, path: str) -> None:
        """Forget a folder, and which documents of it were removed; the others stay."""
        removed = [
            each.id
            for each in self.known()
            if each.state is DocumentState.REMOVED and PurePath(each.path).is_relative_to(path)
        ]
        with self._db.file.writing() as database:
            database.execute(
                "DELETE FROM document_folders WHERE user = ? AND path = ?", (self._db.user, path)
            )
            database.executemany("DELETE FROM documents WHERE id = ?", ((key,) for key in removed))

    def _put(self, database: Connection, document: ReadDocument) -> None:
        file = document.version
        state = DocumentState.UNREADABLE if document.problem else DocumentState.READY
        values = (
            self._db.user, document.path, document.title, document.kind.value, file.size,
            file.mtime, file.content_hash, utc_text(self._db.clock.utc()), state.value,
            document.problem,
        )  # fmt: skip
        (document_id,) = database.execute(_PUT, values).fetchone()
        self._delete_passages(database, document_id)
        first_id = _next_id(database)
        rows = [
            (
                first_id + at,
                document_id,
                at,
                "\n".join(passage.headings),
                passage.page,
                passage.line,
                passage.stored_text,
            )
            for at, passage in enumerate(document.passages)
        ]
        database.executemany(_INSERT, rows)
        database.executemany(
            "INSERT INTO passage_words (rowid, headings, text) VALUES (?, ?, ?)",
            ((row[0], row[3], indexed_text(row[6])) for row in rows),
        )

    def _delete_passages(self, database: Connection, document_id: int) -> None:
        """Delete the passages of a document, and their words from the search index."""
        texts = database.execute(_TEXTS, (document_id, self._db.user)).fetchall()
        database.executemany(
            _FORGET, ((key, headings, indexed_text(text)) for key, headings, text in texts)
        )
        database.executemany("DELETE FROM passages WHERE id = ?", ((key,) for key, *_ in texts))


def query_words(query: str) -> tuple[str, ...]:
    """Return the words of a query to search for, each once, as typed.

    Stop words are dropped, unless there are no others.
    """
    typed = islice(_WORD.findall(fold_case(repair_surrogates(query))), _MAX_TYPED_WORDS)
    words = tuple(dict.fromkeys(typed))
    return tuple(word for word in words if word not in STOP_WORDS) or words


def match_expression(words: Iterable[str]) -> str:
    """Return an FTS5 expression for any of the words, none of them read as syntax."""
    return " OR ".join(f'"{word}"' for word in words)


def _rarest(database: Connection, words: Sequence[str]) -> Sequence[str]:
    """Return the rarest words that occur at all; all of them if they are few."""
    if len(words) <= MAX_WORDS:
        return words
    count = "SELECT count(*) FROM (SELECT 1 FROM passage_words WHERE passage_words MATCH ? LIMIT ?)"
    counts = {word: database.execute(count, (f'"{word}"', _COMMON)).fetchone()[0] for word in words}
    present = [word for word in words if counts[word]] or words
    return sorted(present, key=counts.__getitem__)[:MAX_WORDS]


def _is_same(words: set[str], others: set[str]) -> bool:
    common = len(words & others)
    return common >= _SAME * (len(words) + len(others) - common)


def _next_id(database: Connection) -> int:
    """Return an id for a passage that was never used."""
    last = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return 1 if last is None else int(last[0]) + 1


def _document(row: tuple[Any, ...]) -> Document:
    key, path, title, kind, size, mtime, content_hash, added_at, state, problem, passages = row
    return Document(
        key, path, title, DocumentKind(kind), FileVersion(size, mtime, content_hash),
        datetime.fromisoformat(added_at), DocumentState(state), problem, passages,
    )  # fmt: skip


def _passage(row: tuple[Any, ...], words: Sequence[str] = ()) -> Evidence:
    """Return the passage of a row; of long notes the part that fits the words."""
    key, rank, document_id, headings, path, page, line, text, task_id, task_title, notes = row
    if document_id is None:
        if len(notes) > _LONGEST_NOTE and words:
            notes = _excerpt(notes, words)
        return Evidence(key, None, task_id, task_title, "", "", None, None, notes, 0.0 - rank)
    title, *below = headings.split("\n")
    heading = HEADING_JOINT.join(below)
    return Evidence(
        key, document_id, None, title, path, heading, page, line, shown_text(text), 0.0 - rank
    )


def _excerpt(text: str, words: Sequence[str]) -> str:
    """Return the part of a long text with most of the words, from the start of a sentence on."""
    lowered = text.lower()
    starts = [0, *(each.end() for each in re.finditer(r"\n|(?<=[.!?]) ", text))]
    count, at = max(
        (sum(word in lowered[start : start + _EXCERPT] for word in words), start)
        for start in starts
    )
    return text[at if count else 0 :][:_EXCERPT].strip()
