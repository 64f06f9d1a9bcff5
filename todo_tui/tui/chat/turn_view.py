"""Turn view: user message, trace rows, answer, retry countdown, and how the turn ended."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Markdown, Static

from todo_tui.domain import events
from todo_tui.domain.dates.text import date_facts, format_day
from todo_tui.domain.knowledge.evidence import Evidence, cited_evidence, cited_numbers
from todo_tui.domain.messages import TextDelta, ThinkingDelta, TurnStatus
from todo_tui.domain.text import format_dollars, plain_line, strip_markdown
from todo_tui.domain.when import Clock
from todo_tui.tui.chat.answer import (
    CITATION_LINK,
    CITATION_META,
    ReplyRow,
    StreamingAnswer,
    excerpt,
    link_citations,
)
from todo_tui.tui.chat.conversation_part import ConversationPart
from todo_tui.tui.chat.recovery import RecoveryHints, RecoveryKeys
from todo_tui.tui.chat.session import asks_yes_or_no
from todo_tui.tui.chat.trace_rows import ExpandableRow, ThinkingRow, TraceGroup, TraceRow, long_runs
from todo_tui.tui.chat.turn_end import RetryCountdown, TurnEndView, cut_error
from todo_tui.tui.chat.turn_undo import UndoHint, has_changes_to_undo
from todo_tui.tui.chat.user_message import UserMessageView
from todo_tui.tui.theme import MUTED

if TYPE_CHECKING:
    from todo_tui.domain.knowledge.answer_quality import AnswerQuality
    from todo_tui.store.conversations.records import TurnRecord

_STATUS_TEXTS = {
    TurnStatus.CANCELLED: "Stopped.",
    TurnStatus.INTERRUPTED: "Interrupted: the app closed.",
    TurnStatus.RUNNING: "Running in another window…",
}
_END_STATUS: dict[type[events.TurnEnd], TurnStatus] = {
    events.TurnFinished: TurnStatus.FINISHED,
    events.TurnFailed: TurnStatus.FAILED,
    events.TurnCancelled: TurnStatus.CANCELLED,
}
_MARKDOWN_TURNS = 3
"""Number of newest turns drawn as Markdown at once; others follow near the viewport.

Twenty take a second as Markdown and 40 ms as plain text.
"""
_AFTER_ROWS = "-after-rows"
_BARE = "-bare"


@dataclass(frozen=True, slots=True)
class TurnLabels:
    """Labels above a message and above its answer; `model_label` names a model of a provider."""

    clock: Clock
    model_label: Callable[[str, str], str]

    def sent(self, at: datetime, branch: int = 1, branches: int = 1) -> str:
        """Return `you · 14:30`, with the day if that is not today; `you · 14:30 · 2 of 3`."""
        version = f" · version {branch} of {branches}" if branches > 1 else ""
        return f"you · {self._time(at)}{version}"

    def answered(self, provider: str, model: str, at: datetime | None = None) -> str:
        """Return `Groq · gpt-oss-120b · 14:31`, without the time while the turn runs."""
        label = plain_line(self.model_label(provider, model))
        return label if at is None else f"{label} · {self._time(at)}"

    def _time(self, at: datetime) -> str:
        now = self.clock.now()
        local = at.astimezone(ZoneInfo(self.clock.zone))
        day = "" if local.date() == now.date() else f"{format_day(local.date(), now.date())} "
        return f"{day}{local:%H:%M}"


class PlainAnswer(ConversationPart, Static, can_focus=True):
    """Answer of an older turn, drawn without its Markdown signs until it is near the viewport."""

    FOCUS_ON_CLICK = False
    noun = "answer"

    def __init__(self, text: str, citable: Container[int] = ()) -> None:
        shown = link_citations(strip_markdown(excerpt(text).lines), citable)
        super().__init__(shown, classes="plain-answer", markup=False)
        self._text = text

    @property
    def copied_text(self) -> str:
        """Full text as Markdown, as the model wrote it."""
        return self._text


class TurnView(Vertical):
    """View of one turn; grows downward, and drawn content keeps its place.

    `model` are the ids of provider and model, `version` the number of this version of the message
    and that of all. `past` is the record of a stored turn; `rich` draws it as Markdown, which is
    expensive. Only the newest turn has hints on `recovery`.
    """

    # Imported after the first frame, so it is not part of its style sheets.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    @dataclass
    class SourceRequested(Message):
        """Posted when one of the `passages` is to be shown; `at` is its index."""

        passages: tuple[Evidence, ...]
        at: int

    def __init__(
        self,
        user_text: str,
        at: datetime,
        labels: TurnLabels,
        model: tuple[str, str],
        *,
        version: tuple[int, int] = (1, 1),
        past: TurnRecord | None = None,
        rich: bool = False,
        recovery: RecoveryHints | None = None,
    ) -> None:
        super().__init__()
        self.user_text = user_text
        self.version = (past.branch, past.branches) if past is not None else version
        self.turn_id = past.id if past else ""
        self.status = past.status if past else TurnStatus.RUNNING
        self.undone = past.undone if past else None
        """True if its changes are undone; None while there are none."""
        self._recovery = recovery
        self._rich = rich
        self._at = at
        self._labels = labels
        self.model = model
        self._answered_by = Static(classes="answered-by", markup=False)
        self._past = past
        self._trace: dict[str, TraceRow] = {}
        """Rows of tool calls by call id, in order."""
        self._partial: list[Widget] = []
        """Thinking and answer of the model call that runs."""
        self._block: StreamingAnswer | ThinkingRow | None = None
        self._retry: RetryCountdown | None = None
        self.conversation_evidence: dict[int, Evidence] = {}
        """Passages of all turns of the conversation, by number."""
        self._is_answer_in_rows = False
        """True if the rows have the answer, or a part of it."""

    def compose(self) -> ComposeResult:
        """Lay out the user message and, of a stored turn, everything else."""
        past = self._past
        heading = self._labels.sent(self._at, *self.version)
        yield UserMessageView(self.user_text, heading)
        yield self._answered_by
        if past is None:
            self._show_model()
            return
        self._show_model(None if past.latency_ms is None else past.ended_at)
        own = {each.number: each for step in past.steps for each in step.evidence}
        citable = {*self.conversation_evidence, *own}
        answer_view = StreamingAnswer if self._rich else PlainAnswer
        parts: list[Widget] = []
        for block in past.shown_blocks:
            if isinstance(block, events.TraceStep):
                parts += self._finish_rows([block])
            else:
                parts.append(answer_view(block.text_beside_steps, citable))
        sources = cited_evidence(past.answer, (self.conversation_evidence | own).values())
        parts += _source_lines(sources)
        quality = _assess_again(past, {each.number: each for each in sources} | own)
        kept = events.describe_kept(past.answer, has_changes=past.undone is not None)
        parts += [*_quality_warning(quality), *self._ending(past.error, kept)]
        for run in list(long_runs(parts)):
            parts.insert(parts.index(run[0]), TraceGroup(run))
        for above, below in pairwise(parts):
            is_after_rows = isinstance(above, ExpandableRow) and not isinstance(
                below, ExpandableRow
            )
            below.set_class(is_after_rows, _AFTER_ROWS)
        self.set_class(bool(parts) and isinstance(parts[-1], ExpandableRow), _BARE)
        yield from parts
        if self._recovery is not None:
            yield from _reply_rows(asks=asks_yes_or_no(past.answer))
        if past.undone:
            yield _undone_mark()

    def show_day(self, before: date, today: date) -> None:
        """Give dates to the rows that said today or tomorrow on the day `before`."""
        for row in self._trace.values():
            if row.step is not None:
                row.step = replace(row.step, summary=date_facts(row.step.summary, before, today))

    def is_between(self, top: float, bottom: float) -> bool:
        """Return whether any of it is between these lines of the transcript."""
        region = self.virtual_region
        return bool(region.height) and region.bottom > top and region.y < bottom

    @property
    def is_plain(self) -> bool:
        """True while the answer is drawn as plain text, which is fast."""
        return any(isinstance(child, PlainAnswer) for child in self.children)

    async def draw_markdown(self) -> None:
        """Draw the answer as Markdown."""
        for plain in self.query_children(PlainAnswer):
            answer = StreamingAnswer(plain.copied_text, self._citable)
            answer.set_class(plain.has_class(_AFTER_ROWS), _AFTER_ROWS)
            with self.app.batch_update():
                await self.mount(answer, before=plain)
                if plain.has_focus:
                    answer.focus(scroll_visible=False)
                await plain.remove()

    def _ending(self, error: events.TurnError | None, kept: str) -> list[Widget]:
        """Return the widgets for the end of the turn, with recovery hints if it is the newest."""
        if self.status is TurnStatus.FAILED:
            error = error or events.TurnError("internal", "The response failed.")
            text = Content.styled(f"✗ {cut_error(error.message)}", "$text-error")
            if error.hint:
                text = text + f"\n{cut_error(error.hint)}"
            return [TurnEndView(text, self._end_keys, is_error=True)]
        status_text = _STATUS_TEXTS.get(self.status, "")
        is_stopped = self.status is not TurnStatus.RUNNING
        shown = Content.styled(f"{status_text}{kept if is_stopped else ''}", "$text-warning")
        return [TurnEndView(shown, self._end_keys)] if status_text else []

    @property
    def rows(self) -> tuple[ExpandableRow, ...]:
        """Expandable rows, in order: tool calls, thinking, policy steps."""
        return tuple(child for child in self.children if isinstance(child, ExpandableRow))

    def _show_model(self, at: datetime | None = None) -> None:
        self._answered_by.update(self._labels.answered(*self.model, at), layout=False)

    @property
    def parts(self) -> list[Widget]:
        """Parts to browse, in order: the message, rows, the answer, each of its code blocks."""
        shown = (each for each in self.walk_children(Widget) if each.display)
        return [each for each in shown if isinstance(each, ConversationPart)]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Passages that the turn retrieved, by their numbers."""
        steps = [row.step for row in self._trace.values() if row.step is not None]
        found = {each.number: each for step in steps for each in step.evidence}
        return tuple(found[number] for number in sorted(found))

    @property
    def _citable(self) -> Container[int]:
        return {*self.conversation_evidence, *(each.number for each in self.evidence)}

    def request_source(self, number: int | None = None) -> None:
        """Ask for the source of a citation, by default the first, if there is one.

        The others that the answer cites go along, in their order; else all that were retrieved.
        """
        sources = self.sources
        if number is not None and number not in [each.number for each in sources]:
            sources = self.evidence
        for place, source in enumerate(sources):
            if number in (None, source.number):
                self.post_message(self.SourceRequested(sources, place))
                return

    @property
    def sources(self) -> tuple[Evidence, ...]:
        """Passages that the answer cites, in its order."""
        known = self.conversation_evidence | {each.number: each for each in self.evidence}
        parts = (each for each in self.parts if isinstance(each, ConversationPart))
        text = "\n".join(each.copied_text for each in parts if each.noun == "answer")
        return tuple(known[each] for each in cited_numbers(text) if each in known)

    @on(Markdown.LinkClicked)
    def _open_citation(self, event: Markdown.LinkClicked) -> None:
        number = event.href.removeprefix(CITATION_LINK)
        if number.isdecimal():
            event.stop()
            self.request_source(int(number))

    def on_click(self, event: Click) -> None:
        """Show the source of a citation in plain text."""
        number = event.style.meta.get(CITATION_META)
        if isinstance(number, int):
            event.stop()
            self.request_source(number)

    @property
    def answer(self) -> ConversationPart | None:
        """Newest part of the answer, or the last row where the rows are the answer, if any."""
        parts = [part for part in reversed(self.parts) if isinstance(part, ConversationPart)]
        answers = [part for part in parts if part.noun == "answer"]
        return next(iter(answers or [part for part in parts if part.noun == "details"]), None)

    def focus_part(self, *, answer: bool, scroll_visible: bool = True) -> None:
        """Focus the answer if there is one and it is wanted, else the message."""
        part = self.answer if answer else None
        target = part if isinstance(part, Widget) else self.parts[0]
        target.focus(scroll_visible=scroll_visible)

    async def show(self, event: events.TurnEvent) -> None:
        """Draw an event."""
        if self._retry is not None:
            await self._retry.remove()
            self._retry = None
        match event:
            case events.TurnStarted():
                self.turn_id = event.turn_id
            case ThinkingDelta() | TextDelta() | events.CallRestarted() | events.UsageReported():
                await self._show_call_event(event)
            case events.ToolStarted():
                await self._complete_block()
                row = self._trace[event.call_id] = TraceRow(label=event.label)
                await self._append(row)
            case events.ToolFinished() | events.FailedOver() | events.HistoryTruncated():
                await self._show_step(event)
            case events.Retrying():
                self._retry = RetryCountdown(event, self._keys.waiting)
                await self._append(self._retry)
            case events.BudgetWarning():
                await self._complete_block()
                await self._append(Static(_budget_warning(event), classes="notice", markup=False))
            case events.TurnFinished() | events.TurnFailed() | events.TurnCancelled():
                await self._end(event)

    async def offer_undo(self, is_offered: bool = True) -> None:
        """Show the key that undoes the turn, or remove it."""
        shown = self.query_children(UndoHint)
        if any(hint.has_focus for hint in shown):
            self.focus_part(answer=True, scroll_visible=False)
        await shown.remove()
        if is_offered:
            await self.mount(UndoHint())

    async def mark_undone(self, undone: bool | None) -> None:
        """Mark the turn as undone in place of the undo offer, or no longer."""
        was_undone, self.undone = self.undone, undone
        if undone and not was_undone:
            await self.offer_undo(False)
            await self.mount(_undone_mark())
        elif was_undone and not undone:
            await self.query_children(".undone").remove()

    def find(self, texts: Sequence[str]) -> tuple[Widget, float] | None:
        """Return the message, answer or row with the first of these texts, and its place in it.

        The place is a share of the text. A long message is opened.
        """
        message = self.query_one(UserMessageView)
        answers = self.query(PlainAnswer), self.query(StreamingAnswer)
        rows = (row for row in self.query(TraceRow) if row.display)
        parts = [message, *(each for query in answers for each in query), *rows]
        for text in map(str.casefold, texts):
            for part in parts:
                whole = part.copied_text.casefold()
                if (place := whole.find(text)) >= 0:
                    if part is message and message.can_open and place > 0:
                        message.opened = True
                    return part, min(place / max(len(excerpt(whole).text), 1), 1.0)
        return None

    @property
    def _keys(self) -> RecoveryKeys:
        return RecoveryKeys() if self._recovery is None else self._recovery.keys(self.app)

    @property
    def _end_keys(self) -> tuple[str, ...]:
        if self.status is TurnStatus.RUNNING:
            return ()
        return self._keys.failed if self.status is TurnStatus.FAILED else self._keys.stopped

    def update_recovery_keys(self) -> None:
        """Update the recovery hints."""
        for end in self.query(TurnEndView):
            end.keys = self._end_keys

    async def retire(self) -> None:
        """Remove offers and hints when another turn starts."""
        self._recovery = None
        self.update_recovery_keys()
        await self.offer_undo(False)
        await self.query_children(ReplyRow).remove()

    async def _end(self, event: events.TurnEnd) -> None:
        await self._complete_block()
        if event.outcome.provider:
            self.model = event.outcome.provider, event.outcome.model
        self._show_model(self._labels.clock.utc())
        self.undone = False if has_changes_to_undo(event.outcome) else None
        # The end of stopped calls is not reported by events of their own.
        for row in self._finish_rows(event.outcome.trace):
            await self._append(row)
        for call_id, row in self._trace.items():
            if row.step is None:
                status = events.StepStatus.INTERRUPTED
                row.step = events.TraceStep(call_id, "", "Stopped", "", "", status, 0.0)
        if event.outcome.answer and not (self.query(StreamingAnswer) or self._is_answer_in_rows):
            await self._append(StreamingAnswer(event.outcome.answer, self._citable))
        await self._append(*_source_lines(event.outcome.sources))
        await self._append(*_quality_warning(event.outcome.quality))
        error = event.error if isinstance(event, events.TurnFailed) else None
        self.status = _END_STATUS[type(event)]
        outcome = event.outcome
        kept = events.describe_kept(outcome.answer, has_changes=bool(outcome.kept_batches))
        await self._append(*self._ending(error, kept))
        await self.mount_all(_reply_rows(asks=outcome.asks))
        if self.undone is False:
            await self.offer_undo()

    async def _show_step(
        self, event: events.ToolFinished | events.FailedOver | events.HistoryTruncated
    ) -> None:
        for row in self._finish_rows([event.step]):
            await self._complete_block()
            await self._append(row)
        self.conversation_evidence.update((each.number, each) for each in self.evidence)
        for run in list(long_runs(self.children)):
            groups = self.query_children(TraceGroup)
            if group := next((each for each in groups if run[0] in each.members), None):
                group.members = tuple(run)
            else:
                await self.mount(TraceGroup(run), before=run[0])
        if isinstance(event, events.FailedOver):
            self.model = event.provider, event.model
            self._show_model()

    async def _show_call_event(
        self, event: ThinkingDelta | TextDelta | events.CallRestarted | events.UsageReported
    ) -> None:
        match event:
            case TextDelta(restates_steps=True):
                self._is_answer_in_rows = True
            case ThinkingDelta() | TextDelta():
                is_thinking = isinstance(event, ThinkingDelta)
                if not isinstance(self._block, ThinkingRow if is_thinking else StreamingAnswer):
                    await self._complete_block()
                    citable = self._citable
                    self._block = ThinkingRow() if is_thinking else StreamingAnswer("", citable)
                    self._partial.append(self._block)
                    await self._append(self._block)
                self._block.write(event.text)
            case events.CallRestarted():
                self._block = None
                await self.remove_children(self._partial)
                self._partial = []
            case events.UsageReported():
                await self._complete_block()
                self._partial = []

    def _finish_rows(self, steps: Sequence[events.TraceStep]) -> list[TraceRow]:
        """Finish the rows of these steps; return the new ones."""
        new: list[TraceRow] = []
        for step in steps:
            row = self._trace.get(step.call_id)
            if row is None:
                new.append(TraceRow(step=step))
                self._trace[step.call_id] = new[-1]
            elif row.step is None:
                row.step = step
        return new

    async def _append(self, *widgets: Widget) -> None:
        """Mount at the end, with a blank line between rows and other content."""
        if widgets and not isinstance(widgets[0], ExpandableRow):
            widgets[0].set_class(self._ends_in_row, _AFTER_ROWS)
        await self.mount_all(widgets)
        self.set_class(self._ends_in_row, _BARE)

    @property
    def _ends_in_row(self) -> bool:
        # A view that is being removed has no children any more.
        return bool(self.children) and isinstance(self.children[-1], ExpandableRow)

    async def _complete_block(self) -> None:
        block, self._block = self._block, None
        if block is not None:
            await block.settle()


@dataclass(frozen=True, slots=True)
class TurnViews:
    """Makes the views of the turns of one conversation."""

    labels: TurnLabels
    recovery: RecoveryHints
    evidence: dict[int, Evidence] = field(default_factory=dict)
    """Passages that the conversation has retrieved, by number; views add their own."""

    def running(self, text: str, model: tuple[str, str], version: int) -> TurnView:
        """Return the view of a turn that begins now, the last version of its message."""
        now = self.labels.clock.utc()
        versions = version, version
        view = TurnView(text, now, self.labels, model, version=versions, recovery=self.recovery)
        view.conversation_evidence = self.evidence
        return view

    def stored(
        self, turns: Sequence[TurnRecord], *, is_end: bool = False, rich: int = _MARKDOWN_TURNS
    ) -> list[TurnView]:
        """Return the views of stored turns, the last `rich` ones as Markdown.

        With `is_end` the last one is the newest and has hints on recovery.
        """
        views = []
        for place, turn in enumerate(turns, start=1):
            view = TurnView(
                turn.user_text,
                turn.started_at,
                self.labels,
                (turn.provider, turn.model),
                past=turn,
                rich=place > len(turns) - rich,
                recovery=self.recovery if is_end and place == len(turns) else None,
            )
            view.conversation_evidence = self.evidence
            views.append(view)
        return views


def _undone_mark() -> Static:
    return Static(Content.styled("↺ undone", MUTED), classes="foot undone", markup=False)


def _budget_warning(event: events.BudgetWarning) -> Content:
    budget = format_dollars(event.budget_usd)
    spent = f"{format_dollars(event.spent_usd)} of today's {budget} budget used."
    return Content.assemble(("◆ ", "$text-warning"), (spent, MUTED))


def _reply_rows(*, asks: bool) -> list[Widget]:
    """Return rows for the answers to a question, to be placed below it."""
    return [ReplyRow("yes"), ReplyRow("no")] if asks else []


def _source_lines(sources: Sequence[Evidence]) -> list[Widget]:
    """Return the sources that an answer cites, a line each, to be placed below it."""
    lines = [
        Content.styled(f"[{each.number}] {each.place}", MUTED).stylize(
            Style.from_meta({CITATION_META: each.number})
        )
        for each in sources
    ]
    return [Static(Content("\n").join(lines), classes="notice", markup=False)] if lines else []


def _assess_again(past: TurnRecord, known: Mapping[int, Evidence]) -> AnswerQuality | None:
    """Return the quality of a stored answer if it is low; what lowers it is not stored."""
    if past.quality_score is None:
        return None
    # 25 ms, for turns with documents.
    from todo_tui.domain.knowledge.answer_quality import LOW_SCORE, AnswerQuality, assess_answer

    if past.quality_score >= LOW_SCORE:
        return None
    texts = {number: each.searchable for number, each in known.items()}
    other = "\n".join(step.result for step in past.steps if not step.evidence)
    assessed = assess_answer(past.answer, texts, other, past.user_text)
    return AnswerQuality(past.quality_score, assessed.problems, assessed.claims)


def _quality_warning(quality: AnswerQuality | None) -> list[Widget]:
    """Return the line below an answer that should not be trusted; nothing for others."""
    if quality is None or not quality.is_low:
        return []
    reason = f": {plain_line(quality.reason)}" if quality.reason else ""
    text = Content.assemble(("◆ ", "$text-warning"), (f"Check the facts{reason}", MUTED))
    return [Static(text, classes="notice", markup=False)]
