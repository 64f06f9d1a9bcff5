"""Adding files and folders to the user's documents, and keeping them up to date."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePath

from todo_tui.domain.knowledge.documents import (
    Document,
    DocumentState,
    FileVersion,
    ReadDocument,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count
from todo_tui.knowledge.excluded_files import PrivateFiles, is_of_system
from todo_tui.knowledge.reader import (
    BEHIND_LINK,
    OWN_FILE,
    DocumentReader,
    FileUnreadable,
    kind_of,
    load_file,
)
from todo_tui.store.knowledge import KnowledgeStore

Progress = Callable[[int, int], None]
"""Is called with the files done and all of them."""
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
"""Besides hidden ones."""
_BATCH_PASSAGES, _BATCH_DOCUMENTS = 1_500, 100
"""Passages and documents that are written together: a transaction for each file takes 0.5 ms."""


@dataclass(slots=True)
class IndexReport:
    """Result of indexing files; `skipped` has a reason, the end of a sentence, by path.

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
                counted = f"{count:,}" if parts else format_count(count, "document")
                parts.append(f"{counted} {word}")
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
    own_paths: Iterable[Path] = (),
) -> IndexReport:
    """Add files and all documents in folders; `refresh` looks into these folders again.

    Files that did not change since they were added are not read. Ctrl+C ends it early. In a
    folder, only links into added folders are followed. Files in `own_paths`, which
    are of the program itself, are not indexed.

    Raises:
        StoreError: the database cannot be written.
    """
    report = IndexReport()
    files: dict[str, None] = {}
    real_paths = [os.path.realpath(path) for path in paths]
    folders = [path for path in real_paths if _is_folder(path)]
    walk = _FolderWalk({*store.folders(), *folders}, report)
    for path in real_paths:
        if path in folders:
            files |= dict.fromkeys(walk.documents(path))
            store.add_folder(path)
        else:
            files[path] = None
    _Indexer(store, reader, report, PrivateFiles(own_paths)).index([*files], progress)
    return report


def refresh(
    store: KnowledgeStore,
    reader: DocumentReader,
    progress: Progress = lambda done, total: None,
    own_paths: Iterable[Path] = (),
) -> IndexReport:
    """Read changed files again, remove vanished ones, and add new ones in added folders.

    A folder that is missing as a whole may be on a drive that is not mounted: its documents stay.
    So do those of a folder that is a link now. Documents in `own_paths` are removed.

    Raises:
        StoreError: the database cannot be written.
    """
    report = IndexReport()
    private = PrivateFiles(own_paths)
    kept = []
    files: dict[str, None] = {}
    added = store.folders()
    walk = _FolderWalk(added, report)
    for folder in added:
        if not _is_folder(folder):
            report.skipped[folder] = "is missing; its documents are kept"
        elif os.path.realpath(folder) != folder:
            report.skipped[folder] = f"{BEHIND_LINK}; its documents are kept"
        else:
            files |= dict.fromkeys(walk.documents(folder))
            continue
        kept.append(folder)
    vanished = []
    for document in store.known():
        path = PurePath(document.path)
        if document.state is DocumentState.REMOVED or any(map(path.is_relative_to, kept)):
            files.pop(document.path, None)
        elif _is_gone(document.path):
            files.pop(document.path, None)
            vanished.append(document.id)
        elif _is_private(document.path, private):
            report.skipped[document.path] = OWN_FILE
            files.pop(document.path, None)
            vanished.append(document.id)
        else:
            files[document.path] = None
    if vanished:
        store.remove(vanished)
        report.removed = len(vanished)
    _Indexer(store, reader, report, private).index([*files], progress)
    return report


def _is_gone(path: str) -> bool:
    """Return True if there is no such file any more; a link in its place is another one."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _is_private(path: str, private: PrivateFiles) -> bool:
    try:
        return private.covers(Path(path), os.lstat(path))
    except OSError:
        return False


class _Indexer:
    """Reads files that changed, and writes them a few at a time."""

    def __init__(
        self,
        store: KnowledgeStore,
        reader: DocumentReader,
        report: IndexReport,
        private: PrivateFiles,
    ) -> None:
        self._store = store
        self._reader = reader
        self._report = report
        self._private = private
        self._known: dict[str, Document] = {}
        self._read: list[ReadDocument] = []
        self._touched: dict[int, FileVersion] = {}
        self._waiting = 0
        self._has_written = False

    def index(self, paths: Sequence[str], progress: Progress) -> None:
        """Index the files; what is done when Ctrl+C is pressed is kept."""
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
        if self._has_written:
            self._store.erase_words()

    def _index_file(self, path: str) -> None:
        report, known = self._report, self._known.get(path)
        try:
            if known is not None and _is_unchanged(path, known.version):
                self._count_unchanged(known)
                return
            file = load_file(Path(path), self._private)
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
        self._has_written |= bool(self._read)
        self._store.put(self._read)
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
        found = Path(path).lstat()
    except (OSError, ValueError):
        return False
    return (found.st_size, found.st_mtime_ns) == (version.size, version.mtime)


class FileState(StrEnum):
    """State of a document's file beside what was read of it."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


def check_file(document: Document) -> FileState:
    """Compare the file of a document with what was read; blocks.

    One that cannot be read any more has changed.
    """
    path = Path(document.path)
    if _is_unchanged(document.path, document.version):
        return FileState.SAME
    if not os.path.lexists(path):
        return FileState.GONE
    try:
        is_same = load_file(path).version.content_hash == document.version.content_hash
    except FileUnreadable:
        is_same = False
    return FileState.SAME if is_same else FileState.CHANGED


class _FolderWalk:
    """Finds the documents in `added` folders and below, in each folder once."""

    def __init__(self, added: Iterable[str], report: IndexReport) -> None:
        self._added = frozenset(map(PurePath, added))
        self._report = report
        self._entered: set[str] = set()

    def documents(self, folder: str) -> Iterator[str]:
        """Yield the real paths; name links out of added folders, and what cannot be read."""
        waiting = [folder]
        while waiting:
            current = waiting.pop()
            if current in self._entered:
                continue
            self._entered.add(current)
            folders = []
            for entry in self._entries(current):
                if entry.name.startswith(".") or not (path := self._real_path(entry)):
                    continue
                # Most entries are known to be files without another look at the disk.
                if not entry.is_file(follow_symlinks=False) and _is_folder(path):
                    folders.append(path)
                elif kind_of(Path(path)) is not None:
                    # Whatever cannot be opened is named when it is read.
                    yield path
                else:
                    self._report.ignored += 1
            waiting += [
                each for each in reversed(folders) if PurePath(each).name not in _SKIPPED_FOLDERS
            ]

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            if is_of_system(os.stat(folder)):  # noqa: PTH116 - a text
                raise OSError(0, "not on a disk")
            with os.scandir(folder) as found:
                return sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self._report.skipped[folder] = f"cannot be read ({error.strerror})"
            return []

    def _real_path(self, entry: os.DirEntry[str]) -> str:
        """Return the path of an entry, of a link that of its target; empty if it is not read."""
        if not entry.is_symlink():
            return entry.path
        real = os.path.realpath(entry.path)
        is_named_document = kind_of(Path(entry.name)) is not None
        if any(map(PurePath(real).is_relative_to, self._added)):
            if not is_named_document or kind_of(Path(real)) or _is_folder(real):
                return real
            reason = f"is a link to a file of another kind ({real})"
        elif is_named_document or kind_of(Path(real)) or _is_folder(real):
            reason = f"is a link out of the folder ({real})"
        else:
            self._report.ignored += 1
            return ""
        self._report.skipped[entry.path] = reason
        return ""


def _is_folder(path: str) -> bool:
    """Return False also for what may not be looked at, and for a link to itself."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises PermissionError
