"""Adding files and folders to the user's documents, and keeping them up to date."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from todo_tui.domain.errors import Conflict
from todo_tui.domain.knowledge.documents import (
    Document,
    DocumentState,
    FileVersion,
    ReadDocument,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count
from todo_tui.knowledge.reader import DocumentReader, FileUnreadable, kind_of, load_file
from todo_tui.store.knowledge import PASSAGES_PER_WRITE, KnowledgeStore

Progress = Callable[[int, int], None]
"""Is called with the files done and all of them."""
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
"""Besides hidden ones."""
_BATCH_PASSAGES, _BATCH_DOCUMENTS = 1_500, 100
"""Passages and documents that are written together: a transaction for each file takes 0.5 ms."""


@dataclass(slots=True)
class IndexReport:
    """What became of the files; `skipped` has a reason, the end of a sentence, by path.

    `ignored` counts files of other kinds in folders. `is_interrupted` is True if not all files
    were done; the same call goes on with the others.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    passages: int = 0
    ignored: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    is_interrupted: bool = False

    @property
    def documents(self) -> int:
        """Number of files that are documents now, changed or not."""
        return self.added + self.updated + self.unchanged

    @property
    def summary(self) -> str:
        """`Added 3 documents (41 passages), 1 skipped`."""
        parts = []
        if self.added or not (self.updated or self.unchanged):
            parts.append(f"Added {format_count(self.added, 'document')}")
        if self.updated:
            parts.append(f"updated {format_count(self.updated, 'document')}")
        if self.passages:
            parts[-1] += f" ({format_count(self.passages, 'passage')})"
        for count, word in (
            (self.unchanged, "unchanged"),
            (self.removed, "removed"),
            (len(self.skipped), "skipped"),
        ):
            if count:
                parts.append(f"{count:,} {word}")
        text = ", ".join(parts)
        return f"{text[:1].upper()}{text[1:]}"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the fields for programs."""
        return {
            "added": self.added,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "removed": self.removed,
            "passages": self.passages,
            "ignored": self.ignored,
            "skipped": [{"path": path, "reason": why} for path, why in self.skipped.items()],
            "interrupted": self.is_interrupted,
        }


def add_paths(
    store: KnowledgeStore,
    paths: Iterable[Path],
    reader: DocumentReader,
    progress: Progress = lambda done, total: None,
) -> IndexReport:
    """Add files and all documents in folders; `refresh` looks into these folders again.

    Files that did not change since they were added are not read. Ctrl+C ends it early.

    Raises:
        StoreError: the database cannot be written.
    """
    report = IndexReport()
    files: dict[str, None] = {}
    for path in paths:
        real = os.path.realpath(path)
        if _is_folder(real):
            files |= dict.fromkeys(_walk(real, report))
            store.add_folder(real)
        else:
            files[real] = None
    _Indexer(store, reader, report).index([*files], progress)
    return report


def refresh(
    store: KnowledgeStore,
    reader: DocumentReader,
    progress: Progress = lambda done, total: None,
) -> IndexReport:
    """Read changed files again, remove vanished ones, and add new ones in added folders.

    A folder that is missing as a whole may be on a drive that is not mounted: its documents stay.

    Raises:
        StoreError: the database cannot be written.
    """
    report = IndexReport()
    missing = []
    files: dict[str, None] = {}
    for folder in store.folders():
        if _is_folder(folder):
            files |= dict.fromkeys(_walk(folder, report))
        else:
            missing.append(folder)
            report.skipped[folder] = "is missing; its documents are kept"
    vanished = []
    for document in store.known():
        path = PurePath(document.path)
        if document.state is DocumentState.REMOVED or any(map(path.is_relative_to, missing)):
            files.pop(document.path, None)
        elif _is_gone(document.path):
            files.pop(document.path, None)
            vanished.append(document.id)
        else:
            files[document.path] = None
    if vanished:
        store.remove(vanished)
        report.removed = len(vanished)
    _Indexer(store, reader, report).index([*files], progress)
    return report


def _is_gone(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


class _Indexer:
    """Reads files that changed, and writes them a few at a time."""

    def __init__(self, store: KnowledgeStore, reader: DocumentReader, report: IndexReport) -> None:
        self._store = store
        self._reader = reader
        self._report = report
        self._known: dict[str, Document] = {}
        self._read: list[ReadDocument] = []
        self._touched: dict[int, FileVersion] = {}
        self._waiting = 0

    def index(self, paths: Sequence[str], progress: Progress) -> None:
        """Index the files; what is done when Ctrl+C is pressed is kept."""
        self._store.clean_up()
        self._known = {
            each.path: each
            for each in self._store.known()
            if each.state is not DocumentState.REMOVED
        }
        try:
            for done, path in enumerate(paths):
                progress(done, len(paths))
                self._index_file(path)
                if self._waiting >= _BATCH_PASSAGES or len(self._read) >= _BATCH_DOCUMENTS:
                    self._write()
            progress(len(paths), len(paths))
        except KeyboardInterrupt:
            self._report.is_interrupted = True
        self._write()

    def _index_file(self, path: str) -> None:
        report, known = self._report, self._known.get(path)
        try:
            if known is not None and _is_unchanged(path, known.version):
                self._count_unchanged(known)
                return
            file = load_file(Path(path))
            if known is not None and known.version.content_hash == file.version.content_hash != "":
                self._touched[known.id] = file.version
                self._count_unchanged(known)
                return
            document = self._reader.parse(file)
        except FileUnreadable as error:
            report.skipped[path] = error.message
            return
        if document.problem:
            report.skipped[path] = document.problem
        self._read.append(document)
        self._waiting += len(document.passages) + 1

    def _count_unchanged(self, known: Document) -> None:
        if known.state is DocumentState.UNREADABLE:
            self._report.skipped[known.path] = known.problem
        else:
            self._report.unchanged += 1

    def _write(self) -> None:
        if self._touched:
            self._store.touch(self._touched)
            self._touched = {}
        try:
            self._store.put(self._read)
        except Conflict:
            # Only long documents are written in steps, between which others can change them.
            long = [each for each in self._read if len(each.passages) > PASSAGES_PER_WRITE]
            for document in long:
                self._report.skipped[document.path] = "changed while it was read"
        for document in self._read:
            if document.path not in self._report.skipped:
                known = self._known.get(document.path)
                is_new = known is None or known.state is DocumentState.UNREADABLE
                self._report.added += is_new
                self._report.updated += not is_new
                self._report.passages += len(document.passages)
        self._read, self._waiting = [], 0


def _is_unchanged(path: str, version: FileVersion) -> bool:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return False
    return (found.st_size, found.st_mtime_ns) == (version.size, version.mtime)


def _walk(folder: str, report: IndexReport) -> Iterator[str]:
    """Yield the real paths of the documents in a folder and below, each folder once."""
    waiting, entered = [folder], set[str]()
    while waiting:
        current = waiting.pop()
        if current in entered:
            continue
        entered.add(current)
        try:
            with os.scandir(current) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            report.skipped[current] = f"cannot be read ({error.strerror})"
            continue
        folders = []
        for entry in entries:
            if entry.name.startswith("."):
                continue
            # Most entries are known to be files without another look at the disk.
            if not entry.is_file(follow_symlinks=False) and _is_folder(entry.path):
                folders.append(entry)
            elif kind_of(Path(entry.name)) is None:
                report.ignored += 1
            else:
                # Whatever cannot be opened is named when it is read.
                yield os.path.realpath(entry.path) if entry.is_symlink() else entry.path
        waiting += [
            os.path.realpath(each.path)
            for each in reversed(folders)
            if each.name not in _SKIPPED_FOLDERS
        ]


def _is_folder(path: str) -> bool:
    """Return False also for what may not be looked at, and for a link to itself."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises PermissionError
