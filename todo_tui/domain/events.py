"""TurnEvent: the events that a running turn reports to screens and commands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence, read_evidence
from todo_tui.domain.messages import TextDelta, ThinkingDelta, Usage
from todo_tui.domain.task import JsonValue

if TYPE_CHECKING:
    from todo_tui.domain.knowledge.answer_quality import AnswerQuality


COMPARED = "compared"
"""Key in the data of a result: the call was not run, and its summary says what it would do."""


class AgentStep(StrEnum):
    """Name of a step in the trace that is no tool call."""

    FAILOVER = "take_over"
    SUMMARY = "summarise"
    OMISSION = "leave_out"
    """Older turns were left out of the request."""


class StepStatus(StrEnum):
    """Result of a tool call; `interrupted` if the turn was stopped before it ran."""

    SUCCESS = "success"
    ERROR = "error"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class TraceStep:
    """Finished tool call, as stored, shown and printed."""

    call_id: str
    name: str
    summary: str
    """One plain line: `Added Buy milk · tomorrow 17:00`."""
    arguments: str
    """JSON text as the model wrote it."""
    result: str
    """JSON text of the ToolResponse."""
    status: StepStatus
    milliseconds: float

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Passages that the call retrieved."""
        return read_evidence(self.result) if self.name == RETRIEVAL_TOOL else ()


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """Start of a turn; its user message is stored."""

    turn_id: str
    conversation_id: str
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """Start of a tool; `label` describes it: `Looking at your open tasks…`."""

    turn_id: str
    call_id: str
    name: str
    label: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """End of a tool call, successful or not."""

    turn_id: str
    step: TraceStep


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """Question to the user that the turn waits for; `question` is one plain line.

    `call_id` is empty for questions that are not about a tool call. `details` are plain
    lines that preview the change.
    """

    turn_id: str
    call_id: str
    question: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrying:
    """Wait of `seconds` before the same request is sent again because of `reason`."""

    turn_id: str
    kind: ProviderErrorKind
    reason: str
    seconds: float
    attempt: int
    """Number of the next try, 2 for the first retry."""
    attempts: int


@dataclass(frozen=True, slots=True)
class CallRestarted:
    """Restart of the current model call; its partial text is void."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class FailedOver:
    """Switch to another provider after a failure.

    The `step` for the trace has the name `take_over`.
    """

    turn_id: str
    step: TraceStep
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class HistoryTruncated:
    """Removal of older turns from the request, or their replacement by a summary.

    The `step` for the trace has the name `summarise`, with the summary as `data` of
    its result, or `leave_out`.
    """

    turn_id: str
    step: TraceStep


@dataclass(frozen=True, slots=True)
class BudgetWarning:
    """Warning that most of the daily budget is spent; both amounts in US dollars."""

    turn_id: str
    spent_usd: float
    budget_usd: float


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Usage of one complete model call; cost is None if the price is unknown."""

    turn_id: str
    usage: Usage
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class TurnError:
    """Reason of a failed turn, for users and programs."""

    kind: str
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """Complete record of a turn that has ended."""

    answer: str = ""
    trace: tuple[TraceStep, ...] = ()
    provider: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    model_calls: int = 0
    latency_ms: float = 0.0
    """Without the time for which the turn waited for answers of the user."""
    kept_batches: tuple[str, ...] = ()
    """Operation batches written by this turn and not rolled back."""
    first_token_ms: float | None = None
    """Time to the first text, thinking or tool call of a model; None if nothing came."""
    retries: int = 0
    failovers: int = 0
    quality: AnswerQuality | None = None
    """Quality of the answer; None if no passages were retrieved, or the turn did not finish."""
    sources: tuple[Evidence, ...] = ()
    """Passages that the answer cites, of earlier turns too, by their numbers."""
    asks: bool = False
    """True if the answer is a question of the built-in assistant, and a yes makes its changes."""


def describe_kept(answer: str, *, has_changes: bool) -> str:
    """Return the sentence on what was kept of a stopped turn, after a space; empty: nothing."""
    kept = ["partial answer"] * bool(answer.strip()) + ["changes"] * has_changes
    if not kept:
        return ""
    verb = "were" if has_changes else "was"
    return f" {' and '.join(kept).capitalize()} {verb} kept."


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """Normal end of a turn."""

    turn_id: str
    conversation_id: str
    outcome: TurnOutcome


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """Failure of a turn; text and writes so far are kept."""

    turn_id: str
    conversation_id: str
    outcome: TurnOutcome
    error: TurnError


@dataclass(frozen=True, slots=True)
class TurnCancelled:
    """Cancellation by the user; text and writes so far are kept."""

    turn_id: str
    conversation_id: str
    outcome: TurnOutcome


TurnEnd = TurnFinished | TurnFailed | TurnCancelled
TurnEvent = (
    TurnStarted
    | TextDelta
    | ThinkingDelta
    | ToolStarted
    | ToolFinished
    | ApprovalAsked
    | Retrying
    | CallRestarted
    | FailedOver
    | HistoryTruncated
    | BudgetWarning
    | UsageReported
    | TurnEnd
)


def outcome_to_json(ended: TurnEnd) -> dict[str, JsonValue]:
    """Return the object that `ask --json` prints; null for missing values."""
    outcome = ended.outcome
    status = {TurnFinished: "finished", TurnFailed: "failed", TurnCancelled: "cancelled"}
    error: JsonValue = None
    if isinstance(ended, TurnFailed):
        error = {"kind": ended.error.kind, "message": ended.error.message}
    return {
        "answer": outcome.answer,
        "trace": [step_to_json(step) for step in outcome.trace],
        "provider": outcome.provider or None,
        "model": outcome.model or None,
        "usage": usage_to_json(outcome.usage),
        "cost_usd": outcome.cost_usd,
        "latency_ms": round(outcome.latency_ms, 1),
        "model_calls": outcome.model_calls,
        "turn_id": ended.turn_id or None,
        "conversation_id": ended.conversation_id or None,
        "status": status[type(ended)],
        "quality_score": outcome.quality.score if outcome.quality else None,
        "error": error,
    }


def step_to_json(step: TraceStep) -> dict[str, JsonValue]:
    """Return the object of a trace step; arguments and result as JSON if they are."""
    return {
        "name": step.name,
        "summary": step.summary,
        "arguments": _parse_or_text(step.arguments),
        "result": _parse_or_text(step.result),
        "status": step.status.value,
        "ms": round(step.milliseconds, 1),
        "documents_used": _documents_used(step.evidence),
    }


def _documents_used(passages: tuple[Evidence, ...]) -> list[JsonValue]:
    """Return ids and titles of the documents of passages, each once."""
    titles = {each.document_id: each.title for each in passages if each.document_id is not None}
    return [{"id": document_id, "title": title} for document_id, title in titles.items()]


def usage_to_json(usage: Usage) -> dict[str, JsonValue]:
    """Return the object of token counts."""
    return {
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "thinking_tokens": usage.thinking_tokens,
        "total": usage.input_tokens + usage.output_tokens,
    }


def _parse_or_text(text: str) -> JsonValue:
    try:
        return parse_json(text)
    except ValueError:
        return text
