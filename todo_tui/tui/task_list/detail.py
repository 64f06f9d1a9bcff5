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
from textual import work
from textual.containers import VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widgets import Static

from todo_tui.domain.change_text import describe_change, visible_changes
from todo_tui.domain.changes import HistoryEntry
from todo_tui.domain.dates.text import format_due, format_when
from todo_tui.domain.errors import StoreError
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.links import find_links
from todo_tui.domain.recurrence.next_occurrence import Recurrence, upcoming_dates
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import listed_count, plain_text
from todo_tui.domain.urgency import explain_urgency
from todo_tui.domain.when import When
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.text import clip, display_line, strip_unstable

if TYPE_CHECKING:
    from todo_tui.store.tasks.repository import TaskStore
    from todo_tui.store.tasks.results import Descendant

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
_DATES_AHEAD = 3
_PAUSE_SECONDS = 0.05
_log = logging.getLogger(__name__)


def _link_style(url: str) -> Style:
    return Style.from_meta({"@click": f"open_link({url!r})"})


def link_text(text: str, style: str = "") -> Content:
    """Return plain text with clickable URLs."""
    content = Content.styled(text, style) if style else Content(text)
    for start, end, url in find_links(text):
        content = content.stylize(_LINK, start, end).stylize(_link_style(url), start, end)
    return content


def render_markdown(text: str) -> Content:
    """Render headings, lists, quotes, code, emphasis and links; other markup stays as typed."""
    shown = strip_unstable(plain_text(text[:MAX_CHARACTERS]))
    parser = MarkdownIt("commonmark").enable("strikethrough").disable(["html_block", "html_inline"])
    lines = _Blocks().lines(parser.parse(shown))
    if len(text) > MAX_CHARACTERS:
        lines.append(Content.styled("… E shows all", MUTED))
    return Content("\n").join(lines)


class _Blocks:
    def __init__(self) -> None:
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
            if token.nesting:
                self._open_or_close(token)
            elif token.type == "inline":
                self._add(_inline(token.children or (), self._style))
            elif token.type == "hr":
                self._add(Content.styled(_RULE, FAINT))
            elif token.type in ("fence", "code_block"):
                self._add(Content.styled(token.content.rstrip("\n"), "$text-warning"))
        return self._lines

    def _open_or_close(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._style = "bold underline" if token.tag == "h1" else "bold"
            case "heading_close":
                self._style = ""
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_open":
                self._numbers.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._numbers.pop()
            case "list_item_open":
                number = self._numbers[-1]
                self._marker = "• " if number is None else f"{number}. "
                if number is not None:
                    self._numbers[-1] = number + 1
                self._prefixes.append(" " * len(self._marker))
            case "blockquote_open":
                self._prefixes.append("▌ ")
            case "list_item_close" | "blockquote_close":
                self._prefixes.pop()
                self._marker = ""

    def _add(self, content: Content) -> None:
        for line in content.split("\n", allow_blank=True):
            before = "".join(self._prefixes)
            if self._marker:
                before = before[: -len(self._marker)] + self._marker
                self._marker = ""
            self._lines.append(Content.styled(before, MUTED) + line if before else line)


def _inline(children: Iterable[Token], style: str) -> Content:
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
                piece = Content.styled(text, _LINK).stylize(_link_style(href))
                piece = piece if href else link_text(text)
                for each in styles:
                    piece = piece.stylize(each)
                pieces.append(piece)
    return Content("").join(pieces)


def _safe_href(href: str) -> str:
    found = find_links(href)
    return found[0].url if len(found) == 1 and found[0].start == 0 else ""


class RelatedTasks(NamedTuple):
    """Related tasks and past changes of one task."""

    parent: tuple[Task, ...] = ()
    blockers: tuple[Task, ...] = ()
    waiting: tuple[Task, ...] = ()
    subtasks: tuple[Descendant, ...] = ()
    changes: tuple[HistoryEntry, ...] = ()


def read_related_tasks(tasks: TaskStore, task: Task) -> RelatedTasks:
    """Read related tasks; blocks; StoreError where the file cannot be read."""
    return RelatedTasks(
        tuple(tasks.rows(() if task.parent is None else (task.parent,))),
        tasks.rows(task.blocked_by),
        tasks.waiting_for(task.id) if task.is_open else (),
        tasks.subtree(task.id),
        tasks.history(task.id),
    )


def format_related_tasks(related: RelatedTasks, now: datetime, zone: str) -> Iterator[Content]:
    """Yield lines for parent, blockers, waiting tasks, subtasks and changes."""
    for label, tasks in (
        ("subtask of", related.parent),
        ("blocked by", [each for each in related.blockers if each.is_open]),
        ("unblocked by", [each for each in related.blockers if not each.is_open]),
        ("blocks", related.waiting),
    ):
        titles = [
            Content.styled(_numbered_title(task), "" if task.is_open else "strike")
            for task in tasks
        ]
        if titles:
            yield Content.styled(f"{label} ", MUTED) + Content(", ").join(titles)
    shown = listed_count(len(related.subtasks), _SUBTASKS)
    for depth, task in ((each.depth, each.task) for each in related.subtasks[:shown]):
        box = f"{'  ' * min(depth, _DEEPEST)}{'☐' if task.is_open else '☑'} "
        yield Content.styled(box + _numbered_title(task), "" if task.is_open else MUTED)
    if more := len(related.subtasks) - shown:
        yield Content.styled(f"  and {more:,} more subtasks", MUTED)
    yield from _changes(related.changes, now, zone)


def _changes(changes: tuple[HistoryEntry, ...], now: datetime, zone: str) -> Iterator[Content]:
    """Yield the newest field changes, without those of the creation."""
    shown = [
        each
        for each in visible_changes(changes)
        if each.field not in (None, "position") and (each.old or each.batch != changes[0].batch)
    ]
    for change in shown[-_CHANGES:][::-1]:
        local = change.at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        text = display_line(describe_change(change, now, brief=True))
        when = format_when(When.of(local), now)
        yield Content.styled(f"{when} · {change.actor.label} · {text}", FAINT)


def _numbered_title(task: Task) -> str:
    return f"#{task.id} {clip(display_line(task.title), 60)}"


class TaskDetail(VerticalScroll, can_focus=False):
    """Panel that follows the cursor while open; related tasks are read once the cursor rests."""

    is_open: reactive[bool] = reactive(False, toggle_class="-open", repaint=False)

    def __init__(self, tasks: TaskStore) -> None:
        self._text = Static(markup=False, id="detail-text")
        super().__init__(self._text)
        self._tasks = tasks
        self._task_id: int | None = None

    def show(self, task: Task | None, now: datetime, zone: str) -> None:
        """Open the panel with a task; None shows it empty."""
        self.is_open = True
        task_id = None if task is None else task.id
        if task_id != self._task_id:
            self._task_id = task_id
            self.scroll_home(animate=False)
        if task is None:
            self._text.update(Content(""))
            return
        self._text.update(format_task_details(task, RelatedTasks(), now, zone))
        self._read_more(task, now, zone)

    def action_open_link(self, url: str) -> None:
        """Open a clicked URL."""
        self.app.open_url(url)

    @work(group="detail", exclusive=True)
    async def _read_more(self, task: Task, now: datetime, zone: str) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        try:
            related = await asyncio.to_thread(read_related_tasks, self._tasks, task)
        except StoreError:
            _log.warning("could not read related tasks", exc_info=True)
            return
        if self.is_open and task.id == self._task_id:
            self._text.update(format_task_details(task, related, now, zone))


def format_task_details(task: Task, related: RelatedTasks, now: datetime, zone: str) -> Content:
    """Render the full title, facts, notes, annotations and related tasks."""
    paragraphs = [link_text(display_line(task.title), "bold")]
    facts = " · ".join((*_facts(task, now, zone), *_labels(task, related)))
    urgency = describe_urgency(task, related.blockers, now, zone)
    for line in (facts, *_upcoming(task, now, zone), urgency):
        if line:
            paragraphs.append(Content.styled(line, MUTED))
    if task.notes:
        paragraphs.append(render_markdown(task.notes))
    for annotation in task.annotations:
        day = format_when(When(annotation.at.astimezone(ZoneInfo(zone)).date()), now)
        words = link_text(display_line(annotation.text))
        paragraphs.append(Content.styled(f"{day}: ", MUTED) + words)
    paragraphs += format_related_tasks(related, now, zone)
    return Content("\n").join(paragraphs)


def describe_urgency(task: Task, blockers: Iterable[Task], now: datetime, zone: str) -> str:
    """Return `urgency 10.5: high priority +6.0, due in 2 days +4.5`; empty if it is not urgent."""
    is_blocked = any(each.is_open for each in blockers)
    parts = explain_urgency(task, now, zone, blocked=is_blocked) if task.is_open else ()
    words = ", ".join(f"{part.reason} {part.points:+.1f}" for part in parts)
    total = sum(part.points for part in parts)
    return f"urgency {total:.1f}: {words}".replace("-", "−") if parts else ""


def _upcoming(task: Task, now: datetime, zone: str) -> Iterator[str]:
    if dates := upcoming_dates(task, now, zone, _DATES_AHEAD):
        yield f"then {', '.join(format_when(each, now) for each in dates)}"


def _facts(task: Task, now: datetime, zone: str) -> Iterator[str]:
    yield f"#{task.id}"
    if task.deleted_at is not None:
        yield "in the trash"
    if task.completed_at is not None:
        done_on = task.completed_at.astimezone(ZoneInfo(zone)).date()
        yield f"{task.status.value} {format_when(When(done_on), now)}"
    elif task.status is not Status.TODO:
        yield task.status.value
    if task.due is not None:
        here = task.due_in(zone) or task.due
        place = display_line(task.due_place(zone))
        there = f" ({format_when(task.due, now)} in {place})" if place else ""
        yield f"due {format_when(here, now)}{there}"
        if task.is_open and here.local() < now:
            yield format_due(here, now)
    if task.recurrence is not None:
        yield describe_recurrence(Recurrence.of(task))
    if (start := task.start_in(zone)) is not None:
        yield f"starts {format_when(start, now)}"


def _labels(task: Task, related: RelatedTasks) -> Iterator[str]:
    if task.priority is not None:
        yield f"{task.priority.value} priority"
    if task.estimate is not None:
        yield format_estimate(task.estimate)
    if task.project:
        yield f"#{display_line(task.project)}"
    if task.tags:
        yield " ".join(f"@{display_line(tag)}" for tag in task.tags)
    if task.blocked_by and not related.blockers:
        yield "blocked by " + ", ".join(f"#{blocker}" for blocker in task.blocked_by)
