"""Cited source: a passage of a document, or the notes of a task, with what is around it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from todo_tui.domain.errors import NotFound
from todo_tui.knowledge.indexing import FileState, check_file
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import SOURCE
from todo_tui.tui.chat.answer import excerpt
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.text import display_line, strip_unstable

if TYPE_CHECKING:
    from todo_tui.domain.knowledge.evidence import Evidence
    from todo_tui.tui.services import AppServices

_PASSAGES_AROUND = 4
_HINT = "{source.copy} copy · {source.close} close"
_SEVERAL_HINT = f"{{source.next}} next · {{source.previous}} previous · {_HINT}"
_REMOVED = "This document was removed. The passage is shown as it was cited."
_CHANGED = "This document has changed. The passage is shown as it was cited."
_FILE_PROBLEMS = {
    FileState.SAME: "",
    FileState.CHANGED: "The file has changed since it was read. /documents refreshes it.",
    FileState.GONE: "The file is no longer there. The text is shown as it was read.",
}
_NOTES_CHANGED = "These notes were changed or deleted. They are shown as they were cited."


class _Source(NamedTuple):
    """Text around a passage, where it is stored, and what has become of it since."""

    before: Content
    after: Content
    path: str
    problem: str


class SourceScreen(ActionHost, LiveScreen[None]):
    """Shows the passages of an answer one by one, first the one at that index."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ERROR_PLACE = "#problem"
    AUTO_FOCUS = "#around"
    ACTIONS = SOURCE

    def __init__(self, services: AppServices, passages: Sequence[Evidence], at: int) -> None:
        super().__init__(services)
        self._passages = passages
        self._at = at

    def compose(self) -> ComposeResult:
        """Lay out title and place above the text."""
        with Vertical(id="source") as box:
            hint = _SEVERAL_HINT if len(self._passages) > 1 else _HINT
            box.border_subtitle = format_hint(self.app, hint)
            yield Static(id="place", markup=False)
            yield Static(id="problem", markup=False)
            with VerticalScroll(id="around"):
                yield Static(id="before", markup=False)
                yield Static(id="cited", markup=False)
                yield Static(id="after", markup=False)

    @property
    def _cited(self) -> Evidence:
        return self._passages[self._at]

    async def load(self) -> None:
        """Read what is around the passage, and show both."""
        cited = self._cited
        source = await asyncio.to_thread(self._read, cited)
        self.query_one("#source").border_title = Content(f"Source [{cited.number}]")
        place = [Content.styled(display_line(cited.source), "bold")]
        if cited.place_in_source:
            place.append(Content(display_line(cited.place_in_source)))
        if source.path:
            place.append(Content.styled(display_line(source.path), MUTED))
        self._show("#place", Content("\n").join(place))
        self._show("#problem", Content.styled(source.problem, "$text-warning"))
        self._show("#before", source.before)
        self._show("#cited", Content(_shown(cited.text)))
        self._show("#after", source.after)
        self.call_after_refresh(self._scroll_to_passage)

    @on(events.Resize)
    def _show_passage_again(self) -> None:
        self.call_after_refresh(self._scroll_to_passage)

    def _show(self, selector: str, text: Content) -> None:
        part = self.query_one(selector, Static)
        part.update(text)
        part.display = bool(text.plain)

    def _scroll_to_passage(self) -> None:
        around = self.query_one("#around", VerticalScroll)
        around.scroll_to_widget(self.query_one("#cited"), animate=False, center=True)

    def _read(self, cited: Evidence) -> _Source:
        """Return what is stored around a passage; blocks."""
        knowledge = self.services.store.knowledge
        nothing = Content("")
        if cited.document_id is None:
            try:
                notes = knowledge.passage(cited.passage_id).text
            except NotFound:
                notes = ""
            if cited.text not in notes:
                return _Source(nothing, nothing, "", _NOTES_CHANGED)
            start, _, end = notes.partition(cited.text)
            return _Source(_muted(start), _muted(end), "", "")
        try:
            document = knowledge.document(cited.document_id)
        except NotFound:
            return _Source(nothing, nothing, "", _REMOVED)
        around = knowledge.passages_around(cited.passage_id, _PASSAGES_AROUND)
        if not around:
            return _Source(nothing, nothing, document.path, _CHANGED)
        problem = _FILE_PROBLEMS[check_file(document)]
        at = next(at for at, each in enumerate(around) if each.passage_id == cited.passage_id)
        before, after = around[:at], around[at + 1 :]
        line = f":{cited.line}" if cited.line and not problem else ""
        above = [*_paragraphs(before, cited.heading)]
        if before and cited.heading not in ("", before[-1].heading):
            above.append(_heading(cited.heading))
        return _Source(
            Content("\n\n").join(above),
            Content("\n\n").join(_paragraphs(after, cited.heading)),
            f"{document.path}{line}",
            problem,
        )

    def action_step(self, direction: int) -> None:
        """Show the next or previous passage, wrapping around."""
        self._at = (self._at + direction) % len(self._passages)
        self.read()

    def action_copy(self) -> None:
        """Copy the passage."""
        copy_to_clipboard(self.app, self._cited.text, "passage")


def _paragraphs(passages: Sequence[Evidence], heading: str) -> Iterator[Content]:
    """Yield the passages, and headings where these change."""
    for each in passages:
        if each.heading not in ("", heading):
            yield _heading(each.heading)
        heading = each.heading
        yield _muted(each.text)


def _heading(text: str) -> Content:
    return Content.styled(display_line(text), f"bold {FAINT}")


def _muted(text: str) -> Content:
    return Content.styled(_shown(text), MUTED)


def _shown(text: str) -> str:
    """Return the text without control characters, and no more than is drawn at once."""
    return strip_unstable(excerpt(text).lines.strip("\n"))
