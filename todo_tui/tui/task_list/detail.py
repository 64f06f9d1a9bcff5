"""Detail panel below the list: facts, notes as Markdown, related tasks, recent changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.errors import NotFound, StoreError, ValidationError
from todo_tui.domain.links import find_links
from todo_tui.domain.recurrence.next_occurrence import Recurrence, occurrences_after
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.domain.when import When, effective_zone
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.views.urgency import explain_task_urgency
from todo_tui.tui.widgets.text import clip, strip_unstable

if TYPE_CHECKING:
    from todo_tui.store.tasks.repository import TaskStore
    from todo_tui.store.tasks.select import Descendant, HistoryEntry

MAX_CHARACTERS = 20_000
"""Limit of drawn characters of the notes; the editor shows all of them."""
_LINK = "underline $text-accent"
_STYLES = {
    "strong_open": "bold",
    "em_open": "italic",
    "s_open": "strike",
}
_BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
_RULE = "─" * 20
_SUBTASKS = 12
_CHANGES = 4
_DEEPEST = 6
_VALUE = 24
_SILENT = frozenset(("position", "series", "slot", "due_zone", "start_zone"))
_LONG = frozenset(("notes", "annotations", "extra"))
"""Fields whose changes are listed without values."""
_NAMES = {"annotations": "remarks", "blocked_by": "waits for", "repeat_from": "repeats from"}
_MARKS = {True: "☐", False: "☑"}
_DATES_AHEAD = 3
_PAUSE_SECONDS = 0.05
_log = logging.getLogger(__name__)


class LinkTargets:
    """URLs drawn so far, by the number that a click passes."""

    def __init__(self) -> None:
        self._urls: list[str] = []

    def style(self, url: str) -> Style:
        """Return a style that opens the URL on click."""
        if url not in self._urls:
            self._urls.append(url)
        return Style.from_meta({"@click": f"open_link({self._urls.index(url)})"})

    def url(self, number: int) -> str:
        """Return the URL of a number.

        Raises:
            IndexError: no such number.
        """
        return self._urls[number]


def link_text(text: str, links: LinkTargets, style: str = "") -> Content:
    """Return plain text with clickable URLs."""
    content = Content.styled(text, style) if style else Content(text)
    for start, end, url in find_links(text):
        content = content.stylize(_LINK, start, end).stylize(links.style(url), start, end)
    return content


def render_markdown(text: str, links: LinkTargets) -> Content:
    """Render headings, lists, quotes, code, emphasis and links; other markup stays as typed."""
    shown = strip_unstable(plain_text(text[:MAX_CHARACTERS]))
    parser = MarkdownIt("commonmark").enable("strikethrough").disable(["html_block", "html_inline"])
    lines = _Blocks(links).lines(parser.parse(shown))
    if len(text) > MAX_CHARACTERS:
        lines.append(Content.styled("… E shows the rest", MUTED))
    return Content("\n").join(lines)


class _Blocks:
    """Renders Markdown block tokens as lines."""

    def __init__(self, links: LinkTargets) -> None:
        self._links = links
        self._lines: list[Content] = []
        self._prefixes: list[str] = []
        self._marker = ""
        self._numbers: list[int | None] = []
        self._style = ""

    def lines(self, tokens: Sequence[Token]) -> list[Content]:
        """Return the lines of all blocks, with an empty line between top-level blocks."""
        for token in tokens:
            if token.level == 0 and token.nesting >= 0 and self._lines:
                self._lines.append(Content(""))
            self._draw(token)
        return self._lines

    def _draw(self, token: Token) -> None:
        if token.nesting > 0:
            self._open(token)
        elif token.nesting < 0:
            self._close(token)
        else:
            self._fill(token)

    def _open(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._style = "bold underline" if token.tag == "h1" else "bold"
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_open":
                self._numbers.append(int(token.attrs.get("start", 1)))
            case "list_item_open":
                self._open_item()
            case "blockquote_open":
                self._prefixes.append("▌ ")

    def _close(self, token: Token) -> None:
        match token.type:
            case "heading_close":
                self._style = ""
            case "bullet_list_close" | "ordered_list_close":
                self._numbers.pop()
            case "list_item_close" | "blockquote_close":
                self._prefixes.pop()
                self._marker = ""

    def _fill(self, token: Token) -> None:
        match token.type:
            case "inline":
                self._add(_inline(token.children or (), self._links, self._style))
            case "fence" | "code_block":
                self._add(Content.styled(token.content.rstrip("\n"), "$text-warning"))
            case "hr":
                self._add(Content.styled(_RULE, FAINT))

    def _open_item(self) -> None:
        number = self._numbers[-1]
        self._marker = "• " if number is None else f"{number}. "
        if number is not None:
            self._numbers[-1] = number + 1
        self._prefixes.append(" " * len(self._marker))

    def _add(self, content: Content) -> None:
        for line in content.split("\n", allow_blank=True):
            before = "".join(self._prefixes)
            if self._marker:
                before = before[: -len(self._marker)] + self._marker
                self._marker = ""
            self._lines.append(Content.styled(before, MUTED) + line if before else line)


def _inline(children: Iterable[Token], links: LinkTargets, style: str) -> Content:
    pieces: list[Content] = []
    styles: list[str] = [style] if style else []
    href = ""
    for child in children:
        match child.type:
            case "softbreak" | "hardbreak":
                pieces.append(Content("\n"))
            case "link_open":
                href = _safe_href(str(child.attrs.get("href", "")))
            case "link_close":
                href = ""
            case "code_inline":
                pieces.append(Content.styled(child.content, "$text-warning"))
            case "strong_open" | "em_open" | "s_open":
                styles.append(_STYLES[child.type])
            case "strong_close" | "em_close" | "s_close":
                styles.pop()
            case _:
                text = child.content
                if not pieces:
                    text = _BOXES.get(text[:4], text[:4]) + text[4:]
                piece = (
                    Content.styled(text, _LINK).stylize(links.style(href))
                    if href
                    else link_text(text, links)
                )
                for each in styles:
                    piece = piece.stylize(each)
                pieces.append(piece)
    return Content("").join(pieces)


def _safe_href(href: str) -> str:
    """Return the URL of a link if it is one that can be opened, else an empty string."""
    found = find_links(href)
    return found[0].url if len(found) == 1 and found[0].start == 0 else ""


class RelatedTasks(NamedTuple):
    """Related tasks and past changes of one task."""

    parent: Task | None = None
    blockers: tuple[Task, ...] = ()
    waiting: tuple[Task, ...] = ()
    subtasks: tuple[Descendant, ...] = ()
    changes: tuple[HistoryEntry, ...] = ()


def read_related_tasks(tasks: TaskStore, task: Task) -> RelatedTasks:
    """Read them from the store; takes milliseconds, thread-safe.

    Raises:
        StoreError: the file cannot be read.
    """
    try:
        parent = None if task.parent is None else tasks.get(task.parent)
    except NotFound:
        parent = None
    return RelatedTasks(
        parent,
        tasks.rows(task.blocked_by) if task.blocked_by else (),
        tasks.waiting_for(task.id),
        tasks.subtree(task.id),
        tasks.history(task.id),
    )


def format_related_tasks(related: RelatedTasks, now: datetime, zone: str) -> Iterator[Content]:
    """Yield lines for parent, blockers, waiting tasks, subtasks and changes."""
    if related.parent is not None:
        yield _named("part of", [related.parent])
    if related.blockers:
        yield _named("waits for", related.blockers)
    if related.waiting:
        yield _named("waited for by", related.waiting)
    yield from _subtasks(related.subtasks)
    yield from _changes(related.changes, now, zone)


def _named(label: str, tasks: tuple[Task, ...] | list[Task]) -> Content:
    pieces = [Content.styled(f"{label} ", MUTED)]
    for number, task in enumerate(tasks):
        title = f"#{task.id} {_short(task)}"
        pieces += [Content(", ")] if number else []
        pieces.append(Content.styled(title, "" if task.is_open else "strike"))
    return Content("").join(pieces)


def _subtasks(subtasks: tuple[Descendant, ...]) -> Iterator[Content]:
    for depth, task in ((each.depth, each.task) for each in subtasks[:_SUBTASKS]):
        indent = "  " * min(depth, _DEEPEST)
        style = "" if task.is_open else MUTED
        yield Content.styled(f"{indent}{_MARKS[task.is_open]} #{task.id} {_short(task)}", style)
    if len(subtasks) > _SUBTASKS:
        yield Content.styled(f"  and {len(subtasks) - _SUBTASKS:,} more subtasks", MUTED)


def _changes(changes: tuple[HistoryEntry, ...], now: datetime, zone: str) -> Iterator[Content]:
    """Yield the newest field changes, long values clipped."""
    shown = [
        each
        for each in changes
        if each.field and each.field not in _SILENT and not _is_from_the_start(each, changes[0])
    ]
    for change in shown[-_CHANGES:][::-1]:
        local = change.at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        field = _NAMES.get(change.field or "", change.field)
        is_long = change.field in _LONG
        values = "" if is_long else f": {_value(change.old)} → {_value(change.new)}"
        undone = " (undo)" if change.undoes else ""
        words = f"{format_when(When.of(local), now)} · {change.actor.value} · {field}{values}"
        yield Content.styled(words + undone, FAINT)


def _is_from_the_start(change: HistoryEntry, first: HistoryEntry) -> bool:
    """Return True if the value was set when the task was created."""
    return not change.old and change.at == first.at


def _value(text: str | None) -> str:
    return "–" if not text else clip(strip_unstable(plain_line(text)), _VALUE)


def _short(task: Task) -> str:
    return clip(strip_unstable(plain_line(task.title)), 60)


class TaskDetail(VerticalScroll, can_focus=False):
    """Panel that follows the cursor while open; its URLs open on click.

    Related tasks are read in a thread once the cursor rests.
    """

    def __init__(self, tasks: TaskStore) -> None:
        super().__init__()
        self._tasks = tasks
        self._text = Static(markup=False, id="detail-text")
        self._links = LinkTargets()
        self._task_id: int | None = None

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield self._text

    @property
    def is_open(self) -> bool:
        """Return True while the panel is shown."""
        return self.has_class("-open")

    def show(self, task: Task | None, now: datetime, zone: str) -> None:
        """Open the panel with a task; None shows it empty."""
        self.add_class("-open")
        task_id = None if task is None else task.id
        if task_id != self._task_id:
            self._task_id = task_id
            self.scroll_home(animate=False)
        self._draw(task, RelatedTasks(), now, zone)
        if task is not None:
            self.run_worker(
                LazyCoroutine(self._read_more, task, now, zone), group="detail", exclusive=True
            )

    def close(self) -> None:
        """Hide the panel."""
        self.remove_class("-open")

    def action_open_link(self, number: int) -> None:
        """Open a clicked URL."""
        self.app.open_url(self._links.url(number))

    async def _read_more(self, task: Task, now: datetime, zone: str) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        try:
            related = await asyncio.to_thread(read_related_tasks, self._tasks, task)
        except StoreError:
            _log.warning("what hangs on a task cannot be read", exc_info=True)
            return
        if self.is_open:
            self._draw(task, related, now, zone)

    def _draw(self, task: Task | None, related: RelatedTasks, now: datetime, zone: str) -> None:
        self._links = LinkTargets()
        if task is None:
            self._text.update(Content(""))
            return
        self._text.update(format_task_details(task, related, now, zone, self._links))


def format_task_details(
    task: Task, related: RelatedTasks, now: datetime, zone: str, links: LinkTargets
) -> Content:
    """Render the full title, facts, notes, annotations and related tasks."""
    paragraphs = [
        link_text(_plain(task.title), links, "bold"),
        Content.styled(" · ".join(_facts(task, related, now, zone)), MUTED),
    ]
    upcoming = format_upcoming(task, now, zone)
    if upcoming:
        paragraphs.append(Content.styled(upcoming, MUTED))
    urgency = explain_task_urgency(task, related.blockers, now).sentence
    if urgency:
        paragraphs.append(Content.styled(urgency, MUTED))
    if task.notes:
        paragraphs.append(render_markdown(task.notes, links))
    for annotation in task.annotations:
        day = format_when(When(annotation.at.astimezone(ZoneInfo(zone)).date()), now)
        paragraphs.append(
            Content.styled(f"{day}: ", MUTED) + link_text(_plain(annotation.text), links)
        )
    paragraphs += format_related_tasks(related, now, zone)
    return Content("\n").join(paragraphs)


def format_upcoming(task: Task, now: datetime, zone: str) -> str:
    """Return the next dates of a recurring task; empty without any."""
    if task.recurrence is None or task.due is None or not task.is_open:
        return ""
    recurrence = Recurrence(task.recurrence, task.repeat_from)
    try:
        there = effective_zone(task.due_zone, zone)
        dates = occurrences_after(recurrence, task.due, now, _DATES_AHEAD, there)
    except ValidationError:
        return ""
    return f"then {', '.join(format_when(each, now) for each in dates)}" if dates else ""


def _facts(task: Task, related: RelatedTasks, now: datetime, zone: str) -> Iterator[str]:
    yield f"#{task.id}"
    yield from _state(task, now, zone)
    yield from _days(task, now)
    if task.priority is not None:
        yield f"{task.priority.value} priority"
    if task.project:
        yield f"in {_plain(task.project)}"
    if task.tags:
        yield " ".join(f"@{_plain(tag)}" for tag in task.tags)
    if task.blocked_by and not related.blockers:
        yield "waits for " + ", ".join(f"#{blocker}" for blocker in task.blocked_by)


def _state(task: Task, now: datetime, zone: str) -> Iterator[str]:
    if task.deleted_at is not None:
        yield "in the trash"
    if task.completed_at is not None:
        done_on = task.completed_at.astimezone(ZoneInfo(zone)).date()
        yield f"{task.status.value} {format_when(When(done_on), now)}"
    elif task.status is not Status.TODO:
        yield task.status.value


def _days(task: Task, now: datetime) -> Iterator[str]:
    if task.due is not None:
        yield f"due {format_when(task.due, now)}"
        if task.is_overdue(now):
            yield format_due(task.due, now)
    if task.recurrence is not None:
        yield describe_recurrence(Recurrence(task.recurrence, task.repeat_from))
    if task.start is not None:
        yield f"starts {format_when(task.start, now)}"


def _plain(text: str) -> str:
    return strip_unstable(plain_line(text))
