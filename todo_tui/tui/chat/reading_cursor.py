"""Reading cursor: the part of the transcript that has the focus in reading mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget

from todo_tui.tui.chat.answer import CodeBlock, copy_part
from todo_tui.tui.chat.conversation_part import ConversationPart

if TYPE_CHECKING:
    from todo_tui.tui.chat.transcript import Transcript


class ReadingCursor:
    """Moves the focus from part to part of the shown turns, and acts on the focused one."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self.last: Widget | None = None
        """Part that had the focus last."""

    @property
    def _parts(self) -> list[Widget]:
        return [part for turn in self._transcript.turns for part in turn.parts]

    def return_to_focus(self) -> bool:
        """Scroll to the focused part if it is out of view; return True if it was.

        A key must not act on what the reader has scrolled away from and does not see.
        """
        transcript, focused = self._transcript, self._transcript.screen.focused
        if focused is None or transcript not in focused.ancestors:
            return False
        if transcript.region.overlaps(focused.region):
            return False
        transcript.release_anchor()
        transcript.scroll_to_widget(focused, animate=False)
        transcript.app.notify("Scrolled back to the selected part. Press the key again.", timeout=4)
        return True

    def focus_visible_part(self) -> None:
        """Focus the newest answer if the viewport is at the end, else a part in view.

        That is the part that had the focus last, else the first one that begins in the viewport.
        """
        transcript = self._transcript
        if transcript.welcome.display:
            transcript.welcome.focus(scroll_visible=False)
            return
        viewport, newest = transcript.scrollable_content_region, transcript.newest
        if newest is not None and transcript.is_following:
            newest.focus_part(answer=True, scroll_visible=False)
            return
        parts = self._parts
        visible = [part for part in parts if viewport.overlaps(part.region)]
        begun = [part for part in visible if part.region.y >= viewport.y]
        again = [part for part in visible if part is self.last]
        next(iter(again or begun or visible), transcript).focus(scroll_visible=False)

    def step(self, direction: int) -> None:
        """Focus the next part in that direction; scroll where there is none."""
        if self._transcript.welcome.has_focus:
            self._transcript.welcome.move(direction)
            return
        parts = self._parts
        at = next((at for at, part in enumerate(parts) if part.has_focus), len(parts)) + direction
        if 0 <= at < len(parts):
            parts[at].focus(scroll_visible=False)
            self._transcript.call_after_refresh(self._reveal, parts[at])
        else:
            self._transcript.scroll_relative(y=3 * direction, animate=False)

    def step_message(self, direction: int) -> None:
        """Focus the message before or after the present one; from an answer, the answer there."""
        turns, current = self._transcript.turns, self._transcript.current
        at = next((at for at, turn in enumerate(turns) if turn is current), 0) + direction
        if 0 <= at < len(turns):
            was_answer = current is not None and not current.parts[0].has_focus
            turns[at].focus_part(answer=was_answer, scroll_visible=False)
            self._transcript.call_after_refresh(self._reveal, turns[at])

    def _reveal(self, shown: Widget) -> None:
        """Scroll until the turn, or the part, is in view; of a taller one the focused part."""
        transcript = self._transcript
        room, focused = transcript.container_size.height, transcript.screen.focused
        if shown.virtual_region.height > room and focused is not None:
            shown = focused
        transcript.release_anchor()
        transcript.scroll_to_widget(shown, animate=False, top=shown.virtual_region.height > room)

    def copy(self) -> None:
        """Copy the focused part, else the newest answer."""
        if not self.return_to_focus():
            focused = self._transcript.screen.focused
            answers = filter(None, (turn.answer for turn in reversed(self._transcript.turns)))
            is_part = isinstance(focused, ConversationPart)
            copy_part(self._transcript.app, focused if is_part else next(answers, None))

    def copy_code(self) -> None:
        """Copy the newest code block."""
        blocks = [part for part in self._parts if isinstance(part, CodeBlock)]
        copy_part(self._transcript.app, blocks[-1] if blocks else None, "code block")

    def open_source(self) -> None:
        """Open the first cited source of the focused turn, else of the newest one."""
        if self._transcript.current is not None:
            self._transcript.current.request_source()
