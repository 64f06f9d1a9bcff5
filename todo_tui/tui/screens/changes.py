"""Changes: all undo batches, newest first, by who and when; any of them can be undone."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import CHANGES
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.task_list.notices import undo_message
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.row_list import RowList
from todo_tui.tui.widgets.text import column_width, pad_or_clip

if TYPE_CHECKING:
    from todo_tui.store.operations.change_log import ChangeLogEntry
    from todo_tui.tui.services import AppServices

_MAX_SHOWN = 200
_LONGEST_WHO = 20
_HINT = "{changes.actor} who · {changes.since} when · {changes.close} close"
_ACTORS = {"": "everyone", **{each: each for each in ("you", "assistant", "agents", "sync")}}
_PERIODS = {None: "all time", 1: "today", 7: "7 days"}
"""By number of days, today included."""


class ChangesScreen(ActionHost, LiveScreen[None]):
    """Lists the changes that all made, and undoes the highlighted one."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ERROR_PLACE = "#note"
    AUTO_FOCUS = "OptionList"
    ACTIONS = CHANGES

    def __init__(self, services: AppServices) -> None:
        super().__init__(services)
        self._entries: tuple[ChangeLogEntry, ...] | None = None
        """None until they are read."""
        self._actor, self._days = 0, 0
        """Places of the filters in their tables."""
        self._list: RowList[ChangeLogEntry] = RowList()

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        with Vertical(id="changes"):
            yield self._list
            yield Static(id="note", markup=False)

    async def load(self) -> None:
        """Read and list the changes; the highlighted one stays."""
        actor, days = [*_ACTORS][self._actor], [*_PERIODS][self._days]
        self._entries = await asyncio.to_thread(
            lambda: self.services.store.change_log.entries(
                actor=actor, since=None if days is None else self._midnight(days), limit=_MAX_SHOWN
            )
        )
        self._fill()

    def _midnight(self, days: int) -> datetime:
        first: date = self.services.clock.now().date() - timedelta(days - 1)
        return datetime.combine(first, time(), ZoneInfo(self.services.clock.zone))

    @on(events.Resize)
    def _fill(self) -> None:
        who, when = [*_ACTORS.values()][self._actor], [*_PERIODS.values()][self._days]
        self.query_one("#changes").border_title = f"Changes · {who} · {when}"
        if self._entries is None:
            return
        before = self._list.item
        note = "" if self._entries else "No changes."
        if len(self._entries) == _MAX_SHOWN:
            note = "Older changes: todo-tui log --limit 1000"
        self.query_one("#note", Static).update(Content.styled(note, MUTED))
        same = (each for each in self._entries if before and each.batch == before.batch)
        dates = [self._date(each) for each in self._entries]
        columns = (
            column_width(dates, 80),
            column_width((e.who for e in self._entries), _LONGEST_WHO),
        )
        rows = [(each, self._line(each, *columns)) for each in self._entries]
        self._list.fill(rows, next(same, None))
        self._show_keys()

    @on(OptionList.OptionHighlighted)
    def _show_keys(self) -> None:
        entry = self._list.item
        undo = "" if entry is None or entry.is_undone else "{changes.undo} undo · "
        self.query_one("#changes").border_subtitle = format_hint(self.app, undo + _HINT)

    def _date(self, entry: ChangeLogEntry) -> str:
        zone = ZoneInfo(self.services.clock.zone)
        return format_when(When.of(entry.at.astimezone(zone)), self.services.clock.now())

    def _line(self, entry: ChangeLogEntry, date: int, who: int) -> Content:
        line = Content.assemble(
            (pad_or_clip(self._date(entry), date) + "  ", MUTED),
            (pad_or_clip(entry.who, who) + "  ", FAINT if entry.is_undone else "bold"),
            ("undone · " if entry.is_undone else "", MUTED),
            (entry.summary, FAINT if entry.is_undone else ""),
        )
        width = max(self._list.scrollable_content_region.width, 40)
        return line.truncate(width, ellipsis=True)

    def action_next_actor(self) -> None:
        """Show the changes of the next actor."""
        self._actor = (self._actor + 1) % len(_ACTORS)
        self.read()

    def action_next_period(self) -> None:
        """Show the changes of the next period."""
        self._days = (self._days + 1) % len(_PERIODS)
        self.read()

    async def action_undo(self) -> None:
        """Undo the highlighted change; what was changed again later stays."""
        if (entry := self._list.item) is None:
            self.app.bell()
            return
        store = self.services.store
        by = store.new_change_context(Actor.USER)
        report = await self.services.writer.run(store.tasks.undo_batch, entry.batch, by=by)
        message = undo_message(report, self.services.clock.now(), redo=entry.kind == "undo")
        self.app.notify(message, markup=False)
        self.read()
