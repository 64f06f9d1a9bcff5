"""Quick add drawer: input with highlighting and a preview of the task."""

import asyncio
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on, work
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add, split_task_lines
from todo_tui.domain.change_words.signs import (
    LiteralSpan,
    SpanKind,
    remap_literals,
    toggle_literal,
)
from todo_tui.domain.dates.text import format_when, notes_beside
from todo_tui.domain.errors import StoreError, TodoError, ValidationError
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.filters.completion import complete_sign
from todo_tui.domain.recurrence.next_occurrence import first_occurrences
from todo_tui.domain.recurrence.reader import format_recurrence
from todo_tui.domain.task import Task, TaskFields
from todo_tui.domain.when import Clock
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.task_list import QUICK_ADD_INPUT
from todo_tui.tui.background import run_in_background
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.drawers.base import AddRequested, Drawer
from todo_tui.tui.task_list.notices import short_title
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.line_input import CompletionInput, NameCache
from todo_tui.tui.widgets.text import display_line

_DATES_AHEAD = 3
_SHORTEST_TITLE = 12
_EXAMPLE = "Buy milk tomorrow 5pm #errands @town !high"
_LITERAL = "quick-add--literal"
_log = logging.getLogger(__name__)


def _fields_below(parent: Task | None, fields: TaskFields) -> TaskFields:
    """Return the fields of a subtask, in the project of its parent unless another is named.

    A line that names another parent is left as it is.
    """
    if parent is None or "parent" in fields:
        return fields
    project = fields.get("project") or parent.project
    return {**TaskFields(parent=parent.id), **fields, "project": project}


def render_preview(
    understood: QuickAdd, clock: Clock, titles: Mapping[int, str | None], width: int = 0
) -> Content:
    """Render what was read of a line, and notes of doubt.

    `titles` are those of other tasks as far as they were looked up; None: no such task. Title and
    notes are cut for all to fit into `width` cells, the notes first; 0: they are complete.
    """
    now, due, recurrence = clock.now(), understood.due, understood.recurrence
    parts = [(understood.title, "")]
    if recurrence is not None:
        first = f", first {format_when(due, now)}" if due is not None else ""
        parts.append((format_recurrence(recurrence) + first, "$text-accent"))
    elif due is not None:
        parts.append((format_when(due, now), "$text-accent"))
    if understood.start is not None:
        parts.append((f"from {format_when(understood.start, now)}", "$text-accent"))
    if understood.priority is not None:
        parts.append((f"{understood.priority.value} priority", "bold"))
    if understood.project:
        parts.append((f"#{understood.project}", "$text-success"))
    parts += [(f"@{tag}", "$text-warning") for tag in understood.tags]
    if understood.estimate is not None:
        parts.append((format_estimate(understood.estimate), "$text-primary"))
    if understood.parent is not None:
        parts.append(_reference("subtask of", understood.parent, titles))
    parts += [_reference("blocked by", each, titles) for each in understood.blocked_by]
    facts = len(parts)
    if following := _later_dates(understood, clock):
        parts.append((f"then {following}", MUTED))
    shown = [text for text, _ in parts[1:]]
    parts += [(note, "$text-warning") for note in notes_beside(shown, understood.notes)]
    title, *pieces = [Content.styled(display_line(text), style) for text, style in parts]
    pieces = [Content.styled(" · ", MUTED) + piece for piece in pieces]
    if width:
        cells = [piece.cell_length for piece in pieces]
        read = sum(cells[: facts - 1])
        title = title.truncate(
            max(width - sum(cells), (width - read) // 2, _SHORTEST_TITLE), ellipsis=True
        )
        width = max(width, title.cell_length + read)
    line = Content("").join([title, *pieces])
    return line.truncate(width, ellipsis=True) if width else line


def _reference(relation: str, task_id: int, titles: Mapping[int, str | None]) -> tuple[str, str]:
    title = titles.get(task_id, "")
    if title is None:
        return f"There is no task #{task_id}", "$text-error"
    return f"{relation} #{task_id} {short_title(title)}".rstrip(), "$text-primary"


def _later_dates(understood: QuickAdd, clock: Clock) -> str:
    """Return the dates of a recurring task after its first, in words."""
    if understood.recurrence is None or understood.due is None:
        return ""
    try:
        dates = first_occurrences(understood.recurrence, understood.due, _DATES_AHEAD, clock.zone)
    except ValidationError:
        return ""
    return " and ".join(format_when(each, clock.now()) for each in dates[1:])


class QuickAddInput(CompletionInput):
    """Input with parsed parts highlighted."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"quick-add--{kind}" for kind in SpanKind),
        _LITERAL,
    }

    ACTIONS = QUICK_ADD_INPUT

    class WordsOnlyToggled(Message):
        """Toggle whether the part at the cursor is literal text."""

    @dataclass
    class LinesPasted(Message):
        """Several lines were pasted into the empty input, which shows them as one."""

        lines: tuple[str, ...]

    def action_words_only(self) -> None:
        """Request the other reading of the part at the cursor."""
        self.post_message(self.WordsOnlyToggled())

    def on_paste(self, event: events.Paste) -> None:
        """Report several pasted lines, each of which becomes a task."""
        lines = split_task_lines(event.text)
        if len(lines) > 1 and not self.value.strip():
            self.post_message(self.LinesPasted(lines))


class QuickAddDrawer(Drawer):
    """Drawer that adds one task after another, or one for each pasted line."""

    def __init__(self, services: AppServices, names: NameCache) -> None:
        self._box = QuickAddInput(placeholder=_EXAMPLE)
        self._has_added = False
        """True from the first task that was added until the drawer is closed."""
        super().__init__("quick-add", "+", self._box, keys="Enter add · {box.leave} close")
        self._clock = services.clock
        self._style = services.style
        self._names = names
        self._tasks = services.store.tasks
        self._titles: dict[int, str | None] = {}
        """Titles of the tasks that were named since the drawer was opened; None: no such task."""
        self._text = ""
        """Text that was read last, with its literal spans."""
        self._literals: tuple[LiteralSpan, ...] = ()
        self._pasted: tuple[str, ...] = ()
        self._pasted_as = ""
        self._under: Task | None = None
        self._refused: tuple[str, TodoError] | None = None
        """Text that could not be added, with the reason, which is shown until it is edited."""

    def open(self, text: str = "", *, focus: bool = True) -> None:
        """Show the drawer with a text in its input."""
        super().open(text, focus=focus)
        self._titles = {}
        run_in_background(self, self._names.refresh, group="names", exclusive=True)

    def open_below(self, parent: Task | None) -> None:
        """Show the drawer for subtasks of a task, without one for top-level tasks."""
        self.open()
        self._under = parent
        self._show_reading()

    def say_hidden(self, task: Task) -> None:
        """Say that a task was added which the list does not show, and why."""
        now, why = self._clock.now(), "by the current view"
        start = task.start_in(self._clock.zone)
        if start is not None and task.starts_later(now, self._clock.zone):
            why = f"until {format_when(start, now)}"
        self.say(f"Added {short_title(task.title)}, hidden {why}.")

    def put_back(self, lines: tuple[str, ...], error: TodoError) -> None:
        """Restore lines that could not be added, before the current input, with the error."""
        typed = self._box.value.strip()
        self.open(f"{' '.join(lines)} {typed}".rstrip(), focus=False)
        self._refused = self._box.value, error
        if len(lines) > 1:
            self._hold(lines)
        self._show_reading()

    def close(self) -> None:
        """Hide the drawer; reset the parent and the literal spans."""
        super().close()
        self._under, self._has_added = None, False
        self._forget()
        self._show_keys()

    def say(self, sentence: str) -> None:
        """Show a message below the empty input."""
        self.below.put(Content.styled(sentence, MUTED))

    @on(Input.Changed)
    def _read_as_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_reading()
        box = self._box
        box.offer(complete_sign(box.value, box.cursor_position, self._names.names, self._literals))

    @on(QuickAddInput.LinesPasted)
    def _keep_lines(self, event: QuickAddInput.LinesPasted) -> None:
        event.stop()
        self._hold(event.lines)
        self._show_reading()

    def _hold(self, lines: tuple[str, ...]) -> None:
        self._pasted, self._pasted_as = lines, self._box.value

    @property
    def _lines(self) -> tuple[str, ...]:
        """Return the pasted lines, unless the text was edited since."""
        return self._pasted if self._box.value == self._pasted_as else ()

    @on(QuickAddInput.WordsOnlyToggled)
    def _toggle_words_only(self, event: QuickAddInput.WordsOnlyToggled) -> None:
        event.stop()
        if self._lines:
            self._pasted = ()
        else:
            # The key can arrive before the last Changed message was handled.
            spans = self._read().spans
            self._literals = toggle_literal(self._literals, spans, self._box.cursor_position)
        self._show_reading()

    @on(Input.Submitted)
    def _ask_to_add(self, event: Input.Submitted) -> None:
        event.stop()
        text = self._box.value.strip()
        if not text:
            return
        lines, first = self._lines, self._read()
        now, style = self._clock.now(), self._style
        above = self._under

        def build_fields() -> list[TaskFields]:
            read = [read_quick_add(line, now, style) for line in lines] or [first]
            return [_fields_below(above, each.task_fields()) for each in read]

        parent = None if above is None else above.id
        self.post_message(AddRequested(lines or (text,), build_fields, parent))
        self._pasted, self._has_added = (), True
        self._forget()
        self._box.put("")
        self._show_keys()

    def _show_keys(self, *, has_parts: bool = False) -> None:
        """Show the keys; the one for plain text only if there are parts to switch."""
        enter = "Enter add another" if self._has_added else "Enter add"
        plain = " · {box.words_only} plain text" if has_parts else ""
        self.key_line.put(Content(format_hint(self.app, f"{enter} · {{box.leave}} close{plain}")))

    def _forget(self) -> None:
        self._text, self._literals = "", ()

    def _read(self) -> QuickAdd:
        """Read the text after an edit; literal spans move with it."""
        text = self._box.value
        self._literals = remap_literals(self._literals, self._text, text)
        self._text = text
        return read_quick_add(text, self._clock.now(), self._style, literals=self._literals)

    def _show_reading(self) -> None:
        text = self._box.value
        understood = self._read()
        spans = [(start, end, f"quick-add--{kind}") for start, end, kind in understood.spans]
        spans += [(start, end, _LITERAL) for start, end in self._literals]
        lines = self._lines if text.strip() else ()
        under = []
        if self._under is not None and understood.parent is None:
            where = f" · #{display_line(self._under.project)}" if self._under.project else ""
            under = [Content.styled(f"Subtask of {short_title(self._under.title)}{where}", MUTED)]
        self._box.highlight_spans = () if lines else tuple(spans)
        self._show_keys(has_parts=bool(spans) and not lines)
        if not text.strip():
            self.below.put(Content("").join(under))
        elif self._refused is not None and text == self._refused[0]:
            self.say_error(self._refused[1])
        elif lines:
            hint = f"Enter adds {len(lines):,} tasks, one per line"
            hint += format_hint(self.app, " · {box.words_only} adds one task")
            self.below.put(Content.styled(hint, "$text-accent"))
        else:
            preview = render_preview(understood, self._clock, self._titles)
            self.below.put(Content.styled(" · ", MUTED).join([*under, preview]))
            named = {*understood.blocked_by, *filter(None, [understood.parent])}
            if named - self._titles.keys():
                self._look_up(named)

    @work(group="titles", exclusive=True)
    async def _look_up(self, ids: Collection[int]) -> None:
        """Read the titles of other tasks, and show the reading again."""
        try:
            found = await asyncio.to_thread(self._tasks.rows, [*ids])
        except StoreError:
            _log.warning("could not read the tasks that a line names", exc_info=True)
            return
        self._titles |= dict.fromkeys(ids) | {task.id: task.title for task in found}
        self._show_reading()
