"""Bar of numbered choices, such as periods or the parts of a screen."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from todo_tui.tui.theme import MUTED


class TabBar(Widget):
    """Bar of labels, the chosen one highlighted; a click runs the screen's `choose(place)`."""

    DEFAULT_CSS = "TabBar { height: 1; margin-bottom: 1; }"

    chosen: reactive[int] = reactive(0)

    def __init__(self, labels: Sequence[str], chosen: int = 0) -> None:
        super().__init__()
        self._labels = labels
        self.set_reactive(TabBar.chosen, chosen)

    def render(self) -> Content:
        """Draw the choices, such as `1 30 days`."""
        return Content("").join(
            Content.assemble(
                (f"{place + 1}", "bold $primary"),
                (f" {label} ", "bold reverse" if place == self.chosen else MUTED),
                " " if place < len(self._labels) - 1 else "",
            ).stylize(Style.from_meta({"place": place}))
            for place, label in enumerate(self._labels)
        )

    async def on_click(self, event: events.Click) -> None:
        """Choose the clicked label."""
        place = event.style.meta.get("place")
        if isinstance(place, int):
            await self.run_action(f"screen.choose({place})")
