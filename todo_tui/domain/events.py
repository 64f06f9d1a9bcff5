"""TurnEvent: the events that a running turn reports to screens and commands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.messages import Usage
from todo_tui.domain.task import JsonValue


class StepStatus(StrEnum):
    """How a tool call ended; `interrupted` when the turn was stopped before it ran."""

    SUCCESS = "success"
    ERROR = "error"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One finished tool call, as it is stored, shown and printed."""

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


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The message is stored and the turn runs."""

    turn_id: str
    conversation_id: str
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More words of the answer."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More words of the model's thinking."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool runs now; `label` says what it does: `Looking at your open tasks…`."""

    turn_id: str
    call_id: str
    name: str
    label: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has answered, well or not."""

    turn_id: str
    step: TraceStep


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """A person is asked before the turn goes on; `question` is one plain line.

    `call_id` is empty where it is not about a tool call. `details` are plain lines:
    what would change.
    """

    turn_id: str
    call_id: str
    question: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrying:
    """The same request will be sent again after `seconds`; `reason` says why."""

    turn_id: str
    kind: ProviderErrorKind
    reason: str
    seconds: float
    attempt: int
    """The try that comes next, 2 for the first retry."""
    attempts: int


@dataclass(frozen=True, slots=True)
class CallRestarted:
    """The partial words of the current model call no longer count; they come anew."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class FailedOver:
    """Another provider goes on with the turn, since the one before could not.

    `step` says so in the trace; its name is `take_over`.
    """

    turn_id: str
    step: TraceStep
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class HistoryTruncated:
    """Older turns are no longer sent, or only their summary is.

    `step` says so in the trace: its name is `summarise`, with the summary as `data` of
    its result, or `leave_out`.
    """

    turn_id: str
    step: TraceStep


@dataclass(frozen=True, slots=True)
class BudgetWarning:
    """Most of what may be spent today is spent; both in US dollars."""

    turn_id: str
    spent_usd: float
    budget_usd: float


@dataclass(frozen=True, slots=True)
class UsageReported:
    """One model call is complete; cost is None where the price is not known."""

    turn_id: str
    usage: Usage
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class TurnError:
    """Why a turn failed, for a person and for programs."""

    kind: str
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """Everything about a turn that has ended."""

    answer: str
    trace: tuple[TraceStep, ...]
    provider: str
    model: str
    usage: Usage
    cost_usd: float | None
    model_calls: int
    latency_ms: float
    kept_batches: tuple[str, ...] = ()
    """Batches of operations that this turn wrote and that stand."""


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The model has said its last word."""

    turn_id: str
    conversation_id: str
    outcome: TurnOutcome


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn could not go on; what was said and written is kept."""

    turn_id: str
    conversation_id: str
    outcome: TurnOutcome
    error: TurnError


@dataclass(frozen=True, slots=True)
class TurnCancelled:
    """The person stopped the turn; what was said and written is kept."""

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
    """The object that `ask --json` prints; null for what a turn never came to have."""
    outcome = ended.outcome
    status = {TurnFinished: "finished", TurnFailed: "failed", TurnCancelled: "cancelled"}
    error: JsonValue = None
    if isinstance(ended, TurnFailed):
        error = {"kind": ended.error.kind, "message": ended.error.message}
    return {
        "answer": outcome.answer,
        "trace": [_step_to_json(step) for step in outcome.trace],
        "provider": outcome.provider or None,
        "model": outcome.model or None,
        "usage": {
            "input_tokens": outcome.usage.input_tokens,
            "cached_tokens": outcome.usage.cached_tokens,
            "output_tokens": outcome.usage.output_tokens,
            "thinking_tokens": outcome.usage.thinking_tokens,
        },
        "cost_usd": outcome.cost_usd,
        "latency_ms": round(outcome.latency_ms, 1),
        "model_calls": outcome.model_calls,
        "turn_id": ended.turn_id or None,
        "conversation_id": ended.conversation_id or None,
        "status": status[type(ended)],
        "error": error,
    }


def _step_to_json(step: TraceStep) -> dict[str, JsonValue]:
    return {
        "name": step.name,
        "summary": step.summary,
        "arguments": _parsed(step.arguments),
        "result": _parsed(step.result),
        "status": step.status.value,
        "ms": round(step.milliseconds, 1),
    }


def _parsed(text: str) -> JsonValue:
    """The value of JSON text; text that is none, or that could not be written, stays text."""
    try:
        return parse_json(text)
    except ValueError:
        return text
