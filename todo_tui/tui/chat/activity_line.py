"""Activity line: what the turn does, what is queued, how much is new below the viewport."""

import time

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from todo_tui.domain.text import format_count, plain_line
from todo_tui.tui.actions.action import perform_text
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.key_bar import format_keys
from todo_tui.tui.widgets.text import spin, spinner_frame

_MIN_MESSAGE = 8
"""Cells of a queued message beside the key that edits it."""


class ActivityLine(Widget):
    """Line with the turn's activity or the queue; always one row, so that nothing moves."""

    ALLOW_SELECT = False

    activity: reactive[str] = reactive("")
    """Activity of the running turn; empty while none runs."""
    indexing: reactive[str] = reactive("")
    """Progress of documents that are read; empty while none are."""
    queued: reactive[tuple[str, ...]] = reactive(())
    """Queued messages, the next one first."""
    new_lines: reactive[int] = reactive(0)
    """Lines that came in below the viewport since the reader scrolled up."""

    _started = 0.0

    def watch_activity(self) -> None:
        """Spin while there is activity, and count its seconds."""
        self._started = time.monotonic()
        spin(self, bool(self.activity or self.indexing))

    watch_indexing = watch_activity

    def render(self) -> Content:
        """Draw the activity or the queue on the left, the mark of unread content on the right."""
        width = self.content_size.width
        right = Content("")
        if self.new_lines:
            mark = Style.from_meta({"newest": True})
            text = f"↓ {format_count(self.new_lines, 'new line')} "
            right = Content.styled(text, "bold $accent").stylize(mark)
        left = self._left(width - right.cell_length - 1)
        gap = " " * max(width - left.cell_length - right.cell_length, 0)
        return left + gap + right

    def _left(self, room: int) -> Content:
        left = Content("")
        if self.activity or self.indexing:
            # Without animations the line is not drawn again.
            seconds = int(time.monotonic() - self._started) if self.auto_refresh else 0
            passed = f" {seconds:,} s" if self.activity and seconds else ""
            texts = filter(None, (f"{self.activity}{passed}", self.indexing))
            left = Content.assemble(
                (f"{spinner_frame(self)} ", "$accent"),
                (f"{' · '.join(texts)}  ", MUTED),
                format_keys((format_hint(self.app, "{chat.stop} stop"),)),
            )
        if self.queued:
            others = f" (+{len(self.queued) - 1})" if len(self.queued) > 1 else ""
            head = Content.assemble("   " if left else "", (f"next{others}: ", "$text-warning"))
            hint = "{write.older} edit" if len(self.queued) == 1 else "{chat.queue} edit"
            tail = Content("  ") + format_keys((format_hint(self.app, hint),))
            message = Content(plain_line(self.queued[0]))
            left_over = room - left.cell_length - head.cell_length
            if left_over - tail.cell_length < _MIN_MESSAGE:
                tail = Content("")
            message = message.truncate(max(left_over - tail.cell_length, 1), ellipsis=True)
            left = left + head + message + tail
        return left.truncate(max(room, 0))

    async def on_click(self, event: events.Click) -> None:
        """Scroll to the newest content when the mark is clicked."""
        if event.style.meta.get("newest"):
            await self.run_action(perform_text("chat.newest", "screen"))
