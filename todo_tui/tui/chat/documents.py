"""Adding and refreshing documents in a thread: progress, stopping, and what came of it."""

from __future__ import annotations

import asyncio
import logging
import os.path
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line
from todo_tui.knowledge.indexing import IndexReport, add_paths, refresh
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.tui.chat.pane import ChatPane

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex
    from todo_tui.store.knowledge import KnowledgeStore

_log = logging.getLogger(__name__)
_READING, _EMBEDDING = "Reading documents…", "Embedding passages…"
_REPORT_SECONDS = 0.1
"""Least time between two reports of progress."""
_SHOWN_SKIPPED = 3
_SKIPPED_SECONDS = 12
"""How long a notice with skipped files stays."""


@dataclass(eq=False)
class DocumentController:
    """Adds and refreshes documents, one job at a time; its progress is in the activity line.

    `changed` is called when a job begins and when it has ended. `open_vectors` returns where new
    passages are embedded, or None. Files in `own_paths` are never added.
    """

    pane: ChatPane
    store: KnowledgeStore
    changed: Callable[[], None]
    open_vectors: Callable[[], VectorIndex | None] = lambda: None
    own_paths: tuple[Path, ...] = ()
    _activity: str = _READING
    _job: asyncio.Task[IndexReport] | None = None
    _reader: DocumentReader | None = None
    _is_stopped: bool = False
    _problem: str = ""
    _reported_at: float = 0.0
    _loop: asyncio.AbstractEventLoop = field(init=False)

    @property
    def is_running(self) -> bool:
        """True while documents are read."""
        return self._job is not None

    async def add_typed(self, text: str) -> bool:
        """Add the files and folders that were typed; False if nothing was added."""
        return await self.add(await asyncio.to_thread(typed_paths, text))

    async def add(self, paths: Sequence[Path]) -> bool:
        """Add files and folders; False if nothing was added."""
        return await self._run(lambda reader: self._add(paths, reader))

    async def refresh(self) -> None:
        """Read changed files again, add new ones in added folders, remove deleted ones."""
        await self._run(self._refresh_all)

    def stop(self) -> None:
        """Stop after the file that is being read; documents read so far are kept."""
        self._is_stopped = True
        if self._reader is not None:
            self._reader.cancel()

    async def shut_down(self) -> None:
        """Stop and wait until what was read is stored."""
        if self._job is not None:
            self.stop()
            await asyncio.wait([self._job])

    def _add(self, paths: Sequence[Path], reader: DocumentReader) -> IndexReport:
        return add_paths(self.store, paths, reader, self._report_progress, self.own_paths)

    def _refresh_all(self, reader: DocumentReader) -> IndexReport:
        return refresh(self.store, reader, self._report_progress, self.own_paths)

    async def _run(self, index: Callable[[DocumentReader], IndexReport]) -> bool:
        app = self.pane.app
        if self._job is not None:
            app.notify("Documents are being read already. Wait, or press Esc to stop.", timeout=4)
            return False
        self._problem = ""
        self._is_stopped, self._loop = False, asyncio.get_running_loop()
        self.pane.activity.indexing = self._activity = _READING
        self._job = asyncio.create_task(asyncio.to_thread(self._read, index))
        self.changed()
        try:
            # Shielded: a thread goes on, and `shut_down` waits for it.
            report = await asyncio.shield(self._job)
        except TodoError as error:
            app.notify(error.text, title="Error", severity="error")
            return False
        except Exception as error:
            _log.exception("internal error while documents were read")
            name = type(error).__name__
            app.notify(f"Internal error ({name}). Open the log for details.", severity="error")
            return False
        finally:
            self._job = None
            self.pane.activity.indexing = ""
            self.changed()
        if self._problem:
            app.notify(self._problem, severity="warning", timeout=_SKIPPED_SECONDS)
        has_failed = bool(report.skipped) and not report.documents
        app.notify(
            report_text(report),
            severity="warning" if has_failed else "information",
            timeout=_SKIPPED_SECONDS if report.skipped else None,
        )
        return not has_failed

    def _read(self, index: Callable[[DocumentReader], IndexReport]) -> IndexReport:
        """Run a job; blocks."""
        with DocumentReader() as reader:
            self._reader = reader
            try:
                report = index(reader)
            finally:
                self._reader = None
        if not report.is_interrupted and (vectors := self.open_vectors()) is not None:
            self._activity = _EMBEDDING
            self._problem = vectors.update(self._report_progress)
        return report

    def _report_progress(self, done: int, total: int) -> None:
        """Show the progress, from the thread that reads; KeyboardInterrupt ends the job."""
        if self._is_stopped:
            raise KeyboardInterrupt
        now = time.monotonic()
        if total > 1 and now - self._reported_at >= _REPORT_SECONDS:
            self._reported_at = now
            self._loop.call_soon_threadsafe(self._show_progress, done, total)

    def _show_progress(self, done: int, total: int) -> None:
        if self._job is not None:
            self.pane.activity.indexing = f"{self._activity} {done:,} of {total:,}"


def typed_paths(text: str) -> list[Path]:
    """Return the path that was typed, or several in quotes, as terminals paste dropped files.

    Looks at the disk: a path with spaces needs no quotes.
    """
    whole = os.path.expanduser(text)  # noqa: PTH111 - `Path.expanduser` raises RuntimeError
    try:
        words = [os.path.expanduser(each) for each in shlex.split(text)]  # noqa: PTH111
    except ValueError:
        words = []
    if os.path.exists(whole) or not any(map(os.path.exists, words)):  # noqa: PTH110 - as above
        words = [whole]
    return [Path(each) for each in words]


def report_text(report: IndexReport) -> str:
    """Return the lines of a notice: what was added, and the first files that were skipped."""
    if not report.documents and not report.skipped and not report.removed:
        text = "No documents to read (Markdown, text, HTML, PDF)."
    else:
        text = f"{report.summary}{':' if report.skipped else '.'}"
    if report.is_interrupted:
        text = f"Stopped. {text}"
    skipped = [*report.skipped.items()]
    lines = [f"{PurePath(path).name} {reason}" for path, reason in skipped[:_SHOWN_SKIPPED]]
    if more := len(skipped) - len(lines):
        lines.append(f"and {more:,} more (/documents)")
    return "\n".join(map(plain_line, (text, *lines)))
