"""Expandable rows of a turn: thinking and tool calls, with arguments and responses as text."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from todo_tui.domain.events import COMPARED, AgentStep, StepStatus, TraceStep
from todo_tui.domain.knowledge.evidence import Evidence
from todo_tui.domain.metrics_text import SLOW_MS, format_milliseconds
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count, plain_line, plain_text, shorten, tool_words
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import EXPANDABLE_ROW
from todo_tui.tui.chat.answer import excerpt
from todo_tui.tui.chat.conversation_part import ConversationPart
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.text import spin, spinner_frame

INDENT = 6
LIVE_LINES = 8
"""Visible lines of the details while they grow."""
_LIVE_CHARACTERS = 4000
"""Limit of the live text; more than the visible lines hold in any terminal."""
_MAX_THINKING_LINES = 400
SPINNER_SECONDS = 0.1
_MARKS = {
    StepStatus.SUCCESS: ("✓", "$text-success"),
    StepStatus.ERROR: ("✗", "$text-error"),
    StepStatus.INTERRUPTED: ("■", "$text-warning"),
}
_POLICY_MARKS: dict[str, tuple[str, str]] = {
    AgentStep.FAILOVER: ("⇄", "$text-warning"),
    AgentStep.SUMMARY: ("≡", "$text-accent"),
    AgentStep.OMISSION: ("≡", "$text-accent"),
}
"""Marks of policy steps, for which no tool was called and which have no arguments."""
_MAX_DETAIL_LINES = 40
_MAX_CHARACTERS = 4_000
_MARK_WIDTH = 3
_MAX_SENTENCE_LINES = 12
"""Lines of a sentence until the row is opened; three changes of long titles take fewer."""
_MAX_IDS = 4
"""Ids at the end of a row: of as many tasks as its summary names one by one."""
_MAX_ROWS = 4
"""Calls of one kind in a row that have a row each; more of them share one."""
_DEEDS = {
    "add_task": "Added {} tasks",
    "update_task": "Changed {} tasks",
    "complete_task": "Completed {} tasks",
    "reopen_task": "Reopened {} tasks",
    "delete_task": "Deleted {} tasks",
}
"""What calls of a tool did, with the number of their tasks."""
_READS = {"list_tasks": "Searched tasks", "retrieve_knowledge": "Searched documents"}
"""What calls of a tool did that change nothing."""
_PASSAGE_CHARACTERS = 200
"""Beginning of a passage that is listed."""


class ExpandableRow(ActionHost, ConversationPart, Widget, can_focus=True):
    """Row that Enter, a click or Ctrl+O expands."""

    noun = "details"
    ACTIONS = EXPANDABLE_ROW

    opened: reactive[bool] = reactive(False, layout=True, toggle_class="-opened")

    def __init__(self, *, is_running: bool) -> None:
        super().__init__(classes="-running" if is_running else "")
        self._started = time.monotonic()
        self._measured = 0

    @property
    def can_open(self) -> bool:
        """True if the row has details."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Start the spinner of what is still running."""
        spin(self, self.has_class("-running"))

    def stop_running(self) -> None:
        """Stop the spinner, and allow the row to grow."""
        self.remove_class("-running")
        spin(self, False)

    @property
    def elapsed(self) -> float:
        """Seconds since the spinner began to turn; 0 with animations off."""
        return time.monotonic() - self._started if self.auto_refresh else 0.0

    def action_open_or_close(self) -> None:
        """Toggle the details."""
        if self.can_open:
            self.opened = not self.opened

    def on_click(self, event: events.Click) -> None:
        """Toggle the details, unless the click ended a text selection."""
        if not self.screen.get_selected_text():
            event.stop()
            self.action_open_or_close()

    @property
    def width(self) -> int:
        """Width of a line, in cells."""
        return self._measured or self.content_size.width or self.size.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines, which are wrapped here."""
        self._measured = width
        height = self.render().plain.count("\n") + 1
        self._measured = 0
        return height

    def render(self) -> Content:
        """Draw the line and, expanded, the details."""
        raise NotImplementedError

    @property
    def triangle(self) -> str:
        """Mark of a row with details."""
        return "▾" if self.opened else "▸"

    def line(self, mark: tuple[str, str], sentence: str, right: str) -> Content:
        """Return a mark with its style, the wrapped sentence, and the text at the right edge."""
        room = max(self.width - _MARK_WIDTH - len(right) - 2, 8)
        first, *others = Content(sentence).wrap(room)
        if len(others) >= _MAX_SENTENCE_LINES and not self.opened:
            others[_MAX_SENTENCE_LINES - 2 :] = [Content("…")]
        gap = " " * max(self.width - _MARK_WIDTH - first.cell_length - len(right) - 1, 1)
        line = Content.assemble((f" {mark[0]} ", mark[1]), first, gap, (right, FAINT))
        return Content("\n").join([line, *(Content(" " * _MARK_WIDTH) + each for each in others)])

    def folded(self, content: Content) -> list[Content]:
        """Return the text's lines wrapped into the indented width."""
        room = max(self.width - INDENT - 1, 8)
        return [Content(" " * INDENT) + line for line in content.wrap(room)]


def format_passages(passages: Sequence[Evidence]) -> list[Content]:
    """List the documents of retrieved passages, each with the places of its passages."""
    by_source: dict[tuple[int | None, int | None], list[Evidence]] = {}
    for each in passages:
        by_source.setdefault((each.document_id, each.task_id), []).append(each)
    lines: list[Content] = []
    for found in by_source.values():
        lines.append(Content.styled(_short(found[0].source), "bold"))
        for each in found:
            place = _short(each.place_in_source)
            text = shorten(_short(each.text), _PASSAGE_CHARACTERS)
            cited = f"  [{each.number}] "
            lines.append(Content.assemble(cited, place, "  " if place else "", (text, FAINT)))
    return lines


def format_tool_response(result: str) -> list[str]:
    """Format a tool response: the data, or the error message; other text unchanged."""
    try:
        response: JsonValue = json.loads(result)
    except ValueError:
        return plain_text(result).splitlines()
    lines: list[str] = []
    if not isinstance(response, dict) or "status" not in response:
        lines = _lines(response, "")
    else:
        if isinstance(error := response.get("error"), dict):
            lines.append(f"{_scalar(error.get('type'))}: {_scalar(error.get('message'))}")
        if (data := response.get("data")) is not None:
            lines += _lines(data, "")
    return [plain_line(line) for line in lines]


def _lines(value: JsonValue, indent: str) -> list[str]:
    match value:
        case dict() if "id" in value and "title" in value:
            hidden = ("id", "title", *(key for key, each in value.items() if each == "todo"))
            head = f"{indent}#{_scalar(value['id'])} {_scalar(value['title'])}"
            return [head, *_format_pairs(value, indent + "  ", hidden)]
        case dict() if "id" in value and isinstance(error := value.get("error"), dict):
            return [f"{indent}#{_scalar(value['id'])}  {_scalar(error.get('message'))}"]
        case dict() if "id" in value and "task" in value:
            return _format_pairs(value, indent, ("id", "status"))
        case dict():
            return _format_pairs(value, indent)
        case list():
            return [line for each in value for line in _lines(each, indent)]
        case str():
            return [f"{indent}{line}" for line in plain_text(value).splitlines()]
        case _:
            return [f"{indent}{_scalar(value)}"]


def _format_pairs(
    pairs: dict[str, JsonValue], indent: str, hidden: Iterable[str] = ()
) -> list[str]:
    """Return aligned `key  value` lines; nested values go below their key."""
    shown = (
        {**pairs, "due": pairs.get("due_words") or pairs.get("due")} if "due" in pairs else pairs
    )
    hidden = (*hidden, "due_words")
    kept = {k: v for k, v in shown.items() if k not in hidden and v not in (None, [], {})}
    flat = {key: text for key, each in kept.items() if (text := _inline_value(each)) is not None}
    margin = max(map(len, flat), default=0)
    lines: list[str] = []
    for key, each in kept.items():
        if (text := flat.get(key)) is not None:
            lines.append(f"{indent}{key:<{margin}}  {text}")
        elif (isinstance(each, dict) and "title" in each) or key in ("tasks", "results"):
            lines += _lines(each, indent)
        else:
            lines += [f"{indent}{key}", *_lines(each, indent + "  ")]
    return lines


def _inline_value(value: JsonValue) -> str | None:
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(_scalar(each) for each in value)
    return None if isinstance(value, dict | list) else _scalar(value)


def _scalar(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class ThinkingRow(ExpandableRow):
    """Thinking text; drawn only while it is visible.

    While it streams the height is fixed, expanded or not, so that no delta lays out the transcript
    again.
    """

    seconds: reactive[float | None] = reactive(None, layout=True)
    """Duration of the thinking; None while it streams."""

    def __init__(self) -> None:
        super().__init__(is_running=True)
        self._written: list[str] = []
        self._pause: Timer | None = None

    @property
    def text(self) -> str:
        """Full thinking text."""
        return "".join(self._written)

    @property
    def can_open(self) -> bool:
        """True if there is text to read."""
        return any(map(str.strip, self._written))

    @property
    def copied_text(self) -> str:
        """Full thinking text."""
        return self.text

    def write(self, text: str) -> None:
        """Append a fragment; redraws are throttled."""
        was_empty = not self.can_open
        self._written.append(text)
        if was_empty and self.can_open:
            self.refresh()
        elif self.opened and self._pause is None:
            self._pause = self.set_timer(SPINNER_SECONDS, self._draw)

    async def settle(self) -> None:
        """Mark the thinking as complete and collapse the row."""
        if self.seconds is None:
            self.seconds = time.monotonic() - self._started
            self.opened = False
            self.stop_running()

    def render(self) -> Content:
        """Draw the line and, expanded, the last lines or the complete text."""
        seconds = self.elapsed if self.seconds is None else self.seconds
        passed = format_milliseconds(seconds * 1000) if seconds >= 1 else ""
        right = self.triangle if self.can_open else ""
        if self.seconds is None:
            mark, sentence = (spinner_frame(self), "$accent"), "Thinking…"
            right = f"{passed} {right}".strip()
        else:
            mark, sentence = ("∴", FAINT), f"Thought for {passed}" if passed else "Thought"
        line = self.line(mark, sentence, right)
        if not self.opened:
            return line
        if self.seconds is None:
            tail = plain_text(self.text[-_LIVE_CHARACTERS:]).strip()
            lines = self.folded(Content.styled(tail, MUTED))[-LIVE_LINES:]
            return Content("\n").join([line, *lines])
        part = excerpt(self.text.strip(), lines=_MAX_THINKING_LINES)
        lines = [line, *self.folded(Content.styled(part.text, MUTED))]
        if part.note:
            lines.append(Content.styled(" " * INDENT + part.note, FAINT))
        return Content("\n").join(lines)

    def _draw(self) -> None:
        self._pause = None
        self.refresh()


class TraceRow(ExpandableRow):
    """Row of a tool call: spinner while it runs, then ✓ ✗ ■, a sentence and the duration.

    A tick redraws one row of fixed height and never lays out the transcript.
    """

    step: reactive[TraceStep | None] = reactive(None, layout=True)
    """Finished trace step; None while the call runs."""

    def __init__(self, *, label: str = "", step: TraceStep | None = None) -> None:
        super().__init__(is_running=step is None)
        self._label = _short(label)
        self.set_reactive(TraceRow.step, step)

    @property
    def can_open(self) -> bool:
        """True if the call has finished."""
        return self.step is not None

    @property
    def succeeded(self) -> bool:
        """True if the call has ended well."""
        return self.step is not None and self.step.status is StepStatus.SUCCESS

    @property
    def copied_text(self) -> str:
        """Summary, call and response."""
        if self.step is None:
            return self._label
        response = format_tool_response(self.step.result)
        called = f"{self.step.name} {self.step.arguments}"
        return "\n".join([self.step.summary, called, *response])

    def watch_step(self) -> None:
        """Stop the spinner: the step has finished."""
        self.stop_running()

    def render(self) -> Content:
        """Draw the line and, expanded, arguments and result."""
        step = self.step
        if step is None:
            passed = f"{self.elapsed:.0f} s" if self.elapsed >= 1 else ""
            return self.line((spinner_frame(self), "$accent"), self._label, passed)
        own = _POLICY_MARKS.get(step.name)
        mark = own if own and step.status is StepStatus.SUCCESS else _MARKS[step.status]
        if step.status is StepStatus.ERROR and COMPARED in result_data(step.result):
            mark = "○", "$text-accent"
        is_slow = not own and step.milliseconds >= SLOW_MS
        took = f"{format_milliseconds(step.milliseconds)} " if is_slow else ""
        ids = changed_tasks(step)
        number = "".join(f"#{each} " for each in ids) if len(ids) <= _MAX_IDS else ""
        line = self.line(mark, _short(step.summary), took + number + self.triangle)
        return Content("\n").join([line, *self._details(step)]) if self.opened else line

    def _details(self, step: TraceStep) -> list[Content]:
        if passages := step.evidence:
            room = max(self.width - INDENT - 1, 8)
            return [
                Content(" " * INDENT) + line.truncate(room, ellipsis=True)
                for line in format_passages(passages)
            ]
        lines: list[Content] = []
        if step.name not in _POLICY_MARKS:
            arguments = excerpt(step.arguments, characters=_MAX_CHARACTERS)
            called = f"{_short(step.name)}  {plain_line(arguments.text)}{arguments.note}"
            lines = self.folded(Content.styled(called, MUTED))
        for text in format_tool_response(step.result):
            lines.extend(self.folded(Content.styled(text[:_MAX_CHARACTERS], MUTED)))
            if len(lines) >= _MAX_DETAIL_LINES:
                return [*lines[: _MAX_DETAIL_LINES - 1], Content.styled(" " * INDENT + "…", FAINT)]
        return lines


class TraceGroup(ExpandableRow):
    """Row of many successful calls of one kind, whose own rows it shows once it is opened."""

    members: reactive[tuple[TraceRow, ...]] = reactive((), layout=True)

    def __init__(self, members: Sequence[TraceRow]) -> None:
        super().__init__(is_running=False)
        self.members = tuple(members)

    @property
    def can_open(self) -> bool:
        """True: it has rows."""
        return True

    @property
    def copied_text(self) -> str:
        """Summaries of the calls, a line each."""
        return "\n".join(row.step.summary for row in self.members if row.step is not None)

    def watch_members(self) -> None:
        """Hide the rows that joined, or show them below this one."""
        for row in self.members:
            row.add_class("-member")
            row.display = self.opened

    watch_opened = watch_members

    def render(self) -> Content:
        """Draw what was done to how many tasks."""
        steps = [row.step for row in self.members if row.step is not None]
        name = steps[0].name
        deed = _DEEDS.get(name)
        if deed is not None:
            text = deed.format(f"{sum(max(len(changed_tasks(each)), 1) for each in steps):,}")
        else:
            text = f"{_READS.get(name) or tool_words(name)} · {format_count(len(steps), 'call')}"
        return self.line(_MARKS[StepStatus.SUCCESS], text, self.triangle)


def long_runs(widgets: Iterable[Widget]) -> Iterator[list[TraceRow]]:
    """Yield the rows of successful calls that are to share one row, for each run of a tool.

    Calls that failed keep a row of their own among them.
    """

    def tool(widget: Widget) -> str:
        step = widget.step if isinstance(widget, TraceRow) else None
        return step.name if step is not None else ""

    rows = (each for each in widgets if not isinstance(each, TraceGroup))
    for name, run in groupby(rows, key=tool):
        done = [row for row in run if isinstance(row, TraceRow) and row.succeeded]
        if name and len(done) > _MAX_ROWS:
            yield done


def changed_tasks(step: TraceStep) -> tuple[int, ...]:
    """Return the ids of the tasks that a call of a tool for changes has written."""
    data = result_data(step.result) if step.name in _DEEDS else {}
    results = data.get("results")
    found = [*(results if isinstance(results, list) else ()), data.get("task")]
    tasks = [each for each in found if isinstance(each, dict) and each.get("status") != "error"]
    return tuple(number for each in tasks if isinstance(number := each.get("id"), int))


@lru_cache(maxsize=256)  # rows are drawn often
def result_data(result: str) -> dict[str, JsonValue]:
    """Return the data of the result of a tool, which is ours; empty where it is not an object."""
    try:
        data = json.loads(result)["data"]
    except (ValueError, KeyError, TypeError):
        return {}
    return data if isinstance(data, dict) else {}


def _short(text: str) -> str:
    return plain_line(text[:_MAX_CHARACTERS])
