"""Header of the list: view name, counts and filter."""

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from todo_tui.tui.actions.action import perform_text
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.text import clip, display_line

_SMALLEST_FILTER = 8
_LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class HeaderState:
    """Values shown in the header."""

    view: str = "Tasks"
    filter_name: str = ""
    counts: tuple[tuple[str, str], ...] = (("…", MUTED),)
    """Counts in words, each with its style."""
    shown: int | None = None
    """Number of tasks in the list, each counted once; None while the list is being read."""


class TaskHeader(Widget):
    """One row: `‹ Today ›`, each part with an action on click, then counts and filter name."""

    ALLOW_SELECT = False

    header_state: reactive[HeaderState] = reactive(HeaderState())

    def render(self) -> Content:
        """Render the counts in full and clip a long filter."""
        state = self.header_state
        width = self.content_size.width
        dot = Content.styled(" · ", MUTED)
        left = Content("").join(
            Content.styled(text, style).stylize(Style.from_meta({"action": action}))
            for text, style, action in (
                ("‹ ", FAINT, "list.view_before"),
                (clip(display_line(state.view), _LONGEST_NAME), "bold", "list.views"),
                (" ›", FAINT, "list.view_after"),
            )
        )
        right = dot.join(Content.styled(*count) for count in state.counts)
        room = width - left.cell_length - right.cell_length - 3 - 2
        if state.filter_name and room >= _SMALLEST_FILTER:
            name = clip(display_line(state.filter_name), room)
            right += dot + Content.styled(name, "bold $text-accent")
        gap = width - left.cell_length - right.cell_length
        if gap < 2:
            return right.truncate(width, ellipsis=True)
        return left + Content(" " * gap) + right

    async def on_click(self, event: events.Click) -> None:
        """Run the pane's action for the clicked part."""
        action = event.style.meta.get("action")
        if action is not None:
            await self.app.run_action(perform_text(action), self.parent)
