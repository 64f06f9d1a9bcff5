"""Adding and refreshing documents in a thread: progress, stopping, and what came of it."""

from __future__ import annotations

import asyncio
import logging
import os.path
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import listed_count, plain_line
from todo_tui.tui.background import BackgroundWidget
from todo_tui.tui.chat.slash_commands import CommandRefused
from todo_tui.tui.errors import show_error
from todo_tui.tui.services import AppServices

if TYPE_CHECKING:
    from todo_tui.knowledge.indexing import IndexReport
    from todo_tui.knowledge.reader import DocumentReader

_log = logging.getLogger(__name__)
_READING, _EMBEDDING = "Reading documents…", "Embedding passages…"
_REPORT_SECONDS = 0.1
"""Least time between two reports of progress."""
_SHOWN_SKIPPED = 3
_SKIPPED_SECONDS = 12
"""How long a notice with skipped files stays."""


class DocumentController(BackgroundWidget):
    """Adds and refreshes documents, one job at a time, and tells its progress."""

    @dataclass
    class Progressed(Message):
        """Posted when a job begins, goes on and ends; `text` is empty at its end."""

        text: str

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self._services = services
        self._activity = _READING
        self._job: asyncio.Task[IndexReport] | None = None
        self._reader: DocumentReader | None = None
        self._is_stopped = False
        self._problem = ""
        self._reported_at = 0.0

    @property
    def is_running(self) -> bool:
        """True while documents are read."""
        return self._job is not None

    @work(group="documents")
    async def add_typed(self, text: str) -> None:
        """Add the files and folders that were typed behind `/attach`."""
        paths = await asyncio.to_thread(typed_paths, text)
        if not await self._run(lambda reader: self._add(paths, reader)):
            self.post_message(CommandRefused(f"/attach {text}"))

    @work(group="documents")
    async def add_path(self, path: Path) -> None:
        """Add a file."""
        await self._run(lambda reader: self._add([path], reader))

    @work(group="documents")
    async def read_again(self) -> None:
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
        from todo_tui.knowledge.indexing import add_paths  # 30 ms, in the thread that reads

        return add_paths(
            self._services.store.knowledge, paths, reader, self._report, self._services.own_paths
        )

    def _refresh_all(self, reader: DocumentReader) -> IndexReport:
        from todo_tui.knowledge.indexing import refresh  # as above

        return refresh(
            self._services.store.knowledge, reader, self._report, self._services.own_paths
        )

    async def _run(self, index: Callable[[DocumentReader], IndexReport]) -> bool:
        app = self.app
        if self._job is not None:
            app.notify("Documents are being read already. Wait, or press Esc to stop.", timeout=4)
            return False
        self._problem = ""
        self._is_stopped, self._activity = False, _READING
        self._job = asyncio.create_task(asyncio.to_thread(self._read, index))
        self.post_message(self.Progressed(_READING))
        try:
            # Shielded: a thread goes on, and `shut_down` waits for it.
            report = await asyncio.shield(self._job)
        except TodoError as error:
            show_error(self.app, error)
            return False
        except Exception as error:
            _log.exception("internal error while documents were read")
            name = type(error).__name__
            app.notify(f"Internal error ({name}). Open the log for details.", severity="error")
            return False
        finally:
            self._job = None
            self.post_message(self.Progressed(""))
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
        from todo_tui.knowledge.reader import DocumentReader  # as above

        with DocumentReader() as reader:
            self._reader = reader
            try:
                report = index(reader)
            finally:
                self._reader = None
        if not report.is_interrupted and (vectors := self._services.open_vectors()) is not None:
            self._activity = _EMBEDDING
            self._problem = vectors.update(self._report)
        return report

    def _report(self, done: int, total: int) -> None:
        """Tell the progress, from the thread that reads; KeyboardInterrupt ends the job."""
        if self._is_stopped:
            raise KeyboardInterrupt
        now = time.monotonic()
        if total > 1 and now - self._reported_at >= _REPORT_SECONDS:
            self._reported_at = now
            self.post_message(self.Progressed(f"{self._activity} {done:,} of {total:,}"))


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
    shown = listed_count(len(skipped), _SHOWN_SKIPPED)
    lines = [f"{PurePath(path).name} {reason}" for path, reason in skipped[:shown]]
    if more := len(skipped) - len(lines):
        lines.append(f"and {more:,} more (/documents)")
    return "\n".join(map(plain_line, (text, *lines)))
