"""Indexing and searching documents, beside FTS5 of SQLite with nothing around it.

The text is made up, of a vocabulary in which a few words are frequent and most are rare, as in
any language; the words of the questions are scattered over it.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import accumulate, count
from pathlib import Path

from tests.benchmarks.report import Row, paired
from tests.knowledge.relevance import add_documents, questions, right_among_first
from todo_tui.domain.when import Clock
from todo_tui.knowledge.indexing import add_paths
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.store.knowledge import MAX_WORDS, match_expression, query_words
from todo_tui.store.store import Store, open_store

_CEILING_MS = 25.0
_VOCABULARY = 50_000
_WORDS_OF_PASSAGE = 75
_PASSAGES_OF_FILE = 500
_LETTERS = "etaoinshrdlcumwfgypbvk"
_TOKENIZER = "porter unicode61 remove_diacritics 2"


def compare(folder: Path, passages: int, *, runs: int) -> Iterator[Row]:
    """Rows for indexing, retrieval, and how many questions find their passage."""
    documents = folder / "documents"
    documents.mkdir()
    _write_files(documents, passages)
    numbers = count()

    def ours() -> float:
        path = folder / f"knowledge-{next(numbers)}.db"
        with _opened(path) as store, DocumentReader() as reader:
            began = time.process_time()
            report = add_paths(store.knowledge, [documents], reader)
            spent = time.process_time() - began
        assert report.passages >= passages * 0.9
        path.replace(folder / "knowledge.db")
        return spent

    def theirs() -> float:
        return _indexed(folder / f"bare-{next(numbers)}.db", documents)

    yield paired(
        f"indexing of {passages:,} passages beside bare FTS5, CPU",
        ours,
        theirs,
        runs=runs,
        target=1.5,
    )
    with _opened(folder / "knowledge.db") as store:
        yield from _retrieval(store, passages)
    with _opened(folder / "relevance.db") as store:
        home = folder / "relevance"
        home.mkdir()
        add_documents(store.knowledge, home)
        asked = questions()
        missed = len(asked) - right_among_first(store.knowledge, asked)
        name = f"{len(asked)} questions, right passage not among the first five"
        yield Row(name, missed, 0, "", 0, None, ceiling=5)


def _opened(path: Path) -> Store:
    return open_store(path, user="me", clock=Clock("UTC"))


def _retrieval(store: Store, passages: int) -> Iterator[Row]:
    """Two rows: the time of a question, and how much of it is not FTS5's."""
    query = "SELECT rowid FROM passage_words WHERE passage_words MATCH ? ORDER BY rank LIMIT 5"
    asked = [question.text for question in questions()]
    spent: dict[str, list[float]] = {"ours": [], "theirs": []}
    with closing(sqlite3.connect(store.path)) as database:
        database.execute("PRAGMA cache_size = -8000")  # as the store has it
        words = {each: match_expression(_rarest(database, query_words(each))) for each in asked}
        sides: dict[str, Callable[[str], object]] = {
            "ours": lambda each: store.knowledge.search(each),
            "theirs": lambda each: database.execute(query, (words[each],)).fetchall(),
        }
        for number, each in enumerate((*asked, *asked[1:], *asked)):
            # Whoever asks second finds the words in the processor's cache: they take turns.
            for side in sorted(sides, reverse=bool(number % 2)):
                began = time.process_time()
                assert sides[side](each)
                spent[side].append(time.process_time() - began)
    # The first round warms up.
    ours, theirs = (spent[side][len(asked) :] for side in ("ours", "theirs"))
    a, b = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
    ratio = statistics.median(x / y for x, y in zip(ours, theirs, strict=True))
    name = f"retrieval among {passages:,} passages"
    yield Row(f"{name}, CPU", a, b, "ms", ratio, None, ceiling=_CEILING_MS)
    # Among few passages either takes less than a millisecond.
    yield Row(f"{name} beside bare FTS5, CPU", a, b, "ms", ratio, 1.2, ceiling=1)


def _rarest(database: sqlite3.Connection, words: Sequence[str]) -> list[str]:
    count = "SELECT count(*) FROM passage_words WHERE passage_words MATCH ?"
    counts = {word: database.execute(count, (f'"{word}"',)).fetchone()[0] for word in words}
    return sorted(filter(counts.get, words), key=lambda word: counts[word])[:MAX_WORDS]


def _write_files(folder: Path, passages: int) -> None:
    """Write Markdown files of made-up paragraphs."""
    chosen = random.Random(1)  # noqa: S311 - made-up words are not secrets
    asked = sorted({word for each in questions() for word in query_words(each.text)})
    words = ["".join(chosen.choices(_LETTERS, k=number % 8 + 3)) for number in range(_VOCABULARY)]
    # Not among the most frequent, which would be stop words.
    for word, rank in zip(asked, chosen.sample(range(50, 5_000), len(asked)), strict=True):
        words[rank] = word
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for number in range(0, passages, _PASSAGES_OF_FILE):
        lines = [f"# Document {number}"]
        for _ in range(min(_PASSAGES_OF_FILE, passages - number)):
            lines.append(" ".join(chosen.choices(words, cum_weights=weights, k=_WORDS_OF_PASSAGE)))
        (folder / f"{number}.md").write_text("\n\n".join(lines), encoding="utf-8")


def _indexed(path: Path, documents: Path) -> float:
    """CPU seconds to read, split and insert the same text, without anything else."""
    began = time.process_time()
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA page_size = 16384")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE passages (id INTEGER PRIMARY KEY, path TEXT, text TEXT)")
        database.execute(
            "CREATE VIRTUAL TABLE passage_words USING fts5"
            f" (text, content = '', tokenize = '{_TOKENIZER}')"
        )
        database.execute("BEGIN")
        at = 0
        for file in sorted(documents.iterdir()):
            pieces = file.read_text(encoding="utf-8").split("\n\n")
            rows = [(at + place, str(file), piece) for place, piece in enumerate(pieces)]
            database.executemany("INSERT INTO passages VALUES (?, ?, ?)", rows)
            database.executemany(
                "INSERT INTO passage_words (rowid, text) VALUES (?, ?)",
                ((row, piece) for row, _, piece in rows),
            )
            at += len(rows)
        database.execute("COMMIT")
    spent = time.process_time() - began
    path.unlink()
    return spent
