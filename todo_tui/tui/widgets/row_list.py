"""List with a row for each item."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from todo_tui.tui.theme import MUTED

ItemT = TypeVar("ItemT")


class RowList(OptionList, Generic[ItemT]):
    """List with a row for each item; rows without one are headings, which cannot be chosen."""

    # Rows are as wide with the scroll bar as without: they are cut before it is known.
    DEFAULT_CSS = "RowList { scrollbar-gutter: stable; scrollbar-size-horizontal: 0; }"

    def __init__(self) -> None:
        super().__init__()
        self._items: list[ItemT | None] = []

    @property
    def item(self) -> ItemT | None:
        """Highlighted item; None if there is none."""
        place = self.highlighted
        return self._items[place] if place is not None and place < len(self._items) else None

    def fill(
        self,
        rows: Iterable[tuple[ItemT | None, Content]],
        highlighted: ItemT | None = None,
        *,
        note: str = "",
    ) -> None:
        """Show items with their lines, and a `note` below them; highlight one, else the first."""
        shown = list(rows)
        if note:
            shown.append((None, Content.styled(f" {note}", MUTED)))
        self._items = [item for item, _ in shown]
        self.set_options(Option(line, disabled=item is None) for item, line in shown)
        places = [place for place, item in enumerate(self._items) if item is not None]
        same = [place for place in places if self._items[place] == highlighted]
        self.highlighted = next(iter(same or places), None)

    def move(self, steps: int) -> None:
        """Move the highlight to the next row, or to the one before, also from a search box."""
        if steps > 0:
            self.action_cursor_down()
        else:
            self.action_cursor_up()

    def action_page_up(self) -> None:
        """Move the highlight up one page, never to a heading."""
        super().action_page_up()  # type: ignore[no-untyped-call]
        self._leave_heading(1)

    def action_page_down(self) -> None:
        """Move the highlight down one page, never to a note."""
        super().action_page_down()  # type: ignore[no-untyped-call]
        self._leave_heading(-1)

    def _leave_heading(self, step: int) -> None:
        if self.item is None:
            self.move(step)
