"""Single-line inputs, plain and with completion; list of completions and the names it offers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from rich.cells import cell_len
from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from todo_tui.domain.errors import StoreError
from todo_tui.domain.filters.completion import Candidate, Completions
from todo_tui.domain.filters.lexer import FilterNames
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.tui.actions.action import Action, ActionHost
from todo_tui.tui.actions.task_list import COMPLETION_INPUT, LINE_INPUT
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.text import StableStatic, clip, display_line, pad_or_clip

if TYPE_CHECKING:
    from todo_tui.store.store import Store

MAX_COMPLETIONS_SHOWN = 5
_WIDEST = 28
_log = logging.getLogger(__name__)
MAX_LINE_LENGTH = 10_000
"""Limit in characters; a longer paste is cut."""
_OPEN_ENDED = (":", ".", "<", ">", "=")


class CompletionList(StableStatic):
    """List of candidates around the chosen one; without candidates it takes no lines.

    `names_key` shows the key that takes the chosen one beside it.
    """

    def __init__(
        self,
        *,
        most: int = MAX_COMPLETIONS_SHOWN,
        widest: int = _WIDEST,
        names_key: bool = True,
    ) -> None:
        super().__init__(classes="drawer--candidates")
        self.display = False
        self._most = most
        self._widest = widest
        self._names_key = names_key

    def show(self, candidates: Sequence[Candidate], chosen: int) -> None:
        """Show one line per candidate, with its description; `chosen` is an index."""
        self.display = bool(candidates)
        if not candidates:
            return
        most = self._most
        first = max(0, min(chosen - most // 2, len(candidates) - most))
        shown = candidates[first : first + most]
        texts = [clip(display_line(each.text), self._widest) for each in shown]
        width = max(map(cell_len, texts))
        lines: list[Content] = []
        for number, (text, candidate) in enumerate(zip(texts, shown, strict=True), first):
            is_chosen, about = number == chosen, candidate.about
            if is_chosen and self._names_key:
                about = f"{about}  Tab" if about else "Tab"
            lines.append(
                Content.assemble(
                    ("▸ " if is_chosen else "  ", "$text-accent"),
                    (pad_or_clip(text, width), "bold $text-accent" if is_chosen else ""),
                    (f"  {about}", MUTED if is_chosen else FAINT),
                )
            )
        left = len(candidates) - first - len(shown)
        if left > 0:
            lines.append(Content.styled(f"  {left} more · ↓", FAINT))
        self.put(Content("\n").join(lines))


@dataclass(slots=True)
class NameCache:
    """Names for completion, read in a thread when a box opens; empty until then."""

    store: Store
    names: FilterNames = field(default_factory=FilterNames)

    async def refresh(self) -> None:
        """Read the names; on failure keep the previous ones."""
        try:
            self.names = await asyncio.to_thread(self.store.filter_names)
        except StoreError:
            _log.warning("could not read the names for completion", exc_info=True)


class LineInput(ActionHost, Input):
    """Input without frame or control characters; several pasted lines become one."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ACTIONS: ClassVar[Sequence[Action[Self]]] = LINE_INPUT

    class Cancelled(Message):
        """Posted when Esc is pressed; the text is kept."""

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(id=id, placeholder=placeholder, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Keep the cursor still where animations are off."""
        self.cursor_blink = self.app.animation_level != "none"

    def validate_value(self, value: str) -> str:
        """Remove control sequences, which must not reach the terminal."""
        return plain_line(repair_surrogates(value))[:MAX_LINE_LENGTH]

    def put(self, text: str) -> None:
        """Replace the text and move the cursor to its end."""
        self.value = text
        self.cursor_position = len(self.value)

    def action_leave(self) -> None:
        """Post `Cancelled`."""
        self.post_message(self.Cancelled())

    async def on_key(self, event: events.Key) -> None:
        """Ignore letters with Alt."""
        if event.key.startswith("alt+"):
            # Old terminals send the letter too, which is not meant as text.
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Insert pasted text as one line without control characters."""
        event.stop()
        event.prevent_default()
        self.replace(plain_line(repair_surrogates(event.text.strip("\r\n"))), *self.selection)


class CompletionInput(LineInput):
    """Input with completions: Tab takes the chosen candidate, arrows choose another.

    Without candidates these keys are not handled. Whoever reads the text offers them.
    """

    ACTIONS: ClassVar[Sequence[Action[Self]]] = COMPLETION_INPUT

    highlight_spans: reactive[tuple[tuple[int, int, str], ...]] = reactive(())
    """Coloured spans of the text: start, end (excluded) and component class."""

    def __init__(self, *, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder)
        self.candidates = CompletionList()
        """Shown by whoever places the input."""
        self._completions = Completions(0, 0, ())
        self._chosen = 0
        self.highlighter = _SpanHighlighter(self)

    def offer(self, found: Completions) -> None:
        """Offer candidates at the cursor and show them."""
        self.prepare(found)
        self.show_candidates()

    def prepare(self, found: Completions) -> None:
        """Offer candidates at the cursor, whose keys work, without showing them."""
        found = found if self.has_focus else Completions(0, 0, ())
        typed = self.value[found.start : found.end]
        fitting = tuple(each for each in found.candidates if typed and each.text != typed)
        if self.has_focus and fitting != self._completions.candidates:
            self._chosen = 0
        self._completions = found._replace(candidates=fitting)

    def show_candidates(self) -> None:
        """Show the candidates, and their keys in the key bar."""
        had_any = self.candidates.display
        self.candidates.show(self._completions.candidates, self._chosen)
        if bool(self._completions.candidates) is not had_any:
            self.refresh_bindings()

    def action_complete(self) -> None:
        """Replace the word by the chosen candidate."""
        start, end, candidates = self._completions
        text = candidates[self._chosen].text
        following = self.value[end:]
        if not text.endswith(_OPEN_ENDED) and not following.startswith((" ", ")")):
            text += " "
        self.value = self.value[:start] + text + following
        self.cursor_position = start + len(text)

    def action_choose(self, step: int) -> None:
        """Choose the next candidate, wrapping around."""
        self._chosen = (self._chosen + step) % len(self._completions.candidates)
        self.candidates.show(self._completions.candidates, self._chosen)

    @property
    def has_candidates(self) -> bool:
        """True if there are candidates at the cursor."""
        return bool(self._completions.candidates)

    def on_blur(self) -> None:
        """Remove the candidates."""
        self._completions = Completions(0, 0, ())
        self.candidates.show((), 0)


class _SpanHighlighter(Highlighter):
    def __init__(self, box: CompletionInput) -> None:
        self._box = box

    def highlight(self, text: Text) -> None:
        for start, end, name in self._box.highlight_spans:
            style = self._box.get_component_rich_style(name, partial=True)
            text.stylize(style, start, end)
