"""Notice line of the task pane: outcome messages, questions with answer keys, key hints."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.timer import Timer

from todo_tui.domain.change_text import describe_undone
from todo_tui.domain.changes import (
    CLOSING_KINDS,
    ChangeKind,
    TaskChange,
    UndoReport,
    name_fields,
)
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.domain.text import format_count
from todo_tui.domain.when import Clock
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import StableStatic, clip, display_line, wrap_pieces

TITLE_CELLS = 32
"""Maximum width of a title in a message."""
_SHORTEST_TITLE_CELLS = 12
_NAMED_AT_MOST = 2
FittedText = Callable[[int], str]
"""Function from the maximum title width to the message."""
_GAP = "  "
_DOT = " · "
NOTICE_SECONDS = 8.0
"""Time that a message or an error replaces the key hints."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Answer key of a question: key, label and action."""

    key: str
    word: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class NoticeQuestion:
    """Question with answer keys; the cursor moves to the task that it is `about`."""

    words: str
    answers: tuple[AnswerKey, ...]
    about: int | None = None

    def lay_out(self, width: int) -> Content:
        """Return `Trip has 3 open subtasks: y complete them too · Esc cancel`.

        Where that is too long, the keys have lines of their own.
        """
        colon = "" if self.words.endswith(("?", ".")) else ":"
        ways = [f"{answer.key} {answer.word}" for answer in self.answers]
        keys = wrap_pieces([*map(Content, ways), Content("Esc cancel")], Content(_DOT), width)
        question = Content(f"{self.words}{colon}")
        line = Content(" ").join([question, keys])
        return line if line.cell_length <= width else Content("\n").join([question, keys])


def fit_on_one_line(sentence: FittedText, room: int) -> str:
    """Return the message with the longest titles that fit on one line, else unshortened."""
    longest = sentence(TITLE_CELLS)
    shorter = map(sentence, range(TITLE_CELLS - 1, _SHORTEST_TITLE_CELLS - 1, -1))
    return next((words for words in (longest, *shorter) if cell_len(words) <= room), longest)


def short_title(title: str, cells: int = TITLE_CELLS) -> str:
    """Return a title clipped for use in a message."""
    return clip(display_line(title), cells)


def join_titles(titles: Sequence[str], cells: int = TITLE_CELLS) -> str:
    """`Buy milk`, `Buy milk and Call mom`, `Buy milk, Call mom and 3 more`."""
    shown = [short_title(title, cells) for title in titles[:_NAMED_AT_MOST]]
    if len(titles) > _NAMED_AT_MOST:
        return f"{', '.join(shown)} and {len(titles) - _NAMED_AT_MOST:,} more"
    return " and ".join(shown)


def undo_message(
    report: UndoReport, now: datetime, *, redo: bool = False, cells: int = TITLE_CELLS
) -> str:
    """Return the result of an undo or redo, with fields left alone as conflicts."""
    if not report.changes and not report.conflicts:
        return "Nothing to redo." if redo else "Nothing to undo."
    sentences = []
    verb = "Redone" if redo else "Undone"
    if report.changes:
        sentences.append(f"{verb}: {_describe_changes(report, now, cells, redo=redo)}.")
    if report.conflicts:
        first, *more = report.named_conflicts
        count, field = len(more), first.field_word
        others = f" and {count:,} more" if count else ""
        sentences.append(
            f"Not {verb.lower()}: {field} of {short_title(first.title)}{others} changed since."
        )
    return " ".join(sentences)


def _describe_changes(report: UndoReport, now: datetime, cells: int, *, redo: bool) -> str:
    changes: Sequence[TaskChange] = report.changes
    turned = CLOSING_KINDS | {ChangeKind.REOPENED}
    titles = {change.task.title for change in changes if change.kind in turned}
    # Without next occurrences that were created or removed along with a completion.
    changes = [each for each in changes if each.kind in turned or each.task.title not in titles]
    names = join_titles([change.task.title for change in changes], cells)
    if all(change.kind is ChangeKind.UPDATED for change in changes):
        is_alone = len(changes) == 1
        of_one = describe_undone(report, changes[0].task.id, now, redo=redo) if is_alone else ""
        if of_one:
            return f"{names} · {of_one}"
        of_each = [report.fields.get(change.task.id, ()) for change in changes]
        what = name_fields(chain.from_iterable(of_each))
        return f"{what} of {names}" if what else f"changes to {names}"
    words = {report.inverted_word(change, redo=redo) for change in changes}
    return f"{words.pop()} {names}" if len(words) == 1 else f"changes to {names}"


def skip_message(tasks: Sequence[Task], clock: Clock) -> str:
    """Return the skipped tasks, and the next date of a single one."""
    return f"Skipped {join_titles([task.title for task in tasks])}{next_date(tasks, clock)}"


def next_date(tasks: Sequence[Task], clock: Clock) -> str:
    """Return `. Next: Mon 23 Nov` for the next occurrence of a single task, else nothing."""
    due = tasks[0].due_in(clock.zone) if len(tasks) == 1 else None
    return "" if due is None else f". Next: {format_when(due, clock.now())}"


def task_or_count(tasks: Sequence[Task], cells: int = TITLE_CELLS) -> str:
    """Return the title of a single task, the count of several."""
    if len(tasks) == 1:
        return short_title(tasks[0].title, cells)
    return format_count(len(tasks), "task")


class _NoticeKind(StrEnum):
    """Kind of the shown text; also the CSS class of coloured ones."""

    KEYS = ""
    MESSAGE = "-message"
    ERROR = "-error"
    QUESTION = "-question"


class NoticeLine(StableStatic):
    """Line with a temporary message, a question, or the key hints."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    @dataclass
    class QuestionShown(Message):
        """A question is shown and the list's keys answer it."""

        question: NoticeQuestion

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._kind = _NoticeKind.KEYS
        self._keys = tuple(keys)
        self._is_dim = False
        self._kept = ""
        self._timer: Timer | None = None
        self.question: NoticeQuestion | None = None
        self.message_count = 0

    def say(self, sentence: str | FittedText) -> None:
        """Show a message, if any, for a while, with titles shortened to fit where possible."""
        room = self.content_size.width
        words = sentence if isinstance(sentence, str) else fit_on_one_line(sentence, room)
        if words:
            self._show_for_a_while(words, _NoticeKind.MESSAGE)

    def say_error(self, error: TodoError) -> None:
        """Show an error and its hint for a while."""
        self._show_for_a_while(error.text, _NoticeKind.ERROR)

    def keep(self, sentence: str) -> None:
        """Show a persistent message in place of the key hints; empty restores them."""
        if sentence != self._kept:
            self._kept = sentence
            self._refresh_keys()

    def ask(self, question: NoticeQuestion) -> None:
        """Show a question until it is answered or withdrawn."""
        self.display = True
        self.question = question
        self.post_message(self.QuestionShown(question))
        self._show(question.lay_out(self.content_size.width), _NoticeKind.QUESTION)

    def withdraw(self) -> None:
        """Remove the open question, if any."""
        if self.question is not None:
            self.question = None
            self._show_keys_again()

    def take_answer(self, event: events.Key) -> None:
        """Answer the open question, if any, by a key; any other key withdraws it."""
        question = self.question
        if question is None:
            return
        key = event.character or event.key
        answer = next((each for each in question.answers if each.key == key), None)
        if answer is not None or event.key == "escape":
            event.stop()
            event.prevent_default()
        self.withdraw()
        if answer is not None:
            answer.act()

    def dismiss_message(self) -> None:
        """Show the key hints again if a message stands in their place."""
        if self._kind is _NoticeKind.MESSAGE:
            self._show_keys_again()

    def clear(self, message_count: int) -> None:
        """Clear a message or an error unless `message_count` has grown since an action began."""
        is_message = self._kind in (_NoticeKind.MESSAGE, _NoticeKind.ERROR)
        if is_message and self.message_count == message_count:
            self._show_keys_again()

    def show_keys(self, keys: Sequence[tuple[str, str]], *, is_dim: bool = False) -> None:
        """Set the key hints, dim where the keys do not work now."""
        if (tuple(keys), is_dim) != (self._keys, self._is_dim):
            self._keys, self._is_dim = tuple(keys), is_dim
            self._refresh_keys()

    def on_resize(self) -> None:
        """Fit the key hints, or the question, to the new width."""
        self._refresh_keys()
        if self.question is not None:
            self.put(self.question.lay_out(self.content_size.width))

    def _show(self, text: Content, kind: _NoticeKind) -> None:
        if self._timer is not None:
            self._timer.stop()
        if kind is not _NoticeKind.QUESTION:
            self.question = None
        self._kind = kind
        for coloured in (_NoticeKind.ERROR, _NoticeKind.QUESTION):
            self.set_class(kind is coloured, coloured)
        self.put(text)

    def _show_for_a_while(self, sentence: str, kind: _NoticeKind) -> None:
        self.message_count += 1
        pieces = [Content(piece) for piece in sentence.split(_DOT)]
        self._show(wrap_pieces(pieces, Content(_DOT), self.content_size.width), kind)
        self._timer = self.set_timer(NOTICE_SECONDS, self._show_keys_again)

    def _show_keys_again(self) -> None:
        self._show(self._key_line(), _NoticeKind.KEYS)

    def _refresh_keys(self) -> None:
        if self._kind is _NoticeKind.KEYS:
            self.put(self._key_line())

    def _key_line(self) -> Content:
        if self._kept:
            return Content.styled(self._kept, "$text-accent")
        line = Content("")
        for key, description in self._keys:
            style = MUTED if self._is_dim else "bold $text-accent"
            piece = Content.assemble((key, style), " ", (description, MUTED))
            longer = line + _GAP + piece if line else piece
            if longer.cell_length > self.content_size.width:
                break
            line = longer
        return line
