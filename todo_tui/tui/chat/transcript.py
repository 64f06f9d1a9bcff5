"""Transcript: turns of a conversation, older ones on demand; welcome text of an empty one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.messages import TurnStatus
from todo_tui.domain.text import plain_line
from todo_tui.store.tasks.results import TaskCounts
from todo_tui.tui.actions.action import ActionHost, bindings, perform_text
from todo_tui.tui.actions.chat import WELCOME
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.main import READING
from todo_tui.tui.chat.answer import MessageSuggested
from todo_tui.tui.chat.reading_cursor import ReadingCursor
from todo_tui.tui.chat.turn_view import TurnView
from todo_tui.tui.textual_fixes import drop_style_caches
from todo_tui.tui.theme import MUTED

if TYPE_CHECKING:
    from todo_tui.store.conversations.records import TurnMatch

_EXAMPLES = {
    True: ("what should I do first?",),
    False: ("add buy milk tomorrow 5pm and call mom on friday", "what's due this week?"),
}
"""Messages to begin with, by whether there are open tasks."""
_GREETINGS = {
    True: ("Welcome.", " Ask about your tasks, or tell the assistant what to change."),
    False: ("New conversation.", " No open tasks."),
}
"""Greetings without open tasks, by whether it is the first conversation."""
_OFFLINE = "The built-in assistant works offline: nothing is sent anywhere."
_EARLIER_ROWS = 2
"""Height of the link to earlier turns, with the empty line below it."""
_ABOVE_FOUND = 4
"""Lines above the place that a search found."""
_MAX_TURNS = 24
_KEPT_TURNS = 20
"""Number of turns kept when there are more than `_MAX_TURNS`.

Unbounded, 300 turns with a tool call each took 524 MB and 1.7 s of CPU a turn.
"""


class Welcome(ActionHost, Widget, can_focus=True):
    """Welcome text of an empty transcript.

    Fills its container, so that another model that becomes ready moves nothing.
    """

    FOCUS_ON_CLICK = False
    ACTIONS = WELCOME

    is_first: reactive[bool] = reactive(False)
    counts: reactive[TaskCounts] = reactive(TaskCounts(0, 0, 0))
    offline: reactive[bool] = reactive(True)
    model_lines: reactive[tuple[str, ...]] = reactive(())
    """Other ready models with the keys that select them."""
    marked: reactive[str] = reactive("")
    """Example that Enter fills in; empty without the focus."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Examples of what to say, in the order in which they are drawn."""
        return _EXAMPLES[self.counts.open > 0]

    def move(self, direction: int) -> None:
        """Mark the example before (-1) or after (1) the marked one."""
        examples = self.examples
        place = examples.index(self.marked) if self.marked in examples else -1
        self.marked = examples[(place + direction) % len(examples)]

    def choose_marked(self) -> None:
        """Choose the marked example."""
        if self.marked:
            self.post_message(MessageSuggested(self.marked))

    def on_focus(self) -> None:
        """Mark the first example."""
        self.marked = next(iter(self.examples), "")

    def on_blur(self) -> None:
        """Mark none."""
        self.marked = ""

    def on_click(self, event: events.Click) -> None:
        """Choose the example under the mouse."""
        if text := event.style.meta.get("example"):
            event.stop()
            self.post_message(MessageSuggested(text))

    def render(self) -> Content:
        """Draw greeting and examples; until there are tasks also where messages go."""
        lines = [self._greeting(), Content("")]
        how = (
            "Enter fills it in"
            if self.marked
            else "click it, or press {chat.read_back}, then Enter"
        )
        what = "Try one" if len(self.examples) > 1 else "Try this"
        lines.append(Content.styled(format_hint(self.app, f"{what}: {how}."), MUTED))
        lines.extend(
            Content("▸ " if each == self.marked else "  ")
            + Content.styled(each, "$text-accent").stylize(Style.from_meta({"example": each}))
            for each in self.examples
        )
        if self.is_first or not self.counts.open:
            lines.append(Content(""))
            lines.extend([Content(_OFFLINE)] if self.offline else [])
            lines.extend(Content(plain_line(line)) for line in self.model_lines)
        return Content("\n").join(lines)

    def _greeting(self) -> Content:
        """Return `2 overdue, 5 today`, or a welcome where there are no tasks."""
        open_tasks, overdue, today = self.counts
        if not open_tasks:
            greeting, more = _GREETINGS[self.is_first]
            return Content.assemble((greeting, "bold"), more)
        if not overdue and not today:
            return Content.assemble(("Nothing due today", "bold"), f", {open_tasks:,} open")
        late = Content.styled(f"{overdue:,} overdue", "bold $text-error")
        due = Content.styled(f"{today:,} today", "bold")
        return Content(", ").join([late] * bool(overdue) + [due] * bool(today))


class Transcript(VerticalScroll, can_focus=True):
    """List of turns; follows new content until the user scrolls up."""

    # Imported after the first frame, so it is not part of its style sheets.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    BINDINGS = bindings(READING, "screen")

    new_lines: reactive[int] = reactive(0)
    """Lines that came in below the viewport since the reader scrolled up."""

    class EarlierRequested(Message):
        """Posted at the top, to be answered by `show_earlier`."""

    @dataclass
    class LinesArrived(Message):
        """Posted when the number of `new_lines` has changed."""

        count: int

    def __init__(self) -> None:
        super().__init__(id="transcript")
        self.welcome = Welcome()
        self._earlier: Static | None = None
        self._is_loading = False
        self._is_drawing = False
        self._layout_lock = asyncio.Lock()
        """Held while turns are inserted or drawn anew until the viewport is in its place again."""
        self.is_following = True
        self._read_up_to: tuple[TurnView | None, int | None] = None, None
        """Newest turn when the reader scrolled up, and its height then if it was running."""
        self.is_end = True
        """True if the newest turn of the conversation is among the shown ones."""
        self.cursor: ReadingCursor = ReadingCursor(self)
        self._found: TurnView | None = None
        """Turn that is marked as what a search has found."""

    def watch_new_lines(self, new_lines: int) -> None:
        """Tell how much is new below the viewport."""
        self.post_message(self.LinesArrived(new_lines))

    def compose(self) -> ComposeResult:
        """Compose nothing until the store has been read."""
        self.welcome.display = False
        yield self.welcome

    @property
    def turns(self) -> list[TurnView]:
        """Shown turns, oldest first."""
        return [child for child in self.children if isinstance(child, TurnView)]

    @property
    def turns_in_view(self) -> list[TurnView]:
        """Turns that are in the viewport at least in part, oldest first."""
        viewport = self.scrollable_content_region
        return [turn for turn in self.turns if viewport.overlaps(turn.region)]

    @property
    def newest(self) -> TurnView | None:
        """Newest turn, if any."""
        turns = self.turns
        return turns[-1] if turns else None

    @property
    def current(self) -> TurnView | None:
        """Turn with the focus; in reading mode else the first in view, else the newest one."""
        focused = next((turn for turn in self.turns if turn.has_focus_within), None)
        if focused is not None or not self.has_focus or self.is_following:
            return focused or self.newest
        return next(iter(self.turns_in_view), self.newest)

    @property
    def is_idle(self) -> bool:
        """True while the viewport follows the newest turn and no part of it has the focus."""
        return self.is_end and self.is_following and not self.has_focus_within

    async def remove_from(self, turn_id: str) -> tuple[int, int, list[str]]:
        """Remove a turn and those after it, which another branch replaces: the end is there then.

        Returns which version of its message that was, the number of versions, and the removed ids.
        """
        turns = self.turns
        first = next(at for at, turn in enumerate(turns) if turn.turn_id == turn_id)
        gone = turns[first:]
        await self.remove_children(gone)
        await self.query("#later").remove()
        self.is_end = True
        return *gone[0].version, [turn.turn_id for turn in gone]

    async def show_turns(self, views: Sequence[TurnView], *, more: bool, is_end: bool) -> None:
        """Replace all turns, oldest first; links lead to earlier ones, and to the newest ones."""
        self.is_end = is_end
        with self.app.batch_update():
            await self.query(TurnView).remove()
            await self._show_earlier_link(more)
            await self.query("#later").remove()
            await self.mount_all(views)
            if not is_end:
                await self.mount(Static("↓ newest messages", id="later", markup=False))
        self.welcome.display = not views
        self.go_to_newest()
        self.call_after_refresh(self._draw_visible)

    def go_to_turn(self, turn_id: str) -> None:
        """Scroll to a shown turn."""
        for turn in self.turns:
            if turn.turn_id == turn_id:
                self.release_anchor()
                self.call_after_refresh(self.scroll_to_widget, turn, top=True, animate=False)

    def show_found(self, found: TurnMatch, *, focuses: bool) -> None:
        """Mark the turn that a search has found, scroll to the place in it, maybe focus that."""
        self.unmark_found()
        for turn in self.turns:
            if turn.turn_id == found.turn_id:
                self._found = turn.add_class("-found")
            if turn is self._found and (place := turn.find(found.texts)) is not None:
                if focuses:
                    place[0].focus(scroll_visible=False)
                # A long message that was opened is laid out first.
                self.call_after_refresh(self.call_after_refresh, self._scroll_into_part, *place)

    def unmark_found(self) -> None:
        """Remove the mark of what a search has found."""
        if self._found is not None:
            self._found.remove_class("-found")
            self._found = None

    def _scroll_into_part(self, part: Widget, share: float) -> None:
        """Scroll to a place in a part of the turn at the top, by its share of the part's text."""
        below_top = part.virtual_region.y + int(share * part.virtual_region.height)
        if below_top > self.container_size.height // 2:
            self._go_to_line(self.scroll_y + below_top - _ABOVE_FOUND)

    def focus_turn(self, turn_id: str, *, answer: bool) -> None:
        """Focus the message of a shown turn, or its answer."""
        for turn in self.turns:
            if turn.turn_id == turn_id:
                # Behind the scrolling to the turn.
                self.call_after_refresh(turn.focus_part, answer=answer)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let the cursor return to the part at the next look at the conversation."""
        self.cursor.last = event.widget

    @on(events.Click, "#later")
    async def request_newest(self) -> None:
        """Show the newest turns."""
        await self.run_action(perform_text("chat.newest", "screen"))

    @property
    def has_earlier(self) -> bool:
        """True if the conversation has turns before the shown ones."""
        return self._earlier is not None

    def _request_earlier(self) -> None:
        if self.has_earlier and not self._is_loading and self.turns:
            self._is_loading = True
            self.post_message(self.EarlierRequested())

    async def show_earlier(self, oldest_id: str, views: Sequence[TurnView], *, more: bool) -> None:
        """Insert turns above the oldest one, keeping the viewport in place."""
        async with self._layout_lock:
            # Otherwise another conversation is shown by now.
            oldest = next(iter(self.turns), None)
            if views and oldest is not None and oldest.turn_id == oldest_id:
                offset = self.scroll_y - oldest.virtual_region.y
                with self.app.batch_update():
                    await self._show_earlier_link(more)
                    await self.mount_all(views, before=oldest)
                await self._layout_done()
                self._go_to_line(oldest.virtual_region.y + offset)
        self._is_loading = False
        self._draw_visible()

    @work(group="conversation")
    async def _draw_visible(self) -> None:
        """Draw answers near the viewport as Markdown, one by one, keeping the viewport in place."""
        if self._is_drawing:
            return
        self._is_drawing = True
        while self._next_plain() is not None:
            async with self._layout_lock:
                if (turn := self._next_plain()) is None:
                    break
                height = turn.virtual_region.height
                await turn.draw_markdown()
                await self._layout_done()
                if turn.virtual_region.y < self.scroll_y and not self.is_following:
                    self._go_to_line(self.scroll_y + turn.virtual_region.height - height)
        self._is_drawing = False

    async def _layout_done(self) -> None:
        done = asyncio.Event()
        self.call_after_refresh(done.set)
        await done.wait()

    def _go_to_line(self, line: float) -> None:
        self.scroll_to(y=line, animate=False, immediate=True)

    def _next_plain(self) -> TurnView | None:
        """Return the newest turn within a page of the viewport that is drawn as plain text."""
        page = self.container_size.height
        top, bottom = self.scroll_y - page, self.scroll_y + 2 * page
        near = (turn for turn in reversed(self.turns) if turn.is_between(top, bottom))
        return next((turn for turn in near if turn.is_plain), None)

    async def unmount_far_turns(self) -> None:
        """Unmount the oldest turns once there are many, except near the viewport.

        They are loaded again when the user scrolls to the top.
        """
        turns = self.turns
        if len(turns) <= _MAX_TURNS or self._is_loading:
            return
        far = self.scroll_offset.y - self.container_size.height

        def is_far(turn: TurnView) -> bool:
            return turn.virtual_region.bottom < far and not turn.has_focus_within

        gone = list(takewhile(is_far, turns[:-_KEPT_TURNS]))
        if not gone:
            return
        height = turns[len(gone)].virtual_region.y - gone[0].virtual_region.y
        with self.app.batch_update():
            if self._earlier is None:
                height -= _EARLIER_ROWS
                await self._show_earlier_link(True)
            drop_style_caches(each for turn in gone for each in turn.walk_children(Widget))
            await self.remove_children(gone)
            if not self.is_following:
                # Before the next layout, so that no frame shows another position.
                self.scroll_y = self.scroll_target_y = self.scroll_y - height

    async def append(self, view: TurnView, *, moves: bool = True) -> None:
        """Append a running turn and follow it; unless it `moves` a reader, only at the end."""
        self.welcome.display = False
        await self.mount(view)
        if moves or self.is_following:
            self.go_to_newest()

    async def drop(self, view: TurnView) -> None:
        """Remove a turn that was not stored."""
        await view.remove()
        self.welcome.display = not self.turns

    def go_to_newest(self) -> None:
        """Scroll to the end and follow new content."""
        self.is_following = True
        self.new_lines = 0
        self._anchor_if_overflowing()

    def _anchor_if_overflowing(self) -> None:
        self.anchor(self.is_following and self._overflows)
        if not self._overflows:
            # An anchored widget with little content is scrolled to above its top.
            self.scroll_y = self.scroll_target_y = 0

    @property
    def _overflows(self) -> bool:
        return 0 < self.container_size.height < self.virtual_size.height

    def go_to_oldest(self) -> None:
        """Scroll to the first shown message; a reader goes on from there."""
        self.scroll_home(animate=False)
        if self.has_focus_within and (turns := self.turns):
            turns[0].focus_part(answer=False, scroll_visible=False)

    def toggle_rows(self) -> None:
        """Expand all rows of the last turn that has some; collapse them if all are expanded."""
        turns = (
            [row for row in turn.rows if row.can_open and not row.has_class("-member")]
            for turn in reversed(self.turns)
        )
        rows = next(filter(None, turns), [])
        are_open = all(row.opened for row in rows)
        for row in rows:
            row.opened = not are_open

    def on_mount(self) -> None:
        """Check the position after every layout: content grows without an event of its own."""
        self.screen.screen_layout_refresh_signal.subscribe(self, self._on_layout)

    def _on_layout(self, _screen: Screen[object]) -> None:
        if not self.is_following:
            self.new_lines = _lines_since(self.turns, *self._read_up_to)
        elif self._overflows is not self.is_anchored:
            self._anchor_if_overflowing()

    def release_anchor(self) -> None:
        """Stop following when the user scrolls, unless the viewport is still at the end."""
        super().release_anchor()
        if self.is_following and (newest := self.newest) is not None:
            is_running = newest.status is TurnStatus.RUNNING
            self._read_up_to = newest, newest.outer_size.height if is_running else None
        self.is_following = False
        self.call_after_refresh(self._follow_at_bottom)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow again at the end; request earlier turns at the top."""
        super().watch_scroll_y(old_value, new_value)
        if not self._is_drawing and self._next_plain() is not None:
            self._draw_visible()
        if new_value > old_value and not self.is_following:
            # Not at once: it ends animations, and this may be a step of one.
            self.call_later(self._follow_at_bottom)
        elif new_value <= 0 < old_value:
            self._request_earlier()

    def _follow_at_bottom(self) -> None:
        bottom = self.max_scroll_y - 1
        if not self.is_following and min(self.scroll_y, self.scroll_target_y) >= bottom:
            self.go_to_newest()

    @on(events.Click, "#earlier")
    @on(events.MouseScrollUp)
    def request_earlier_at_top(self) -> None:
        """Request earlier turns after a click, or the wheel at the top, which scrolls nothing."""
        if self.scroll_y <= 0:
            self._request_earlier()

    async def _show_earlier_link(self, more: bool) -> None:
        if more and self._earlier is None:
            self._earlier = Static("↑ earlier messages", id="earlier", markup=False)
            await self.mount(self._earlier, before=0)
        elif not more and self._earlier is not None:
            await self._earlier.remove()
            self._earlier = None


def _lines_since(turns: Sequence[TurnView], read: TurnView | None, height: int | None) -> int:
    """Return the lines below a turn, with those by which it grew from that height."""
    if read is None or read not in turns:
        return 0
    newer = turns[turns.index(read) + 1 :]
    grown = read.outer_size.height - height if height is not None else 0
    return max(sum(turn.outer_size.height for turn in newer) + grown, 0)
