"""Conversations: list of all, search of their titles and messages; rename, pin, delete, export."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList

from todo_tui.domain.dates.text import DAY_NAMES, format_day
from todo_tui.domain.errors import NotFound, TodoError
from todo_tui.domain.text import format_count, format_dollars, plain_line
from todo_tui.store.backups import backups_with, describe_leftovers
from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.hints import format_hint, join_hints
from todo_tui.tui.actions.screens import CONVERSATION, CONVERSATIONS
from todo_tui.tui.errors import shows_errors
from todo_tui.tui.screens.live_screen import RequestToMain
from todo_tui.tui.task_list.notices import short_title
from todo_tui.tui.textual_fixes import own_bindings
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.row_list import RowList
from todo_tui.tui.widgets.text import column_width, display_line, pad_or_clip

if TYPE_CHECKING:
    from datetime import datetime

    from todo_tui.store.conversations.records import (
        Conversation,
        ConversationEntry,
        ConversationMatch,
        TurnMatch,
    )
    from todo_tui.tui.chat.session import ChatSession
    from todo_tui.tui.services import AppServices

_PAGE = 100
_SHOWN_TITLE = 24
"""Cells of a title in a notice, which is one line in 80 columns."""
_SHORTEST_TITLE, _LONGEST_FACT = 12, 16
_TITLE_SHARE = 3 / 5
"""Share of the room beside the other columns that titles may have; last words have the rest."""
_WIDE = 96
"""Columns from which model, turns and cost have room."""
_TIMED = 40
"""Columns from which the time has."""
_SEARCH_HINTS = (
    "Enter open",
    "{conversations.rename} rename",
    "{conversations.pin} pin",
    "{conversations.export} export",
    "{conversations.delete} delete",
    "{conversations.close} close",
)
_FOUND_HINTS = (*_SEARCH_HINTS[:-1], "{conversations.close} clear")
_RESTORE_HINT = "{conversations.restore} restore deleted"
_RENAME_HINTS = ("Enter rename", "Esc cancel")
_FRAME = 6
"""Cells of the border line beside the key hints."""
_AFTER_MATCH = 6
"""Cells kept in view after the match."""
_SEARCH_KEYS = [
    replace(row, keys=row.keys.partition(",")[0]) for row in CONVERSATION if "," in row.keys
]
"""Actions with the keys that work in the search box too, where letters are text."""


@dataclass(frozen=True, slots=True)
class OpenConversation:
    """The conversation to open, and the turn in it that was found, if any."""

    conversation_id: str
    found: TurnMatch | None = None


@dataclass(slots=True)
class _Listing:
    entries: Sequence[ConversationEntry] = ()
    none: str = ""
    """Text for an empty list; empty until it is read."""
    has_deleted: bool = False
    """True if a deleted conversation can be restored."""
    matches: dict[str, ConversationMatch] = field(default_factory=dict)
    """What a search found, by the id of the conversation."""


def _join_columns(texts: Sequence[str], sizes: Sequence[int]) -> str:
    """Return texts as columns of these sizes, all but the first of several at their right ends."""
    columns = [text.rjust(cells) for text, cells in zip(texts, sizes, strict=True)]
    if len(columns) > 1:
        columns[0] = pad_or_clip(texts[0], sizes[0])
    return "".join(f"  {column}" for column in columns if column) + " "


class ConversationList(RowList["ConversationEntry"]):
    """List of conversations, in which letters are keys; Up on the first row returns to search."""

    BINDINGS = bindings(CONVERSATION, "screen")

    def on_key(self, event: events.Key) -> None:
        """Search for what is typed, beginning with a letter that is not a key here."""
        is_key = event.key in own_bindings(self)
        if event.is_printable and event.character and not is_key:
            event.stop()
            search = self.screen.query_one("#search", LineInput)
            search.focus()
            search.insert_text_at_cursor(event.character)

    def action_cursor_up(self) -> None:
        """Move up; from the first row to the search box."""
        if self.highlighted:
            super().action_cursor_up()
        else:
            self.screen.query_one("#search", LineInput).focus()


class ConversationsScreen(ActionHost, Dialog[OpenConversation | None]):
    """Returns the conversation to open; `session` has the one on screen.

    `find` is searched for at first.
    """

    class Changed(RequestToMain):
        """Posted when a conversation was renamed, pinned, deleted or restored."""

    @dataclass
    class ShowRequested(RequestToMain):
        """Posted to show a conversation behind the list."""

        conversation_id: str

    DEFAULT_CSS = "ConversationsScreen #conversations { width: 116; }"
    AUTO_FOCUS = "#search"
    ACTIONS = (*CONVERSATIONS, *CONVERSATION)
    BINDINGS = bindings(CONVERSATIONS) + bindings(_SEARCH_KEYS, is_hinted=False)

    def __init__(self, services: AppServices, session: ChatSession, find: str = "") -> None:
        super().__init__()
        self._services = services
        self._session = session
        self._left: str | None = None
        """The conversation that was on screen until it was deleted here."""
        self._listed = _Listing()
        self._search = LineInput(placeholder="Search titles and messages", id="search")
        self._search.put(find)
        self._title = LineInput(placeholder="Title", id="title")
        self._list = ConversationList()

    def compose(self) -> ComposeResult:
        """Lay out the search box, the input for a title and the list."""
        with Vertical(id="conversations") as box:
            box.border_title = "Conversations"
            yield self._search
            self._title.display = False
            yield self._title
            yield self._list

    @property
    def is_renaming(self) -> bool:
        """True while a title is typed."""
        return self._title.display

    def on_mount(self) -> None:
        """List the newest conversations."""
        self._read()

    @on(events.DescendantFocus)
    def _show_hint(self) -> None:
        hints: tuple[str, ...] = _SEARCH_HINTS
        if self._search.value and not self._list.has_focus:
            hints = _FOUND_HINTS
        if self._listed.has_deleted:
            hints = (_RESTORE_HINT, *hints)
        if self._title.display:
            hints = _RENAME_HINTS
        box = self.query_one("#conversations")
        box.border_subtitle = join_hints(self.app, hints, box.outer_size.width - _FRAME)

    @on(Input.Changed, "#search")
    def _search_changed(self) -> None:
        self._show_hint()
        self._read()

    @on(events.Resize)
    def _draw_again(self) -> None:
        self._fill(self._list.item)
        self.call_after_refresh(self._show_hint)

    @work(group="conversations", exclusive=True)
    @shows_errors
    async def _read(self, highlighted: str | None = None) -> None:
        typed = self._search.value.strip()
        conversations = self._services.store.conversations
        none = "No matching conversations." if typed else "No conversations."
        listed = _Listing(none=none)
        if typed:
            found = await asyncio.to_thread(conversations.search, typed, _PAGE)
            listed.matches = {each.conversation.id: each for each in found}
            listed.entries = tuple(each.conversation for each in found)
        else:
            listed.entries = await asyncio.to_thread(conversations.list, _PAGE)
        listed.has_deleted = await asyncio.to_thread(conversations.deleted_last) is not None
        self._listed = listed
        self._show_hint()
        self._fill(next((each for each in listed.entries if each.id == highlighted), None))

    def _fill(self, highlighted: ConversationEntry | None) -> None:
        entries = self._listed.entries
        longest = column_width(map(_title, entries), _PAGE)
        facts = [self._facts(each) for each in entries]
        sizes = [column_width(texts, _LONGEST_FACT) for texts in zip(*facts, strict=True)]
        if highlighted not in entries:
            # Of what was found, the one on screen is seldom meant.
            shown = self._session.conversation_id if self._search.value.strip() else None
            highlighted = next((each for each in entries if each.id != shown), None)
        rows = [
            (entry, self._line(entry, longest, _join_columns(texts, sizes)))
            for entry, texts in zip(entries, facts, strict=True)
        ]
        self._list.fill(rows, highlighted, note="" if rows else self._listed.none)
        is_search = self._listed.none and self._search.value.strip()
        found = f" · {len(entries)} found" if is_search else ""
        self.query_one("#conversations").border_title = f"Conversations{found}"

    @property
    def _width(self) -> int:
        return self._list.scrollable_content_region.width or 40

    def _facts(self, entry: ConversationEntry) -> tuple[str, ...]:
        """Return what stands at the right, as much as there is room for."""
        if self._width < _TIMED:
            return ()
        when = self._when(entry.updated_at)
        if self._width < _WIDE:
            return (when,)
        cost = entry.usage.cost_usd
        turns = format_count(entry.turns, "turn")
        label = self._services.provider_label(entry.provider)
        return label, turns, format_dollars(cost) if cost else "", when

    def _line(self, entry: ConversationEntry, longest: int, right: str) -> Content:
        width = self._width
        title = min(longest, int((width - 3 - len(right)) * _TITLE_SHARE))
        title = max(title, _SHORTEST_TITLE)
        room = width - 3 - title - 2 - len(right)
        line = Content.assemble(
            ("●" if entry.id == self._session.conversation_id else " ", "$primary"),
            ("★ " if entry.pinned else "  ", "$warning"),
            (pad_or_clip(_title(entry), title), "bold"),
            "  " if room > 0 else "",
            self._words(entry, room).truncate(max(room, 0), ellipsis=True, pad=True),
            (right, FAINT),
        )
        return line.truncate(width, ellipsis=True)

    def _words(self, entry: ConversationEntry, room: int) -> Content:
        """Return the last words, or those that were found, with the match within the room."""
        match = self._listed.matches.get(entry.id)
        if match is None:
            return Content.styled(display_line(entry.last_words), MUTED)
        start, end = match.span
        line = Content.styled(plain_line(match.line), MUTED)
        line = line.stylize("bold $text-accent", start, end)
        cut = min(end + _AFTER_MATCH, len(line)) - room
        return Content.assemble(("…", MUTED), line[min(cut + 1, start) :]) if cut > 0 else line

    def _when(self, at: datetime) -> str:
        clock = self._services.clock
        local, today = at.astimezone(ZoneInfo(clock.zone)), clock.now().date()
        days = (local.date() - today).days
        if days == 0:
            return f"{local:%H:%M}"
        return DAY_NAMES.get(days) or format_day(local.date(), today)

    # Actions

    def on_key(self, event: events.Key) -> None:
        """Move from the search box, where Enter opens the first row, to the list."""
        if self._search.has_focus and event.key in ("down", "tab") and self._listed.entries:
            event.stop()
            event.prevent_default()
            self._list.focus()
            if event.key == "down":
                self._list.action_cursor_down()

    def action_search(self) -> None:
        """Focus the search box."""
        self._search.focus()

    def action_close(self) -> None:
        """Leave the title, clear the search, or close."""
        if self._title.display:
            self._close_title()
        elif self._search.value:
            self._search.put("")
            self._search.focus()
        else:
            self.dismiss(None)

    @on(Input.Submitted, "#search")
    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        entry = self._list.item
        if entry is None:
            self.app.bell()
            return
        if reason := self._session.why_busy:
            self.app.notify(format_hint(self.app, reason))
            return
        match = self._listed.matches.get(entry.id)
        self.dismiss(OpenConversation(entry.id, match.found if match is not None else None))

    def action_rename(self) -> None:
        """Show the input for another title."""
        if (entry := self._list.item) is not None:
            self._title.put(entry.title)
            self._show_title(True)
            self._title.focus()

    def _show_title(self, is_shown: bool) -> None:
        """Show the input for a title in place of the search box, or the other way round."""
        self._title.display, self._search.display = is_shown, not is_shown
        title = "Rename conversation" if is_shown else "Conversations"
        self.query_one("#conversations").border_title = title

    def _close_title(self) -> None:
        self._show_title(False)
        self._list.focus()

    @on(Input.Submitted, "#title")
    def _choose_title(self) -> None:
        entry = self._list.item
        title = self._title.value
        self._close_title()
        if entry is not None:
            self._rename(entry, title)

    @work(group="writes")
    @shows_errors
    async def _rename(self, entry: ConversationEntry, title: str) -> None:
        try:
            await self._write(entry, self._services.store.conversations.rename, entry.id, title)
        except TodoError:
            # Not lost, if the list is where it was.
            if entry == self._list.item:
                self.action_rename()
                self._title.put(title)
            raise

    async def action_pin(self) -> None:
        """Pin the conversation, or no longer."""
        if (entry := self._list.item) is not None:
            pin = self._services.store.conversations.set_pinned
            await self._write(entry, pin, entry.id, not entry.pinned)

    async def action_delete(self) -> None:
        """Delete the conversation; it can be restored."""
        entry = self._list.item
        if entry is None:
            return
        is_shown = entry.id == self._session.conversation_id
        if is_shown and (reason := self._session.why_busy):
            self.app.notify(format_hint(self.app, reason))
            return
        if await self._write(None, self._services.store.conversations.delete, entry.id):
            self._left = entry.id if is_shown else self._left
            self._list.focus()
            hint = format_hint(self.app, "{conversations.restore} restores it until you quit.")
            backups = await asyncio.to_thread(backups_with, self._services.store.path, entry.id)
            title = short_title(entry.title, _SHOWN_TITLE)
            words = f"Deleted “{title}”. {hint} {describe_leftovers(backups)}"
            self.app.notify(words.rstrip(), timeout=15 if backups else 5)

    async def action_restore(self) -> None:
        """Restore the conversation deleted last, also one deleted before this list was opened."""
        conversations = self._services.store.conversations
        deleted = await asyncio.to_thread(conversations.deleted_last)
        if deleted is None:
            self.app.notify("No conversation to restore.", timeout=3)
        elif await self._write(deleted, conversations.restore, deleted.id):
            self.app.clear_notifications()  # one says that it is deleted
            self.app.notify(f"Restored “{short_title(deleted.title, _SHOWN_TITLE)}”.", timeout=3)
            if deleted.id == self._left and self._session.conversation_id is None:
                self.post_message(self.ShowRequested(deleted.id))

    async def action_export(self) -> None:
        """Write the conversation as Markdown to a new file in the current folder."""
        from todo_tui.store.conversations.export import export_to_file  # by a key, few times

        if (entry := self._list.item) is not None:
            store, label = self._services.store, self._services.model_label
            path = await asyncio.to_thread(export_to_file, store, entry, label)
            self.app.notify(f"Exported to {path}.")

    async def _write(
        self, shown: Conversation | None, change: Callable[..., object], *values: object
    ) -> bool:
        """Run a change of the store and read the list again; False if it came too late."""
        try:
            await self._services.writer.run(change, *values)
        except NotFound:
            # A key that came faster than the list was read again.
            self._read()
            return False
        self._read(shown.id if shown is not None else None)
        self.post_message(self.Changed())
        return True


def _title(entry: ConversationEntry) -> str:
    return display_line(entry.title) or "New conversation"
