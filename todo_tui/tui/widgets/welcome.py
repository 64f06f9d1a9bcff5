"""What stands where the conversation will be: how to begin, and which models are ready."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import MUTED

_TRIES = (
    "add buy milk tomorrow 5pm and call mom on friday",
    "what's due this week?",
    "I called mom",
    "undo that",
)


class Welcome(Widget):
    """An empty transcript that teaches; `newcomer` says hello once.

    As high as its place, so that another model that is ready moves nothing.
    """

    newcomer: reactive[bool] = reactive(False)
    offline: reactive[bool] = reactive(True)
    """Whether the built-in assistant answers."""
    model_lines: reactive[tuple[str, ...]] = reactive(())
    """What other models are ready and the key that leads there."""

    def render(self) -> Content:
        """Hello, things to try, where words go, which models are ready."""
        lines: list[Content] = []
        if self.newcomer:
            lines += [
                Content.styled("Hello.", "bold")
                + " This is your to-do list, and you can talk to it.",
                Content(""),
            ]
        else:
            lines += [
                Content.styled("A new conversation.", "bold") + " Your list is as it was.",
                Content(""),
            ]
        lines.append(Content.styled("Try", MUTED))
        lines.extend(Content.styled(f"  {example}", "$text-accent") for example in _TRIES)
        lines.append(Content(""))
        if self.offline:
            lines.append(
                Content(
                    "The built-in assistant answers. It works offline: nothing is sent anywhere."
                )
            )
        lines.extend(Content(plain_line(line)) for line in self.model_lines)
        return Content("\n").join(lines)
