"""Documents: list of all, with the reason for those that cannot be read; remove and refresh."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.text import format_count, plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import DOCUMENTS
from todo_tui.tui.screens.live_screen import LiveScreen, RequestToMain
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.row_list import RowList
from todo_tui.tui.widgets.text import column_width, display_line, pad_or_clip

if TYPE_CHECKING:
    from todo_tui.domain.knowledge.documents import Document
    from todo_tui.tui.chat.activity_line import ActivityLine
    from todo_tui.tui.services import AppServices

_log = logging.getLogger(__name__)
_MAX_SHOWN = 1_000
_PASSAGES = 16
_LONGEST_TITLE, _LONGEST_SHORT_TITLE = 34, 24
_WIDE = 96
"""Columns from which the number of passages has room."""
_NONE = "No documents. Press {documents.add} to add some."


class DocumentsScreen(ActionHost, LiveScreen[bool]):
    """Lists documents by path; returns True if another one is to be added.

    `activity` shows the progress of what is read.
    """

    @dataclass
    class AddRequested(RequestToMain):
        """Posted to add a document again."""

        path: Path

    class RefreshRequested(RequestToMain):
        """Posted to read changed files again, add new ones, remove deleted ones."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ERROR_PLACE = "#note"
    AUTO_FOCUS = "OptionList"
    ACTIONS = DOCUMENTS

    def __init__(self, services: AppServices, activity: ActivityLine) -> None:
        super().__init__(services)
        self._activity = activity
        self._documents: tuple[Document, ...] | None = None
        """None until they are read."""
        self._removed: list[Document] = []
        self._list: RowList[Document] = RowList()

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        with Vertical(id="documents") as box:
            box.border_title = "Documents"
            yield self._list
            yield Static(id="note", markup=False)

    def on_mount(self) -> None:
        """Read the documents; show the progress of a job."""
        super().on_mount()
        self.watch(self._activity, "indexing", self._show_title)

    def _show_title(self, indexing: str) -> None:
        count = f" · {len(self._documents):,}" if self._documents else ""
        progress = f" · {indexing}" if indexing else ""
        self.query_one("#documents").border_title = Content(f"Documents{count}{progress}")

    async def load(self) -> None:
        """Read and list the documents; the highlighted row stays."""
        self._documents = await asyncio.to_thread(self.services.store.knowledge.list)
        self._show_title(self._activity.indexing)
        self._fill()

    @on(events.Resize)
    def _fill(self) -> None:
        if self._documents is None:
            return
        place = self._list.highlighted or 0
        shown = self._documents[:_MAX_SHOWN]
        more = len(self._documents) - len(shown)
        note = f"{more:,} more: todo-tui knowledge list" if more else "" if shown else _NONE
        hints = ["{documents.add} add", "{documents.close} close"]
        if shown:
            hints[1:1] = ["{documents.remove} remove", "{documents.refresh} refresh"]
        if self._restorable:
            hints[-1:-1] = ["{documents.restore} undo"]
        hint = format_hint(self.app, " · ".join(hints))
        self.query_one("#documents").border_subtitle = hint
        self.query_one("#note", Static).update(Content.styled(format_hint(self.app, note), MUTED))
        longest = _LONGEST_TITLE if self._width >= _WIDE else _LONGEST_SHORT_TITLE
        title = column_width((display_line(each.title) for each in shown), longest)
        self._list.fill((each, self._line(each, title)) for each in shown)
        self._list.highlighted = place

    @property
    def _width(self) -> int:
        return max(self._list.scrollable_content_region.width, 40)

    def _line(self, document: Document, title: int) -> Content:
        passages = ""
        if self._width >= _WIDE:
            passages = f"{format_count(document.passages, 'passage'):>{_PASSAGES}}"
        words, style = (document.path, FAINT)
        if document.problem:
            words, style = f"{Path(document.path).name} {document.problem}", "$text-error"
        line = Content.assemble(
            (" ✗ " if document.problem else "   ", "$text-error"),
            (pad_or_clip(display_line(document.title), title), "bold"),
            (passages, MUTED),
            ("  " + display_line(words), style),
        )
        return line.truncate(self._width, ellipsis=True)

    @property
    def _restorable(self) -> list[Document]:
        listed = {each.path for each in self._documents or ()}
        return [each for each in self._removed if each.path not in listed]

    async def action_remove(self) -> None:
        """Remove the highlighted document; the file stays."""
        if (document := self._list.item) is None:
            self.app.bell()
            return
        knowledge = self.services.store.knowledge
        keep_out = bool(await asyncio.to_thread(knowledge.folders))
        quoting = await asyncio.to_thread(knowledge.quoted_in, [document.id])
        await self.services.writer.run(knowledge.remove, [document.id], keep_out=keep_out)
        self.read()
        self._removed.append(document)
        self.app.run_worker(self._delete_vectors, group="documents", thread=True)
        hint = format_hint(self.app, "{documents.restore} undo")
        text = f"Removed “{plain_line(document.title)}”. {hint}"
        if quoting:
            count = format_count(len(quoting), "conversation")
            keys = format_hint(self.app, "{app.conversations}")
            text += f"\nQuotations of it stay in {count}. To erase one, delete it ({keys})."
        self.app.notify(text, timeout=12 if quoting else 5)

    def _delete_vectors(self) -> None:
        """Delete the vectors of removed documents; what is left goes with the next refresh."""
        vectors = self.services.open_vectors()
        if vectors is not None and (reason := vectors.delete_removed()):
            _log.warning(reason)

    def action_restore(self) -> None:
        """Add the document removed last again, from its file."""
        if removed := self._restorable:
            self.app.clear_notifications()  # one says that the document is removed
            self.post_message(self.AddRequested(Path(removed[-1].path)))
        else:
            self.app.notify("No document to restore.", timeout=3)

    def action_refresh_documents(self) -> None:
        """Read changed files again, add new ones in added folders, remove deleted ones."""
        self.post_message(self.RefreshRequested())
