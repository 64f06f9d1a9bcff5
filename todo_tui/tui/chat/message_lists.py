"""Lists of messages: the sent ones to search, the queued ones to edit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList

from todo_tui.domain.filters.search_words import find_spans
from todo_tui.domain.text import format_count, listed_count, plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import FIND, QUEUE, SENT_MESSAGES
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.chat.activity_line import ActivityLine
from todo_tui.tui.errors import shows_errors
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from todo_tui.store.conversations.records import TurnMatch
    from todo_tui.store.store import Store

_MAX_SEARCHED = 5_000
_MAX_SHOWN = 100
_MAX_LINE, _BEFORE_MATCH = 200, 20
"""Characters of a message that are shown, and those before the first match of a long one."""


def _message_line(text: str, words: Sequence[str]) -> Content:
    line = " ".join(plain_line(text[:10_000]).split())
    spans = find_spans(line, words)
    if spans and spans[0][0] > _MAX_LINE // 4:
        cut = spans[0][0] - _BEFORE_MATCH
        line, spans = f"…{line[cut:]}", tuple((a - cut + 1, b - cut + 1) for a, b in spans)
    return _emphasized(line[:_MAX_LINE], spans)


def _emphasized(line: str, spans: Sequence[tuple[int, int]]) -> Content:
    content = Content(line)
    for start, end in spans:
        content = content.stylize("bold $text-accent", start, end)
    return Content(" ") + content


def _found_line(found: TurnMatch) -> Content:
    line = _emphasized(found.line, (found.span,))
    return line if found.is_shown else line + Content.styled("  other version", MUTED)


ResultT = TypeVar("ResultT", str, "TurnMatch")


class MessageSearchScreen(Dialog[ResultT | None], Generic[ResultT]):
    """Search box above matching messages; returns what stands for the chosen one.

    `find` is in the box at first.
    """

    DEFAULT_CSS = "MessageSearchScreen #messages { width: 100; }"
    AUTO_FOCUS = "LineInput"
    TITLE: ClassVar[str]
    HINT: ClassVar[str]
    PLACEHOLDER: ClassVar[str]

    def __init__(self, store: Store, find: str) -> None:
        super().__init__()
        self._store = store
        self._find = find
        self.results: RowList[ResultT] = RowList()
        self.results.can_focus = False

    def compose(self) -> ComposeResult:
        """Lay out the search box and the messages."""
        with Vertical(id="messages") as box:
            box.border_title = self.TITLE
            box.border_subtitle = format_hint(self.app, self.HINT)
            yield LineInput(placeholder=self.PLACEHOLDER)
            yield self.results

    def on_mount(self) -> None:
        """Search for what is in the box."""
        self.query_one(LineInput).put(self._find)

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        if (result := self.results.item) is None:
            self.app.bell()
        else:
            self.dismiss(result)


class SentMessagesScreen(ActionHost, MessageSearchScreen[str]):
    """Search of the messages sent in all conversations; returns the chosen one."""

    TITLE = "Sent messages"
    HINT = "Enter use · {history.close} close"
    PLACEHOLDER = "Search sent messages"
    ACTIONS = SENT_MESSAGES

    def __init__(self, store: Store, find: str = "") -> None:
        super().__init__(store, find)
        self._messages: list[tuple[str, str]] | None = None
        """Sent messages, newest first, each in lower case and as it is; None until read."""

    def on_mount(self) -> None:
        """Read and list the messages."""
        super().on_mount()
        self._list_messages()

    @work(group="sent messages")
    @shows_errors
    async def _list_messages(self) -> None:
        self._messages = await asyncio.to_thread(self._read)
        if self.is_running:
            self._fill()

    def _read(self) -> list[tuple[str, str]]:
        sent = self._store.conversations.sent_texts(_MAX_SEARCHED)
        return [(text.casefold(), text) for text in sent]

    @on(Input.Changed)
    def _fill(self) -> None:
        if self._messages is None:
            return
        words = self.query_one(LineInput).value.casefold().split()
        found = [text for folded, text in self._messages if all(word in folded for word in words)]
        shown = listed_count(len(found), _MAX_SHOWN)
        more = f"{len(found) - shown:,} more" if len(found) > shown else ""
        rows = ((text, _message_line(text, words)) for text in found[:shown])
        self.results.fill(rows, note=more if found else "No matching messages.")


class FindScreen(ActionHost, MessageSearchScreen["TurnMatch"]):
    """Search in one conversation; returns the chosen turn."""

    TITLE = "Find in conversation"
    HINT = "Enter show · {found.close} close"
    PLACEHOLDER = "Search messages and answers"
    ACTIONS = FIND

    def __init__(self, store: Store, conversation_id: str, find: str = "") -> None:
        super().__init__(store, find)
        self._conversation_id = conversation_id

    @on(Input.Changed)
    @work(group="found", exclusive=True)
    @shows_errors
    async def _search_changed(self) -> None:
        text = self.query_one(LineInput).value
        find = self._store.conversations.find_turns
        found = await asyncio.to_thread(find, self._conversation_id, text)
        if self.is_running:
            none = "No matches." if text.strip() and not found else ""
            self.results.fill(((each, _found_line(each)) for each in found), note=none)
            # A turn has a line, however often the words are in it.
            count = f" · {format_count(len(found), 'turn')}" if text.strip() else ""
            self.query_one("#messages").border_title = f"{self.TITLE}{count}"


class QueueChange(Enum):
    """Change of one queued message."""

    EDIT = auto()
    """Move it to the composer."""
    DELETE = auto()
    SEND_FIRST = auto()


class QueueScreen(ActionHost, Dialog[None]):
    """Queued messages, the next one first.

    Follows the queue, which goes on: `activity` shows it too.
    """

    @dataclass
    class Changed(Message):
        """Posted by `activity` to change the message at a place of the queue."""

        change: QueueChange
        place: int

    DEFAULT_CSS = "QueueScreen #messages { width: 100; }"
    AUTO_FOCUS = "RowList"
    ACTIONS = QUEUE

    def __init__(self, activity: ActivityLine) -> None:
        super().__init__()
        self._activity = activity
        self._list: RowList[str] = RowList()

    def compose(self) -> ComposeResult:
        """Lay out the messages."""
        with Vertical(id="messages") as box:
            box.border_title = "Queued messages"
            box.border_subtitle = format_hint(
                self.app,
                "{queue.edit} edit · {queue.delete} delete · {queue.first} send first"
                " · {queue.close} close",
            )
            yield self._list

    def on_mount(self) -> None:
        """List the messages, now and after each change."""
        self.watch(self._activity, "queued", self._fill)

    def _fill(self, queued: tuple[str, ...]) -> None:
        place = self._list.highlighted or 0
        rows = ((message, _message_line(message, ())) for message in queued)
        self._list.fill(rows, note="" if queued else "No queued messages.")
        if queued:
            self._list.highlighted = place

    def action_edit(self) -> None:
        """Move the highlighted message to the message box."""
        if self._change_highlighted(QueueChange.EDIT):
            self.dismiss(None)

    def action_delete(self) -> None:
        """Delete the highlighted message."""
        self._change_highlighted(QueueChange.DELETE)

    def action_send_first(self) -> None:
        """Move the highlighted message to the front."""
        if self._change_highlighted(QueueChange.SEND_FIRST):
            self._list.highlighted = 0

    def _change_highlighted(self, change: QueueChange) -> bool:
        """Change the highlighted message; False if there is none."""
        place = self._list.highlighted
        if place is None:
            self.app.bell()
            return False
        self._activity.post_message(self.Changed(change, place))
        return True

    @on(OptionList.OptionSelected)
    def _edit_clicked(self) -> None:
        self.action_edit()
